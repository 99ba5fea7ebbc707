/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One table row per command says where each member of struct scsi_cmd lies in
 * the CDB; encode and decode are the two ways through it. READ and WRITE (10)
 * and (16), which a target decodes per I/O, go past the table.
 */
#include <assert.h>
#include <errno.h>

#include <scsi/sg_lib.h>

#include "wire/scsi_cdb.h"

/* bits bits of a member, in the big-endian number of bytes bytes at at, shift
 * bits from its right end. */
struct field {
	uint8_t member;		/* offset in struct scsi_cmd */
	uint8_t size;		/* of the member: 1, 4 or 8 */
	uint8_t at;
	uint8_t bytes;		/* 0: no more fields */
	uint8_t shift;
	uint8_t bits;
};

struct flag {
	uint16_t flag;		/* 0: no more flags */
	uint8_t at;
	uint8_t mask;
};

struct row {
	uint8_t op;
	uint8_t action;
	uint8_t dir;		/* enum scsi_dir */
	struct field fields[5];
	struct flag flags[5];
};

#define FIELD(name, at, bytes, shift, bits)                                    \
	{                                                                      \
		offsetof(struct scsi_cmd, name),                               \
			sizeof(((struct scsi_cmd *)NULL)->name), at, bytes,    \
			shift, bits                                            \
	}
#define LBA_6 FIELD(lba, 1, 3, 0, 21)
#define LBA_10 FIELD(lba, 2, 4, 0, 32)
#define LBA_16 FIELD(lba, 2, 8, 0, 64)
#define BLOCKS_6 FIELD(blocks, 4, 1, 0, 8)
#define BLOCKS_10 FIELD(blocks, 7, 2, 0, 16)
#define BLOCKS_12 FIELD(blocks, 6, 4, 0, 32)
#define BLOCKS_16 FIELD(blocks, 10, 4, 0, 32)
#define GROUP(at) FIELD(group, at, 1, 0, 5)
#define PROTECT FIELD(protect, 1, 1, 5, 3)
#define BYTCHK FIELD(bytchk, 1, 1, 1, 2)
#define DPO { SCSI_CMD_DPO, 1, 0x10 }
#define FUA { SCSI_CMD_FUA, 1, 0x08 }
#define ALL_10 LBA_10, BLOCKS_10, GROUP(6)
#define ALL_12 LBA_10, BLOCKS_12, GROUP(10)
#define ALL_16 LBA_16, BLOCKS_16, GROUP(14)

static const struct row rows[] = {
	{ SCSI_OP_TEST_UNIT_READY, 0, SCSI_DIR_NONE, { { 0 } }, { { 0 } } },
	{ SCSI_OP_REQUEST_SENSE, 0, SCSI_DIR_IN,
		{ FIELD(alloc_len, 4, 1, 0, 8) },
		{ { SCSI_CMD_DESC, 1, 0x01 } } },
	{ SCSI_OP_READ_6, 0, SCSI_DIR_IN, { LBA_6, BLOCKS_6 }, { { 0 } } },
	{ SCSI_OP_WRITE_6, 0, SCSI_DIR_OUT, { LBA_6, BLOCKS_6 }, { { 0 } } },
	{ SCSI_OP_INQUIRY, 0, SCSI_DIR_IN,
		{ FIELD(page, 2, 1, 0, 8), FIELD(alloc_len, 3, 2, 0, 16) },
		{ { SCSI_CMD_EVPD, 1, 0x01 } } },
	{ SCSI_OP_MODE_SENSE_6, 0, SCSI_DIR_IN,
		{ FIELD(page, 2, 1, 0, 6), FIELD(page_control, 2, 1, 6, 2),
			FIELD(subpage, 3, 1, 0, 8),
			FIELD(alloc_len, 4, 1, 0, 8) },
		{ { SCSI_CMD_DBD, 1, 0x08 } } },
	{ SCSI_OP_START_STOP_UNIT, 0, SCSI_DIR_NONE,
		{ FIELD(page, 4, 1, 4, 4), FIELD(subpage, 3, 1, 0, 4) },
		{ { SCSI_CMD_IMMED, 1, 0x01 }, { SCSI_CMD_START, 4, 0x01 },
			{ SCSI_CMD_LOEJ, 4, 0x02 },
			{ SCSI_CMD_NO_FLUSH, 4, 0x04 } } },
	{ SCSI_OP_READ_CAPACITY_10, 0, SCSI_DIR_IN, { LBA_10 },
		{ { SCSI_CMD_PMI, 8, 0x01 } } },
	{ SCSI_OP_READ_10, 0, SCSI_DIR_IN, { ALL_10, PROTECT }, { DPO, FUA } },
	{ SCSI_OP_WRITE_10, 0, SCSI_DIR_OUT, { ALL_10, PROTECT },
		{ DPO, FUA } },
	{ SCSI_OP_VERIFY_10, 0, SCSI_DIR_OUT, { ALL_10, PROTECT, BYTCHK },
		{ DPO } },
	{ SCSI_OP_SYNCHRONIZE_CACHE_10, 0, SCSI_DIR_NONE, { ALL_10 },
		{ { SCSI_CMD_IMMED, 1, 0x02 } } },
	{ SCSI_OP_WRITE_SAME_10, 0, SCSI_DIR_OUT, { ALL_10, PROTECT },
		{ { SCSI_CMD_UNMAP, 1, 0x08 }, { SCSI_CMD_ANCHOR, 1, 0x10 } } },
	{ SCSI_OP_UNMAP, 0, SCSI_DIR_OUT,
		{ FIELD(alloc_len, 7, 2, 0, 16), GROUP(6) },
		{ { SCSI_CMD_ANCHOR, 1, 0x01 } } },
	{ SCSI_OP_MODE_SENSE_10, 0, SCSI_DIR_IN,
		{ FIELD(page, 2, 1, 0, 6), FIELD(page_control, 2, 1, 6, 2),
			FIELD(subpage, 3, 1, 0, 8),
			FIELD(alloc_len, 7, 2, 0, 16) },
		{ { SCSI_CMD_DBD, 1, 0x08 }, { SCSI_CMD_LLBAA, 1, 0x10 } } },
	{ SCSI_OP_READ_16, 0, SCSI_DIR_IN, { ALL_16, PROTECT }, { DPO, FUA } },
	{ SCSI_OP_WRITE_16, 0, SCSI_DIR_OUT, { ALL_16, PROTECT },
		{ DPO, FUA } },
	{ SCSI_OP_VERIFY_16, 0, SCSI_DIR_OUT, { ALL_16, PROTECT, BYTCHK },
		{ DPO } },
	{ SCSI_OP_SYNCHRONIZE_CACHE_16, 0, SCSI_DIR_NONE, { ALL_16 },
		{ { SCSI_CMD_IMMED, 1, 0x02 } } },
	{ SCSI_OP_WRITE_SAME_16, 0, SCSI_DIR_OUT, { ALL_16, PROTECT },
		{ { SCSI_CMD_UNMAP, 1, 0x08 }, { SCSI_CMD_ANCHOR, 1, 0x10 },
			{ SCSI_CMD_NDOB, 1, 0x01 } } },
	{ SCSI_OP_SERVICE_ACTION_IN_16, SCSI_SAI_READ_CAPACITY_16, SCSI_DIR_IN,
		{ LBA_16, FIELD(alloc_len, 10, 4, 0, 32) },
		{ { SCSI_CMD_PMI, 14, 0x01 } } },
	{ SCSI_OP_REPORT_LUNS, 0, SCSI_DIR_IN,
		{ FIELD(page, 2, 1, 0, 8), FIELD(alloc_len, 6, 4, 0, 32) },
		{ { 0 } } },
	{ SCSI_OP_READ_12, 0, SCSI_DIR_IN, { ALL_12, PROTECT }, { DPO, FUA } },
	{ SCSI_OP_WRITE_12, 0, SCSI_DIR_OUT, { ALL_12, PROTECT },
		{ DPO, FUA } },
};

/* NACA is bit 2 of the CONTROL byte, the last one of every CDB here. */
#define CONTROL_NACA 0x04

static bool
has_action(uint8_t op)
{
	return op == SCSI_OP_SERVICE_ACTION_IN_16;
}

static bool
is_rw_6(uint8_t op)
{
	return op == SCSI_OP_READ_6 || op == SCSI_OP_WRITE_6;
}

static const struct row *
find_row(uint8_t op, uint8_t action)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].op == op && rows[i].action == action)
			return &rows[i];
	return NULL;
}

static uint64_t
get_bytes(const uint8_t *p, unsigned int bytes)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	return v;
}

static uint64_t
field_mask(const struct field *f)
{
	return f->bits == 64 ? UINT64_MAX : (UINT64_C(1) << f->bits) - 1;
}

static void
decode_field(const struct field *f, const uint8_t *cdb, struct scsi_cmd *cmd)
{
	void *member = (uint8_t *)cmd + f->member;
	uint64_t v = get_bytes(cdb + f->at, f->bytes) >> f->shift &
		field_mask(f);

	switch (f->size) {
	case 1:
		*(uint8_t *)member = (uint8_t)v;
		break;
	case 4:
		*(uint32_t *)member = (uint32_t)v;
		break;
	default:
		*(uint64_t *)member = v;
		break;
	}
}

/* The CDB's bytes are zero at first, so that fields can be added in. */
static void
encode_field(const struct field *f, const struct scsi_cmd *cmd, uint8_t *cdb)
{
	const void *member = (const uint8_t *)cmd + f->member;
	uint64_t v;

	switch (f->size) {
	case 1:
		v = *(const uint8_t *)member;
		break;
	case 4:
		v = *(const uint32_t *)member;
		break;
	default:
		v = *(const uint64_t *)member;
		break;
	}
	v = (v & field_mask(f)) << f->shift;
	for (unsigned int i = f->bytes; i-- > 0; v >>= 8)
		cdb[f->at + i] |= (uint8_t)v;
}

/* Per I/O on a target: what ALL_10 or ALL_16 and the flags say, spelled out. */
static inline void
decode_rw(const uint8_t *cdb, bool is_16, struct scsi_cmd *cmd)
{
	*cmd = (struct scsi_cmd){ .op = cdb[0] };
	cmd->flags = (uint16_t)((cdb[1] & 0x10 ? SCSI_CMD_DPO : 0) |
		(cdb[1] & 0x08 ? SCSI_CMD_FUA : 0));
	cmd->protect = cdb[1] >> 5;
	if (is_16) {
		cmd->cdb_len = 16;
		cmd->lba = get_be64(cdb + 2);
		cmd->blocks = get_be32(cdb + 10);
		cmd->group = cdb[14] & 0x1f;
	} else {
		cmd->cdb_len = 10;
		cmd->lba = get_be32(cdb + 2);
		cmd->group = cdb[6] & 0x1f;
		cmd->blocks = get_be16(cdb + 7);
	}
	if (unlikely(cdb[cmd->cdb_len - 1] & CONTROL_NACA))
		cmd->flags |= SCSI_CMD_NACA;
}

static void
decode_row(const struct row *row, const uint8_t *cdb, struct scsi_cmd *cmd)
{
	for (size_t i = 0; i < ARRAY_SIZE(row->fields); i++)
		if (row->fields[i].bytes)
			decode_field(&row->fields[i], cdb, cmd);
	for (size_t i = 0; i < ARRAY_SIZE(row->flags); i++)
		if (row->flags[i].flag &&
			(cdb[row->flags[i].at] & row->flags[i].mask))
			cmd->flags |= row->flags[i].flag;
	if (cdb[cmd->cdb_len - 1] & CONTROL_NACA)
		cmd->flags |= SCSI_CMD_NACA;
	if (is_rw_6(cmd->op) && cmd->blocks == 0)
		cmd->blocks = 256;
}

int
scsi_cdb_decode(const void *cdb, size_t n, struct scsi_cmd *cmd)
{
	const uint8_t *b = cdb;
	const struct row *row;

	if (likely(n >= 16)) {
		if (b[0] == SCSI_OP_READ_10 || b[0] == SCSI_OP_WRITE_10) {
			decode_rw(b, false, cmd);
			return 0;
		}
		if (b[0] == SCSI_OP_READ_16 || b[0] == SCSI_OP_WRITE_16) {
			decode_rw(b, true, cmd);
			return 0;
		}
	}
	*cmd = (struct scsi_cmd){ 0 };
	if (n == 0)
		return -EINVAL;
	cmd->op = b[0];
	if (has_action(cmd->op)) {
		if (n < 2)
			return -EINVAL;
		cmd->action = b[1] & 0x1f;
	}
	row = find_row(cmd->op, cmd->action);
	if (!row)
		return -EOPNOTSUPP;
	if (n < scsi_cdb_len(cmd->op))
		return -EINVAL;
	cmd->cdb_len = (uint8_t)scsi_cdb_len(cmd->op);
	decode_row(row, b, cmd);
	return 0;
}

/* All but cdb_len, which is no input of encode. */
static bool
is_same(const struct scsi_cmd *a, const struct scsi_cmd *b)
{
	return a->op == b->op && a->action == b->action &&
		a->page == b->page && a->subpage == b->subpage &&
		a->page_control == b->page_control &&
		a->protect == b->protect && a->bytchk == b->bytchk &&
		a->group == b->group && a->flags == b->flags &&
		a->blocks == b->blocks && a->alloc_len == b->alloc_len &&
		a->lba == b->lba;
}

int
scsi_cdb_encode(const struct scsi_cmd *cmd, uint8_t cdb[SCSI_CDB_BYTES])
{
	const struct row *row = find_row(cmd->op, cmd->action);
	unsigned int len = scsi_cdb_len(cmd->op);
	struct scsi_cmd back;

	memset(cdb, 0, SCSI_CDB_BYTES);
	if (!row)
		return -EOPNOTSUPP;
	cdb[0] = cmd->op;
	cdb[1] = cmd->action;
	for (size_t i = 0; i < ARRAY_SIZE(row->fields); i++)
		if (row->fields[i].bytes)
			encode_field(&row->fields[i], cmd, cdb);
	for (size_t i = 0; i < ARRAY_SIZE(row->flags); i++)
		if (cmd->flags & row->flags[i].flag)
			cdb[row->flags[i].at] |= row->flags[i].mask;
	if (cmd->flags & SCSI_CMD_NACA)
		cdb[len - 1] |= CONTROL_NACA;
	/* What was cut to its field, or has none, does not come back. */
	if (scsi_cdb_decode(cdb, len, &back) || !is_same(cmd, &back)) {
		memset(cdb, 0, SCSI_CDB_BYTES);
		return -ERANGE;
	}
	return (int)len;
}

/* For the short forms, whose arguments fit by their types. */
static unsigned int
encode_short(struct scsi_cmd cmd, uint8_t cdb[SCSI_CDB_BYTES])
{
	int len = scsi_cdb_encode(&cmd, cdb);

	assert(len > 0);
	return (unsigned int)len;
}

unsigned int
scsi_cdb_test_unit_ready(uint8_t cdb[SCSI_CDB_BYTES])
{
	return encode_short(
		(struct scsi_cmd){ .op = SCSI_OP_TEST_UNIT_READY }, cdb);
}

unsigned int
scsi_cdb_request_sense(uint8_t cdb[SCSI_CDB_BYTES], bool desc,
	uint8_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_REQUEST_SENSE,
				    .flags = desc ? SCSI_CMD_DESC : 0,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_inquiry(uint8_t cdb[SCSI_CDB_BYTES], uint16_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_INQUIRY,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_inquiry_vpd(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint16_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_INQUIRY,
				    .flags = SCSI_CMD_EVPD,
				    .page = page,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_read_capacity_10(uint8_t cdb[SCSI_CDB_BYTES])
{
	return encode_short(
		(struct scsi_cmd){ .op = SCSI_OP_READ_CAPACITY_10 }, cdb);
}

unsigned int
scsi_cdb_read_capacity_16(uint8_t cdb[SCSI_CDB_BYTES], uint32_t alloc_len)
{
	return encode_short(
		(struct scsi_cmd){ .op = SCSI_OP_SERVICE_ACTION_IN_16,
			.action = SCSI_SAI_READ_CAPACITY_16,
			.alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_report_luns(uint8_t cdb[SCSI_CDB_BYTES], uint32_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_REPORT_LUNS,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_mode_sense_6(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint8_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_MODE_SENSE_6,
				    .page = page & 0x3f,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_mode_sense_10(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint16_t alloc_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_MODE_SENSE_10,
				    .page = page & 0x3f,
				    .alloc_len = alloc_len },
		cdb);
}

unsigned int
scsi_cdb_start_stop(uint8_t cdb[SCSI_CDB_BYTES], bool start, bool immed)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_START_STOP_UNIT,
				    .flags = (uint16_t)(
					    (start ? SCSI_CMD_START : 0) |
					    (immed ? SCSI_CMD_IMMED : 0)) },
		cdb);
}

unsigned int
scsi_cdb_unmap(uint8_t cdb[SCSI_CDB_BYTES], uint16_t list_len)
{
	return encode_short((struct scsi_cmd){ .op = SCSI_OP_UNMAP,
				    .alloc_len = list_len },
		cdb);
}

static bool
fits_10(uint64_t lba, uint32_t blocks)
{
	return lba <= UINT32_MAX && blocks <= UINT16_MAX;
}

unsigned int
scsi_cdb_sync_cache(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba, uint32_t blocks,
	bool immed)
{
	return encode_short((struct scsi_cmd){ .op = fits_10(lba, blocks) ?
					    SCSI_OP_SYNCHRONIZE_CACHE_10 :
					    SCSI_OP_SYNCHRONIZE_CACHE_16,
				    .flags = immed ? SCSI_CMD_IMMED : 0,
				    .lba = lba,
				    .blocks = blocks },
		cdb);
}

unsigned int
scsi_cdb_write_same(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba, uint32_t blocks,
	unsigned int flags)
{
	bool is_10 = fits_10(lba, blocks) && !(flags & SCSI_CMD_NDOB);

	flags &= SCSI_CMD_UNMAP | SCSI_CMD_ANCHOR | SCSI_CMD_NDOB;
	return encode_short((struct scsi_cmd){ .op = is_10 ?
					    SCSI_OP_WRITE_SAME_10 :
					    SCSI_OP_WRITE_SAME_16,
				    .flags = (uint16_t)flags,
				    .lba = lba,
				    .blocks = blocks },
		cdb);
}

unsigned int
scsi_cdb_verify(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba, uint32_t blocks,
	uint8_t bytchk)
{
	return encode_short((struct scsi_cmd){ .op = fits_10(lba, blocks) ?
					    SCSI_OP_VERIFY_10 :
					    SCSI_OP_VERIFY_16,
				    .bytchk = bytchk & 3,
				    .lba = lba,
				    .blocks = blocks },
		cdb);
}

enum scsi_dir
scsi_cdb_dir(const struct scsi_cmd *cmd)
{
	const struct row *row = find_row(cmd->op, cmd->action);

	if (!row || (cmd->flags & SCSI_CMD_NDOB))
		return SCSI_DIR_NONE;
	if (cmd->op == SCSI_OP_VERIFY_10 || cmd->op == SCSI_OP_VERIFY_16)
		return cmd->bytchk ? SCSI_DIR_OUT : SCSI_DIR_NONE;
	return row->dir;
}

void
scsi_cdb_name(const void *cdb, size_t n, char *text, size_t size)
{
	/* The library reads as far as the longest CDB with a name. */
	uint8_t whole[SCSI_CDB_BYTES] = { 0 };

	assert(n >= 1 && size >= 1);
	memcpy(whole, cdb, min_t(size_t, n, sizeof(whole)));
	text[0] = '\0';
	sg_get_command_name(whole, SCSI_TYPE_DISK,
		(int)min_t(size_t, size, 256), text);
}
