/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The little statistics that a matrix needs: medians, and ratios of pairs with
 * a confidence interval. Pure; NAN stands for what was not measured, and is
 * left out of everything.
 */
#ifndef SRPMATRIX_STAT_H
#define SRPMATRIX_STAT_H

/* More pairs than this are not looked at. */
#define SRPMATRIX_MAX_PAIRS 2048u

/* Sorts a copy. NAN where there is no value. */
double srpmatrix_median(const double *values, unsigned int nr);

/* Two-sided 95 % quantile of Student's t; @df from 1. */
double srpmatrix_t95(unsigned int df);

/*
 * A ratio of paired numbers. The pairs' logarithms are averaged, so that a
 * ratio and its inverse are treated alike; the interval is Student's t of
 * these logarithms, back as a ratio. It contains the true ratio in 95 of 100
 * runs, as far as the pairs are independent.
 */
struct srpmatrix_ratio {
	double estimate; /* NAN: no pair */
	double low;	 /* NAN: fewer than two pairs */
	double high;
	unsigned int nr; /* pairs */
};

/* over[i] / under[i]; pairs that have a NAN or no positive number are none. */
void srpmatrix_ratio_init(struct srpmatrix_ratio *ratio, const double *over,
	const double *under, unsigned int nr);
/* The same of ratios that are there already. */
void srpmatrix_ratio_pool(struct srpmatrix_ratio *ratio, const double *ratios,
	unsigned int nr);

#endif /* SRPMATRIX_STAT_H */
