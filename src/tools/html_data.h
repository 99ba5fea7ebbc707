/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Figures out of a document. It may be any JSON at all: what is missing, of
 * another type, negative or absurd is NAN, and charts leave it out.
 */
#ifndef HTML_DATA_H
#define HTML_DATA_H

#include <jansson.h>

#define HTML_MAX_POINTS 200
#define HTML_NR_BINS 110

double html_number(const json_t *object, const char *key);
/* NULL where there is none. */
const char *html_string(const json_t *object, const char *key);
/* The same, "" where there is none. */
const char *html_string_or_empty(const json_t *object, const char *key);
/* Elements, with a bound on what one page shows. */
size_t html_count(const json_t *array, size_t most);

/* A ratio or a mean: {"estimate", "low", "high"} or of values. */
struct html_estimate {
	double at;
	double low;
	double high;
};

struct html_estimate html_estimate(const json_t *json);
/* One member of each element: geometric mean, 95 % by Student's t. */
struct html_estimate html_estimate_of(const json_t *rounds, const char *key);

/*
 * A latency distribution: all of it as a histogram (srplat_hist.h), or some
 * percentiles of it.
 */
struct html_dist {
	const json_t *histogram;
	const json_t *stats; /* {"p50", "p90", ...} in ns */
};

struct html_point {
	double x;
	double y;
};

/*
 * The percentile curve: x is -log10(1 - fraction), so that 90 %, 99 %, 99.9 %
 * are 1, 2, 3; y is ns. Up to HTML_MAX_POINTS; 0: there is nothing.
 */
unsigned int
html_dist_curve(const struct html_dist *dist, struct html_point *points);
/* Least and greatest value of a histogram, -EINVAL where there is none. */
int html_dist_range(const json_t *histogram, double *low, double *high);
/* Shares of the count in HTML_NR_BINS even steps of log(ns). */
int
html_dist_bins(const json_t *histogram, const double range[2], double *bins);

#endif /* HTML_DATA_H */
