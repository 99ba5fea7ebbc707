/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The command line of srpctl: its options, then a command of ctl_table with
 * its operands.
 */
#ifndef SRPCTL_OPTS_H
#define SRPCTL_OPTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ctl/ctl_msg.h"
#include "ctl/ctl_table.h"

struct srpctl_opts {
	const char *socket;
	uint64_t timeout_ns;  /* the command's own unless given */
	uint64_t interval_ns; /* top */
	uint64_t count;	      /* top: so many times; 0: until ended */
	bool wants_json, wants_help, wants_version;
	const struct ctl_command *command;
	json_t *args; /* of the request */
};

/* CTL_DONE, or the exit status and a sentence. The texts stay argv's. */
enum ctl_code srpctl_opts_parse(struct srpctl_opts *opts, int argc, char **argv,
	char *reason, size_t n);
void srpctl_opts_fini(struct srpctl_opts *opts);
/* From the table of options and ctl_table. */
void srpctl_opts_help(FILE *out);

#endif /* SRPCTL_OPTS_H */
