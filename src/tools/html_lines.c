/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Curves: percentiles of a latency, latency against load. */
#include <math.h>

#include "tools/html_chart.h"
#include "tools/html_text.h"
#include "util/compiler.h"

#define HEIGHT 260
#define LABEL_GAP 15.0
/* The inner coordinate system, which is stretched to the plot's width. */
#define INNER 1000.0
/* Up to here each of 90 %, 99 % ... has room on a narrow page. */
#define NINES_NARROW 4.5

static double
y_of(const struct html_lines *chart, double value)
{
	return HEIGHT * (1 - html_axis_at(&chart->y, value));
}

static void
write_y_axis(FILE *f, const struct html_lines *chart)
{
	char label[HTML_NUM_BYTES];
	unsigned int i;
	double y;

	for (i = 0; i < chart->y.nr_ticks; i++) {
		y = y_of(chart, chart->y.ticks[i]);
		html_axis_label(&chart->y, i, label);
		fprintf(f,
			"<line class=\"grid\" x1=\"0\" x2=\"100%%\" "
			"y1=\"%.1f\" y2=\"%.1f\"/><text class=\"tick end\" "
			"x=\"0\" dx=\"-7\" y=\"%.1f\">%s</text>\n",
			y, y, y + 4, label);
	}
}

/* 1, 2, 3 nines, and the median. */
static void
write_percentiles(FILE *f, const struct html_lines *chart)
{
	static const struct {
		double x;
		const char *label;
	} ticks[] = {
		{ 0.30103, "50 %" },
		{ 1, "90 %" },
		{ 2, "99 %" },
		{ 3, "99.9 %" },
		{ 4, "99.99 %" },
		{ 5, "99.999 %" },
		{ 6, "99.9999 %" },
	};
	bool is_long = chart->x.high > NINES_NARROW;
	unsigned int i;
	double at;

	for (i = 0; i < ARRAY_SIZE(ticks); i++) {
		if (ticks[i].x > chart->x.high + 1e-9)
			break;
		at = 100 * html_axis_at(&chart->x, ticks[i].x);
		fprintf(f,
			"<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" "
			"y1=\"0\" y2=\"%d\"/><text class=\"tick mid%s\" "
			"x=\"%.2f%%\" y=\"%d\">%s</text>\n",
			at, at, HEIGHT, i % 2 == 0 && is_long ? " odd" : "", at,
			HEIGHT + 17, ticks[i].label);
	}
}

static void
write_axes(FILE *f, const struct html_lines *chart)
{
	write_y_axis(f, chart);
	if (chart->is_percentile)
		write_percentiles(f, chart);
	else
		html_chart_x_axis(f, &chart->x, HEIGHT);
	fputs("<text class=\"title\" x=\"0\" dx=\"-44\" y=\"-10\">", f);
	html_text(f, chart->y_title);
	fprintf(f, "</text><text class=\"title end\" x=\"100%%\" y=\"%d\">",
		HEIGHT + 36);
	html_text(f, chart->x_title);
	fputs("</text>\n", f);
}

static void
write_curve(FILE *f, const struct html_lines *chart,
	const struct html_series *series)
{
	unsigned int i;

	fprintf(f, "<polyline class=\"line s%u%s\" points=\"", series->style,
		series->is_dashed ? " dashed" : "");
	for (i = 0; i < series->nr; i++)
		fprintf(f, "%s%.1f,%.1f", i ? " " : "",
			INNER * html_axis_at(&chart->x, series->points[i].x),
			y_of(chart, series->points[i].y));
	fputs("\"/>\n", f);
}

static void
write_tip(FILE *f, const struct html_lines *chart,
	const struct html_series *series, unsigned int i)
{
	char y[HTML_NUM_BYTES], x[HTML_NUM_BYTES];

	html_num_short(y, chart->y.unit, series->points[i].y);
	fputs("<title>", f);
	html_text(f, series->label);
	if (series->names && series->names[i]) {
		fputs(", ", f);
		html_text(f, series->names[i]);
	}
	fprintf(f, ": %s", y);
	if (!chart->is_percentile) {
		html_num_short(x, chart->x.unit, series->points[i].x);
		fprintf(f, " at %s", x);
	}
	fputs("</title>", f);
}

static void
write_marker(FILE *f, const struct html_lines *chart,
	const struct html_series *series, unsigned int i)
{
	double x = 100 * html_axis_at(&chart->x, series->points[i].x);
	double y = y_of(chart, series->points[i].y);

	fputs("<g>", f);
	write_tip(f, chart, series, i);
	if ((int)i == series->ring)
		fprintf(f,
			"<circle class=\"ring s%u\" cx=\"%.2f%%\" "
			"cy=\"%.1f\" r=\"9\"/>",
			series->style, x, y);
	html_chart_marker(f, series->style, x, y);
	fputs("</g>\n", f);
}

static void
write_markers(FILE *f, const struct html_lines *chart,
	const struct html_series *series)
{
	unsigned int i;

	if (!series->nr)
		return;
	if (!chart->has_markers) {
		write_marker(f, chart, series, series->nr - 1);
		return;
	}
	for (i = 0; i < series->nr; i++)
		write_marker(f, chart, series, i);
}

/*
 * Beside the ends of the curves, moved apart, each with a line to its own. What
 * is dashed belongs to the curve of the same colour.
 */
static void
write_end_labels(FILE *f, const struct html_lines *chart)
{
	const double bounds[] = { 4, HEIGHT };
	double at[HTML_MAX_SERIES], end[HTML_MAX_SERIES];
	unsigned int which[HTML_MAX_SERIES], i, nr = 0;
	const struct html_series *series;

	for (i = 0; i < chart->nr && i < HTML_MAX_SERIES; i++) {
		series = &chart->series[i];
		if (!series->nr || series->is_dashed)
			continue;
		which[nr] = i;
		end[nr] = y_of(chart, series->points[series->nr - 1].y);
		at[nr] = end[nr];
		nr++;
	}
	html_axis_spread(at, nr, LABEL_GAP, bounds);
	for (i = 0; i < nr; i++) {
		series = &chart->series[which[i]];
		fprintf(f,
			"<svg class=\"out\" x=\"100%%\" width=\"20\"><line "
			"class=\"lead s%u\" x1=\"6\" x2=\"15\" y1=\"%.1f\" "
			"y2=\"%.1f\"/></svg><text class=\"name start\" "
			"x=\"100%%\" dx=\"18\" y=\"%.1f\">",
			series->style, end[i], at[i], at[i] + 4);
		html_text_most(f, series->label, HTML_LABEL_CHARS);
		fputs("</text>\n", f);
	}
}

static void
write_legend(FILE *f, const struct html_lines *chart)
{
	unsigned int i;

	html_legend_begin(f);
	for (i = 0; i < chart->nr; i++)
		html_legend_entry(
			f, chart->series[i].style, chart->series[i].label);
	html_legend_end(f);
}

void
html_lines_write(FILE *f, const struct html_lines *chart)
{
	bool has_end_labels = chart->is_percentile;
	size_t chars = 0;
	unsigned int i;

	for (i = 0; has_end_labels && i < chart->nr; i++)
		if (!chart->series[i].is_dashed)
			chars = max(chars,
				html_chart_chars(chart->series[i].label));
	html_chart_begin(f, &chart->caption,
		has_end_labels ? "lines ends" : "lines", chars);
	if (!has_end_labels)
		write_legend(f, chart);
	html_chart_svg(f, &chart->caption, HEIGHT);
	write_axes(f, chart);
	fprintf(f,
		"<svg class=\"out\" viewBox=\"0 0 %.0f %d\" width=\"100%%\" "
		"height=\"%d\" preserveAspectRatio=\"none\">\n",
		INNER, HEIGHT, HEIGHT);
	for (i = 0; i < chart->nr; i++)
		write_curve(f, chart, &chart->series[i]);
	fputs("</svg>\n", f);
	for (i = 0; i < chart->nr; i++)
		write_markers(f, chart, &chart->series[i]);
	if (has_end_labels)
		write_end_labels(f, chart);
	html_chart_end(f, &chart->caption);
}
