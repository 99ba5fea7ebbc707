/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tables, each in a box of its own that scrolls when the page is narrow. The
 * first cell of a row is its heading and stays in sight.
 *
 *	html_table_begin(f, "IOPS", columns, nr);
 *	  html_table_row(f, "512 B");
 *	    html_table_number(f, HTML_IOPS, 25400);  ...
 *	  html_table_row_end(f);
 *	html_table_end(f);
 */
#ifndef HTML_TABLE_H
#define HTML_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/html_num.h"

struct html_column {
	const char *name;
	const char *unit; /* under it; NULL: none */
	bool is_text;	  /* else of numbers */
};

void html_table_begin(FILE *f, const char *caption,
	const struct html_column *columns, unsigned int nr);
void html_table_row(FILE *f, const char *head);
void html_table_text(FILE *f, const char *text);
void html_table_number(FILE *f, enum html_unit unit, double value);
/* The best of its row. */
void html_table_best(FILE *f, enum html_unit unit, double value);
void html_table_row_end(FILE *f);
void html_table_end(FILE *f);

#endif /* HTML_TABLE_H */
