/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Time and what a thread has used of the machine.
 *
 * All latencies are differences of clock_ns(): CLOCK_MONOTONIC, which the vdso
 * reads without a system call where the clock source allows it. (Not the raw
 * clock: older kernels enter the kernel for it.) clock_self_test() states
 * what that clock is worth here.
 */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_NS_PER_SEC UINT64_C(1000000000)
#define CLOCK_NS_PER_MSEC UINT64_C(1000000)
#define CLOCK_NS_PER_USEC UINT64_C(1000)

static inline uint64_t
clock_read(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * CLOCK_NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

static inline uint64_t
clock_ns(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* Cheaper, as coarse as the kernel's tick (1..10 ms). Same origin. */
static inline uint64_t
clock_coarse_ns(void)
{
	return clock_read(CLOCK_MONOTONIC_COARSE);
}

/* CPU time of the calling thread. A system call. */
static inline uint64_t
clock_thread_cpu_ns(void)
{
	return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

struct clock_report {
	char source[32];	/* the kernel's clock source, "unknown" if hidden */
	uint64_t resolution_ns; /* as clock_getres() states it */
	uint64_t step_ns;	/* smallest step > 0 seen between two reads */
	double read_cost_ns;	/* mean of one clock_ns() */
	uint64_t nr_backwards;	/* reads smaller than the one before */
};

/* Measures for about 2 ms. */
void clock_self_test(struct clock_report *report);

/* What one thread has used so far: read at begin and end, then subtract. */
struct clock_usage {
	uint64_t cpu_ns;
	uint64_t nr_voluntary;	 /* switches because it blocked */
	uint64_t nr_involuntary; /* switches because it was preempted */
};

/* Of the calling thread. Two system calls. */
void clock_usage_thread(struct clock_usage *usage);
/* Of the whole process. */
void clock_usage_process(struct clock_usage *usage);
/* end - begin */
struct clock_usage clock_usage_delta(
	const struct clock_usage *begin, const struct clock_usage *end);

#endif /* UTIL_CLOCK_H */
