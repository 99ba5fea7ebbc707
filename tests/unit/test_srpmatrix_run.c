/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpmatrix_fake.h"

static void
teardown(void)
{
	srpmatrix_run_fini(&fake_run);
}

START_TEST(every_mode_gets_its_rounds)
{
	unsigned int round;

	fake_init(3, 4);
	fake_iops[1][2] = 150.0;
	ck_assert_int_eq(srpmatrix_run_all(&fake_run), 0);
	ck_assert_uint_eq(fake_run.step, 2 * 4 * 4);
	ck_assert_uint_eq(srpmatrix_run_rounds(&fake_run), 4);
	for (round = 0; round < 4; round++)
		ck_assert(srpmatrix_run_series(&fake_run, 1, 3)
				->samples[round].is_done);
	ck_assert_double_eq(
		srpmatrix_run_median(&fake_run, 1, 2, SRPMATRIX_IOPS), 150e3);
	ck_assert_uint_eq(srpmatrix_run_series(&fake_run, 1, 2)->hist->nr, 40);
}
END_TEST

START_TEST(ratios_are_to_the_first_mode)
{
	struct srpmatrix_ratio ratio;

	fake_init(3, 4);
	fake_iops[0][1] = 90.0;
	srpmatrix_run_all(&fake_run);
	srpmatrix_run_ratio(&fake_run, 0, 1, SRPMATRIX_IOPS, &ratio);
	ck_assert_double_eq_tol(ratio.estimate, 0.9, 1e-9);
	ck_assert_uint_eq(ratio.nr, 4);
	srpmatrix_run_ratio(&fake_run, 0, 0, SRPMATRIX_IOPS, &ratio);
	ck_assert_double_eq_tol(ratio.estimate, 1.0, 1e-9);
	srpmatrix_run_ratio(&fake_run, 0, 3, SRPMATRIX_IOPS, &ratio);
	ck_assert_double_eq_tol(ratio.estimate, 1.0, 1e-9);
}
END_TEST

/* A machine that gets steadily faster; the order turns each round. */
START_TEST(a_drift_leaves_the_ratios_alone)
{
	struct srpmatrix_ratio ratio;

	fake_init(3, 4);
	fake_noise = 0.001;
	fake_stop_at = 1000; /* counts the runs */
	srpmatrix_run_all(&fake_run);
	srpmatrix_run_ratio(&fake_run, 0, 1, SRPMATRIX_IOPS, &ratio);
	ck_assert_double_eq_tol(ratio.estimate, 1.0, 1e-4);
	ck_assert(ratio.low < 1.0 && ratio.high > 1.0);
	srpmatrix_run_ratio(&fake_run, 0, 3, SRPMATRIX_IOPS, &ratio);
	ck_assert(ratio.low < 1.0 && ratio.high > 1.0);
}
END_TEST

START_TEST(one_that_fails_is_not_run_again)
{
	struct srpmatrix_ratio ratio;

	fake_init(3, 4);
	fake_iops[0][1] = 0.0;
	ck_assert_int_eq(srpmatrix_run_all(&fake_run), 0);
	ck_assert_uint_eq(fake_run.nr_errors, 1);
	ck_assert_str_eq(srpmatrix_run_series(&fake_run, 0, 1)->error,
		"round 1: made up");
	ck_assert_double_nan(
		srpmatrix_run_median(&fake_run, 0, 1, SRPMATRIX_IOPS));
	srpmatrix_run_ratio(&fake_run, 0, 1, SRPMATRIX_IOPS, &ratio);
	ck_assert_uint_eq(ratio.nr, 0);
	ck_assert_double_eq(
		srpmatrix_run_median(&fake_run, 0, 2, SRPMATRIX_IOPS), 100e3);
}
END_TEST

START_TEST(a_stop_keeps_what_is_done)
{
	fake_init(3, 4);
	fake_stop_at = 2 * 4 + 3; /* in the second round */
	ck_assert_int_eq(srpmatrix_run_all(&fake_run), -EINTR);
	ck_assert_uint_eq(srpmatrix_run_rounds(&fake_run), 1);
	ck_assert_double_gt(
		srpmatrix_run_median(&fake_run, 1, 2, SRPMATRIX_IOPS), 0.0);
	ck_assert_uint_eq(fake_run.nr_errors, 0);
}
END_TEST

START_TEST(a_stop_before_the_first_run_runs_none)
{
	volatile sig_atomic_t stop = SIGINT;

	fake_init(3, 4);
	fake_run.stop = &stop;
	ck_assert_int_eq(srpmatrix_run_all(&fake_run), -EINTR);
	ck_assert_uint_eq(fake_run.step, 0);
	ck_assert_double_nan(
		srpmatrix_run_median(&fake_run, 0, 0, SRPMATRIX_IOPS));
}
END_TEST

START_TEST(a_row_is_as_steady_as_its_worst_mode)
{
	fake_init(2, 4);
	srpmatrix_run_all(&fake_run);
	ck_assert_int_eq(
		srpmatrix_run_verdict(&fake_run, 0), SRPMATRIX_STEADY);
	fake_run.rows[0].series[1].samples[2].values[SRPMATRIX_IOPS] *= 2;
	ck_assert_int_eq(
		srpmatrix_run_verdict(&fake_run, 0), SRPMATRIX_UNSTEADY);
	ck_assert_int_eq(
		srpmatrix_run_verdict(&fake_run, 1), SRPMATRIX_STEADY);
}
END_TEST

START_TEST(time_left_is_of_the_steps_that_are)
{
	fake_init(3, 4);
	/* 32 steps of 1 s and what it takes to start. */
	ck_assert_uint_ge(
		srpmatrix_run_left_ns(&fake_run), 32 * CLOCK_NS_PER_SEC);
	fake_run.step = 8;
	fake_run.now_ns = fake_run.begin_ns + 16 * CLOCK_NS_PER_SEC;
	ck_assert_uint_eq(
		srpmatrix_run_left_ns(&fake_run), 48 * CLOCK_NS_PER_SEC);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("run");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, every_mode_gets_its_rounds);
	tcase_add_test(tcase, ratios_are_to_the_first_mode);
	tcase_add_test(tcase, a_drift_leaves_the_ratios_alone);
	tcase_add_test(tcase, one_that_fails_is_not_run_again);
	tcase_add_test(tcase, a_stop_keeps_what_is_done);
	tcase_add_test(tcase, a_stop_before_the_first_run_runs_none);
	tcase_add_test(tcase, a_row_is_as_steady_as_its_worst_mode);
	tcase_add_test(tcase, time_left_is_of_the_steps_that_are);
	return unit_run(tcase, "srpmatrix_run");
}
