/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The commands, once: srpd checks requests by this table, srpctl parses its
 * command line by it and prints its help from it, and a test holds the man
 * page and the shell completion against it.
 */
#ifndef CTL_TABLE_H
#define CTL_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define CTL_MAX_ARGS 2

enum ctl_arg_type {
	CTL_ARG_NONE, /* the end of a command's arguments */
	CTL_ARG_TARGET,
	CTL_ARG_LUN,  /* a number */
	CTL_ARG_WORD,
};

struct ctl_arg {
	const char *name; /* of the member of "args" */
	enum ctl_arg_type type;
	bool is_optional;
};

/* Command flags */
#define CTL_LOCAL 0x01u /* srpctl's own: never in a request */
#define CTL_SLOW  0x02u /* waits for a target */
#define CTL_READY 0x04u /* waits until the target is ready */

struct ctl_command {
	const char *name;
	struct ctl_arg args[CTL_MAX_ARGS + 1];
	unsigned int flags; /* CTL_* */
	const char *help;   /* one line */
};

const struct ctl_command *ctl_table(size_t *nr);
/* NULL, and a sentence with the nearest name, for one that is not there. */
const struct ctl_command *ctl_table_find(
	const char *name, char *reason, size_t n);

/* "reset TARGET [LUN]", as snprintf() */
int ctl_command_format(const struct ctl_command *command, char *text, size_t n);

/*
 * The operands of a command line as "args". 0 with an object in @args;
 * -EINVAL (too few or too many, not a number), -ENOMEM, with a sentence.
 */
int ctl_command_parse(const struct ctl_command *command, int argc,
	char *const *argv, json_t **args, char *reason, size_t n);

/* Whether "args" is what the command takes. 0 or -EINVAL with a sentence. */
int ctl_command_check(const struct ctl_command *command, json_t *args,
	char *reason, size_t n);

#endif /* CTL_TABLE_H */
