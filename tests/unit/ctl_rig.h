/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A control socket and its peers in one thread: the peers' sockets do not
 * block, and hearing runs the server's loop until what the test waits for is
 * there.
 */
#ifndef CTL_RIG_H
#define CTL_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/un.h>

#include "srpd/ctl_server.h"

struct ctl_rig {
	struct loop loop;
	struct ctl_server *server;
	struct sockaddr_un addr;
	char folder[64];
};

/* The fixture; no server yet. */
void ctl_rig_init(struct ctl_rig *rig);
void ctl_rig_fini(struct ctl_rig *rig);
/* @attr without its loop and listen_fd. */
void ctl_rig_serve(struct ctl_rig *rig, struct ctl_server_attr *attr);

int ctl_rig_join(const struct ctl_rig *rig);
void ctl_rig_say(int fd, const char *text);
/* The next of what comes, or "" at the end of the connection. */
size_t ctl_rig_hear(struct ctl_rig *rig, int fd, char *text, size_t n);
/* One whole reply; false at the end of the connection. */
bool ctl_rig_hear_line(struct ctl_rig *rig, int fd, char *text, size_t n);
/* A reply that has @what in it. */
void ctl_rig_expect(struct ctl_rig *rig, int fd, const char *what);
/* Nothing more comes; closes @fd. */
void ctl_rig_expect_end(struct ctl_rig *rig, int fd);

#endif /* CTL_RIG_H */
