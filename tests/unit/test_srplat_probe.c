/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srplat_run.h"
#include "util/clock.h"

#define NONE UINT64_MAX

static struct srplat_loop loop;
static struct srplat_probe probe;
static struct srplat_slow slow;
static struct srplat_slot slot;
static struct srplat_area area;
static struct hist response, stages[SRPLAT_NR_STAGES];
static uint64_t split[SRPLAT_NR_STAGES];

static void
setup(void)
{
	int i;

	memset(&loop, 0, sizeof(loop));
	memset(&probe, 0, sizeof(probe));
	memset(&slow, 0, sizeof(slow));
	hist_reset(&response);
	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		hist_reset(&stages[i]);
	area = (struct srplat_area){ .out_offset = 1000, .record_bytes = 512 };
	slot = (struct srplat_slot){ .begin_ns = 1000,
		.intended_ns = 400,
		.record = 3,
		.bytes = 512 };
	loop.probe = &probe;
	loop.area = &area;
	loop.nr_wanted = SRPLAT_FOREVER;
	loop.deadline_ns = SRPLAT_FOREVER;
	probe.response = &response;
}

/* Every split adds up to the whole latency. */
static uint64_t
sum(void)
{
	uint64_t total = 0;
	int i;

	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		total += split[i] == NONE ? 0 : split[i];
	return total;
}

START_TEST(a_waiter_that_did_not_sleep_has_no_wake)
{
	struct srplat_stamps stamps = { 1100, 1500, 0, 1550 };

	srplat_stages_split(&stamps, 1000, 1570, split);
	ck_assert_uint_eq(split[SRPLAT_STAGE_SUBMIT], 100);
	ck_assert_uint_eq(split[SRPLAT_STAGE_SEEN], 400);
	ck_assert_uint_eq(split[SRPLAT_STAGE_DELIVER], 50);
	ck_assert_uint_eq(split[SRPLAT_STAGE_RETURN], 20);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WAKE], NONE);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WOKEN], NONE);
	ck_assert_uint_eq(split[SRPLAT_STAGE_LOOK], NONE);
	ck_assert_uint_eq(sum(), 570);
}
END_TEST

START_TEST(seen_by_another_thread_the_waiter_wakes_after_it)
{
	struct srplat_stamps stamps = { 1100, 1500, 1540, 1550 };

	srplat_stages_split(&stamps, 1000, 1570, split);
	ck_assert_uint_eq(split[SRPLAT_STAGE_SEEN], 400);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WAKE], 40);
	ck_assert_uint_eq(split[SRPLAT_STAGE_DELIVER], 10);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WOKEN], NONE);
	ck_assert_uint_eq(sum(), 570);
}
END_TEST

START_TEST(a_waiter_that_looks_itself_wakes_before_it)
{
	struct srplat_stamps stamps = { 1100, 1500, 1450, 1550 };

	srplat_stages_split(&stamps, 1000, 1570, split);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WOKEN], 350);
	ck_assert_uint_eq(split[SRPLAT_STAGE_LOOK], 50);
	ck_assert_uint_eq(split[SRPLAT_STAGE_DELIVER], 50);
	ck_assert_uint_eq(split[SRPLAT_STAGE_SEEN], NONE);
	ck_assert_uint_eq(sum(), 570);
}
END_TEST

START_TEST(a_wake_before_the_post_was_for_another)
{
	struct srplat_stamps stamps = { 1100, 1500, 1050, 1550 };

	srplat_stages_split(&stamps, 1000, 1570, split);
	ck_assert_uint_eq(split[SRPLAT_STAGE_SEEN], 400);
	ck_assert_uint_eq(split[SRPLAT_STAGE_WOKEN], NONE);
	ck_assert_uint_eq(sum(), 570);
}
END_TEST

START_TEST(without_stamps_there_are_no_stages)
{
	struct srplat_stamps stamps = { 0, 0, 0, 1550 };
	int i;

	srplat_stages_split(&stamps, 1000, 1570, split);
	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		ck_assert_uint_eq(split[i], NONE);
}
END_TEST

START_TEST(stages_have_names_of_their_own)
{
	int i, k;

	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		for (k = 0; k < i; k++)
			ck_assert_str_ne(
				srplat_stage_name((enum srplat_stage)i),
				srplat_stage_name((enum srplat_stage)k));
}
END_TEST

START_TEST(response_counts_from_when_the_record_was_due)
{
	struct srplat_stamps stamps = { 1100, 1500, 0, 1550 };

	probe.stages = stages;
	srplat_probe_finish(&loop, &slot, &stamps, 1600);
	ck_assert_uint_eq(response.max, 1200);
	ck_assert_uint_eq(stages[SRPLAT_STAGE_SEEN].max, 400);
	ck_assert_uint_eq(stages[SRPLAT_STAGE_WAKE].nr, 0);
}
END_TEST

START_TEST(only_slow_records_are_kept_and_only_so_many)
{
	struct srplat_stamps stamps = { 1100, 1500, 0, 1550 };
	int i;

	probe.slow = &slow;
	slow.limit_ns = 600;
	slow.run_begin_ns = 10;
	srplat_probe_finish(&loop, &slot, &stamps, 1600);
	ck_assert_uint_eq(slow.nr, 0);
	srplat_probe_finish(&loop, &slot, &stamps, 1601);
	ck_assert_uint_eq(slow.nr, 1);
	ck_assert_uint_eq(slow.ios[0].at_ns, 990);
	ck_assert_uint_eq(slow.ios[0].latency_ns, 601);
	ck_assert_uint_eq(slow.ios[0].offset, 1000 + 3 * 512);
	ck_assert(slow.ios[0].is_write);
	ck_assert(slow.ios[0].has_stages);
	ck_assert_uint_eq(slow.ios[0].stages[SRPLAT_STAGE_SEEN], 400);
	for (i = 0; i < 150; i++)
		srplat_probe_finish(&loop, &slot, NULL, 9000);
	ck_assert_uint_eq(slow.nr, 151);
	ck_assert(!slow.ios[SRPLAT_MAX_SLOW - 1].has_stages);
}
END_TEST

START_TEST(what_still_waits_at_the_end_counts_with_what_it_waited)
{
	/* due at 0, 10, 20 ... 1000; 5 begun; late is more than 10 */
	probe.interval_ns = 10.0;
	probe.late_ns = 10;
	loop.nr_started = 5;
	loop.deadline_ns = 1005;
	srplat_probe_end(&loop, 2000);
	ck_assert_uint_eq(probe.nr_unsent, 95);
	ck_assert_uint_eq(probe.nr_missed, 95);
	ck_assert_uint_eq(response.nr, 95);
	ck_assert_uint_eq(response.max, 1005 - 50);
	ck_assert_uint_eq(response.min, 15);
}
END_TEST

START_TEST(what_is_just_due_at_the_end_is_not_waiting)
{
	probe.interval_ns = 10.0;
	probe.late_ns = 10;
	loop.nr_started = 100;
	loop.deadline_ns = 1005;
	srplat_probe_end(&loop, 1005);
	ck_assert_uint_eq(probe.nr_unsent, 0);
	ck_assert_uint_eq(response.nr, 0);
}
END_TEST

START_TEST(a_count_bounds_what_waits_and_an_error_forgets_it)
{
	probe.interval_ns = 10.0;
	loop.nr_started = 5;
	loop.nr_wanted = 7;
	srplat_probe_end(&loop, 1000);
	ck_assert_uint_eq(probe.nr_unsent, 2);
	loop.error = -1;
	srplat_probe_end(&loop, 1000);
	ck_assert_uint_eq(probe.nr_unsent, 2);
}
END_TEST

START_TEST(a_billion_that_wait_are_counted_at_once)
{
	uint64_t begin_ns = clock_ns();

	probe.interval_ns = 1.0;
	srplat_probe_end(&loop, 1000000000);
	ck_assert_uint_ge(probe.nr_unsent, 1000000000);
	ck_assert_uint_eq(response.nr, probe.nr_unsent);
	ck_assert_double_eq_tol(hist_mean(&response), 5e8, 1e6);
	ck_assert_uint_lt(clock_ns() - begin_ns, 20 * CLOCK_NS_PER_SEC);
}
END_TEST

START_TEST(due_times_and_counts_agree)
{
	uint64_t n;

	probe.interval_ns = 1e9 / 3333.0;
	for (n = 0; n < 10000; n += 7) {
		uint64_t due = srplat_probe_due_ns(&probe, 5000, n);

		ck_assert_uint_ge(
			srplat_probe_nr_due(&probe, 5000, due + 1), n + 1);
		ck_assert_uint_le(srplat_probe_nr_due(&probe, 5000,
					  due > 5000 ? due - 1 : due),
			n + 1);
	}
}
END_TEST

START_TEST(sleep_never_ends_early)
{
	uint64_t until = clock_ns() + 2 * CLOCK_NS_PER_MSEC;

	srplat_probe_sleep(until);
	ck_assert_uint_ge(clock_ns(), until);
	srplat_probe_sleep(until);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_probe");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, a_waiter_that_did_not_sleep_has_no_wake);
	tcase_add_test(
		tcase, seen_by_another_thread_the_waiter_wakes_after_it);
	tcase_add_test(tcase, a_waiter_that_looks_itself_wakes_before_it);
	tcase_add_test(tcase, a_wake_before_the_post_was_for_another);
	tcase_add_test(tcase, without_stamps_there_are_no_stages);
	tcase_add_test(tcase, stages_have_names_of_their_own);
	tcase_add_test(tcase, response_counts_from_when_the_record_was_due);
	tcase_add_test(tcase, only_slow_records_are_kept_and_only_so_many);
	tcase_add_test(
		tcase, what_still_waits_at_the_end_counts_with_what_it_waited);
	tcase_add_test(tcase, what_is_just_due_at_the_end_is_not_waiting);
	tcase_add_test(
		tcase, a_count_bounds_what_waits_and_an_error_forgets_it);
	tcase_add_test(tcase, a_billion_that_wait_are_counted_at_once);
	tcase_add_test(tcase, due_times_and_counts_agree);
	tcase_add_test(tcase, sleep_never_ends_early);
	return unit_run(tcase, "srplat_probe");
}
