/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* CDBs against bytes written down from SPC-4 and SBC-3. */
#include "wire/scsi_cdb.h"
#include "wire_test.h"

#define LBA32 0x12, 0x34, 0x56, 0x78
#define LBA64 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08

/* Every command with every field in use. */
static const struct {
	struct scsi_cmd cmd;
	uint8_t cdb[SCSI_CDB_BYTES];
	enum scsi_dir dir;
} CASES[] = {
	{ { .op = 0x00, .cdb_len = 6, .flags = SCSI_CMD_NACA },
		{ 0x00, 0, 0, 0, 0, 0x04 }, SCSI_DIR_NONE },
	{ { .op = 0x03, .cdb_len = 6, .flags = SCSI_CMD_DESC, .alloc_len = 252 },
		{ 0x03, 0x01, 0, 0, 252 }, SCSI_DIR_IN },
	{ { .op = 0x08, .cdb_len = 6, .lba = 0x1f2233, .blocks = 256 },
		{ 0x08, 0x1f, 0x22, 0x33, 0 }, SCSI_DIR_IN },
	{ { .op = 0x0a, .cdb_len = 6, .lba = 1, .blocks = 255 },
		{ 0x0a, 0, 0, 1, 255 }, SCSI_DIR_OUT },
	{ { .op = 0x12, .cdb_len = 6, .alloc_len = 36 },
		{ 0x12, 0, 0, 0, 36 }, SCSI_DIR_IN },
	{ { .op = 0x12, .cdb_len = 6, .flags = SCSI_CMD_EVPD, .page = 0xb0,
		  .alloc_len = 0x1234 },
		{ 0x12, 0x01, 0xb0, 0x12, 0x34 }, SCSI_DIR_IN },
	{ { .op = 0x1a, .cdb_len = 6, .flags = SCSI_CMD_DBD, .page = 0x3f,
		  .page_control = 2, .subpage = 0xff, .alloc_len = 192 },
		{ 0x1a, 0x08, 0xbf, 0xff, 192 }, SCSI_DIR_IN },
	{ { .op = 0x1b, .cdb_len = 6, .page = 0xa, .subpage = 0x5,
		  .flags = SCSI_CMD_IMMED | SCSI_CMD_START | SCSI_CMD_LOEJ |
			  SCSI_CMD_NO_FLUSH },
		{ 0x1b, 0x01, 0, 0x05, 0xa7 }, SCSI_DIR_NONE },
	{ { .op = 0x25, .cdb_len = 10, .lba = 0x12345678,
		  .flags = SCSI_CMD_PMI },
		{ 0x25, 0, LBA32, 0, 0, 0x01 }, SCSI_DIR_IN },
	{ { .op = 0x28, .cdb_len = 10, .lba = 0x12345678, .blocks = 0xabcd,
		  .protect = 5, .group = 0x1f,
		  .flags = SCSI_CMD_DPO | SCSI_CMD_FUA | SCSI_CMD_NACA },
		{ 0x28, 0xb8, LBA32, 0x1f, 0xab, 0xcd, 0x04 }, SCSI_DIR_IN },
	{ { .op = 0x2a, .cdb_len = 10, .lba = 0x12345678, .blocks = 1,
		  .flags = SCSI_CMD_FUA },
		{ 0x2a, 0x08, LBA32, 0, 0, 1 }, SCSI_DIR_OUT },
	{ { .op = 0x2f, .cdb_len = 10, .lba = 0x12345678, .blocks = 2,
		  .bytchk = 3, .protect = 1, .flags = SCSI_CMD_DPO },
		{ 0x2f, 0x36, LBA32, 0, 0, 2 }, SCSI_DIR_OUT },
	{ { .op = 0x2f, .cdb_len = 10, .blocks = 2 },
		{ 0x2f, 0, 0, 0, 0, 0, 0, 0, 2 }, SCSI_DIR_NONE },
	{ { .op = 0x35, .cdb_len = 10, .lba = 0x12345678, .blocks = 0x1000,
		  .group = 1, .flags = SCSI_CMD_IMMED },
		{ 0x35, 0x02, LBA32, 0x01, 0x10, 0 }, SCSI_DIR_NONE },
	{ { .op = 0x41, .cdb_len = 10, .lba = 0x12345678, .blocks = 0x0800,
		  .protect = 1, .flags = SCSI_CMD_UNMAP | SCSI_CMD_ANCHOR },
		{ 0x41, 0x38, LBA32, 0, 0x08, 0 }, SCSI_DIR_OUT },
	{ { .op = 0x42, .cdb_len = 10, .alloc_len = 24, .group = 2,
		  .flags = SCSI_CMD_ANCHOR },
		{ 0x42, 0x01, 0, 0, 0, 0, 0x02, 0, 24 }, SCSI_DIR_OUT },
	{ { .op = 0x5a, .cdb_len = 10, .page = 0x08, .subpage = 1,
		  .page_control = 3, .alloc_len = 0x1234,
		  .flags = SCSI_CMD_DBD | SCSI_CMD_LLBAA },
		{ 0x5a, 0x18, 0xc8, 0x01, 0, 0, 0, 0x12, 0x34 }, SCSI_DIR_IN },
	{ { .op = 0x88, .cdb_len = 16, .lba = 0x0102030405060708,
		  .blocks = 0x11223344, .protect = 7, .group = 3,
		  .flags = SCSI_CMD_DPO | SCSI_CMD_FUA | SCSI_CMD_NACA },
		{ 0x88, 0xf8, LBA64, 0x11, 0x22, 0x33, 0x44, 3, 0x04 },
		SCSI_DIR_IN },
	{ { .op = 0x8a, .cdb_len = 16, .lba = 0x0102030405060708,
		  .blocks = 8 },
		{ 0x8a, 0, LBA64, 0, 0, 0, 8 }, SCSI_DIR_OUT },
	{ { .op = 0x8f, .cdb_len = 16, .lba = 0x0102030405060708, .blocks = 8,
		  .bytchk = 1 },
		{ 0x8f, 0x02, LBA64, 0, 0, 0, 8 }, SCSI_DIR_OUT },
	{ { .op = 0x91, .cdb_len = 16, .lba = 0x0102030405060708, .blocks = 8,
		  .flags = SCSI_CMD_IMMED },
		{ 0x91, 0x02, LBA64, 0, 0, 0, 8 }, SCSI_DIR_NONE },
	{ { .op = 0x93, .cdb_len = 16, .lba = 0x0102030405060708, .blocks = 8,
		  .flags = SCSI_CMD_UNMAP },
		{ 0x93, 0x08, LBA64, 0, 0, 0, 8 }, SCSI_DIR_OUT },
	{ { .op = 0x93, .cdb_len = 16, .lba = 0x0102030405060708, .blocks = 8,
		  .flags = SCSI_CMD_UNMAP | SCSI_CMD_ANCHOR | SCSI_CMD_NDOB },
		{ 0x93, 0x19, LBA64, 0, 0, 0, 8 }, SCSI_DIR_NONE },
	{ { .op = 0x9e, .action = 0x10, .cdb_len = 16,
		  .lba = 0x0102030405060708, .alloc_len = 32,
		  .flags = SCSI_CMD_PMI },
		{ 0x9e, 0x10, LBA64, 0, 0, 0, 32, 1 }, SCSI_DIR_IN },
	{ { .op = 0xa0, .cdb_len = 12, .page = 2, .alloc_len = 0x00010008 },
		{ 0xa0, 0, 2, 0, 0, 0, 0, 1, 0, 8 }, SCSI_DIR_IN },
	{ { .op = 0xa8, .cdb_len = 12, .lba = 0x12345678,
		  .blocks = 0x11223344, .group = 4, .flags = SCSI_CMD_DPO },
		{ 0xa8, 0x10, LBA32, 0x11, 0x22, 0x33, 0x44, 4 }, SCSI_DIR_IN },
	{ { .op = 0xaa, .cdb_len = 12, .lba = 0x12345678,
		  .blocks = 0x11223344, .protect = 1 },
		{ 0xaa, 0x20, LBA32, 0x11, 0x22, 0x33, 0x44 }, SCSI_DIR_OUT },
};

static void
check_same(const struct scsi_cmd *a, const struct scsi_cmd *b)
{
	ck_assert_uint_eq(a->op, b->op);
	ck_assert_uint_eq(a->action, b->action);
	ck_assert_uint_eq(a->cdb_len, b->cdb_len);
	ck_assert_uint_eq(a->page, b->page);
	ck_assert_uint_eq(a->subpage, b->subpage);
	ck_assert_uint_eq(a->page_control, b->page_control);
	ck_assert_uint_eq(a->protect, b->protect);
	ck_assert_uint_eq(a->bytchk, b->bytchk);
	ck_assert_uint_eq(a->group, b->group);
	ck_assert_uint_eq(a->flags, b->flags);
	ck_assert_uint_eq(a->blocks, b->blocks);
	ck_assert_uint_eq(a->alloc_len, b->alloc_len);
	ck_assert_uint_eq(a->lba, b->lba);
}

START_TEST(every_command_is_coded_both_ways)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++) {
		size_t len = CASES[i].cmd.cdb_len;
		uint8_t *cdb = heap_copy(CASES[i].cdb, len);
		uint8_t out[SCSI_CDB_BYTES];
		struct scsi_cmd cmd;

		ck_assert_int_eq(scsi_cdb_decode(cdb, len, &cmd), 0);
		check_same(&cmd, &CASES[i].cmd);
		ck_assert_int_eq(scsi_cdb_encode(&CASES[i].cmd, out), len);
		ck_assert_mem_eq(out, CASES[i].cdb, SCSI_CDB_BYTES);
		ck_assert_uint_eq(scsi_cdb_dir(&cmd), CASES[i].dir);
		free(cdb);
	}
}
END_TEST

/* As SRP delivers them: 16 bytes, which takes the short way for READ. */
START_TEST(every_command_is_decoded_from_16_bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++) {
		uint8_t *cdb = heap_copy(CASES[i].cdb, SCSI_CDB_BYTES);
		struct scsi_cmd cmd;

		ck_assert_int_eq(scsi_cdb_decode(cdb, SCSI_CDB_BYTES, &cmd), 0);
		check_same(&cmd, &CASES[i].cmd);
		free(cdb);
	}
}
END_TEST

START_TEST(decode_refuses_every_shorter_length)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++)
		for (size_t n = 0; n < CASES[i].cmd.cdb_len; n++) {
			uint8_t *cdb = heap_copy(CASES[i].cdb, n);
			struct scsi_cmd cmd;

			ck_assert_int_eq(scsi_cdb_decode(cdb, n, &cmd),
				-EINVAL);
			ck_assert_uint_eq(cmd.blocks, 0);
			free(cdb);
		}
}
END_TEST

START_TEST(commands_without_a_row_are_not_supported)
{
	static const uint8_t ops[] = { 0x01, 0x04, 0x16, 0x5f, 0x7f, 0x83, 0x89,
		0xa3, 0xc0, 0xff };
	uint8_t *cdb = heap_fill(0, 16);
	struct scsi_cmd cmd;

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		cdb[0] = ops[i];
		ck_assert_int_eq(scsi_cdb_decode(cdb, 16, &cmd), -EOPNOTSUPP);
		ck_assert_uint_eq(cmd.op, ops[i]);
		ck_assert_uint_eq(scsi_cdb_dir(&cmd), SCSI_DIR_NONE);
	}
	cdb[0] = 0x9e;
	cdb[1] = 0xf2;	/* GET LBA STATUS, reserved bits set */
	ck_assert_int_eq(scsi_cdb_decode(cdb, 16, &cmd), -EOPNOTSUPP);
	ck_assert_uint_eq(cmd.action, 0x12);
	free(cdb);
}
END_TEST

START_TEST(reserved_bits_are_ignored)
{
	static const uint8_t cdb[16] = { 0x28, 0x07, 0, 0, 0, 1, 0xe0, 0, 1,
		0xfb };
	struct scsi_cmd cmd;

	for (size_t n = 10; n <= 16; n += 6) {
		ck_assert_int_eq(scsi_cdb_decode(cdb, n, &cmd), 0);
		ck_assert_uint_eq(cmd.flags, 0);
		ck_assert_uint_eq(cmd.group, 0);
		ck_assert_uint_eq(cmd.lba, 1);
	}
}
END_TEST

START_TEST(encode_refuses_what_does_not_fit)
{
	static const struct scsi_cmd bad[] = {
		{ .op = SCSI_OP_READ_6, .lba = 0x200000, .blocks = 1 },
		{ .op = SCSI_OP_READ_6, .blocks = 257 },
		{ .op = SCSI_OP_READ_6, .blocks = 0 },
		{ .op = SCSI_OP_WRITE_6, .blocks = 1, .flags = SCSI_CMD_FUA },
		{ .op = SCSI_OP_READ_10, .lba = 0x100000000 },
		{ .op = SCSI_OP_READ_10, .blocks = 0x10000 },
		{ .op = SCSI_OP_READ_12, .lba = 0x100000000 },
		{ .op = SCSI_OP_READ_16, .group = 32 },
		{ .op = SCSI_OP_READ_16, .protect = 8 },
		{ .op = SCSI_OP_READ_16, .alloc_len = 1 },
		{ .op = SCSI_OP_READ_10, .flags = SCSI_CMD_UNMAP },
		{ .op = SCSI_OP_INQUIRY, .alloc_len = 0x10000 },
		{ .op = SCSI_OP_MODE_SENSE_6, .alloc_len = 256 },
		{ .op = SCSI_OP_MODE_SENSE_6, .page = 0x40 },
		{ .op = SCSI_OP_WRITE_SAME_10, .flags = SCSI_CMD_NDOB },
		{ .op = SCSI_OP_UNMAP, .alloc_len = 0x10000 },
	};
	static const uint8_t zero[SCSI_CDB_BYTES];
	uint8_t cdb[SCSI_CDB_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(scsi_cdb_encode(&bad[i], cdb), -ERANGE);
		ck_assert_mem_eq(cdb, zero, sizeof(cdb));
	}
	ck_assert_int_eq(scsi_cdb_encode(&(struct scsi_cmd){ .op = 0x5f }, cdb),
		-EOPNOTSUPP);
	ck_assert_int_eq(scsi_cdb_encode(&(struct scsi_cmd){ .op = 0x9e }, cdb),
		-EOPNOTSUPP);
}
END_TEST

START_TEST(rw_takes_10_bytes_where_they_do)
{
	static const struct {
		uint64_t lba;
		uint32_t blocks;
		unsigned int len;
		uint8_t op;
	} cases[] = {
		{ 0, 0, 10, 0x28 },
		{ 0xffffffff, 0xffff, 10, 0x28 },
		{ 0x100000000, 1, 16, 0x88 },
		{ 0, 0x10000, 16, 0x88 },
		{ UINT64_MAX, UINT32_MAX, 16, 0x88 },
	};
	uint8_t cdb[SCSI_CDB_BYTES];
	struct scsi_cmd cmd;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (unsigned int flags = 0; flags < 4; flags++) {
			bool write = flags & 1;

			memset(cdb, 0xee, sizeof(cdb));
			ck_assert_uint_eq(scsi_cdb_rw(cdb, write, cases[i].lba,
						  cases[i].blocks, flags),
				cases[i].len);
			ck_assert_int_eq(scsi_cdb_decode(cdb, 16, &cmd), 0);
			ck_assert_uint_eq(cmd.op,
				cases[i].op | (write ? 2 : 0));
			ck_assert_uint_eq(cmd.lba, cases[i].lba);
			ck_assert_uint_eq(cmd.blocks, cases[i].blocks);
			ck_assert_uint_eq(cmd.flags, flags);
		}
}
END_TEST

START_TEST(rw_bytes_are_the_standards)
{
	static const uint8_t read[16] = { 0x28, 0x08, LBA32, 0, 0, 8 };
	static const uint8_t write[16] = { 0x8a, 0x10, LBA64, 0, 0, 0, 8 };
	uint8_t cdb[SCSI_CDB_BYTES];

	scsi_cdb_rw(cdb, false, 0x12345678, 8, SCSI_CMD_FUA);
	ck_assert_mem_eq(cdb, read, 16);
	scsi_cdb_rw(cdb, true, 0x0102030405060708, 8, SCSI_CMD_DPO);
	ck_assert_mem_eq(cdb, write, 16);
}
END_TEST

START_TEST(short_forms_are_the_standards)
{
#define CHECK_SHORT(length, call, ...)                                         \
	do {                                                                   \
		static const uint8_t want[16] = { __VA_ARGS__ };               \
		uint8_t cdb[SCSI_CDB_BYTES];                                   \
		memset(cdb, 0xee, sizeof(cdb));                                \
		ck_assert_uint_eq(call, length);                               \
		ck_assert_mem_eq(cdb, want, sizeof(cdb));                      \
	} while (0)
	CHECK_SHORT(6, scsi_cdb_test_unit_ready(cdb), 0);
	CHECK_SHORT(6, scsi_cdb_request_sense(cdb, true, 252), 3, 1, 0, 0, 252);
	CHECK_SHORT(6, scsi_cdb_inquiry(cdb, 96), 0x12, 0, 0, 0, 96);
	CHECK_SHORT(6, scsi_cdb_inquiry_vpd(cdb, 0x83, 1024), 0x12, 1, 0x83, 4);
	CHECK_SHORT(10, scsi_cdb_read_capacity_10(cdb), 0x25);
	CHECK_SHORT(16, scsi_cdb_read_capacity_16(cdb, 32), 0x9e, 0x10, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 32);
	CHECK_SHORT(12, scsi_cdb_report_luns(cdb, 4096), 0xa0, 0, 0, 0, 0, 0, 0,
		0, 0x10);
	CHECK_SHORT(6, scsi_cdb_mode_sense_6(cdb, 0x3f, 192), 0x1a, 0, 0x3f, 0,
		192);
	CHECK_SHORT(10, scsi_cdb_mode_sense_10(cdb, 8, 256), 0x5a, 0, 8, 0, 0,
		0, 0, 1);
	CHECK_SHORT(6, scsi_cdb_start_stop(cdb, true, false), 0x1b, 0, 0, 0, 1);
	CHECK_SHORT(10, scsi_cdb_sync_cache(cdb, 0, 0, false), 0x35);
	CHECK_SHORT(16, scsi_cdb_sync_cache(cdb, 0, 0x10000, true), 0x91, 2, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 1);
	CHECK_SHORT(10, scsi_cdb_unmap(cdb, 24), 0x42, 0, 0, 0, 0, 0, 0, 0, 24);
	CHECK_SHORT(10, scsi_cdb_write_same(cdb, 1, 2, SCSI_CMD_UNMAP), 0x41, 8,
		0, 0, 0, 1, 0, 0, 2);
	CHECK_SHORT(16, scsi_cdb_write_same(cdb, 1, 2, SCSI_CMD_NDOB), 0x93, 1,
		0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2);
	CHECK_SHORT(10, scsi_cdb_verify(cdb, 1, 2, 1), 0x2f, 2, 0, 0, 0, 1, 0,
		0, 2);
	CHECK_SHORT(16, scsi_cdb_verify(cdb, 0x100000000, 2, 0), 0x8f, 0, 0, 0,
		0, 1, 0, 0, 0, 0, 0, 0, 0, 2);
#undef CHECK_SHORT
}
END_TEST

START_TEST(cdb_length_follows_the_group)
{
	ck_assert_uint_eq(scsi_cdb_len(0x12), 6);
	ck_assert_uint_eq(scsi_cdb_len(0x28), 10);
	ck_assert_uint_eq(scsi_cdb_len(0x5f), 10);
	ck_assert_uint_eq(scsi_cdb_len(0x7f), 0);
	ck_assert_uint_eq(scsi_cdb_len(0x88), 16);
	ck_assert_uint_eq(scsi_cdb_len(0xa0), 12);
	ck_assert_uint_eq(scsi_cdb_len(0xff), 0);
}
END_TEST

START_TEST(names_come_with_any_length)
{
	static const uint8_t capacity[16] = { 0x9e, 0x10 };
	uint8_t *cdb = heap_fill(0x28, 1);
	char text[64], tiny[4];

	scsi_cdb_name(cdb, 1, text, sizeof(text));
	ck_assert_str_eq(text, "Read(10)");
	scsi_cdb_name(cdb, 1, tiny, sizeof(tiny));
	ck_assert_str_eq(tiny, "Rea");
	scsi_cdb_name(capacity, 16, text, sizeof(text));
	ck_assert_str_eq(text, "Read capacity(16)");
	for (unsigned int op = 0; op < 256; op++) {
		cdb[0] = (uint8_t)op;
		scsi_cdb_name(cdb, 1, text, sizeof(text));
		ck_assert_uint_gt(strlen(text), 0);
	}
	free(cdb);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		every_command_is_coded_both_ways,
		every_command_is_decoded_from_16_bytes,
		decode_refuses_every_shorter_length,
		commands_without_a_row_are_not_supported,
		reserved_bits_are_ignored,
		encode_refuses_what_does_not_fit,
		rw_takes_10_bytes_where_they_do,
		rw_bytes_are_the_standards,
		short_forms_are_the_standards,
		cdb_length_follows_the_group,
		names_come_with_any_length,
	};

	return run_suite("scsi_cdb", tests, ARRAY_SIZE(tests));
}
