/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Where the metrics are to be had: a listening socket of either kind. */
#ifndef SRPD_METRICS_LISTEN_H
#define SRPD_METRICS_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* A path, which begins with '/', or ADDR:PORT. */
bool metrics_listen_is_path(const char *where);

/*
 * The descriptor, non-blocking, or -errno with a sentence. A socket that a
 * dead process left is taken over; root and the owner's group may connect.
 */
int metrics_listen(const char *where, char *reason, size_t n);

#endif /* SRPD_METRICS_LISTEN_H */
