/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A small event loop for control threads: descriptors, timers, a wake-up.
 *
 *     loop.timers -> timer(deadline 3) <-> timer(7) <-> timer(9)   sorted
 *     loop.epoll  -> wake eventfd, loop_fd, loop_fd, ...
 *
 * One thread runs it and makes all calls, except loop_wake() and loop_stop(),
 * which any thread and any signal handler may call. Nodes belong to the
 * caller. A handler may add or remove anything, itself included; once
 * loop_fd_remove() has returned its handler is not called again.
 */
#ifndef UTIL_LOOP_H
#define UTIL_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#include "util/list.h"

#define LOOP_BATCH 16
#define LOOP_FOREVER UINT64_MAX

struct loop;

struct loop_fd {
	int fd; /* -1 while not added */
	void (*on_ready)(struct loop_fd *node, uint32_t events);
	void *arg;
};

struct loop_timer {
	struct list node;
	uint64_t deadline_ns; /* on clock_ns() */
	void (*on_expire)(struct loop_timer *timer);
	void *arg;
};

struct loop {
	int epoll_fd;
	int wake_fd;
	_Atomic bool is_stopped;
	void (*on_wake)(struct loop *loop); /* NULL or after loop_wake() */
	void *arg;
	struct list timers; /* by deadline */
	/* the batch being dispatched: removal clears entries in it */
	int nr_ready;
	struct epoll_event ready[LOOP_BATCH];
};

int loop_init(struct loop *loop);
/* Nothing need have been removed before; no descriptor added is closed. */
void loop_fini(struct loop *loop);

/* @events as for epoll, level triggered. */
int loop_fd_add(struct loop *loop, struct loop_fd *node, int fd,
	uint32_t events);
int loop_fd_change(struct loop *loop, struct loop_fd *node, uint32_t events);
/* Before the descriptor is closed. Does nothing for a node not added. */
void loop_fd_remove(struct loop *loop, struct loop_fd *node);

void loop_timer_init(struct loop_timer *timer,
	void (*on_expire)(struct loop_timer *timer), void *arg);
/* (Re)arm; expiry disarms. */
void loop_timer_arm(
	struct loop *loop, struct loop_timer *timer, uint64_t deadline_ns);
void loop_timer_disarm(struct loop_timer *timer);
bool loop_timer_is_armed(const struct loop_timer *timer);

void loop_wake(struct loop *loop);
void loop_stop(struct loop *loop);

/*
 * Wait until something is ready, a timer expires or @max_wait_ns has passed,
 * and call the handlers. The number called, or -errno.
 */
int loop_run_once(struct loop *loop, uint64_t max_wait_ns);
/* Until loop_stop(). 0 or -errno. */
int loop_run(struct loop *loop);

#endif /* UTIL_LOOP_H */
