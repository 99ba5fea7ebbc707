/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SRP information units, both ways. struct srp_X (wire/srp.h) is the layout on
 * the wire, struct srp_iu_X the same in host form.
 *
 * decode(buf, n, out) reads at most n bytes and accepts more than the IU has:
 * CM private data arrives padded to the field's size. It returns
 *	-EMSGSIZE	n is less than the fixed part; *out is all zero
 *	-EPROTO		another opcode; *out is all zero
 *	-EBADMSG	lengths, counts or flags inside contradict each other or n;
 *			tag, lun and req_lim_delta are right, which is enough to
 *			answer or to keep the credit; the rest is not to be used
 * Pointers in *out point into buf. encode() fills the whole layout, reserved
 * bytes with zero. Tags are opaque to a target; here they are big-endian like
 * the rest, so that a capture shows the number that the messages print.
 */
#ifndef WIRE_SRP_IU_H
#define WIRE_SRP_IU_H

#include <errno.h>
#include <stdbool.h>

#include "wire/scsi_cdb.h"
#include "wire/srp.h"

/*
 * Login. A port id is two halves of 8 bytes; revision 16a has the extension
 * first (initiator_ext, id_ext) and the GUID second, revision 10 has them the
 * other way round.
 */
struct srp_iu_login_req {
	uint64_t tag;
	uint32_t req_it_iu_len;
	uint16_t buf_fmt;		/* enum srp_buf_fmt */
	uint8_t flags;			/* enum srp_login_req_flags */
	uint16_t imm_offset;		/* with SRP_IMM_REQUESTED */
	uint8_t initiator_port_id[SRP_PORT_ID_BYTES];
	uint8_t target_port_id[SRP_PORT_ID_BYTES];
};

struct srp_iu_login_rsp {
	uint64_t tag;
	int32_t req_lim_delta;
	uint32_t max_it_iu_len;
	uint32_t max_ti_iu_len;
	uint16_t buf_fmt;
	uint8_t flags;			/* enum srp_login_rsp_flags */
};

struct srp_iu_login_rej {
	uint64_t tag;
	uint32_t reason;		/* enum srp_rej_reason */
	uint16_t buf_fmt;
};

void srp_iu_port_id_make(uint8_t port_id[SRP_PORT_ID_BYTES],
	enum srp_io_class io_class, uint64_t ext, uint64_t guid);

void srp_iu_login_req_encode(const struct srp_iu_login_req *in,
	struct srp_login_req *out);
int __must_check srp_iu_login_req_decode(const void *buf, size_t n,
	struct srp_iu_login_req *out);
/* The form for the RDMA CM. The two cannot be told apart by their bytes. */
void srp_iu_login_req_rdma_encode(const struct srp_iu_login_req *in,
	struct srp_login_req_rdma *out);
int __must_check srp_iu_login_req_rdma_decode(const void *buf, size_t n,
	struct srp_iu_login_req *out);
void srp_iu_login_rsp_encode(const struct srp_iu_login_rsp *in,
	struct srp_login_rsp *out);
int __must_check srp_iu_login_rsp_decode(const void *buf, size_t n,
	struct srp_iu_login_rsp *out);
void srp_iu_login_rej_encode(const struct srp_iu_login_rej *in,
	struct srp_login_rej *out);
int __must_check srp_iu_login_rej_decode(const void *buf, size_t n,
	struct srp_iu_login_rej *out);

/*
 * The small ones: a tag, and whatever of the rest the opcode has (req_lim_delta
 * in CRED_REQ, reason in T_LOGOUT). opcode is one of I_LOGOUT, T_LOGOUT,
 * CRED_REQ, CRED_RSP, AER_RSP; all have 16 bytes.
 */
enum {
	SRP_SMALL_BYTES = 16,
};

struct srp_iu_small {
	uint8_t opcode;
	uint8_t sol_not;
	uint64_t tag;
	int32_t req_lim_delta;
	uint32_t reason;
};

/* in->opcode must be one of the five. */
void srp_iu_small_encode(const struct srp_iu_small *in,
	uint8_t out[SRP_SMALL_BYTES]);
int __must_check srp_iu_small_decode(const void *buf, size_t n,
	struct srp_iu_small *out);

struct srp_iu_aer_req {
	uint64_t tag;
	int32_t req_lim_delta;
	uint8_t sol_not;
	struct scsi_lun lun;
	const uint8_t *sense;
	uint32_t sense_len;
};

/* Sense is cut to what fits n. Returns the length, 0 when n < 36. */
size_t srp_iu_aer_req_encode(const struct srp_iu_aer_req *in, void *buf,
	size_t n);
int __must_check srp_iu_aer_req_decode(const void *buf, size_t n,
	struct srp_iu_aer_req *out);

struct srp_iu_tsk_mgmt {
	uint64_t tag;			/* of this request */
	uint64_t task_tag;		/* of the command to abort */
	uint8_t function;		/* enum srp_tmf */
	uint8_t sol_not;
	struct scsi_lun lun;
};

void srp_iu_tsk_mgmt_encode(const struct srp_iu_tsk_mgmt *in,
	struct srp_tsk_mgmt *out);
int __must_check srp_iu_tsk_mgmt_decode(const void *buf, size_t n,
	struct srp_iu_tsk_mgmt *out);

/*
 * SRP_CMD on the initiator's side: a template per slot, filled once, and a few
 * stores per I/O. buf is the slot's IU buffer of at least
 * srp_iu_cmd_bytes(...) bytes for whatever is set; none of these checks that.
 *
 *	srp_iu_cmd_init(iu, tag);                       once per slot
 *	cdb = srp_iu_cmd_begin(iu, &lun);               per I/O
 *	scsi_cdb_rw(cdb, write, lba, blocks, flags);
 *	len = srp_iu_cmd_direct(iu, dir, va, rkey, bytes);
 */

/* Length of a CMD with that descriptor, CDB bytes beyond 16 included. For
 * immediate data the length before the data. */
static inline size_t
srp_iu_cmd_bytes(enum srp_desc_fmt fmt, unsigned int nr_descs, size_t cdb_len)
{
	size_t n = sizeof(struct srp_cmd);

	if (cdb_len > SCSI_CDB_BYTES)
		n += ALIGN_UP(cdb_len - SCSI_CDB_BYTES, 4);
	switch (fmt) {
	case SRP_DESC_NONE:
		break;
	case SRP_DESC_DIRECT:
		n += sizeof(struct srp_direct_buf);
		break;
	case SRP_DESC_INDIRECT:
		n += sizeof(struct srp_indirect_buf) +
			nr_descs * sizeof(struct srp_direct_buf);
		break;
	case SRP_DESC_IMM:
		n += sizeof(struct srp_imm_buf);
		break;
	}
	return n;
}

/* Zero CMD with this tag, no CDB, no LUN, simple task attribute. */
static inline void
srp_iu_cmd_init(void *buf, uint64_t tag)
{
	struct srp_cmd *cmd = buf;

	memset(cmd, 0, sizeof(*cmd));
	cmd->opcode = SRP_OP_CMD;
	be64_set(&cmd->tag, tag);
}

/* The tag alone: its generation changes with each use of a slot. */
static inline void
srp_iu_cmd_set_tag(void *buf, uint64_t tag)
{
	be64_set(&((struct srp_cmd *)buf)->tag, tag);
}

static inline void
srp_iu_cmd_set_task_attr(void *buf, enum scsi_task_attr attr)
{
	((struct srp_cmd *)buf)->task_attr = (uint8_t)attr;
}

/* Starts a command on lun whose CDB has 16 bytes or less, and returns where the
 * caller puts all 16 of them. */
static inline uint8_t *
srp_iu_cmd_begin(void *buf, const struct scsi_lun *lun)
{
	struct srp_cmd *cmd = buf;

	cmd->lun = *lun;
	cmd->add_cdb_len = 0;
	return cmd->cdb;
}

/* The same for a CDB of any length up to SCSI_CDB_MAX_BYTES: copies it. 0, or
 * -EINVAL for a length of 0 or beyond. */
int __must_check srp_iu_cmd_begin_cdb(void *buf, const struct scsi_lun *lun,
	const void *cdb, size_t cdb_len);

/* Where the descriptor starts. */
static inline void *
srp_iu_cmd_desc(void *buf)
{
	const struct srp_cmd *cmd = buf;

	return (uint8_t *)buf + sizeof(*cmd) + (cmd->add_cdb_len & ~3u);
}

static inline void
srp_iu_desc_set(struct srp_direct_buf *d, uint64_t va, uint32_t rkey,
	uint32_t len)
{
	be64_set(&d->va, va);
	be32_set(&d->rkey, rkey);
	be32_set(&d->len, len);
}

/* Byte 5 for data in that direction. */
static inline uint8_t
srp_iu_buf_fmt(enum scsi_dir dir, enum srp_desc_fmt fmt)
{
	return (uint8_t)(dir == SCSI_DIR_OUT ? fmt << 4 : fmt);
}

/* The four endings of a command. Each returns the length to send (for immediate
 * data: up to the data). */
static inline uint32_t
srp_iu_cmd_no_data(void *buf)
{
	struct srp_cmd *cmd = buf;

	cmd->buf_fmt = 0;
	cmd->nr_out_descs = 0;
	cmd->nr_in_descs = 0;
	return (uint32_t)((uint8_t *)srp_iu_cmd_desc(buf) - (uint8_t *)buf);
}

/* dir is SCSI_DIR_OUT or SCSI_DIR_IN, here and below. */
static inline uint32_t
srp_iu_cmd_direct(void *buf, enum scsi_dir dir, uint64_t va, uint32_t rkey,
	uint32_t len)
{
	struct srp_cmd *cmd = buf;
	struct srp_direct_buf *d = srp_iu_cmd_desc(buf);

	cmd->buf_fmt = srp_iu_buf_fmt(dir, SRP_DESC_DIRECT);
	cmd->nr_out_descs = 0;
	cmd->nr_in_descs = 0;
	srp_iu_desc_set(d, va, rkey, len);
	return (uint32_t)((uint8_t *)(d + 1) - (uint8_t *)buf);
}

/*
 * Indirect: the caller has filled nr (1 to SRP_MAX_DESCS) descriptors at
 * srp_iu_cmd_table() with srp_iu_desc_set(); total_len is their sum. The table
 * is part of the IU, so its own address and key are the IU's: va and rkey are
 * of the IU buffer's first byte.
 */
static inline struct srp_direct_buf *
srp_iu_cmd_table(void *buf)
{
	return (struct srp_direct_buf *)((uint8_t *)srp_iu_cmd_desc(buf) +
		sizeof(struct srp_indirect_buf));
}

uint32_t srp_iu_cmd_indirect(void *buf, enum scsi_dir dir, unsigned int nr,
	uint32_t total_len, uint64_t iu_va, uint32_t iu_rkey);

/*
 * Immediate data-out of len bytes, which the caller sends at imm_offset (what
 * both sides agreed to at login) of the same message. Returns imm_offset, with
 * the bytes before it zeroed; 0 when the descriptor would not end before it.
 */
uint32_t srp_iu_cmd_imm(void *buf, uint32_t imm_offset, uint32_t len);

/* SRP_CMD on the target's side. */
struct srp_iu_cmd {
	uint64_t tag;
	struct scsi_lun lun;
	uint8_t task_attr;		/* enum scsi_task_attr */
	uint8_t sol_not;
	uint8_t fmt;			/* enum srp_desc_fmt */
	uint8_t dir;			/* enum scsi_dir, by the descriptor */
	uint16_t cdb_len;		/* 16 and what was added, up to 268 */
	uint16_t nr_descs;
	uint32_t data_len;		/* of all descriptors */
	const uint8_t *cdb;
	const struct srp_direct_buf *descs;	/* direct and indirect */
	const uint8_t *imm;		/* data_len bytes, SRP_DESC_IMM */
};

struct srp_iu_desc {
	uint64_t va;
	uint32_t rkey;
	uint32_t len;
};

/*
 * imm_offset is what the login granted, 0 for no immediate data.
 *
 * Also refused with -EBADMSG: an indirect list whose lengths do not add up to
 * the total, or which is not in the IU whole (an external table); immediate
 * data that was not granted, is data-in or is not all there. -EOPNOTSUPP:
 * data-in and data-out in one command, or an unknown format; tag, lun and cdb
 * are set.
 */
int __must_check srp_iu_cmd_decode(const void *buf, size_t n,
	uint32_t imm_offset, struct srp_iu_cmd *out);

/* i < cmd->nr_descs */
static inline struct srp_iu_desc
srp_iu_cmd_get_desc(const struct srp_iu_cmd *cmd, unsigned int i)
{
	const struct srp_direct_buf *d = &cmd->descs[i];

	return (struct srp_iu_desc){
		.va = be64_get(&d->va),
		.rkey = be32_get(&d->rkey),
		.len = be32_get(&d->len),
	};
}

/* SRP_RSP */
struct srp_iu_rsp {
	uint64_t tag;
	int32_t req_lim_delta;
	uint8_t flags;			/* enum srp_rsp_flags */
	uint8_t status;			/* enum scsi_status */
	uint8_t sol_not;
	uint8_t rsp_code;		/* enum srp_rsp_code, with RSPVALID */
	uint32_t data_out_residual;	/* with DOOVER or DOUNDER, else 0 */
	uint32_t data_in_residual;	/* with DIOVER or DIUNDER, else 0 */
	uint32_t sense_len;		/* with SNSVALID, else 0 */
	const uint8_t *sense;		/* with SNSVALID, else NULL */
};

/* The rest of srp_iu_rsp_decode() for a response with flags or a status. */
int __must_check srp_iu_rsp_decode_more(const void *buf, size_t n,
	struct srp_iu_rsp *out);

/*
 * -EBADMSG: sense or response data that are flagged valid but end beyond n, a
 * response code that is not there, over- and underflow of one direction at
 * once. Sense is not cut: sense_len may be anything up to n - 36.
 */
static inline int __must_check
srp_iu_rsp_decode(const void *buf, size_t n, struct srp_iu_rsp *out)
{
	const struct srp_rsp *rsp = buf;

	*out = (struct srp_iu_rsp){ 0 };
	if (unlikely(n < sizeof(*rsp)))
		return -EMSGSIZE;
	if (unlikely(rsp->opcode != SRP_OP_RSP))
		return -EPROTO;
	out->tag = be64_get(&rsp->tag);
	out->req_lim_delta = (int32_t)be32_get(&rsp->req_lim_delta);
	out->sol_not = rsp->sol_not;
	if (likely((rsp->flags | rsp->status) == 0))
		return 0;
	return srp_iu_rsp_decode_more(buf, n, out);
}

/*
 * A response of 36 bytes with GOOD status and nothing else: the template, and
 * the stores per I/O.
 */
static inline void
srp_iu_rsp_init(struct srp_rsp *rsp)
{
	memset(rsp, 0, sizeof(*rsp));
	rsp->opcode = SRP_OP_RSP;
}

static inline void
srp_iu_rsp_set_good(struct srp_rsp *rsp, uint64_t tag, int32_t req_lim_delta)
{
	be64_set(&rsp->tag, tag);
	be32_set(&rsp->req_lim_delta, (uint32_t)req_lim_delta);
}

/*
 * Any response. Which residuals, response data (4 bytes) and sense go out is
 * said by in->flags; sense is cut to what fits n. Returns the length; 0 when n
 * is too small for what cannot be cut (36, with RSPVALID 40).
 */
size_t srp_iu_rsp_encode(const struct srp_iu_rsp *in, void *buf, size_t n);

/* Names for messages, in the standard's words; "unknown" if it has none. */
const char *srp_iu_op_name(uint8_t opcode);
const char *srp_iu_rej_name(uint32_t reason);
const char *srp_iu_tmf_name(uint8_t function);
const char *srp_iu_rsp_code_name(uint8_t rsp_code);
const char *srp_iu_t_logout_name(uint32_t reason);

#endif
