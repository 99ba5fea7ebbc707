/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/srpmatrix_claim.h"
#include "tools/srpmatrix_published.h"
#include "util/clock.h"
#include "util/compiler.h"

#define CELL_BYTES 32

void
srpmatrix_table_bs(char *text, size_t n, uint64_t bs)
{
	static const char units[] = { '\0', 'k', 'M', 'G' };
	unsigned int unit = 0;

	while (bs >= 1024 && bs % 1024 == 0 && unit + 1 < sizeof(units)) {
		bs /= 1024;
		unit++;
	}
	snprintf(text, n, "%" PRIu64 "%.1s", bs, &units[unit]);
}

static void
format_time(char *text, size_t n, uint64_t ns)
{
	uint64_t s = DIV_ROUND_UP(ns, CLOCK_NS_PER_SEC);

	if (s < 60)
		snprintf(text, n, "%" PRIu64 " s", s);
	else if (s < 3600)
		snprintf(text, n, "%" PRIu64 " min %" PRIu64 " s", s / 60,
			s % 60);
	else
		snprintf(text, n, "%" PRIu64 " h %" PRIu64 " min", s / 3600,
			s / 60 % 60);
}

void
srpmatrix_table_progress(char *text, size_t n, const struct srpmatrix_run *run)
{
	const struct srpmatrix_plan *plan = &run->plan;
	const struct srpmatrix_cell *cell;
	struct srpmatrix_step step;
	char bs[CELL_BYTES], left[CELL_BYTES];

	if (run->step == run->nr_steps) {
		snprintf(text, n, "done");
		return;
	}
	step = srpmatrix_plan_step(plan, run->step);
	cell = &run->opts->cells[step.row];
	srpmatrix_table_bs(bs, sizeof(bs), cell->bs);
	format_time(left, sizeof(left), srpmatrix_run_left_ns(run));
	snprintf(text, n, "round %u of %u, %s x %u job%s, %s: %s left",
		step.round + 1, plan->nr_rounds, bs, cell->jobs,
		cell->jobs == 1 ? "" : "s",
		run->opts->modes[srpmatrix_plan_mode(plan, step.slot)].name,
		left);
}

/* ---- cells ----------------------------------------------------------- */

/* Five significant digits or so, whatever the size. */
static void
format_number(char *text, size_t n, double value, int decimals)
{
	if (isnan(value))
		snprintf(text, n, "-");
	else if (value >= 1e7)
		snprintf(text, n, "%.1fM", value / 1e6);
	else if (value >= 1e4)
		snprintf(text, n, "%.0f", value);
	else
		snprintf(text, n, "%.*f", decimals, value);
}

/* "0.93+-4%": what the interval reaches to either side, as a factor. */
static void
format_ratio(char *text, size_t n, const struct srpmatrix_ratio *ratio)
{
	double reach = (ratio->high / ratio->estimate - 1.0) * 100.0;
	int decimals = ratio->estimate < 9.995 ? 2 : 1;

	if (isnan(ratio->estimate))
		snprintf(text, n, "-");
	else if (isnan(reach))
		snprintf(text, n, "%.*f", decimals, ratio->estimate);
	else if (reach > 99.0)
		snprintf(text, n, "%.*f+->99", decimals, ratio->estimate);
	else
		snprintf(text, n, "%.*f+-%.0f%%", decimals, ratio->estimate,
			fmax(ceil(reach - 1e-6), 0.0));
}

static void
print_row_name(FILE *f, const struct srpmatrix_cell *cell)
{
	char bs[CELL_BYTES];

	srpmatrix_table_bs(bs, sizeof(bs), cell->bs);
	fprintf(f, "%5s %4u", bs, cell->jobs);
}

static void
print_heads(FILE *f, const struct srpmatrix_run *run, unsigned int first,
	int width)
{
	unsigned int mode;

	fprintf(f, "%5s %4s", "bs", "jobs");
	if (first)
		fprintf(f, "%*s", width, "A/A");
	for (mode = first; mode < run->plan.nr_modes; mode++)
		fprintf(f, "%*s", width, run->opts->modes[mode].name);
	fputc('\n', f);
}

/* ---- tables ---------------------------------------------------------- */

struct number_table {
	const char *title;
	enum srpmatrix_metric metric;
	double unit; /* what is 1 in the table */
	int decimals;
};

/* A mark behind the IOPS of a mode whose rounds were not alike. */
static const char *
mark(const struct srpmatrix_run *run, unsigned int row, unsigned int mode,
	enum srpmatrix_metric metric)
{
	struct srpmatrix_steady steady;

	if (metric != SRPMATRIX_IOPS)
		return "";
	srpmatrix_run_steady(run, row, mode, &steady);
	return steady.verdict == SRPMATRIX_UNSTEADY ? "~" : "";
}

static void
print_number(FILE *f, const struct srpmatrix_run *run, unsigned int row,
	unsigned int mode, const struct number_table *table)
{
	double value = srpmatrix_run_median(run, row, mode, table->metric);
	char number[CELL_BYTES], cell[CELL_BYTES];

	format_number(number, sizeof(number), value / table->unit,
		table->decimals);
	if (isnan(value) && srpmatrix_run_series(run, row, mode)->error)
		snprintf(number, sizeof(number), "failed");
	snprintf(cell, sizeof(cell), "%.24s%s", number,
		mark(run, row, mode, table->metric));
	fprintf(f, "%9s", cell);
}

static void
print_numbers(FILE *f, const struct srpmatrix_run *run,
	const struct number_table *table)
{
	unsigned int row, mode;

	fprintf(f, "\n%s\n", table->title);
	print_heads(f, run, 0, 9);
	for (row = 0; row < run->plan.nr_rows; row++) {
		print_row_name(f, &run->opts->cells[row]);
		for (mode = 0; mode < run->plan.nr_modes; mode++)
			print_number(f, run, row, mode, table);
		fputc('\n', f);
	}
}

static void
print_ratio(FILE *f, const struct srpmatrix_run *run, unsigned int row,
	unsigned int slot)
{
	struct srpmatrix_ratio ratio;
	char cell[CELL_BYTES];

	srpmatrix_run_ratio(run, row, slot, SRPMATRIX_IOPS, &ratio);
	format_ratio(cell, sizeof(cell), &ratio);
	fprintf(f, "%10s", cell);
}

static void
print_ratios(FILE *f, const struct srpmatrix_run *run)
{
	unsigned int row, mode;

	fprintf(f, "\nIOPS / those of %s, and 95 %% confidence\n",
		run->opts->modes[0].name);
	print_heads(f, run, 1, 10);
	for (row = 0; row < run->plan.nr_rows; row++) {
		print_row_name(f, &run->opts->cells[row]);
		print_ratio(f, run, row, run->plan.nr_modes);
		for (mode = 1; mode < run->plan.nr_modes; mode++)
			print_ratio(f, run, row, mode);
		fputc('\n', f);
	}
}

static int
find_mode(const struct srpmatrix_run *run, const char *name)
{
	unsigned int i;

	for (i = 0; i < run->plan.nr_modes; i++)
		if (strcmp(run->opts->modes[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* thread=n is what inline is here, thread=y what thread is. */
static void
print_published(FILE *f, const struct srpmatrix_run *run)
{
	const struct srpmatrix_published *published;
	bool is_comparable = find_mode(run, "inline") == 0;
	int thread = find_mode(run, "thread");
	struct srpmatrix_ratio ratio = { NAN, NAN, NAN, 0 };
	char cell[CELL_BYTES];
	unsigned int row;

	fprintf(f, "\nIOPS published in 2010: completions in interrupt context "
		   "(n) or by a thread (y)\n");
	fprintf(f, "%5s %4s%10s%10s%10s%10s%15s\n", "bs", "jobs", "before",
		"thread=n", "thread=y", "y / n", "thread/inline");
	for (row = 0; row < run->plan.nr_rows; row++) {
		published = srpmatrix_published_find(run->opts->cells[row].bs,
			run->opts->cells[row].jobs);
		if (!published)
			continue;
		if (is_comparable && thread > 0)
			srpmatrix_run_ratio(run, row, (unsigned int)thread,
				SRPMATRIX_IOPS, &ratio);
		format_ratio(cell, sizeof(cell), &ratio);
		print_row_name(f, &run->opts->cells[row]);
		fprintf(f, "%10.0f%10.0f%10.0f%10.2f%15s\n", published->before,
			published->thread_n, published->thread_y,
			published->thread_y / published->thread_n, cell);
	}
}

static void
print_claims(FILE *f, const struct srpmatrix_run *run)
{
	struct srpmatrix_claims claims;
	struct srpmatrix_claim lowest;
	char all[CELL_BYTES], least[CELL_BYTES], bs[CELL_BYTES];

	srpmatrix_claims_init(&claims, run);
	if (!claims.nr_rows)
		return;
	srpmatrix_claim_init(&lowest, run, claims.lowest);
	format_ratio(all, sizeof(all), &claims.iops);
	format_ratio(least, sizeof(least), &lowest.iops);
	srpmatrix_table_bs(
		bs, sizeof(bs), run->opts->cells[claims.lowest].bs);
	fprintf(f,
		"\nadaptive, to the better of inline and poll in each row: "
		"IOPS %s\nover all, lowest %s (%s x %u, to %s); rows wholly "
		"below %.2f: %u;\nrows with more CPU per I/O than poll: %u\n",
		all, least, bs, run->opts->cells[claims.lowest].jobs,
		lowest.better, SRPMATRIX_CLAIM_FLOOR, claims.nr_below,
		claims.nr_above_poll);
}

static void
print_errors(FILE *f, const struct srpmatrix_run *run)
{
	const struct srpmatrix_series *series;
	unsigned int row, slot, mode;
	char bs[CELL_BYTES];

	if (run->nr_errors)
		fputc('\n', f);
	for (row = 0; row < run->plan.nr_rows; row++)
		for (slot = 0; slot <= run->plan.nr_modes; slot++) {
			series = srpmatrix_run_series(run, row, slot);
			if (!series->error)
				continue;
			mode = srpmatrix_plan_mode(&run->plan, slot);
			srpmatrix_table_bs(
				bs, sizeof(bs), run->opts->cells[row].bs);
			fprintf(f, "failed: %s x %u, %s, %s\n", bs,
				run->opts->cells[row].jobs,
				run->opts->modes[mode].name, series->error);
		}
}

/* Text in lines of 79 columns, the later ones set in. */
static void
print_wrapped(FILE *f, const char *first, const char *text)
{
	size_t at = strlen(first), len;

	fputs(first, f);
	while (*text) {
		len = strcspn(text, " ");
		if (at + len > 78 && len < 70) {
			fputs("\n  ", f);
			at = 2;
		} else if (at) {
			fputc(' ', f);
			at++;
		}
		fprintf(f, "%.*s", (int)len, text);
		at += len;
		text += len + (text[len] == ' ');
	}
	fputc('\n', f);
}

static void
print_about(FILE *f, const struct srpmatrix_report *report)
{
	const struct srpmatrix_opts *opts = report->run->opts;
	const struct srpi_lun_info *lun = &report->target->lun;
	const struct machine *machine = report->machine;
	char text[1024];

	snprintf(text, sizeof(text),
		"%s, %s, depth %u, jobs are %s; %u rounds (ABBA) of %g s a run "
		"after %g s of warm-up",
		opts->target, opts->rw, opts->depth,
		opts->is_forked ? "processes" : "threads", opts->rounds,
		(double)opts->runtime_ns / 1e9, (double)opts->warmup_ns / 1e9);
	print_wrapped(f, "", text);
	snprintf(text, sizeof(text), "%s %s, %" PRIu64 " blocks of %u bytes, "
		"on %s", lun->vendor, lun->product, lun->blocks,
		lun->block_bytes, report->target->session.device);
	print_wrapped(f, "target:", text);
	if (opts->compare)
		print_wrapped(f, "libaio, io_uring:", opts->compare);
	snprintf(text, sizeof(text), "%s, %d CPU%s%s, %s, clock %s, %s",
		machine->cpu, machine->nr_cpus,
		machine->nr_cpus == 1 ? "" : "s",
		machine->is_virtual ? " (virtual)" : "", machine->kernel,
		machine->clock.source, report->fio->version);
	print_wrapped(f, "machine:", text);
}

static void
print_notes(FILE *f, const struct srpmatrix_report *report)
{
	struct srpmatrix_notes notes;
	unsigned int i;

	srpmatrix_notes_init(&notes, report);
	fputc('\n', f);
	for (i = 0; i < notes.nr; i++)
		print_wrapped(f, "note:", notes.text[i]);
}

void
srpmatrix_table_print(FILE *f, const struct srpmatrix_report *report)
{
	static const struct number_table iops = {
		"IOPS, median over the rounds (~: not steady)",
		SRPMATRIX_IOPS, 1.0, 0 };
	static const struct number_table costs[] = {
		{ "latency, p99, us", SRPMATRIX_P99_NS, 1e3, 1 },
		{ "CPU per I/O, us: fio's jobs and the library's threads",
			SRPMATRIX_CPU_NS, 1e3, 2 },
		{ "context switches per I/O, of the jobs", SRPMATRIX_SWITCHES,
			1.0, 2 },
		{ "doorbells per I/O", SRPMATRIX_DOORBELLS, 1.0, 2 },
		{ "completion events per I/O", SRPMATRIX_EVENTS, 1.0, 2 },
	};
	static const struct number_table machine = {
		"CPU per I/O, us: all of the machine while fio was there",
		SRPMATRIX_MACHINE_CPU_NS, 1e3, 2 };
	const struct srpmatrix_run *run = report->run;
	size_t i;

	print_about(f, report);
	print_numbers(f, run, &iops);
	print_ratios(f, run);
	if (run->opts->wants_published)
		print_published(f, run);
	for (i = 0; i < ARRAY_SIZE(costs); i++)
		print_numbers(f, run, &costs[i]);
	if (run->opts->compare)
		print_numbers(f, run, &machine);
	print_claims(f, run);
	print_errors(f, run);
	print_notes(f, report);
}
