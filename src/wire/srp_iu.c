/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SRP information units. Section numbers are those of T10 SRP revision 16a.
 * No state, no allocation: any thread, any context.
 */
#include <assert.h>

#include "wire/srp_iu.h"

/* First checks of every decoder: length of the fixed part, then opcode. */
static int
check_head(const void *buf, size_t n, size_t fixed, uint8_t opcode)
{
	if (n < fixed)
		return -EMSGSIZE;
	return *(const uint8_t *)buf == opcode ? 0 : -EPROTO;
}

void
srp_iu_port_id_make(uint8_t port_id[SRP_PORT_ID_BYTES],
	enum srp_io_class io_class, uint64_t ext, uint64_t guid)
{
	bool guid_first = io_class == SRP_IO_CLASS_10;

	put_be64(port_id, guid_first ? guid : ext);
	put_be64(port_id + 8, guid_first ? ext : guid);
}

void
srp_iu_login_req_encode(const struct srp_iu_login_req *in,
	struct srp_login_req *out)
{
	*out = (struct srp_login_req){ .opcode = SRP_OP_LOGIN_REQ };
	be64_set(&out->tag, in->tag);
	be32_set(&out->req_it_iu_len, in->req_it_iu_len);
	be16_set(&out->buf_fmt, in->buf_fmt);
	out->flags = in->flags;
	be16_set(&out->imm_offset, in->imm_offset);
	memcpy(out->initiator_port_id, in->initiator_port_id,
		SRP_PORT_ID_BYTES);
	memcpy(out->target_port_id, in->target_port_id, SRP_PORT_ID_BYTES);
}

int
srp_iu_login_req_decode(const void *buf, size_t n,
	struct srp_iu_login_req *out)
{
	const struct srp_login_req *req = buf;
	int rc = check_head(buf, n, sizeof(*req), SRP_OP_LOGIN_REQ);

	*out = (struct srp_iu_login_req){ 0 };
	if (rc)
		return rc;
	out->tag = be64_get(&req->tag);
	out->req_it_iu_len = be32_get(&req->req_it_iu_len);
	out->buf_fmt = be16_get(&req->buf_fmt);
	out->flags = req->flags;
	out->imm_offset = be16_get(&req->imm_offset);
	memcpy(out->initiator_port_id, req->initiator_port_id,
		SRP_PORT_ID_BYTES);
	memcpy(out->target_port_id, req->target_port_id, SRP_PORT_ID_BYTES);
	return 0;
}

void
srp_iu_login_req_rdma_encode(const struct srp_iu_login_req *in,
	struct srp_login_req_rdma *out)
{
	*out = (struct srp_login_req_rdma){ .opcode = SRP_OP_LOGIN_REQ };
	be64_set(&out->tag, in->tag);
	be16_set(&out->buf_fmt, in->buf_fmt);
	out->flags = in->flags;
	be32_set(&out->req_it_iu_len, in->req_it_iu_len);
	memcpy(out->initiator_port_id, in->initiator_port_id,
		SRP_PORT_ID_BYTES);
	memcpy(out->target_port_id, in->target_port_id, SRP_PORT_ID_BYTES);
	be16_set(&out->imm_offset, in->imm_offset);
}

int
srp_iu_login_req_rdma_decode(const void *buf, size_t n,
	struct srp_iu_login_req *out)
{
	const struct srp_login_req_rdma *req = buf;

	*out = (struct srp_iu_login_req){ 0 };
	if (n < sizeof(*req))
		return -EMSGSIZE;
	if (req->opcode != SRP_OP_LOGIN_REQ)
		return -EPROTO;
	out->tag = be64_get(&req->tag);
	out->buf_fmt = be16_get(&req->buf_fmt);
	out->flags = req->flags;
	out->req_it_iu_len = be32_get(&req->req_it_iu_len);
	memcpy(out->initiator_port_id, req->initiator_port_id,
		SRP_PORT_ID_BYTES);
	memcpy(out->target_port_id, req->target_port_id, SRP_PORT_ID_BYTES);
	out->imm_offset = be16_get(&req->imm_offset);
	return 0;
}

void
srp_iu_login_rsp_encode(const struct srp_iu_login_rsp *in,
	struct srp_login_rsp *out)
{
	*out = (struct srp_login_rsp){ .opcode = SRP_OP_LOGIN_RSP };
	be32_set(&out->req_lim_delta, (uint32_t)in->req_lim_delta);
	be64_set(&out->tag, in->tag);
	be32_set(&out->max_it_iu_len, in->max_it_iu_len);
	be32_set(&out->max_ti_iu_len, in->max_ti_iu_len);
	be16_set(&out->buf_fmt, in->buf_fmt);
	out->flags = in->flags;
}

int
srp_iu_login_rsp_decode(const void *buf, size_t n,
	struct srp_iu_login_rsp *out)
{
	const struct srp_login_rsp *rsp = buf;
	int rc = check_head(buf, n, sizeof(*rsp), SRP_OP_LOGIN_RSP);

	*out = (struct srp_iu_login_rsp){ 0 };
	if (rc)
		return rc;
	out->tag = be64_get(&rsp->tag);
	out->req_lim_delta = (int32_t)be32_get(&rsp->req_lim_delta);
	out->max_it_iu_len = be32_get(&rsp->max_it_iu_len);
	out->max_ti_iu_len = be32_get(&rsp->max_ti_iu_len);
	out->buf_fmt = be16_get(&rsp->buf_fmt);
	out->flags = rsp->flags;
	return 0;
}

void
srp_iu_login_rej_encode(const struct srp_iu_login_rej *in,
	struct srp_login_rej *out)
{
	*out = (struct srp_login_rej){ .opcode = SRP_OP_LOGIN_REJ };
	be32_set(&out->reason, in->reason);
	be64_set(&out->tag, in->tag);
	be16_set(&out->buf_fmt, in->buf_fmt);
}

int
srp_iu_login_rej_decode(const void *buf, size_t n,
	struct srp_iu_login_rej *out)
{
	const struct srp_login_rej *rej = buf;
	int rc = check_head(buf, n, sizeof(*rej), SRP_OP_LOGIN_REJ);

	*out = (struct srp_iu_login_rej){ 0 };
	if (rc)
		return rc;
	out->tag = be64_get(&rej->tag);
	out->reason = be32_get(&rej->reason);
	out->buf_fmt = be16_get(&rej->buf_fmt);
	return 0;
}

static bool
is_small(uint8_t opcode)
{
	switch (opcode) {
	case SRP_OP_I_LOGOUT:
	case SRP_OP_T_LOGOUT:
	case SRP_OP_CRED_REQ:
	case SRP_OP_CRED_RSP:
	case SRP_OP_AER_RSP:
		return true;
	default:
		return false;
	}
}

/* The five layouts agree on where the tag is, and on what bytes 1 and 4 to 7
 * are for those that use them. */
void
srp_iu_small_encode(const struct srp_iu_small *in,
	uint8_t out[SRP_SMALL_BYTES])
{
	struct srp_cred_req *iu = (struct srp_cred_req *)out;

	assert(is_small(in->opcode));
	*iu = (struct srp_cred_req){ .opcode = in->opcode };
	be64_set(&iu->tag, in->tag);
	if (in->opcode == SRP_OP_CRED_REQ) {
		iu->sol_not = in->sol_not;
		be32_set(&iu->req_lim_delta, (uint32_t)in->req_lim_delta);
	} else if (in->opcode == SRP_OP_T_LOGOUT) {
		struct srp_t_logout *logout = (struct srp_t_logout *)out;

		logout->sol_not = in->sol_not;
		be32_set(&logout->reason, in->reason);
	}
}

int
srp_iu_small_decode(const void *buf, size_t n, struct srp_iu_small *out)
{
	const struct srp_cred_req *iu = buf;

	*out = (struct srp_iu_small){ 0 };
	if (n < SRP_SMALL_BYTES)
		return -EMSGSIZE;
	if (!is_small(iu->opcode))
		return -EPROTO;
	out->opcode = iu->opcode;
	out->tag = be64_get(&iu->tag);
	if (iu->opcode == SRP_OP_CRED_REQ) {
		out->sol_not = iu->sol_not;
		out->req_lim_delta = (int32_t)be32_get(&iu->req_lim_delta);
	} else if (iu->opcode == SRP_OP_T_LOGOUT) {
		const struct srp_t_logout *logout = buf;

		out->sol_not = logout->sol_not;
		out->reason = be32_get(&logout->reason);
	}
	return 0;
}

size_t
srp_iu_aer_req_encode(const struct srp_iu_aer_req *in, void *buf, size_t n)
{
	struct srp_aer_req *aer = buf;
	uint32_t sense_len;

	if (n < sizeof(*aer))
		return 0;
	sense_len = (uint32_t)min_t(size_t, in->sense_len, n - sizeof(*aer));
	*aer = (struct srp_aer_req){
		.opcode = SRP_OP_AER_REQ,
		.sol_not = in->sol_not,
		.lun = in->lun,
	};
	be32_set(&aer->req_lim_delta, (uint32_t)in->req_lim_delta);
	be64_set(&aer->tag, in->tag);
	be32_set(&aer->sense_len, sense_len);
	if (sense_len)
		memcpy(aer + 1, in->sense, sense_len);
	return sizeof(*aer) + sense_len;
}

int
srp_iu_aer_req_decode(const void *buf, size_t n, struct srp_iu_aer_req *out)
{
	const struct srp_aer_req *aer = buf;
	int rc = check_head(buf, n, sizeof(*aer), SRP_OP_AER_REQ);
	uint32_t sense_len;

	*out = (struct srp_iu_aer_req){ 0 };
	if (rc)
		return rc;
	out->tag = be64_get(&aer->tag);
	out->req_lim_delta = (int32_t)be32_get(&aer->req_lim_delta);
	out->sol_not = aer->sol_not;
	out->lun = aer->lun;
	sense_len = be32_get(&aer->sense_len);
	if (sense_len > n - sizeof(*aer))
		return -EBADMSG;
	out->sense_len = sense_len;
	out->sense = sense_len ? (const uint8_t *)(aer + 1) : NULL;
	return 0;
}

void
srp_iu_tsk_mgmt_encode(const struct srp_iu_tsk_mgmt *in,
	struct srp_tsk_mgmt *out)
{
	*out = (struct srp_tsk_mgmt){
		.opcode = SRP_OP_TSK_MGMT,
		.sol_not = in->sol_not,
		.lun = in->lun,
		.function = in->function,
	};
	be64_set(&out->tag, in->tag);
	be64_set(&out->task_tag, in->task_tag);
}

int
srp_iu_tsk_mgmt_decode(const void *buf, size_t n, struct srp_iu_tsk_mgmt *out)
{
	const struct srp_tsk_mgmt *tmf = buf;
	int rc = check_head(buf, n, sizeof(*tmf), SRP_OP_TSK_MGMT);

	*out = (struct srp_iu_tsk_mgmt){ 0 };
	if (rc)
		return rc;
	out->tag = be64_get(&tmf->tag);
	out->task_tag = be64_get(&tmf->task_tag);
	out->function = tmf->function;
	out->sol_not = tmf->sol_not;
	out->lun = tmf->lun;
	return 0;
}

int
srp_iu_cmd_begin_cdb(void *buf, const struct scsi_lun *lun, const void *cdb,
	size_t cdb_len)
{
	struct srp_cmd *cmd = buf;
	size_t padded = ALIGN_UP(max_t(size_t, cdb_len, SCSI_CDB_BYTES), 4);

	if (cdb_len == 0 || cdb_len > SCSI_CDB_MAX_BYTES)
		return -EINVAL;
	memset(cmd->cdb, 0, padded);
	memcpy(cmd->cdb, cdb, cdb_len);
	cmd->lun = *lun;
	/* Bits 7:2 count words of 4 bytes: the byte count as it stands. */
	cmd->add_cdb_len = (uint8_t)(padded - SCSI_CDB_BYTES);
	return 0;
}

uint32_t
srp_iu_cmd_indirect(void *buf, enum scsi_dir dir, unsigned int nr,
	uint32_t total_len, uint64_t iu_va, uint32_t iu_rkey)
{
	struct srp_cmd *cmd = buf;
	struct srp_indirect_buf *head = srp_iu_cmd_desc(buf);
	uint32_t table_at;
	uint32_t table_len = nr * (uint32_t)sizeof(struct srp_direct_buf);

	assert(nr >= 1 && nr <= SRP_MAX_DESCS);
	table_at = (uint32_t)((uint8_t *)(head + 1) - (uint8_t *)buf);
	cmd->buf_fmt = srp_iu_buf_fmt(dir, SRP_DESC_INDIRECT);
	cmd->nr_out_descs = (uint8_t)(dir == SCSI_DIR_OUT ? nr : 0);
	cmd->nr_in_descs = (uint8_t)(dir == SCSI_DIR_IN ? nr : 0);
	srp_iu_desc_set(&head->table, iu_va + table_at, iu_rkey, table_len);
	be32_set(&head->total_len, total_len);
	return table_at + table_len;
}

uint32_t
srp_iu_cmd_imm(void *buf, uint32_t imm_offset, uint32_t len)
{
	struct srp_cmd *cmd = buf;
	struct srp_imm_buf *imm = srp_iu_cmd_desc(buf);
	uint32_t end = (uint32_t)((uint8_t *)(imm + 1) - (uint8_t *)buf);

	if (end > imm_offset)
		return 0;
	cmd->buf_fmt = srp_iu_buf_fmt(SCSI_DIR_OUT, SRP_DESC_IMM);
	cmd->nr_out_descs = 0;
	cmd->nr_in_descs = 0;
	be32_set(&imm->len, len);
	memset(imm + 1, 0, imm_offset - end);
	return imm_offset;
}

static int
decode_direct(const uint8_t *desc, size_t left, struct srp_iu_cmd *out)
{
	const struct srp_direct_buf *d = (const struct srp_direct_buf *)desc;

	if (left < sizeof(*d))
		return -EBADMSG;
	out->descs = d;
	out->nr_descs = 1;
	out->data_len = be32_get(&d->len);
	return 0;
}

/*
 * 6.8.3: the table may be longer than the part of it in the IU, the rest being
 * fetched from the initiator; neither Linux's target nor this one does that.
 */
static int
decode_indirect(const uint8_t *desc, size_t left, unsigned int nr_in_iu,
	struct srp_iu_cmd *out)
{
	const struct srp_indirect_buf *head =
		(const struct srp_indirect_buf *)desc;
	const struct srp_direct_buf *d =
		(const struct srp_direct_buf *)(head + 1);
	uint64_t sum = 0;
	uint32_t nr;

	if (left < sizeof(*head))
		return -EBADMSG;
	nr = be32_get(&head->table.len) / sizeof(*d);
	if (be32_get(&head->table.len) % sizeof(*d) || nr == 0 ||
		nr > nr_in_iu || left - sizeof(*head) < nr * sizeof(*d))
		return -EBADMSG;
	for (uint32_t i = 0; i < nr; i++)
		sum += be32_get(&d[i].len);
	if (sum != be32_get(&head->total_len))
		return -EBADMSG;
	out->descs = d;
	out->nr_descs = (uint16_t)nr;
	out->data_len = be32_get(&head->total_len);
	return 0;
}

static int
decode_imm(const uint8_t *iu, size_t n, size_t desc_at, uint32_t imm_offset,
	struct srp_iu_cmd *out)
{
	uint32_t len;

	if (out->dir != SCSI_DIR_OUT || n - desc_at < sizeof(struct srp_imm_buf))
		return -EBADMSG;
	len = get_be32(iu + desc_at);
	if (desc_at + sizeof(struct srp_imm_buf) > imm_offset ||
		(uint64_t)imm_offset + len > n)
		return -EBADMSG;
	out->imm = iu + imm_offset;
	out->data_len = len;
	return 0;
}

static int
decode_desc(const struct srp_cmd *cmd, size_t n, uint32_t imm_offset,
	struct srp_iu_cmd *out)
{
	const uint8_t *iu = (const uint8_t *)cmd;
	size_t at = sizeof(*cmd) + out->cdb_len - SCSI_CDB_BYTES;

	switch (out->fmt) {
	case SRP_DESC_DIRECT:
		return decode_direct(iu + at, n - at, out);
	case SRP_DESC_INDIRECT:
		return decode_indirect(iu + at, n - at,
			out->dir == SCSI_DIR_OUT ? cmd->nr_out_descs :
						   cmd->nr_in_descs,
			out);
	case SRP_DESC_IMM:
		return decode_imm(iu, n, at, imm_offset, out);
	default:
		return -EOPNOTSUPP;
	}
}

int
srp_iu_cmd_decode(const void *buf, size_t n, uint32_t imm_offset,
	struct srp_iu_cmd *out)
{
	const struct srp_cmd *cmd = buf;
	int rc = check_head(buf, n, sizeof(*cmd), SRP_OP_CMD);
	uint8_t out_fmt, in_fmt;

	*out = (struct srp_iu_cmd){ 0 };
	if (unlikely(rc))
		return rc;
	out->tag = be64_get(&cmd->tag);
	out->lun = cmd->lun;
	out->task_attr = cmd->task_attr & 7;
	out->sol_not = cmd->sol_not;
	out->cdb = cmd->cdb;
	out->cdb_len = SCSI_CDB_BYTES;
	if (unlikely((cmd->add_cdb_len & ~3u) > n - sizeof(*cmd)))
		return -EBADMSG;
	out->cdb_len = (uint16_t)(SCSI_CDB_BYTES + (cmd->add_cdb_len & ~3u));
	out_fmt = cmd->buf_fmt >> 4;
	in_fmt = cmd->buf_fmt & 0xf;
	if (out_fmt == SRP_DESC_NONE && in_fmt == SRP_DESC_NONE)
		return 0;
	if (unlikely(out_fmt != SRP_DESC_NONE && in_fmt != SRP_DESC_NONE))
		return -EOPNOTSUPP;
	out->fmt = out_fmt | in_fmt;
	out->dir = out_fmt ? SCSI_DIR_OUT : SCSI_DIR_IN;
	return decode_desc(cmd, n, imm_offset, out);
}

/* Is there more than the response's fixed part, where it says so? Sums in 64
 * bits: both lengths are the peer's and may be anything. */
static int
decode_rsp_data(const struct srp_rsp *rsp, size_t n, struct srp_iu_rsp *out)
{
	const uint8_t *data = (const uint8_t *)(rsp + 1);
	uint64_t resp_len = be32_get(&rsp->resp_len);
	uint64_t sense_len = be32_get(&rsp->sense_len);

	if (rsp->flags & SRP_RSP_RSPVALID) {
		if (resp_len < 4 || sizeof(*rsp) + resp_len > n)
			return -EBADMSG;
		out->rsp_code = data[3];
	}
	if (rsp->flags & SRP_RSP_SNSVALID) {
		if (sizeof(*rsp) + resp_len + sense_len > n)
			return -EBADMSG;
		out->sense = data + resp_len;
		out->sense_len = (uint32_t)sense_len;
	}
	return 0;
}

static bool
has_both(uint8_t flags, uint8_t both)
{
	return (flags & both) == both;
}

int
srp_iu_rsp_decode_more(const void *buf, size_t n, struct srp_iu_rsp *out)
{
	const struct srp_rsp *rsp = buf;
	const uint8_t in = SRP_RSP_DIOVER | SRP_RSP_DIUNDER;
	const uint8_t do_ = SRP_RSP_DOOVER | SRP_RSP_DOUNDER;
	int rc;

	if (has_both(rsp->flags, in) || has_both(rsp->flags, do_))
		return -EBADMSG;
	rc = decode_rsp_data(rsp, n, out);
	if (rc)
		return rc;
	out->flags = rsp->flags;
	out->status = rsp->status;
	if (rsp->flags & in)
		out->data_in_residual = be32_get(&rsp->data_in_residual);
	if (rsp->flags & do_)
		out->data_out_residual = be32_get(&rsp->data_out_residual);
	return 0;
}

size_t
srp_iu_rsp_encode(const struct srp_iu_rsp *in, void *buf, size_t n)
{
	struct srp_rsp *rsp = buf;
	uint8_t *data = (uint8_t *)(rsp + 1);
	uint32_t resp_len = in->flags & SRP_RSP_RSPVALID ? 4 : 0;
	uint32_t sense_len = in->flags & SRP_RSP_SNSVALID ? in->sense_len : 0;

	if (n < sizeof(*rsp) + resp_len)
		return 0;
	sense_len = (uint32_t)min_t(size_t, sense_len,
		n - sizeof(*rsp) - resp_len);
	srp_iu_rsp_init(rsp);
	srp_iu_rsp_set_good(rsp, in->tag, in->req_lim_delta);
	rsp->sol_not = in->sol_not;
	rsp->flags = in->flags;
	rsp->status = in->status;
	if (in->flags & (SRP_RSP_DOOVER | SRP_RSP_DOUNDER))
		be32_set(&rsp->data_out_residual, in->data_out_residual);
	if (in->flags & (SRP_RSP_DIOVER | SRP_RSP_DIUNDER))
		be32_set(&rsp->data_in_residual, in->data_in_residual);
	be32_set(&rsp->resp_len, resp_len);
	be32_set(&rsp->sense_len, sense_len);
	if (resp_len)
		put_be32(data, in->rsp_code);
	if (sense_len)
		memcpy(data + resp_len, in->sense, sense_len);
	return sizeof(*rsp) + resp_len + sense_len;
}
