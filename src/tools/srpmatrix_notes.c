/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/srpmatrix_report.h"
#include "util/compiler.h"

/* Below this, initiator, target and fio's jobs share CPUs for sure. */
#define FEW_CPUS 8

__printf(2, 3) static void
add(struct srpmatrix_notes *notes, const char *format, ...)
{
	va_list ap;

	if (notes->nr == SRPMATRIX_MAX_NOTES)
		return;
	va_start(ap, format);
	vsnprintf(notes->text[notes->nr++], SRPMATRIX_NOTE_BYTES, format, ap);
	va_end(ap);
}

static void
note_cpus(struct srpmatrix_notes *notes, const struct srpmatrix_report *report)
{
	int nr = report->machine->nr_cpus;

	if (nr < FEW_CPUS)
		add(notes,
			"%d CPU%s: on few CPUs the jobs, the library's threads "
			"and a target in the process compete for them, and the "
			"published shape may invert",
			nr, nr == 1 ? "" : "s");
	if (report->machine->is_virtual)
		add(notes,
			"a virtual machine: waking a thread that sleeps costs "
			"more than on bare metal, which the modes that block "
			"pay and those that spin do not");
}

static void
note_target(
	struct srpmatrix_notes *notes, const struct srpmatrix_report *report)
{
	uint32_t flags = report->target->session.flags;

	if (flags & SRPI_SESSION_SHARED_CPU)
		add(notes,
			"the target runs on the jobs' own CPU time: IOPS and "
			"CPU include target, and the modes hardly differ; "
			"irqmode=thread gives it a thread of its own");
	else if (flags & SRPI_SESSION_IN_PROCESS)
		add(notes,
			"the target is a thread of each fio process: it is not "
			"in CPU per I/O, but it takes a CPU while it runs");
}

static void
note_steady(
	struct srpmatrix_notes *notes, const struct srpmatrix_report *report)
{
	const struct srpmatrix_run *run = report->run;
	unsigned int row, nr = 0;

	for (row = 0; row < run->plan.nr_rows; row++)
		nr += srpmatrix_run_verdict(run, row) == SRPMATRIX_UNSTEADY;
	if (nr)
		add(notes,
			"%u of %u rows not steady: rounds of a mode differ by "
			"more than 20 %%, or drift by more than 10 %%",
			nr, run->plan.nr_rows);
	if (run->plan.nr_rounds < SRPMATRIX_STEADY_MIN)
		add(notes, "too few rounds to say whether it was steady");
}

void
srpmatrix_notes_init(
	struct srpmatrix_notes *notes, const struct srpmatrix_report *report)
{
	memset(notes, 0, sizeof(*notes));
	note_cpus(notes, report);
	note_target(notes, report);
	note_steady(notes, report);
	if (report->is_interrupted)
		add(notes, "interrupted: %u of %u rounds were run to their end",
			srpmatrix_run_rounds(report->run),
			report->run->plan.nr_rounds);
	if (report->run->opts->compare)
		add(notes,
			"libaio and io_uring: what the kernel does outside of "
			"the jobs (interrupts, its threads) is in the CPU time "
			"of the whole machine only");
}
