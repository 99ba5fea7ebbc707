/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_qp.h"

#include <errno.h>
#include <stdlib.h>

#include "softrdma/soft_device.h"
#include "softrdma/soft_exec.h"
#include "softrdma/soft_loop.h"
#include "util/mem.h"

struct soft_qp soft_qp_nobody = { .state = IBV_QPS_ERR };

static uint32_t
round_up_pow2(uint32_t n)
{
	return n <= 1 ? 1 : UINT32_C(1) << (32 - __builtin_clz(n - 1));
}

static int
check_attr(const struct rdma_cm_id *id, const struct ibv_pd *pd,
	const struct ibv_qp_init_attr *attr)
{
	const struct ibv_qp_cap *cap = &attr->cap;

	if (attr->qp_type != IBV_QPT_RC || attr->srq)
		return EOPNOTSUPP;
	if (!id->verbs || id->qp || !pd || pd->context != id->verbs)
		return EINVAL;
	if (!attr->send_cq || !attr->recv_cq ||
		attr->send_cq->context != id->verbs ||
		attr->recv_cq->context != id->verbs)
		return EINVAL;
	if (cap->max_send_wr > SOFT_MAX_WR || cap->max_recv_wr > SOFT_MAX_WR ||
		cap->max_send_sge > SOFT_MAX_SGE ||
		cap->max_recv_sge > SOFT_MAX_SGE ||
		cap->max_inline_data > SOFT_MAX_INLINE)
		return EINVAL;
	return 0;
}

/* One more than asked where a queue of 0 would be no queue. */
static void
grant(struct soft_qp *qp, struct ibv_qp_cap *cap)
{
	cap->max_send_wr = round_up_pow2(cap->max_send_wr);
	cap->max_recv_wr = round_up_pow2(cap->max_recv_wr);
	cap->max_send_sge = max(cap->max_send_sge, 1u);
	cap->max_recv_sge = max(cap->max_recv_sge, 1u);
	qp->cap = *cap;
}

static int
alloc_rings(struct soft_qp *qp)
{
	/* A slot holds a list, or one element and the data it points to. */
	uint32_t list = qp->cap.max_send_sge * sizeof(struct ibv_sge);
	uint32_t data = sizeof(struct ibv_sge) + qp->cap.max_inline_data;

	qp->sq_mask = qp->cap.max_send_wr - 1;
	qp->sq_stride = ALIGN_UP((uint32_t)sizeof(struct soft_wqe) +
			max(list, data), 64u);
	qp->rq_mask = qp->cap.max_recv_wr - 1;
	qp->rq_stride = sizeof(struct soft_rwqe) +
		qp->cap.max_recv_sge * sizeof(struct ibv_sge);
	qp->sq = mem_aligned_zalloc(CACHELINE_BYTES,
		(size_t)qp->sq_stride * qp->cap.max_send_wr);
	qp->rq = mem_aligned_zalloc(CACHELINE_BYTES,
		(size_t)qp->rq_stride * qp->cap.max_recv_wr);
	return qp->sq && qp->rq ? 0 : ENOMEM;
}

static void
free_qp(struct soft_qp *qp)
{
	free(qp->sq);
	free(qp->rq);
	free(qp);
}

static void
fill_qp(struct soft_qp *qp, struct soft_dev *dev, struct ibv_pd *pd,
	const struct ibv_qp_init_attr *attr)
{
	qp->qp.context = pd->context;
	qp->qp.qp_context = attr->qp_context;
	qp->qp.pd = pd;
	qp->qp.send_cq = attr->send_cq;
	qp->qp.recv_cq = attr->recv_cq;
	qp->qp.state = IBV_QPS_INIT;
	qp->qp.qp_type = IBV_QPT_RC;
	qp->dev = dev;
	qp->mr_table = dev->mrs.entry;
	qp->send_cq = soft_cq_of(attr->send_cq);
	qp->recv_cq = soft_cq_of(attr->recv_cq);
	qp->pd = container_of(pd, struct soft_pd, pd);
	qp->is_timed = dev->attr.irqmode == SOFT_IRQ_TIMER;
	qp->extra_flags = attr->sq_sig_all ? IBV_SEND_SIGNALED : 0;
	qp->rnr_retry = SOFT_RNR_FOR_EVER;
	qp->peer = &soft_qp_nobody;
	qp->rq_mode = SOFT_RQ_HELD;
	atomic_init(&qp->state, IBV_QPS_INIT);
	list_init(&qp->dev_node);
	list_init(&qp->send_node);
	list_init(&qp->recv_node);
}

static bool
add_to_dev(struct soft_dev *dev, struct soft_qp *qp)
{
	bool has_room;

	pthread_mutex_lock(&dev->lock);
	has_room = dev->nr_qps < SOFT_MAX_QP;
	if (has_room) {
		dev->nr_qps++;
		qp->qp.qp_num = dev->next_qp_num++;
		qp->qp.handle = qp->qp.qp_num;
		qp->pd->nr_users++;
		list_add_tail(&dev->qps, &qp->dev_node);
		soft_cq_attach(qp);
		soft_qp_update_immediate(qp);
	}
	pthread_mutex_unlock(&dev->lock);
	return has_room;
}

int
soft_qp_create(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr)
{
	struct soft_qp *qp;
	int ret = check_attr(id, pd, attr);

	if (ret) {
		errno = ret;
		return -1;
	}
	qp = mem_aligned_zalloc(CACHELINE_BYTES, sizeof(*qp));
	if (!qp) {
		errno = ENOMEM;
		return -1;
	}
	grant(qp, &attr->cap);
	fill_qp(qp, soft_dev_of(id->verbs), pd, attr);
	if (alloc_rings(qp) || !add_to_dev(qp->dev, qp)) {
		free_qp(qp);
		errno = ENOMEM;
		return -1;
	}
	id->qp = &qp->qp;
	id->pd = pd;
	id->send_cq = attr->send_cq;
	id->recv_cq = attr->recv_cq;
	id->send_cq_channel = attr->send_cq->channel;
	id->recv_cq_channel = attr->recv_cq->channel;
	return 0;
}

/*
 * Nobody sends to @qp any more, and it to nobody. Called with the device's
 * lock held. Passing through its own lock lets those out who found it before.
 */
static void
unlink_peers(struct soft_dev *dev, struct soft_qp *qp)
{
	struct soft_qp *other;

	list_for_each_entry(other, &dev->qps, dev_node) {
		soft_spin_lock(&other->sq_lock);
		if (other->peer == qp || other == qp)
			other->peer = &soft_qp_nobody;
		soft_spin_unlock(&other->sq_lock);
	}
}

/* What hardware would have sent long ago. */
static void
send_deferred(struct soft_qp *qp)
{
	struct soft_run run;

	soft_run_init(&run);
	soft_spin_lock(&qp->sq_lock);
	soft_io_run(qp, &run);
	soft_io_finish(qp, &run);
}

void
soft_qp_destroy(struct ibv_qp *ibqp)
{
	struct soft_qp *qp = soft_qp_of(ibqp);
	struct soft_dev *dev = qp->dev;
	uint32_t peer_num;

	send_deferred(qp);
	pthread_mutex_lock(&dev->lock);
	peer_num = qp->peer->qp.qp_num;
	soft_cq_detach(qp);
	unlink_peers(dev, qp);
	list_del(&qp->dev_node);
	dev->nr_qps--;
	qp->pd->nr_users--;
	soft_async_forget(dev, &qp->qp);
	pthread_mutex_unlock(&dev->lock);
	soft_cq_purge(qp->send_cq, qp);
	soft_cq_purge(qp->recv_cq, qp);
	free_qp(qp);
	/* What the peer still had for it fails now. */
	if (peer_num)
		soft_loop_kick(dev, peer_num);
}

struct soft_qp *
soft_qp_find(struct soft_dev *dev, uint32_t qp_num)
{
	struct soft_qp *qp;

	list_for_each_entry(qp, &dev->qps, dev_node) {
		if (qp->qp.qp_num == qp_num)
			return qp;
	}
	return NULL;
}

void
soft_qp_update_immediate(struct soft_qp *qp)
{
	bool is_immediate = !soft_dev_is_deferring(qp->dev) ||
		atomic_load(&qp->send_cq->handler) ||
		atomic_load(&qp->recv_cq->handler);

	soft_spin_lock(&qp->sq_lock);
	atomic_store(&qp->is_immediate, is_immediate);
	soft_qp_update_mode(qp);
	soft_spin_unlock(&qp->sq_lock);
}

void
soft_qp_update_mode(struct soft_qp *qp)
{
	if (soft_qp_state(qp) != IBV_QPS_RTS)
		qp->sq_mode = SOFT_SQ_RING;
	else if (atomic_load(&qp->is_immediate))
		qp->sq_mode = SOFT_SQ_DIRECT;
	else
		qp->sq_mode = qp->is_timed ? SOFT_SQ_RING : SOFT_SQ_STAGED;
}

void
soft_qp_connect(struct soft_qp *qp, struct soft_qp *peer,
	const struct soft_qp_link *link)
{
	struct soft_dev *dev = qp->dev;

	pthread_mutex_lock(&dev->lock);
	soft_spin_lock(&qp->sq_lock);
	qp->peer = peer ? peer : &soft_qp_nobody;
	qp->rnr_retry = link->rnr_retry;
	qp->max_rd_atomic = link->max_rd_atomic;
	qp->max_dest_rd_atomic = link->max_dest_rd_atomic;
	soft_spin_lock(&qp->rq_lock);
	if (soft_qp_state(qp) == IBV_QPS_INIT) {
		atomic_store(&qp->state, IBV_QPS_RTS);
		qp->qp.state = IBV_QPS_RTS;
		qp->rq_mode = SOFT_RQ_OPEN;
		atomic_store(&qp->rq_shown, qp->rq_posted);
		soft_qp_update_mode(qp);
	}
	soft_spin_unlock(&qp->rq_lock);
	soft_spin_unlock(&qp->sq_lock);
	pthread_mutex_unlock(&dev->lock);
}

/*
 * To ERR, and no receive is taken from now on: the peer, who takes them, is
 * locked out meanwhile. Called with the device's lock held.
 */
static void
close_receives(struct soft_qp *qp)
{
	struct soft_spin *taker = &qp->peer->sq_lock;

	soft_spin_lock(taker);
	soft_spin_lock(&qp->rq_lock);
	if (qp->rq_mode != SOFT_RQ_CLOSED) {
		qp->rq_mode = SOFT_RQ_CLOSED;
		qp->rq_flushed = atomic_load(&qp->rq_taken);
		atomic_store(&qp->rq_shown, qp->rq_flushed);
	}
	atomic_store(&qp->state, IBV_QPS_ERR);
	qp->qp.state = IBV_QPS_ERR;
	soft_spin_unlock(&qp->rq_lock);
	soft_spin_unlock(taker);
}

bool
soft_qp_fail(struct soft_dev *dev, uint32_t qp_num)
{
	struct soft_run run;
	struct soft_qp *qp;
	uint32_t peer_num;

	pthread_mutex_lock(&dev->lock);
	qp = soft_qp_find(dev, qp_num);
	if (!qp || soft_qp_state(qp) == IBV_QPS_RESET) {
		pthread_mutex_unlock(&dev->lock);
		return false;
	}
	peer_num = qp->peer->qp.qp_num;
	close_receives(qp);
	soft_spin_lock(&qp->sq_lock);
	pthread_mutex_unlock(&dev->lock);

	soft_run_init(&run);
	soft_qp_update_mode(qp);
	soft_io_run(qp, &run);
	soft_exec_flush_sends(qp, &run);
	soft_exec_flush_receives(qp, &run);
	soft_io_finish(qp, &run);
	/* What the peer still had for it ends now, too. */
	if (peer_num)
		soft_loop_kick(dev, peer_num);
	return true;
}

static void
reset(struct soft_qp *qp)
{
	struct soft_dev *dev = qp->dev;

	pthread_mutex_lock(&dev->lock);
	unlink_peers(dev, qp);
	soft_spin_lock(&qp->sq_lock);
	soft_spin_lock(&qp->rq_lock);
	atomic_store(&qp->state, IBV_QPS_RESET);
	qp->qp.state = IBV_QPS_RESET;
	qp->executed = qp->posted;
	atomic_store(&qp->reclaimed, qp->posted);
	soft_qp_update_mode(qp);
	qp->rq_mode = SOFT_RQ_RESET;
	atomic_store(&qp->rq_taken, qp->rq_posted);
	atomic_store(&qp->rq_shown, qp->rq_posted);
	qp->is_stalled = false;
	qp->has_staged = false;
	atomic_store(&qp->has_starved, false);
	soft_spin_unlock(&qp->rq_lock);
	soft_spin_unlock(&qp->sq_lock);
	pthread_mutex_unlock(&dev->lock);
	soft_cq_purge(qp->send_cq, qp);
	soft_cq_purge(qp->recv_cq, qp);
}

/*
 * To ERR and to RESET; the way from INIT to RTS belongs to the CM, which
 * knows the peer.
 */
int
soft_qp_modify(struct ibv_qp *ibqp, struct ibv_qp_attr *attr, int mask)
{
	struct soft_qp *qp = soft_qp_of(ibqp);

	if (!(mask & IBV_QP_STATE))
		return EINVAL;
	switch (attr->qp_state) {
	case IBV_QPS_ERR:
		return soft_qp_fail(qp->dev, ibqp->qp_num) ? 0 : EINVAL;
	case IBV_QPS_RESET:
		reset(qp);
		return 0;
	default:
		return EINVAL;
	}
}

int
soft_qp_query(struct ibv_qp *ibqp, struct ibv_qp_attr *attr,
	int mask __maybe_unused, struct ibv_qp_init_attr *init_attr)
{
	struct soft_qp *qp = soft_qp_of(ibqp);

	*attr = (struct ibv_qp_attr){
		.qp_state = (enum ibv_qp_state)atomic_load(&qp->state),
		.cur_qp_state = (enum ibv_qp_state)atomic_load(&qp->state),
		.path_mtu = IBV_MTU_4096,
		.qp_access_flags = IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_WRITE,
		.cap = qp->cap,
		.port_num = 1,
		.timeout = 14,
		.retry_cnt = 7,
	};
	pthread_mutex_lock(&qp->dev->lock);
	attr->rnr_retry = qp->rnr_retry;
	attr->max_rd_atomic = qp->max_rd_atomic;
	attr->max_dest_rd_atomic = qp->max_dest_rd_atomic;
	attr->dest_qp_num = qp->peer->qp.qp_num;
	pthread_mutex_unlock(&qp->dev->lock);
	*init_attr = (struct ibv_qp_init_attr){
		.qp_context = ibqp->qp_context,
		.send_cq = ibqp->send_cq,
		.recv_cq = ibqp->recv_cq,
		.cap = qp->cap,
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = qp->extra_flags != 0,
	};
	return 0;
}
