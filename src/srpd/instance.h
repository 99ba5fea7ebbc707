/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One srpd a control socket. SOCKET.lock is held (flock) by the one that owns
 * SOCKET; the kernel lets go of it however that one ends, so that a socket
 * left behind by kill -9 is taken over by whoever gets the lock.
 */
#ifndef SRPD_INSTANCE_H
#define SRPD_INSTANCE_H

#include <stddef.h>
#include <sys/types.h>

struct instance {
	char path[108], lock_path[116];
	int lock_fd, listen_fd; /* -1: none */
};

/*
 * Takes the lock, clears away what a dead one left, and listens, for root and
 * srpd's own user alone, or for @gid too unless that is -1. listen_fd is
 * non-blocking; whoever takes it over sets it to -1.
 *
 *	-EADDRINUSE  another srpd, or something else, serves the socket: named
 *	-EEXIST      there is something that is no socket
 *	-EACCES ...  as open(2), bind(2)
 *
 * with a sentence.
 */
int instance_open(struct instance *instance, const char *path, gid_t gid,
	char *reason, size_t n);
/* Whoever may connect. 0 or -errno. */
int instance_set_group(struct instance *instance, gid_t gid);
/* Removes socket and lock. */
void instance_close(struct instance *instance);

#endif /* SRPD_INSTANCE_H */
