/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "srpd/latency.h"
#include "util/clock.h"

static struct latency latency;

static void
setup(void)
{
	memset(&latency, 0, sizeof(latency));
}

START_TEST(bounds_rise_from_10_us_to_50_s)
{
	unsigned int i;

	ck_assert_uint_eq(latency_bound_ns(0), 10 * CLOCK_NS_PER_USEC);
	ck_assert_uint_eq(
		latency_bound_ns(LATENCY_NR_BOUNDS - 1), 50 * CLOCK_NS_PER_SEC);
	for (i = 1; i < LATENCY_NR_BOUNDS; i++)
		ck_assert_uint_gt(latency_bound_ns(i), latency_bound_ns(i - 1));
}
END_TEST

START_TEST(a_bound_belongs_to_its_bucket)
{
	struct latency copy;

	latency_record(&latency, 0);
	latency_record(&latency, 10000);
	latency_record(&latency, 10001);
	latency_record(&latency, 50 * CLOCK_NS_PER_SEC);
	latency_record(&latency, 51 * CLOCK_NS_PER_SEC);
	latency_read(&latency, &copy);
	ck_assert_uint_eq(copy.counts[0], 2);
	ck_assert_uint_eq(copy.counts[1], 1);
	ck_assert_uint_eq(copy.counts[LATENCY_NR_BOUNDS - 1], 1);
	ck_assert_uint_eq(copy.counts[LATENCY_NR_BOUNDS], 1);
	ck_assert_uint_eq(latency_count(&copy), 5);
	ck_assert_uint_eq(copy.sum_ns, 101 * CLOCK_NS_PER_SEC + 20001);
}
END_TEST

START_TEST(operations_have_names)
{
	ck_assert_str_eq(latency_op_name(LATENCY_LOGIN), "login");
	ck_assert_str_eq(latency_op_name(LATENCY_RESCAN), "rescan");
	ck_assert_str_eq(latency_op_name(LATENCY_RESET), "reset");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("latency");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, bounds_rise_from_10_us_to_50_s);
	tcase_add_test(tcase, a_bound_belongs_to_its_bucket);
	tcase_add_test(tcase, operations_have_names);
	return unit_run(tcase, "latency");
}
