/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SRP constants and layouts, T10 SRP revision 16a with two additions of the
 * Linux initiator and target: the 56-byte login of the RDMA connection
 * manager, and immediate data (SRP-2). Sizes and offsets are asserted; encode
 * and decode live in srp_iu.
 */
#ifndef WIRE_SRP_H
#define WIRE_SRP_H

#include "util/bytes.h"
#include "util/compiler.h"
#include "wire/scsi.h"

enum srp_op {
	/* initiator to target */
	SRP_OP_LOGIN_REQ = 0x00,
	SRP_OP_TSK_MGMT = 0x01,
	SRP_OP_CMD = 0x02,
	SRP_OP_I_LOGOUT = 0x03,
	SRP_OP_CRED_RSP = 0x41,
	SRP_OP_AER_RSP = 0x42,
	/* target to initiator */
	SRP_OP_T_LOGOUT = 0x80,
	SRP_OP_CRED_REQ = 0x81,
	SRP_OP_AER_REQ = 0x82,
	SRP_OP_LOGIN_RSP = 0xc0,
	SRP_OP_RSP = 0xc1,
	SRP_OP_LOGIN_REJ = 0xc2,
};

/* Buffer formats of login request, response and reject. */
enum srp_buf_fmt {
	SRP_BUF_DIRECT = 0x0002,
	SRP_BUF_INDIRECT = 0x0004,
};

/* Data descriptor format of one command: one nibble for each direction. */
enum srp_desc_fmt {
	SRP_DESC_NONE = 0,
	SRP_DESC_DIRECT = 1,
	SRP_DESC_INDIRECT = 2,
	SRP_DESC_IMM = 3,
};

enum srp_tmf {
	SRP_TMF_ABORT_TASK = 0x01,
	SRP_TMF_ABORT_TASK_SET = 0x02,
	SRP_TMF_CLEAR_TASK_SET = 0x04,
	SRP_TMF_LUN_RESET = 0x08,
	SRP_TMF_CLEAR_ACA = 0x40,
};

/* RSP_CODE, byte 3 of the response data. */
enum srp_rsp_code {
	SRP_RSP_CODE_COMPLETE = 0,
	SRP_RSP_CODE_FIELDS_INVALID = 1,
	SRP_RSP_CODE_NOT_SUPPORTED = 4,
	SRP_RSP_CODE_FAILED = 5,
};

enum srp_rej_reason {
	SRP_REJ_UNABLE_ESTABLISH_CHANNEL = 0x00010000,
	SRP_REJ_INSUFFICIENT_RESOURCES = 0x00010001,
	SRP_REJ_IU_LEN_TOO_LARGE = 0x00010002,
	SRP_REJ_UNABLE_ASSOCIATE_CHANNEL = 0x00010003,
	SRP_REJ_UNSUPPORTED_DESC_FMT = 0x00010004,
	SRP_REJ_MULTI_CHANNEL_UNSUPPORTED = 0x00010005,
	SRP_REJ_CHANNEL_LIMIT_REACHED = 0x00010006,
};

/* req_flags of LOGIN_REQ */
enum srp_login_req_flags {
	SRP_MULTICHAN_SINGLE = 0x00,	/* end the nexus's other channels */
	SRP_MULTICHAN_MULTI = 0x01,
	SRP_MULTICHAN_MASK = 0x03,
	SRP_IMM_REQUESTED = 0x80,
};

/* rsp_flags of LOGIN_RSP */
enum srp_login_rsp_flags {
	SRP_MULTICHAN_NONE = 0x00,
	SRP_MULTICHAN_TERMINATED = 0x01,
	SRP_MULTICHAN_MAINTAINED = 0x02,
	SRP_IMM_SUPPORTED = 0x80,
};

/* flags of RSP */
enum srp_rsp_flags {
	SRP_RSP_RSPVALID = 0x01,
	SRP_RSP_SNSVALID = 0x02,
	SRP_RSP_DOOVER = 0x04,
	SRP_RSP_DOUNDER = 0x08,
	SRP_RSP_DIOVER = 0x10,
	SRP_RSP_DIUNDER = 0x20,
};

/* reason of T_LOGOUT */
enum srp_t_logout_reason {
	SRP_T_LOGOUT_NO_REASON = 0,
	SRP_T_LOGOUT_INACTIVE_CHANNEL = 1,
	SRP_T_LOGOUT_INVALID_IU_TYPE = 2,
	SRP_T_LOGOUT_SPURIOUS_RESPONSE = 3,
	SRP_T_LOGOUT_MULTI_CHANNEL = 4,
	SRP_T_LOGOUT_UNSUPPORTED_DATA_OUT_FMT = 6,
	SRP_T_LOGOUT_UNSUPPORTED_DATA_IN_FMT = 7,
	SRP_T_LOGOUT_INVALID_DATA_OUT_COUNT = 8,
	SRP_T_LOGOUT_INVALID_DATA_IN_COUNT = 9,
};

/* Decides the order of the halves of a port id; see srp_iu_port_id_make(). */
enum srp_io_class {
	SRP_IO_CLASS_16A = 0x0100,
	SRP_IO_CLASS_10 = 0xff00,
};

enum {
	SRP_PORT_ID_BYTES = 16,
	SRP_MIN_IU_BYTES = 64,		/* smallest req_it_iu_len */
	SRP_MAX_DESCS = 255,		/* the counts of CMD are one byte */
	SRP_IMM_OFFSET = 68,		/* CMD, 16 more of CDB, descriptor */
	SRP_RDMA_CM_PORT = 5555,	/* a convention, not an assignment */
};

/*
 *   0        8        16           20       24        26    28   32        48
 *   +--------+--------+------------+--------+---------+-----+----+---------+
 *   |op,rsvd |  tag   |req_it_iu_ln| rsvd   |buf fmts |flags|imm |initiator| target
 *   +--------+--------+------------+--------+---------+-----+----+---------+
 */
struct srp_login_req {
	uint8_t opcode;
	uint8_t reserved1[7];
	struct be64 tag;
	struct be32 req_it_iu_len;
	uint8_t reserved20[4];
	struct be16 buf_fmt;
	uint8_t flags;
	uint8_t reserved27;
	struct be16 imm_offset;
	uint8_t reserved30[2];
	uint8_t initiator_port_id[SRP_PORT_ID_BYTES];
	uint8_t target_port_id[SRP_PORT_ID_BYTES];
};

ASSERT_SIZE(struct srp_login_req, 64);
ASSERT_OFFSET(struct srp_login_req, tag, 8);
ASSERT_OFFSET(struct srp_login_req, req_it_iu_len, 16);
ASSERT_OFFSET(struct srp_login_req, buf_fmt, 24);
ASSERT_OFFSET(struct srp_login_req, flags, 26);
ASSERT_OFFSET(struct srp_login_req, imm_offset, 28);
ASSERT_OFFSET(struct srp_login_req, initiator_port_id, 32);
ASSERT_OFFSET(struct srp_login_req, target_port_id, 48);

/* The same in the 56 bytes that the RDMA CM leaves of a CM request. */
struct srp_login_req_rdma {
	struct be64 tag;
	struct be16 buf_fmt;
	uint8_t flags;
	uint8_t opcode;
	struct be32 req_it_iu_len;
	uint8_t initiator_port_id[SRP_PORT_ID_BYTES];
	uint8_t target_port_id[SRP_PORT_ID_BYTES];
	struct be16 imm_offset;
	uint8_t reserved50[6];
};

ASSERT_SIZE(struct srp_login_req_rdma, 56);
ASSERT_OFFSET(struct srp_login_req_rdma, buf_fmt, 8);
ASSERT_OFFSET(struct srp_login_req_rdma, flags, 10);
ASSERT_OFFSET(struct srp_login_req_rdma, opcode, 11);
ASSERT_OFFSET(struct srp_login_req_rdma, req_it_iu_len, 12);
ASSERT_OFFSET(struct srp_login_req_rdma, initiator_port_id, 16);
ASSERT_OFFSET(struct srp_login_req_rdma, target_port_id, 32);
ASSERT_OFFSET(struct srp_login_req_rdma, imm_offset, 48);

struct srp_login_rsp {
	uint8_t opcode;
	uint8_t reserved1[3];
	struct be32 req_lim_delta;
	struct be64 tag;
	struct be32 max_it_iu_len;
	struct be32 max_ti_iu_len;
	struct be16 buf_fmt;
	uint8_t flags;
	uint8_t reserved27[25];
};

ASSERT_SIZE(struct srp_login_rsp, 52);
ASSERT_OFFSET(struct srp_login_rsp, req_lim_delta, 4);
ASSERT_OFFSET(struct srp_login_rsp, tag, 8);
ASSERT_OFFSET(struct srp_login_rsp, max_it_iu_len, 16);
ASSERT_OFFSET(struct srp_login_rsp, max_ti_iu_len, 20);
ASSERT_OFFSET(struct srp_login_rsp, buf_fmt, 24);
ASSERT_OFFSET(struct srp_login_rsp, flags, 26);

struct srp_login_rej {
	uint8_t opcode;
	uint8_t reserved1[3];
	struct be32 reason;
	struct be64 tag;
	uint8_t reserved16[8];
	struct be16 buf_fmt;
	uint8_t reserved26[6];
};

ASSERT_SIZE(struct srp_login_rej, 32);
ASSERT_OFFSET(struct srp_login_rej, reason, 4);
ASSERT_OFFSET(struct srp_login_rej, tag, 8);
ASSERT_OFFSET(struct srp_login_rej, buf_fmt, 24);

struct srp_i_logout {
	uint8_t opcode;
	uint8_t reserved1[7];
	struct be64 tag;
};

ASSERT_SIZE(struct srp_i_logout, 16);
ASSERT_OFFSET(struct srp_i_logout, tag, 8);

struct srp_t_logout {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[2];
	struct be32 reason;
	struct be64 tag;
};

ASSERT_SIZE(struct srp_t_logout, 16);
ASSERT_OFFSET(struct srp_t_logout, reason, 4);
ASSERT_OFFSET(struct srp_t_logout, tag, 8);

struct srp_cred_req {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[2];
	struct be32 req_lim_delta;
	struct be64 tag;
};

ASSERT_SIZE(struct srp_cred_req, 16);
ASSERT_OFFSET(struct srp_cred_req, req_lim_delta, 4);
ASSERT_OFFSET(struct srp_cred_req, tag, 8);

struct srp_cred_rsp {
	uint8_t opcode;
	uint8_t reserved1[7];
	struct be64 tag;
};

ASSERT_SIZE(struct srp_cred_rsp, 16);
ASSERT_OFFSET(struct srp_cred_rsp, tag, 8);

/* Sense data follows. */
struct srp_aer_req {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[2];
	struct be32 req_lim_delta;
	struct be64 tag;
	uint8_t reserved16[4];
	struct scsi_lun lun;
	struct be32 sense_len;
	uint8_t reserved32[4];
};

ASSERT_SIZE(struct srp_aer_req, 36);
ASSERT_OFFSET(struct srp_aer_req, req_lim_delta, 4);
ASSERT_OFFSET(struct srp_aer_req, tag, 8);
ASSERT_OFFSET(struct srp_aer_req, lun, 20);
ASSERT_OFFSET(struct srp_aer_req, sense_len, 28);

struct srp_aer_rsp {
	uint8_t opcode;
	uint8_t reserved1[7];
	struct be64 tag;
};

ASSERT_SIZE(struct srp_aer_rsp, 16);
ASSERT_OFFSET(struct srp_aer_rsp, tag, 8);

struct srp_tsk_mgmt {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[6];
	struct be64 tag;
	uint8_t reserved16[4];
	struct scsi_lun lun;
	uint8_t reserved28[2];
	uint8_t function;
	uint8_t reserved31;
	struct be64 task_tag;
	uint8_t reserved40[8];
};

ASSERT_SIZE(struct srp_tsk_mgmt, 48);
ASSERT_OFFSET(struct srp_tsk_mgmt, tag, 8);
ASSERT_OFFSET(struct srp_tsk_mgmt, lun, 20);
ASSERT_OFFSET(struct srp_tsk_mgmt, function, 30);
ASSERT_OFFSET(struct srp_tsk_mgmt, task_tag, 32);

/*
 *   0    4      8      16     20      28      32         48
 *   +----+------+------+------+-------+-------+----------+- - - - -+- - - -
 *   |op  |fmt,n | tag  | rsvd |  lun  |attr,  | CDB 0-15 | add.    | data
 *   |    |      |      |      |       |add.len|          | CDB     | desc.
 *   +----+------+------+------+-------+-------+----------+- - - - -+- - - -
 */
struct srp_cmd {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[3];
	uint8_t buf_fmt;		/* 7:4 data-out, 3:0 data-in */
	uint8_t nr_out_descs;		/* indirect: in this IU */
	uint8_t nr_in_descs;
	struct be64 tag;
	uint8_t reserved16[4];
	struct scsi_lun lun;
	uint8_t reserved28;
	uint8_t task_attr;		/* 2:0 */
	uint8_t reserved30;
	uint8_t add_cdb_len;		/* 7:2 words: & ~3 gives bytes */
	uint8_t cdb[SCSI_CDB_BYTES];
};

ASSERT_SIZE(struct srp_cmd, 48);
ASSERT_OFFSET(struct srp_cmd, buf_fmt, 5);
ASSERT_OFFSET(struct srp_cmd, nr_out_descs, 6);
ASSERT_OFFSET(struct srp_cmd, nr_in_descs, 7);
ASSERT_OFFSET(struct srp_cmd, tag, 8);
ASSERT_OFFSET(struct srp_cmd, lun, 20);
ASSERT_OFFSET(struct srp_cmd, task_attr, 29);
ASSERT_OFFSET(struct srp_cmd, add_cdb_len, 31);
ASSERT_OFFSET(struct srp_cmd, cdb, 32);

/* One piece of the initiator's memory, for the target's RDMA. */
struct srp_direct_buf {
	struct be64 va;
	struct be32 rkey;
	struct be32 len;
};

ASSERT_SIZE(struct srp_direct_buf, 16);
ASSERT_OFFSET(struct srp_direct_buf, rkey, 8);
ASSERT_OFFSET(struct srp_direct_buf, len, 12);

/* The list of direct descriptors follows. */
struct srp_indirect_buf {
	struct srp_direct_buf table;	/* where the whole list can be read */
	struct be32 total_len;		/* of the data */
};

ASSERT_SIZE(struct srp_indirect_buf, 20);
ASSERT_OFFSET(struct srp_indirect_buf, total_len, 16);

struct srp_imm_buf {
	struct be32 len;
};

ASSERT_SIZE(struct srp_imm_buf, 4);

/* Response data, then sense data follow. */
struct srp_rsp {
	uint8_t opcode;
	uint8_t sol_not;
	uint8_t reserved2[2];
	struct be32 req_lim_delta;
	struct be64 tag;
	uint8_t reserved16[2];
	uint8_t flags;
	uint8_t status;
	struct be32 data_out_residual;
	struct be32 data_in_residual;
	struct be32 sense_len;
	struct be32 resp_len;
};

ASSERT_SIZE(struct srp_rsp, 36);
ASSERT_OFFSET(struct srp_rsp, req_lim_delta, 4);
ASSERT_OFFSET(struct srp_rsp, tag, 8);
ASSERT_OFFSET(struct srp_rsp, flags, 18);
ASSERT_OFFSET(struct srp_rsp, status, 19);
ASSERT_OFFSET(struct srp_rsp, data_out_residual, 20);
ASSERT_OFFSET(struct srp_rsp, data_in_residual, 24);
ASSERT_OFFSET(struct srp_rsp, sense_len, 28);
ASSERT_OFFSET(struct srp_rsp, resp_len, 32);

#endif
