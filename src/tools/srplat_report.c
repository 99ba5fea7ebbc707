/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"
#include "util/thread.h"

static const char *const si_units[] = { "B", "kB", "MB", "GB", "TB", "PB",
	"EB" };
static const char *const iec_units[] = { "B", "KiB", "MiB", "GiB", "TiB",
	"PiB", "EiB" };

void
srplat_format_size(uint64_t bytes, unsigned int base, char *text, size_t n)
{
	const char *const *units = base == 1000 ? si_units : iec_units;
	double value = (double)bytes;
	unsigned int unit = 0;

	while (value >= base && unit + 1 < ARRAY_SIZE(si_units)) {
		value /= base;
		unit++;
	}
	/* What rounds up to the next unit is written in that. */
	if (unit && value >= base - 0.5 && unit + 1 < ARRAY_SIZE(si_units)) {
		value = 1.0;
		unit++;
	}
	if (unit == 0 || value >= 9.95)
		snprintf(text, n, "%.0f %s", value, units[unit]);
	else
		snprintf(text, n, "%.1f %s", value, units[unit]);
}

void
srplat_format_rate(uint64_t bytes, uint64_t ns, char *text, size_t n)
{
	double value;
	unsigned int unit = 1;

	if (!ns) {
		snprintf(text, n, "Infinity B/s");
		return;
	}
	value = (double)bytes * 1e9 / (double)ns / 1000.0;
	while (value >= 1000.0 && unit + 1 < ARRAY_SIZE(si_units)) {
		value /= 1000.0;
		unit++;
	}
	snprintf(text, n, value < 99.95 ? "%.1f %s/s" : "%.0f %s/s", value,
		si_units[unit]);
}

static void
print_transfer(FILE *f, const struct srplat_run *run, const char *seconds)
{
	char si[32], iec[32], rate[32];
	const char *plural = run->bytes == 1 ? "" : "s";

	srplat_format_size(run->bytes, 1000, si, sizeof(si));
	srplat_format_size(run->bytes, 1024, iec, sizeof(iec));
	srplat_format_rate(run->bytes, run->elapsed_ns, rate, sizeof(rate));
	fprintf(f, "%" PRIu64 " byte%s ", run->bytes, plural);
	/* Below a kB, and below a KiB, dd leaves out what says nothing new. */
	if (run->bytes >= 1024)
		fprintf(f, "(%s, %s) ", si, iec);
	else if (run->bytes >= 1000)
		fprintf(f, "(%s) ", si);
	fprintf(f, "copied, %s, %s", seconds, rate);
}

/* Of all but what went only the other way. */
static void
print_records(FILE *f, const struct srplat_run *run, enum srplat_op without,
	const char *way)
{
	uint64_t nr = run->nr_done, nr_short = run->nr_short;
	unsigned int i;

	for (i = 0; i < run->nr_modes; i++)
		if (run->modes[i].op == without) {
			nr -= run->modes[i].nr_done;
			nr_short -= run->modes[i].nr_short;
		}
	fprintf(f, "%" PRIu64 "+%" PRIu64 " records %s\n", nr - nr_short,
		nr_short, way);
}

void
srplat_report_dd(FILE *f, const struct srplat_run *run,
	enum srplat_status status)
{
	char seconds[32];

	if (status == SRPLAT_STATUS_NONE)
		return;
	print_records(f, run, SRPLAT_OP_WRITE, "in");
	print_records(f, run, SRPLAT_OP_READ, "out");
	if (status == SRPLAT_STATUS_NOXFER)
		return;
	snprintf(seconds, sizeof(seconds), "%g s",
		(double)run->elapsed_ns / 1e9);
	print_transfer(f, run, seconds);
	fputc('\n', f);
}

void
srplat_report_progress(FILE *f, const struct srplat_run *run)
{
	char seconds[32], label[64];

	snprintf(seconds, sizeof(seconds), "%.0f s",
		(double)run->elapsed_ns / 1e9);
	fputc('\r', f);
	print_transfer(f, run, seconds);
	if (run->mode && run->nr_modes > 1) {
		srplat_mode_label(run->mode, label, sizeof(label));
		fprintf(f, ", %s", label);
	}
	if (run->mode && run->mode->rate)
		fprintf(f, ", %" PRIu64 " waited", run->probe.max_waiting);
	fputs("\033[K", f); /* a shorter line leaves nothing of the last */
	fflush(f);
}

static double
per(double amount, uint64_t nr)
{
	return nr ? amount / (double)nr : 0.0;
}

double
srplat_mode_iops(const struct srplat_mode *mode)
{
	return per((double)mode->nr_done * 1e9, mode->elapsed_ns);
}

double
srplat_mode_bytes_per_s(const struct srplat_mode *mode)
{
	return per((double)mode->bytes * 1e9, mode->elapsed_ns);
}

double
srplat_mode_cpu_ns(const struct srplat_mode *mode)
{
	return per((double)mode->cpu_ns, mode->nr_done);
}

double
srplat_mode_switches(const struct srplat_mode *mode)
{
	return per((double)mode->nr_switches, mode->nr_done);
}

double
srplat_mode_cycles(const struct srplat_mode *mode)
{
	return per((double)mode->counts.cycles, mode->nr_done);
}

double
srplat_mode_instructions(const struct srplat_mode *mode)
{
	return per((double)mode->counts.instructions, mode->nr_done);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
summarise(struct srplat_ratio *ratio, double *values, unsigned int nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
	ratio->nr = nr;
	ratio->min = values[0];
	ratio->max = values[nr - 1];
	ratio->median = nr % 2
		? values[nr / 2]
		: (values[nr / 2 - 1] + values[nr / 2]) / 2.0;
}

int
srplat_ratio_init(struct srplat_ratio *ratio, const double *over,
	const double *under, unsigned int nr)
{
	double values[SRPLAT_MAX_ROUNDS];
	unsigned int i, nr_valid = 0;

	for (i = 0; i < nr && i < SRPLAT_MAX_ROUNDS; i++)
		if (under[i] > 0.0)
			values[nr_valid++] = over[i] / under[i];
	if (!nr_valid)
		return -ENODATA;
	summarise(ratio, values, nr_valid);
	return 0;
}

static void
print_heading(FILE *f, const struct srplat_run *run)
{
	const struct srplat_opts *opts = run->opts;

	fprintf(f, "\nif=%s of=%s bs=%" PRIu32, opts->in, opts->out,
		run->area.record_bytes);
	if (opts->sweep.by != SRPLAT_SWEEP_DEPTH)
		fprintf(f, " depth=%u", opts->depth);
	fprintf(f, " pattern=%s",
		opts->pattern == SRPLAT_PATTERN_RAND ? "rand" : "seq");
	if (opts->rate)
		fprintf(f, " rate=%" PRIu64, opts->rate);
	if (run->nr_rounds > 1)
		fprintf(f, ", %u rounds%s", run->nr_rounds,
			run->nr_modes > 1 && !run->opts->verify ? " (ABBA)"
								: "");
	if (run->nr_merged) {
		fprintf(f, ", %u files merged\n", run->nr_merged);
		return;
	}
	fprintf(f, ", %d CPU%s\n", thread_nr_cpus(),
		thread_nr_cpus() > 1 ? "s" : "");
}

static double
us(double ns)
{
	return ns / 1000.0;
}

/* How wide the first column must be. */
static int
label_width(const struct srplat_run *run)
{
	return run->modes[0].response || run->modes[0].op ? 24 : 10;
}

static void
print_row(FILE *f, const struct srplat_run *run,
	const struct srplat_mode *mode, const struct hist *hist)
{
	char label[64], name[80];
	static const double percents[] = { 50, 90, 99, 99.9, 99.99 };
	size_t i;

	srplat_mode_label(mode, label, sizeof(label));
	snprintf(name, sizeof(name), "%s%s", label,
		!mode->response		 ? ""
			: hist == mode->hist ? " service"
					     : " response");
	fprintf(f, "%-*s", label_width(run), name);
	for (i = 0; i < ARRAY_SIZE(percents); i++)
		fprintf(f, " %9.2f",
			us((double)hist_percentile(hist, percents[i])));
	fprintf(f, " %9.2f %9.2f %9.2f %9.0f %9.0f %9.3f",
		us((double)hist->max), us(hist_mean(hist)),
		us(per((double)mode->elapsed_ns, mode->nr_done)),
		srplat_mode_iops(mode), srplat_mode_cpu_ns(mode),
		srplat_mode_switches(mode));
	if (run->counters.scope && mode->counts.is_valid)
		fprintf(f, " %9.0f %9.0f", srplat_mode_cycles(mode),
			srplat_mode_instructions(mode));
	fputc('\n', f);
}

static void
print_ratio(FILE *f, const double *over, const double *under, unsigned int nr)
{
	struct srplat_ratio ratio;

	if (srplat_ratio_init(&ratio, over, under, nr))
		fprintf(f, " %9s %9s %9s", "-", "-", "-");
	else
		fprintf(f, " %9.3f %9.3f %9.3f", ratio.median, ratio.min,
			ratio.max);
}

static void
print_ratio_heading(FILE *f, const struct srplat_mode *base, unsigned int nr)
{
	/* The true median is outside when all pairs fall on one side. */
	double inside =
		100.0 * (1.0 - 2.0 / (double)(UINT64_C(1) << min(nr, 60u)));

	fprintf(f,
		"\nlatency / that of %s, paired by round; least and greatest "
		"of %u are a %.0f %% interval of the median\n\n",
		base->name, nr, inside);
	fprintf(f, "%-10s %9s %9s %9s %9s %9s %9s\n", "completion",
		"p50 ratio", "least", "greatest", "mean rat.", "least",
		"greatest");
}

/*
 * Against the first mode, and that against itself, a round and the next: what
 * the machine alone makes of two that are alike.
 */
static void
print_ratios(FILE *f, const struct srplat_run *run)
{
	const struct srplat_mode *base = &run->modes[0], *mode;
	unsigned int i, nr = base->nr_rounds;

	if (base->by || base->op)
		return;
	for (i = 1; i < run->nr_modes; i++)
		nr = min(nr, run->modes[i].nr_rounds);
	if (nr < 2)
		return;
	print_ratio_heading(f, base, nr);
	for (i = 1; i < run->nr_modes; i++) {
		mode = &run->modes[i];
		fprintf(f, "%-10s", mode->name);
		print_ratio(f, mode->round_p50_ns, base->round_p50_ns, nr);
		print_ratio(f, mode->round_mean_ns, base->round_mean_ns, nr);
		fputc('\n', f);
	}
	fprintf(f, "%-10s", "A/A");
	print_ratio(f, base->round_p50_ns + 1, base->round_p50_ns, nr - 1);
	print_ratio(f, base->round_mean_ns + 1, base->round_mean_ns, nr - 1);
	fputc('\n', f);
}

static void
print_notes(FILE *f, const struct srplat_run *run)
{
	const struct srplat_src *ends[] = { run->in, run->out };
	uint64_t nr_backwards = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends[i] && ends[i]->note[0])
			fprintf(f, "note: %s\n", ends[i]->note);
	for (i = 0; i < run->nr_modes; i++)
		nr_backwards += run->modes[i].nr_backwards;
	if (nr_backwards)
		fprintf(f,
			"note: the clock went back during %" PRIu64
			" records; they are not in the latencies\n",
			nr_backwards);
}

static void
print_about(FILE *f, const struct srplat_about *about)
{
	const struct clock_report *clock = &about->clock;

	fprintf(f,
		"clock: CLOCK_MONOTONIC from %s, resolution %" PRIu64
		" ns, steps of %" PRIu64 " ns, one read %.0f ns; the probe's "
		"own share of a latency: %.0f ns\n",
		clock->source, clock->resolution_ns, clock->step_ns,
		clock->read_cost_ns, about->probe_cost_ns);
	if (clock->nr_backwards)
		fprintf(f, "note: this clock goes back: latencies are "
			   "unreliable\n");
}

static void
print_counters(FILE *f, const struct srplat_counters *counters)
{
	if (counters->scope)
		fprintf(f,
			"cycles and instructions: the measuring thread's, "
			"%s\n",
			counters->scope);
	else if (counters->reason[0])
		fprintf(f, "cycles and instructions: not counted, %s\n",
			counters->reason);
}

static void
print_modes(FILE *f, const struct srplat_run *run)
{
	const struct srplat_mode *mode;
	unsigned int i;

	fprintf(f,
		"latency in us; 1/bw is the time a record takes of the whole, "
		"which at depth 1 is the mean latency\n\n");
	fprintf(f, "%-*s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s",
		label_width(run), "completion", "p50", "p90", "p99", "p99.9",
		"p99.99", "max", "mean", "1/bw", "IOPS", "CPUns/IO",
		"ctxsw/IO");
	if (run->counters.scope)
		fprintf(f, " %9s %9s", "cyc/IO", "ins/IO");
	fputc('\n', f);
	for (i = 0; i < run->nr_modes; i++) {
		mode = &run->modes[i];
		print_row(f, run, mode, mode->hist);
		if (mode->response)
			print_row(f, run, mode, mode->response);
	}
}

void
srplat_report_table(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about)
{
	print_heading(f, run);
	if (about)
		print_about(f, about);
	print_counters(f, &run->counters);
	print_notes(f, run);
	if (run->nr_modes && run->modes[0].by)
		srplat_report_sweep(f, run);
	else if (run->nr_modes)
		print_modes(f, run);
	srplat_report_rates(f, run);
	srplat_report_merged(f, run);
	srplat_report_verify(f, run);
	srplat_report_stages(f, run, about);
	if (run->nr_modes)
		print_ratios(f, run);
}
