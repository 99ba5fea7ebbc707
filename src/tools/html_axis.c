/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_axis.h"

#include <math.h>

#include "util/compiler.h"

#define LOG_LEAST 1e-6
#define GREATEST 1e18
#define MAX_SPREAD 64

static double
sane_or(double value, double instead)
{
	return isfinite(value) ? fmin(fmax(value, -GREATEST), GREATEST)
			       : instead;
}

/* The least of 1, 2, 5 and 10 times a power of ten that is not below. */
static double
round_step(double step)
{
	double power = pow(10, floor(log10(step)));
	double digit = step / power;

	if (digit <= 1.0000001)
		return power;
	if (digit <= 2.0000001)
		return 2 * power;
	return digit <= 5.0000001 ? 5 * power : 10 * power;
}

static void
add_tick(struct html_axis *axis, double value)
{
	if (axis->nr_ticks < HTML_MAX_TICKS)
		axis->ticks[axis->nr_ticks++] = value;
}

void
html_axis_init_linear(
	struct html_axis *axis, double low, double high, unsigned int wanted)
{
	double step, first, i;

	axis->is_log = false;
	axis->nr_ticks = 0;
	low = sane_or(low, 0);
	high = sane_or(high, 1);
	if (high - low <= fabs(low) * 1e-6)
		high = low + fmax(fabs(low), 1e-9);
	step = round_step((high - low) / max(wanted, 1u));
	first = floor(low / step + 1e-9);
	axis->low = first * step;
	for (i = first; i * step < high + step * 0.999; i++)
		add_tick(axis, i * step);
	axis->high = axis->ticks[axis->nr_ticks - 1];
}

/* The greatest of 1, 2, 5 times a power of ten that is not above. */
static double
round_down(double value)
{
	double power = pow(10, floor(log10(value) + 1e-9));
	double digit = value / power;

	return power * (digit >= 4.9999999 ? 5 : digit >= 1.9999999 ? 2 : 1);
}

static void
add_log_ticks(struct html_axis *axis, unsigned int wanted)
{
	static const double digits[] = { 1, 2, 5 };
	double decades = log10(axis->high / axis->low), exponent;
	bool is_fine = 3 * decades < wanted;
	int stride = decades > 8 ? 3 : 1;
	unsigned int i;

	for (exponent = floor(log10(axis->low) - 1e-9);
		pow(10, exponent) <= axis->high * 1.0000001; exponent += stride)
		for (i = 0; i < (is_fine ? ARRAY_SIZE(digits) : 1); i++) {
			double tick = digits[i] * pow(10, exponent);

			if (tick >= axis->low * 0.9999999 &&
				tick <= axis->high * 1.0000001)
				add_tick(axis, tick);
		}
}

void
html_axis_init_log(
	struct html_axis *axis, double low, double high, unsigned int wanted)
{
	axis->is_log = true;
	axis->nr_ticks = 0;
	low = fmin(fmax(sane_or(low, 1), LOG_LEAST), GREATEST / 10);
	high = fmin(fmax(sane_or(high, 10), low), GREATEST);
	axis->low = round_down(low);
	axis->high = round_step(high);
	if (axis->high <= axis->low * 1.5)
		axis->high = axis->low * 10;
	add_log_ticks(axis, wanted);
}

double
html_axis_at(const struct html_axis *axis, double value)
{
	double at;

	if (!isfinite(value))
		return 0;
	if (axis->is_log)
		at = log(fmax(value, axis->low) / axis->low) /
		     log(axis->high / axis->low);
	else
		at = (value - axis->low) / (axis->high - axis->low);
	return fmin(fmax(at, 0), 1);
}

void
html_axis_label(const struct html_axis *axis, unsigned int tick, char *text)
{
	double step = axis->nr_ticks > 1 ? axis->ticks[1] - axis->ticks[0]
					 : axis->high;
	struct html_num_scale scale;

	if (axis->is_log) {
		step = axis->ticks[tick];
		scale = html_num_scale(axis->unit, step, step);
	} else {
		scale = html_num_scale(axis->unit, axis->high, step);
	}
	html_num_label(text, &scale, axis->ticks[tick]);
}

/* Indices in order of position; insertion, for they are few. */
static void
sort_positions(const double *at, unsigned int *order, unsigned int nr)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		for (j = i; j > 0 && at[order[j - 1]] > at[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
}

void
html_axis_spread(
	double *at, unsigned int nr, double gap, const double bounds[2])
{
	unsigned int order[MAX_SPREAD], i;
	double limit;

	nr = min(nr, (unsigned int)MAX_SPREAD);
	sort_positions(at, order, nr);
	for (i = 0, limit = bounds[0]; i < nr; i++, limit += gap) {
		limit = fmax(limit, at[order[i]]);
		at[order[i]] = limit;
	}
	for (i = nr, limit = bounds[1]; i > 0; i--, limit -= gap) {
		limit = fmin(limit, at[order[i - 1]]);
		at[order[i - 1]] = limit;
	}
}
