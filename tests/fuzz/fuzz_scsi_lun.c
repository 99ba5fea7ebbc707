/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Any eight bytes as a LUN, and what follows them as text. */
#include "wire_fuzz.h"

#include "wire/scsi_lun.h"

static void
fuzz_bytes(const uint8_t *data)
{
	char text[SCSI_LUN_TEXT_BYTES];
	struct scsi_lun lun, lun2;
	struct scsi_lun_addr addr;
	uint64_t number, number2;

	memcpy(lun.b, data, sizeof(lun.b));
	scsi_lun_decode(&lun, &addr);
	check(scsi_lun_encode(&addr, &lun2) == 0);
	check(scsi_lun_equal(&lun, &lun2));
	scsi_lun_format(&lun, text, sizeof(text));
	check(strlen(text) < sizeof(text) - 1);
	if (scsi_lun_to_number(&lun, &number) == 0) {
		check(scsi_lun_from_number(number, &lun2) == 0);
		check(scsi_lun_to_number(&lun2, &number2) == 0);
		check(number == number2);
		check(scsi_lun_parse(text, &lun) == 0);
		check(scsi_lun_equal(&lun, &lun2));
	} else if (addr.method != SCSI_LUN_WELL_KNOWN) {
		check(scsi_lun_parse(text, &lun2) == 0);
		check(scsi_lun_equal(&lun, &lun2));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scsi_lun lun;
	char *text;

	if (size < SCSI_LUN_BYTES)
		return 0;
	fuzz_bytes(data);
	size -= SCSI_LUN_BYTES;
	text = (char *)block(size + 1);
	memcpy(text, data + SCSI_LUN_BYTES, size);
	text[size] = '\0';
	if (scsi_lun_parse(text, &lun) == 0)
		fuzz_bytes(lun.b);
	free(text);
	return 0;
}
