/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_chart.h"

#include <string.h>

#include "tools/html_text.h"
#include "util/compiler.h"

/* As many ticks have room on a narrow page. */
#define NR_NARROW 4

/* Paths about 0,0, of about the same area each. */
static const char *const markers[HTML_NR_STYLES] = {
	"M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
	"M-4-4H4V4H-4z",
	"M0-5.4 5 3.8H-5z",
	"M0-5.8 5.2 0 0 5.8-5.2 0z",
	"M0-6 1.6-2 6-2 2.6 1 3.7 5 0 2.7-3.7 5-2.6 1-6-2-1.6-2z",
	"M0 5.4 5-3.8H-5z",
	"M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7z",
	"M-2.6-4.8H2.6L5.2 0 2.6 4.8H-2.6L-5.2 0z",
	"M-5-3H5V3H-5z",
	"M-3-5H3V5H-3z",
};

unsigned int
html_style_of(const char *name, unsigned int index)
{
	static const char *const known[] = { "inline", "thread", "poll", "self",
		"adaptive", "libaio", "io_uring" };
	unsigned int i;

	for (i = 0; name && i < ARRAY_SIZE(known); i++)
		if (strcmp(name, known[i]) == 0)
			return i;
	return ARRAY_SIZE(known) +
	       index % (HTML_NR_STYLES - 1 - (unsigned int)ARRAY_SIZE(known));
}

void
html_markers_write(FILE *f)
{
	unsigned int i;

	fputs("<svg class=\"defs\" width=\"0\" height=\"0\" "
	      "aria-hidden=\"true\"><defs>\n",
		f);
	for (i = 0; i < HTML_NR_STYLES; i++)
		fprintf(f, "<path id=\"m%u\" d=\"%s\"/>\n", i, markers[i]);
	fputs("<path id=\"mp\" d=\"M0-8.5 7.5 0 0 8.5-7.5 0z\"/>\n"
	      "</defs></svg>\n",
		f);
}

void
html_chart_begin(FILE *f, const struct html_caption *caption, const char *class,
	size_t label_chars)
{
	fprintf(f, "<figure class=\"chart %s\"", class);
	if (label_chars)
		fprintf(f, " style=\"--chars:%zu\"", label_chars);
	fputs(">\n<figcaption>", f);
	html_text(f, caption->title);
	fputs("</figcaption>\n", f);
}

size_t
html_chart_chars(const char *label)
{
	size_t nr = 0;

	for (; label && *label && nr <= HTML_LABEL_CHARS; label++)
		nr += ((unsigned char)*label & 0xc0) != 0x80;
	return nr;
}

void
html_chart_svg(FILE *f, const struct html_caption *caption, int height)
{
	fprintf(f,
		"<div class=\"plot\"><svg role=\"img\" width=\"100%%\" "
		"height=\"%d\" aria-label=\"",
		height);
	html_text(f, caption->title);
	fputs("\">\n<desc>", f);
	html_text(f, caption->desc);
	fputs("</desc>\n", f);
}

void
html_chart_end(FILE *f, const struct html_caption *caption)
{
	fputs("</svg></div>\n", f);
	if (caption->note) {
		fputs("<p class=\"note\">", f);
		html_text(f, caption->note);
		fputs("</p>\n", f);
	}
	fputs("</figure>\n", f);
}

void
html_chart_x_axis(FILE *f, const struct html_axis *axis, int height)
{
	char label[HTML_NUM_BYTES];
	unsigned int i;
	double at;

	for (i = 0; i < axis->nr_ticks; i++) {
		at = 100 * html_axis_at(axis, axis->ticks[i]);
		html_axis_label(axis, i, label);
		fprintf(f,
			"<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" "
			"y1=\"0\" y2=\"%d\"/><text class=\"tick mid%s\" "
			"x=\"%.2f%%\" y=\"%d\">%s</text>\n",
			at, at, height,
			i % 2 && axis->nr_ticks > NR_NARROW ? " odd" : "", at,
			height + 17, label);
	}
}

void
html_chart_marker(FILE *f, unsigned int style, double x, double y)
{
	fprintf(f,
		"<use href=\"#m%u\" class=\"fill s%u\" x=\"%.2f%%\" "
		"y=\"%.1f\"/>",
		style, style, x, y);
}

void
html_legend_begin(FILE *f)
{
	fputs("<ul class=\"legend\">\n", f);
}

void
html_legend_entry(FILE *f, unsigned int style, const char *label)
{
	fprintf(f,
		"<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\">"
		"<use href=\"#m%u\" class=\"fill s%u\" x=\"7\" y=\"7\"/>"
		"</svg>",
		style, style);
	html_text(f, label);
	fputs("</li>\n", f);
}

void
html_legend_end(FILE *f)
{
	fputs("</ul>\n", f);
}
