/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl_client.h"
#include "util/clock.h"
#include "util/thread.h"

#define SOON (20 * CLOCK_NS_PER_MSEC)
#define LONG (60 * CLOCK_NS_PER_SEC)

static char folder[64], path[96], reason[512];
static int listen_fd;
static struct thread thread;
static const char *answer; /* what the other end says, then it closes */
static bool reads_first;

static void
setup(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(folder, sizeof(folder), "/tmp/srpd-test.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sock", folder);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(
		bind(listen_fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	ck_assert_int_eq(listen(listen_fd, 1), 0);
	reason[0] = '\0';
}

static void
teardown(void)
{
	if (listen_fd >= 0)
		close(listen_fd);
	unlink(path);
	rmdir(folder);
}

static void
serve(void *arg)
{
	int fd = accept(listen_fd, NULL, NULL);
	size_t left = strlen(answer);
	char request[256];
	ssize_t nr;

	(void)arg;
	if (reads_first && read(fd, request, sizeof(request)) <= 0)
		abort();
	while (left) {
		nr = send(fd, answer + strlen(answer) - left, left,
			MSG_NOSIGNAL);
		if (nr < 0)
			break;
		left -= (size_t)nr;
	}
	close(fd);
}

/* One call against an end that says @text. */
static int
call(const char *text, struct ctl_reply *reply)
{
	struct ctl_client *client;
	int rc;

	answer = text;
	ck_assert_int_eq(
		thread_start(&thread, "serve", THREAD_ANY_CPU, serve, NULL), 0);
	ck_assert_int_eq(ctl_client_open(path, LONG, &client, reason,
				 sizeof(reason)),
		0);
	rc = ctl_client_call(client, "status", NULL, reply, reason, sizeof(reason));
	thread_join(&thread);
	ctl_client_close(client);
	return rc;
}

START_TEST(a_reply_is_taken)
{
	struct ctl_reply reply;

	reads_first = true;
	ck_assert_int_eq(
		call("{\"v\":1,\"id\":null,\"ok\":true,\"result\":{\"a\":7}}\n",
			&reply),
		0);
	ck_assert_int_eq(
		json_integer_value(json_object_get(reply.result, "a")), 7);
	ctl_reply_fini(&reply);
}
END_TEST

START_TEST(who_is_turned_away_learns_why)
{
	struct ctl_reply reply;

	reads_first = false;
	ck_assert_int_eq(call("{\"v\":1,\"ok\":false,\"error\":{\"code\":3,"
			      "\"text\":\"not you\"}}\n",
				 &reply),
		0);
	ck_assert_str_eq(reply.text, "not you");
	ctl_reply_fini(&reply);
}
END_TEST

static const struct {
	const char *answer;
	int error;
	const char *says;
} broken[] = {
	{ "", -ECONNRESET, "closed the connection" },
	{ "{\"v\":1,\"ok\":true", -ECONNRESET, "closed the connection" },
	{ "garbage\n", -EPROTO, "not a JSON object" },
	{ "{\"v\":7,\"ok\":true,\"result\":{}}\n", -EPROTO, "version 7" },
};

START_TEST(a_broken_answer_is_said)
{
	struct ctl_reply reply;

	reads_first = true;
	ck_assert_int_eq(call(broken[_i].answer, &reply), broken[_i].error);
	ck_assert_ptr_nonnull(strstr(reason, broken[_i].says));
	ctl_reply_fini(&reply);
}
END_TEST

START_TEST(an_answer_without_end_stops_at_its_limit)
{
	static char text[CTL_MAX_REPLY_BYTES + 1];
	struct ctl_reply reply;

	reads_first = true;
	memset(text, 'x', sizeof(text) - 1);
	ck_assert_int_eq(call(text, &reply), -EMSGSIZE);
	ck_assert_ptr_nonnull(strstr(reason, "is over"));
}
END_TEST

START_TEST(a_daemon_that_hangs_is_not_waited_for)
{
	struct ctl_client *client, *more;
	struct ctl_reply reply;

	/* nobody accepts, but the backlog of two takes it */
	ck_assert_int_eq(
		ctl_client_open(path, SOON, &client, reason, sizeof(reason)), 0);
	ck_assert_int_eq(ctl_client_call(client, "status", NULL, &reply,
				 reason, sizeof(reason)),
		-ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(reason, "has not answered status"));
	ck_assert_int_eq(
		ctl_client_open(path, SOON, &more, reason, sizeof(reason)), 0);
	ctl_client_close(client);
	ck_assert_int_eq(ctl_client_open(path, SOON, &client, reason,
				 sizeof(reason)),
		-ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(reason, "hangs or is stopped"));
	ctl_client_close(more);
}
END_TEST

static int
open_only(const char *where)
{
	struct ctl_client *client;
	int rc = ctl_client_open(where, SOON, &client, reason, sizeof(reason));

	if (!rc)
		ctl_client_close(client);
	return rc;
}

START_TEST(no_daemon_is_said_with_the_path)
{
	char nowhere[128];

	snprintf(nowhere, sizeof(nowhere), "%s/none", folder);
	ck_assert_int_eq(open_only(nowhere), -ENOENT);
	ck_assert_ptr_nonnull(strstr(reason, nowhere));
	ck_assert_ptr_nonnull(strstr(reason, "start srpd"));
}
END_TEST

START_TEST(a_stale_socket_is_told_from_none)
{
	close(listen_fd);
	listen_fd = -1;
	ck_assert_int_eq(open_only(path), -ECONNREFUSED);
	ck_assert_ptr_nonnull(strstr(reason, path));
	ck_assert_ptr_nonnull(strstr(reason, "any more"));
}
END_TEST

START_TEST(a_path_too_long_is_said)
{
	char text[300];

	memset(text, 'p', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(open_only(text), -ENAMETOOLONG);
	ck_assert_ptr_nonnull(strstr(reason, "characters at most"));
}
END_TEST

/* Root is let in everywhere: become somebody else. */
START_TEST(who_may_not_connect_is_told_which_group_may)
{
	bool is_root = geteuid() == 0;

	ck_assert_int_eq(chmod(folder, 0755), 0);
	ck_assert_int_eq(chmod(path, 0), 0);
	if (is_root) {
		ck_assert_int_eq(setgroups(0, NULL), 0);
		ck_assert_int_eq(setegid(65534), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	}
	ck_assert_int_eq(open_only(path), -EACCES);
	if (is_root) {
		ck_assert_int_eq(seteuid(0), 0);
		ck_assert_int_eq(setegid(0), 0);
		ck_assert_ptr_nonnull(strstr(reason, "the group root may"));
	}
	ck_assert_ptr_nonnull(strstr(reason, "root and members of the group"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_client");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_reply_is_taken);
	tcase_add_test(tcase, who_is_turned_away_learns_why);
	tcase_add_loop_test(tcase, a_broken_answer_is_said, 0,
		sizeof(broken) / sizeof(broken[0]));
	tcase_add_test(tcase, an_answer_without_end_stops_at_its_limit);
	tcase_add_test(tcase, a_daemon_that_hangs_is_not_waited_for);
	tcase_add_test(tcase, no_daemon_is_said_with_the_path);
	tcase_add_test(tcase, a_stale_socket_is_told_from_none);
	tcase_add_test(tcase, a_path_too_long_is_said);
	tcase_add_test(tcase, who_may_not_connect_is_told_which_group_may);
	return unit_run(tcase, "ctl_client");
}
