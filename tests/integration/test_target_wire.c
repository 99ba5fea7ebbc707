/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads and writes as an initiator sees them, on the software device. */
#include "target_rig.h"

#include "../unit/unit.h"

static const struct {
	uint64_t lun;
	uint32_t lba, blocks, block_bytes;
	unsigned int nr_descs;
} shapes[] = {
	{ 0, 0, 1, 512, 1 },
	{ 0, 7, 8, 512, 1 },
	{ 0, 1, 128, 512, 2 },
	{ 0, 0, 2047, 512, 255 },
	{ 0, 8191, 1, 512, 3 },
	{ 0, 100, 2, 512, 255 },
	{ 300, 0, 1, 4160, 1 },
	{ 300, 240, 16, 4160, 17 },
};

START_TEST(what_is_written_is_read_back)
{
	struct peer_cmd cmd = peer_rw(shapes[_i].lun, true, shapes[_i].lba,
		shapes[_i].blocks, shapes[_i].block_bytes);
	unsigned int mode;
	uint8_t *copy = malloc(cmd.len);

	for (mode = 0; mode < NR_MODES; mode++) {
		rig_up(modes[mode]);
		cmd = peer_rw(shapes[_i].lun, true, shapes[_i].lba,
			shapes[_i].blocks, shapes[_i].block_bytes);
		cmd.nr_descs = shapes[_i].nr_descs;
		fill(peer.data, cmd.len, mode + 1);
		memcpy(copy, peer.data, cmd.len);
		expect_good(&cmd);
		memset(peer.data, 0, PEER_DATA_BYTES);
		cmd = peer_rw(shapes[_i].lun, false, shapes[_i].lba,
			shapes[_i].blocks, shapes[_i].block_bytes);
		cmd.nr_descs = shapes[_i].nr_descs;
		expect_good(&cmd);
		ck_assert_mem_eq(peer.data, copy, cmd.len);
		ck_assert_uint_eq(peer.data[cmd.len], 0);
		ck_assert_uint_eq(bed_stats(&bed).bytes_read, cmd.len);
		ck_assert_uint_eq(bed_stats(&bed).bytes_written, cmd.len);
		down();
	}
	free(copy);
}
END_TEST

START_TEST(null_reads_zeros_whatever_was_written)
{
	struct peer_cmd cmd = peer_rw(1, true, 5, 200, 4096);
	uint32_t i = 0;

	rig_up(modes[_i]);
	memset(peer.data, 0x5a, PEER_DATA_BYTES);
	cmd.nr_descs = 100;
	expect_good(&cmd);
	cmd = peer_rw(1, false, 5, 200, 4096);
	expect_good(&cmd);
	while (i < cmd.len && !peer.data[i])
		i++;
	ck_assert_uint_eq(i, cmd.len);
	ck_assert_uint_eq(peer.data[cmd.len], 0x5a);
	down();
}
END_TEST

START_TEST(nodata_leaves_the_data_phase_out)
{
	struct peer_cmd cmd = peer_rw(2, false, 0, 8, 512);

	rig_up(SOFT_IRQ_SOFTIRQ);
	memset(peer.data, 0x5a, 4096);
	expect_good(&cmd);
	ck_assert_uint_eq(peer.data[0], 0x5a);
	down();
}
END_TEST

START_TEST(all_forms_of_read_find_the_same_block)
{
	static const uint8_t cdbs[][16] = {
		{ 0x08, 0, 0, 9, 1 },
		{ 0x28, 0, 0, 0, 0, 9, 0, 0, 1 },
		{ 0xa8, 0, 0, 0, 0, 9, 0, 0, 0, 1 },
		{ 0x88, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1 },
		{ 0x28, 0x18, 0, 0, 0, 9, 0, 0, 1 }, /* DPO, FUA */
	};
	struct peer_cmd cmd = peer_rw(0, true, 9, 1, 512);

	rig_up(SOFT_IRQ_SOFTIRQ);
	fill(peer.data, 512, 42);
	expect_good(&cmd);
	cmd.dir = SCSI_DIR_IN;
	cmd.off = 4096;
	memcpy(cmd.cdb, cdbs[_i], 16);
	expect_good(&cmd);
	ck_assert_mem_eq(peer.data, peer.data + 4096, 512);
	down();
}
END_TEST

START_TEST(residuals_are_told_both_ways)
{
	static const struct {
		bool write;
		uint32_t blocks, len;
		uint8_t flags;
		uint32_t residual, moved;
		uint32_t sense;
	} rows[] = {
		{ false, 2, 4096, SRP_RSP_DIUNDER, 3072, 1024, 0 },
		{ false, 2, 600, SRP_RSP_DIOVER, 424, 600, 0 },
		{ false, 0, 512, SRP_RSP_DIUNDER, 512, 0, 0 },
		{ true, 2, 4096, SRP_RSP_DOUNDER, 3072, 1024, 0 },
		{ true, 2, 1000, SRP_RSP_DOUNDER, 1000, 0, 0x050e03 },
	};
	struct peer_cmd cmd = peer_rw(0, rows[_i].write, 0, rows[_i].blocks, 512);
	struct target_stats stats;
	struct srp_iu_rsp rsp;
	unsigned int mode;

	cmd.len = rows[_i].len;
	for (mode = 0; mode < NR_MODES; mode++) {
		rig_up(modes[mode]);
		memset(peer.data, 0x5a, 8192);
		peer_do(&peer, &cmd, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), rows[_i].sense);
		ck_assert_uint_eq(rsp.flags & ~SRP_RSP_SNSVALID, rows[_i].flags);
		ck_assert_uint_eq(rows[_i].write ? rsp.data_out_residual :
						   rsp.data_in_residual,
			rows[_i].residual);
		stats = bed_stats(&bed);
		ck_assert_uint_eq(
			stats.bytes_read + stats.bytes_written, rows[_i].moved);
		if (!rows[_i].write)
			ck_assert_uint_eq(peer.data[rows[_i].moved], 0x5a);
		down();
	}
}
END_TEST

START_TEST(a_buffer_in_the_wrong_direction_is_all_residual)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 1, 512);
	struct srp_iu_rsp rsp;

	rig_up(SOFT_IRQ_SOFTIRQ);
	cmd.dir = SCSI_DIR_OUT;
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_DIOVER | SRP_RSP_DOUNDER);
	ck_assert_uint_eq(rsp.data_in_residual, 512);
	ck_assert_uint_eq(rsp.data_out_residual, 512);
	down();
}
END_TEST

START_TEST(immediate_data_is_granted_and_written)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd = peer_rw(0, true, 3, 15, 512);

	rig_bed(modes[_i]);
	req.flags |= SRP_IMM_REQUESTED;
	req.imm_offset = SRP_IMM_OFFSET;
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.login.flags & SRP_IMM_SUPPORTED, 0x80);
	fill(peer.data, cmd.len, 11);
	cmd.immediate = true;
	expect_good(&cmd);
	cmd = peer_rw(0, false, 3, 15, 512);
	cmd.off = 16384;
	expect_good(&cmd);
	ck_assert_mem_eq(peer.data, peer.data + 16384, cmd.len);
	down();
}
END_TEST

START_TEST(immediate_data_that_was_not_granted_is_refused)
{
	struct peer_cmd cmd = peer_rw(0, true, 3, 1, 512);
	struct srp_iu_rsp rsp;

	rig_up(SOFT_IRQ_SOFTIRQ);
	cmd.immediate = true;
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_FIELDS_INVALID);
	down();
}
END_TEST

START_TEST(every_credit_can_be_used_at_once)
{
	struct peer_cmd cmd = peer_rw(1, _i & 1, 0, 1, 4096);
	struct srp_iu_rsp rsp;
	uint64_t seen[3] = { 0 };
	int i, round;

	rig_up(modes[_i / 2]);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 128; i++) {
			peer_send(&peer, peer_build(&peer, &cmd));
			peer.credits--;
		}
		ck_assert_int_le(peer.credits, 0 + 128);
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < 128; i++) {
			uint64_t at;

			peer_recv_rsp(&peer, &rsp);
			ck_assert_uint_eq(rsp.status, 0);
			at = rsp.tag - (uint64_t)round * 128 - 1;
			ck_assert_uint_lt(at, 128);
			ck_assert(!(seen[at / 64] >> at % 64 & 1));
			seen[at / 64] |= UINT64_C(1) << at % 64;
		}
		ck_assert_int_eq(peer.credits, 128);
	}
	down();
}
END_TEST

START_TEST(deep_indirect_commands_share_the_send_queue)
{
	struct peer_cmd cmd = peer_rw(0, _i & 1, 0, 255, 512);
	struct srp_iu_rsp rsp;
	int i;

	rig_up(modes[_i / 2]);
	cmd.nr_descs = 255;
	for (i = 0; i < 32; i++)
		peer_send(&peer, peer_build(&peer, &cmd));
	for (i = 0; i < 32; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(rsp.status | rsp.flags, 0);
	}
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_wire");

	tcase_add_loop_test(
		tcase, what_is_written_is_read_back, 0, ARRAY_SIZE(shapes));
	tcase_add_loop_test(
		tcase, null_reads_zeros_whatever_was_written, 0, NR_MODES);
	tcase_add_test(tcase, nodata_leaves_the_data_phase_out);
	tcase_add_loop_test(tcase, all_forms_of_read_find_the_same_block, 0, 5);
	tcase_add_loop_test(tcase, residuals_are_told_both_ways, 0, 5);
	tcase_add_test(tcase, a_buffer_in_the_wrong_direction_is_all_residual);
	tcase_add_loop_test(
		tcase, immediate_data_is_granted_and_written, 0, NR_MODES);
	tcase_add_test(tcase, immediate_data_that_was_not_granted_is_refused);
	tcase_add_loop_test(
		tcase, every_credit_can_be_used_at_once, 0, 2 * NR_MODES);
	tcase_add_loop_test(tcase, deep_indirect_commands_share_the_send_queue,
		0, 2 * NR_MODES);
	tcase_set_timeout(tcase, 30);
	return unit_run(tcase, "target_wire");
}
