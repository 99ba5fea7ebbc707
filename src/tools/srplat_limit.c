/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_limit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/srplat_run.h"
#include "util/clock.h"
#include "util/parse.h"

/* "99.9", nothing else; above 0, up to 100. */
static int
parse_percent_of(const char *text, double *percent)
{
	const char *digits = "0123456789";
	size_t whole = strspn(text, digits), part = 0;

	if (text[whole] == '.')
		part = strspn(text + whole + 1, digits);
	if (!whole || text[whole + (part ? part + 1 : 0)])
		return -EINVAL;
	*percent = strtod(text, NULL);
	return *percent > 0.0 && *percent <= 100.0 ? 0 : -ERANGE;
}

static int
parse_stat(struct srplat_limit *limit)
{
	if (strcmp(limit->name, "mean") == 0)
		limit->stat = SRPLAT_STAT_MEAN;
	else if (strcmp(limit->name, "max") == 0)
		limit->stat = SRPLAT_STAT_MAX;
	else if (limit->name[0] == 'p')
		return parse_percent_of(limit->name + 1, &limit->percent);
	else
		return -EINVAL;
	return 0;
}

static int
parse_one(const char *text, size_t len, struct srplat_limit *limit)
{
	static const struct parse_limits range = {
		.key = "threshold",
		.min = 1,
		.max = 3600 * CLOCK_NS_PER_SEC,
	};
	const char *colon = memchr(text, ':', len);
	size_t name_len = colon ? (size_t)(colon - text) : 0;
	char time[32];
	int rc;

	memset(limit, 0, sizeof(*limit));
	if (!name_len || name_len >= sizeof(limit->name) ||
		len - name_len - 1 >= sizeof(time))
		return -EINVAL;
	memcpy(limit->name, text, name_len);
	memcpy(time, colon + 1, len - name_len - 1);
	time[len - name_len - 1] = '\0';
	rc = parse_stat(limit);
	return rc ? rc
		  : parse_duration_ns(time, &range, &limit->most_ns, NULL, 0);
}

int
srplat_limits_parse(const char *text, struct srplat_limits *limits,
	char *reason, size_t n)
{
	const char *at = text;
	size_t len;
	int rc;

	for (;; at += len + 1) {
		len = strcspn(at, ",");
		rc = limits->nr == SRPLAT_MAX_LIMITS
			? -ERANGE
			: parse_one(at, len, &limits->limits[limits->nr]);
		if (rc)
			break;
		limits->nr++;
		if (!at[len])
			return 0;
	}
	snprintf(reason, n,
		"threshold=%s is no limit: allowed are mean, max or a "
		"percentile, a colon and a time up to 1h, such as p99:200us, "
		"and up to %d of them with commas between",
		text, SRPLAT_MAX_LIMITS);
	return rc;
}

static double
value_of(const struct srplat_limit *limit, const struct hist *hist)
{
	switch (limit->stat) {
	case SRPLAT_STAT_MEAN:
		return hist_mean(hist);
	case SRPLAT_STAT_MAX:
		return (double)hist->max;
	case SRPLAT_STAT_PERCENT:
		break;
	}
	return (double)hist_percentile(hist, limit->percent);
}

/* Appends; what does not fit is left out, the first always does. */
static void
tell(char *reason, size_t n, const struct srplat_limit *limit,
	const struct srplat_mode *mode)
{
	const struct hist *hist = srplat_mode_latency(mode);
	char label[64], text[192];
	size_t len = strlen(reason);

	srplat_mode_label(mode, label, sizeof(label));
	snprintf(text, sizeof(text), "%s %s%s is %.3f us, more than %.3f us",
		label, limit->name, mode->response ? " of the response" : "",
		value_of(limit, hist) / 1e3, (double)limit->most_ns / 1e3);
	if (len + strlen(text) + 3 < n)
		snprintf(reason + len, n - len, "%s%s", len ? "; " : "",
			text);
}

int
srplat_limits_check(const struct srplat_limits *limits,
	const struct srplat_run *run, char *reason, size_t n)
{
	static const char begin[] = "threshold= is exceeded: ";
	const struct hist *hist;
	unsigned int i, m;
	char all[512] = "";

	for (i = 0; i < limits->nr; i++)
		for (m = 0; m < run->nr_modes; m++) {
			hist = srplat_mode_latency(&run->modes[m]);
			if (hist->nr &&
				value_of(&limits->limits[i], hist) >
					(double)limits->limits[i].most_ns)
				tell(all, sizeof(all), &limits->limits[i],
					&run->modes[m]);
		}
	if (!all[0])
		return 0;
	snprintf(reason, n, "%s%s", begin, all);
	return SRPLAT_EXIT_LIMIT;
}
