/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_timer.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "softrdma/soft_loop.h"
#include "softrdma/soft_qp.h"
#include "util/clock.h"

/* When the first work of @qp is due; UINT64_MAX if there is none. */
static uint64_t
due_ns(struct soft_qp *qp)
{
	uint64_t due = UINT64_MAX;

	soft_spin_lock(&qp->sq_lock);
	if (qp->executed != qp->posted && !qp->is_stalled)
		due = soft_qp_wqe(qp, qp->executed)->due_ns;
	soft_spin_unlock(&qp->sq_lock);
	return due;
}

/* The QP whose work is due first. */
static uint64_t
find_first(struct soft_dev *dev, uint32_t *qp_num)
{
	uint64_t first = UINT64_MAX;
	struct soft_qp *qp;

	pthread_mutex_lock(&dev->lock);
	list_for_each_entry(qp, &dev->qps, dev_node) {
		uint64_t due = due_ns(qp);

		if (due < first) {
			first = due;
			*qp_num = qp->qp.qp_num;
		}
	}
	pthread_mutex_unlock(&dev->lock);
	return first;
}

static void
sleep_until(struct soft_timer *timer, uint64_t until_ns, uint64_t now)
{
	struct pollfd pfd = { .fd = timer->wake_fd, .events = POLLIN };
	struct timespec limit = {
		.tv_sec = (time_t)((until_ns - now) / CLOCK_NS_PER_SEC),
		.tv_nsec = (long)((until_ns - now) % CLOCK_NS_PER_SEC),
	};
	eventfd_t count;

	if (ppoll(&pfd, 1, until_ns == UINT64_MAX ? NULL : &limit, NULL) > 0)
		eventfd_read(timer->wake_fd, &count);
}

/*
 * Idle is said before the last look: a post that comes after the look sees it
 * and wakes.
 */
static void
sleep_idle(struct soft_dev *dev)
{
	struct soft_timer *timer = &dev->timer;
	uint32_t qp_num;

	atomic_store(&timer->is_idle, true);
	if (find_first(dev, &qp_num) == UINT64_MAX &&
		!atomic_load(&timer->is_stopping))
		sleep_until(timer, UINT64_MAX, 0);
	atomic_store(&timer->is_idle, false);
}

static void
timer_main(void *arg)
{
	struct soft_dev *dev = arg;
	uint64_t first, now;
	uint32_t qp_num = 0;

	/* Not the default slack of 50 us: delays are of that size. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	while (!atomic_load(&dev->timer.is_stopping)) {
		first = find_first(dev, &qp_num);
		now = clock_ns();
		if (first == UINT64_MAX)
			sleep_idle(dev);
		else if (first > now)
			sleep_until(&dev->timer, first, now);
		else
			soft_loop_kick(dev, qp_num);
	}
}

int
soft_timer_start(struct soft_dev *dev)
{
	struct soft_timer *timer = &dev->timer;
	int ret;

	timer->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (timer->wake_fd < 0)
		return -errno;
	ret = thread_start(&timer->thread, "soft-timer", THREAD_ANY_CPU,
		timer_main, dev);
	if (ret)
		close(timer->wake_fd);
	return ret;
}

void
soft_timer_stop(struct soft_dev *dev)
{
	struct soft_timer *timer = &dev->timer;

	atomic_store(&timer->is_stopping, true);
	eventfd_write(timer->wake_fd, 1);
	thread_join(&timer->thread);
	close(timer->wake_fd);
}
