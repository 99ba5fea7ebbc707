/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_faults.h"

#include "target/tgt_ask.h"
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"

#define FAULT_OPCODE 0xee
#define FAULT_SHORT_BYTES 20
/* The tag of a response to nothing: the bits that this changes are set in no
 * small number and clear in no negative one. */
#define FAULT_TAG_BITS UINT64_C(0x5a5a000000000000)

static bool
faults_is_nth(uint32_t every, uint64_t nr)
{
	return every && nr % every == 0;
}

bool
tgt_faults_is_any(const struct target_faults *s)
{
	return s->login_rej_reason || s->cm_reject_stale || s->silent_every ||
		s->bad_length_every || s->bad_tag_every ||
		s->bad_opcode_every || s->long_iu_every || s->rsp_delta ||
		s->cred_by_req || s->aer_by_req || s->status_every ||
		s->residual_bytes || s->tmf_rsp_code;
}

void
tgt_faults_pick(const struct target_faults *script, uint64_t nr,
	struct tgt_rsp_fault *fault)
{
	*fault = (struct tgt_rsp_fault){ 0 };
	if (faults_is_nth(script->silent_every, nr))
		fault->is_silent = true;
	else if (faults_is_nth(script->bad_length_every, nr))
		fault->is_short = true;
	else if (faults_is_nth(script->bad_tag_every, nr))
		fault->has_bad_tag = true;
	else if (faults_is_nth(script->bad_opcode_every, nr))
		fault->has_bad_opcode = true;
	else if (faults_is_nth(script->long_iu_every, nr))
		fault->is_long = true;
}

enum tgt_login_fault
tgt_faults_on_login(struct target *target, uint32_t *reason)
{
	enum tgt_login_fault fault = TGT_LOGIN_FAULT_NONE;
	struct tgt_faults *f = &target->faults;

	pthread_mutex_lock(&target->lock);
	if (f->nr_stale < f->script.cm_reject_stale) {
		f->nr_stale++;
		fault = TGT_LOGIN_FAULT_STALE;
	} else if (f->script.login_rej_reason &&
		(!f->script.login_rej_count ||
			f->nr_logins < f->script.login_rej_count)) {
		f->nr_logins++;
		*reason = f->script.login_rej_reason;
		fault = TGT_LOGIN_FAULT_REJ;
	}
	pthread_mutex_unlock(&target->lock);
	return fault;
}

bool
tgt_faults_on_cmd(struct tgt_cmd *cmd)
{
	struct target *target = cmd->conn->target;
	struct tgt_faults *f = &target->faults;
	uint8_t status = 0;

	if (!(atomic_load_explicit(&target->odd, memory_order_relaxed) &
		    TGT_ODD_FAULTS))
		return false;
	pthread_mutex_lock(&target->lock);
	if (faults_is_nth(f->script.status_every, ++f->nr_commands))
		status = f->script.status;
	pthread_mutex_unlock(&target->lock);
	if (!status)
		return false;
	cmd->status = status;
	cmd->key = 0;
	tgt_cmd_set_residual(cmd, (enum scsi_dir)cmd->iu.dir, 0);
	tgt_cmd_respond(cmd);
	return true;
}

uint8_t
tgt_faults_on_tmf(struct target *target)
{
	uint8_t code;

	if (!(atomic_load_explicit(&target->odd, memory_order_relaxed) &
		    TGT_ODD_FAULTS))
		return 0;
	pthread_mutex_lock(&target->lock);
	code = target->faults.script.tmf_rsp_code;
	pthread_mutex_unlock(&target->lock);
	return code;
}

static bool
faults_is_read(const struct tgt_cmd *cmd)
{
	if (!cmd->iu.cdb || cmd->status)
		return false;
	switch (cmd->iu.cdb[0]) {
	case SCSI_OP_READ_6:
	case SCSI_OP_READ_10:
	case SCSI_OP_READ_12:
	case SCSI_OP_READ_16:
		return true;
	default:
		return false;
	}
}

/* The data went out whole; only the response says otherwise. */
static void
faults_set_residual(struct tgt_cmd *cmd, int32_t residual_bytes)
{
	if (!residual_bytes || !faults_is_read(cmd))
		return;
	cmd->rsp_flags &= (uint8_t)~(SRP_RSP_DIOVER | SRP_RSP_DIUNDER);
	cmd->rsp_flags |= residual_bytes > 0 ? SRP_RSP_DIUNDER : SRP_RSP_DIOVER;
	cmd->residual_in = residual_bytes > 0 ? (uint32_t)residual_bytes :
						-(uint32_t)residual_bytes;
}

/* A response of 600 bytes, in a buffer of its own. False: none is free. */
static bool
faults_send_long(struct tgt_conn *conn, const void *rsp, size_t n)
{
	struct tgt_buf *buf = tgt_chan_get_buf(conn);
	struct ibv_send_wr *wr;

	if (!buf)
		return false;
	memset(buf->addr, 0, TGT_LONG_IU_BYTES);
	memcpy(buf->addr, rsp, n);
	wr = tgt_chan_next_wr(
		conn, TGT_WR_BUF, (uint16_t)(buf - conn->bufs));
	wr->opcode = IBV_WR_SEND;
	wr->sg_list->addr = (uintptr_t)buf->addr;
	wr->sg_list->length = TGT_LONG_IU_BYTES;
	wr->sg_list->lkey = conn->lkey;
	return true;
}

static void
faults_send(struct tgt_cmd *cmd, const struct tgt_rsp_fault *fault,
	int32_t delta)
{
	struct tgt_conn *conn = cmd->conn;
	struct srp_rsp rsp;
	uint8_t text[TGT_RSP_BYTES];
	void *iu;
	size_t n;

	n = tgt_iu_encode_rsp(cmd, delta, text, sizeof(text));
	memcpy(&rsp, text, sizeof(rsp));
	if (fault->has_bad_tag)
		be64_set(&rsp.tag, cmd->iu.tag ^ FAULT_TAG_BITS);
	if (fault->has_bad_opcode)
		rsp.opcode = FAULT_OPCODE;
	memcpy(text, &rsp, sizeof(rsp));
	if (fault->is_long && faults_send_long(conn, text, n))
		return;
	iu = tgt_chan_get_rsp(conn);
	memcpy(iu, text, n);
	tgt_chan_send(
		conn, iu, fault->is_short ? FAULT_SHORT_BYTES : (uint32_t)n);
}

static void
faults_ask(struct tgt_conn *conn, const struct target_faults *script)
{
	if (script->cred_by_req)
		tgt_ask_credits(conn, SRP_OP_CRED_REQ);
	else if (script->aer_by_req)
		tgt_ask_credits(conn, SRP_OP_AER_REQ);
}

bool
tgt_faults_respond(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct target *target = conn->target;
	struct target_faults script;
	struct tgt_rsp_fault fault;
	int32_t delta = 0;

	pthread_mutex_lock(&target->lock);
	script = target->faults.script;
	tgt_faults_pick(&script, ++target->faults.nr_responses, &fault);
	pthread_mutex_unlock(&target->lock);
	if (fault.is_silent && cmd->iu.cdb) {
		cmd->state = TGT_CMD_SILENT;
		return true;
	}
	conn->credits_owed++;
	if (!script.cred_by_req && !script.aer_by_req) {
		delta = conn->credits_owed + script.rsp_delta;
		conn->credits_owed = 0;
	}
	faults_set_residual(cmd, script.residual_bytes);
	tgt_chan_repost(conn, cmd);
	faults_send(cmd, &fault, delta);
	faults_ask(conn, &script);
	return true;
}

void
tgt_faults_on_answer(struct tgt_conn *conn)
{
	struct target *target = conn->target;
	struct target_faults script;

	tgt_ask_on_answer(conn);
	pthread_mutex_lock(&target->lock);
	script = target->faults.script;
	pthread_mutex_unlock(&target->lock);
	faults_ask(conn, &script);
}
