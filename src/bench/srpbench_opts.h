/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The options that srpbench's subcommands share. */
#ifndef BENCH_SRPBENCH_OPTS_H
#define BENCH_SRPBENCH_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes, as for all programs of srpd. */
enum srpbench_exit {
	SRPBENCH_DONE = 0,
	SRPBENCH_USAGE = 1,
	SRPBENCH_BAD_VALUE = 2,
	SRPBENCH_UNREACHABLE = 3,
	SRPBENCH_LOGIN_REFUSED = 4,
	SRPBENCH_IO_ERROR = 5,
	SRPBENCH_LIMIT = 6,
};

struct srpbench_opts {
	uint64_t depth;	     /* 1..1024 */
	uint64_t bs_bytes;   /* 0..16M */
	uint64_t runtime_ns;
	uint64_t exchanges;  /* 0 = as many as runtime allows */
	int irqmode;	     /* enum soft_irqmode */
	uint64_t completion_ns;
	const char *target;  /* a URL; NULL = the subcommand's own */
	const char *completion; /* a word for completion=; NULL = its default */
	bool is_json;
	bool is_check;
	bool is_help;
};

/* The names of enum soft_irqmode, in its order, ended by NULL. */
extern const char *const srpbench_irqmodes[];

/*
 * Parse @argv behind the subcommand's name. SRPBENCH_DONE, or the exit code
 * after one sentence on stderr.
 */
enum srpbench_exit srpbench_opts_parse(int argc, char **argv,
	struct srpbench_opts *opts);
/* What -errno of srpi_open() or of an I/O means for the exit code. */
enum srpbench_exit srpbench_exit_code(int error);
/* The URL of demo://null with the irqmode that was asked for. */
void srpbench_own_target(const struct srpbench_opts *opts, char *url,
	size_t n);
/* False after a sentence: no completion mode has that name. */
bool srpbench_is_completion(const char *name);
/* One line an option. */
void srpbench_opts_help(void);

#endif /* BENCH_SRPBENCH_OPTS_H */
