/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <math.h>

#include "tools/srpmatrix_steady.h"

static struct srpmatrix_steady steady;

START_TEST(alike_rounds_are_steady)
{
	const double values[] = { 100, 105, 98, 102, 100 };

	srpmatrix_steady_init(&steady, values, 5);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_STEADY);
	ck_assert_double_eq_tol(steady.range, 7.0 / 101.0, 1e-9);
	/* Slope -0.3 a round, over four. */
	ck_assert_double_eq_tol(steady.slope, -0.3 * 4 / 101.0, 1e-9);
}
END_TEST

START_TEST(one_round_far_off_is_unsteady)
{
	const double values[] = { 100, 100, 100, 100, 79 };

	srpmatrix_steady_init(&steady, values, 5);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_UNSTEADY);
}
END_TEST

START_TEST(a_drift_within_the_range_is_unsteady)
{
	const double falls[] = { 106, 103, 100, 97, 94 };

	srpmatrix_steady_init(&steady, falls, 5);
	ck_assert_double_lt(steady.range, SRPMATRIX_STEADY_RANGE);
	ck_assert_double_eq_tol(steady.slope, -0.12, 1e-9);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_UNSTEADY);
}
END_TEST

START_TEST(two_rounds_say_nothing)
{
	const double values[] = { 100, NAN, 100, NAN };

	srpmatrix_steady_init(&steady, values, 4);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_UNKNOWN);
	ck_assert_double_nan(steady.range);
	srpmatrix_steady_init(&steady, values, 0);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_UNKNOWN);
}
END_TEST

START_TEST(missing_rounds_keep_their_place_in_time)
{
	const double values[] = { NAN, 100, NAN, 101, 102, NAN };

	srpmatrix_steady_init(&steady, values, 6);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_STEADY);
	ck_assert_double_gt(steady.slope, 0.0);
}
END_TEST

START_TEST(zeroes_are_no_state_at_all)
{
	const double values[] = { 0, 0, 0 };

	srpmatrix_steady_init(&steady, values, 3);
	ck_assert_int_eq(steady.verdict, SRPMATRIX_UNKNOWN);
	ck_assert_str_eq(srpmatrix_verdict_name(steady.verdict), "unknown");
	ck_assert_str_eq(
		srpmatrix_verdict_name(SRPMATRIX_UNSTEADY), "unsteady");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("steady");

	tcase_add_test(tcase, alike_rounds_are_steady);
	tcase_add_test(tcase, one_round_far_off_is_unsteady);
	tcase_add_test(tcase, a_drift_within_the_range_is_unsteady);
	tcase_add_test(tcase, two_rounds_say_nothing);
	tcase_add_test(tcase, missing_rounds_keep_their_place_in_time);
	tcase_add_test(tcase, zeroes_are_no_state_at_all);
	return unit_run(tcase, "srpmatrix_steady");
}
