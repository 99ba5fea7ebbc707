/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rates, what waits for them, and sweeps. */
#include "unit.h"

#include "srplat_run_rig.h"
#include "util/clock.h"

START_TEST(a_rate_below_what_the_target_does_is_kept)
{
	const struct srplat_mode *mode = &run.modes[0];

	opts.rate = 500;
	run.area.nr_wanted = 20;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(mode->nr_done, 20);
	ck_assert_uint_eq(mode->response->nr, 20);
	ck_assert_uint_eq(mode->nr_unsent, 0);
	/* the last is due 38 ms after the first, and none is early */
	ck_assert_uint_ge(mode->elapsed_ns, 38 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_ge(mode->response->sum, mode->hist->sum);
}
END_TEST

START_TEST(a_rate_above_it_shows_in_the_response_of_all_that_follow)
{
	const struct srplat_mode *mode = &run.modes[0];

	fake_in.delay_us = 2000;
	opts.rate = 5000;
	run.area.nr_wanted = 20;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(mode->response->nr, 20);
	/* one at a time: the last waited for all before it */
	ck_assert_uint_ge(mode->response->max,
		mode->hist->sum - 20 * CLOCK_NS_PER_SEC / 5000);
	ck_assert_uint_ge(mode->nr_missed, 18);
	ck_assert_uint_ge(mode->max_waiting, 10);
	ck_assert_uint_eq(mode->nr_unsent, 0);
}
END_TEST

START_TEST(a_rate_uses_depth_and_no_more)
{
	fake_in.delay_us = 1000;
	opts.rate = 100000;
	opts.depth = 3;
	run.area.nr_wanted = 30;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.max_pending, 3);
	ck_assert_uint_eq(run.modes[0].nr_done, 30);
}
END_TEST

START_TEST(what_could_not_begin_in_the_time_is_in_the_response)
{
	const struct srplat_mode *mode = &run.modes[0];

	fake_in.delay_us = 2000;
	opts.rate = 100000;
	opts.runtime_ns = 200 * CLOCK_NS_PER_MSEC;
	run.area.nr_wanted = SRPLAT_FOREVER;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_le(mode->nr_done, 101);
	ck_assert_uint_ge(mode->nr_unsent, 5000);
	ck_assert_uint_eq(
		mode->response->nr, mode->nr_done + mode->nr_unsent);
	ck_assert_uint_eq(mode->hist->nr, mode->nr_done);
	/* half of what was due waited for half the time or longer */
	ck_assert_uint_ge(hist_percentile(mode->response, 50),
		20 * CLOCK_NS_PER_MSEC);
}
END_TEST

START_TEST(warm_up_at_a_rate_is_not_counted)
{
	opts.rate = 100000;
	opts.has_warmup = true;
	opts.warmup_records = 10;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.nr_seen, 18);
	ck_assert_uint_eq(run.modes[0].response->nr, 8);
	ck_assert_uint_le(run.modes[0].nr_missed, 8);
}
END_TEST

START_TEST(a_sweep_of_depths_is_a_mode_a_point)
{
	opts.sweep = (struct srplat_sweep){ SRPLAT_SWEEP_DEPTH, 3,
		{ 1, 2, 4 } };
	opts.depth = 4;
	opts.has_warmup = true;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.nr_modes, 3);
	ck_assert_uint_eq(run.modes[1].depth, 2);
	ck_assert_uint_eq(run.modes[2].nr_done, 8);
	ck_assert_uint_eq(fake_in.attached_depth, 4);
	ck_assert_uint_eq(fake_in.max_pending, 4);
	ck_assert_ptr_null(run.modes[0].response);
}
END_TEST

START_TEST(a_sweep_of_rates_has_a_response_at_each)
{
	opts.sweep = (struct srplat_sweep){ SRPLAT_SWEEP_RATE, 2,
		{ 10000, 20000 } };
	opts.has_warmup = true;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.nr_modes, 2);
	ck_assert_uint_eq(run.modes[1].rate, 20000);
	ck_assert_uint_eq(run.modes[0].response->nr, 8);
	ck_assert_uint_eq(run.modes[1].response->nr, 8);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_run_rate");

	tcase_add_checked_fixture(tcase, run_rig_setup, run_rig_teardown);
	tcase_add_test(tcase, a_rate_below_what_the_target_does_is_kept);
	tcase_add_test(
		tcase, a_rate_above_it_shows_in_the_response_of_all_that_follow);
	tcase_add_test(tcase, a_rate_uses_depth_and_no_more);
	tcase_add_test(
		tcase, what_could_not_begin_in_the_time_is_in_the_response);
	tcase_add_test(tcase, warm_up_at_a_rate_is_not_counted);
	tcase_add_test(tcase, a_sweep_of_depths_is_a_mode_a_point);
	tcase_add_test(tcase, a_sweep_of_rates_has_a_response_at_each);
	return unit_run(tcase, "srplat_run_rate");
}
