/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The target as an initiator sees it, on the software device. Tests marked
 * "modes" run once with completion handlers, once with the target's thread.
 */
#include "peer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/clock.h"
#include "wire/scsi_data.h"

static const enum soft_irqmode modes[] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD,
	SOFT_IRQ_NONE, SOFT_IRQ_TIMER };
#define NR_MODES 4

static const struct target_lun_attr luns[] = {
	{ .number = 0, .backend = "ram", .size_bytes = 4 << 20 },
	{ .number = 1, .backend = "null", .size_bytes = UINT64_C(1) << 40,
		.block_bytes = 4096 },
	{ .number = 2, .backend = "null", .size_bytes = 1 << 30,
		.flags = TARGET_LUN_NODATA },
	{ .number = 3, .backend = "ram", .size_bytes = 1 << 20,
		.flags = TARGET_LUN_RO },
	{ .number = 300, .backend = "ram", .size_bytes = 4160 * 256,
		.block_bytes = 4160, .max_transfer_blocks = 16 },
};

static struct bed bed;
static struct peer peer;

static void
bed_up(enum soft_irqmode mode)
{
	struct target_attr attr = {
		.luns = luns,
		.nr_luns = ARRAY_SIZE(luns),
	};

	bed_create(&bed, mode, &attr);
}

/* The bed and one channel. */
static void
up(enum soft_irqmode mode)
{
	struct srp_iu_login_req req = peer_login_req(1);

	bed_up(mode);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
}

static void
down(void)
{
	peer_close(&peer);
	bed_destroy(&bed);
}

static void
fill(uint8_t *at, size_t n, uint32_t seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		at[i] = (uint8_t)((seed += 0x9e3779b9) >> 24);
}

static void
expect_good(const struct peer_cmd *cmd)
{
	struct srp_iu_rsp rsp;

	peer_do(&peer, cmd, &rsp);
	ck_assert_msg(!rsp.status && !rsp.flags,
		"status %02x, flags %02x, sense %06x", rsp.status, rsp.flags,
		peer_sense(&rsp));
}

static void
expect_sense(const struct peer_cmd *cmd, uint32_t code)
{
	struct srp_iu_rsp rsp;

	peer_do(&peer, cmd, &rsp);
	ck_assert_uint_eq(peer_sense(&rsp), code);
}

START_TEST(login_grants_credits_and_lengths)
{
	up(modes[_i]);
	ck_assert_uint_eq(peer.login.tag, 0x4711);
	ck_assert_int_eq(peer.login.req_lim_delta, 128);
	ck_assert_uint_eq(peer.login.max_it_iu_len, 8260);
	ck_assert_uint_ge(peer.login.max_ti_iu_len, 36 + 4 + 18);
	ck_assert_uint_eq(peer.login.buf_fmt, 6);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_uint_eq(bed_stats(&bed).logins, 1);
	ck_assert_int_eq(target_has_own_thread(bed.target),
		modes[_i] == SOFT_IRQ_THREAD);
	down();
}
END_TEST

START_TEST(login_rejects_say_why)
{
	static const struct {
		uint32_t iu_len;
		uint8_t flags, port_bit;
		uint16_t fmt;
		uint32_t reason;
	} rows[] = {
		{ 9000, 1, 0, 6, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 10, 1, 0, 6, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 8260, 1, 1, 6, SRP_REJ_UNABLE_ASSOCIATE_CHANNEL },
		{ 8260, 1, 0, 0x16, SRP_REJ_UNSUPPORTED_DESC_FMT },
		{ 8260, 2, 0, 6, SRP_REJ_MULTI_CHANNEL_UNSUPPORTED },
	};
	struct srp_iu_login_req req = peer_login_req(1);

	req.req_it_iu_len = rows[_i].iu_len;
	req.flags = rows[_i].flags;
	req.buf_fmt = rows[_i].fmt;
	req.target_port_id[15] ^= rows[_i].port_bit;
	bed_up(SOFT_IRQ_SOFTIRQ);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, rows[_i].reason);
	ck_assert_uint_eq(peer.reject_tag, 0x4711);
	ck_assert_int_eq(peer.reject_status, 28);
	ck_assert_uint_eq(bed_stats(&bed).rejects, 1);
	down();
}
END_TEST

START_TEST(login_rejects_what_is_no_login)
{
	uint8_t data[56] = { 0 };

	bed_up(SOFT_IRQ_SOFTIRQ);
	data[11] = SRP_OP_CMD;
	ck_assert_int_lt(peer_connect_raw(&peer, &bed, data, 56, 4), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
	peer_close(&peer);
	ck_assert_int_lt(peer_connect_raw(&peer, &bed, NULL, 0, 4), 0);
	ck_assert_uint_ne(peer.reject_reason, 0);
	down();
}
END_TEST

START_TEST(login_without_rdma_reads_is_refused)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct srp_login_req_rdma wire;

	bed_up(SOFT_IRQ_SOFTIRQ);
	srp_iu_login_req_rdma_encode(&req, &wire);
	ck_assert_int_lt(
		peer_connect_raw(&peer, &bed, &wire, sizeof(wire), 0), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
	down();
}
END_TEST

START_TEST(channels_are_limited)
{
	struct target_attr attr = { .max_channels = 2 };
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer more[2];

	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	ck_assert_int_eq(peer_connect(&more[0], &bed, &req), 0);
	ck_assert_int_eq(peer_connect(&more[1], &bed, &req), 0);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	peer_close(&peer);
	/* what a login ends makes room for it, and for nobody else's */
	req = peer_login_req(2);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	peer_close(&peer);
	req = peer_login_req(1);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_TERMINATED);
	peer_close(&more[0]);
	peer_close(&more[1]);
	down();
}
END_TEST

START_TEST(multi_keeps_siblings_and_single_closes_them)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct srp_iu_login_req other_req = peer_login_req(2);
	struct peer a, b, other;

	bed_up(modes[_i]);
	ck_assert_int_eq(peer_connect(&other, &bed, &other_req), 0);
	ck_assert_uint_eq(other.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_int_eq(peer_connect(&a, &bed, &req), 0);
	ck_assert_uint_eq(a.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_int_eq(peer_connect(&b, &bed, &req), 0);
	ck_assert_uint_eq(b.login.flags, SRP_MULTICHAN_MAINTAINED);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_TERMINATED);
	peer_wait_closed(&a);
	peer_wait_closed(&b);
	bed_wait_channels(&bed, 2);
	peer_expect_silence(&other);
	peer_close(&a);
	peer_close(&b);
	peer_close(&other);
	down();
}
END_TEST

START_TEST(inquiry_and_capacity_arrive)
{
	struct peer_cmd cmd = { .dir = SCSI_DIR_IN, .len = 96 };
	struct scsi_inquiry inquiry;
	struct scsi_capacity capacity;
	struct srp_iu_rsp rsp;

	up(modes[_i]);
	scsi_cdb_inquiry(cmd.cdb, 96);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_int_eq(scsi_data_inquiry_decode(peer.data, 96, &inquiry), 0);
	ck_assert_str_eq(inquiry.vendor, "SRPD");
	scsi_cdb_read_capacity_16(cmd.cdb, 32);
	cmd.len = 32;
	cmd.lun = 1;
	expect_good(&cmd);
	ck_assert_int_eq(
		scsi_data_capacity_16_decode(peer.data, 32, &capacity), 0);
	ck_assert_uint_eq(capacity.last_lba, (UINT64_C(1) << 28) - 1);
	ck_assert_uint_eq(capacity.block_bytes, 4096);
	down();
}
END_TEST

START_TEST(report_luns_is_answered_on_any_lun)
{
	struct peer_cmd cmd = {
		.dir = SCSI_DIR_IN,
		.len = 8 + 5 * 8,
		.lun = 77,
	};

	up(SOFT_IRQ_SOFTIRQ);
	scsi_cdb_report_luns(cmd.cdb, cmd.len);
	expect_good(&cmd);
	ck_assert_uint_eq(get_be32(peer.data), 40);
	ck_assert_uint_eq(get_be16(peer.data + 8 + 32), 0x412c);
	down();
}
END_TEST

START_TEST(a_unit_that_is_not_there_is_told_so)
{
	struct peer_cmd cmd = { .lun = 77 };
	struct srp_iu_rsp rsp;

	up(SOFT_IRQ_SOFTIRQ);
	scsi_cdb_test_unit_ready(cmd.cdb);
	expect_sense(&cmd, 0x052500);
	cmd = peer_rw(77, false, 0, 1, 512);
	expect_sense(&cmd, 0x052500);
	cmd.len = 96;
	scsi_cdb_inquiry(cmd.cdb, 96);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_uint_eq(peer.data[0], 0x7f);
	down();
}
END_TEST

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
		up(modes[mode]);
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

	up(modes[_i]);
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

	up(SOFT_IRQ_SOFTIRQ);
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

	up(SOFT_IRQ_SOFTIRQ);
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
		up(modes[mode]);
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

	up(SOFT_IRQ_SOFTIRQ);
	cmd.dir = SCSI_DIR_OUT;
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_DIOVER | SRP_RSP_DOUNDER);
	ck_assert_uint_eq(rsp.data_in_residual, 512);
	ck_assert_uint_eq(rsp.data_out_residual, 512);
	down();
}
END_TEST

START_TEST(bad_reads_and_writes_have_their_sense)
{
	static const struct {
		uint64_t lun, lba;
		uint32_t blocks;
		bool write;
		uint32_t sense;
	} rows[] = {
		{ 0, 8192, 1, false, 0x052100 },
		{ 0, 8191, 2, true, 0x052100 },
		{ 0, UINT64_MAX, 1, false, 0x052100 },
		{ 0, UINT64_MAX - 7, 16, true, 0x052100 },
		{ 3, 0, 1, true, 0x072700 },
		{ 300, 0, 17, false, 0x052400 },
	};
	struct peer_cmd cmd = peer_rw(
		rows[_i].lun, rows[_i].write, rows[_i].lba, rows[_i].blocks, 512);
	struct peer_cmd after = peer_rw(0, false, 0, 1, 512);

	up(SOFT_IRQ_SOFTIRQ);
	expect_sense(&cmd, rows[_i].sense);
	expect_good(&after);
	ck_assert_uint_eq(bed_stats(&bed).check_conditions, 1);
	down();
}
END_TEST

START_TEST(bad_cdbs_have_their_sense)
{
	static const struct {
		uint8_t cdb[16];
		uint32_t sense;
	} rows[] = {
		{ { 0xee }, 0x052000 },
		{ { 0x7f, 0, 0, 0, 0, 0, 0, 0x18 }, 0x052000 },
		{ { 0x9e, 0x1f }, 0x052400 },
		{ { 0x28, 0x20, 0, 0, 0, 0, 0, 0, 1 }, 0x052400 },
		{ { 0x28, 0, 0, 0, 0, 0, 0, 0, 1, 4 }, 0x052400 },
		{ { 0x12, 1, 0xc0, 0, 96 }, 0x052400 },
		{ { 0x12, 0, 0x80, 0, 96 }, 0x052400 },
		{ { 0x1a, 0, 0x0a, 0, 96 }, 0x052400 },
		{ { 0x1b, 0, 0, 0, 0 }, 0x052400 },
		{ { 0x35, 0, 0, 1, 0, 0 }, 0x052100 },
		{ { 0x42, 0, 0, 0, 0, 0, 0, 0, 24 }, 0x051a00 },
	};
	struct peer_cmd cmd = { .lun = 0 };

	memcpy(cmd.cdb, rows[_i].cdb, 16);
	up(SOFT_IRQ_SOFTIRQ);
	expect_sense(&cmd, rows[_i].sense);
	down();
}
END_TEST

START_TEST(commands_without_data_succeed)
{
	static const uint8_t cdbs[][16] = {
		{ 0x00 },
		{ 0x1b, 0, 0, 0, 1 },
		{ 0x35 },
		{ 0x91 },
		{ 0x2f, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x8f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x28 },
		{ 0x93, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x42 },
	};
	struct peer_cmd cmd = { .lun = 0 };

	memcpy(cmd.cdb, cdbs[_i], 16);
	up(SOFT_IRQ_SOFTIRQ);
	expect_good(&cmd);
	down();
}
END_TEST

START_TEST(unmap_write_same_and_verify_take_their_data)
{
	static const struct scsi_unmap_range range = { 4, 2 };
	struct peer_cmd cmd = { .lun = 0, .dir = SCSI_DIR_OUT, .len = 512 };
	struct peer_cmd read = peer_rw(0, false, 0, 8, 512);
	uint32_t i;

	up(modes[_i]);
	memset(peer.data, 0x77, 512);
	scsi_cdb_write_same(cmd.cdb, 0, 8, 0);
	expect_good(&cmd);
	cmd.len = (uint32_t)scsi_data_unmap_encode(
		&range, 1, peer.data + 4096, 64);
	cmd.off = 4096;
	scsi_cdb_unmap(cmd.cdb, (uint16_t)cmd.len);
	expect_good(&cmd);
	expect_good(&read);
	for (i = 0; i < 8; i++)
		ck_assert_uint_eq(peer.data[i * 512 + i],
			i == 4 || i == 5 ? 0 : 0x77);
	cmd = (struct peer_cmd){ .dir = SCSI_DIR_OUT, .len = 4096 };
	scsi_cdb_verify(cmd.cdb, 0, 8, 1);
	expect_good(&cmd);
	peer.data[4095] ^= 1;
	expect_sense(&cmd, 0x0e1d00);
	down();
}
END_TEST

START_TEST(sense_is_asked_for_and_told_once)
{
	struct peer_cmd tur = { .lun = 0 };
	struct peer_cmd sense = { .lun = 0, .dir = SCSI_DIR_IN, .len = 18 };

	up(modes[_i]);
	scsi_cdb_test_unit_ready(tur.cdb);
	scsi_cdb_request_sense(sense.cdb, false, 18);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x2a, 0x09, false), 0);
	expect_sense(&tur, 0x062a09);
	expect_good(&tur);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x29, 0x00, false), 0);
	expect_good(&sense);
	ck_assert_uint_eq(peer.data[2] & 0xf, 6);
	ck_assert_uint_eq(peer.data[12], 0x29);
	expect_good(&tur);
	ck_assert_int_eq(target_not_ready(bed.target, 0, 4, 1), 0);
	expect_sense(&tur, 0x020401);
	expect_sense(&tur, 0x020401);
	ck_assert_int_eq(target_not_ready(bed.target, 0, 0, 0), 0);
	expect_good(&tur);
	down();
}
END_TEST

START_TEST(a_new_nexus_gets_the_attentions_kept_for_it)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd tur = { .lun = 0 };

	scsi_cdb_test_unit_ready(tur.cdb);
	bed_up(SOFT_IRQ_SOFTIRQ);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x29, 0, true), 0);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x3f, 0x0e, true), 0);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	expect_sense(&tur, 0x062900);
	expect_sense(&tur, 0x063f0e);
	expect_good(&tur);
	down();
}
END_TEST

START_TEST(immediate_data_is_granted_and_written)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd = peer_rw(0, true, 3, 15, 512);

	bed_up(modes[_i]);
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

	up(SOFT_IRQ_SOFTIRQ);
	cmd.immediate = true;
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_FIELDS_INVALID);
	down();
}
END_TEST

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

	up(modes[_i % NR_MODES]);
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

	up(modes[_i % NR_MODES]);
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
	up(modes[_i]);
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

	up(modes[_i / 2]);
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

	up(modes[_i]);
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

	up(modes[_i]);
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

START_TEST(every_credit_can_be_used_at_once)
{
	struct peer_cmd cmd = peer_rw(1, _i & 1, 0, 1, 4096);
	struct srp_iu_rsp rsp;
	uint64_t seen[3] = { 0 };
	int i, round;

	up(modes[_i / 2]);
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

	up(modes[_i / 2]);
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

START_TEST(many_channels_work_side_by_side)
{
	struct srp_iu_login_req req;
	struct peer_cmd cmd = peer_rw(0, true, 0, 8, 512);
	struct srp_iu_rsp rsp;
	struct peer *many = calloc(32, sizeof(*many));
	int i;

	bed_up(modes[_i]);
	for (i = 0; i < 32; i++) {
		req = peer_login_req((uint8_t)(i / 2));
		ck_assert_int_eq(peer_connect(&many[i], &bed, &req), 0);
		peer_send(&many[i], peer_build(&many[i], &cmd));
	}
	for (i = 31; i >= 0; i--) {
		peer_recv_rsp(&many[i], &rsp);
		ck_assert_uint_eq(rsp.status, 0);
	}
	ck_assert_uint_eq(bed_stats(&bed).nr_channels, 32);
	for (i = 0; i < 32; i += 2)
		peer_close(&many[i]);
	bed_wait_channels(&bed, 16);
	target_disconnect_all(bed.target);
	for (i = 1; i < 32; i += 2) {
		peer_wait_closed(&many[i]);
		peer_close(&many[i]);
	}
	bed_wait_channels(&bed, 0);
	ck_assert_uint_eq(bed_stats(&bed).commands, 32);
	free(many);
	bed_destroy(&bed);
}
END_TEST

/* Leave at every moment: commands of all kinds under way, none waited for. */
START_TEST(a_disconnect_at_any_moment_does_no_harm)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd;
	int i, k;

	bed_up(modes[_i]);
	for (i = 0; i < 40; i++) {
		ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
		for (k = 0; k < i; k++) {
			cmd = peer_rw((unsigned int)k & 1, k & 2, 0, 128, 512);
			cmd.nr_descs = (unsigned int)k % 5 * 20;
			if (cmd.lun == 1)
				cmd = peer_rw(1, k & 2, 0, 16, 4096);
			peer_send(&peer, peer_build(&peer, &cmd));
		}
		peer_close(&peer);
	}
	bed_wait_channels(&bed, 0);
	ck_assert_uint_eq(bed_stats(&bed).logins, 40);
	bed_destroy(&bed);
}
END_TEST

START_TEST(destroying_the_target_disconnects)
{
	struct peer_cmd cmd = peer_rw(0, true, 0, 128, 512);

	up(modes[_i]);
	peer_send(&peer, peer_build(&peer, &cmd));
	bed_destroy(&bed);
	peer_wait_closed(&peer);
	peer_close(&peer);
}
END_TEST

#define THREADS 4
#define THREAD_ROUNDS 300
#define THREAD_DEPTH 16

struct driver {
	struct peer peer;
	pthread_t thread;
	uint32_t iu_bytes;
	uint64_t nr_good;
	_Atomic bool is_over;
};

/* Posts one round; nothing here may call check, which has one thread. */
static bool
drive_round(struct driver *d)
{
	struct peer *p = &d->peer;
	struct ibv_sge sge = {
		.addr = (uintptr_t)p->iu,
		.length = d->iu_bytes,
		.lkey = p->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = UINT64_MAX,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	uint64_t end_ns = clock_ns() + PEER_TIMEOUT_NS;
	struct ibv_send_wr *bad;
	struct ibv_wc wc;
	int i, left = 2 * THREAD_DEPTH;

	for (i = 0; i < THREAD_DEPTH; i++)
		if (ibv_post_send(p->id->qp, &wr, &bad))
			return false;
	while (left && clock_ns() < end_ns) {
		if (ibv_poll_cq(p->cq, 1, &wc) != 1)
			continue;
		if (wc.status)
			return false;
		left--;
		if (wc.wr_id == UINT64_MAX)
			continue;
		d->nr_good += wc.byte_len == 36;
		peer_post_recv(p, (uint32_t)wc.wr_id);
	}
	return !left;
}

static void *
drive(void *arg)
{
	struct driver *d = arg;
	int i;

	for (i = 0; i < THREAD_ROUNDS && drive_round(d); i++)
		;
	atomic_store(&d->is_over, true);
	return NULL;
}

/* Threads drive their channels at once, and with them the target's runner,
 * while others come and go and everything that is shared is touched. */
START_TEST(threads_drive_their_channels_at_once)
{
	struct driver *d = calloc(THREADS, sizeof(*d));
	struct srp_iu_login_req req;
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct peer_cmd tur = { .lun = 1 };
	struct srp_iu_rsp rsp;
	struct peer guest;
	uint64_t nr = 0;
	int i;

	bed_up(modes[_i]);
	for (i = 0; i < THREADS; i++) {
		req = peer_login_req((uint8_t)(i / 2));
		ck_assert_int_eq(peer_connect(&d[i].peer, &bed, &req), 0);
		d[i].iu_bytes = peer_build(&d[i].peer, &cmd);
		ck_assert(!pthread_create(&d[i].thread, NULL, drive, &d[i]));
	}
	req = peer_login_req(99);
	scsi_cdb_test_unit_ready(tur.cdb);
	while (!atomic_load(&d[0].is_over)) {
		ck_assert_int_eq(peer_connect(&guest, &bed, &req), 0);
		peer_do(&guest, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0);
		target_unit_attention(bed.target, 1, 0x2a, 9, false);
		peer_do(&guest, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0x062a09);
		ck_assert_uint_ge(bed_stats(&bed).commands, nr);
		nr = bed_stats(&bed).commands;
		peer_close(&guest);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(d[i].thread, NULL);
		ck_assert_uint_eq(d[i].nr_good, THREAD_ROUNDS * THREAD_DEPTH);
		peer_close(&d[i].peer);
	}
	bed_wait_channels(&bed, 0);
	free(d);
	bed_destroy(&bed);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("target_wire");
	TCase *login = tcase_create("login");
	TCase *scsi = tcase_create("scsi");
	TCase *data = tcase_create("data");
	TCase *hostile = tcase_create("hostile");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(login, login_grants_credits_and_lengths, 0, NR_MODES);
	tcase_add_loop_test(login, login_rejects_say_why, 0, 5);
	tcase_add_test(login, login_rejects_what_is_no_login);
	tcase_add_test(login, login_without_rdma_reads_is_refused);
	tcase_add_test(login, channels_are_limited);
	tcase_add_loop_test(
		login, multi_keeps_siblings_and_single_closes_them, 0, NR_MODES);
	suite_add_tcase(suite, login);

	tcase_add_loop_test(scsi, inquiry_and_capacity_arrive, 0, NR_MODES);
	tcase_add_test(scsi, report_luns_is_answered_on_any_lun);
	tcase_add_test(scsi, a_unit_that_is_not_there_is_told_so);
	tcase_add_loop_test(scsi, bad_reads_and_writes_have_their_sense, 0, 6);
	tcase_add_loop_test(scsi, bad_cdbs_have_their_sense, 0, 11);
	tcase_add_loop_test(scsi, commands_without_data_succeed, 0, 9);
	tcase_add_loop_test(
		scsi, unmap_write_same_and_verify_take_their_data, 0, NR_MODES);
	tcase_add_loop_test(scsi, sense_is_asked_for_and_told_once, 0, NR_MODES);
	tcase_add_test(scsi, a_new_nexus_gets_the_attentions_kept_for_it);
	suite_add_tcase(suite, scsi);

	tcase_add_loop_test(
		data, what_is_written_is_read_back, 0, ARRAY_SIZE(shapes));
	tcase_add_loop_test(
		data, null_reads_zeros_whatever_was_written, 0, NR_MODES);
	tcase_add_test(data, nodata_leaves_the_data_phase_out);
	tcase_add_loop_test(data, all_forms_of_read_find_the_same_block, 0, 5);
	tcase_add_loop_test(data, residuals_are_told_both_ways, 0, 5);
	tcase_add_test(data, a_buffer_in_the_wrong_direction_is_all_residual);
	tcase_add_loop_test(
		data, immediate_data_is_granted_and_written, 0, NR_MODES);
	tcase_add_test(data, immediate_data_that_was_not_granted_is_refused);
	tcase_add_loop_test(
		data, every_credit_can_be_used_at_once, 0, 2 * NR_MODES);
	tcase_add_loop_test(data, deep_indirect_commands_share_the_send_queue,
		0, 2 * NR_MODES);
	tcase_add_loop_test(data, many_channels_work_side_by_side, 0, NR_MODES);
	tcase_add_loop_test(
		data, threads_drive_their_channels_at_once, 0, NR_MODES);
	tcase_set_timeout(data, 30);
	suite_add_tcase(suite, data);

	tcase_add_loop_test(hostile,
		descriptors_that_lie_get_a_response_and_move_nothing, 0,
		11 * NR_MODES);
	tcase_add_loop_test(hostile, malformed_ius_end_the_channel_and_no_other,
		0, 10 * NR_MODES);
	tcase_add_loop_test(hostile, an_iu_longer_than_granted_ends_the_channel,
		0, NR_MODES);
	tcase_add_loop_test(hostile,
		memory_that_is_not_the_initiators_ends_the_channel, 0,
		2 * NR_MODES);
	tcase_add_loop_test(hostile, logout_closes_the_channel, 0, NR_MODES);
	tcase_add_loop_test(
		hostile, answers_to_nothing_are_accepted, 0, NR_MODES);
	tcase_add_loop_test(hostile, a_disconnect_at_any_moment_does_no_harm, 0,
		NR_MODES);
	tcase_add_loop_test(
		hostile, destroying_the_target_disconnects, 0, NR_MODES);
	tcase_set_timeout(hostile, 30);
	suite_add_tcase(suite, hostile);

	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
