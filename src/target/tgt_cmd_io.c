/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * READ and WRITE on memory, and responses: the whole of what an I/O costs the
 * target, apart from the queues (tgt_chan_io.c).
 */
#include "target/tgt_cmd.h"

#include <assert.h>

#include "target/tgt_aio.h"
#include "target/tgt_chan.h"
#include "target/tgt_tmf.h"

/* Copied by a few wide stores, where srp_iu_rsp_init() would call memset(). */
static const struct srp_rsp cmd_good_rsp = { .opcode = SRP_OP_RSP };

void
tgt_cmd_respond(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct srp_rsp *rsp;
	size_t n = sizeof(*rsp);
	int32_t delta;

	if (unlikely(!tgt_chan_sq_room(conn))) {
		tgt_chan_wait(cmd, tgt_cmd_respond);
		return;
	}
	if (unlikely(cmd->is_aborted)) {
		tgt_cmd_drop(cmd);
		return;
	}
	if (unlikely(atomic_load_explicit(&conn->target->odd,
			     memory_order_relaxed) &
		    TGT_ODD_FAULTS) &&
		tgt_faults_respond(cmd))
		return;
	delta = 1 + conn->credits_owed;
	conn->credits_owed = 0;
	rsp = tgt_chan_get_rsp(conn);
	if (likely((cmd->status | cmd->rsp_flags) == 0)) {
		*rsp = cmd_good_rsp;
		srp_iu_rsp_set_good(rsp, cmd->iu.tag, delta);
	} else {
		n = tgt_iu_encode_rsp(cmd, delta, rsp, TGT_RSP_BYTES);
	}
	tgt_chan_repost(conn, cmd);
	tgt_chan_send(conn, rsp, (uint32_t)n);
}

void
tgt_cmd_set_check(struct tgt_cmd *cmd, enum scsi_sense_key key, uint16_t asc)
{
	tgt_count(&cmd->conn->counters.check_conditions, 1);
	cmd->status = SCSI_STATUS_CHECK_CONDITION;
	cmd->key = (uint8_t)key;
	cmd->asc = asc;
	cmd->rsp_flags = 0;
	tgt_cmd_set_residual(cmd, (enum scsi_dir)cmd->iu.dir, 0);
}

void
tgt_cmd_check(struct tgt_cmd *cmd, enum scsi_sense_key key, uint16_t asc)
{
	tgt_cmd_set_check(cmd, key, asc);
	tgt_cmd_respond(cmd);
}

void
tgt_cmd_set_residual(struct tgt_cmd *cmd, enum scsi_dir dir, uint64_t want)
{
	uint32_t in = tgt_cmd_room(cmd, SCSI_DIR_IN);
	uint32_t out = tgt_cmd_room(cmd, SCSI_DIR_OUT);
	uint64_t want_in = dir == SCSI_DIR_IN ? want : 0;
	uint64_t want_out = dir == SCSI_DIR_OUT ? want : 0;

	if (in > want_in) {
		cmd->rsp_flags |= SRP_RSP_DIUNDER;
		cmd->residual_in = in - (uint32_t)want_in;
	} else if (in < want_in) {
		cmd->rsp_flags |= SRP_RSP_DIOVER;
		cmd->residual_in = (uint32_t)min(
			want_in - in, (uint64_t)UINT32_MAX);
	}
	if (out > want_out) {
		cmd->rsp_flags |= SRP_RSP_DOUNDER;
		cmd->residual_out = out - (uint32_t)want_out;
	} else if (out < want_out) {
		cmd->rsp_flags |= SRP_RSP_DOOVER;
		cmd->residual_out = (uint32_t)min(
			want_out - out, (uint64_t)UINT32_MAX);
	}
}

void
tgt_cmd_drop(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;

	if (cmd->buf >= 0)
		tgt_chan_put_buf(conn, &conn->bufs[cmd->buf]);
	cmd->buf = -1;
	conn->credits_owed++;
	tgt_chan_repost(conn, cmd);
	tgt_tmf_on_task_end(cmd);
}

static void
cmd_xfer(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;

	if (likely(tgt_chan_can_xfer_one(conn, &cmd->iu, &cmd->xfer))) {
		tgt_chan_xfer_one(conn, &cmd->iu, &cmd->xfer);
	} else if (!tgt_chan_xfer(conn, &cmd->iu, &cmd->xfer)) {
		tgt_chan_wait(cmd, cmd_xfer);
		return;
	}
	if (cmd->xfer.opcode == IBV_WR_RDMA_READ)
		cmd->state = TGT_CMD_READING;
	else
		tgt_cmd_respond(cmd);
}

static void
cmd_read_memory(struct tgt_cmd *cmd)
{
	const struct tgt_lun *lun = cmd->lun;
	struct tgt_xfer *x = &cmd->xfer;

	x->local = lun->mem + (cmd->off & lun->mem_mask);
	x->mask = lun->mem_mask;
	x->window = lun->window_bytes;
	x->lkey = cmd->conn->dev->lun_mr[lun->index]->lkey;
	x->opcode = IBV_WR_RDMA_WRITE;
	x->last_kind = TGT_WR_PLAIN;
	cmd_xfer(cmd);
}

static void
cmd_write_memory(struct tgt_cmd *cmd)
{
	const struct tgt_lun *lun = cmd->lun;
	struct tgt_conn *conn = cmd->conn;
	struct tgt_xfer *x = &cmd->xfer;

	if (cmd->iu.fmt == SRP_DESC_IMM) {
		if (!lun->is_sink)
			memcpy(lun->mem + cmd->off, cmd->iu.imm, x->len);
		tgt_cmd_respond(cmd);
		return;
	}
	if (lun->is_sink) {
		x->local = conn->sink;
		x->mask = 0;
		x->window = TGT_SINK_BYTES;
		x->lkey = conn->lkey;
	} else {
		x->local = lun->mem + cmd->off;
		x->mask = UINT64_MAX;
		x->window = lun->window_bytes;
		x->lkey = conn->dev->lun_mr[lun->index]->lkey;
	}
	x->opcode = IBV_WR_RDMA_READ;
	x->last_kind = TGT_WR_READ;
	x->last_index = cmd->index;
	cmd_xfer(cmd);
}

/* What forbids this READ or WRITE: asc, with 0 for nothing. */
static uint16_t
cmd_rw_refusal(const struct tgt_cmd *cmd, bool is_write)
{
	const struct scsi_cmd *scsi = &cmd->scsi;
	const struct tgt_lun *lun = cmd->lun;

	if (unlikely(scsi->lba > lun->nr_blocks ||
		    scsi->blocks > lun->nr_blocks - scsi->lba))
		return SCSI_ASC_LBA_OUT_OF_RANGE;
	if (unlikely(scsi->protect || scsi->flags & SCSI_CMD_NACA))
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (unlikely(lun->max_transfer_blocks &&
		    scsi->blocks > lun->max_transfer_blocks))
		return SCSI_ASC_INVALID_FIELD_IN_CDB;
	if (unlikely(is_write && tgt_lun_is_protected(lun)))
		return SCSI_ASC_WRITE_PROTECTED;
	return 0;
}

static void
cmd_refuse_rw(struct tgt_cmd *cmd, uint16_t asc)
{
	tgt_cmd_check(cmd,
		asc == SCSI_ASC_WRITE_PROTECTED ? SCSI_KEY_DATA_PROTECT :
						  SCSI_KEY_ILLEGAL_REQUEST,
		asc);
}

static void
cmd_start_rw(struct tgt_cmd *cmd, bool is_write)
{
	struct tgt_counters *counters = &cmd->conn->counters;
	enum scsi_dir dir = is_write ? SCSI_DIR_OUT : SCSI_DIR_IN;
	uint64_t want = (uint64_t)cmd->scsi.blocks * cmd->lun->block_bytes;
	uint16_t asc = cmd_rw_refusal(cmd, is_write);

	if (unlikely(asc)) {
		cmd_refuse_rw(cmd, asc);
		return;
	}
	cmd->off = cmd->scsi.lba * cmd->lun->block_bytes;
	cmd->xfer.len = cmd->iu.data_len;
	cmd->xfer.done = 0;
	cmd->xfer.at = (struct tgt_cursor){ 0 };
	if (unlikely(cmd->iu.dir != dir || cmd->iu.data_len != want)) {
		if (is_write && tgt_cmd_room(cmd, dir) < want) {
			tgt_cmd_check(cmd, SCSI_KEY_ILLEGAL_REQUEST,
				TGT_ASC_INVALID_FIELD_IN_IU);
			return;
		}
		tgt_cmd_set_residual(cmd, dir, want);
		cmd->xfer.len = (uint32_t)min(
			want, (uint64_t)tgt_cmd_room(cmd, dir));
	}
	tgt_count(is_write ? &counters->writes : &counters->reads, 1);
	tgt_count(is_write ? &counters->bytes_written : &counters->bytes_read,
		cmd->xfer.len);
	if (unlikely(cmd->lun->is_async))
		tgt_aio_start_rw(cmd, is_write);
	else if (unlikely(!cmd->xfer.len ||
			 cmd->lun->flags & TARGET_LUN_NODATA))
		tgt_cmd_respond(cmd);
	else if (is_write)
		cmd_write_memory(cmd);
	else
		cmd_read_memory(cmd);
}

/*
 * The two forms that initiators send per I/O, decoded here at the price of two
 * loads; scsi_cdb_decode() does all the others.
 */
static bool
cmd_decode_rw(struct tgt_cmd *cmd, bool *is_write)
{
	struct scsi_cmd *scsi = &cmd->scsi;
	const uint8_t *cdb = cmd->iu.cdb;

	switch (cdb[0]) {
	case SCSI_OP_READ_10:
	case SCSI_OP_WRITE_10:
		scsi->lba = get_be32(cdb + 2);
		scsi->blocks = get_be16(cdb + 7);
		scsi->protect = cdb[1] >> 5;
		scsi->flags = (cdb[1] & 0x08 ? SCSI_CMD_FUA : 0) |
			(cdb[9] & 0x04 ? SCSI_CMD_NACA : 0);
		break;
	case SCSI_OP_READ_6:
	case SCSI_OP_WRITE_6:
	case SCSI_OP_READ_12:
	case SCSI_OP_WRITE_12:
	case SCSI_OP_READ_16:
	case SCSI_OP_WRITE_16:
		if (scsi_cdb_decode(cdb, cmd->iu.cdb_len, scsi))
			return false;
		break;
	default:
		return false;
	}
	/* 08 0a, 28 2a, 88 8a, a8 aa */
	*is_write = cdb[0] & 0x02;
	return true;
}

void
tgt_cmd_execute(struct tgt_cmd *cmd)
{
	bool is_write;

	if (likely(cmd->lun && cmd_decode_rw(cmd, &is_write)))
		cmd_start_rw(cmd, is_write);
	else
		tgt_scsi_start(cmd);
}

static void
cmd_start(struct tgt_cmd *cmd)
{

	tgt_count(&cmd->conn->counters.commands, 1);
	cmd->lun = tgt_lun_find(cmd->conn->target, &cmd->iu.lun);
	if (unlikely(!cmd->lun ||
		    atomic_load_explicit(
			    &cmd->lun->not_ready, memory_order_relaxed) ||
		    atomic_load_explicit(&cmd->conn->nexus->nr_ua,
			    memory_order_relaxed) ||
		    atomic_load_explicit(&cmd->conn->target->odd,
			    memory_order_relaxed) & TGT_ODD_FAULTS) &&
		tgt_check_cmd(cmd))
		return;
	tgt_cmd_execute(cmd);
}

void
tgt_cmd_on_iu(struct tgt_cmd *cmd, uint32_t bytes)
{
	struct tgt_conn *conn = cmd->conn;
	int rc;

	if (unlikely(conn->is_stopped)) {
		cmd->state = TGT_CMD_IDLE;
		return;
	}
	cmd->state = TGT_CMD_RUNNING;
	cmd->is_aborted = false;
	cmd->status = 0;
	cmd->rsp_flags = 0;
	cmd->iu_bytes = bytes;
	if (unlikely(!bytes || cmd->iu_buf[0] != SRP_OP_CMD)) {
		tgt_iu_on_other(cmd, bytes);
		return;
	}
	rc = srp_iu_cmd_decode(cmd->iu_buf, bytes, conn->imm_offset, &cmd->iu);
	if (unlikely(rc))
		tgt_iu_on_bad_cmd(cmd, rc);
	else
		cmd_start(cmd);
}

/* Its LUN has gone while the data came (tgt_change.c). */
static void
cmd_end_removed(struct tgt_cmd *cmd)
{
	if (cmd->buf >= 0)
		tgt_chan_put_buf(cmd->conn, &cmd->conn->bufs[cmd->buf]);
	cmd->buf = -1;
	tgt_cmd_respond(cmd);
}

void
tgt_cmd_on_data(struct tgt_cmd *cmd)
{
	assert(cmd->state == TGT_CMD_READING);
	cmd->state = TGT_CMD_RUNNING;
	if (unlikely(cmd->is_aborted))
		tgt_cmd_drop(cmd);
	else if (unlikely(cmd->status))
		cmd_end_removed(cmd);
	else if (likely(cmd->buf < 0))
		tgt_cmd_respond(cmd);
	else
		tgt_scsi_on_data(cmd);
}
