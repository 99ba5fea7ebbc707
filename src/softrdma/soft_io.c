/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_io.h"

#include <errno.h>
#include <string.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_exec.h"
#include "softrdma/soft_fast.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_mem.h"
#include "softrdma/soft_qp.h"
#include "util/clock.h"

static __always_inline bool
has_room(const struct soft_qp *qp)
{
	return qp->posted - atomic_load_explicit(&qp->reclaimed,
				    memory_order_relaxed) <=
		qp->sq_mask;
}

static uint64_t
sum_bytes(const struct ibv_sge *sgl, int nr)
{
	uint64_t bytes = 0;
	int i;

	for (i = 0; i < nr; i++)
		bytes += sgl[i].length;
	return bytes;
}

/* What every provider refuses at the post. 0 or a positive errno. */
static int
check_wr(const struct soft_qp *qp, const struct ibv_send_wr *wr)
{
	if ((uint32_t)wr->opcode > IBV_WR_RDMA_READ ||
		(uint32_t)wr->num_sge > qp->cap.max_send_sge)
		return EINVAL;
	if (wr->send_flags & IBV_SEND_INLINE &&
		(wr->opcode == IBV_WR_RDMA_READ ||
			sum_bytes(wr->sg_list, wr->num_sge) >
				qp->cap.max_inline_data))
		return EINVAL;
	return has_room(qp) ? 0 : ENOMEM;
}

/* Nothing to refuse, and one element: the case of soft_fast.h. */
static __always_inline bool
is_simple(const struct soft_qp *qp, const struct ibv_send_wr *wr)
{
	return likely(wr->num_sge == 1 &&
		((uint32_t)wr->opcode == IBV_WR_SEND ||
			(uint32_t)wr->opcode == IBV_WR_RDMA_WRITE) &&
		(!(wr->send_flags & IBV_SEND_INLINE) ||
			wr->sg_list->length <= qp->cap.max_inline_data) &&
		has_room(qp));
}

/* All but the list. */
static __always_inline void
fill_wqe(struct soft_wqe *w, const struct ibv_send_wr *wr)
{
	w->wr_id = wr->wr_id;
	memcpy(&w->verb, &wr->num_sge, sizeof(w->verb));
	memcpy(&w->remote, &wr->wr.rdma, sizeof(w->remote));
	w->due_ns = 0;
}

static void
store_list(struct soft_wqe *slot, const struct ibv_send_wr *wr)
{
	struct ibv_sge *sge = (struct ibv_sge *)(slot + 1);
	uint8_t *data = (uint8_t *)(sge + 1);
	int i;

	slot->bytes = sum_bytes(wr->sg_list, wr->num_sge);
	if (!(wr->send_flags & IBV_SEND_INLINE)) {
		for (i = 0; i < wr->num_sge; i++)
			sge[i] = wr->sg_list[i];
		return;
	}
	slot->verb.num_sge = 1;
	*sge = (struct ibv_sge){ (uintptr_t)data, (uint32_t)slot->bytes, 0 };
	for (i = 0; i < wr->num_sge; i++) {
		const struct ibv_sge *from = &wr->sg_list[i];

		memcpy(data, (void *)(uintptr_t)from->addr, from->length);
		data += from->length;
	}
}

/* The same for one element. */
static __always_inline void
store_one(struct soft_wqe *slot, const struct ibv_sge *from, uint32_t flags)
{
	struct ibv_sge *sge = (struct ibv_sge *)(slot + 1);

	slot->bytes = from->length;
	*sge = *from;
	if (flags & IBV_SEND_INLINE) {
		sge->addr = (uintptr_t)(sge + 1);
		soft_copy(sge + 1, (void *)(uintptr_t)from->addr,
			from->length);
	}
}

/*
 * Put one into the ring: the caller's list and inline data end with the post.
 * 0 or a positive errno.
 */
static __always_inline int
store_wr(struct soft_qp *qp, const struct ibv_send_wr *wr)
{
	struct soft_wqe *slot = soft_qp_wqe(qp, qp->posted);
	bool simple = is_simple(qp, wr);

	if (unlikely(!simple)) {
		int ret = check_wr(qp, wr);

		if (ret)
			return ret;
	}
	fill_wqe(slot, wr);
	slot->sgl = (struct ibv_sge *)(slot + 1);
	if (likely(simple))
		store_one(slot, wr->sg_list, wr->send_flags);
	else
		store_list(slot, wr);
	if (unlikely(qp->is_timed))
		slot->due_ns = soft_loop_due_ns(qp);
	qp->posted++;
	return 0;
}

/* Put the list into the ring, to be carried out or flushed from there. */
static int
post_stored(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr)
{
	for (; wr; wr = wr->next) {
		int ret = store_wr(qp, wr);

		if (unlikely(ret)) {
			*bad_wr = wr;
			return ret;
		}
	}
	return 0;
}

/* Signalled and carried out by soft_fast.h. */
static __noinline void
complete_fast(struct soft_qp *qp, uint64_t wr_id, uint32_t opcode,
	uint32_t bytes, uint32_t index, struct soft_run *run)
{
	const struct soft_wqe w = { .wr_id = wr_id, .bytes = bytes,
		.verb.opcode = opcode };

	soft_exec_complete(qp, &w, index, IBV_WC_SUCCESS, run);
}

/*
 * One that is not simple, or not as it should be. It goes to the ring if it
 * must wait.
 */
static __noinline int
post_slow(struct soft_qp *qp, const struct ibv_send_wr *wr,
	enum soft_outcome *outcome, struct soft_run *run)
{
	struct soft_wqe w;
	int ret = check_wr(qp, wr);

	if (ret)
		return ret;
	fill_wqe(&w, wr);
	w.sgl = wr->sg_list;
	w.bytes = sum_bytes(wr->sg_list, wr->num_sge);
	*outcome = soft_exec_one(qp, &w, qp->posted, run);
	if (*outcome == SOFT_STALLED)
		return store_wr(qp, wr);
	qp->posted++;
	qp->executed++;
	return 0;
}

/* The first that is not simple, or for which there is no room, or NULL. */
static __always_inline struct ibv_send_wr *
post_fast(struct soft_qp *qp, struct ibv_send_wr *wr, bool is_staging,
	struct soft_run *run)
{
	uint32_t at = qp->posted;
	const uint32_t end = qp->sq_mask + 1 +
		atomic_load_explicit(&qp->reclaimed, memory_order_relaxed);

	for (; likely(wr); wr = wr->next, at++) {
		struct soft_fast_wr fast = {
			.kind = soft_fast_kind(&wr->num_sge),
			.sge = wr->sg_list,
			.remote = (const void *)&wr->wr.rdma,
			.flags = wr->send_flags | qp->extra_flags,
		};

		if (unlikely(at == end ||
			    !soft_fast_one(qp, &fast, is_staging, run)))
			break;
		if (unlikely(fast.flags & IBV_SEND_SIGNALED))
			complete_fast(qp, wr->wr_id, wr->opcode, fast.bytes,
				at, run);
	}
	qp->posted = at;
	qp->executed = at;
	return wr;
}

/* Somebody may be blocked on a CQ of the QP: then nothing is put off. */
static __noinline struct ibv_send_wr *
post_staged(struct soft_qp *qp, struct ibv_send_wr *wr, struct soft_run *run)
{
	run->is_staging = !soft_loop_is_urgent(qp);
	wr = post_fast(qp, wr, run->is_staging, run);
	if (run->is_staging && !wr && (run->received || run->sent))
		soft_loop_stage(qp, run);
	return wr;
}

/* What was put into the ring: to be carried out now, later, or never. */
static void
dispose(struct soft_qp *qp, struct soft_run *run)
{
	if (qp->posted == qp->executed)
		return;
	if (unlikely(soft_qp_state(qp) == IBV_QPS_ERR))
		soft_exec_flush_sends(qp, run);
	else
		soft_loop_defer(qp, run);
}

/* One by one, until the ring must be used: *@wr is the first not done. */
static int
post_one_by_one(struct soft_qp *qp, struct ibv_send_wr **wr,
	struct soft_run *run)
{
	enum soft_outcome outcome = SOFT_DONE;
	int ret = 0;

	while (*wr && outcome == SOFT_DONE && !ret) {
		ret = post_slow(qp, *wr, &outcome, run);
		if (!ret)
			*wr = (*wr)->next;
		if (!ret && outcome == SOFT_DONE)
			*wr = post_fast(qp, *wr, run->is_staging, run);
	}
	return ret;
}

/*
 * What post_fast() did not do. Work behind one that had to wait or has failed
 * goes to the ring.
 */
static __noinline int
post_rest(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr, struct soft_run *run)
{
	int state = soft_qp_state(qp), ret = 0;

	if (state != IBV_QPS_RTS && state != IBV_QPS_ERR) {
		*bad_wr = wr;
		return EINVAL;
	}
	if (qp->posted == qp->executed && qp->sq_mode != SOFT_SQ_RING) {
		ret = post_one_by_one(qp, &wr, run);
		if (ret)
			*bad_wr = wr;
		if (run->is_staging && (run->received || run->sent))
			soft_loop_stage(qp, run);
	}
	if (!ret)
		ret = post_stored(qp, wr, bad_wr);
	dispose(qp, run);
	return ret;
}

static __always_inline int
post_list(struct soft_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr, struct soft_run *run)
{
	if (likely(qp->posted == qp->executed)) {
		if (qp->sq_mode == SOFT_SQ_DIRECT)
			wr = post_fast(qp, wr, false, run);
		else if (qp->sq_mode == SOFT_SQ_STAGED)
			wr = post_staged(qp, wr, run);
	}
	return likely(!wr) ? 0 : post_rest(qp, wr, bad_wr, run);
}

/*
 * Claims are taken while the lock still keeps the CQs alive; handlers run
 * without it.
 */
static __noinline void
finish_slow(struct soft_qp *qp, struct soft_run *run)
{
	struct soft_cq *sent = run->sent, *received = run->received;

	if (run->is_rough) {
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

/* Nothing to do in the most common case: an answer to who has no handler. */
static __always_inline void
finish(struct soft_qp *qp, struct soft_run *run)
{
	if (unlikely(run->is_rough || run->sent ||
		    (run->received &&
			    atomic_load_explicit(&run->received->handler,
				    memory_order_relaxed)))) {
		finish_slow(qp, run);
		return;
	}
	soft_spin_unlock(&qp->sq_lock);
}

void
soft_io_finish(struct soft_qp *qp, struct soft_run *run)
{
	finish(qp, run);
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
	finish(qp, &run);
	return ret;
}

static __always_inline bool
run_fast(struct soft_qp *qp, const struct soft_wqe *w, struct soft_run *run)
{
	struct soft_fast_wr fast = {
		.kind = soft_fast_kind(&w->verb),
		.sge = w->sgl,
		.remote = &w->remote,
		.flags = w->verb.flags | qp->extra_flags,
	};

	if (unlikely(!soft_fast_one(qp, &fast, false, run)))
		return false;
	if (fast.flags & IBV_SEND_SIGNALED)
		complete_fast(qp, w->wr_id, w->verb.opcode, fast.bytes,
			qp->executed, run);
	return true;
}

static __always_inline void
show_staged(struct soft_cq *cq)
{
	soft_spin_lock(&cq->lock);
	soft_cq_show(cq);
	soft_spin_unlock(&cq->lock);
}

static void
run_ring(struct soft_qp *qp, struct soft_run *run)
{
	uint64_t now = qp->is_timed ? clock_ns() : 0;
	enum soft_outcome outcome;

	for (; qp->executed != qp->posted; qp->executed++) {
		const struct soft_wqe *w = soft_qp_wqe(qp, qp->executed);

		if (w->due_ns > now)
			return;
		if (likely(run_fast(qp, w, run)))
			continue;
		outcome = soft_exec_one(qp, w, qp->executed, run);
		if (outcome == SOFT_STALLED)
			return;
		if (outcome == SOFT_FAILED) {
			qp->executed++;
			soft_exec_flush_sends(qp, run);
			return;
		}
	}
}

void
soft_io_run(struct soft_qp *qp, struct soft_run *run)
{
	if (qp->has_staged) {
		qp->has_staged = false;
		show_staged(qp->send_cq);
		run->sent = qp->send_cq;
		if (likely(qp->peer != &soft_qp_nobody)) {
			run->received = qp->peer->recv_cq;
			show_staged(run->received);
		}
	}
	if (qp->executed != qp->posted && !qp->is_stalled)
		run_ring(qp, run);
}

/* Those from @cqe to @end, which lie side by side in the ring. */
static __always_inline struct ibv_wc *
copy_completions(const struct soft_cqe *cqe, const struct soft_cqe *end,
	struct ibv_wc *wc)
{
	for (; cqe != end; cqe++, wc++) {
		*wc = cqe->wc;
		if (cqe->qp)
			atomic_store_explicit(&cqe->qp->reclaimed,
				cqe->sq_index, memory_order_relaxed);
	}
	return wc;
}

/* Copy out completions, and give the send queues their slots back. */
static __always_inline int
take_completions(struct soft_cq *cq, int nr_entries, struct ibv_wc *wc)
{
	const uint32_t at = atomic_load_explicit(&cq->consumed,
		memory_order_relaxed);
	const uint32_t first = at & cq->mask, size = cq->mask + 1;
	uint32_t nr = atomic_load_explicit(&cq->produced,
			      memory_order_acquire) - at;

	nr = min(nr, (uint32_t)nr_entries);
	if (likely(first + nr <= size)) {
		copy_completions(&cq->ring[first], &cq->ring[first + nr], wc);
	} else {
		wc = copy_completions(&cq->ring[first], &cq->ring[size], wc);
		copy_completions(&cq->ring[0], &cq->ring[first + nr - size],
			wc);
	}
	atomic_store_explicit(&cq->consumed, at + nr, memory_order_release);
	return (int)nr;
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
