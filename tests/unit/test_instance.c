/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "srpd/instance.h"

static char folder[] = "/tmp/srpd-instance-XXXXXX";
static char path[64], reason[512];

static void
setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sock", folder);
}

static void
teardown(void)
{
	char lock[80];

	snprintf(lock, sizeof(lock), "%s.lock", path);
	unlink(lock);
	unlink(path);
	rmdir(folder);
}

static int
open_one(struct instance *instance)
{
	return instance_open(
		instance, path, (gid_t)-1, reason, sizeof(reason));
}

static int
connect_to(const char *to)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), rc;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", to);
	rc = connect(fd, (struct sockaddr *)&addr, sizeof(addr)) ? -errno : 0;
	close(fd);
	return rc;
}

START_TEST(one_listens_for_its_own_user_alone_and_leaves_nothing)
{
	struct instance one;
	struct stat st;

	ck_assert_msg(open_one(&one) == 0, "%s", reason);
	ck_assert_int_eq(connect_to(path), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	instance_close(&one);
	instance_close(&one);
	ck_assert_int_eq(rmdir(folder), 0);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
}
END_TEST

START_TEST(a_group_may_be_let_in_and_out)
{
	struct instance one;
	struct stat st;

	ck_assert_int_eq(instance_open(&one, path, getgid(), reason,
				 sizeof(reason)),
		0);
	stat(path, &st);
	ck_assert_uint_eq(st.st_mode & 0777, 0660);
	ck_assert_uint_eq(st.st_gid, getgid());
	ck_assert_int_eq(instance_set_group(&one, (gid_t)-1), 0);
	stat(path, &st);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	instance_close(&one);
}
END_TEST

START_TEST(a_second_one_is_refused_by_the_firsts_process_id)
{
	struct instance one, two;
	char pid[32];

	ck_assert_int_eq(open_one(&one), 0);
	ck_assert_int_eq(open_one(&two), -EADDRINUSE);
	snprintf(pid, sizeof(pid), "(pid %ld)", (long)getpid());
	ck_assert_msg(strstr(reason, pid) && strstr(reason, path), "%s",
		reason);
	/* And has done the first no harm. */
	instance_close(&two);
	ck_assert_int_eq(connect_to(path), 0);
	instance_close(&one);
	ck_assert_int_eq(open_one(&two), 0);
	instance_close(&two);
}
END_TEST

START_TEST(what_a_killed_one_left_is_taken_over)
{
	struct instance one;
	int status, byte, ends[2];
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		byte = open_one(&one);
		if (write(ends[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	byte = 1;
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	ck_assert_int_eq(byte & 0xff, 0);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ck_assert_int_eq(connect_to(path), -ECONNREFUSED);
	ck_assert_msg(open_one(&one) == 0, "%s", reason);
	ck_assert_int_eq(connect_to(path), 0);
	instance_close(&one);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(another_programs_socket_stays)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	struct instance one;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(open_one(&one), -EADDRINUSE);
	ck_assert_msg(strstr(reason, "another program"), "%s", reason);
	ck_assert_int_eq(connect_to(path), 0);
	close(fd);
}
END_TEST

START_TEST(a_file_in_the_place_of_the_socket_stays)
{
	struct instance one;
	FILE *file = fopen(path, "w");

	fclose(file);
	ck_assert_int_eq(open_one(&one), -EEXIST);
	ck_assert_ptr_nonnull(strstr(reason, path));
	ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_told)
{
	struct instance one;

	ck_assert_int_eq(instance_open(&one, "/no/such/folder/s", (gid_t)-1,
				 reason, sizeof(reason)),
		-ENOENT);
	ck_assert_ptr_nonnull(strstr(reason, "/no/such/folder"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("instance");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase,
		one_listens_for_its_own_user_alone_and_leaves_nothing);
	tcase_add_test(tcase, a_group_may_be_let_in_and_out);
	tcase_add_test(
		tcase, a_second_one_is_refused_by_the_firsts_process_id);
	tcase_add_test(tcase, what_a_killed_one_left_is_taken_over);
	tcase_add_test(tcase, another_programs_socket_stays);
	tcase_add_test(tcase, a_file_in_the_place_of_the_socket_stays);
	tcase_add_test(tcase, a_folder_that_is_not_there_is_told);
	return unit_run(tcase, "instance");
}
