/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_data.h"

#include <errno.h>
#include <math.h>

#include "tools/srpmatrix_stat.h"
#include "util/compiler.h"

#define GREATEST 1e18
/* Beyond this a percentile says nothing that a reader could use. */
#define MAX_NINES 6.0
#define MAX_BUCKETS 65536

static double
checked(const json_t *json)
{
	double value = json_is_number(json) ? json_number_value(json) : NAN;

	return value >= 0 && value <= GREATEST ? value : NAN;
}

double
html_number(const json_t *object, const char *key)
{
	return checked(json_object_get(object, key));
}

const char *
html_string(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

const char *
html_string_or_empty(const json_t *object, const char *key)
{
	const char *text = html_string(object, key);

	return text ? text : "";
}

size_t
html_count(const json_t *array, size_t most)
{
	return min(json_array_size(array), most);
}

struct html_estimate
html_estimate(const json_t *json)
{
	return (struct html_estimate){
		.at = html_number(json, "estimate"),
		.low = html_number(json, "low"),
		.high = html_number(json, "high"),
	};
}

struct html_estimate
html_estimate_of(const json_t *rounds, const char *key)
{
	double values[SRPMATRIX_MAX_PAIRS];
	unsigned int i,
		nr = (unsigned int)html_count(rounds, ARRAY_SIZE(values));
	struct srpmatrix_ratio pool;

	for (i = 0; i < nr; i++)
		values[i] = html_number(json_array_get(rounds, i), key);
	srpmatrix_ratio_pool(&pool, values, nr);
	return (struct html_estimate){ pool.estimate, pool.low, pool.high };
}

struct bucket {
	double low;
	double high;
	double count;
};

static int
get_bucket(const json_t *buckets, size_t i, struct bucket *bucket)
{
	const json_t *json = json_array_get(buckets, i);

	bucket->low = checked(json_array_get(json, 0));
	bucket->high = checked(json_array_get(json, 1));
	bucket->count = checked(json_array_get(json, 2));
	return bucket->high >= bucket->low && bucket->count > 0 ? 0 : -EINVAL;
}

/* How many values there are, and the ends of what they span. */
static double
measure(const json_t *histogram, double *low, double *high)
{
	const json_t *buckets = json_object_get(histogram, "buckets");
	size_t i, n = html_count(buckets, MAX_BUCKETS);
	struct bucket bucket;
	double nr = 0;

	*low = GREATEST;
	*high = 0;
	for (i = 0; i < n; i++) {
		if (get_bucket(buckets, i, &bucket))
			continue;
		nr += bucket.count;
		*low = fmin(*low, bucket.low);
		*high = fmax(*high, bucket.high);
	}
	return nr;
}

int
html_dist_range(const json_t *histogram, double *low, double *high)
{
	if (measure(histogram, low, high) <= 0)
		return -EINVAL;
	*low = fmax(*low, 1);
	*high = fmax(*high, *low);
	return 0;
}

static unsigned int
curve_of_histogram(const json_t *histogram, struct html_point *points)
{
	const json_t *buckets = json_object_get(histogram, "buckets");
	double low, high, nr = measure(histogram, &low, &high), seen = 0, end;
	size_t i, n = html_count(buckets, MAX_BUCKETS);
	unsigned int nr_points = 0;
	struct bucket bucket;

	end = nr > 0 ? fmin(log10(nr), MAX_NINES) : 0;
	for (i = 0; i < n && nr_points < HTML_MAX_POINTS; i++) {
		if (get_bucket(buckets, i, &bucket))
			continue;
		seen += bucket.count;
		while (nr_points < HTML_MAX_POINTS) {
			double x = end * nr_points / (HTML_MAX_POINTS - 1);

			if (1 - pow(10, -x) > seen / nr)
				break;
			points[nr_points++] = (struct html_point){ x,
				(bucket.low + bucket.high) / 2 };
		}
	}
	return nr_points;
}

static unsigned int
curve_of_stats(const json_t *stats, struct html_point *points)
{
	static const struct {
		const char *key;
		double x;
	} known[] = {
		{ "min", 0 },
		{ "p50", 0.30103 },
		{ "p90", 1 },
		{ "p99", 2 },
		{ "p99.9", 3 },
		{ "p99.99", 4 },
	};
	unsigned int i, nr = 0;
	double y;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		y = html_number(stats, known[i].key);
		if (y > 0)
			points[nr++] = (struct html_point){ known[i].x, y };
	}
	return nr;
}

unsigned int
html_dist_curve(const struct html_dist *dist, struct html_point *points)
{
	unsigned int nr = curve_of_histogram(dist->histogram, points);

	return nr ? nr : curve_of_stats(dist->stats, points);
}

/* A bucket's share, by how much of its width each bin covers. */
static void
add_share(double *bins, double from, double to, double share)
{
	double left, right;
	int i;

	from = fmin(fmax(from, 0), HTML_NR_BINS - 1e-6);
	to = fmin(fmax(to, from + 1e-6), HTML_NR_BINS);
	for (i = (int)from; i < HTML_NR_BINS && i < to; i++) {
		left = fmax(from, i);
		right = fmin(to, i + 1);
		bins[i] += share * (right - left) / (to - from);
	}
}

int
html_dist_bins(const json_t *histogram, const double range[2], double *bins)
{
	const json_t *buckets = json_object_get(histogram, "buckets");
	double low, high, nr = measure(histogram, &low, &high), per;
	size_t i, n = html_count(buckets, MAX_BUCKETS);
	struct bucket bucket;

	for (i = 0; i < HTML_NR_BINS; i++)
		bins[i] = 0;
	if (nr <= 0 || !(range[1] > range[0]) || !(range[0] > 0))
		return -EINVAL;
	per = HTML_NR_BINS / log(range[1] / range[0]);
	for (i = 0; i < n; i++)
		if (!get_bucket(buckets, i, &bucket))
			add_share(bins,
				log(fmax(bucket.low, 1) / range[0]) * per,
				log((bucket.high + 1) / range[0]) * per,
				bucket.count / nr);
	return 0;
}
