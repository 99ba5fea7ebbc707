/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <pthread.h>
#include <unistd.h>

#include "util/worker.h"

static struct worker worker;
static int nr_calls;
static _Atomic int nr_kicks;
static pthread_t seen;

static void
on_kick(struct worker *w)
{
	ck_assert_ptr_eq(w, &worker);
	nr_kicks++;
}

static void
setup(void)
{
	worker = (struct worker){ .on_kick = on_kick };
	nr_calls = 0;
	nr_kicks = 0;
	ck_assert_int_eq(worker_start(&worker, "worker", THREAD_ANY_CPU), 0);
}

static void
teardown(void)
{
	worker_stop(&worker);
}

static int
add(void *arg)
{
	seen = pthread_self();
	nr_calls++;
	return *(int *)arg;
}

START_TEST(a_call_runs_in_the_worker_and_returns_its_result)
{
	int value = -17;

	ck_assert_int_eq(worker_call(&worker, add, &value), -17);
	ck_assert_int_eq(nr_calls, 1);
	ck_assert(!pthread_equal(seen, pthread_self()));
}
END_TEST

static void *
call_often(void *arg)
{
	int i;

	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(worker_call(&worker, add, &i), i);
	return arg;
}

START_TEST(calls_from_several_threads_run_one_at_a_time)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, call_often, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(nr_calls, 4000);
}
END_TEST

START_TEST(a_kick_is_seen)
{
	int i;

	worker_kick(&worker);
	for (i = 0; i < 5000 && nr_kicks == 0; i++)
		usleep(1000);
	ck_assert_int_gt(nr_kicks, 0);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("worker");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(
		tcase, a_call_runs_in_the_worker_and_returns_its_result);
	tcase_add_test(tcase, calls_from_several_threads_run_one_at_a_time);
	tcase_add_test(tcase, a_kick_is_seen);
	return unit_run(tcase, "worker");
}
