/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Sense data against bytes written down from SPC-4 4.5. */
#include "wire/scsi_sense.h"
#include "wire_test.h"

/* MEDIUM ERROR, unrecovered read error, with everything in use. */
static const uint8_t FIXED[18] = { 0xf0, 0, 0x03, 0x12, 0x34, 0x56, 0x78, 10,
	0x01, 0x02, 0x03, 0x04, 0x11, 0x00, 0x7f, 0x80, 0x12, 0x34 };
static const uint8_t DESC[44] = { 0x72, 0x03, 0x11, 0x00, 0, 0, 0, 36,
	0x00, 10, 0x80, 0, 1, 2, 3, 4, 5, 6, 7, 8,	/* information */
	0x01, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9,		/* command specific */
	0x02, 6, 0, 0, 0x80, 0x12, 0x34, 0,		/* key specific */
	0x03, 2, 0, 0x7f };				/* FRU */

START_TEST(fixed_format_is_coded_both_ways)
{
	uint8_t *sense = heap_copy(FIXED, sizeof(FIXED)), out[18];
	struct scsi_sense s;

	ck_assert_int_eq(scsi_sense_decode(sense, 18, &s), 0);
	ck_assert(!s.descriptor && !s.deferred);
	ck_assert_uint_eq(s.key, SCSI_KEY_MEDIUM_ERROR);
	ck_assert_uint_eq(scsi_sense_code(&s),
		SCSI_ASC_UNRECOVERED_READ_ERROR);
	ck_assert(s.info_valid && s.cmd_info_valid && s.sks_valid);
	ck_assert_uint_eq(s.info, 0x12345678);
	ck_assert_uint_eq(s.cmd_info, 0x01020304);
	ck_assert_uint_eq(s.fru, 0x7f);
	ck_assert_uint_eq(s.sks[0], 0);
	ck_assert_uint_eq(s.sks[2], 0x34);
	ck_assert_uint_eq(scsi_sense_encode(&s, out, sizeof(out)), 18);
	ck_assert_mem_eq(out, FIXED, 18);
	free(sense);
}
END_TEST

START_TEST(descriptor_format_is_coded_both_ways)
{
	uint8_t *sense = heap_copy(DESC, sizeof(DESC));
	uint8_t out[SCSI_SENSE_ENCODED_BYTES];
	struct scsi_sense s;

	ck_assert_int_eq(scsi_sense_decode(sense, 44, &s), 0);
	ck_assert(s.descriptor && !s.deferred);
	ck_assert_uint_eq(s.key, SCSI_KEY_MEDIUM_ERROR);
	ck_assert_uint_eq(s.asc, 0x11);
	ck_assert(s.info_valid && s.cmd_info_valid && s.sks_valid);
	ck_assert_uint_eq(s.info, 0x0102030405060708);
	ck_assert_uint_eq(s.cmd_info, 9);
	ck_assert_uint_eq(s.fru, 0x7f);
	ck_assert_uint_eq(s.sks[1], 0x12);
	ck_assert_uint_eq(scsi_sense_encode(&s, out, sizeof(out)), 44);
	ck_assert_mem_eq(out, DESC, 44);
	free(sense);
}
END_TEST

START_TEST(deferred_errors_say_so)
{
	uint8_t out[18], fixed[18] = { 0x71, 0, 0x04 };
	uint8_t desc[8] = { 0x73, 0x04 };
	struct scsi_sense s;

	ck_assert_int_eq(scsi_sense_decode(fixed, 18, &s), 0);
	ck_assert(s.deferred && !s.descriptor);
	scsi_sense_encode(&s, out, sizeof(out));
	ck_assert_uint_eq(out[0], 0x71);
	ck_assert_int_eq(scsi_sense_decode(desc, 8, &s), 0);
	ck_assert(s.deferred && s.descriptor);
	ck_assert_uint_eq(scsi_sense_encode(&s, out, sizeof(out)), 8);
	ck_assert_uint_eq(out[0], 0x73);
}
END_TEST

START_TEST(fixed_format_cut_anywhere_keeps_what_came)
{
	struct scsi_sense s;

	for (size_t n = 3; n < 18; n++) {
		uint8_t *sense = heap_copy(FIXED, n);

		ck_assert_int_eq(scsi_sense_decode(sense, n, &s), 0);
		ck_assert_uint_eq(s.key, SCSI_KEY_MEDIUM_ERROR);
		ck_assert_int_eq(s.info_valid, n >= 7);
		ck_assert_uint_eq(s.asc, n > 12 ? 0x11 : 0);
		ck_assert_uint_eq(s.fru, n > 14 ? 0x7f : 0);
		ck_assert(!s.sks_valid);
		free(sense);
	}
}
END_TEST

/* An additional length of 5 ends the data behind byte 12, the ASC. */
START_TEST(bytes_beyond_the_additional_length_do_not_count)
{
	uint8_t *sense = heap_copy(FIXED, 18);
	struct scsi_sense s;

	sense[7] = 5;
	ck_assert_int_eq(scsi_sense_decode(sense, 18, &s), 0);
	ck_assert_uint_eq(s.asc, 0x11);
	ck_assert_uint_eq(s.fru, 0);
	sense[7] = 4;
	ck_assert_int_eq(scsi_sense_decode(sense, 18, &s), 0);
	ck_assert_uint_eq(s.asc, 0);
	free(sense);
}
END_TEST

START_TEST(descriptor_that_is_cut_is_left_out)
{
	struct scsi_sense s;

	for (size_t n = 4; n < 44; n++) {
		uint8_t *sense = heap_copy(DESC, n);

		ck_assert_int_eq(scsi_sense_decode(sense, n, &s), 0);
		ck_assert_uint_eq(s.asc, 0x11);
		ck_assert_int_eq(s.info_valid, n >= 20);
		ck_assert_int_eq(s.cmd_info_valid, n >= 32);
		ck_assert_int_eq(s.sks_valid, n >= 40);
		ck_assert_uint_eq(s.fru, 0);
		free(sense);
	}
}
END_TEST

START_TEST(descriptors_of_wrong_length_or_type_are_skipped)
{
	/* Short information and command specific ones, a key specific one
	 * without SKSV, an unknown type, information without VALID, a FRU. */
	static const uint8_t odd[] = { 0x72, 0x05, 0x24, 0, 0, 0, 0, 38,
		0x00, 2, 0x80, 0,
		0x01, 2, 0, 0,
		0x02, 6, 0, 0, 0x40, 1, 2, 0,
		0x55, 4, 1, 2, 3, 4,
		0x00, 10, 0x00, 0, 1, 2, 3, 4, 5, 6, 7, 8,
		0x03, 2, 0, 0x11 };
	uint8_t *sense = heap_copy(odd, sizeof(odd));
	struct scsi_sense s;

	ck_assert_int_eq(scsi_sense_decode(sense, sizeof(odd), &s), 0);
	ck_assert(!s.info_valid && !s.cmd_info_valid && !s.sks_valid);
	ck_assert_uint_eq(s.info, 0);
	ck_assert_uint_eq(s.fru, 0x11);
	free(sense);
}
END_TEST

START_TEST(what_is_no_sense_data_is_refused)
{
	static const uint8_t codes[] = { 0x00, 0x6f, 0x74, 0x7f, 0xff };
	uint8_t *sense = heap_fill(0, 18);
	struct scsi_sense s;

	ck_assert_int_eq(scsi_sense_decode(sense, 0, &s), -ENODATA);
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		sense[0] = codes[i];
		sense[2] = 5;
		ck_assert_int_eq(scsi_sense_decode(sense, 18, &s), -EINVAL);
		ck_assert_uint_eq(s.key, 0);
	}
	free(sense);
	sense = heap_copy(FIXED, 2);
	ck_assert_int_eq(scsi_sense_decode(sense, 1, &s), -EINVAL);
	ck_assert_int_eq(scsi_sense_decode(sense, 2, &s), -EINVAL);
	free(sense);
	sense = heap_copy(DESC, 3);
	ck_assert_int_eq(scsi_sense_decode(sense, 3, &s), -EINVAL);
	free(sense);
}
END_TEST

START_TEST(numbers_beyond_32_bits_go_out_in_descriptors)
{
	struct scsi_sense s = scsi_sense_make(SCSI_KEY_MEDIUM_ERROR,
		SCSI_ASC_WRITE_ERROR);
	uint8_t out[SCSI_SENSE_ENCODED_BYTES];

	s.info_valid = true;
	s.info = UINT32_MAX;
	ck_assert_uint_eq(scsi_sense_encode(&s, out, sizeof(out)), 18);
	ck_assert_uint_eq(out[0], 0xf0);
	s.info++;
	ck_assert_uint_eq(scsi_sense_encode(&s, out, sizeof(out)), 20);
	ck_assert_uint_eq(out[0], 0x72);
	ck_assert_uint_eq(get_be64(out + 12), 0x100000000);
}
END_TEST

START_TEST(encode_is_cut_to_the_buffer)
{
	static const uint8_t want[18] = { 0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0,
		0, 0, 0x24 };
	struct scsi_sense s = scsi_sense_make(SCSI_KEY_ILLEGAL_REQUEST,
		SCSI_ASC_INVALID_FIELD_IN_CDB);

	for (size_t n = 0; n <= 18; n++) {
		uint8_t *out = heap_fill(0xee, n);

		ck_assert_uint_eq(scsi_sense_encode(&s, out, n), n);
		ck_assert_mem_eq(out, want, n);
		free(out);
	}
}
END_TEST

static void
check_text(struct scsi_sense s, const char *want)
{
	char text[SCSI_SENSE_TEXT_BYTES];

	scsi_sense_format(&s, text, sizeof(text));
	ck_assert_str_eq(text, want);
}

START_TEST(text_is_one_line_in_the_standards_words)
{
	struct scsi_sense s = scsi_sense_make(SCSI_KEY_ILLEGAL_REQUEST,
		SCSI_ASC_INVALID_FIELD_IN_CDB);

	check_text(s, "ILLEGAL REQUEST (05/24/00): Invalid field in cdb");
	s.info_valid = true;	/* not an address with this key */
	s.info = 7;
	check_text(s, "ILLEGAL REQUEST (05/24/00): Invalid field in cdb");
	s = scsi_sense_make(SCSI_KEY_MEDIUM_ERROR,
		SCSI_ASC_UNRECOVERED_READ_ERROR);
	s.info_valid = true;
	s.info = 0x100000000;
	s.deferred = true;
	check_text(s, "deferred: MEDIUM ERROR (03/11/00): "
		      "Unrecovered read error, LBA 4294967296");
	check_text(scsi_sense_make(SCSI_KEY_UNIT_ATTENTION,
			   SCSI_ASC_REPORTED_LUNS_CHANGED),
		"UNIT ATTENTION (06/3F/0E): Reported luns data has changed");
	check_text(scsi_sense_make(SCSI_KEY_NO_SENSE, 0x7712),
		"NO SENSE (00/77/12): ASC=77, ASCQ=12 (hex)");
}
END_TEST

START_TEST(every_text_fits_its_buffer)
{
	char text[SCSI_SENSE_TEXT_BYTES], tiny[8];

	for (uint32_t code = 0; code <= UINT16_MAX; code++) {
		struct scsi_sense s = scsi_sense_make(SCSI_KEY_RECOVERED_ERROR,
			(uint16_t)code);

		s.deferred = s.info_valid = true;
		s.info = UINT64_MAX;
		scsi_sense_format(&s, text, sizeof(text));
		ck_assert_uint_lt(strlen(text), sizeof(text) - 1);
		ck_assert_ptr_null(strchr(text, '\n'));
		ck_assert_ptr_nonnull(strstr(text, ", LBA 184467440737095"));
	}
	scsi_sense_format(&(struct scsi_sense){ .key = 5 }, tiny, sizeof(tiny));
	ck_assert_str_eq(tiny, "ILLEGAL");
}
END_TEST

START_TEST(status_has_a_name_or_a_number)
{
	static const struct {
		uint8_t status;
		const char *text;
	} cases[] = {
		{ 0x00, "GOOD" },
		{ 0x02, "CHECK CONDITION" },
		{ 0x04, "CONDITION MET" },
		{ 0x08, "BUSY" },
		{ 0x18, "RESERVATION CONFLICT" },
		{ 0x28, "TASK SET FULL" },
		{ 0x30, "ACA ACTIVE" },
		{ 0x40, "TASK ABORTED" },
		{ 0x33, "status 0x33" },
	};
	char text[32], tiny[5];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(scsi_status_format(cases[i].status, text,
					 sizeof(text)), cases[i].text);
	ck_assert_str_eq(scsi_status_format(2, tiny, sizeof(tiny)), "CHEC");
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		fixed_format_is_coded_both_ways,
		descriptor_format_is_coded_both_ways,
		deferred_errors_say_so,
		fixed_format_cut_anywhere_keeps_what_came,
		bytes_beyond_the_additional_length_do_not_count,
		descriptor_that_is_cut_is_left_out,
		descriptors_of_wrong_length_or_type_are_skipped,
		what_is_no_sense_data_is_refused,
		numbers_beyond_32_bits_go_out_in_descriptors,
		encode_is_cut_to_the_buffer,
		text_is_one_line_in_the_standards_words,
		every_text_fits_its_buffer,
		status_has_a_name_or_a_number,
	};

	return run_suite("scsi_sense", tests, ARRAY_SIZE(tests));
}
