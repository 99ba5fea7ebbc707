/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/srplat_json.h"
#include "tools/srplat_merge.h"

static struct srplat_merge merge;
static struct srplat_run run;
static struct srplat_opts opts;
static struct srplat_src in, out;
static struct hist hists[4], total[2];
static char names[2][64];
static char reason[768];

static void
setup(void)
{
	int i;

	memset(&run, 0, sizeof(run));
	memset(&opts, 0, sizeof(opts));
	for (i = 0; i < 4; i++)
		hist_reset(&hists[i]);
	for (i = 0; i < 2; i++) {
		hist_reset(&total[i]);
		snprintf(names[i], sizeof(names[i]), "merge-%d-%d.json",
			(int)getpid(), i);
	}
	opts.in = "demo://ram";
	opts.out = "/dev/null";
	opts.wants_histogram = true;
	run.opts = &opts;
	run.in = &in;
	run.out = &out;
	run.area.record_bytes = 4096;
	run.nr_modes = 2;
	for (i = 0; i < 2; i++) {
		run.modes[i].hist = &hists[i];
		run.modes[i].depth = 4;
		snprintf(run.modes[i].name, sizeof(run.modes[i].name),
			i ? "self" : "inline");
	}
	srplat_merge_init(&merge);
}

static void
teardown(void)
{
	srplat_merge_fini(&merge);
	unlink(names[0]);
	unlink(names[1]);
}

static void
write_file(int nth, const char *error)
{
	FILE *f = fopen(names[nth], "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(srplat_json_print(f, &run, NULL, error, 5), 0);
	fclose(f);
}

static void
write_text(int nth, const char *text)
{
	FILE *f = fopen(names[nth], "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Results that differ from file to file. */
static void
measure(unsigned int seed)
{
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		hist_reset(&hists[i]);
		for (k = 0; k < 100; k++) {
			hist_record(&hists[i], seed * 1000 * (k + 1) + i);
			hist_record(&total[i], seed * 1000 * (k + 1) + i);
		}
		run.modes[i].nr_done = 100;
		run.modes[i].bytes = 409600;
		run.modes[i].elapsed_ns = seed * UINT64_C(1000000);
		run.modes[i].cpu_ns = 100000;
	}
}

static int
add(int nth)
{
	return srplat_merge_add(
		&merge, names[nth], reason, sizeof(reason));
}

START_TEST(two_files_are_as_one_run_that_did_both)
{
	unsigned int i;

	measure(1);
	write_file(0, NULL);
	measure(7);
	write_file(1, NULL);
	ck_assert_int_eq(add(0), 0);
	ck_assert_int_eq(add(1), 0);
	ck_assert_uint_eq(merge.run.nr_modes, 2);
	ck_assert_uint_eq(merge.run.nr_merged, 2);
	for (i = 0; i < 2; i++) {
		const struct srplat_mode *mode = &merge.run.modes[i];

		ck_assert_mem_eq(mode->hist, &total[i], sizeof(total[i]));
		ck_assert_uint_eq(mode->nr_done, 200);
		ck_assert_uint_eq(mode->bytes, 819200);
		ck_assert_uint_eq(mode->elapsed_ns, 8000000);
		ck_assert_uint_eq(mode->cpu_ns, 200000);
		ck_assert_uint_eq(mode->depth, 4);
		ck_assert_double_eq_tol(
			mode->iops_sum, 100000 + 100000 / 7.0, 1e-3);
	}
	ck_assert_str_eq(merge.run.modes[1].name, "self");
	ck_assert_str_eq(merge.opts.in, "demo://ram");
}
END_TEST

START_TEST(response_times_are_merged_too)
{
	run.nr_modes = 1;
	run.modes[0].rate = 1000;
	run.modes[0].response = &hists[2];
	run.modes[0].nr_missed = 3;
	run.modes[0].max_waiting = 9;
	opts.rate = 1000;
	measure(2);
	hist_record(&hists[2], 77);
	write_file(0, NULL);
	run.modes[0].max_waiting = 4;
	write_file(1, NULL);
	ck_assert_int_eq(add(0), 0);
	ck_assert_int_eq(add(1), 0);
	ck_assert_uint_eq(merge.run.modes[0].response->nr, 2);
	ck_assert_uint_eq(merge.run.modes[0].nr_missed, 6);
	ck_assert_uint_eq(merge.run.modes[0].max_waiting, 9);
	ck_assert_uint_eq(merge.opts.rate, 1000);
}
END_TEST

/* What differs in the second file, and the word that names it. */
static void
refuse_second(const char *part)
{
	write_file(1, NULL);
	ck_assert_int_eq(add(1), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_msg(strstr(reason, part) != NULL, "%s", reason);
	ck_assert_ptr_nonnull(strstr(reason, names[1]));
	ck_assert_ptr_null(strchr(reason, '\n'));
}

START_TEST(other_settings_are_refused_by_name)
{
	measure(1);
	write_file(0, NULL);
	ck_assert_int_eq(add(0), 0);
	run.modes[1].depth = 8;
	refuse_second("depth is 8, but in ");
	run.modes[1].depth = 4;
	run.area.record_bytes = 512;
	refuse_second("block_bytes is 512, but in ");
	run.area.record_bytes = 4096;
	opts.in = "demo://null";
	refuse_second("input is \"demo://null\"");
	opts.in = "demo://ram";
	opts.pattern = SRPLAT_PATTERN_RAND;
	refuse_second("pattern is \"rand\"");
	opts.pattern = SRPLAT_PATTERN_SEQ;
	run.modes[0].op = SRPLAT_OP_WRITE;
	refuse_second("operation is \"write\"");
	run.modes[0].op = SRPLAT_OP_COPY;
	run.modes[0].rate = 100;
	run.modes[0].response = &hists[2];
	refuse_second("rate is 100, but in ");
	run.modes[0].response = NULL;
	run.nr_modes = 1;
	refuse_second("has 1 runs, but");
	run.nr_modes = 2;
	opts.wants_histogram = false;
	refuse_second("has no histogram: make it with histogram=yes");
}
END_TEST

START_TEST(sweeps_are_merged_point_by_point_and_not_with_others)
{
	measure(1);
	write_file(1, NULL);
	run.modes[0].by = run.modes[1].by = SRPLAT_SWEEP_DEPTH;
	snprintf(run.modes[1].name, sizeof(run.modes[1].name), "inline");
	run.modes[1].depth = 8;
	write_file(0, NULL);
	ck_assert_int_eq(add(0), 0);
	ck_assert_int_eq(add(0), 0);
	ck_assert_int_eq(merge.run.modes[1].by, SRPLAT_SWEEP_DEPTH);
	ck_assert_int_eq(merge.run.modes[1].id, merge.run.modes[0].id);
	ck_assert_uint_eq(merge.run.modes[1].depth, 8);
	ck_assert_int_eq(add(1), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "another sweep="));
}
END_TEST

START_TEST(what_is_no_result_is_refused)
{
	static const char *const bad[] = { "", "{", "[]", "{}",
		"{\"runs\": 5}", "{\"runs\": []}", "{\"runs\": [7]}",
		"{\"runs\": [{}]}", "{\"runs\": [{\"completion\": 1}]}",
		"{\"runs\": [{\"completion\": \"self\"}]}",
		"{\"runs\": [{\"completion\": \"self\", \"histogram\": 3}]}",
		("{\"runs\": [{\"completion\": \"self\", \"rate\": -5, "
		 "\"depth\": 1e9, \"histogram\": {}}]}"),
		"{\"runs\": [], \"runs\": []}" };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		srplat_merge_fini(&merge);
		write_text(0, bad[i]);
		ck_assert_msg(add(0) == SRPLAT_EXIT_BAD_VALUE, "%s was taken",
			bad[i]);
		ck_assert_ptr_eq(strstr(reason, names[0]), reason);
	}
	srplat_merge_fini(&merge);
	ck_assert_int_eq(srplat_merge_add(&merge, "/no/such/file", reason,
				 sizeof(reason)),
		SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "/no/such/file"));
}
END_TEST

START_TEST(how_a_run_ended_is_noted)
{
	measure(1);
	write_file(0, "interrupted");
	ck_assert_int_eq(add(0), 0);
	ck_assert_ptr_nonnull(
		strstr(merge.end.note, "ended with: interrupted"));
}
END_TEST

START_TEST(words_are_files_but_for_the_operands)
{
	char *argv[] = { (char *)(uintptr_t)"merge", names[0],
		(char *)(uintptr_t)"output=json",
		(char *)(uintptr_t)"histogram=yes", names[0],
		(char *)(uintptr_t)"threshold=max:1s", NULL };
	char *none[] = { (char *)(uintptr_t)"merge", NULL };
	char *bad[] = { (char *)(uintptr_t)"merge",
		(char *)(uintptr_t)"threshold=x", NULL };

	measure(1);
	write_file(0, NULL);
	ck_assert_int_eq(srplat_merge_parse(
				 &merge, 6, argv, reason, sizeof(reason)),
		0);
	ck_assert_uint_eq(merge.run.nr_merged, 2);
	ck_assert_int_eq(merge.opts.output, SRPLAT_OUTPUT_JSON);
	ck_assert_uint_eq(merge.opts.limits.nr, 1);
	srplat_merge_fini(&merge);
	ck_assert_int_eq(srplat_merge_parse(
				 &merge, 1, none, reason, sizeof(reason)),
		SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "merge needs files"));
	ck_assert_int_eq(srplat_merge_parse(
				 &merge, 2, bad, reason, sizeof(reason)),
		SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "threshold=x"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_merge");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, two_files_are_as_one_run_that_did_both);
	tcase_add_test(tcase, response_times_are_merged_too);
	tcase_add_test(tcase, other_settings_are_refused_by_name);
	tcase_add_test(
		tcase, sweeps_are_merged_point_by_point_and_not_with_others);
	tcase_add_test(tcase, what_is_no_result_is_refused);
	tcase_add_test(tcase, how_a_run_ended_is_noted);
	tcase_add_test(tcase, words_are_files_but_for_the_operands);
	return unit_run(tcase, "srplat_merge");
}
