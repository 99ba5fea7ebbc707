/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One RC connection: an SRP channel and its commands.
 *
 * Memory, one registration (conn.mem, key conn.lkey):
 *
 *	| IU 0 | IU 1 | ... | IU nr_cmds-1 | buf 0 | buf 1 | ... | rsp ring | sink |
 *	  ^ cmds[0]   what was received       ^ bufs[0]  small data,   not inline
 *	                                        and the file backend's
 *
 * A command is its receive buffer: cmds[i] holds IU i from the receive to the
 * response, and the receive is posted again just before the response is, so
 * that the credit it gives is already backed by a buffer.
 *
 *	POSTED --receive--> RUNNING --respond, drop--> POSTED
 *	                      |  ^
 *	                      v  |  WAITING  send queue or buffers are full
 *	                            READING  RDMA READ of the data-out
 *	                            MEDIA    libaio
 *	                            TMF      task management, tasks still running
 *	                            SILENT   swallowed by a scripted fault
 *
 * Send queue: sq_posted counts work requests for ever, sq_done follows from
 * signalled ones: a completion of number n ends all up to n. Both wrap. A
 * completion's wr_id is number << 32 | kind << 16 | index.
 *
 * Work requests gather in wr[] and are posted by tgt_chan_flush(), receives
 * first, with one doorbell each.
 *
 * Threads: runner only (see tgt.h), except where said.
 */
#ifndef TARGET_TGT_CONN_H
#define TARGET_TGT_CONN_H

#include <libaio.h>

#include "target/tgt.h"
#include "target/tgt_dev.h"
#include "target/tgt_nexus.h"
#include "util/mem.h"
#include "wire/srp_iu.h"

enum {
	TGT_PLUG = 64,	   /* work requests gathered before a doorbell */
	TGT_WC_BATCH = 16, /* completions polled at once */
	/* receives beyond the credits: CRED_RSP, AER_RSP, I_LOGOUT */
	TGT_EXTRA_RECVS = 4,
	TGT_RSP_BYTES = 64, /* a response with fixed sense has 54 */
	TGT_SMALL_BUFS = 16,
	TGT_SMALL_BUF_BYTES = 8 << 10,
	TGT_FILE_BUFS = 32,
	TGT_FILE_BUF_BYTES = 128 << 10,
	TGT_MAX_TI_IU_BYTES = 296, /* 36, response data 4, sense 252, padding */
	TGT_LONG_IU_BYTES = 600,   /* the fault of that name */
};

enum tgt_wr_kind {
	TGT_WR_PLAIN, /* nothing to do but to count it */
	TGT_WR_READ,  /* index: command whose data-out has arrived */
	TGT_WR_BUF,   /* index: buffer that has been sent */
	TGT_WR_FILL,  /* index: buffer that has been filled for the medium */
	TGT_WR_RECV,  /* index: command */
};

enum tgt_cmd_state {
	TGT_CMD_IDLE, /* receive flushed or not yet posted */
	TGT_CMD_POSTED,
	TGT_CMD_RUNNING,
	TGT_CMD_WAITING,
	TGT_CMD_READING,
	TGT_CMD_MEDIA,
	TGT_CMD_TMF,
	TGT_CMD_SILENT,
};

enum tgt_conn_state {
	TGT_CONN_LOGIN, /* accepted, ESTABLISHED not seen */
	TGT_CONN_LIVE,
	TGT_CONN_CLOSING, /* disconnected, work still to be flushed */
};

struct tgt_conn;
struct tgt_cmd;

/* Where in the descriptors a transfer stands. */
struct tgt_cursor {
	uint16_t desc;
	uint32_t done; /* bytes of that descriptor */
};

/* RDMA between local memory and the descriptors of a command. */
struct tgt_xfer {
	uint8_t *local;
	uint64_t mask;	 /* local + (done & mask) */
	uint32_t lkey;
	uint32_t window; /* most bytes of one work request */
	uint32_t len;
	uint32_t done;
	struct tgt_cursor at;
	uint8_t opcode;	   /* IBV_WR_RDMA_READ or _WRITE */
	uint8_t last_kind; /* enum tgt_wr_kind of the last work request */
	uint16_t last_index;
};

struct tgt_cmd {
	/* the command as decoded; descs point into iu_buf */
	struct srp_iu_cmd iu;
	struct scsi_cmd scsi;
	struct tgt_conn *conn;
	struct tgt_lun *lun; /* NULL: no such unit */

	uint8_t state; /* enum tgt_cmd_state */
	bool is_aborted;
	uint8_t status, key; /* of the response */
	uint16_t asc;	     /* asc << 8 | ascq */
	uint8_t rsp_flags;   /* residual flags, SRP_RSP_RSPVALID */
	uint8_t rsp_code;    /* with SRP_RSP_RSPVALID */
	uint32_t residual_in, residual_out;

	struct tgt_xfer xfer;
	uint64_t off; /* in the medium, bytes */
	int16_t buf;  /* in conn.bufs, -1 = none */

	/* async backends: bytes handed to buffers; buffers that are busy */
	uint32_t media_issued;
	uint16_t nr_media;
	bool needs_flush; /* FUA: before the response */

	/* task management */
	uint8_t function;
	uint64_t task_tag;
	struct tgt_cmd *aborter; /* ABORT TASK that waits for this one's end */
	bool is_in_reset;	 /* one of conn.nr_reset_tasks */

	void (*resume)(struct tgt_cmd *cmd); /* while WAITING */
	struct list node;		     /* conn.waiting */

	uint16_t index;
	uint32_t iu_bytes; /* received */
	uint8_t *iu_buf;
	struct ibv_recv_wr recv_wr;
	struct ibv_sge recv_sge;
};

/* A buffer for small data, or one chunk of an async backend's transfer. */
struct tgt_buf {
	uint8_t *addr;
	struct tgt_cmd *cmd;
	uint32_t pos, len; /* in the command's data */
	struct tgt_xfer xfer;
	struct iocb iocb;
	struct list node; /* conn.waiting_bufs, or queued for io_submit() */
};

struct tgt_conn {
	/* per I/O */
	_Atomic uint32_t runs; /* see tgt_chan_run() */
	bool is_stopped;       /* failed: what arrives is dropped */
	bool is_inline;	       /* responses are sent inline */
	uint16_t nr_plugged;
	uint32_t sq_size, signal_every, nr_unsignalled;
	uint32_t sq_posted, sq_done;
	int32_t credits_owed; /* of commands that ended without a response */
	uint32_t imm_offset;  /* 0 = immediate data not granted */
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct target *target;
	struct tgt_dev *dev;
	struct tgt_nexus *nexus;
	struct tgt_cmd *cmds;
	struct ibv_recv_wr *recv_head, **recv_tail;
	uint32_t nr_recv_plugged, nr_recvs; /* linked; posted */
	uint32_t lkey;
	uint8_t *rsp_ring; /* sq_ring_mask + 1 responses, not inline */
	uint32_t rsp_mask;
	uint8_t *sink;
	struct list waiting; /* tgt_cmd.node, in order of arrival */
	struct tgt_counters counters;

	struct ibv_send_wr wr[TGT_PLUG];
	struct ibv_sge sge[TGT_PLUG];
	uint8_t rsp[TGT_PLUG][TGT_RSP_BYTES];

	/* buffers: a stack of free ones */
	struct tgt_buf *bufs;
	uint16_t *free_bufs;
	uint32_t nr_bufs, nr_free_bufs, buf_bytes;

	/* requests of the target's (tgt_ask.c) */
	bool is_asked; /* sent, not answered yet */
	uint16_t event, event_lun; /* asc << 8 | ascq, 0 = none is waiting */

	/* see tgt_grave.h */
	uint32_t grave_wanted, grave_sq;
	_Atomic uint32_t grave_clean;

	/* async backends */
	uint32_t nr_media;	  /* buffers in libaio; the end waits for them */
	struct list waiting_bufs; /* tgt_buf.node: no room in the send queue */

	/* messages to the runner, any thread */
	_Atomic(struct tgt_reset *) reset;
	uint16_t nr_reset_tasks; /* of it, that have not ended */
	struct tgt_reset *reset_now;

	/* loop thread */
	_Atomic bool is_failed; /* any thread: please close */
	_Atomic uint8_t state;	/* enum tgt_conn_state */
	bool is_armed;
	bool has_handler; /* completions call tgt_chan_run() */
	unsigned int nr_cq_events; /* not acknowledged */
	bool has_marker;	   /* CLOSING: the last send is posted */
	uint64_t deadline_ns;	   /* CLOSING: destroyed then in any case */
	struct list node;	   /* target.conns */
	struct list closing_node;  /* target.closing */
	struct rdma_cm_id *id;
	bool keeps_id; /* the id is not ours to destroy */
	uint32_t nr_cmds;
	struct mem mem;
	struct ibv_mr *mr;
};

/* What the login settled. */
struct tgt_conn_attr {
	const uint8_t *initiator_port_id;
	uint32_t imm_offset;
};

/*
 * For the connection request @id, receives posted; the caller accepts, or
 * destroys it. @id stays the caller's when it fails. 0 or -errno and why.
 */
int tgt_conn_create(struct target *target, struct rdma_cm_id *id,
	const struct tgt_conn_attr *attr, struct tgt_conn **conn, char *reason,
	size_t n);
/* Loop thread. Frees everything; not before the device has let go. */
void tgt_conn_destroy(struct tgt_conn *conn);

/* Loop thread: disconnects and waits, without blocking, for the flush. */
void tgt_conn_close(struct tgt_conn *conn);
/* Loop thread: destroys what has been flushed. True while some remain. */
bool tgt_conn_reap(struct target *target);
/* Loop thread: closes all that have failed. */
void tgt_conn_close_failed(struct target *target);
/* Any thread. The runner stops serving; the loop thread closes. @why is what
 * the log says, NULL for what is no fault of anybody's. */
void tgt_conn_fail(struct tgt_conn *conn, const char *why);

#endif /* TARGET_TGT_CONN_H */
