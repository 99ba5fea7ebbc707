/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srptgt's control socket, on a target on the software device. */
#include "target_rig.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "tools/srptgt_control.h"
#include "util/loop.h"
#include "util/thread.h"

static struct loop loop;
static struct srptgt_control *control;
static char dir[] = "test_srptgt_control.XXXXXX";
static char path[64];
static char answer[SRPTGT_CONTROL_ANSWER];
static char reason[256];

static void
setup(void)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = 1 << 20 },
	};
	struct target_attr attr = { .luns = luns, .nr_luns = 1,
		.may_add = true };

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/socket", dir);
	bed_create(&bed, SOFT_IRQ_THREAD, &attr);
	connect_as(&peer, 1);
	ck_assert_int_eq(loop_init(&loop), 0);
	ck_assert_msg(!srptgt_control_open(path, bed.target, &loop, &control,
			      reason, sizeof(reason)),
		"%s", reason);
}

static void
teardown(void)
{
	srptgt_control_close(control);
	ck_assert_int_ne(access(path, F_OK), 0);
	rmdir(dir);
	loop_fini(&loop);
	down();
}

static const char *
ask(const char *request)
{
	char line[256];

	snprintf(line, sizeof(line), "%s", request);
	srptgt_control_do(bed.target, line, answer, sizeof(answer));
	return answer;
}

static int
client(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	ck_assert_int_ge(fd, 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	ck_assert(!connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	return fd;
}

/* Runs the loop until @fd has something, or its end, to read. */
static ssize_t
read_answer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	while (!poll(&p, 1, 0))
		loop_run_once(&loop, 10000000);
	n = read(fd, answer, sizeof(answer) - 1);
	answer[n > 0 ? n : 0] = '\0';
	return n;
}

START_TEST(requests_change_the_luns)
{
	ck_assert_str_eq(ask("luns"), "0 1048576 512 rw ram\nok 1\n");
	ck_assert_str_eq(ask("add 5=null,size=1T,block=4096"), "ok\n");
	ck_assert_str_eq(ask(" resize\t0  2M\r"), "ok\n");
	ck_assert_str_eq(ask("protect 5 yes"), "ok\n");
	ck_assert_str_eq(ask("restat"), "ok 0\n");
	ck_assert_str_eq(ask("luns"),
		"0 2097152 512 rw ram\n5 1099511627776 4096 ro null\nok 2\n");
	ck_assert_str_eq(ask("remove 0"), "ok\n");
	ck_assert_str_eq(
		ask("luns"), "5 1099511627776 4096 ro null\nok 1\n");
}
END_TEST

START_TEST(what_is_wrong_is_said_in_a_line)
{
	static const struct {
		const char *request, *said;
	} rows[] = {
		{ "", "error: the requests are add N=null|ram|PATH" },
		{ "frob", "resize N BYTES" },
		{ "remove", "remove N" },
		{ "remove 1 2", "remove N" },
		{ "remove 1 2 3 4 5", "remove N" },
		{ "remove 9", "error: LUN 9: there is none" },
		{ "remove x", "lun" },
		{ "add 0=ram,size=1M", "error: LUN 0 is there already" },
		{ "add 1=ram", "a size is needed" },
		{ "add 1=/nonexistent", "no such file" },
		{ "add 1=ram,size=1000", "whole blocks" },
		{ "resize 0 1X", "size" },
		{ "resize 0 0", "a size is needed" },
		{ "protect 0 maybe", "protect" },
	};
	size_t len;

	ask(rows[_i].request);
	len = strlen(answer);
	ck_assert_msg(strstr(answer, "error: ") == answer, "%s", answer);
	ck_assert_msg(strstr(answer, rows[_i].said) != NULL, "%s", answer);
	ck_assert_ptr_eq(strchr(answer, '\n'), answer + len - 1);
	ck_assert_str_eq(ask("luns"), "0 1048576 512 rw ram\nok 1\n");
}
END_TEST

START_TEST(clients_are_answered_line_by_line)
{
	struct peer_cmd tur = test_unit_ready(0);
	static const char two[] = "resize 0 2M\nluns\nlu";
	int a = client(), b = client();
	struct stat st;

	ck_assert(!stat(path, &st));
	ck_assert_uint_eq(st.st_mode & 077, 0);
	ck_assert_int_eq(write(a, two, sizeof(two) - 1), sizeof(two) - 1);
	read_answer(a);
	if (!strcmp(answer, "ok\n"))
		read_answer(a);
	ck_assert_ptr_nonnull(strstr(answer, "0 2097152 512 rw ram\nok 1\n"));
	expect_sense(&tur, 0x062a09);
	ck_assert_int_eq(write(b, "restat\n", 7), 7);
	read_answer(b);
	ck_assert_str_eq(answer, "ok 0\n");
	close(b);
	ck_assert_int_eq(write(a, "ns\n", 3), 3);
	read_answer(a);
	ck_assert_str_eq(answer, "0 2097152 512 rw ram\nok 1\n");
	close(a);
}
END_TEST

START_TEST(garbage_costs_its_client_alone)
{
	char junk[8192];
	int good = client(), bad = client(), i;
	int fds[12];

	memset(junk, 'x', sizeof(junk));
	ck_assert_int_gt(send(bad, junk, sizeof(junk), MSG_NOSIGNAL), 0);
	ck_assert_int_le(read_answer(bad), 0);
	close(bad);
	bad = client();
	ck_assert_int_eq(write(bad, "luns\0more\n", 10), 10);
	ck_assert_int_le(read_answer(bad), 0);
	close(bad);
	/* more than are served at once: the last ones are turned away */
	for (i = 0; i < 12; i++) {
		fds[i] = client();
		loop_run_once(&loop, 0);
	}
	ck_assert_int_le(read_answer(fds[11]), 0);
	for (i = 0; i < 12; i++)
		close(fds[i]);
	ck_assert_int_eq(write(good, "restat\n", 7), 7);
	read_answer(good);
	ck_assert_str_eq(answer, "ok 0\n");
	close(good);
}
END_TEST

START_TEST(a_socket_is_taken_over_only_from_nobody)
{
	struct srptgt_control *second = NULL;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	char other[80];
	int fd;

	ck_assert_int_eq(srptgt_control_open(path, bed.target, &loop, &second,
				 reason, sizeof(reason)),
		-EADDRINUSE);
	ck_assert_msg(strstr(reason, path) != NULL, "%s", reason);
	snprintf(other, sizeof(other), "%s.2", path);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", other);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert(!bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
	close(fd);
	ck_assert_msg(!srptgt_control_open(other, bed.target, &loop, &second,
			      reason, sizeof(reason)),
		"%s", reason);
	srptgt_control_close(second);
	ck_assert_int_eq(srptgt_control_open(dir, bed.target, &loop, &second,
				 reason, sizeof(reason)),
		-EEXIST);
	ck_assert_msg(strstr(reason, "no socket") != NULL, "%s", reason);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("control");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, requests_change_the_luns);
	tcase_add_loop_test(tcase, what_is_wrong_is_said_in_a_line, 0, 14);
	tcase_add_test(tcase, clients_are_answered_line_by_line);
	tcase_add_test(tcase, garbage_costs_its_client_alone);
	tcase_add_test(tcase, a_socket_is_taken_over_only_from_nobody);
	tcase_set_timeout(tcase, 30);
	return unit_run(tcase, "srptgt_control");
}
