/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What is said when the real libraries fail. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fabric/fab_verbs.h"

static char reason[512];
static char dir[] = "/tmp/fab_verbs.XXXXXX";

/* Is @text in what @error is explained by on @host? */
static bool
says(const struct fab_verbs_host *host, int error, const char *text)
{
	int len = fab_verbs_explain(host, error, reason, sizeof(reason));

	ck_assert_int_eq(len, (int)strlen(reason));
	return strstr(reason, text) != NULL;
}

START_TEST(without_rdma_cm_the_module_is_named)
{
	const struct fab_verbs_host host = { "/nonexistent/rdma_cm",
		"/nonexistent", 1, false };

	ck_assert(says(&host, ENODEV, "modprobe rdma_ucm"));
	ck_assert(says(&host, -ENODEV, "/nonexistent/rdma_cm"));
	ck_assert(says(&host, ENOENT, "demo://"));
	ck_assert(says(&host, EPERM, "modprobe rdma_ucm"));
}
END_TEST

START_TEST(without_a_device_the_ways_to_one_are_named)
{
	const struct fab_verbs_host host = { "/dev/null", "/nonexistent", 0, false };

	ck_assert(says(&host, ENODEV, "no RDMA device"));
	ck_assert(says(&host, ENODEV, "rdma link add rxe0 type rxe netdev"));
	ck_assert(says(&host, ENODEV, "demo://"));
}
END_TEST

START_TEST(an_address_of_no_device_is_told_from_no_device)
{
	const struct fab_verbs_host host = { "/dev/null", "/nonexistent", 2, false };

	ck_assert(says(&host, ENODEV, "owns or reaches that address"));
	ck_assert(says(&host, ENODEV, "ENODEV 19"));
	ck_assert(says(&host, EADDRNOTAVAIL, "EADDRNOTAVAIL 99"));
	ck_assert_int_eq(fab_verbs_explain(&host, ENOENT, reason,
				 sizeof(reason)),
		0);
}
END_TEST

/* Root may open anything, so the test gives root up. */
START_TEST(a_node_that_may_not_be_opened_is_named)
{
	struct fab_verbs_host host = { "/dev/null", dir, 1, false };
	char path[64];
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/uverbs3", dir);
	fd = open(path, O_CREAT | O_WRONLY, 0);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	ck_assert(says(&host, EACCES, path));
	ck_assert(says(&host, EACCES, "EACCES 13"));
	/* librdmacm's answer to the same. */
	ck_assert(says(&host, ENOENT, path));
	host.rdma_cm = path;
	ck_assert(says(&host, EACCES, path));
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	unlink(path);
	rmdir(dir);
}
END_TEST

START_TEST(too_little_lockable_memory_is_told_with_the_limit)
{
	const struct fab_verbs_host host = { "/dev/null", "/nonexistent", 1, false };
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
	limit.rlim_cur = 12288;
	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
	ck_assert(says(&host, ENOMEM, "12288 bytes"));
	ck_assert(says(&host, ENOMEM, "ulimit -l unlimited"));
	ck_assert(says(&host, ENOMEM, "LimitMEMLOCK=infinity"));
	/* What the kernel answers when the limit is 0. */
	limit.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
	ck_assert(says(&host, EPERM, "RLIMIT_MEMLOCK is 0 bytes"));
	ck_assert(says(&host, EPERM, "EPERM 1"));
}
END_TEST

START_TEST(what_has_no_explanation_is_left_alone)
{
	const struct fab_verbs_host host = { "/dev/null", "/nonexistent", 1, false };

	ck_assert_int_eq(fab_verbs_explain(&host, ECONNREFUSED, reason,
				 sizeof(reason)),
		0);
	ck_assert_int_eq(fab_verbs_explain(&host, 0, reason, sizeof(reason)),
		0);
}
END_TEST

START_TEST(a_forked_child_is_told_that_it_cannot_use_its_parents_devices)
{
	const struct fab_verbs_host mine = { "/dev/null", "/nonexistent", 1,
		false };
	const struct fab_verbs_host inherited = { "/dev/null", "/nonexistent",
		1, true };

	ck_assert(says(&inherited, EOPNOTSUPP, "forked"));
	ck_assert(says(&inherited, EOPNOTSUPP, "fork before"));
	ck_assert_int_eq(fab_verbs_explain(&mine, EOPNOTSUPP, reason,
				 sizeof(reason)),
		0);
}
END_TEST

START_TEST(the_table_explains_this_machine)
{
	int len;

	memset(reason, 'x', sizeof(reason));
	len = fab_verbs.diagnose(ENODEV, reason, sizeof(reason));
	ck_assert_int_gt(len, 0);
	ck_assert_int_eq(len, (int)strlen(reason));
	len = fab_verbs.diagnose(ENODEV, reason, 10);
	ck_assert_int_gt(len, 9);
	ck_assert_uint_eq(strlen(reason), 9);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("fab_verbs");

	tcase_add_test(t, without_rdma_cm_the_module_is_named);
	tcase_add_test(t, without_a_device_the_ways_to_one_are_named);
	tcase_add_test(t, an_address_of_no_device_is_told_from_no_device);
	tcase_add_test(t, a_node_that_may_not_be_opened_is_named);
	tcase_add_test(t, too_little_lockable_memory_is_told_with_the_limit);
	tcase_add_test(t, what_has_no_explanation_is_left_alone);
	tcase_add_test(t,
		a_forked_child_is_told_that_it_cannot_use_its_parents_devices);
	tcase_add_test(t, the_table_explains_this_machine);
	return unit_run(t, "fab_verbs");
}
