/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Numbers as people read them. A figure that is not there is NAN and is
 * written as a dash.
 */
#ifndef HTML_NUM_H
#define HTML_NUM_H

#include <stddef.h>

#define HTML_NUM_BYTES 48

enum html_unit {
	HTML_COUNT, /* of anything: 12.3 k */
	HTML_IOPS,
	HTML_NS,    /* nanoseconds in, "36.8 µs" out */
	HTML_RATIO, /* 0.93 */
};

/* Three digits that count, and a unit: "122 k", "36.8 µs". */
void html_num_short(char *text, enum html_unit unit, double value);
/* As it stands in a table: "122,688", ns in us as "36.78", "1.034". */
void html_num_exact(char *text, enum html_unit unit, double value);
/*
 * "512 B", "64 KiB", "128 MiB"; what is no round number stays in
 * bytes up to 99999, and has a decimal from there on.
 */
void html_num_bytes(char *text, double bytes);

/* Labels of one axis share a unit and their decimals. */
struct html_num_scale {
	double per; /* divide by this */
	int decimals;
	const char *suffix; /* " k" */
};
struct html_num_scale
html_num_scale(enum html_unit unit, double greatest, double step);
void
html_num_label(char *text, const struct html_num_scale *scale, double value);

#endif /* HTML_NUM_H */
