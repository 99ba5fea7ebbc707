/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every SRP decoder on every input. The first two bytes are the offset of
 * immediate data that the login granted, the rest is the IU.
 */
#include "wire_fuzz.h"

#include "wire/scsi_lun.h"
#include "wire/srp_iu.h"

/* What a decoder took, encode gives back, but for reserved bytes. */
static void
fuzz_login(const uint8_t *iu, size_t n)
{
	struct srp_iu_login_req req, req2;
	struct srp_iu_login_rsp rsp, rsp2;
	struct srp_iu_login_rej rej, rej2;
	struct srp_login_req_rdma req_rdma;
	struct srp_login_req req_wire;
	struct srp_login_rsp rsp_wire;
	struct srp_login_rej rej_wire;

	if (srp_iu_login_req_decode(iu, n, &req) == 0) {
		srp_iu_login_req_encode(&req, &req_wire);
		check(memcmp(&req_wire.tag, iu + 8, 12) == 0);
		check(memcmp(req_wire.initiator_port_id, iu + 32, 32) == 0);
	}
	if (srp_iu_login_req_rdma_decode(iu, n, &req) == 0) {
		srp_iu_login_req_rdma_encode(&req, &req_rdma);
		check(memcmp(&req_rdma, iu, 50) == 0);
		/* Through the other form and back nothing is lost. */
		srp_iu_login_req_encode(&req, &req_wire);
		check(srp_iu_login_req_decode(&req_wire, 64, &req2) == 0);
		srp_iu_login_req_rdma_encode(&req2, &req_rdma);
		check(memcmp(&req_rdma, iu, 50) == 0);
	}
	if (srp_iu_login_rsp_decode(iu, n, &rsp) == 0) {
		srp_iu_login_rsp_encode(&rsp, &rsp_wire);
		check(memcmp((uint8_t *)&rsp_wire + 4, iu + 4, 23) == 0);
		check(srp_iu_login_rsp_decode(&rsp_wire, 52, &rsp2) == 0);
		check(rsp2.req_lim_delta == rsp.req_lim_delta);
	}
	if (srp_iu_login_rej_decode(iu, n, &rej) == 0) {
		srp_iu_login_rej_encode(&rej, &rej_wire);
		check(srp_iu_login_rej_decode(&rej_wire, 32, &rej2) == 0);
		check(rej2.reason == rej.reason && rej2.tag == rej.tag);
		check(srp_iu_rej_name(rej.reason) != NULL);
	}
}

static void
fuzz_small(const uint8_t *iu, size_t n)
{
	struct srp_iu_small small, small2;
	struct srp_iu_tsk_mgmt tmf, tmf2;
	struct srp_tsk_mgmt tmf_wire;
	uint8_t wire[SRP_SMALL_BYTES];

	if (srp_iu_small_decode(iu, n, &small) == 0) {
		srp_iu_small_encode(&small, wire);
		check(wire[0] == iu[0] && memcmp(wire + 8, iu + 8, 8) == 0);
		check(srp_iu_small_decode(wire, 16, &small2) == 0);
		check(small2.req_lim_delta == small.req_lim_delta &&
			small2.reason == small.reason &&
			small2.sol_not == small.sol_not);
	}
	if (srp_iu_tsk_mgmt_decode(iu, n, &tmf) == 0) {
		srp_iu_tsk_mgmt_encode(&tmf, &tmf_wire);
		check(srp_iu_tsk_mgmt_decode(&tmf_wire, 48, &tmf2) == 0);
		check(tmf2.tag == tmf.tag && tmf2.task_tag == tmf.task_tag &&
			tmf2.function == tmf.function &&
			scsi_lun_equal(&tmf2.lun, &tmf.lun));
	}
}

static void
fuzz_aer(const uint8_t *iu, size_t n)
{
	struct srp_iu_aer_req aer, aer2;
	uint8_t *wire;
	size_t len;

	if (srp_iu_aer_req_decode(iu, n, &aer))
		return;
	check(aer.sense_len == 0 ||
		is_inside(aer.sense, aer.sense_len, iu, n));
	len = sizeof(struct srp_aer_req) + aer.sense_len;
	wire = block(len);
	check(srp_iu_aer_req_encode(&aer, wire, len) == len);
	check(srp_iu_aer_req_decode(wire, len, &aer2) == 0);
	check(aer2.tag == aer.tag && aer2.sense_len == aer.sense_len &&
		aer2.req_lim_delta == aer.req_lim_delta);
	check(memcmp(wire + 36, iu + 36, aer.sense_len) == 0);
	free(wire);
}

static void
fuzz_rsp(const uint8_t *iu, size_t n)
{
	struct srp_iu_rsp rsp, rsp2;
	uint8_t *wire;
	size_t len;
	int rc = srp_iu_rsp_decode(iu, n, &rsp);

	/* Credit and tag are there even when the rest is not to be used. */
	if (rc == -EBADMSG)
		check(rsp.tag == get_be64(iu + 8));
	if (rc)
		return;
	if (rsp.flags & SRP_RSP_SNSVALID)
		check(is_inside(rsp.sense, rsp.sense_len, iu, n));
	else
		check(rsp.sense == NULL && rsp.sense_len == 0);
	len = sizeof(struct srp_rsp) + rsp.sense_len +
		(rsp.flags & SRP_RSP_RSPVALID ? 4 : 0);
	wire = block(len);
	check(srp_iu_rsp_encode(&rsp, wire, len) == len);
	check(srp_iu_rsp_decode(wire, len, &rsp2) == 0);
	check(rsp2.tag == rsp.tag && rsp2.flags == rsp.flags &&
		rsp2.status == rsp.status && rsp2.rsp_code == rsp.rsp_code &&
		rsp2.req_lim_delta == rsp.req_lim_delta &&
		rsp2.data_in_residual == rsp.data_in_residual &&
		rsp2.data_out_residual == rsp.data_out_residual &&
		rsp2.sense_len == rsp.sense_len);
	if (rsp.sense_len)
		check(memcmp(rsp2.sense, rsp.sense, rsp.sense_len) == 0);
	free(wire);
}

/* The command again, as an initiator would build it; its length. */
static size_t
rebuild(const struct srp_iu_cmd *cmd, uint32_t imm_offset, uint8_t *wire)
{
	srp_iu_cmd_init(wire, cmd->tag);
	check(srp_iu_cmd_begin_cdb(wire, &cmd->lun, cmd->cdb, cmd->cdb_len) ==
		0);
	switch (cmd->fmt) {
	case SRP_DESC_DIRECT: {
		struct srp_iu_desc d = srp_iu_cmd_get_desc(cmd, 0);

		return srp_iu_cmd_direct(wire, cmd->dir, d.va, d.rkey, d.len);
	}
	case SRP_DESC_INDIRECT:
		memcpy(srp_iu_cmd_table(wire), cmd->descs,
			cmd->nr_descs * sizeof(*cmd->descs));
		return srp_iu_cmd_indirect(wire, cmd->dir, cmd->nr_descs,
			cmd->data_len, 0x1000, 7);
	case SRP_DESC_IMM:
		check(srp_iu_cmd_imm(wire, imm_offset, cmd->data_len) ==
			imm_offset);
		memcpy(wire + imm_offset, cmd->imm, cmd->data_len);
		return imm_offset + cmd->data_len;
	default:
		return srp_iu_cmd_no_data(wire);
	}
}

static void
check_same_cmd(const struct srp_iu_cmd *a, const struct srp_iu_cmd *b)
{
	check(a->tag == b->tag && scsi_lun_equal(&a->lun, &b->lun) &&
		a->fmt == b->fmt && a->dir == b->dir &&
		a->cdb_len == b->cdb_len && a->nr_descs == b->nr_descs &&
		a->data_len == b->data_len);
	check(memcmp(a->cdb, b->cdb, a->cdb_len) == 0);
	if (a->nr_descs)
		check(memcmp(a->descs, b->descs,
			      a->nr_descs * sizeof(*a->descs)) == 0);
	if (a->imm)
		check(memcmp(a->imm, b->imm, a->data_len) == 0);
}

static void
fuzz_cmd(const uint8_t *iu, size_t n, uint32_t imm_offset)
{
	struct srp_iu_cmd cmd, cmd2;
	uint64_t sum = 0;
	uint8_t *wire;
	size_t len;
	int rc = srp_iu_cmd_decode(iu, n, imm_offset, &cmd);

	if (rc == -EBADMSG || rc == -EOPNOTSUPP)
		check(cmd.tag == get_be64(iu + 8));
	if (rc)
		return;
	check(is_inside(cmd.cdb, cmd.cdb_len, iu, n));
	check(is_inside(cmd.descs, cmd.nr_descs * sizeof(*cmd.descs), iu, n) ||
		cmd.nr_descs == 0);
	check(!cmd.imm || is_inside(cmd.imm, cmd.data_len, iu, n));
	for (unsigned int i = 0; i < cmd.nr_descs; i++)
		sum += srp_iu_cmd_get_desc(&cmd, i).len;
	check(cmd.nr_descs == 0 || sum == cmd.data_len);
	/* A CDB of more than 260 bytes is decoded, but none is sent. */
	if (cmd.cdb_len > SCSI_CDB_MAX_BYTES)
		return;
	len = cmd.fmt == SRP_DESC_IMM ? imm_offset + (size_t)cmd.data_len :
					srp_iu_cmd_bytes(cmd.fmt, cmd.nr_descs,
						cmd.cdb_len);
	wire = block(len);
	check(rebuild(&cmd, imm_offset, wire) == len);
	check(srp_iu_cmd_decode(wire, len, imm_offset, &cmd2) == 0);
	check_same_cmd(&cmd, &cmd2);
	/* No byte of it can be missing. */
	check(srp_iu_cmd_decode(wire, len - 1, imm_offset, &cmd2) != 0);
	free(wire);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *iu = data + 2;

	if (size < 2)
		return 0;
	size -= 2;
	fuzz_login(iu, size);
	fuzz_small(iu, size);
	fuzz_aer(iu, size);
	fuzz_rsp(iu, size);
	fuzz_cmd(iu, size, get_be16(data));
	if (size)
		check(srp_iu_op_name(iu[0]) != NULL);
	return 0;
}
