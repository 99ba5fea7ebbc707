/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* SRP_RSP against bytes written down from the standard's tables. */
#include "wire/srp_iu.h"
#include "wire_test.h"

static const uint8_t RSP_GOOD[36] = { 0xc1, 0, 0, 0, 0, 0, 0, 1,
	1, 2, 3, 4, 5, 6, 7, 8 };

START_TEST(good_response_is_36_bytes_both_ways)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36);
	struct srp_rsp wire;
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
	ck_assert_uint_eq(rsp.tag, 0x0102030405060708);
	ck_assert_int_eq(rsp.req_lim_delta, 1);
	ck_assert_uint_eq(rsp.flags, 0);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_GOOD);
	ck_assert_ptr_null(rsp.sense);
	srp_iu_rsp_init(&wire);
	srp_iu_rsp_set_good(&wire, rsp.tag, rsp.req_lim_delta);
	ck_assert_mem_eq(&wire, RSP_GOOD, 36);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, &wire, sizeof(wire)), 36);
	ck_assert_mem_eq(&wire, RSP_GOOD, 36);
	free(iu);
}
END_TEST

START_TEST(decode_refuses_a_response_shorter_than_36_bytes)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 35);
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 35, &rsp), -EMSGSIZE);
	ck_assert_uint_eq(rsp.tag, 0);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 0, &rsp), -EMSGSIZE);
	free(iu);
	iu = heap_copy(RSP_GOOD, 36);
	iu[0] = SRP_OP_CRED_REQ;
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), -EPROTO);
	ck_assert_int_eq(rsp.req_lim_delta, 0);
	free(iu);
}
END_TEST

START_TEST(negative_credit_delta_is_signed)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36);
	struct srp_iu_rsp rsp;

	memset(iu + 4, 0xff, 4);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
	ck_assert_int_eq(rsp.req_lim_delta, -1);
	free(iu);
}
END_TEST

/* CHECK CONDITION: 4 bytes of response data, then 6 of sense. */
static const uint8_t RSP_SENSE[46] = {
	0xc1, 1, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8,
	0, 0, 0x03, 0x02,					/* flags, CC */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 4,
	0, 0, 0, 0, 0x72, 0x05, 0x24, 0x00, 0, 0
};

START_TEST(sense_lies_behind_response_data)
{
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	uint8_t wire[46];
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp), 0);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_SNSVALID | SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_uint_eq(rsp.sol_not, 1);
	ck_assert_uint_eq(rsp.sense_len, 6);
	ck_assert_ptr_eq(rsp.sense, iu + 40);
	ck_assert_uint_eq(rsp.rsp_code, 0);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 46), 46);
	ck_assert_mem_eq(wire, RSP_SENSE, 46);
	free(iu);
}
END_TEST

START_TEST(sense_counts_only_with_snsvalid)
{
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	struct srp_iu_rsp rsp;

	iu[18] = 0;
	memset(iu + 28, 0xff, 8);	/* lengths nobody vouches for */
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp), 0);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_ptr_null(rsp.sense);
	ck_assert_uint_eq(rsp.sense_len, 0);
	free(iu);
}
END_TEST

START_TEST(lengths_beyond_the_message_are_refused_with_the_credit)
{
	static const struct {
		uint32_t sense_len, resp_len;
	} bad[] = { { 7, 4 }, { 6, 5 }, { 0xffffffff, 4 }, { 6, 0xffffffff },
		{ 0xfffffffc, 8 }, { 0xffffffff, 0xffffffff },
		{ 0x80000000, 0x80000000 } };
	uint8_t *iu = heap_copy(RSP_SENSE, 46);
	struct srp_iu_rsp rsp;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		for (uint8_t flags = 1; flags < 4; flags++) {
			bool short_resp = bad[i].resp_len <= 10;

			put_be32(iu + 28, bad[i].sense_len);
			put_be32(iu + 32, bad[i].resp_len);
			iu[18] = flags;
			ck_assert_int_eq(srp_iu_rsp_decode(iu, 46, &rsp),
				flags == SRP_RSP_RSPVALID && short_resp ?
					0 :
					-EBADMSG);
			ck_assert_uint_eq(rsp.tag, 0x0102030405060708);
			ck_assert_int_eq(rsp.req_lim_delta, 1);
			ck_assert_ptr_null(rsp.sense);
		}
	free(iu);
	iu = heap_copy(RSP_SENSE, 45);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 45, &rsp), -EBADMSG);
	free(iu);
}
END_TEST

START_TEST(task_management_response_needs_40_bytes)
{
	static const uint8_t bytes[40] = {
		0xc1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8,
		0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 4, 0, 0, 0, 5
	};
	uint8_t *iu = heap_copy(bytes, 40), wire[40];
	struct srp_iu_rsp rsp;

	ck_assert_int_eq(srp_iu_rsp_decode(iu, 40, &rsp), 0);
	ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_FAILED);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 40), 40);
	ck_assert_mem_eq(wire, bytes, 40);
	ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 39), 0);
	iu[35] = 3;
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 40, &rsp), -EBADMSG);
	free(iu);
	iu = heap_copy(bytes, 39);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 39, &rsp), -EBADMSG);
	ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), -EBADMSG);
	free(iu);
}
END_TEST

START_TEST(residuals_count_only_with_their_flags)
{
	uint8_t *iu = heap_copy(RSP_GOOD, 36), wire[36];
	struct srp_iu_rsp rsp;
	const uint8_t out = SRP_RSP_DOOVER | SRP_RSP_DOUNDER;
	const uint8_t in = SRP_RSP_DIOVER | SRP_RSP_DIUNDER;

	put_be32(iu + 20, 0x1000);
	put_be32(iu + 24, 0x2000);
	for (unsigned int flags = 0; flags < 64; flags += 4) {
		iu[18] = (uint8_t)flags;
		if ((flags & out) == out || (flags & in) == in) {
			ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp),
				-EBADMSG);
			continue;
		}
		ck_assert_int_eq(srp_iu_rsp_decode(iu, 36, &rsp), 0);
		ck_assert_uint_eq(rsp.flags, flags);
		ck_assert_uint_eq(rsp.data_out_residual,
			flags & out ? 0x1000 : 0);
		ck_assert_uint_eq(rsp.data_in_residual,
			flags & in ? 0x2000 : 0);
		ck_assert_uint_eq(srp_iu_rsp_encode(&rsp, wire, 36), 36);
		ck_assert_uint_eq(get_be32(wire + 20),
			flags & out ? 0x1000 : 0);
		ck_assert_uint_eq(get_be32(wire + 24),
			flags & in ? 0x2000 : 0);
		ck_assert_uint_eq(wire[18], flags);
	}
	free(iu);
}
END_TEST

START_TEST(response_encode_cuts_sense_to_the_buffer)
{
	static const uint8_t sense[252] = { 0x70, 0, 0x03 };
	struct srp_iu_rsp in = { .flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = sense,
		.sense_len = sizeof(sense) };
	uint8_t *iu = heap_fill(0xee, 64);

	ck_assert_uint_eq(srp_iu_rsp_encode(&in, iu, 64), 64);
	ck_assert_uint_eq(get_be32(iu + 28), 28);
	ck_assert_uint_eq(get_be32(iu + 32), 0);
	ck_assert_mem_eq(iu + 36, sense, 28);
	ck_assert_uint_eq(srp_iu_rsp_encode(&in, iu, 35), 0);
	free(iu);
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		good_response_is_36_bytes_both_ways,
		decode_refuses_a_response_shorter_than_36_bytes,
		negative_credit_delta_is_signed,
		sense_lies_behind_response_data,
		sense_counts_only_with_snsvalid,
		lengths_beyond_the_message_are_refused_with_the_credit,
		task_management_response_needs_40_bytes,
		residuals_count_only_with_their_flags,
		response_encode_cuts_sense_to_the_buffer,
	};

	return run_suite("srp_iu_rsp", tests, ARRAY_SIZE(tests));
}
