/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Threads with a name and, where wanted, a CPU of their own. */
#ifndef UTIL_THREAD_H
#define UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#define THREAD_NAME_BYTES 16
#define THREAD_ANY_CPU (-1)

struct thread {
	pthread_t id;
	void (*fn)(void *arg);
	void *arg;
	int cpu; /* THREAD_ANY_CPU or the CPU it is pinned to */
	int tid; /* of the kernel; set before thread_start() returns */
	bool is_running;
	char name[THREAD_NAME_BYTES];
};

/*
 * Start @fn(@arg) with all signals blocked, so that they go to the program's
 * own thread. @name is cut to 15 characters. Pinning to a CPU that this
 * process may not use fails with -EINVAL.
 */
int thread_start(struct thread *thread, const char *name, int cpu,
	void (*fn)(void *arg), void *arg);
/* Waits until it has returned. Does nothing for a thread never started. */
void thread_join(struct thread *thread);

/* CPU time used so far; from any thread, while it runs. */
int thread_cpu_ns(const struct thread *thread, unsigned long long *ns);

/* Pin the calling thread. */
int thread_pin_self(int cpu);
/* CPUs online that this process may run on; at least 1. */
int thread_nr_cpus(void);
/* The @index-th of those, wrapped around. */
int thread_nth_cpu(int index);

#endif /* UTIL_THREAD_H */
