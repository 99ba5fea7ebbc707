/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fio, run once for each step. Here are the installed fio, our engine for it
 * and a scratch folder, in which it runs: whatever it leaves goes away.
 */
#ifndef SRPMATRIX_FIO_H
#define SRPMATRIX_FIO_H

#include <limits.h>
#include <signal.h>
#include <stddef.h>

#include "tools/srpmatrix_opts.h"
#include "tools/srpmatrix_sample.h"
#include "util/hist.h"

struct srpmatrix_fio {
	const struct srpmatrix_opts *opts;
	const volatile sig_atomic_t *stop;
	char version[32];
	char fio[PATH_MAX]; /* as given, or "fio" */
	char engine[PATH_MAX];
	char compare[PATH_MAX];
	char dir[PATH_MAX + 32];   /* of fio's run; "": none yet */
	char stats[PATH_MAX + 48]; /* the engine's counters, in it */
};

/*
 * Finds everything and asks fio for its version. 0, or enum srpmatrix_exit
 * with a sentence. srpmatrix_fio_close() takes any state.
 */
int srpmatrix_fio_open(struct srpmatrix_fio *fio,
	const struct srpmatrix_opts *opts, const volatile sig_atomic_t *stop,
	char *reason, size_t n);
void srpmatrix_fio_close(struct srpmatrix_fio *fio);

/*
 * One run. 0 with @sample, its latencies added to @hist; -EINTR when it was
 * stopped; or another -errno with a sentence, fio's own words in it.
 */
int srpmatrix_fio_run(const struct srpmatrix_fio *fio,
	const struct srpmatrix_cell *cell, const struct srpmatrix_mode *mode,
	struct srpmatrix_sample *sample, struct hist *hist, char *reason,
	size_t n);

#endif /* SRPMATRIX_FIO_H */
