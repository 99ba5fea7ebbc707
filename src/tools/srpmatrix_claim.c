/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_claim.h"

#include <math.h>
#include <string.h>

static int
find(const struct srpmatrix_run *run, const char *name)
{
	unsigned int i;

	for (i = 0; i < run->plan.nr_modes; i++)
		if (strcmp(run->opts->modes[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* The columns that it is about. */
struct columns {
	unsigned int adaptive, poll, better;
};

/* false: one of the three is missing, or has no result in this row. */
static bool
find_columns(const struct srpmatrix_run *run, unsigned int row,
	struct columns *columns)
{
	int by_inline = find(run, "inline"), poll = find(run, "poll");
	int adaptive = find(run, "adaptive");
	double inline_iops, poll_iops;

	if (by_inline < 0 || poll < 0 || adaptive < 0)
		return false;
	inline_iops = srpmatrix_run_median(
		run, row, (unsigned int)by_inline, SRPMATRIX_IOPS);
	poll_iops = srpmatrix_run_median(
		run, row, (unsigned int)poll, SRPMATRIX_IOPS);
	columns->adaptive = (unsigned int)adaptive;
	columns->poll = (unsigned int)poll;
	columns->better = poll_iops > inline_iops ? (unsigned int)poll
						  : (unsigned int)by_inline;
	return !isnan(inline_iops + poll_iops);
}

/* What a mode had in a round; the first one in both of its runs. */
static double
value(const struct srpmatrix_run *run, unsigned int row, unsigned int mode,
	unsigned int round, enum srpmatrix_metric metric)
{
	const struct srpmatrix_sample *sample =
		&srpmatrix_run_series(run, row, mode)->samples[round];
	const struct srpmatrix_sample *again =
		&srpmatrix_run_series(run, row, run->plan.nr_modes)
			 ->samples[round];

	if (!sample->is_done || (!mode && !again->is_done))
		return NAN;
	return mode ? sample->values[metric]
		    : sqrt(sample->values[metric] * again->values[metric]);
}

static void
compare(const struct srpmatrix_run *run, unsigned int row, unsigned int over,
	unsigned int under, enum srpmatrix_metric metric,
	struct srpmatrix_ratio *ratio)
{
	double overs[SRPMATRIX_MAX_ROUNDS], unders[SRPMATRIX_MAX_ROUNDS];
	unsigned int round;

	for (round = 0; round < run->plan.nr_rounds; round++) {
		overs[round] = value(run, row, over, round, metric);
		unders[round] = value(run, row, under, round, metric);
	}
	srpmatrix_ratio_init(ratio, overs, unders, run->plan.nr_rounds);
}

void
srpmatrix_claim_init(struct srpmatrix_claim *claim,
	const struct srpmatrix_run *run, unsigned int row)
{
	struct columns columns;

	memset(claim, 0, sizeof(*claim));
	if (!find_columns(run, row, &columns))
		return;
	claim->better = run->opts->modes[columns.better].name;
	compare(run, row, columns.adaptive, columns.better, SRPMATRIX_IOPS,
		&claim->iops);
	compare(run, row, columns.adaptive, columns.poll, SRPMATRIX_CPU_NS,
		&claim->cpu);
	claim->is_known = claim->iops.nr > 0;
}

/* The geometric mean over the rows, of one round that all of them have. */
static double
round_mean(const struct srpmatrix_run *run, unsigned int round)
{
	struct columns columns;
	double logs = 0.0;
	unsigned int row, nr = 0;

	for (row = 0; row < run->plan.nr_rows; row++) {
		if (!find_columns(run, row, &columns))
			continue;
		logs += log(value(run, row, columns.adaptive, round,
				    SRPMATRIX_IOPS) /
			value(run, row, columns.better, round,
				SRPMATRIX_IOPS));
		nr++;
	}
	return nr ? exp(logs / nr) : NAN;
}

void
srpmatrix_claims_init(struct srpmatrix_claims *claims,
	const struct srpmatrix_run *run)
{
	double rounds[SRPMATRIX_MAX_ROUNDS], lowest = INFINITY;
	struct srpmatrix_claim claim;
	unsigned int row, round;

	memset(claims, 0, sizeof(*claims));
	for (row = 0; row < run->plan.nr_rows; row++) {
		srpmatrix_claim_init(&claim, run, row);
		if (!claim.is_known)
			continue;
		claims->nr_rows++;
		claims->nr_below += claim.iops.high < SRPMATRIX_CLAIM_FLOOR;
		claims->nr_above_poll += claim.cpu.low > 1.0;
		if (claim.iops.estimate < lowest) {
			lowest = claim.iops.estimate;
			claims->lowest = row;
		}
	}
	for (round = 0; round < run->plan.nr_rounds; round++)
		rounds[round] = round_mean(run, round);
	srpmatrix_ratio_pool(&claims->iops, rounds, run->plan.nr_rounds);
}
