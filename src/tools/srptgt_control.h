/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srptgt's control socket: LUNs that change while it serves. A line is a
 * request, its answer ends with a line that begins with "ok" or "error: ".
 *
 *	control -> listening socket
 *	        -> client[] -> lines received, half an answer
 *
 * Everything on the thread that runs the loop. A client that does not read its
 * answers is dropped.
 */
#ifndef SRPTGT_CONTROL_H
#define SRPTGT_CONTROL_H

#include <stddef.h>

struct loop;
struct srptgt_control;
struct target;

#define SRPTGT_CONTROL_ANSWER 65536

/*
 * Listens at @path, for this user alone; a socket that nobody serves any more
 * is replaced. 0 or -errno with one sentence in @reason.
 */
int srptgt_control_open(const char *path, struct target *target,
	struct loop *loop, struct srptgt_control **control, char *reason,
	size_t n);
/* NULL is allowed. */
void srptgt_control_close(struct srptgt_control *control);

/* Carries out one request, which is cut in place; the whole answer. */
void srptgt_control_do(struct target *target, char *line, char *answer,
	size_t n);

#endif /* SRPTGT_CONTROL_H */
