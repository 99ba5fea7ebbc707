/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Bars and ratios: a panel a row of the matrix. */
#include <math.h>
#include <string.h>

#include "tools/html_matrix.h"
#include "util/compiler.h"

/* A section of bars: what a panel shows of each mode. */
struct measure {
	const char *id, *title, *lead; /* of the section */
	const char *key;	       /* in a round, and in the medians */
	enum html_unit unit;
	const char *desc; /* of a panel */
};

enum { MEASURE_IOPS, MEASURE_COST };

static const struct measure measures[] = {
	[MEASURE_IOPS] = {
		"iops", "I/Os a second",
		"Bars are medians over the rounds, whiskers the 95 % interval "
		"of what a round gives. Each panel has a scale of its own.",
		"iops", HTML_IOPS,
		"I/Os a second of each mode: the median over the rounds, and "
		"the 95 % interval of the mean over them.",
	},
	[MEASURE_COST] = {
		"cpu", "CPU time an I/O",
		"The initiator's; what the target needs is not in it where "
		"that has threads of its own.",
		"cpu_ns_per_io", HTML_NS,
		"CPU time of the initiator an I/O, of each mode: the median "
		"over the rounds, and its 95 % interval.",
	},
};

static void
write_panel(FILE *f, const json_t *row, const struct measure *measure)
{
	struct html_bar bars[HTML_MAX_MODES];
	char label[HTML_ROW_BYTES];
	struct html_bars chart = {
		.caption = { label, measure->desc, NULL },
		.unit = measure->unit,
		.bars = bars,
		.nr = html_matrix_modes(row),
	};
	const json_t *mode;
	unsigned int i;

	html_matrix_label(row, label);
	for (i = 0; i < chart.nr; i++) {
		mode = html_matrix_mode(row, i);
		bars[i] = (struct html_bar){
			.label = html_string(mode, "name"),
			.style = html_matrix_style(row, i),
			.value = html_estimate_of(
				json_object_get(mode, "rounds"), measure->key),
			.other = NAN,
		};
		bars[i].value.at = html_matrix_median(mode, measure->key);
	}
	html_bars_write(f, &chart);
}

static void
write_panels(struct html_page *page, const struct measure *measure)
{
	unsigned int i, nr = html_matrix_count(page->doc);

	fputs("<div class=\"panels\">\n", page->f);
	for (i = 0; i < nr; i++)
		write_panel(page->f, html_matrix_row(page->doc, i), measure);
	fputs("</div>\n", page->f);
}

static void
write_measure(struct html_page *page, const struct measure *measure)
{
	html_section_begin(page, measure->id, measure->title, measure->lead);
	write_panels(page, measure);
	html_section_end(page);
}

void
html_matrix_iops(struct html_page *page)
{
	write_measure(page, &measures[MEASURE_IOPS]);
}

void
html_matrix_cost(struct html_page *page)
{
	write_measure(page, &measures[MEASURE_COST]);
}

/* thread=y to thread=n, as published; only the row of "thread" has it. */
static double
published_ratio(const json_t *row, const json_t *mode)
{
	const json_t *published = json_object_get(row, "published");

	if (strcmp(html_string_or_empty(mode, "name"), "thread") != 0)
		return NAN;
	return html_number(published, "thread=y") /
	       html_number(published, "thread=n");
}

static void
write_ratio_panel(FILE *f, const json_t *row, const char *key, double reach[2])
{
	struct html_bar bars[HTML_MAX_MODES + 1];
	char label[HTML_ROW_BYTES];
	struct html_bars chart = {
		.caption = { label,
			"Each mode's figure divided by that of the baseline, "
			"with its 95 % interval, and the baseline against "
			"itself.",
			NULL },
		.unit = HTML_RATIO,
		.least = reach[0],
		.most = reach[1],
		.bars = bars,
	};
	unsigned int i, nr = html_matrix_modes(row);
	const json_t *mode;

	html_matrix_label(row, label);
	for (i = 0; i < nr; i++) {
		mode = html_matrix_mode(row, i);
		if (json_is_true(json_object_get(mode, "baseline")))
			continue;
		bars[chart.nr++] = (struct html_bar){
			.label = html_string(mode, "name"),
			.style = html_matrix_style(row, i),
			.value = html_estimate(json_object_get(
				json_object_get(mode, "ratio"), key)),
			.other = published_ratio(row, mode),
		};
	}
	bars[chart.nr++] = (struct html_bar){
		.label = "A/A",
		.style = HTML_NR_STYLES - 1,
		.value = html_estimate(
			json_object_get(json_object_get(row, "noise"), key)),
		.other = NAN,
		.is_noise = true,
	};
	html_dots_write(f, &chart);
}

/* One scale for all panels, so that rows can be compared. */
static void
find_reach(const json_t *doc, const char *key, double reach[2])
{
	struct html_estimate value;
	const json_t *row;
	unsigned int i, j;

	reach[0] = reach[1] = 1;
	for (i = 0; i < html_matrix_count(doc); i++) {
		row = html_matrix_row(doc, i);
		for (j = 0; j < html_matrix_modes(row); j++) {
			value = html_estimate(json_object_get(
				json_object_get(
					html_matrix_mode(row, j), "ratio"),
				key));
			reach[0] = fmin(reach[0], fmin(value.at, value.low));
			reach[1] = fmax(reach[1], fmax(value.at, value.high));
		}
	}
}

void
html_matrix_ratios(struct html_page *page)
{
	unsigned int i, nr = html_matrix_count(page->doc);
	double reach[2];

	html_section_begin(page, "ratios", "IOPS against the baseline",
		"Ratios of interleaved pairs, with their 95 % interval: right "
		"of 1 is faster. A/A is the baseline against itself; what "
		"lies in its band, the machine alone makes. The hollow "
		"diamond is thread=y to thread=n as published in 2010.");
	find_reach(page->doc, "iops", reach);
	fputs("<div class=\"panels\">\n", page->f);
	for (i = 0; i < nr; i++)
		write_ratio_panel(
			page->f, html_matrix_row(page->doc, i), "iops", reach);
	fputs("</div>\n", page->f);
	html_section_end(page);
}
