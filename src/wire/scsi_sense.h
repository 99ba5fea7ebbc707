/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sense data, fixed and descriptor format, both ways (SPC-4 4.5), and its text.
 */
#ifndef WIRE_SCSI_SENSE_H
#define WIRE_SCSI_SENSE_H

#include <stdbool.h>

#include "wire/scsi.h"

struct scsi_sense {
	uint8_t key;		/* enum scsi_sense_key */
	uint8_t asc;
	uint8_t ascq;
	uint8_t fru;		/* field replaceable unit, 0 = none */
	bool deferred;		/* about an earlier command (71h, 73h) */
	bool descriptor;	/* came in, or shall go out in, that format */
	bool info_valid;
	bool cmd_info_valid;
	bool sks_valid;
	uint8_t sks[3];		/* sense key specific; [0] without SKSV */
	uint64_t info;		/* for a medium error: the LBA that failed */
	uint64_t cmd_info;
};

enum {
	SCSI_SENSE_TEXT_BYTES = 160,	/* for scsi_sense_format(), never cut */
	/* longest that encode makes: head, information, command specific,
	 * sense key specific and FRU descriptors */
	SCSI_SENSE_ENCODED_BYTES = 8 + 12 + 12 + 8 + 4,
};

/* enum scsi_asc in one number */
static inline uint16_t
scsi_sense_code(const struct scsi_sense *s)
{
	return (uint16_t)(s->asc << 8 | s->ascq);
}

/* Sense without information, in fixed format: the usual answer of a target. */
static inline struct scsi_sense
scsi_sense_make(enum scsi_sense_key key, uint16_t code)
{
	return (struct scsi_sense){
		.key = (uint8_t)key,
		.asc = (uint8_t)(code >> 8),
		.ascq = (uint8_t)code,
	};
}

/*
 * Decode the n bytes at buf, believing neither the additional length nor a
 * descriptor's length beyond n. Fixed format cut short (a target may send less
 * than 18 bytes) gives zero for what did not arrive; a descriptor that is cut
 * is left out.
 *
 * 0; -ENODATA when n is 0; -EINVAL when the response code is not 70h to 73h or
 * not even the sense key arrived (3 bytes fixed, 4 bytes descriptor format).
 * *s is all zero when it fails.
 */
int __must_check scsi_sense_decode(const void *buf, size_t n,
	struct scsi_sense *s);

/*
 * Encode into at most n bytes at buf: fixed (18 bytes), or descriptor format
 * when s->descriptor or when info or cmd_info need more than 32 bits. Returns
 * the bytes stored; data that does not fit is cut, the additional length says
 * what would have come (SPC-4 4.2.5.6). SCSI_SENSE_ENCODED_BYTES is enough.
 */
size_t scsi_sense_encode(const struct scsi_sense *s, void *buf, size_t n);

/*
 * "ILLEGAL REQUEST (05/24/00): Invalid field in cdb", with ", LBA 1234" behind
 * it where information is valid and the key says that it is an address
 * (recovered, medium, hardware error, miscompare), and "deferred: " in front of
 * a deferred error. Cut to size, always terminated (size > 0).
 */
void scsi_sense_format(const struct scsi_sense *s, char *text, size_t size);

/* SAM-5 name of a status, "CHECK CONDITION"; "status 0x33" if unknown. The text
 * is stored in (size > 0) and returned. */
const char *scsi_status_format(uint8_t status, char *text, size_t size);

#endif
