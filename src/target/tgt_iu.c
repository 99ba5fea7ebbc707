/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Information units that are not a sound SRP_CMD, and responses that are not a
 * plain GOOD. Runner only.
 */
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"
#include "target/tgt_faults.h"
#include "target/tgt_tmf.h"
#include "wire/scsi_sense.h"

static void
iu_is_malformed(struct tgt_cmd *cmd, const char *why)
{
	tgt_count(&cmd->conn->counters.malformed_ius, 1);
	cmd->state = TGT_CMD_IDLE;
	tgt_conn_fail(cmd->conn, why);
}

static void
iu_on_small(struct tgt_cmd *cmd, uint32_t bytes)
{
	struct srp_iu_small small;

	if (srp_iu_small_decode(cmd->iu_buf, bytes, &small)) {
		iu_is_malformed(cmd, "an IU shorter than its opcode demands");
		return;
	}
	if (small.opcode == SRP_OP_I_LOGOUT) {
		cmd->state = TGT_CMD_IDLE;
		tgt_conn_fail(cmd->conn, "the initiator has logged out");
		return;
	}
	/* answers to CRED_REQ and AER_REQ take no credit */
	tgt_chan_repost(cmd->conn, cmd);
	tgt_faults_on_answer(cmd->conn);
}

static void
iu_on_tsk_mgmt(struct tgt_cmd *cmd, uint32_t bytes)
{
	struct srp_iu_tsk_mgmt tm;

	if (srp_iu_tsk_mgmt_decode(cmd->iu_buf, bytes, &tm)) {
		iu_is_malformed(cmd, "a TSK_MGMT shorter than 48 bytes");
		return;
	}
	tgt_count(&cmd->conn->counters.task_management, 1);
	memset(&cmd->iu, 0, sizeof(cmd->iu));
	cmd->iu.tag = tm.tag;
	cmd->iu.lun = tm.lun;
	cmd->lun = tgt_lun_find(cmd->conn->target, &tm.lun);
	cmd->function = tm.function;
	cmd->task_tag = tm.task_tag;
	tgt_tmf_start(cmd);
}

void
tgt_iu_on_other(struct tgt_cmd *cmd, uint32_t bytes)
{
	switch (bytes ? cmd->iu_buf[0] : SRP_OP_RSP) {
	case SRP_OP_TSK_MGMT:
		iu_on_tsk_mgmt(cmd, bytes);
		break;
	case SRP_OP_I_LOGOUT:
	case SRP_OP_CRED_RSP:
	case SRP_OP_AER_RSP:
		iu_on_small(cmd, bytes);
		break;
	default:
		iu_is_malformed(cmd, "an IU that no initiator sends");
		break;
	}
}

/*
 * Too short to be a command: the stream cannot be trusted. Descriptors that
 * contradict each other: the command has a tag, so it gets a response.
 */
void
tgt_iu_on_bad_cmd(struct tgt_cmd *cmd, int error)
{
	if (error == -EMSGSIZE || error == -EPROTO) {
		iu_is_malformed(cmd, "a CMD shorter than 48 bytes");
		return;
	}
	tgt_count(&cmd->conn->counters.commands, 1);
	tgt_count(&cmd->conn->counters.malformed_ius, 1);
	cmd->rsp_flags = SRP_RSP_RSPVALID;
	cmd->rsp_code = SRP_RSP_CODE_FIELDS_INVALID;
	tgt_cmd_respond(cmd);
}

size_t
tgt_iu_encode_rsp(
	const struct tgt_cmd *cmd, int32_t delta, void *buf, size_t n)
{
	uint8_t data[SCSI_SENSE_ENCODED_BYTES];
	struct scsi_sense sense;
	struct srp_iu_rsp rsp = {
		.tag = cmd->iu.tag,
		.req_lim_delta = delta,
		.flags = cmd->rsp_flags,
		.status = cmd->status,
		.rsp_code = cmd->rsp_code,
		.data_in_residual = cmd->residual_in,
		.data_out_residual = cmd->residual_out,
	};

	if (cmd->status == SCSI_STATUS_CHECK_CONDITION && cmd->key) {
		sense = scsi_sense_make(cmd->key, cmd->asc);
		rsp.sense_len = (uint32_t)scsi_sense_encode(
			&sense, data, sizeof(data));
		rsp.sense = data;
		rsp.flags |= SRP_RSP_SNSVALID;
	}
	return srp_iu_rsp_encode(&rsp, buf, n);
}
