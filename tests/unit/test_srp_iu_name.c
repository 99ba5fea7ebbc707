/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names of SRP's numbers, which messages rely on. */
#include "wire/srp_iu.h"
#include "wire_test.h"

START_TEST(every_opcode_has_a_name)
{
	static const struct {
		uint8_t opcode;
		const char *name;
	} cases[] = {
		{ 0x00, "SRP_LOGIN_REQ" },
		{ 0x01, "SRP_TSK_MGMT" },
		{ 0x02, "SRP_CMD" },
		{ 0x03, "SRP_I_LOGOUT" },
		{ 0x41, "SRP_CRED_RSP" },
		{ 0x42, "SRP_AER_RSP" },
		{ 0x80, "SRP_T_LOGOUT" },
		{ 0x81, "SRP_CRED_REQ" },
		{ 0x82, "SRP_AER_REQ" },
		{ 0xc0, "SRP_LOGIN_RSP" },
		{ 0xc1, "SRP_RSP" },
		{ 0xc2, "SRP_LOGIN_REJ" },
		{ 0x77, "unknown" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(srp_iu_op_name(cases[i].opcode),
			cases[i].name);
}
END_TEST

START_TEST(every_reject_reason_has_a_name)
{
	for (uint32_t reason = SRP_REJ_UNABLE_ESTABLISH_CHANNEL;
		reason <= SRP_REJ_CHANNEL_LIMIT_REACHED; reason++)
		ck_assert_str_ne(srp_iu_rej_name(reason), "unknown");
	ck_assert_str_eq(srp_iu_rej_name(0x00010006),
		"RDMA channel limit reached");
	ck_assert_str_eq(srp_iu_rej_name(0x00010007), "unknown");
	ck_assert_str_eq(srp_iu_rej_name(0), "unknown");
}
END_TEST

START_TEST(task_management_and_logout_have_names)
{
	ck_assert_str_eq(srp_iu_tmf_name(SRP_TMF_ABORT_TASK), "ABORT TASK");
	ck_assert_str_eq(srp_iu_tmf_name(SRP_TMF_LUN_RESET),
		"LOGICAL UNIT RESET");
	ck_assert_str_eq(srp_iu_tmf_name(0), "unknown");
	ck_assert_str_eq(srp_iu_rsp_code_name(SRP_RSP_CODE_FAILED),
		"task management function failed");
	ck_assert_str_eq(srp_iu_rsp_code_name(2), "unknown");
	ck_assert_str_eq(srp_iu_t_logout_name(SRP_T_LOGOUT_INACTIVE_CHANNEL),
		"inactive RDMA channel");
	ck_assert_str_eq(srp_iu_t_logout_name(5), "unknown");
}
END_TEST

int
main(void)
{
	const TTest *const tests[] = {
		every_opcode_has_a_name,
		every_reject_reason_has_a_name,
		task_management_and_logout_have_names,
	};

	return run_suite("srp_iu_name", tests, ARRAY_SIZE(tests));
}
