/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_io.h"

#include <errno.h>
#include <string.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_exec.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_mem.h"
#include "softrdma/soft_qp.h"
#include "util/clock.h"

static __always_inline uint64_t
sum_bytes(const struct ibv_sge *sgl, uint32_t nr)
{
	uint64_t bytes = 0;
	uint32_t i;

	if (likely(nr == 1))
		return sgl->length;
	for (i = 0; i < nr; i++)
		bytes += sgl[i].length;
	return bytes;
}

/* What every provider refuses at the post. 0 or a positive errno. */
static __always_inline int
fill_wqe(const struct soft_qp *qp, const struct ibv_send_wr *wr,
	struct soft_wqe *w)
{
	uint32_t flags = wr->send_flags;

	if (unlikely((uint32_t)wr->opcode > IBV_WR_RDMA_READ ||
		    (uint32_t)wr->num_sge > qp->cap.max_send_sge))
		return EINVAL;
	w->wr_id = wr->wr_id;
	w->remote_addr = wr->wr.rdma.remote_addr;
	w->rkey = wr->wr.rdma.rkey;
	w->imm_data = wr->imm_data;
	w->sgl = wr->sg_list;
	w->num_sge = (uint32_t)wr->num_sge;
	w->opcode = (uint16_t)wr->opcode;
	w->bytes = sum_bytes(wr->sg_list, (uint32_t)wr->num_sge);
	if (unlikely(qp->signals_all))
		flags |= IBV_SEND_SIGNALED;
	w->flags = (uint16_t)flags;
	if (flags & IBV_SEND_INLINE &&
		unlikely(w->bytes > qp->cap.max_inline_data ||
			wr->opcode == IBV_WR_RDMA_READ))
		return EINVAL;
	return 0;
}

static __always_inline bool
has_room(const struct soft_qp *qp)
{
	return qp->posted - atomic_load_explicit(&qp->reclaimed,
				    memory_order_relaxed) <=
		qp->sq_mask;
}

/* Copy @w into its slot: the caller's list and inline data end with the post. */
static void
store_wqe(struct soft_qp *qp, uint32_t index, const struct soft_wqe *w)
{
	struct soft_wqe *slot = soft_qp_wqe(qp, index);
	struct ibv_sge *sge = (struct ibv_sge *)(slot + 1);
	uint8_t *data = (uint8_t *)(sge + 1);
	const struct ibv_sge *from = w->sgl;
	uint32_t i;

	*slot = *w;
	slot->sgl = sge;
	slot->due_ns = qp->is_timed ? soft_loop_due_ns(qp) : 0;
	if (!(w->flags & IBV_SEND_INLINE)) {
		for (i = 0; i < w->num_sge; i++)
			sge[i] = from[i];
		return;
	}
	slot->num_sge = 1;
	sge->addr = (uintptr_t)data;
	sge->length = (uint32_t)w->bytes;
	for (i = 0; i < w->num_sge; i++) {
		memcpy(data, (void *)(uintptr_t)from[i].addr, from[i].length);
		data += from[i].length;
	}
}

/* Put the list into the ring, to be carried out or flushed from there. */
static int
post_stored(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr)
{
	struct soft_wqe w;
	int ret;

	for (; wr; wr = wr->next) {
		ret = fill_wqe(qp, wr, &w);
		if (likely(!ret) && unlikely(!has_room(qp)))
			ret = ENOMEM;
		if (unlikely(ret)) {
			*bad_wr = wr;
			return ret;
		}
		store_wqe(qp, qp->posted, &w);
		qp->posted++;
	}
	return 0;
}

/*
 * Carry the list out as it is read. @rest is what was not: the work behind
 * one that had to wait or has failed, which the ring takes.
 */
static int
post_direct(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **rest, struct soft_run *run)
{
	enum soft_outcome outcome = SOFT_DONE;
	struct soft_wqe w;
	int ret = 0;

	for (; wr && outcome == SOFT_DONE; wr = wr->next) {
		ret = fill_wqe(qp, wr, &w);
		if (likely(!ret) && unlikely(!has_room(qp)))
			ret = ENOMEM;
		if (unlikely(ret))
			break;
		outcome = soft_exec_one(qp, &w, qp->posted, run);
		if (unlikely(outcome == SOFT_STALLED))
			store_wqe(qp, qp->posted, &w);
		else
			qp->executed++;
		qp->posted++;
	}
	*rest = wr;
	return ret;
}

static int
post_list(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr, struct soft_run *run)
{
	int state = soft_qp_state(qp), ret;

	if (unlikely(state != IBV_QPS_RTS && state != IBV_QPS_ERR)) {
		*bad_wr = wr;
		return EINVAL;
	}
	if (state == IBV_QPS_RTS && qp->posted == qp->executed &&
		soft_loop_is_immediate(qp)) {
		ret = post_direct(qp, wr, &wr, run);
		if (unlikely(ret))
			*bad_wr = wr;
		if (likely(!wr) || ret)
			return ret;
	}
	ret = post_stored(qp, wr, bad_wr);
	if (qp->posted == qp->executed)
		return ret;
	if (unlikely(soft_qp_state(qp) == IBV_QPS_ERR))
		soft_exec_flush_sends(qp, run);
	else
		soft_loop_defer(qp, run);
	return ret;
}

int
soft_io_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr)
{
	struct soft_qp *qp = soft_qp_of(ibqp);
	struct soft_run run;
	int ret;

	soft_run_init(&run);
	soft_spin_lock(&qp->sq_lock);
	ret = post_list(qp, wr, bad_wr, &run);
	soft_io_finish(qp, &run);
	return ret;
}

void
soft_io_run(struct soft_qp *qp, struct soft_run *run)
{
	uint64_t now = qp->is_timed ? clock_ns() : 0;
	enum soft_outcome outcome;

	while (qp->executed != qp->posted) {
		const struct soft_wqe *w = soft_qp_wqe(qp, qp->executed);

		if (qp->is_timed && w->due_ns > now)
			return;
		outcome = soft_exec_one(qp, w, qp->executed, run);
		if (unlikely(outcome == SOFT_STALLED))
			return;
		qp->executed++;
		if (unlikely(outcome == SOFT_FAILED)) {
			soft_exec_flush_sends(qp, run);
			return;
		}
	}
}

/*
 * Claims are taken while the lock still keeps the CQs alive; handlers run
 * without it.
 */
void
soft_io_finish(struct soft_qp *qp, struct soft_run *run)
{
	struct soft_cq *sent = run->sent, *received = run->received;

	if (unlikely(run->is_rough)) {
		soft_loop_finish_rough(qp, run);
		return;
	}
	if (sent && !soft_cq_claim(sent))
		sent = NULL;
	if (received && !soft_cq_claim(received))
		received = NULL;
	soft_spin_unlock(&qp->sq_lock);
	if (received)
		soft_cq_run_handler(received);
	if (sent)
		soft_cq_run_handler(sent);
}

static __always_inline int
store_rwqe(struct soft_qp *qp, const struct ibv_recv_wr *wr)
{
	struct soft_rwqe *r;
	int i;

	if (unlikely((uint32_t)wr->num_sge > qp->cap.max_recv_sge))
		return EINVAL;
	if (unlikely(qp->rq_posted - qp->rq_taken > qp->rq_mask))
		return ENOMEM;
	r = soft_qp_rwqe(qp, qp->rq_posted);
	r->wr_id = wr->wr_id;
	r->num_sge = (uint64_t)wr->num_sge;
	for (i = 0; i < wr->num_sge; i++)
		r->sge[i] = wr->sg_list[i];
	qp->rq_posted++;
	return 0;
}

/* A QP in ERR takes receives and flushes them, as hardware does. */
static __cold void
flush_posted(struct soft_qp *qp)
{
	struct soft_run run;

	soft_run_init(&run);
	soft_spin_lock(&qp->sq_lock);
	if (soft_qp_state(qp) == IBV_QPS_ERR)
		soft_exec_flush(qp, &run);
	soft_io_finish(qp, &run);
}

int
soft_io_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr,
	struct ibv_recv_wr **bad_wr)
{
	struct soft_qp *qp = soft_qp_of(ibqp);
	bool has_starved;
	int ret = 0, state;

	soft_spin_lock(&qp->rq_lock);
	state = soft_qp_state(qp);
	if (unlikely(state == IBV_QPS_RESET))
		ret = EINVAL;
	for (; wr && !ret; wr = wr->next) {
		ret = store_rwqe(qp, wr);
		if (unlikely(ret))
			break;
	}
	if (unlikely(ret))
		*bad_wr = wr;
	has_starved = qp->has_starved;
	qp->has_starved = false;
	soft_spin_unlock(&qp->rq_lock);

	if (unlikely(state == IBV_QPS_ERR))
		flush_posted(qp);
	else if (unlikely(has_starved))
		soft_loop_kick_peer(qp);
	return ret;
}

/* Copy out completions, and give the send queues their slots back. */
static __always_inline int
take_completions(struct soft_cq *cq, int nr_entries, struct ibv_wc *wc)
{
	uint32_t at = atomic_load_explicit(&cq->consumed, memory_order_relaxed);
	uint32_t end = atomic_load_explicit(&cq->produced,
		memory_order_acquire);
	int nr = 0;

	for (; at != end && nr < nr_entries; at++, nr++) {
		const struct soft_cqe *cqe = &cq->ring[at & cq->mask];

		wc[nr] = cqe->wc;
		if (cqe->qp)
			atomic_store_explicit(&cqe->qp->reclaimed,
				cqe->sq_index, memory_order_relaxed);
	}
	atomic_store_explicit(&cq->consumed, at, memory_order_release);
	return nr;
}

static __cold int
poll_none(const struct soft_cq *cq)
{
	return atomic_load(&cq->is_overrun) ? -EIO : 0;
}

int
soft_io_poll_cq(struct ibv_cq *ibcq, int nr_entries, struct ibv_wc *wc)
{
	struct soft_cq *cq = soft_cq_of(ibcq);
	int nr;

	if (atomic_load_explicit(&cq->has_deferred, memory_order_relaxed))
		soft_loop_drive(cq);
	/* An empty queue costs two loads and nobody else anything. */
	if (atomic_load_explicit(&cq->consumed, memory_order_relaxed) ==
		atomic_load_explicit(&cq->produced, memory_order_relaxed))
		return poll_none(cq);
	soft_spin_lock(&cq->poll_lock);
	nr = take_completions(cq, nr_entries, wc);
	soft_spin_unlock(&cq->poll_lock);
	return nr;
}
