/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpmatrix: which completion mode gives what, and costs what, over block
 * sizes and numbers of jobs, with fio as the load.
 *
 * stdout has the tables or the JSON object and nothing else; progress and
 * every complaint go to stderr.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "tools/html_page.h"
#include "tools/srpmatrix_json.h"
#include "tools/srpmatrix_opts.h"
#include "tools/srpmatrix_table.h"
#include "util/stdfd.h"

#define REASON_BYTES 768
#define LINE_BYTES 160

static volatile sig_atomic_t stop; /* the number of the signal */

static void
on_signal(int signo)
{
	stop = signo;
}

/* The second one ends the program at once. */
static void
catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	/* a reader that has gone is seen by stdfd_finish() */
	signal(SIGPIPE, SIG_IGN);
}

/* On a terminal a line that overwrites itself; in a log one a round. */
static void
on_step(void *arg, const struct srpmatrix_run *run)
{
	bool is_watched = *(const bool *)arg;
	char line[LINE_BYTES];

	srpmatrix_table_progress(line, sizeof(line), run);
	if (is_watched)
		fprintf(stderr, "\r%s\033[K%s", line,
			run->step == run->nr_steps ? "\n" : "");
	else if (run->step % (run->nr_steps / run->plan.nr_rounds) == 0)
		fprintf(stderr, "srpmatrix: %s\n", line);
	fflush(stderr);
}

static int
run_fio(void *arg, const struct srpmatrix_cell *cell,
	const struct srpmatrix_mode *mode, struct srpmatrix_sample *sample,
	struct hist *hist, char *reason, size_t n)
{
	return srpmatrix_fio_run(arg, cell, mode, sample, hist, reason, n);
}

static int
write_json(const json_t *json)
{
	if (json_dumpf(json, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) ||
		putchar('\n') == EOF)
		return -EIO;
	return 0;
}

/* What there is, in every form that was asked for. */
static int
print_report(const struct srpmatrix_report *report)
{
	const struct srpmatrix_opts *opts = report->run->opts;
	json_t *json = srpmatrix_json(report);
	char reason[REASON_BYTES] = "";
	int rc = json ? 0 : -ENOMEM;

	if (!opts->wants_json)
		srpmatrix_table_print(stdout, report);
	else if (json)
		rc = write_json(json);
	if (!rc)
		rc = stdfd_finish();
	if (rc)
		fprintf(stderr, "srpmatrix: writing the results: %s\n",
			strerror(-rc));
	if (json && opts->html &&
		html_page_save(opts->html, json, reason, sizeof(reason))) {
		fprintf(stderr, "srpmatrix: %s\n", reason);
		rc = -EIO;
	}
	json_decref(json);
	return rc ? SRPMATRIX_EXIT_IO_ERROR : 0;
}

/* It did not come to a run. */
static int
give_up(const struct srpmatrix_opts *opts, const char *reason, int status)
{
	json_t *json;

	fprintf(stderr, "srpmatrix: %s\n", reason);
	if (opts->wants_json) {
		json = srpmatrix_json_failure(reason, status);
		write_json(json);
		json_decref(json);
	}
	return stdfd_finish() ? SRPMATRIX_EXIT_IO_ERROR : status;
}

static void
sum_up(struct srpmatrix_report *report, char *reason, size_t n)
{
	const struct srpmatrix_run *run = report->run;

	if (stop)
		snprintf(reason, n,
			"interrupted by signal %d (%s): the numbers are of "
			"what was done by then",
			(int)stop, strsignal((int)stop));
	else if (run->nr_errors)
		snprintf(reason, n,
			"%u of the matrix's series failed, the first as "
			"told by 'failed'",
			run->nr_errors);
	report->is_interrupted = stop;
	report->status = stop ? 128 + (int)stop
		: run->nr_errors ? SRPMATRIX_EXIT_IO_ERROR
				 : 0;
	report->error = reason[0] ? reason : NULL;
	if (report->error)
		fprintf(stderr, "srpmatrix: %s\n", reason);
}

static int
measure(const struct srpmatrix_opts *opts, struct srpmatrix_fio *fio,
	const struct srpmatrix_target *target)
{
	bool is_watched = isatty(2);
	struct machine machine;
	struct srpmatrix_run run;
	struct srpmatrix_report report = { .run = &run, .fio = fio,
		.target = target, .machine = &machine, .date = time(NULL) };
	char reason[REASON_BYTES] = "";
	int rc = srpmatrix_run_init(&run, opts);

	if (rc) {
		srpmatrix_run_fini(&run);
		return give_up(opts, strerror(-rc), SRPMATRIX_EXIT_UNREACHABLE);
	}
	machine_init(&machine);
	run.runner = (struct srpmatrix_runner){ run_fio, fio };
	run.stop = &stop;
	run.on_step = on_step;
	run.arg = &is_watched;
	if (srpmatrix_run_all(&run) && is_watched)
		fputc('\n', stderr);
	sum_up(&report, reason, sizeof(reason));
	rc = print_report(&report);
	srpmatrix_run_fini(&run);
	return report.status ? report.status : rc;
}

/* So that the caller's shell sees what ended us. */
static void
end_by_signal(void)
{
	signal((int)stop, SIG_DFL);
	raise((int)stop);
}

int
main(int argc, char **argv)
{
	struct srpmatrix_opts opts;
	struct srpmatrix_target target;
	struct srpmatrix_fio fio = { .dir = "" };
	char reason[REASON_BYTES] = "";
	int status;

	stdfd_guard();
	status = srpmatrix_opts_parse(
		&opts, argc, argv, reason, sizeof(reason));
	if (status)
		return give_up(&opts, reason, status);
	if (opts.wants_help || opts.wants_version) {
		if (opts.wants_help)
			fputs(srpmatrix_opts_help(), stdout);
		else
			printf("srpmatrix (srpd) %s\n", PACKAGE_VERSION);
		return stdfd_finish_or_say("srpmatrix")
			? SRPMATRIX_EXIT_IO_ERROR
			: 0;
	}
	if (opts.html && html_page_check(opts.html, reason, sizeof(reason)))
		return give_up(&opts, reason, SRPMATRIX_EXIT_BAD_VALUE);
	/* Nothing to keep yet: a signal ends it, however long a login takes. */
	status = srpmatrix_target_look(&target, &opts, reason, sizeof(reason));
	catch_signals();
	if (!status)
		status = srpmatrix_fio_open(
			&fio, &opts, &stop, reason, sizeof(reason));
	status = status ? give_up(&opts, reason, status)
			: measure(&opts, &fio, &target);
	srpmatrix_fio_close(&fio);
	if (stop)
		end_by_signal();
	return status;
}
