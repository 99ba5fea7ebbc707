/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <math.h>

#include "tools/srpmatrix_stat.h"
#include "util/compiler.h"

START_TEST(median_leaves_out_what_was_not_measured)
{
	const double odd[] = { 3, NAN, 1, 2 }, even[] = { 4, 1, 3, 2 };
	const double none[] = { NAN, NAN };

	ck_assert_double_eq(srpmatrix_median(odd, 4), 2);
	ck_assert_double_eq(srpmatrix_median(even, 4), 2.5);
	ck_assert_double_nan(srpmatrix_median(none, 2));
	ck_assert_double_nan(srpmatrix_median(none, 0));
}
END_TEST

/* Against the printed tables of the distribution. */
START_TEST(t_quantiles_are_those_of_the_tables)
{
	static const struct {
		unsigned int df;
		double t;
	} known[] = { { 1, 12.7062 }, { 2, 4.3027 }, { 5, 2.5706 },
		{ 10, 2.2281 }, { 20, 2.0860 }, { 21, 2.0796 }, { 25, 2.0595 },
		{ 30, 2.0423 }, { 60, 2.0003 }, { 120, 1.9799 },
		{ 1000, 1.9623 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		ck_assert_double_eq_tol(
			srpmatrix_t95(known[i].df), known[i].t, 0.0002);
	ck_assert_double_nan(srpmatrix_t95(0));
}
END_TEST

/* Logarithms 0, ln 2, ln 4: mean ln 2, deviation ln 2, t 4.3027. */
START_TEST(ratio_is_the_geometric_mean_with_its_interval)
{
	const double over[] = { 10, 20, 40 }, under[] = { 10, 10, 10 };
	const double half = 4.3027 * log(2) / sqrt(3);
	struct srpmatrix_ratio ratio;

	srpmatrix_ratio_init(&ratio, over, under, 3);
	ck_assert_uint_eq(ratio.nr, 3);
	ck_assert_double_eq_tol(ratio.estimate, 2.0, 1e-9);
	ck_assert_double_eq_tol(ratio.low, 2.0 * exp(-half), 1e-6);
	ck_assert_double_eq_tol(ratio.high, 2.0 * exp(half), 1e-3);
}
END_TEST

START_TEST(a_ratio_and_its_inverse_say_the_same)
{
	const double a[] = { 10, 23, 31, 17 }, b[] = { 12, 19, 35, 11 };
	struct srpmatrix_ratio to, fro;

	srpmatrix_ratio_init(&to, a, b, 4);
	srpmatrix_ratio_init(&fro, b, a, 4);
	ck_assert_double_eq_tol(to.estimate * fro.estimate, 1.0, 1e-9);
	ck_assert_double_eq_tol(to.low * fro.high, 1.0, 1e-9);
}
END_TEST

START_TEST(pairs_without_a_number_are_none)
{
	const double over[] = { 1, NAN, 3, 0 }, under[] = { 2, 2, 0, 1 };
	struct srpmatrix_ratio ratio;

	srpmatrix_ratio_init(&ratio, over, under, 4);
	ck_assert_uint_eq(ratio.nr, 1);
	ck_assert_double_eq_tol(ratio.estimate, 0.5, 1e-9);
	ck_assert_double_nan(ratio.low);
	ck_assert_double_nan(ratio.high);
	srpmatrix_ratio_init(&ratio, over + 1, under + 1, 3);
	ck_assert_uint_eq(ratio.nr, 0);
	ck_assert_double_nan(ratio.estimate);
}
END_TEST

START_TEST(pooled_ratios_are_as_pairs)
{
	const double ratios[] = { 0.5, NAN, 2.0 };
	struct srpmatrix_ratio ratio;

	srpmatrix_ratio_pool(&ratio, ratios, 3);
	ck_assert_uint_eq(ratio.nr, 2);
	ck_assert_double_eq_tol(ratio.estimate, 1.0, 1e-9);
	ck_assert_double_lt(ratio.low, 0.01);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("stat");

	tcase_add_test(tcase, median_leaves_out_what_was_not_measured);
	tcase_add_test(tcase, t_quantiles_are_those_of_the_tables);
	tcase_add_test(tcase, ratio_is_the_geometric_mean_with_its_interval);
	tcase_add_test(tcase, a_ratio_and_its_inverse_say_the_same);
	tcase_add_test(tcase, pairs_without_a_number_are_none);
	tcase_add_test(tcase, pooled_ratios_are_as_pairs);
	return unit_run(tcase, "srpmatrix_stat");
}
