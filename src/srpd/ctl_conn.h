/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One connection to the control socket. What it says is not read while it
 * owes us the taking of a reply or has CTL_MAX_CALLS requests unanswered, so
 * that neither direction grows without limit.
 */
#ifndef SRPD_CTL_CONN_H
#define SRPD_CTL_CONN_H

#include <sys/socket.h>

#include "ctl/ctl_lines.h"
#include "srpd/ctl_server.h"
#include "util/list.h"

struct ctl_server {
	struct ctl_server_attr attr;
	char group[64]; /* "": none */
	struct list conns;
	struct ctl_server_stats stats; /* this thread writes, others read */
	struct loop_fd listener;
	struct loop_timer retry; /* accepting, after descriptors ran out */
};

enum ctl_conn_wait {
	CTL_WAIT_NOTHING,
	CTL_WAIT_LINE,	/* for the rest of one */
	CTL_WAIT_TAKER, /* for the peer to take what is in out */
};

struct ctl_conn {
	struct list node; /* of server->conns */
	struct ctl_server *server;
	struct ucred peer;
	struct loop_fd fd;
	uint32_t events; /* asked for now */
	struct ctl_lines in;
	char *out; /* NULL: nothing to be taken */
	size_t out_len, out_sent;
	struct list calls;
	unsigned int nr_calls;
	enum ctl_conn_wait wait;
	struct loop_timer patience;
	bool is_busy;	 /* in ctl_conn_run(), which frees it if need be */
	bool is_eof;	 /* says no more, may still listen */
	bool is_closing; /* once out is taken */
	bool is_dead;
};

/* Takes @fd, whose end @peer has; 0 or -errno, and @fd is the caller's. */
int ctl_conn_create(
	struct ctl_server *server, int fd, const struct ucred *peer);
/* Calls not answered are, with "srpd ends". */
void ctl_conn_end(struct ctl_conn *conn);

/* One line for somebody who is not let in; not waited for. */
void ctl_conn_refuse(int fd, enum ctl_code code, const char *text);

#endif /* SRPD_CTL_CONN_H */
