/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Of I/Os that one command can't carry: write protection, flags, flush, UNMAP
 * and WRITE SAME.
 */
#include "splits_rig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "core/io.h"
#include "util/compiler.h"

/* ---- write protection ---- */

START_TEST(a_write_protected_lun_is_known_to_be_one)
{
	struct target_lun_attr lun = lun_attr(PART);
	struct srpi_range range = { 0, 1 };
	struct iovec iov;
	struct srpi_io *io;

	lun.flags = TARGET_LUN_RO;
	up_with(&lun, "");
	iov = (struct iovec){ client_buf(&client, 4 * PART_BYTES), BLOCK };
	ck_assert(client.info.flags & SRPI_LUN_READ_ONLY);
	io = srpi_get(queue);
	ck_assert_int_eq(
		srpi_prep_write(io, client.lun, 0, 1, &iov, 1), -EROFS);
	ck_assert_int_eq(
		srpi_prep_unmap(io, client.lun, &range, 1), -EROFS);
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 0, 1, &iov, 0), -EROFS);
	srpi_put(io);
	rw_ok(CLIENT_READ, 0, iov.iov_base, 4 * PART_BYTES);
	down();
}
END_TEST

START_TEST(a_write_protection_that_only_shows_in_the_sense_ends_the_whole)
{
	struct target_lun_attr lun = lun_attr(PART);
	struct srpi_result result;
	struct target_stats before, after;
	struct srpi_io *io, *done;
	struct iovec iov;

	lun.flags = TARGET_LUN_RO_HID;
	up_with(&lun, "");
	iov = (struct iovec){
		client_buf(&client, 4 * PART_BYTES), 4 * PART_BYTES };
	before = bed_stats(&bed);
	io = client_prep(&client, queue, CLIENT_WRITE, 0, &iov, 1);
	srpi_queue_io(io);
	ck_assert_int_eq(srpi_submit(queue), 1);
	ck_assert_int_eq(srpi_wait(queue, &done, 1, 1, CLIENT_WAIT_NS), 1);
	result = *srpi_result(io);
	ck_assert_int_eq(result.error, -EROFS);
	ck_assert_uint_eq(result.bytes, 0);
	ck_assert_uint_ge(result.sense_bytes, 14);
	ck_assert_uint_eq(result.sense[2] & 0xf, 7); /* DATA PROTECT */
	ck_assert_uint_eq(result.sense[12], 0x27);
	srpi_put(io);
	after = bed_stats(&bed);
	ck_assert_uint_eq(after.commands - before.commands, 1);
	down();
}
END_TEST

/* ---- flags ---- */

/* The last part's CDB is still in the slot once the I/O has ended. */
static const uint8_t *
cdb_of(const struct srpi_io *io)
{
	return io->iu->cdb;
}

START_TEST(fua_and_dpo_reach_every_part)
{
	struct srpi_io *io, *done;
	struct iovec iov;

	up(PART, "");
	iov = (struct iovec){
		client_buf(&client, 4 * PART_BYTES), 4 * PART_BYTES };
	io = client_prep(&client, queue, CLIENT_WRITE, 0, &iov, 1);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), 0);
	ck_assert_uint_eq(cdb_of(io)[1], 0x08);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA | SRPI_DPO), 0);
	ck_assert_uint_eq(cdb_of(io)[1], 0x18);
	srpi_queue_io(io);
	ck_assert_int_eq(srpi_submit(queue), 1);
	ck_assert_int_eq(srpi_wait(queue, &done, 1, 1, CLIENT_WAIT_NS), 1);
	ck_assert_int_eq(srpi_result(io)->error, 0);
	ck_assert_uint_eq(cdb_of(io)[1], 0x18);
	ck_assert_uint_eq(get_be32(cdb_of(io) + 2), 3 * PART);
	srpi_put(io);
	down();
}
END_TEST

/* Bit 3 of byte 1 is FUA in a WRITE, and UNMAP in a WRITE SAME. */
START_TEST(flags_are_for_reads_and_writes_alone)
{
	static const uint8_t verify[16] = { 0x2f };
	struct srpi_range range = { 0, 1 };
	struct srpi_io *io;
	struct iovec iov;

	up(0, _i ? "&imm_data=yes" : "");
	iov = (struct iovec){ client_buf(&client, BLOCK), BLOCK };
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_flush(io, client.lun), 0);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 0, 8, &iov, 0), 0);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), -EINVAL);
	ck_assert_uint_eq(cdb_of(io)[1], 0);
	ck_assert_int_eq(srpi_prep_unmap(io, client.lun, &range, 1), 0);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_cdb(io, client.lun, verify, 10, 0, NULL, 0), 0);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_write(io, client.lun, 0, 1, &iov, 1), 0);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_UNMAP), -EINVAL);
	ck_assert_int_eq(srpi_prep_flags(io, SRPI_FUA), 0);
	ck_assert_int_eq(client_do(queue, io).error, 0);
	down();
}
END_TEST

START_TEST(a_flush_moves_nothing_and_succeeds)
{
	struct srpi_result result;
	struct srpi_io *io;

	up(PART, "");
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_flush(io, client.lun), 0);
	result = client_do(queue, io);
	ck_assert_int_eq(result.error, 0);
	ck_assert_uint_eq(result.bytes, 0);
	down();
}
END_TEST

/* ---- UNMAP and WRITE SAME ---- */

static const char *const erase_keys[] = { "", "&max_descs=1",
	"&imm_data=yes", "&max_descs=12&imm_data=yes" };
#define NR_ERASE_KEYS (int)ARRAY_SIZE(erase_keys)

/* Blocks 0 to @nr - 1 hold 0x55. */
static uint8_t *
erase_up(const char *keys, uint32_t nr)
{
	uint8_t *buf;

	up(PART, keys);
	buf = client_buf(&client, (size_t)nr * BLOCK);
	memset(buf, 0x55, (size_t)nr * BLOCK);
	rw_ok(CLIENT_WRITE, 0, buf, (size_t)nr * BLOCK);
	return buf;
}

START_TEST(unmapped_blocks_read_as_zeros_and_their_neighbours_as_before)
{
	struct srpi_range ranges[11];
	struct srpi_io *io;
	uint8_t *buf = erase_up(erase_keys[_i], 1024);
	uint32_t i;

	ck_assert(client.info.flags & SRPI_LUN_UNMAP);
	for (i = 0; i < 11; i++)
		ranges[i] = (struct srpi_range){ i * 90 + 5, 40 };
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_unmap(io, client.lun, ranges, 11), 0);
	ck_assert_int_eq(client_do(queue, io).error, 0);
	memset(buf, CANARY, 1024 * BLOCK);
	rw_ok(CLIENT_READ, 0, buf, 1024 * BLOCK);
	for (i = 0; i < 1024; i++)
		client_check_all(buf + (size_t)i * BLOCK, BLOCK,
			i < 990 && i % 90 >= 5 && i % 90 < 45 ? 0 : 0x55);
	down();
}
END_TEST

START_TEST(an_unmap_beyond_the_limits_is_refused)
{
	struct srpi_range ranges[64];
	struct srpi_io *io;
	uint32_t i, room = _i % 2 ? 11 : 32;

	erase_up(erase_keys[_i % 2], 8);
	for (i = 0; i < 64; i++)
		ranges[i] = (struct srpi_range){ i, 1 };
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_unmap(io, client.lun, ranges, 0), -EINVAL);
	ck_assert_int_eq(
		srpi_prep_unmap(io, client.lun, ranges, room + 1), -EMSGSIZE);
	ranges[room - 1].lba = LUN_BLOCKS;
	ck_assert_int_eq(
		srpi_prep_unmap(io, client.lun, ranges, room), -ERANGE);
	ranges[room - 1] = (struct srpi_range){ LUN_BLOCKS - 1, 2 };
	ck_assert_int_eq(
		srpi_prep_unmap(io, client.lun, ranges, room), -ERANGE);
	ranges[room - 1].blocks = 1;
	ck_assert_int_eq(srpi_prep_unmap(io, client.lun, ranges, room), 0);
	ck_assert_int_eq(client_do(queue, io).error, 0);
	down();
}
END_TEST

/* Loop: keys, and with or without the hint that no storage is needed. */
START_TEST(write_same_repeats_one_block)
{
	uint32_t flags = _i / NR_ERASE_KEYS ? SRPI_UNMAP : 0, i;
	uint8_t *buf = erase_up(erase_keys[_i % NR_ERASE_KEYS], 600);
	uint8_t value = flags ? 0 : 0x77;
	struct iovec block = { buf, BLOCK };
	struct srpi_result result;
	struct srpi_io *io;

	memset(buf, value, BLOCK);
	io = srpi_get(queue);
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 9, 555, &block, flags),
		0);
	result = client_do(queue, io);
	ck_assert_int_eq(result.error, 0);
	ck_assert_uint_eq(result.bytes, BLOCK);
	memset(buf, CANARY, 600 * BLOCK);
	rw_ok(CLIENT_READ, 0, buf, 600 * BLOCK);
	for (i = 0; i < 600; i++)
		client_check_all(buf + (size_t)i * BLOCK, BLOCK,
			i >= 9 && i < 564 ? value : 0x55);
	down();
}
END_TEST

START_TEST(a_write_same_beyond_the_limits_is_refused)
{
	static uint8_t foreign[BLOCK];
	uint8_t *buf = erase_up("", 8);
	struct iovec block = { buf, BLOCK };
	uint64_t most = client.info.max_write_same_blocks;
	struct srpi_io *io = srpi_get(queue);

	ck_assert_uint_gt(most, 0);
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 0, 0, &block, 0),
		-EINVAL);
	ck_assert_int_eq(srpi_prep_write_same(
				 io, client.lun, 0, 1, &block, SRPI_FUA),
		-EINVAL);
	ck_assert_int_eq(srpi_prep_write_same(
				 io, client.lun, LUN_BLOCKS - 1, 2, &block, 0),
		-ERANGE);
	if (most < LUN_BLOCKS)
		ck_assert_int_eq(srpi_prep_write_same(io, client.lun, 0,
					 (uint32_t)most + 1, &block, 0),
			-EMSGSIZE);
	block.iov_len = BLOCK - 1;
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 0, 1, &block, 0),
		-EINVAL);
	block = (struct iovec){ foreign, BLOCK };
	ck_assert_int_eq(
		srpi_prep_write_same(io, client.lun, 0, 1, &block, 0),
		-EFAULT);
	srpi_put(io);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("split_ops");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_write_protected_lun_is_known_to_be_one);
	tcase_add_test(tcase,
		a_write_protection_that_only_shows_in_the_sense_ends_the_whole);
	tcase_add_test(tcase, fua_and_dpo_reach_every_part);
	tcase_add_loop_test(
		tcase, flags_are_for_reads_and_writes_alone, 0, 2);
	tcase_add_test(tcase, a_flush_moves_nothing_and_succeeds);
	tcase_add_loop_test(tcase,
		unmapped_blocks_read_as_zeros_and_their_neighbours_as_before,
		0, NR_ERASE_KEYS);
	tcase_add_loop_test(
		tcase, an_unmap_beyond_the_limits_is_refused, 0, 2);
	tcase_add_loop_test(
		tcase, write_same_repeats_one_block, 0, 2 * NR_ERASE_KEYS);
	tcase_add_test(tcase, a_write_same_beyond_the_limits_is_refused);
	return unit_run(tcase, "split_ops");
}
