/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_plan.h"

unsigned int
srpmatrix_plan_slots(const struct srpmatrix_plan *plan)
{
	return plan->nr_modes + 1;
}

unsigned int
srpmatrix_plan_mode(const struct srpmatrix_plan *plan, unsigned int slot)
{
	return slot == plan->nr_modes ? 0 : slot;
}

unsigned int
srpmatrix_plan_steps(const struct srpmatrix_plan *plan)
{
	return plan->nr_rounds * plan->nr_rows * srpmatrix_plan_slots(plan);
}

struct srpmatrix_step
srpmatrix_plan_step(const struct srpmatrix_plan *plan, unsigned int index)
{
	unsigned int slots = srpmatrix_plan_slots(plan);
	unsigned int slot = index % slots, row = index / slots % plan->nr_rows;
	unsigned int round = index / slots / plan->nr_rows;

	return (struct srpmatrix_step){
		.round = round,
		.row = row,
		.slot = round % 2 ? slots - 1 - slot : slot,
	};
}
