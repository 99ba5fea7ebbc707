/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpmatrix_fake.h"
#include "tools/srpmatrix_claim.h"

static struct srpmatrix_claim claim;
static struct srpmatrix_claims claims;

static void
teardown(void)
{
	srpmatrix_run_fini(&fake_run);
}

START_TEST(adaptive_is_held_against_the_better)
{
	fake_init(4, 4);
	fake_iops[0][2] = 50.0;	 /* poll loses */
	fake_iops[0][3] = 99.0;	 /* adaptive */
	fake_iops[1][2] = 200.0; /* poll wins */
	fake_iops[1][3] = 210.0;
	srpmatrix_run_all(&fake_run);
	srpmatrix_claim_init(&claim, &fake_run, 0);
	ck_assert(claim.is_known);
	ck_assert_str_eq(claim.better, "inline");
	ck_assert_double_eq_tol(claim.iops.estimate, 0.99, 1e-9);
	srpmatrix_claim_init(&claim, &fake_run, 1);
	ck_assert_str_eq(claim.better, "poll");
	ck_assert_double_eq_tol(claim.iops.estimate, 1.05, 1e-9);
	ck_assert_double_eq_tol(claim.cpu.estimate, 200.0 / 210.0, 1e-9);
	srpmatrix_claims_init(&claims, &fake_run);
	ck_assert_uint_eq(claims.nr_rows, 2);
	ck_assert_uint_eq(claims.nr_below, 0);
	ck_assert_uint_eq(claims.lowest, 0);
	ck_assert_double_eq_tol(
		claims.iops.estimate, sqrt(0.99 * 1.05), 1e-9);
}
END_TEST

START_TEST(rows_that_break_it_are_counted)
{
	fake_init(4, 4);
	fake_iops[0][3] = 96.0;
	srpmatrix_run_all(&fake_run);
	srpmatrix_claims_init(&claims, &fake_run);
	ck_assert_uint_eq(claims.nr_below, 1);
	ck_assert_uint_eq(claims.nr_above_poll, 1);
	ck_assert_uint_eq(claims.lowest, 0);
}
END_TEST

START_TEST(without_the_three_there_is_none)
{
	fake_init(3, 2);
	srpmatrix_run_all(&fake_run);
	srpmatrix_claim_init(&claim, &fake_run, 0);
	ck_assert(!claim.is_known);
	srpmatrix_claims_init(&claims, &fake_run);
	ck_assert_uint_eq(claims.nr_rows, 0);
}
END_TEST

START_TEST(a_row_where_one_of_them_failed_is_left_out)
{
	fake_init(4, 4);
	fake_iops[0][2] = 0.0;
	srpmatrix_run_all(&fake_run);
	srpmatrix_claim_init(&claim, &fake_run, 0);
	ck_assert(!claim.is_known);
	srpmatrix_claims_init(&claims, &fake_run);
	ck_assert_uint_eq(claims.nr_rows, 1);
	ck_assert_double_eq_tol(claims.iops.estimate, 1.0, 1e-9);
}
END_TEST

START_TEST(a_round_that_was_broken_off_is_left_out)
{
	fake_init(4, 4);
	fake_stop_at = 2 * 5 + 3;
	srpmatrix_run_all(&fake_run);
	srpmatrix_claims_init(&claims, &fake_run);
	ck_assert_uint_eq(claims.iops.nr, 1);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("claim");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, adaptive_is_held_against_the_better);
	tcase_add_test(tcase, rows_that_break_it_are_counted);
	tcase_add_test(tcase, without_the_three_there_is_none);
	tcase_add_test(tcase, a_row_where_one_of_them_failed_is_left_out);
	tcase_add_test(tcase, a_round_that_was_broken_off_is_left_out);
	return unit_run(tcase, "srpmatrix_claim");
}
