/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of one run of fio. Pure. */
#ifndef SRPMATRIX_ARGV_H
#define SRPMATRIX_ARGV_H

#include <stddef.h>

#include "tools/srpmatrix_opts.h"

#define SRPMATRIX_MAX_ARGS 40
#define SRPMATRIX_ARGV_BYTES 8192

struct srpmatrix_argv {
	char *args[SRPMATRIX_MAX_ARGS + 1]; /* ends with NULL, as for exec */
	unsigned int nr;
	size_t nr_bytes;
	char text[SRPMATRIX_ARGV_BYTES]; /* all words, each with its NUL */
};

/* Where things are, with names that hold in any folder. */
struct srpmatrix_paths {
	const char *fio;
	const char *engine;
	const char *compare;
	const char *stats; /* the engine appends its counters to it */
};

/* 0, or -E2BIG: a name or URL of absurd length. */
int srpmatrix_argv_init(struct srpmatrix_argv *argv,
	const struct srpmatrix_opts *opts, const struct srpmatrix_paths *paths,
	const struct srpmatrix_cell *cell, const struct srpmatrix_mode *mode);

#endif /* SRPMATRIX_ARGV_H */
