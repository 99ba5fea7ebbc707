/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpd itself, in a child process of this one that also holds its target:
 * silent and refusing targets at the start and at the end, and what the
 * service manager is told.
 *
 *	test ── fork ──> child: target (frozen, refusing) and daemon_run()
 *	  │ signals ──────>│
 *	  │<─── NOTIFY_SOCKET, control socket, exit status
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "srpd/daemon.h"
#include "target/target.h"
#include "util/clock.h"

#define ID UINT64_C(0x0002c90300a0b0c0)
#define WAIT_MS 60000

static char folder[] = "/tmp/srpd-test-XXXXXX";
static char socket_path[64], notify_path[64], ini_path[64];
static int notify_fd;
static pid_t pid;

/* How the child's target behaves. */
enum manner {
	FINE,
	FROZEN,	       /* from the start: a login hangs */
	FROZEN_BY_USR1, /* from SIGUSR1 on: a logout hangs */
	REFUSING,
};

/* ---- the child ------------------------------------------------------- */

static struct target *target;

static void
on_usr1(int signo)
{
	(void)signo;
	target_freeze(target, true);
}

static void
target_up(char *url, size_t n)
{
	static const struct target_lun_attr lun = {
		.backend = "null", .size_bytes = 1 << 30};
	struct soft_dev_attr attr = {.irqmode = SOFT_IRQ_SOFTIRQ};
	struct target_attr full = {
		.luns = &lun, .nr_luns = 1, .id_ext = ID, .ioc_guid = ID};
	char text[INET_ADDRSTRLEN], reason[256];
	struct sockaddr_in addr;
	struct soft_dev *dev;

	if (soft_dev_create(&attr, &dev))
		abort();
	soft_dev_addr(dev, &addr);
	addr.sin_port = 0;
	full.fabric = fabric_find("soft");
	full.addr = (struct sockaddr *)&addr;
	if (target_create(&full, &target, reason, sizeof(reason)))
		abort();
	inet_ntop(AF_INET, &addr.sin_addr, text, sizeof(text));
	snprintf(url, n,
		"srp://%s:%u/?id_ext=%016" PRIx64 "&ioc_guid=%016" PRIx64
		"&fabric=soft",
		text, target_port(target), ID, ID);
}

static void
child(enum manner manner, const char *srpd_keys, const char *target_keys)
{
	struct target_faults refuse = {.login_rej_reason = 0x10006};
	struct conf_problems problems = {0};
	struct conf *conf;
	bool has_threads;
	char url[256];
	FILE *file;

	target_up(url, sizeof(url));
	if (manner == FROZEN)
		target_freeze(target, true);
	if (manner == REFUSING)
		target_set_faults(target, &refuse);
	if (manner == FROZEN_BY_USR1)
		signal(SIGUSR1, on_usr1);
	file = fopen(ini_path, "w");
	fprintf(file, "[srpd]\nsocket = %s\n%s\n[target a]\nurl = %s\n%s\n",
		socket_path, srpd_keys, url, target_keys);
	fclose(file);
	if (conf_load(ini_path, &conf, &problems)) {
		conf_problems_print(&problems, ini_path, stderr);
		_exit(99);
	}
	setenv("NOTIFY_SOCKET", notify_path, 1);
	_exit(daemon_run(ini_path, conf, &has_threads));
}

/* ---- the test -------------------------------------------------------- */

static void
setup(void)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(socket_path, sizeof(socket_path), "%s/sock", folder);
	snprintf(notify_path, sizeof(notify_path), "%s/notify", folder);
	snprintf(ini_path, sizeof(ini_path), "%s/ini", folder);
	notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", notify_path);
	ck_assert_int_eq(
		bind(notify_fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
}

static void
teardown(void)
{
	close(notify_fd);
	unlink(notify_path);
	unlink(ini_path);
	/* Nothing else may be left. */
	ck_assert_int_eq(rmdir(folder), 0);
}

static void
start(enum manner manner, const char *srpd_keys, const char *target_keys)
{
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		child(manner, srpd_keys, target_keys);
}

static bool
is_listening(void)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", socket_path);
	rc = connect(fd, (struct sockaddr *)&addr, sizeof(addr));
	close(fd);
	return rc == 0;
}

static void
wait_listening(void)
{
	for (int i = 0; i < WAIT_MS && !is_listening(); i++)
		usleep(1000);
	ck_assert(is_listening());
}

/* Its exit status; a test that hangs is ended by check's own limit. */
static int
wait_end(void)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status), "ended by signal %d",
		WTERMSIG(status));
	return WEXITSTATUS(status);
}

static uint64_t
end_by(int signo, int *status)
{
	uint64_t from = clock_ns();

	kill(pid, signo);
	*status = wait_end();
	return clock_ns() - from;
}

#ifdef HAVE_LIBSYSTEMD
/* The next message that has @text in it; others are passed over. */
static void
wait_notify(const char *text)
{
	struct pollfd poller = {.fd = notify_fd, .events = POLLIN};
	char message[512];
	ssize_t len;

	do {
		ck_assert_msg(poll(&poller, 1, WAIT_MS) == 1, "no %s", text);
		len = recv(notify_fd, message, sizeof(message) - 1, 0);
		ck_assert_int_gt(len, 0);
		message[len] = '\0';
	} while (!strstr(message, text));
}

START_TEST(the_service_manager_is_told)
{
	int status;

	start(FINE, "", "required = yes");
	wait_notify("STATUS=1 of 1 target ready");
	wait_notify("READY=1");
	kill(pid, SIGHUP);
	wait_notify("RELOADING=1");
	wait_notify("READY=1");
	end_by(SIGTERM, &status);
	wait_notify("STOPPING=1");
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Is there one with @text among those that have come so far? */
static bool
was_notified(const char *text)
{
	char message[512];
	ssize_t len;

	while ((len = recv(notify_fd, message, sizeof(message) - 1,
			MSG_DONTWAIT)) > 0) {
		message[len] = '\0';
		if (strstr(message, text))
			return true;
	}
	return false;
}
#else
static bool
was_notified(const char *text)
{
	(void)text;
	return false;
}
#endif

START_TEST(a_login_that_hangs_is_not_waited_for)
{
	uint64_t took;
	int status;

	start(FROZEN, "stop_timeout = 1h", "login_timeout = 10m");
	wait_listening();
	took = end_by(SIGTERM, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_lt(took, 60 * CLOCK_NS_PER_SEC);
}
END_TEST

START_TEST(a_required_target_that_hangs_is_unreachable)
{
	start(FROZEN, "start_timeout = 1s",
		"login_timeout = 10m\nrequired = yes");
	ck_assert_int_eq(wait_end(), 3);
	ck_assert(!was_notified("READY=1"));
}
END_TEST

START_TEST(a_required_target_that_refuses_is_told_apart)
{
	start(REFUSING, "start_timeout = 2s", "required = yes");
	ck_assert_int_eq(wait_end(), 4);
	ck_assert(!was_notified("READY=1"));
}
END_TEST

START_TEST(one_that_is_not_required_changes_no_status)
{
	int status;

	start(REFUSING, "start_timeout = 1s", "");
	wait_listening();
	usleep(1500 * 1000); /* longer than start_timeout: it must not end */
	ck_assert_int_eq(waitpid(pid, NULL, WNOHANG), 0);
	end_by(SIGINT, &status);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_reload_meanwhile_disturbs_no_login)
{
	int status;

	start(FROZEN, "", "login_timeout = 10m");
	wait_listening();
	for (int i = 0; i < 20; i++)
		kill(pid, SIGHUP);
	wait_listening();
	end_by(SIGTERM, &status);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(killed_at_its_login_it_leaves_no_obstacle)
{
	int status;

	start(FROZEN, "", "login_timeout = 10m");
	wait_listening();
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert(!is_listening());
	start(FINE, "", "required = yes");
	wait_listening();
	end_by(SIGTERM, &status);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(stopped_at_its_login_it_goes_on)
{
	int status;

	start(FROZEN, "", "login_timeout = 10m");
	wait_listening();
	kill(pid, SIGSTOP);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	/* What comes while it is stopped is done afterwards. */
	kill(pid, SIGTERM);
	kill(pid, SIGCONT);
	ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(a_target_silent_at_the_end_is_left_within_stop_timeout)
{
	uint64_t took;
	int status;

	start(FROZEN_BY_USR1, "stop_timeout = 1s",
		"required = yes\nprobe_interval = off");
	wait_listening();
#ifdef HAVE_LIBSYSTEMD
	wait_notify("READY=1");
#endif
	kill(pid, SIGUSR1);
	took = end_by(SIGTERM, &status);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_lt(took, 60 * CLOCK_NS_PER_SEC);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srpd");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
#ifdef HAVE_LIBSYSTEMD
	tcase_add_test(tcase, the_service_manager_is_told);
#endif
	tcase_add_test(tcase, a_login_that_hangs_is_not_waited_for);
	tcase_add_test(tcase, a_required_target_that_hangs_is_unreachable);
	tcase_add_test(tcase, a_required_target_that_refuses_is_told_apart);
	tcase_add_test(tcase, one_that_is_not_required_changes_no_status);
	tcase_add_test(tcase, a_reload_meanwhile_disturbs_no_login);
	tcase_add_test(tcase, killed_at_its_login_it_leaves_no_obstacle);
	tcase_add_test(tcase, stopped_at_its_login_it_goes_on);
	tcase_add_test(
		tcase, a_target_silent_at_the_end_is_left_within_stop_timeout);
	return unit_run(tcase, "srpd");
}
