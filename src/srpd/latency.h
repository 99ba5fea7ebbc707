/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long operations took, in the buckets that a monitoring system reads
 * (le = "less or equal"). Small, where util/hist.h is exact: one of these is
 * kept for each operation of each target.
 *
 * One thread records; any may read meanwhile (util/counter.h).
 */
#ifndef SRPD_LATENCY_H
#define SRPD_LATENCY_H

#include <stdint.h>

/* What an rport measures of its own commands. */
enum latency_op {
	LATENCY_LOGIN,	/* srpi_open(), successful */
	LATENCY_RESCAN, /* LUN list and sizes, a few round trips */
	LATENCY_RESET,	/* LUN RESET */
	LATENCY_NR_OPS
};
/* "login", ... */
const char *latency_op_name(enum latency_op op);

/* Bounds of 10, 20 and 50 us, and so on up to 50 s; then what is above. */
#define LATENCY_NR_BOUNDS 21

struct latency {
	uint64_t sum_ns;
	/* not cumulative: the last counts what is over the last bound */
	uint64_t counts[LATENCY_NR_BOUNDS + 1];
};

uint64_t latency_bound_ns(unsigned int index);
void latency_record(struct latency *latency, uint64_t ns);
/* Takes a copy, each count a moment old. */
void latency_read(const struct latency *latency, struct latency *out);
/* Of a copy. */
uint64_t latency_count(const struct latency *latency);

#endif /* SRPD_LATENCY_H */
