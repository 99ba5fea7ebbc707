/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of srpd. */
#ifndef SRPD_OPTS_H
#define SRPD_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As of all programs of the project */
enum srpd_exit {
	SRPD_EXIT_DONE = 0,
	SRPD_EXIT_USAGE = 1,
	SRPD_EXIT_BAD_VALUE = 2,   /* in the ini file */
	SRPD_EXIT_UNREACHABLE = 3, /* a required target, the socket */
	SRPD_EXIT_REFUSED = 4,	   /* by a required target */
	SRPD_EXIT_IO_ERROR = 5,	   /* writing what was asked for */
};

struct opts {
	const char *file;
	bool must_check, must_dump, wants_help, wants_version;
};

/* 0, or enum srpd_exit with one sentence in @reason. */
int opts_parse(
	struct opts *opts, int argc, char **argv, char *reason, size_t n);
void opts_print_help(FILE *out);

#endif /* SRPD_OPTS_H */
