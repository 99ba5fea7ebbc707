/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_load.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 1024
#define DEFAULT_STEPS 10

/* Digits and k (1000) or M, from *@text on, which is moved behind them. */
static int
take_number(const char **text, uint64_t *out)
{
	const char *p = *text;
	uint64_t value = 0, unit = 1;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*p - '0'),
				&value))
			return -ERANGE;
	if (*p == 'k' || *p == 'K')
		unit = 1000;
	else if (*p == 'M')
		unit = 1000000;
	if (__builtin_mul_overflow(value, unit, out))
		return -ERANGE;
	*text = p + (unit > 1);
	return 0;
}

int
srplat_rate_parse(const char *text, uint64_t *rate, char *reason, size_t n)
{
	const char *end = text;
	uint64_t value = 0;
	int rc = take_number(&end, &value);

	if (!rc && *end)
		rc = -EINVAL;
	if (!rc && (!value || value > SRPLAT_MAX_RATE))
		rc = -ERANGE;
	if (rc)
		snprintf(reason, n,
			"rate=%s is not a number of I/Os a second: allowed "
			"are 1 to 100M, with k for thousands and M for "
			"millions",
			text);
	else
		*rate = value;
	return rc;
}

static int
add_point(struct srplat_sweep *sweep, uint64_t value)
{
	uint64_t most = sweep->by == SRPLAT_SWEEP_DEPTH ? MAX_DEPTH
							: SRPLAT_MAX_RATE;

	if (!value || value > most || sweep->nr == SRPLAT_MAX_POINTS)
		return -ERANGE;
	if (sweep->nr && value <= sweep->points[sweep->nr - 1])
		return -EINVAL;
	sweep->points[sweep->nr++] = value;
	return 0;
}

/* Powers of two times the first, and the last. */
static int
add_doubling(struct srplat_sweep *sweep, uint64_t first, uint64_t last)
{
	uint64_t value;
	int rc = first ? 0 : -ERANGE;

	for (value = first; !rc && value < last; value *= 2)
		rc = add_point(sweep, value);
	return rc ? rc : add_point(sweep, last);
}

static int
add_steps(struct srplat_sweep *sweep, uint64_t first, uint64_t last,
	uint64_t nr)
{
	uint64_t i;
	int rc = 0;

	if (nr < 2 || nr > SRPLAT_MAX_POINTS || last > SRPLAT_MAX_RATE ||
		first > last)
		return -ERANGE;
	for (i = 0; i < nr && !rc; i++)
		rc = add_point(
			sweep, first + (last - first) * i / (nr - 1));
	return rc;
}

/* Behind "first-": the rest of a range. */
static int
take_range(struct srplat_sweep *sweep, uint64_t first, const char *text)
{
	uint64_t last = 0, nr = DEFAULT_STEPS;
	int rc = take_number(&text, &last);

	if (!rc && sweep->by == SRPLAT_SWEEP_RATE && *text == ':') {
		text++;
		rc = take_number(&text, &nr);
	}
	if (!rc && *text)
		rc = -EINVAL;
	if (rc)
		return rc;
	return sweep->by == SRPLAT_SWEEP_DEPTH
		? add_doubling(sweep, first, last)
		: add_steps(sweep, first, last, nr);
}

static int
take_points(struct srplat_sweep *sweep, const char *text)
{
	uint64_t value = 0;
	int rc = take_number(&text, &value);

	if (!rc && *text == '-')
		return take_range(sweep, value, text + 1);
	while (!rc) {
		rc = add_point(sweep, value);
		if (rc || !*text)
			break;
		if (*text++ != ',')
			return -EINVAL;
		rc = take_number(&text, &value);
	}
	return rc;
}

int
srplat_sweep_parse(const char *text, struct srplat_sweep *sweep, char *reason,
	size_t n)
{
	struct srplat_sweep made = { SRPLAT_SWEEP_NONE, 0, { 0 } };
	int rc = -EINVAL;

	if (strncmp(text, "depth:", 6) == 0)
		made.by = SRPLAT_SWEEP_DEPTH;
	else if (strncmp(text, "rate:", 5) == 0)
		made.by = SRPLAT_SWEEP_RATE;
	if (made.by)
		rc = take_points(&made, strchr(text, ':') + 1);
	if (!rc && made.nr < 2)
		rc = -EINVAL;
	if (rc)
		snprintf(reason, n,
			"sweep=%s is no sweep: allowed are depth:1-256 "
			"(powers of two), depth:1,2,32, rate:10k-200k, "
			"rate:10k-200k:20 and rate:10k,50k, with 2 to %d "
			"growing points, depth up to %d and rate up to 100M",
			text, SRPLAT_MAX_POINTS, MAX_DEPTH);
	else
		*sweep = made;
	return rc;
}

const char *
srplat_sweep_name(enum srplat_sweep_by by)
{
	return by == SRPLAT_SWEEP_DEPTH ? "depth" : "rate";
}

int
srplat_sweep_knee(const uint64_t *p99_ns, unsigned int nr)
{
	uint64_t lowest = UINT64_MAX;
	unsigned int i;
	int knee = -1;

	for (i = 0; i < nr; i++)
		if (p99_ns[i] && p99_ns[i] < lowest)
			lowest = p99_ns[i];
	for (i = 0; i < nr; i++)
		if (p99_ns[i] && p99_ns[i] / 2 < lowest)
			knee = (int)i;
	return knee;
}
