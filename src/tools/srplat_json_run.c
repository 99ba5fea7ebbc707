/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One mode of a run as JSON. */
#include "tools/srplat_hist.h"
#include "tools/srplat_json.h"

static json_t *
latencies(const struct hist *hist)
{
	return json_pack("{s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I}", "min",
		(json_int_t)hist_min(hist), "mean", hist_mean(hist), "p50",
		(json_int_t)hist_percentile(hist, 50), "p90",
		(json_int_t)hist_percentile(hist, 90), "p99",
		(json_int_t)hist_percentile(hist, 99), "p99.9",
		(json_int_t)hist_percentile(hist, 99.9), "p99.99",
		(json_int_t)hist_percentile(hist, 99.99), "max",
		(json_int_t)hist->max);
}

static json_t *
stages(const struct hist *hists)
{
	json_t *json = json_object();
	const struct hist *hist;
	int i;

	for (i = 0; i < SRPLAT_NR_STAGES; i++) {
		hist = &hists[i];
		if (!hist->nr)
			continue;
		json_object_set_new(json,
			srplat_stage_name((enum srplat_stage)i),
			json_pack("{s:I, s:f, s:I, s:I}", "count",
				(json_int_t)hist->nr, "mean", hist_mean(hist),
				"p50", (json_int_t)hist_percentile(hist, 50),
				"p99", (json_int_t)hist_percentile(hist, 99)));
	}
	return json;
}

static const char *
operation(const struct srplat_mode *mode)
{
	static const char *const names[] = { "copy", "write", "read" };

	return names[mode->op];
}

/* What only some modes have. */
static void
add_more(json_t *json, const struct srplat_run *run,
	const struct srplat_mode *mode)
{
	if (mode->response) {
		json_object_update_new(json,
			json_pack("{s:I, s:o, s:I, s:I, s:I}", "rate",
				(json_int_t)mode->rate, "response_ns",
				latencies(mode->response), "missed_sends",
				(json_int_t)mode->nr_missed, "unsent",
				(json_int_t)mode->nr_unsent, "max_waiting",
				(json_int_t)mode->max_waiting));
	}
	if (mode->stages)
		json_object_set_new(json, "stages_ns", stages(mode->stages));
	if (mode->counts.is_valid)
		json_object_update_new(json,
			json_pack("{s:f, s:f}", "cycles_per_io",
				srplat_mode_cycles(mode),
				"instructions_per_io",
				srplat_mode_instructions(mode)));
	if (run->nr_merged)
		json_object_set_new(json, "iops_side_by_side",
			json_real(mode->iops_sum));
	if (run->opts->wants_histogram) {
		json_object_set_new(
			json, "histogram", srplat_hist_encode(mode->hist));
		if (mode->response)
			json_object_set_new(json, "response_histogram",
				srplat_hist_encode(mode->response));
	}
}

json_t *
srplat_json_mode(const struct srplat_run *run, const struct srplat_mode *mode)
{
	json_t *json = json_pack(
		"{s:s, s:s, s:o, s:o, s:I, s:I, s:s, s:I, s:I, s:I, s:I, "
		"s:f, s:f, s:o, s:f, s:f}",
		"completion", mode->name, "operation", operation(mode),
		"input", srplat_json_text(run->opts->in), "output",
		srplat_json_text(run->opts->out), "block_bytes",
		(json_int_t)run->area.record_bytes, "depth",
		(json_int_t)mode->depth, "pattern",
		run->opts->pattern == SRPLAT_PATTERN_RAND ? "rand" : "seq",
		"count", (json_int_t)mode->nr_done, "errors",
		(json_int_t)mode->nr_errors, "elapsed_ns",
		(json_int_t)mode->elapsed_ns, "bytes",
		(json_int_t)mode->bytes, "iops", srplat_mode_iops(mode),
		"bandwidth_bytes_per_s", srplat_mode_bytes_per_s(mode),
		"latency_ns", latencies(mode->hist), "cpu_ns_per_io",
		srplat_mode_cpu_ns(mode), "context_switches_per_io",
		srplat_mode_switches(mode));

	add_more(json, run, mode);
	return json;
}
