/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parameter data of the commands in scsi_cdb.h, both ways.
 *
 * Rules that hold for all of them:
 *
 * decode(buf, n, out): reads at most n bytes. A length field inside the data
 * that points beyond n is no error, since SPC-4 lets data be cut anywhere by
 * the allocation length: what did not arrive is zero (or absent from a list)
 * and out->valid says how many bytes were there and meant by the device, that
 * is min(n, what the length field says). Only data without its fixed head, or
 * of another kind than asked for, is refused: -EINVAL, *out all zero.
 * Pointers in *out point into buf.
 *
 * encode(in, buf, n): stores at most n bytes (n is the allocation length, or
 * what remains of it) and returns how many; the length fields tell the full
 * length, as SPC-4 wants.
 */
#ifndef WIRE_SCSI_DATA_H
#define WIRE_SCSI_DATA_H

#include <stdbool.h>

#include "wire/scsi.h"

/* Standard INQUIRY data. Strings: ASCII, trailing blanks removed, characters
 * that cannot be printed shown as '?'. */
struct scsi_inquiry {
	uint8_t qualifier;	/* enum scsi_qualifier */
	uint8_t device_type;	/* enum scsi_device_type */
	uint8_t version;	/* 5 = SPC-3, 6 = SPC-4 */
	uint8_t tpgs;
	bool removable;
	bool hisup;
	bool third_party_copy;
	bool protect;
	bool multi_port;
	bool cmdque;
	char vendor[8 + 1];
	char product[16 + 1];
	char revision[4 + 1];
	uint8_t nr_versions;
	uint16_t versions[8];	/* version descriptors, those that are not 0 */
	size_t valid;
};

int __must_check scsi_data_inquiry_decode(const void *buf, size_t n,
	struct scsi_inquiry *out);
size_t scsi_data_inquiry_encode(const struct scsi_inquiry *in, void *buf,
	size_t n);

/* Any vital product data page: its head, and its body as it arrived. */
struct scsi_vpd {
	uint8_t qualifier;
	uint8_t device_type;
	uint8_t page;
	const uint8_t *body;	/* what follows the head of 4 bytes */
	size_t body_bytes;	/* of it, what is there */
	size_t valid;
};

/* -EINVAL also when the data is of another page than asked for. */
int __must_check scsi_data_vpd_decode(const void *buf, size_t n, uint8_t page,
	struct scsi_vpd *out);
size_t scsi_data_vpd_encode(const struct scsi_vpd *in, void *buf, size_t n);

/* Page 00h as a set. */
struct scsi_vpd_pages {
	uint8_t set[256 / 8];
	size_t valid;
};

static inline bool
scsi_data_has_page(const struct scsi_vpd_pages *pages, uint8_t page)
{
	return pages->set[page / 8] >> (page % 8) & 1;
}

static inline void
scsi_data_add_page(struct scsi_vpd_pages *pages, uint8_t page)
{
	pages->set[page / 8] |= (uint8_t)(1 << (page % 8));
}

int __must_check scsi_data_vpd_pages_decode(const void *buf, size_t n,
	struct scsi_vpd_pages *out);
size_t scsi_data_vpd_pages_encode(const struct scsi_vpd_pages *in, void *buf,
	size_t n);

/* Page 80h. Leading and trailing blanks removed. */
struct scsi_serial {
	char text[252 + 1];
	size_t valid;
};

int __must_check scsi_data_serial_decode(const void *buf, size_t n,
	struct scsi_serial *out);
size_t scsi_data_serial_encode(const struct scsi_serial *in, void *buf,
	size_t n);

/*
 * Page 83h: a list of designators.
 *
 *	struct scsi_vpd vpd;
 *	struct scsi_designator d;
 *
 *	if (!scsi_data_vpd_decode(buf, n, SCSI_VPD_DEVICE_ID, &vpd))
 *		for (size_t at = 0; scsi_data_designator_next(&vpd, &at, &d);)
 *			...
 */
struct scsi_designator {
	uint8_t association;	/* enum scsi_association */
	uint8_t type;		/* enum scsi_designator_type */
	uint8_t code_set;	/* enum scsi_code_set */
	bool has_protocol;	/* PIV */
	uint8_t protocol;	/* 4 = SRP, 5 = iSCSI */
	uint8_t bytes;		/* of data */
	const uint8_t *data;
};

enum {
	/* "naa." and 32 digits; names and T10 ids may be as long as they get */
	SCSI_DESIGNATOR_TEXT_BYTES = 264,
};

/* False at the end of the list and at a designator that is cut. */
bool scsi_data_designator_next(const struct scsi_vpd *vpd, size_t *at,
	struct scsi_designator *out);
/* The one that names the logical unit best: NAA, EUI-64, name, T10 in this
 * order, the longer first. False when there is none. */
bool scsi_data_designator_best(const struct scsi_vpd *vpd,
	struct scsi_designator *out);
size_t scsi_data_designators_encode(const struct scsi_designator *in,
	size_t nr, void *buf, size_t n);
/* "naa.60014…", "eui.0002c9…", "t10.VENDOR id", the name itself, else
 * "type N:" and hex. Cut to size, always terminated (size > 0). */
void scsi_data_designator_format(const struct scsi_designator *d, char *text,
	size_t size);

/* Page B0h. A limit of 0 means "not reported", except where said. */
struct scsi_block_limits {
	bool wsnz;			/* WRITE SAME of 0 blocks refused */
	bool unmap_alignment_valid;
	uint8_t max_compare_write_blocks;
	uint16_t opt_granularity_blocks;
	uint32_t max_transfer_blocks;
	uint32_t opt_transfer_blocks;
	uint32_t max_prefetch_blocks;
	uint32_t max_unmap_blocks;	/* 0: UNMAP not supported */
	uint32_t max_unmap_descs;	/* 0: UNMAP not supported */
	uint32_t opt_unmap_granularity_blocks;
	uint32_t unmap_alignment;
	uint64_t max_write_same_blocks;
	size_t valid;
};

int __must_check scsi_data_block_limits_decode(const void *buf, size_t n,
	struct scsi_block_limits *out);
size_t scsi_data_block_limits_encode(const struct scsi_block_limits *in,
	void *buf, size_t n);

/* Page B1h */
struct scsi_characteristics {
	uint16_t rotation_rate;		/* 1 = does not rotate */
	uint8_t product_type;
	uint8_t form_factor;
	uint8_t zoned;
	bool fuab;
	bool vbuls;
	size_t valid;
};

int __must_check scsi_data_characteristics_decode(const void *buf, size_t n,
	struct scsi_characteristics *out);
size_t scsi_data_characteristics_encode(const struct scsi_characteristics *in,
	void *buf, size_t n);

/* Page B2h */
struct scsi_provisioning {
	uint8_t threshold_exponent;
	bool lbpu;			/* UNMAP */
	bool lbpws;			/* WRITE SAME(16) with UNMAP */
	bool lbpws10;			/* WRITE SAME(10) with UNMAP */
	bool anchor;
	uint8_t lbprz;			/* 1: unmapped blocks read as zeros */
	uint8_t type;			/* 1 resource, 2 thin */
	uint8_t minimum_percentage;
	uint8_t threshold_percentage;
	size_t valid;
};

int __must_check scsi_data_provisioning_decode(const void *buf, size_t n,
	struct scsi_provisioning *out);
size_t scsi_data_provisioning_encode(const struct scsi_provisioning *in,
	void *buf, size_t n);

/* READ CAPACITY (10) and (16) */
struct scsi_capacity {
	uint64_t last_lba;
	uint32_t block_bytes;
	bool ask_16;		/* (10) said FFFFFFFFh: too big for it */
	/* READ CAPACITY(16) only */
	bool prot_en;
	uint8_t p_type;
	uint8_t p_i_exponent;
	uint8_t lbppbe;		/* 2^n logical blocks per physical block */
	bool lbpme;
	bool lbprz;
	uint16_t lowest_aligned_lba;
	size_t valid;
};

/* Both need last_lba and block_bytes whole: 8 and 12 bytes. */
int __must_check scsi_data_capacity_10_decode(const void *buf, size_t n,
	struct scsi_capacity *out);
int __must_check scsi_data_capacity_16_decode(const void *buf, size_t n,
	struct scsi_capacity *out);
/* last_lba of 2^32 - 1 and above becomes FFFFFFFFh. */
size_t scsi_data_capacity_10_encode(const struct scsi_capacity *in, void *buf,
	size_t n);
size_t scsi_data_capacity_16_encode(const struct scsi_capacity *in, void *buf,
	size_t n);

/* REPORT LUNS */
struct scsi_report_luns {
	const struct scsi_lun *luns;
	uint32_t nr_luns;	/* that are in the buffer, whole */
	uint32_t nr_total;	/* that the target has: if more, ask again */
	size_t valid;
};

int __must_check scsi_data_report_luns_decode(const void *buf, size_t n,
	struct scsi_report_luns *out);
size_t scsi_data_report_luns_encode(const struct scsi_lun *luns, uint32_t nr,
	void *buf, size_t n);

/* MODE SENSE of a disk: head, one optional block descriptor, caching page. */
struct scsi_mode {
	uint8_t medium_type;
	bool wp;		/* write protected */
	bool dpofua;		/* DPO and FUA are understood */
	bool has_block_desc;	/* see nr_blocks, block_bytes */
	bool has_caching;	/* see wce, rcd */
	bool wce;		/* the write cache is on */
	bool rcd;		/* the read cache is off */
	uint32_t block_bytes;
	uint64_t nr_blocks;
	size_t valid;
};

int __must_check scsi_data_mode_6_decode(const void *buf, size_t n,
	struct scsi_mode *out);
int __must_check scsi_data_mode_10_decode(const void *buf, size_t n,
	struct scsi_mode *out);
/* A block descriptor is the short one of 8 bytes; nr_blocks above 2^32 - 1
 * becomes FFFFFFFFh and block_bytes above 2^24 - 1 becomes 0. */
size_t scsi_data_mode_6_encode(const struct scsi_mode *in, void *buf, size_t n);
size_t scsi_data_mode_10_encode(const struct scsi_mode *in, void *buf,
	size_t n);

/* UNMAP parameter list */
struct scsi_unmap_range {
	uint64_t lba;
	uint32_t nr_blocks;
};

struct scsi_unmap_list {
	const struct scsi_unmap_desc *descs;
	uint32_t nr_descs;
	size_t valid;
};

enum {
	SCSI_UNMAP_MAX_DESCS = (UINT16_MAX - 8) / 16,
};

#define SCSI_UNMAP_LIST_BYTES(nr_descs) (8 + 16 * (size_t)(nr_descs))

/*
 * For a target, so stricter than the rest: -EINVAL when the list says that its
 * descriptors end beyond n (sense 05/26/00), -ENODATA when n is between 1 and 7
 * (05/1A/00). n == 0 is an empty list; an incomplete last descriptor is left
 * out, as SBC-3 says.
 */
int __must_check scsi_data_unmap_decode(const void *buf, size_t n,
	struct scsi_unmap_list *out);
/* i < list->nr_descs */
struct scsi_unmap_range scsi_data_unmap_range(
	const struct scsi_unmap_list *list, uint32_t i);
/* Never cut: returns SCSI_UNMAP_LIST_BYTES(nr), or 0 when that is more than n
 * or nr more than SCSI_UNMAP_MAX_DESCS. */
size_t scsi_data_unmap_encode(const struct scsi_unmap_range *ranges,
	uint32_t nr, void *buf, size_t n);

#endif
