/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpd from its start to its end: the main loop, signals, and when it is
 * ready. All of it is one thread's; the rports have theirs.
 *
 *	starting ── every required target ready ──> ready     sd_notify READY
 *	   │                                          │
 *	   └─ start_timeout: exit 3, 4 ─> stopping <──┘ TERM, INT
 */
#ifndef SRPD_DAEMON_H
#define SRPD_DAEMON_H

#include <stdbool.h>

#include "srpd/conf.h"
#include "srpd/ctl_cmds.h"
#include "srpd/instance.h"
#include "srpd/metrics.h"
#include "srpd/rport.h"
#include "util/loop.h"

struct daemon {
	struct loop loop;
	const char *file;  /* read again on SIGHUP */
	struct conf *conf; /* the daemon's */
	struct instance instance;
	struct rports *rports;
	struct ctl_cmds cmds;
	struct ctl_server *ctl; /* has instance's listen_fd */
	struct metrics *metrics; /* NULL: off */
	int signal_fd;
	struct loop_fd signals;
	struct loop_timer start_limit, stop_limit, flush;
	bool has_started, is_ready, is_stopping;
	unsigned int nr_reloads;
	int status; /* to exit with */
};

/*
 * Runs until a signal ends it; takes @conf. The status to exit with. With
 * *@has_threads threads still wait for targets' answers: only _exit() is
 * left.
 */
int daemon_run(const char *file, struct conf *conf, bool *has_threads);

#endif /* SRPD_DAEMON_H */
