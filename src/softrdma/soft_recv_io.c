/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Receives, from the caller's list into the ring of the receive queue. */
#include "softrdma/soft_io.h"

#include <errno.h>

#include "softrdma/soft_exec.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_qp.h"

/* All but one element, or one of no length. */
static void
store_receive_list(struct soft_rwqe *r, const struct ibv_recv_wr *wr)
{
	int i;

	r->simple_bytes = 0;
	r->num_sge = (uint32_t)wr->num_sge;
	for (i = 0; i < wr->num_sge; i++)
		r->sge[i] = wr->sg_list[i];
}

/* Up to *@nr into slots side by side; *@nr becomes what is left of it. */
static __always_inline struct ibv_recv_wr *
store_receive_run(const struct soft_qp *qp, uint8_t *slot, uint32_t *nr,
	struct ibv_recv_wr *wr)
{
	const uint64_t stride = qp->rq_stride;
	uint32_t left = *nr;

	for (; likely(wr) && left; wr = wr->next, slot += stride, left--) {
		struct soft_rwqe *r = (void *)slot;
		const struct ibv_sge *sge = wr->sg_list;

		r->wr_id = wr->wr_id;
		if (likely(wr->num_sge == 1 && sge->length)) {
			const struct ibv_sge one = *sge;

			r->simple_bytes = one.length;
			r->sge[0] = one;
			continue;
		}
		if ((uint32_t)wr->num_sge > qp->cap.max_recv_sge)
			break;
		store_receive_list(r, wr);
	}
	*nr = left;
	return wr;
}

/*
 * The first for which there is no room or that is too long, or NULL. @first is
 * the oldest slot in use.
 */
static __always_inline struct ibv_recv_wr *
store_receives(struct soft_qp *qp, struct ibv_recv_wr *wr, uint32_t first)
{
	const uint32_t size = qp->rq_mask + 1;
	uint32_t room = size - (qp->rq_posted - first);

	while (wr && room) {
		const uint32_t at = qp->rq_posted & qp->rq_mask;
		const uint32_t most = min(room, size - at);
		uint32_t left = most;

		wr = store_receive_run(qp, qp->rq + at * qp->rq_stride, &left,
			wr);
		qp->rq_posted += most - left;
		room -= most - left;
		if (left)
			break;
	}
	return wr;
}

static __cold int
why_no_receive(const struct soft_qp *qp, const struct ibv_recv_wr *wr)
{
	if (qp->rq_mode == SOFT_RQ_RESET ||
		(uint32_t)wr->num_sge > qp->cap.max_recv_sge)
		return EINVAL;
	return ENOMEM;
}

/* A QP in ERR takes receives and flushes them, as hardware does. */
static __cold void
flush_posted(struct soft_qp *qp)
{
	struct soft_run run;

	soft_run_init(&run);
	soft_spin_lock(&qp->sq_lock);
	soft_exec_flush_receives(qp, &run);
	soft_io_finish(qp, &run);
}

/* Anything but open; rq_lock held. The first receive not stored, or NULL. */
static __cold struct ibv_recv_wr *
store_not_open(struct soft_qp *qp, struct ibv_recv_wr *wr)
{
	if (qp->rq_mode == SOFT_RQ_RESET)
		return wr;
	return store_receives(qp, wr,
		qp->rq_mode == SOFT_RQ_CLOSED ? qp->rq_flushed :
						atomic_load(&qp->rq_taken));
}

int
soft_recv_post(struct ibv_qp *ibqp, struct ibv_recv_wr *wr,
	struct ibv_recv_wr **bad_wr)
{
	struct soft_qp *qp = soft_qp_of(ibqp);
	enum soft_rq_mode mode;
	int ret = 0;

	soft_spin_lock(&qp->rq_lock);
	mode = qp->rq_mode;
	if (likely(mode == SOFT_RQ_OPEN)) {
		wr = store_receives(qp, wr,
			atomic_load_explicit(&qp->rq_taken,
				memory_order_acquire));
		/* Fully ordered with the look below, see find_receive(). */
		atomic_store(&qp->rq_shown, qp->rq_posted);
	} else {
		wr = store_not_open(qp, wr);
	}
	if (unlikely(wr)) {
		*bad_wr = wr;
		ret = why_no_receive(qp, wr);
	}
	soft_spin_unlock(&qp->rq_lock);

	if (unlikely(atomic_load(&qp->has_starved)) &&
		atomic_exchange(&qp->has_starved, false))
		soft_loop_kick_peer(qp);
	if (unlikely(mode == SOFT_RQ_CLOSED))
		flush_posted(qp);
	return ret;
}
