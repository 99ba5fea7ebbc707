/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A queue's per-I/O half. The queue's thread calls all of it. */
#include "core/probes.h"
#include "core/queue.h"
#include "core/session.h"
#include "core/share.h"
#include "util/clock.h"

/* Empty polls between two looks at the clock. */
#define QUEUE_IDLE_MASK 0xffu

struct srpi_io *
srpi_get(struct srpi_queue *queue)
{
	int tag = bitset_take(queue->tags, queue->depth, &queue->tag_hint);
	struct srpi_io *io;

	if (unlikely(tag == BITSET_NONE))
		return NULL;
	io = &queue->ios[tag];
	io_set_state(io, IO_HELD);
	io->retries = 0;
	io->attentions = 0;
	io->data = NULL;
	io->result.error = 0;
	return io;
}

void
srpi_put(struct srpi_io *io)
{
	struct srpi_queue *queue = io->queue;

	assert(io_state(io) == IO_HELD || io_state(io) == IO_PREPARED ||
		io_state(io) == IO_DONE);
	io_set_state(io, IO_FREE);
	io_next_life(io);
	bitset_give(queue->tags, io->index, &queue->tag_hint);
}

void
srpi_set_data(struct srpi_io *io, void *data)
{
	io->data = data;
}

void *
srpi_data(const struct srpi_io *io)
{
	return io->data;
}

unsigned int
srpi_io_index(const struct srpi_io *io)
{
	return io->index;
}

const struct srpi_result *
srpi_result(const struct srpi_io *io)
{
	return &io->result;
}

void
srpi_queue_io(struct srpi_io *io)
{
	struct srpi_queue *queue = io->queue;

	if (unlikely(io_state(io) != IO_PREPARED)) {
		queue_refuse(io);
		return;
	}
	io_set_state(io, IO_PLUGGED);
	io_list_add(&queue->plug, io);
	queue->nr_plugged++;
}

/* Inside: from READY on the command is the channel's. */
static void
queue_stamp(struct srpi_queue *queue, uint64_t now_coarse)
{
	uint64_t now = queue->wants_times ? clock_ns() : 0;
	struct srpi_io *io;

	for (io = queue->plug.head; io; io = io->next) {
		io->submit_coarse_ns = now_coarse;
		io->result.submit_ns = now;
		io_set_state(io, IO_READY);
		PROBE_IO(submitted, queue->number, io);
	}
}

int
srpi_submit(struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;
	uint32_t nr = queue->nr_plugged;
	uint64_t now;

	if (!nr)
		return 0;
	now = clock_coarse_ns();
	queue->nr_plugged = 0;
	queue->nr_outstanding += nr;
	channel_enter(ch);
	queue_stamp(queue, now);
	if (ch->scan_at_ns == UINT64_MAX)
		ch->scan_at_ns = now + ch->io_timeout_ns;
	io_list_splice(&ch->ready, &queue->plug);
	if (likely(ch->state == CHANNEL_UP))
		channel_send(ch);
	else
		channel_end_all(ch, ch->error);
	channel_leave(ch);
	return (int)nr;
}

/* Polls once; now and then looks at the clock. */
static inline int
queue_poll_channel(struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;
	int nr = channel_poll(ch);

	if (unlikely(!nr && (++queue->nr_idle & QUEUE_IDLE_MASK) == 0))
		channel_check_deadlines(ch, clock_coarse_ns());
	return nr;
}

/* Polls the channel, unless somebody else does. */
static void
queue_poll_once(struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;

	channel_enter(ch);
	if (likely(!channel_is_served(ch)))
		queue_poll_channel(queue);
	if (unlikely(queue->uses_fd) && !channel_is_shared(ch) &&
		ring_is_empty(&queue->done))
		completion_rearm(queue);
	channel_leave(ch);
}

int
srpi_poll(struct srpi_queue *queue, struct srpi_io **ios, unsigned int max)
{
	unsigned int nr;

	if (unlikely(queue->uses_fd))
		share_drain_fd(queue);
	nr = queue_pop(queue, ios, max);
	if (nr)
		return (int)nr;
	queue_poll_once(queue);
	return (int)queue_pop(queue, ios, max);
}

unsigned int
queue_drive(struct srpi_queue *queue, struct srpi_io **ios, unsigned int nr,
	unsigned int want, unsigned int max, uint64_t deadline_ns)
{
	struct channel *ch = queue->ch;

	channel_enter(ch);
	for (;;) {
		queue_poll_channel(queue);
		nr += queue_pop(queue, ios + nr, max - nr);
		if (nr >= want || queue->ops->wait(queue, deadline_ns))
			break;
		if (likely(!bias_is_wanted(&ch->bias)))
			continue;
		channel_give_way(ch);
		/* not alone since, or a service has taken over: see there */
		if (channel_is_shared(ch) &&
			(!queue->is_leader || channel_is_served(ch)))
			break;
	}
	if (queue->ops->end)
		queue->ops->end(queue);
	channel_leave(ch);
	return nr;
}

int
srpi_wait(struct srpi_queue *queue, struct srpi_io **ios, unsigned int min_ios,
	unsigned int max_ios, int64_t timeout_ns)
{
	unsigned int nr = queue_pop(queue, ios, max_ios);
	unsigned int want = min(min_ios, max_ios);
	uint64_t deadline;

	want = min(want, nr + queue->nr_outstanding);
	if (!min_ios && !nr)
		return srpi_poll(queue, ios, max_ios);
	if (nr >= want)
		return (int)nr;
	deadline = timeout_ns < 0 ? UINT64_MAX
				  : clock_ns() + (uint64_t)timeout_ns;
	if (likely(!channel_is_shared(queue->ch)))
		nr = queue_drive(queue, ios, nr, want, max_ios, deadline);
	if (unlikely(channel_is_shared(queue->ch)) && nr < want)
		nr = share_wait(queue, ios, nr, want, max_ios, deadline);
	return (int)nr;
}
