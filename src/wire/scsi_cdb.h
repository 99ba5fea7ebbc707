/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Command descriptor blocks, both ways, from one table with a row per command
 * (scsi_cdb.c). The initiator fills a struct scsi_cmd, or calls one of the
 * short forms, and encodes; the target decodes and never looks at a byte.
 */
#ifndef WIRE_SCSI_CDB_H
#define WIRE_SCSI_CDB_H

#include <stdbool.h>

#include "wire/scsi.h"

enum scsi_cmd_flag {
	SCSI_CMD_DPO = 1 << 0,		/* READ, WRITE, VERIFY */
	SCSI_CMD_FUA = 1 << 1,		/* READ, WRITE */
	SCSI_CMD_UNMAP = 1 << 2,	/* WRITE SAME */
	SCSI_CMD_NDOB = 1 << 3,		/* WRITE SAME(16): no data-out */
	SCSI_CMD_ANCHOR = 1 << 4,	/* UNMAP, WRITE SAME */
	SCSI_CMD_EVPD = 1 << 5,		/* INQUIRY: page is valid */
	SCSI_CMD_DBD = 1 << 6,		/* MODE SENSE: no block descriptors */
	SCSI_CMD_LLBAA = 1 << 7,	/* MODE SENSE(10) */
	SCSI_CMD_DESC = 1 << 8,		/* REQUEST SENSE: descriptor format */
	SCSI_CMD_IMMED = 1 << 9,	/* SYNCHRONIZE CACHE, START STOP UNIT */
	SCSI_CMD_START = 1 << 10,	/* START STOP UNIT */
	SCSI_CMD_LOEJ = 1 << 11,	/* START STOP UNIT */
	SCSI_CMD_NO_FLUSH = 1 << 12,	/* START STOP UNIT */
	SCSI_CMD_PMI = 1 << 13,		/* READ CAPACITY, obsolete in SBC-3 */
	SCSI_CMD_NACA = 1 << 14,	/* CONTROL byte, every command */
};

/* Members that a command does not have are 0 after decode and must be 0 for
 * encode. */
struct scsi_cmd {
	uint8_t op;		/* enum scsi_op */
	uint8_t action;		/* service action, for 9Eh */
	uint8_t cdb_len;	/* set by decode, ignored by encode */
	uint8_t page;		/* VPD or mode page; REPORT LUNS: SELECT REPORT;
				 * START STOP UNIT: POWER CONDITION */
	uint8_t subpage;	/* mode subpage; START STOP UNIT: modifier */
	uint8_t page_control;	/* MODE SENSE: PC */
	uint8_t protect;	/* RDPROTECT, WRPROTECT, VRPROTECT */
	uint8_t bytchk;		/* VERIFY: 0, 1, 3 */
	uint8_t group;		/* group number */
	uint16_t flags;		/* enum scsi_cmd_flag */
	uint32_t blocks;	/* READ(6) and WRITE(6): 256 for a 0 */
	uint32_t alloc_len;	/* allocation or parameter list length, bytes */
	uint64_t lba;
};

/* Length of a CDB by its first byte (SPC-4 4.2.5.1): 6, 10, 12 or 16; 0 for
 * the variable-length, reserved and vendor groups. */
static inline unsigned int
scsi_cdb_len(uint8_t op)
{
	static const uint8_t len[8] = { 6, 10, 10, 0, 16, 12, 0, 0 };

	return len[op >> 5];
}

/*
 * Decode the n bytes at cdb; bytes past the command's own length are not
 * looked at, reserved and obsolete bits are ignored. SRP always carries 16.
 *
 * 0; -EOPNOTSUPP when there is no row for the command (sense 05/20/00, or
 * 05/24/00 for a service action), cmd->op and cmd->action then being set as far
 * as they arrived; -EINVAL when n is shorter than the command.
 */
int __must_check scsi_cdb_decode(const void *cdb, size_t n,
	struct scsi_cmd *cmd);

/*
 * Encode into cdb[0..15], zero filled. Returns the CDB's length, or -EOPNOTSUPP
 * for a command without a row, -ERANGE when a member does not fit its field
 * (cdb is then all zero).
 */
int __must_check scsi_cdb_encode(const struct scsi_cmd *cmd,
	uint8_t cdb[SCSI_CDB_BYTES]);

/*
 * The per-I/O one: READ or WRITE, (10) where address and length fit and (16)
 * otherwise; flags are SCSI_CMD_FUA and SCSI_CMD_DPO. blocks == 0 transfers
 * nothing, as the standard says. Returns the CDB's length.
 */
static inline unsigned int
scsi_cdb_rw(uint8_t cdb[SCSI_CDB_BYTES], bool write, uint64_t lba,
	uint32_t blocks, unsigned int flags)
{
	uint8_t byte1 = (uint8_t)((flags & SCSI_CMD_DPO ? 0x10 : 0) |
		(flags & SCSI_CMD_FUA ? 0x08 : 0));

	memset(cdb, 0, SCSI_CDB_BYTES);
	cdb[1] = byte1;
	if (likely(lba <= UINT32_MAX && blocks <= UINT16_MAX)) {
		cdb[0] = write ? SCSI_OP_WRITE_10 : SCSI_OP_READ_10;
		put_be32(cdb + 2, (uint32_t)lba);
		put_be16(cdb + 7, (uint16_t)blocks);
		return 10;
	}
	cdb[0] = write ? SCSI_OP_WRITE_16 : SCSI_OP_READ_16;
	put_be64(cdb + 2, lba);
	put_be32(cdb + 10, blocks);
	return 16;
}

/* Short forms: fill cdb[0..15], return the length, cannot fail. */
unsigned int scsi_cdb_test_unit_ready(uint8_t cdb[SCSI_CDB_BYTES]);
unsigned int scsi_cdb_request_sense(uint8_t cdb[SCSI_CDB_BYTES], bool desc,
	uint8_t alloc_len);
unsigned int scsi_cdb_inquiry(uint8_t cdb[SCSI_CDB_BYTES], uint16_t alloc_len);
unsigned int scsi_cdb_inquiry_vpd(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint16_t alloc_len);
unsigned int scsi_cdb_read_capacity_10(uint8_t cdb[SCSI_CDB_BYTES]);
unsigned int scsi_cdb_read_capacity_16(uint8_t cdb[SCSI_CDB_BYTES],
	uint32_t alloc_len);
unsigned int scsi_cdb_report_luns(uint8_t cdb[SCSI_CDB_BYTES],
	uint32_t alloc_len);
unsigned int scsi_cdb_mode_sense_6(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint8_t alloc_len);
unsigned int scsi_cdb_mode_sense_10(uint8_t cdb[SCSI_CDB_BYTES], uint8_t page,
	uint16_t alloc_len);
unsigned int scsi_cdb_start_stop(uint8_t cdb[SCSI_CDB_BYTES], bool start,
	bool immed);
/* (10) or (16) as they fit; blocks == 0 means up to the end of the medium. */
unsigned int scsi_cdb_sync_cache(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba,
	uint32_t blocks, bool immed);
/* list_len: bytes of the parameter list, see scsi_data_unmap_encode(). */
unsigned int scsi_cdb_unmap(uint8_t cdb[SCSI_CDB_BYTES], uint16_t list_len);
/* (10) or (16) as they fit; SCSI_CMD_NDOB needs and takes the (16). flags are
 * SCSI_CMD_UNMAP, _ANCHOR, _NDOB. */
unsigned int scsi_cdb_write_same(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba,
	uint32_t blocks, unsigned int flags);
/* (10) or (16) as they fit; bytchk 0: the medium is only read. */
unsigned int scsi_cdb_verify(uint8_t cdb[SCSI_CDB_BYTES], uint64_t lba,
	uint32_t blocks, uint8_t bytchk);

/*
 * Which way data goes, by operation code, service action, BYTCHK and NDOB. A
 * command without a row counts as SCSI_DIR_NONE.
 */
enum scsi_dir scsi_cdb_dir(const struct scsi_cmd *cmd);

/*
 * Name for messages in the standard's words, "Read(10)", also for commands
 * without a row (libsgutils2). Cut to size, always terminated (size > 0).
 * n is what is there of the CDB, at least 1.
 */
void scsi_cdb_name(const void *cdb, size_t n, char *text, size_t size);

#endif
