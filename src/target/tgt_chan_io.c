/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_chan.h"

#include <assert.h>

#include "target/tgt_aio.h"
#include "target/tgt_cmd.h"
#include "target/tgt_grave.h"
#include "target/tgt_tmf.h"

void
tgt_chan_flush(struct tgt_conn *conn)
{
	struct ibv_recv_wr *bad_recv;
	struct ibv_send_wr *bad_send, *last;

	/* before the responses: a credit must find its buffer */
	if (conn->nr_recv_plugged) {
		*conn->recv_tail = NULL;
		conn->nr_recvs += conn->nr_recv_plugged;
		conn->nr_recv_plugged = 0;
		conn->recv_tail = &conn->recv_head;
		if (unlikely(ibv_post_recv(
			    conn->qp, conn->recv_head, &bad_recv)))
			tgt_conn_fail(conn, "posting receives failed");
	}
	if (conn->nr_plugged) {
		last = &conn->wr[conn->nr_plugged - 1];
		last->next = NULL;
		if (unlikely(ibv_post_send(conn->qp, conn->wr, &bad_send)))
			tgt_conn_fail(conn, "posting sends failed");
		last->next = last + 1;
		conn->nr_plugged = 0;
	}
}

/* One work request of the transfer; the cursor stands on a byte. */
static void
chan_xfer_step(struct tgt_conn *conn, const struct srp_iu_desc *desc,
	struct tgt_xfer *x)
{
	struct ibv_send_wr *wr;
	uint32_t n = desc->len - x->at.done;
	enum tgt_wr_kind kind = TGT_WR_PLAIN;

	n = min(n, x->len - x->done);
	n = min(n, x->window);
	if (n == x->len - x->done)
		kind = x->last_kind;
	wr = tgt_chan_next_wr(conn, kind, x->last_index);
	wr->opcode = x->opcode;
	wr->sg_list->addr = (uintptr_t)x->local + (x->done & x->mask);
	wr->sg_list->length = n;
	wr->sg_list->lkey = x->lkey;
	wr->wr.rdma.remote_addr = desc->va + x->at.done;
	wr->wr.rdma.rkey = desc->rkey;
	x->done += n;
	x->at.done += n;
}

bool
tgt_chan_xfer(struct tgt_conn *conn, const struct srp_iu_cmd *iu,
	struct tgt_xfer *x)
{
	struct srp_iu_desc desc;

	while (x->done < x->len) {
		/* the sum was checked: len is never beyond the descriptors */
		assert(x->at.desc < iu->nr_descs);
		desc = srp_iu_cmd_get_desc(iu, x->at.desc);
		if (x->at.done == desc.len) {
			x->at.desc++;
			x->at.done = 0;
			continue;
		}
		if (unlikely(tgt_chan_sq_room(conn) < 2))
			return false;
		chan_xfer_step(conn, &desc, x);
	}
	return true;
}

void
tgt_chan_wait(struct tgt_cmd *cmd, void (*resume)(struct tgt_cmd *cmd))
{
	cmd->state = TGT_CMD_WAITING;
	cmd->resume = resume;
	list_add_tail(&cmd->conn->waiting, &cmd->node);
}

/* Each gets one more try, in order; who still finds no room waits again. */
static void
chan_resume(struct tgt_conn *conn)
{
	struct list ready;
	struct list *node;
	struct tgt_cmd *cmd;

	if (!list_is_empty(&conn->waiting_bufs))
		tgt_aio_resume(conn);
	list_init(&ready);
	list_splice_tail(&ready, &conn->waiting);
	while ((node = list_pop_head(&ready)) != NULL) {
		cmd = list_entry(node, struct tgt_cmd, node);
		cmd->state = TGT_CMD_RUNNING;
		cmd->resume(cmd);
	}
}

static inline bool
chan_has_waiting(const struct tgt_conn *conn)
{
	return !list_is_empty(&conn->waiting) ||
		!list_is_empty(&conn->waiting_bufs);
}

struct tgt_buf *
tgt_chan_get_buf(struct tgt_conn *conn)
{
	if (unlikely(!conn->nr_free_bufs))
		return NULL;
	return &conn->bufs[conn->free_bufs[--conn->nr_free_bufs]];
}

void
tgt_chan_put_buf(struct tgt_conn *conn, struct tgt_buf *buf)
{
	assert(conn->nr_free_bufs < conn->nr_bufs);
	conn->free_bufs[conn->nr_free_bufs++] = (uint16_t)(buf - conn->bufs);
}

/* An initiator that leaves, or dies, while commands are under way. */
static bool
chan_is_peer_gone(enum ibv_wc_status status)
{
	return status == IBV_WC_WR_FLUSH_ERR || status == IBV_WC_RETRY_EXC_ERR;
}

/* Flushed or refused by the other side's device. */
static void
chan_on_error(struct tgt_conn *conn, const struct ibv_wc *wc)
{
	uint16_t index = (uint16_t)wc->wr_id;

	switch ((enum tgt_wr_kind)(wc->wr_id >> 16 & 0xff)) {
	case TGT_WR_RECV:
		conn->nr_recvs--;
		conn->cmds[index].state = TGT_CMD_IDLE;
		break;
	case TGT_WR_READ:
		conn->sq_done = (uint32_t)(wc->wr_id >> 32);
		conn->cmds[index].state = TGT_CMD_IDLE;
		break;
	case TGT_WR_BUF:
	case TGT_WR_FILL:
		conn->sq_done = (uint32_t)(wc->wr_id >> 32);
		tgt_chan_put_buf(conn, &conn->bufs[index]);
		break;
	case TGT_WR_PLAIN:
		conn->sq_done = (uint32_t)(wc->wr_id >> 32);
		break;
	}
	if (!conn->is_stopped)
		tgt_conn_fail(conn, chan_is_peer_gone(wc->status) ?
				NULL :
				ibv_wc_status_str(wc->status));
}

static void
chan_on_wc(struct tgt_conn *conn, const struct ibv_wc *wc)
{
	uint16_t index = (uint16_t)wc->wr_id;
	enum tgt_wr_kind kind = wc->wr_id >> 16 & 0xff;

	if (unlikely(wc->status != IBV_WC_SUCCESS)) {
		chan_on_error(conn, wc);
		return;
	}
	if (likely(kind == TGT_WR_RECV)) {
		conn->nr_recvs--;
		tgt_cmd_on_iu(&conn->cmds[index], wc->byte_len);
		return;
	}
	conn->sq_done = (uint32_t)(wc->wr_id >> 32);
	if (kind == TGT_WR_READ)
		tgt_cmd_on_data(&conn->cmds[index]);
	else if (kind == TGT_WR_BUF)
		tgt_chan_put_buf(conn, &conn->bufs[index]);
	else if (kind == TGT_WR_FILL)
		tgt_aio_on_filled(conn, &conn->bufs[index]);
}

static unsigned int
chan_drain(struct tgt_conn *conn)
{
	uint32_t odd = atomic_load_explicit(
		&conn->target->odd, memory_order_relaxed);
	struct ibv_wc wc[TGT_WC_BATCH];
	unsigned int nr = 0;
	int i, n;

	if (unlikely(odd & TGT_ODD_FROZEN))
		return 0;
	if (unlikely(atomic_load_explicit(
		    &conn->reset, memory_order_relaxed)))
		tgt_tmf_on_reset(conn);
	do {
		n = ibv_poll_cq(conn->cq, TGT_WC_BATCH, wc);
		for (i = 0; i < n; i++)
			chan_on_wc(conn, &wc[i]);
		if (unlikely(chan_has_waiting(conn)) && !conn->is_stopped)
			chan_resume(conn);
		tgt_chan_flush(conn);
		nr += n > 0 ? (unsigned int)n : 0;
	} while (n == TGT_WC_BATCH);
	if (unlikely(conn->target->aio != NULL))
		tgt_aio_submit(conn->target->aio);
	if (unlikely(odd & TGT_ODD_GRAVES))
		tgt_grave_check(conn);
	if (unlikely(n < 0) && !conn->is_stopped)
		tgt_conn_fail(conn, "polling the completion queue failed");
	return nr;
}

/* The caller has become the runner. */
static inline unsigned int
chan_serve(struct tgt_conn *conn)
{
	unsigned int nr = 0;
	uint32_t seen;

	do {
		seen = atomic_load_explicit(&conn->runs, memory_order_acquire);
		nr += chan_drain(conn);
	} while (atomic_fetch_sub_explicit(&conn->runs, seen,
			 memory_order_acq_rel) != seen);
	return nr;
}

unsigned int
tgt_chan_run(struct tgt_conn *conn)
{
	if (atomic_fetch_add_explicit(&conn->runs, 1, memory_order_acq_rel))
		return 0;
	return chan_serve(conn);
}

bool
tgt_chan_try_hold(struct tgt_conn *conn)
{
	uint32_t nobody = 0;

	return atomic_compare_exchange_strong_explicit(&conn->runs, &nobody, 1,
		memory_order_acq_rel, memory_order_relaxed);
}

void
tgt_chan_release(struct tgt_conn *conn)
{
	chan_serve(conn);
}
