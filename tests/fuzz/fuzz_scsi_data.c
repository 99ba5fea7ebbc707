/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Any bytes as each kind of parameter data. Whatever is decoded is encoded,
 * and that decoded and encoded once more must give the same bytes.
 */
#include "wire_fuzz.h"

#include "wire/scsi_data.h"

/* More than any kind takes that is encoded from a struct. */
#define OUT_BYTES 1024

/* For a kind that decodes into a struct and encodes from it. The encoder must
 * also stop at the end of a shorter buffer. */
#define FUZZ_KIND(kind, type)                                                  \
	static void fuzz_##kind(const uint8_t *data, size_t size)              \
	{                                                                      \
		uint8_t out[OUT_BYTES], out2[OUT_BYTES], *cut;                 \
		struct type d;                                                 \
		size_t len, half;                                              \
                                                                               \
		if (scsi_data_##kind##_decode(data, size, &d)) {               \
			check(d.valid == 0);                                   \
			return;                                                \
		}                                                              \
		check(d.valid <= size);                                        \
		len = scsi_data_##kind##_encode(&d, out, sizeof(out));         \
		check(scsi_data_##kind##_decode(out, len, &d) == 0);           \
		check(d.valid == len);                                         \
		check(scsi_data_##kind##_encode(&d, out2, sizeof(out2)) ==     \
			len);                                                  \
		check(memcmp(out, out2, len) == 0);                            \
		half = len - min(len, size / 2);                               \
		cut = block(half);                                             \
		check(scsi_data_##kind##_encode(&d, cut, half) == half);       \
		check(memcmp(out, cut, half) == 0);                            \
		free(cut);                                                     \
	}

FUZZ_KIND(inquiry, scsi_inquiry)
FUZZ_KIND(vpd_pages, scsi_vpd_pages)
FUZZ_KIND(serial, scsi_serial)
FUZZ_KIND(block_limits, scsi_block_limits)
FUZZ_KIND(characteristics, scsi_characteristics)
FUZZ_KIND(provisioning, scsi_provisioning)
FUZZ_KIND(capacity_10, scsi_capacity)
FUZZ_KIND(capacity_16, scsi_capacity)
FUZZ_KIND(mode_6, scsi_mode)
FUZZ_KIND(mode_10, scsi_mode)

static void
fuzz_designators(const uint8_t *data, size_t size)
{
	char text[SCSI_DESIGNATOR_TEXT_BYTES];
	struct scsi_designator d[64], best;
	struct scsi_vpd vpd;
	uint8_t *out;
	size_t nr = 0, len;

	if (scsi_data_vpd_decode(data, size, SCSI_VPD_DEVICE_ID, &vpd))
		return;
	check(is_inside(vpd.body, vpd.body_bytes, data, size));
	for (size_t at = 0; nr < ARRAY_SIZE(d) &&
		scsi_data_designator_next(&vpd, &at, &d[nr]);
		nr++) {
		check(is_inside(d[nr].data, d[nr].bytes, vpd.body,
			vpd.body_bytes));
		check(at <= vpd.body_bytes);
		scsi_data_designator_format(&d[nr], text, sizeof(text));
	}
	if (scsi_data_designator_best(&vpd, &best))
		check(best.association == SCSI_ASSOCIATION_LU);
	len = sizeof(struct scsi_vpd_head);
	for (size_t i = 0; i < nr; i++)
		len += 4u + d[i].bytes;
	out = block(len);
	check(scsi_data_designators_encode(d, nr, out, len) == len);
	check(scsi_data_vpd_decode(out, len, SCSI_VPD_DEVICE_ID, &vpd) == 0);
	for (size_t at = 0, i = 0;
		scsi_data_designator_next(&vpd, &at, &best); i++)
		check(best.type == d[i].type && best.bytes == d[i].bytes &&
			best.association == d[i].association &&
			best.code_set == d[i].code_set &&
			best.has_protocol == d[i].has_protocol &&
			best.protocol == d[i].protocol &&
			memcmp(best.data, d[i].data, best.bytes) == 0);
	free(out);
}

static void
fuzz_report_luns(const uint8_t *data, size_t size)
{
	struct scsi_report_luns list, list2;
	uint8_t *out;
	size_t len;

	if (scsi_data_report_luns_decode(data, size, &list))
		return;
	check(is_inside(list.luns, list.nr_luns * sizeof(*list.luns), data,
		size));
	check(list.nr_luns <= list.nr_total);
	len = 8 + list.nr_luns * sizeof(*list.luns);
	out = block(len);
	check(scsi_data_report_luns_encode(list.luns, list.nr_luns, out, len) ==
		len);
	check(scsi_data_report_luns_decode(out, len, &list2) == 0);
	check(list2.nr_luns == list.nr_luns && list2.nr_total == list.nr_luns);
	check(memcmp(list2.luns, list.luns, len - 8) == 0);
	free(out);
}

static void
fuzz_unmap(const uint8_t *data, size_t size)
{
	struct scsi_unmap_range ranges[64];
	struct scsi_unmap_list list, list2;
	uint8_t *out;
	uint32_t nr;

	if (scsi_data_unmap_decode(data, size, &list))
		return;
	check(list.nr_descs <= SCSI_UNMAP_MAX_DESCS);
	check(list.nr_descs == 0 ||
		is_inside(list.descs, list.nr_descs * sizeof(*list.descs), data,
			size));
	nr = min_t(uint32_t, list.nr_descs, ARRAY_SIZE(ranges));
	for (uint32_t i = 0; i < nr; i++)
		ranges[i] = scsi_data_unmap_range(&list, i);
	out = block(SCSI_UNMAP_LIST_BYTES(nr));
	check(scsi_data_unmap_encode(ranges, nr, out,
		      SCSI_UNMAP_LIST_BYTES(nr)) == SCSI_UNMAP_LIST_BYTES(nr));
	check(scsi_data_unmap_decode(out, SCSI_UNMAP_LIST_BYTES(nr), &list2) ==
		0);
	check(list2.nr_descs == nr);
	for (uint32_t i = 0; i < nr; i++)
		check(scsi_data_unmap_range(&list2, i).lba == ranges[i].lba);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_inquiry(data, size);
	fuzz_vpd_pages(data, size);
	fuzz_serial(data, size);
	fuzz_designators(data, size);
	fuzz_block_limits(data, size);
	fuzz_characteristics(data, size);
	fuzz_provisioning(data, size);
	fuzz_capacity_10(data, size);
	fuzz_capacity_16(data, size);
	fuzz_report_luns(data, size);
	fuzz_mode_6(data, size);
	fuzz_mode_10(data, size);
	fuzz_unmap(data, size);
	return 0;
}
