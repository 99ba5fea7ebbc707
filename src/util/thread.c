/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/thread.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* On the starter's stack until the new thread has posted @ready. */
struct start {
	struct thread *thread;
	sem_t ready;
};

static void *
run(void *arg)
{
	struct start *start = arg;
	struct thread *thread = start->thread;

	thread->tid = gettid();
	pthread_setname_np(pthread_self(), thread->name);
	sem_post(&start->ready);
	thread->fn(thread->arg);
	return NULL;
}

static int
create(struct start *start)
{
	struct thread *thread = start->thread;
	sigset_t all, old;
	pthread_attr_t attr;
	cpu_set_t set;
	int rc;

	rc = pthread_attr_init(&attr);
	if (rc)
		return -rc;
	if (thread->cpu != THREAD_ANY_CPU) {
		CPU_ZERO(&set);
		CPU_SET((size_t)thread->cpu, &set);
		pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&thread->id, &attr, run, start);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}

int
thread_start(struct thread *thread, const char *name, int cpu,
	void (*fn)(void *arg), void *arg)
{
	struct start start = { .thread = thread };
	int rc;

	memset(thread, 0, sizeof(*thread));
	if (cpu != THREAD_ANY_CPU && (cpu < 0 || cpu >= CPU_SETSIZE))
		return -EINVAL;
	thread->fn = fn;
	thread->arg = arg;
	thread->cpu = cpu;
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	if (sem_init(&start.ready, 0, 0))
		return -errno;
	rc = create(&start);
	if (rc == 0) {
		thread->is_running = true;
		while (sem_wait(&start.ready) && errno == EINTR)
			;
	}
	sem_destroy(&start.ready);
	return rc;
}

void
thread_join(struct thread *thread)
{
	if (!thread->is_running)
		return;
	pthread_join(thread->id, NULL);
	thread->is_running = false;
}

int
thread_cpu_ns(const struct thread *thread, unsigned long long *ns)
{
	struct timespec ts;
	clockid_t clock;
	int rc;

	if (!thread->is_running)
		return -ESRCH;
	rc = pthread_getcpuclockid(thread->id, &clock);
	if (rc)
		return -rc;
	if (clock_gettime(clock, &ts))
		return -errno;
	*ns = (unsigned long long)ts.tv_sec * 1000000000ull +
		(unsigned long long)ts.tv_nsec;
	return 0;
}

int
thread_pin_self(int cpu)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return -pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/*
 * The affinity of the process' first thread: the caller may be pinned itself,
 * which must not make the machine look small.
 */
static int
read_cpus(cpu_set_t *set)
{
	return sched_getaffinity(getpid(), sizeof(*set), set);
}

int
thread_nr_cpus(void)
{
	cpu_set_t set;
	int nr;

	if (read_cpus(&set))
		return 1;
	nr = CPU_COUNT(&set);
	return nr > 0 ? nr : 1;
}

int
thread_nth_cpu(int index)
{
	cpu_set_t set;
	int cpu;

	if (read_cpus(&set) || CPU_COUNT(&set) == 0)
		return 0;
	index = (int)((unsigned)index % (unsigned)CPU_COUNT(&set));
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set) && index-- == 0)
			return cpu;
	return 0;
}
