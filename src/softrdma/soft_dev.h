/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The software RDMA device: what its owner may set.
 *
 * A device is an address of its own (127.x.y.z, meaningful only inside this
 * process) on the fabric "soft". Whoever listens or connects on that address
 * gets this device's ibv_context.
 */
#ifndef SOFTRDMA_SOFT_DEV_H
#define SOFTRDMA_SOFT_DEV_H

#include <netinet/in.h>
#include <stdint.h>

/*
 * When work posted on one end is carried out and seen by the other end, in
 * null_blk's words (which has no "thread").
 */
enum soft_irqmode {
	SOFT_IRQ_NONE,	  /* inside the post */
	SOFT_IRQ_SOFTIRQ, /* deferred to the next call on the poster's CQs */
	SOFT_IRQ_TIMER,	  /* completion_nsec after the post */
	SOFT_IRQ_THREAD,  /* as across a wire: no handlers, channels only */
};

struct soft_dev_attr {
	enum soft_irqmode irqmode;
	uint64_t completion_nsec; /* timer only; 0..10^9 */
};

struct soft_dev;

/* 0 or -errno. The device stays until soft_dev_put() and its last user. */
int soft_dev_create(const struct soft_dev_attr *attr, struct soft_dev **dev);
void soft_dev_put(struct soft_dev *dev);
void soft_dev_addr(const struct soft_dev *dev, struct sockaddr_in *addr);

#endif /* SOFTRDMA_SOFT_DEV_H */
