/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/hist.h"

#include <math.h>
#include <string.h>

uint64_t
hist_bucket_low(uint32_t bucket)
{
	uint32_t shift;

	if (bucket < 2 * HIST_SUB)
		return bucket;
	shift = (bucket >> HIST_SUB_BITS) - 1;
	return (uint64_t)(bucket - (shift << HIST_SUB_BITS)) << shift;
}

uint64_t
hist_bucket_high(uint32_t bucket)
{
	return hist_bucket_low(bucket + 1) - 1;
}

static uint64_t
bucket_middle(uint32_t bucket)
{
	uint64_t low = hist_bucket_low(bucket);

	return low + (hist_bucket_high(bucket) - low) / 2;
}

void
hist_reset(struct hist *hist)
{
	memset(hist, 0, sizeof(*hist));
	hist->min = UINT64_MAX;
}

void
hist_record_many(struct hist *hist, uint64_t value, uint64_t nr)
{
	if (!nr)
		return;
	/* Minimum, maximum and the bucket as of one; the rest follows. */
	hist_record(hist, value);
	hist->nr += nr - 1;
	hist->sum += value * (nr - 1);
	if (value >= HIST_LIMIT) {
		hist->nr_over += nr - 1;
		value = HIST_LIMIT - 1;
	}
	hist->counts[hist_bucket(value)] += nr - 1;
}

void
hist_merge(struct hist *to, const struct hist *from)
{
	uint32_t i;

	to->nr += from->nr;
	to->sum += from->sum;
	to->nr_over += from->nr_over;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	for (i = 0; i < HIST_NR_BUCKETS; i++)
		to->counts[i] += from->counts[i];
}

uint64_t
hist_min(const struct hist *hist)
{
	return hist->nr ? hist->min : 0;
}

double
hist_mean(const struct hist *hist)
{
	return hist->nr ? (double)hist->sum / (double)hist->nr : 0.0;
}

double
hist_stddev(const struct hist *hist)
{
	double mean = hist_mean(hist), square = 0.0, off;
	uint32_t i;

	if (!hist->nr)
		return 0.0;
	for (i = 0; i < HIST_NR_BUCKETS; i++) {
		if (!hist->counts[i])
			continue;
		off = (double)bucket_middle(i) - mean;
		square += off * off * (double)hist->counts[i];
	}
	return sqrt(square / (double)hist->nr);
}

static uint64_t
clamp(const struct hist *hist, uint64_t value)
{
	if (value < hist->min)
		return hist->min;
	return value > hist->max ? hist->max : value;
}

/* The rank, from 1, of the element that @percent asks for. */
static uint64_t
percent_rank(const struct hist *hist, double percent)
{
	/* 99.9 % of 1000 is 999 although 99.9 is no binary fraction. */
	double exact = percent / 100.0 * (double)hist->nr;
	uint64_t rank = (uint64_t)ceil(exact - 1e-9 * exact);

	return rank ? rank : 1;
}

uint64_t
hist_percentile(const struct hist *hist, double percent)
{
	uint64_t rank, seen = 0;
	uint32_t i;

	if (!hist->nr)
		return 0;
	if (percent <= 0.0)
		return hist->min;
	rank = percent_rank(hist, percent);
	if (rank >= hist->nr)
		return hist->max;
	for (i = 0; i < HIST_NR_BUCKETS; i++) {
		seen += hist->counts[i];
		if (seen >= rank)
			break;
	}
	/* What lies past the last bucket has no better estimate. */
	if (i >= HIST_NR_BUCKETS - 1)
		return hist->max;
	return clamp(hist, bucket_middle(i));
}

uint64_t
hist_count_below(const struct hist *hist, uint64_t value)
{
	uint64_t nr = 0;
	uint32_t i, last;

	if (value >= HIST_LIMIT - 1)
		return hist->nr - (value < hist->max ? hist->nr_over : 0);
	last = hist_bucket(value);
	for (i = 0; i <= last; i++)
		nr += hist->counts[i];
	return nr;
}

void
hist_iter_init(struct hist_iter *iter, const struct hist *hist)
{
	memset(iter, 0, sizeof(*iter));
	iter->hist = hist;
}

int
hist_iter_next(struct hist_iter *iter)
{
	uint32_t i = iter->next;

	while (i < HIST_NR_BUCKETS && !iter->hist->counts[i])
		i++;
	iter->next = i + 1;
	if (i >= HIST_NR_BUCKETS)
		return 0;
	iter->low = hist_bucket_low(i);
	iter->high = hist_bucket_high(i);
	iter->count = iter->hist->counts[i];
	iter->cumulative += iter->count;
	return 1;
}
