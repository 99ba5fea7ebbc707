/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/bias.h"

/* What those who wait for the lock need at most to wake and take it. */
#define BIAS_YIELDS 64

/*
 * Where membarrier(2) is not to be had (old kernel, seccomp, valgrind) both
 * sides use sequentially consistent stores. Set once, before the first lock exists.
 */
bool bias_needs_fence = true;

static void
bias_setup(void)
{
	bias_needs_fence = syscall(SYS_membarrier,
		MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

static void
bias_barrier(void)
{
	if (!bias_needs_fence)
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void
bias_init(struct bias *bias)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, bias_setup);
	atomic_init(&bias->busy, 0);
	atomic_init(&bias->want, 0);
	atomic_init(&bias->nr_waiting, 0);
	pthread_mutex_init(&bias->lock, NULL);
}

static void
bias_store_want(struct bias *bias, unsigned int want)
{
	atomic_store_explicit(&bias->want, want, memory_order_release);
}

void
bias_fini(struct bias *bias)
{
	pthread_mutex_destroy(&bias->lock);
}

static unsigned int
bias_load_want(struct bias *bias)
{
	return atomic_load_explicit(&bias->want, memory_order_relaxed);
}

static void
bias_lock(struct bias *bias)
{
	if (!pthread_mutex_trylock(&bias->lock))
		return;
	atomic_fetch_add(&bias->nr_waiting, 1);
	pthread_mutex_lock(&bias->lock);
	atomic_fetch_sub(&bias->nr_waiting, 1);
}

void
bias_let_in_slow(struct bias *bias)
{
	int i;

	for (i = 0; i < BIAS_YIELDS && atomic_load(&bias->nr_waiting); i++)
		sched_yield();
}

bool
bias_enter_slow(struct bias *bias)
{
	unsigned int want;

	/* a visitor that still checks `busy` must not be turned away by us */
	atomic_store_explicit(&bias->busy, 0, memory_order_release);
	bias_lock(bias);
	want = bias_load_want(bias);
	bias_store_want(bias, want & BIAS_SHARED);
	if (!(want & BIAS_SHARED)) {
		atomic_store_explicit(&bias->busy, 1, memory_order_relaxed);
		pthread_mutex_unlock(&bias->lock);
	}
	return want & BIAS_PARKED;
}

void
bias_unlock(struct bias *bias)
{
	pthread_mutex_unlock(&bias->lock);
}

bool
bias_visit(struct bias *bias)
{
	unsigned int want;

	/* another visitor may be waiting for the owner */
	if (pthread_mutex_trylock(&bias->lock))
		return false;
	want = bias_load_want(bias);
	if (want & BIAS_SHARED)
		return true;
	atomic_exchange(&bias->want, want | BIAS_VISITED);
	bias_barrier();
	if (!atomic_load(&bias->busy))
		return true;
	bias_store_want(bias, want);
	pthread_mutex_unlock(&bias->lock);
	return false;
}

void
bias_visit_wait(struct bias *bias)
{
	static const struct timespec pause = { 0, 100000 };
	unsigned int want;

	bias_lock(bias);
	want = bias_load_want(bias);
	if (want & BIAS_SHARED)
		return;
	atomic_exchange(&bias->want, want | BIAS_VISITED);
	bias_barrier();
	while (atomic_load(&bias->busy))
		nanosleep(&pause, NULL);
}

void
bias_unvisit(struct bias *bias, bool park)
{
	bias_store_want(bias, (bias_load_want(bias) & BIAS_SHARED) |
			(park ? BIAS_PARKED : 0));
	pthread_mutex_unlock(&bias->lock);
}

void
bias_share(struct bias *bias, _Atomic bool *is_shared)
{
	bias_visit_wait(bias);
	bias_store_want(bias,
		(bias_load_want(bias) & BIAS_PARKED) | BIAS_SHARED);
	atomic_store_explicit(is_shared, true, memory_order_relaxed);
	pthread_mutex_unlock(&bias->lock);
}
