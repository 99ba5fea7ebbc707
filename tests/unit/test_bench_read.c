/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "bench/bench_read.h"

static char reason[512];
static struct bench_read_result result;

static const struct bench_read_attr usual = {
	.target = "demo://null",
	.completion = "self",
	.depth = 8,
	.block_bytes = 4096,
	.exchanges = 1000,
};

static int
run(const struct bench_read_attr *attr)
{
	int rc;

	memset(reason, 'x', sizeof(reason));
	rc = bench_read_run(attr, &result, reason, sizeof(reason));
	ck_assert_msg(rc == 0 || strlen(reason) > 10, "%d \"%s\"", rc, reason);
	return rc;
}

START_TEST(as_many_reads_are_done_as_were_asked_for)
{
	ck_assert_msg(run(&usual) == 0, "%s", reason);
	ck_assert_uint_eq(result.reads, 1000);
	ck_assert_uint_eq(result.stats.reads, 1000);
	ck_assert_uint_eq(result.stats.read_bytes, 1000 * 4096);
	ck_assert_uint_eq(result.stats.errors, 0);
	ck_assert_uint_gt(result.elapsed_ns, 0);
	ck_assert_uint_eq(result.queue.depth, 8);
	ck_assert_str_eq(result.lun, "0");
	ck_assert(result.session.flags & SRPI_SESSION_SHARED_CPU);
}
END_TEST

START_TEST(self_never_arms_and_shares_doorbells)
{
	ck_assert_msg(run(&usual) == 0, "%s", reason);
	ck_assert_uint_eq(result.stats.arms, 0);
	ck_assert_uint_eq(result.stats.events, 0);
	ck_assert_uint_eq(result.stats.wakeups, 0);
	ck_assert_uint_gt(result.stats.doorbells, 0);
	ck_assert_uint_le(result.stats.doorbells, 1000 / 4);
}
END_TEST

START_TEST(every_mode_of_completion_and_target_works)
{
	static const char *const targets[] = {"demo://null?irqmode=none",
		"demo://ram?irqmode=softirq&size=1M",
		"demo://null?irqmode=timer&completion_nsec=1000",
		"demo://null?irqmode=thread&lun=1&luns=2"};
	struct bench_read_attr attr = usual;

	attr.target = targets[_i % 4];
	attr.completion = _i / 4 ? "inline" : "self";
	ck_assert_msg(run(&attr) == 0, "%s", reason);
	ck_assert_uint_eq(result.reads, 1000);
}
END_TEST

START_TEST(it_ends_when_its_time_is_over)
{
	struct bench_read_attr attr = usual;

	attr.exchanges = 0;
	attr.runtime_ns = 50 * CLOCK_NS_PER_MSEC;
	ck_assert_msg(run(&attr) == 0, "%s", reason);
	ck_assert_uint_ge(result.elapsed_ns, attr.runtime_ns);
	ck_assert_uint_lt(result.elapsed_ns, 40 * attr.runtime_ns);
	ck_assert_uint_gt(result.reads, 8);
}
END_TEST

START_TEST(what_the_lun_cannot_do_is_refused)
{
	struct bench_read_attr attr = usual;

	attr.block_bytes = 1000;
	ck_assert_int_eq(run(&attr), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "bs=1000 is not a multiple"));
	attr.block_bytes = 0;
	ck_assert_int_eq(run(&attr), -EINVAL);
	attr.target = "demo://ram?size=64K";
	attr.block_bytes = 128 * 1024;
	ck_assert_int_eq(run(&attr), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "more than the LUN has"));
	attr.target = "demo://null?luns=0";
	attr.block_bytes = 4096;
	ck_assert_int_lt(run(&attr), 0);
	attr.target = "demo://nul";
	ck_assert_int_eq(run(&attr), -EINVAL);
	attr = usual;
	attr.completion = "slef";
	ck_assert_int_eq(run(&attr), -EINVAL);
	attr = usual;
	attr.depth = 0;
	ck_assert_int_eq(run(&attr), -EINVAL);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("bench_read");

	tcase_add_test(tcase, as_many_reads_are_done_as_were_asked_for);
	tcase_add_test(tcase, self_never_arms_and_shares_doorbells);
	tcase_add_loop_test(
		tcase, every_mode_of_completion_and_target_works, 0, 8);
	tcase_add_test(tcase, it_ends_when_its_time_is_over);
	tcase_add_test(tcase, what_the_lun_cannot_do_is_refused);
	return unit_run(tcase, "bench_read");
}
