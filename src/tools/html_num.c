/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_num.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"

struct prefix {
	double per;
	const char *suffix;
};

static const struct prefix thousands[] = {
	{ 1e12, " T" },
	{ 1e9, " G" },
	{ 1e6, " M" },
	{ 1e3, " k" },
	{ 1, "" },
};
static const struct prefix times[] = {
	{ 1e9, " s" },
	{ 1e6, " ms" },
	{ 1e3, " µs" },
	{ 1, " ns" },
};
static const struct prefix plain[] = { { 1, "" } };

static const struct prefix *
find_prefix(enum html_unit unit, double value)
{
	const struct prefix *table = unit == HTML_NS	  ? times
				     : unit == HTML_RATIO ? plain
							  : thousands;

	/* What rounds up to the next unit is written in that. */
	while (table->per > 1 && value < table->per * 0.9995)
		table++;
	return table;
}

/* So that three digits count; zero has none. */
static int
decimals_of(double value)
{
	if (value <= 0 || value >= 99.95)
		return 0;
	return value >= 9.995 ? 1 : 2;
}

void
html_num_short(char *text, enum html_unit unit, double value)
{
	const struct prefix *prefix = find_prefix(unit, value);
	double scaled = value / prefix->per;
	bool is_whole = prefix->per == 1 && unit != HTML_RATIO &&
			scaled == floor(scaled);

	if (!isfinite(value))
		snprintf(text, HTML_NUM_BYTES, "–");
	else
		snprintf(text, HTML_NUM_BYTES, "%.*f%s",
			is_whole ? 0 : decimals_of(scaled), scaled,
			prefix->suffix);
}

/* Commas between groups of three digits before the point. */
static void
group_digits(char *text, const char *digits)
{
	size_t i, len = strcspn(digits, "."), n = 0;

	for (i = 0; digits[i] && n + 2 < HTML_NUM_BYTES; i++) {
		if (i && i < len && (len - i) % 3 == 0)
			text[n++] = ',';
		text[n++] = digits[i];
	}
	text[n] = '\0';
}

void
html_num_exact(char *text, enum html_unit unit, double value)
{
	char digits[HTML_NUM_BYTES];
	int decimals = unit == HTML_RATIO ? 3 : unit == HTML_NS ? 2 : 0;

	if (!isfinite(value)) {
		snprintf(text, HTML_NUM_BYTES, "–");
		return;
	}
	if (unit == HTML_NS)
		value /= 1000;
	if (unit == HTML_COUNT && value < 100 && value != floor(value))
		decimals = 2;
	snprintf(digits, sizeof(digits), "%.*f", decimals, value);
	group_digits(text, digits);
}

void
html_num_bytes(char *text, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;
	int decimals;

	if (!isfinite(bytes)) {
		snprintf(text, HTML_NUM_BYTES, "–");
		return;
	}
	while (unit + 1 < ARRAY_SIZE(units) && bytes >= 1024 &&
		fmod(bytes, 1024) == 0) {
		bytes /= 1024;
		unit++;
	}
	/* So large a number nobody reads to the last digit. */
	decimals = bytes >= 100000 && unit + 1 < ARRAY_SIZE(units);
	while (decimals && unit + 1 < ARRAY_SIZE(units) && bytes >= 1024) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, HTML_NUM_BYTES, "%.*f %s", decimals, bytes, units[unit]);
}

struct html_num_scale
html_num_scale(enum html_unit unit, double greatest, double step)
{
	const struct prefix *prefix = find_prefix(unit, greatest);
	struct html_num_scale scale = { prefix->per, 0, prefix->suffix };
	double scaled = step / prefix->per;

	while (scale.decimals < 6 && scaled > 0 &&
		fabs(scaled - round(scaled)) > 1e-6 * scaled) {
		scaled *= 10;
		scale.decimals++;
	}
	return scale;
}

void
html_num_label(char *text, const struct html_num_scale *scale, double value)
{
	snprintf(text, HTML_NUM_BYTES, "%.*f%s",
		value == 0 ? 0 : scale->decimals, value / scale->per,
		value == 0 ? "" : scale->suffix);
}
