/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "ctl/ctl_table.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"
#include "util/parse.h"

#define MAX_COMMANDS 32

#define TARGET { "target", CTL_ARG_TARGET, false }
#define ANY_TARGET { "target", CTL_ARG_TARGET, true }

static const struct ctl_command commands[] = {
	{ "status", { { 0 } }, 0, "srpd itself, and how each target is" },
	{ "targets", { ANY_TARGET }, 0, "connections: channels, device, address" },
	{ "luns", { ANY_TARGET }, 0, "logical units: size, block, identity" },
	{ "stats", { ANY_TARGET }, 0, "counters since srpd started" },
	{ "login", { TARGET }, CTL_SLOW, "log in to a target that is logged out" },
	{ "logout", { TARGET }, CTL_SLOW, "end its commands, then the session" },
	{ "reconnect", { TARGET }, CTL_SLOW, "connect anew, at once" },
	{ "rescan", { TARGET }, CTL_SLOW | CTL_READY,
		"ask for its LUNs and their sizes again" },
	{ "reset", { TARGET, { "lun", CTL_ARG_LUN, true } },
		CTL_SLOW | CTL_READY,
		"LUN RESET of one LUN, or of each" },
	{ "set", { { "key", CTL_ARG_WORD, false },
		{ "value", CTL_ARG_WORD, false } }, 0,
		"log_level error, warning, info or debug" },
	{ "top", { ANY_TARGET }, CTL_LOCAL, "rates, again and again" },
	{ "version", { { 0 } }, 0, "of srpd and of the protocol" },
};

const struct ctl_command *
ctl_table(size_t *nr)
{
	*nr = ARRAY_SIZE(commands);
	return commands;
}

const struct ctl_command *
ctl_table_find(const char *name, char *reason, size_t n)
{
	const char *names[MAX_COMMANDS + 1] = { NULL }, *nearest;
	size_t i;

	static_assert(ARRAY_SIZE(commands) <= MAX_COMMANDS, "raise it");
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(name, commands[i].name))
			return &commands[i];
		names[i] = commands[i].name;
	}
	nearest = parse_nearest(name, names);
	snprintf(reason, n,
		"%.32s is not a command%s%s; srpctl --help shows all", name,
		nearest ? ": did you mean " : "", nearest ? nearest : "");
	return NULL;
}

int
ctl_command_format(const struct ctl_command *command, char *text, size_t n)
{
	const struct ctl_arg *arg = command->args;
	int len = snprintf(text, n, "%s", command->name);
	const char *c;

	for (; arg->type; arg++) {
		len += snprintf(text + min((size_t)len, n),
			n - min((size_t)len, n), arg->is_optional ? " [" : " ");
		for (c = arg->name; *c; c++)
			len += snprintf(text + min((size_t)len, n),
				n - min((size_t)len, n), "%c", *c - 'a' + 'A');
		if (arg->is_optional)
			len += snprintf(text + min((size_t)len, n),
				n - min((size_t)len, n), "]");
	}
	return len;
}

static json_t *
parse_arg(const struct ctl_arg *arg, const char *text, char *reason, size_t n)
{
	struct parse_limits limits = { .key = arg->name, .max = INT64_MAX };
	json_t *value;
	uint64_t number;

	if (arg->type == CTL_ARG_LUN)
		return parse_u64(text, &limits, &number, reason, n) ?
			NULL :
			json_integer((json_int_t)number);
	value = *text ? json_string(text) : NULL;
	if (!value)
		snprintf(reason, n, "%s is empty or not UTF-8", arg->name);
	return value;
}

/* How many operands, as in "one TARGET"; for those who gave another number. */
static int
refuse_number(const struct ctl_command *command, const char *what, char *reason,
	size_t n)
{
	char form[64];

	ctl_command_format(command, form, sizeof(form));
	snprintf(reason, n, "%s: write srpctl %s", what, form);
	return -EINVAL;
}

int
ctl_command_parse(const struct ctl_command *command, int argc,
	char *const *argv, json_t **args, char *reason, size_t n)
{
	const struct ctl_arg *arg = command->args;
	json_t *object = json_object(), *value;
	int i, rc = 0;

	for (i = 0; !rc && i < argc && arg->type; i++, arg++) {
		value = parse_arg(arg, argv[i], reason, n);
		if (!value || json_object_set_new(object, arg->name, value))
			rc = -EINVAL;
	}
	if (!rc && i < argc)
		rc = refuse_number(
			command, "one operand too many", reason, n);
	if (!rc && arg->type && !arg->is_optional)
		rc = refuse_number(command, "an operand is missing", reason, n);
	if (rc) {
		json_decref(object);
		return rc;
	}
	*args = object;
	return 0;
}

static const struct ctl_arg *
find_arg(const struct ctl_command *command, const char *name)
{
	const struct ctl_arg *arg;

	for (arg = command->args; arg->type; arg++)
		if (!strcmp(arg->name, name))
			return arg;
	return NULL;
}

static bool
is_of_type(const json_t *value, enum ctl_arg_type type)
{
	if (type == CTL_ARG_LUN)
		return json_is_integer(value) && json_integer_value(value) >= 0;
	return json_is_string(value) && json_string_length(value) > 0;
}

int
ctl_command_check(const struct ctl_command *command, json_t *args, char *reason,
	size_t n)
{
	const struct ctl_arg *arg;
	const char *name;
	json_t *value;

	json_object_foreach (args, name, value)
		if (!find_arg(command, name)) {
			snprintf(reason, n, "%s takes no argument %.32s",
				command->name, name);
			return -EINVAL;
		}
	for (arg = command->args; arg->type; arg++) {
		value = json_object_get(args, arg->name);
		if (!value && arg->is_optional)
			continue;
		if (value && is_of_type(value, arg->type))
			continue;
		snprintf(reason, n, "%s: the argument %s is %s", command->name,
			arg->name,
			!value		      ? "missing" :
			arg->type == CTL_ARG_LUN ?
						"not a whole number" :
						"not a word");
		return -EINVAL;
	}
	return 0;
}
