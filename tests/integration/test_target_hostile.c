/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An initiator that sends what a generator makes up: sound commands of every
 * kind with some bytes changed, and noise. Whatever the target answers, it
 * goes on serving everybody else, and writes nowhere but where it was told.
 */
#include "../unit/unit.h"
#include "peer.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/clock.h"

#define ROUNDS 1500

static const enum soft_irqmode modes[] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD };

static struct bed bed;
static uint64_t state;

/* xorshift64*: the same bytes in every run */
static uint32_t
draw(uint32_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 33) %
		below;
}

static void
draw_cdb(uint8_t cdb[16])
{
	static const uint8_t ops[] = { 0x00, 0x03, 0x08, 0x0a, 0x12, 0x1a, 0x1b,
		0x25, 0x28, 0x2a, 0x2f, 0x35, 0x41, 0x42, 0x5a, 0x7f, 0x88,
		0x8a, 0x8f, 0x91, 0x93, 0x9e, 0xa0, 0xa8, 0xaa, 0xff };
	int i;

	memset(cdb, 0, 16);
	cdb[0] = ops[draw(sizeof(ops))];
	if (cdb[0] == 0x9e)
		cdb[1] = 0x10;
	for (i = 0; i < 4; i++)
		cdb[1 + draw(15)] = (uint8_t)draw(256);
	/* small lengths, so that most of it is executed */
	if (draw(2))
		cdb[8] = (uint8_t)draw(16);
}

static uint32_t
make_iu(struct peer *p)
{
	struct peer_cmd cmd = {
		.lun = draw(4),
		.dir = (enum scsi_dir)draw(3),
		.len = draw(4) ? draw(8) * 512 : draw(1 << 16),
		.nr_descs = draw(3) ? 1 : 1 + draw(255),
		.immediate = draw(8) == 0,
	};
	uint32_t n, i;

	if (cmd.immediate) {
		/* not where an earlier read may still arrive */
		cmd.off = PEER_DATA_BYTES / 2;
		cmd.len %= 8000;
	}
	draw_cdb(cmd.cdb);
	n = peer_build(p, &cmd);
	for (i = draw(4) ? 0 : 1 + draw(4); i; i--)
		p->iu[draw(n)] ^= (uint8_t)(1 << draw(8));
	if (!draw(16))
		n = draw(n + 1);
	if (!draw(64))
		for (n = draw(200), i = 0; i < n; i++)
			p->iu[i] = (uint8_t)draw(256);
	return n;
}

/* Takes whatever has come, without an opinion. */
static bool
drain(struct peer *p)
{
	uint64_t end_ns = clock_ns() + 2 * CLOCK_NS_PER_MSEC;
	struct ibv_wc wc;

	while (clock_ns() < end_ns) {
		if (ibv_poll_cq(p->cq, 1, &wc) != 1)
			continue;
		if (wc.status)
			return false;
		if (wc.wr_id != UINT64_MAX)
			peer_post_recv(p, (uint32_t)wc.wr_id);
	}
	return true;
}

static void
expect_service(struct peer *witness)
{
	struct peer_cmd cmd = peer_rw(3, false, 0, 8, 512);
	struct srp_iu_rsp rsp;
	uint32_t i;

	peer_do(witness, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	/* nobody may write there: it is protected and still all zero */
	for (i = 0; i < cmd.len && !witness->data[i]; i++)
		;
	ck_assert_uint_eq(i, cmd.len);
}

START_TEST(made_up_commands_do_no_harm)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = 1 << 20 },
		{ .number = 1, .backend = "null", .size_bytes = 1 << 30 },
		{ .number = 2, .backend = "ram", .size_bytes = 4160 * 64,
			.block_bytes = 4160 },
		{ .number = 3, .backend = "ram", .size_bytes = 1 << 20,
			.flags = TARGET_LUN_RO },
	};
	struct target_attr attr = { .luns = luns, .nr_luns = 4 };
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer witness, p;
	bool is_up = false;
	int i;

	state = UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)_i;
	bed_create(&bed, modes[_i % 2], &attr);
	ck_assert_int_eq(peer_connect(&witness, &bed, &req), 0);
	req = peer_login_req(2);
	req.flags |= SRP_IMM_REQUESTED;
	req.imm_offset = SRP_IMM_OFFSET;
	for (i = 0; i < ROUNDS; i++) {
		if (!is_up)
			ck_assert_int_eq(peer_connect(&p, &bed, &req), 0);
		is_up = true;
		peer_send(&p, make_iu(&p));
		if (i % 8 == 0)
			is_up = drain(&p);
		if (p.has_failed)
			is_up = false;
		if (!is_up)
			peer_close(&p);
		if (i % 100 == 0)
			expect_service(&witness);
	}
	if (is_up)
		peer_close(&p);
	expect_service(&witness);
	ck_assert_uint_gt(bed_stats(&bed).malformed_ius, 10);
	ck_assert_uint_gt(bed_stats(&bed).check_conditions, 100);
	peer_close(&witness);
	bed_wait_channels(&bed, 0);
	bed_destroy(&bed);
}
END_TEST

/* Private data of a login, changed byte by byte. */
START_TEST(made_up_logins_do_no_harm)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct target_attr attr = { .max_channels = 4 };
	struct srp_login_req_rdma wire;
	uint8_t data[56];
	struct peer p;
	int i;

	state = 4711;
	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	srp_iu_login_req_rdma_encode(&req, &wire);
	for (i = 0; i < 300; i++) {
		memcpy(data, &wire, sizeof(data));
		data[draw(56)] ^= (uint8_t)(1 << draw(8));
		data[draw(56)] ^= (uint8_t)draw(256);
		if (!peer_connect_raw(&p, &bed, data, draw(10) ? 56 : draw(56),
			    4))
			ck_assert_uint_eq(p.login.buf_fmt, 6);
		peer_close(&p);
	}
	bed_wait_channels(&bed, 0);
	ck_assert_uint_gt(bed_stats(&bed).rejects, 100);
	ck_assert_uint_gt(bed_stats(&bed).logins, 5);
	bed_destroy(&bed);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("hostile");

	tcase_add_loop_test(tc, made_up_commands_do_no_harm, 0, 6);
	tcase_add_test(tc, made_up_logins_do_no_harm);
	tcase_set_timeout(tc, 60);
	return unit_run(tc, "target_hostile");
}
