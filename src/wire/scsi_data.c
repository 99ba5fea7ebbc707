/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parameter data other than the VPD pages, which are in scsi_data_vpd.c. The
 * pattern throughout: what arrived is copied over a zeroed layout, so that a
 * field that is not there reads as zero.
 */
#include <assert.h>
#include <errno.h>

#include "wire/scsi_data.h"
#include "wire/scsi_data_text.h"

/* Cut to the allocation length, as every encoder ends. */
static size_t
store(const void *data, size_t len, void *buf, size_t n)
{
	size_t stored = min(len, n);

	if (stored)
		memcpy(buf, data, stored);
	return stored;
}

int
scsi_data_inquiry_decode(const void *buf, size_t n, struct scsi_inquiry *out)
{
	struct scsi_inquiry_data d = { 0 };

	*out = (struct scsi_inquiry){ 0 };
	if (n < offsetof(struct scsi_inquiry_data, flags5))
		return -EINVAL;
	out->valid = min_t(size_t, n, 5u + ((const uint8_t *)buf)[4]);
	memcpy(&d, buf, min(out->valid, sizeof(d)));
	out->qualifier = d.qualifier_type >> 5;
	out->device_type = d.qualifier_type & 0x1f;
	out->removable = d.removable & 0x80;
	out->version = d.version;
	out->hisup = d.format & 0x10;
	out->tpgs = d.flags5 >> 4 & 3;
	out->third_party_copy = d.flags5 & 0x08;
	out->protect = d.flags5 & 0x01;
	out->multi_port = d.flags6 & 0x10;
	out->cmdque = d.flags7 & 0x02;
	scsi_data_text_decode(d.vendor, sizeof(d.vendor), out->vendor);
	scsi_data_text_decode(d.product, sizeof(d.product), out->product);
	scsi_data_text_decode(d.revision, sizeof(d.revision), out->revision);
	for (size_t i = 0; i < ARRAY_SIZE(d.versions); i++)
		if (be16_get(&d.versions[i]))
			out->versions[out->nr_versions++] =
				be16_get(&d.versions[i]);
	return 0;
}

size_t
scsi_data_inquiry_encode(const struct scsi_inquiry *in, void *buf, size_t n)
{
	struct scsi_inquiry_data d = {
		.qualifier_type = (uint8_t)(in->qualifier << 5 |
			(in->device_type & 0x1f)),
		.removable = in->removable ? 0x80 : 0,
		.version = in->version,
		.format = in->hisup ? 0x12 : 0x02,
		.flags5 = (uint8_t)((in->tpgs & 3) << 4 |
			(in->third_party_copy ? 0x08 : 0) |
			(in->protect ? 0x01 : 0)),
		.flags6 = in->multi_port ? 0x10 : 0,
		.flags7 = in->cmdque ? 0x02 : 0,
	};
	size_t nr = min_t(size_t, in->nr_versions, ARRAY_SIZE(d.versions));
	size_t len = nr ? offsetof(struct scsi_inquiry_data, reserved74) :
			  offsetof(struct scsi_inquiry_data, vendor_specific);

	d.additional_length = (uint8_t)(len - 5);
	scsi_data_text_encode(in->vendor, d.vendor, sizeof(d.vendor));
	scsi_data_text_encode(in->product, d.product, sizeof(d.product));
	scsi_data_text_encode(in->revision, d.revision, sizeof(d.revision));
	for (size_t i = 0; i < nr; i++)
		be16_set(&d.versions[i], in->versions[i]);
	return store(&d, len, buf, n);
}

int
scsi_data_capacity_10_decode(const void *buf, size_t n,
	struct scsi_capacity *out)
{
	const struct scsi_capacity_10_data *d = buf;

	*out = (struct scsi_capacity){ 0 };
	if (n < sizeof(*d))
		return -EINVAL;
	out->valid = sizeof(*d);
	out->last_lba = be32_get(&d->last_lba);
	out->block_bytes = be32_get(&d->block_bytes);
	out->ask_16 = out->last_lba == UINT32_MAX;
	return 0;
}

size_t
scsi_data_capacity_10_encode(const struct scsi_capacity *in, void *buf,
	size_t n)
{
	struct scsi_capacity_10_data d;

	be32_set(&d.last_lba,
		(uint32_t)min_t(uint64_t, in->last_lba, UINT32_MAX));
	be32_set(&d.block_bytes, in->block_bytes);
	return store(&d, sizeof(d), buf, n);
}

int
scsi_data_capacity_16_decode(const void *buf, size_t n,
	struct scsi_capacity *out)
{
	struct scsi_capacity_16_data d = { 0 };
	uint16_t provisioning;

	*out = (struct scsi_capacity){ 0 };
	if (n < offsetof(struct scsi_capacity_16_data, protection))
		return -EINVAL;
	out->valid = min(n, sizeof(d));
	memcpy(&d, buf, out->valid);
	out->last_lba = be64_get(&d.last_lba);
	out->block_bytes = be32_get(&d.block_bytes);
	out->prot_en = d.protection & 0x01;
	out->p_type = d.protection >> 1 & 7;
	out->p_i_exponent = d.exponents >> 4;
	out->lbppbe = d.exponents & 0x0f;
	provisioning = be16_get(&d.provisioning);
	out->lbpme = provisioning & 0x8000;
	out->lbprz = provisioning & 0x4000;
	out->lowest_aligned_lba = provisioning & 0x3fff;
	return 0;
}

size_t
scsi_data_capacity_16_encode(const struct scsi_capacity *in, void *buf,
	size_t n)
{
	struct scsi_capacity_16_data d = {
		.protection = (uint8_t)((in->p_type & 7) << 1 |
			(in->prot_en ? 1 : 0)),
		.exponents = (uint8_t)(in->p_i_exponent << 4 |
			(in->lbppbe & 0x0f)),
	};

	be64_set(&d.last_lba, in->last_lba);
	be32_set(&d.block_bytes, in->block_bytes);
	be16_set(&d.provisioning,
		(uint16_t)((in->lbpme ? 0x8000 : 0) |
			(in->lbprz ? 0x4000 : 0) |
			(in->lowest_aligned_lba & 0x3fff)));
	return store(&d, sizeof(d), buf, n);
}

int
scsi_data_report_luns_decode(const void *buf, size_t n,
	struct scsi_report_luns *out)
{
	const struct scsi_report_luns_head *head = buf;
	uint64_t meant;

	*out = (struct scsi_report_luns){ 0 };
	if (n < sizeof(*head))
		return -EINVAL;
	meant = sizeof(*head) + (uint64_t)be32_get(&head->list_bytes);
	out->valid = (size_t)min_t(uint64_t, n, meant);
	out->luns = (const struct scsi_lun *)(head + 1);
	out->nr_luns = (uint32_t)((out->valid - sizeof(*head)) /
		SCSI_LUN_BYTES);
	out->nr_total = be32_get(&head->list_bytes) / SCSI_LUN_BYTES;
	return 0;
}

size_t
scsi_data_report_luns_encode(const struct scsi_lun *luns, uint32_t nr,
	void *buf, size_t n)
{
	struct scsi_report_luns_head head = { 0 };
	size_t at;

	/* A list of more than 2^29 LUNs is not one that a caller has. */
	be32_set(&head.list_bytes, nr * SCSI_LUN_BYTES);
	at = store(&head, sizeof(head), buf, n);
	return at + store(luns, nr * sizeof(*luns), (uint8_t *)buf + at, n - at);
}

/* What MODE SENSE (6) and (10) have in common, behind their heads. */
static void
decode_block_desc(const uint8_t *b, size_t n, bool long_lba,
	struct scsi_mode *out)
{
	if (n < (long_lba ? 16 : 8))
		return;
	out->has_block_desc = true;
	if (long_lba) {
		out->nr_blocks = get_be64(b);
		out->block_bytes = get_be32(b + 12);
	} else {
		out->nr_blocks = get_be32(b);
		out->block_bytes = get_be24(b + 5);
	}
}

/* Bytes that the mode page at b claims, 0 when its head is cut. */
static size_t
mode_page_bytes(const uint8_t *b, size_t n)
{
	bool has_subpage = n >= 1 && (b[0] & 0x40);

	if (has_subpage)
		return n >= 4 ? 4u + get_be16(b + 2) : 0;
	return n >= 2 ? 2u + b[1] : 0;
}

static void
decode_mode_pages(const uint8_t *b, size_t n, struct scsi_mode *out)
{
	size_t bytes;

	for (; (bytes = mode_page_bytes(b, n)) != 0; b += bytes, n -= bytes) {
		/* Page code and, since it has none, no subpage format. */
		if ((b[0] & 0x7f) == SCSI_MODE_CACHING && n >= 3 &&
			bytes >= 3) {
			out->has_caching = true;
			out->wce = b[2] & 0x04;
			out->rcd = b[2] & 0x01;
		}
		if (bytes >= n)
			break;
	}
}

/* b: what is behind the head, n bytes; desc_bytes: of it, what the head says
 * that block descriptors take. */
static void
decode_mode_rest(const uint8_t *b, size_t n, size_t desc_bytes, bool long_lba,
	struct scsi_mode *out)
{
	decode_block_desc(b, min(n, desc_bytes), long_lba, out);
	if (desc_bytes < n)
		decode_mode_pages(b + desc_bytes, n - desc_bytes, out);
}

int
scsi_data_mode_6_decode(const void *buf, size_t n, struct scsi_mode *out)
{
	const struct scsi_mode_head_6 *head = buf;

	*out = (struct scsi_mode){ 0 };
	if (n < sizeof(*head))
		return -EINVAL;
	out->valid = min_t(size_t, n,
		max_t(size_t, sizeof(*head), 1u + head->data_length));
	out->medium_type = head->medium_type;
	out->wp = head->device_specific & 0x80;
	out->dpofua = head->device_specific & 0x10;
	decode_mode_rest((const uint8_t *)(head + 1),
		out->valid - sizeof(*head), head->block_desc_bytes, false,
		out);
	return 0;
}

int
scsi_data_mode_10_decode(const void *buf, size_t n, struct scsi_mode *out)
{
	const struct scsi_mode_head_10 *head = buf;

	*out = (struct scsi_mode){ 0 };
	if (n < sizeof(*head))
		return -EINVAL;
	out->valid = min_t(size_t, n,
		max_t(size_t, sizeof(*head),
			2u + be16_get(&head->data_length)));
	out->medium_type = head->medium_type;
	out->wp = head->device_specific & 0x80;
	out->dpofua = head->device_specific & 0x10;
	decode_mode_rest((const uint8_t *)(head + 1),
		out->valid - sizeof(*head), be16_get(&head->block_desc_bytes),
		head->long_lba & 1, out);
	return 0;
}

enum {
	MODE_BLOCK_DESC_BYTES = 8,
	MODE_REST_BYTES = MODE_BLOCK_DESC_BYTES +
		sizeof(struct scsi_mode_caching),
};

/* Block descriptor and pages; rest is zero. Returns their length. */
static size_t
encode_mode_rest(const struct scsi_mode *in, uint8_t rest[MODE_REST_BYTES])
{
	size_t at = 0;

	if (in->has_block_desc) {
		put_be32(rest,
			(uint32_t)min_t(uint64_t, in->nr_blocks, UINT32_MAX));
		put_be24(rest + 5,
			in->block_bytes <= 0xffffff ? in->block_bytes : 0);
		at = MODE_BLOCK_DESC_BYTES;
	}
	if (in->has_caching) {
		struct scsi_mode_caching *caching =
			(struct scsi_mode_caching *)(rest + at);

		caching->page = SCSI_MODE_CACHING;
		caching->length = sizeof(*caching) - 2;
		caching->flags = (uint8_t)((in->wce ? 0x04 : 0) |
			(in->rcd ? 0x01 : 0));
		at += sizeof(*caching);
	}
	return at;
}

static uint8_t
device_specific(const struct scsi_mode *in)
{
	return (uint8_t)((in->wp ? 0x80 : 0) | (in->dpofua ? 0x10 : 0));
}

size_t
scsi_data_mode_6_encode(const struct scsi_mode *in, void *buf, size_t n)
{
	uint8_t rest[MODE_REST_BYTES] = { 0 };
	size_t at, len = encode_mode_rest(in, rest);
	struct scsi_mode_head_6 head = {
		.data_length = (uint8_t)(sizeof(head) - 1 + len),
		.medium_type = in->medium_type,
		.device_specific = device_specific(in),
		.block_desc_bytes =
			in->has_block_desc ? MODE_BLOCK_DESC_BYTES : 0,
	};

	at = store(&head, sizeof(head), buf, n);
	return at + store(rest, len, (uint8_t *)buf + at, n - at);
}

size_t
scsi_data_mode_10_encode(const struct scsi_mode *in, void *buf, size_t n)
{
	uint8_t rest[MODE_REST_BYTES] = { 0 };
	size_t at, len = encode_mode_rest(in, rest);
	struct scsi_mode_head_10 head = {
		.medium_type = in->medium_type,
		.device_specific = device_specific(in),
	};

	be16_set(&head.data_length, (uint16_t)(sizeof(head) - 2 + len));
	be16_set(&head.block_desc_bytes,
		in->has_block_desc ? MODE_BLOCK_DESC_BYTES : 0);
	at = store(&head, sizeof(head), buf, n);
	return at + store(rest, len, (uint8_t *)buf + at, n - at);
}

int
scsi_data_unmap_decode(const void *buf, size_t n, struct scsi_unmap_list *out)
{
	const struct scsi_unmap_head *head = buf;
	size_t bytes;

	*out = (struct scsi_unmap_list){ 0 };
	if (n == 0)
		return 0;
	if (n < sizeof(*head))
		return -ENODATA;
	bytes = be16_get(&head->desc_bytes);
	if (bytes > n - sizeof(*head))
		return -EINVAL;
	out->descs = (const struct scsi_unmap_desc *)(head + 1);
	out->nr_descs = (uint32_t)(bytes / sizeof(struct scsi_unmap_desc));
	out->valid = sizeof(*head) + bytes;
	return 0;
}

struct scsi_unmap_range
scsi_data_unmap_range(const struct scsi_unmap_list *list, uint32_t i)
{
	const struct scsi_unmap_desc *d = &list->descs[i];

	assert(i < list->nr_descs);
	return (struct scsi_unmap_range){
		.lba = be64_get(&d->lba),
		.nr_blocks = be32_get(&d->nr_blocks),
	};
}

size_t
scsi_data_unmap_encode(const struct scsi_unmap_range *ranges, uint32_t nr,
	void *buf, size_t n)
{
	struct scsi_unmap_head *head = buf;
	struct scsi_unmap_desc *d = (struct scsi_unmap_desc *)(head + 1);
	size_t len = SCSI_UNMAP_LIST_BYTES(nr);

	if (nr > SCSI_UNMAP_MAX_DESCS || len > n)
		return 0;
	memset(buf, 0, len);
	be16_set(&head->data_length, (uint16_t)(len - 2));
	be16_set(&head->desc_bytes, (uint16_t)(nr * sizeof(*d)));
	for (uint32_t i = 0; i < nr; i++) {
		be64_set(&d[i].lba, ranges[i].lba);
		be32_set(&d[i].nr_blocks, ranges[i].nr_blocks);
	}
	return len;
}
