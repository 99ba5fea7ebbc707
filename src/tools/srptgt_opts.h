/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The command line of srptgt, as a struct target_attr. The texts stay the
 * caller's argv, which is cut in place.
 */
#ifndef SRPTGT_OPTS_H
#define SRPTGT_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "target/target.h"

/* As of all programs of the project */
enum srptgt_exit {
	SRPTGT_EXIT_DONE = 0,
	SRPTGT_EXIT_USAGE = 1,	     /* unknown option */
	SRPTGT_EXIT_BAD_VALUE = 2,   /* value of an option */
	SRPTGT_EXIT_UNREACHABLE = 3, /* no device, address not here */
	SRPTGT_EXIT_IO_ERROR = 5,    /* writing the results */
};

struct srptgt_opts {
	struct target_attr attr; /* without its fabric */
	struct target_faults faults;
	bool has_faults;
	struct sockaddr_storage addr;
	const char *listen; /* as given, without the port */
	const char *fabric;
	const char *control; /* path of the socket; NULL: none */
	struct target_lun_attr luns[TARGET_MAX_LUNS];
	int cpu;
	unsigned int stats_seconds; /* 0 = only at the end */
	bool wants_json, wants_help, wants_version;
};

/* 0, or enum srptgt_exit with one sentence in @reason. */
int srptgt_opts_parse(struct srptgt_opts *opts, int argc, char **argv,
	char *reason, size_t n);
/* N=null|ram|PATH[,WORD...]; the same. @text stays lun->backend's memory. */
int srptgt_opts_parse_lun(
	char *text, struct target_lun_attr *lun, char *reason, size_t n);
const char *srptgt_opts_help(void);

#endif /* SRPTGT_OPTS_H */
