/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Vital product data pages: SPC-4 7.8, SBC-3 6.5. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>

#include "wire/scsi_data.h"
#include "wire/scsi_data_text.h"

/* The bytes of a page that are there and meant, counted from its head on; 0
 * when it is another page or has no head. */
static size_t
page_bytes(const void *buf, size_t n, uint8_t page)
{
	const struct scsi_vpd_head *head = buf;

	if (n < sizeof(*head) || head->page != page)
		return 0;
	return min_t(size_t, n, sizeof(*head) + be16_get(&head->length));
}

/* Copies as much of a page with a fixed layout as arrived over a zeroed one. */
static int
load_page(const void *buf, size_t n, uint8_t page, void *layout,
	size_t layout_bytes)
{
	size_t valid = page_bytes(buf, n, page);

	memset(layout, 0, layout_bytes);
	if (!valid)
		return -EINVAL;
	memcpy(layout, buf, min(valid, layout_bytes));
	return 0;
}

static size_t
store_page(const void *layout, size_t len, void *buf, size_t n)
{
	size_t stored = min(len, n);

	if (stored)
		memcpy(buf, layout, stored);
	return stored;
}

/* A disk's page: the head of a layout with a fixed length. */
static struct scsi_vpd_head
make_head(uint8_t page, size_t layout_bytes)
{
	struct scsi_vpd_head head = { .page = page };

	be16_set(&head.length, (uint16_t)(layout_bytes - sizeof(head)));
	return head;
}

int
scsi_data_vpd_decode(const void *buf, size_t n, uint8_t page,
	struct scsi_vpd *out)
{
	const struct scsi_vpd_head *head = buf;
	size_t valid = page_bytes(buf, n, page);

	*out = (struct scsi_vpd){ 0 };
	if (!valid)
		return -EINVAL;
	out->qualifier = head->qualifier_type >> 5;
	out->device_type = head->qualifier_type & 0x1f;
	out->page = page;
	out->body = (const uint8_t *)(head + 1);
	out->body_bytes = valid - sizeof(*head);
	out->valid = valid;
	return 0;
}

size_t
scsi_data_vpd_encode(const struct scsi_vpd *in, void *buf, size_t n)
{
	size_t at, body = min_t(size_t, in->body_bytes, UINT16_MAX);
	struct scsi_vpd_head head = make_head(in->page, sizeof(head) + body);

	head.qualifier_type = (uint8_t)(in->qualifier << 5 |
		(in->device_type & 0x1f));
	at = store_page(&head, sizeof(head), buf, n);
	return at + store_page(in->body, body, (uint8_t *)buf + at, n - at);
}

int
scsi_data_vpd_pages_decode(const void *buf, size_t n,
	struct scsi_vpd_pages *out)
{
	struct scsi_vpd vpd;
	int rc = scsi_data_vpd_decode(buf, n, SCSI_VPD_SUPPORTED_PAGES, &vpd);

	*out = (struct scsi_vpd_pages){ .valid = vpd.valid };
	for (size_t i = 0; i < vpd.body_bytes; i++)
		scsi_data_add_page(out, vpd.body[i]);
	return rc;
}

size_t
scsi_data_vpd_pages_encode(const struct scsi_vpd_pages *in, void *buf,
	size_t n)
{
	uint8_t list[256];
	struct scsi_vpd vpd = { .page = SCSI_VPD_SUPPORTED_PAGES,
		.body = list };

	/* Ascending, as the standard wants. */
	for (unsigned int page = 0; page < 256; page++)
		if (scsi_data_has_page(in, (uint8_t)page))
			list[vpd.body_bytes++] = (uint8_t)page;
	return scsi_data_vpd_encode(&vpd, buf, n);
}

int
scsi_data_serial_decode(const void *buf, size_t n, struct scsi_serial *out)
{
	struct scsi_vpd vpd;
	int rc = scsi_data_vpd_decode(buf, n, SCSI_VPD_SERIAL_NUMBER, &vpd);
	const char *text = (const char *)vpd.body;
	size_t len = vpd.body_bytes;

	*out = (struct scsi_serial){ .valid = vpd.valid };
	if (rc)
		return rc;
	for (; len > 0 && *text == ' '; text++)
		len--;
	scsi_data_text_decode(text, min(len, sizeof(out->text) - 1),
		out->text);
	return 0;
}

size_t
scsi_data_serial_encode(const struct scsi_serial *in, void *buf, size_t n)
{
	char field[sizeof(in->text)];
	struct scsi_vpd vpd = {
		.page = SCSI_VPD_SERIAL_NUMBER,
		.body = (const uint8_t *)field,
		.body_bytes = strnlen(in->text, sizeof(in->text) - 1),
	};

	scsi_data_text_encode(in->text, field, vpd.body_bytes);
	return scsi_data_vpd_encode(&vpd, buf, n);
}

bool
scsi_data_designator_next(const struct scsi_vpd *vpd, size_t *at,
	struct scsi_designator *out)
{
	const struct scsi_designator_head *head;
	size_t left = vpd->body_bytes - min(*at, vpd->body_bytes);

	*out = (struct scsi_designator){ 0 };
	if (left < sizeof(*head))
		return false;
	head = (const struct scsi_designator_head *)(vpd->body + *at);
	if (head->length > left - sizeof(*head))
		return false;
	out->association = head->type >> 4 & 3;
	out->type = head->type & 0x0f;
	out->code_set = head->protocol_code_set & 0x0f;
	/* Only the designator of a port or device can have a protocol. */
	out->has_protocol = (head->type & 0x80) && out->association;
	out->protocol = out->has_protocol ? head->protocol_code_set >> 4 : 0;
	out->bytes = head->length;
	out->data = (const uint8_t *)(head + 1);
	*at += sizeof(*head) + head->length;
	return true;
}

/* How well a designator names a logical unit; 0 not at all. */
static unsigned int
rank(const struct scsi_designator *d)
{
	if (d->association != SCSI_ASSOCIATION_LU || d->bytes == 0)
		return 0;
	switch (d->type) {
	case SCSI_DESIGNATOR_NAA:
		return 0x400u + d->bytes;
	case SCSI_DESIGNATOR_EUI64:
		return 0x300u + d->bytes;
	case SCSI_DESIGNATOR_NAME:
		return 0x200u + d->bytes;
	case SCSI_DESIGNATOR_T10:
		return 0x100u + d->bytes;
	default:
		return 0;
	}
}

bool
scsi_data_designator_best(const struct scsi_vpd *vpd,
	struct scsi_designator *out)
{
	struct scsi_designator d, best = { 0 };

	for (size_t at = 0; scsi_data_designator_next(vpd, &at, &d);)
		if (rank(&d) > rank(&best))
			best = d;
	*out = best;
	return rank(&best) != 0;
}

size_t
scsi_data_designators_encode(const struct scsi_designator *in, size_t nr,
	void *buf, size_t n)
{
	struct scsi_vpd vpd = { .page = SCSI_VPD_DEVICE_ID };
	size_t total = 0, at;
	struct scsi_vpd_head head;

	for (size_t i = 0; i < nr; i++)
		total += sizeof(struct scsi_designator_head) + in[i].bytes;
	head = make_head(vpd.page, sizeof(head) + total);
	at = store_page(&head, sizeof(head), buf, n);
	for (size_t i = 0; i < nr; i++) {
		struct scsi_designator_head d = {
			.protocol_code_set = (uint8_t)(
				(in[i].has_protocol ? in[i].protocol << 4 : 0) |
				(in[i].code_set & 0x0f)),
			.type = (uint8_t)((in[i].has_protocol ? 0x80 : 0) |
				(in[i].association & 3) << 4 |
				(in[i].type & 0x0f)),
			.length = in[i].bytes,
		};

		at += store_page(&d, sizeof(d), (uint8_t *)buf + at, n - at);
		at += store_page(in[i].data, in[i].bytes, (uint8_t *)buf + at,
			n - at);
	}
	return at;
}

/* text has something in it already. */
static void
append_hex(const struct scsi_designator *d, char *text, size_t size)
{
	size_t at = strlen(text);

	for (size_t i = 0; i < d->bytes && at + 2 < size; i++, at += 2)
		snprintf(text + at, size - at, "%02x", d->data[i]);
}

static void
append_text(const struct scsi_designator *d, char *text, size_t size)
{
	char field[UINT8_MAX + 1];
	size_t at = strlen(text);

	scsi_data_text_decode((const char *)d->data, d->bytes, field);
	snprintf(text + at, size - at, "%s", field);
}

void
scsi_data_designator_format(const struct scsi_designator *d, char *text,
	size_t size)
{
	assert(size >= 1);
	text[0] = '\0';
	switch (d->type) {
	case SCSI_DESIGNATOR_NAA:
		snprintf(text, size, "naa.");
		append_hex(d, text, size);
		break;
	case SCSI_DESIGNATOR_EUI64:
		snprintf(text, size, "eui.");
		append_hex(d, text, size);
		break;
	case SCSI_DESIGNATOR_T10:
		snprintf(text, size, "t10.");
		append_text(d, text, size);
		break;
	case SCSI_DESIGNATOR_NAME:
		append_text(d, text, size);
		break;
	default:
		snprintf(text, size, "type %u:", d->type);
		append_hex(d, text, size);
		break;
	}
}

int
scsi_data_block_limits_decode(const void *buf, size_t n,
	struct scsi_block_limits *out)
{
	struct scsi_vpd_b0 d;
	int rc = load_page(buf, n, SCSI_VPD_BLOCK_LIMITS, &d, sizeof(d));
	uint32_t alignment = be32_get(&d.unmap_alignment);

	*out = (struct scsi_block_limits){
		.valid = page_bytes(buf, n, SCSI_VPD_BLOCK_LIMITS),
		.wsnz = d.wsnz & 1,
		.max_compare_write_blocks = d.max_compare_write_blocks,
		.opt_granularity_blocks = be16_get(&d.opt_granularity_blocks),
		.max_transfer_blocks = be32_get(&d.max_transfer_blocks),
		.opt_transfer_blocks = be32_get(&d.opt_transfer_blocks),
		.max_prefetch_blocks = be32_get(&d.max_prefetch_blocks),
		.max_unmap_blocks = be32_get(&d.max_unmap_blocks),
		.max_unmap_descs = be32_get(&d.max_unmap_descs),
		.opt_unmap_granularity_blocks =
			be32_get(&d.opt_unmap_granularity_blocks),
		.unmap_alignment_valid = alignment & 0x80000000,
		.unmap_alignment = alignment & 0x7fffffff,
		.max_write_same_blocks = be64_get(&d.max_write_same_blocks),
	};
	return rc;
}

size_t
scsi_data_block_limits_encode(const struct scsi_block_limits *in, void *buf,
	size_t n)
{
	struct scsi_vpd_b0 d = {
		.head = make_head(SCSI_VPD_BLOCK_LIMITS, sizeof(d)),
		.wsnz = in->wsnz,
		.max_compare_write_blocks = in->max_compare_write_blocks,
	};

	be16_set(&d.opt_granularity_blocks, in->opt_granularity_blocks);
	be32_set(&d.max_transfer_blocks, in->max_transfer_blocks);
	be32_set(&d.opt_transfer_blocks, in->opt_transfer_blocks);
	be32_set(&d.max_prefetch_blocks, in->max_prefetch_blocks);
	be32_set(&d.max_unmap_blocks, in->max_unmap_blocks);
	be32_set(&d.max_unmap_descs, in->max_unmap_descs);
	be32_set(&d.opt_unmap_granularity_blocks,
		in->opt_unmap_granularity_blocks);
	be32_set(&d.unmap_alignment,
		(in->unmap_alignment_valid ? 0x80000000 : 0) |
			(in->unmap_alignment & 0x7fffffff));
	be64_set(&d.max_write_same_blocks, in->max_write_same_blocks);
	return store_page(&d, sizeof(d), buf, n);
}

int
scsi_data_characteristics_decode(const void *buf, size_t n,
	struct scsi_characteristics *out)
{
	struct scsi_vpd_b1 d;
	int rc = load_page(buf, n, SCSI_VPD_CHARACTERISTICS, &d, sizeof(d));

	*out = (struct scsi_characteristics){
		.valid = page_bytes(buf, n, SCSI_VPD_CHARACTERISTICS),
		.rotation_rate = be16_get(&d.rotation_rate),
		.product_type = d.product_type,
		.form_factor = d.form_factor & 0x0f,
		.zoned = d.flags >> 4 & 3,
		.fuab = d.flags & 0x02,
		.vbuls = d.flags & 0x01,
	};
	return rc;
}

size_t
scsi_data_characteristics_encode(const struct scsi_characteristics *in,
	void *buf, size_t n)
{
	struct scsi_vpd_b1 d = {
		.head = make_head(SCSI_VPD_CHARACTERISTICS, sizeof(d)),
		.product_type = in->product_type,
		.form_factor = in->form_factor & 0x0f,
		.flags = (uint8_t)((in->zoned & 3) << 4 |
			(in->fuab ? 0x02 : 0) | (in->vbuls ? 0x01 : 0)),
	};

	be16_set(&d.rotation_rate, in->rotation_rate);
	return store_page(&d, sizeof(d), buf, n);
}

int
scsi_data_provisioning_decode(const void *buf, size_t n,
	struct scsi_provisioning *out)
{
	struct scsi_vpd_b2 d;
	int rc = load_page(buf, n, SCSI_VPD_PROVISIONING, &d, sizeof(d));

	*out = (struct scsi_provisioning){
		.valid = page_bytes(buf, n, SCSI_VPD_PROVISIONING),
		.threshold_exponent = d.threshold_exponent,
		.lbpu = d.flags & 0x80,
		.lbpws = d.flags & 0x40,
		.lbpws10 = d.flags & 0x20,
		.lbprz = d.flags >> 2 & 7,
		.anchor = d.flags & 0x02,
		.type = d.type & 7,
		.minimum_percentage = d.type >> 3,
		.threshold_percentage = d.threshold_percentage,
	};
	return rc;
}

/* Without the provisioning group descriptor, which DP would announce. */
size_t
scsi_data_provisioning_encode(const struct scsi_provisioning *in, void *buf,
	size_t n)
{
	struct scsi_vpd_b2 d = {
		.head = make_head(SCSI_VPD_PROVISIONING, sizeof(d)),
		.threshold_exponent = in->threshold_exponent,
		.flags = (uint8_t)((in->lbpu ? 0x80 : 0) |
			(in->lbpws ? 0x40 : 0) | (in->lbpws10 ? 0x20 : 0) |
			(in->lbprz & 7) << 2 | (in->anchor ? 0x02 : 0)),
		.type = (uint8_t)(in->minimum_percentage << 3 |
			(in->type & 7)),
		.threshold_percentage = in->threshold_percentage,
	};

	return store_page(&d, sizeof(d), buf, n);
}
