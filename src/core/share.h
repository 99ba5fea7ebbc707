/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A channel that several threads use: more queues than connections, or a
 * service thread that handles completions (core/service.h).
 *
 *	submit   takes the channel's lock for the post
 *	poll     by one at a time: the service thread, or else the leader,
 *	         whichever waiting thread found has_leader free
 *	results  go through each queue's `done` ring; whoever polled wakes the
 *	         sleepers that have enough
 *
 * A leader that has its own I/Os steps down and wakes one sleeper, which
 * takes over. Sleeping and waking pair up as a futex does: the sleeper says
 * is_asleep, then looks again; the waker publishes, then reads is_asleep.
 */
#ifndef CORE_SHARE_H
#define CORE_SHARE_H

#include "core/queue.h"

/* srpi_wait() on such a channel; returns how many I/Os are in @ios. */
unsigned int share_wait(struct srpi_queue *queue, struct srpi_io **ios,
	unsigned int nr, unsigned int want, unsigned int max,
	uint64_t deadline_ns);

/* srpi_fd() there: an eventfd, or -errno. */
int share_fd(struct srpi_queue *queue);
/* Makes that descriptor unreadable until more I/Os end. */
void share_drain_fd(struct srpi_queue *queue);

#endif /* CORE_SHARE_H */
