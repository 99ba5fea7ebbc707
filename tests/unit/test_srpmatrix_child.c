/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/srpmatrix_child.h"
#include "util/clock.h"

#define LONG_NS (60 * CLOCK_NS_PER_SEC)

static struct srpmatrix_child child;
static volatile sig_atomic_t stop;

static int
shell(const char *script, uint64_t timeout_ns)
{
	char *args[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	return srpmatrix_child_run(&child, args, "/", timeout_ns, &stop);
}

static void
teardown(void)
{
	srpmatrix_child_fini(&child);
}

START_TEST(takes_both_outputs_and_the_status)
{
	ck_assert_int_eq(shell("echo out; echo err >&2; pwd; exit 3", LONG_NS),
		0);
	ck_assert_str_eq(child.out.text, "out\n/\n");
	ck_assert_str_eq(child.err.text, "err\n");
	ck_assert_int_eq(WEXITSTATUS(child.status), 3);
	ck_assert(!child.is_late && !child.is_stopped);
}
END_TEST

START_TEST(no_output_is_no_text)
{
	ck_assert_int_eq(shell(":", LONG_NS), 0);
	ck_assert_uint_eq(child.out.nr_bytes, 0);
	ck_assert_int_eq(child.status, 0);
}
END_TEST

START_TEST(a_flood_is_read_and_cut)
{
	ck_assert_int_eq(
		shell("head -c 200000 /dev/zero >&2; echo end", LONG_NS), 0);
	ck_assert_uint_eq(child.err.nr_bytes, SRPMATRIX_CHILD_ERR_BYTES);
	ck_assert_str_eq(child.out.text, "end\n");
}
END_TEST

START_TEST(one_that_hangs_is_ended_with_all_it_started)
{
	ck_assert_int_eq(
		shell("sleep 600 & sleep 600", 300 * CLOCK_NS_PER_MSEC), 0);
	ck_assert(child.is_late);
	ck_assert_int_eq(WTERMSIG(child.status), SIGKILL);
}
END_TEST

START_TEST(one_that_hides_its_outputs_is_ended_too)
{
	ck_assert_int_eq(shell("exec >&- 2>&-; sleep 600",
				 300 * CLOCK_NS_PER_MSEC), 0);
	ck_assert(child.is_late);
}
END_TEST

START_TEST(the_stop_flag_ends_it)
{
	stop = SIGINT;
	ck_assert_int_eq(shell("sleep 600", LONG_NS), 0);
	ck_assert(child.is_stopped);
	stop = 0;
}
END_TEST

/* POSIX lets it be seen by the caller, or by the child, which exits 127. */
START_TEST(what_is_not_there_is_an_error)
{
	char *args[] = { (char *)"/nonexistent/fio", NULL };
	int rc = srpmatrix_child_run(&child, args, "/", LONG_NS, &stop);

	ck_assert(rc == -ENOENT || (!rc && WEXITSTATUS(child.status) == 127));
}
END_TEST

START_TEST(has_nothing_to_read_and_default_signals)
{
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(
		shell("cat; yes | head -n 1; kill -PIPE $$", LONG_NS), 0);
	ck_assert_str_eq(child.out.text, "y\n");
	ck_assert_int_eq(WTERMSIG(child.status), SIGPIPE);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("child");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, takes_both_outputs_and_the_status);
	tcase_add_test(tcase, no_output_is_no_text);
	tcase_add_test(tcase, a_flood_is_read_and_cut);
	tcase_add_test(tcase, one_that_hangs_is_ended_with_all_it_started);
	tcase_add_test(tcase, one_that_hides_its_outputs_is_ended_too);
	tcase_add_test(tcase, the_stop_flag_ends_it);
	tcase_add_test(tcase, what_is_not_there_is_an_error);
	tcase_add_test(tcase, has_nothing_to_read_and_default_signals);
	return unit_run(tcase, "srpmatrix_child");
}
