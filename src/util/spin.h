/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Spinning politely: threads that poll say so, and yield to each other when
 * there are more of them than CPUs, since then the thread that somebody
 * waits for may be the one that can't run.
 */
#ifndef UTIL_SPIN_H
#define UTIL_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"

/*
 * Empty rounds between two chances to give the CPU away, and how many before
 * that is done whether other spinners are known or not: by then a yield on an
 * idle CPU costs little beside the wait.
 */
#define SPIN_YIELD_ROUNDS 64u
#define SPIN_PATIENT_ROUNDS 512u

struct spin {
	uint32_t nr_rounds; /* since something was found */
	bool is_counted;
};

/* From begin to end the calling thread counts as one that spins. */
void spin_begin(struct spin *spin);
void spin_end(struct spin *spin);

/* More spinning threads than CPUs? */
bool spin_is_crowded(void);
/* Gives the CPU to another runnable thread. */
void spin_yield(void);

/* After a round that found nothing. */
static inline void
spin_pause(struct spin *spin)
{
	cpu_relax();
	if (unlikely(++spin->nr_rounds % SPIN_YIELD_ROUNDS == 0) &&
		(spin->nr_rounds >= SPIN_PATIENT_ROUNDS || spin_is_crowded()))
		spin_yield();
}

/* After a round that found something. */
static inline void
spin_reset(struct spin *spin)
{
	spin->nr_rounds = 0;
}

#endif /* UTIL_SPIN_H */
