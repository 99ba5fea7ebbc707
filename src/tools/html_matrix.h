/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpmatrix's document: a row is a block size and a number of jobs, and has
 * the same modes as every other row.
 *
 *	html_matrix.c		what it says in words, which sections there are
 *	html_matrix_charts.c	bars and ratios, a panel a row
 *	html_matrix_curves.c	distributions, latency against jobs
 *	html_matrix_tables.c	beside the published figures, all figures
 */
#ifndef HTML_MATRIX_H
#define HTML_MATRIX_H

#include "tools/html_chart.h"
#include "tools/html_part.h"

#define HTML_MAX_ROWS 64
#define HTML_MAX_MODES 16
#define HTML_ROW_BYTES 96

unsigned int html_matrix_count(const json_t *doc);
const json_t *html_matrix_row(const json_t *doc, unsigned int index);
/* "4 KiB × 128 jobs", and the depth where it is not one. */
void html_matrix_label(const json_t *row, char *text);
/* Modes of a row. */
unsigned int html_matrix_modes(const json_t *row);
const json_t *html_matrix_mode(const json_t *row, unsigned int index);
unsigned int html_matrix_style(const json_t *row, unsigned int index);
/* A member of the mode's medians. */
double html_matrix_median(const json_t *mode, const char *key);
double html_matrix_latency(const json_t *mode, const char *key);

void html_matrix_table(struct html_page *page);
void html_matrix_iops(struct html_page *page);
void html_matrix_ratios(struct html_page *page);
void html_matrix_cost(struct html_page *page);
void html_matrix_load(struct html_page *page);
void html_matrix_latencies(struct html_page *page);
void html_matrix_all(struct html_page *page);

#endif /* HTML_MATRIX_H */
