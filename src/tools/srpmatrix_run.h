/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * All runs of a matrix, in the plan's order, and what came of them:
 *
 *	rows[]  one block size and number of jobs
 *	  series[]  one a slot: the modes, and the first one again
 *	    samples[]  one a round
 *	    hist       all latencies
 */
#ifndef SRPMATRIX_RUN_H
#define SRPMATRIX_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/srpmatrix_opts.h"
#include "tools/srpmatrix_plan.h"
#include "tools/srpmatrix_sample.h"
#include "tools/srpmatrix_stat.h"
#include "tools/srpmatrix_steady.h"
#include "util/hist.h"

#define SRPMATRIX_MAX_SLOTS (SRPMATRIX_MAX_MODES + 1)
#define SRPMATRIX_ERROR_BYTES 768

struct srpmatrix_series {
	struct srpmatrix_sample *samples; /* as many as rounds */
	struct hist *hist;
	char *error; /* the first failure, after which it is not run again */
};

struct srpmatrix_row {
	struct srpmatrix_series series[SRPMATRIX_MAX_SLOTS];
};

/* Who makes a run; srpmatrix_fio_run() outside of tests. */
struct srpmatrix_runner {
	int (*run)(void *arg, const struct srpmatrix_cell *cell,
		const struct srpmatrix_mode *mode,
		struct srpmatrix_sample *sample, struct hist *hist,
		char *reason, size_t n);
	void *arg;
};

struct srpmatrix_run {
	/* the caller's */
	const struct srpmatrix_opts *opts;
	struct srpmatrix_runner runner;
	const volatile sig_atomic_t *stop;
	/* Before each step, and once more behind the last. NULL: never. */
	void (*on_step)(void *arg, const struct srpmatrix_run *run);
	void *arg;
	/* results */
	struct srpmatrix_plan plan;
	struct srpmatrix_row *rows;
	unsigned int nr_errors; /* series that have one */
	/* where it is */
	unsigned int step; /* that runs, or is next */
	unsigned int nr_steps;
	uint64_t begin_ns;
	uint64_t now_ns;
};

/* 0 or -ENOMEM. srpmatrix_run_fini() takes any state. */
int srpmatrix_run_init(
	struct srpmatrix_run *run, const struct srpmatrix_opts *opts);
void srpmatrix_run_fini(struct srpmatrix_run *run);
/* 0, or -EINTR: stopped. What failed is told by the series. */
int srpmatrix_run_all(struct srpmatrix_run *run);

/* What is left, from the time that steps have taken; an estimate. */
uint64_t srpmatrix_run_left_ns(const struct srpmatrix_run *run);
/* Rounds that were run to their end. */
unsigned int srpmatrix_run_rounds(const struct srpmatrix_run *run);

/* ---- what the samples say; @slot nr_modes is the first mode again ----- */

const struct srpmatrix_series *srpmatrix_run_series(
	const struct srpmatrix_run *run, unsigned int row, unsigned int slot);
/* Over the rounds; the first mode's over both of its runs. NAN: none. */
double srpmatrix_run_median(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode, enum srpmatrix_metric metric);
/*
 * @slot to the first mode, paired by round: to the geometric mean of its two
 * runs, which lie around all others. With @slot nr_modes, A/A: the second of
 * these to the first.
 */
void srpmatrix_run_ratio(const struct srpmatrix_run *run, unsigned int row,
	unsigned int slot, enum srpmatrix_metric metric,
	struct srpmatrix_ratio *ratio);
void srpmatrix_run_steady(const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode, struct srpmatrix_steady *steady);
/* Of a row: the worst of its modes. */
enum srpmatrix_verdict srpmatrix_run_verdict(
	const struct srpmatrix_run *run, unsigned int row);

#endif /* SRPMATRIX_RUN_H */
