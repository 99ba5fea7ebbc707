/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Information units that lie, are cut, or have no business to come. */
#include "target_rig.h"

#include "../unit/unit.h"

/* Ways to make the descriptors of a sound indirect command lie. */
static uint32_t
spoil(uint8_t *iu, uint32_t n, int how)
{
	struct srp_cmd *cmd = (struct srp_cmd *)iu;
	struct srp_indirect_buf *ind = srp_iu_cmd_desc(iu);

	switch (how) {
	case 0: /* none */
		be32_set(&ind->table.len, 0);
		return n;
	case 1:
		cmd->nr_in_descs--;
		return n;
	case 2:
		be32_set(&ind->total_len, be32_get(&ind->total_len) + 1);
		return n;
	case 3:
		be32_set(&ind->table.len, be32_get(&ind->table.len) + 16);
		return n;
	case 4:
		be32_set(&ind->table.len, UINT32_MAX);
		return n;
	case 5: /* cut */
		return n - 1;
	case 6:
		return 48;
	case 7: /* both directions */
		cmd->buf_fmt = 0x12;
		return n;
	case 8:
		cmd->buf_fmt = 0x0f;
		return n;
	case 9:
		cmd->add_cdb_len = 0xfc;
		return n;
	default: /* the sum wraps around */
		be32_set(&srp_iu_cmd_table(iu)[0].len, UINT32_MAX);
		return n;
	}
}

START_TEST(descriptors_that_lie_get_a_response_and_move_nothing)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct srp_iu_rsp rsp;
	uint32_t n;

	rig_up(modes[_i % NR_MODES]);
	memset(peer.data, 0x5a, PEER_DATA_BYTES);
	cmd.nr_descs = 8;
	n = spoil(peer.iu, peer_build(&peer, &cmd), _i / NR_MODES);
	peer_send(&peer, n);
	peer_recv_rsp(&peer, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_FIELDS_INVALID);
	ck_assert_uint_eq(rsp.tag, peer.next_tag);
	ck_assert_uint_eq(peer.data[0], 0x5a);
	ck_assert_uint_eq(bed_stats(&bed).malformed_ius, 1);
	cmd.nr_descs = 1;
	expect_good(&cmd);
	down();
}
END_TEST

START_TEST(malformed_ius_end_the_channel_and_no_other)
{
	static const struct {
		uint8_t opcode;
		uint16_t bytes;
	} rows[] = {
		{ SRP_OP_CMD, 1 },
		{ SRP_OP_CMD, 47 },
		{ SRP_OP_TSK_MGMT, 47 },
		{ SRP_OP_CRED_RSP, 15 },
		{ SRP_OP_AER_RSP, 8 },
		{ SRP_OP_RSP, 64 },
		{ SRP_OP_LOGIN_REQ, 64 },
		{ SRP_OP_T_LOGOUT, 16 },
		{ 0xee, 8260 },
		{ 0x04, 0 },
	};
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct peer bad;

	rig_up(modes[_i % NR_MODES]);
	ck_assert_int_eq(peer_connect(&bad, &bed, &req), 0);
	memset(bad.iu, 0, PEER_IU_BYTES);
	bad.iu[0] = rows[_i / NR_MODES].opcode;
	peer_send(&bad, rows[_i / NR_MODES].bytes);
	peer_wait_closed(&bad);
	bed_wait_channels(&bed, 1);
	ck_assert_uint_eq(bed_stats(&bed).malformed_ius, 1);
	expect_good(&cmd);
	peer_close(&bad);
	down();
}
END_TEST

START_TEST(an_iu_longer_than_granted_ends_the_channel)
{
	rig_up(modes[_i]);
	memset(peer.iu, 0, PEER_IU_BYTES);
	peer_send(&peer, 8261);
	peer_wait_closed(&peer);
	bed_wait_channels(&bed, 0);
	down();
}
END_TEST

START_TEST(memory_that_is_not_the_initiators_ends_the_channel)
{
	struct peer_cmd cmd = peer_rw(0, _i & 1, 0, 8, 512);
	uint32_t n;

	rig_up(modes[_i / 2]);
	n = peer_build(&peer, &cmd);
	be32_set(&((struct srp_direct_buf *)srp_iu_cmd_desc(peer.iu))->rkey,
		0xdead);
	peer_send(&peer, n);
	peer_wait_closed(&peer);
	bed_wait_channels(&bed, 0);
	down();
}
END_TEST

START_TEST(logout_closes_the_channel)
{
	struct srp_iu_small logout = { .opcode = SRP_OP_I_LOGOUT };

	rig_up(modes[_i]);
	srp_iu_small_encode(&logout, peer.iu);
	peer_send(&peer, 16);
	peer_wait_closed(&peer);
	bed_wait_channels(&bed, 0);
	ck_assert_uint_eq(bed_stats(&bed).malformed_ius, 0);
	down();
}
END_TEST

START_TEST(answers_to_nothing_are_accepted)
{
	struct srp_iu_small answer = { .opcode = SRP_OP_CRED_RSP, .tag = 3 };
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);

	rig_up(modes[_i]);
	srp_iu_small_encode(&answer, peer.iu);
	peer_send(&peer, 16);
	answer.opcode = SRP_OP_AER_RSP;
	srp_iu_small_encode(&answer, peer.iu);
	peer_send(&peer, 16);
	peer_expect_silence(&peer);
	expect_good(&cmd);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_malformed");

	tcase_add_loop_test(tcase,
		descriptors_that_lie_get_a_response_and_move_nothing, 0,
		11 * NR_MODES);
	tcase_add_loop_test(tcase, malformed_ius_end_the_channel_and_no_other,
		0, 10 * NR_MODES);
	tcase_add_loop_test(tcase, an_iu_longer_than_granted_ends_the_channel,
		0, NR_MODES);
	tcase_add_loop_test(tcase,
		memory_that_is_not_the_initiators_ends_the_channel, 0,
		2 * NR_MODES);
	tcase_add_loop_test(tcase, logout_closes_the_channel, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, answers_to_nothing_are_accepted, 0, NR_MODES);
	tcase_set_timeout(tcase, 30);
	return unit_run(tcase, "target_malformed");
}
