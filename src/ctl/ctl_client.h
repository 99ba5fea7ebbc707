/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A connection to srpd's control socket: one request at a time, each bounded
 * in time. For one thread.
 */
#ifndef CTL_CLIENT_H
#define CTL_CLIENT_H

#include <stdint.h>

#include "ctl/ctl_msg.h"

struct ctl_client;

/*
 * @timeout_ns bounds the connecting and each call.
 *
 *	-ENOENT        no socket there
 *	-ECONNREFUSED  a socket that nobody serves
 *	-EACCES        its mode lets only others connect
 *	-ETIMEDOUT     srpd takes no connection within @timeout_ns
 *
 * and others that connect(2) has, each with a sentence.
 */
int ctl_client_open(const char *path, uint64_t timeout_ns,
	struct ctl_client **client, char *reason, size_t n);
void ctl_client_close(struct ctl_client *client);

/*
 * Sends one request and takes its reply, which may be an error of srpd's: 0
 * then too, and ctl_reply_fini() is due. -ETIMEDOUT: no answer in
 * @timeout_ns; -ECONNRESET: srpd closed the connection; -EPROTO; -EMSGSIZE;
 * -ENOMEM. After an error the connection can only be closed.
 */
int ctl_client_call(struct ctl_client *client, const char *cmd,
	const json_t *args, struct ctl_reply *reply, char *reason, size_t n);

#endif /* CTL_CLIENT_H */
