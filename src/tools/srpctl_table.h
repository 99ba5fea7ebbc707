/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A table of text cells, as wide as its cells and no wider than the screen:
 * the columns that may be cut are, and what still does not fit is left out
 * from the right.
 */
#ifndef SRPCTL_TABLE_H
#define SRPCTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SRPCTL_MAX_COLUMNS 32

struct srpctl_column {
	const char *title;
	bool is_right;
	int min; /* of a column that may be cut: no narrower; else 0 */
};

struct srpctl_table {
	const struct srpctl_column *columns;
	size_t nr_columns;
	char **cells; /* row by row */
	size_t nr_cells, max_cells;
	bool is_short; /* a cell is missing: memory ran out */
};

void srpctl_table_init(struct srpctl_table *table,
	const struct srpctl_column *columns, size_t nr_columns);
void srpctl_table_fini(struct srpctl_table *table);
/* The next cell of the row, a copy of @text; NULL stands for "-". */
void srpctl_table_add(struct srpctl_table *table, const char *text);
size_t srpctl_table_rows(const struct srpctl_table *table);

/*
 * Widths for a screen of @width columns. print_title() and print_row() then
 * go by them.
 */
struct srpctl_layout {
	int widths[SRPCTL_MAX_COLUMNS];
	size_t nr_columns; /* those that fit */
};
void srpctl_table_lay_out(const struct srpctl_table *table, int width,
	struct srpctl_layout *layout);
void srpctl_table_print_title(const struct srpctl_table *table,
	const struct srpctl_layout *layout, FILE *out);
void srpctl_table_print_row(const struct srpctl_table *table,
	const struct srpctl_layout *layout, size_t row, FILE *out);
/* All of it. */
void srpctl_table_print(
	const struct srpctl_table *table, int width, FILE *out);

#endif /* SRPCTL_TABLE_H */
