/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Charts as inline SVG that keep their type size at any width: x is in percent
 * of the plot, y in pixels, and labels stand in the padding around it, which
 * the style sheet gives to the class. Curves lie in an inner <svg> that is
 * stretched.
 *
 *	<figure class="chart ...">
 *	  <figcaption> title </figcaption>  legend
 *	  <div class="plot">                padding for the labels
 *	    <svg role="img">                width 100 %, height in pixels
 *
 * A style is an index into the palette: colour and marker belong together, so
 * that neither alone tells one series from another.
 */
#ifndef HTML_CHART_H
#define HTML_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/html_axis.h"
#include "tools/html_data.h"

#define HTML_NR_STYLES 10 /* the last is of what is no mode */
#define HTML_MAX_SERIES 40
#define HTML_LABEL_CHARS 16

/* By name, the same on every page and in every chart: "inline", "libaio". */
unsigned int html_style_of(const char *name, unsigned int index);
/* The markers that all charts of a page refer to. */
void html_markers_write(FILE *f);

struct html_caption {
	const char *title;
	const char *desc; /* for who cannot see it: what it says */
	const char *note; /* below; NULL: none */
};

struct html_bar {
	const char *label;
	unsigned int style;
	struct html_estimate value;
	double other;  /* a published figure beside it; NAN: none */
	bool is_noise; /* the A/A row */
};

/* Horizontal bars, a number beside each; dots against 1 for ratios. */
struct html_bars {
	struct html_caption caption;
	enum html_unit unit;
	double least; /* the axis reaches at least from here */
	double most;  /* to here */
	const struct html_bar *bars;
	unsigned int nr;
};
void html_bars_write(FILE *f, const struct html_bars *chart);
void html_dots_write(FILE *f, const struct html_bars *chart);

struct html_series {
	const char *label;
	unsigned int style;
	const struct html_point *points;
	unsigned int nr;
	const char *const *names; /* of the points, or NULL */
	int ring;		  /* the point to ring, -1: none */
	bool is_dashed;
};

struct html_lines {
	struct html_caption caption;
	const char *x_title;
	const char *y_title;
	struct html_axis x;
	struct html_axis y;
	bool is_percentile; /* x is of html_dist_curve() */
	bool has_markers;   /* at every point; else only at the end */
	const struct html_series *series;
	unsigned int nr;
};
void html_lines_write(FILE *f, const struct html_lines *chart);

/* One strip a mode: where its latencies lie. */
struct html_strip {
	const char *label;
	unsigned int style;
	const json_t *histogram;
	double p50;
	double p99;
};
void html_strips_write(FILE *f, const struct html_caption *caption,
	const struct html_strip *strips, unsigned int nr);

#define HTML_MAX_PARTS 10
struct html_stack {
	const char *label;
	double parts[HTML_MAX_PARTS]; /* NAN: has none */
};
struct html_stacks {
	struct html_caption caption;
	enum html_unit unit;
	const char *const *names; /* of the parts */
	unsigned int nr_parts;
	const struct html_stack *stacks;
	unsigned int nr;
};
void html_stacks_write(FILE *f, const struct html_stacks *chart);

/*
 * What the charts share; @class of the figure, @height of the plot in px,
 * @label_chars of the longest label beside it, 0 where there are none.
 */
void html_chart_begin(FILE *f, const struct html_caption *caption,
	const char *class, size_t label_chars);
/* How wide a label is, of which charts show HTML_LABEL_CHARS. */
size_t html_chart_chars(const char *label);
void html_chart_svg(FILE *f, const struct html_caption *caption, int height);
void html_chart_end(FILE *f, const struct html_caption *caption);
/* Vertical grid with labels below. */
void html_chart_x_axis(FILE *f, const struct html_axis *axis, int height);
/* A marker, with what it stands for as the tip. */
void html_chart_marker(FILE *f, unsigned int style, double x, double y);
void html_legend_begin(FILE *f);
void html_legend_entry(FILE *f, unsigned int style, const char *label);
void html_legend_end(FILE *f);

#endif /* HTML_CHART_H */
