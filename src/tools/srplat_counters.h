/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cycles and instructions of the calling thread, by perf_event_open(2), where
 * the machine has counters and the kernel allows it.
 */
#ifndef SRPLAT_COUNTERS_H
#define SRPLAT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srplat_counters {
	int cycles_fd; /* -1: none */
	int instructions_fd;
	const char *scope; /* "user+kernel", "user"; NULL: none */
	char reason[128];  /* and then, why */
};

struct srplat_counts {
	uint64_t cycles;
	uint64_t instructions;
	bool is_valid;
	bool is_broken; /* of a sum: a part is missing */
};

/* Always succeeds, if only with none. */
void srplat_counters_open(struct srplat_counters *counters);
void srplat_counters_close(struct srplat_counters *counters);
void srplat_counters_read(const struct srplat_counters *counters,
	struct srplat_counts *counts);
/* Adds end - begin to @sum, which is valid while all that it is of was. */
void srplat_counts_add(struct srplat_counts *sum,
	const struct srplat_counts *begin, const struct srplat_counts *end);

#endif /* SRPLAT_COUNTERS_H */
