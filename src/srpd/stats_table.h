/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The counters of a target, members of struct srpi_stats, once: srpctl stats
 * and the metrics are made from this table, so that a counter added there is
 * missing nowhere.
 */
#ifndef SRPD_STATS_TABLE_H
#define SRPD_STATS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <srpi/srpi.h>

struct stats_row {
	const char *name; /* the member */
	size_t offset;
	const char *metric;
	const char *help;
};

const struct stats_row *stats_table(size_t *nr);
uint64_t stats_value(
	const struct srpi_stats *stats, const struct stats_row *row);

#endif /* SRPD_STATS_TABLE_H */
