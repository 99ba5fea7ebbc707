/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What was published in 2010 of the kernel's initiator, completions taken in
 * interrupt context (thread=n) or by a thread (thread=y): fio, read,
 * unbuffered, one command a job. Another machine's numbers: it is the ratio of
 * the two that a run is laid beside.
 */
#ifndef SRPMATRIX_PUBLISHED_H
#define SRPMATRIX_PUBLISHED_H

#include <stdint.h>

struct srpmatrix_published {
	uint64_t bs;
	unsigned int jobs;
	double before; /* IOPS, before the patch */
	double thread_n;
	double thread_y;
};

#define SRPMATRIX_NR_PUBLISHED 8
extern const struct srpmatrix_published
	srpmatrix_published[SRPMATRIX_NR_PUBLISHED];

/* NULL: not among them. */
const struct srpmatrix_published *srpmatrix_published_find(
	uint64_t bs, unsigned int jobs);

#endif /* SRPMATRIX_PUBLISHED_H */
