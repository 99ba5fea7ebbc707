/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A matrix as text: one table a number, within 80 columns. */
#ifndef SRPMATRIX_TABLE_H
#define SRPMATRIX_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/srpmatrix_report.h"

void srpmatrix_table_print(FILE *f, const struct srpmatrix_report *report);

/* "round 2 of 6, 4k x 128 jobs, poll: 1 min 20 s left" */
void srpmatrix_table_progress(
	char *text, size_t n, const struct srpmatrix_run *run);
/* "512", "4k", "1M" */
void srpmatrix_table_bs(char *text, size_t n, uint64_t bs);

#endif /* SRPMATRIX_TABLE_H */
