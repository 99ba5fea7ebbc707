/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Any bytes as sense data. */
#include "wire_fuzz.h"

#include "wire/scsi_sense.h"

static bool
is_same(const struct scsi_sense *a, const struct scsi_sense *b)
{
	return a->key == b->key && a->asc == b->asc && a->ascq == b->ascq &&
		a->fru == b->fru && a->deferred == b->deferred &&
		a->descriptor == b->descriptor &&
		a->info_valid == b->info_valid &&
		a->cmd_info_valid == b->cmd_info_valid &&
		a->sks_valid == b->sks_valid &&
		memcmp(a->sks, b->sks, sizeof(a->sks)) == 0 &&
		a->info == b->info && a->cmd_info == b->cmd_info;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t out[SCSI_SENSE_ENCODED_BYTES], *cut;
	char text[SCSI_SENSE_TEXT_BYTES];
	struct scsi_sense s, s2;
	size_t len;

	if (scsi_sense_decode(data, size, &s)) {
		check(is_same(&s, &(struct scsi_sense){ 0 }));
		return 0;
	}
	check(s.info_valid || s.info == 0);
	scsi_sense_format(&s, text, sizeof(text));
	check(strlen(text) < sizeof(text) - 1);
	len = scsi_sense_encode(&s, out, sizeof(out));
	check(scsi_sense_decode(out, len, &s2) == 0);
	check(is_same(&s, &s2));
	/* Cut to any length it stores just that, and key and ASC survive. */
	len = min(len, size);
	cut = block(len);
	check(scsi_sense_encode(&s, cut, len) == len);
	check(memcmp(cut, out, len) == 0);
	if (scsi_sense_decode(cut, len, &s2) == 0)
		check(s2.key == s.key && s2.deferred == s.deferred);
	free(cut);
	return 0;
}
