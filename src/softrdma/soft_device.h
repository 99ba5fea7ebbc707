/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A software device from inside: the ibv_context and what belongs to it.
 *
 *	registry ── soft_dev ── verbs_context.context   what consumers hold
 *	               ├── mrs      table of memory regions
 *	               ├── qps, cqs
 *	               ├── async    events for async_fd, unread or unacknowledged
 *	               └── timer    a thread, irqmode timer only
 *
 * Lifetime: references are held by the owner (soft_dev_create()), and by each
 * CM id, PD, CQ, completion channel; the last one frees the device.
 */
#ifndef SOFTRDMA_SOFT_DEVICE_H
#define SOFTRDMA_SOFT_DEVICE_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "softrdma/soft_dev.h"
#include "softrdma/soft_mem.h"
#include "util/compiler.h"
#include "util/list.h"
#include "util/thread.h"

struct soft_qp;

struct soft_timer {
	struct thread thread;
	int wake_fd; /* eventfd */
	_Atomic(bool) is_idle;
	_Atomic(bool) is_stopping;
};

struct soft_dev {
	struct ibv_device device;
	struct soft_dev_attr attr;
	struct sockaddr_in addr;
	struct list node;  /* registry; its lock guards nr_refs too */
	unsigned int nr_refs;
	/* Threads that clean up after a run and hold no reference. */
	_Atomic(unsigned int) nr_busy;

	pthread_mutex_t lock; /* everything below, control path only */
	pthread_cond_t acked;
	struct soft_mr_table mrs;
	struct list qps;
	struct list cqs;
	struct list async;
	unsigned int nr_pds, nr_qps, nr_cqs;
	uint32_t next_qp_num;
	struct soft_timer timer;

	struct verbs_context vctx; /* grows downward: its context is last */
};

static inline struct soft_dev *
soft_dev_of(struct ibv_context *context)
{
	return container_of(context, struct soft_dev, vctx.context);
}

/* Is work carried out later than the post (SOFTIRQ, TIMER)? */
static inline bool
soft_dev_is_deferring(const struct soft_dev *dev)
{
	return dev->attr.irqmode == SOFT_IRQ_SOFTIRQ ||
		dev->attr.irqmode == SOFT_IRQ_TIMER;
}

/* A device by address, with a reference; NULL if nobody owns it. */
struct soft_dev *soft_dev_find(const struct sockaddr_in *addr);
void soft_dev_hold(struct soft_dev *dev);
void soft_dev_release(struct soft_dev *dev);

int soft_dev_query(struct ibv_context *context, struct ibv_device_attr *attr);
int soft_dev_query_port(struct ibv_context *context, uint8_t port_num,
	struct ibv_port_attr *attr);
int soft_dev_query_gid(struct ibv_context *context, uint8_t port_num,
	int index, union ibv_gid *gid);

/* Asynchronous events. raise and forget with the device's lock held. */
void soft_async_raise(struct soft_dev *dev, const struct ibv_async_event *e);
/* Drop unread events of a QP or CQ, and wait until read ones are acked. */
void soft_async_forget(struct soft_dev *dev, const void *element);
void soft_async_fini(struct soft_dev *dev);
int soft_async_get(struct ibv_context *context, struct ibv_async_event *e);
void soft_async_ack(struct ibv_async_event *e);

#endif /* SOFTRDMA_SOFT_DEVICE_H */
