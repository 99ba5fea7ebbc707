/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long an rport's own operations on each logical unit took, and how many
 * failed. A unit that is gone keeps its figures, as a counter must not fall.
 *
 *	table ── all[] by number:  0    1    7   ...
 *	                          open open open      a histogram each
 *	                          reset ...
 *
 * No lock of its own: whoever holds a table has one.
 */
#ifndef SRPD_LUN_LATENCY_H
#define SRPD_LUN_LATENCY_H

#include <stdbool.h>

#include "srpd/latency.h"

enum lun_op {
	LUN_OPEN,  /* INQUIRY, READ CAPACITY, limits, mode pages */
	LUN_RESET, /* LUN RESET */
	LUN_NR_OPS
};
/* "open", "reset" */
const char *lun_op_name(enum lun_op op);

struct lun_latency {
	uint64_t number;
	struct latency latency[LUN_NR_OPS]; /* of those that succeeded */
	uint64_t failures[LUN_NR_OPS];
};

struct lun_latencies {
	struct lun_latency *all;
	unsigned int nr;
};

/* Without memory for another unit the figure is lost. */
void lun_latency_record(struct lun_latencies *table, uint64_t number,
	enum lun_op op, uint64_t ns);
void lun_latency_fail(
	struct lun_latencies *table, uint64_t number, enum lun_op op);
void lun_latency_fini(struct lun_latencies *table);

#endif /* SRPD_LUN_LATENCY_H */
