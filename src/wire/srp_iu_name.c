/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The names of SRP's numbers, as T10 SRP revision 16a spells them. */
#include "wire/srp_iu.h"

struct name {
	uint32_t number;
	const char *text;
};

static const char *
find_name(const struct name *names, size_t nr, uint32_t number)
{
	for (size_t i = 0; i < nr; i++)
		if (names[i].number == number)
			return names[i].text;
	return "unknown";
}

const char *
srp_iu_op_name(uint8_t opcode)
{
	static const struct name names[] = {
		{ SRP_OP_LOGIN_REQ, "SRP_LOGIN_REQ" },
		{ SRP_OP_TSK_MGMT, "SRP_TSK_MGMT" },
		{ SRP_OP_CMD, "SRP_CMD" },
		{ SRP_OP_I_LOGOUT, "SRP_I_LOGOUT" },
		{ SRP_OP_CRED_RSP, "SRP_CRED_RSP" },
		{ SRP_OP_AER_RSP, "SRP_AER_RSP" },
		{ SRP_OP_T_LOGOUT, "SRP_T_LOGOUT" },
		{ SRP_OP_CRED_REQ, "SRP_CRED_REQ" },
		{ SRP_OP_AER_REQ, "SRP_AER_REQ" },
		{ SRP_OP_LOGIN_RSP, "SRP_LOGIN_RSP" },
		{ SRP_OP_RSP, "SRP_RSP" },
		{ SRP_OP_LOGIN_REJ, "SRP_LOGIN_REJ" },
	};

	return find_name(names, ARRAY_SIZE(names), opcode);
}

const char *
srp_iu_rej_name(uint32_t reason)
{
	static const struct name names[] = {
		{ SRP_REJ_UNABLE_ESTABLISH_CHANNEL,
			"unable to establish RDMA channel, no reason given" },
		{ SRP_REJ_INSUFFICIENT_RESOURCES,
			"insufficient RDMA channel resources" },
		{ SRP_REJ_IU_LEN_TOO_LARGE,
			"requested initiator to target IU length too large" },
		{ SRP_REJ_UNABLE_ASSOCIATE_CHANNEL,
			"unable to associate RDMA channel with I_T nexus" },
		{ SRP_REJ_UNSUPPORTED_DESC_FMT,
			"unsupported data buffer descriptor format" },
		{ SRP_REJ_MULTI_CHANNEL_UNSUPPORTED,
			"no support for multiple RDMA channels per I_T nexus" },
		{ SRP_REJ_CHANNEL_LIMIT_REACHED, "RDMA channel limit reached" },
	};

	return find_name(names, ARRAY_SIZE(names), reason);
}

const char *
srp_iu_tmf_name(uint8_t function)
{
	static const struct name names[] = {
		{ SRP_TMF_ABORT_TASK, "ABORT TASK" },
		{ SRP_TMF_ABORT_TASK_SET, "ABORT TASK SET" },
		{ SRP_TMF_CLEAR_TASK_SET, "CLEAR TASK SET" },
		{ SRP_TMF_LUN_RESET, "LOGICAL UNIT RESET" },
		{ SRP_TMF_CLEAR_ACA, "CLEAR ACA" },
	};

	return find_name(names, ARRAY_SIZE(names), function);
}

const char *
srp_iu_rsp_code_name(uint8_t rsp_code)
{
	static const struct name names[] = {
		{ SRP_RSP_CODE_COMPLETE, "no failure" },
		{ SRP_RSP_CODE_FIELDS_INVALID, "request fields invalid" },
		{ SRP_RSP_CODE_NOT_SUPPORTED,
			"task management function not supported" },
		{ SRP_RSP_CODE_FAILED, "task management function failed" },
	};

	return find_name(names, ARRAY_SIZE(names), rsp_code);
}

const char *
srp_iu_t_logout_name(uint32_t reason)
{
	static const struct name names[] = {
		{ SRP_T_LOGOUT_NO_REASON, "no reason given" },
		{ SRP_T_LOGOUT_INACTIVE_CHANNEL, "inactive RDMA channel" },
		{ SRP_T_LOGOUT_INVALID_IU_TYPE,
			"invalid information unit type received" },
		{ SRP_T_LOGOUT_SPURIOUS_RESPONSE,
			"spurious initiator response received" },
		{ SRP_T_LOGOUT_MULTI_CHANNEL,
			"ended by the multi-channel action of a login" },
		{ SRP_T_LOGOUT_UNSUPPORTED_DATA_OUT_FMT,
			"unsupported data-out buffer descriptor format" },
		{ SRP_T_LOGOUT_UNSUPPORTED_DATA_IN_FMT,
			"unsupported data-in buffer descriptor format" },
		{ SRP_T_LOGOUT_INVALID_DATA_OUT_COUNT,
			"invalid data-out buffer descriptor count" },
		{ SRP_T_LOGOUT_INVALID_DATA_IN_COUNT,
			"invalid data-in buffer descriptor count" },
	};

	return find_name(names, ARRAY_SIZE(names), reason);
}
