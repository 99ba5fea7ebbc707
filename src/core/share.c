/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/service.h"
#include "core/session.h"
#include "core/share.h"
#include "util/futex.h"

/* ---- waking ---- */

static void
share_wake_queue(struct srpi_queue *queue)
{
	if (atomic_exchange(&queue->is_asleep, 0))
		futex_wake(&queue->is_asleep);
}

static void
share_signal_fd(struct srpi_queue *queue)
{
	if (queue->uses_fd && !atomic_exchange(&queue->is_signalled, true))
		eventfd_write(queue->event_fd, 1);
}

/*
 * Both sides change is_asleep with read-modify-writes, so one comes first: a
 * sleeper that comes second sees the ring as we left it, one that comes first
 * is seen here.
 */
static bool
share_is_asleep(struct srpi_queue *queue)
{
	return atomic_fetch_or(&queue->is_asleep, 0);
}

void
share_wake(struct channel *ch)
{
	struct srpi_queue *queue;
	uint32_t i, nr;

	ch->has_news = false;
	for (i = 0; i < ch->nr_queues; i++) {
		queue = ch->queues[i];
		nr = queue ? ring_count(&queue->done) : 0;
		if (!nr)
			continue;
		if (share_is_asleep(queue) &&
			nr >= atomic_load_explicit(
				      &queue->want, memory_order_relaxed))
			share_wake_queue(queue);
		share_signal_fd(queue);
	}
	/* who delivers while a leader sleeps on the event is not the leader */
	if (ch->is_blocked)
		eventfd_write(ch->kick_fd, 1);
}

/* ---- leading and following ---- */

static bool
share_try_lead(struct channel *ch)
{
	return !channel_is_served(ch) &&
		!atomic_load_explicit(
			&ch->has_leader, memory_order_relaxed) &&
		!atomic_exchange(&ch->has_leader, 1);
}

/* Nobody leads: one of those asleep takes over. */
static void
share_pass_on(struct channel *ch, const struct srpi_queue *self)
{
	uint32_t i;

	channel_enter(ch);
	for (i = 0; i < ch->nr_queues; i++) {
		if (!ch->queues[i] || ch->queues[i] == self ||
			!atomic_load(&ch->queues[i]->is_asleep))
			continue;
		share_wake_queue(ch->queues[i]);
		break;
	}
	channel_leave(ch);
}

static bool
share_has_enough(struct srpi_queue *queue, uint32_t want)
{
	return ring_count(&queue->done) >= want;
}

/* Somebody else polls: true when it pays to stop spinning. */
static bool
share_spin(struct srpi_queue *queue, uint32_t want)
{
	uint64_t until = clock_ns() +
		queue->session->attr.wait_spin_usec * CLOCK_NS_PER_USEC;
	struct spin spin = { 0 };
	int i;

	if (!queue->ops->follows_spinning)
		return true;
	do {
		for (i = 0; i < 64; i++) {
			if (share_has_enough(queue, want))
				return false;
			spin_pause(&spin);
		}
	} while (clock_ns() < until);
	return true;
}

static void
share_follow(struct srpi_queue *queue, uint32_t want, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;

	if (!share_spin(queue, want))
		return;
	atomic_store_explicit(&queue->want, want, memory_order_relaxed);
	atomic_exchange(&queue->is_asleep, 1);
	/* what came before we said so woke nobody: look again */
	if (!share_has_enough(queue, want) &&
		(channel_is_served(ch) || atomic_load(&ch->has_leader))) {
		/* this one field of the queue's is its own thread's */
		counter_add(&queue->stats.wakeups, 1);
		futex_wait(&queue->is_asleep, 1, deadline_ns);
		queue_stamp_woken(queue);
	}
	atomic_store(&queue->is_asleep, 0);
}

/* Polls for all, until @want of its own are there or its time is over. */
static unsigned int
share_lead(struct srpi_queue *queue, struct srpi_io **ios, unsigned int nr,
	unsigned int want, unsigned int max, uint64_t deadline_ns)
{
	queue->is_leader = true;
	nr = queue_drive(queue, ios, nr, want, max, deadline_ns);
	queue->is_leader = false;
	atomic_store(&queue->ch->has_leader, 0);
	return nr;
}

unsigned int
share_wait(struct srpi_queue *queue, struct srpi_io **ios, unsigned int nr,
	unsigned int want, unsigned int max, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;

	do {
		if (share_try_lead(ch)) {
			nr = share_lead(queue, ios, nr, want, max, deadline_ns);
		} else {
			share_follow(queue, want - nr, deadline_ns);
			nr += queue_pop(queue, ios + nr, max - nr);
		}
	} while (nr < want &&
		(deadline_ns == UINT64_MAX || clock_ns() < deadline_ns));
	/* it has led, or was woken to do so and needs it no more */
	if (!channel_is_served(ch) && !atomic_load(&ch->has_leader))
		share_pass_on(ch, queue);
	return nr;
}

/* ---- a descriptor ---- */

int
share_fd(struct srpi_queue *queue)
{
	int ret;

	if (!channel_is_served(queue->ch)) {
		ret = service_attach(
			queue->ch, SRPI_COMPLETION_THREAD, THREAD_ANY_CPU);
		if (ret)
			return ret;
	}
	if (queue->event_fd < 0)
		queue->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return queue->event_fd < 0 ? -errno : queue->event_fd;
}

void
share_drain_fd(struct srpi_queue *queue)
{
	eventfd_t value;

	if (!atomic_load(&queue->is_signalled))
		return;
	eventfd_read(queue->event_fd, &value);
	/* whoever signals after this finds us polling the ring below */
	atomic_store(&queue->is_signalled, false);
}
