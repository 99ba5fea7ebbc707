/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ctl/ctl_table.h"
#include "util/compiler.h"

static char reason[256];

START_TEST(every_command_is_found_by_its_name)
{
	const struct ctl_command *commands;
	size_t nr, i;

	commands = ctl_table(&nr);
	ck_assert_uint_gt(nr, 0);
	for (i = 0; i < nr; i++) {
		ck_assert_ptr_eq(ctl_table_find(commands[i].name, reason,
					 sizeof(reason)),
			&commands[i]);
		ck_assert_uint_lt(strlen(commands[i].help), 48);
		ck_assert(!commands[i].args[CTL_MAX_ARGS].type);
	}
}
END_TEST

START_TEST(an_unknown_command_names_the_nearest)
{
	ck_assert_ptr_null(ctl_table_find("stauts", reason, sizeof(reason)));
	ck_assert_ptr_nonnull(strstr(reason, "did you mean status"));
	ck_assert_ptr_null(ctl_table_find("xyzzy", reason, sizeof(reason)));
	ck_assert_ptr_null(strstr(reason, "did you mean"));
}
END_TEST

static const struct {
	const char *command;
	const char *form;
} forms[] = {
	{ "status", "status" },
	{ "luns", "luns [TARGET]" },
	{ "login", "login TARGET" },
	{ "reset", "reset TARGET [LUN]" },
	{ "set", "set KEY VALUE" },
};

static const struct ctl_command *
find(const char *name)
{
	const struct ctl_command *command =
		ctl_table_find(name, reason, sizeof(reason));

	ck_assert_ptr_nonnull(command);
	return command;
}

START_TEST(a_command_is_written_with_its_operands)
{
	char text[64], cut[8];
	int len = ctl_command_format(
		find(forms[_i].command), text, sizeof(text));

	ck_assert_str_eq(text, forms[_i].form);
	ck_assert_int_eq(len, (int)strlen(text));
	ck_assert_int_eq(ctl_command_format(find(forms[_i].command), cut,
				 sizeof(cut)),
		len);
	ck_assert_uint_lt(strlen(cut), sizeof(cut));
}
END_TEST

static const struct {
	const char *command;
	int argc;
	char *argv[3];
	const char *args; /* NULL: refused */
} lines[] = {
	{ "status", 0, { NULL }, "{}" },
	{ "status", 1, { "x" }, NULL },
	{ "luns", 0, { NULL }, "{}" },
	{ "luns", 1, { "a" }, "{\"target\":\"a\"}" },
	{ "luns", 1, { "" }, NULL },
	{ "luns", 1, { "\xff" }, NULL },
	{ "login", 0, { NULL }, NULL },
	{ "reset", 1, { "a" }, "{\"target\":\"a\"}" },
	{ "reset", 2, { "a", "7" }, "{\"target\":\"a\",\"lun\":7}" },
	{ "reset", 2, { "a", "x" }, NULL },
	{ "reset", 2, { "a", "-1" }, NULL },
	{ "reset", 2, { "a", "99999999999999999999" }, NULL },
	{ "reset", 3, { "a", "1", "2" }, NULL },
	{ "set", 1, { "log_level" }, NULL },
	{ "set", 2, { "log_level", "debug" },
		"{\"key\":\"log_level\",\"value\":\"debug\"}" },
};

START_TEST(operands_become_args)
{
	json_t *args = NULL, *expected;
	int rc;

	reason[0] = '\0';
	rc = ctl_command_parse(find(lines[_i].command), lines[_i].argc,
		lines[_i].argv, &args, reason, sizeof(reason));
	if (!lines[_i].args) {
		ck_assert_int_eq(rc, -EINVAL);
		ck_assert_str_ne(reason, "");
		return;
	}
	ck_assert_int_eq(rc, 0);
	expected = json_loads(lines[_i].args, 0, NULL);
	ck_assert(json_equal(args, expected));
	/* and what srpctl makes, srpd takes */
	ck_assert_int_eq(ctl_command_check(find(lines[_i].command), args,
				 reason, sizeof(reason)),
		0);
	json_decref(expected);
	json_decref(args);
}
END_TEST

static const struct {
	const char *command, *args, *says;
} refused[] = {
	{ "status", "{\"target\":\"a\"}", "takes no argument target" },
	{ "login", "{}", "target is missing" },
	{ "login", "{\"target\":7}", "target is not a word" },
	{ "login", "{\"target\":\"\"}", "target is not a word" },
	{ "reset", "{\"target\":\"a\",\"lun\":\"1\"}", "not a whole number" },
	{ "reset", "{\"target\":\"a\",\"lun\":-1}", "not a whole number" },
	{ "reset", "{\"target\":\"a\",\"lun\":1.5}", "not a whole number" },
	{ "reset", "{\"target\":\"a\",\"lun\":null}", "not a whole number" },
	{ "luns", "{\"target\":\"a\",\"x\":1}", "takes no argument x" },
};

START_TEST(args_that_do_not_fit_are_said)
{
	json_t *args = json_loads(refused[_i].args, 0, NULL);

	ck_assert_int_eq(ctl_command_check(find(refused[_i].command), args,
				 reason, sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, refused[_i].says));
	json_decref(args);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_table");

	tcase_add_test(tcase, every_command_is_found_by_its_name);
	tcase_add_test(tcase, an_unknown_command_names_the_nearest);
	tcase_add_loop_test(tcase, a_command_is_written_with_its_operands, 0,
		ARRAY_SIZE(forms));
	tcase_add_loop_test(tcase, operands_become_args, 0, ARRAY_SIZE(lines));
	tcase_add_loop_test(
		tcase, args_that_do_not_fit_are_said, 0, ARRAY_SIZE(refused));
	return unit_run(tcase, "ctl_table");
}
