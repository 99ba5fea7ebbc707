/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Latency histogram: log-linear buckets in fixed memory, no allocation.
 *
 *   value        0 .. 1023   one bucket a value
 *   value 2^e .. 2^(e+1)-1   512 buckets of 2^(e-9), for e = 10 .. 41
 *
 * A bucket is read back as its middle, so a percentile is off by at most one
 * part in 1024 (three significant digits) from 1 ns to 73 minutes. Greater
 * values count in the last bucket; minimum, maximum and mean are exact always.
 *
 * One thread records. Another may read or copy meanwhile and finds every count
 * a moment old, each by itself, none torn on a 64-bit machine.
 */
#ifndef UTIL_HIST_H
#define UTIL_HIST_H

#include <stdint.h>

#include "util/compiler.h"

#define HIST_SUB_BITS 9u
#define HIST_SUB (1u << HIST_SUB_BITS)
#define HIST_MAX_BITS 42u
#define HIST_LIMIT (UINT64_C(1) << HIST_MAX_BITS)
#define HIST_NR_BUCKETS ((HIST_MAX_BITS - HIST_SUB_BITS + 1) * HIST_SUB)

/* About 136 KiB, of which a run touches few lines. */
struct hist {
	uint64_t nr;
	uint64_t sum;
	uint64_t min; /* UINT64_MAX while empty */
	uint64_t max;
	uint64_t nr_over; /* of nr: values of HIST_LIMIT or more */
	uint64_t counts[HIST_NR_BUCKETS];
};

static inline uint32_t
hist_bucket(uint64_t value)
{
	uint32_t shift;

	if (value < 2 * HIST_SUB)
		return (uint32_t)value;
	shift = 63 - (uint32_t)__builtin_clzll(value) - HIST_SUB_BITS;
	return (shift << HIST_SUB_BITS) + (uint32_t)(value >> shift);
}

static inline void
hist_record(struct hist *hist, uint64_t value)
{
	hist->nr++;
	hist->sum += value;
	if (value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
	if (unlikely(value >= HIST_LIMIT)) {
		hist->nr_over++;
		value = HIST_LIMIT - 1;
	}
	hist->counts[hist_bucket(value)]++;
}

void hist_reset(struct hist *hist);
/* As @nr times hist_record(). */
void hist_record_many(struct hist *hist, uint64_t value, uint64_t nr);
/* Add all of @from to @to. */
void hist_merge(struct hist *to, const struct hist *from);

/* 0 while empty, as all that follow. */
uint64_t hist_min(const struct hist *hist);
double hist_mean(const struct hist *hist);
/* Of the values: what the counts and their middles say. */
double hist_stddev(const struct hist *hist);
/*
 * The smallest value that at least @percent of all are not above; 0 gives the
 * minimum, 100 the maximum.
 */
uint64_t hist_percentile(const struct hist *hist, double percent);
/* How many are not above @value, to the bucket's width. */
uint64_t hist_count_below(const struct hist *hist, uint64_t value);

/* First and last value of a bucket. */
uint64_t hist_bucket_low(uint32_t bucket);
uint64_t hist_bucket_high(uint32_t bucket);

/* Iterate over the buckets that are not empty. */
struct hist_iter {
	const struct hist *hist;
	uint32_t next;
	uint64_t low;	     /* first value of the bucket */
	uint64_t high;	     /* last value of the bucket */
	uint64_t count;	     /* in the bucket */
	uint64_t cumulative; /* up to and with the bucket */
};

void hist_iter_init(struct hist_iter *iter, const struct hist *hist);
/* 1 with the next bucket, 0 at the end. */
int hist_iter_next(struct hist_iter *iter);

#endif /* UTIL_HIST_H */
