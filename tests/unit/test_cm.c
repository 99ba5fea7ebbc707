/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <rdma/rdma_cma.h>
#include <string.h>

#include "core/cm.h"
#include "wire/srp_iu.h"

static const uint8_t port_id[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0x80 };

static int
explain(int status, const void *data, uint8_t n, char *reason, size_t size)
{
	struct rdma_cm_event event = {
		.event = RDMA_CM_EVENT_REJECTED,
		.status = status,
		.param.conn = { .private_data = data, .private_data_len = n },
	};
	struct cm_refusal refusal;

	cm_refusal_read(&event, &refusal);
	return cm_refusal_explain(&refusal, port_id, reason, size);
}

static int
explain_srp(uint32_t code, char *reason, size_t size)
{
	struct srp_iu_login_rej rej = { .reason = code };
	uint8_t field[148] = { 0 };

	srp_iu_login_rej_encode(&rej, (struct srp_login_rej *)field);
	return explain(CM_REJ_CONSUMER_DEFINED, field, sizeof(field), reason,
		size);
}

START_TEST(each_srp_reason_is_told_by_name_and_number)
{
	static const struct {
		uint32_t code;
		int error;
		const char *words;
	} rows[] = {
		{ 0x00010000, -ECONNREFUSED, "0x00010000" },
		{ 0x00010001, -ECONNREFUSED, "0x00010001" },
		{ 0x00010002, -EMSGSIZE, "0x00010002" },
		{ 0x00010003, -ECONNREFUSED, "id_ext and ioc_guid" },
		{ 0x00010004, -ECONNREFUSED, "0x00010004" },
		{ 0x00010005, -ECONNREFUSED, "channels=1" },
		{ 0x00010006, -ECONNREFUSED, "access list" },
	};
	char reason[512];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(explain_srp(rows[i].code, reason,
					 sizeof(reason)),
			rows[i].error);
		ck_assert_msg(strstr(reason, rows[i].words), "%s", reason);
		ck_assert_msg(strstr(reason, srp_iu_rej_name(rows[i].code)),
			"%s", reason);
		ck_assert_msg(strstr(reason,
				      "0x0000000000000000fe80000000000000"),
			"%s", reason);
	}
}
END_TEST

START_TEST(nothing_listening_is_unreachable_not_refused)
{
	char reason[512];

	ck_assert_int_eq(explain(CM_REJ_INVALID_SERVICE_ID, NULL, 0, reason,
				 sizeof(reason)),
		-EHOSTUNREACH);
	ck_assert(strstr(reason, "invalid service ID"));
	ck_assert_int_eq(
		explain(-ECONNREFUSED, NULL, 0, reason, sizeof(reason)),
		-EHOSTUNREACH);
}
END_TEST

START_TEST(a_bare_cm_reject_is_told_by_name_and_number)
{
	char reason[512];

	ck_assert_int_eq(
		explain(3, NULL, 0, reason, sizeof(reason)), -ECONNREFUSED);
	ck_assert(strstr(reason, "no resources available (CM reject 3)"));
}
END_TEST

START_TEST(a_stale_connection_may_be_tried_again)
{
	char reason[512];

	ck_assert_int_eq(explain(CM_REJ_STALE_CONNECTION, NULL, 0, reason,
				 sizeof(reason)),
		-EAGAIN);
}
END_TEST

START_TEST(private_data_that_is_short_or_no_rej_is_not_believed)
{
	uint8_t *data = calloc(1, 31);
	char reason[512];
	uint8_t n;

	data[0] = SRP_OP_LOGIN_REJ;
	for (n = 0; n <= 31; n++) {
		ck_assert_int_eq(explain(CM_REJ_CONSUMER_DEFINED, data, n,
					 reason, sizeof(reason)),
			-ECONNREFUSED);
		ck_assert(strstr(reason, "consumer reject (CM reject 28)"));
	}
	free(data);
}
END_TEST

START_TEST(any_reject_status_has_words)
{
	int status;

	for (status = -200; status < 300; status++)
		ck_assert_ptr_nonnull(cm_rej_name(status));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("cm");

	tcase_add_test(tcase, each_srp_reason_is_told_by_name_and_number);
	tcase_add_test(tcase, nothing_listening_is_unreachable_not_refused);
	tcase_add_test(tcase, a_bare_cm_reject_is_told_by_name_and_number);
	tcase_add_test(tcase, a_stale_connection_may_be_tried_again);
	tcase_add_test(
		tcase, private_data_that_is_short_or_no_rej_is_not_believed);
	tcase_add_test(tcase, any_reject_status_has_words);
	return unit_run(tcase, "cm");
}
