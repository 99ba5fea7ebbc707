/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/srpctl_text.h"
#include "util/compiler.h"

#define GAP 2 /* columns between columns */

void
srpctl_table_init(struct srpctl_table *table,
	const struct srpctl_column *columns, size_t nr_columns)
{
	assert(nr_columns <= SRPCTL_MAX_COLUMNS);
	memset(table, 0, sizeof(*table));
	table->columns = columns;
	table->nr_columns = nr_columns;
}

void
srpctl_table_fini(struct srpctl_table *table)
{
	size_t i;

	for (i = 0; i < table->nr_cells; i++)
		free(table->cells[i]);
	free(table->cells);
	memset(table, 0, sizeof(*table));
}

void
srpctl_table_add(struct srpctl_table *table, const char *text)
{
	size_t more = table->max_cells ? 2 * table->max_cells : 64;
	char **cells;

	if (table->nr_cells == table->max_cells) {
		cells = realloc(table->cells, more * sizeof(*cells));
		if (!cells) {
			table->is_short = true;
			return;
		}
		table->cells = cells;
		table->max_cells = more;
	}
	table->cells[table->nr_cells] = strdup(text ? text : "-");
	if (table->cells[table->nr_cells])
		table->nr_cells++;
	else
		table->is_short = true;
}

size_t
srpctl_table_rows(const struct srpctl_table *table)
{
	return table->nr_cells / table->nr_columns;
}

static const char *
cell(const struct srpctl_table *table, size_t row, size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

/* Of all columns that are shown: as they are, or as narrow as they may be. */
static int
total(const struct srpctl_table *table, const struct srpctl_layout *layout,
	bool is_cut)
{
	int sum = 0, least;
	size_t i;

	for (i = 0; i < layout->nr_columns; i++) {
		least = table->columns[i].min;
		sum += is_cut && least && least < layout->widths[i] ?
			least :
			layout->widths[i];
		sum += i ? GAP : 0;
	}
	return sum;
}

/* The widest column that can give something gives one. */
static bool
cut_one(const struct srpctl_table *table, struct srpctl_layout *layout)
{
	size_t i, widest = SRPCTL_MAX_COLUMNS;

	for (i = 0; i < layout->nr_columns; i++) {
		if (!table->columns[i].min ||
			layout->widths[i] <= table->columns[i].min)
			continue;
		if (widest == SRPCTL_MAX_COLUMNS ||
			layout->widths[i] > layout->widths[widest])
			widest = i;
	}
	if (widest == SRPCTL_MAX_COLUMNS)
		return false;
	layout->widths[widest]--;
	return true;
}

void
srpctl_table_lay_out(const struct srpctl_table *table, int width,
	struct srpctl_layout *layout)
{
	size_t rows = srpctl_table_rows(table), row, i;
	int columns;

	layout->nr_columns = table->nr_columns;
	for (i = 0; i < table->nr_columns; i++) {
		layout->widths[i] =
			(int)srpctl_text_columns(table->columns[i].title);
		for (row = 0; row < rows; row++) {
			columns = (int)srpctl_text_columns(cell(table, row, i));
			layout->widths[i] = max(layout->widths[i], columns);
		}
	}
	while (layout->nr_columns > 1 && total(table, layout, true) > width)
		layout->nr_columns--;
	while (total(table, layout, false) > width && cut_one(table, layout))
		;
}

static void
print_cell(const struct srpctl_table *table, const struct srpctl_layout *layout,
	size_t column, const char *text, FILE *out)
{
	int width = layout->widths[column];

	if (column)
		fprintf(out, "%*s", GAP, "");
	if (table->columns[column].is_right)
		width = -width;
	else if (column + 1 == layout->nr_columns &&
		(int)srpctl_text_columns(text) <= width)
		width = 0; /* no spaces at the end of a line */
	srpctl_text_print(out, text, width);
}

void
srpctl_table_print_title(const struct srpctl_table *table,
	const struct srpctl_layout *layout, FILE *out)
{
	size_t i;

	for (i = 0; i < layout->nr_columns; i++)
		print_cell(table, layout, i, table->columns[i].title, out);
}

void
srpctl_table_print_row(const struct srpctl_table *table,
	const struct srpctl_layout *layout, size_t row, FILE *out)
{
	size_t i;

	for (i = 0; i < layout->nr_columns; i++)
		print_cell(table, layout, i, cell(table, row, i), out);
}

void
srpctl_table_print(const struct srpctl_table *table, int width, FILE *out)
{
	struct srpctl_layout layout;
	size_t row;

	srpctl_table_lay_out(table, width, &layout);
	srpctl_table_print_title(table, &layout, out);
	fputc('\n', out);
	for (row = 0; row < srpctl_table_rows(table); row++) {
		srpctl_table_print_row(table, &layout, row, out);
		fputc('\n', out);
	}
}
