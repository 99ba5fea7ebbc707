/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A latency histogram as JSON, with nothing lost, so that files of several
 * runs can be added up:
 *
 *	{"count", "sum_ns", "min_ns", "max_ns", "over",
 *	 "buckets": [[first value, last value, count], ...]}
 *
 * "over" is how many of "count" were past the last bucket. Only buckets that
 * hold something are there.
 */
#ifndef SRPLAT_HIST_H
#define SRPLAT_HIST_H

#include <jansson.h>

#include "util/hist.h"

json_t *srplat_hist_encode(const struct hist *hist);
/* 0, or -EINVAL for what srplat_hist_encode() cannot have made. */
int srplat_hist_decode(const json_t *json, struct hist *hist);

#endif /* SRPLAT_HIST_H */
