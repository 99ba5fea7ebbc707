/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The control socket against peers of every kind. */
#include "unit.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl_rig.h"

#define TESTED_GID 54321
#define PATIENT (600 * CLOCK_NS_PER_SEC)
#define IMPATIENT (20 * CLOCK_NS_PER_MSEC)
#define MAX_KEPT 64

static struct ctl_rig rig;
static struct ctl_call *kept[MAX_KEPT];
static unsigned int nr_kept;

/*
 * echo gives its args back, big a megabyte, fail fails, keep is answered when
 * the test says so.
 */
static void
on_request(void *arg, struct ctl_call *call)
{
	const char *cmd = ctl_call_cmd(call);
	static char text[1 << 20];

	(void)arg;
	if (!strcmp(cmd, "echo")) {
		ctl_call_done(call, json_incref(ctl_call_args(call)));
	} else if (!strcmp(cmd, "big")) {
		memset(text, 'x', sizeof(text) - 1);
		ctl_call_done(call, json_pack("{s:s}", "text", text));
	} else if (!strcmp(cmd, "keep")) {
		ck_assert_uint_lt(nr_kept, MAX_KEPT);
		kept[nr_kept++] = call;
	} else {
		ctl_call_fail(call, CTL_IO_ERROR, "%s failed", cmd);
	}
}

static void
serve(uint64_t patience_ns)
{
	struct ctl_server_attr attr = {
		.group = "testers",
		.gid = TESTED_GID,
		.patience_ns = patience_ns,
		.on_request = on_request,
	};

	ctl_rig_serve(&rig, &attr);
}

static void
setup(void)
{
	nr_kept = 0;
	ctl_rig_init(&rig);
}

static void
teardown(void)
{
	ctl_rig_fini(&rig);
}

static int
join_server(void)
{
	return ctl_rig_join(&rig);
}

static void
say(int fd, const char *text)
{
	ctl_rig_say(fd, text);
}

static void
expect(int fd, const char *what)
{
	ctl_rig_expect(&rig, fd, what);
}

static void
expect_end(int fd)
{
	ctl_rig_expect_end(&rig, fd);
}

/* Whoever behaves is served, whatever others do. */
static void
expect_service(void)
{
	int fd = join_server();

	say(fd, "{\"v\":1,\"id\":\"s\",\"cmd\":\"echo\",\"args\":{\"a\":1}}\n");
	expect(fd, "\"id\":\"s\",\"ok\":true,\"result\":{\"a\":1}");
	close(fd);
}

static struct ctl_server_stats
stats(void)
{
	struct ctl_server_stats now;

	ctl_server_stats(rig.server, &now);
	return now;
}

START_TEST(requests_are_answered_in_turn)
{
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"id\":1,\"cmd\":\"echo\",\"args\":{\"a\":7}}\n"
		"{\"v\":1,\"id\":2,\"cmd\":\"x\"}\n{\"v\":1,\"id\":3,");
	expect(fd, "\"id\":1,\"ok\":true,\"result\":{\"a\":7}");
	expect(fd, "\"id\":2,\"ok\":false,\"error\":{\"code\":5,"
		   "\"text\":\"x failed\"");
	say(fd, "\"cmd\":\"echo\"}\n");
	expect(fd, "\"id\":3,\"ok\":true,\"result\":{}");
	close(fd);
	expect_service();
	ck_assert_uint_eq(stats().requests, 4);
}
END_TEST

START_TEST(an_answer_may_come_later_and_others_meanwhile)
{
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"id\":1,\"cmd\":\"keep\"}\n"
		"{\"v\":1,\"id\":2,\"cmd\":\"echo\"}\n");
	expect(fd, "\"id\":2,\"ok\":true");
	expect_service();
	ck_assert_uint_eq(nr_kept, 1);
	ck_assert_uint_eq(ctl_call_uid(kept[0]), geteuid());
	ck_assert_int_eq(ctl_call_pid(kept[0]), getpid());
	ctl_call_done(kept[0], json_object());
	expect(fd, "\"id\":1,\"ok\":true");
	close(fd);
}
END_TEST

START_TEST(who_asked_may_be_gone_when_the_answer_comes)
{
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"cmd\":\"keep\"}\n{\"v\":1,\"cmd\":\"keep\"}\n");
	while (nr_kept < 2)
		loop_run_once(&rig.loop, LOOP_FOREVER);
	close(fd);
	while (stats().nr_open)
		loop_run_once(&rig.loop, LOOP_FOREVER);
	ctl_call_done(kept[0], json_object());
	ctl_call_fail(kept[1], CTL_IO_ERROR, "nobody hears this");
	expect_service();
}
END_TEST

START_TEST(who_says_no_more_still_gets_the_answer)
{
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"id\":1,\"cmd\":\"keep\"}\n{\"half");
	ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
	expect_service();
	ctl_call_done(kept[0], json_object());
	expect(fd, "\"id\":1,\"ok\":true");
	expect_end(fd);
}
END_TEST

START_TEST(garbage_is_answered_and_the_connection_goes_on)
{
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "GET / HTTP/1.1\r\n\n\xff\xfe\x01\n[]\n{\"v\":3,\"id\":9}\n");
	expect(fd, "not a JSON object");
	expect(fd, "not a JSON object");
	expect(fd, "not a JSON object");
	expect(fd, "not an object");
	expect(fd, "\"id\":9,\"ok\":false");
	say(fd, "{\"v\":1,\"id\":10,\"cmd\":\"echo\"}\n");
	expect(fd, "\"id\":10,\"ok\":true");
	ck_assert_uint_eq(stats().bad_requests, 5);
	close(fd);
}
END_TEST

START_TEST(a_line_over_its_length_closes_the_connection)
{
	static char text[CTL_MAX_REQUEST_BYTES + 1];
	int fd;

	serve(PATIENT);
	fd = join_server();
	memset(text, 'x', sizeof(text) - 1);
	say(fd, text);
	expect(fd, "over 64 KiB");
	expect_end(fd);
	expect_service();
	ck_assert_uint_eq(stats().dropped, 1);
}
END_TEST

START_TEST(half_a_line_is_not_waited_for_for_ever)
{
	int fd;

	serve(IMPATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,");
	expect(fd, "not finished");
	expect_end(fd);
	expect_service();
}
END_TEST

START_TEST(an_idle_connection_may_stay)
{
	int idle, half;

	serve(IMPATIENT);
	idle = join_server();
	/* one that is dropped for its half line shows that time has passed */
	half = join_server();
	say(half, "{");
	expect(half, "not finished");
	expect_end(half);
	say(idle, "{\"v\":1,\"id\":1,\"cmd\":\"echo\"}\n");
	expect(idle, "\"id\":1,\"ok\":true");
	close(idle);
}
END_TEST

START_TEST(a_reader_that_takes_nothing_is_dropped)
{
	uint64_t dropped;
	int fd;

	serve(IMPATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"cmd\":\"big\"}\n{\"v\":1,\"cmd\":\"big\"}\n");
	do {
		expect_service();
		dropped = stats().dropped;
	} while (!dropped && loop_run_once(&rig.loop, LOOP_FOREVER) >= 0);
	ck_assert_uint_eq(dropped, 1);
	expect_end(fd);
	/* the second request was not even looked at */
	ck_assert_uint_lt(stats().requests, 1000000);
}
END_TEST

START_TEST(a_slow_reader_that_reads_gets_all)
{
	static char text[70000];
	size_t bytes = 0;
	int fd, i;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"cmd\":\"big\"}\n{\"v\":1,\"cmd\":\"big\"}\n"
		"{\"v\":1,\"id\":\"last\",\"cmd\":\"echo\"}\n");
	for (i = 0; bytes < 2u << 20; i++) {
		bytes += ctl_rig_hear(&rig, fd, text, sizeof(text));
		if (i % 8 == 0)
			expect_service();
	}
	ck_assert_ptr_nonnull(strstr(text, "last"));
	close(fd);
}
END_TEST

START_TEST(requests_without_answer_are_limited)
{
	char text[64];
	int fd, i;

	serve(PATIENT);
	fd = join_server();
	for (i = 0; i < CTL_MAX_CALLS + 1; i++) {
		snprintf(text, sizeof(text),
			"{\"v\":1,\"id\":%d,\"cmd\":\"keep\"}\n", i);
		say(fd, text);
	}
	say(fd, "{\"v\":1,\"id\":99,\"cmd\":\"echo\"}\n");
	while (nr_kept < CTL_MAX_CALLS)
		loop_run_once(&rig.loop, LOOP_FOREVER);
	expect_service();
	expect_service();
	ck_assert_uint_eq(nr_kept, CTL_MAX_CALLS);
	/* one answered lets one in */
	ctl_call_done(kept[0], json_object());
	ck_assert_uint_eq(nr_kept, CTL_MAX_CALLS + 1);
	for (i = 1; i < CTL_MAX_CALLS + 1; i++)
		ctl_call_done(kept[i], json_object());
	for (i = 0; i < CTL_MAX_CALLS + 2; i++)
		expect(fd, "\"ok\":true");
	close(fd);
}
END_TEST

START_TEST(connections_over_the_limit_are_told_so)
{
	int fds[CTL_MAX_CONNECTIONS], over, i;

	serve(PATIENT);
	for (i = 0; i < CTL_MAX_CONNECTIONS; i++)
		fds[i] = join_server();
	over = join_server();
	expect(over, "64 connections");
	expect_end(over);
	ck_assert_uint_eq(stats().nr_open, CTL_MAX_CONNECTIONS);
	say(fds[5], "{\"v\":1,\"id\":5,\"cmd\":\"echo\"}\n");
	expect(fds[5], "\"id\":5,\"ok\":true");
	close(fds[5]);
	while (stats().nr_open == CTL_MAX_CONNECTIONS)
		loop_run_once(&rig.loop, LOOP_FOREVER);
	expect_service();
	for (i = 0; i < CTL_MAX_CONNECTIONS; i++)
		if (i != 5)
			close(fds[i]);
}
END_TEST

START_TEST(descriptors_that_ran_out_are_waited_for)
{
	struct rlimit limit, none;
	int fd, fds[2];

	serve(PATIENT);
	fd = join_server();
	/* the lowest number free is the limit */
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = (rlim_t)fds[1] + 1;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_ge(loop_run_once(&rig.loop, LOOP_FOREVER), 0);
	ck_assert_uint_eq(stats().connections, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	/* memcheck, which does the counting itself, has lost the first one */
	expect_service();
	close(fd);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(an_end_of_the_server_is_told_to_who_waits)
{
	char text[2048];
	int fd;

	serve(PATIENT);
	fd = join_server();
	say(fd, "{\"v\":1,\"id\":1,\"cmd\":\"keep\"}\n");
	while (!nr_kept)
		loop_run_once(&rig.loop, LOOP_FOREVER);
	ctl_server_destroy(rig.server);
	rig.server = NULL;
	ck_assert_int_gt(recv(fd, text, sizeof(text), 0), 0);
	ck_assert_ptr_nonnull(strstr(text, "srpd ends"));
	ck_assert_int_eq(recv(fd, text, sizeof(text), 0), 0);
	ctl_call_done(kept[0], json_object());
	close(fd);
}
END_TEST

/* As somebody else; the exit status says what came. */
static void
ask_as(uid_t uid, gid_t gid, gid_t more)
{
	char text[2048];
	ssize_t nr;
	int fd;

	if (setgroups(1, &more) || setgid(gid) || setuid(uid))
		_exit(90);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&rig.addr,
		    sizeof(rig.addr)))
		_exit(91);
	say(fd, "{\"v\":1,\"cmd\":\"echo\"}\n");
	nr = recv(fd, text, sizeof(text) - 1, 0);
	text[nr > 0 ? nr : 0] = '\0';
	if (strstr(text, "\"ok\":true"))
		_exit(0);
	_exit(strstr(text, "may not control") && strstr(text, "testers") ? 1 :
									   92);
}

static const struct {
	uid_t uid;
	gid_t gid, more;
	int status;
} peers[] = {
	{ 0, 0, 0, 0 },
	{ 65534, 65534, 65534, 1 },
	{ 65534, TESTED_GID, 65534, 0 },
	{ 65534, 65534, TESTED_GID, 0 },
	{ 65534, 0, 0, 1 }, /* root's group is no privilege */
};

START_TEST(only_root_and_the_group_are_let_in)
{
	int status = 0;
	pid_t pid;

	/* Nobody else can become somebody else. */
	if (geteuid() != 0)
		return;
	serve(PATIENT);
	ck_assert_int_eq(chmod(rig.folder, 0755), 0);
	ck_assert_int_eq(chmod(rig.addr.sun_path, 0666), 0);
	pid = fork();
	if (pid == 0)
		ask_as(peers[_i].uid, peers[_i].gid, peers[_i].more);
	while (waitpid(pid, &status, WNOHANG) == 0)
		loop_run_once(&rig.loop, CLOCK_NS_PER_MSEC);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), peers[_i].status);
	ck_assert_uint_eq(stats().denied, (uint64_t)peers[_i].status);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_server");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, requests_are_answered_in_turn);
	tcase_add_test(tcase, an_answer_may_come_later_and_others_meanwhile);
	tcase_add_test(tcase, who_asked_may_be_gone_when_the_answer_comes);
	tcase_add_test(tcase, who_says_no_more_still_gets_the_answer);
	tcase_add_test(tcase, garbage_is_answered_and_the_connection_goes_on);
	tcase_add_test(tcase, a_line_over_its_length_closes_the_connection);
	tcase_add_test(tcase, half_a_line_is_not_waited_for_for_ever);
	tcase_add_test(tcase, an_idle_connection_may_stay);
	tcase_add_test(tcase, a_reader_that_takes_nothing_is_dropped);
	tcase_add_test(tcase, a_slow_reader_that_reads_gets_all);
	tcase_add_test(tcase, requests_without_answer_are_limited);
	tcase_add_test(tcase, connections_over_the_limit_are_told_so);
	tcase_add_test(tcase, descriptors_that_ran_out_are_waited_for);
	tcase_add_test(tcase, an_end_of_the_server_is_told_to_who_waits);
	tcase_add_loop_test(tcase, only_root_and_the_group_are_let_in, 0,
		sizeof(peers) / sizeof(peers[0]));
	return unit_run(tcase, "ctl_server");
}
