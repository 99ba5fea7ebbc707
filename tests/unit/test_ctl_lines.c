/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ctl/ctl_lines.h"
#include "util/compiler.h"

#define MAX 4096

static struct ctl_lines lines;
static char *line;
static size_t len;

static void
setup(void)
{
	ctl_lines_init(&lines, MAX);
}

static void
teardown(void)
{
	ctl_lines_fini(&lines);
}

/* As many reads as it takes. */
static void
feed(const char *text, size_t bytes)
{
	size_t space;
	char *at;

	while (bytes) {
		at = ctl_lines_space(&lines, &space);
		ck_assert_ptr_nonnull(at);
		ck_assert_uint_gt(space, 0);
		space = min(space, bytes);
		memcpy(at, text, space);
		ctl_lines_add(&lines, space);
		text += space;
		bytes -= space;
	}
}

static void
expect_line(const char *text)
{
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 1);
	ck_assert_uint_eq(len, strlen(text));
	ck_assert_mem_eq(line, text, len);
}

START_TEST(several_lines_of_one_read_come_one_by_one)
{
	feed("one\n\nthree\nhal", 14);
	expect_line("one");
	expect_line("");
	expect_line("three");
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 0);
	ck_assert_uint_eq(ctl_lines_pending(&lines), 3);
	feed("f\n", 2);
	expect_line("half");
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 0);
}
END_TEST

START_TEST(a_line_may_come_byte_by_byte)
{
	const char *text = "{\"v\":1}\n";

	for (; text[1]; text++) {
		feed(text, 1);
		ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 0);
	}
	feed(text, 1);
	expect_line("{\"v\":1}");
}
END_TEST

START_TEST(the_longest_line_fits_and_one_byte_more_does_not)
{
	static char text[MAX + 1];

	memset(text, 'x', sizeof(text));
	text[MAX - 1] = '\n';
	feed(text, MAX);
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 1);
	ck_assert_uint_eq(len, MAX - 1);
	text[MAX - 1] = 'x';
	text[MAX] = '\n';
	feed(text, MAX + 1);
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), -EMSGSIZE);
}
END_TEST

START_TEST(a_line_without_an_end_is_told_at_its_limit)
{
	static char text[MAX];

	memset(text, 'x', sizeof(text));
	feed(text, MAX - 1);
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 0);
	feed(text, 1);
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), -EMSGSIZE);
}
END_TEST

START_TEST(memory_goes_when_all_is_taken)
{
	feed("a\n", 2);
	expect_line("a");
	ck_assert_ptr_nonnull(lines.data);
	ck_assert_int_eq(ctl_lines_next(&lines, &line, &len), 0);
	ck_assert_ptr_null(lines.data);
	ck_assert_uint_eq(lines.max, MAX);
}
END_TEST

/* Reads that end anywhere: what comes out is what went in. */
START_TEST(lines_of_many_lengths_survive_any_cut)
{
	static char text[64 * 1024];
	size_t at = 0, cut, i, nr = 0, expected = 0;

	for (i = 0; at + i % 700 + 1 < sizeof(text); i++, expected++) {
		memset(text + at, 'a' + (int)(i % 26), i % 700);
		at += i % 700;
		text[at++] = '\n';
	}
	for (i = 0, cut = 1; i < at; i += min(cut, at - i), cut = cut % 977 + 3)
		for (feed(text + i, min(cut, at - i));
			ctl_lines_next(&lines, &line, &len) == 1; nr++) {
			ck_assert_uint_eq(len, nr % 700);
			if (len)
				ck_assert_int_eq(
					line[len - 1], 'a' + (int)(nr % 26));
		}
	ck_assert_uint_eq(nr, expected);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_lines");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, several_lines_of_one_read_come_one_by_one);
	tcase_add_test(tcase, a_line_may_come_byte_by_byte);
	tcase_add_test(tcase, the_longest_line_fits_and_one_byte_more_does_not);
	tcase_add_test(tcase, a_line_without_an_end_is_told_at_its_limit);
	tcase_add_test(tcase, memory_goes_when_all_is_taken);
	tcase_add_test(tcase, lines_of_many_lengths_survive_any_cut);
	return unit_run(tcase, "ctl_lines");
}
