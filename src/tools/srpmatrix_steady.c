/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_steady.h"

#include <math.h>

/* Sums over the points (round, value) that are there. */
struct sums {
	double n, x, y, xx, xy;
	double least, greatest;
	unsigned int first, last; /* rounds */
};

static void
add(struct sums *sums, unsigned int round, double value)
{
	double x = round;

	if (!sums->n) {
		sums->first = round;
		sums->least = sums->greatest = value;
	}
	sums->last = round;
	sums->n += 1.0;
	sums->x += x;
	sums->y += value;
	sums->xx += x * x;
	sums->xy += x * value;
	sums->least = fmin(sums->least, value);
	sums->greatest = fmax(sums->greatest, value);
}

void
srpmatrix_steady_init(struct srpmatrix_steady *steady, const double *values,
	unsigned int nr)
{
	struct sums sums = { 0 };
	double mean, per_round;
	unsigned int i;

	*steady = (struct srpmatrix_steady){ SRPMATRIX_UNKNOWN, NAN, NAN };
	for (i = 0; i < nr; i++)
		if (!isnan(values[i]))
			add(&sums, i, values[i]);
	mean = sums.n ? sums.y / sums.n : 0.0;
	if (sums.n < SRPMATRIX_STEADY_MIN || mean <= 0.0)
		return;
	per_round = (sums.n * sums.xy - sums.x * sums.y) /
		(sums.n * sums.xx - sums.x * sums.x);
	steady->range = (sums.greatest - sums.least) / mean;
	steady->slope = per_round * (sums.last - sums.first) / mean;
	steady->verdict = steady->range <= SRPMATRIX_STEADY_RANGE &&
			fabs(steady->slope) <= SRPMATRIX_STEADY_SLOPE
		? SRPMATRIX_STEADY
		: SRPMATRIX_UNSTEADY;
}

const char *
srpmatrix_verdict_name(enum srpmatrix_verdict verdict)
{
	static const char *const names[] = { "unknown", "steady", "unsteady" };

	return names[verdict];
}
