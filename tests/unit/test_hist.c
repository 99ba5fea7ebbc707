/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "util/hist.h"

static struct hist hist;
static struct hist other;

static void
setup(void)
{
	hist_reset(&hist);
	hist_reset(&other);
}

static double
relative_error(uint64_t got, uint64_t want)
{
	double diff = (double)got - (double)want;

	return (diff < 0 ? -diff : diff) / (double)want;
}

START_TEST(an_empty_histogram_answers_zero)
{
	struct hist_iter iter;

	ck_assert_uint_eq(hist_min(&hist), 0);
	ck_assert_uint_eq(hist.max, 0);
	ck_assert_uint_eq(hist_percentile(&hist, 50), 0);
	ck_assert_double_eq(hist_mean(&hist), 0.0);
	ck_assert_double_eq(hist_stddev(&hist), 0.0);
	hist_iter_init(&iter, &hist);
	ck_assert_int_eq(hist_iter_next(&iter), 0);
}
END_TEST

START_TEST(buckets_cover_every_value_without_gap_or_overlap)
{
	uint64_t value;
	uint32_t last = 0, bucket;

	for (value = 0; value < 1 << 16; value++) {
		bucket = hist_bucket(value);
		ck_assert(bucket == last || bucket == last + 1);
		last = bucket;
	}
	ck_assert_uint_eq(hist_bucket(HIST_LIMIT - 1), HIST_NR_BUCKETS - 1);
}
END_TEST

START_TEST(any_value_reads_back_within_a_thousandth)
{
	uint64_t value;

	for (value = 1; value < HIST_LIMIT; value += value / 7 + 1) {
		hist_reset(&hist);
		/* two neighbours, so that neither min nor max helps */
		hist_record(&hist, 0);
		hist_record(&hist, value);
		hist_record(&hist, HIST_LIMIT - 1);
		ck_assert_double_le(
			relative_error(hist_percentile(&hist, 50), value),
			1.0 / 1024);
	}
}
END_TEST

START_TEST(percentiles_of_a_uniform_run_are_right)
{
	static const double percents[] = { 50, 90, 99, 99.9, 99.99 };
	uint64_t i;

	for (i = 1; i <= 100000; i++)
		hist_record(&hist, i * 10);
	for (i = 0; i < 5; i++)
		ck_assert_double_le(
			relative_error(hist_percentile(&hist, percents[i]),
				(uint64_t)(percents[i] * 10000 + 0.5)),
			1.0 / 1024);
	ck_assert_uint_eq(hist_percentile(&hist, 0), 10);
	ck_assert_uint_eq(hist_percentile(&hist, 100), 1000000);
	ck_assert_double_eq(hist_mean(&hist), 500005.0);
}
END_TEST

START_TEST(a_percentile_is_the_smallest_value_that_covers_it)
{
	int i;

	for (i = 1; i <= 1000; i++)
		hist_record(&hist, (uint64_t)i);
	ck_assert_uint_eq(hist_percentile(&hist, 99.9), 999);
	ck_assert_uint_eq(hist_percentile(&hist, 50), 500);
	ck_assert_uint_eq(hist_percentile(&hist, 50.01), 501);
	ck_assert_uint_eq(hist_percentile(&hist, 0.0001), 1);
}
END_TEST

START_TEST(extremes_are_exact_and_values_past_the_range_counted)
{
	hist_record(&hist, 123456789);
	hist_record(&hist, HIST_LIMIT * 3);
	ck_assert_uint_eq(hist_min(&hist), 123456789);
	ck_assert_uint_eq(hist.max, HIST_LIMIT * 3);
	ck_assert_uint_eq(hist.nr_over, 1);
	ck_assert_uint_eq(hist_percentile(&hist, 99), HIST_LIMIT * 3);
	ck_assert_uint_eq(hist_percentile(&hist, 50), 123456789);
}
END_TEST

START_TEST(one_value_makes_every_percentile)
{
	hist_record(&hist, 98765);
	ck_assert_uint_eq(hist_percentile(&hist, 1), 98765);
	ck_assert_uint_eq(hist_percentile(&hist, 99.99), 98765);
	ck_assert_double_eq(hist_mean(&hist), 98765.0);
}
END_TEST

START_TEST(merging_equals_recording_into_one)
{
	static struct hist both;
	uint64_t i;

	hist_reset(&both);
	for (i = 0; i < 5000; i++) {
		hist_record(i % 3 ? &hist : &other, i * i);
		hist_record(&both, i * i);
	}
	hist_merge(&hist, &other);
	ck_assert_int_eq(memcmp(&hist, &both, sizeof(both)), 0);
}
END_TEST

START_TEST(merging_an_empty_one_changes_nothing)
{
	hist_record(&hist, 5);
	hist_merge(&hist, &other);
	ck_assert_uint_eq(hist_min(&hist), 5);
	ck_assert_uint_eq(hist.nr, 1);
}
END_TEST

START_TEST(iteration_yields_every_bucket_in_order)
{
	struct hist_iter iter;

	hist_record(&hist, 3);
	hist_record(&hist, 3);
	hist_record(&hist, 5000);
	hist_iter_init(&iter, &hist);
	ck_assert_int_eq(hist_iter_next(&iter), 1);
	ck_assert_uint_eq(iter.low, 3);
	ck_assert_uint_eq(iter.high, 3);
	ck_assert_uint_eq(iter.count, 2);
	ck_assert_int_eq(hist_iter_next(&iter), 1);
	ck_assert_uint_le(iter.low, 5000);
	ck_assert_uint_ge(iter.high, 5000);
	ck_assert_uint_eq(iter.cumulative, 3);
	ck_assert_int_eq(hist_iter_next(&iter), 0);
	ck_assert_int_eq(hist_iter_next(&iter), 0);
}
END_TEST

START_TEST(counts_below_a_value_include_it)
{
	hist_record(&hist, 10);
	hist_record(&hist, 20);
	hist_record(&hist, HIST_LIMIT + 5);
	ck_assert_uint_eq(hist_count_below(&hist, 9), 0);
	ck_assert_uint_eq(hist_count_below(&hist, 10), 1);
	ck_assert_uint_eq(hist_count_below(&hist, 1000), 2);
	ck_assert_uint_eq(hist_count_below(&hist, HIST_LIMIT), 2);
	ck_assert_uint_eq(hist_count_below(&hist, HIST_LIMIT + 5), 3);
}
END_TEST

START_TEST(deviation_of_two_values_is_half_their_distance)
{
	hist_record(&hist, 100);
	hist_record(&hist, 300);
	ck_assert_double_eq_tol(hist_stddev(&hist), 100.0, 1e-9);
}
END_TEST

START_TEST(recording_many_is_recording_each)
{
	static const uint64_t values[] = { 0, 7, 1500, 123456,
		HIST_LIMIT + 9 };
	static struct hist each;
	unsigned int i, k;

	hist_reset(&each);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		hist_record_many(&hist, values[i], i);
		for (k = 0; k < i; k++)
			hist_record(&each, values[i]);
	}
	ck_assert_mem_eq(&hist, &each, sizeof(hist));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("hist");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, an_empty_histogram_answers_zero);
	tcase_add_test(tcase, buckets_cover_every_value_without_gap_or_overlap);
	tcase_add_test(tcase, any_value_reads_back_within_a_thousandth);
	tcase_add_test(tcase, percentiles_of_a_uniform_run_are_right);
	tcase_add_test(tcase, a_percentile_is_the_smallest_value_that_covers_it);
	tcase_add_test(
		tcase, extremes_are_exact_and_values_past_the_range_counted);
	tcase_add_test(tcase, one_value_makes_every_percentile);
	tcase_add_test(tcase, merging_equals_recording_into_one);
	tcase_add_test(tcase, merging_an_empty_one_changes_nothing);
	tcase_add_test(tcase, iteration_yields_every_bucket_in_order);
	tcase_add_test(tcase, counts_below_a_value_include_it);
	tcase_add_test(tcase, deviation_of_two_values_is_half_their_distance);
	tcase_add_test(tcase, recording_many_is_recording_each);
	return unit_run(tcase, "hist");
}
