/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * When posted work is carried out and seen: the device's irqmode.
 *
 * NONE, THREAD: inside the post.
 *
 * SOFTIRQ: data moves inside the post, but completions are only staged; they
 * are shown, and handlers called, at the next poll or arming of one of the
 * QP's CQs, by whichever thread does it; further posts join what is staged,
 * so that a handler is called once for all of them. But inside the post if
 *  - a CQ of the QP has a handler: its owner works in the device's context and
 *    need not call again;
 *  - a CQ of the QP or the peer's receive CQ is armed: somebody may be blocked
 *    on it.
 * Arming looks the other way round for what is staged: between the two, one
 * sees the other, so that nobody blocks on work that is only waiting for him.
 *
 * TIMER: work is carried out completion_nsec after the post, by whoever polls
 * after that. Where somebody may be blocked, it is the device's thread that
 * does it: posts to armed CQs and armings wake it. Handlers' own posts as in
 * SOFTIRQ, so a command that a handler answers takes one such delay.
 *
 *	post ── has_deferred on both CQs ──> poll, arm: drive
 *	    └── timer, somebody armed: wake the thread if it is idle
 */
#ifndef SOFTRDMA_SOFT_LOOP_H
#define SOFTRDMA_SOFT_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_qp.h"

struct soft_dev;
struct soft_run;

/* May somebody be blocked on a CQ of this QP? Called with sq_lock held. */
static inline bool
soft_loop_is_urgent(const struct soft_qp *qp)
{
	return atomic_load(&qp->recv_cq->armed) ||
		atomic_load(&qp->send_cq->armed);
}

/* Is the poster's work to be seen at once? Called with sq_lock held. */
static inline bool
soft_loop_is_immediate(const struct soft_qp *qp)
{
	return atomic_load_explicit(&qp->is_immediate, memory_order_relaxed) ||
		soft_loop_is_urgent(qp);
}

/* When work that is posted now may be carried out; timer only. */
uint64_t soft_loop_due_ns(const struct soft_qp *qp);
/* Work was put into the ring; called with sq_lock held. */
void soft_loop_defer(struct soft_qp *qp, struct soft_run *run);
/* Completions were staged; called with sq_lock held. */
void soft_loop_stage(struct soft_qp *qp, struct soft_run *run);

/* Carry out and show what waits on the QPs of this CQ. Without locks. */
void soft_loop_drive(struct soft_cq *cq);
/* @qp can take more (a receive, a new state): let its peer go on. */
void soft_loop_kick_peer(struct soft_qp *qp);
/* The same for the QP of this number itself, if it is still there. */
void soft_loop_kick(struct soft_dev *dev, uint32_t qp_num);
/*
 * soft_io_finish() of a run with failed QPs or a broken CQ. Releases sq_lock.
 */
void soft_loop_finish_rough(struct soft_qp *qp, struct soft_run *run);

#endif /* SOFTRDMA_SOFT_LOOP_H */
