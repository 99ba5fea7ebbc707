/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_json.h"

#include <errno.h>
#include <jansson.h>

#include "util/compiler.h"

/* Text from outside that is not UTF-8 must not cost the whole object. */
static json_t *
text(const char *given)
{
	json_t *string = json_string(given);
	char ascii[1024];
	size_t i;

	if (string)
		return string;
	snprintf(ascii, sizeof(ascii), "%s", given);
	for (i = 0; ascii[i]; i++)
		if ((unsigned char)ascii[i] >= 0x80)
			ascii[i] = '?';
	return json_string(ascii);
}

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
one_mode(const struct srplat_run *run, const struct srplat_mode *mode)
{
	return json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:o, s:f, "
			 "s:f}",
		"completion", mode->name, "input", text(run->opts->in),
		"output", text(run->opts->out), "block_bytes",
		(json_int_t)run->area.record_bytes, "count",
		(json_int_t)mode->nr_done, "errors",
		(json_int_t)mode->nr_errors, "iops", srplat_mode_iops(mode),
		"bandwidth_bytes_per_s", srplat_mode_bytes_per_s(mode),
		"latency_ns", latencies(mode->hist), "cpu_ns_per_io",
		srplat_mode_cpu_ns(mode), "context_switches_per_io",
		srplat_mode_switches(mode));
}

static json_t *
all_modes(const struct srplat_run *run)
{
	json_t *runs = json_array();
	unsigned int i;

	for (i = 0; run && i < run->nr_modes; i++)
		json_array_append_new(runs, one_mode(run, &run->modes[i]));
	return runs;
}

static json_t *
all_notes(const struct srplat_run *run)
{
	const struct srplat_src *ends[] = { run->in, run->out };
	json_t *notes = json_array();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends[i] && ends[i]->note[0])
			json_array_append_new(notes, text(ends[i]->note));
	return notes;
}

static json_t *
clock_facts(const struct srplat_about *about)
{
	const struct clock_report *clock = &about->clock;

	return json_pack("{s:s, s:s, s:I, s:f, s:I, s:f}", "name",
		"CLOCK_MONOTONIC", "source", clock->source, "resolution_ns",
		(json_int_t)clock->resolution_ns, "read_cost_ns",
		clock->read_cost_ns, "backwards",
		(json_int_t)clock->nr_backwards, "probe_ns",
		about->probe_cost_ns);
}

int
srplat_json_print(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status)
{
	json_t *root = json_object();
	int rc;

	json_object_set_new(root, "runs", all_modes(run));
	if (about)
		json_object_set_new(root, "clock", clock_facts(about));
	if (run)
		json_object_set_new(root, "notes", all_notes(run));
	if (error) {
		json_object_set_new(root, "error", text(error));
		json_object_set_new(root, "exit", json_integer(status));
	}
	rc = json_dumpf(root, f, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(root);
	if (!rc && (fputc('\n', f) == EOF || fflush(f)))
		rc = -1;
	return rc ? -EIO : 0;
}
