/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_loop.h"

#include "softrdma/soft_device.h"
#include "softrdma/soft_io.h"
#include "softrdma/soft_timer.h"
#include "util/clock.h"

uint64_t
soft_loop_due_ns(const struct soft_qp *qp)
{
	if (atomic_load_explicit(&qp->is_immediate, memory_order_relaxed))
		return 0;
	return clock_ns() + qp->dev->attr.completion_nsec;
}

/* Tell both CQs that work is left. */
static void
mark(struct soft_qp *qp)
{
	/* Exchanges, to be ordered with the loads of `armed` behind them. */
	atomic_exchange(&qp->recv_cq->has_deferred, 1);
	atomic_exchange(&qp->send_cq->has_deferred, 1);
}

void
soft_loop_stage(struct soft_qp *qp, struct soft_run *run)
{
	qp->has_staged = true;
	run->sent = NULL;
	run->received = NULL;
	run->is_staging = false;
	mark(qp);
	if (unlikely(soft_loop_is_urgent(qp)))
		soft_io_run(qp, run);
}

static bool
is_peer_armed(const struct soft_qp *qp)
{
	return qp->peer != &soft_qp_nobody &&
		atomic_load(&qp->peer->recv_cq->armed);
}

void
soft_loop_defer(struct soft_qp *qp, struct soft_run *run)
{
	/* The peer will kick when it can take more. */
	if (unlikely(qp->is_stalled))
		return;
	if (!qp->is_timed ||
		atomic_load_explicit(&qp->is_immediate, memory_order_relaxed)) {
		soft_io_run(qp, run);
		return;
	}
	mark(qp);
	if (soft_loop_is_urgent(qp) || is_peer_armed(qp))
		soft_timer_wake(&qp->dev->timer);
}

/* Has this QP work to be carried out now? Called with sq_lock held. */
static bool
is_ready(const struct soft_qp *qp, struct soft_cq *cq)
{
	if (qp->has_staged)
		return true;
	if (qp->executed == qp->posted || qp->is_stalled)
		return false;
	if (!qp->is_timed ||
		soft_qp_wqe(qp, qp->executed)->due_ns <= clock_ns())
		return true;
	/* Not yet: the next call must look again. */
	atomic_store_explicit(&cq->has_deferred, 1, memory_order_relaxed);
	return false;
}

static bool
lock_if_ready(struct soft_qp *qp, struct soft_cq *cq)
{
	soft_spin_lock(&qp->sq_lock);
	if (is_ready(qp, cq))
		return true;
	soft_spin_unlock(&qp->sq_lock);
	return false;
}

/*
 * A QP with work, its sq_lock held. Called with qps_lock held: a QP leaves
 * the lists before it goes, so one of the two locks always holds it.
 */
static struct soft_qp *
lock_next(struct soft_cq *cq)
{
	struct soft_qp *qp;

	list_for_each_entry(qp, &cq->qps_recv, recv_node) {
		if (lock_if_ready(qp, cq))
			return qp;
	}
	list_for_each_entry(qp, &cq->qps_send, send_node) {
		if (lock_if_ready(qp, cq))
			return qp;
	}
	return NULL;
}

/* Called with sq_lock held, which is released. */
static void
run_locked(struct soft_qp *qp)
{
	struct soft_run run;

	soft_run_init(&run);
	soft_io_run(qp, &run);
	if (unlikely(qp->executed != qp->posted))
		soft_loop_defer(qp, &run);
	soft_io_finish(qp, &run);
}

void
soft_loop_drive(struct soft_cq *cq)
{
	struct soft_qp *qp;
	bool has_more;

	/* Taken back first: a post from now on sets it anew. */
	if (!atomic_exchange(&cq->has_deferred, 0))
		return;
	do {
		soft_spin_lock(&cq->qps_lock);
		has_more = cq->nr_qps > 1;
		qp = lock_next(cq);
		soft_spin_unlock(&cq->qps_lock);
		if (qp)
			run_locked(qp);
	} while (qp && has_more);
}

/* Called with sq_lock held, which is released. */
static void
kick_locked(struct soft_qp *qp)
{
	qp->is_stalled = false;
	run_locked(qp);
}

void
soft_loop_kick_peer(struct soft_qp *qp)
{
	struct soft_dev *dev = qp->dev;
	struct soft_qp *peer;

	pthread_mutex_lock(&dev->lock);
	peer = qp->peer;
	if (peer != &soft_qp_nobody)
		soft_spin_lock(&peer->sq_lock);
	pthread_mutex_unlock(&dev->lock);
	if (peer != &soft_qp_nobody)
		kick_locked(peer);
}

void
soft_loop_kick(struct soft_dev *dev, uint32_t qp_num)
{
	struct soft_qp *qp;

	pthread_mutex_lock(&dev->lock);
	qp = soft_qp_find(dev, qp_num);
	if (qp)
		soft_spin_lock(&qp->sq_lock);
	pthread_mutex_unlock(&dev->lock);
	if (qp)
		kick_locked(qp);
}

static void
raise_event(struct soft_dev *dev, uint32_t qp_num, int event)
{
	struct ibv_async_event e = { .event_type = (enum ibv_event_type)event };
	struct soft_qp *qp;

	pthread_mutex_lock(&dev->lock);
	qp = soft_qp_find(dev, qp_num);
	if (qp) {
		e.element.qp = &qp->qp;
		soft_async_raise(dev, &e);
	}
	pthread_mutex_unlock(&dev->lock);
}

/* A CQ that broke and has not been told of; called with dev->lock held. */
static struct soft_cq *
find_overrun(struct soft_dev *dev)
{
	struct soft_cq *cq;

	list_for_each_entry(cq, &dev->cqs, dev_node) {
		if (atomic_load(&cq->is_overrun) && !cq->is_overrun_told)
			return cq;
	}
	return NULL;
}

/* A QP at work that uses a broken CQ; 0 for none. */
static uint32_t
find_victim(struct soft_dev *dev)
{
	struct soft_qp *qp;

	list_for_each_entry(qp, &dev->qps, dev_node) {
		int state = soft_qp_state(qp);

		if (state != IBV_QPS_ERR && state != IBV_QPS_RESET &&
			(qp->send_cq->is_overrun_told ||
				qp->recv_cq->is_overrun_told))
			return qp->qp.qp_num;
	}
	return 0;
}

static void
tell_overruns(struct soft_dev *dev)
{
	struct ibv_async_event e = { .event_type = IBV_EVENT_CQ_ERR };
	struct soft_cq *cq;
	uint32_t victim;

	pthread_mutex_lock(&dev->lock);
	while ((cq = find_overrun(dev))) {
		cq->is_overrun_told = true;
		e.element.cq = &cq->cq;
		soft_async_raise(dev, &e);
	}
	while ((victim = find_victim(dev))) {
		pthread_mutex_unlock(&dev->lock);
		soft_qp_fail(dev, victim);
		pthread_mutex_lock(&dev->lock);
	}
	pthread_mutex_unlock(&dev->lock);
}

__cold void
soft_loop_finish_rough(struct soft_qp *qp, struct soft_run *run)
{
	struct soft_cq *claimed[] = { run->received, run->sent, run->flushed };
	struct soft_dev *dev = qp->dev;
	unsigned int i;

	atomic_fetch_add(&dev->nr_busy, 1);
	for (i = 0; i < ARRAY_SIZE(claimed); i++) {
		if (claimed[i] && !soft_cq_claim(claimed[i]))
			claimed[i] = NULL;
	}
	soft_spin_unlock(&qp->sq_lock);
	/* From here on only what was claimed is sure to exist. */
	for (i = 0; i < run->nr_failed; i++) {
		if (run->failed[i].event != SOFT_NO_EVENT)
			raise_event(dev, run->failed[i].qp_num,
				run->failed[i].event);
		soft_qp_fail(dev, run->failed[i].qp_num);
	}
	if (run->has_overrun)
		tell_overruns(dev);
	for (i = 0; i < ARRAY_SIZE(claimed); i++) {
		if (claimed[i])
			soft_cq_run_handler(claimed[i]);
	}
	atomic_fetch_sub(&dev->nr_busy, 1);
}
