/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_dev.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "target/tgt_chan.h"

/* The completion channel is readable: serve, arm, look once more. */
static void
dev_on_channel(struct loop_fd *node, uint32_t events)
{
	struct tgt_dev *dev = node->arg;
	const struct fabric *fabric = dev->target->fabric;
	struct tgt_conn *conn;
	struct ibv_cq *cq;
	void *context;

	(void)events;
	if (fabric->get_cq_event(dev->channel, &cq, &context))
		return;
	conn = context;
	conn->is_armed = false;
	if (++conn->nr_cq_events == 64) {
		fabric->ack_cq_events(cq, conn->nr_cq_events);
		conn->nr_cq_events = 0;
	}
	tgt_chan_run(conn);
}

static void
dev_destroy(struct tgt_dev *dev)
{
	const struct fabric *fabric = dev->target->fabric;
	unsigned int i;

	for (i = 0; i < dev->target->nr_luns; i++)
		if (dev->lun_mr[i])
			fabric->dereg_mr(dev->lun_mr[i]);
	if (dev->next_mr)
		fabric->dereg_mr(dev->next_mr);
	if (dev->channel) {
		loop_fd_remove(&dev->target->loop, &dev->channel_fd);
		fabric->destroy_comp_channel(dev->channel);
	}
	if (dev->pd)
		fabric->dealloc_pd(dev->pd);
	free(dev);
}

/* 0 for a LUN without memory too. */
static int
dev_register(struct tgt_dev *dev, const struct tgt_lun *lun, struct ibv_mr **mr)
{
	if (!lun->mem || lun->flags & TARGET_LUN_NODATA)
		return 0;
	*mr = dev->target->fabric->reg_mr(dev->pd, lun->mem, lun->pages.bytes,
		tgt_dev_access(dev));
	return *mr ? 0 : errno ? -errno : -ENOMEM;
}

static int
dev_register_luns(struct tgt_dev *dev, char *reason, size_t n)
{
	struct target *target = dev->target;
	struct tgt_lun *lun;
	unsigned int i;
	int rc;

	for (i = 0; i < target->nr_luns; i++) {
		lun = &target->luns[i];
		rc = dev_register(dev, lun, &dev->lun_mr[i]);
		if (rc) {
			mem_lock_reason(lun->pages.bytes, -rc, reason, n);
			return rc;
		}
	}
	return 0;
}

int
tgt_dev_register_next(struct tgt_dev *dev, const struct tgt_lun *lun)
{
	return dev->next_mr ? 0 : dev_register(dev, lun, &dev->next_mr);
}

/* The one after @dev, NULL: the first. They are added at the end, and stay. */
static struct tgt_dev *
dev_next(struct target *target, const struct tgt_dev *dev)
{
	const struct list *node = dev ? &dev->node : &target->devs;
	struct tgt_dev *next = NULL;

	pthread_mutex_lock(&target->lock);
	if (node->next != &target->devs)
		next = list_entry(node->next, struct tgt_dev, node);
	pthread_mutex_unlock(&target->lock);
	return next;
}

int
tgt_dev_register_all(struct target *target, const struct tgt_lun *lun,
	char *reason, size_t n)
{
	struct tgt_dev *dev = NULL;
	int rc = 0;

	while (!rc && (dev = dev_next(target, dev)) != NULL)
		rc = tgt_dev_register_next(dev, lun);
	if (rc) {
		mem_lock_reason(lun->pages.bytes, -rc, reason, n);
		tgt_dev_drop_next(target);
	}
	return rc;
}

void
tgt_dev_drop_next(struct target *target)
{
	struct tgt_dev *dev = NULL;

	while ((dev = dev_next(target, dev)) != NULL) {
		if (dev->next_mr)
			target->fabric->dereg_mr(dev->next_mr);
		dev->next_mr = NULL;
	}
}

static int
dev_open(struct tgt_dev *dev, char *reason, size_t n)
{
	const struct fabric *fabric = dev->target->fabric;
	int rc;

	rc = fabric->query_device(dev->context, &dev->attr);
	if (rc) {
		snprintf(reason, n, "the RDMA device does not answer: %s",
			strerror(rc));
		return -rc;
	}
	dev->is_iwarp = dev->context->device &&
		dev->context->device->transport_type == IBV_TRANSPORT_IWARP;
	dev->pd = fabric->alloc_pd(dev->context);
	dev->channel = dev->pd ? fabric->create_comp_channel(dev->context) :
				 NULL;
	if (!dev->channel) {
		rc = errno ? -errno : -ENOMEM;
		snprintf(reason, n,
			"no protection domain or completion channel on the "
			"RDMA device: %s",
			strerror(-rc));
		return rc;
	}
	dev->channel_fd.on_ready = dev_on_channel;
	dev->channel_fd.arg = dev;
	rc = loop_fd_add(&dev->target->loop, &dev->channel_fd,
		dev->channel->fd, EPOLLIN);
	return rc ? rc : dev_register_luns(dev, reason, n);
}

int
tgt_dev_get(struct target *target, struct ibv_context *context,
	struct tgt_dev **out, char *reason, size_t n)
{
	struct tgt_dev *dev;
	int rc;

	list_for_each_entry(dev, &target->devs, node)
		if (dev->context == context) {
			*out = dev;
			return 0;
		}
	dev = calloc(
		1, sizeof(*dev) + target->nr_luns * sizeof(dev->lun_mr[0]));
	if (!dev) {
		snprintf(reason, n, "no memory");
		return -ENOMEM;
	}
	dev->target = target;
	dev->context = context;
	dev->channel_fd.fd = -1;
	rc = dev_open(dev, reason, n);
	if (rc) {
		dev_destroy(dev);
		return rc;
	}
	pthread_mutex_lock(&target->lock);
	list_add_tail(&target->devs, &dev->node);
	pthread_mutex_unlock(&target->lock);
	*out = dev;
	return 0;
}

void
tgt_dev_destroy_all(struct target *target)
{
	struct list *node;

	while ((node = list_pop_head(&target->devs)) != NULL)
		dev_destroy(list_entry(node, struct tgt_dev, node));
}

static void
dev_no_handler(struct ibv_cq *cq, void *arg)
{
	(void)cq;
	(void)arg;
}

int
tgt_dev_probe_handlers(struct tgt_dev *dev, bool *has_handlers)
{
	const struct fabric *fabric = dev->target->fabric;
	struct ibv_cq *cq;

	*has_handlers = false;
	if (!fabric->cq_set_handler)
		return 0;
	cq = fabric->create_cq(dev->context, 1, NULL, NULL, 0);
	if (!cq)
		return errno ? -errno : -ENOMEM;
	*has_handlers = !fabric->cq_set_handler(cq, dev_no_handler, NULL);
	if (*has_handlers)
		fabric->cq_set_handler(cq, NULL, NULL);
	fabric->destroy_cq(cq);
	return 0;
}
