/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The common case of a work request, inlined into the loops over lists: one
 * element at each end, nothing wrong, room in every queue. Each function
 * either does all of it or, before anything is changed, answers false; then
 * soft_exec_one() does the same at leisure and knows what is wrong. So every
 * check is here too, but not one error.
 *
 * Called with sq_lock of @qp held.
 */
#ifndef SOFTRDMA_SOFT_FAST_H
#define SOFTRDMA_SOFT_FAST_H

#include <string.h>

#include "softrdma/soft_io.h"
#include "softrdma/soft_qp.h"

/* A work request as it comes from the caller's list or from the ring. */
struct soft_fast_wr {
	uint64_t kind; /* soft_fast_kind() */
	const struct ibv_sge *sge;
	const struct soft_wqe_remote *remote; /* looked at by RDMA only */
	uint32_t flags;
	uint32_t bytes; /* of the element, once the kind is known */
};

/*
 * num_sge and opcode, side by side in a work request, as one number: the kinds
 * of request that are handled here are told by one compare each.
 */
static __always_inline uint64_t
soft_fast_kind(const void *verb)
{
	uint64_t kind;

	memcpy(&kind, verb, sizeof(kind));
	return kind;
}

#define SOFT_FAST_KIND(opcode_)                                                \
	soft_fast_kind(&(const struct soft_wqe_verb){ .num_sge = 1,            \
		.opcode = (opcode_) })

/* Two machine words or less at a time, from both ends to the middle. */
struct soft_16 {
	uint64_t word[2];
} __attribute__((packed, may_alias));
struct soft_8 {
	uint64_t word;
} __attribute__((packed, may_alias));

/*
 * memmove() for messages: a call costs more than moving 64 bytes. All loads
 * come before the first store, so overlapping is no matter.
 */
static __always_inline void
soft_copy(void *to, const void *from, uint64_t bytes)
{
	uint8_t *d = to;
	const uint8_t *s = from;

	if (likely(bytes - 32 <= 32)) {
		struct soft_16 a = *(const struct soft_16 *)s;
		struct soft_16 b = *(const struct soft_16 *)(s + 16);
		struct soft_16 y = *(const struct soft_16 *)(s + bytes - 32);
		struct soft_16 z = *(const struct soft_16 *)(s + bytes - 16);

		*(struct soft_16 *)d = a;
		*(struct soft_16 *)(d + 16) = b;
		*(struct soft_16 *)(d + bytes - 32) = y;
		*(struct soft_16 *)(d + bytes - 16) = z;
		return;
	}
	memmove(to, from, bytes);
}

/* A receive completion; what is zero in all of them stays so in the ring. */
static __always_inline void
soft_fast_fill(struct soft_cqe *cqe, const struct soft_qp *qp, uint64_t wr_id,
	uint32_t bytes)
{
	cqe->wc.wr_id = wr_id;
	cqe->wc.status = IBV_WC_SUCCESS;
	cqe->wc.opcode = IBV_WC_RECV;
	cqe->wc.byte_len = bytes;
	cqe->wc.qp_num = qp->qp.qp_num;
	cqe->wc.wc_flags = 0;
	cqe->qp = NULL;
}

/*
 * May the source be read? Inline data has no key, but must not be longer than
 * the QP was made for (which is so for what is in the ring).
 */
static __always_inline bool
soft_fast_check_source(const struct soft_qp *qp, const struct soft_fast_wr *wr)
{
	if (wr->flags & IBV_SEND_INLINE)
		return wr->bytes <= qp->cap.max_inline_data;
	return soft_mem_check(qp->mr_table, qp->pd, wr->sge,
		SOFT_ACCESS_LOCAL_READ);
}

static __always_inline bool
soft_fast_send(struct soft_qp *qp, const struct soft_fast_wr *wr,
	bool is_staging, struct soft_run *run)
{
	struct soft_qp *peer = qp->peer;
	struct soft_cq *cq = peer->recv_cq;
	const uint32_t at = atomic_load_explicit(&peer->rq_taken,
		memory_order_relaxed);
	const struct soft_rwqe *r;
	struct soft_cqe *cqe;
	struct ibv_sge to;

	if (unlikely(at == atomic_load_explicit(&peer->rq_shown,
			     memory_order_acquire)))
		return false;
	r = soft_qp_rwqe(peer, at);
	to = (struct ibv_sge){ r->sge[0].addr, wr->bytes, r->sge[0].lkey };
	if (unlikely(r->simple_bytes < wr->bytes ||
		    !soft_mem_check(peer->mr_table, peer->pd, &to,
			    SOFT_ACCESS_LOCAL_WRITE) ||
		    !soft_fast_check_source(qp, wr)))
		return false;
	soft_spin_lock(&cq->lock);
	cqe = soft_cq_try_reserve(cq);
	if (unlikely(!cqe)) {
		soft_spin_unlock(&cq->lock);
		return false;
	}
	soft_copy((void *)(uintptr_t)to.addr,
		(void *)(uintptr_t)wr->sge->addr, wr->bytes);
	soft_fast_fill(cqe, peer, r->wr_id, wr->bytes);
	/* Who sees the completion may post another receive in its place. */
	atomic_store_explicit(&peer->rq_taken, at + 1, memory_order_release);
	soft_cq_commit(cq, wr->flags & IBV_SEND_SOLICITED, is_staging);
	soft_spin_unlock(&cq->lock);
	run->received = cq;
	return true;
}

static __always_inline bool
soft_fast_write(const struct soft_qp *qp, const struct soft_fast_wr *wr)
{
	const struct ibv_sge to = { wr->remote->addr, wr->bytes,
		wr->remote->rkey };
	const struct soft_qp *peer = qp->peer;

	if (unlikely(soft_qp_state(peer) != IBV_QPS_RTS ||
		    !soft_fast_check_source(qp, wr) ||
		    !soft_mem_check(peer->mr_table, peer->pd, &to,
			    SOFT_ACCESS_REMOTE_WRITE)))
		return false;
	memmove((void *)(uintptr_t)to.addr, (void *)(uintptr_t)wr->sge->addr,
		wr->bytes);
	return true;
}

/* The list is where to, and not where from. */
static __always_inline bool
soft_fast_read(const struct soft_qp *qp, const struct soft_fast_wr *wr)
{
	const struct ibv_sge from = { wr->remote->addr, wr->bytes,
		wr->remote->rkey };
	const struct soft_qp *peer = qp->peer;

	if (unlikely(soft_qp_state(peer) != IBV_QPS_RTS ||
		    !qp->max_rd_atomic || !peer->max_dest_rd_atomic ||
		    wr->flags & IBV_SEND_INLINE ||
		    !soft_mem_check(qp->mr_table, qp->pd, wr->sge,
			    SOFT_ACCESS_LOCAL_WRITE) ||
		    !soft_mem_check(peer->mr_table, peer->pd, &from,
			    SOFT_ACCESS_REMOTE_READ)))
		return false;
	memmove((void *)(uintptr_t)wr->sge->addr, (void *)(uintptr_t)from.addr,
		wr->bytes);
	return true;
}

static __always_inline bool
soft_fast_one(struct soft_qp *qp, struct soft_fast_wr *wr, bool is_staging,
	struct soft_run *run)
{
	if (likely(wr->kind == SOFT_FAST_KIND(IBV_WR_SEND))) {
		wr->bytes = wr->sge->length;
		return soft_fast_send(qp, wr, is_staging, run);
	}
	if (likely(wr->kind == SOFT_FAST_KIND(IBV_WR_RDMA_WRITE))) {
		wr->bytes = wr->sge->length;
		return soft_fast_write(qp, wr);
	}
	if (wr->kind == SOFT_FAST_KIND(IBV_WR_RDMA_READ)) {
		wr->bytes = wr->sge->length;
		return soft_fast_read(qp, wr);
	}
	return false;
}

#endif /* SOFTRDMA_SOFT_FAST_H */
