/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A spinlock: a few instructions when nobody else wants it. Held for queue
 * operations and copies, never while a handler runs. A waiter yields after a
 * while, since the holder may have lost its CPU.
 */
#ifndef SOFTRDMA_SOFT_SPIN_H
#define SOFTRDMA_SOFT_SPIN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "util/compiler.h"

struct soft_spin {
	atomic_int is_taken;
};

void soft_spin_wait(struct soft_spin *spin);

static inline bool
soft_spin_trylock(struct soft_spin *spin)
{
	return atomic_exchange_explicit(&spin->is_taken, 1,
		       memory_order_acquire) == 0;
}

static inline void
soft_spin_lock(struct soft_spin *spin)
{
	if (unlikely(!soft_spin_trylock(spin)))
		soft_spin_wait(spin);
}

static inline void
soft_spin_unlock(struct soft_spin *spin)
{
	atomic_store_explicit(&spin->is_taken, 0, memory_order_release);
}

#endif /* SOFTRDMA_SOFT_SPIN_H */
