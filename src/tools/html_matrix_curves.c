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
write_distribution(FILE *f, struct curves *curves, const json_t *row)
{
	char label[HTML_ROW_BYTES];
	struct html_lines chart = {
		.caption = { label,
			"The latency that a given share of the I/Os does not "
			"exceed, one curve a mode; both axes are logarithmic.",
			NULL },
		.x_title = "share of the I/Os",
		.y_title = "latency",
		.is_percentile = true,
	};
	unsigned int i, nr = html_matrix_modes(row);
	struct html_dist dist;
	const json_t *mode;

	html_matrix_label(row, label);
	curves->nr = 0;
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
	if (!curves->nr)
		return;
	find_axes(curves, &chart);
	html_lines_write(f, &chart);
}

void
html_matrix_latencies(struct html_page *page)
{
	struct curves *curves = calloc(1, sizeof(*curves));
	unsigned int i, nr = html_matrix_count(page->doc);

	if (!curves)
		return;
	html_section_begin(page, "latency", "Latency by percentile",
		"From submission to completion as fio sees it, all rounds "
		"together.");
	fputs("<div class=\"panels wide\">\n", page->f);
	for (i = 0; i < nr; i++)
		write_distribution(
			page->f, curves, html_matrix_row(page->doc, i));
	fputs("</div>\n", page->f);
	html_section_end(page);
	free(curves);
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

static void
write_load(FILE *f, struct curves *curves, const json_t *doc, double bs)
{
	char bytes[HTML_NUM_BYTES];
	struct html_lines chart = {
		.caption = { bytes,
			"The 99th percentile of the latency against IOPS, one "
			"curve a mode, one marker a number of jobs.",
			NULL },
		.x_title = "IOPS reached",
		.y_title = "p99",
		.has_markers = true,
	};
	unsigned int i, j, nr = html_matrix_count(doc), nr_rows = 0;
	const json_t *row;

	html_num_bytes(bytes, bs);
	curves->nr = 0;
	for (i = 0; i < nr; i++) {
		row = html_matrix_row(doc, i);
		if (html_number(row, "bs") != bs)
			continue;
		if (!nr_rows++)
			for (j = 0; j < html_matrix_modes(row); j++) {
				begin_series(curves, row, j);
				curves->series[j].names = curves->names[j];
				curves->nr++;
			}
		add_row(curves, row);
	}
	if (nr_rows < 2)
		return;
	find_axes(curves, &chart);
	html_lines_write(f, &chart);
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

static bool
has_loads(const json_t *doc)
{
	unsigned int i, nr = html_matrix_count(doc), nr_first = 0;

	for (i = 0; i < nr; i++)
		nr_first += is_first(doc, i);
	return nr_first < nr;
}

void
html_matrix_load(struct html_page *page)
{
	unsigned int i, nr = html_matrix_count(page->doc);
	struct curves *curves;

	if (!has_loads(page->doc))
		return;
	curves = calloc(1, sizeof(*curves));
	if (!curves)
		return;
	html_section_begin(page, "load", "Latency against load",
		"A marker a number of jobs, joined from few to many: further "
		"right is more I/O, lower is sooner.");
	fputs("<div class=\"panels wide\">\n", page->f);
	for (i = 0; i < nr; i++)
		if (is_first(page->doc, i))
			write_load(page->f, curves, page->doc,
				html_number(
					html_matrix_row(page->doc, i), "bs"));
	fputs("</div>\n", page->f);
	html_section_end(page);
	free(curves);
}
