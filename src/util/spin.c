/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <sched.h>
#include <stdatomic.h>

#include "util/spin.h"
#include "util/thread.h"

static _Atomic int spin_nr_threads;
static _Atomic int spin_nr_cpus; /* 0: not asked yet */

void
spin_begin(struct spin *spin)
{
	spin->nr_rounds = 0;
	spin->is_counted = true;
	if (!atomic_load_explicit(&spin_nr_cpus, memory_order_relaxed))
		atomic_store(&spin_nr_cpus, thread_nr_cpus());
	atomic_fetch_add(&spin_nr_threads, 1);
}

void
spin_end(struct spin *spin)
{
	if (spin->is_counted)
		atomic_fetch_sub(&spin_nr_threads, 1);
	spin->is_counted = false;
}

bool
spin_is_crowded(void)
{
	return atomic_load_explicit(&spin_nr_threads, memory_order_relaxed) >
		atomic_load_explicit(&spin_nr_cpus, memory_order_relaxed);
}

void
spin_yield(void)
{
	sched_yield();
}
