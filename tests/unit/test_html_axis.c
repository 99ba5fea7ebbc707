/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "tools/html_axis.h"
#include "util/compiler.h"

static struct html_axis axis;

/* What must hold whatever the data. */
static void
expect_sound(void)
{
	unsigned int i;

	ck_assert(isfinite(axis.low) && isfinite(axis.high));
	ck_assert_double_lt(axis.low, axis.high);
	ck_assert_uint_ge(axis.nr_ticks, 1);
	ck_assert_uint_le(axis.nr_ticks, HTML_MAX_TICKS);
	for (i = 0; i < axis.nr_ticks; i++) {
		ck_assert_double_ge(
			axis.ticks[i], axis.low - fabs(axis.low) * 1e-6);
		ck_assert_double_le(axis.ticks[i], axis.high * 1.000001);
		if (i)
			ck_assert_double_gt(axis.ticks[i], axis.ticks[i - 1]);
	}
}

START_TEST(linear_ticks_are_at_round_values)
{
	html_axis_init_linear(&axis, 0, 122688, 4);
	expect_sound();
	ck_assert_double_eq_tol(axis.high, 150000, 1e-6);
	ck_assert_uint_eq(axis.nr_ticks, 4);
	ck_assert_double_eq_tol(axis.ticks[1], 50000, 1e-6);

	html_axis_init_linear(&axis, 0.87, 1.13, 4);
	expect_sound();
	ck_assert_double_eq_tol(axis.low, 0.8, 1e-9);
	ck_assert_double_eq_tol(axis.high, 1.2, 1e-9);
}
END_TEST

START_TEST(an_end_that_is_round_is_the_end)
{
	html_axis_init_linear(&axis, 0, 100, 4);
	ck_assert_double_eq_tol(axis.high, 100, 1e-9);
	ck_assert_uint_eq(axis.nr_ticks, 3);
	html_axis_init_linear(&axis, 0, 100.5, 5);
	ck_assert_double_eq_tol(axis.high, 150, 1e-9);
}
END_TEST

START_TEST(log_ticks_are_fine_where_there_is_room)
{
	axis.unit = HTML_NS;
	html_axis_init_log(&axis, 12000, 230000, 6);
	expect_sound();
	ck_assert_double_eq_tol(axis.low, 10000, 1e-3);
	ck_assert_double_eq_tol(axis.high, 500000, 1e-3);
	ck_assert_uint_eq(axis.nr_ticks, 6); /* 10 20 50 100 200 500 us */

	html_axis_init_log(&axis, 12000, 23e6, 6);
	expect_sound();
	ck_assert_uint_eq(axis.nr_ticks, 4); /* 10 us to 10 ms */
}
END_TEST

START_TEST(any_ends_make_a_sound_axis)
{
	static const double values[] = { NAN, INFINITY, -INFINITY, -1, 0, 1e-30,
		1e-6, 0.5, 1, 1.0000001, 3, 1e9, 1e18, 1e300 };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		for (j = 0; j < ARRAY_SIZE(values); j++) {
			html_axis_init_linear(&axis, values[i], values[j], 4);
			expect_sound();
			html_axis_init_log(&axis, values[i], values[j], 6);
			expect_sound();
		}
}
END_TEST

START_TEST(a_value_lies_between_the_ends)
{
	html_axis_init_linear(&axis, 0, 100, 5);
	ck_assert_double_eq_tol(html_axis_at(&axis, 25), 0.25, 1e-12);
	ck_assert_double_eq(html_axis_at(&axis, -5), 0);
	ck_assert_double_eq(html_axis_at(&axis, 500), 1);
	ck_assert_double_eq(html_axis_at(&axis, NAN), 0);
	html_axis_init_log(&axis, 10, 1000, 6);
	ck_assert_double_eq_tol(html_axis_at(&axis, 100), 0.5, 1e-12);
	ck_assert_double_eq(html_axis_at(&axis, 0), 0);
}
END_TEST

START_TEST(labels_are_those_of_the_ticks)
{
	char text[HTML_NUM_BYTES];

	axis.unit = HTML_IOPS;
	html_axis_init_linear(&axis, 0, 122688, 4);
	html_axis_label(&axis, 2, text);
	ck_assert_str_eq(text, "100 k");
	axis.unit = HTML_NS;
	html_axis_init_log(&axis, 500, 2e6, 20);
	html_axis_label(&axis, 0, text);
	ck_assert_str_eq(text, "500 ns");
	html_axis_label(&axis, 1, text);
	ck_assert_str_eq(text, "1 µs");
}
END_TEST

START_TEST(labels_that_collide_are_moved_apart)
{
	const double bounds[] = { 0, 100 };
	double at[] = { 50, 52, 51, 99, 98 };
	unsigned int i, j;

	html_axis_spread(at, 5, 10, bounds);
	for (i = 0; i < 5; i++) {
		ck_assert_double_ge(at[i], 0);
		ck_assert_double_le(at[i], 100);
		for (j = 0; j < i; j++)
			ck_assert_double_ge(fabs(at[i] - at[j]), 10 - 1e-9);
	}
	/* their order stays */
	ck_assert(at[0] < at[2] && at[2] < at[1] && at[1] < at[4] &&
		at[4] < at[3]);
}
END_TEST

START_TEST(labels_that_do_not_collide_stay)
{
	const double bounds[] = { 0, 100 };
	double at[] = { 80, 20 };

	html_axis_spread(at, 2, 10, bounds);
	ck_assert_double_eq(at[0], 80);
	ck_assert_double_eq(at[1], 20);
	html_axis_spread(at, 0, 10, bounds);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("html_axis");

	tcase_add_test(tcase, linear_ticks_are_at_round_values);
	tcase_add_test(tcase, an_end_that_is_round_is_the_end);
	tcase_add_test(tcase, log_ticks_are_fine_where_there_is_room);
	tcase_add_test(tcase, any_ends_make_a_sound_axis);
	tcase_add_test(tcase, a_value_lies_between_the_ends);
	tcase_add_test(tcase, labels_are_those_of_the_ticks);
	tcase_add_test(tcase, labels_that_collide_are_moved_apart);
	tcase_add_test(tcase, labels_that_do_not_collide_stay);
	return unit_run(tcase, "html_axis");
}
