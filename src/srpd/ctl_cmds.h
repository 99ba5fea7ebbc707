/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The commands of the control socket: what each answers, and what it asks an
 * rport to do. All on the main loop's thread, from snapshots.
 */
#ifndef SRPD_CTL_CMDS_H
#define SRPD_CTL_CMDS_H

#include "srpd/ctl_server.h"
#include "srpd/rport.h"

struct ctl_cmds {
	struct rports *rports;
	const char *config;  /* the ini file's path; NULL: none */
	uint64_t started_ns; /* on clock_ns() */
};

/* A ctl_request_fn; @arg is a struct ctl_cmds. */
void ctl_cmds_run(void *arg, struct ctl_call *call);

#endif /* SRPD_CTL_CMDS_H */
