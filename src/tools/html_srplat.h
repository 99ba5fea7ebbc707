/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srplat's document: one row a run, which is a completion mode at one load
 * and in one direction.
 *
 *	html_srplat.c		what it says in words, which sections there are
 *	html_srplat_charts.c	distributions, bars, ratios, stages
 *	html_srplat_sweep.c	latency against load
 *	html_srplat_tables.c	slow records, all figures
 */
#ifndef HTML_SRPLAT_H
#define HTML_SRPLAT_H

#include "tools/html_chart.h"
#include "tools/html_part.h"

struct html_run {
	const json_t *json;
	char label[64];
	unsigned int style;
	/* Response time where there is a rate, as the tables have it. */
	struct html_dist latency;
};

/* How many of them there are to show. */
unsigned int html_srplat_count(const json_t *doc);
void
html_srplat_run(const json_t *doc, unsigned int index, struct html_run *run);
/* "4 KiB read" */
void html_srplat_io(const json_t *run, char *text, size_t n);

/* Each writes its sections where the document has what they show. */
void html_srplat_latency(struct html_page *page);
void html_srplat_rates(struct html_page *page);
void html_srplat_ratios(struct html_page *page);
void html_srplat_stages(struct html_page *page);
void html_srplat_sweep(struct html_page *page);
void html_srplat_slow(struct html_page *page);
void html_srplat_all(struct html_page *page);
/* The best of all points that are marked as knees, or NULL. */
const json_t *html_srplat_knee(const json_t *doc, const json_t **sweep);

#endif /* HTML_SRPLAT_H */
