/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srptgt: the embedded target on its own, on an RDMA device.
 *
 * The first line on stdout is the URL under which it is to be had, once it
 * listens (with --json: on stderr); at the end come the counters.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "fabric/fabric.h"
#include "tools/srptgt_opts.h"
#include "util/stdfd.h"

#define REASON_BYTES 768
#define URL_BYTES 256

static int
give_up(const char *reason, int status)
{
	fprintf(stderr, "srptgt: %s\n", reason);
	return status;
}

static void
format_url(const struct srptgt_opts *opts, const struct target *target,
	char *url, size_t n)
{
	bool is_v6 = strchr(opts->listen, ':') != NULL;

	snprintf(url, n,
		"srp://%s%s%s:%u/?id_ext=%016" PRIx64 "&ioc_guid=%016" PRIx64,
		is_v6 ? "[" : "", opts->listen, is_v6 ? "]" : "",
		target_port(target), opts->attr.id_ext, opts->attr.ioc_guid);
}

static void
print_line(FILE *out, const struct target_stats *s)
{
	fprintf(out,
		"channels %u, logins %" PRIu64 ", rejects %" PRIu64
		", commands %" PRIu64 ", reads %" PRIu64 " (%" PRIu64
		" bytes), writes %" PRIu64 " (%" PRIu64
		" bytes), check conditions %" PRIu64
		", task management %" PRIu64 ", malformed IUs %" PRIu64
		", CPU %.3f s\n",
		s->nr_channels, s->logins, s->rejects, s->commands, s->reads,
		s->bytes_read, s->writes, s->bytes_written,
		s->check_conditions, s->task_management, s->malformed_ius,
		(double)s->cpu_ns / 1e9);
}

static int
print_json(FILE *out, const char *url, const struct target_stats *s)
{
	json_t *object = json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"url", url, "logins", (json_int_t)s->logins, "rejects",
		(json_int_t)s->rejects, "commands", (json_int_t)s->commands,
		"reads", (json_int_t)s->reads, "writes", (json_int_t)s->writes,
		"bytes_read", (json_int_t)s->bytes_read, "bytes_written",
		(json_int_t)s->bytes_written, "check_conditions",
		(json_int_t)s->check_conditions, "task_management",
		(json_int_t)s->task_management, "malformed_ius",
		(json_int_t)s->malformed_ius, "cpu_ns", (json_int_t)s->cpu_ns);
	int rc;

	if (!object)
		return -ENOMEM;
	rc = json_dumpf(object, out, JSON_INDENT(2)) ? -EIO : 0;
	json_decref(object);
	fputc('\n', out);
	return rc;
}

/* Until SIGINT or SIGTERM; SIGUSR1 asks for a line of counters at once. */
static void
serve(const struct srptgt_opts *opts, const struct target *target,
	const sigset_t *signals)
{
	struct timespec wait = { .tv_sec = opts->stats_seconds };
	struct target_stats stats;
	int signo;

	for (;;) {
		signo = opts->stats_seconds ?
			sigtimedwait(signals, NULL, &wait) :
			sigwaitinfo(signals, NULL);
		if (signo == SIGINT || signo == SIGTERM)
			return;
		if (signo < 0 && errno != EAGAIN)
			continue;
		target_stats(target, &stats);
		print_line(stderr, &stats);
	}
}

static int
finish(const struct srptgt_opts *opts, const struct target *target,
	const char *url)
{
	struct target_stats stats;
	int rc = 0;

	target_stats(target, &stats);
	if (opts->wants_json)
		rc = print_json(stdout, url, &stats);
	else
		print_line(stdout, &stats);
	return rc || fflush(stdout) ?
		give_up("writing the counters failed", SRPTGT_EXIT_IO_ERROR) :
		0;
}

static int
run(struct srptgt_opts *opts)
{
	char reason[REASON_BYTES] = "", url[URL_BYTES];
	struct target *target;
	sigset_t signals;
	int rc;

	opts->attr.fabric = fabric_find(opts->fabric);
	if (!opts->attr.fabric) {
		snprintf(reason, sizeof(reason),
			"fabric=%s is not known: verbs is", opts->fabric);
		return give_up(reason, SRPTGT_EXIT_BAD_VALUE);
	}
	/* before the target's thread starts, so that they come here */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	rc = target_create(&opts->attr, &target, reason, sizeof(reason));
	if (rc)
		return give_up(reason,
			rc == -EINVAL ? SRPTGT_EXIT_BAD_VALUE :
					SRPTGT_EXIT_UNREACHABLE);
	if (opts->has_faults)
		target_set_faults(target, &opts->faults);
	format_url(opts, target, url, sizeof(url));
	fprintf(opts->wants_json ? stderr : stdout, "%s\n", url);
	fflush(stdout);
	serve(opts, target, &signals);
	rc = finish(opts, target, url);
	target_destroy(target);
	return rc;
}

int
main(int argc, char **argv)
{
	static struct srptgt_opts opts;
	char reason[REASON_BYTES] = "";
	int status;

	stdfd_guard();
	status = srptgt_opts_parse(&opts, argc, argv, reason, sizeof(reason));
	if (status)
		return give_up(reason, status);
	if (opts.wants_help) {
		fputs(srptgt_opts_help(), stdout);
		return fflush(stdout) ? SRPTGT_EXIT_IO_ERROR : 0;
	}
	if (opts.wants_version) {
		printf("srptgt (srpd) %s\n", PACKAGE_VERSION);
		return fflush(stdout) ? SRPTGT_EXIT_IO_ERROR : 0;
	}
	return run(&opts);
}
