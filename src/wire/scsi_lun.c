/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SAM-5 4.7: logical unit numbers. The first two bits say the address method;
 * under method 11b come LENGTH (2 bits) and EXTENDED ADDRESS METHOD (4 bits).
 *
 *	00bbbbbb nnnnnnnn	peripheral: bus b, number n
 *	01nnnnnn nnnnnnnn	flat space
 *	10tttttt bbbnnnnn	logical unit: target t, bus b
 *	11000001 nnnnnnnn	well known
 *	11010010 n x 24		extended flat space
 *	11100010 n x 40		long extended flat space
 *	11111111 ff x 7		not specified
 *
 * A LUN of one level has zeros behind that.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "util/parse.h"
#include "wire/scsi_lun.h"

enum {
	WELL_KNOWN = 0xc1,
	EXTENDED_FLAT = 0xd2,
	LONG_FLAT = 0xe2,
};

static bool
is_zero(const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (b[i])
			return false;
	return true;
}

static bool
decode_extended(const uint8_t *b, struct scsi_lun_addr *addr)
{
	static const uint8_t not_specified[SCSI_LUN_BYTES] = { 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff };

	if (b[0] == WELL_KNOWN && is_zero(b + 2, 6)) {
		addr->method = SCSI_LUN_WELL_KNOWN;
		addr->number = b[1];
	} else if (b[0] == EXTENDED_FLAT && is_zero(b + 4, 4)) {
		addr->method = SCSI_LUN_EXTENDED_FLAT;
		addr->number = get_be24(b + 1);
	} else if (b[0] == LONG_FLAT && is_zero(b + 6, 2)) {
		addr->method = SCSI_LUN_LONG_FLAT;
		addr->number = (uint64_t)b[1] << 32 | get_be32(b + 2);
	} else if (memcmp(b, not_specified, SCSI_LUN_BYTES) == 0) {
		addr->method = SCSI_LUN_NOT_SPECIFIED;
	} else {
		return false;
	}
	return true;
}

static bool
decode_one_level(const uint8_t *b, struct scsi_lun_addr *addr)
{
	if (b[0] >> 6 == 3)
		return decode_extended(b, addr);
	if (!is_zero(b + 2, 6))
		return false;
	switch (b[0] >> 6) {
	case 0:
		addr->method = SCSI_LUN_PERIPHERAL;
		addr->bus = b[0];
		addr->number = b[1];
		break;
	case 1:
		addr->method = SCSI_LUN_FLAT;
		addr->number = get_be16(b) & 0x3fff;
		break;
	default:
		addr->method = SCSI_LUN_LOGICAL_UNIT;
		addr->target = b[0] & 0x3f;
		addr->bus = b[1] >> 5;
		addr->number = b[1] & 0x1f;
		break;
	}
	return true;
}

void
scsi_lun_decode(const struct scsi_lun *lun, struct scsi_lun_addr *addr)
{
	*addr = (struct scsi_lun_addr){ 0 };
	if (decode_one_level(lun->b, addr))
		return;
	addr->method = SCSI_LUN_OPAQUE;
	addr->opaque = *lun;
}

static bool
fits(const struct scsi_lun_addr *addr, uint8_t max_bus, uint8_t max_target,
	uint64_t max_number)
{
	return addr->bus <= max_bus && addr->target <= max_target &&
		addr->number <= max_number;
}

/* lun is zero on entry. */
static bool
encode_bytes(const struct scsi_lun_addr *a, struct scsi_lun *lun)
{
	uint8_t *b = lun->b;

	switch (a->method) {
	case SCSI_LUN_PERIPHERAL:
		b[0] = a->bus;
		b[1] = (uint8_t)a->number;
		return fits(a, 63, 0, UINT8_MAX);
	case SCSI_LUN_FLAT:
		put_be16(b, (uint16_t)(0x4000 | a->number));
		return fits(a, 0, 0, 0x3fff);
	case SCSI_LUN_LOGICAL_UNIT:
		b[0] = 0x80 | a->target;
		b[1] = (uint8_t)(a->bus << 5 | a->number);
		return fits(a, 7, 63, 31);
	case SCSI_LUN_WELL_KNOWN:
		b[0] = WELL_KNOWN;
		b[1] = (uint8_t)a->number;
		return fits(a, 0, 0, UINT8_MAX);
	case SCSI_LUN_EXTENDED_FLAT:
		b[0] = EXTENDED_FLAT;
		put_be24(b + 1, (uint32_t)a->number);
		return fits(a, 0, 0, 0xffffff);
	case SCSI_LUN_LONG_FLAT:
		b[0] = LONG_FLAT;
		b[1] = (uint8_t)(a->number >> 32);
		put_be32(b + 2, (uint32_t)a->number);
		return fits(a, 0, 0, UINT64_C(0xffffffffff));
	case SCSI_LUN_NOT_SPECIFIED:
		memset(b, 0xff, SCSI_LUN_BYTES);
		return fits(a, 0, 0, 0);
	case SCSI_LUN_OPAQUE:
		*lun = a->opaque;
		return true;
	}
	return false;
}

int
scsi_lun_encode(const struct scsi_lun_addr *addr, struct scsi_lun *lun)
{
	*lun = (struct scsi_lun){ { 0 } };
	if (encode_bytes(addr, lun))
		return 0;
	*lun = (struct scsi_lun){ { 0 } };
	return -ERANGE;
}

int
scsi_lun_from_number(uint64_t number, struct scsi_lun *lun)
{
	struct scsi_lun_addr addr = { .number = number };

	if (number < 256)
		addr.method = SCSI_LUN_PERIPHERAL;
	else if (number < 16384)
		addr.method = SCSI_LUN_FLAT;
	else if (number < 1 << 24)
		addr.method = SCSI_LUN_EXTENDED_FLAT;
	else
		addr.method = SCSI_LUN_LONG_FLAT;
	return scsi_lun_encode(&addr, lun);
}

int
scsi_lun_to_number(const struct scsi_lun *lun, uint64_t *number)
{
	struct scsi_lun_addr addr;

	*number = 0;
	scsi_lun_decode(lun, &addr);
	switch (addr.method) {
	case SCSI_LUN_PERIPHERAL:
	case SCSI_LUN_FLAT:
	case SCSI_LUN_LOGICAL_UNIT:
	case SCSI_LUN_EXTENDED_FLAT:
	case SCSI_LUN_LONG_FLAT:
		if (addr.bus || addr.target)
			return -EOPNOTSUPP;
		*number = addr.number;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

void
scsi_lun_format(const struct scsi_lun *lun, char *text, size_t n)
{
	struct scsi_lun_addr addr;
	uint64_t number;

	scsi_lun_decode(lun, &addr);
	if (scsi_lun_to_number(lun, &number) == 0)
		snprintf(text, n, "%" PRIu64, number);
	else if (addr.method == SCSI_LUN_WELL_KNOWN)
		snprintf(text, n, "w-lun %" PRIu64, addr.number);
	else
		snprintf(text, n, "0x%016" PRIx64, get_be64(lun->b));
}

int
scsi_lun_parse(const char *text, struct scsi_lun *lun)
{
	static const struct parse_limits limits = { .max = UINT64_MAX };
	uint64_t number;
	int rc;

	*lun = (struct scsi_lun){ { 0 } };
	if (strncmp(text, "0x", 2) == 0) {
		rc = parse_hex64(NULL, text + 2, &number, NULL, 0);
		if (rc == 0)
			put_be64(lun->b, number);
		return rc;
	}
	rc = parse_u64(text, &limits, &number, NULL, 0);
	return rc ? rc : scsi_lun_from_number(number, lun);
}
