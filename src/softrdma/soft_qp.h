/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Queue pairs: RC only, made through a CM id.
 *
 *	send queue   reclaimed ......... executed ......... posted
 *	                 │ done, slots not    │ waiting: not yet due, or
 *	                 │ yet given back     │ the peer has no receive
 *	receive queue    rq_taken ........ rq_shown ......... rq_posted
 *	                     │ for the peer     │ not before RTS
 *
 * Slots of the send queue come back when a signalled completion behind them
 * is polled, as on hardware. Work that is carried out inside the post never
 * enters the ring; its slots are only counted.
 *
 * Locks, in this order: device, cq->qps_lock, sq_lock, rq_lock, cq->poll_lock,
 * cq->lock, channel. One thread never holds the send-queue locks of two QPs.
 * Who carries out the work of a QP holds its sq_lock; that also keeps the peer
 * alive, because a QP that goes away first takes itself out of its peer under
 * the peer's sq_lock. The receive queue has one to put in (rq_lock) and one to
 * take out, the peer, who needs no further lock: a QP that fails hides its
 * receives under the peer's sq_lock before it flushes them.
 */
#ifndef SOFTRDMA_SOFT_QP_H
#define SOFTRDMA_SOFT_QP_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_mem.h"
#include "softrdma/soft_spin.h"
#include "util/list.h"

#define SOFT_MAX_QP 65536
#define SOFT_MAX_WR 32768
#define SOFT_MAX_SGE 32
#define SOFT_MAX_INLINE 256
#define SOFT_MAX_MSG_BYTES UINT32_MAX /* any single element fits */
#define SOFT_MAX_RD_ATOMIC 128
#define SOFT_RNR_FOR_EVER 7

/*
 * Send work in the ring; the list, or one element and the inline data it
 * points to, follow in the slot. The middle is as in struct ibv_send_wr, which
 * makes it two moves.
 */
struct soft_wqe_verb {
	uint32_t num_sge;
	uint32_t opcode;
	uint32_t flags;
	uint32_t imm_data;
};

struct soft_wqe_remote {
	uint64_t addr;
	uint32_t rkey;
	uint32_t pad;
};

struct soft_wqe {
	uint64_t wr_id;
	uint64_t bytes;
	struct soft_wqe_verb verb;
	struct soft_wqe_remote remote;
	const struct ibv_sge *sgl;
	uint64_t due_ns; /* timer only */
};
ASSERT_SIZE(struct soft_wqe, 64);
ASSERT_SIZE(struct soft_wqe_verb, 16);
static_assert(offsetof(struct ibv_send_wr, opcode) ==
			offsetof(struct ibv_send_wr, num_sge) + 4 &&
		offsetof(struct ibv_send_wr, send_flags) ==
			offsetof(struct ibv_send_wr, num_sge) + 8 &&
		offsetof(struct ibv_send_wr, imm_data) ==
			offsetof(struct ibv_send_wr, num_sge) + 12,
	"struct soft_wqe_verb is not as in struct ibv_send_wr");
static_assert(offsetof(struct ibv_send_wr, wr.rdma.rkey) ==
		offsetof(struct ibv_send_wr, wr.rdma.remote_addr) +
			offsetof(struct soft_wqe_remote, rkey),
	"struct soft_wqe_remote is not as in struct ibv_send_wr");

struct soft_rwqe {
	uint64_t wr_id;
	uint32_t num_sge;      /* unless it is simple: */
	uint32_t simple_bytes; /* of the one element; 0 = it is not */
	struct ibv_sge sge[];
};

/* What a post does first; anything unusual is SOFT_SQ_RING. */
enum soft_sq_mode {
	SOFT_SQ_RING,	/* look at the state and the irqmode */
	SOFT_SQ_DIRECT, /* RTS: carried out and shown inside the post */
	SOFT_SQ_STAGED, /* RTS: carried out, completions staged */
};

enum soft_rq_mode {
	SOFT_RQ_RESET,	/* takes none */
	SOFT_RQ_HELD,	/* not connected: takes and keeps them */
	SOFT_RQ_OPEN,	/* shows them to the peer */
	SOFT_RQ_CLOSED, /* flushes them */
};

struct soft_qp {
	/* Set at creation or connection, read by all. */
	struct ibv_qp qp;
	struct soft_dev *dev;
	const struct soft_mr_entry *mr_table;
	struct soft_cq *send_cq;
	struct soft_cq *recv_cq;
	struct soft_pd *pd;
	struct ibv_qp_cap cap;
	_Atomic(int) state;	    /* enum ibv_qp_state */
	_Atomic(bool) is_immediate; /* carried out and shown in the post */
	bool is_timed;
	uint32_t extra_flags; /* IBV_SEND_SIGNALED if all are */
	uint8_t rnr_retry;
	uint8_t max_rd_atomic;
	uint8_t max_dest_rd_atomic;

	/* Send queue: sq_lock. */
	struct soft_spin sq_lock __cacheline_aligned;
	uint32_t posted;
	uint32_t executed;
	uint32_t sq_mask;
	enum soft_sq_mode sq_mode;
	bool has_staged; /* completions not shown yet, here or at the peer */
	bool is_stalled; /* waits for the peer's receive or its RTR */
	struct soft_qp *peer; /* soft_qp_nobody if there is none */
	uint8_t *sq;
	uint64_t sq_stride;
	_Atomic(uint32_t) reclaimed __cacheline_aligned; /* by polls */

	/* Receive queue, those who post: rq_lock. */
	struct soft_spin rq_lock __cacheline_aligned;
	uint32_t rq_posted;
	uint32_t rq_flushed; /* when closed: done so far, from rq_taken on */
	enum soft_rq_mode rq_mode;
	uint32_t rq_mask;
	uint64_t rq_stride;
	uint8_t *rq;
	_Atomic(uint32_t) rq_shown;  /* what the peer may take */
	_Atomic(bool) has_starved;   /* the peer waits for a receive */
	/* Receive queue, who takes: the peer, under its sq_lock. */
	_Atomic(uint32_t) rq_taken __cacheline_aligned;

	/* Lists: the device's lock, and qps_lock of the CQ. */
	struct list dev_node;
	struct list send_node;
	struct list recv_node;
	uint32_t nr_async; /* events handed out, not acknowledged */
};

static inline struct soft_qp *
soft_qp_of(struct ibv_qp *qp)
{
	return container_of(qp, struct soft_qp, qp);
}

static inline struct soft_wqe *
soft_qp_wqe(const struct soft_qp *qp, uint32_t index)
{
	return (struct soft_wqe *)(void *)(qp->sq +
		(index & qp->sq_mask) * qp->sq_stride);
}

static inline struct soft_rwqe *
soft_qp_rwqe(const struct soft_qp *qp, uint32_t index)
{
	return (struct soft_rwqe *)(void *)(qp->rq +
		(index & qp->rq_mask) * qp->rq_stride);
}

/* The peer of those without: it is in ERR and has no receives. */
extern struct soft_qp soft_qp_nobody;

static inline int
soft_qp_state(const struct soft_qp *qp)
{
	return atomic_load_explicit(&qp->state, memory_order_relaxed);
}

/* librdmacm's convention. The QP is left in INIT: receives may be posted. */
int soft_qp_create(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr);
void soft_qp_destroy(struct ibv_qp *qp);
int soft_qp_modify(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int soft_qp_query(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
	struct ibv_qp_init_attr *init_attr);

/* What the two ends agreed on, from one end's side. */
struct soft_qp_link {
	uint8_t rnr_retry;
	uint8_t max_rd_atomic;
	uint8_t max_dest_rd_atomic;
};

/* To RTS, sending to @peer (which may still be in INIT) or to nobody. */
void soft_qp_connect(struct soft_qp *qp, struct soft_qp *peer,
	const struct soft_qp_link *link);
/*
 * To ERR: work that waits only for its time is carried out, the rest is
 * flushed with completions, and the peer is told. By number, for callers who
 * hold nothing that keeps the QP alive: false if it has gone.
 */
bool soft_qp_fail(struct soft_dev *dev, uint32_t qp_num);
/* Called with the device's lock held. NULL if it has gone. */
struct soft_qp *soft_qp_find(struct soft_dev *dev, uint32_t qp_num);

/* A handler came or went; called with the device's lock held. */
void soft_qp_update_immediate(struct soft_qp *qp);
/* The state or is_immediate has changed; called with sq_lock held. */
void soft_qp_update_mode(struct soft_qp *qp);

#endif /* SOFTRDMA_SOFT_QP_H */
