/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An HTTP server for GET /metrics, with a thread of its own that waits for
 * no target and not for the main loop either.
 */
#ifndef SRPD_METRICS_H
#define SRPD_METRICS_H

#include "srpd/metrics_text.h"

struct metrics;

/*
 * Listens at @where, ADDR:PORT ("[::1]:9721" too) or the path of a socket. A
 * copy of @source is kept. 0, or with a sentence
 *
 *	-EINVAL      neither of these
 *	-EADDRINUSE  another program has it
 *	-EOPNOTSUPP  built without libmicrohttpd
 *
 * and others that bind(2) has.
 */
int metrics_start(const char *where, const struct metrics_source *source,
	struct metrics **metrics, char *reason, size_t n);
/* Ends what is under way. NULL is allowed. */
void metrics_stop(struct metrics *metrics);

#endif /* SRPD_METRICS_H */
