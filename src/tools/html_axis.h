/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An axis: its ends, and ticks at round values. Pure arithmetic; whatever the
 * data, the ends are finite and apart and the ticks lie between them.
 */
#ifndef HTML_AXIS_H
#define HTML_AXIS_H

#include <stdbool.h>

#include "tools/html_num.h"

#define HTML_MAX_TICKS 24

struct html_axis {
	enum html_unit unit;
	bool is_log;
	double low;
	double high;
	unsigned int nr_ticks;
	double ticks[HTML_MAX_TICKS];
};

/* About @wanted steps of 1, 2 or 5 times a power of ten. */
void html_axis_init_linear(
	struct html_axis *axis, double low, double high, unsigned int wanted);
/*
 * From and to 1, 2 or 5 times a power of ten; ticks at all of these where that
 * makes no more than @wanted, else at powers of ten.
 */
void html_axis_init_log(
	struct html_axis *axis, double low, double high, unsigned int wanted);

/* Where a value lies, 0 at the low end and 1 at the high one, never outside. */
double html_axis_at(const struct html_axis *axis, double value);
/* The label of a tick, HTML_NUM_BYTES. */
void
html_axis_label(const struct html_axis *axis, unsigned int tick, char *text);

/*
 * Moves positions apart until they are @gap from each other and inside
 * [@low, @high], keeping their order and as near to where they were as a
 * single pass in each direction leaves them. At most 64.
 */
void html_axis_spread(
	double *at, unsigned int nr, double gap, const double bounds[2]);

#endif /* HTML_AXIS_H */
