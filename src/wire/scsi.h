/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SCSI constants and layouts: SAM-5 (status, LUN, task attributes), SPC-4
 * (INQUIRY, MODE SENSE, REPORT LUNS, sense), SBC-3 (block commands, capacity,
 * pages B0h to B2h). Encode and decode live in scsi_cdb, scsi_data, scsi_lun
 * and scsi_sense; nothing else should need a byte offset.
 */
#ifndef WIRE_SCSI_H
#define WIRE_SCSI_H

#include "util/bytes.h"
#include "util/compiler.h"

/* Operation codes that have a row in scsi_cdb.c. */
enum scsi_op {
	SCSI_OP_TEST_UNIT_READY = 0x00,
	SCSI_OP_REQUEST_SENSE = 0x03,
	SCSI_OP_READ_6 = 0x08,
	SCSI_OP_WRITE_6 = 0x0a,
	SCSI_OP_INQUIRY = 0x12,
	SCSI_OP_MODE_SENSE_6 = 0x1a,
	SCSI_OP_START_STOP_UNIT = 0x1b,
	SCSI_OP_READ_CAPACITY_10 = 0x25,
	SCSI_OP_READ_10 = 0x28,
	SCSI_OP_WRITE_10 = 0x2a,
	SCSI_OP_VERIFY_10 = 0x2f,
	SCSI_OP_SYNCHRONIZE_CACHE_10 = 0x35,
	SCSI_OP_WRITE_SAME_10 = 0x41,
	SCSI_OP_UNMAP = 0x42,
	SCSI_OP_MODE_SENSE_10 = 0x5a,
	SCSI_OP_VARIABLE_LENGTH = 0x7f,
	SCSI_OP_READ_16 = 0x88,
	SCSI_OP_WRITE_16 = 0x8a,
	SCSI_OP_VERIFY_16 = 0x8f,
	SCSI_OP_SYNCHRONIZE_CACHE_16 = 0x91,
	SCSI_OP_WRITE_SAME_16 = 0x93,
	SCSI_OP_SERVICE_ACTION_IN_16 = 0x9e,
	SCSI_OP_REPORT_LUNS = 0xa0,
	SCSI_OP_READ_12 = 0xa8,
	SCSI_OP_WRITE_12 = 0xaa,
};

/* Service actions of SERVICE ACTION IN(16). */
enum scsi_sai_16 {
	SCSI_SAI_READ_CAPACITY_16 = 0x10,
};

enum scsi_status {
	SCSI_STATUS_GOOD = 0x00,
	SCSI_STATUS_CHECK_CONDITION = 0x02,
	SCSI_STATUS_CONDITION_MET = 0x04,
	SCSI_STATUS_BUSY = 0x08,
	SCSI_STATUS_RESERVATION_CONFLICT = 0x18,
	SCSI_STATUS_TASK_SET_FULL = 0x28,
	SCSI_STATUS_ACA_ACTIVE = 0x30,
	SCSI_STATUS_TASK_ABORTED = 0x40,
};

enum scsi_sense_key {
	SCSI_KEY_NO_SENSE = 0x0,
	SCSI_KEY_RECOVERED_ERROR = 0x1,
	SCSI_KEY_NOT_READY = 0x2,
	SCSI_KEY_MEDIUM_ERROR = 0x3,
	SCSI_KEY_HARDWARE_ERROR = 0x4,
	SCSI_KEY_ILLEGAL_REQUEST = 0x5,
	SCSI_KEY_UNIT_ATTENTION = 0x6,
	SCSI_KEY_DATA_PROTECT = 0x7,
	SCSI_KEY_BLANK_CHECK = 0x8,
	SCSI_KEY_VENDOR_SPECIFIC = 0x9,
	SCSI_KEY_COPY_ABORTED = 0xa,
	SCSI_KEY_ABORTED_COMMAND = 0xb,
	SCSI_KEY_VOLUME_OVERFLOW = 0xd,
	SCSI_KEY_MISCOMPARE = 0xe,
	SCSI_KEY_COMPLETED = 0xf,
};

/* Additional sense code and qualifier as one number: asc << 8 | ascq. */
enum scsi_asc {
	SCSI_ASC_NONE = 0x0000,
	SCSI_ASC_BECOMING_READY = 0x0401,
	SCSI_ASC_NOT_READY_INIT_REQUIRED = 0x0402,
	SCSI_ASC_WRITE_ERROR = 0x0c00,
	SCSI_ASC_UNRECOVERED_READ_ERROR = 0x1100,
	SCSI_ASC_PARAMETER_LIST_LENGTH = 0x1a00,
	SCSI_ASC_MISCOMPARE = 0x1d00,
	SCSI_ASC_INVALID_OPCODE = 0x2000,
	SCSI_ASC_LBA_OUT_OF_RANGE = 0x2100,
	SCSI_ASC_INVALID_FIELD_IN_CDB = 0x2400,
	SCSI_ASC_LUN_NOT_SUPPORTED = 0x2500,
	SCSI_ASC_INVALID_FIELD_IN_PARAMETERS = 0x2600,
	SCSI_ASC_WRITE_PROTECTED = 0x2700,
	SCSI_ASC_POWER_ON_OR_RESET = 0x2900,
	SCSI_ASC_BUS_DEVICE_RESET = 0x2903,
	SCSI_ASC_I_T_NEXUS_LOSS = 0x2907,
	SCSI_ASC_CAPACITY_CHANGED = 0x2a09,
	SCSI_ASC_COMMANDS_CLEARED = 0x2f00,
	SCSI_ASC_MEDIUM_NOT_PRESENT = 0x3a00,
	SCSI_ASC_REPORTED_LUNS_CHANGED = 0x3f0e,
	SCSI_ASC_INTERNAL_TARGET_FAILURE = 0x4400,
	SCSI_ASC_DATA_PHASE_ERROR = 0x4b00,
	SCSI_ASC_INSUFFICIENT_RESOURCES = 0x5503,
};

/* SAM-5 task attributes; SRP_CMD carries them with these numbers too. */
enum scsi_task_attr {
	SCSI_TASK_SIMPLE = 0,
	SCSI_TASK_HEAD_OF_QUEUE = 1,
	SCSI_TASK_ORDERED = 2,
	SCSI_TASK_ACA = 4,
};

enum scsi_device_type {
	SCSI_TYPE_DISK = 0x00,
	SCSI_TYPE_NONE = 0x1f,
};

/* PERIPHERAL QUALIFIER of INQUIRY byte 0. */
enum scsi_qualifier {
	SCSI_QUALIFIER_CONNECTED = 0,
	SCSI_QUALIFIER_NOT_CONNECTED = 1,
	SCSI_QUALIFIER_NOT_POSSIBLE = 3,
};

enum scsi_vpd_page {
	SCSI_VPD_SUPPORTED_PAGES = 0x00,
	SCSI_VPD_SERIAL_NUMBER = 0x80,
	SCSI_VPD_DEVICE_ID = 0x83,
	SCSI_VPD_BLOCK_LIMITS = 0xb0,
	SCSI_VPD_CHARACTERISTICS = 0xb1,
	SCSI_VPD_PROVISIONING = 0xb2,
};

enum scsi_mode_page {
	SCSI_MODE_CACHING = 0x08,
	SCSI_MODE_ALL = 0x3f,
};

/* CODE SET, DESIGNATOR TYPE and ASSOCIATION of a VPD 83h designator. */
enum scsi_code_set {
	SCSI_CODE_SET_BINARY = 1,
	SCSI_CODE_SET_ASCII = 2,
	SCSI_CODE_SET_UTF8 = 3,
};

enum scsi_designator_type {
	SCSI_DESIGNATOR_VENDOR = 0,
	SCSI_DESIGNATOR_T10 = 1,
	SCSI_DESIGNATOR_EUI64 = 2,
	SCSI_DESIGNATOR_NAA = 3,
	SCSI_DESIGNATOR_RELATIVE_PORT = 4,
	SCSI_DESIGNATOR_PORT_GROUP = 5,
	SCSI_DESIGNATOR_LU_GROUP = 6,
	SCSI_DESIGNATOR_MD5 = 7,
	SCSI_DESIGNATOR_NAME = 8,
};

enum scsi_association {
	SCSI_ASSOCIATION_LU = 0,
	SCSI_ASSOCIATION_PORT = 1,
	SCSI_ASSOCIATION_TARGET = 2,
};

/* Which way the data of a command goes, seen from the initiator. */
enum scsi_dir {
	SCSI_DIR_NONE = 0,
	SCSI_DIR_OUT = 1,	/* to the target */
	SCSI_DIR_IN = 2,	/* from the target */
};

enum {
	SCSI_CDB_BYTES = 16,		/* longest CDB that has a row */
	SCSI_CDB_MAX_BYTES = 260,	/* longest CDB of SPC-4 */
	SCSI_SENSE_MAX_BYTES = 252,	/* 8 and an ADDITIONAL LENGTH of 244 */
	SCSI_LUN_BYTES = 8,
};

/* The SAM form of a logical unit number, as it goes over every wire. */
struct scsi_lun {
	uint8_t b[SCSI_LUN_BYTES];
};

ASSERT_SIZE(struct scsi_lun, 8);

/* SPC-4 4.5.3 */
struct scsi_sense_fixed {
	uint8_t response_code;		/* 70h or 71h; bit 7 VALID */
	uint8_t obsolete;
	uint8_t flags_key;		/* 7 FILEMARK, 6 EOM, 5 ILI, 3:0 key */
	struct be32 information;
	uint8_t additional_length;
	struct be32 command_information;
	uint8_t asc;
	uint8_t ascq;
	uint8_t fru;
	uint8_t key_specific[3];	/* bit 7 of the first: SKSV */
};

ASSERT_SIZE(struct scsi_sense_fixed, 18);
ASSERT_OFFSET(struct scsi_sense_fixed, information, 3);
ASSERT_OFFSET(struct scsi_sense_fixed, additional_length, 7);
ASSERT_OFFSET(struct scsi_sense_fixed, asc, 12);
ASSERT_OFFSET(struct scsi_sense_fixed, key_specific, 15);

/* SPC-4 4.5.2 */
struct scsi_sense_desc {
	uint8_t response_code;		/* 72h or 73h */
	uint8_t key;
	uint8_t asc;
	uint8_t ascq;
	uint8_t reserved[3];
	uint8_t additional_length;
};

ASSERT_SIZE(struct scsi_sense_desc, 8);

/* Sense data descriptor, type 00h (SPC-4 4.5.2.2) */
struct scsi_sense_desc_info {
	uint8_t type;
	uint8_t additional_length;	/* 0Ah */
	uint8_t valid;			/* bit 7 */
	uint8_t reserved;
	struct be64 information;
};

ASSERT_SIZE(struct scsi_sense_desc_info, 12);
ASSERT_OFFSET(struct scsi_sense_desc_info, information, 4);

/* SPC-4 6.6.2; the first 36 bytes are what every device sends. */
struct scsi_inquiry_data {
	uint8_t qualifier_type;		/* 7:5 qualifier, 4:0 device type */
	uint8_t removable;		/* bit 7 */
	uint8_t version;
	uint8_t format;			/* 5 NORMACA, 4 HISUP, 3:0 format */
	uint8_t additional_length;
	uint8_t flags5;			/* 5:4 TPGS, 3 3PC, 0 PROTECT */
	uint8_t flags6;			/* 4 MULTIP */
	uint8_t flags7;			/* 1 CMDQUE */
	char vendor[8];
	char product[16];
	char revision[4];
	uint8_t vendor_specific[20];
	uint8_t flags56;
	uint8_t reserved57;
	struct be16 versions[8];
	uint8_t reserved74[22];
};

ASSERT_SIZE(struct scsi_inquiry_data, 96);
ASSERT_OFFSET(struct scsi_inquiry_data, vendor, 8);
ASSERT_OFFSET(struct scsi_inquiry_data, product, 16);
ASSERT_OFFSET(struct scsi_inquiry_data, revision, 32);
ASSERT_OFFSET(struct scsi_inquiry_data, versions, 58);

/* First bytes of every vital product data page */
struct scsi_vpd_head {
	uint8_t qualifier_type;
	uint8_t page;
	struct be16 length;		/* of what follows the head */
};

ASSERT_SIZE(struct scsi_vpd_head, 4);

/* SPC-4 7.8.6.1 */
struct scsi_designator_head {
	uint8_t protocol_code_set;	/* 7:4 protocol, 3:0 code set */
	uint8_t type;			/* 7 PIV, 5:4 association, 3:0 type */
	uint8_t reserved;
	uint8_t length;
};

ASSERT_SIZE(struct scsi_designator_head, 4);

/* SBC-3 6.5.3 */
struct scsi_vpd_b0 {
	struct scsi_vpd_head head;
	uint8_t wsnz;			/* bit 0 */
	uint8_t max_compare_write_blocks;
	struct be16 opt_granularity_blocks;
	struct be32 max_transfer_blocks;
	struct be32 opt_transfer_blocks;
	struct be32 max_prefetch_blocks;
	struct be32 max_unmap_blocks;
	struct be32 max_unmap_descs;
	struct be32 opt_unmap_granularity_blocks;
	struct be32 unmap_alignment;	/* bit 31 UGAVALID */
	struct be64 max_write_same_blocks;
	uint8_t reserved[20];
};

ASSERT_SIZE(struct scsi_vpd_b0, 64);
ASSERT_OFFSET(struct scsi_vpd_b0, max_transfer_blocks, 8);
ASSERT_OFFSET(struct scsi_vpd_b0, max_unmap_blocks, 20);
ASSERT_OFFSET(struct scsi_vpd_b0, unmap_alignment, 32);
ASSERT_OFFSET(struct scsi_vpd_b0, max_write_same_blocks, 36);

/* SBC-3 6.5.2 */
struct scsi_vpd_b1 {
	struct scsi_vpd_head head;
	struct be16 rotation_rate;
	uint8_t product_type;
	uint8_t form_factor;		/* 3:0 nominal form factor */
	uint8_t flags;			/* 5:4 ZONED, 1 FUAB, 0 VBULS */
	uint8_t reserved[55];
};

ASSERT_SIZE(struct scsi_vpd_b1, 64);
ASSERT_OFFSET(struct scsi_vpd_b1, flags, 8);

/* SBC-3 6.5.4 */
struct scsi_vpd_b2 {
	struct scsi_vpd_head head;
	uint8_t threshold_exponent;
	uint8_t flags;		/* 7 LBPU 6 LBPWS 5 LBPWS10 4:2 LBPRZ 1 ANC 0 DP */
	uint8_t type;		/* 7:3 minimum percentage, 2:0 type */
	uint8_t threshold_percentage;
};

ASSERT_SIZE(struct scsi_vpd_b2, 8);

/* SBC-3 5.15 */
struct scsi_capacity_10_data {
	struct be32 last_lba;
	struct be32 block_bytes;
};

ASSERT_SIZE(struct scsi_capacity_10_data, 8);

/* SBC-3 5.16 */
struct scsi_capacity_16_data {
	struct be64 last_lba;
	struct be32 block_bytes;
	uint8_t protection;		/* 3:1 P_TYPE, 0 PROT_EN */
	uint8_t exponents;		/* 7:4 P_I_EXPONENT, 3:0 LBPPBE */
	struct be16 provisioning;	/* 15 LBPME, 14 LBPRZ, 13:0 lowest */
	uint8_t reserved[16];
};

ASSERT_SIZE(struct scsi_capacity_16_data, 32);
ASSERT_OFFSET(struct scsi_capacity_16_data, protection, 12);
ASSERT_OFFSET(struct scsi_capacity_16_data, provisioning, 14);

/* SPC-4 6.33 */
struct scsi_report_luns_head {
	struct be32 list_bytes;
	uint8_t reserved[4];
};

ASSERT_SIZE(struct scsi_report_luns_head, 8);

/* SPC-4 7.5.5 */
struct scsi_mode_head_6 {
	uint8_t data_length;		/* of what follows this byte */
	uint8_t medium_type;
	uint8_t device_specific;	/* disk: 7 WP, 4 DPOFUA */
	uint8_t block_desc_bytes;
};

ASSERT_SIZE(struct scsi_mode_head_6, 4);

struct scsi_mode_head_10 {
	struct be16 data_length;	/* of what follows this field */
	uint8_t medium_type;
	uint8_t device_specific;
	uint8_t long_lba;		/* bit 0 */
	uint8_t reserved;
	struct be16 block_desc_bytes;
};

ASSERT_SIZE(struct scsi_mode_head_10, 8);
ASSERT_OFFSET(struct scsi_mode_head_10, block_desc_bytes, 6);

/* SBC-3 6.4.5 */
struct scsi_mode_caching {
	uint8_t page;			/* 7 PS, 6 SPF, 5:0 08h */
	uint8_t length;			/* 12h */
	uint8_t flags;			/* 2 WCE, 0 RCD */
	uint8_t rest[17];
};

ASSERT_SIZE(struct scsi_mode_caching, 20);

/* SBC-3 5.28 */
struct scsi_unmap_head {
	struct be16 data_length;	/* of what follows this field */
	struct be16 desc_bytes;
	uint8_t reserved[4];
};

ASSERT_SIZE(struct scsi_unmap_head, 8);

struct scsi_unmap_desc {
	struct be64 lba;
	struct be32 nr_blocks;
	uint8_t reserved[4];
};

ASSERT_SIZE(struct scsi_unmap_desc, 16);
ASSERT_OFFSET(struct scsi_unmap_desc, nr_blocks, 8);

#endif
