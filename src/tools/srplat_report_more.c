/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The parts of a report that only some runs have. */
#include <inttypes.h>

#include "tools/srplat_report.h"
#include "util/compiler.h"

static double
us(double ns)
{
	return ns / 1000.0;
}

unsigned int
srplat_sweep_points(const struct srplat_run *run, unsigned int first)
{
	unsigned int i = first;

	while (i < run->nr_modes && run->modes[i].by &&
		run->modes[i].id == run->modes[first].id)
		i++;
	return i - first;
}

const struct srplat_mode *
srplat_sweep_knee_of(const struct srplat_mode *points, unsigned int nr)
{
	uint64_t p99_ns[SRPLAT_MAX_POINTS];
	unsigned int i;
	int knee;

	for (i = 0; i < nr && i < SRPLAT_MAX_POINTS; i++)
		p99_ns[i] = hist_percentile(
			srplat_mode_latency(&points[i]), 99);
	knee = srplat_sweep_knee(p99_ns, i);
	return knee < 0 ? NULL : &points[knee];
}

static void
print_point(FILE *f, const struct srplat_mode *mode,
	const struct srplat_mode *knee)
{
	const struct hist *hist = srplat_mode_latency(mode);

	fprintf(f,
		"%-10s %9" PRIu64 " %9.0f %9.2f %9.2f %9.2f %9.2f %9.0f%s\n",
		mode->name,
		mode->by == SRPLAT_SWEEP_DEPTH ? (uint64_t)mode->depth
					       : mode->rate,
		srplat_mode_iops(mode), us(hist_mean(hist)),
		us((double)hist_percentile(hist, 50)),
		us((double)hist_percentile(hist, 99)),
		us((double)hist_percentile(hist, 99.9)),
		srplat_mode_cpu_ns(mode), mode == knee ? "  <- knee" : "");
}

void
srplat_report_sweep(FILE *f, const struct srplat_run *run)
{
	const struct srplat_mode *knee;
	unsigned int first, i, nr;

	fprintf(f,
		"latency in us%s; the knee is the last point whose p99 is "
		"under twice the lowest\n\n",
		run->modes[0].response
			? ", from when a record was due to its end"
			: "");
	fprintf(f, "%-10s %9s %9s %9s %9s %9s %9s %9s\n", "completion",
		srplat_sweep_name(run->modes[0].by), "IOPS", "mean", "p50",
		"p99", "p99.9", "CPUns/IO");
	for (first = 0; first < run->nr_modes; first += nr) {
		nr = max(srplat_sweep_points(run, first), 1u);
		knee = srplat_sweep_knee_of(&run->modes[first], nr);
		for (i = first; i < first + nr; i++)
			if (run->modes[i].nr_done)
				print_point(f, &run->modes[i], knee);
	}
}

static void
print_rate(FILE *f, const struct srplat_run *run,
	const struct srplat_mode *mode)
{
	char label[64];

	srplat_mode_label(mode, label, sizeof(label));
	fprintf(f,
		"%s: %" PRIu64 " a second were due, %.0f were done; %" PRIu64
		" sends missed",
		label, mode->rate, srplat_mode_iops(mode), mode->nr_missed);
	if (run->opts->has_late)
		fprintf(f, " (begun more than %.2f us late)",
			us((double)run->opts->late_ns));
	else
		fprintf(f, " (begun more than %.2f us late, when the next was "
			   "due)",
			us(1e9 / (double)mode->rate));
	fprintf(f,
		", %" PRIu64 " of them not begun by the end; at most %" PRIu64
		" waited\n",
		mode->nr_unsent, mode->max_waiting);
}

void
srplat_report_rates(FILE *f, const struct srplat_run *run)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < run->nr_modes; i++) {
		if (!run->modes[i].response || !run->modes[i].nr_done)
			continue;
		if (!any)
			fputc('\n', f);
		any = true;
		print_rate(f, run, &run->modes[i]);
	}
}

void
srplat_report_merged(FILE *f, const struct srplat_run *run)
{
	char label[64];
	unsigned int i;

	if (!run->nr_merged)
		return;
	fprintf(f,
		"\nIOPS and 1/bw are of one run on average; had all run side "
		"by side:\n");
	for (i = 0; i < run->nr_modes; i++) {
		srplat_mode_label(&run->modes[i], label, sizeof(label));
		fprintf(f, "%s: %.0f IOPS together\n", label,
			run->modes[i].iops_sum);
	}
}

static void
print_stages(FILE *f, const struct srplat_mode *mode)
{
	const struct hist *hist;
	char label[64];
	int stage;

	srplat_mode_label(mode, label, sizeof(label));
	for (stage = 0; stage < SRPLAT_NR_STAGES; stage++) {
		hist = &mode->stages[stage];
		if (hist->nr)
			fprintf(f,
				"%-24s %-16s %9.2f %9.2f %9.2f %9" PRIu64 "\n",
				label,
				srplat_stage_name((enum srplat_stage)stage),
				us(hist_mean(hist)),
				us((double)hist_percentile(hist, 50)),
				us((double)hist_percentile(hist, 99)),
				hist->nr);
	}
}

void
srplat_report_stages(FILE *f, const struct srplat_run *run,
	const struct srplat_about *about)
{
	unsigned int i;

	if (!run->nr_modes || !run->modes[0].stages)
		return;
	fprintf(f, "\nstages in us");
	if (about)
		fprintf(f,
			"; they cost %d more reads of the clock a record, %.0f "
			"ns, which the latencies include",
			SRPLAT_STAGE_READS,
			SRPLAT_STAGE_READS * about->clock.read_cost_ns);
	fprintf(f, "\n\n%-24s %-16s %9s %9s %9s %9s\n", "completion", "stage",
		"mean", "p50", "p99", "records");
	for (i = 0; i < run->nr_modes; i++)
		print_stages(f, &run->modes[i]);
}

void
srplat_report_verify(FILE *f, const struct srplat_run *run)
{
	const struct srplat_verify *verify = &run->verify;

	if (!run->opts->verify)
		return;
	fprintf(f, "\nverify: %" PRIu64 " blocks of %" PRIu32 " bytes are as "
		   "written",
		verify->nr_blocks, verify->block_bytes);
	if (verify->knows_seed)
		fprintf(f, ", seed=%" PRIu64, verify->seed);
	fprintf(f, "%s\n",
		verify->is_broken ? "; the next one checked was not" : "");
}

static void
print_slow_stages(FILE *f, const struct srplat_slow_io *io)
{
	const char *between = " (";
	int stage;

	for (stage = 0; stage < SRPLAT_NR_STAGES; stage++) {
		if (io->stages[stage] == UINT64_MAX)
			continue;
		fprintf(f, "%s%s %.2f", between,
			srplat_stage_name((enum srplat_stage)stage),
			us((double)io->stages[stage]));
		between = ", ";
	}
	if (between[0] == ',')
		fputc(')', f);
}

static void
print_slow(FILE *f, const struct srplat_run *run,
	const struct srplat_slow_io *io)
{
	const struct srplat_src *src = io->is_write ? run->loop.out : NULL;
	uint32_t block;

	src = src ? src : run->loop.in ? run->loop.in : run->loop.out;
	block = src && src->block_bytes ? src->block_bytes : 1;
	fprintf(f,
		"srplat: slow: %.6f s after the beginning, %s of %" PRIu32
		" bytes at %s %" PRIu64 ": %.2f us",
		(double)io->at_ns / 1e9, io->is_write ? "write" : "read",
		io->bytes, block > 1 ? "LBA" : "byte", io->offset / block,
		us((double)io->latency_ns));
	if (io->has_stages)
		print_slow_stages(f, io);
	fputc('\n', f);
}

void
srplat_report_slow(FILE *f, const struct srplat_run *run)
{
	const struct srplat_slow *slow = &run->slow;
	uint64_t i;

	for (i = 0; i < min_t(uint64_t, slow->nr, SRPLAT_MAX_SLOW); i++)
		print_slow(f, run, &slow->ios[i]);
	if (slow->nr > SRPLAT_MAX_SLOW)
		fprintf(f,
			"srplat: slow: %" PRIu64 " records took longer than "
			"%.2f us, of which the first %d are above\n",
			slow->nr, us((double)slow->limit_ns), SRPLAT_MAX_SLOW);
}
