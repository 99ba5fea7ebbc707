/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* VPD pages against bytes written down from SPC-4 7.8 and SBC-3 6.5. */
#include "wire/scsi_data.h"
#include "wire_test.h"

START_TEST(supported_pages_are_coded_both_ways)
{
	static const uint8_t bytes[] = { 0, 0x00, 0, 4, 0x00, 0x80, 0x83,
		0xb0 };
	uint8_t *data = heap_copy(bytes, 8), out[8];
	struct scsi_vpd_pages pages;

	ck_assert_int_eq(scsi_data_vpd_pages_decode(data, 8, &pages), 0);
	ck_assert(scsi_data_has_page(&pages, 0x00));
	ck_assert(scsi_data_has_page(&pages, 0xb0));
	ck_assert(!scsi_data_has_page(&pages, 0xb1));
	ck_assert_uint_eq(scsi_data_vpd_pages_encode(&pages, out, 8), 8);
	ck_assert_mem_eq(out, bytes, 8);
	ck_assert_int_eq(scsi_data_vpd_pages_decode(data, 7, &pages), 0);
	ck_assert_uint_eq(pages.valid, 7);
	ck_assert(!scsi_data_has_page(&pages, 0xb0));
	ck_assert_int_eq(scsi_data_vpd_pages_decode(data, 3, &pages), -EINVAL);
	ck_assert(!scsi_data_has_page(&pages, 0x00));
	free(data);
}
END_TEST

START_TEST(every_page_can_be_supported)
{
	struct scsi_vpd_pages pages = { .valid = 0 }, back;
	uint8_t *out = heap_fill(0xee, 260);

	memset(pages.set, 0xff, sizeof(pages.set));
	ck_assert_uint_eq(scsi_data_vpd_pages_encode(&pages, out, 260), 260);
	ck_assert_uint_eq(get_be16(out + 2), 256);
	ck_assert_int_eq(scsi_data_vpd_pages_decode(out, 260, &back), 0);
	ck_assert_mem_eq(back.set, pages.set, sizeof(pages.set));
	free(out);
}
END_TEST

START_TEST(a_page_is_refused_for_another)
{
	uint8_t *data = heap_fill(0, 64);
	struct scsi_provisioning prov;
	struct scsi_serial serial;
	struct scsi_vpd vpd;

	data[1] = 0xb0;
	data[3] = 60;
	data[5] = 0xff;
	ck_assert_int_eq(scsi_data_provisioning_decode(data, 64, &prov),
		-EINVAL);
	ck_assert_uint_eq(prov.valid, 0);
	ck_assert(!prov.lbpu);
	ck_assert_int_eq(scsi_data_serial_decode(data, 64, &serial), -EINVAL);
	ck_assert_str_eq(serial.text, "");
	ck_assert_int_eq(scsi_data_vpd_decode(data, 64, 0x83, &vpd), -EINVAL);
	ck_assert_ptr_null(vpd.body);
	ck_assert_int_eq(scsi_data_vpd_decode(data, 64, 0xb0, &vpd), 0);
	ck_assert_uint_eq(vpd.body_bytes, 60);
	free(data);
}
END_TEST

START_TEST(any_page_is_coded_both_ways)
{
	static const uint8_t bytes[] = { 0x65, 0xc7, 0, 3, 1, 2, 3 };
	uint8_t *data = heap_copy(bytes, 7), out[7];
	struct scsi_vpd vpd;

	ck_assert_int_eq(scsi_data_vpd_decode(data, 7, 0xc7, &vpd), 0);
	ck_assert_uint_eq(vpd.qualifier, 3);
	ck_assert_uint_eq(vpd.device_type, 5);
	ck_assert_ptr_eq(vpd.body, data + 4);
	ck_assert_uint_eq(scsi_data_vpd_encode(&vpd, out, 7), 7);
	ck_assert_mem_eq(out, bytes, 7);
	put_be16(data + 2, 2);	/* ends before what arrived */
	ck_assert_int_eq(scsi_data_vpd_decode(data, 7, 0xc7, &vpd), 0);
	ck_assert_uint_eq(vpd.body_bytes, 2);
	put_be16(data + 2, 0xffff);
	ck_assert_int_eq(scsi_data_vpd_decode(data, 7, 0xc7, &vpd), 0);
	ck_assert_uint_eq(vpd.body_bytes, 3);
	free(data);
}
END_TEST

START_TEST(serial_number_loses_its_blanks)
{
	static const uint8_t bytes[] = { 0, 0x80, 0, 8, ' ', ' ', 'a', 'b',
		' ', 'c', ' ', 0 };
	static const uint8_t want[] = { 0, 0x80, 0, 4, 'a', 'b', ' ', 'c' };
	uint8_t *data = heap_copy(bytes, 12), *out = heap_fill(0xee, 8);
	struct scsi_serial serial;

	ck_assert_int_eq(scsi_data_serial_decode(data, 12, &serial), 0);
	ck_assert_str_eq(serial.text, "ab c");
	ck_assert_uint_eq(scsi_data_serial_encode(&serial, out, 8), 8);
	ck_assert_mem_eq(out, want, 8);
	free(out);
	free(data);
}
END_TEST

START_TEST(serial_number_that_is_too_long_is_cut)
{
	uint8_t *data = heap_fill('x', 404);
	struct scsi_serial serial;

	memcpy(data, (uint8_t[]){ 0, 0x80, 400 >> 8, 400 & 0xff }, 4);
	ck_assert_int_eq(scsi_data_serial_decode(data, 404, &serial), 0);
	ck_assert_uint_eq(strlen(serial.text), 252);
	ck_assert_uint_eq(serial.valid, 404);
	free(data);
	data = heap_fill(' ', 10);
	memcpy(data, (uint8_t[]){ 0, 0x80, 0, 6 }, 4);
	ck_assert_int_eq(scsi_data_serial_decode(data, 10, &serial), 0);
	ck_assert_str_eq(serial.text, "");
	free(data);
}
END_TEST

/* What LIO sends: NAA 6h, T10 vendor id, relative port, target name. */
#define NAA 0x60, 0x01, 0x40, 0x5a, 0xbc, 0xde, 0xf0, 0x12, 0x34, 0x56, 0x78,   \
		0x9a, 0xbc, 0xde, 0xf0, 0x12
static const uint8_t DEVICE_ID[] = { 0, 0x83, 0, 68,
	0x01, 0x03, 0, 16, NAA,
	0x02, 0x01, 0, 12, 'L', 'I', 'O', '-', 'O', 'R', 'G', ' ', 'd', 'i',
	's', 'k',
	0x41, 0x94, 0, 4, 0, 0, 0, 1,
	0x53, 0xa8, 0, 20, 'i', 'q', 'n', '.', '2', '0', '2', '6', '-', '1',
	'1', '.', 'o', 'r', 'g', ':', 'x', 0, 0, 0 };

START_TEST(designators_are_listed_and_coded_both_ways)
{
	uint8_t *data = heap_copy(DEVICE_ID, sizeof(DEVICE_ID));
	uint8_t out[sizeof(DEVICE_ID)];
	struct scsi_designator d[5];
	char text[SCSI_DESIGNATOR_TEXT_BYTES];
	struct scsi_vpd vpd;
	size_t nr = 0;

	ck_assert_int_eq(scsi_data_vpd_decode(data, sizeof(DEVICE_ID), 0x83,
				 &vpd), 0);
	for (size_t at = 0; scsi_data_designator_next(&vpd, &at, &d[nr]);)
		nr++;
	ck_assert_uint_eq(nr, 4);
	ck_assert_uint_eq(d[0].type, SCSI_DESIGNATOR_NAA);
	ck_assert_uint_eq(d[0].association, SCSI_ASSOCIATION_LU);
	ck_assert_uint_eq(d[0].code_set, SCSI_CODE_SET_BINARY);
	ck_assert(!d[0].has_protocol);
	ck_assert_uint_eq(d[2].type, SCSI_DESIGNATOR_RELATIVE_PORT);
	ck_assert_uint_eq(d[2].association, SCSI_ASSOCIATION_PORT);
	ck_assert(d[2].has_protocol);
	ck_assert_uint_eq(d[2].protocol, 4);
	ck_assert_uint_eq(d[3].association, SCSI_ASSOCIATION_TARGET);
	ck_assert_uint_eq(d[3].protocol, 5);

	scsi_data_designator_format(&d[0], text, sizeof(text));
	ck_assert_str_eq(text, "naa.6001405abcdef0123456789abcdef012");
	scsi_data_designator_format(&d[1], text, sizeof(text));
	ck_assert_str_eq(text, "t10.LIO-ORG disk");
	scsi_data_designator_format(&d[2], text, sizeof(text));
	ck_assert_str_eq(text, "type 4:00000001");
	scsi_data_designator_format(&d[3], text, sizeof(text));
	ck_assert_str_eq(text, "iqn.2026-11.org:x");

	ck_assert_uint_eq(scsi_data_designators_encode(d, nr, out,
				  sizeof(out)), sizeof(out));
	ck_assert_mem_eq(out, DEVICE_ID, sizeof(out));
	ck_assert_uint_eq(scsi_data_designators_encode(d, nr, out, 21), 21);
	free(data);
}
END_TEST

START_TEST(designator_that_is_cut_ends_the_list)
{
	static const size_t ends[] = { 4 + 20, 4 + 36, 4 + 44, 4 + 68 };

	for (size_t n = 4; n <= sizeof(DEVICE_ID); n++) {
		uint8_t *data = heap_copy(DEVICE_ID, n);
		struct scsi_designator d;
		struct scsi_vpd vpd;
		size_t at = 0, nr = 0, want = 0;

		while (want < ARRAY_SIZE(ends) && ends[want] <= n)
			want++;
		ck_assert_int_eq(scsi_data_vpd_decode(data, n, 0x83, &vpd), 0);
		while (scsi_data_designator_next(&vpd, &at, &d))
			nr++;
		ck_assert_uint_eq(nr, want);
		ck_assert_uint_eq(d.bytes, 0);
		free(data);
	}
}
END_TEST

START_TEST(designator_cursor_may_be_anywhere)
{
	uint8_t *data = heap_copy(DEVICE_ID, sizeof(DEVICE_ID));
	struct scsi_designator d;
	struct scsi_vpd vpd;
	size_t at = SIZE_MAX;

	ck_assert_int_eq(scsi_data_vpd_decode(data, sizeof(DEVICE_ID), 0x83,
				 &vpd), 0);
	ck_assert(!scsi_data_designator_next(&vpd, &at, &d));
	free(data);
}
END_TEST

START_TEST(best_designator_is_the_longest_naa_of_the_unit)
{
	static const uint8_t naa[16] = { NAA };
	static const struct scsi_designator list[] = {
		{ .type = SCSI_DESIGNATOR_T10, .code_set = 2, .bytes = 12,
			.data = naa },
		{ .type = SCSI_DESIGNATOR_EUI64, .code_set = 1, .bytes = 16,
			.data = naa },
		{ .type = SCSI_DESIGNATOR_NAA, .code_set = 1, .bytes = 8,
			.data = naa },
		{ .type = SCSI_DESIGNATOR_NAA, .code_set = 1, .bytes = 12,
			.data = naa },
		{ .type = SCSI_DESIGNATOR_NAA, .code_set = 1, .bytes = 16,
			.association = SCSI_ASSOCIATION_PORT, .data = naa },
		{ .type = SCSI_DESIGNATOR_NAME, .code_set = 3, .bytes = 16,
			.data = naa },
		{ .type = SCSI_DESIGNATOR_NAA, .code_set = 1, .bytes = 0 },
		{ .type = SCSI_DESIGNATOR_LU_GROUP, .code_set = 1, .bytes = 4,
			.data = naa },
	};
	static const struct {
		size_t nr;
		uint8_t type, bytes;
	} cases[] = { { 1, 1, 12 }, { 2, 2, 16 }, { 3, 3, 8 }, { 4, 3, 12 },
		{ 8, 3, 12 } };
	uint8_t out[256];
	struct scsi_designator best;
	struct scsi_vpd vpd;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t n = scsi_data_designators_encode(list, cases[i].nr, out,
			sizeof(out));

		ck_assert_int_eq(scsi_data_vpd_decode(out, n, 0x83, &vpd), 0);
		ck_assert(scsi_data_designator_best(&vpd, &best));
		ck_assert_uint_eq(best.type, cases[i].type);
		ck_assert_uint_eq(best.bytes, cases[i].bytes);
	}
	scsi_data_designators_encode(list + 6, 2, out, sizeof(out));
	ck_assert_int_eq(scsi_data_vpd_decode(out, 16, 0x83, &vpd), 0);
	ck_assert(!scsi_data_designator_best(&vpd, &best));
}
END_TEST

START_TEST(designator_text_is_cut_and_terminated)
{
	uint8_t bytes[255];
	struct scsi_designator d = { .type = SCSI_DESIGNATOR_NAA, .bytes = 255,
		.data = bytes };
	char *text = (char *)heap_fill('x', 9);

	memset(bytes, 'a', sizeof(bytes));
	scsi_data_designator_format(&d, text, 9);
	ck_assert_str_eq(text, "naa.6161");
	scsi_data_designator_format(&d, text, 8);
	ck_assert_str_eq(text, "naa.61");
	scsi_data_designator_format(&d, text, 1);
	ck_assert_str_eq(text, "");
	d.type = SCSI_DESIGNATOR_NAME;
	scsi_data_designator_format(&d, text, 9);
	ck_assert_str_eq(text, "aaaaaaaa");
	d.type = SCSI_DESIGNATOR_EUI64;
	d.bytes = 2;
	scsi_data_designator_format(&d, text, 9);
	ck_assert_str_eq(text, "eui.6161");
	free(text);
}
END_TEST

static const uint8_t LIMITS[64] = { 0, 0xb0, 0, 0x3c, 1, 0x10, 0x00, 0x08,
	0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x10, 0x00,
	0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x08,
	0x80, 0x00, 0x00, 0x03, 0, 0, 0, 1, 0, 0, 0x10, 0 };

START_TEST(block_limits_are_coded_both_ways)
{
	uint8_t *data = heap_copy(LIMITS, 64), out[64];
	struct scsi_block_limits lim;

	ck_assert_int_eq(scsi_data_block_limits_decode(data, 64, &lim), 0);
	ck_assert_uint_eq(lim.valid, 64);
	ck_assert(lim.wsnz && lim.unmap_alignment_valid);
	ck_assert_uint_eq(lim.max_compare_write_blocks, 16);
	ck_assert_uint_eq(lim.opt_granularity_blocks, 8);
	ck_assert_uint_eq(lim.max_transfer_blocks, 0x4000);
	ck_assert_uint_eq(lim.opt_transfer_blocks, 0x2000);
	ck_assert_uint_eq(lim.max_prefetch_blocks, 0x1000);
	ck_assert_uint_eq(lim.max_unmap_blocks, 0x400000);
	ck_assert_uint_eq(lim.max_unmap_descs, 128);
	ck_assert_uint_eq(lim.opt_unmap_granularity_blocks, 8);
	ck_assert_uint_eq(lim.unmap_alignment, 3);
	ck_assert_uint_eq(lim.max_write_same_blocks, 0x100001000);
	ck_assert_uint_eq(scsi_data_block_limits_encode(&lim, out, 64), 64);
	ck_assert_mem_eq(out, LIMITS, 64);
	free(data);
}
END_TEST

/* SBC-2 devices end this page after 16 bytes. */
START_TEST(block_limits_cut_anywhere_keep_what_came)
{
	struct scsi_block_limits lim;

	for (size_t n = 0; n <= 64; n++) {
		uint8_t *data = heap_copy(LIMITS, n);

		ck_assert_int_eq(scsi_data_block_limits_decode(data, n, &lim),
			n < 4 ? -EINVAL : 0);
		ck_assert_uint_eq(lim.valid, n < 4 ? 0 : n);
		ck_assert_int_eq(lim.wsnz, n >= 5);
		ck_assert_uint_eq(lim.max_transfer_blocks,
			n >= 11 ? 0x4000 : 0);
		ck_assert_int_eq(lim.unmap_alignment_valid, n >= 33);
		free(data);
	}
}
END_TEST

START_TEST(characteristics_are_coded_both_ways)
{
	static const uint8_t bytes[64] = { 0, 0xb1, 0, 0x3c, 0x1c, 0x20, 0x02,
		0x03, 0x23 };
	uint8_t *data = heap_copy(bytes, 64), out[64];
	struct scsi_characteristics chr;

	ck_assert_int_eq(scsi_data_characteristics_decode(data, 64, &chr), 0);
	ck_assert_uint_eq(chr.rotation_rate, 7200);
	ck_assert_uint_eq(chr.product_type, 2);
	ck_assert_uint_eq(chr.form_factor, 3);
	ck_assert_uint_eq(chr.zoned, 2);
	ck_assert(chr.fuab && chr.vbuls);
	ck_assert_uint_eq(scsi_data_characteristics_encode(&chr, out, 64), 64);
	ck_assert_mem_eq(out, bytes, 64);
	ck_assert_int_eq(scsi_data_characteristics_decode(data, 3, &chr),
		-EINVAL);
	ck_assert_uint_eq(chr.rotation_rate, 0);
	free(data);
}
END_TEST

START_TEST(provisioning_is_coded_both_ways)
{
	static const uint8_t bytes[8] = { 0, 0xb2, 0, 4, 9, 0xe6, 0x52, 0x55 };
	uint8_t *data = heap_copy(bytes, 8), out[8];
	struct scsi_provisioning prov;

	ck_assert_int_eq(scsi_data_provisioning_decode(data, 8, &prov), 0);
	ck_assert_uint_eq(prov.threshold_exponent, 9);
	ck_assert(prov.lbpu && prov.lbpws && prov.lbpws10 && prov.anchor);
	ck_assert_uint_eq(prov.lbprz, 1);
	ck_assert_uint_eq(prov.type, 2);
	ck_assert_uint_eq(prov.minimum_percentage, 10);
	ck_assert_uint_eq(prov.threshold_percentage, 0x55);
	ck_assert_uint_eq(scsi_data_provisioning_encode(&prov, out, 8), 8);
	ck_assert_mem_eq(out, bytes, 8);
	ck_assert_int_eq(scsi_data_provisioning_decode(data, 5, &prov), 0);
	ck_assert(!prov.lbpu);
	ck_assert_uint_eq(prov.valid, 5);
	free(data);
}
END_TEST

START_TEST(encoders_are_cut_at_every_length)
{
	struct scsi_block_limits lim = { .max_write_same_blocks = UINT64_MAX };
	struct scsi_characteristics chr = { .rotation_rate = 1 };
	struct scsi_provisioning prov = { .lbpu = true };
	struct scsi_serial serial = { .text = "0123456789" };

	for (size_t n = 0; n <= 64; n++) {
		uint8_t *out = heap_fill(0xee, n);

		ck_assert_uint_eq(scsi_data_block_limits_encode(&lim, out, n),
			n);
		ck_assert_uint_eq(scsi_data_characteristics_encode(&chr, out,
					  n), n);
		ck_assert_uint_eq(scsi_data_provisioning_encode(&prov, out, n),
			min_t(size_t, n, 8));
		ck_assert_uint_eq(scsi_data_serial_encode(&serial, out, n),
			min_t(size_t, n, 14));
		free(out);
	}
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		supported_pages_are_coded_both_ways,
		every_page_can_be_supported,
		a_page_is_refused_for_another,
		any_page_is_coded_both_ways,
		serial_number_loses_its_blanks,
		serial_number_that_is_too_long_is_cut,
		designators_are_listed_and_coded_both_ways,
		designator_that_is_cut_ends_the_list,
		designator_cursor_may_be_anywhere,
		best_designator_is_the_longest_naa_of_the_unit,
		designator_text_is_cut_and_terminated,
		block_limits_are_coded_both_ways,
		block_limits_cut_anywhere_keep_what_came,
		characteristics_are_coded_both_ways,
		provisioning_is_coded_both_ways,
		encoders_are_cut_at_every_length,
	};

	return run_suite("scsi_data_vpd", tests, ARRAY_SIZE(tests));
}
