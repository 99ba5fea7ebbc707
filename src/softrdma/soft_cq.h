/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Completion queues and completion channels.
 *
 *	QPs ── add (lock) ──> reserved ...... produced ...... consumed
 *	                        staged      │   to be polled   └─ poll (poll_lock)
 *	                                    ├─ armed: one event
 *	                                    └─ handler: claimed, run when no lock
 *	                                       is held
 *
 * Staged completions (irqmode softirq, see soft_loop.h) are in the ring but
 * not yet shown. An armed CQ stages nothing, and arming shows what is staged,
 * so that nobody blocks on one.
 *
 * Arming: an event is raised for the first completion added after the arming
 * (for solicited_only: the first solicited or failed one), never for those
 * that were in the queue before; so a consumer arms, polls once more and then
 * blocks. One arming raises one event.
 *
 * Handlers: whoever adds completions claims the CQ while it still holds the
 * lock that keeps the CQ alive, and runs the handler once it holds none. The
 * claim counts kicks: the first claimer runs the handler until no kick came
 * in between, later ones leave it to that one. Thus never twice at once, and
 * no recursion deeper than there are CQs.
 *
 * A full ring is an error of the CQ, as on hardware: the completion is lost,
 * nothing is added any more, IBV_EVENT_CQ_ERR is raised, and every QP on it
 * goes to the error state. poll returns what was in the ring, then -EIO.
 */
#ifndef SOFTRDMA_SOFT_CQ_H
#define SOFTRDMA_SOFT_CQ_H

#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"
#include "softrdma/soft_spin.h"
#include "util/compiler.h"
#include "util/list.h"

#define SOFT_MAX_CQ 65536
#define SOFT_MAX_CQE 262144

struct soft_dev;
struct soft_qp;

/* One completion. @qp: whose send queue the poll gives slots back to. */
struct soft_cqe {
	struct ibv_wc wc;
	struct soft_qp *qp;
	uint32_t sq_index;
} __cacheline_aligned;
ASSERT_SIZE(struct soft_cqe, CACHELINE_BYTES);

enum soft_armed {
	SOFT_ARMED_NOT,
	SOFT_ARMED_SOLICITED,
	SOFT_ARMED_ANY,
};

struct soft_comp_channel {
	struct ibv_comp_channel channel; /* fd: readable while any */
	struct soft_dev *dev;
	struct soft_spin lock;
	struct list raised; /* CQs with events not yet read */
	int nr_cqs;	    /* guarded by the device's lock */
};

struct soft_cq {
	/* Set at creation, read by all. */
	struct ibv_cq cq;
	struct soft_dev *dev;
	struct soft_cqe *ring;
	uint32_t mask;
	bool is_timed; /* by the device's irqmode */
	_Atomic(fabric_cq_handler *) handler;
	void *_Atomic handler_arg;

	/* Those who add. */
	struct soft_spin lock __cacheline_aligned;
	uint32_t reserved;	    /* written, shown or not */
	_Atomic(uint32_t) produced; /* shown to those who poll */
	uint32_t consumed_seen; /* what add last saw of `consumed` */
	_Atomic(int) armed;	/* enum soft_armed; written under lock */
	_Atomic(bool) is_overrun;
	_Atomic(uint32_t) nr_kicks; /* of the handler */

	/* Those who poll. */
	_Atomic(uint32_t) consumed __cacheline_aligned;
	struct soft_spin poll_lock;

	/* Set by posts: some QP here has work that waits to be carried out. */
	_Atomic(int) has_deferred __cacheline_aligned;
	struct soft_spin qps_lock;
	int nr_qps;
	struct list qps_send; /* QPs by their send CQ ... */
	struct list qps_recv; /* ... and by their receive CQ */

	/* Events, under the channel's lock. */
	struct list raised_node;
	uint32_t nr_fired;  /* in all */
	uint32_t nr_raised; /* not yet read from the channel */

	/* Under the device's lock. */
	struct list dev_node;
	bool is_overrun_told;
};

static inline struct soft_cq *
soft_cq_of(struct ibv_cq *cq)
{
	return container_of(cq, struct soft_cq, cq);
}

struct ibv_comp_channel *soft_cq_create_channel(struct ibv_context *context);
int soft_cq_destroy_channel(struct ibv_comp_channel *channel);
struct ibv_cq *soft_cq_create(struct ibv_context *context, int cqe,
	void *cq_context, struct ibv_comp_channel *channel, int comp_vector);
int soft_cq_destroy(struct ibv_cq *cq);
int soft_cq_modify(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int soft_cq_get_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
	void **cq_context);
void soft_cq_ack_events(struct ibv_cq *cq, unsigned int nevents);
int soft_cq_set_handler(struct ibv_cq *cq, fabric_cq_handler *fn, void *arg);
int soft_cq_req_notify(struct ibv_cq *cq, int solicited_only);

/* QPs tell which CQs they use; called with the device's lock held. */
void soft_cq_attach(struct soft_qp *qp);
void soft_cq_detach(struct soft_qp *qp);
/* Take out the completions of @qp, which is going away. */
void soft_cq_purge(struct soft_cq *cq, const struct soft_qp *qp);

/* Drop unread events; wait until those read are acknowledged. */
void soft_cq_forget_events(struct soft_cq *cq);
/* Raise the event of an armed CQ. Called with cq->lock held. */
void soft_cq_raise(struct soft_cq *cq);
/* Run the handler of a claimed CQ. Called without any lock. */
void soft_cq_run_handler(struct soft_cq *cq);

/* True: the caller must call soft_cq_run_handler() once it holds no lock. */
static inline bool
soft_cq_claim(struct soft_cq *cq)
{
	if (!atomic_load_explicit(&cq->handler, memory_order_relaxed))
		return false;
	return atomic_fetch_add(&cq->nr_kicks, 1) == 0;
}

/*
 * The ring looks full: is it? A broken CQ stays so, however much is polled,
 * since what add saw of `consumed` is not renewed any more.
 */
bool soft_cq_has_room(struct soft_cq *cq);

/*
 * A slot to write the next completion to, or NULL: the ring is full. Called
 * with cq->lock held, and so is the commit.
 */
static __always_inline struct soft_cqe *
soft_cq_try_reserve(struct soft_cq *cq)
{
	uint32_t at = cq->reserved;

	if (unlikely(at - cq->consumed_seen > cq->mask) &&
		!soft_cq_has_room(cq))
		return NULL;
	return &cq->ring[at & cq->mask];
}

/* For a completion that must be: if there is no room, the CQ is broken. */
static inline struct soft_cqe *
soft_cq_reserve(struct soft_cq *cq)
{
	struct soft_cqe *cqe = soft_cq_try_reserve(cq);

	if (unlikely(!cqe))
		atomic_store(&cq->is_overrun, true);
	return cqe;
}

/* Show what is staged. Called with cq->lock held. */
static __always_inline void
soft_cq_show(struct soft_cq *cq)
{
	atomic_store_explicit(&cq->produced, cq->reserved,
		memory_order_release);
}

static __always_inline void
soft_cq_commit(struct soft_cq *cq, bool is_solicited, bool is_staged)
{
	int armed = atomic_load_explicit(&cq->armed, memory_order_relaxed);

	cq->reserved++;
	if (is_staged && likely(!armed))
		return;
	soft_cq_show(cq);
	if (unlikely(armed) && (armed == SOFT_ARMED_ANY || is_solicited))
		soft_cq_raise(cq);
}

#endif /* SOFTRDMA_SOFT_CQ_H */
