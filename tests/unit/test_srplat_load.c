/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "tools/srplat_load.h"

static char reason[512];
static struct srplat_sweep sweep;

static int
parse(const char *text)
{
	memset(&sweep, 0xee, sizeof(sweep));
	reason[0] = '\0';
	return srplat_sweep_parse(text, &sweep, reason, sizeof(reason));
}

static uint64_t
rate_of(const char *text)
{
	uint64_t rate = 0;

	ck_assert_int_eq(
		srplat_rate_parse(text, &rate, reason, sizeof(reason)), 0);
	return rate;
}

START_TEST(a_rate_has_k_for_thousands)
{
	ck_assert_uint_eq(rate_of("1"), 1);
	ck_assert_uint_eq(rate_of("10k"), 10000);
	ck_assert_uint_eq(rate_of("250K"), 250000);
	ck_assert_uint_eq(rate_of("2M"), 2000000);
}
END_TEST

START_TEST(what_is_no_rate_is_refused_in_one_sentence)
{
	static const char *const bad[] = { "", "0", "k", "-1", "1.5k", "10kk",
		"10k ", " 1", "101M", "99999999999999999999",
		"18446744073709551615k" };
	uint64_t rate = 77;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		reason[0] = '\0';
		ck_assert_int_lt(srplat_rate_parse(bad[i], &rate, reason,
					 sizeof(reason)),
			0);
		ck_assert_uint_eq(rate, 77);
		ck_assert_ptr_nonnull(strstr(reason, "rate="));
		ck_assert_ptr_nonnull(strstr(reason, "allowed are"));
	}
}
END_TEST

START_TEST(a_range_of_depths_is_powers_of_two_and_the_end)
{
	ck_assert_int_eq(parse("depth:1-256"), 0);
	ck_assert_int_eq(sweep.by, SRPLAT_SWEEP_DEPTH);
	ck_assert_uint_eq(sweep.nr, 9);
	ck_assert_uint_eq(sweep.points[0], 1);
	ck_assert_uint_eq(sweep.points[3], 8);
	ck_assert_uint_eq(sweep.points[8], 256);
	ck_assert_int_eq(parse("depth:3-20"), 0);
	ck_assert_uint_eq(sweep.nr, 4);
	ck_assert_uint_eq(sweep.points[2], 12);
	ck_assert_uint_eq(sweep.points[3], 20);
}
END_TEST

START_TEST(a_list_is_taken_as_it_is)
{
	ck_assert_int_eq(parse("depth:1,2,4,32"), 0);
	ck_assert_uint_eq(sweep.nr, 4);
	ck_assert_uint_eq(sweep.points[3], 32);
	ck_assert_int_eq(parse("rate:500,10k"), 0);
	ck_assert_int_eq(sweep.by, SRPLAT_SWEEP_RATE);
	ck_assert_uint_eq(sweep.nr, 2);
	ck_assert_uint_eq(sweep.points[1], 10000);
}
END_TEST

START_TEST(a_range_of_rates_has_even_steps)
{
	ck_assert_int_eq(parse("rate:10k-200k"), 0);
	ck_assert_uint_eq(sweep.nr, 10);
	ck_assert_uint_eq(sweep.points[0], 10000);
	ck_assert_uint_eq(sweep.points[9], 200000);
	ck_assert_int_eq(parse("rate:10k-50k:5"), 0);
	ck_assert_uint_eq(sweep.nr, 5);
	ck_assert_uint_eq(sweep.points[1], 20000);
	ck_assert_uint_eq(sweep.points[4], 50000);
}
END_TEST

START_TEST(what_is_no_sweep_is_refused_and_changes_nothing)
{
	static const char *const bad[] = { "", "depth", "depth:", "depth:1",
		"depth:0-4", "depth:4-1", "depth:1-2000", "depth:2,1",
		"depth:1,1", "depth:1,,2", "depth:1,2,", "depth:1-4:3",
		"depth:1-4x", "bs:1-4", "rate:10k-200k:1", "rate:10k-200k:33",
		"rate:200k-10k", "rate:0-10", "rate:1-3:10", "rate:1-2-3",
		"rate:1k-999999999999",
		("depth:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,"
		 "22,23,24,25,26,27,28,29,30,31,32,33") };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(parse(bad[i]) < 0, "%s was taken", bad[i]);
		ck_assert_uint_eq(sweep.nr, 0xeeeeeeee);
		ck_assert_ptr_nonnull(strstr(reason, "sweep="));
		ck_assert_ptr_nonnull(strstr(reason, "allowed are"));
	}
}
END_TEST

START_TEST(the_knee_is_the_last_point_under_twice_the_lowest)
{
	static const uint64_t p99[] = { 110, 100, 150, 199, 200, 500 };
	static const uint64_t dip[] = { 100, 300, 150, 0 };
	static const uint64_t none[] = { 0, 0 };

	ck_assert_int_eq(srplat_sweep_knee(p99, 6), 3);
	ck_assert_int_eq(srplat_sweep_knee(p99, 1), 0);
	ck_assert_int_eq(srplat_sweep_knee(dip, 4), 2);
	ck_assert_int_eq(srplat_sweep_knee(none, 2), -1);
	ck_assert_int_eq(srplat_sweep_knee(NULL, 0), -1);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_load");

	tcase_add_test(tcase, a_rate_has_k_for_thousands);
	tcase_add_test(tcase, what_is_no_rate_is_refused_in_one_sentence);
	tcase_add_test(tcase, a_range_of_depths_is_powers_of_two_and_the_end);
	tcase_add_test(tcase, a_list_is_taken_as_it_is);
	tcase_add_test(tcase, a_range_of_rates_has_even_steps);
	tcase_add_test(
		tcase, what_is_no_sweep_is_refused_and_changes_nothing);
	tcase_add_test(
		tcase, the_knee_is_the_last_point_under_twice_the_lowest);
	return unit_run(tcase, "srplat_load");
}
