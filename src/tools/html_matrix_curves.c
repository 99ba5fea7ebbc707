/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Distributions, a panel a row; and latency against jobs, a panel a size. */
#include <math.h>
#include <stdlib.h>

#include "tools/html_matrix.h"
#include "util/compiler.h"

struct curves {
	struct html_series series[HTML_MAX_MODES];
	struct html_point points[HTML_MAX_MODES][HTML_MAX_POINTS];
	char texts[HTML_MAX_MODES][HTML_MAX_ROWS][HTML_NUM_BYTES];
	const char *names[HTML_MAX_MODES][HTML_MAX_ROWS];
	unsigned int nr;
};

/* A section of curves, and what its panels have in common. */
struct plot {
	const char *id, *title, *lead; /* of the section */
	const char *desc, *x_title, *y_title;
	bool is_percentile; /* else its points are marked */
	/* Panel @index, a row of the document's: its head and its curves. */
	void (*fill)(struct curves *curves, const json_t *doc,
		unsigned int index, char label[HTML_ROW_BYTES]);
};

static void
begin_series(struct curves *curves, const json_t *row, unsigned int mode)
{
	struct html_series *series = &curves->series[curves->nr];

	*series = (struct html_series){
		.label = html_string(html_matrix_mode(row, mode), "name"),
		.style = html_matrix_style(row, mode),
		.points = curves->points[curves->nr],
		.ring = -1,
	};
}

static void
find_axes(const struct curves *curves, struct html_lines *chart)
{
	double low = INFINITY, high = 0, right = 0;
	const struct html_point *point;
	unsigned int i, j;

	for (i = 0; i < curves->nr; i++)
		for (j = 0; j < curves->series[i].nr; j++) {
			point = &curves->points[i][j];
			low = fmin(low, point->y);
			high = fmax(high, point->y);
			right = fmax(right, point->x);
		}
	chart->series = curves->series;
	chart->nr = curves->nr;
	chart->y.unit = HTML_NS;
	html_axis_init_log(&chart->y, low, high, 11);
	if (chart->is_percentile) {
		chart->x = (struct html_axis){ .high = fmax(right, 1) };
		return;
	}
	chart->x.unit = HTML_IOPS;
	html_axis_init_linear(&chart->x, 0, right, 4);
}

static void
fill_distribution(struct curves *curves, const json_t *doc, unsigned int index,
	char label[HTML_ROW_BYTES])
{
	const json_t *mode, *row = html_matrix_row(doc, index);
	unsigned int i, nr = html_matrix_modes(row);
	struct html_dist dist;

	html_matrix_label(row, label);
	for (i = 0; i < nr; i++) {
		mode = html_matrix_mode(row, i);
		dist.histogram = json_object_get(mode, "latency_ns");
		dist.stats = json_object_get(
			json_object_get(mode, "median"), "latency_ns");
		begin_series(curves, row, i);
		curves->series[curves->nr].nr =
			html_dist_curve(&dist, curves->points[curves->nr]);
		if (curves->series[curves->nr].nr)
			curves->nr++;
	}
}

/* One point of each mode, of a row that has the size. */
static void
add_row(struct curves *curves, const json_t *row)
{
	double jobs = html_number(row, "jobs");
	struct html_series *series;
	struct html_point point;
	const json_t *mode;
	unsigned int i;
	char *text;

	for (i = 0; i < curves->nr; i++) {
		mode = html_matrix_mode(row, i);
		series = &curves->series[i];
		point.x = html_matrix_median(mode, "iops");
		point.y = html_matrix_latency(mode, "p99");
		if (!isfinite(point.x) || !(point.y > 0))
			continue;
		text = curves->texts[i][series->nr];
		snprintf(text, HTML_NUM_BYTES, "%.0f jobs", jobs);
		curves->names[i][series->nr] = text;
		curves->points[i][series->nr++] = point;
	}
}

/* The first row of a block size. */
static bool
is_first(const json_t *doc, unsigned int index)
{
	double bs = html_number(html_matrix_row(doc, index), "bs");
	unsigned int i;

	for (i = 0; i < index; i++)
		if (html_number(html_matrix_row(doc, i), "bs") == bs)
			return false;
	return isfinite(bs);
}

/* Of the first row of a size: all that have it. One alone is no curve. */
static void
fill_load(struct curves *curves, const json_t *doc, unsigned int index,
	char label[HTML_ROW_BYTES])
{
	const json_t *row = html_matrix_row(doc, index);
	double bs = html_number(row, "bs");
	unsigned int i, nr_rows = 0;

	if (!is_first(doc, index))
		return;
	html_num_bytes(label, bs);
	for (i = 0; i < html_matrix_modes(row); i++) {
		begin_series(curves, row, i);
		curves->series[i].names = curves->names[i];
		curves->nr++;
	}
	for (i = index; i < html_matrix_count(doc); i++) {
		row = html_matrix_row(doc, i);
		if (html_number(row, "bs") != bs)
			continue;
		add_row(curves, row);
		nr_rows++;
	}
	if (nr_rows < 2)
		curves->nr = 0;
}

static bool
has_loads(const json_t *doc)
{
	unsigned int i, nr = html_matrix_count(doc), nr_first = 0;

	for (i = 0; i < nr; i++)
		nr_first += is_first(doc, i);
	return nr_first < nr;
}

enum { PLOT_LATENCIES, PLOT_LOAD };

static const struct plot plots[] = {
	[PLOT_LATENCIES] = {
		"latency", "Latency by percentile",
		"From submission to completion as fio sees it, all rounds "
		"together.",
		"The latency that a given share of the I/Os does not exceed, "
		"one curve a mode; both axes are logarithmic.",
		"share of the I/Os", "latency", true, fill_distribution,
	},
	[PLOT_LOAD] = {
		"load", "Latency against load",
		"A marker a number of jobs, joined from few to many: further "
		"right is more I/O, lower is sooner.",
		"The 99th percentile of the latency against IOPS, one curve a "
		"mode, one marker a number of jobs.",
		"IOPS reached", "p99", false, fill_load,
	},
};

static void
write_panel(FILE *f, const struct plot *plot, struct curves *curves,
	const char *label)
{
	struct html_lines chart = {
		.caption = { label, plot->desc, NULL },
		.x_title = plot->x_title,
		.y_title = plot->y_title,
		.is_percentile = plot->is_percentile,
		.has_markers = !plot->is_percentile,
	};

	find_axes(curves, &chart);
	html_lines_write(f, &chart);
}

static void
write_plot(struct html_page *page, const struct plot *plot)
{
	struct curves *curves = calloc(1, sizeof(*curves));
	unsigned int i, nr = html_matrix_count(page->doc);
	char label[HTML_ROW_BYTES];

	if (!curves)
		return;
	html_section_begin(page, plot->id, plot->title, plot->lead);
	fputs("<div class=\"panels wide\">\n", page->f);
	for (i = 0; i < nr; i++) {
		curves->nr = 0;
		plot->fill(curves, page->doc, i, label);
		if (curves->nr)
			write_panel(page->f, plot, curves, label);
	}
	fputs("</div>\n", page->f);
	html_section_end(page);
	free(curves);
}

void
html_matrix_latencies(struct html_page *page)
{
	write_plot(page, &plots[PLOT_LATENCIES]);
}

void
html_matrix_load(struct html_page *page)
{
	if (has_loads(page->doc))
		write_plot(page, &plots[PLOT_LOAD]);
}
