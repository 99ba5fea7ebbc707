/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <poll.h>
#include <time.h>

#include "core/completion.h"
#include "core/queue.h"
#include "util/clock.h"

/* ---- self: run to completion ---- */

/* Polls between two looks at the clocks. */
#define SELF_POLLS 64

static bool
completion_wait_self(struct srpi_queue *queue, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;
	int i;

	for (i = 0; i < SELF_POLLS; i++) {
		spin_pause(&queue->spin);
		if (channel_poll(ch) || !ring_is_empty(&queue->done)) {
			spin_reset(&queue->spin);
			return false;
		}
	}
	channel_check_deadlines(ch, clock_coarse_ns());
	return deadline_ns != UINT64_MAX && clock_ns() >= deadline_ns;
}

/* ---- inline: arm, poll once more, block ---- */

/* Blocks on the event channel until @deadline_ns or the channel's own. */
static bool
completion_block(struct srpi_queue *queue, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;
	struct pollfd pfds[] = {
		{ .fd = ch->comp->fd, .events = POLLIN },
		{ .fd = ch->kick_fd, .events = POLLIN },
	};
	int64_t left = channel_next_check(ch, clock_coarse_ns());
	struct timespec ts;
	uint64_t now;
	bool expired = false;

	if (deadline_ns != UINT64_MAX) {
		now = clock_ns();
		expired = now >= deadline_ns;
		if (!expired && (left < 0 || deadline_ns - now < (uint64_t)left))
			left = (int64_t)(deadline_ns - now);
	}
	if (expired)
		return true;
	ts.tv_sec = left / (int64_t)CLOCK_NS_PER_SEC;
	ts.tv_nsec = left % (int64_t)CLOCK_NS_PER_SEC;
	counter_add(&ch->stats.wakeups, 1);
	/* others may come in meanwhile; who ends I/Os of ours then kicks us */
	if (ch->has_news)
		share_wake(ch); /* not on leaving, which would kick us */
	ch->is_blocked = true;
	ch->is_owner_blocked = !channel_is_shared(ch);
	channel_leave(ch);
	ppoll(pfds, ARRAY_SIZE(pfds), left < 0 ? NULL : &ts, NULL);
	queue_stamp_woken(queue);
	channel_enter(ch);
	ch->is_blocked = false;
	ch->is_owner_blocked = false;
	if (pfds[1].revents)
		channel_read_kick(ch);
	if (pfds[0].revents)
		channel_read_events(ch);
	else
		channel_check_deadlines(ch, clock_coarse_ns());
	return false;
}

static bool
completion_wait_inline(struct srpi_queue *queue, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;

	if (ch->state != CHANNEL_UP)
		return false; /* its I/Os are in `done` already */
	if (ch->nr_answered) {
		/* its SEND completes in a moment, and raises no event */
		spin_pause(&queue->spin);
		channel_reclaim(ch);
		channel_check_deadlines(ch, clock_coarse_ns());
		return deadline_ns != UINT64_MAX && clock_ns() >= deadline_ns;
	}
	if (!ch->armed) {
		channel_arm(ch);
		return false;
	}
	return completion_block(queue, deadline_ns);
}

/* ---- adaptive: spin while that pays, then as inline ---- */

/* Polls between two looks at the clock. */
#define ADAPTIVE_POLLS 16

/*
 * Who leads a connection of more queues than CPUs must not spin: the CPU is
 * one that the others need, to send what it waits for, and while it sleeps
 * several responses gather for one wake-up. No trial shows that, since all
 * waits are as long as the whole is slow; so it is known, not learnt.
 */
static bool
completion_is_crowded(struct channel *ch)
{
	return atomic_load_explicit(&ch->is_crowded, memory_order_relaxed);
}

static bool
completion_wait_adaptive(struct srpi_queue *queue, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;
	uint64_t now;
	int i;

	if (completion_is_crowded(ch))
		return completion_wait_inline(queue, deadline_ns);
	now = clock_ns();
	if (!queue->wait_begin_ns) {
		queue->wait_begin_ns = now;
		queue->spin_until_ns = now + adaptive_spin_ns(&queue->adaptive);
		queue->has_blocked = false;
	}
	if (now >= queue->spin_until_ns) {
		queue->has_blocked = true;
		return completion_wait_inline(queue, deadline_ns);
	}
	for (i = 0; i < ADAPTIVE_POLLS; i++) {
		spin_pause(&queue->spin);
		if (channel_poll(ch) || !ring_is_empty(&queue->done)) {
			spin_reset(&queue->spin);
			return false;
		}
	}
	return now >= deadline_ns;
}

static void
completion_end_adaptive(struct srpi_queue *queue)
{
	if (!queue->wait_begin_ns)
		return; /* there was nothing to wait for */
	adaptive_observe(&queue->adaptive, clock_ns() - queue->wait_begin_ns,
		queue->has_blocked);
	queue->wait_begin_ns = 0;
}

void
completion_rearm(struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;

	channel_read_kick(ch);
	if (ch->armed)
		channel_read_events(ch);
	channel_arm(ch);
}

/* ---- the table ---- */

static const struct completion_ops completion_modes[SRPI_NR_COMPLETIONS] = {
	[SRPI_COMPLETION_INLINE] = {
		.name = "inline",
		.wait = completion_wait_inline,
		.has_fd = true,
	},
	[SRPI_COMPLETION_THREAD] = {
		.name = "thread",
		.wait = completion_wait_inline,
		.has_fd = true,
		.has_service = true,
	},
	[SRPI_COMPLETION_POLL] = {
		.name = "poll",
		.wait = completion_wait_self,
		.has_fd = true,
		.has_service = true,
		.follows_spinning = true,
	},
	[SRPI_COMPLETION_SELF] = {
		.name = "self",
		.wait = completion_wait_self,
		.follows_spinning = true,
	},
	[SRPI_COMPLETION_ADAPTIVE] = {
		.name = "adaptive",
		.wait = completion_wait_adaptive,
		.end = completion_end_adaptive,
		.has_fd = true,
	},
};

const struct completion_ops *
completion_find(enum srpi_completion completion)
{
	if ((unsigned int)completion >= SRPI_NR_COMPLETIONS ||
		!completion_modes[completion].wait)
		return NULL;
	return &completion_modes[completion];
}

const char *
srpi_completion_name(enum srpi_completion completion)
{
	if ((unsigned int)completion >= SRPI_NR_COMPLETIONS)
		return NULL;
	return completion_modes[completion].name;
}

int
srpi_completion_available(enum srpi_completion completion)
{
	return completion_find(completion) ? 0 : -EOPNOTSUPP;
}
