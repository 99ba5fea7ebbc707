/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* SRP_CMD against bytes written down from the standard's tables. */
#include "wire/srp_iu.h"
#include "wire_test.h"

static const struct scsi_lun LUN = { { 0x40, 0x05, 0, 0, 0, 0, 0, 0 } };

/* READ(10) of 8 blocks at 0x12345678 into one buffer. */
#define CMD_HEAD(fmt, out, in, add)                                            \
	0x02, 0, 0, 0, 0, fmt, out, in, 1, 2, 3, 4, 5, 6, 7, 8,		       \
		0, 0, 0, 0, 0x40, 0x05, 0, 0, 0, 0, 0, 0,		       \
		0, 0, 0, add
#define READ_10                                                                \
	0x28, 0, 0x12, 0x34, 0x56, 0x78, 0, 0x00, 0x08, 0, 0, 0, 0, 0, 0, 0
#define DESC_A                                                                 \
	0x7f, 0, 0, 0, 0, 0, 0x10, 0, 0xde, 0xad, 0xbe, 0xef, 0, 0, 0x10, 0
#define DESC_B                                                                 \
	0x7f, 0, 0, 0, 0, 1, 0x00, 0, 0xde, 0xad, 0xbe, 0xee, 0, 0, 0x02, 0

static const uint8_t CMD_DIRECT[64] = { CMD_HEAD(0x01, 0, 0, 0), READ_10,
	DESC_A };

START_TEST(command_with_one_descriptor_is_built_in_a_template)
{
	uint8_t *iu = heap_fill(0xee, 64);
	uint8_t *cdb;

	srp_iu_cmd_init(iu, 0x0102030405060708);
	cdb = srp_iu_cmd_begin(iu, &LUN);
	ck_assert_uint_eq(scsi_cdb_rw(cdb, false, 0x12345678, 8, 0), 10);
	ck_assert_uint_eq(srp_iu_cmd_direct(iu, SCSI_DIR_IN, 0x7f00000000001000,
				  0xdeadbeef, 4096), 64);
	ck_assert_mem_eq(iu, CMD_DIRECT, 64);
	ck_assert_uint_eq(srp_iu_cmd_bytes(SRP_DESC_DIRECT, 1, 10), 64);
	free(iu);
}
END_TEST

START_TEST(command_template_takes_every_form_in_turn)
{
	static const uint8_t no_data[48] = { CMD_HEAD(0, 0, 0, 0), 0 };
	uint8_t *iu = heap_fill(0xee, 100);
	struct srp_direct_buf *table;

	srp_iu_cmd_init(iu, 0x0102030405060708);
	memset(srp_iu_cmd_begin(iu, &LUN), 0, 16);
	table = srp_iu_cmd_table(iu);
	srp_iu_desc_set(&table[0], 0x10, 1, 0x1000);
	srp_iu_desc_set(&table[1], 0x20, 2, 0x200);
	ck_assert_uint_eq(srp_iu_cmd_indirect(iu, SCSI_DIR_OUT, 2, 0x1200,
				  0x9000, 7), 100);
	memset(srp_iu_cmd_begin(iu, &LUN), 0, 16);
	ck_assert_uint_eq(srp_iu_cmd_imm(iu, 68, 512), 68);
	ck_assert_uint_eq(iu[5], 0x30);
	ck_assert_uint_eq(iu[6], 0);
	memset(srp_iu_cmd_begin(iu, &LUN), 0, 16);
	ck_assert_uint_eq(srp_iu_cmd_direct(iu, SCSI_DIR_OUT, 1, 2, 3), 64);
	ck_assert_uint_eq(iu[5], 0x10);
	memset(srp_iu_cmd_begin(iu, &LUN), 0, 16);
	ck_assert_uint_eq(srp_iu_cmd_no_data(iu), 48);
	ck_assert_mem_eq(iu, no_data, 48);
	srp_iu_cmd_set_tag(iu, 0xff);
	srp_iu_cmd_set_task_attr(iu, SCSI_TASK_ORDERED);
	ck_assert_uint_eq(get_be64(iu + 8), 0xff);
	ck_assert_uint_eq(iu[29], 2);
	free(iu);
}
END_TEST

START_TEST(command_with_one_descriptor_is_decoded)
{
	uint8_t *iu = heap_copy(CMD_DIRECT, 64);
	struct srp_iu_cmd cmd;
	struct srp_iu_desc d;

	ck_assert_int_eq(srp_iu_cmd_decode(iu, 64, 0, &cmd), 0);
	ck_assert_uint_eq(cmd.tag, 0x0102030405060708);
	ck_assert_mem_eq(&cmd.lun, &LUN, 8);
	ck_assert_uint_eq(cmd.task_attr, SCSI_TASK_SIMPLE);
	ck_assert_uint_eq(cmd.fmt, SRP_DESC_DIRECT);
	ck_assert_uint_eq(cmd.dir, SCSI_DIR_IN);
	ck_assert_ptr_eq(cmd.cdb, iu + 32);
	ck_assert_uint_eq(cmd.cdb_len, 16);
	ck_assert_uint_eq(cmd.data_len, 4096);
	ck_assert_uint_eq(cmd.nr_descs, 1);
	d = srp_iu_cmd_get_desc(&cmd, 0);
	ck_assert_uint_eq(d.va, 0x7f00000000001000);
	ck_assert_uint_eq(d.rkey, 0xdeadbeef);
	ck_assert_uint_eq(d.len, 4096);
	free(iu);
}
END_TEST

START_TEST(command_without_data_is_48_bytes)
{
	static const uint8_t bytes[48] = { CMD_HEAD(0, 0, 0, 3), 0x00 };
	uint8_t *iu = heap_copy(bytes, 48);
	struct srp_iu_cmd cmd;

	/* The low two bits of the additional length are reserved. */
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 48, 0, &cmd), 0);
	ck_assert_uint_eq(cmd.dir, SCSI_DIR_NONE);
	ck_assert_uint_eq(cmd.cdb_len, 16);
	ck_assert_uint_eq(cmd.data_len, 0);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 47, 0, &cmd), -EMSGSIZE);
	ck_assert_ptr_null(cmd.cdb);
	iu[0] = SRP_OP_TSK_MGMT;
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 48, 0, &cmd), -EPROTO);
	free(iu);
}
END_TEST

START_TEST(command_cut_in_its_descriptor_is_refused_with_its_tag)
{
	uint8_t *iu = heap_copy(CMD_DIRECT, 63);
	struct srp_iu_cmd cmd;

	for (size_t n = 48; n < 64; n++) {
		ck_assert_int_eq(srp_iu_cmd_decode(iu, n, 0, &cmd), -EBADMSG);
		ck_assert_uint_eq(cmd.tag, 0x0102030405060708);
		ck_assert_mem_eq(&cmd.lun, &LUN, 8);
		ck_assert_uint_eq(cmd.nr_descs, 0);
	}
	free(iu);
}
END_TEST

START_TEST(additional_cdb_moves_the_descriptor)
{
	uint8_t cdb[32], *iu = heap_fill(0xee, 80);
	struct srp_iu_cmd cmd;

	for (size_t i = 0; i < sizeof(cdb); i++)
		cdb[i] = (uint8_t)(0x7f + i);
	srp_iu_cmd_init(iu, 5);
	ck_assert_int_eq(srp_iu_cmd_begin_cdb(iu, &LUN, cdb, 30), 0);
	ck_assert_uint_eq(iu[31], 16);
	ck_assert_ptr_eq(srp_iu_cmd_desc(iu), iu + 64);
	ck_assert_uint_eq(srp_iu_cmd_direct(iu, SCSI_DIR_IN, 1, 2, 3), 80);
	ck_assert_mem_eq(iu + 32, cdb, 30);
	ck_assert_uint_eq(iu[62] | iu[63], 0);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 80, 0, &cmd), 0);
	ck_assert_uint_eq(cmd.cdb_len, 32);
	ck_assert_uint_eq(cmd.data_len, 3);
	ck_assert_ptr_eq(cmd.descs, iu + 64);
	ck_assert_uint_eq(srp_iu_cmd_bytes(SRP_DESC_DIRECT, 1, 30), 80);
	/* The additional CDB does not fit what arrived. */
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 63, 0, &cmd), -EBADMSG);
	ck_assert_uint_eq(cmd.tag, 5);
	free(iu);
}
END_TEST

START_TEST(cdb_lengths_out_of_range_are_refused)
{
	uint8_t *iu = heap_fill(0, 48 + 244);
	uint8_t cdb[261] = { 0x7f };

	srp_iu_cmd_init(iu, 5);
	ck_assert_int_eq(srp_iu_cmd_begin_cdb(iu, &LUN, cdb, 0), -EINVAL);
	ck_assert_int_eq(srp_iu_cmd_begin_cdb(iu, &LUN, cdb, 261), -EINVAL);
	ck_assert_int_eq(srp_iu_cmd_begin_cdb(iu, &LUN, cdb, 260), 0);
	ck_assert_uint_eq(iu[31], 244);
	ck_assert_int_eq(srp_iu_cmd_begin_cdb(iu, &LUN, cdb, 6), 0);
	ck_assert_uint_eq(iu[31], 0);
	free(iu);
}
END_TEST

static const uint8_t CMD_INDIRECT[100] = {
	CMD_HEAD(0x20, 2, 0, 0), READ_10,
	0, 0, 0, 0, 0, 0, 0x90, 68, 0, 0, 0, 7, 0, 0, 0, 32,	/* the table */
	0, 0, 0x12, 0,						/* in all */
	DESC_A, DESC_B
};

START_TEST(indirect_table_is_coded_both_ways)
{
	uint8_t *iu = heap_fill(0xee, 100);
	struct srp_direct_buf *table;
	struct srp_iu_cmd cmd;

	srp_iu_cmd_init(iu, 0x0102030405060708);
	scsi_cdb_rw(srp_iu_cmd_begin(iu, &LUN), false, 0x12345678, 8, 0);
	table = srp_iu_cmd_table(iu);
	srp_iu_desc_set(&table[0], 0x7f00000000001000, 0xdeadbeef, 0x1000);
	srp_iu_desc_set(&table[1], 0x7f00000000010000, 0xdeadbeee, 0x200);
	ck_assert_uint_eq(srp_iu_cmd_indirect(iu, SCSI_DIR_OUT, 2, 0x1200,
				  0x9000, 7), 100);
	ck_assert_mem_eq(iu, CMD_INDIRECT, 100);
	ck_assert_uint_eq(srp_iu_cmd_bytes(SRP_DESC_INDIRECT, 2, 16), 100);

	ck_assert_int_eq(srp_iu_cmd_decode(iu, 100, 0, &cmd), 0);
	ck_assert_uint_eq(cmd.fmt, SRP_DESC_INDIRECT);
	ck_assert_uint_eq(cmd.dir, SCSI_DIR_OUT);
	ck_assert_uint_eq(cmd.nr_descs, 2);
	ck_assert_uint_eq(cmd.data_len, 0x1200);
	ck_assert_uint_eq(srp_iu_cmd_get_desc(&cmd, 1).rkey, 0xdeadbeee);
	free(iu);
}
END_TEST

START_TEST(indirect_table_takes_255_descriptors_and_data_in)
{
	size_t n = srp_iu_cmd_bytes(SRP_DESC_INDIRECT, 255, 16);
	uint8_t *iu = heap_fill(0, n);
	struct srp_iu_cmd cmd;

	ck_assert_uint_eq(n, 48 + 20 + 255 * 16);
	srp_iu_cmd_init(iu, 1);
	for (unsigned int i = 0; i < 255; i++)
		srp_iu_desc_set(&srp_iu_cmd_table(iu)[i], i, i, 4096);
	ck_assert_uint_eq(srp_iu_cmd_indirect(iu, SCSI_DIR_IN, 255, 255 * 4096,
				  0, 0), n);
	ck_assert_uint_eq(iu[5], 0x02);
	ck_assert_uint_eq(iu[6], 0);
	ck_assert_uint_eq(iu[7], 255);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, n, 0, &cmd), 0);
	ck_assert_uint_eq(cmd.nr_descs, 255);
	ck_assert_uint_eq(cmd.dir, SCSI_DIR_IN);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, n - 1, 0, &cmd), -EBADMSG);
	free(iu);
}
END_TEST

static void
refuse_changed(const uint8_t *good, size_t n, size_t at, uint8_t value)
{
	uint8_t *iu = heap_copy(good, n);
	struct srp_iu_cmd cmd;

	iu[at] = value;
	ck_assert_msg(srp_iu_cmd_decode(iu, n, 68, &cmd) == -EBADMSG,
		"byte %zu = %u was taken", at, value);
	ck_assert_uint_eq(cmd.tag, 0x0102030405060708);
	ck_assert_ptr_null(cmd.descs);
	ck_assert_ptr_null(cmd.imm);
	free(iu);
}

START_TEST(indirect_tables_that_contradict_themselves_are_refused)
{
	refuse_changed(CMD_INDIRECT, 100, 6, 1);	/* part in the IU */
	refuse_changed(CMD_INDIRECT, 100, 6, 0);
	refuse_changed(CMD_INDIRECT, 100, 63, 0);	/* empty table */
	refuse_changed(CMD_INDIRECT, 100, 63, 31);	/* half descriptor */
	refuse_changed(CMD_INDIRECT, 100, 63, 48);	/* more than counted */
	refuse_changed(CMD_INDIRECT, 100, 60, 0xff);	/* huge */
	refuse_changed(CMD_INDIRECT, 100, 67, 1);	/* total length */
	refuse_changed(CMD_INDIRECT, 100, 83, 1);	/* a length */
	refuse_changed(CMD_INDIRECT, 100, 80, 0xff);
	refuse_changed(CMD_INDIRECT, 99, 0, 0x02);	/* a byte less */
	refuse_changed(CMD_INDIRECT, 67, 0, 0x02);
	refuse_changed(CMD_INDIRECT, 100, 5, 0x02);	/* other direction */
}
END_TEST

/* Lengths of 2^31 each: their 32-bit sum would be 0. */
START_TEST(indirect_lengths_are_summed_without_overflow)
{
	uint8_t *iu = heap_copy(CMD_INDIRECT, 100);
	struct srp_iu_cmd cmd;

	put_be32(iu + 64, 0);
	put_be32(iu + 80, 0x80000000);
	put_be32(iu + 96, 0x80000000);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 100, 0, &cmd), -EBADMSG);
	free(iu);
}
END_TEST

static const uint8_t CMD_IMM[68 + 4] = {
	CMD_HEAD(0x30, 0, 0, 0), 0x2a, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
	0, 0,
	0, 0, 0, 4,					/* length */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* up to 68 */
	'd', 'a', 't', 'a'
};

START_TEST(immediate_data_lies_at_the_granted_offset)
{
	uint8_t *iu = heap_fill(0xee, 72);
	struct srp_iu_cmd cmd;

	srp_iu_cmd_init(iu, 0x0102030405060708);
	scsi_cdb_rw(srp_iu_cmd_begin(iu, &LUN), true, 0, 1, 0);
	ck_assert_uint_eq(srp_iu_cmd_imm(iu, 68, 4), 68);
	memcpy(iu + 68, "data", 4);
	ck_assert_mem_eq(iu, CMD_IMM, 72);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 72, 68, &cmd), 0);
	ck_assert_uint_eq(cmd.fmt, SRP_DESC_IMM);
	ck_assert_uint_eq(cmd.dir, SCSI_DIR_OUT);
	ck_assert_uint_eq(cmd.data_len, 4);
	ck_assert_ptr_eq(cmd.imm, iu + 68);
	ck_assert_uint_eq(srp_iu_cmd_bytes(SRP_DESC_IMM, 0, 16), 52);
	free(iu);
}
END_TEST

START_TEST(immediate_data_that_may_not_be_is_refused)
{
	uint8_t *iu = heap_copy(CMD_IMM, 72);
	struct srp_iu_cmd cmd;

	refuse_changed(CMD_IMM, 72, 51, 5);	/* longer than what came */
	refuse_changed(CMD_IMM, 72, 48, 0xff);
	refuse_changed(CMD_IMM, 72, 5, 0x03);	/* data-in */
	refuse_changed(CMD_IMM, 51, 0, 0x02);	/* half a descriptor */
	refuse_changed(CMD_IMM, 67, 51, 0);	/* ends before the offset */
	refuse_changed(CMD_IMM, 72, 31, 20);	/* descriptor past the offset */
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 72, 0, &cmd), -EBADMSG);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 72, 51, &cmd), -EBADMSG);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 72, 52, &cmd), 0);
	ck_assert_int_eq(srp_iu_cmd_decode(iu, 72, UINT32_MAX, &cmd), -EBADMSG);
	ck_assert_uint_eq(srp_iu_cmd_imm(iu, 51, 4), 0);
	free(iu);
}
END_TEST

START_TEST(both_directions_and_unknown_formats_are_not_supported)
{
	uint8_t *iu = heap_copy(CMD_INDIRECT, 100);
	struct srp_iu_cmd cmd;
	static const uint8_t fmts[] = { 0x11, 0x12, 0x21, 0x33, 0x40, 0x04,
		0xf0, 0x0f, 0xff };

	for (size_t i = 0; i < ARRAY_SIZE(fmts); i++) {
		iu[5] = fmts[i];
		ck_assert_int_eq(srp_iu_cmd_decode(iu, 100, 68, &cmd),
			-EOPNOTSUPP);
		ck_assert_uint_eq(cmd.tag, 0x0102030405060708);
		ck_assert_ptr_eq(cmd.cdb, iu + 32);
	}
	free(iu);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		command_with_one_descriptor_is_built_in_a_template,
		command_template_takes_every_form_in_turn,
		command_with_one_descriptor_is_decoded,
		command_without_data_is_48_bytes,
		command_cut_in_its_descriptor_is_refused_with_its_tag,
		additional_cdb_moves_the_descriptor,
		cdb_lengths_out_of_range_are_refused,
		indirect_table_is_coded_both_ways,
		indirect_table_takes_255_descriptors_and_data_in,
		indirect_tables_that_contradict_themselves_are_refused,
		indirect_lengths_are_summed_without_overflow,
		immediate_data_lies_at_the_granted_offset,
		immediate_data_that_may_not_be_is_refused,
		both_directions_and_unknown_formats_are_not_supported,
	};

	return run_suite("srp_iu_cmd", tests, ARRAY_SIZE(tests));
}
