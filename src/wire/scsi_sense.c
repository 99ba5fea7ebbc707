/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Sense data: SPC-4 4.5. Texts come from libsgutils2. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <scsi/sg_lib.h>

#include "wire/scsi_sense.h"

/* Response codes: bit 0 says deferred, 72h and 73h are descriptor format. */
enum {
	FIXED_CURRENT = 0x70,
	DESC_CURRENT = 0x72,
	DEFERRED = 0x01,
	VALID = 0x80,
	SKSV = 0x80,
};

/* Types of sense data descriptors */
enum {
	DESC_INFORMATION = 0x00,
	DESC_COMMAND_SPECIFIC = 0x01,
	DESC_KEY_SPECIFIC = 0x02,
	DESC_FRU = 0x03,
};

static int
decode_fixed(const uint8_t *b, size_t n, struct scsi_sense *s)
{
	struct scsi_sense_fixed f = { 0 };
	size_t there;

	if (n < offsetof(struct scsi_sense_fixed, information))
		return -EINVAL;
	there = min(n, sizeof(f));
	/* Bytes past the additional length are not the target's word. */
	if (n > 7)
		there = min_t(size_t, there, 8u + b[7]);
	memcpy(&f, b, there);
	s->key = f.flags_key & 0x0f;
	s->asc = f.asc;
	s->ascq = f.ascq;
	s->fru = f.fru;
	s->info_valid = (f.response_code & VALID) && there >= 7;
	if (s->info_valid)
		s->info = be32_get(&f.information);
	s->cmd_info = be32_get(&f.command_information);
	s->cmd_info_valid = s->cmd_info != 0;
	s->sks_valid = there == sizeof(f) && (f.key_specific[0] & SKSV);
	if (s->sks_valid) {
		memcpy(s->sks, f.key_specific, sizeof(s->sks));
		s->sks[0] &= (uint8_t)~SKSV;
	}
	return 0;
}

/* d[1] bytes follow the two of the descriptor's head, all of them there. */
static void
decode_desc(const uint8_t *d, struct scsi_sense *s)
{
	switch (d[0]) {
	case DESC_INFORMATION:
		if (d[1] < 10 || !(d[2] & VALID))
			break;
		s->info_valid = true;
		s->info = get_be64(d + 4);
		break;
	case DESC_COMMAND_SPECIFIC:
		if (d[1] < 10)
			break;
		s->cmd_info_valid = true;
		s->cmd_info = get_be64(d + 4);
		break;
	case DESC_KEY_SPECIFIC:
		if (d[1] < 6 || !(d[4] & SKSV))
			break;
		s->sks_valid = true;
		memcpy(s->sks, d + 4, sizeof(s->sks));
		s->sks[0] &= (uint8_t)~SKSV;
		break;
	case DESC_FRU:
		if (d[1] >= 2)
			s->fru = d[3];
		break;
	default:
		break;
	}
}

static int
decode_descs(const uint8_t *b, size_t n, struct scsi_sense *s)
{
	size_t end, at = sizeof(struct scsi_sense_desc);

	if (n < offsetof(struct scsi_sense_desc, reserved))
		return -EINVAL;
	s->descriptor = true;
	s->key = b[1] & 0x0f;
	s->asc = b[2];
	s->ascq = b[3];
	if (n < sizeof(struct scsi_sense_desc))
		return 0;
	end = min_t(size_t, n, at + b[7]);
	while (end - at >= 2 && end - at - 2 >= b[at + 1]) {
		decode_desc(b + at, s);
		at += 2u + b[at + 1];
	}
	return 0;
}

int
scsi_sense_decode(const void *buf, size_t n, struct scsi_sense *s)
{
	const uint8_t *b = buf;
	uint8_t code;
	int rc;

	*s = (struct scsi_sense){ 0 };
	if (n == 0)
		return -ENODATA;
	code = b[0] & 0x7f;
	if ((code & ~DEFERRED) == FIXED_CURRENT)
		rc = decode_fixed(b, n, s);
	else if ((code & ~DEFERRED) == DESC_CURRENT)
		rc = decode_descs(b, n, s);
	else
		rc = -EINVAL;
	if (rc == 0)
		s->deferred = code & DEFERRED;
	return rc;
}

static size_t
encode_fixed(const struct scsi_sense *s, uint8_t *out)
{
	struct scsi_sense_fixed *f = (struct scsi_sense_fixed *)out;

	*f = (struct scsi_sense_fixed){
		.response_code = (uint8_t)(FIXED_CURRENT |
			(s->deferred ? DEFERRED : 0) |
			(s->info_valid ? VALID : 0)),
		.flags_key = s->key & 0x0f,
		.additional_length = sizeof(*f) - 8,
		.asc = s->asc,
		.ascq = s->ascq,
		.fru = s->fru,
	};
	if (s->info_valid)
		be32_set(&f->information, (uint32_t)s->info);
	if (s->cmd_info_valid)
		be32_set(&f->command_information, (uint32_t)s->cmd_info);
	if (s->sks_valid) {
		memcpy(f->key_specific, s->sks, sizeof(f->key_specific));
		f->key_specific[0] |= SKSV;
	}
	return sizeof(*f);
}

/* A descriptor of type with bytes bytes behind its head; returns its start. */
static uint8_t *
add_desc(uint8_t *out, size_t *at, uint8_t type, uint8_t bytes)
{
	uint8_t *d = out + *at;

	d[0] = type;
	d[1] = bytes;
	*at += 2u + bytes;
	return d;
}

/* out is zero and has SCSI_SENSE_ENCODED_BYTES. */
static size_t
encode_descs(const struct scsi_sense *s, uint8_t *out)
{
	struct scsi_sense_desc *head = (struct scsi_sense_desc *)out;
	size_t at = sizeof(*head);
	uint8_t *d;

	head->response_code =
		(uint8_t)(DESC_CURRENT | (s->deferred ? DEFERRED : 0));
	head->key = s->key & 0x0f;
	head->asc = s->asc;
	head->ascq = s->ascq;
	if (s->info_valid) {
		d = add_desc(out, &at, DESC_INFORMATION, 10);
		d[2] = VALID;
		put_be64(d + 4, s->info);
	}
	if (s->cmd_info_valid) {
		d = add_desc(out, &at, DESC_COMMAND_SPECIFIC, 10);
		put_be64(d + 4, s->cmd_info);
	}
	if (s->sks_valid) {
		d = add_desc(out, &at, DESC_KEY_SPECIFIC, 6);
		memcpy(d + 4, s->sks, sizeof(s->sks));
		d[4] |= SKSV;
	}
	if (s->fru)
		add_desc(out, &at, DESC_FRU, 2)[3] = s->fru;
	head->additional_length = (uint8_t)(at - sizeof(*head));
	return at;
}

size_t
scsi_sense_encode(const struct scsi_sense *s, void *buf, size_t n)
{
	uint8_t out[SCSI_SENSE_ENCODED_BYTES] = { 0 };
	bool wide = (s->info_valid && s->info > UINT32_MAX) ||
		(s->cmd_info_valid && s->cmd_info > UINT32_MAX);
	size_t len = s->descriptor || wide ? encode_descs(s, out) :
					     encode_fixed(s, out);

	len = min(len, n);
	if (len)
		memcpy(buf, out, len);
	return len;
}

/* Keys whose information field is the address of a block (SBC-3 4.18). */
static bool
info_is_lba(const struct scsi_sense *s)
{
	if (!s->info_valid)
		return false;
	switch (s->key) {
	case SCSI_KEY_RECOVERED_ERROR:
	case SCSI_KEY_MEDIUM_ERROR:
	case SCSI_KEY_HARDWARE_ERROR:
	case SCSI_KEY_MISCOMPARE:
		return true;
	default:
		return false;
	}
}

static void
key_text(uint8_t key, char *text, size_t size)
{
	text[0] = '\0';
	sg_get_sense_key_str(key, (int)size, text);
	for (char *c = text; *c; c++)
		*c = (char)toupper((unsigned char)*c);
}

/* The library leads in with one of these, which the message does without. */
static const char *
skip_lead(const char *text)
{
	static const char lead[] = "Additional sense: ";

	if (strncmp(text, lead, sizeof(lead) - 1) == 0)
		return text + sizeof(lead) - 1;
	return text;
}

void
scsi_sense_format(const struct scsi_sense *s, char *text, size_t size)
{
	char key[32], asc[112], lba[32] = "";

	assert(size >= 1);
	key_text(s->key, key, sizeof(key));
	asc[0] = '\0';
	sg_get_asc_ascq_str(s->asc, s->ascq, sizeof(asc), asc);
	if (info_is_lba(s))
		snprintf(lba, sizeof(lba), ", LBA %" PRIu64, s->info);
	snprintf(text, size, "%s%s (%02X/%02X/%02X): %s%s",
		s->deferred ? "deferred: " : "", key, s->key, s->asc, s->ascq,
		skip_lead(asc), lba);
}

const char *
scsi_status_format(uint8_t status, char *text, size_t size)
{
	static const struct {
		uint8_t status;
		const char *name;
	} names[] = {
		{ SCSI_STATUS_GOOD, "GOOD" },
		{ SCSI_STATUS_CHECK_CONDITION, "CHECK CONDITION" },
		{ SCSI_STATUS_CONDITION_MET, "CONDITION MET" },
		{ SCSI_STATUS_BUSY, "BUSY" },
		{ SCSI_STATUS_RESERVATION_CONFLICT, "RESERVATION CONFLICT" },
		{ SCSI_STATUS_TASK_SET_FULL, "TASK SET FULL" },
		{ SCSI_STATUS_ACA_ACTIVE, "ACA ACTIVE" },
		{ SCSI_STATUS_TASK_ABORTED, "TASK ABORTED" },
	};

	assert(size >= 1);
	snprintf(text, size, "status 0x%02x", status);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].status == status)
			snprintf(text, size, "%s", names[i].name);
	return text;
}
