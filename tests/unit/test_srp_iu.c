/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SRP information units against bytes written down from the standard's
 * tables, not through our own encoder.
 */
#include "wire/srp_iu.h"
#include "wire_test.h"

static const struct scsi_lun LUN = { { 0x40, 0x05, 0, 0, 0, 0, 0, 0 } };

#define INITIATOR_ID                                                           \
	0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x16, 0x3e, 0xff, 0xfe, 0x11, 0x22, 0x33
#define TARGET_ID                                                              \
	0x00, 0x02, 0xc9, 0x03, 0x00, 0xa0, 0xb0, 0xc0, 0x00, 0x02, 0xc9,      \
		0x03, 0x00, 0xa0, 0xb0, 0xc0

static const uint8_t LOGIN_64[64] = {
	0x00, 0, 0, 0, 0, 0, 0, 0,			/* opcode */
	0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, /* tag */
	0x00, 0x00, 0x20, 0x54, 0, 0, 0, 0,		/* 8276 */
	0x00, 0x06, 0x81, 0x00, 0x00, 0x44, 0, 0,	/* formats, flags, 68 */
	INITIATOR_ID, TARGET_ID
};

static const uint8_t LOGIN_56[56] = {
	0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, /* tag */
	0x00, 0x06, 0x81, 0x00,				/* formats, flags, op */
	0x00, 0x00, 0x20, 0x54,				/* 8276 */
	INITIATOR_ID, TARGET_ID,
	0x00, 0x44, 0, 0, 0, 0, 0, 0			/* 68 */
};

static void
check_login(const struct srp_iu_login_req *req)
{
	static const uint8_t initiator[] = { INITIATOR_ID };
	static const uint8_t target[] = { TARGET_ID };

	ck_assert_uint_eq(req->tag, 0xa1a2a3a4a5a6a7a8);
	ck_assert_uint_eq(req->req_it_iu_len, 8276);
	ck_assert_uint_eq(req->buf_fmt, SRP_BUF_DIRECT | SRP_BUF_INDIRECT);
	ck_assert_uint_eq(req->flags, SRP_MULTICHAN_MULTI | SRP_IMM_REQUESTED);
	ck_assert_uint_eq(req->imm_offset, SRP_IMM_OFFSET);
	ck_assert_mem_eq(req->initiator_port_id, initiator, 16);
	ck_assert_mem_eq(req->target_port_id, target, 16);
}

START_TEST(login_of_64_bytes_is_coded_both_ways)
{
	uint8_t *iu = heap_copy(LOGIN_64, sizeof(LOGIN_64));
	struct srp_iu_login_req req;
	struct srp_login_req wire;

	ck_assert_int_eq(srp_iu_login_req_decode(iu, 64, &req), 0);
	check_login(&req);
	srp_iu_login_req_encode(&req, &wire);
	ck_assert_mem_eq(&wire, LOGIN_64, sizeof(wire));
	free(iu);
}
END_TEST

START_TEST(login_of_the_rdma_cm_is_coded_both_ways)
{
	uint8_t *iu = heap_copy(LOGIN_56, sizeof(LOGIN_56));
	struct srp_iu_login_req req;
	struct srp_login_req_rdma wire;

	ck_assert_int_eq(srp_iu_login_req_rdma_decode(iu, 56, &req), 0);
	check_login(&req);
	srp_iu_login_req_rdma_encode(&req, &wire);
	ck_assert_mem_eq(&wire, LOGIN_56, sizeof(wire));
	free(iu);
}
END_TEST

START_TEST(login_decoders_refuse_a_byte_less_and_another_opcode)
{
	uint8_t *iu = heap_copy(LOGIN_64, 63);
	struct srp_iu_login_req req;

	ck_assert_int_eq(srp_iu_login_req_decode(iu, 63, &req), -EMSGSIZE);
	ck_assert_uint_eq(req.tag, 0);
	ck_assert_int_eq(srp_iu_login_req_decode(iu, 0, &req), -EMSGSIZE);
	free(iu);
	iu = heap_copy(LOGIN_64, 64);
	iu[0] = SRP_OP_CMD;
	ck_assert_int_eq(srp_iu_login_req_decode(iu, 64, &req), -EPROTO);
	ck_assert_uint_eq(req.req_it_iu_len, 0);
	free(iu);
	iu = heap_copy(LOGIN_56, 55);
	ck_assert_int_eq(srp_iu_login_req_rdma_decode(iu, 55, &req), -EMSGSIZE);
	free(iu);
	iu = heap_copy(LOGIN_56, 56);
	iu[11] = 1;
	ck_assert_int_eq(srp_iu_login_req_rdma_decode(iu, 56, &req), -EPROTO);
	free(iu);
}
END_TEST

START_TEST(port_id_halves_follow_the_io_class)
{
	static const uint8_t target[] = { TARGET_ID };
	uint8_t id[16];

	srp_iu_port_id_make(id, SRP_IO_CLASS_16A, 0x0002c90300a0b0c0,
		0x0002c90300a0b0c0);
	ck_assert_mem_eq(id, target, 16);
	srp_iu_port_id_make(id, SRP_IO_CLASS_16A, 1, 2);
	ck_assert_uint_eq(id[7], 1);
	ck_assert_uint_eq(id[15], 2);
	srp_iu_port_id_make(id, SRP_IO_CLASS_10, 1, 2);
	ck_assert_uint_eq(id[7], 2);
	ck_assert_uint_eq(id[15], 1);
}
END_TEST

/* As it arrives over the RDMA CM: in 196 bytes of private data. */
START_TEST(login_response_is_coded_both_ways)
{
	static const uint8_t rsp[52] = {
		0xc0, 0, 0, 0, 0x00, 0x00, 0x00, 0x80,		/* delta 128 */
		0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8,
		0x00, 0x00, 0x20, 0x54, 0x00, 0x00, 0x02, 0x00, /* IU sizes */
		0x00, 0x06, 0x82,
	};
	uint8_t *field = heap_fill(0, 196);
	struct srp_iu_login_rsp out;
	struct srp_login_rsp wire;

	memcpy(field, rsp, sizeof(rsp));
	ck_assert_int_eq(srp_iu_login_rsp_decode(field, 196, &out), 0);
	ck_assert_uint_eq(out.tag, 0xa1a2a3a4a5a6a7a8);
	ck_assert_int_eq(out.req_lim_delta, 128);
	ck_assert_uint_eq(out.max_it_iu_len, 8276);
	ck_assert_uint_eq(out.max_ti_iu_len, 512);
	ck_assert_uint_eq(out.buf_fmt, 6);
	ck_assert_uint_eq(out.flags,
		SRP_MULTICHAN_MAINTAINED | SRP_IMM_SUPPORTED);
	srp_iu_login_rsp_encode(&out, &wire);
	ck_assert_mem_eq(&wire, rsp, sizeof(wire));
	free(field);

	field = heap_copy(rsp, 51);
	ck_assert_int_eq(srp_iu_login_rsp_decode(field, 51, &out), -EMSGSIZE);
	ck_assert_int_eq(out.req_lim_delta, 0);
	field[0] = SRP_OP_LOGIN_REJ;
	ck_assert_int_eq(srp_iu_login_rsp_decode(field, 51, &out), -EMSGSIZE);
	free(field);
	field = heap_copy(rsp, 52);
	field[0] = SRP_OP_LOGIN_REJ;
	ck_assert_int_eq(srp_iu_login_rsp_decode(field, 52, &out), -EPROTO);
	free(field);
}
END_TEST

START_TEST(login_reject_is_coded_both_ways)
{
	static const uint8_t rej[32] = {
		0xc2, 0, 0, 0, 0x00, 0x01, 0x00, 0x06,		/* reason */
		0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8,
		0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x06,
	};
	uint8_t *iu = heap_copy(rej, 32);
	struct srp_iu_login_rej out;
	struct srp_login_rej wire;

	ck_assert_int_eq(srp_iu_login_rej_decode(iu, 32, &out), 0);
	ck_assert_uint_eq(out.reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	ck_assert_uint_eq(out.tag, 0xa1a2a3a4a5a6a7a8);
	ck_assert_uint_eq(out.buf_fmt, 6);
	srp_iu_login_rej_encode(&out, &wire);
	ck_assert_mem_eq(&wire, rej, sizeof(wire));
	ck_assert_int_eq(srp_iu_login_rej_decode(iu, 31, &out), -EMSGSIZE);
	iu[0] = SRP_OP_LOGIN_RSP;
	ck_assert_int_eq(srp_iu_login_rej_decode(iu, 32, &out), -EPROTO);
	free(iu);
}
END_TEST

START_TEST(small_units_are_coded_both_ways)
{
#define TAG 1, 2, 3, 4, 5, 6, 7, 8
	static const struct {
		uint8_t iu[SRP_SMALL_BYTES];
		struct srp_iu_small out;
	} cases[] = {
		{ { 0x03, 0, 0, 0, 0, 0, 0, 0, TAG },
			{ .opcode = SRP_OP_I_LOGOUT } },
		{ { 0x80, 1, 0, 0, 0, 0, 0, 4, TAG },
			{ .opcode = SRP_OP_T_LOGOUT,
				.sol_not = 1,
				.reason = SRP_T_LOGOUT_MULTI_CHANNEL } },
		{ { 0x81, 1, 0, 0, 0xff, 0xff, 0xff, 0xfe, TAG },
			{ .opcode = SRP_OP_CRED_REQ,
				.sol_not = 1,
				.req_lim_delta = -2 } },
		{ { 0x41, 0, 0, 0, 0, 0, 0, 0, TAG },
			{ .opcode = SRP_OP_CRED_RSP } },
		{ { 0x42, 0, 0, 0, 0, 0, 0, 0, TAG },
			{ .opcode = SRP_OP_AER_RSP } },
	};
#undef TAG

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t *iu = heap_copy(cases[i].iu, SRP_SMALL_BYTES);
		uint8_t wire[SRP_SMALL_BYTES];
		struct srp_iu_small out;

		ck_assert_int_eq(srp_iu_small_decode(iu, 16, &out), 0);
		ck_assert_uint_eq(out.opcode, cases[i].out.opcode);
		ck_assert_uint_eq(out.tag, 0x0102030405060708);
		ck_assert_uint_eq(out.sol_not, cases[i].out.sol_not);
		ck_assert_uint_eq(out.reason, cases[i].out.reason);
		ck_assert_int_eq(out.req_lim_delta, cases[i].out.req_lim_delta);
		srp_iu_small_encode(&out, wire);
		ck_assert_mem_eq(wire, iu, sizeof(wire));
		free(iu);
		iu = heap_copy(cases[i].iu, 15);
		ck_assert_int_eq(srp_iu_small_decode(iu, 15, &out), -EMSGSIZE);
		free(iu);
	}
}
END_TEST

START_TEST(small_units_are_no_others)
{
	static const uint8_t others[] = { 0x00, 0x01, 0x02, 0x82, 0xc0, 0xc1,
		0xc2, 0xff };
	struct srp_iu_small out;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		uint8_t *iu = heap_fill(others[i], 16);

		ck_assert_int_eq(srp_iu_small_decode(iu, 16, &out), -EPROTO);
		ck_assert_uint_eq(out.tag, 0);
		free(iu);
	}
}
END_TEST

static const uint8_t AER[36 + 3] = {
	0x82, 1, 0, 0, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8,	/* delta, tag */
	0, 0, 0, 0, 0x40, 0x05, 0, 0, 0, 0, 0, 0,		/* LUN */
	0, 0, 0, 3, 0, 0, 0, 0,					/* sense */
	0x72, 0x06, 0x29
};

START_TEST(aer_request_is_coded_both_ways)
{
	uint8_t *iu = heap_copy(AER, sizeof(AER));
	uint8_t wire[sizeof(AER)];
	struct srp_iu_aer_req out;

	ck_assert_int_eq(srp_iu_aer_req_decode(iu, sizeof(AER), &out), 0);
	ck_assert_uint_eq(out.tag, 0x0102030405060708);
	ck_assert_int_eq(out.req_lim_delta, 2);
	ck_assert_uint_eq(out.sol_not, 1);
	ck_assert_mem_eq(&out.lun, &LUN, 8);
	ck_assert_uint_eq(out.sense_len, 3);
	ck_assert_ptr_eq(out.sense, iu + 36);
	ck_assert_uint_eq(srp_iu_aer_req_encode(&out, wire, sizeof(wire)), 39);
	ck_assert_mem_eq(wire, AER, sizeof(AER));
	free(iu);
}
END_TEST

START_TEST(aer_request_keeps_its_credit_when_sense_is_cut)
{
	uint8_t *iu = heap_copy(AER, 38);
	struct srp_iu_aer_req out;

	ck_assert_int_eq(srp_iu_aer_req_decode(iu, 38, &out), -EBADMSG);
	ck_assert_int_eq(out.req_lim_delta, 2);
	ck_assert_uint_eq(out.tag, 0x0102030405060708);
	ck_assert_ptr_null(out.sense);
	ck_assert_int_eq(srp_iu_aer_req_decode(iu, 35, &out), -EMSGSIZE);
	iu[28] = 0xff;
	ck_assert_int_eq(srp_iu_aer_req_decode(iu, 38, &out), -EBADMSG);
	memset(iu + 28, 0, 4);
	ck_assert_int_eq(srp_iu_aer_req_decode(iu, 36, &out), 0);
	ck_assert_ptr_null(out.sense);
	free(iu);
}
END_TEST

START_TEST(aer_request_encode_cuts_sense_to_the_buffer)
{
	struct srp_iu_aer_req in = { .tag = 9, .sense = AER, .sense_len = 20 };
	uint8_t *iu = heap_fill(0xee, 46);

	ck_assert_uint_eq(srp_iu_aer_req_encode(&in, iu, 46), 46);
	ck_assert_uint_eq(get_be32(iu + 28), 10);
	ck_assert_mem_eq(iu + 36, AER, 10);
	ck_assert_uint_eq(srp_iu_aer_req_encode(&in, iu, 35), 0);
	free(iu);
}
END_TEST

START_TEST(task_management_is_coded_both_ways)
{
	static const uint8_t tmf[48] = {
		0x01, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8,
		0, 0, 0, 0, 0x40, 0x05, 0, 0, 0, 0, 0, 0,
		0, 0, 0x08, 0,					/* function */
		0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
	};
	uint8_t *iu = heap_copy(tmf, 48);
	struct srp_iu_tsk_mgmt out;
	struct srp_tsk_mgmt wire;

	ck_assert_int_eq(srp_iu_tsk_mgmt_decode(iu, 48, &out), 0);
	ck_assert_uint_eq(out.tag, 0x0102030405060708);
	ck_assert_uint_eq(out.task_tag, 0x1112131415161718);
	ck_assert_uint_eq(out.function, SRP_TMF_LUN_RESET);
	ck_assert_uint_eq(out.sol_not, 1);
	ck_assert_mem_eq(&out.lun, &LUN, 8);
	srp_iu_tsk_mgmt_encode(&out, &wire);
	ck_assert_mem_eq(&wire, tmf, 48);
	ck_assert_int_eq(srp_iu_tsk_mgmt_decode(iu, 47, &out), -EMSGSIZE);
	iu[0] = SRP_OP_CMD;
	ck_assert_int_eq(srp_iu_tsk_mgmt_decode(iu, 48, &out), -EPROTO);
	free(iu);
}
END_TEST

/* SRP_CMD: READ(10) of 8 blocks at 0x12345678 into one buffer. */
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

/* SRP_RSP */
static const uint8_t RSP_GOOD[36] = { 0xc1, 0, 0, 0, 0, 0, 0, 1,
	1, 2, 3, 4, 5, 6, 7, 8 };

START_TEST(good_response_is_36_bytes_both_ways)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36);
	struct srp_rsp wire;
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
	ck_assert_uint_eq(rsp.tag, 0x0102030405060708);
	ck_assert_int_eq(rsp.req_lim_delta, 1);
	ck_assert_uint_eq(rsp.flags, 0);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_GOOD);
	ck_assert_ptr_null(rsp.sense);
	srp_iu_rsp_init(&wire);
	srp_iu_rsp_set_good(&wire, rsp.tag, rsp.req_lim_delta);
	ck_assert_mem_eq(&wire, RSP_GOOD, 36);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, &wire, sizeof(wire)), 36);
	ck_assert_mem_eq(&wire, RSP_GOOD, 36);
	free(iu);
}
END_TEST

START_TEST(decode_refuses_a_response_shorter_than_36_bytes)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 35);
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 35, &rsp), -EMSGSIZE);
	ck_assert_uint_eq(rsp.tag, 0);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 0, &rsp), -EMSGSIZE);
	free(iu);
	iu = heap_copy(RSP_GOOD, 36);
	iu[0] = SRP_OP_CRED_REQ;
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), -EPROTO);
	ck_assert_int_eq(rsp.req_lim_delta, 0);
	free(iu);
}
END_TEST

START_TEST(negative_credit_delta_is_signed)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36);
	struct srp_iu_rsp rsp;

	memset(iu + 4, 0xff, 4);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
	ck_assert_int_eq(rsp.req_lim_delta, -1);
	free(iu);
}
END_TEST

/* CHECK CONDITION: 4 bytes of response data, then 6 of sense. */
static const uint8_t RSP_SENSE[46] = {
	0xc1, 1, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8,
	0, 0, 0x03, 0x02,					/* flags, CC */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 4,
	0, 0, 0, 0, 0x72, 0x05, 0x24, 0x00, 0, 0
};

START_TEST(sense_lies_behind_response_data)
{
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	uint8_t wire[46];
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp), 0);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_SNSVALID | SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_uint_eq(rsp.sol_not, 1);
	ck_assert_uint_eq(rsp.sense_len, 6);
	ck_assert_ptr_eq(rsp.sense, iu + 40);
	ck_assert_uint_eq(rsp.rsp_code, 0);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 46), 46);
	ck_assert_mem_eq(wire, RSP_SENSE, 46);
	free(iu);
}
END_TEST

START_TEST(sense_counts_only_with_snsvalid)
{
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	struct srp_iu_rsp rsp;

	iu[18] = 0;
	memset(iu + 28, 0xff, 8);	/* lengths nobody vouches for */
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp), 0);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_ptr_null(rsp.sense);
	ck_assert_uint_eq(rsp.sense_len, 0);
	free(iu);
}
END_TEST

START_TEST(lengths_beyond_the_message_are_refused_with_the_credit)
{
	static const struct {
		uint32_t sense_len, resp_len;
	} bad[] = { { 7, 4 }, { 6, 5 }, { 0xffffffff, 4 }, { 6, 0xffffffff },
		{ 0xfffffffc, 8 }, { 0xffffffff, 0xffffffff },
		{ 0x80000000, 0x80000000 } };
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	struct srp_iu_rsp rsp;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		for (uint8_t flags = 1; flags < 4; flags++) {
			bool short_resp = bad[i].resp_len <= 10;

			put_be32(iu + 28, bad[i].sense_len);
			put_be32(iu + 32, bad[i].resp_len);
			iu[18] = flags;
			ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp),
				flags == SRP_RSP_RSPVALID && short_resp ?
					0 :
					-EBADMSG);
			ck_assert_uint_eq(rsp.tag, 0x0102030405060708);
			ck_assert_int_eq(rsp.req_lim_delta, 1);
			ck_assert_ptr_null(rsp.sense);
		}
	free(iu);
	iu = heap_copy(RSP_SENSE, 45);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 45, &rsp), -EBADMSG);
	free(iu);
}
END_TEST

START_TEST(task_management_response_needs_40_bytes)
{
	static const uint8_t bytes[40] = {
		0xc1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8,
		0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 4, 0, 0, 0, 5
	};
	uint8_t *iu = heap_copy(bytes, 40), wire[40];
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 40, &rsp), 0);
	ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_FAILED);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 40), 40);
	ck_assert_mem_eq(wire, bytes, 40);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 39), 0);
	iu[35] = 3;
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 40, &rsp), -EBADMSG);
	free(iu);
	iu = heap_copy(bytes, 39);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 39, &rsp), -EBADMSG);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), -EBADMSG);
	free(iu);
}
END_TEST

START_TEST(residuals_count_only_with_their_flags)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36), wire[36];
	struct srp_iu_rsp rsp;
	const uint8_t out = SRP_RSP_DOOVER | SRP_RSP_DOUNDER;
	const uint8_t in = SRP_RSP_DIOVER | SRP_RSP_DIUNDER;

	put_be32(iu + 20, 0x1000);
	put_be32(iu + 24, 0x2000);
	for (unsigned int flags = 0; flags < 64; flags += 4) {
		iu[18] = (uint8_t)flags;
		if ((flags & out) == out || (flags & in) == in) {
			ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp),
				-EBADMSG);
			continue;
		}
		ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
		ck_assert_uint_eq(rsp.flags, flags);
		ck_assert_uint_eq(rsp.data_out_residual,
			flags & out ? 0x1000 : 0);
		ck_assert_uint_eq(rsp.data_in_residual,
			flags & in ? 0x2000 : 0);
		ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 36), 36);
		ck_assert_uint_eq(get_be32(wire + 20),
			flags & out ? 0x1000 : 0);
		ck_assert_uint_eq(get_be32(wire + 24),
			flags & in ? 0x2000 : 0);
		ck_assert_uint_eq(wire[18], flags);
	}
	free(iu);
}
END_TEST

START_TEST(response_encode_cuts_sense_to_the_buffer)
{
	static const uint8_t sense[252] = { 0x70, 0, 0x03 };
	struct srp_iu_rsp in = { .flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = sense,
		.sense_len = sizeof(sense) };
	uint8_t *iu = heap_fill(0xee, 64);

	ck_assert_uint_eq(srp_iu_rsp_encode(&in, iu, 64), 64);
	ck_assert_uint_eq(get_be32(iu + 28), 28);
	ck_assert_uint_eq(get_be32(iu + 32), 0);
	ck_assert_mem_eq(iu + 36, sense, 28);
	ck_assert_uint_eq(srp_iu_rsp_encode(&in, iu, 35), 0);
	free(iu);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		login_of_64_bytes_is_coded_both_ways,
		login_of_the_rdma_cm_is_coded_both_ways,
		login_decoders_refuse_a_byte_less_and_another_opcode,
		port_id_halves_follow_the_io_class,
		login_response_is_coded_both_ways,
		login_reject_is_coded_both_ways,
		small_units_are_coded_both_ways,
		small_units_are_no_others,
		aer_request_is_coded_both_ways,
		aer_request_keeps_its_credit_when_sense_is_cut,
		aer_request_encode_cuts_sense_to_the_buffer,
		task_management_is_coded_both_ways,
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
		good_response_is_36_bytes_both_ways,
		decode_refuses_a_response_shorter_than_36_bytes,
		negative_credit_delta_is_signed,
		sense_lies_behind_response_data,
		sense_counts_only_with_snsvalid,
		lengths_beyond_the_message_are_refused_with_the_credit,
		task_management_response_needs_40_bytes,
		residuals_count_only_with_their_flags,
		response_encode_cuts_sense_to_the_buffer,
	};

	return run_suite("srp_iu", tests, ARRAY_SIZE(tests));
}
