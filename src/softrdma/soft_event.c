/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Completion channels and the events on them. The file descriptor can be
 * polled, set non-blocking and waited on by several threads, as the kernel's.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_device.h"
#include "softrdma/soft_fd.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_timer.h"

static struct soft_comp_channel *
channel_of(struct ibv_comp_channel *channel)
{
	return container_of(channel, struct soft_comp_channel, channel);
}

struct ibv_comp_channel *
soft_cq_create_channel(struct ibv_context *context)
{
	struct soft_comp_channel *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->channel.fd = soft_fd_open();
	if (c->channel.fd < 0) {
		free(c);
		return NULL;
	}
	c->channel.context = context;
	c->dev = soft_dev_of(context);
	list_init(&c->raised);
	soft_dev_hold(c->dev);
	return &c->channel;
}

int
soft_cq_destroy_channel(struct ibv_comp_channel *channel)
{
	struct soft_comp_channel *c = channel_of(channel);
	struct soft_dev *dev = c->dev;
	bool is_used;

	pthread_mutex_lock(&dev->lock);
	is_used = c->nr_cqs > 0;
	pthread_mutex_unlock(&dev->lock);
	if (is_used)
		return EBUSY;
	close(channel->fd);
	free(c);
	soft_dev_release(dev);
	return 0;
}

/* One arming, one event: it is taken away here. */
void
soft_cq_raise(struct soft_cq *cq)
{
	struct soft_comp_channel *c;

	atomic_store_explicit(&cq->armed, SOFT_ARMED_NOT, memory_order_relaxed);
	if (!cq->cq.channel)
		return;
	c = channel_of(cq->cq.channel);
	soft_spin_lock(&c->lock);
	cq->nr_fired++;
	if (list_is_empty(&c->raised))
		soft_fd_set(c->channel.fd);
	if (cq->nr_raised++ == 0)
		list_add_tail(&c->raised, &cq->raised_node);
	soft_spin_unlock(&c->lock);
}

/* The CQ whose event comes next, with the event taken off; NULL for none. */
static struct soft_cq *
pop_event(struct soft_comp_channel *c)
{
	struct soft_cq *cq = NULL;

	soft_spin_lock(&c->lock);
	if (!list_is_empty(&c->raised)) {
		cq = list_entry(c->raised.next, struct soft_cq, raised_node);
		list_del(&cq->raised_node);
		if (--cq->nr_raised > 0)
			list_add_tail(&c->raised, &cq->raised_node);
		if (list_is_empty(&c->raised))
			soft_fd_clear(c->channel.fd);
	}
	soft_spin_unlock(&c->lock);
	return cq;
}

int
soft_cq_get_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
	void **cq_context)
{
	struct soft_cq *found;

	while (!(found = pop_event(channel_of(channel)))) {
		if (soft_fd_wait(channel->fd))
			return -1;
	}
	*cq = &found->cq;
	*cq_context = found->cq.cq_context;
	return 0;
}

/* As in libibverbs, the CQ counts what was acknowledged ... */
void
soft_cq_ack_events(struct ibv_cq *cq, unsigned int nevents)
{
	pthread_mutex_lock(&cq->mutex);
	cq->comp_events_completed += nevents;
	pthread_cond_signal(&cq->cond);
	pthread_mutex_unlock(&cq->mutex);
}

/* ... and its destruction waits for that to reach what was read. */
void
soft_cq_forget_events(struct soft_cq *cq)
{
	struct soft_comp_channel *c;
	uint32_t nr_read;

	if (!cq->cq.channel)
		return;
	c = channel_of(cq->cq.channel);
	soft_spin_lock(&c->lock);
	nr_read = cq->nr_fired - cq->nr_raised;
	if (cq->nr_raised > 0) {
		list_del(&cq->raised_node);
		cq->nr_raised = 0;
		if (list_is_empty(&c->raised))
			soft_fd_clear(c->channel.fd);
	}
	soft_spin_unlock(&c->lock);

	pthread_mutex_lock(&cq->cq.mutex);
	while (cq->cq.comp_events_completed != nr_read)
		pthread_cond_wait(&cq->cq.cond, &cq->cq.mutex);
	pthread_mutex_unlock(&cq->cq.mutex);
}

int
soft_cq_req_notify(struct ibv_cq *ibcq, int solicited_only)
{
	struct soft_cq *cq = soft_cq_of(ibcq);
	int armed = solicited_only ? SOFT_ARMED_SOLICITED : SOFT_ARMED_ANY;

	if (atomic_load_explicit(&cq->has_deferred, memory_order_acquire))
		soft_loop_drive(cq);
	soft_spin_lock(&cq->lock);
	soft_cq_show(cq);
	/* A weaker request does not take a stronger one back. */
	if (atomic_load_explicit(&cq->armed, memory_order_relaxed) < armed)
		atomic_store(&cq->armed, armed);
	soft_spin_unlock(&cq->lock);
	/* What was posted since the first look finds the CQ armed, or here. */
	if (atomic_load(&cq->has_deferred))
		soft_loop_drive(cq);
	if (cq->is_timed)
		soft_timer_wake(&cq->dev->timer);
	return 0;
}
