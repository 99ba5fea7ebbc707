/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_stat.h"

#include <math.h>
#include <stdlib.h>

#include "util/compiler.h"

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
srpmatrix_median(const double *values, unsigned int nr)
{
	double sorted[SRPMATRIX_MAX_PAIRS];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < ARRAY_SIZE(sorted); i++)
		if (!isnan(values[i]))
			sorted[n++] = values[i];
	if (!n)
		return NAN;
	qsort(sorted, n, sizeof(*sorted), compare_doubles);
	return n % 2 ? sorted[n / 2]
		     : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

double
srpmatrix_t95(unsigned int df)
{
	static const double table[] = { 12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
		2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604,
		2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860 };
	const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
	const double z7 = z5 * z * z;
	double d = df;

	if (!df)
		return NAN;
	if (df <= ARRAY_SIZE(table))
		return table[df - 1];
	/* Cornish and Fisher's expansion: to 4 digits from here on. */
	return z + (z3 + z) / (4.0 * d) +
		(5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * d * d) +
		(3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) /
			(384.0 * d * d * d);
}

/* Mean and interval of @n logarithms. */
static void
summarise(struct srpmatrix_ratio *ratio, const double *logs, unsigned int n)
{
	double mean = 0.0, squares = 0.0, half;
	unsigned int i;

	*ratio = (struct srpmatrix_ratio){ NAN, NAN, NAN, n };
	if (!n)
		return;
	for (i = 0; i < n; i++)
		mean += logs[i] / n;
	ratio->estimate = exp(mean);
	if (n < 2)
		return;
	for (i = 0; i < n; i++)
		squares += (logs[i] - mean) * (logs[i] - mean);
	half = srpmatrix_t95(n - 1) * sqrt(squares / (n - 1) / n);
	ratio->low = exp(mean - half);
	ratio->high = exp(mean + half);
}

void
srpmatrix_ratio_init(struct srpmatrix_ratio *ratio, const double *over,
	const double *under, unsigned int nr)
{
	double logs[SRPMATRIX_MAX_PAIRS];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < ARRAY_SIZE(logs); i++)
		if (over[i] > 0.0 && under[i] > 0.0)
			logs[n++] = log(over[i] / under[i]);
	summarise(ratio, logs, n);
}

void
srpmatrix_ratio_pool(struct srpmatrix_ratio *ratio, const double *ratios,
	unsigned int nr)
{
	double logs[SRPMATRIX_MAX_PAIRS];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < ARRAY_SIZE(logs); i++)
		if (ratios[i] > 0.0)
			logs[n++] = log(ratios[i]);
	summarise(ratio, logs, n);
}
