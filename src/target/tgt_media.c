/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <errno.h>

#include "target/tgt_scsi.h"
#include "wire/scsi_data.h"

#define MEDIA_MAX_UNMAP_DESCS 32
#define MEDIA_CODE(key, asc) ((uint32_t)(key) << 16 | (asc))

enum {
	MEDIA_BYTCHK_NONE = 0,
	MEDIA_BYTCHK_ALL = 1,
	MEDIA_BYTCHK_ONE_BLOCK = 3,
};

static bool
media_is_inside(const struct tgt_lun *lun, uint64_t lba, uint64_t blocks)
{
	return lba <= lun->nr_blocks && blocks <= lun->nr_blocks - lba;
}

static uint16_t
media_refuse_write_same(const struct tgt_lun *lun,
	const struct scsi_cmd *scsi, uint64_t *want)
{
	if (scsi->flags & SCSI_CMD_ANCHOR || scsi->protect)
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (!media_is_inside(lun, scsi->lba, scsi->blocks))
		return SCSI_ASC_LBA_OUT_OF_RANGE;
	/* page B0h: WSNZ, and the limit */
	if (!scsi->blocks || scsi->blocks > tgt_lun_max_unmap_blocks(lun))
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (tgt_lun_is_protected(lun))
		return SCSI_ASC_WRITE_PROTECTED;
	*want = scsi->flags & SCSI_CMD_NDOB ? 0 : lun->block_bytes;
	return 0;
}

static uint16_t
media_refuse_verify(const struct tgt_lun *lun, const struct scsi_cmd *scsi,
	uint64_t *want)
{
	if (!media_is_inside(lun, scsi->lba, scsi->blocks))
		return SCSI_ASC_LBA_OUT_OF_RANGE;
	if (scsi->protect)
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	switch (scsi->bytchk) {
	case MEDIA_BYTCHK_NONE:
		return 0;
	case MEDIA_BYTCHK_ALL:
		*want = (uint64_t)scsi->blocks * lun->block_bytes;
		return 0;
	case MEDIA_BYTCHK_ONE_BLOCK:
		*want = scsi->blocks ? lun->block_bytes : 0;
		return 0;
	default:
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	}
}

uint16_t
tgt_media_refuse(const struct tgt_lun *lun, const struct scsi_cmd *scsi,
	uint64_t *want)
{
	*want = 0;
	switch (scsi->op) {
	case SCSI_OP_WRITE_SAME_10:
	case SCSI_OP_WRITE_SAME_16:
		return media_refuse_write_same(lun, scsi, want);
	case SCSI_OP_VERIFY_10:
	case SCSI_OP_VERIFY_16:
		return media_refuse_verify(lun, scsi, want);
	case SCSI_OP_UNMAP:
		if (scsi->flags & SCSI_CMD_ANCHOR)
			return SCSI_ASC_INVALID_FIELD_IN_CDB;
		if (tgt_lun_is_protected(lun))
			return SCSI_ASC_WRITE_PROTECTED;
		*want = scsi->alloc_len;
		return 0;
	case SCSI_OP_SYNCHRONIZE_CACHE_10:
	case SCSI_OP_SYNCHRONIZE_CACHE_16:
		return media_is_inside(lun, scsi->lba, scsi->blocks) ?
			0 :
			SCSI_ASC_LBA_OUT_OF_RANGE;
	default:
		return SCSI_ASC_INVALID_OPCODE;
	}
}

static uint32_t
media_code(int rc)
{
	switch (rc) {
	case 0:
		return 0;
	case -EILSEQ:
		return MEDIA_CODE(SCSI_KEY_MISCOMPARE, SCSI_ASC_MISCOMPARE);
	case -ENOSPC:
		/* SPACE ALLOCATION FAILED WRITE PROTECT */
		return MEDIA_CODE(SCSI_KEY_DATA_PROTECT, 0x2707);
	default:
		return MEDIA_CODE(SCSI_KEY_MEDIUM_ERROR, SCSI_ASC_WRITE_ERROR);
	}
}

static bool
media_is_zero(const uint8_t *data, size_t bytes)
{
	return !bytes || (!data[0] && !memcmp(data, data + 1, bytes - 1));
}

/* Unmapped blocks read as zeros, so UNMAP is honoured for a block of zeros
 * only (SBC-3 5.46). */
static uint32_t
media_write_same(struct tgt_lun *lun, const struct scsi_cmd *scsi,
	const uint8_t *block)
{
	static const uint8_t zeros[4160];
	uint64_t off = scsi->lba * lun->block_bytes;
	uint64_t len = (uint64_t)scsi->blocks * lun->block_bytes;

	if (scsi->flags & SCSI_CMD_NDOB)
		block = zeros;
	if (media_is_zero(block, lun->block_bytes) &&
		scsi->flags & SCSI_CMD_UNMAP)
		return media_code(lun->backend->unmap(lun, off, len));
	return media_code(lun->backend->write_same(lun, off, len, block));
}

static uint16_t
media_check_ranges(
	const struct tgt_lun *lun, const struct scsi_unmap_list *list)
{
	struct scsi_unmap_range range;
	uint32_t i;

	if (list->nr_descs > MEDIA_MAX_UNMAP_DESCS)
		return SCSI_ASC_INVALID_FIELD_IN_PARAMETERS;
	for (i = 0; i < list->nr_descs; i++) {
		range = scsi_data_unmap_range(list, i);
		if (!media_is_inside(lun, range.lba, range.nr_blocks))
			return SCSI_ASC_LBA_OUT_OF_RANGE;
		if (range.nr_blocks > tgt_lun_max_unmap_blocks(lun))
			return SCSI_ASC_INVALID_FIELD_IN_PARAMETERS;
	}
	return 0;
}

/* All of the list is checked before any of it is done. */
static uint32_t
media_unmap(struct tgt_lun *lun, const uint8_t *data, size_t bytes)
{
	struct scsi_unmap_list list;
	struct scsi_unmap_range range;
	uint32_t i;
	uint16_t asc = 0;
	int rc;

	rc = scsi_data_unmap_decode(data, bytes, &list);
	if (rc)
		asc = rc == -ENODATA ? SCSI_ASC_PARAMETER_LIST_LENGTH :
				       SCSI_ASC_INVALID_FIELD_IN_PARAMETERS;
	else
		asc = media_check_ranges(lun, &list);
	if (asc)
		return MEDIA_CODE(SCSI_KEY_ILLEGAL_REQUEST, asc);
	for (i = 0; i < list.nr_descs && !rc; i++) {
		range = scsi_data_unmap_range(&list, i);
		if (range.nr_blocks)
			rc = lun->backend->unmap(lun,
				range.lba * lun->block_bytes,
				(uint64_t)range.nr_blocks * lun->block_bytes);
	}
	return media_code(rc);
}

static uint32_t
media_verify(struct tgt_lun *lun, const struct scsi_cmd *scsi,
	const uint8_t *data, size_t bytes)
{
	uint64_t off = scsi->lba * lun->block_bytes;
	uint32_t i;
	int rc = 0;

	if (!bytes)
		return 0; /* nothing to compare with */
	if (scsi->bytchk == MEDIA_BYTCHK_ALL)
		rc = lun->backend->compare(lun, off, (uint32_t)bytes, data);
	else if (scsi->bytchk == MEDIA_BYTCHK_ONE_BLOCK)
		for (i = 0; i < scsi->blocks && !rc; i++)
			rc = lun->backend->compare(lun,
				off + (uint64_t)i * lun->block_bytes,
				lun->block_bytes, data);
	return media_code(rc);
}

uint32_t
tgt_media_execute(struct tgt_lun *lun, const struct scsi_cmd *scsi,
	const uint8_t *data, size_t bytes)
{
	switch (scsi->op) {
	case SCSI_OP_WRITE_SAME_10:
	case SCSI_OP_WRITE_SAME_16:
		return media_write_same(lun, scsi, data);
	case SCSI_OP_UNMAP:
		return media_unmap(lun, data, bytes);
	case SCSI_OP_VERIFY_10:
	case SCSI_OP_VERIFY_16:
		return media_verify(lun, scsi, data, bytes);
	default:
		return 0;
	}
}
