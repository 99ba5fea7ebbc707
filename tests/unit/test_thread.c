/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "util/thread.h"

struct seen {
	char name[THREAD_NAME_BYTES];
	int tid;
	int nr_cpus;
	int cpu;
	int is_sigint_blocked;
};

static void
look(void *arg)
{
	struct seen *seen = arg;
	sigset_t mask;
	cpu_set_t set;

	pthread_getname_np(pthread_self(), seen->name, sizeof(seen->name));
	seen->tid = gettid();
	sched_getaffinity(0, sizeof(set), &set);
	seen->nr_cpus = CPU_COUNT(&set);
	seen->cpu = sched_getcpu();
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	seen->is_sigint_blocked = sigismember(&mask, SIGINT);
}

START_TEST(a_thread_has_its_name_and_takes_no_signals)
{
	struct seen seen = { .tid = 0 };
	struct thread thread;

	ck_assert_int_eq(thread_start(&thread, "a-name-that-is-too-long",
				 THREAD_ANY_CPU, look, &seen),
		0);
	ck_assert_int_gt(thread.tid, 0);
	thread_join(&thread);
	thread_join(&thread);
	ck_assert_str_eq(seen.name, "a-name-that-is-");
	ck_assert_int_eq(seen.tid, thread.tid);
	ck_assert_int_eq(seen.is_sigint_blocked, 1);
}
END_TEST

START_TEST(a_pinned_thread_runs_on_that_cpu_only)
{
	int cpu = thread_nth_cpu(thread_nr_cpus() - 1);
	struct seen seen = { .tid = 0 };
	struct thread thread;

	ck_assert_int_eq(thread_start(&thread, "pinned", cpu, look, &seen), 0);
	thread_join(&thread);
	ck_assert_int_eq(seen.cpu, cpu);
	ck_assert_int_eq(seen.nr_cpus, 1);
}
END_TEST

START_TEST(a_cpu_that_does_not_exist_is_refused)
{
	struct seen seen = { .tid = 0 };
	struct thread thread;

	ck_assert_int_eq(
		thread_start(&thread, "none", 100000, look, &seen), -EINVAL);
	ck_assert_int_eq(
		thread_start(&thread, "none", 1023, look, &seen), -EINVAL);
	thread_join(&thread);
	ck_assert_int_eq(thread_pin_self(-5), -EINVAL);
	ck_assert_int_eq(thread_pin_self(1023), -EINVAL);
}
END_TEST

static void
pin_and_count(void *arg)
{
	int *nr = arg;

	*nr = thread_pin_self(thread_nth_cpu(0)) ? -1 : thread_nr_cpus();
}

START_TEST(a_pinned_thread_still_sees_all_cpus_of_the_process)
{
	struct thread thread;
	int nr = 0;

	ck_assert_int_ge(thread_nr_cpus(), 1);
	ck_assert_int_eq(
		thread_nth_cpu(0), thread_nth_cpu(thread_nr_cpus()));
	ck_assert_int_eq(thread_start(&thread, "pinned", THREAD_ANY_CPU,
				 pin_and_count, &nr),
		0);
	thread_join(&thread);
	ck_assert_int_eq(nr, thread_nr_cpus());
}
END_TEST

static void
burn(void *arg)
{
	_Atomic bool *stop = arg;

	while (!*stop)
		;
}

START_TEST(cpu_time_of_a_running_thread_can_be_read)
{
	_Atomic bool stop = false;
	unsigned long long ns = 0;
	struct thread thread;

	ck_assert_int_eq(thread_start(&thread, "burn", THREAD_ANY_CPU, burn,
				 &stop),
		0);
	while (ns < 1000000)
		ck_assert_int_eq(thread_cpu_ns(&thread, &ns), 0);
	stop = true;
	thread_join(&thread);
	ck_assert_int_eq(thread_cpu_ns(&thread, &ns), -ESRCH);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("thread");

	tcase_add_test(tcase, a_thread_has_its_name_and_takes_no_signals);
	tcase_add_test(tcase, a_pinned_thread_runs_on_that_cpu_only);
	tcase_add_test(tcase, a_cpu_that_does_not_exist_is_refused);
	tcase_add_test(tcase,
		a_pinned_thread_still_sees_all_cpus_of_the_process);
	tcase_add_test(tcase, cpu_time_of_a_running_thread_can_be_read);
	return unit_run(tcase, "thread");
}
