/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A matrix whose runs are made up, for tests of what becomes of them: of two
 * rows and up to four modes, a mode has so many thousand IOPS as fake_iops
 * says, and takes a thousandth of 1/IOPS of CPU.
 */
#ifndef SRPMATRIX_FAKE_H
#define SRPMATRIX_FAKE_H

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/srpmatrix_run.h"
#include "util/clock.h"

static struct srpmatrix_opts fake_opts;
static struct srpmatrix_run fake_run;
static double fake_iops[2][4]; /* by row and mode; 0: the run fails */
static double fake_noise;      /* run i has (1 + noise * i) of it */
static unsigned int fake_nr_runs;
static unsigned int fake_stop_at; /* the run that is stopped; 0: none */

static inline int
fake_runner(void *arg, const struct srpmatrix_cell *cell,
	const struct srpmatrix_mode *mode, struct srpmatrix_sample *sample,
	struct hist *hist, char *reason, size_t n)
{
	long row = cell - fake_opts.cells, col = mode - fake_opts.modes;
	double iops = 1000.0 * fake_iops[row][col];
	int i;

	(void)arg;
	if (fake_stop_at && ++fake_nr_runs == fake_stop_at)
		return -EINTR;
	iops *= 1.0 + fake_noise * (double)fake_nr_runs;
	memset(sample, 0, sizeof(*sample));
	if (iops == 0.0) {
		snprintf(reason, n, "made up");
		return -EIO;
	}
	for (i = 0; i < SRPMATRIX_NR_METRICS; i++)
		sample->values[i] = 1e9 / iops;
	sample->values[SRPMATRIX_IOPS] = iops;
	sample->values[SRPMATRIX_CPU_NS] = 1e6 / iops;
	if (mode->is_kernel)
		sample->values[SRPMATRIX_DOORBELLS] = NAN;
	sample->is_done = true;
	sample->nr_ios = 10;
	hist_record_many(hist, (uint64_t)(1e9 / iops), 10);
	return 0;
}

/* inline, thread, poll, adaptive; 512 x 1 and 4096 x 128. */
static inline void
fake_init(unsigned int nr_modes, unsigned int rounds)
{
	static const char *const names[] = { "inline", "thread", "poll",
		"adaptive" };
	unsigned int i;

	memset(&fake_opts, 0, sizeof(fake_opts));
	fake_opts.target = "demo://ram";
	fake_opts.rw = "read";
	fake_opts.depth = 1;
	fake_opts.rounds = rounds;
	fake_opts.runtime_ns = CLOCK_NS_PER_SEC;
	fake_opts.nr_cells = 2;
	fake_opts.cells[0] = (struct srpmatrix_cell){ 512, 1 };
	fake_opts.cells[1] = (struct srpmatrix_cell){ 4096, 128 };
	fake_opts.nr_modes = nr_modes;
	for (i = 0; i < nr_modes; i++) {
		fake_opts.modes[i].name = names[i];
		fake_iops[0][i] = fake_iops[1][i] = 100.0;
	}
	fake_noise = 0.0;
	fake_nr_runs = fake_stop_at = 0;
	srpmatrix_run_init(&fake_run, &fake_opts);
	fake_run.runner.run = fake_runner;
}

#endif /* SRPMATRIX_FAKE_H */
