/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target_rig.h"

const enum soft_irqmode modes[NR_MODES] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD,
	SOFT_IRQ_NONE, SOFT_IRQ_TIMER };

struct bed bed;
struct peer peer;

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
