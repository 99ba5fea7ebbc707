/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srpctl_opts.h"
#include "util/clock.h"
#include "util/compiler.h"

static struct srpctl_opts opts;
static char reason[256];

static enum ctl_code
parse(char *const *words)
{
	char *argv[16] = { (char *)"srpctl" };
	int argc = 1;

	for (; *words; words++)
		argv[argc++] = *words;
	reason[0] = '\0';
	return srpctl_opts_parse(&opts, argc, argv, reason, sizeof(reason));
}

static void
teardown(void)
{
	srpctl_opts_fini(&opts);
}

START_TEST(a_line_is_options_a_command_and_operands)
{
	char *words[] = { (char *)"--socket", (char *)"/x/y",
		(char *)"--timeout=2.5", (char *)"reset", (char *)"a",
		(char *)"3", (char *)"--json", NULL };

	ck_assert_int_eq(parse(words), CTL_DONE);
	ck_assert_str_eq(opts.socket, "/x/y");
	ck_assert_uint_eq(opts.timeout_ns, 2500 * CLOCK_NS_PER_MSEC);
	ck_assert(opts.wants_json);
	ck_assert_str_eq(opts.command->name, "reset");
	ck_assert_int_eq(
		json_integer_value(json_object_get(opts.args, "lun")), 3);
}
END_TEST

START_TEST(what_is_left_out_has_a_default)
{
	char *quick[] = { (char *)"status", NULL };
	char *slow[] = { (char *)"login", (char *)"a", NULL };
	uint64_t timeout_ns;

	ck_assert_int_eq(parse(quick), CTL_DONE);
	ck_assert_str_eq(opts.socket, CTL_DEFAULT_SOCKET);
	ck_assert_uint_eq(opts.interval_ns, CLOCK_NS_PER_SEC);
	ck_assert_uint_eq(opts.count, 0);
	ck_assert(!opts.wants_json);
	timeout_ns = opts.timeout_ns;
	ck_assert_uint_gt(timeout_ns, 0);
	srpctl_opts_fini(&opts);
	ck_assert_int_eq(parse(slow), CTL_DONE);
	ck_assert_uint_gt(opts.timeout_ns, timeout_ns);
}
END_TEST

static const struct {
	char *words[4];
	enum ctl_code code;
	const char *says;
} bad[] = {
	{ { NULL }, CTL_USAGE, "which command?" },
	{ { (char *)"stauts" }, CTL_USAGE, "did you mean status" },
	{ { (char *)"--foo", (char *)"status" }, CTL_USAGE, "--foo" },
	{ { (char *)"status", (char *)"--socket" }, CTL_USAGE,
		"a value is missing for --socket" },
	{ { (char *)"--socket=", (char *)"status" }, CTL_BAD_VALUE, "path" },
	{ { (char *)"--timeout=x", (char *)"status" }, CTL_BAD_VALUE,
		"--timeout=x is not a duration" },
	{ { (char *)"--timeout=0", (char *)"status" }, CTL_BAD_VALUE,
		"out of range" },
	{ { (char *)"--interval=2d", (char *)"top" }, CTL_BAD_VALUE,
		"--interval" },
	{ { (char *)"--count=-1", (char *)"top" }, CTL_BAD_VALUE, "--count" },
	{ { (char *)"login" }, CTL_BAD_VALUE, "srpctl login TARGET" },
	{ { (char *)"status", (char *)"x" }, CTL_BAD_VALUE, "too many" },
	{ { (char *)"reset", (char *)"a", (char *)"b" }, CTL_BAD_VALUE,
		"lun=b" },
};

START_TEST(what_is_wrong_is_said)
{
	ck_assert_int_eq(parse(bad[_i].words), bad[_i].code);
	ck_assert_msg(strstr(reason, bad[_i].says) != NULL, "%s", reason);
}
END_TEST

START_TEST(help_and_version_need_no_command)
{
	char *help[] = { (char *)"--help", NULL };
	char *version[] = { (char *)"--version", NULL };

	ck_assert_int_eq(parse(help), CTL_DONE);
	ck_assert(opts.wants_help);
	ck_assert_int_eq(parse(version), CTL_DONE);
	ck_assert(opts.wants_version);
}
END_TEST

START_TEST(help_shows_each_command_in_80_columns)
{
	const struct ctl_command *commands;
	static char text[8192];
	FILE *out = fmemopen(text, sizeof(text), "w");
	char form[64], *line;
	size_t nr, i;

	srpctl_opts_help(out);
	fclose(out);
	commands = ctl_table(&nr);
	for (i = 0; i < nr; i++) {
		ctl_command_format(&commands[i], form, sizeof(form));
		ck_assert_ptr_nonnull(strstr(text, form));
	}
	for (line = text; *line; line += strcspn(line, "\n") + 1)
		ck_assert_uint_le(strcspn(line, "\n"), 80);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srpctl_opts");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_test(tcase, a_line_is_options_a_command_and_operands);
	tcase_add_test(tcase, what_is_left_out_has_a_default);
	tcase_add_loop_test(
		tcase, what_is_wrong_is_said, 0, ARRAY_SIZE(bad));
	tcase_add_test(tcase, help_and_version_need_no_command);
	tcase_add_test(tcase, help_shows_each_command_in_80_columns);
	return unit_run(tcase, "srpctl_opts");
}
