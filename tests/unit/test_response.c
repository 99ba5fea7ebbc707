/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "core/response.h"

static struct srpi_io io;
static uint8_t sense_buf[IO_SENSE_BYTES];

static void
setup(void)
{
	memset(&io, 0, sizeof(io));
	io.sense = sense_buf;
	io.dir = IO_READ;
	io.expect_bytes = 4096;
}

static struct srp_iu_rsp
with_sense(uint8_t key, uint8_t asc, uint8_t ascq)
{
	static uint8_t sense[18];

	memset(sense, 0, sizeof(sense));
	sense[0] = 0x70;
	sense[2] = key;
	sense[7] = 10;
	sense[12] = asc;
	sense[13] = ascq;
	return (struct srp_iu_rsp){
		.flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = sense,
		.sense_len = sizeof(sense),
	};
}

START_TEST(good_status_is_no_error_and_moves_everything)
{
	struct srp_iu_rsp rsp = { .status = SCSI_STATUS_GOOD };

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, 0);
	ck_assert_uint_eq(io.result.bytes, 4096);
	ck_assert_int_eq(io.result.residual, 0);
}
END_TEST

START_TEST(underflow_is_subtracted_and_fails_a_block_command)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_DIUNDER,
		.data_in_residual = 512,
	};

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EIO);
	ck_assert_uint_eq(io.result.bytes, 3584);
	ck_assert_int_eq(io.result.residual, 512);
}
END_TEST

START_TEST(underflow_is_no_error_for_a_callers_own_cdb)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_DIUNDER,
		.data_in_residual = 4000,
	};

	io.is_raw = true;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, 0);
	ck_assert_uint_eq(io.result.bytes, 96);
}
END_TEST

START_TEST(an_underflow_beyond_the_length_leaves_zero_bytes)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_DIUNDER,
		.data_in_residual = UINT32_MAX,
	};

	response_judge(&io, &rsp);
	ck_assert_uint_eq(io.result.bytes, 0);
	ck_assert_int_eq(io.result.residual, 4096);
}
END_TEST

START_TEST(overflow_is_reported_as_a_negative_residual)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_DIOVER,
		.data_in_residual = 512,
	};

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, 0);
	ck_assert_uint_eq(io.result.bytes, 4096);
	ck_assert_int_eq(io.result.residual, -512);
}
END_TEST

START_TEST(a_writes_residual_is_the_data_out_one)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_DOUNDER,
		.data_out_residual = 1024,
		.data_in_residual = 7,
	};

	io.dir = IO_WRITE;
	response_judge(&io, &rsp);
	ck_assert_uint_eq(io.result.bytes, 3072);
}
END_TEST

START_TEST(a_unit_attention_is_tried_again_but_a_storm_ends)
{
	struct srp_iu_rsp rsp = with_sense(SCSI_KEY_UNIT_ATTENTION, 0x29, 0);

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_NOW);
	io.attentions = 15;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_NOW);
	io.attentions = 16;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EIO);
	ck_assert_uint_eq(io.result.sense_bytes, 18);
	/* however long it was busy before */
	io.attentions = 0;
	io.retries = 255;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_NOW);
}
END_TEST

START_TEST(a_callers_own_cdb_sees_its_unit_attention)
{
	struct srp_iu_rsp rsp = with_sense(SCSI_KEY_UNIT_ATTENTION, 0x29, 0);

	io.is_raw = true;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EIO);
}
END_TEST

START_TEST(becoming_ready_backs_off_but_other_not_ready_ends)
{
	struct srp_iu_rsp rsp = with_sense(SCSI_KEY_NOT_READY, 0x04, 0x01);

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_LATER);
	rsp = with_sense(SCSI_KEY_NOT_READY, 0x04, 0x03);
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
}
END_TEST

START_TEST(busy_and_task_set_full_back_off_reservation_conflict_ends)
{
	struct srp_iu_rsp rsp = { .status = SCSI_STATUS_BUSY };

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_LATER);
	ck_assert_int_eq(io.result.error, -EBUSY);
	rsp.status = SCSI_STATUS_TASK_SET_FULL;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_RETRY_LATER);
	rsp.status = SCSI_STATUS_RESERVATION_CONFLICT;
	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EBADE);
}
END_TEST

START_TEST(task_aborted_is_a_cancelled_command)
{
	struct srp_iu_rsp rsp = { .status = SCSI_STATUS_TASK_ABORTED };

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -ECANCELED);
	ck_assert_uint_eq(io.result.status, SCSI_STATUS_TASK_ABORTED);
}
END_TEST

START_TEST(data_protect_is_a_read_only_error)
{
	struct srp_iu_rsp rsp = with_sense(SCSI_KEY_DATA_PROTECT, 0x27, 0);

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EROFS);
}
END_TEST

START_TEST(a_response_code_fails_the_command_whatever_its_status)
{
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_RSPVALID,
		.rsp_code = SRP_RSP_CODE_FIELDS_INVALID,
	};

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EREMOTEIO);
	ck_assert_uint_eq(io.result.response, SRP_RSP_CODE_FIELDS_INVALID);
	ck_assert_uint_eq(io.result.bytes, 0);
}
END_TEST

START_TEST(sense_longer_than_the_slots_room_is_cut)
{
	static uint8_t sense[400] = { 0x70, 0, SCSI_KEY_MEDIUM_ERROR };
	struct srp_iu_rsp rsp = {
		.flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = sense,
		.sense_len = sizeof(sense),
	};

	response_judge(&io, &rsp);
	ck_assert_uint_eq(io.result.sense_bytes, IO_SENSE_BYTES);
	ck_assert_ptr_eq(io.result.sense, sense_buf);
}
END_TEST

START_TEST(check_condition_without_sense_is_an_error)
{
	struct srp_iu_rsp rsp = { .status = SCSI_STATUS_CHECK_CONDITION };

	ck_assert_int_eq(response_judge(&io, &rsp), RESPONSE_FINAL);
	ck_assert_int_eq(io.result.error, -EIO);
	ck_assert_ptr_null(io.result.sense);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("response");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, good_status_is_no_error_and_moves_everything);
	tcase_add_test(
		tcase, underflow_is_subtracted_and_fails_a_block_command);
	tcase_add_test(tcase, underflow_is_no_error_for_a_callers_own_cdb);
	tcase_add_test(tcase, an_underflow_beyond_the_length_leaves_zero_bytes);
	tcase_add_test(tcase, overflow_is_reported_as_a_negative_residual);
	tcase_add_test(tcase, a_writes_residual_is_the_data_out_one);
	tcase_add_test(tcase, a_unit_attention_is_tried_again_but_a_storm_ends);
	tcase_add_test(tcase, a_callers_own_cdb_sees_its_unit_attention);
	tcase_add_test(
		tcase, becoming_ready_backs_off_but_other_not_ready_ends);
	tcase_add_test(
		tcase, busy_and_task_set_full_back_off_reservation_conflict_ends);
	tcase_add_test(tcase, task_aborted_is_a_cancelled_command);
	tcase_add_test(tcase, data_protect_is_a_read_only_error);
	tcase_add_test(
		tcase, a_response_code_fails_the_command_whatever_its_status);
	tcase_add_test(tcase, sense_longer_than_the_slots_room_is_cut);
	tcase_add_test(tcase, check_condition_without_sense_is_an_error);
	return unit_run(tcase, "response");
}
