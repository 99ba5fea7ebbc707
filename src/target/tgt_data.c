/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdlib.h>

#include "target/tgt_scsi.h"
#include "wire/scsi_data.h"
#include "wire/scsi_lun.h"

/* SELECT REPORT of REPORT LUNS (SPC-4 6.33) */
enum {
	DATA_SELECT_LUNS = 0x00,
	DATA_SELECT_WELL_KNOWN = 0x01,
	DATA_SELECT_ALL = 0x02,
};

/* PC of MODE SENSE (SPC-4 6.14) */
enum {
	DATA_PC_CHANGEABLE = 1,
	DATA_PC_SAVED = 3,
};

#define DATA_ASC_SAVING_NOT_SUPPORTED 0x3900
#define DATA_SUBPAGE_ALL 0xff
#define DATA_REPORT_LUNS_WELL_KNOWN 1

void
tgt_data_capacity(const struct tgt_lun *lun, const struct scsi_cmd *scsi,
	void *buf, size_t n, struct tgt_answer *answer)
{
	struct scsi_capacity in = {
		.last_lba = lun->nr_blocks - 1,
		.block_bytes = lun->block_bytes,
		.lbpme = true,
		.lbprz = true,
	};

	if (!(scsi->flags & SCSI_CMD_PMI) && scsi->lba) {
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		return;
	}
	if (scsi->op == SCSI_OP_READ_CAPACITY_10)
		answer->bytes = scsi_data_capacity_10_encode(&in, buf, n);
	else
		answer->bytes = scsi_data_capacity_16_encode(
			&in, buf, min(n, (size_t)scsi->alloc_len));
}

static int
data_compare_luns(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct scsi_lun));
}

void
tgt_data_report_luns(const struct target *target, const struct scsi_cmd *scsi,
	void *buf, size_t n, struct tgt_answer *answer)
{
	struct scsi_lun luns[TARGET_MAX_LUNS + 1];
	struct scsi_lun_addr well_known = {
		.method = SCSI_LUN_WELL_KNOWN,
		.number = DATA_REPORT_LUNS_WELL_KNOWN,
	};
	unsigned int i, nr = 0;

	if (scsi->page > DATA_SELECT_ALL) {
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		return;
	}
	if (scsi->page != DATA_SELECT_WELL_KNOWN)
		for (i = 0; i < target->nr_luns; i++)
			nr += !target->luns[i].is_free &&
				!scsi_lun_from_number(target->luns[i].number,
					&luns[nr]);
	qsort(luns, nr, sizeof(luns[0]), data_compare_luns);
	if (scsi->page != DATA_SELECT_LUNS)
		nr += !scsi_lun_encode(&well_known, &luns[nr]);
	answer->bytes = scsi_data_report_luns_encode(
		luns, nr, buf, min(n, (size_t)scsi->alloc_len));
}

void
tgt_data_mode_sense(const struct tgt_lun *lun, const struct scsi_cmd *scsi,
	void *buf, size_t n, struct tgt_answer *answer)
{
	struct scsi_mode in = {
		.wp = lun->flags & TARGET_LUN_RO,
		.dpofua = true,
		.has_block_desc = !(scsi->flags & SCSI_CMD_DBD),
		.has_caching = true,
		/* libaio's writes may sit in the device's cache */
		.wce = lun->is_async &&
			scsi->page_control != DATA_PC_CHANGEABLE,
		.block_bytes = lun->block_bytes,
		.nr_blocks = lun->nr_blocks,
	};

	if (scsi->page_control == DATA_PC_SAVED) {
		tgt_answer_refuse(answer, DATA_ASC_SAVING_NOT_SUPPORTED);
		return;
	}
	if (scsi->page != SCSI_MODE_CACHING && scsi->page != SCSI_MODE_ALL) {
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		return;
	}
	if (scsi->subpage && (scsi->page != SCSI_MODE_ALL ||
				     scsi->subpage != DATA_SUBPAGE_ALL)) {
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		return;
	}
	n = min(n, (size_t)scsi->alloc_len);
	answer->bytes = scsi->op == SCSI_OP_MODE_SENSE_6 ?
		scsi_data_mode_6_encode(&in, buf, n) :
		scsi_data_mode_10_encode(&in, buf, n);
}
