/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "luns_rig.h"

#include "util/compiler.h"
#include "wire/scsi_data.h"

struct peer other;
char reason[256];
int nr_mrs;
static const struct fabric *soft;

static struct ibv_mr *
count_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	__atomic_fetch_add(&nr_mrs, 1, __ATOMIC_SEQ_CST);
	return soft->reg_mr(pd, addr, length, access);
}

static int
count_dereg_mr(struct ibv_mr *mr)
{
	__atomic_fetch_sub(&nr_mrs, 1, __ATOMIC_SEQ_CST);
	return soft->dereg_mr(mr);
}

void
up(enum soft_irqmode mode, const struct target_attr *more)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = LUN_BYTES },
		{ .number = 1, .backend = "ram", .size_bytes = LUN_BYTES },
	};
	static struct fabric fabric;
	struct target_attr attr = *more;

	soft = fabric_find("soft");
	fabric = *soft;
	fabric.reg_mr = count_reg_mr;
	fabric.dereg_mr = count_dereg_mr;
	attr.fabric = &fabric;
	if (!attr.nr_luns) {
		attr.luns = luns;
		attr.nr_luns = ARRAY_SIZE(luns);
	}
	bed_create(&bed, mode, &attr);
	connect_as(&peer, 1);
	connect_as(&other, 2);
}

void
all_down(void)
{
	peer_close(&other);
	down();
	ck_assert_int_eq(nr_mrs, 0);
}

const struct target_attr plain = { 0 };
const struct target_attr any_kind = { .may_add = true };

void
add(uint16_t number, const char *backend, uint64_t bytes)
{
	struct target_lun_attr attr = {
		.number = number,
		.backend = backend,
		.size_bytes = bytes,
	};

	changes(target_lun_add(bed.target, &attr, reason, sizeof(reason)));
}

void
take_away(uint16_t number)
{
	changes(target_lun_remove(
		bed.target, number, reason, sizeof(reason)));
}

void
resize(uint16_t number, uint64_t bytes)
{
	changes(target_lun_resize(
		bed.target, number, bytes, reason, sizeof(reason)));
}

void
expect_attention(uint64_t lun, uint32_t code)
{
	struct peer_cmd tur = test_unit_ready(lun);

	expect_sense(&tur, code);
	expect_good(&tur);
	expect_sense_on(&other, &tur, code);
	expect_good_on(&other, &tur);
}

uint64_t
last_lba(uint64_t lun)
{
	struct peer_cmd cmd = { .lun = lun, .dir = SCSI_DIR_IN, .len = 32 };
	struct scsi_capacity capacity;

	scsi_cdb_read_capacity_16(cmd.cdb, 32);
	expect_good(&cmd);
	ck_assert_int_eq(
		scsi_data_capacity_16_decode(peer.data, 32, &capacity), 0);
	return capacity.last_lba;
}

unsigned int
count_luns(struct peer *p)
{
	struct peer_cmd cmd = { .dir = SCSI_DIR_IN, .len = 4096 };
	struct srp_iu_rsp rsp;

	scsi_cdb_report_luns(cmd.cdb, cmd.len);
	peer_do(p, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	return get_be32(p->data) / 8;
}

void
write_block(uint64_t lun, uint64_t lba, uint32_t seed)
{
	struct peer_cmd cmd = peer_rw(lun, true, lba, 1, 512);

	fill(peer.data, 512, seed);
	expect_good(&cmd);
}

void
expect_block(uint64_t lun, uint64_t lba, uint32_t seed)
{
	struct peer_cmd cmd = peer_rw(lun, false, lba, 1, 512);
	uint8_t wanted[512] = { 0 };

	if (seed)
		fill(wanted, sizeof(wanted), seed);
	memset(peer.data, 0xee, 512);
	expect_good(&cmd);
	ck_assert_mem_eq(peer.data, wanted, 512);
}
