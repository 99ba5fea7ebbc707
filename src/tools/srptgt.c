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
#include <sys/signalfd.h>
#include <unistd.h>

#include "config.h"
#include "fabric/fabric.h"
#include "tools/srptgt_control.h"
#include "tools/srptgt_opts.h"
#include "util/clock.h"
#include "util/loop.h"
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

struct server {
	struct loop loop;
	struct loop_fd signals;
	struct loop_timer stats; /* a line so often */
	uint64_t stats_ns;
	struct target *target;
	struct srptgt_control *control;
};

static void
print_stats(const struct server *server)
{
	struct target_stats stats;

	target_stats(server->target, &stats);
	print_line(stderr, &stats);
}

static void
on_stats(struct loop_timer *timer)
{
	struct server *server = timer->arg;

	print_stats(server);
	loop_timer_arm(&server->loop, timer, clock_ns() + server->stats_ns);
}

/* The files may have another length now. */
static void
restat(const struct server *server)
{
	char reason[REASON_BYTES] = "";

	if (target_lun_restat(server->target, reason, sizeof(reason)) < 0)
		fprintf(stderr, "srptgt: %s\n", reason);
}

static void
on_signal(struct loop_fd *node, uint32_t events)
{
	struct server *server = node->arg;
	struct signalfd_siginfo info;

	(void)events;
	if (read(node->fd, &info, sizeof(info)) != sizeof(info))
		return;
	switch (info.ssi_signo) {
	case SIGUSR1:
		print_stats(server);
		break;
	case SIGHUP:
		restat(server);
		break;
	default:
		loop_stop(&server->loop);
		break;
	}
}

/* 0 or -errno and why. */
static int
server_open(struct server *server, const struct srptgt_opts *opts,
	const sigset_t *signals, char *reason, size_t n)
{
	int fd, rc;

	server->signals = (struct loop_fd){
		.fd = -1, .on_ready = on_signal, .arg = server };
	fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	rc = fd < 0 ? -errno :
		      loop_fd_add(&server->loop, &server->signals, fd, EPOLLIN);
	if (rc)
		snprintf(reason, n, "waiting for signals: %s", strerror(-rc));
	server->stats_ns = opts->stats_seconds * CLOCK_NS_PER_SEC;
	loop_timer_init(&server->stats, on_stats, server);
	if (server->stats_ns)
		loop_timer_arm(&server->loop, &server->stats,
			clock_ns() + server->stats_ns);
	if (!rc && opts->control)
		rc = srptgt_control_open(opts->control, server->target,
			&server->loop, &server->control, reason, n);
	return rc;
}

static void
server_close(struct server *server)
{
	srptgt_control_close(server->control);
	if (server->signals.fd >= 0)
		close(server->signals.fd);
	loop_fini(&server->loop);
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
	return rc || stdfd_finish() ?
		give_up("writing the counters failed", SRPTGT_EXIT_IO_ERROR) :
		0;
}

static int
run(struct srptgt_opts *opts)
{
	char reason[REASON_BYTES] = "", url[URL_BYTES];
	struct server server = { 0 };
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
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (loop_init(&server.loop))
		return give_up("no descriptors", SRPTGT_EXIT_UNREACHABLE);
	rc = target_create(
		&opts->attr, &server.target, reason, sizeof(reason));
	if (rc) {
		loop_fini(&server.loop);
		return give_up(reason,
			rc == -EINVAL ? SRPTGT_EXIT_BAD_VALUE :
					SRPTGT_EXIT_UNREACHABLE);
	}
	rc = server_open(&server, opts, &signals, reason, sizeof(reason));
	if (rc) {
		rc = give_up(reason, SRPTGT_EXIT_BAD_VALUE);
	} else {
		if (opts->has_faults)
			target_set_faults(server.target, &opts->faults);
		format_url(opts, server.target, url, sizeof(url));
		fprintf(opts->wants_json ? stderr : stdout, "%s\n", url);
		fflush(stdout);
		loop_run(&server.loop);
		rc = finish(opts, server.target, url);
	}
	server_close(&server);
	target_destroy(server.target);
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
		return stdfd_finish_or_say("srptgt") ? SRPTGT_EXIT_IO_ERROR
						     : 0;
	}
	if (opts.wants_version) {
		printf("srptgt (srpd) %s\n", PACKAGE_VERSION);
		return stdfd_finish_or_say("srptgt") ? SRPTGT_EXIT_IO_ERROR
						     : 0;
	}
	return run(&opts);
}
