/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Where the latencies of each mode lie: a strip each, over one log axis. */
#include <math.h>

#include "tools/html_chart.h"
#include "tools/html_text.h"
#include "util/compiler.h"

#define STRIP_PX 46
#define AREA_PX 36.0

static int
find_axis(const struct html_strip *strips, unsigned int nr,
	struct html_axis *axis)
{
	double low = INFINITY, high = 0, from, to;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (html_dist_range(strips[i].histogram, &from, &to))
			continue;
		low = fmin(low, from);
		high = fmax(high, to);
	}
	if (high <= 0)
		return -1;
	axis->unit = HTML_NS;
	html_axis_init_log(axis, low, high, 6);
	return 0;
}

/* An area over the strip's floor, each to its own height. */
static void
write_area(FILE *f, const struct html_strip *strip, const double *bins,
	double floor_px)
{
	double most = 0;
	unsigned int i;

	for (i = 0; i < HTML_NR_BINS; i++)
		most = fmax(most, bins[i]);
	if (most <= 0)
		return;
	fprintf(f, "<path class=\"area s%u\" d=\"M0 %.1f", strip->style,
		floor_px);
	for (i = 0; i < HTML_NR_BINS; i++)
		fprintf(f, "V%.1fH%u", floor_px - AREA_PX * bins[i] / most,
			i + 1);
	fprintf(f, "V%.1fz\"/>\n", floor_px);
}

static void
write_at(FILE *f, const struct html_axis *axis, double value, const double y[2],
	const char *class)
{
	double x = 100 * html_axis_at(axis, value);

	if (value > 0)
		fprintf(f,
			"<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" "
			"y1=\"%.1f\" y2=\"%.1f\"/>",
			class, x, x, y[0], y[1]);
}

static void
write_strip(FILE *f, const struct html_strip *strip,
	const struct html_axis *axis, unsigned int row)
{
	const double range[] = { axis->low, axis->high };
	double floor_px = (row + 1) * STRIP_PX;
	const double tall[] = { floor_px - AREA_PX, floor_px };
	char p50[HTML_NUM_BYTES], p99[HTML_NUM_BYTES];
	double bins[HTML_NR_BINS];

	html_num_short(p50, HTML_NS, strip->p50);
	html_num_short(p99, HTML_NS, strip->p99);
	fputs("<g class=\"row\"><title>", f);
	html_text(f, strip->label);
	fprintf(f, ": median %s, 99 %% under %s</title>\n", p50, p99);
	if (!html_dist_bins(strip->histogram, range, bins)) {
		fprintf(f,
			"<svg class=\"out\" viewBox=\"0 0 %d %u\" "
			"width=\"100%%\" height=\"%u\" "
			"preserveAspectRatio=\"none\" y=\"0\">",
			HTML_NR_BINS, (row + 1) * STRIP_PX,
			(row + 1) * STRIP_PX);
		write_area(f, strip, bins, floor_px);
		fputs("</svg>", f);
	}
	write_at(f, axis, strip->p50, tall, "median");
	write_at(f, axis, strip->p99, tall, "tail");
	fprintf(f,
		"<line class=\"floor\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" "
		"y2=\"%.1f\"/><text class=\"name\" x=\"0\" dx=\"-8\" "
		"y=\"%.1f\">",
		floor_px, floor_px, floor_px - 4);
	html_text_most(f, strip->label, HTML_LABEL_CHARS);
	fprintf(f,
		"</text><text class=\"value\" x=\"100%%\" dx=\"60\" "
		"y=\"%.1f\">%s</text></g>\n",
		floor_px - 4, p50);
}

void
html_strips_write(FILE *f, const struct html_caption *caption,
	const struct html_strip *strips, unsigned int nr)
{
	int height = (int)(nr * STRIP_PX);
	struct html_axis axis;
	size_t most = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		most = max(most, html_chart_chars(strips[i].label));
	if (find_axis(strips, nr, &axis))
		return;
	html_chart_begin(f, caption, "bars strips", most);
	html_chart_svg(f, caption, height);
	html_chart_x_axis(f, &axis, height);
	for (i = 0; i < nr; i++)
		write_strip(f, &strips[i], &axis, i);
	html_chart_end(f, caption);
}
