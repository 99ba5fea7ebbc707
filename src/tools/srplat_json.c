/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_json.h"

#include <errno.h>
#include <jansson.h>

#include "util/compiler.h"

json_t *
srplat_json_text(const char *given)
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
all_modes(const struct srplat_run *run)
{
	json_t *runs = json_array();
	unsigned int i;

	for (i = 0; run && i < run->nr_modes; i++)
		json_array_append_new(runs, srplat_json_mode(run, &run->modes[i]));
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
			json_array_append_new(notes, srplat_json_text(ends[i]->note));
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

static json_t *
one_sweep(const struct srplat_mode *points, unsigned int nr)
{
	const struct srplat_mode *knee = srplat_sweep_knee_of(points, nr);
	json_t *array = json_array();
	const struct hist *hist;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!points[i].nr_done)
			continue;
		hist = srplat_mode_latency(&points[i]);
		json_array_append_new(array,
			json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:f, s:b}",
				srplat_sweep_name(points[i].by),
				points[i].by == SRPLAT_SWEEP_DEPTH
					? (json_int_t)points[i].depth
					: (json_int_t)points[i].rate,
				"iops", srplat_mode_iops(&points[i]),
				"mean_ns", hist_mean(hist), "p50_ns",
				(json_int_t)hist_percentile(hist, 50),
				"p99_ns",
				(json_int_t)hist_percentile(hist, 99),
				"p99.9_ns",
				(json_int_t)hist_percentile(hist, 99.9),
				"cpu_ns_per_io",
				srplat_mode_cpu_ns(&points[i]), "knee",
				&points[i] == knee));
	}
	return json_pack("{s:s, s:s, s:o}", "completion", points->name, "by",
		srplat_sweep_name(points->by), "points", array);
}

static json_t *
all_sweeps(const struct srplat_run *run)
{
	json_t *sweeps = json_array();
	unsigned int first, nr;

	for (first = 0; first < run->nr_modes; first += nr) {
		nr = srplat_sweep_points(run, first);
		json_array_append_new(
			sweeps, one_sweep(&run->modes[first], nr));
	}
	return sweeps;
}

static json_t *
verify_facts(const struct srplat_run *run)
{
	const struct srplat_verify *verify = &run->verify;
	json_t *json = json_pack("{s:s, s:I, s:I, s:b}", "operation",
		run->opts->verify == SRPLAT_VERIFY_WRITE ? "write" : "read",
		"block_bytes", (json_int_t)verify->block_bytes, "good_blocks",
		(json_int_t)verify->nr_blocks, "mismatch", verify->is_broken);

	if (verify->knows_seed)
		json_object_set_new(json, "seed",
			json_integer((json_int_t)verify->seed));
	if (verify->is_broken) {
		json_object_set_new(json, "lba",
			json_integer((json_int_t)verify->bad_lba));
		json_object_set_new(json, "offset_in_block",
			json_integer((json_int_t)verify->bad_offset));
	}
	return json;
}

static json_t *
slow_facts(const struct srplat_slow *slow)
{
	json_t *ios = json_array();
	const struct srplat_slow_io *io;
	uint64_t i;

	for (i = 0; i < min_t(uint64_t, slow->nr, SRPLAT_MAX_SLOW); i++) {
		io = &slow->ios[i];
		json_array_append_new(ios,
			json_pack("{s:I, s:I, s:I, s:I, s:b}", "at_ns",
				(json_int_t)io->at_ns, "latency_ns",
				(json_int_t)io->latency_ns, "offset",
				(json_int_t)io->offset, "bytes",
				(json_int_t)io->bytes, "write", io->is_write));
	}
	return json_pack("{s:I, s:I, s:o}", "limit_ns",
		(json_int_t)slow->limit_ns, "count", (json_int_t)slow->nr,
		"ios", ios);
}

static json_t *
counter_facts(const struct srplat_counters *counters)
{
	return counters->scope
		? json_pack("{s:s}", "scope", counters->scope)
		: json_pack("{s:n, s:s}", "scope", "reason", counters->reason);
}

/* What belongs to the whole run, where it was asked for. */
static void
add_facts(json_t *root, const struct srplat_run *run)
{
	if (run->nr_modes && run->modes[0].by)
		json_object_set_new(root, "sweep", all_sweeps(run));
	if (run->opts->verify)
		json_object_set_new(root, "verify", verify_facts(run));
	if (run->slow.limit_ns)
		json_object_set_new(root, "slow", slow_facts(&run->slow));
	if (run->nr_merged)
		json_object_set_new(root, "merged_files",
			json_integer((json_int_t)run->nr_merged));
	else
		json_object_set_new(
			root, "counters", counter_facts(&run->counters));
	json_object_set_new(root, "notes", all_notes(run));
}

json_t *
srplat_json_make(const struct srplat_run *run, const struct srplat_about *about,
	const char *error, int status)
{
	json_t *root = json_object();

	srplat_json_add_origin(root, run);
	json_object_set_new(root, "runs", all_modes(run));
	if (about)
		json_object_set_new(root, "clock", clock_facts(about));
	if (run)
		srplat_json_add_ratios(root, run);
	if (run)
		add_facts(root, run);
	if (error) {
		json_object_set_new(root, "error", srplat_json_text(error));
		json_object_set_new(root, "exit", json_integer(status));
	}
	return root;
}

int
srplat_json_print(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status)
{
	json_t *root = srplat_json_make(run, about, error, status);
	int rc;

	rc = json_dumpf(root, f, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(root);
	if (!rc && (fputc('\n', f) == EOF || fflush(f)))
		rc = -1;
	return rc ? -EIO : 0;
}
