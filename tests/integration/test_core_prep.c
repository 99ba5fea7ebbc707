/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What describing an I/O refuses, error by error as srpi.h has them, and
 * memory in several registrations.
 */
#include "core_rig.h"

#include <errno.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/log.h"

#define PAGE 4096u
#define LUN_BLOCKS (RIG_LUN_BYTES / RIG_BLOCK)

static struct rig rig;
static struct srpi_io *io;

static void
setup(void)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = RIG_LUN_BYTES },
		{ .number = 1, .backend = "ram", .size_bytes = 1 << 20,
			.flags = TARGET_LUN_RO },
		{ .number = 2, .backend = "null",
			.size_bytes = UINT64_C(1) << 42 },
	};
	struct target_attr attr = { .luns = luns, .nr_luns = 3 };

	rig_up(&rig, SOFT_IRQ_SOFTIRQ, &attr);
	rig_open_all(&rig, NULL);
	io = srpi_get(rig.queue);
}

static void
teardown(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

static int
prep(uint64_t lba, uint32_t blocks, size_t bytes)
{
	struct iovec iov = { rig.buf, bytes };
	int ret = srpi_prep_write(io, rig.lun, lba, blocks, &iov, 1);

	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, lba, blocks, &iov, 1), ret);
	return ret;
}

START_TEST(lengths_must_match)
{
	struct iovec iov = { rig.buf, RIG_BLOCK };

	ck_assert_int_eq(prep(0, 1, RIG_BLOCK), 0);
	ck_assert_int_eq(prep(0, 0, 0), -EINVAL);
	ck_assert_int_eq(prep(0, 1, 0), -EINVAL);
	ck_assert_int_eq(prep(0, 1, RIG_BLOCK - 1), -EINVAL);
	ck_assert_int_eq(prep(0, 1, RIG_BLOCK + 1), -EINVAL);
	ck_assert_int_eq(prep(0, 1, SIZE_MAX), -EINVAL);
	/* one command's length is 32 bits: this is that of no block */
	ck_assert_int_eq(prep(0, 1, (UINT64_C(1) << 32) + RIG_BLOCK), -EINVAL);
	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 1, &iov, 0), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 1, NULL, 256), -EINVAL);
}
END_TEST

START_TEST(the_end_of_the_lun_is_the_end)
{
	ck_assert_int_eq(prep(LUN_BLOCKS - 1, 1, RIG_BLOCK), 0);
	ck_assert_int_eq(prep(LUN_BLOCKS, 1, RIG_BLOCK), -ERANGE);
	ck_assert_int_eq(prep(LUN_BLOCKS - 1, 2, 2 * RIG_BLOCK), -ERANGE);
	ck_assert_int_eq(prep(UINT64_MAX, 1, RIG_BLOCK), -ERANGE);
	ck_assert_int_eq(prep(UINT64_MAX - 1, 2, 2 * RIG_BLOCK), -ERANGE);
}
END_TEST

START_TEST(large_luns_are_reached_with_16_byte_commands)
{
	struct srpi_lun *lun = rig_lun(&rig, 2);
	struct iovec iov = { rig.buf, RIG_BLOCK };
	struct srpi_lun_info info;

	srpi_lun_info(lun, &info);
	ck_assert_uint_eq(info.blocks, UINT64_C(1) << 33);
	ck_assert_int_eq(
		srpi_prep_read(io, lun, info.blocks - 1, 1, &iov, 1), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
}
END_TEST

START_TEST(a_protected_lun_is_not_written)
{
	struct srpi_lun *lun = rig_lun(&rig, 1);
	struct iovec iov = { rig.buf, RIG_BLOCK };

	ck_assert_int_eq(srpi_prep_write(io, lun, 0, 1, &iov, 1), -EROFS);
	ck_assert_int_eq(srpi_prep_read(io, lun, 0, 1, &iov, 1), 0);
}
END_TEST

START_TEST(a_callers_cdb_has_6_to_16_bytes)
{
	uint8_t cdb[17] = { 0 };

	ck_assert_int_eq(
		srpi_prep_cdb(io, rig.lun, cdb, 5, 0, NULL, 0), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_cdb(io, rig.lun, cdb, 17, 0, NULL, 0), -EINVAL);
	ck_assert_int_eq(srpi_prep_cdb(io, rig.lun, cdb, 6, 0, NULL, 0), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
}
END_TEST

START_TEST(an_io_that_was_refused_can_be_described_anew)
{
	struct iovec iov = { rig.buf, RIG_BLOCK };

	ck_assert_int_eq(prep(LUN_BLOCKS, 1, RIG_BLOCK), -ERANGE);
	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 3, 1, &iov, 1), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
	/* or given back as it is */
	io = srpi_get(rig.queue);
	ck_assert_int_eq(prep(LUN_BLOCKS, 1, RIG_BLOCK), -ERANGE);
	srpi_put(io);
	rig_verify(&rig, 4, 1);
}
END_TEST

/* ---- registrations ---- */

static uint8_t own[4 * PAGE] __attribute__((aligned(4096)));

static struct srpi_mem *
register_page(unsigned int page)
{
	struct srpi_mem *mem;

	ck_assert_msg(!srpi_mem_register(rig.session, own + page * PAGE, PAGE,
			      &mem, rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	return mem;
}

START_TEST(an_element_lies_in_one_registration)
{
	struct iovec iov = { own + PAGE - RIG_BLOCK, 2 * RIG_BLOCK };

	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), -EFAULT);
	register_page(0);
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), -EFAULT);
	register_page(1);
	/* all of it is registered, but no key opens all of it */
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), -EFAULT);
	iov.iov_base = own + PAGE;
	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), 0);
	/* one byte beyond the end, one before the start */
	iov.iov_base = own + 2 * PAGE - 2 * RIG_BLOCK + 1;
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), -EFAULT);
	iov.iov_base = (void *)((uintptr_t)own - 1);
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 2, &iov, 1), -EFAULT);
}
END_TEST

/* Neighbours of two registrations are two descriptors, with two keys. */
START_TEST(elements_may_lie_in_several_registrations)
{
	struct iovec iov[] = {
		{ own + 2 * RIG_BLOCK, PAGE - 2 * RIG_BLOCK },
		{ own + PAGE, PAGE },
		{ own + 3 * PAGE, 2 * RIG_BLOCK },
	};
	uint32_t blocks = 2 * PAGE / RIG_BLOCK;
	unsigned int write;

	register_page(0);
	register_page(1);
	register_page(3);
	rig_fill(own + 2 * RIG_BLOCK, 0, 14, 5);
	rig_fill(own + 3 * PAGE, 14, 2, 5);
	for (write = 2; write--;) {
		if (write) {
			ck_assert_int_eq(srpi_prep_write(io, rig.lun, 0,
						 blocks, iov, 3),
				0);
		} else {
			memset(own, 0, sizeof(own));
			ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, blocks,
						 iov, 3),
				0);
		}
		srpi_queue_io(io);
		srpi_submit(rig.queue);
		ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
		io = srpi_get(rig.queue);
	}
	rig_check(own + 2 * RIG_BLOCK, 0, 14, 5);
	rig_check(own + 3 * PAGE, 14, 2, 5);
	/* the gaps are as they were */
	ck_assert_uint_eq(own[2 * RIG_BLOCK - 1], 0);
	ck_assert_uint_eq(own[3 * PAGE - 1], 0);
	ck_assert_uint_eq(own[3 * PAGE + 2 * RIG_BLOCK], 0);
}
END_TEST

START_TEST(memory_given_back_is_memory_no_more)
{
	struct iovec iov = { own, RIG_BLOCK };
	struct srpi_mem *mem = register_page(0);

	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 1, &iov, 1), 0);
	srpi_mem_free(mem);
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, 0, 1, &iov, 1), -EFAULT);
	mem = register_page(0);
	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 1, &iov, 1), 0);
	ck_assert_int_eq(srpi_mem_register(rig.session, NULL, PAGE, &mem,
				 rig.reason, sizeof(rig.reason)),
		-EINVAL);
	ck_assert_int_eq(srpi_mem_register(rig.session, own, 0, &mem,
				 rig.reason, sizeof(rig.reason)),
		-EINVAL);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("core_prep");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, lengths_must_match);
	tcase_add_test(tcase, the_end_of_the_lun_is_the_end);
	tcase_add_test(tcase, large_luns_are_reached_with_16_byte_commands);
	tcase_add_test(tcase, a_protected_lun_is_not_written);
	tcase_add_test(tcase, a_callers_cdb_has_6_to_16_bytes);
	tcase_add_test(tcase, an_io_that_was_refused_can_be_described_anew);
	tcase_add_test(tcase, an_element_lies_in_one_registration);
	tcase_add_test(tcase, elements_may_lie_in_several_registrations);
	tcase_add_test(tcase, memory_given_back_is_memory_no_more);
	return unit_run(tcase, "core_prep");
}
