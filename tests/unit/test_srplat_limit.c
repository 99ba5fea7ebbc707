/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "tools/srplat_run.h"

static struct srplat_limits limits;
static struct srplat_run run;
static struct hist hists[3];
static char reason[512];

static void
setup(void)
{
	int i, k;

	memset(&limits, 0, sizeof(limits));
	memset(&run, 0, sizeof(run));
	reason[0] = '\0';
	run.nr_modes = 2;
	for (i = 0; i < 3; i++)
		hist_reset(&hists[i]);
	for (i = 0; i < 2; i++) {
		run.modes[i].hist = &hists[i];
		snprintf(run.modes[i].name, sizeof(run.modes[i].name), "%s",
			i ? "self" : "inline");
	}
	/* inline 1..100 us, self 2..200 us */
	for (k = 1; k <= 100; k++) {
		hist_record(&hists[0], (uint64_t)k * 1000);
		hist_record(&hists[1], (uint64_t)k * 2000);
	}
}

static int
check(const char *text)
{
	memset(&limits, 0, sizeof(limits));
	reason[0] = '\0';
	ck_assert_int_eq(
		srplat_limits_parse(text, &limits, reason, sizeof(reason)), 0);
	return srplat_limits_check(&limits, &run, reason, sizeof(reason));
}

START_TEST(each_kind_of_limit_is_read)
{
	ck_assert_int_eq(srplat_limits_parse("p99.9:200us,mean:1.5ms,max:1s",
				 &limits, reason, sizeof(reason)),
		0);
	ck_assert_uint_eq(limits.nr, 3);
	ck_assert_int_eq(limits.limits[0].stat, SRPLAT_STAT_PERCENT);
	ck_assert_double_eq_tol(limits.limits[0].percent, 99.9, 1e-9);
	ck_assert_uint_eq(limits.limits[0].most_ns, 200000);
	ck_assert_int_eq(limits.limits[1].stat, SRPLAT_STAT_MEAN);
	ck_assert_uint_eq(limits.limits[1].most_ns, 1500000);
	ck_assert_int_eq(limits.limits[2].stat, SRPLAT_STAT_MAX);
}
END_TEST

START_TEST(what_is_no_limit_is_refused_in_one_sentence)
{
	static const char *const bad[] = { "", "p99", "p99:", ":200us",
		"p99:200", "99:200us", "p0:1us", "p101:1us", "p99.:1us",
		"pp:1us", "p:1us", "median:1us", "p99:1us,", "p99:0ns",
		"p99:2h", "p1e1:1us", "p-1:1us", "p99:1us,,max:1us",
		("max:1us,max:1us,max:1us,max:1us,max:1us,max:1us,max:1us,"
		 "max:1us,max:1us"),
		"p99999999999999999999:1us",
		"max:00000000000000000000000000000000000000000000001us" };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&limits, 0, sizeof(limits));
		reason[0] = '\0';
		ck_assert_msg(srplat_limits_parse(bad[i], &limits, reason,
				      sizeof(reason)) < 0,
			"%s was taken", bad[i]);
		ck_assert_ptr_nonnull(strstr(reason, "threshold="));
		ck_assert_ptr_nonnull(strstr(reason, "allowed are"));
	}
}
END_TEST

START_TEST(what_is_within_is_not_complained_of)
{
	ck_assert_int_eq(check("p99:200us,mean:110us,max:200us"), 0);
	ck_assert_str_eq(reason, "");
}
END_TEST

START_TEST(the_mode_and_the_value_that_broke_it_are_named)
{
	ck_assert_int_eq(check("p50:60us"), SRPLAT_EXIT_LIMIT);
	ck_assert_ptr_nonnull(strstr(reason, "self p50 is 100"));
	ck_assert_ptr_nonnull(strstr(reason, "more than 60.000 us"));
	ck_assert_ptr_null(strstr(reason, "inline"));
	ck_assert_int_eq(check("max:50us"), SRPLAT_EXIT_LIMIT);
	ck_assert_ptr_nonnull(strstr(reason, "inline max is 100.000 us"));
	ck_assert_ptr_nonnull(strstr(reason, "; self max is 200.000 us"));
	ck_assert_ptr_null(strchr(reason, '\n'));
}
END_TEST

START_TEST(with_a_rate_it_is_the_response_time_that_counts)
{
	hist_record(&hists[2], 900000);
	run.modes[0].response = &hists[2];
	ck_assert_int_eq(check("max:500us"), SRPLAT_EXIT_LIMIT);
	ck_assert_ptr_nonnull(
		strstr(reason, "inline max of the response is 900.000 us"));
}
END_TEST

START_TEST(a_mode_that_was_not_run_breaks_nothing)
{
	hist_reset(&hists[1]);
	ck_assert_int_eq(check("max:100us"), 0);
}
END_TEST

START_TEST(very_many_that_broke_it_stay_one_sentence)
{
	unsigned int i;

	run.nr_modes = 40;
	for (i = 0; i < run.nr_modes; i++) {
		run.modes[i].hist = &hists[1];
		run.modes[i].by = SRPLAT_SWEEP_DEPTH;
		run.modes[i].depth = i + 1;
		snprintf(run.modes[i].name, sizeof(run.modes[i].name), "poll");
	}
	ck_assert_int_eq(check("mean:1us"), SRPLAT_EXIT_LIMIT);
	ck_assert_ptr_nonnull(strstr(reason, "poll at depth=1 mean is"));
	ck_assert_uint_lt(strlen(reason), sizeof(reason));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_limit");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, each_kind_of_limit_is_read);
	tcase_add_test(tcase, what_is_no_limit_is_refused_in_one_sentence);
	tcase_add_test(tcase, what_is_within_is_not_complained_of);
	tcase_add_test(tcase, the_mode_and_the_value_that_broke_it_are_named);
	tcase_add_test(tcase, with_a_rate_it_is_the_response_time_that_counts);
	tcase_add_test(tcase, a_mode_that_was_not_run_breaks_nothing);
	tcase_add_test(tcase, very_many_that_broke_it_stay_one_sentence);
	return unit_run(tcase, "srplat_limit");
}
