/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Commands on the medium, on ram and on a file. */
#include "tgt_test.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "target/tgt_scsi.h"
#include "wire/scsi_data.h"

static struct target *target;
static struct tgt_lun *ram;
static struct tgt_lun file_lun;
#define FILE_BYTES (4096u * 4160)

static char path[] = "/tmp/test_tgt_media.XXXXXX";

static void
open_file(uint32_t block_bytes, uint32_t flags)
{
	struct target_lun_attr attr = {
		.number = 9,
		.backend = path,
		.size_bytes = FILE_BYTES / block_bytes * block_bytes,
		.block_bytes = block_bytes,
		.flags = flags,
	};
	char reason[160] = "";

	ck_assert_msg(
		!tgt_lun_open(&file_lun, &attr, reason, sizeof(reason)), "%s",
		reason);
}

static void
setup(void)
{
	int fd;

	memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, FILE_BYTES));
	close(fd);
	target = test_target_create();
	ram = test_lun(target, 0);
	memset(ram->mem, 0xee, 1 << 20);
}

static void
teardown(void)
{
	tgt_lun_close(&file_lun);
	unlink(path);
	test_target_destroy(target);
}

static void
expect_bytes(const uint8_t *at, size_t n, uint8_t value)
{
	size_t i = 0;

	while (i < n && at[i] == value)
		i++;
	ck_assert_msg(i == n, "byte %zu is %02x, not %02x", i, at[i], value);
}

START_TEST(ranges_are_checked_without_overflow)
{
	static const struct {
		uint64_t lba;
		uint32_t blocks;
		uint16_t asc;
	} rows[] = {
		{ 0, 2048, 0 },
		{ 2048, 0, 0 },
		{ 2047, 1, 0 },
		{ 2049, 0, SCSI_ASC_LBA_OUT_OF_RANGE },
		{ 2048, 1, SCSI_ASC_LBA_OUT_OF_RANGE },
		{ 1, 2048, SCSI_ASC_LBA_OUT_OF_RANGE },
		{ UINT64_MAX, 1, SCSI_ASC_LBA_OUT_OF_RANGE },
		{ UINT64_MAX, UINT32_MAX, SCSI_ASC_LBA_OUT_OF_RANGE },
		{ 0, UINT32_MAX, SCSI_ASC_LBA_OUT_OF_RANGE },
	};
	static const uint8_t ops[] = { SCSI_OP_VERIFY_16,
		SCSI_OP_SYNCHRONIZE_CACHE_16 };
	struct scsi_cmd scsi = {
		.lba = rows[_i].lba,
		.blocks = rows[_i].blocks,
	};
	uint64_t want;
	unsigned int i;

	for (i = 0; i < sizeof(ops); i++) {
		scsi.op = ops[i];
		ck_assert_uint_eq(tgt_media_refuse(ram, &scsi, &want),
			rows[_i].asc);
	}
}
END_TEST

START_TEST(write_same_is_refused_by_rule)
{
	static const struct {
		uint32_t blocks;
		uint32_t flags;
		uint16_t lun, asc;
		uint64_t want;
	} rows[] = {
		{ 1, 0, 0, 0, 512 },
		{ 2048, SCSI_CMD_UNMAP, 0, 0, 512 },
		{ 8, SCSI_CMD_NDOB, 0, 0, 0 },
		{ 0, 0, 0, SCSI_ASC_INVALID_FIELD_IN_CDB, 0 },
		{ 8, SCSI_CMD_ANCHOR, 0, SCSI_ASC_INVALID_FIELD_IN_CDB, 0 },
		{ 8, 0, 300, SCSI_ASC_WRITE_PROTECTED, 0 },
		{ 2049, 0, 0, SCSI_ASC_LBA_OUT_OF_RANGE, 0 },
		{ 1 << 20, 0, 3, SCSI_ASC_INVALID_FIELD_IN_CDB, 0 },
	};
	struct scsi_cmd scsi = {
		.op = SCSI_OP_WRITE_SAME_16,
		.blocks = rows[_i].blocks,
		.flags = (uint16_t)rows[_i].flags,
	};
	uint64_t want;

	ck_assert_uint_eq(tgt_media_refuse(test_lun(target, rows[_i].lun),
				  &scsi, &want),
		rows[_i].asc);
	ck_assert_uint_eq(want, rows[_i].want);
}
END_TEST

START_TEST(write_same_repeats_the_block_and_nothing_else)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_WRITE_SAME_16,
		.lba = 3,
		.blocks = 5,
	};
	uint8_t block[512];

	memset(block, 0x11, sizeof(block));
	ck_assert_uint_eq(
		tgt_media_execute(ram, &scsi, block, sizeof(block)), 0);
	expect_bytes(ram->mem, 3 * 512, 0xee);
	expect_bytes(ram->mem + 3 * 512, 5 * 512, 0x11);
	expect_bytes(ram->mem + 8 * 512, 512, 0xee);
	scsi.flags = SCSI_CMD_NDOB | SCSI_CMD_UNMAP;
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, NULL, 0), 0);
	expect_bytes(ram->mem + 3 * 512, 5 * 512, 0);
	expect_bytes(ram->mem + 8 * 512, 512, 0xee);
}
END_TEST

START_TEST(write_same_with_unmap_still_writes_what_is_not_zero)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_WRITE_SAME_10,
		.blocks = 2,
		.flags = SCSI_CMD_UNMAP,
	};
	uint8_t block[512] = { [511] = 1 };

	ck_assert_uint_eq(
		tgt_media_execute(ram, &scsi, block, sizeof(block)), 0);
	ck_assert_mem_eq(ram->mem, block, 512);
	ck_assert_mem_eq(ram->mem + 512, block, 512);
}
END_TEST

static uint32_t
unmap(const struct scsi_unmap_range *ranges, uint32_t nr)
{
	static uint8_t list[SCSI_UNMAP_LIST_BYTES(40)];
	struct scsi_cmd scsi = { .op = SCSI_OP_UNMAP };
	size_t n = scsi_data_unmap_encode(ranges, nr, list, sizeof(list));

	ck_assert_uint_eq(n, SCSI_UNMAP_LIST_BYTES(nr));
	return tgt_media_execute(ram, &scsi, list, n);
}

START_TEST(unmap_zeroes_its_ranges)
{
	static const struct scsi_unmap_range ranges[] = {
		{ 0, 1 }, { 5, 0 }, { 2047, 1 }
	};

	ck_assert_uint_eq(unmap(ranges, 3), 0);
	expect_bytes(ram->mem, 512, 0);
	expect_bytes(ram->mem + 512, 2046 * 512, 0xee);
	expect_bytes(ram->mem + 2047 * 512, 512, 0);
}
END_TEST

START_TEST(unmap_does_nothing_when_one_range_is_wrong)
{
	static const struct scsi_unmap_range ranges[] = { { 0, 1 },
		{ 2047, 2 } };
	static const struct scsi_unmap_range big[] = { { 0, UINT32_MAX } };
	static struct scsi_unmap_range many[33];

	ck_assert_uint_eq(unmap(ranges, 2), 0x052100);
	ck_assert_uint_eq(unmap(big, 1), 0x052100);
	ck_assert_uint_eq(unmap(many, 33), 0x052600);
	ck_assert_uint_eq(unmap(many, 32), 0);
	expect_bytes(ram->mem, 1 << 20, 0xee);
}
END_TEST

START_TEST(unmap_refuses_a_list_that_lies_about_its_length)
{
	struct scsi_cmd scsi = { .op = SCSI_OP_UNMAP };
	uint8_t list[24] = { 0, 22, 0, 16 };

	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, list, 4), 0x051a00);
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, list, 23), 0x052600);
	list[3] = 15;
	/* a descriptor that is cut is none (SBC-3 5.28.2) */
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, list, 24), 0);
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, NULL, 0), 0);
}
END_TEST

START_TEST(verify_compares_when_asked)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_VERIFY_10,
		.lba = 1,
		.blocks = 2,
		.bytchk = 1,
	};
	uint8_t data[1024];
	uint64_t want;

	memset(data, 0xee, sizeof(data));
	ck_assert_uint_eq(tgt_media_refuse(ram, &scsi, &want), 0);
	ck_assert_uint_eq(want, 1024);
	ck_assert_uint_eq(
		tgt_media_execute(ram, &scsi, data, sizeof(data)), 0);
	data[1023] = 0;
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, data, sizeof(data)),
		0x0e1d00);
	scsi.bytchk = 3;
	memset(data, 0xee, 512);
	ck_assert_uint_eq(tgt_media_refuse(ram, &scsi, &want), 0);
	ck_assert_uint_eq(want, 512);
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, data, 512), 0);
	scsi.blocks = 0;
	ck_assert_uint_eq(tgt_media_execute(ram, &scsi, NULL, 0), 0);
	scsi.bytchk = 2;
	ck_assert_uint_eq(tgt_media_refuse(ram, &scsi, &want),
		SCSI_ASC_INVALID_FIELD_IN_CDB);
}
END_TEST

START_TEST(a_file_is_erased_and_filled_at_every_block_size)
{
	static const uint32_t sizes[] = { 512, 520, 528, 4096, 4104, 4160 };
	uint32_t n = sizes[_i];
	struct scsi_cmd scsi = {
		.op = SCSI_OP_WRITE_SAME_16,
		.lba = 1,
		.blocks = 300,
	};
	uint8_t block[4160];
	struct scsi_cmd check = {
		.op = SCSI_OP_VERIFY_16,
		.bytchk = 3,
		.lba = 1,
		.blocks = 300,
	};

	open_file(n, 0);
	ck_assert_uint_eq(file_lun.nr_blocks, 4096 * 4160 / n);
	ck_assert(file_lun.is_buffered || n % 512 == 0);
	memset(block, 0x77, sizeof(block));
	ck_assert_uint_eq(tgt_media_execute(&file_lun, &scsi, block, n), 0);
	ck_assert_uint_eq(tgt_media_execute(&file_lun, &check, block, n), 0);
	check.blocks = 301;
	ck_assert_uint_eq(
		tgt_media_execute(&file_lun, &check, block, n), 0x0e1d00);
	scsi.flags = SCSI_CMD_UNMAP | SCSI_CMD_NDOB;
	ck_assert_uint_eq(tgt_media_execute(&file_lun, &scsi, NULL, 0), 0);
	memset(block, 0, sizeof(block));
	ck_assert_uint_eq(tgt_media_execute(&file_lun, &check, block, n), 0);
}
END_TEST

START_TEST(a_lun_says_why_it_cannot_be_opened)
{
	static const struct {
		const char *backend;
		uint64_t size_bytes;
		uint32_t block_bytes, flags;
		const char *word;
	} rows[] = {
		{ "ram", 0, 512, 0, "size" },
		{ "null", 0, 512, 0, "size" },
		{ "ram", 1000, 512, 0, "whole blocks" },
		{ "ram", 1 << 20, 513, 0, "4160" },
		{ "ram", 1 << 20, 512, TARGET_LUN_NODATA, "null" },
		{ "/nonexistent/file", 0, 512, 0, "No such file" },
		{ "/dev/null", 0, 512, 0, "neither" },
		{ "/etc/passwd", 1ull << 40, 512, TARGET_LUN_RO, "needed" },
	};
	struct target_lun_attr attr = {
		.number = 1,
		.backend = rows[_i].backend,
		.size_bytes = rows[_i].size_bytes,
		.block_bytes = rows[_i].block_bytes,
		.flags = rows[_i].flags,
	};
	char reason[200] = "";

	ck_assert_int_lt(
		tgt_lun_open(&file_lun, &attr, reason, sizeof(reason)), 0);
	ck_assert_msg(strstr(reason, rows[_i].word) != NULL, "%s", reason);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tgt_media");
	TCase *tc = tcase_create("media");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, ranges_are_checked_without_overflow, 0, 9);
	tcase_add_loop_test(tc, write_same_is_refused_by_rule, 0, 8);
	tcase_add_test(tc, write_same_repeats_the_block_and_nothing_else);
	tcase_add_test(tc, write_same_with_unmap_still_writes_what_is_not_zero);
	tcase_add_test(tc, unmap_zeroes_its_ranges);
	tcase_add_test(tc, unmap_does_nothing_when_one_range_is_wrong);
	tcase_add_test(tc, unmap_refuses_a_list_that_lies_about_its_length);
	tcase_add_test(tc, verify_compares_when_asked);
	tcase_add_loop_test(
		tc, a_file_is_erased_and_filled_at_every_block_size, 0, 6);
	tcase_add_loop_test(tc, a_lun_says_why_it_cannot_be_opened, 0, 8);
	suite_add_tcase(suite, tc);
	return test_run(suite);
}
