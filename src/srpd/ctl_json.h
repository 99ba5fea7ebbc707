/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the control socket tells of srpd, of its targets, their LUNs. */
#ifndef SRPD_CTL_JSON_H
#define SRPD_CTL_JSON_H

#include <jansson.h>

#include "srpd/ctl_cmds.h"

/* New objects; NULL without memory. @now_ns is clock_ns(). */
json_t *ctl_json_srpd(const struct ctl_cmds *cmds, uint64_t now_ns);
/* State and connection. */
json_t *ctl_json_status(struct rport *rport, uint64_t now_ns);
/* Name and state, and its LUNs. */
json_t *ctl_json_luns(struct rport *rport, uint64_t now_ns);
/* Name and state, counters and latencies. */
json_t *ctl_json_stats(struct rport *rport, uint64_t now_ns);

#endif /* SRPD_CTL_JSON_H */
