/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A channel's per-I/O half: post commands, take responses. Every function
 * runs inside the channel (core/bias.h).
 */
#include "core/channel.h"
#include "core/probes.h"
#include "core/queue.h"
#include "core/split.h"
#include "wire/srp_iu.h"

#define CHANNEL_POLL_BATCH 32

void
channel_finish(struct channel *ch, struct srpi_io *io)
{
	bool pushed;

	io_set_state(io, IO_DONE);
	if (unlikely(ch->wants_stages))
		io->result.seen_ns = ch->stage_ns;
	ch->has_news = channel_is_shared(ch);
	/* never full: it has room for every tag of the queue */
	pushed = ring_push(&io->queue->done, (uintptr_t)io);
	assert(pushed);
	(void)pushed;
}

/* The slot that @tag names, if its command is on the wire in this life. */
static inline struct srpi_io *
channel_find(struct channel *ch, uint64_t tag)
{
	uint32_t place = (uint32_t)tag;
	uint32_t index = place & ((1u << IO_PLACE_SHIFT) - 1);
	struct srpi_queue *queue;
	struct srpi_io *io;

	if (unlikely(place >> IO_PLACE_SHIFT >= ch->nr_queues))
		return NULL;
	queue = ch->queues[place >> IO_PLACE_SHIFT];
	if (unlikely(!queue || index >= queue->depth))
		return NULL;
	io = &queue->ios[index];
	if (unlikely(io_life(io) != tag >> 32 || io_state(io) != IO_POSTED))
		return NULL;
	return io;
}

struct srpi_io *
channel_lookup(struct channel *ch, uint64_t tag)
{
	return channel_find(ch, tag);
}

/* The response is there; the I/O ends when its SEND is complete too. */
static inline void
channel_answered(struct channel *ch, struct srpi_io *io)
{
	ch->nr_posted--;
	if (unlikely(io->split) && split_continue(ch, io))
		return;
	queue_count(io);
	if (likely(!io->nr_sends)) {
		channel_finish(ch, io);
		return;
	}
	io_set_state(io, IO_ANSWERED);
	ch->nr_answered++;
}

void
channel_take_answer(struct channel *ch, struct srpi_io *io)
{
	channel_answered(ch, io);
}

static inline void
channel_on_good(struct channel *ch, struct srpi_io *io)
{
	io->result.error = 0;
	io->result.status = 0;
	io->result.response = 0;
	io->result.sense_bytes = 0;
	io->result.sense = NULL;
	io->result.bytes = io->expect_bytes;
	io->result.residual = 0;
	channel_answered(ch, io);
}

static inline void
channel_on_wc(struct channel *ch, const struct ibv_wc *wc)
{
	const uint8_t *iu = ch->rx_area + wc->wr_id * ch->rx_bytes;
	struct srpi_io *io;
	struct srp_iu_rsp rsp;

	if (unlikely(wc->status != IBV_WC_SUCCESS)) {
		channel_on_bad_wc(ch, wc);
		return;
	}
	/* all but a plain good response to a live tag, worth one credit */
	if (unlikely(srp_iu_rsp_decode(iu, wc->byte_len, &rsp) ||
		    (rsp.flags | rsp.status) || rsp.req_lim_delta != 1 ||
		    !(io = channel_find(ch, rsp.tag)))) {
		channel_on_iu(ch, iu, wc->byte_len);
		return;
	}
	ch->credits++;
	PROBE_IO(seen, io->queue->number, io);
	channel_on_good(ch, io);
}

void
channel_post_rx(struct channel *ch)
{
	uint32_t last = ch->rx_next + ch->rx_free - 1;
	struct ibv_recv_wr *bad, *end, *next;
	int error;

	if (last >= ch->nr_rx)
		last -= ch->nr_rx;
	/* the ring is linked in a circle: cut it behind the last one */
	end = &ch->rx_wrs[last];
	next = end->next;
	end->next = NULL;
	error = ibv_post_recv(ch->qp, &ch->rx_wrs[ch->rx_next], &bad);
	end->next = next;
	if (unlikely(error)) {
		channel_fail(ch, -error, "posting receives: errno %d", error);
		return;
	}
	counter_add(&ch->stats.recv_doorbells, 1);
	counter_add(&ch->stats.recv_wrs, ch->rx_free);
	ch->rx_next = last + 1 == ch->nr_rx ? 0 : last + 1;
	ch->rx_free = 0;
}

int
channel_poll(struct channel *ch)
{
	struct ibv_wc wcs[CHANNEL_POLL_BATCH];
	int i, nr;

	counter_add(&ch->stats.polls, 1);
	nr = ibv_poll_cq(ch->recv_cq, CHANNEL_POLL_BATCH, wcs);
	if (unlikely(nr <= 0)) {
		counter_add(&ch->stats.empty_polls, 1);
		if (unlikely(nr < 0))
			channel_fail(ch, -EIO, "polling the CQ: error %d", nr);
		else if (unlikely(ch->nr_answered))
			channel_reclaim(ch);
		return 0;
	}
	if (unlikely(ch->wants_stages))
		ch->stage_ns = clock_ns();
	for (i = 0; i < nr && likely(ch->state == CHANNEL_UP); i++)
		channel_on_wc(ch, &wcs[i]);
	if (unlikely(ch->state != CHANNEL_UP))
		return nr;
	ch->rx_free += (uint32_t)nr;
	if (ch->rx_free >= ch->rx_batch)
		channel_post_rx(ch);
	if (unlikely(ch->nr_answered))
		channel_reclaim(ch);
	if (ch->ready.head)
		channel_send(ch);
	return nr;
}

/* The SEND of the command at @place has let go of the caller's memory. */
static void
channel_on_sent(struct channel *ch, uint32_t place)
{
	struct srpi_queue *queue = ch->queues[place >> IO_PLACE_SHIFT];
	struct srpi_io *io;

	if (!queue)
		return;
	io = &queue->ios[place & ((1u << IO_PLACE_SHIFT) - 1)];
	io->nr_sends--;
	if (io_state(io) != IO_ANSWERED || io->nr_sends)
		return;
	ch->nr_answered--;
	channel_finish(ch, io);
}

static inline void
channel_on_send_wc(struct channel *ch, const struct ibv_wc *wc)
{
	if (unlikely(wc->status != IBV_WC_SUCCESS)) {
		channel_on_bad_wc(ch, wc);
		return;
	}
	ch->sq_free += (uint32_t)wc->wr_id;
	if (unlikely(wc->wr_id >> 32))
		channel_on_sent(ch, (uint32_t)(wc->wr_id >> 32) - 1);
}

void
channel_reclaim(struct channel *ch)
{
	struct ibv_wc wcs[CHANNEL_POLL_BATCH];
	int i, nr;

	do {
		nr = ibv_poll_cq(ch->send_cq, CHANNEL_POLL_BATCH, wcs);
		for (i = 0; i < nr && likely(ch->state == CHANNEL_UP); i++)
			channel_on_send_wc(ch, &wcs[i]);
	} while (nr == CHANNEL_POLL_BATCH && ch->state == CHANNEL_UP);
}

/*
 * One SEND more on the queue: every signal_every-th asks for a completion,
 * and those that @must. Its wr_id: how many slots that gives back (31:0), and
 * 1 + the place of a command that waits for it (63:32).
 */
static inline void
channel_account(struct channel *ch, struct ibv_send_wr *wr, bool must)
{
	ch->sq_free--;
	if (++ch->sq_unsignalled < ch->signal_every && !must) {
		wr->send_flags &= ~(unsigned int)IBV_SEND_SIGNALED;
		wr->wr_id = 0;
		return;
	}
	wr->send_flags |= IBV_SEND_SIGNALED;
	wr->wr_id = ch->sq_unsignalled;
	ch->sq_unsignalled = 0;
}

bool
channel_take_slot(struct channel *ch, struct ibv_send_wr *wr)
{
	if (ch->sq_free <= CHANNEL_NR_CTL)
		channel_reclaim(ch);
	if (ch->sq_free == 0 || ch->state != CHANNEL_UP)
		return false;
	channel_account(ch, wr, false);
	return true;
}

/* Commands that may go now: a credit stays for task management, and the
 * control IUs' slots of the send queue stay theirs. */
static inline int32_t
channel_room(struct channel *ch)
{
	int32_t room = min(ch->credits - ch->kept_credits,
		(int32_t)(ch->window - ch->nr_posted));

	if (ch->sq_free < ch->signal_every + CHANNEL_NR_CTL + 1)
		channel_reclaim(ch);
	return min(room, (int32_t)ch->sq_free - CHANNEL_NR_CTL);
}

static void
channel_stamp_ready(struct channel *ch, uint32_t max_ios)
{
	uint64_t now = clock_ns();
	struct srpi_io *io;

	for (io = ch->ready.head; io && max_ios; io = io->next, max_ios--)
		io->result.posted_ns = now;
}

void
channel_send(struct channel *ch)
{
	struct srpi_io *io = ch->ready.head, *first = io, *last = NULL;
	struct ibv_send_wr *bad;
	int32_t room = channel_room(ch);
	uint32_t nr = 0;
	int error;

	if (unlikely(ch->wants_stages))
		channel_stamp_ready(ch, (uint32_t)max(room, 0));
	for (; io && (int32_t)nr < room; io = io->next, nr++) {
		if (last)
			last->wr.next = &io->wr;
		channel_account(ch, &io->wr, io->sends_data);
		if (unlikely(io->sends_data)) {
			io->wr.wr_id |= (uint64_t)(io->place + 1) << 32;
			io->nr_sends++;
		}
		io_set_state(io, IO_POSTED);
		PROBE_IO(posted, io->queue->number, io);
		last = io;
	}
	if (unlikely(io))
		counter_add(&ch->stats.credit_waits, 1);
	if (unlikely(nr == 0))
		return;
	last->wr.next = NULL;
	ch->ready.head = io;
	if (!io)
		ch->ready.tail = &ch->ready.head;
	ch->credits -= (int32_t)nr;
	ch->nr_posted += nr;
	counter_add(&ch->stats.doorbells, 1);
	counter_add(&ch->stats.send_wrs, nr);
	error = ibv_post_send(ch->qp, &first->wr, &bad);
	if (unlikely(error))
		channel_fail(ch, -error, "posting commands: errno %d", error);
}
