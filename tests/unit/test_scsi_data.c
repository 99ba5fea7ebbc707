/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parameter data other than VPD pages, against bytes written down from SPC-4
 * and SBC-3, and cut at every length.
 */
#include "wire/scsi_data.h"
#include "wire_test.h"

static const uint8_t INQUIRY[74] = {
	0x00, 0x80, 0x06, 0x12, 69, 0x19, 0x10, 0x02,
	'L', 'I', 'O', '-', 'O', 'R', 'G', ' ',
	'r', 'd', '_', 'n', 'u', 'l', 'l', 'i', 'o', ' ', ' ', ' ', ' ', ' ',
	' ', ' ',
	'4', '.', '0', ' ',
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0x00, 0xa0, 0x04, 0x60, 0x04, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

START_TEST(inquiry_is_coded_both_ways)
{
	uint8_t *data = heap_copy(INQUIRY, sizeof(INQUIRY)), out[74];
	struct scsi_inquiry inq;

	ck_assert_int_eq(scsi_data_inquiry_decode(data, 74, &inq), 0);
	ck_assert_uint_eq(inq.valid, 74);
	ck_assert_uint_eq(inq.qualifier, SCSI_QUALIFIER_CONNECTED);
	ck_assert_uint_eq(inq.device_type, SCSI_TYPE_DISK);
	ck_assert_uint_eq(inq.version, 6);
	ck_assert_uint_eq(inq.tpgs, 1);
	ck_assert(inq.removable && inq.hisup && inq.third_party_copy &&
		inq.protect && inq.multi_port && inq.cmdque);
	ck_assert_str_eq(inq.vendor, "LIO-ORG");
	ck_assert_str_eq(inq.product, "rd_nullio");
	ck_assert_str_eq(inq.revision, "4.0");
	ck_assert_uint_eq(inq.nr_versions, 3);
	ck_assert_uint_eq(inq.versions[2], 0x04c0);
	ck_assert_uint_eq(scsi_data_inquiry_encode(&inq, out, sizeof(out)), 74);
	ck_assert_mem_eq(out, INQUIRY, 74);
	free(data);
}
END_TEST

START_TEST(inquiry_without_versions_is_36_bytes)
{
	struct scsi_inquiry in = { .qualifier = 3,
		.device_type = SCSI_TYPE_NONE,
		.version = 6,
		.vendor = "too long",
		.product = "x" };
	uint8_t *out = heap_fill(0xee, 36);

	ck_assert_uint_eq(scsi_data_inquiry_encode(&in, out, 36), 36);
	ck_assert_uint_eq(out[0], 0x7f);
	ck_assert_uint_eq(out[3], 0x02);
	ck_assert_uint_eq(out[4], 31);
	ck_assert_mem_eq(out + 8, "too long", 8);
	ck_assert_mem_eq(out + 16, "x               ", 16);
	ck_assert_mem_eq(out + 32, "    ", 4);
	free(out);
}
END_TEST

START_TEST(inquiry_cut_anywhere_keeps_what_came)
{
	struct scsi_inquiry inq;

	for (size_t n = 0; n <= 74; n++) {
		uint8_t *data = heap_copy(INQUIRY, n);
		int rc = scsi_data_inquiry_decode(data, n, &inq);

		free(data);
		if (n < 5) {
			ck_assert_int_eq(rc, -EINVAL);
			ck_assert_uint_eq(inq.valid, 0);
			ck_assert(!inq.removable);
			continue;
		}
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_eq(inq.valid, n);
		ck_assert(inq.removable);
		ck_assert_uint_eq(strlen(inq.vendor),
			n < 8 ? 0 : min_t(size_t, n - 8, 7));
		ck_assert(strncmp(inq.vendor, "LIO-ORG", strlen(inq.vendor)) ==
			0);
		/* Half a version descriptor is one, if it is not 0. */
		ck_assert_uint_eq(inq.nr_versions,
			(n >= 60) + (n >= 61) + (n >= 63));
	}
}
END_TEST

START_TEST(inquiry_ends_where_it_says)
{
	uint8_t *data = heap_copy(INQUIRY, 74);
	struct scsi_inquiry inq;

	data[4] = 15;
	ck_assert_int_eq(scsi_data_inquiry_decode(data, 74, &inq), 0);
	ck_assert_uint_eq(inq.valid, 20);
	ck_assert_str_eq(inq.product, "rd_n");
	ck_assert_str_eq(inq.revision, "");
	data[4] = 255;
	ck_assert_int_eq(scsi_data_inquiry_decode(data, 74, &inq), 0);
	ck_assert_uint_eq(inq.valid, 74);
	free(data);
}
END_TEST

START_TEST(characters_that_cannot_be_printed_are_replaced)
{
	uint8_t *data = heap_copy(INQUIRY, 36);
	struct scsi_inquiry inq;

	memcpy(data + 8, "\033[2J\xff" "a\0\0", 8);
	ck_assert_int_eq(scsi_data_inquiry_decode(data, 36, &inq), 0);
	ck_assert_str_eq(inq.vendor, "?[2J?a");
	free(data);
}
END_TEST

START_TEST(encode_is_cut_at_every_length)
{
	uint8_t *data = heap_copy(INQUIRY, 74);
	struct scsi_inquiry inq;

	ck_assert_int_eq(scsi_data_inquiry_decode(data, 74, &inq), 0);
	for (size_t n = 0; n <= 74; n++) {
		uint8_t *out = heap_fill(0xee, n);

		ck_assert_uint_eq(scsi_data_inquiry_encode(&inq, out, n), n);
		ck_assert_mem_eq(out, INQUIRY, n);
		free(out);
	}
	free(data);
}
END_TEST

START_TEST(capacity_10_is_coded_both_ways)
{
	static const uint8_t bytes[8] = { 0x00, 0x1f, 0xff, 0xff, 0, 0, 0x02 };
	uint8_t *data = heap_copy(bytes, 8), out[8];
	struct scsi_capacity cap;

	ck_assert_int_eq(scsi_data_capacity_10_decode(data, 8, &cap), 0);
	ck_assert_uint_eq(cap.last_lba, 0x1fffff);
	ck_assert_uint_eq(cap.block_bytes, 512);
	ck_assert(!cap.ask_16);
	ck_assert_uint_eq(scsi_data_capacity_10_encode(&cap, out, 8), 8);
	ck_assert_mem_eq(out, bytes, 8);
	ck_assert_int_eq(scsi_data_capacity_10_decode(data, 7, &cap), -EINVAL);
	ck_assert_uint_eq(cap.block_bytes, 0);
	memset(data, 0xff, 4);
	ck_assert_int_eq(scsi_data_capacity_10_decode(data, 8, &cap), 0);
	ck_assert(cap.ask_16);
	cap.last_lba = 0x123456789;
	ck_assert_uint_eq(scsi_data_capacity_10_encode(&cap, out, 6), 6);
	ck_assert_uint_eq(get_be32(out), UINT32_MAX);
	free(data);
}
END_TEST

static const uint8_t CAPACITY_16[32] = { 0, 0, 0x01, 0x23, 0x45, 0x67, 0x89,
	0xab, 0, 0, 0x10, 0x00, 0x07, 0x43, 0xe0, 0x05 };

START_TEST(capacity_16_is_coded_both_ways)
{
	uint8_t *data = heap_copy(CAPACITY_16, 32), out[32];
	struct scsi_capacity cap;

	ck_assert_int_eq(scsi_data_capacity_16_decode(data, 32, &cap), 0);
	ck_assert_uint_eq(cap.last_lba, 0x0123456789ab);
	ck_assert_uint_eq(cap.block_bytes, 4096);
	ck_assert(cap.prot_en && cap.lbpme && cap.lbprz);
	ck_assert_uint_eq(cap.p_type, 3);
	ck_assert_uint_eq(cap.p_i_exponent, 4);
	ck_assert_uint_eq(cap.lbppbe, 3);
	ck_assert_uint_eq(cap.lowest_aligned_lba, 0x2005);
	ck_assert_uint_eq(scsi_data_capacity_16_encode(&cap, out, 32), 32);
	ck_assert_mem_eq(out, CAPACITY_16, 32);
	free(data);
}
END_TEST

START_TEST(capacity_16_needs_its_first_12_bytes)
{
	struct scsi_capacity cap;

	for (size_t n = 0; n < 32; n++) {
		uint8_t *data = heap_copy(CAPACITY_16, n);

		ck_assert_int_eq(scsi_data_capacity_16_decode(data, n, &cap),
			n < 12 ? -EINVAL : 0);
		ck_assert_uint_eq(cap.block_bytes, n < 12 ? 0 : 4096);
		ck_assert_int_eq(cap.lbpme, n >= 15);
		ck_assert_uint_eq(cap.valid, n < 12 ? 0 : n);
		free(data);
	}
}
END_TEST

static const uint8_t LUNS[32] = { 0, 0, 0, 24, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
	0x41, 0, 0, 0, 0, 0, 0, 0 };

START_TEST(report_luns_is_coded_both_ways)
{
	uint8_t *data = heap_copy(LUNS, 32), out[32];
	struct scsi_report_luns list;

	ck_assert_int_eq(scsi_data_report_luns_decode(data, 32, &list), 0);
	ck_assert_uint_eq(list.nr_luns, 3);
	ck_assert_uint_eq(list.nr_total, 3);
	ck_assert_uint_eq(list.luns[2].b[0], 0x41);
	ck_assert_uint_eq(scsi_data_report_luns_encode(list.luns, 3, out, 32),
		32);
	ck_assert_mem_eq(out, LUNS, 32);
	ck_assert_uint_eq(scsi_data_report_luns_encode(list.luns, 3, out, 19),
		19);
	ck_assert_uint_eq(out[3], 24);
	ck_assert_uint_eq(scsi_data_report_luns_encode(NULL, 0, out, 32), 8);
	free(data);
}
END_TEST

START_TEST(report_luns_counts_what_is_there_and_what_there_is)
{
	struct scsi_report_luns list;

	for (size_t n = 0; n <= 32; n++) {
		uint8_t *data = heap_copy(LUNS, n);

		ck_assert_int_eq(scsi_data_report_luns_decode(data, n, &list),
			n < 8 ? -EINVAL : 0);
		ck_assert_uint_eq(list.nr_luns, n < 8 ? 0 : (n - 8) / 8);
		ck_assert_uint_eq(list.nr_total, n < 8 ? 0 : 3);
		free(data);
	}
}
END_TEST

START_TEST(report_luns_believes_no_length)
{
	uint8_t *data = heap_copy(LUNS, 32);
	struct scsi_report_luns list;

	memset(data, 0xff, 4);
	ck_assert_int_eq(scsi_data_report_luns_decode(data, 32, &list), 0);
	ck_assert_uint_eq(list.nr_luns, 3);
	ck_assert_uint_eq(list.nr_total, 0x1fffffff);
	put_be32(data, 15);	/* one and a half */
	ck_assert_int_eq(scsi_data_report_luns_decode(data, 32, &list), 0);
	ck_assert_uint_eq(list.nr_luns, 1);
	ck_assert_uint_eq(list.valid, 23);
	free(data);
}
END_TEST

static const uint8_t MODE_6[32] = { 31, 0, 0x90, 8,
	0x00, 0x20, 0x00, 0x00, 0, 0x00, 0x02, 0x00,
	0x08, 0x12, 0x05 };

START_TEST(mode_sense_6_is_coded_both_ways)
{
	uint8_t *data = heap_copy(MODE_6, 32), out[32];
	struct scsi_mode mode;

	ck_assert_int_eq(scsi_data_mode_6_decode(data, 32, &mode), 0);
	ck_assert(mode.wp && mode.dpofua && mode.has_block_desc);
	ck_assert_uint_eq(mode.nr_blocks, 0x200000);
	ck_assert_uint_eq(mode.block_bytes, 512);
	ck_assert(mode.has_caching && mode.wce && mode.rcd);
	ck_assert_uint_eq(mode.valid, 32);
	ck_assert_uint_eq(scsi_data_mode_6_encode(&mode, out, 32), 32);
	ck_assert_mem_eq(out, MODE_6, 32);
	free(data);
}
END_TEST

static const uint8_t MODE_10[44] = { 0, 42, 0, 0x10, 0x01, 0, 0, 16,
	0, 0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x00,
	0x08, 0x12, 0x04 };

START_TEST(mode_sense_10_is_decoded_with_a_long_descriptor)
{
	uint8_t *data = heap_copy(MODE_10, 44);
	struct scsi_mode mode;

	ck_assert_int_eq(scsi_data_mode_10_decode(data, 44, &mode), 0);
	ck_assert(!mode.wp && mode.dpofua && mode.has_block_desc);
	ck_assert_uint_eq(mode.nr_blocks, 0x100000000);
	ck_assert_uint_eq(mode.block_bytes, 4096);
	ck_assert(mode.has_caching && mode.wce && !mode.rcd);
	free(data);
}
END_TEST

START_TEST(mode_sense_10_is_coded_both_ways)
{
	static const uint8_t bytes[28] = { 0, 26, 0, 0x80, 0, 0, 0, 0,
		0x08, 0x12, 0x04 };
	uint8_t *data = heap_copy(bytes, 28), out[28];
	struct scsi_mode mode;

	ck_assert_int_eq(scsi_data_mode_10_decode(data, 28, &mode), 0);
	ck_assert(mode.wp && !mode.has_block_desc && mode.wce);
	ck_assert_uint_eq(scsi_data_mode_10_encode(&mode, out, 28), 28);
	ck_assert_mem_eq(out, bytes, 28);
	free(data);
}
END_TEST

START_TEST(mode_data_cut_anywhere_keeps_what_came)
{
	struct scsi_mode mode;

	for (size_t n = 0; n <= 32; n++) {
		uint8_t *data = heap_copy(MODE_6, n);

		ck_assert_int_eq(scsi_data_mode_6_decode(data, n, &mode),
			n < 4 ? -EINVAL : 0);
		ck_assert_int_eq(mode.wp, n >= 4);
		ck_assert_int_eq(mode.has_block_desc, n >= 12);
		ck_assert_int_eq(mode.wce, n >= 15);
		free(data);
	}
	for (size_t n = 0; n <= 44; n++) {
		uint8_t *data = heap_copy(MODE_10, n);

		ck_assert_int_eq(scsi_data_mode_10_decode(data, n, &mode),
			n < 8 ? -EINVAL : 0);
		ck_assert_int_eq(mode.has_block_desc, n >= 24);
		ck_assert_int_eq(mode.wce, n >= 27);
		free(data);
	}
}
END_TEST

/* Read-write recovery, a subpage with a 16-bit length, then caching. */
START_TEST(caching_page_is_found_behind_others)
{
	static const uint8_t bytes[] = { 0xff, 0, 0, 0,
		0x81, 4, 1, 2, 3, 4,
		0x48, 0x01, 0, 3, 0xff, 0xff, 0xff,
		0x88, 0x12, 0x04, 0 };
	uint8_t *data = heap_copy(bytes, sizeof(bytes));
	struct scsi_mode mode;

	ck_assert_int_eq(scsi_data_mode_6_decode(data, sizeof(bytes), &mode),
		0);
	ck_assert(mode.has_caching && mode.wce && !mode.rcd);
	data[13] = 2;	/* now the last page starts in the subpage */
	ck_assert_int_eq(scsi_data_mode_6_decode(data, sizeof(bytes), &mode),
		0);
	ck_assert(!mode.has_caching);
	data[12] = 0xff;
	ck_assert_int_eq(scsi_data_mode_6_decode(data, sizeof(bytes), &mode),
		0);
	ck_assert(!mode.has_caching);
	free(data);
}
END_TEST

START_TEST(mode_lengths_that_lie_are_bounded)
{
	uint8_t *data = heap_copy(MODE_6, 32);
	struct scsi_mode mode;

	data[0] = 0;	/* shorter than the head */
	ck_assert_int_eq(scsi_data_mode_6_decode(data, 32, &mode), 0);
	ck_assert_uint_eq(mode.valid, 4);
	ck_assert(!mode.has_caching);
	data[0] = 255;
	data[3] = 255;	/* block descriptors beyond the end */
	ck_assert_int_eq(scsi_data_mode_6_decode(data, 32, &mode), 0);
	ck_assert(!mode.has_caching);
	ck_assert(mode.has_block_desc);
	free(data);
}
END_TEST

START_TEST(block_descriptor_has_room_for_32_and_24_bits)
{
	struct scsi_mode mode = { .has_block_desc = true,
		.nr_blocks = 0x100000000,
		.block_bytes = 0x1000000 };
	uint8_t out[12];

	ck_assert_uint_eq(scsi_data_mode_6_encode(&mode, out, 12), 12);
	ck_assert_uint_eq(get_be32(out + 4), UINT32_MAX);
	ck_assert_uint_eq(get_be24(out + 9), 0);
}
END_TEST

static const uint8_t UNMAP[40] = { 0, 38, 0, 32, 0, 0, 0, 0,
	1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0x10, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 9, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0 };

START_TEST(unmap_list_is_coded_both_ways)
{
	uint8_t *data = heap_copy(UNMAP, 40), *out = heap_fill(0xee, 40);
	struct scsi_unmap_range ranges[2];
	struct scsi_unmap_list list;

	ck_assert_int_eq(scsi_data_unmap_decode(data, 40, &list), 0);
	ck_assert_uint_eq(list.nr_descs, 2);
	for (uint32_t i = 0; i < 2; i++)
		ranges[i] = scsi_data_unmap_range(&list, i);
	ck_assert_uint_eq(ranges[0].lba, 0x0102030405060708);
	ck_assert_uint_eq(ranges[0].nr_blocks, 0x1000);
	ck_assert_uint_eq(ranges[1].nr_blocks, UINT32_MAX);
	ck_assert_uint_eq(scsi_data_unmap_encode(ranges, 2, out, 40), 40);
	ck_assert_mem_eq(out, UNMAP, 40);
	ck_assert_uint_eq(scsi_data_unmap_encode(ranges, 2, out, 39), 0);
	ck_assert_uint_eq(scsi_data_unmap_encode(ranges, 0, out, 8), 8);
	free(out);
	free(data);
}
END_TEST

START_TEST(unmap_list_that_is_not_all_there_is_refused)
{
	struct scsi_unmap_list list;

	for (size_t n = 0; n < 40; n++) {
		uint8_t *data = heap_copy(UNMAP, n);

		ck_assert_int_eq(scsi_data_unmap_decode(data, n, &list),
			n == 0      ? 0 :
				n < 8 ? -ENODATA :
					-EINVAL);
		ck_assert_uint_eq(list.nr_descs, 0);
		free(data);
	}
}
END_TEST

START_TEST(unmap_list_leaves_an_incomplete_descriptor_out)
{
	uint8_t *data = heap_copy(UNMAP, 40);
	struct scsi_unmap_list list;

	data[3] = 31;
	ck_assert_int_eq(scsi_data_unmap_decode(data, 40, &list), 0);
	ck_assert_uint_eq(list.nr_descs, 1);
	data[3] = 15;
	ck_assert_int_eq(scsi_data_unmap_decode(data, 40, &list), 0);
	ck_assert_uint_eq(list.nr_descs, 0);
	free(data);
}
END_TEST

START_TEST(unmap_list_ends_at_16_bits_of_length)
{
	const uint32_t nr = SCSI_UNMAP_MAX_DESCS;
	struct scsi_unmap_range *ranges = calloc(nr + 1, sizeof(*ranges));
	uint8_t *out = heap_fill(0xee, SCSI_UNMAP_LIST_BYTES(nr + 1));
	struct scsi_unmap_list list;

	ck_assert_uint_eq(scsi_data_unmap_encode(ranges, nr, out,
				  SCSI_UNMAP_LIST_BYTES(nr + 1)),
		SCSI_UNMAP_LIST_BYTES(nr));
	ck_assert_int_eq(scsi_data_unmap_decode(out, SCSI_UNMAP_LIST_BYTES(nr),
				 &list), 0);
	ck_assert_uint_eq(list.nr_descs, nr);
	ck_assert_uint_eq(scsi_data_unmap_encode(ranges, nr + 1, out,
				  SCSI_UNMAP_LIST_BYTES(nr + 1)), 0);
	free(out);
	free(ranges);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		inquiry_is_coded_both_ways,
		inquiry_without_versions_is_36_bytes,
		inquiry_cut_anywhere_keeps_what_came,
		inquiry_ends_where_it_says,
		characters_that_cannot_be_printed_are_replaced,
		encode_is_cut_at_every_length,
		capacity_10_is_coded_both_ways,
		capacity_16_is_coded_both_ways,
		capacity_16_needs_its_first_12_bytes,
		report_luns_is_coded_both_ways,
		report_luns_counts_what_is_there_and_what_there_is,
		report_luns_believes_no_length,
		mode_sense_6_is_coded_both_ways,
		mode_sense_10_is_decoded_with_a_long_descriptor,
		mode_sense_10_is_coded_both_ways,
		mode_data_cut_anywhere_keeps_what_came,
		caching_page_is_found_behind_others,
		mode_lengths_that_lie_are_bounded,
		block_descriptor_has_room_for_32_and_24_bits,
		unmap_list_is_coded_both_ways,
		unmap_list_that_is_not_all_there_is_refused,
		unmap_list_leaves_an_incomplete_descriptor_out,
		unmap_list_ends_at_16_bits_of_length,
	};

	return run_suite("scsi_data", tests, ARRAY_SIZE(tests));
}
