/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Answers of the pure SCSI parts, against the standards' bytes. */
#include "tgt_test.h"

#include "target/tgt_scsi.h"

static struct target *target;
static uint8_t buf[4096];
static struct tgt_answer answer;

static void
setup(void)
{
	target = test_target_create();
	memset(buf, 0xcc, sizeof(buf));
	memset(&answer, 0, sizeof(answer));
}

static void
teardown(void)
{
	test_target_destroy(target);
}

static void
inquire(const struct tgt_lun *lun, uint8_t page, bool evpd, uint32_t alloc)
{
	struct tgt_unit unit = {
		.kind = lun ? TGT_UNIT_LUN : TGT_UNIT_NONE,
		.lun = lun,
	};
	struct scsi_cmd scsi = {
		.op = SCSI_OP_INQUIRY,
		.page = page,
		.flags = evpd ? SCSI_CMD_EVPD : 0,
		.alloc_len = alloc,
	};

	tgt_inquiry(target, &unit, &scsi, buf, sizeof(buf), &answer);
}

static void
expect_refused(uint16_t asc)
{
	ck_assert_uint_eq(answer.key, SCSI_KEY_ILLEGAL_REQUEST);
	ck_assert_uint_eq(answer.asc, asc);
}

START_TEST(inquiry_names_a_disk)
{
	inquire(test_lun(target, 0), 0, false, 255);
	ck_assert_uint_eq(answer.key, 0);
	ck_assert_uint_ge(answer.bytes, 36);
	ck_assert_uint_eq(buf[0], 0x00);
	ck_assert_uint_eq(buf[1], 0x00);
	ck_assert_uint_eq(buf[2], 6);
	ck_assert_uint_eq(buf[3] & 0x1f, 0x12);
	ck_assert_uint_eq(buf[4] + 5, answer.bytes);
	ck_assert_uint_eq(buf[7] & 0x02, 0x02);
	ck_assert_mem_eq(buf + 8, "SRPD    ", 8);
	ck_assert_mem_eq(buf + 16, "ram disk        ", 16);
	ck_assert_mem_eq(buf + 32, "0.1 ", 4);
}
END_TEST

START_TEST(inquiry_is_cut_to_the_allocation_length)
{
	inquire(test_lun(target, 0), 0, false, 36);
	ck_assert_uint_eq(answer.bytes, 36);
	ck_assert_uint_eq(buf[36], 0xcc);
	inquire(test_lun(target, 0), 0, false, 0);
	ck_assert_uint_eq(answer.bytes, 0);
}
END_TEST

START_TEST(inquiry_of_no_unit_says_that_none_is_possible)
{
	inquire(NULL, 0, false, 96);
	ck_assert_uint_eq(answer.key, 0);
	ck_assert_uint_eq(buf[0], 0x7f);
	inquire(NULL, SCSI_VPD_SERIAL_NUMBER, true, 96);
	expect_refused(SCSI_ASC_LUN_NOT_SUPPORTED);
}
END_TEST

START_TEST(inquiry_refuses_a_page_without_evpd_and_unknown_pages)
{
	inquire(test_lun(target, 0), 0x83, false, 96);
	expect_refused(SCSI_ASC_INVALID_FIELD_IN_CDB);
	inquire(test_lun(target, 0), 0xc0, true, 96);
	expect_refused(SCSI_ASC_INVALID_FIELD_IN_CDB);
}
END_TEST

START_TEST(vpd_00_lists_the_pages_that_are_answered)
{
	static const uint8_t want[] = { 0x00, 0x00, 0x00, 0x06, 0x00, 0x80,
		0x83, 0xb0, 0xb1, 0xb2 };
	uint8_t pages[6];
	unsigned int i;

	inquire(test_lun(target, 0), 0x00, true, 255);
	ck_assert_uint_eq(answer.bytes, sizeof(want));
	ck_assert_mem_eq(buf, want, sizeof(want));
	memcpy(pages, buf + 4, sizeof(pages));
	for (i = 0; i < sizeof(pages); i++) {
		inquire(test_lun(target, 0), pages[i], true, 255);
		ck_assert_uint_eq(answer.key, 0);
		ck_assert_uint_eq(buf[1], pages[i]);
		ck_assert_uint_eq(get_be16(buf + 2) + 4u, answer.bytes);
	}
}
END_TEST

START_TEST(vpd_80_differs_by_lun)
{
	inquire(test_lun(target, 0), 0x80, true, 255);
	ck_assert_uint_eq(answer.bytes, 24);
	ck_assert_mem_eq(buf + 4, "0002c90300a0b0c00000", 20);
	inquire(test_lun(target, 300), 0x80, true, 255);
	ck_assert_mem_eq(buf + 4, "0002c90300a0b0c0012c", 20);
}
END_TEST

START_TEST(vpd_83_has_naa_6_and_t10)
{
	static const uint8_t naa[] = { 0x01, 0x03, 0x00, 0x10, 0x60, 0x00, 0x2c,
		0x90, 0x30, 0x0a, 0x0b, 0x0c, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x01, 0x2c };
	static const uint8_t t10[] = { 0x02, 0x01, 0x00, 0x1c };

	inquire(test_lun(target, 300), 0x83, true, 255);
	ck_assert_uint_eq(answer.bytes, 4 + sizeof(naa) + sizeof(t10) + 28);
	ck_assert_mem_eq(buf + 4, naa, sizeof(naa));
	ck_assert_mem_eq(buf + 24, t10, sizeof(t10));
	ck_assert_mem_eq(buf + 28, "SRPD    0002c90300a0b0c0012c", 28);
}
END_TEST

START_TEST(naa_keeps_every_bit_of_id_ext)
{
	uint8_t a[16], b[16];
	unsigned int bit;

	tgt_inquiry_naa(target, test_lun(target, 0), a);
	for (bit = 0; bit < 64; bit++) {
		target->id_ext = TEST_ID_EXT ^ UINT64_C(1) << bit;
		tgt_inquiry_naa(target, test_lun(target, 0), b);
		ck_assert_uint_eq(b[0] >> 4, 6);
		ck_assert_mem_ne(a, b, sizeof(a));
	}
}
END_TEST

START_TEST(vpd_b0_states_the_limits)
{
	inquire(test_lun(target, 3), 0xb0, true, 255);
	ck_assert_uint_eq(answer.bytes, 64);
	ck_assert_uint_eq(buf[4] & 1, 1);
	ck_assert_uint_eq(get_be32(buf + 8), 2048);
	ck_assert_uint_eq(get_be32(buf + 20),
		tgt_lun_max_unmap_blocks(test_lun(target, 3)));
	ck_assert_uint_eq(get_be32(buf + 24), 32);
	ck_assert_uint_eq(get_be64(buf + 36),
		tgt_lun_max_unmap_blocks(test_lun(target, 3)));
}
END_TEST

START_TEST(vpd_b1_and_b2_say_solid_state_and_thin)
{
	inquire(test_lun(target, 0), 0xb1, true, 255);
	ck_assert_uint_eq(get_be16(buf + 4), 1);
	inquire(test_lun(target, 0), 0xb2, true, 255);
	ck_assert_uint_eq(buf[5], 0xe4);
	ck_assert_uint_eq(buf[6] & 7, 2);
}
END_TEST

START_TEST(capacity_10_and_16)
{
	struct scsi_cmd scsi = { .op = SCSI_OP_READ_CAPACITY_10 };

	tgt_data_capacity(test_lun(target, 0), &scsi, buf, 8, &answer);
	ck_assert_uint_eq(answer.bytes, 8);
	ck_assert_uint_eq(get_be32(buf), 2047);
	ck_assert_uint_eq(get_be32(buf + 4), 512);
	/* 2^33 blocks: too many for (10) */
	tgt_data_capacity(test_lun(target, 3), &scsi, buf, 8, &answer);
	ck_assert_uint_eq(get_be32(buf), UINT32_MAX);
	scsi.op = SCSI_OP_SERVICE_ACTION_IN_16;
	scsi.alloc_len = 32;
	tgt_data_capacity(test_lun(target, 3), &scsi, buf, 4096, &answer);
	ck_assert_uint_eq(answer.bytes, 32);
	ck_assert_uint_eq(get_be64(buf), (UINT64_C(1) << 33) - 1);
	ck_assert_uint_eq(get_be32(buf + 8), 512);
	ck_assert_uint_eq(buf[14], 0xc0);
	scsi.lba = 1;
	tgt_data_capacity(test_lun(target, 3), &scsi, buf, 4096, &answer);
	expect_refused(SCSI_ASC_INVALID_FIELD_IN_CDB);
}
END_TEST

START_TEST(report_luns_is_sorted_and_tells_the_full_length)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_REPORT_LUNS,
		.alloc_len = 4096,
	};
	static const uint8_t want[] = { 0, 0, 0, 24, 0, 0, 0, 0, /* head */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0x41, 0x2c };

	tgt_data_report_luns(target, &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(answer.bytes, 32);
	ck_assert_mem_eq(buf, want, sizeof(want));
	scsi.alloc_len = 16;
	tgt_data_report_luns(target, &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(answer.bytes, 16);
	ck_assert_uint_eq(get_be32(buf), 24);
}
END_TEST

START_TEST(report_luns_selects_well_known_units)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_REPORT_LUNS,
		.alloc_len = 4096,
		.page = 1,
	};

	tgt_data_report_luns(target, &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(get_be32(buf), 8);
	ck_assert_uint_eq(get_be16(buf + 8), 0xc101);
	scsi.page = 2;
	tgt_data_report_luns(target, &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(get_be32(buf), 32);
	scsi.page = 3;
	tgt_data_report_luns(target, &scsi, buf, sizeof(buf), &answer);
	expect_refused(SCSI_ASC_INVALID_FIELD_IN_CDB);
}
END_TEST

START_TEST(mode_sense_shows_write_protection_and_caching)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_MODE_SENSE_6,
		.page = SCSI_MODE_ALL,
		.alloc_len = 192,
	};

	tgt_data_mode_sense(
		test_lun(target, 300), &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(answer.bytes, 4 + 8 + 20);
	ck_assert_uint_eq(buf[0], 31);
	ck_assert_uint_eq(buf[2], 0x90);
	ck_assert_uint_eq(buf[12], 0x08);
	ck_assert_uint_eq(buf[14], 0x00);
	scsi.op = SCSI_OP_MODE_SENSE_10;
	scsi.flags = SCSI_CMD_DBD;
	scsi.page = SCSI_MODE_CACHING;
	tgt_data_mode_sense(
		test_lun(target, 0), &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(answer.bytes, 8 + 20);
	ck_assert_uint_eq(buf[3], 0x10);
	ck_assert_uint_eq(get_be16(buf + 6), 0);
}
END_TEST

START_TEST(mode_sense_hides_protection_when_told_to)
{
	struct scsi_cmd scsi = {
		.op = SCSI_OP_MODE_SENSE_6,
		.page = SCSI_MODE_ALL,
		.alloc_len = 192,
	};
	struct tgt_lun *lun = test_lun(target, 300);

	lun->flags = TARGET_LUN_RO_HID;
	tgt_data_mode_sense(lun, &scsi, buf, sizeof(buf), &answer);
	ck_assert_uint_eq(buf[2], 0x10);
	ck_assert(tgt_lun_is_protected(lun));
}
END_TEST

START_TEST(mode_sense_refuses_other_pages_and_saved_values)
{
	static const struct {
		uint8_t page, subpage, pc;
		uint16_t asc;
	} rows[] = {
		{ 0x0a, 0, 0, SCSI_ASC_INVALID_FIELD_IN_CDB },
		{ 0x08, 1, 0, SCSI_ASC_INVALID_FIELD_IN_CDB },
		{ 0x3f, 1, 0, SCSI_ASC_INVALID_FIELD_IN_CDB },
		{ 0x3f, 0, 3, 0x3900 },
	};
	struct scsi_cmd scsi = {
		.op = SCSI_OP_MODE_SENSE_10,
		.page = rows[_i].page,
		.subpage = rows[_i].subpage,
		.page_control = rows[_i].pc,
		.alloc_len = 192,
	};

	tgt_data_mode_sense(
		test_lun(target, 0), &scsi, buf, sizeof(buf), &answer);
	expect_refused(rows[_i].asc);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tgt_scsi");
	TCase *tc = tcase_create("answers");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, inquiry_names_a_disk);
	tcase_add_test(tc, inquiry_is_cut_to_the_allocation_length);
	tcase_add_test(tc, inquiry_of_no_unit_says_that_none_is_possible);
	tcase_add_test(
		tc, inquiry_refuses_a_page_without_evpd_and_unknown_pages);
	tcase_add_test(tc, vpd_00_lists_the_pages_that_are_answered);
	tcase_add_test(tc, vpd_80_differs_by_lun);
	tcase_add_test(tc, vpd_83_has_naa_6_and_t10);
	tcase_add_test(tc, naa_keeps_every_bit_of_id_ext);
	tcase_add_test(tc, vpd_b0_states_the_limits);
	tcase_add_test(tc, vpd_b1_and_b2_say_solid_state_and_thin);
	tcase_add_test(tc, capacity_10_and_16);
	tcase_add_test(tc, report_luns_is_sorted_and_tells_the_full_length);
	tcase_add_test(tc, report_luns_selects_well_known_units);
	tcase_add_test(tc, mode_sense_shows_write_protection_and_caching);
	tcase_add_test(tc, mode_sense_hides_protection_when_told_to);
	tcase_add_loop_test(
		tc, mode_sense_refuses_other_pages_and_saved_values, 0, 4);
	suite_add_tcase(suite, tc);
	return test_run(suite);
}
