/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srpctl_table.h"
#include "tools/srpctl_text.h"
#include "util/clock.h"
#include "util/compiler.h"

static char cell[SRPCTL_CELL_BYTES];

START_TEST(ages_are_short)
{
	static const struct {
		uint64_t s;
		const char *text;
	} table[] = { { 0, "0s" }, { 59, "59s" }, { 60, "1m00s" },
		{ 3599, "59m59s" }, { 3600, "1h00m" }, { 86399, "23h59m" },
		{ 86400, "1d00h" }, { 400 * 86400, "400d00h" } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		ck_assert_str_eq(srpctl_text_age(
					 table[i].s * CLOCK_NS_PER_SEC, cell),
			table[i].text);
	srpctl_text_age(UINT64_MAX, cell);
}
END_TEST

START_TEST(bytes_and_rates_are_short)
{
	ck_assert_str_eq(srpctl_text_bytes(0, cell), "0 B");
	ck_assert_str_eq(srpctl_text_bytes(1023, cell), "1023 B");
	ck_assert_str_eq(srpctl_text_bytes(1024, cell), "1.0 KiB");
	ck_assert_str_eq(srpctl_text_bytes(1u << 20, cell), "1.0 MiB");
	ck_assert_str_eq(srpctl_text_bytes((1u << 20) - 1, cell), "1.0 MiB");
	ck_assert_str_eq(srpctl_text_bytes(UINT64_MAX, cell), "16.0 EiB");
	ck_assert_str_eq(srpctl_text_rate(0, cell), "0");
	ck_assert_str_eq(srpctl_text_rate(0.3, cell), "0.3");
	ck_assert_str_eq(srpctl_text_rate(9.96, cell), "10");
	ck_assert_str_eq(srpctl_text_rate(999.4, cell), "999");
	ck_assert_str_eq(srpctl_text_rate(999.6, cell), "1.0k");
	ck_assert_str_eq(srpctl_text_rate(123456789, cell), "123M");
	ck_assert_str_eq(srpctl_text_latency(870, cell), "870ns");
	ck_assert_str_eq(srpctl_text_latency(3400000, cell), "3.4ms");
	ck_assert_str_eq(srpctl_text_latency(12e9, cell), "12s");
}
END_TEST

static char *
print(const char *text, int columns)
{
	static char out[256];
	FILE *f = fmemopen(out, sizeof(out), "w");

	srpctl_text_print(f, text, columns);
	fclose(f);
	return out;
}

START_TEST(texts_are_padded_and_cut)
{
	ck_assert_str_eq(print("abc", 5), "abc  ");
	ck_assert_str_eq(print("abc", -5), "  abc");
	ck_assert_str_eq(print("abcdef", 5), "abcd~");
	ck_assert_str_eq(print("abcdef", -5), "abcd~");
	ck_assert_str_eq(print("abcde", 5), "abcde");
	ck_assert_str_eq(print("abcdef", 0), "abcdef");
	ck_assert_str_eq(print("\u00e9\u4e2d", 4), "\u00e9\u4e2d  ");
	ck_assert_uint_eq(srpctl_text_columns("\u00e9\u4e2dx"), 3);
}
END_TEST

START_TEST(nothing_moves_the_cursor)
{
	ck_assert_str_eq(print("a\033[2Jb\rc\177d\ne", 0), "a?[2Jb?c?d?e");
	/* CSI as one character of ISO 6429 */
	ck_assert_str_eq(print("a\xc2\x9b" "2J", 0), "a?2J");
}
END_TEST

START_TEST(sentences_are_wrapped_between_words)
{
	char out[512];
	FILE *f = fmemopen(out, sizeof(out), "w");

	srpctl_text_wrap(f, "one two three four  five six seven", 2, 24);
	fclose(f);
	ck_assert_str_eq(out, "  one two three four\n  five six seven\n");
	f = fmemopen(out, sizeof(out), "w");
	srpctl_text_wrap(f, "", 2, 24);
	fputc('.', f);
	fclose(f);
	ck_assert_str_eq(out, ".");
}
END_TEST

static const struct srpctl_column columns[] = {
	{ "NAME", false, 4 },
	{ "N", true, 0 },
	{ "LAST", false, 0 },
};

static char *
table_text(int width)
{
	static char out[1024];
	FILE *f = fmemopen(out, sizeof(out), "w");
	struct srpctl_table table;

	srpctl_table_init(&table, columns, ARRAY_SIZE(columns));
	srpctl_table_add(&table, "averylongname");
	srpctl_table_add(&table, "12345");
	srpctl_table_add(&table, "x");
	srpctl_table_add(&table, "b");
	srpctl_table_add(&table, "1");
	srpctl_table_add(&table, NULL);
	ck_assert_uint_eq(srpctl_table_rows(&table), 2);
	srpctl_table_print(&table, width, f);
	srpctl_table_fini(&table);
	fclose(f);
	return out;
}

START_TEST(a_table_is_as_wide_as_it_needs)
{
	ck_assert_str_eq(table_text(80),
		"NAME               N  LAST\n"
		"averylongname  12345  x\n"
		"b                  1  -\n");
}
END_TEST

START_TEST(a_table_cuts_what_may_be_cut)
{
	ck_assert_str_eq(table_text(20),
		"NAME         N  LAST\n"
		"averyl~  12345  x\n"
		"b            1  -\n");
}
END_TEST

START_TEST(a_table_leaves_out_what_does_not_fit)
{
	ck_assert_str_eq(table_text(12),
		"NAME       N\n"
		"aver~  12345\n"
		"b          1\n");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srpctl_text");

	tcase_add_test(tcase, ages_are_short);
	tcase_add_test(tcase, bytes_and_rates_are_short);
	tcase_add_test(tcase, texts_are_padded_and_cut);
	tcase_add_test(tcase, nothing_moves_the_cursor);
	tcase_add_test(tcase, sentences_are_wrapped_between_words);
	tcase_add_test(tcase, a_table_is_as_wide_as_it_needs);
	tcase_add_test(tcase, a_table_cuts_what_may_be_cut);
	tcase_add_test(tcase, a_table_leaves_out_what_does_not_fit);
	return unit_run(tcase, "srpctl_text");
}
