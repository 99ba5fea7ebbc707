/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of srpmatrix: what to measure, checked. */
#ifndef SRPMATRIX_OPTS_H
#define SRPMATRIX_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <srpi/srpi.h>

#define SRPMATRIX_MAX_LIST 16
#define SRPMATRIX_MAX_ROWS 64
#define SRPMATRIX_MAX_ROUNDS 1000
#define SRPMATRIX_MAX_JOBS 1024
/* The library's completion modes, and two ways into the kernel. */
#define SRPMATRIX_MAX_MODES (SRPI_NR_COMPLETIONS - 1 + 2)

/* What srpmatrix exits with; as of all programs. */
enum srpmatrix_exit {
	SRPMATRIX_EXIT_DONE = 0,
	SRPMATRIX_EXIT_USAGE = 1,	/* unknown option */
	SRPMATRIX_EXIT_BAD_VALUE = 2,	/* value of an option */
	SRPMATRIX_EXIT_UNREACHABLE = 3, /* target, device, fio, engine */
	SRPMATRIX_EXIT_REFUSED = 4,	/* login */
	SRPMATRIX_EXIT_IO_ERROR = 5,	/* a run failed, results not written */
};

/* One row of the matrix. */
struct srpmatrix_cell {
	uint64_t bs; /* bytes */
	unsigned int jobs;
};

/* One column: a completion mode, or a kernel device by an engine of fio's. */
struct srpmatrix_mode {
	const char *name; /* as fio knows it, too */
	bool is_kernel;
};

/* The texts are the caller's argv. */
struct srpmatrix_opts {
	const char *target;
	unsigned int nr_cells;
	struct srpmatrix_cell cells[SRPMATRIX_MAX_ROWS];
	/* The first is what the others are compared with. */
	unsigned int nr_modes;
	struct srpmatrix_mode modes[SRPMATRIX_MAX_MODES];
	const char *rw;
	uint64_t runtime_ns; /* of one run */
	uint64_t warmup_ns;  /* before it, not counted */
	unsigned int rounds;
	unsigned int depth;
	const char *compare; /* device or file, NULL: none */
	const char *html;
	const char *fio;    /* NULL: as PATH has it */
	const char *engine; /* NULL: as installed */
	bool is_forked;	    /* jobs are processes, not threads */
	bool wants_published;
	bool wants_json;
	bool wants_help;
	bool wants_version;
};

/* 0, or enum srpmatrix_exit with one sentence in @reason. */
int srpmatrix_opts_parse(struct srpmatrix_opts *opts, int argc, char **argv,
	char *reason, size_t n);
const char *srpmatrix_opts_help(void);

#endif /* SRPMATRIX_OPTS_H */
