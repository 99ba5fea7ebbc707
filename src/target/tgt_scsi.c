/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_scsi.h"

#include "target/tgt_aio.h"
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"
#include "wire/scsi_lun.h"
#include "wire/scsi_sense.h"

static void
scsi_find_unit(const struct tgt_cmd *cmd, struct tgt_unit *unit)
{
	struct scsi_lun_addr addr;

	*unit = (struct tgt_unit){ .kind = TGT_UNIT_LUN, .lun = cmd->lun };
	if (cmd->lun)
		return;
	scsi_lun_decode(&cmd->iu.lun, &addr);
	unit->kind = addr.method == SCSI_LUN_WELL_KNOWN && addr.number == 1 ?
		TGT_UNIT_REPORT_LUNS :
		TGT_UNIT_NONE;
}

/* Sense as data. What is told here is told no other way (SAM-5 5.14). */
static void
scsi_request_sense(struct tgt_cmd *cmd, const struct tgt_unit *unit, void *buf,
	size_t n, struct tgt_answer *answer)
{
	struct tgt_conn *conn = cmd->conn;
	struct scsi_sense sense =
		scsi_sense_make(SCSI_KEY_NO_SENSE, SCSI_ASC_NONE);
	uint32_t code;

	if (unit->kind == TGT_UNIT_NONE)
		sense = scsi_sense_make(
			SCSI_KEY_ILLEGAL_REQUEST, SCSI_ASC_LUN_NOT_SUPPORTED);
	if (unit->lun) {
		code = atomic_load_explicit(
			&unit->lun->not_ready, memory_order_relaxed);
		if (code & ~TGT_LUN_PAUSED)
			sense = scsi_sense_make(
				SCSI_KEY_NOT_READY, (uint16_t)code);
		code = tgt_nexus_take_ua(conn->target, conn->nexus, unit->lun);
		if (code)
			sense = scsi_sense_make(
				SCSI_KEY_UNIT_ATTENTION, (uint16_t)code);
	}
	sense.descriptor = cmd->scsi.flags & SCSI_CMD_DESC;
	answer->bytes = scsi_sense_encode(
		&sense, buf, min(n, (size_t)cmd->scsi.alloc_len));
}

static void
scsi_answer(struct tgt_cmd *cmd, const struct tgt_unit *unit, void *buf,
	size_t n, struct tgt_answer *answer)
{
	const struct target *target = cmd->conn->target;

	*answer = (struct tgt_answer){ 0 };
	switch (cmd->scsi.op) {
	case SCSI_OP_INQUIRY:
		tgt_inquiry(target, unit, &cmd->scsi, buf, n, answer);
		break;
	case SCSI_OP_REPORT_LUNS:
		tgt_data_report_luns(target, &cmd->scsi, buf, n, answer);
		break;
	case SCSI_OP_REQUEST_SENSE:
		scsi_request_sense(cmd, unit, buf, n, answer);
		break;
	case SCSI_OP_READ_CAPACITY_10:
	case SCSI_OP_SERVICE_ACTION_IN_16:
		tgt_data_capacity(unit->lun, &cmd->scsi, buf, n, answer);
		break;
	case SCSI_OP_MODE_SENSE_6:
	case SCSI_OP_MODE_SENSE_10:
		tgt_data_mode_sense(unit->lun, &cmd->scsi, buf, n, answer);
		break;
	default:
		tgt_answer_refuse(answer, SCSI_ASC_INVALID_OPCODE);
		break;
	}
}

static void
scsi_xfer(struct tgt_cmd *cmd)
{
	if (!tgt_chan_xfer(cmd->conn, &cmd->iu, &cmd->xfer))
		tgt_chan_wait(cmd, scsi_xfer);
	else if (cmd->xfer.opcode == IBV_WR_RDMA_READ)
		cmd->state = TGT_CMD_READING;
	else
		tgt_cmd_respond(cmd);
}

static void
scsi_start_xfer(struct tgt_cmd *cmd, struct tgt_buf *buf, uint32_t len,
	enum ibv_wr_opcode opcode)
{
	cmd->xfer = (struct tgt_xfer){
		.local = buf->addr,
		.mask = UINT64_MAX,
		.lkey = cmd->conn->lkey,
		.window = cmd->conn->buf_bytes,
		.len = len,
		.opcode = (uint8_t)opcode,
		.last_kind = TGT_WR_BUF,
		.last_index = (uint16_t)(buf - cmd->conn->bufs),
	};
	if (opcode == IBV_WR_RDMA_READ) {
		cmd->buf = (int16_t)cmd->xfer.last_index;
		cmd->xfer.last_kind = TGT_WR_READ;
		cmd->xfer.last_index = cmd->index;
	}
	scsi_xfer(cmd);
}

static void
scsi_start_in(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct tgt_answer answer;
	struct tgt_unit unit;
	struct tgt_buf *buf;
	uint32_t len;

	if (cmd->status) { /* removed while it waited */
		tgt_cmd_respond(cmd);
		return;
	}
	buf = tgt_chan_get_buf(conn);
	if (!buf) {
		tgt_chan_wait(cmd, scsi_start_in);
		return;
	}
	scsi_find_unit(cmd, &unit);
	scsi_answer(cmd, &unit, buf->addr, conn->buf_bytes, &answer);
	if (answer.key || answer.asc) {
		tgt_chan_put_buf(conn, buf);
		tgt_cmd_check(cmd, answer.key, answer.asc);
		return;
	}
	tgt_cmd_set_residual(cmd, SCSI_DIR_IN, answer.bytes);
	len = min((uint32_t)answer.bytes, tgt_cmd_room(cmd, SCSI_DIR_IN));
	if (len) {
		scsi_start_xfer(cmd, buf, len, IBV_WR_RDMA_WRITE);
		return;
	}
	tgt_chan_put_buf(conn, buf);
	tgt_cmd_respond(cmd);
}

static void
scsi_execute(struct tgt_cmd *cmd, const uint8_t *data, size_t bytes)
{
	uint32_t code = tgt_media_execute(cmd->lun, &cmd->scsi, data, bytes);

	if (code)
		tgt_cmd_check(cmd, code >> 16, (uint16_t)code);
	else
		tgt_cmd_respond(cmd);
}

void
tgt_scsi_on_data(struct tgt_cmd *cmd)
{
	struct tgt_buf *buf = &cmd->conn->bufs[cmd->buf];

	cmd->buf = -1;
	scsi_execute(cmd, buf->addr, cmd->xfer.len);
	tgt_chan_put_buf(cmd->conn, buf);
}

/* What there is of the data-out; the CDB wants no more than that. */
static void
scsi_fetch(struct tgt_cmd *cmd)
{
	struct tgt_buf *buf;

	if (cmd->status) { /* removed while it waited */
		tgt_cmd_respond(cmd);
		return;
	}
	buf = tgt_chan_get_buf(cmd->conn);
	if (!buf)
		tgt_chan_wait(cmd, scsi_fetch);
	else
		scsi_start_xfer(cmd, buf, cmd->xfer.len, IBV_WR_RDMA_READ);
}

static void
scsi_start_media(struct tgt_cmd *cmd)
{
	uint64_t want;
	uint16_t asc = tgt_media_refuse(cmd->lun, &cmd->scsi, &want);

	if (!asc && want > cmd->conn->buf_bytes)
		asc = SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (!asc && want > tgt_cmd_room(cmd, SCSI_DIR_OUT))
		asc = cmd->scsi.op == SCSI_OP_UNMAP ?
			SCSI_ASC_PARAMETER_LIST_LENGTH :
			TGT_ASC_INVALID_FIELD_IN_IU;
	if (asc) {
		tgt_cmd_check(cmd,
			asc == SCSI_ASC_WRITE_PROTECTED ?
				SCSI_KEY_DATA_PROTECT :
				SCSI_KEY_ILLEGAL_REQUEST,
			asc);
		return;
	}
	tgt_cmd_set_residual(cmd, SCSI_DIR_OUT, want);
	cmd->xfer.len = (uint32_t)want;
	if (cmd->lun->is_async &&
		(cmd->scsi.op == SCSI_OP_SYNCHRONIZE_CACHE_10 ||
			cmd->scsi.op == SCSI_OP_SYNCHRONIZE_CACHE_16))
		tgt_aio_start_flush(cmd);
	else if (!want)
		scsi_execute(cmd, NULL, 0);
	else if (cmd->iu.fmt == SRP_DESC_IMM)
		scsi_execute(cmd, cmd->iu.imm, want);
	else
		scsi_fetch(cmd);
}

/* The medium cannot be stopped or ejected: only what starts it is accepted. */
static void
scsi_start_stop(struct tgt_cmd *cmd)
{
	const struct scsi_cmd *scsi = &cmd->scsi;

	if (!(scsi->flags & SCSI_CMD_START) || scsi->flags & SCSI_CMD_LOEJ ||
		scsi->page) {
		tgt_cmd_check(cmd, SCSI_KEY_ILLEGAL_REQUEST,
			SCSI_ASC_INVALID_FIELD_IN_CDB);
		return;
	}
	tgt_cmd_set_residual(cmd, SCSI_DIR_NONE, 0);
	tgt_cmd_respond(cmd);
}

static void
scsi_dispatch(struct tgt_cmd *cmd)
{
	switch (cmd->scsi.op) {
	case SCSI_OP_TEST_UNIT_READY:
		tgt_cmd_set_residual(cmd, SCSI_DIR_NONE, 0);
		tgt_cmd_respond(cmd);
		break;
	case SCSI_OP_START_STOP_UNIT:
		scsi_start_stop(cmd);
		break;
	case SCSI_OP_UNMAP:
	case SCSI_OP_WRITE_SAME_10:
	case SCSI_OP_WRITE_SAME_16:
	case SCSI_OP_VERIFY_10:
	case SCSI_OP_VERIFY_16:
	case SCSI_OP_SYNCHRONIZE_CACHE_10:
	case SCSI_OP_SYNCHRONIZE_CACHE_16:
		scsi_start_media(cmd);
		break;
	default:
		scsi_start_in(cmd);
		break;
	}
}

/* Answered on any address; SPC-4 table 22 and 6.33 */
static bool
scsi_needs_no_lun(const struct tgt_cmd *cmd)
{
	struct tgt_unit unit;

	switch (cmd->iu.cdb[0]) {
	case SCSI_OP_INQUIRY:
	case SCSI_OP_REPORT_LUNS:
	case SCSI_OP_REQUEST_SENSE:
		return true;
	case SCSI_OP_TEST_UNIT_READY:
		scsi_find_unit(cmd, &unit);
		return unit.kind == TGT_UNIT_REPORT_LUNS;
	default:
		return false;
	}
}

void
tgt_scsi_start(struct tgt_cmd *cmd)
{
	uint16_t asc = 0;

	if (!cmd->lun && !scsi_needs_no_lun(cmd))
		asc = SCSI_ASC_LUN_NOT_SUPPORTED;
	else if (scsi_cdb_decode(cmd->iu.cdb, cmd->iu.cdb_len, &cmd->scsi))
		asc = cmd->iu.cdb[0] == SCSI_OP_SERVICE_ACTION_IN_16 ?
			SCSI_ASC_INVALID_FIELD_IN_CDB :
			SCSI_ASC_INVALID_OPCODE;
	else if (cmd->scsi.flags & SCSI_CMD_NACA)
		asc = SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (asc)
		tgt_cmd_check(cmd, SCSI_KEY_ILLEGAL_REQUEST, asc);
	else
		scsi_dispatch(cmd);
}
