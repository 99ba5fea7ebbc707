/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How much is asked of the target at once: rate= and sweep=, from text.
 *
 *	rate=10k                  10000 records a second
 *	sweep=depth:1-256         1 2 4 ... 256
 *	sweep=depth:1,2,32        these
 *	sweep=rate:10k-200k       10 points from the first to the last
 *	sweep=rate:10k-200k:20    20 points
 */
#ifndef SRPLAT_LOAD_H
#define SRPLAT_LOAD_H

#include <stddef.h>
#include <stdint.h>

#define SRPLAT_MAX_POINTS 32
#define SRPLAT_MAX_RATE UINT64_C(100000000)

enum srplat_sweep_by {
	SRPLAT_SWEEP_NONE,
	SRPLAT_SWEEP_DEPTH,
	SRPLAT_SWEEP_RATE,
};

struct srplat_sweep {
	enum srplat_sweep_by by;
	unsigned int nr;
	uint64_t points[SRPLAT_MAX_POINTS]; /* growing */
};

/* 0 or -EINVAL, -ERANGE and a sentence. */
int srplat_rate_parse(const char *text, uint64_t *rate, char *reason, size_t n);
int srplat_sweep_parse(const char *text, struct srplat_sweep *sweep,
	char *reason, size_t n);
/* "depth", "rate" */
const char *srplat_sweep_name(enum srplat_sweep_by by);

/*
 * Where it bends: the last of @nr points, by growing load, whose p99 is under
 * twice the lowest. Points of 0 were not measured. -1 when none was.
 */
int srplat_sweep_knee(const uint64_t *p99_ns, unsigned int nr);

#endif /* SRPLAT_LOAD_H */
