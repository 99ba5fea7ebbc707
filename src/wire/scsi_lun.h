/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SAM-5 logical unit addresses: all address methods, both ways between the
 * eight bytes of the wire and a number or a description.
 *
 * The eight bytes are the identity of a logical unit: keep and send what the
 * target reported. The number is for people and for struct lookups; two forms
 * of one number (peripheral 5, flat 5) name the same unit on every target
 * known, and scsi_lun_from_number() picks the form that Linux uses.
 */
#ifndef WIRE_SCSI_LUN_H
#define WIRE_SCSI_LUN_H

#include <stdbool.h>

#include "wire/scsi.h"

enum scsi_lun_method {
	SCSI_LUN_PERIPHERAL,	/* 00b: bus 0..63, number 0..255 */
	SCSI_LUN_FLAT,		/* 01b: number 0..16383 */
	SCSI_LUN_LOGICAL_UNIT,	/* 10b: target 0..63, bus 0..7, number 0..31 */
	SCSI_LUN_WELL_KNOWN,	/* 11b, 1h: number 0..255; 1 = REPORT LUNS */
	SCSI_LUN_EXTENDED_FLAT,	/* 11b, 2h, length 1: number below 2^24 */
	SCSI_LUN_LONG_FLAT,	/* 11b, 2h, length 2: number below 2^40 */
	SCSI_LUN_NOT_SPECIFIED,	/* 11b, Fh, length 3: all ones */
	SCSI_LUN_OPAQUE,	/* several levels, or a method not above */
};

struct scsi_lun_addr {
	enum scsi_lun_method method;
	uint8_t bus;
	uint8_t target;
	uint64_t number;
	struct scsi_lun opaque;		/* the bytes, for SCSI_LUN_OPAQUE */
};

enum {
	SCSI_LUN_TEXT_BYTES = 32,	/* enough for scsi_lun_format() */
};

/*
 * Never fails: what has no meaning here becomes SCSI_LUN_OPAQUE with the bytes
 * kept, so that encode(decode(lun)) is always lun.
 */
void scsi_lun_decode(const struct scsi_lun *lun, struct scsi_lun_addr *addr);

/* 0, or -ERANGE when a member does not fit the method; then lun is zero. */
int __must_check scsi_lun_encode(const struct scsi_lun_addr *addr,
	struct scsi_lun *lun);

/*
 * Below 256 peripheral, below 16384 flat, below 2^24 extended flat, below 2^40
 * long flat; -ERANGE above.
 */
int __must_check scsi_lun_from_number(uint64_t number, struct scsi_lun *lun);

/*
 * The number of a LUN with one level on bus 0 of the target itself;
 * -EOPNOTSUPP for all others (other buses and targets, well-known units,
 * several levels), which have no number.
 */
int __must_check scsi_lun_to_number(const struct scsi_lun *lun,
	uint64_t *number);

static inline bool
scsi_lun_equal(const struct scsi_lun *a, const struct scsi_lun *b)
{
	return memcmp(a->b, b->b, SCSI_LUN_BYTES) == 0;
}

/*
 * "7" where the LUN has a number, "w-lun 1" for a well-known unit, else
 * "0x" and 16 hex digits. Cut to n, always terminated (n > 0).
 */
void scsi_lun_format(const struct scsi_lun *lun, char *text, size_t n);

/*
 * A decimal number, as scsi_lun_from_number(), or "0x" and exactly 16 hex
 * digits, taken as the eight bytes. -EINVAL for other text, -ERANGE.
 */
int __must_check scsi_lun_parse(const char *text, struct scsi_lun *lun);

#endif
