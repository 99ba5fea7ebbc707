/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "tools/html_data.h"
#include "util/compiler.h"

static json_t *
load(const char *text)
{
	json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);

	ck_assert_ptr_nonnull(json);
	return json;
}

START_TEST(what_is_no_figure_is_none)
{
	json_t *doc = load("{\"a\": 5, \"b\": \"5\", \"c\": -1, \"d\": 1e300, "
			   "\"e\": null, \"f\": [], \"g\": 2.5}");

	ck_assert_double_eq(html_number(doc, "a"), 5);
	ck_assert_double_eq(html_number(doc, "g"), 2.5);
	ck_assert(isnan(html_number(doc, "b")));
	ck_assert(isnan(html_number(doc, "c")));
	ck_assert(isnan(html_number(doc, "d")));
	ck_assert(isnan(html_number(doc, "e")));
	ck_assert(isnan(html_number(doc, "f")));
	ck_assert(isnan(html_number(doc, "x")));
	ck_assert(isnan(html_number(NULL, "a")));
	ck_assert_str_eq(html_string_or_empty(doc, "b"), "5");
	ck_assert_str_eq(html_string_or_empty(doc, "a"), "");
	ck_assert_uint_eq(html_count(NULL, 5), 0);
	json_decref(doc);
}
END_TEST

START_TEST(rounds_have_a_mean_and_an_interval)
{
	json_t *rounds = load("[{\"iops\": 90}, {\"iops\": 100}, "
			      "{\"iops\": 111.1111111}, {\"iops\": null}]");
	struct html_estimate value = html_estimate_of(rounds, "iops");

	/* Geometric mean 100; t of two degrees of freedom is 4.303. */
	ck_assert_double_eq_tol(value.at, 100, 1e-6);
	ck_assert_double_eq_tol(value.high,
		100 * exp(4.30265 * log(100.0 / 90) / sqrt(3)), 1e-3);
	ck_assert_double_eq_tol(value.low * value.high, 1e4, 1e-2);
	json_decref(rounds);
}
END_TEST

START_TEST(one_round_has_no_interval)
{
	json_t *rounds = load("[{\"iops\": 90}]");
	struct html_estimate value = html_estimate_of(rounds, "iops");

	ck_assert_double_eq_tol(value.at, 90, 1e-9);
	ck_assert(isnan(value.low) && isnan(value.high));
	value = html_estimate_of(NULL, "iops");
	ck_assert(isnan(value.at));
	json_decref(rounds);
}
END_TEST

START_TEST(a_histogram_becomes_a_curve)
{
	json_t *histogram = load("{\"buckets\": [[100, 100, 900], "
				 "[200, 200, 90], [300, 300, 10]]}");
	struct html_point points[HTML_MAX_POINTS];
	struct html_dist dist = { histogram, NULL };
	unsigned int i, nr = html_dist_curve(&dist, points);

	ck_assert_uint_gt(nr, 10);
	for (i = 0; i < nr; i++) {
		if (points[i].x < 0.999)
			ck_assert_double_eq(points[i].y, 100);
		else if (points[i].x > 1.001 && points[i].x < 1.999)
			ck_assert_double_eq(points[i].y, 200);
		else if (points[i].x > 2.001)
			ck_assert_double_eq(points[i].y, 300);
		if (i)
			ck_assert_double_ge(points[i].y, points[i - 1].y);
	}
	/* It ends where one value is left. */
	ck_assert_double_eq_tol(points[nr - 1].x, 3, 0.02);
	json_decref(histogram);
}
END_TEST

START_TEST(without_a_histogram_percentiles_do)
{
	json_t *stats = load("{\"p50\": 10, \"p99\": 30, \"mean\": 12}");
	struct html_point points[HTML_MAX_POINTS];
	struct html_dist dist = { NULL, stats };

	ck_assert_uint_eq(html_dist_curve(&dist, points), 2);
	ck_assert_double_eq(points[0].y, 10);
	ck_assert_double_eq(points[1].x, 2);
	dist.stats = NULL;
	ck_assert_uint_eq(html_dist_curve(&dist, points), 0);
	json_decref(stats);
}
END_TEST

START_TEST(bins_share_out_the_whole)
{
	json_t *histogram = load("{\"buckets\": [[10, 19, 1], [20, 99, 2], "
				 "[100, 99999, 1]]}");
	const double range[] = { 10, 100000 };
	double bins[HTML_NR_BINS], sum = 0, low, high;
	size_t i;

	ck_assert_int_eq(html_dist_range(histogram, &low, &high), 0);
	ck_assert_double_eq(low, 10);
	ck_assert_double_eq(high, 99999);
	ck_assert_int_eq(html_dist_bins(histogram, range, bins), 0);
	for (i = 0; i < HTML_NR_BINS; i++)
		sum += bins[i];
	ck_assert_double_eq_tol(sum, 1, 1e-6);
	json_decref(histogram);
}
END_TEST

START_TEST(hostile_histograms_are_survived)
{
	static const char *const texts[] = { "5", "[]", "{}",
		"{\"buckets\": 5}", "{\"buckets\": []}",
		("{\"buckets\": [[], 5, null, [1], [1, 2], [5, 1, 1], "
		 "[1, 2, 0], [\"a\", 2, 3], [-5, 2, 1]]}"),
		"{\"buckets\": [[9e17, 9e17, 9e17], [1, 2, 1]]}",
		"{\"buckets\": [[0, 0, 1]]}",
		"{\"buckets\": [[5, 6, 1], [1, 2, 1e-300]]}" };
	const double range[] = { 1, 1e6 };
	struct html_point points[HTML_MAX_POINTS];
	double bins[HTML_NR_BINS], low, high;
	struct html_dist dist;
	unsigned int nr, j;
	json_t *json;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		json = load(texts[i]);
		dist = (struct html_dist){ json, json };
		nr = html_dist_curve(&dist, points);
		ck_assert_uint_le(nr, HTML_MAX_POINTS);
		for (j = 0; j < nr; j++)
			ck_assert(isfinite(points[j].x) &&
				isfinite(points[j].y));
		if (!html_dist_range(json, &low, &high))
			ck_assert(low >= 1 && high >= low);
		if (!html_dist_bins(json, range, bins))
			for (j = 0; j < HTML_NR_BINS; j++)
				ck_assert(isfinite(bins[j]));
		json_decref(json);
	}
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("html_data");

	tcase_add_test(tcase, what_is_no_figure_is_none);
	tcase_add_test(tcase, rounds_have_a_mean_and_an_interval);
	tcase_add_test(tcase, one_round_has_no_interval);
	tcase_add_test(tcase, a_histogram_becomes_a_curve);
	tcase_add_test(tcase, without_a_histogram_percentiles_do);
	tcase_add_test(tcase, bins_share_out_the_whole);
	tcase_add_test(tcase, hostile_histograms_are_survived);
	return unit_run(tcase, "html_data");
}
