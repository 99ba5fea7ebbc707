/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Bars from zero, and dots about one; whiskers are the interval. */
#include <math.h>

#include "tools/html_chart.h"
#include "tools/html_text.h"
#include "util/compiler.h"

#define ROW_PX 24
#define BAR_PX 14
#define NR_STEPS 4
/* As far as whiskers reach, in lengths of the longest bar. */
#define MOST_OF_BAR 1.6

static double
middle(unsigned int row)
{
	return row * ROW_PX + ROW_PX / 2.0;
}

static void
extend(double value, double *low, double *high)
{
	if (!isfinite(value))
		return;
	*low = fmin(*low, value);
	*high = fmax(*high, value);
}

static void
find_ends(const struct html_bars *chart, double *low, double *high)
{
	unsigned int i;

	*low = chart->least;
	*high = chart->most;
	for (i = 0; i < chart->nr; i++) {
		extend(chart->bars[i].value.at, low, high);
		extend(chart->bars[i].value.low, low, high);
		extend(chart->bars[i].value.high, low, high);
		extend(chart->bars[i].other, low, high);
	}
}

/* What a reader sees when he points at the row. */
static void
write_tip(FILE *f, const struct html_bars *chart, const struct html_bar *bar)
{
	char at[HTML_NUM_BYTES], low[HTML_NUM_BYTES], high[HTML_NUM_BYTES];

	html_num_short(at, chart->unit, bar->value.at);
	fputs("<title>", f);
	html_text(f, bar->label);
	fprintf(f, ": %s", at);
	if (isfinite(bar->value.low)) {
		html_num_short(low, chart->unit, bar->value.low);
		html_num_short(high, chart->unit, bar->value.high);
		fprintf(f, " (%s to %s)", low, high);
	}
	if (isfinite(bar->other)) {
		html_num_short(at, chart->unit, bar->other);
		fprintf(f, ", published %s", at);
	}
	fputs("</title>", f);
}

static void
write_cap(FILE *f, double x, double y)
{
	fprintf(f,
		"<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" "
		"y2=\"%.1f\"/>",
		x, x, y - 4, y + 4);
}

/* An end that lies outside of the axis has no cap: it goes on there. */
static void
write_whisker_as(FILE *f, const char *class, const struct html_axis *axis,
	const struct html_bar *bar, double y)
{
	double low = 100 * html_axis_at(axis, bar->value.low);
	double high = 100 * html_axis_at(axis, bar->value.high);

	fprintf(f,
		"<g class=\"%s\"><line x1=\"%.2f%%\" x2=\"%.2f%%\" "
		"y1=\"%.1f\" y2=\"%.1f\"/>",
		class, low, high, y, y);
	write_cap(f, low, y);
	if (bar->value.high <= axis->high * 1.0001)
		write_cap(f, high, y);
	fputs("</g>", f);
}

/* Twice: in the background's colour below, to show on any bar. */
static void
write_whisker(FILE *f, const struct html_axis *axis, const struct html_bar *bar,
	double y)
{
	if (!isfinite(bar->value.low) || !isfinite(bar->value.high))
		return;
	write_whisker_as(f, "halo", axis, bar, y);
	write_whisker_as(f, "whisker", axis, bar, y);
}

static void
write_other(FILE *f, const struct html_axis *axis, const struct html_bar *bar,
	double y)
{
	if (isfinite(bar->other))
		fprintf(f,
			"<use href=\"#mp\" class=\"hollow\" x=\"%.2f%%\" "
			"y=\"%.1f\"/>",
			100 * html_axis_at(axis, bar->other), y);
}

/* The name on the left, the number on the right. */
static void
write_words(FILE *f, const struct html_bars *chart, unsigned int row)
{
	const struct html_bar *bar = &chart->bars[row];
	char number[HTML_NUM_BYTES];
	double y = middle(row) + 4;

	html_num_short(number, chart->unit, bar->value.at);
	fprintf(f, "<text class=\"name%s\" x=\"0\" dx=\"-8\" y=\"%.1f\">",
		bar->is_noise ? " noise" : "", y);
	html_text_most(f, bar->label, HTML_LABEL_CHARS);
	fprintf(f,
		"</text><text class=\"value%s\" x=\"100%%\" dx=\"60\" "
		"y=\"%.1f\">%s</text>",
		bar->is_noise ? " noise" : "", y, number);
}

static size_t
label_chars(const struct html_bars *chart)
{
	size_t most = 0;
	unsigned int i;

	for (i = 0; i < chart->nr; i++)
		most = max(most, html_chart_chars(chart->bars[i].label));
	return most;
}

static void
begin(FILE *f, const struct html_bars *chart, const struct html_axis *axis,
	const char *class)
{
	int height = (int)(chart->nr * ROW_PX);

	html_chart_begin(f, &chart->caption, class, label_chars(chart));
	html_chart_svg(f, &chart->caption, height);
	html_chart_x_axis(f, axis, height);
}

static void
write_bar(FILE *f, const struct html_bars *chart, const struct html_axis *axis,
	unsigned int row)
{
	const struct html_bar *bar = &chart->bars[row];
	double y = middle(row);

	fputs("<g class=\"row\">", f);
	write_tip(f, chart, bar);
	if (isfinite(bar->value.at))
		fprintf(f,
			"<rect class=\"fill s%u\" x=\"0\" y=\"%.1f\" "
			"width=\"%.2f%%\" height=\"%d\"/>",
			bar->style, y - BAR_PX / 2.0,
			100 * html_axis_at(axis, bar->value.at), BAR_PX);
	write_whisker(f, axis, bar, y);
	write_other(f, axis, bar, y);
	write_words(f, chart, row);
	fputs("</g>\n", f);
}

void
html_bars_write(FILE *f, const struct html_bars *chart)
{
	struct html_axis axis = { .unit = chart->unit };
	double low, high, most = 0;
	unsigned int i;

	/* One wild interval must not press all bars flat: it is cut. */
	for (i = 0; i < chart->nr; i++)
		most = fmax(most, chart->bars[i].value.at);
	find_ends(chart, &low, &high);
	html_axis_init_linear(
		&axis, 0, fmin(high, MOST_OF_BAR * most), NR_STEPS);
	begin(f, chart, &axis, "bars");
	for (i = 0; i < chart->nr; i++)
		write_bar(f, chart, &axis, i);
	html_chart_end(f, &chart->caption);
}

/* The span of what is alike, over all rows. */
static void
write_noise(
	FILE *f, const struct html_bars *chart, const struct html_axis *axis)
{
	const struct html_estimate *value;
	double low, high;
	unsigned int i;

	for (i = 0; i < chart->nr; i++) {
		value = &chart->bars[i].value;
		if (!chart->bars[i].is_noise || !isfinite(value->low) ||
			!isfinite(value->high))
			continue;
		low = 100 * html_axis_at(axis, value->low);
		high = 100 * html_axis_at(axis, value->high);
		fprintf(f,
			"<rect class=\"band\" x=\"%.2f%%\" width=\"%.2f%%\" "
			"y=\"0\" height=\"%u\"/>\n",
			low, fmax(high - low, 0), chart->nr * ROW_PX);
	}
}

static void
write_dot(FILE *f, const struct html_bars *chart, const struct html_axis *axis,
	unsigned int row)
{
	const struct html_bar *bar = &chart->bars[row];
	double y = middle(row);

	fputs("<g class=\"row\">", f);
	write_tip(f, chart, bar);
	write_other(f, axis, bar, y);
	write_whisker(f, axis, bar, y);
	if (isfinite(bar->value.at))
		html_chart_marker(f, bar->style,
			100 * html_axis_at(axis, bar->value.at), y);
	write_words(f, chart, row);
	fputs("</g>\n", f);
}

void
html_dots_write(FILE *f, const struct html_bars *chart)
{
	struct html_axis axis = { .unit = chart->unit };
	double low, high, one;
	unsigned int i;

	find_ends(chart, &low, &high);
	low = fmin(low, 1);
	high = fmax(high, 1);
	if (high > 8 * fmax(low, 1e-3))
		html_axis_init_log(&axis, low, high, 6);
	else
		html_axis_init_linear(&axis, low, high, NR_STEPS);
	begin(f, chart, &axis, "bars dots");
	write_noise(f, chart, &axis);
	one = 100 * html_axis_at(&axis, 1);
	fprintf(f,
		"<line class=\"one\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
		"y2=\"%u\"/>\n",
		one, one, chart->nr * ROW_PX);
	for (i = 0; i < chart->nr; i++)
		write_dot(f, chart, &axis, i);
	html_chart_end(f, &chart->caption);
}
