/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "tools/srplat_report.h"

static struct srplat_run run;
static struct srplat_opts opts;
static struct srplat_src in;
static struct hist hists[6], stages[SRPLAT_NR_STAGES];
static char text[16384];

static void
setup(void)
{
	int i;

	memset(&run, 0, sizeof(run));
	memset(&opts, 0, sizeof(opts));
	memset(&in, 0, sizeof(in));
	opts.in = "demo://ram";
	opts.out = "/dev/null";
	run.opts = &opts;
	run.area.record_bytes = 512;
	run.nr_rounds = 1;
	run.nr_modes = 3;
	in.block_bytes = 512;
	run.loop.in = &in;
	for (i = 0; i < 6; i++)
		hist_reset(&hists[i]);
	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		hist_reset(&stages[i]);
	for (i = 0; i < 3; i++) {
		struct srplat_mode *mode = &run.modes[i];

		mode->hist = &hists[i];
		mode->nr_done = 10;
		mode->elapsed_ns = 10000000;
		mode->depth = 1u << i;
		snprintf(mode->name, sizeof(mode->name), "self");
		hist_record(mode->hist, 1000u + 600u * (unsigned int)i);
	}
}

static void
sweep_by(enum srplat_sweep_by by)
{
	unsigned int i;

	for (i = 0; i < run.nr_modes; i++)
		run.modes[i].by = by;
}

/* What @print writes. */
static const char *
written(void (*print)(FILE *f, const struct srplat_run *run))
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	text[0] = '\0';
	print(f, &run);
	fclose(f);
	return text;
}

static void
print_table(FILE *f, const struct srplat_run *what)
{
	srplat_report_table(f, what, NULL);
}

START_TEST(a_sweep_has_a_row_a_point_and_marks_the_knee)
{
	sweep_by(SRPLAT_SWEEP_DEPTH);
	ck_assert_ptr_nonnull(strstr(written(print_table), "depth      IOPS"));
	ck_assert_ptr_nonnull(strstr(text,
		"self               2      1000      1.60      1.60      1.60"
		"      1.60         0  <- knee\n"));
	ck_assert_ptr_nonnull(strstr(text, "self               4 "));
	ck_assert_ptr_eq(srplat_sweep_knee_of(run.modes, 3), &run.modes[1]);
}
END_TEST

START_TEST(points_that_were_not_reached_have_no_row)
{
	sweep_by(SRPLAT_SWEEP_DEPTH);
	run.modes[2].nr_done = 0;
	hist_reset(&hists[2]);
	ck_assert_ptr_null(
		strstr(written(print_table), "self               4 "));
}
END_TEST

START_TEST(each_mode_has_a_curve_of_its_own)
{
	sweep_by(SRPLAT_SWEEP_DEPTH);
	run.modes[2].id = 1;
	ck_assert_uint_eq(srplat_sweep_points(&run, 0), 2);
	ck_assert_uint_eq(srplat_sweep_points(&run, 2), 1);
	ck_assert_uint_eq(srplat_sweep_points(&run, 3), 0);
}
END_TEST

START_TEST(a_rate_has_two_rows_and_its_misses)
{
	struct srplat_mode *mode = &run.modes[0];

	run.nr_modes = 1;
	mode->rate = 2000;
	mode->response = &hists[3];
	hist_record(mode->response, 50000);
	mode->nr_missed = 7;
	mode->nr_unsent = 3;
	mode->max_waiting = 5;
	ck_assert_ptr_nonnull(
		strstr(written(print_table), "\nself service             "));
	ck_assert_ptr_nonnull(strstr(text, "\nself response            "));
	ck_assert_ptr_nonnull(strstr(text,
		"self: 2000 a second were due, 1000 were done; 7 sends missed "
		"(begun more than 500.00 us late, when the next was due), 3 "
		"of them not begun by the end; at most 5 waited\n"));
}
END_TEST

START_TEST(stages_that_occurred_have_a_row)
{
	run.nr_modes = 1;
	run.modes[0].stages = stages;
	hist_record(&stages[SRPLAT_STAGE_SEEN], 2500);
	ck_assert_ptr_nonnull(strstr(written(print_table),
		"self                     posted->seen          2.50"
		"      2.50      2.50         1\n"));
	ck_assert_ptr_null(strstr(text, "woken"));
}
END_TEST

START_TEST(the_pattern_is_told_with_its_seed)
{
	opts.verify = SRPLAT_VERIFY_WRITE;
	run.verify.nr_blocks = 12;
	run.verify.block_bytes = 520;
	run.verify.knows_seed = true;
	run.verify.seed = 99;
	ck_assert_str_eq(written(srplat_report_verify),
		"\nverify: 12 blocks of 520 bytes are as written, seed=99\n");
	run.verify.is_broken = true;
	ck_assert_ptr_nonnull(strstr(written(srplat_report_verify),
		"seed=99; the next one checked was not\n"));
	opts.verify = SRPLAT_VERIFY_NONE;
	ck_assert_str_eq(written(srplat_report_verify), "");
}
END_TEST

START_TEST(written_and_read_back_are_dds_out_and_in)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	run.nr_modes = 2;
	run.modes[0].op = SRPLAT_OP_WRITE;
	run.modes[1].op = SRPLAT_OP_READ;
	run.modes[1].nr_done = 4;
	run.nr_done = 14;
	srplat_report_dd(f, &run, SRPLAT_STATUS_NOXFER);
	fclose(f);
	ck_assert_str_eq(text, "4+0 records in\n10+0 records out\n");
}
END_TEST

START_TEST(a_slow_record_is_one_line)
{
	struct srplat_slow_io *io = &run.slow.ios[0];
	int i;

	run.slow.nr = 1;
	io->at_ns = 1500000000;
	io->offset = 5120;
	io->bytes = 512;
	io->latency_ns = 345600;
	ck_assert_str_eq(written(srplat_report_slow),
		"srplat: slow: 1.500000 s after the beginning, read of 512 "
		"bytes at LBA 10: 345.60 us\n");
	io->has_stages = true;
	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		io->stages[i] = UINT64_MAX;
	io->stages[SRPLAT_STAGE_SUBMIT] = 100;
	io->stages[SRPLAT_STAGE_SEEN] = 345500;
	ck_assert_ptr_nonnull(strstr(written(srplat_report_slow),
		"345.60 us (submit->posted 0.10, posted->seen 345.50)\n"));
}
END_TEST

START_TEST(more_slow_records_than_kept_are_counted)
{
	const char *line;
	int nr = 0;

	run.slow.nr = 5000;
	run.slow.limit_ns = 2000;
	written(srplat_report_slow);
	for (line = text; (line = strchr(line, '\n')); line++)
		nr++;
	ck_assert_int_eq(nr, 101);
	ck_assert_ptr_nonnull(strstr(text,
		"srplat: slow: 5000 records took longer than 2.00 us, of "
		"which the first 100 are above\n"));
}
END_TEST

START_TEST(counters_have_columns_or_a_reason)
{
	run.nr_modes = 1;
	snprintf(run.counters.reason, sizeof(run.counters.reason), "none");
	ck_assert_ptr_nonnull(strstr(written(print_table),
		"cycles and instructions: not counted, none\n"));
	ck_assert_ptr_null(strstr(text, "cyc/IO"));
	run.counters.scope = "user";
	run.modes[0].counts = (struct srplat_counts){ 5000, 12000, true,
		false };
	ck_assert_ptr_nonnull(strstr(written(print_table), "ins/IO\n"));
	ck_assert_ptr_nonnull(strstr(text, "      500      1200\n"));
}
END_TEST

START_TEST(progress_says_which_point_it_is_at)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	sweep_by(SRPLAT_SWEEP_DEPTH);
	run.mode = &run.modes[1];
	srplat_report_progress(f, &run);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, ", self at depth=2"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_report_more");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_sweep_has_a_row_a_point_and_marks_the_knee);
	tcase_add_test(tcase, points_that_were_not_reached_have_no_row);
	tcase_add_test(tcase, each_mode_has_a_curve_of_its_own);
	tcase_add_test(tcase, a_rate_has_two_rows_and_its_misses);
	tcase_add_test(tcase, stages_that_occurred_have_a_row);
	tcase_add_test(tcase, the_pattern_is_told_with_its_seed);
	tcase_add_test(tcase, written_and_read_back_are_dds_out_and_in);
	tcase_add_test(tcase, a_slow_record_is_one_line);
	tcase_add_test(tcase, more_slow_records_than_kept_are_counted);
	tcase_add_test(tcase, counters_have_columns_or_a_reason);
	tcase_add_test(tcase, progress_says_which_point_it_is_at);
	return unit_run(tcase, "srplat_report_more");
}
