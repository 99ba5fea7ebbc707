/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The control socket: connections, who may, requests in and replies out. What
 * a command does is the handler's (ctl_cmds).
 *
 *	ctl_server ── ctl_conn ── ctl_call     a request not yet answered
 *	    │             └────── ctl_call     at most CTL_MAX_CALLS
 *	    └──────── ctl_conn                 at most CTL_MAX_CONNECTIONS
 *
 * All on the main loop's thread; nothing blocks. A peer that does not behave
 * loses its connection and disturbs nobody: a line over its length, a line
 * that is not finished, replies that are not taken within the patience.
 */
#ifndef SRPD_CTL_SERVER_H
#define SRPD_CTL_SERVER_H

#include <sys/types.h>

#include "ctl/ctl_msg.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/loop.h"

#define CTL_MAX_CONNECTIONS 64
#define CTL_MAX_CALLS 32
#define CTL_PATIENCE_NS (5 * CLOCK_NS_PER_SEC)

struct ctl_call;
struct ctl_server;

/*
 * Called with each sound request, which ctl_call_done() or ctl_call_fail()
 * must answer: at once or later, once.
 */
typedef void (*ctl_request_fn)(void *arg, struct ctl_call *call);

struct ctl_server_attr {
	struct loop *loop;
	int listen_fd; /* non-blocking; the server's from then on */
	const char *group; /* besides root and srpd's own user; or NULL */
	gid_t gid;
	uint64_t patience_ns; /* 0: CTL_PATIENCE_NS */
	ctl_request_fn on_request;
	void *arg;
};

/* 0 or -errno; listen_fd is then still the caller's. */
int ctl_server_create(
	const struct ctl_server_attr *attr, struct ctl_server **server);
/*
 * Whoever waits for an answer is told that srpd ends. Their calls stay valid
 * until they are answered, to nobody. NULL is allowed.
 */
void ctl_server_destroy(struct ctl_server *server);
/* For connections to come. NULL: no group. */
void ctl_server_set_group(
	struct ctl_server *server, const char *group, gid_t gid);

struct ctl_server_stats {
	uint64_t connections; /* taken so far */
	uint64_t denied;      /* not allowed */
	uint64_t over_limit;  /* too many at once */
	uint64_t dropped;     /* misbehaved */
	uint64_t requests, bad_requests;
	uint64_t nr_open; /* now */
};
/* Any thread. */
void ctl_server_stats(
	const struct ctl_server *server, struct ctl_server_stats *stats);

const char *ctl_call_cmd(const struct ctl_call *call);
json_t *ctl_call_args(const struct ctl_call *call);
uid_t ctl_call_uid(const struct ctl_call *call);
pid_t ctl_call_pid(const struct ctl_call *call);
/* Takes @result; NULL stands for one that memory did not suffice for. */
void ctl_call_done(struct ctl_call *call, json_t *result);
void ctl_call_fail(struct ctl_call *call, enum ctl_code code,
	const char *format, ...) __printf(3, 4);

#endif /* SRPD_CTL_SERVER_H */
