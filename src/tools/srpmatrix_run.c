/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "util/compiler.h"

/* What a step takes besides its I/O, until one has shown it. */
#define START_NS (400 * CLOCK_NS_PER_MSEC)

static int
series_init(struct srpmatrix_series *series, unsigned int nr_rounds)
{
	series->samples = calloc(nr_rounds, sizeof(*series->samples));
	series->hist = malloc(sizeof(*series->hist));
	if (!series->samples || !series->hist)
		return -ENOMEM;
	hist_reset(series->hist);
	return 0;
}

int
srpmatrix_run_init(struct srpmatrix_run *run, const struct srpmatrix_opts *opts)
{
	unsigned int row, slot;
	int rc = 0;

	memset(run, 0, sizeof(*run));
	run->opts = opts;
	run->plan = (struct srpmatrix_plan){
		.nr_rounds = opts->rounds,
		.nr_rows = opts->nr_cells,
		.nr_modes = opts->nr_modes,
	};
	run->nr_steps = srpmatrix_plan_steps(&run->plan);
	run->rows = calloc(opts->nr_cells, sizeof(*run->rows));
	if (!run->rows)
		return -ENOMEM;
	for (row = 0; row < opts->nr_cells; row++)
		for (slot = 0; !rc && slot <= opts->nr_modes; slot++)
			rc = series_init(&run->rows[row].series[slot],
				opts->rounds);
	return rc;
}

void
srpmatrix_run_fini(struct srpmatrix_run *run)
{
	struct srpmatrix_series *series;
	unsigned int row, slot;

	for (row = 0; run->rows && row < run->plan.nr_rows; row++)
		for (slot = 0; slot < SRPMATRIX_MAX_SLOTS; slot++) {
			series = &run->rows[row].series[slot];
			free(series->samples);
			free(series->hist);
			free(series->error);
		}
	free(run->rows);
	run->rows = NULL;
}

static void
keep_error(struct srpmatrix_run *run, const struct srpmatrix_step *step,
	const char *reason)
{
	struct srpmatrix_series *series =
		&run->rows[step->row].series[step->slot];

	if (asprintf(&series->error, "round %u: %s", step->round + 1, reason) <
		0)
		series->error = NULL;
	run->nr_errors++;
}

static int
run_step(struct srpmatrix_run *run, const struct srpmatrix_step *step)
{
	struct srpmatrix_series *series =
		&run->rows[step->row].series[step->slot];
	unsigned int mode = srpmatrix_plan_mode(&run->plan, step->slot);
	char reason[SRPMATRIX_ERROR_BYTES] = "";
	int rc;

	if (series->error)
		return 0;
	rc = run->runner.run(run->runner.arg, &run->opts->cells[step->row],
		&run->opts->modes[mode], &series->samples[step->round],
		series->hist, reason, sizeof(reason));
	if (rc && rc != -EINTR)
		keep_error(run, step, reason);
	return rc == -EINTR ? rc : 0;
}

static void
tell(struct srpmatrix_run *run)
{
	run->now_ns = clock_ns();
	if (run->on_step)
		run->on_step(run->arg, run);
}

int
srpmatrix_run_all(struct srpmatrix_run *run)
{
	struct srpmatrix_step step;
	int rc = 0;

	run->begin_ns = clock_ns();
	for (; run->step < run->nr_steps; run->step++) {
		tell(run);
		step = srpmatrix_plan_step(&run->plan, run->step);
		if (run->stop && *run->stop)
			rc = -EINTR;
		if (!rc)
			rc = run_step(run, &step);
		if (rc)
			return rc;
	}
	tell(run);
	return 0;
}

uint64_t
srpmatrix_run_left_ns(const struct srpmatrix_run *run)
{
	uint64_t one = run->opts->runtime_ns + run->opts->warmup_ns + START_NS;

	if (run->step)
		one = (run->now_ns - run->begin_ns) / run->step;
	return one * (run->nr_steps - run->step);
}

unsigned int
srpmatrix_run_rounds(const struct srpmatrix_run *run)
{
	return run->step / (run->nr_steps / run->plan.nr_rounds);
}

const struct srpmatrix_series *
srpmatrix_run_series(const struct srpmatrix_run *run, unsigned int row,
	unsigned int slot)
{
	return &run->rows[row].series[slot];
}

/* Of one round; NAN where there is none. */
static double
value(const struct srpmatrix_run *run, unsigned int row, unsigned int slot,
	unsigned int round, enum srpmatrix_metric metric)
{
	const struct srpmatrix_sample *sample =
		&srpmatrix_run_series(run, row, slot)->samples[round];

	return sample->is_done ? sample->values[metric] : NAN;
}

double
srpmatrix_run_median(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode, enum srpmatrix_metric metric)
{
	double values[2 * SRPMATRIX_MAX_ROUNDS];
	unsigned int round, nr = 0;

	for (round = 0; round < run->plan.nr_rounds; round++) {
		values[nr++] = value(run, row, mode, round, metric);
		if (!mode)
			values[nr++] = value(
				run, row, run->plan.nr_modes, round, metric);
	}
	return srpmatrix_median(values, nr);
}

void
srpmatrix_run_ratio(const struct srpmatrix_run *run, unsigned int row,
	unsigned int slot, enum srpmatrix_metric metric,
	struct srpmatrix_ratio *ratio)
{
	double over[SRPMATRIX_MAX_ROUNDS], under[SRPMATRIX_MAX_ROUNDS];
	unsigned int round, last = run->plan.nr_modes;
	double first, again;

	for (round = 0; round < run->plan.nr_rounds; round++) {
		first = value(run, row, 0, round, metric);
		again = value(run, row, last, round, metric);
		over[round] = value(run, row, slot, round, metric);
		under[round] = slot == last ? first : sqrt(first * again);
	}
	srpmatrix_ratio_init(ratio, over, under, run->plan.nr_rounds);
}

void
srpmatrix_run_steady(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode, struct srpmatrix_steady *steady)
{
	double values[SRPMATRIX_MAX_ROUNDS];
	unsigned int round;

	for (round = 0; round < run->plan.nr_rounds; round++)
		values[round] = value(run, row, mode, round, SRPMATRIX_IOPS);
	srpmatrix_steady_init(steady, values, run->plan.nr_rounds);
}

enum srpmatrix_verdict
srpmatrix_run_verdict(const struct srpmatrix_run *run, unsigned int row)
{
	enum srpmatrix_verdict worst = SRPMATRIX_UNKNOWN;
	struct srpmatrix_steady steady;
	unsigned int mode;

	for (mode = 0; mode < run->plan.nr_modes; mode++) {
		srpmatrix_run_steady(run, row, mode, &steady);
		worst = max(worst, steady.verdict);
	}
	return worst;
}
