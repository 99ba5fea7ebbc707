/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What adaptive is for: wherever inline is better it should be as good, and
 * wherever poll is, as that, and never cost more CPU than poll. Judged where
 * a matrix has the three.
 */
#ifndef SRPMATRIX_CLAIM_H
#define SRPMATRIX_CLAIM_H

#include <stdbool.h>

#include "tools/srpmatrix_run.h"

/* No interval may lie wholly below this, nor the mean over the rows. */
#define SRPMATRIX_CLAIM_FLOOR 0.97

struct srpmatrix_claim {
	bool is_known;		      /* the three were measured */
	const char *better;	      /* of inline and poll, by median IOPS */
	struct srpmatrix_ratio iops;  /* adaptive to that, paired by round */
	struct srpmatrix_ratio cpu;   /* CPU per I/O, adaptive to poll */
};

void srpmatrix_claim_init(struct srpmatrix_claim *claim,
	const struct srpmatrix_run *run, unsigned int row);

struct srpmatrix_claims {
	unsigned int nr_rows;	     /* that are known */
	unsigned int nr_below;	     /* whose interval is below the floor */
	unsigned int nr_above_poll;  /* that surely cost more CPU than poll */
	unsigned int lowest;	     /* the row with the lowest estimate */
	struct srpmatrix_ratio iops; /* geometric mean over the rows, paired
					by round */
};

void srpmatrix_claims_init(struct srpmatrix_claims *claims,
	const struct srpmatrix_run *run);

#endif /* SRPMATRIX_CLAIM_H */
