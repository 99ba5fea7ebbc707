/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Asynchronous events: unread ones make context->async_fd readable. */
#include <errno.h>
#include <stdlib.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_device.h"
#include "softrdma/soft_fd.h"
#include "softrdma/soft_qp.h"

struct soft_async {
	struct list node;
	struct ibv_async_event event;
	bool is_read;
};

static struct ibv_context *
context_of(const struct ibv_async_event *e)
{
	if (e->event_type == IBV_EVENT_CQ_ERR)
		return e->element.cq->context;
	return e->element.qp->context;
}

/* Called with the device's lock held. */
static struct soft_async *
first_unread(struct soft_dev *dev)
{
	struct soft_async *a;

	list_for_each_entry(a, &dev->async, node) {
		if (!a->is_read)
			return a;
	}
	return NULL;
}

/*
 * An event that finds no memory is lost; its QP or CQ is in the error state
 * all the same and says so in its completions.
 */
void
soft_async_raise(struct soft_dev *dev, const struct ibv_async_event *e)
{
	struct soft_async *a = calloc(1, sizeof(*a));

	if (!a)
		return;
	a->event = *e;
	if (!first_unread(dev))
		soft_fd_set(dev->vctx.context.async_fd);
	list_add_tail(&dev->async, &a->node);
}

static bool
take_unread(struct soft_dev *dev, struct ibv_async_event *e)
{
	struct soft_async *a;

	pthread_mutex_lock(&dev->lock);
	a = first_unread(dev);
	if (a) {
		a->is_read = true;
		*e = a->event;
		if (!first_unread(dev))
			soft_fd_clear(dev->vctx.context.async_fd);
	}
	pthread_mutex_unlock(&dev->lock);
	return a;
}

int
soft_async_get(struct ibv_context *context, struct ibv_async_event *e)
{
	while (!take_unread(soft_dev_of(context), e)) {
		if (soft_fd_wait(context->async_fd))
			return -1;
	}
	return 0;
}

void
soft_async_ack(struct ibv_async_event *e)
{
	struct soft_dev *dev = soft_dev_of(context_of(e));
	struct soft_async *a;

	pthread_mutex_lock(&dev->lock);
	list_for_each_entry(a, &dev->async, node) {
		if (a->is_read && a->event.element.qp == e->element.qp &&
			a->event.event_type == e->event_type) {
			list_del(&a->node);
			free(a);
			pthread_cond_broadcast(&dev->acked);
			break;
		}
	}
	pthread_mutex_unlock(&dev->lock);
}

/* Drops what is unread; true if an event of @element awaits its ack. */
static bool
drop_unread(struct soft_dev *dev, const void *element)
{
	bool has_read = false, had_unread = first_unread(dev);
	struct soft_async *a, *tmp;

	list_for_each_entry_safe(a, tmp, &dev->async, node) {
		if ((const void *)a->event.element.qp != element)
			continue;
		if (a->is_read) {
			has_read = true;
			continue;
		}
		list_del(&a->node);
		free(a);
	}
	if (had_unread && !first_unread(dev))
		soft_fd_clear(dev->vctx.context.async_fd);
	return has_read;
}

void
soft_async_forget(struct soft_dev *dev, const void *element)
{
	while (drop_unread(dev, element))
		pthread_cond_wait(&dev->acked, &dev->lock);
}

void
soft_async_fini(struct soft_dev *dev)
{
	struct soft_async *a, *tmp;

	list_for_each_entry_safe(a, tmp, &dev->async, node) {
		list_del(&a->node);
		free(a);
	}
}
