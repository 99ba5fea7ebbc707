/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpd/lun_latency.h"
#include "util/clock.h"
#include "util/compiler.h"

/* In whatever order units come: sorted, each once, its figures its own. */
START_TEST(units_are_kept_by_number)
{
	static const uint64_t order[] = { 7, 0, 16383, 3, 8, 1, 7, 3, 5 };
	struct lun_latencies table = { 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		lun_latency_record(&table, order[i], LUN_OPEN,
			order[i] * CLOCK_NS_PER_USEC);
	ck_assert_uint_eq(table.nr, 7);
	for (i = 1; i < table.nr; i++)
		ck_assert_uint_lt(table.all[i - 1].number, table.all[i].number);
	ck_assert_uint_eq(table.all[2].number, 3);
	ck_assert_uint_eq(latency_count(&table.all[2].latency[LUN_OPEN]), 2);
	ck_assert_uint_eq(table.all[2].latency[LUN_OPEN].sum_ns, 6000);
	ck_assert_uint_eq(latency_count(&table.all[2].latency[LUN_RESET]), 0);
	lun_latency_fini(&table);
	ck_assert_uint_eq(table.nr, 0);
}
END_TEST

START_TEST(failures_are_counted_beside)
{
	struct lun_latencies table = { 0 };

	lun_latency_fail(&table, 4, LUN_RESET);
	lun_latency_record(&table, 4, LUN_RESET, 1);
	lun_latency_fail(&table, 4, LUN_RESET);
	ck_assert_uint_eq(table.nr, 1);
	ck_assert_uint_eq(table.all[0].failures[LUN_RESET], 2);
	ck_assert_uint_eq(table.all[0].failures[LUN_OPEN], 0);
	ck_assert_uint_eq(latency_count(&table.all[0].latency[LUN_RESET]), 1);
	ck_assert_str_eq(lun_op_name(LUN_RESET), "reset");
	lun_latency_fini(&table);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("lun_latency");

	tcase_add_test(tcase, units_are_kept_by_number);
	tcase_add_test(tcase, failures_are_counted_beside);
	return unit_run(tcase, "lun_latency");
}
