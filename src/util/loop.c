/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/loop.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/clock.h"

int
loop_init(struct loop *loop)
{
	struct epoll_event event = { .events = EPOLLIN };
	int rc;

	memset(loop, 0, sizeof(*loop));
	list_init(&loop->timers);
	loop->wake_fd = -1;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0)
		return -errno;
	loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (loop->wake_fd < 0)
		goto fail;
	/* data.ptr NULL stands for the wake-up */
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->wake_fd, &event))
		goto fail;
	return 0;

fail:
	rc = -errno;
	loop_fini(loop);
	return rc;
}

void
loop_fini(struct loop *loop)
{
	if (loop->wake_fd >= 0)
		close(loop->wake_fd);
	if (loop->epoll_fd >= 0)
		close(loop->epoll_fd);
	loop->wake_fd = -1;
	loop->epoll_fd = -1;
}

int
loop_fd_add(struct loop *loop, struct loop_fd *node, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = node };

	node->fd = -1;
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event))
		return -errno;
	node->fd = fd;
	return 0;
}

int
loop_fd_change(struct loop *loop, struct loop_fd *node, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = node };

	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, node->fd, &event))
		return -errno;
	return 0;
}

void
loop_fd_remove(struct loop *loop, struct loop_fd *node)
{
	int i;

	if (node->fd < 0)
		return;
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, node->fd, NULL);
	node->fd = -1;
	for (i = 0; i < loop->nr_ready; i++)
		if (loop->ready[i].data.ptr == node)
			loop->ready[i].events = 0;
}

void
loop_timer_init(struct loop_timer *timer,
	void (*on_expire)(struct loop_timer *timer), void *arg)
{
	memset(timer, 0, sizeof(*timer));
	list_init(&timer->node);
	timer->on_expire = on_expire;
	timer->arg = arg;
}

void
loop_timer_arm(
	struct loop *loop, struct loop_timer *timer, uint64_t deadline_ns)
{
	struct loop_timer *pos;

	list_del(&timer->node);
	timer->deadline_ns = deadline_ns;
	list_for_each_entry(pos, &loop->timers, node)
		if (pos->deadline_ns > deadline_ns)
			break;
	list_add_before(&pos->node, &timer->node);
}

void
loop_timer_disarm(struct loop_timer *timer)
{
	list_del(&timer->node);
}

bool
loop_timer_is_armed(const struct loop_timer *timer)
{
	return list_is_linked(&timer->node);
}

void
loop_wake(struct loop *loop)
{
	uint64_t one = 1;
	ssize_t rc;

	/* Full means that a wake-up is pending, which is all that is asked. */
	do
		rc = write(loop->wake_fd, &one, sizeof(one));
	while (rc < 0 && errno == EINTR);
}

void
loop_stop(struct loop *loop)
{
	loop->is_stopped = true;
	loop_wake(loop);
}

/* Rounded up: waking before the deadline would only mean to wait again. */
static int
wait_ms(const struct loop *loop, uint64_t max_wait_ns)
{
	const struct list *first = list_first(&loop->timers);
	uint64_t wait_ns = max_wait_ns;
	uint64_t deadline_ns, now_ns, ms;

	if (first) {
		deadline_ns =
			list_entry(first, struct loop_timer, node)->deadline_ns;
		now_ns = clock_ns();
		if (deadline_ns <= now_ns)
			return 0;
		if (deadline_ns - now_ns < wait_ns)
			wait_ns = deadline_ns - now_ns;
	}
	if (wait_ns == LOOP_FOREVER)
		return -1;
	ms = wait_ns / CLOCK_NS_PER_MSEC + (wait_ns % CLOCK_NS_PER_MSEC != 0);
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

static int
on_wake_fd(struct loop *loop)
{
	uint64_t nr;
	ssize_t rc = read(loop->wake_fd, &nr, sizeof(nr));

	if (rc != (ssize_t)sizeof(nr) || !loop->on_wake)
		return 0;
	loop->on_wake(loop);
	return 1;
}

static int
dispatch_fds(struct loop *loop)
{
	struct loop_fd *node;
	int i, nr = 0;

	for (i = 0; i < loop->nr_ready; i++) {
		node = loop->ready[i].data.ptr;
		if (!node) {
			nr += on_wake_fd(loop);
		} else if (loop->ready[i].events) {
			node->on_ready(node, loop->ready[i].events);
			nr++;
		}
	}
	loop->nr_ready = 0;
	return nr;
}

/*
 * Only what had expired at entry: a timer that re-arms itself into the past
 * must not keep the descriptors waiting.
 */
static int
dispatch_timers(struct loop *loop)
{
	uint64_t now_ns = clock_ns();
	struct loop_timer *timer;
	struct list expired;
	int nr = 0;

	list_init(&expired);
	while (!list_is_empty(&loop->timers)) {
		timer = list_entry(loop->timers.next, struct loop_timer, node);
		if (timer->deadline_ns > now_ns)
			break;
		list_del(&timer->node);
		list_add_tail(&expired, &timer->node);
	}
	while (!list_is_empty(&expired)) {
		timer = list_entry(
			list_pop_head(&expired), struct loop_timer, node);
		timer->on_expire(timer);
		nr++;
	}
	return nr;
}

int
loop_run_once(struct loop *loop, uint64_t max_wait_ns)
{
	int rc;

	rc = epoll_wait(loop->epoll_fd, loop->ready, LOOP_BATCH,
		wait_ms(loop, max_wait_ns));
	if (rc < 0)
		return errno == EINTR ? dispatch_timers(loop) : -errno;
	loop->nr_ready = rc;
	rc = dispatch_fds(loop);
	return rc + dispatch_timers(loop);
}

int
loop_run(struct loop *loop)
{
	int rc;

	while (!loop->is_stopped) {
		rc = loop_run_once(loop, LOOP_FOREVER);
		if (rc < 0)
			return rc;
	}
	return 0;
}
