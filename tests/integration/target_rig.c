/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target_rig.h"

#include "util/compiler.h"

const enum soft_irqmode modes[NR_MODES] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD,
	SOFT_IRQ_NONE, SOFT_IRQ_TIMER };

struct bed bed;
struct peer peer;

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

void
rig_bed(enum soft_irqmode mode)
{
	struct target_attr attr = {
		.luns = luns,
		.nr_luns = ARRAY_SIZE(luns),
	};

	bed_create(&bed, mode, &attr);
}

void
rig_up(enum soft_irqmode mode)
{
	struct srp_iu_login_req req = peer_login_req(1);

	rig_bed(mode);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
}

void
connect_as(struct peer *p, uint8_t initiator)
{
	struct srp_iu_login_req req = peer_login_req(initiator);

	req.flags |= SRP_IMM_REQUESTED;
	req.imm_offset = SRP_IMM_OFFSET;
	ck_assert_int_eq(peer_connect(p, &bed, &req), 0);
}

void
down(void)
{
	peer_close(&peer);
	bed_destroy(&bed);
}

void
fill(uint8_t *at, size_t n, uint32_t seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		at[i] = (uint8_t)((seed += 0x9e3779b9) >> 24);
}

void
expect_good_on(struct peer *p, const struct peer_cmd *cmd)
{
	struct srp_iu_rsp rsp;

	peer_do(p, cmd, &rsp);
	ck_assert_msg(!rsp.status && !rsp.flags,
		"status %02x, flags %02x, sense %06x", rsp.status, rsp.flags,
		peer_sense(&rsp));
}

void
expect_sense_on(struct peer *p, const struct peer_cmd *cmd, uint32_t code)
{
	struct srp_iu_rsp rsp;

	peer_do(p, cmd, &rsp);
	ck_assert_uint_eq(peer_sense(&rsp), code);
}

void
expect_good(const struct peer_cmd *cmd)
{
	expect_good_on(&peer, cmd);
}

void
expect_sense(const struct peer_cmd *cmd, uint32_t code)
{
	expect_sense_on(&peer, cmd, code);
}

struct peer_cmd
test_unit_ready(uint64_t lun)
{
	struct peer_cmd cmd = { .lun = lun };

	scsi_cdb_test_unit_ready(cmd.cdb);
	return cmd;
}
