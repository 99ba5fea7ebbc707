/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SRP information units against bytes written down from the standard's
 * tables, not through our own encoder: logins, small units, asynchronous
 * events, task management. Commands and responses have files of their own.
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
	};

	return run_suite("srp_iu", tests, ARRAY_SIZE(tests));
}
