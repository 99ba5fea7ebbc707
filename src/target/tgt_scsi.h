/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Commands other than READ and WRITE. The parts declared here are pure: they
 * look at the target's and the LUN's constants and write into the buffer that
 * they are given; tgt_scsi.c joins them to the channel.
 */
#ifndef TARGET_TGT_SCSI_H
#define TARGET_TGT_SCSI_H

#include "target/tgt.h"
#include "wire/scsi_cdb.h"

/* What a command that returns data has to say. */
struct tgt_answer {
	size_t bytes;	/* in the buffer, cut to the allocation length */
	uint8_t key;	/* with key or asc not 0: CHECK CONDITION */
	uint16_t asc;
};

static inline void
tgt_answer_refuse(struct tgt_answer *answer, uint16_t asc)
{
	*answer = (struct tgt_answer){
		.key = SCSI_KEY_ILLEGAL_REQUEST,
		.asc = asc,
	};
}

/* Which unit a command names: one that exists, or one of these. */
enum tgt_unit_kind {
	TGT_UNIT_LUN,
	TGT_UNIT_REPORT_LUNS, /* the well-known one of that name */
	TGT_UNIT_NONE,
};

struct tgt_unit {
	enum tgt_unit_kind kind;
	const struct tgt_lun *lun; /* TGT_UNIT_LUN */
};

/* INQUIRY, standard data and VPD pages (tgt_inquiry.c). */
void tgt_inquiry(const struct target *target, const struct tgt_unit *unit,
	const struct scsi_cmd *scsi, void *buf, size_t n,
	struct tgt_answer *answer);
/* The name of a LUN in pages 80h and 83h: 16 digits of id_ext, 4 of number. */
void tgt_inquiry_serial(const struct target *target, const struct tgt_lun *lun,
	char text[24]);
/* NAA 6: the first 24 bits of id_ext as the company, then the rest of it and
 * the LUN. */
void tgt_inquiry_naa(const struct target *target, const struct tgt_lun *lun,
	uint8_t naa[16]);

/* READ CAPACITY, REPORT LUNS, MODE SENSE (tgt_data.c). */
void tgt_data_capacity(const struct tgt_lun *lun, const struct scsi_cmd *scsi,
	void *buf, size_t n, struct tgt_answer *answer);
void tgt_data_report_luns(const struct target *target,
	const struct scsi_cmd *scsi, void *buf, size_t n,
	struct tgt_answer *answer);
void tgt_data_mode_sense(const struct tgt_lun *lun,
	const struct scsi_cmd *scsi, void *buf, size_t n,
	struct tgt_answer *answer);

/*
 * Commands on the medium (tgt_media.c): UNMAP, WRITE SAME, VERIFY,
 * SYNCHRONIZE CACHE. tgt_media_refuse() gives the asc that forbids one, or 0;
 * *want is the data-out that it needs.
 */
uint16_t tgt_media_refuse(const struct tgt_lun *lun,
	const struct scsi_cmd *scsi, uint64_t *want);
/* Carries it out with its data-out; 0, or key << 16 | asc. */
uint32_t tgt_media_execute(struct tgt_lun *lun, const struct scsi_cmd *scsi,
	const uint8_t *data, size_t bytes);

#endif /* TARGET_TGT_SCSI_H */
