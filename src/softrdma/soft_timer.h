/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread of a device with irqmode timer. It carries out work that is due
 * and that nobody came by to carry out, so that a blocked waiter is woken.
 *
 * Idle while nothing waits: posts and armings wake it, unless nobody can be
 * blocked. Otherwise asleep until the earliest work is due; later posts are due
 * later still, and so need not wake it.
 */
#ifndef SOFTRDMA_SOFT_TIMER_H
#define SOFTRDMA_SOFT_TIMER_H

#include <sys/eventfd.h>

#include "softrdma/soft_device.h"

int soft_timer_start(struct soft_dev *dev);
void soft_timer_stop(struct soft_dev *dev);

static inline void
soft_timer_wake(struct soft_timer *timer)
{
	if (atomic_load(&timer->is_idle) &&
		atomic_exchange(&timer->is_idle, false))
		eventfd_write(timer->wake_fd, 1);
}

#endif /* SOFTRDMA_SOFT_TIMER_H */
