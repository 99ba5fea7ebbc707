/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <string.h>

#include "unit.h"
#include "target/tgt_login.h"

static uint8_t port_id[SRP_PORT_ID_BYTES];

static const struct tgt_login_policy policy = {
	.port_id = port_id,
	.max_it_iu_bytes = 8260,
	.nr_channels = 3,
	.max_channels = 4,
};

/* A request that is granted. */
static struct srp_iu_login_req
good(void)
{
	struct srp_iu_login_req req = {
		.tag = 0x1122334455667788,
		.req_it_iu_len = 8260,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
		.flags = SRP_MULTICHAN_MULTI,
	};

	memcpy(req.target_port_id, port_id, sizeof(port_id));
	memset(req.initiator_port_id, 0x55, sizeof(req.initiator_port_id));
	return req;
}

static uint32_t
check(const struct srp_iu_login_req *req, struct tgt_login *login)
{
	struct srp_login_req_rdma wire;

	srp_iu_login_req_rdma_encode(req, &wire);
	return tgt_login_check(&policy, &wire, sizeof(wire), login);
}

START_TEST(a_sound_request_is_granted)
{
	struct srp_iu_login_req req = good();
	struct tgt_login login;

	ck_assert_uint_eq(check(&req, &login), 0);
	ck_assert(!login.is_single);
	ck_assert_uint_eq(login.imm_offset, 0);
	ck_assert_uint_eq(login.req.tag, 0x1122334455667788);
}
END_TEST

START_TEST(single_is_action_zero)
{
	struct srp_iu_login_req req = good();
	struct tgt_login login;

	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_uint_eq(check(&req, &login), 0);
	ck_assert(login.is_single);
}
END_TEST

START_TEST(each_failure_has_its_reason)
{
	static const struct {
		uint32_t iu_len;
		uint16_t buf_fmt;
		uint8_t flags, port_id_0;
		uint32_t reason;
	} rows[] = {
		{ 64, 6, 1, 0, 0 },
		{ 63, 6, 1, 0, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 0, 6, 1, 0, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 8261, 6, 1, 0, SRP_REJ_IU_LEN_TOO_LARGE },
		{ UINT32_MAX, 6, 1, 0, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 8260, 6, 1, 1, SRP_REJ_UNABLE_ASSOCIATE_CHANNEL },
		{ 8260, 0, 1, 0, 0 },
		{ 8260, 7, 1, 0, SRP_REJ_UNSUPPORTED_DESC_FMT },
		{ 8260, 0x8006, 1, 0, SRP_REJ_UNSUPPORTED_DESC_FMT },
		{ 8260, 6, 2, 0, SRP_REJ_MULTI_CHANNEL_UNSUPPORTED },
		{ 8260, 6, 3, 0, SRP_REJ_MULTI_CHANNEL_UNSUPPORTED },
		/* the first that applies */
		{ 63, 7, 3, 1, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 64, 7, 3, 1, SRP_REJ_UNABLE_ASSOCIATE_CHANNEL },
	};
	struct srp_iu_login_req req = good();
	struct tgt_login login;

	req.req_it_iu_len = rows[_i].iu_len;
	req.buf_fmt = rows[_i].buf_fmt;
	req.flags = rows[_i].flags;
	req.target_port_id[0] ^= rows[_i].port_id_0;
	ck_assert_uint_eq(check(&req, &login), rows[_i].reason);
	ck_assert_uint_eq(login.req.tag, 0x1122334455667788);
}
END_TEST

START_TEST(a_short_request_and_another_opcode_are_refused)
{
	struct srp_iu_login_req req = good();
	struct srp_login_req_rdma wire;
	struct tgt_login login;
	size_t n;

	srp_iu_login_req_rdma_encode(&req, &wire);
	for (n = 0; n < sizeof(wire); n++)
		ck_assert_uint_eq(tgt_login_check(&policy, &wire, n, &login),
			SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
	wire.opcode = SRP_OP_CMD;
	ck_assert_uint_eq(tgt_login_check(
				  &policy, &wire, sizeof(wire), &login),
		SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
}
END_TEST

START_TEST(the_last_channel_is_granted_and_one_more_is_not)
{
	struct srp_iu_login_req req = good();
	struct srp_login_req_rdma wire;
	struct tgt_login_policy full = policy;
	struct tgt_login login;

	full.nr_channels = 4;
	srp_iu_login_req_rdma_encode(&req, &wire);
	ck_assert_uint_eq(tgt_login_check(
				  &policy, &wire, sizeof(wire), &login),
		0);
	ck_assert_uint_eq(tgt_login_check(&full, &wire, sizeof(wire), &login),
		SRP_REJ_CHANNEL_LIMIT_REACHED);
}
END_TEST

START_TEST(immediate_data_needs_a_sound_offset)
{
	static const struct {
		uint8_t flags;
		uint16_t offset;
		uint32_t granted;
	} rows[] = {
		{ SRP_IMM_REQUESTED | 1, 68, 68 },
		{ SRP_IMM_REQUESTED | 1, 48, 48 },
		{ SRP_IMM_REQUESTED | 1, 8259, 8259 },
		{ SRP_IMM_REQUESTED | 1, 8260, 0 },
		{ SRP_IMM_REQUESTED | 1, 47, 0 },
		{ SRP_IMM_REQUESTED | 1, 0, 0 },
		{ 1, 68, 0 },
	};
	struct srp_iu_login_req req = good();
	struct tgt_login login;

	req.flags = rows[_i].flags;
	req.imm_offset = rows[_i].offset;
	ck_assert_uint_eq(check(&req, &login), 0);
	ck_assert_uint_eq(login.imm_offset, rows[_i].granted);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("login");

	srp_iu_port_id_make(port_id, SRP_IO_CLASS_16A, 0x0002c90300a0b0c0,
		0x0002c90300a0b0c1);
	tcase_add_test(tc, a_sound_request_is_granted);
	tcase_add_test(tc, single_is_action_zero);
	tcase_add_loop_test(tc, each_failure_has_its_reason, 0, 13);
	tcase_add_test(tc, a_short_request_and_another_opcode_are_refused);
	tcase_add_test(tc, the_last_channel_is_granted_and_one_more_is_not);
	tcase_add_loop_test(tc, immediate_data_needs_a_sound_offset, 0, 7);
	return unit_run(tc, "tgt_login");
}
