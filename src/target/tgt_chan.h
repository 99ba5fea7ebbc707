/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A connection's queues: completions in, work requests out. Runner only,
 * except tgt_chan_run() and tgt_chan_try_hold().
 */
#ifndef TARGET_TGT_CHAN_H
#define TARGET_TGT_CHAN_H

#include "target/tgt_conn.h"

/*
 * Serves @conn until its completion queue is empty. Any thread, also several
 * at once and from inside itself (a post may complete at once): one becomes
 * the runner, the others leave a note that makes it go round again. Returns
 * how many completions this call has handled.
 */
unsigned int tgt_chan_run(struct tgt_conn *conn);

/*
 * For changes (tgt_change.c): makes the caller the runner unless there is one,
 * and so keeps others out until the release, which serves what has come.
 */
bool tgt_chan_try_hold(struct tgt_conn *conn);
void tgt_chan_release(struct tgt_conn *conn);

/* Posts what has gathered. */
void tgt_chan_flush(struct tgt_conn *conn);

static inline uint32_t
tgt_chan_sq_room(const struct tgt_conn *conn)
{
	return conn->sq_size - (conn->sq_posted - conn->sq_done);
}

/*
 * The next work request, next and sg_list set; the caller fills opcode, sge,
 * rdma, and may add flags. The send queue has room. PLAIN ones are signalled
 * one in signal_every, a quarter of the send queue, so that its space always
 * comes back.
 */
static inline struct ibv_send_wr *
tgt_chan_next_wr(struct tgt_conn *conn, enum tgt_wr_kind kind, uint16_t index)
{
	struct ibv_send_wr *wr;

	if (unlikely(conn->nr_plugged == TGT_PLUG))
		tgt_chan_flush(conn);
	wr = &conn->wr[conn->nr_plugged++];
	wr->wr_id = (uint64_t)++conn->sq_posted << 32 | (uint32_t)kind << 16 |
		index;
	wr->send_flags = 0;
	if (kind != TGT_WR_PLAIN ||
		++conn->nr_unsignalled >= conn->signal_every) {
		wr->send_flags = IBV_SEND_SIGNALED;
		conn->nr_unsignalled = 0;
	}
	return wr;
}

/* Where the next response goes: TGT_RSP_BYTES. */
static inline void *
tgt_chan_get_rsp(struct tgt_conn *conn)
{
	if (unlikely(conn->nr_plugged == TGT_PLUG))
		tgt_chan_flush(conn);
	if (likely(conn->is_inline))
		return conn->rsp[conn->nr_plugged];
	return conn->rsp_ring +
		((conn->sq_posted + 1) & conn->rsp_mask) * TGT_RSP_BYTES;
}

/* Sends @bytes at @iu, which tgt_chan_get_rsp() gave just now. */
static inline void
tgt_chan_send(struct tgt_conn *conn, void *iu, uint32_t bytes)
{
	struct ibv_send_wr *wr = tgt_chan_next_wr(conn, TGT_WR_PLAIN, 0);

	wr->opcode = IBV_WR_SEND;
	if (likely(conn->is_inline))
		wr->send_flags |= IBV_SEND_INLINE;
	wr->sg_list->addr = (uintptr_t)iu;
	wr->sg_list->length = bytes;
	wr->sg_list->lkey = conn->lkey;
}

/* Links the command's receive; posted by the next flush. */
static inline void
tgt_chan_repost(struct tgt_conn *conn, struct tgt_cmd *cmd)
{
	cmd->state = TGT_CMD_POSTED;
	*conn->recv_tail = &cmd->recv_wr;
	conn->recv_tail = &cmd->recv_wr.next;
	conn->nr_recv_plugged++;
}

/*
 * Queues RDMA for what is left of @xfer, leaving room for a response. False
 * when the send queue is full first: call again after completions.
 */
bool tgt_chan_xfer(struct tgt_conn *conn, const struct srp_iu_cmd *iu,
	struct tgt_xfer *xfer);

/* Does one work request of a descriptor do it all, and is there room? */
static inline bool
tgt_chan_can_xfer_one(const struct tgt_conn *conn, const struct srp_iu_cmd *iu,
	const struct tgt_xfer *xfer)
{
	return iu->nr_descs == 1 && !xfer->done && xfer->len <= xfer->window &&
		tgt_chan_sq_room(conn) >= 2;
}

/* tgt_chan_xfer() in that case, which is nearly every I/O. */
static inline void
tgt_chan_xfer_one(struct tgt_conn *conn, const struct srp_iu_cmd *iu,
	const struct tgt_xfer *xfer)
{
	struct ibv_send_wr *wr = tgt_chan_next_wr(
		conn, (enum tgt_wr_kind)xfer->last_kind, xfer->last_index);

	wr->opcode = (enum ibv_wr_opcode)xfer->opcode;
	wr->sg_list->addr = (uintptr_t)xfer->local;
	wr->sg_list->length = xfer->len;
	wr->sg_list->lkey = xfer->lkey;
	wr->wr.rdma.remote_addr = be64_get(&iu->descs->va);
	wr->wr.rdma.rkey = be32_get(&iu->descs->rkey);
}

/* Puts @cmd aside until there is room; @resume is called then. */
void tgt_chan_wait(struct tgt_cmd *cmd, void (*resume)(struct tgt_cmd *cmd));

/* A buffer of conn->buf_bytes, or NULL. */
struct tgt_buf *tgt_chan_get_buf(struct tgt_conn *conn);
void tgt_chan_put_buf(struct tgt_conn *conn, struct tgt_buf *buf);

#endif /* TARGET_TGT_CHAN_H */
