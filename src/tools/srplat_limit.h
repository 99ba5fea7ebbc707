/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* threshold=: what a latency may be at most. */
#ifndef SRPLAT_LIMIT_H
#define SRPLAT_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#define SRPLAT_MAX_LIMITS 8

struct srplat_run;

enum srplat_stat { SRPLAT_STAT_PERCENT, SRPLAT_STAT_MEAN, SRPLAT_STAT_MAX };

struct srplat_limit {
	enum srplat_stat stat;
	double percent;
	uint64_t most_ns;
	char name[16]; /* "p99" */
};

struct srplat_limits {
	unsigned int nr;
	struct srplat_limit limits[SRPLAT_MAX_LIMITS];
};

/*
 * "p99:200us,mean:50us,max:1ms"; adds to what is there. 0 or -EINVAL, -ERANGE
 * and a sentence.
 */
int srplat_limits_parse(const char *text, struct srplat_limits *limits,
	char *reason, size_t n);

/*
 * Is every mode that was run within them? By response time where there is
 * one. 0, or SRPLAT_EXIT_LIMIT and a sentence that names modes and values.
 */
int srplat_limits_check(const struct srplat_limits *limits,
	const struct srplat_run *run, char *reason, size_t n);

#endif /* SRPLAT_LIMIT_H */
