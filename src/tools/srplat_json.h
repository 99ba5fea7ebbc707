/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A run as one JSON object:
 *
 *	{"runs": [{"completion", "input", "output", "block_bytes", "count",
 *	  "errors", "iops", "bandwidth_bytes_per_s",
 *	  "latency_ns": {"min", "mean", "p50", "p90", "p99", "p99.9",
 *	    "p99.99", "max"},
 *	  "cpu_ns_per_io", "context_switches_per_io"}],
 *	 "clock": {...}, "notes": [...]}
 *
 * and, where the program does not end with 0, "error" (the sentence) and
 * "exit" (the status).
 */
#ifndef SRPLAT_JSON_H
#define SRPLAT_JSON_H

#include <stdio.h>

#include "tools/srplat_report.h"
#include "tools/srplat_run.h"

/*
 * @run and @about are NULL when it did not come to a run; @error is NULL when
 * all went well. 0 or -errno.
 */
int srplat_json_print(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status);

#endif /* SRPLAT_JSON_H */
