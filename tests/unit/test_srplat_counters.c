/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srplat_counters.h"

START_TEST(counters_count_or_say_why_not)
{
	struct srplat_counters counters;
	struct srplat_counts begin, end, sum = { 0 };
	volatile unsigned int i;

	srplat_counters_open(&counters);
	srplat_counters_read(&counters, &begin);
	for (i = 0; i < 100000; i++)
		;
	srplat_counters_read(&counters, &end);
	srplat_counts_add(&sum, &begin, &end);
	if (counters.scope) {
		ck_assert(sum.is_valid);
		ck_assert_uint_gt(sum.instructions, 100000);
		ck_assert_uint_gt(sum.cycles, 10000);
		ck_assert_ptr_nonnull(strstr(counters.scope, "user"));
	} else {
		ck_assert(!sum.is_valid);
		ck_assert_ptr_nonnull(
			strstr(counters.reason, "perf_event_open: "));
	}
	srplat_counters_close(&counters);
	ck_assert_ptr_null(counters.scope);
}
END_TEST

START_TEST(a_sum_with_a_part_missing_is_no_sum)
{
	struct srplat_counts a = { .cycles = 10, .instructions = 20,
		.is_valid = true };
	struct srplat_counts b = { .cycles = 15, .instructions = 40,
		.is_valid = true };
	struct srplat_counts none = { 0 }, sum = { 0 };

	srplat_counts_add(&sum, &a, &b);
	srplat_counts_add(&sum, &a, &b);
	ck_assert(sum.is_valid);
	ck_assert_uint_eq(sum.cycles, 10);
	ck_assert_uint_eq(sum.instructions, 40);
	srplat_counts_add(&sum, &a, &none);
	ck_assert(!sum.is_valid);
	srplat_counts_add(&sum, &a, &b);
	ck_assert(!sum.is_valid);
	/* and one that goes back is none */
	memset(&sum, 0, sizeof(sum));
	srplat_counts_add(&sum, &b, &a);
	ck_assert(!sum.is_valid);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_counters");

	tcase_add_test(tcase, counters_count_or_say_why_not);
	tcase_add_test(tcase, a_sum_with_a_part_missing_is_no_sum);
	return unit_run(tcase, "srplat_counters");
}
