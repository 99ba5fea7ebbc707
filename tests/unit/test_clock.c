/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "util/clock.h"

START_TEST(the_clock_advances_by_what_was_slept)
{
	uint64_t begin = clock_ns();

	usleep(2000);
	ck_assert_uint_ge(clock_ns() - begin, 2 * CLOCK_NS_PER_MSEC);
}
END_TEST

START_TEST(the_coarse_clock_follows_the_fine_one)
{
	uint64_t coarse = clock_coarse_ns();
	uint64_t fine = clock_ns();

	ck_assert_uint_le(coarse, fine);
	ck_assert_uint_lt(fine - coarse, CLOCK_NS_PER_SEC);
}
END_TEST

START_TEST(self_test_states_source_resolution_and_cost)
{
	struct clock_report report;

	clock_self_test(&report);
	ck_assert_uint_gt(strlen(report.source), 0);
	ck_assert_uint_ge(report.resolution_ns, 1);
	ck_assert_uint_ge(report.step_ns, 1);
	ck_assert_double_gt(report.read_cost_ns, 0.1);
	ck_assert_double_lt(report.read_cost_ns, 1e6);
	ck_assert_uint_eq(report.nr_backwards, 0);
}
END_TEST

START_TEST(usage_counts_the_callers_cpu_time_and_blocks)
{
	struct clock_usage begin, end, delta;
	uint64_t until;

	clock_usage_thread(&begin);
	until = clock_thread_cpu_ns() + 3 * CLOCK_NS_PER_MSEC;
	while (clock_thread_cpu_ns() < until)
		;
	usleep(1000);
	clock_usage_thread(&end);
	delta = clock_usage_delta(&begin, &end);
	ck_assert_uint_ge(delta.cpu_ns, 3 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_ge(delta.nr_voluntary, 1);
}
END_TEST

START_TEST(process_usage_holds_at_least_the_threads)
{
	struct clock_usage thread, process;

	clock_usage_thread(&thread);
	clock_usage_process(&process);
	ck_assert_uint_ge(process.cpu_ns, thread.cpu_ns);
	ck_assert_uint_ge(process.nr_voluntary, thread.nr_voluntary);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("clock");

	tcase_add_test(tcase, the_clock_advances_by_what_was_slept);
	tcase_add_test(tcase, the_coarse_clock_follows_the_fine_one);
	tcase_add_test(tcase, self_test_states_source_resolution_and_cost);
	tcase_add_test(tcase, usage_counts_the_callers_cpu_time_and_blocks);
	tcase_add_test(tcase, process_usage_holds_at_least_the_threads);
	return unit_run(tcase, "clock");
}
