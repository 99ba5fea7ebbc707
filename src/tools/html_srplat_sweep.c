/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Latency against load: a curve a mode, a marker a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/html_srplat.h"
#include "tools/html_table.h"
#include "util/compiler.h"

#define MAX_SWEEPS 10
#define MAX_LOADS 40

struct sweep {
	struct html_series series[MAX_SWEEPS];
	struct html_point points[MAX_SWEEPS][MAX_LOADS];
	char texts[MAX_SWEEPS][MAX_LOADS][HTML_NUM_BYTES + 16];
	const char *names[MAX_SWEEPS][MAX_LOADS];
	unsigned int nr;
};

static bool
is_by_rate(const json_t *one)
{
	return strcmp(html_string_or_empty(one, "by"), "rate") == 0;
}

const json_t *
html_srplat_knee(const json_t *doc, const json_t **sweep)
{
	const json_t *sweeps = json_object_get(doc, "sweep"), *points, *point;
	const json_t *best = NULL;
	size_t i, j;

	for (i = 0; i < html_count(sweeps, MAX_SWEEPS); i++) {
		points = json_object_get(json_array_get(sweeps, i), "points");
		for (j = 0; j < html_count(points, MAX_LOADS); j++) {
			point = json_array_get(points, j);
			if (!json_is_true(json_object_get(point, "knee")))
				continue;
			if (best && !(html_number(point, "iops") >
					    html_number(best, "iops")))
				continue;
			best = point;
			*sweep = json_array_get(sweeps, i);
		}
	}
	return best;
}

/* The offered rate where that was set, else what was reached. */
static double
load_of(const json_t *one, const json_t *point)
{
	return html_number(point, is_by_rate(one) ? "rate" : "iops");
}

static void
add_point(struct sweep *sweep, const json_t *one, const json_t *point,
	const char *key)
{
	struct html_series *series = &sweep->series[sweep->nr];
	struct html_point at = { load_of(one, point), html_number(point, key) };
	char *text = sweep->texts[sweep->nr][series->nr];
	const char *by = html_string_or_empty(one, "by");

	if (!isfinite(at.x) || !(at.y > 0))
		return;
	snprintf(text, sizeof(sweep->texts[0][0]), "%.8s %.0f", by,
		html_number(point, by));
	sweep->names[sweep->nr][series->nr] = text;
	sweep->points[sweep->nr][series->nr] = at;
	if (json_is_true(json_object_get(point, "knee")))
		series->ring = (int)series->nr;
	series->nr++;
}

static void
add_sweeps(struct sweep *sweep, const json_t *sweeps, const char *key)
{
	struct html_series *series;
	const json_t *one, *points;
	size_t i, j;

	memset(sweep, 0, sizeof(*sweep));
	for (i = 0; i < html_count(sweeps, MAX_SWEEPS); i++) {
		one = json_array_get(sweeps, i);
		points = json_object_get(one, "points");
		series = &sweep->series[sweep->nr];
		series->label = html_string_or_empty(one, "completion");
		series->style = html_style_of(series->label, sweep->nr);
		series->points = sweep->points[sweep->nr];
		series->names = sweep->names[sweep->nr];
		series->ring = -1;
		for (j = 0; j < html_count(points, MAX_LOADS); j++)
			add_point(sweep, one, json_array_get(points, j), key);
		sweep->nr++;
	}
}

static void
find_ends(const struct sweep *sweep, double *load, double *low, double *high)
{
	const struct html_point *point;
	unsigned int i, j;

	*load = *high = 0;
	*low = INFINITY;
	for (i = 0; i < sweep->nr; i++)
		for (j = 0; j < sweep->series[i].nr; j++) {
			point = &sweep->points[i][j];
			*load = fmax(*load, point->x);
			*low = fmin(*low, point->y);
			*high = fmax(*high, point->y);
		}
}

static void
write_chart(FILE *f, const json_t *sweeps, const char *key,
	struct html_caption caption)
{
	struct sweep *sweep = malloc(sizeof(*sweep));
	struct html_lines chart = {
		.caption = caption,
		.x_title = is_by_rate(json_array_get(sweeps, 0))
				   ? "I/Os due a second"
				   : "IOPS reached",
		.y_title = strstr(key, "cpu") ? "CPU time" : "latency",
		.has_markers = true,
	};
	double load, low, high;

	if (!sweep)
		return;
	add_sweeps(sweep, sweeps, key);
	find_ends(sweep, &load, &low, &high);
	chart.series = sweep->series;
	chart.nr = sweep->nr;
	chart.x.unit = HTML_IOPS;
	chart.y.unit = HTML_NS;
	html_axis_init_linear(&chart.x, 0, load, 4);
	html_axis_init_log(&chart.y, low, high, 11);
	if (high > 0)
		html_lines_write(f, &chart);
	free(sweep);
}

static void
write_point_row(FILE *f, const json_t *one, const json_t *point)
{
	char label[96];

	snprintf(label, sizeof(label), "%.40s%s",
		html_string_or_empty(one, "completion"),
		json_is_true(json_object_get(point, "knee")) ? " (knee)" : "");
	html_table_row(f, label);
	html_table_number(f, HTML_COUNT,
		html_number(point, html_string_or_empty(one, "by")));
	html_table_number(f, HTML_IOPS, html_number(point, "iops"));
	html_table_number(f, HTML_NS, html_number(point, "mean_ns"));
	html_table_number(f, HTML_NS, html_number(point, "p50_ns"));
	html_table_number(f, HTML_NS, html_number(point, "p99_ns"));
	html_table_number(f, HTML_NS, html_number(point, "p99.9_ns"));
	html_table_number(f, HTML_NS, html_number(point, "cpu_ns_per_io"));
	html_table_row_end(f);
}

static void
write_points(FILE *f, const json_t *sweeps)
{
	const struct html_column columns[] = { { "Completion", NULL, false },
		{ is_by_rate(json_array_get(sweeps, 0)) ? "Rate" : "Depth",
			NULL, false },
		{ "IOPS", NULL, false }, { "Mean", "µs", false },
		{ "p50", "µs", false }, { "p99", "µs", false },
		{ "p99.9", "µs", false }, { "CPU an I/O", "µs", false } };
	const json_t *one, *points;
	size_t i, j;

	html_table_begin(
		f, "The points of the curves", columns, ARRAY_SIZE(columns));
	for (i = 0; i < html_count(sweeps, MAX_SWEEPS); i++) {
		one = json_array_get(sweeps, i);
		points = json_object_get(one, "points");
		for (j = 0; j < html_count(points, MAX_LOADS); j++)
			write_point_row(f, one, json_array_get(points, j));
	}
	html_table_end(f);
}

void
html_srplat_sweep(struct html_page *page)
{
	const json_t *sweeps = json_object_get(page->doc, "sweep");

	if (!html_count(sweeps, MAX_SWEEPS))
		return;
	html_section_begin(page, "load", "Latency against load",
		"One marker a measurement, joined in the order of the load. "
		"The ring is the knee: the last point whose p99 is under "
		"twice the lowest of its curve.");
	fputs("<div class=\"panels wide\">\n", page->f);
	write_chart(page->f, sweeps, "p99_ns",
		(struct html_caption){ "99 % of the latencies under",
			"The 99th percentile of the latency against the load, "
			"one curve a completion mode.",
			NULL });
	write_chart(page->f, sweeps, "p50_ns",
		(struct html_caption){ "Median latency",
			"The median latency against the load, one curve a "
			"completion mode.",
			NULL });
	write_chart(page->f, sweeps, "cpu_ns_per_io",
		(struct html_caption){ "CPU time an I/O",
			"The initiator's CPU time an I/O against the load, one "
			"curve a completion mode.",
			NULL });
	fputs("</div>\n", page->f);
	write_points(page->f, sweeps);
	html_section_end(page);
}
