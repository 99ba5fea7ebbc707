/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srpmatrix_target.h"

static struct srpmatrix_target target;
static struct srpmatrix_opts opts;
static char reason[768];

static void
setup(void)
{
	memset(&target, 0, sizeof(target));
	memset(&opts, 0, sizeof(opts));
	target.lun.blocks = 100;
	target.lun.block_bytes = 4096;
	opts.rw = "read";
	opts.nr_cells = 1;
	opts.cells[0] = (struct srpmatrix_cell){ 8192, 1 };
}

static int
check(void)
{
	return srpmatrix_target_check_lun(
		&target, &opts, reason, sizeof(reason));
}

START_TEST(blocks_must_fit)
{
	ck_assert_int_eq(check(), 0);
	opts.cells[0].bs = 512;
	ck_assert_int_eq(check(), 2);
	ck_assert_ptr_nonnull(strstr(reason, "multiples of 4096"));
	opts.cells[0].bs = 4096 * 101;
	ck_assert_int_eq(check(), 2);
}
END_TEST

START_TEST(writes_need_a_lun_that_takes_them)
{
	target.lun.flags = SRPI_LUN_READ_ONLY;
	ck_assert_int_eq(check(), 0);
	opts.rw = "randread";
	ck_assert_int_eq(check(), 0);
	opts.rw = "randrw";
	ck_assert_int_eq(check(), 2);
	ck_assert_ptr_nonnull(strstr(reason, "write protected"));
}
END_TEST

START_TEST(the_url_must_leave_the_mode_open)
{
	ck_assert_int_eq(srpmatrix_target_check_url(
		"demo://ram?completion=poll", reason, 256), 2);
	ck_assert_int_eq(srpmatrix_target_check_url(
		"demo://ram?size=1M&completion=poll", reason, 256), 2);
	ck_assert_ptr_nonnull(strstr(reason, "--completion"));
	ck_assert_int_eq(srpmatrix_target_check_url(
		"demo://ram?irqmode=timer&completion_nsec=5", reason, 256), 0);
	ck_assert_int_eq(
		srpmatrix_target_check_url("demo://ram", reason, 256), 0);
}
END_TEST

START_TEST(a_target_is_looked_at)
{
	opts.target = "demo://ram?size=1M&block=4096";
	ck_assert_int_eq(srpmatrix_target_look(
		&target, &opts, reason, sizeof(reason)), 0);
	ck_assert_uint_eq(target.lun.blocks, 256);
	ck_assert_uint_eq(target.lun.block_bytes, 4096);
	ck_assert(target.session.flags & SRPI_SESSION_IN_PROCESS);
	opts.target = "demo://ram?size=fat";
	ck_assert_int_eq(srpmatrix_target_look(
		&target, &opts, reason, sizeof(reason)), 2);
	ck_assert_ptr_nonnull(strstr(reason, "size"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, blocks_must_fit);
	tcase_add_test(tcase, writes_need_a_lun_that_takes_them);
	tcase_add_test(tcase, the_url_must_leave_the_mode_open);
	tcase_add_test(tcase, a_target_is_looked_at);
	return unit_run(tcase, "srpmatrix_target");
}
