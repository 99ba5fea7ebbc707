/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long a waiter should spin before it blocks: a pure function of how long
 * recent waits took.
 *
 * Blocking costs a wake-up W on top of the wait; spinning costs CPU. The
 * policy spins just long enough that always spinning would be at most
 * ADAPTIVE_LOSS better in time per I/O:
 *
 *	smallest T with  P(wait > T) * W  <=  ADAPTIVE_LOSS * E[wait]
 *
 * So short waits are spun through, long ones blocked at once (T = 0) when the
 * wake-up is small beside them, and of a mixture only the short ones are
 * spun for.
 *
 * Spinning can also slow down the very thing that is waited for (few CPUs, a
 * shared core). That is no property of the waits but of the machine, so it is
 * tried: now and then, for a while, every second wait blocks at once. When
 * those are clearly shorter than their neighbours (four standard errors),
 * blocking becomes the rule, until trials say the opposite as clearly. Trials
 * are so rare that their cost is ADAPTIVE_TRIAL_COST.
 *
 * Observed waits are kept as a histogram that forgets: weights are halved
 * every ADAPTIVE_HALF_LIFE waits.
 */
#ifndef CORE_ADAPTIVE_H
#define CORE_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

/* 4 buckets an octave, from 2^8 ns to 2^34 ns */
#define ADAPTIVE_FIRST_OCTAVE 8
#define ADAPTIVE_NR_BUCKETS   (4 * 26)
#define ADAPTIVE_HALF_LIFE    64
#define ADAPTIVE_TRIAL_WAITS  64 /* even */

/* Mean and variance that forget. */
struct adaptive_mean {
	double mean, variance;
	uint32_t nr;
};

struct adaptive {
	uint64_t wake_ns;	/* W */
	uint64_t spin_ns;	/* T */
	bool prefers_block;	/* trials found blocking at once better */

	/* waits without the wake-up, by length; weights decay */
	uint32_t weight[ADAPTIVE_NR_BUCKETS];
	uint32_t nr_since_half;

	/* trials: blocked minus spun, of neighbours */
	struct adaptive_mean gap;
	double trial_spun_ns;
	uint32_t until_trial, in_trial;
	bool is_settled; /* enough waits seen to plan the first trial */
};

/* @wake_ns: what a wake-up costs on this machine, at least 1. */
void adaptive_init(struct adaptive *adaptive, uint64_t wake_ns);

/* How long the wait that begins now should spin. */
uint64_t adaptive_spin_ns(const struct adaptive *adaptive);

/* That wait is over: what it took, and whether it ended up blocked. */
void adaptive_observe(struct adaptive *adaptive, uint64_t took_ns,
	bool has_blocked);

#endif /* CORE_ADAPTIVE_H */
