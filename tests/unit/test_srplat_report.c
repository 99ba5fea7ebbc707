/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "tools/srplat_report.h"

static struct srplat_run run;
static struct srplat_opts opts;
static struct hist hists[2];
static double means[2][8];
static double p50s[2][8];
static char text[8192];

static void
setup(void)
{
	int i;

	memset(&run, 0, sizeof(run));
	memset(&opts, 0, sizeof(opts));
	memset(means, 0, sizeof(means));
	text[0] = '\0';
	opts.in = "demo://ram";
	opts.out = "/dev/null";
	opts.depth = 1;
	run.opts = &opts;
	run.area.record_bytes = 512;
	run.nr_rounds = 1;
	run.nr_modes = 1;
	for (i = 0; i < 2; i++) {
		hist_reset(&hists[i]);
		run.modes[i].hist = &hists[i];
		run.modes[i].round_mean_ns = means[i];
		run.modes[i].round_p50_ns = p50s[i];
	}
	snprintf(run.modes[0].name, sizeof(run.modes[0].name), "inline");
	snprintf(run.modes[1].name, sizeof(run.modes[1].name), "self");
}

static FILE *
open_text(void)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	return f;
}

static const char *
dd_lines(uint64_t bytes, uint64_t ns)
{
	FILE *f = open_text();

	run.bytes = bytes;
	run.elapsed_ns = ns;
	srplat_report_dd(f, &run, opts.status);
	fclose(f);
	return text;
}

/* Each line is GNU dd's for the same bytes and time. */
START_TEST(the_third_line_is_worded_as_dd_does)
{
	static const struct {
		uint64_t bytes, ns;
		const char *line;
	} lines[] = {
		{ 1024, 30325,
			"1024 bytes (1.0 kB, 1.0 KiB) copied, 3.0325e-05 s, "
			"33.8 MB/s\n" },
		{ 1, 36655, "1 byte copied, 3.6655e-05 s, 27.3 kB/s\n" },
		{ 999, 25988, "999 bytes copied, 2.5988e-05 s, 38.4 MB/s\n" },
		{ 1000, 25128,
			"1000 bytes (1.0 kB) copied, 2.5128e-05 s, "
			"39.8 MB/s\n" },
		{ 10485760, 4536600,
			"10485760 bytes (10 MB, 10 MiB) copied, 0.0045366 s, "
			"2.3 GB/s\n" },
		{ 0, 74791, "0 bytes copied, 7.4791e-05 s, 0.0 kB/s\n" },
		{ 29999997, 4849300,
			"29999997 bytes (30 MB, 29 MiB) copied, 0.0048493 s, "
			"6.2 GB/s\n" },
		{ 512, 0, "512 bytes copied, 0 s, Infinity B/s\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *all = dd_lines(lines[i].bytes, lines[i].ns);

		ck_assert_ptr_eq(strstr(all, "0+0 records in\n"
					     "0+0 records out\n"),
			all);
		ck_assert_str_eq(all + strlen("0+0 records in\n"
					      "0+0 records out\n"),
			lines[i].line);
	}
}
END_TEST

START_TEST(short_records_are_counted_behind_the_plus)
{
	run.nr_done = 10;
	run.nr_short = 1;
	ck_assert_ptr_nonnull(strstr(dd_lines(5000, 1000), "9+1 records in\n"
							   "9+1 records out\n"));
}
END_TEST

START_TEST(status_leaves_lines_out)
{
	opts.status = SRPLAT_STATUS_NOXFER;
	ck_assert_str_eq(
		dd_lines(512, 1000), "0+0 records in\n0+0 records out\n");
	opts.status = SRPLAT_STATUS_NONE;
	text[0] = '\0';
	ck_assert_str_eq(dd_lines(512, 1000), "");
}
END_TEST

START_TEST(sizes_round_as_dd_rounds_them)
{
	char size[32];

	srplat_format_size(9949, 1000, size, sizeof(size));
	ck_assert_str_eq(size, "9.9 kB");
	srplat_format_size(9951, 1000, size, sizeof(size));
	ck_assert_str_eq(size, "10 kB");
	srplat_format_size(999999, 1000, size, sizeof(size));
	ck_assert_str_eq(size, "1.0 MB");
	srplat_format_size(1048575, 1024, size, sizeof(size));
	ck_assert_str_eq(size, "1.0 MiB");
	srplat_format_size(UINT64_MAX, 1024, size, sizeof(size));
	ck_assert_str_eq(size, "16 EiB");
}
END_TEST

START_TEST(rates_follow_from_counts_and_times)
{
	struct srplat_mode *mode = &run.modes[0];

	ck_assert_double_eq(srplat_mode_iops(mode), 0.0);
	ck_assert_double_eq(srplat_mode_cpu_ns(mode), 0.0);
	mode->nr_done = 1000;
	mode->bytes = 512000;
	mode->elapsed_ns = 20000000;
	mode->cpu_ns = 5000000;
	mode->nr_switches = 2000;
	ck_assert_double_eq(srplat_mode_iops(mode), 50000.0);
	ck_assert_double_eq(srplat_mode_bytes_per_s(mode), 25600000.0);
	ck_assert_double_eq(srplat_mode_cpu_ns(mode), 5000.0);
	ck_assert_double_eq(srplat_mode_switches(mode), 2.0);
}
END_TEST

START_TEST(ratios_are_paired_and_summed_up_by_their_median)
{
	static const double over[] = { 300, 210, 110, 440 };
	static const double under[] = { 200, 200, 100, 400 };
	struct srplat_ratio ratio;

	ck_assert_int_eq(srplat_ratio_init(&ratio, over, under, 4), 0);
	ck_assert_uint_eq(ratio.nr, 4);
	ck_assert_double_eq_tol(ratio.min, 1.05, 1e-9);
	ck_assert_double_eq_tol(ratio.max, 1.5, 1e-9);
	ck_assert_double_eq_tol(ratio.median, 1.1, 1e-9);
	ck_assert_int_eq(srplat_ratio_init(&ratio, over, under, 3), 0);
	ck_assert_double_eq_tol(ratio.median, 1.1, 1e-9);
}
END_TEST

START_TEST(pairs_with_nothing_below_are_left_out)
{
	static const double over[] = { 300, 210 };
	static const double under[] = { 0, 100 };
	struct srplat_ratio ratio;

	ck_assert_int_eq(srplat_ratio_init(&ratio, over, under, 2), 0);
	ck_assert_uint_eq(ratio.nr, 1);
	ck_assert_double_eq_tol(ratio.median, 2.1, 1e-9);
	ck_assert_int_eq(
		srplat_ratio_init(&ratio, over, under, 1), -ENODATA);
}
END_TEST

START_TEST(one_round_is_not_compared)
{
	struct srplat_about about = { .probe_cost_ns = 1 };
	FILE *f = open_text();

	run.nr_modes = 2;
	run.modes[0].nr_rounds = 1;
	run.modes[1].nr_rounds = 4;
	srplat_report_table(f, &run, &about);
	fclose(f);
	ck_assert_ptr_null(strstr(text, "paired by round"));
}
END_TEST

START_TEST(the_table_has_a_row_for_each_mode_and_states_the_clock)
{
	struct srplat_about about = {
		.clock = { .source = "tsc",
			.resolution_ns = 1,
			.step_ns = 20,
			.read_cost_ns = 25.4 },
		.probe_cost_ns = 71.6,
	};
	FILE *f = open_text();
	int i;

	run.nr_modes = 2;
	run.nr_rounds = 2;
	for (i = 0; i < 2; i++) {
		hist_record(&hists[i], 1000);
		hist_record(&hists[i], 3000);
		run.modes[i].nr_done = 2;
		run.modes[i].elapsed_ns = 4200;
		run.modes[i].nr_rounds = 2;
		means[i][0] = means[i][1] = 2000.0 + i * 1000;
		p50s[i][0] = 1000.0 + i * 200;
		p50s[i][1] = 1000.0 + i * 300;
	}
	run.modes[1].nr_backwards = 3;
	srplat_report_table(f, &run, &about);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, "from tsc, resolution 1 ns"));
	ck_assert_ptr_nonnull(strstr(text, "one read 25 ns"));
	ck_assert_ptr_nonnull(strstr(text, "share of a latency: 72 ns"));
	ck_assert_ptr_nonnull(strstr(text, "p99.99"));
	ck_assert_ptr_nonnull(strstr(text,
		"inline          1.00      3.00      3.00      3.00      3.00"
		"      3.00      2.00      2.10    476190"));
	ck_assert_ptr_nonnull(strstr(text, "\nself "));
	ck_assert_ptr_nonnull(strstr(text, "of 2 are a 50 % interval"));
	ck_assert_ptr_nonnull(strstr(text,
		"\nself           1.250     1.200     1.300"
		"     1.500     1.500     1.500\n"));
	ck_assert_ptr_nonnull(strstr(text,
		"\nA/A            1.000     1.000     1.000"
		"     1.000     1.000     1.000\n"));
	ck_assert_ptr_nonnull(strstr(text, "clock went back during 3"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_report");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, the_third_line_is_worded_as_dd_does);
	tcase_add_test(tcase, short_records_are_counted_behind_the_plus);
	tcase_add_test(tcase, status_leaves_lines_out);
	tcase_add_test(tcase, sizes_round_as_dd_rounds_them);
	tcase_add_test(tcase, rates_follow_from_counts_and_times);
	tcase_add_test(
		tcase, ratios_are_paired_and_summed_up_by_their_median);
	tcase_add_test(tcase, pairs_with_nothing_below_are_left_out);
	tcase_add_test(tcase, one_round_is_not_compared);
	tcase_add_test(
		tcase, the_table_has_a_row_for_each_mode_and_states_the_clock);
	return unit_run(tcase, "srplat_report");
}
