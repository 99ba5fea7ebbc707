/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Was it in a steady state? By the measure that SNIA's Performance Test
 * Specification uses over its window of rounds: the values lie within 20 % of
 * their mean (greatest less least), and the straight line through them falls
 * or rises by at most 10 % of it from the first to the last.
 */
#ifndef SRPMATRIX_STEADY_H
#define SRPMATRIX_STEADY_H

#define SRPMATRIX_STEADY_RANGE 0.20
#define SRPMATRIX_STEADY_SLOPE 0.10
#define SRPMATRIX_STEADY_MIN 3u /* rounds, to say anything */

enum srpmatrix_verdict {
	SRPMATRIX_UNKNOWN, /* too few rounds */
	SRPMATRIX_STEADY,
	SRPMATRIX_UNSTEADY,
};

struct srpmatrix_steady {
	enum srpmatrix_verdict verdict;
	double range; /* greatest less least, by the mean; NAN: unknown */
	double slope; /* of the line over all rounds, by the mean, signed */
};

/* In the order in which they were measured; NAN ones are left out. */
void srpmatrix_steady_init(struct srpmatrix_steady *steady,
	const double *values, unsigned int nr);
/* "unknown", "steady", "unsteady" */
const char *srpmatrix_verdict_name(enum srpmatrix_verdict verdict);

#endif /* SRPMATRIX_STEADY_H */
