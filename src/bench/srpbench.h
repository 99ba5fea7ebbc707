/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The subcommands of srpbench: one file each, one row each in srpbench.c. */
#ifndef BENCH_SRPBENCH_H
#define BENCH_SRPBENCH_H

struct srpbench_opts;

/* Each prints its table or JSON object and returns the exit code. */
int bench_counts(const struct srpbench_opts *opts);
int bench_loopback(const struct srpbench_opts *opts);
int bench_pingpong(const struct srpbench_opts *opts);
int bench_stall(const struct srpbench_opts *opts);

#endif /* BENCH_SRPBENCH_H */
