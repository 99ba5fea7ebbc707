/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srplat: what one command costs. Copies as dd does, one record at a time
 * unless told otherwise, and reports the latency of each.
 *
 * stdout has the table or the JSON object and nothing else; dd's lines, the
 * progress and every complaint go to stderr.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "tools/html_page.h"
#include "tools/srplat_interrupt.h"
#include "tools/srplat_json.h"
#include "tools/srplat_merge.h"
#include "tools/srplat_opts.h"
#include "tools/srplat_report.h"
#include "tools/srplat_run.h"
#include "util/clock.h"
#include "util/stdfd.h"

#define REASON_BYTES 768
#define PROGRESS_NS CLOCK_NS_PER_SEC

struct progress {
	uint64_t next_ns;
	bool is_shown;
};

static void
on_progress(void *arg, const struct srplat_run *run)
{
	struct progress *progress = arg;
	struct srplat_run now = *run; /* the sum with the round under way */
	uint64_t now_ns = clock_ns();

	if (now_ns < progress->next_ns)
		return;
	progress->next_ns = now_ns + PROGRESS_NS;
	progress->is_shown = true;
	now.bytes += run->loop.bytes;
	now.elapsed_ns += now_ns - run->loop.begin_ns;
	srplat_report_progress(stderr, &now);
}

/* As dd's status=progress; and unasked, where somebody watches. */
static bool
shows_progress(const struct srplat_opts *opts)
{
	return opts->status == SRPLAT_STATUS_PROGRESS ||
		(opts->status == SRPLAT_STATUS_DEFAULT && isatty(2));
}

static int
open_end(struct srplat_run *run, enum srplat_dir dir, char *reason, size_t n)
{
	bool reads = dir == SRPLAT_READ;
	struct srplat_src_args args = {
		.name = reads ? run->opts->in : run->opts->out,
		.dir = dir,
		.opts = run->opts,
	};

	return srplat_src_open(
		&args, reads ? &run->in : &run->out, reason, n);
}

/* What a reader should know about an end that is cached against his will. */
static void
note_cached(const struct srplat_run *run, struct srplat_src *src)
{
	uint64_t offset = src == run->in ? run->area.in_offset
					 : run->area.out_offset;

	if (src->kind != SRPLAT_KIND_FILE || src->note[0] ||
		!src->direct_bytes)
		return;
	if ((offset | run->area.record_bytes) % src->direct_bytes)
		snprintf(src->note, sizeof(src->note),
			"%s: bs= or the offset is not a multiple of %u, which "
			"O_DIRECT needs: the page cache is included",
			src->name, src->direct_bytes);
}

/* Everything up to the first I/O. */
static int
set_up(struct srplat_run *run, struct srplat_opts *opts, char *reason, size_t n)
{
	int rc;

	if (opts->html_path && html_page_check(opts->html_path, reason, n)) {
		opts->html_path = NULL;
		return SRPLAT_EXIT_BAD_VALUE;
	}
	rc = open_end(run, SRPLAT_READ, reason, n);
	if (!rc)
		rc = open_end(run, SRPLAT_WRITE, reason, n);
	if (!rc)
		rc = srplat_opts_resolve(opts, run->in->block_bytes,
			run->out->block_bytes, reason, n);
	if (!rc)
		rc = srplat_area_init(
			&run->area, opts, run->in, run->out, reason, n);
	if (rc)
		return rc;
	note_cached(run, run->in);
	note_cached(run, run->out);
	return srplat_run_init(run, reason, n);
}

/* The page, where one was asked for; what keeps it from being written is told. */
static int
write_page(const char *path, const struct srplat_run *run,
	const struct srplat_about *about, const char *error, int status)
{
	char reason[REASON_BYTES];
	json_t *doc;
	int rc;

	if (!path)
		return 0;
	doc = srplat_json_make(run, about, error, status);
	rc = html_page_save(path, doc, reason, sizeof(reason));
	if (rc)
		fprintf(stderr, "srplat: %s\n", reason);
	json_decref(doc);
	return rc;
}

static int
report(const struct srplat_run *run, const struct srplat_about *about,
	const char *error, int status)
{
	const struct srplat_opts *opts = run->opts;

	srplat_report_slow(stderr, run);
	srplat_report_dd(stderr, run, opts->status);
	if (error)
		fprintf(stderr, "srplat: %s\n", error);
	if (opts->output == SRPLAT_OUTPUT_JSON)
		return srplat_json_print(stdout, run, about, error, status);
	srplat_report_table(stdout, run, about);
	return fflush(stdout) ? -errno : 0;
}

/* It did not come to a run. */
static int
give_up(const struct srplat_opts *opts, const char *reason, int status)
{
	fprintf(stderr, "srplat: %s\n", reason);
	if (opts->output == SRPLAT_OUTPUT_JSON)
		srplat_json_print(stdout, NULL, NULL, reason, status);
	return status;
}

static int
run_and_report(struct srplat_run *run)
{
	struct srplat_about about;
	struct progress progress = { .next_ns = clock_ns() + PROGRESS_NS };
	char reason[REASON_BYTES] = "";
	int rc, status, stop;

	clock_self_test(&about.clock);
	about.probe_cost_ns = srplat_run_probe_cost();
	if (shows_progress(run->opts)) {
		run->on_progress = on_progress;
		run->arg = &progress;
	}
	status = srplat_run_all(run, reason, sizeof(reason));
	if (progress.is_shown)
		fputc('\n', stderr);
	stop = (int)srplat_interrupt;
	/* What is broken off by the signal is no error of the device's. */
	if (stop)
		snprintf(reason, sizeof(reason),
			"interrupted by signal %d (%s): the numbers are of "
			"what was done by then",
			stop, strsignal(stop));
	else if (!status)
		status = srplat_limits_check(&run->opts->limits, run, reason,
			sizeof(reason));
	rc = report(run, &about, reason[0] ? reason : NULL,
		stop ? 128 + stop : status);
	if (rc)
		fprintf(stderr, "srplat: writing the results: %s\n",
			strerror(-rc));
	if (write_page(run->opts->html_path, run, &about,
		    reason[0] ? reason : NULL,
		    stop ? 128 + stop : status))
		rc = -EIO;
	if (rc)
		status = status ? status : SRPLAT_EXIT_IO_ERROR;
	return status;
}

int
main(int argc, char **argv)
{
	struct srplat_opts opts;
	static struct srplat_run run;
	char reason[REASON_BYTES] = "";
	int status;

	stdfd_guard();
	if (argc > 1 && strcmp(argv[1], "merge") == 0)
		return srplat_merge_main(argc - 1, argv + 1);
	status = srplat_opts_parse(&opts, argc, argv, reason, sizeof(reason));
	if (status)
		return give_up(&opts, reason, status);
	if (opts.wants_help) {
		fputs(srplat_opts_help(), stdout);
		return stdfd_finish_or_say("srplat") ? SRPLAT_EXIT_IO_ERROR
						     : 0;
	}
	if (opts.wants_version) {
		printf("srplat (srpd) %s\n", PACKAGE_VERSION);
		return stdfd_finish_or_say("srplat") ? SRPLAT_EXIT_IO_ERROR
						     : 0;
	}
	if (srplat_interrupt_init(&opts))
		return give_up(&opts, "SIGINT can not be caught",
			SRPLAT_EXIT_UNREACHABLE);
	run.opts = &opts;
	run.stop = &srplat_interrupt;
	run.on_begin = srplat_interrupt_begin;
	status = set_up(&run, &opts, reason, sizeof(reason));
	if (!status) {
		status = run_and_report(&run);
	} else {
		give_up(&opts, reason, status);
		write_page(opts.html_path, NULL, NULL, reason, status);
	}
	srplat_run_fini(&run);
	if (srplat_interrupt)
		srplat_interrupt_end();
	return status;
}
