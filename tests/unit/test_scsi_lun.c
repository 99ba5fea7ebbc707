/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* LUN addresses against the formats of SAM-5 4.7. */
#include <inttypes.h>

#include "wire/scsi_lun.h"
#include "wire_test.h"

#define OPAQUE UINT64_MAX	/* has no number */

static const struct {
	struct scsi_lun lun;
	enum scsi_lun_method method;
	uint8_t bus, target;
	uint64_t addr_number;
	uint64_t number;
	const char *text;
} CASES[] = {
	{ { { 0 } }, SCSI_LUN_PERIPHERAL, 0, 0, 0, 0, "0" },
	{ { { 0, 255 } }, SCSI_LUN_PERIPHERAL, 0, 0, 255, 255, "255" },
	{ { { 0x3f, 7 } }, SCSI_LUN_PERIPHERAL, 63, 0, 7, OPAQUE,
		"0x3f07000000000000" },
	{ { { 0x40, 5 } }, SCSI_LUN_FLAT, 0, 0, 5, 5, "5" },
	{ { { 0x41, 0x00 } }, SCSI_LUN_FLAT, 0, 0, 256, 256, "256" },
	{ { { 0x7f, 0xff } }, SCSI_LUN_FLAT, 0, 0, 16383, 16383, "16383" },
	{ { { 0x80, 0x1f } }, SCSI_LUN_LOGICAL_UNIT, 0, 0, 31, 31, "31" },
	{ { { 0xbf, 0xe1 } }, SCSI_LUN_LOGICAL_UNIT, 7, 63, 1, OPAQUE,
		"0xbfe1000000000000" },
	{ { { 0xc1, 0x01 } }, SCSI_LUN_WELL_KNOWN, 0, 0, 1, OPAQUE, "w-lun 1" },
	{ { { 0xd2, 0x01, 0x02, 0x03 } }, SCSI_LUN_EXTENDED_FLAT, 0, 0,
		0x010203, 0x010203, "66051" },
	{ { { 0xe2, 0x01, 0x02, 0x03, 0x04, 0x05 } }, SCSI_LUN_LONG_FLAT, 0, 0,
		0x0102030405, 0x0102030405, "4328719365" },
	{ { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
		SCSI_LUN_NOT_SPECIFIED, 0, 0, 0, OPAQUE, "0xffffffffffffffff" },
	/* Two levels, reserved methods, rubbish behind a single level. */
	{ { { 0x00, 0x01, 0x00, 0x02 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0x0001000200000000" },
	{ { { 0x40, 0x01, 0, 0, 0, 0, 0, 1 } }, SCSI_LUN_OPAQUE, 0, 0, 0,
		OPAQUE, "0x4001000000000001" },
	{ { { 0xc2, 0x01 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0xc201000000000000" },
	{ { { 0xc1, 0x01, 0x01 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0xc101010000000000" },
	{ { { 0xd1, 0x01 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0xd101000000000000" },
	{ { { 0xd2, 0, 0, 1, 1 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0xd200000101000000" },
	{ { { 0xe2, 0, 0, 0, 0, 1, 1 } }, SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE,
		"0xe200000000010100" },
	{ { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe } },
		SCSI_LUN_OPAQUE, 0, 0, 0, OPAQUE, "0xfffffffffffffffe" },
};

START_TEST(every_method_is_coded_both_ways)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++) {
		struct scsi_lun_addr addr;
		struct scsi_lun lun;

		scsi_lun_decode(&CASES[i].lun, &addr);
		ck_assert_int_eq(addr.method, CASES[i].method);
		ck_assert_uint_eq(addr.bus, CASES[i].bus);
		ck_assert_uint_eq(addr.target, CASES[i].target);
		ck_assert_uint_eq(addr.number, CASES[i].addr_number);
		ck_assert_int_eq(scsi_lun_encode(&addr, &lun), 0);
		ck_assert(scsi_lun_equal(&lun, &CASES[i].lun));
	}
}
END_TEST

START_TEST(numbers_are_those_of_one_level_on_bus_0)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++) {
		uint64_t number;

		if (CASES[i].number == OPAQUE) {
			ck_assert_int_eq(scsi_lun_to_number(&CASES[i].lun,
						 &number), -EOPNOTSUPP);
			continue;
		}
		ck_assert_int_eq(scsi_lun_to_number(&CASES[i].lun, &number), 0);
		ck_assert_uint_eq(number, CASES[i].number);
	}
}
END_TEST

START_TEST(text_is_the_number_or_all_eight_bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(CASES); i++) {
		char text[SCSI_LUN_TEXT_BYTES];

		scsi_lun_format(&CASES[i].lun, text, sizeof(text));
		ck_assert_str_eq(text, CASES[i].text);
	}
}
END_TEST

START_TEST(numbers_get_the_form_that_linux_uses)
{
	static const struct {
		uint64_t number;
		uint64_t wire;
	} cases[] = {
		{ 0, 0 },
		{ 1, 0x0001000000000000 },
		{ 255, 0x00ff000000000000 },
		{ 256, 0x4100000000000000 },
		{ 16383, 0x7fff000000000000 },
		{ 16384, 0xd200400000000000 },
		{ 0xffffff, 0xd2ffffff00000000 },
		{ 0x1000000, 0xe200010000000000 },
		{ 0xffffffffff, 0xe2ffffffffff0000 },
	};
	struct scsi_lun lun;
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(scsi_lun_from_number(cases[i].number, &lun),
			0);
		ck_assert_uint_eq(get_be64(lun.b), cases[i].wire);
		ck_assert_int_eq(scsi_lun_to_number(&lun, &number), 0);
		ck_assert_uint_eq(number, cases[i].number);
	}
	ck_assert_int_eq(scsi_lun_from_number(0x10000000000, &lun), -ERANGE);
	ck_assert_int_eq(scsi_lun_from_number(UINT64_MAX, &lun), -ERANGE);
	ck_assert_uint_eq(get_be64(lun.b), 0);
}
END_TEST

START_TEST(members_that_do_not_fit_the_method_are_refused)
{
	static const struct scsi_lun_addr bad[] = {
		{ .method = SCSI_LUN_PERIPHERAL, .number = 256 },
		{ .method = SCSI_LUN_PERIPHERAL, .bus = 64 },
		{ .method = SCSI_LUN_PERIPHERAL, .target = 1 },
		{ .method = SCSI_LUN_FLAT, .number = 16384 },
		{ .method = SCSI_LUN_FLAT, .bus = 1 },
		{ .method = SCSI_LUN_LOGICAL_UNIT, .number = 32 },
		{ .method = SCSI_LUN_LOGICAL_UNIT, .bus = 8 },
		{ .method = SCSI_LUN_LOGICAL_UNIT, .target = 64 },
		{ .method = SCSI_LUN_WELL_KNOWN, .number = 256 },
		{ .method = SCSI_LUN_EXTENDED_FLAT, .number = 1 << 24 },
		{ .method = SCSI_LUN_LONG_FLAT,
			.number = UINT64_C(1) << 40 },
		{ .method = SCSI_LUN_NOT_SPECIFIED, .number = 1 },
		{ .method = (enum scsi_lun_method)99 },
	};
	struct scsi_lun lun;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(scsi_lun_encode(&bad[i], &lun), -ERANGE);
		ck_assert_uint_eq(get_be64(lun.b), 0);
	}
}
END_TEST

START_TEST(text_is_parsed_as_number_or_bytes)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t wire;
	} cases[] = {
		{ "0", 0, 0 },
		{ "300", 0, 0x412c000000000000 },
		{ "007", 0, 0x0007000000000000 },
		{ "0x3f07000000000000", 0, 0x3f07000000000000 },
		{ "0xFFFFFFFFFFFFFFFF", 0, UINT64_MAX },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "1x", -EINVAL, 0 },
		{ "0x", -EINVAL, 0 },
		{ "0x3f0700000000000", -EINVAL, 0 },
		{ "0x3f070000000000000", -EINVAL, 0 },
		{ "0x3f0700000000000g", -EINVAL, 0 },
		{ "0x-f07000000000000", -EINVAL, 0 },
		{ "1099511627776", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scsi_lun lun;

		ck_assert_msg(scsi_lun_parse(cases[i].text, &lun) ==
				cases[i].rc, "\"%s\"", cases[i].text);
		ck_assert_uint_eq(get_be64(lun.b), cases[i].wire);
	}
}
END_TEST

START_TEST(text_is_cut_and_terminated)
{
	char text[4] = "xxx";

	scsi_lun_format(&CASES[2].lun, text, sizeof(text));
	ck_assert_str_eq(text, "0x3");
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		every_method_is_coded_both_ways,
		numbers_are_those_of_one_level_on_bus_0,
		text_is_the_number_or_all_eight_bytes,
		numbers_get_the_form_that_linux_uses,
		members_that_do_not_fit_the_method_are_refused,
		text_is_parsed_as_number_or_bytes,
		text_is_cut_and_terminated,
	};

	return run_suite("scsi_lun", tests, ARRAY_SIZE(tests));
}
