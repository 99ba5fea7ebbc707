/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <math.h>

#include "tools/html_num.h"
#include "util/compiler.h"

static char text[HTML_NUM_BYTES];

/* A number, and how it is to be written. */
struct row {
	enum html_unit unit;
	double value;
	const char *wanted;
};

static void
expect_rows(const struct row *rows, size_t nr,
	void (*format)(char *at, enum html_unit unit, double value))
{
	size_t i;

	for (i = 0; i < nr; i++) {
		format(text, rows[i].unit, rows[i].value);
		ck_assert_str_eq(text, rows[i].wanted);
	}
}

START_TEST(three_digits_count)
{
	static const struct row rows[] = {
		{ HTML_IOPS, 0, "0" },
		{ HTML_IOPS, 7, "7" },
		{ HTML_IOPS, 870, "870" },
		{ HTML_IOPS, 999.7, "1.00 k" },
		{ HTML_IOPS, 3619, "3.62 k" },
		{ HTML_IOPS, 26069.9, "26.1 k" },
		{ HTML_IOPS, 122688, "123 k" },
		{ HTML_IOPS, 1.2e6, "1.20 M" },
		{ HTML_COUNT, 1.365, "1.36" },
		{ HTML_NS, 36, "36 ns" },
		{ HTML_NS, 999.6, "1.00 µs" },
		{ HTML_NS, 36767, "36.8 µs" },
		{ HTML_NS, 2906111, "2.91 ms" },
		{ HTML_NS, 1.5e9, "1.50 s" },
		{ HTML_NS, 7.2e12, "7200 s" },
		{ HTML_RATIO, 0.934, "0.93" },
		{ HTML_RATIO, 1, "1.00" },
		{ HTML_RATIO, 12.34, "12.3" },
		{ HTML_NS, NAN, "–" },
		{ HTML_IOPS, INFINITY, "–" },
	};

	expect_rows(rows, ARRAY_SIZE(rows), html_num_short);
}
END_TEST

START_TEST(tables_have_all_digits_in_groups)
{
	static const struct row rows[] = {
		{ HTML_IOPS, 0, "0" },
		{ HTML_IOPS, 999, "999" },
		{ HTML_IOPS, 1000, "1,000" },
		{ HTML_IOPS, 122688.4, "122,688" },
		{ HTML_IOPS, 1234567, "1,234,567" },
		{ HTML_NS, 36767, "36.77" },
		{ HTML_NS, 2906111, "2,906.11" },
		{ HTML_RATIO, 1.0344, "1.034" },
		{ HTML_COUNT, 2.5, "2.50" },
		{ HTML_COUNT, NAN, "–" },
		{ HTML_COUNT, 1e18, "1,000,000,000,000,000,000" },
	};

	expect_rows(rows, ARRAY_SIZE(rows), html_num_exact);
}
END_TEST

START_TEST(sizes_are_in_powers_of_two_where_they_are)
{
	static const struct {
		double bytes;
		const char *wanted;
	} rows[] = {
		{ 0, "0 B" },
		{ 512, "512 B" },
		{ 520, "520 B" },
		{ 4096, "4 KiB" },
		{ 65536, "64 KiB" },
		{ 4160, "4160 B" },
		{ 25276059648, "23.5 GiB" },
		{ 1048576, "1 MiB" },
		{ NAN, "–" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		html_num_bytes(text, rows[i].bytes);
		ck_assert_str_eq(text, rows[i].wanted);
	}
}
END_TEST

START_TEST(labels_of_an_axis_share_unit_and_decimals)
{
	struct html_num_scale scale = html_num_scale(HTML_IOPS, 150000, 50000);

	html_num_label(text, &scale, 50000);
	ck_assert_str_eq(text, "50 k");
	html_num_label(text, &scale, 0);
	ck_assert_str_eq(text, "0");
	scale = html_num_scale(HTML_NS, 2e6, 5e5);
	html_num_label(text, &scale, 5e5);
	ck_assert_str_eq(text, "0.5 ms");
	html_num_label(text, &scale, 2e6);
	ck_assert_str_eq(text, "2.0 ms");
	scale = html_num_scale(HTML_RATIO, 1.1, 0.05);
	html_num_label(text, &scale, 0.95);
	ck_assert_str_eq(text, "0.95");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("html_num");

	tcase_add_test(tcase, three_digits_count);
	tcase_add_test(tcase, tables_have_all_digits_in_groups);
	tcase_add_test(tcase, sizes_are_in_powers_of_two_where_they_are);
	tcase_add_test(tcase, labels_of_an_axis_share_unit_and_decimals);
	return unit_run(tcase, "html_num");
}
