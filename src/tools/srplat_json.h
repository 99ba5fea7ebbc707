/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A run as one JSON object:
 *
 *	{"program", "version", "date",
 *	 "settings": {"command", "rounds", "runtime_ns"},
 *	 "machine": as machine_json() has it, but for the clock,
 *	 "runs": [{"completion", "operation", "input", "output", "block_bytes",
 *	  "depth", "pattern", "count", "errors", "elapsed_ns",
 *	  "bytes", "iops",
 *	  "bandwidth_bytes_per_s",
 *	  "latency_ns": {"min", "mean", "p50", "p90", "p99", "p99.9",
 *	    "p99.99", "max"},
 *	  "cpu_ns_per_io", "context_switches_per_io",
 *	  with a rate: "rate", "response_ns": as "latency_ns",
 *	    "missed_sends", "unsent", "max_waiting",
 *	  with stages=yes: "stages_ns": {"submit->posted": {...}, ...},
 *	  with counters: "cycles_per_io", "instructions_per_io",
 *	  with histogram=yes: "histogram", and with a rate
 *	    "response_histogram" (tools/srplat_hist.h),
 *	  with modes in rounds: "rounds": [{"iops", "mean_ns", "p50_ns"}],
 *	    "ratio": {"p50", "mean"}, each {"estimate", "low", "high",
 *	    "pairs"}}],
 *	 with modes in rounds: "noise": as "ratio", "method": {...},
 *	 "clock": {...}, "counters": {"scope", "reason"}, "notes": [...],
 *	 "sweep", "verify", "slow" where asked for}
 *
 * and, where the program does not end with 0, "error" (the sentence) and
 * "exit" (the status).
 */
#ifndef SRPLAT_JSON_H
#define SRPLAT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "tools/srplat_report.h"
#include "tools/srplat_run.h"

/*
 * @run and @about are NULL when it did not come to a run; @error is NULL when
 * all went well. 0 or -errno.
 */
int srplat_json_print(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status);

/* The same as an object, which the caller puts; NULL: no memory. */
json_t *srplat_json_make(const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status);

/* Text from outside that is not UTF-8 must not cost the whole object. */
json_t *srplat_json_text(const char *given);
/* One mode: an element of "runs". */
json_t *srplat_json_mode(
	const struct srplat_run *run, const struct srplat_mode *mode);
/*
 * Of modes side by side in rounds: "rounds" and "ratio" of each element of
 * @runs, "noise" and "method" of @root. Nothing where there is nothing to
 * compare.
 */
void srplat_json_add_ratios(json_t *root, const struct srplat_run *run);
/* "program", "version", "date", "settings", "machine". */
void srplat_json_add_origin(json_t *root, const struct srplat_run *run);

#endif /* SRPLAT_JSON_H */
