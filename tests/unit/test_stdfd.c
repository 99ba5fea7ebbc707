/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/stdfd.h"

/* Runs @check in a child, which answers by its exit status. */
static int
in_child(int (*check)(void))
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(check());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
all_closed(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		close(fd);
	stdfd_guard();
	return open("/dev/zero", O_RDONLY) > 2 ? 0 : 1;
}

START_TEST(no_file_gets_the_number_of_a_closed_stream)
{
	ck_assert_int_eq(in_child(all_closed), 0);
}
END_TEST

static int
output_closed(void)
{
	close(1);
	stdfd_guard();
	if (stdfd_finish())
		return 1; /* nothing was printed: nothing is lost */
	fputs("lost", stdout);
	return stdfd_finish() == -EBADF ? 0 : 2;
}

START_TEST(what_goes_to_a_closed_output_is_lost_and_an_error)
{
	ck_assert_int_eq(in_child(output_closed), 0);
}
END_TEST

static int
output_full(void)
{
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0 || dup2(fd, 1) != 1)
		return 1;
	fputs("lost", stdout);
	return stdfd_finish() == -ENOSPC ? 0 : 2;
}

START_TEST(output_that_is_lost_is_an_error)
{
	ck_assert_int_eq(in_child(output_full), 0);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("stdfd");

	tcase_add_test(tcase, no_file_gets_the_number_of_a_closed_stream);
	tcase_add_test(
		tcase, what_goes_to_a_closed_output_is_lost_and_an_error);
	tcase_add_test(tcase, output_that_is_lost_is_an_error);
	return unit_run(tcase, "stdfd");
}
