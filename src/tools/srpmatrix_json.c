/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_json.h"

#include <math.h>
#include <string.h>

#include "config.h"
#include "tools/srplat_hist.h"
#include "tools/srplat_json.h"
#include "tools/srpmatrix_claim.h"
#include "tools/srpmatrix_published.h"
#include "util/compiler.h"

/* null for what is not known: JSON has no NAN. */
static json_t *
real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Metrics in the object itself, and those of latency in one of their own. */
static const struct {
	const char *name;
	enum srpmatrix_metric metric;
	bool is_latency;
} metrics[] = {
	{ "iops", SRPMATRIX_IOPS, false },
	{ "bandwidth_bytes_per_s", SRPMATRIX_BYTES_PER_S, false },
	{ "mean", SRPMATRIX_MEAN_NS, true },
	{ "p50", SRPMATRIX_P50_NS, true },
	{ "p90", SRPMATRIX_P90_NS, true },
	{ "p99", SRPMATRIX_P99_NS, true },
	{ "p99.9", SRPMATRIX_P999_NS, true },
	{ "max", SRPMATRIX_MAX_NS, true },
	{ "cpu_ns_per_io", SRPMATRIX_CPU_NS, false },
	{ "machine_cpu_ns_per_io", SRPMATRIX_MACHINE_CPU_NS, false },
	{ "context_switches_per_io", SRPMATRIX_SWITCHES, false },
	{ "doorbells_per_io", SRPMATRIX_DOORBELLS, false },
	{ "events_per_io", SRPMATRIX_EVENTS, false },
};

static void
add_metrics(json_t *json, const double *values)
{
	json_t *latency = json_object();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(metrics); i++)
		json_object_set_new(metrics[i].is_latency ? latency : json,
			metrics[i].name, real(values[metrics[i].metric]));
	json_object_set_new(json, "latency_ns", latency);
}

static json_t *
ratio_json(const struct srpmatrix_ratio *ratio)
{
	if (!ratio->nr)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:i}", "estimate",
		real(ratio->estimate), "low", real(ratio->low), "high",
		real(ratio->high), "pairs", (int)ratio->nr);
}

static json_t *
ratios_json(const struct srpmatrix_run *run, unsigned int row,
	unsigned int slot)
{
	struct srpmatrix_ratio iops, p99, cpu;

	srpmatrix_run_ratio(run, row, slot, SRPMATRIX_IOPS, &iops);
	srpmatrix_run_ratio(run, row, slot, SRPMATRIX_P99_NS, &p99);
	srpmatrix_run_ratio(run, row, slot, SRPMATRIX_CPU_NS, &cpu);
	return json_pack("{s:o, s:o, s:o}", "iops", ratio_json(&iops), "p99",
		ratio_json(&p99), "cpu", ratio_json(&cpu));
}

/* The rounds of one slot, one object each, to the end of @array. */
static void
add_rounds(json_t *array, const struct srpmatrix_run *run,
	const struct srpmatrix_series *series, bool is_again)
{
	const struct srpmatrix_sample *sample;
	unsigned int round;
	json_t *json;

	for (round = 0; round < run->plan.nr_rounds; round++) {
		sample = &series->samples[round];
		if (!sample->is_done)
			continue;
		json = json_pack("{s:i, s:b, s:I}", "round", (int)round,
			"again", is_again, "ios", (json_int_t)sample->nr_ios);
		add_metrics(json, sample->values);
		json_array_append_new(array, json);
	}
}

static json_t *
rounds_json(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode)
{
	json_t *array = json_array();

	add_rounds(array, run, srpmatrix_run_series(run, row, mode), false);
	if (!mode)
		add_rounds(array, run,
			srpmatrix_run_series(run, row, run->plan.nr_modes),
			true);
	return array;
}

static json_t *
median_json(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode)
{
	double values[SRPMATRIX_NR_METRICS];
	json_t *json = json_object();
	int i;

	for (i = 0; i < SRPMATRIX_NR_METRICS; i++)
		values[i] = srpmatrix_run_median(
			run, row, mode, (enum srpmatrix_metric)i);
	add_metrics(json, values);
	return json;
}

static json_t *
steady_json(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode)
{
	struct srpmatrix_steady steady;

	srpmatrix_run_steady(run, row, mode, &steady);
	return json_pack("{s:s, s:o, s:o}", "verdict",
		srpmatrix_verdict_name(steady.verdict), "range",
		real(steady.range), "slope", real(steady.slope));
}

static json_t *
hist_json(const struct srpmatrix_series *series)
{
	return series->hist->nr ? srplat_hist_encode(series->hist)
				: json_null();
}

static json_t *
mode_json(const struct srpmatrix_run *run, unsigned int row, unsigned int i)
{
	const struct srpmatrix_mode *mode = &run->opts->modes[i];
	const struct srpmatrix_series *series =
		srpmatrix_run_series(run, row, i);
	const struct srpmatrix_series *again =
		srpmatrix_run_series(run, row, run->plan.nr_modes);
	const char *error = series->error ? series->error
		: i			  ? NULL
					  : again->error;

	return json_pack(
		"{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
		mode->name, "kind", mode->is_kernel ? "kernel" : "srpi",
		"ioengine", mode->is_kernel ? mode->name : "srpi", "baseline",
		!i, "median", median_json(run, row, i), "ratio",
		ratios_json(run, row, i), "steady", steady_json(run, row, i),
		"error", error ? srplat_json_text(error) : json_null(),
		"rounds", rounds_json(run, row, i), "latency_ns",
		hist_json(series));
}

static json_t *
published_json(const struct srpmatrix_cell *cell)
{
	const struct srpmatrix_published *published =
		srpmatrix_published_find(cell->bs, cell->jobs);

	if (!published)
		return json_null();
	return json_pack("{s:f, s:f, s:f}", "before", published->before,
		"thread=n", published->thread_n, "thread=y",
		published->thread_y);
}

static json_t *
claim_json(const struct srpmatrix_run *run, unsigned int row)
{
	struct srpmatrix_claim claim;

	srpmatrix_claim_init(&claim, run, row);
	if (!claim.is_known)
		return json_null();
	return json_pack("{s:s, s:o, s:o}", "better", claim.better, "iops",
		ratio_json(&claim.iops), "cpu", ratio_json(&claim.cpu));
}

static json_t *
row_json(const struct srpmatrix_run *run, unsigned int row)
{
	const struct srpmatrix_cell *cell = &run->opts->cells[row];
	json_t *modes = json_array(), *json;
	unsigned int i;

	for (i = 0; i < run->plan.nr_modes; i++)
		json_array_append_new(modes, mode_json(run, row, i));
	json = json_pack("{s:I, s:i, s:i, s:s, s:s, s:o, s:o, s:o}", "bs",
		(json_int_t)cell->bs, "jobs", (int)cell->jobs, "depth",
		(int)run->opts->depth, "rw", run->opts->rw, "steady",
		srpmatrix_verdict_name(srpmatrix_run_verdict(run, row)),
		"noise", ratios_json(run, row, run->plan.nr_modes), "adaptive",
		claim_json(run, row), "modes", modes);
	if (run->opts->wants_published)
		json_object_set_new(json, "published", published_json(cell));
	return json;
}

static json_t *
rows_json(const struct srpmatrix_run *run)
{
	json_t *array = json_array();
	unsigned int row;

	for (row = 0; row < run->plan.nr_rows; row++)
		json_array_append_new(array, row_json(run, row));
	return array;
}

static json_t *
summary_json(const struct srpmatrix_run *run)
{
	struct srpmatrix_claims claims;

	srpmatrix_claims_init(&claims, run);
	if (!claims.nr_rows)
		return json_pack("{s:n}", "adaptive");
	return json_pack("{s:{s:o, s:i, s:i, s:i, s:i, s:f}}", "adaptive",
		"iops", ratio_json(&claims.iops), "rows", (int)claims.nr_rows,
		"rows_below", (int)claims.nr_below, "rows_cpu_above_poll",
		(int)claims.nr_above_poll, "lowest_row", (int)claims.lowest,
		"floor", SRPMATRIX_CLAIM_FLOOR);
}

static json_t *
cells_json(const struct srpmatrix_opts *opts)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < opts->nr_cells; i++)
		json_array_append_new(array,
			json_pack("[I, i]", (json_int_t)opts->cells[i].bs,
				(int)opts->cells[i].jobs));
	return array;
}

static json_t *
settings_json(const struct srpmatrix_opts *opts)
{
	json_t *modes = json_array();
	unsigned int i;

	for (i = 0; i < opts->nr_modes; i++)
		json_array_append_new(modes, json_string(opts->modes[i].name));
	return json_pack(
		"{s:o, s:o, s:o, s:s, s:i, s:f, s:f, s:i, s:s, s:o, s:s, s:b}",
		"target", srplat_json_text(opts->target), "cells",
		cells_json(opts), "modes", modes, "rw", opts->rw, "depth",
		(int)opts->depth, "runtime_s", (double)opts->runtime_ns / 1e9,
		"warmup_s", (double)opts->warmup_ns / 1e9, "rounds",
		(int)opts->rounds, "jobs_as",
		opts->is_forked ? "processes" : "threads", "compare",
		opts->compare ? srplat_json_text(opts->compare) : json_null(),
		"baseline", opts->modes[0].name, "published",
		opts->wants_published);
}

static json_t *
method_json(void)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:f}", "order",
		"ABBA: every mode once a round, the first one twice, at both "
		"ends; every other round backwards",
		"center", "median over rounds", "ratio",
		"geometric mean over rounds of the ratio to the geometric mean "
		"of the round's two runs of the first mode",
		"interval", "Student's t of the ratios' logarithms",
		"confidence", 0.95, "steady_range", SRPMATRIX_STEADY_RANGE,
		"steady_slope", SRPMATRIX_STEADY_SLOPE);
}

static json_t *
target_json(const struct srpmatrix_target *target)
{
	const struct srpi_lun_info *lun = &target->lun;
	uint32_t flags = target->session.flags;

	return json_pack("{s:o, s:o, s:I, s:I, s:i, s:o, s:o, s:b, s:b}",
		"vendor", srplat_json_text(lun->vendor), "product",
		srplat_json_text(lun->product), "lun", (json_int_t)lun->number,
		"blocks", (json_int_t)lun->blocks, "block_bytes",
		(int)lun->block_bytes, "device",
		srplat_json_text(target->session.device), "portal",
		srplat_json_text(target->session.portal), "in_process",
		!!(flags & SRPI_SESSION_IN_PROCESS), "shares_cpu",
		!!(flags & SRPI_SESSION_SHARED_CPU));
}

static json_t *
notes_json(const struct srpmatrix_report *report)
{
	struct srpmatrix_notes notes;
	json_t *array = json_array();
	unsigned int i;

	srpmatrix_notes_init(&notes, report);
	for (i = 0; i < notes.nr; i++)
		json_array_append_new(array, json_string(notes.text[i]));
	return array;
}

static json_t *
date_json(time_t date)
{
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&date, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return json_string(text);
}

json_t *
srpmatrix_json(const struct srpmatrix_report *report)
{
	const struct srpmatrix_run *run = report->run;

	return json_pack(
		"{s:s, s:s, s:o, s:o, s:{s:s, s:s, s:s}, s:o, s:o, s:o, s:i, "
		"s:b, s:o, s:o, s:o, s:o, s:i}",
		"program", "srpmatrix", "version", PACKAGE_VERSION, "date",
		date_json(report->date), "machine",
		machine_json(report->machine), "fio", "version",
		report->fio->version, "path", report->fio->fio, "engine",
		report->fio->engine, "target", target_json(report->target),
		"settings", settings_json(run->opts), "method", method_json(),
		"rounds_done", (int)srpmatrix_run_rounds(run), "interrupted",
		report->is_interrupted, "rows", rows_json(run), "summary",
		summary_json(run), "notes", notes_json(report), "error",
		report->error ? srplat_json_text(report->error) : json_null(),
		"exit", report->status);
}

json_t *
srpmatrix_json_failure(const char *error, int status)
{
	return json_pack("{s:s, s:s, s:[], s:o, s:i}", "program", "srpmatrix",
		"version", PACKAGE_VERSION, "rows", "error",
		srplat_json_text(error), "exit", status);
}
