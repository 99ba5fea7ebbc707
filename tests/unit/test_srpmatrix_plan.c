/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srpmatrix_plan.h"

static const struct srpmatrix_plan plan = { .nr_rounds = 3, .nr_rows = 2,
	.nr_modes = 3 };

START_TEST(every_slot_of_every_row_comes_once_a_round)
{
	unsigned int seen[3][2][4] = { 0 }, i;
	struct srpmatrix_step step;

	ck_assert_uint_eq(srpmatrix_plan_steps(&plan), 24);
	for (i = 0; i < 24; i++) {
		step = srpmatrix_plan_step(&plan, i);
		seen[step.round][step.row][step.slot]++;
	}
	for (i = 0; i < 24; i++)
		ck_assert_uint_eq(seen[i / 8][i / 4 % 2][i % 4], 1);
}
END_TEST

START_TEST(every_other_round_goes_backwards)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		ck_assert_uint_eq(srpmatrix_plan_step(&plan, i).slot, i);
		ck_assert_uint_eq(
			srpmatrix_plan_step(&plan, 8 + i).slot, 3 - i);
		ck_assert_uint_eq(srpmatrix_plan_step(&plan, 16 + i).slot, i);
	}
}
END_TEST

START_TEST(a_row_s_modes_run_one_after_another)
{
	unsigned int i;

	for (i = 0; i < 24; i++) {
		ck_assert_uint_eq(srpmatrix_plan_step(&plan, i).round, i / 8);
		ck_assert_uint_eq(srpmatrix_plan_step(&plan, i).row, i / 4 % 2);
	}
}
END_TEST

START_TEST(the_last_slot_is_the_first_mode_again)
{
	ck_assert_uint_eq(srpmatrix_plan_slots(&plan), 4);
	ck_assert_uint_eq(srpmatrix_plan_mode(&plan, 0), 0);
	ck_assert_uint_eq(srpmatrix_plan_mode(&plan, 2), 2);
	ck_assert_uint_eq(srpmatrix_plan_mode(&plan, 3), 0);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("plan");

	tcase_add_test(tcase, every_slot_of_every_row_comes_once_a_round);
	tcase_add_test(tcase, every_other_round_goes_backwards);
	tcase_add_test(tcase, a_row_s_modes_run_one_after_another);
	tcase_add_test(tcase, the_last_slot_is_the_first_mode_again);
	return unit_run(tcase, "srpmatrix_plan");
}
