/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <string.h>

#include "core/adaptive.h"

#define ADAPTIVE_LOSS	    0.004
#define ADAPTIVE_TRIAL_COST 0.002
#define ADAPTIVE_FLOOR	    4u
#define ADAPTIVE_UNIT	    1024u /* weight of the newest wait */
#define ADAPTIVE_ERRORS	    4.0
#define ADAPTIVE_MEAN_WAITS 256u

static unsigned int
adaptive_bucket(uint64_t ns)
{
	unsigned int octave, sub, bucket;

	if (ns < 1u << ADAPTIVE_FIRST_OCTAVE)
		return 0;
	octave = 63 - (unsigned int)__builtin_clzll(ns);
	sub = (unsigned int)(ns >> (octave - 2)) & 3;
	bucket = 4 * (octave - ADAPTIVE_FIRST_OCTAVE) + sub;
	return bucket < ADAPTIVE_NR_BUCKETS ? bucket : ADAPTIVE_NR_BUCKETS - 1;
}

/* The upper end of a bucket. */
static uint64_t
adaptive_bucket_end(unsigned int bucket)
{
	unsigned int octave = bucket / 4 + ADAPTIVE_FIRST_OCTAVE;

	return (uint64_t)(5 + bucket % 4) << (octave - 2);
}

void
adaptive_init(struct adaptive *adaptive, uint64_t wake_ns)
{
	memset(adaptive, 0, sizeof(*adaptive));
	adaptive->wake_ns = wake_ns ? wake_ns : 1;
	/* nothing known: spin a few times what blocking would cost */
	adaptive->spin_ns = ADAPTIVE_FLOOR * adaptive->wake_ns;
	adaptive->until_trial = ADAPTIVE_HALF_LIFE;
}

uint64_t
adaptive_spin_ns(const struct adaptive *adaptive)
{
	bool block = adaptive->prefers_block;

	if (adaptive->in_trial)
		block = adaptive->in_trial % 2; /* spin first, then block */
	return block ? 0 : adaptive->spin_ns;
}

static void
adaptive_forget(struct adaptive *adaptive)
{
	unsigned int i;

	if (++adaptive->nr_since_half < ADAPTIVE_HALF_LIFE)
		return;
	adaptive->nr_since_half = 0;
	for (i = 0; i < ADAPTIVE_NR_BUCKETS; i++)
		adaptive->weight[i] /= 2;
}

static double
adaptive_mean_ns(const struct adaptive *adaptive, double *total)
{
	double sum = 0;
	unsigned int i;

	*total = 0;
	for (i = 0; i < ADAPTIVE_NR_BUCKETS; i++) {
		*total += adaptive->weight[i];
		sum += adaptive->weight[i] * 0.9 *
			(double)adaptive_bucket_end(i);
	}
	return *total > 0 ? sum / *total : 0;
}

/* The smallest T that keeps the loss small: see the header. */
static void
adaptive_choose(struct adaptive *adaptive)
{
	double total, mean = adaptive_mean_ns(adaptive, &total);
	double may_block = ADAPTIVE_LOSS * mean / (double)adaptive->wake_ns;
	double tail = total;
	unsigned int i;

	adaptive->spin_ns = 0;
	for (i = 0; i < ADAPTIVE_NR_BUCKETS && tail > may_block * total; i++) {
		if (!adaptive->weight[i])
			continue;
		tail -= adaptive->weight[i];
		adaptive->spin_ns = adaptive_bucket_end(i) +
			adaptive_bucket_end(i) / 4;
	}
	/* a tail too thin to be seen yet must not cost a wake-up each */
	if (adaptive->spin_ns &&
		adaptive->spin_ns < ADAPTIVE_FLOOR * adaptive->wake_ns)
		adaptive->spin_ns = ADAPTIVE_FLOOR * adaptive->wake_ns;
}

static void
adaptive_mean_add(struct adaptive_mean *mean, double ns)
{
	double share, off;

	if (mean->nr < ADAPTIVE_MEAN_WAITS)
		mean->nr++;
	share = 1.0 / mean->nr;
	off = ns - mean->mean;
	mean->mean += share * off;
	mean->variance = (1 - share) * (mean->variance + share * off * off);
}

/* So many waits between trials that they cost ADAPTIVE_TRIAL_COST. */
static void
adaptive_plan_trial(struct adaptive *adaptive)
{
	double total, mean = adaptive_mean_ns(adaptive, &total);
	double loss = (double)adaptive->wake_ns, period;

	/* what the half of a trial that goes against the rule loses */
	if (adaptive->prefers_block && -adaptive->gap.mean > loss)
		loss = -adaptive->gap.mean;
	period = ADAPTIVE_TRIAL_WAITS / 2 * loss /
		(ADAPTIVE_TRIAL_COST * (mean > 1 ? mean : 1));

	if (period < 8 * ADAPTIVE_TRIAL_WAITS)
		period = 8 * ADAPTIVE_TRIAL_WAITS;
	adaptive->until_trial = period < 1e9 ? (uint32_t)period : 1000000000;
}

static void
adaptive_end_trial(struct adaptive *adaptive)
{
	const struct adaptive_mean *gap = &adaptive->gap;

	if (gap->nr >= ADAPTIVE_TRIAL_WAITS / 2 &&
		gap->mean * gap->mean > ADAPTIVE_ERRORS * ADAPTIVE_ERRORS *
				gap->variance / gap->nr)
		adaptive->prefers_block = gap->mean < 0;
	adaptive_plan_trial(adaptive);
}

static void
adaptive_trial_step(struct adaptive *adaptive, double took_ns)
{
	if (!adaptive->in_trial) {
		if (--adaptive->until_trial)
			return;
		if (adaptive->is_settled)
			adaptive->in_trial = ADAPTIVE_TRIAL_WAITS;
		else
			adaptive_plan_trial(adaptive);
		adaptive->is_settled = true;
		return;
	}
	if (adaptive->in_trial % 2)
		adaptive_mean_add(
			&adaptive->gap, took_ns - adaptive->trial_spun_ns);
	else
		adaptive->trial_spun_ns = took_ns;
	if (--adaptive->in_trial == 0)
		adaptive_end_trial(adaptive);
}

void
adaptive_observe(struct adaptive *adaptive, uint64_t took_ns, bool has_blocked)
{
	uint64_t wait_ns = took_ns;

	if (has_blocked)
		wait_ns -= wait_ns > adaptive->wake_ns ? adaptive->wake_ns
						       : wait_ns;
	adaptive_forget(adaptive);
	adaptive->weight[adaptive_bucket(wait_ns)] += ADAPTIVE_UNIT;
	/* the histogram moves slowly: a look now and then is enough */
	if (adaptive->nr_since_half % 8 == 0)
		adaptive_choose(adaptive);
	adaptive_trial_step(adaptive, (double)took_ns);
}
