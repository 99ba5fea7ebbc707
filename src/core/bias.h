/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An owner lock biased to one thread: the owner enters and leaves with plain
 * stores, anybody else pays for both with membarrier(2).
 *
 *	owner:   busy = 1; compiler barrier; if (want) slow path
 *	visitor: want = VISITED; membarrier: every CPU now sees want, and we
 *	         see every busy that was set before; if (busy) give up
 *
 * Exactly one of the two sees the other's store. The lock may also be left
 * PARKED by its visitor: the owner's next entry then takes the slow path
 * once, to tell the visitor that it is back.
 *
 * A visitor that must get in leaves VISITED set and waits for busy to end:
 * the owner meets it at its next entry, or earlier where it looks.
 *
 * Once SHARED there is no owner: everybody takes `lock`, for good. Who takes
 * it again and again, polling, lets those in that wait for it.
 *
 * `want` changes only under `lock`, which a visitor holds for its visit.
 */
#ifndef CORE_BIAS_H
#define CORE_BIAS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "util/compiler.h"

#define BIAS_VISITED 0x1u
#define BIAS_PARKED  0x2u
#define BIAS_SHARED  0x4u

struct bias {
	_Atomic unsigned int busy; /* the owner is inside; owner writes */
	_Atomic unsigned int want; /* BIAS_*; visitors write */
	_Atomic unsigned int nr_waiting; /* for the lock */
	pthread_mutex_t lock;
};

void bias_init(struct bias *bias);
void bias_fini(struct bias *bias);

/* False: somebody wants in or has parked it; bias_enter_slow() is due. */
static inline bool
bias_try_enter(struct bias *bias)
{
	extern bool bias_needs_fence;

	if (unlikely(bias_needs_fence))
		atomic_exchange(&bias->busy, 1);
	else
		atomic_store_explicit(&bias->busy, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	return likely(!atomic_load(&bias->want));
}

/* Waits for a visit to end. Returns whether the lock had been parked. */
bool bias_enter_slow(struct bias *bias);

void bias_unlock(struct bias *bias);

static inline void
bias_leave(struct bias *bias)
{
	unsigned int want =
		atomic_load_explicit(&bias->want, memory_order_relaxed);

	if (unlikely(want & BIAS_SHARED))
		bias_unlock(bias);
	else
		atomic_store_explicit(&bias->busy, 0, memory_order_release);
}

/* Inside: does anybody else want in? Once SHARED always true. */
static inline bool
bias_is_wanted(const struct bias *bias)
{
	return atomic_load_explicit(&bias->want, memory_order_relaxed) != 0;
}

/* Outside, between two turns of one that polls: lets others have theirs. */
void bias_let_in_slow(struct bias *bias);

static inline void
bias_let_in(struct bias *bias)
{
	if (unlikely(atomic_load_explicit(
		    &bias->nr_waiting, memory_order_relaxed)))
		bias_let_in_slow(bias);
}

/* Any thread but the owner. False: somebody is inside. */
bool bias_visit(struct bias *bias);
/* The same, but waits, in short sleeps, for whoever is inside to leave. */
void bias_visit_wait(struct bias *bias);
/* Ends a visit. @park: the owner's next entry takes the slow path. */
void bias_unvisit(struct bias *bias, bool park);

/*
 * Nobody owns it from now on, and *@is_shared says so to whoever is inside.
 * Waits for the owner to leave, as bias_visit_wait().
 */
void bias_share(struct bias *bias, _Atomic bool *is_shared);

#endif /* CORE_BIAS_H */
