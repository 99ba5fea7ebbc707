/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Making and unmaking CQs; handlers. Events are in soft_event.c. */
#include "softrdma/soft_cq.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "softrdma/soft_device.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_qp.h"
#include "util/mem.h"

static uint32_t
round_up_pow2(uint32_t n)
{
	return n <= 1 ? 1 : UINT32_C(1) << (32 - __builtin_clz(n - 1));
}

static struct soft_cq *
alloc_cq(uint32_t nr_cqes)
{
	struct soft_cq *cq = mem_aligned_zalloc(CACHELINE_BYTES, sizeof(*cq));

	if (!cq)
		return NULL;
	cq->ring = mem_aligned_zalloc(CACHELINE_BYTES,
		nr_cqes * sizeof(cq->ring[0]));
	if (!cq->ring) {
		free(cq);
		return NULL;
	}
	cq->mask = nr_cqes - 1;
	cq->cq.cqe = (int)nr_cqes;
	list_init(&cq->qps_send);
	list_init(&cq->qps_recv);
	list_init(&cq->raised_node);
	pthread_mutex_init(&cq->cq.mutex, NULL);
	pthread_cond_init(&cq->cq.cond, NULL);
	return cq;
}

static void
free_cq(struct soft_cq *cq)
{
	pthread_cond_destroy(&cq->cq.cond);
	pthread_mutex_destroy(&cq->cq.mutex);
	free(cq->ring);
	free(cq);
}

static bool
add_to_dev(struct soft_dev *dev, struct soft_cq *cq)
{
	bool has_room;

	pthread_mutex_lock(&dev->lock);
	has_room = dev->nr_cqs < SOFT_MAX_CQ;
	if (has_room) {
		cq->cq.handle = dev->nr_cqs++;
		list_add_tail(&dev->cqs, &cq->dev_node);
		if (cq->cq.channel)
			container_of(cq->cq.channel, struct soft_comp_channel,
				channel)
				->nr_cqs++;
	}
	pthread_mutex_unlock(&dev->lock);
	return has_room;
}

struct ibv_cq *
soft_cq_create(struct ibv_context *context, int cqe, void *cq_context,
	struct ibv_comp_channel *channel, int comp_vector)
{
	struct soft_dev *dev = soft_dev_of(context);
	struct soft_cq *cq;

	if (cqe < 1 || cqe > SOFT_MAX_CQE || comp_vector < 0 ||
		comp_vector >= context->num_comp_vectors) {
		errno = EINVAL;
		return NULL;
	}
	cq = alloc_cq(round_up_pow2((uint32_t)cqe));
	if (!cq) {
		errno = ENOMEM;
		return NULL;
	}
	cq->cq.context = context;
	cq->cq.channel = channel;
	cq->cq.cq_context = cq_context;
	cq->dev = dev;
	cq->is_timed = dev->attr.irqmode == SOFT_IRQ_TIMER;
	if (!add_to_dev(dev, cq)) {
		free_cq(cq);
		errno = ENOMEM;
		return NULL;
	}
	soft_dev_hold(dev);
	return &cq->cq;
}

int
soft_cq_destroy(struct ibv_cq *ibcq)
{
	struct soft_cq *cq = soft_cq_of(ibcq);
	struct soft_dev *dev = cq->dev;

	pthread_mutex_lock(&dev->lock);
	if (cq->nr_qps > 0) {
		pthread_mutex_unlock(&dev->lock);
		return EBUSY;
	}
	list_del(&cq->dev_node);
	dev->nr_cqs--;
	soft_async_forget(dev, ibcq);
	pthread_mutex_unlock(&dev->lock);

	soft_cq_set_handler(ibcq, NULL, NULL);
	soft_cq_forget_events(cq);
	if (ibcq->channel) {
		pthread_mutex_lock(&dev->lock);
		container_of(ibcq->channel, struct soft_comp_channel, channel)
			->nr_cqs--;
		pthread_mutex_unlock(&dev->lock);
	}
	free_cq(cq);
	soft_dev_release(dev);
	return 0;
}

/* Moderation delays events; delaying none is within what it asks for. */
int
soft_cq_modify(struct ibv_cq *cq __maybe_unused,
	struct ibv_modify_cq_attr *attr)
{
	return attr->attr_mask & ~(uint32_t)IBV_CQ_ATTR_MODERATE ? EINVAL : 0;
}

void
soft_cq_attach(struct soft_qp *qp)
{
	struct soft_cq *s = qp->send_cq, *r = qp->recv_cq;

	soft_spin_lock(&s->qps_lock);
	list_add_tail(&s->qps_send, &qp->send_node);
	s->nr_qps++;
	soft_spin_unlock(&s->qps_lock);
	if (r == s)
		return;
	soft_spin_lock(&r->qps_lock);
	list_add_tail(&r->qps_recv, &qp->recv_node);
	r->nr_qps++;
	soft_spin_unlock(&r->qps_lock);
}

void
soft_cq_detach(struct soft_qp *qp)
{
	struct soft_cq *s = qp->send_cq, *r = qp->recv_cq;

	soft_spin_lock(&s->qps_lock);
	list_del(&qp->send_node);
	s->nr_qps--;
	soft_spin_unlock(&s->qps_lock);
	if (r == s)
		return;
	soft_spin_lock(&r->qps_lock);
	list_del(&qp->recv_node);
	r->nr_qps--;
	soft_spin_unlock(&r->qps_lock);
}

/*
 * What remains keeps its order and moves towards the newest entry, so that
 * only `consumed` changes.
 */
void
soft_cq_purge(struct soft_cq *cq, const struct soft_qp *qp)
{
	uint32_t first, at, to;

	soft_spin_lock(&cq->poll_lock);
	soft_spin_lock(&cq->lock);
	soft_cq_show(cq);
	first = atomic_load_explicit(&cq->consumed, memory_order_relaxed);
	to = at = cq->reserved;
	while (at != first) {
		struct soft_cqe *cqe = &cq->ring[--at & cq->mask];

		if (cqe->wc.qp_num == qp->qp.qp_num)
			continue;
		cq->ring[--to & cq->mask] = *cqe;
	}
	atomic_store_explicit(&cq->consumed, to, memory_order_release);
	soft_spin_unlock(&cq->lock);
	soft_spin_unlock(&cq->poll_lock);
}

/* Work of a CQ with a handler is carried out inside the post, see soft_loop. */
static void
update_qps(struct soft_cq *cq)
{
	struct soft_qp *qp;

	list_for_each_entry(qp, &cq->qps_send, send_node)
		soft_qp_update_immediate(qp);
	list_for_each_entry(qp, &cq->qps_recv, recv_node)
		soft_qp_update_immediate(qp);
}

bool
soft_cq_has_room(struct soft_cq *cq)
{
	if (atomic_load_explicit(&cq->is_overrun, memory_order_relaxed))
		return false;
	cq->consumed_seen = atomic_load_explicit(&cq->consumed,
		memory_order_acquire);
	return cq->reserved - cq->consumed_seen <= cq->mask;
}

int
soft_cq_set_handler(struct ibv_cq *ibcq, fabric_cq_handler *fn, void *arg)
{
	struct soft_cq *cq = soft_cq_of(ibcq);

	if (fn && cq->dev->attr.irqmode == SOFT_IRQ_THREAD)
		return EOPNOTSUPP;
	pthread_mutex_lock(&cq->dev->lock);
	if (fn)
		atomic_store(&cq->handler_arg, arg);
	atomic_store(&cq->handler, fn);
	update_qps(cq);
	pthread_mutex_unlock(&cq->dev->lock);
	if (fn) {
		/* What was put off until now would wait for the next call. */
		soft_loop_drive(cq);
		return 0;
	}
	while (atomic_load(&cq->nr_kicks) != 0)
		sched_yield();
	return 0;
}

void
soft_cq_run_handler(struct soft_cq *cq)
{
	uint32_t seen;

	do {
		fabric_cq_handler *fn = atomic_load_explicit(&cq->handler,
			memory_order_acquire);

		seen = atomic_load_explicit(&cq->nr_kicks,
			memory_order_acquire);
		if (fn)
			fn(&cq->cq, atomic_load_explicit(&cq->handler_arg,
				memory_order_relaxed));
	} while (!atomic_compare_exchange_strong(&cq->nr_kicks, &seen, 0));
}
