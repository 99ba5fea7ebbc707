/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A run under a clock that goes back, as broken firmware and some virtual
 * machines have it. The clock_gettime() here takes the place of libc's.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/srplat_report.h"
#include "tools/srplat_run.h"
#include "util/clock.h"

#define BACK_NS (300 * CLOCK_NS_PER_MSEC)

static uint64_t nr_reads, back_at, offset_ns;

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	long rc = syscall(SYS_clock_gettime, id, ts);
	uint64_t ns = (uint64_t)ts->tv_sec * CLOCK_NS_PER_SEC +
		(uint64_t)ts->tv_nsec;

	if (id != CLOCK_MONOTONIC)
		return (int)rc;
	if (++nr_reads == back_at)
		offset_ns = BACK_NS;
	ns -= offset_ns;
	ts->tv_sec = (time_t)(ns / CLOCK_NS_PER_SEC);
	ts->tv_nsec = (long)(ns % CLOCK_NS_PER_SEC);
	return (int)rc;
}

static struct srplat_opts opts;
static struct srplat_run run;
static const volatile sig_atomic_t never;
static char reason[512], text[8192];

static void
setup(void)
{
	memset(&opts, 0, sizeof(opts));
	memset(&run, 0, sizeof(run));
	opts.in = "/dev/zero";
	opts.out = "/dev/null";
	opts.depth = 1;
	opts.bs = 512;
	run.opts = &opts;
	run.stop = &never;
	run.area = (struct srplat_area){ .nr_records = 1000,
		.nr_wanted = 1000,
		.record_bytes = 512 };
	back_at = 0;
	offset_ns = 0;
}

static void
teardown(void)
{
	srplat_run_fini(&run);
}

/*
 * The clock goes back @after reads from the beginning of the run, and is right
 * again after it: the test framework takes times too.
 */
static void
run_it(uint64_t after)
{
	int rc;

	ck_assert_int_eq(srplat_run_init(&run, reason, sizeof(reason)), 0);
	back_at = nr_reads + after;
	rc = srplat_run_all(&run, reason, sizeof(reason));
	offset_ns = 0;
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_gt(nr_reads, back_at);
}

START_TEST(a_step_back_makes_no_sample_and_is_told)
{
	const struct srplat_mode *mode = &run.modes[0];
	FILE *f;

	/* the end of one record is the beginning of the next */
	run_it(500 + (unsigned int)_i);
	ck_assert_uint_eq(mode->nr_done, 1000);
	ck_assert_uint_eq(mode->hist->nr, 999);
	ck_assert_uint_eq(mode->nr_backwards, 1);
	f = fmemopen(text, sizeof(text), "w");
	srplat_report_table(f, &run, NULL);
	fclose(f);
	ck_assert_ptr_nonnull(
		strstr(text, "note: the clock went back during 1 records"));
}
END_TEST

START_TEST(the_clock_is_read_once_a_record)
{
	uint64_t before;

	ck_assert_int_eq(srplat_run_init(&run, reason, sizeof(reason)), 0);
	before = nr_reads;
	ck_assert_int_eq(srplat_run_all(&run, reason, sizeof(reason)), 0);
	ck_assert_uint_eq(run.modes[0].nr_done, 1000);
	ck_assert_uint_ge(nr_reads - before, 1000);
	ck_assert_uint_le(nr_reads - before, 1020);
}
END_TEST

START_TEST(at_a_rate_a_step_back_makes_no_huge_response)
{
	const struct srplat_mode *mode = &run.modes[0];

	opts.rate = 100000;
	run.area.nr_wanted = 200;
	run_it(20 + (unsigned int)_i);
	ck_assert_uint_eq(mode->nr_done, 200);
	ck_assert_uint_le(mode->response->nr, 200);
	ck_assert_uint_ge(mode->response->nr, 199);
	/* an underflow would be 500 years */
	ck_assert_uint_lt(mode->response->max, 60 * CLOCK_NS_PER_SEC);
	ck_assert_uint_le(mode->max_waiting, 200);
}
END_TEST

START_TEST(a_step_back_before_the_beginning_waits_it_out)
{
	opts.rate = 100000;
	run.area.nr_wanted = 10;
	/* among the first reads, when all that came before is later */
	run_it(3 + (unsigned int)_i);
	ck_assert_uint_eq(run.modes[0].nr_done, 10);
	/* none before it was due: 9 intervals at least */
	ck_assert_uint_ge(run.modes[0].elapsed_ns, 90000);
	ck_assert_uint_lt(
		run.modes[0].response->max, 60 * CLOCK_NS_PER_SEC);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_clock");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, the_clock_is_read_once_a_record);
	tcase_add_loop_test(
		tcase, a_step_back_makes_no_sample_and_is_told, 0, 6);
	tcase_add_loop_test(
		tcase, at_a_rate_a_step_back_makes_no_huge_response, 0, 6);
	tcase_add_loop_test(
		tcase, a_step_back_before_the_beginning_waits_it_out, 0, 6);
	return unit_run(tcase, "srplat_clock");
}
