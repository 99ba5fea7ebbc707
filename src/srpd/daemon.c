/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "config.h"

#include "srpd/daemon.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "srpd/notify.h"
#include "srpd/opts.h"
#include "srpd/reconcile.h"
#include "util/clock.h"
#include "util/compiler.h"

#define FLUSH_NS (10 * CLOCK_NS_PER_SEC)
/* For threads that only have to end; those at a login don't count. */
#define GRACE_NS (200 * CLOCK_NS_PER_MSEC)

/* ---- stopping -------------------------------------------------------- */

static void
arm_stop_limit(struct daemon *daemon, uint64_t after_ns)
{
	uint64_t at_ns = clock_ns() + after_ns;

	if (!loop_timer_is_armed(&daemon->stop_limit) ||
		at_ns < daemon->stop_limit.deadline_ns)
		loop_timer_arm(&daemon->loop, &daemon->stop_limit, at_ns);
}

/* All have ended, or none is left that has anything to log out of. */
static void
check_stopped(struct daemon *daemon)
{
	if (rports_nr_stopping(daemon->rports) == 0)
		loop_stop(&daemon->loop);
	else if (rports_nr_draining(daemon->rports) == 0)
		arm_stop_limit(daemon, GRACE_NS);
}

static void
begin_stop(struct daemon *daemon, int status)
{
	if (daemon->is_stopping)
		return;
	daemon->is_stopping = true;
	daemon->status = status;
	notify_stopping();
	loop_timer_disarm(&daemon->start_limit);
	rports_stop_all(daemon->rports);
	arm_stop_limit(daemon, daemon->conf->stop_timeout_ns);
	check_stopped(daemon);
}

static void
on_stop_limit(struct loop_timer *timer)
{
	struct daemon *daemon = timer->arg;
	unsigned int nr = rports_nr_draining(daemon->rports);

	if (nr)
		log_warn("srpd",
			"%u target%s not logged out within stop_timeout: "
			"left to the kernel",
			nr, nr == 1 ? "" : "s");
	loop_stop(&daemon->loop);
}

/* ---- ready or not ---------------------------------------------------- */

struct tally {
	unsigned int nr, nr_ready, nr_missing; /* required and not ready */
};

static void
count_targets(struct daemon *daemon, struct tally *tally)
{
	struct rport_status status;
	struct rport *rport;

	memset(tally, 0, sizeof(*tally));
	while ((rport = rports_at(daemon->rports, tally->nr)) != NULL) {
		rport_status(rport, &status);
		tally->nr++;
		if (status.state == RPORT_READY)
			tally->nr_ready++;
		else if (status.required)
			tally->nr_missing++;
	}
}

static void
on_change(void *arg)
{
	struct daemon *daemon = arg;
	struct tally tally;
	char text[64];

	if (daemon->is_stopping) {
		check_stopped(daemon);
		return;
	}
	count_targets(daemon, &tally);
	snprintf(text, sizeof(text), "%u of %u target%s ready", tally.nr_ready,
		tally.nr, tally.nr == 1 ? "" : "s");
	notify_status(text);
	if (daemon->is_ready || tally.nr_missing)
		return;
	daemon->is_ready = true;
	loop_timer_disarm(&daemon->start_limit);
	log_info("srpd", "ready: %s, control socket %s", text,
		daemon->conf->socket);
	notify_ready();
}

/* The first required target that is missing says how srpd ends. */
static void
on_start_limit(struct loop_timer *timer)
{
	struct daemon *daemon = timer->arg;
	struct rport_status status;
	struct rport *rport;
	int exit_status = 0;

	for (unsigned int i = 0;
		(rport = rports_at(daemon->rports, i)) != NULL; i++) {
		rport_status(rport, &status);
		if (!status.required || status.state == RPORT_READY)
			continue;
		log_error("srpd",
			"target %s is required and not ready within "
			"start_timeout: %s",
			status.name,
			*status.last_error ? status.last_error :
					     "its login has not ended");
		if (!exit_status)
			exit_status = status.last_errno == -ECONNREFUSED ?
				SRPD_EXIT_REFUSED :
				SRPD_EXIT_UNREACHABLE;
	}
	begin_stop(daemon, exit_status);
}

/* ---- reading the file again ------------------------------------------ */

/* -1: root and srpd's own user alone. */
static gid_t
find_gid(const struct conf *conf)
{
	struct group *group = *conf->group ? getgrnam(conf->group) : NULL;

	return group ? group->gr_gid : (gid_t)-1;
}

static void
set_ctl_group(struct daemon *daemon)
{
	gid_t gid = find_gid(daemon->conf);

	ctl_server_set_group(daemon->ctl,
		gid == (gid_t)-1 ? NULL : daemon->conf->group, gid);
}

/* Storage is served without them too, so this is no reason to end. */
static void
start_metrics(struct daemon *daemon)
{
	struct metrics_source source = {.rports = daemon->rports,
		.ctl = daemon->ctl, .started_ns = daemon->cmds.started_ns};
	const char *where = daemon->conf->metrics;
	char reason[256] = "";

	if (!*where)
		return;
	if (metrics_start(where, &source, &daemon->metrics, reason,
		    sizeof(reason)))
		log_error("srpd", "%s", reason);
	else
		log_info("srpd", "metrics at %s", where);
}

static void
restart_metrics(struct daemon *daemon)
{
	metrics_stop(daemon->metrics);
	daemon->metrics = NULL;
	start_metrics(daemon);
}

static void
apply_globals(struct daemon *daemon, const struct conf *old)
{
	const struct conf *now = daemon->conf;
	int rc = 0;

	if (strcmp(old->socket, now->socket) != 0) {
		log_warn("srpd", "socket = %s: only a restart changes it",
			now->socket);
		memcpy(daemon->conf->socket, old->socket, sizeof(old->socket));
	}
	if (strcmp(old->group, now->group) != 0) {
		rc = instance_set_group(&daemon->instance, find_gid(now));
		set_ctl_group(daemon);
	}
	if (rc)
		log_error("srpd", "group = %s: %s", now->group, strerror(-rc));
	if (strcmp(old->metrics, now->metrics) != 0)
		restart_metrics(daemon);
	logging_set(now->log, now->log_level);
}

static void
log_problems(struct daemon *daemon, struct conf_problems *problems)
{
	char line[CONF_PROBLEM_BYTES + 256];

	conf_problems_first(problems, daemon->file, line, sizeof(line));
	log_error("srpd",
		"%s (%u problem%s): the configuration stays as it was; srpd "
		"--check-config lists them",
		line, conf_problems_count(problems),
		conf_problems_count(problems) == 1 ? "" : "s");
}

static void
reload(struct daemon *daemon)
{
	struct conf_problems problems = {0};
	struct reconcile_result result;
	struct conf *conf, *old = daemon->conf;

	if (daemon->is_stopping)
		return;
	notify_reloading();
	if (conf_load(daemon->file, &conf, &problems)) {
		log_problems(daemon, &problems);
	} else {
		daemon->conf = conf;
		apply_globals(daemon, old);
		reconcile(daemon->rports, conf, &result);
		log_info("srpd",
			"%s read again (%u): %u started, %u stopped, "
			"%u changed, %u kept",
			daemon->file, ++daemon->nr_reloads, result.started, result.stopped,
			result.changed, result.kept);
		conf_destroy(old);
	}
	conf_problems_fini(&problems);
	on_change(daemon);
	if (daemon->is_ready)
		notify_ready();
}

/* ---- signals and the rest of the loop -------------------------------- */

static void
on_signal(struct loop_fd *node, uint32_t events)
{
	struct daemon *daemon = node->arg;
	struct signalfd_siginfo info;

	(void)events;
	if (read(daemon->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP) {
		reload(daemon);
		return;
	}
	log_info("srpd", "%s: %s",
		info.ssi_signo == SIGINT ? "SIGINT" : "SIGTERM",
		daemon->is_stopping ? "ending at once" : "logging out");
	if (daemon->is_stopping)
		loop_stop(&daemon->loop);
	else
		begin_stop(daemon, SRPD_EXIT_DONE);
}

static void
on_flush(struct loop_timer *timer)
{
	struct daemon *daemon = timer->arg;

	log_flush();
	loop_timer_arm(&daemon->loop, timer, clock_ns() + FLUSH_NS);
}

static void
raise_limit(int which)
{
	struct rlimit limit;

	if (getrlimit(which, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(which, &limit))
		return;
}

static int
watch_signals(struct daemon *daemon)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	/* Before any thread is started, so that all of them have it so. */
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	daemon->signals = (struct loop_fd){-1, on_signal, daemon};
	daemon->signal_fd =
		signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (daemon->signal_fd < 0)
		return -errno;
	return loop_fd_add(
		&daemon->loop, &daemon->signals, daemon->signal_fd, EPOLLIN);
}

static int
init_loop(struct daemon *daemon)
{
	int rc = loop_init(&daemon->loop);

	if (rc)
		return rc;
	loop_timer_init(&daemon->start_limit, on_start_limit, daemon);
	loop_timer_init(&daemon->stop_limit, on_stop_limit, daemon);
	loop_timer_init(&daemon->flush, on_flush, daemon);
	loop_timer_arm(&daemon->loop, &daemon->flush, clock_ns() + FLUSH_NS);
	rc = watch_signals(daemon);
	if (rc == 0)
		rc = rports_create(
			&daemon->loop, on_change, daemon, &daemon->rports);
	return rc;
}

/* From here on the control socket is served. */
static int
start_ctl(struct daemon *daemon)
{
	struct ctl_server_attr attr = {
		.loop = &daemon->loop,
		.listen_fd = daemon->instance.listen_fd,
		.on_request = ctl_cmds_run,
		.arg = &daemon->cmds,
	};
	int rc;

	daemon->cmds = (struct ctl_cmds){.rports = daemon->rports,
		.config = daemon->file, .started_ns = clock_ns()};
	rc = ctl_server_create(&attr, &daemon->ctl);
	if (rc)
		return rc;
	daemon->instance.listen_fd = -1;
	set_ctl_group(daemon);
	return 0;
}

/* 0, or the status to exit with, told. */
static int
start(struct daemon *daemon)
{
	struct reconcile_result result;
	char reason[512];
	int rc = init_loop(daemon);

	if (rc) {
		log_error("srpd", "starting: %s", strerror(-rc));
		return SRPD_EXIT_UNREACHABLE;
	}
	rc = instance_open(&daemon->instance, daemon->conf->socket,
		find_gid(daemon->conf), reason, sizeof(reason));
	if (rc) {
		log_error("srpd", "%s", reason);
		return SRPD_EXIT_UNREACHABLE;
	}
	rc = start_ctl(daemon);
	if (rc) {
		log_error("srpd", "control socket: %s", strerror(-rc));
		return SRPD_EXIT_UNREACHABLE;
	}
	start_metrics(daemon);
	daemon->has_started = true;
	log_info("srpd", "srpd %s, %u target%s in %s", PACKAGE_VERSION,
		daemon->conf->nr_targets,
		daemon->conf->nr_targets == 1 ? "" : "s", daemon->file);
	reconcile(daemon->rports, daemon->conf, &result);
	loop_timer_arm(&daemon->loop, &daemon->start_limit,
		clock_ns() + daemon->conf->start_timeout_ns);
	on_change(daemon);
	return 0;
}

static void
finish(struct daemon *daemon, bool *has_threads)
{
	metrics_stop(daemon->metrics);
	ctl_server_destroy(daemon->ctl);
	instance_close(&daemon->instance);
	*has_threads = rports_nr_stopping(daemon->rports) > 0;
	rports_destroy(daemon->rports);
	if (daemon->has_started)
		log_info("srpd", "ended");
	log_flush();
	if (*has_threads) /* they use the rest of it */
		return;
	loop_fini(&daemon->loop);
	if (daemon->signal_fd >= 0)
		close(daemon->signal_fd);
	conf_destroy(daemon->conf);
}

int
daemon_run(const char *file, struct conf *conf, bool *has_threads)
{
	/* Threads that are left alone refer to it. */
	static struct daemon daemon;
	int rc;

	daemon = (struct daemon){.file = file, .conf = conf, .signal_fd = -1,
		.instance = {.lock_fd = -1, .listen_fd = -1}};
	logging_set(conf->log, conf->log_level);
	raise_limit(RLIMIT_MEMLOCK);
	raise_limit(RLIMIT_NOFILE);
	daemon.status = start(&daemon);
	if (daemon.status == 0) {
		rc = loop_run(&daemon.loop);
		if (rc)
			log_error("srpd", "main loop: %s", strerror(-rc));
	}
	finish(&daemon, has_threads);
	return daemon.status;
}
