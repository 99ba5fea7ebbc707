/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <inttypes.h>
#include <stdio.h>

#include "target/tgt_scsi.h"
#include "wire/scsi_data.h"

#define INQUIRY_VENDOR "SRPD"
#define INQUIRY_REVISION "0.1"
#define INQUIRY_SPC4 6
#define INQUIRY_TYPE_WELL_KNOWN 0x1e
#define INQUIRY_NOT_ROTATING 1
#define INQUIRY_MAX_UNMAP_DESCS 32
#define INQUIRY_THIN 2

static const uint8_t inquiry_pages[] = {
	SCSI_VPD_SUPPORTED_PAGES,
	SCSI_VPD_SERIAL_NUMBER,
	SCSI_VPD_DEVICE_ID,
	SCSI_VPD_BLOCK_LIMITS,
	SCSI_VPD_CHARACTERISTICS,
	SCSI_VPD_PROVISIONING,
};

static void
inquiry_standard(const struct tgt_unit *unit, void *buf, size_t n,
	struct tgt_answer *answer)
{
	struct scsi_inquiry in = {
		.qualifier = unit->kind == TGT_UNIT_NONE ?
			SCSI_QUALIFIER_NOT_POSSIBLE :
			SCSI_QUALIFIER_CONNECTED,
		.device_type = SCSI_TYPE_DISK,
		.version = INQUIRY_SPC4,
		.hisup = true,
		.cmdque = true,
		.vendor = INQUIRY_VENDOR,
		.revision = INQUIRY_REVISION,
		/* SAM-5, SRP, SPC-4, SBC-3, no version claimed of each */
		.nr_versions = 4,
		.versions = { 0x00a0, 0x0940, 0x0460, 0x04c0 },
	};

	if (unit->kind == TGT_UNIT_NONE)
		in.device_type = SCSI_TYPE_NONE;
	else if (unit->kind == TGT_UNIT_REPORT_LUNS)
		in.device_type = INQUIRY_TYPE_WELL_KNOWN;
	snprintf(in.product, sizeof(in.product), "%s disk",
		unit->lun ? unit->lun->backend->name : "no");
	answer->bytes = scsi_data_inquiry_encode(&in, buf, n);
}

static void
inquiry_pages_encode(void *buf, size_t n, struct tgt_answer *answer)
{
	struct scsi_vpd_pages pages = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(inquiry_pages); i++)
		scsi_data_add_page(&pages, inquiry_pages[i]);
	answer->bytes = scsi_data_vpd_pages_encode(&pages, buf, n);
}

void
tgt_inquiry_serial(
	const struct target *target, const struct tgt_lun *lun, char text[24])
{
	snprintf(text, 24, "%016" PRIx64 "%04x", target->id_ext, lun->number);
}

void
tgt_inquiry_naa(const struct target *target, const struct tgt_lun *lun,
	uint8_t naa[16])
{
	uint64_t id = target->id_ext;

	/* 6, then id_ext's 64 bits without a gap, then the number at the end */
	memset(naa, 0, 16);
	put_be64(naa, UINT64_C(6) << 60 | id >> 4);
	naa[8] = (uint8_t)(id << 4);
	put_be16(naa + 14, lun->number);
}

static void
inquiry_device_id(const struct target *target, const struct tgt_lun *lun,
	void *buf, size_t n, struct tgt_answer *answer)
{
	char serial[24];
	char t10[8 + 24];
	uint8_t naa[16];
	struct scsi_designator in[2] = {
		{
			.type = SCSI_DESIGNATOR_NAA,
			.code_set = SCSI_CODE_SET_BINARY,
			.bytes = sizeof(naa),
			.data = naa,
		},
		{
			.type = SCSI_DESIGNATOR_T10,
			.code_set = SCSI_CODE_SET_ASCII,
			.data = (uint8_t *)t10,
		},
	};

	tgt_inquiry_naa(target, lun, naa);
	tgt_inquiry_serial(target, lun, serial);
	in[1].bytes = (uint8_t)snprintf(
		t10, sizeof(t10), "%-8s%s", INQUIRY_VENDOR, serial);
	answer->bytes = scsi_data_designators_encode(in, 2, buf, n);
}

static void
inquiry_block_limits(const struct tgt_lun *lun, void *buf, size_t n,
	struct tgt_answer *answer)
{
	uint32_t erase = tgt_lun_max_unmap_blocks(lun);
	struct scsi_block_limits in = {
		.wsnz = true,
		.max_transfer_blocks = lun->max_transfer_blocks,
		.max_unmap_blocks = erase,
		.max_unmap_descs = INQUIRY_MAX_UNMAP_DESCS,
		.opt_unmap_granularity_blocks = 1,
		.max_write_same_blocks = erase,
	};

	answer->bytes = scsi_data_block_limits_encode(&in, buf, n);
}

static void
inquiry_vpd(const struct target *target, const struct tgt_lun *lun,
	uint8_t page, void *buf, size_t n, struct tgt_answer *answer)
{
	struct scsi_serial serial = { 0 };
	struct scsi_characteristics characteristics = {
		.rotation_rate = INQUIRY_NOT_ROTATING,
		.fuab = true,
	};
	struct scsi_provisioning provisioning = {
		.lbpu = true,
		.lbpws = true,
		.lbpws10 = true,
		.lbprz = 1,
		.type = INQUIRY_THIN,
	};

	switch (page) {
	case SCSI_VPD_SUPPORTED_PAGES:
		inquiry_pages_encode(buf, n, answer);
		break;
	case SCSI_VPD_SERIAL_NUMBER:
		tgt_inquiry_serial(target, lun, serial.text);
		answer->bytes = scsi_data_serial_encode(&serial, buf, n);
		break;
	case SCSI_VPD_DEVICE_ID:
		inquiry_device_id(target, lun, buf, n, answer);
		break;
	case SCSI_VPD_BLOCK_LIMITS:
		inquiry_block_limits(lun, buf, n, answer);
		break;
	case SCSI_VPD_CHARACTERISTICS:
		answer->bytes = scsi_data_characteristics_encode(
			&characteristics, buf, n);
		break;
	case SCSI_VPD_PROVISIONING:
		answer->bytes =
			scsi_data_provisioning_encode(&provisioning, buf, n);
		break;
	default:
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		break;
	}
}

void
tgt_inquiry(const struct target *target, const struct tgt_unit *unit,
	const struct scsi_cmd *scsi, void *buf, size_t n,
	struct tgt_answer *answer)
{
	n = min(n, (size_t)scsi->alloc_len);
	if (!(scsi->flags & SCSI_CMD_EVPD)) {
		if (scsi->page)
			tgt_answer_refuse(
				answer, SCSI_ASC_INVALID_FIELD_IN_CDB);
		else
			inquiry_standard(unit, buf, n, answer);
	} else if (unit->kind == TGT_UNIT_LUN) {
		inquiry_vpd(target, unit->lun, scsi->page, buf, n, answer);
	} else {
		tgt_answer_refuse(answer,
			unit->kind == TGT_UNIT_NONE ?
				SCSI_ASC_LUN_NOT_SUPPORTED :
				SCSI_ASC_INVALID_FIELD_IN_CDB);
	}
}
