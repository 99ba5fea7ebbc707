/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/log.h"

#define MAX_LINES 64

static char lines[MAX_LINES][256];
static int nr_lines;

static void
collect(void *arg, enum log_level level, const char *component,
	const char *line)
{
	(void)arg;
	ck_assert_int_lt(nr_lines, MAX_LINES);
	snprintf(lines[nr_lines++], sizeof(lines[0]), "%s/%s/%s",
		log_level_name(level), component, line);
}

static void
setup(void)
{
	nr_lines = 0;
	log_set_sink(collect, NULL);
}

static void
complain(const char *what, int value)
{
	log_warn("unit", "%s %d", what, value);
}

START_TEST(a_line_carries_level_component_and_text)
{
	log_error("core", "tag %d is unknown", 7);
	ck_assert_int_eq(nr_lines, 1);
	ck_assert_str_eq(lines[0], "error/core/tag 7 is unknown");
}
END_TEST

START_TEST(lines_above_the_level_are_dropped)
{
	log_debug("unit", "hidden");
	ck_assert_int_eq(nr_lines, 0);
	log_set_level(LOG_LEVEL_DEBUG);
	log_debug("unit", "shown");
	ck_assert_int_eq(nr_lines, 1);
	log_set_level(LOG_LEVEL_ERROR);
	ck_assert_int_eq(log_get_level(), LOG_LEVEL_ERROR);
	log_warn("unit", "hidden");
	ck_assert_int_eq(nr_lines, 1);
}
END_TEST

START_TEST(the_same_text_again_is_counted_not_printed)
{
	int i;

	for (i = 0; i < 100; i++)
		complain("same", 1);
	ck_assert_int_eq(nr_lines, 1);
	complain("other", 2);
	ck_assert_int_eq(nr_lines, 2);
	ck_assert_str_eq(
		lines[1], "warning/unit/other 2 (repeated 99 times)");
}
END_TEST

START_TEST(different_texts_of_one_site_are_limited_by_the_burst)
{
	int i;

	for (i = 0; i < 1000; i++)
		complain("value", i);
	ck_assert_int_eq(nr_lines, LOG_BURST);
	log_flush();
	ck_assert_int_eq(nr_lines, LOG_BURST + 1);
	ck_assert_str_eq(lines[LOG_BURST],
		"warning/unit/last message repeated 984 times");
	log_flush();
	ck_assert_int_eq(nr_lines, LOG_BURST + 1);
}
END_TEST

START_TEST(sites_are_limited_each_by_itself)
{
	complain("same", 1);
	complain("same", 1);
	log_warn("unit", "same 1");
	ck_assert_int_eq(nr_lines, 2);
}
END_TEST

START_TEST(text_from_outside_stays_on_one_printable_line)
{
	log_info("unit", "a\nb\tc\033[1m");
	ck_assert_str_eq(lines[0], "info/unit/a b c [1m");
}
END_TEST

START_TEST(level_names_are_read_back)
{
	ck_assert_int_eq(log_level_parse("error"), LOG_LEVEL_ERROR);
	ck_assert_int_eq(log_level_parse("warn"), LOG_LEVEL_WARN);
	ck_assert_int_eq(log_level_parse("warning"), LOG_LEVEL_WARN);
	ck_assert_int_eq(log_level_parse("debug"), LOG_LEVEL_DEBUG);
	ck_assert_int_eq(log_level_parse("loud"), -EINVAL);
}
END_TEST

START_TEST(without_a_sink_lines_go_to_stderr)
{
	char text[128] = "";
	FILE *old = stderr, *f = fmemopen(text, sizeof(text), "w");

	log_set_sink(NULL, NULL);
	stderr = f;
	log_warn("core", "careful");
	log_info("core", "well");
	fflush(f);
	stderr = old;
	fclose(f);
	ck_assert_str_eq(text, "core: warning: careful\ncore: well\n");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("log");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_line_carries_level_component_and_text);
	tcase_add_test(tcase, lines_above_the_level_are_dropped);
	tcase_add_test(tcase, the_same_text_again_is_counted_not_printed);
	tcase_add_test(
		tcase, different_texts_of_one_site_are_limited_by_the_burst);
	tcase_add_test(tcase, sites_are_limited_each_by_itself);
	tcase_add_test(tcase, text_from_outside_stays_on_one_printable_line);
	tcase_add_test(tcase, level_names_are_read_back);
	tcase_add_test(tcase, without_a_sink_lines_go_to_stderr);
	return unit_run(tcase, "log");
}
