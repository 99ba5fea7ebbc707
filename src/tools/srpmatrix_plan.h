/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * In which order the runs are made; pure.
 *
 *	round 0	  row 0: A B C D A'   row 1: A B C D A'   ...
 *	round 1	  row 0: A' D C B A   row 1: A' D C B A   ...
 *	round 2	  as round 0
 *
 * A to D are the modes, A' is the first one again. A drift of the machine
 * within a round meets every mode from both sides (ABBA); the modes of a row
 * that are compared with each other ran within one round, one after another;
 * and a disturbance that lasts longer hits one round of many rows, not all
 * rounds of one. A and A' are alike: what differs between them is noise.
 */
#ifndef SRPMATRIX_PLAN_H
#define SRPMATRIX_PLAN_H

struct srpmatrix_plan {
	unsigned int nr_rounds;
	unsigned int nr_rows;
	unsigned int nr_modes; /* without A' */
};

struct srpmatrix_step {
	unsigned int round;
	unsigned int row;
	unsigned int slot; /* a mode; nr_modes: the first one again */
};

/* Slots of one row and round: the modes and A'. */
unsigned int srpmatrix_plan_slots(const struct srpmatrix_plan *plan);
/* The mode that runs in a slot. */
unsigned int srpmatrix_plan_mode(
	const struct srpmatrix_plan *plan, unsigned int slot);
unsigned int srpmatrix_plan_steps(const struct srpmatrix_plan *plan);
/* @index from 0, below srpmatrix_plan_steps(). */
struct srpmatrix_step srpmatrix_plan_step(
	const struct srpmatrix_plan *plan, unsigned int index);

#endif /* SRPMATRIX_PLAN_H */
