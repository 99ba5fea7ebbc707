/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a run came to, as text: dd's lines, the table, the ratios of modes. */
#ifndef SRPLAT_REPORT_H
#define SRPLAT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/srplat_run.h"
#include "util/clock.h"

/* "4.1 MB", "3.9 MiB", "512 B": @base is 1000 or 1024. As dd rounds. */
void srplat_format_size(uint64_t bytes, unsigned int base, char *text,
	size_t n);
/* "33.8 MB/s", as dd writes it; @ns may be 0. */
void srplat_format_rate(uint64_t bytes, uint64_t ns, char *text, size_t n);

/* dd's three lines, or fewer as @status says. */
void srplat_report_dd(FILE *f, const struct srplat_run *run,
	enum srplat_status status);
/* The same as one line that overwrites itself. */
void srplat_report_progress(FILE *f, const struct srplat_run *run);

/* About the measuring itself. */
struct srplat_about {
	struct clock_report clock;
	double probe_cost_ns;
};
/* @about is NULL where nothing was measured here. */
void srplat_report_table(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about);
/* Parts of it: latency against load, rates, stages, the pattern. */
void srplat_report_sweep(FILE *f, const struct srplat_run *run);
void srplat_report_rates(FILE *f, const struct srplat_run *run);
void srplat_report_stages(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about);
void srplat_report_merged(FILE *f, const struct srplat_run *run);
void srplat_report_verify(FILE *f, const struct srplat_run *run);
/* The log of slow records, one line each. */
void srplat_report_slow(FILE *f, const struct srplat_run *run);

/* The points of one sweep, as a stretch of modes: 0 behind the last. */
unsigned int srplat_sweep_points(const struct srplat_run *run,
	unsigned int first);
/* Which of these modes is the knee; NULL where nothing was measured. */
const struct srplat_mode *srplat_sweep_knee_of(
	const struct srplat_mode *points, unsigned int nr);

/* Of one mode; 0 where nothing was measured. */
double srplat_mode_iops(const struct srplat_mode *mode);
double srplat_mode_bytes_per_s(const struct srplat_mode *mode);
double srplat_mode_cpu_ns(const struct srplat_mode *mode);
double srplat_mode_switches(const struct srplat_mode *mode);
double srplat_mode_cycles(const struct srplat_mode *mode);
double srplat_mode_instructions(const struct srplat_mode *mode);

/* Of one number to another, paired by round. */
struct srplat_ratio {
	double median;
	double min;
	double max;
	unsigned int nr;
};

/*
 * Of @nr values to as many others. Pairs that have a 0 below are left out;
 * -ENODATA if that leaves none.
 */
int srplat_ratio_init(struct srplat_ratio *ratio, const double *over,
	const double *under, unsigned int nr);

#endif /* SRPLAT_REPORT_H */
