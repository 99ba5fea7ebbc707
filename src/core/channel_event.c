/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A channel's errors, deadlines and completion events. Runs inside the
 * channel.
 */
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>

#include "core/channel.h"
#include "core/keeper.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "util/clock.h"
#include "util/log.h"

#define CHANNEL_ACK_BATCH 64

static const struct fabric *
channel_fabric(const struct channel *ch)
{
	return ch->session->attr.fabric;
}

/*
 * A SEND under way may still read the caller's memory, unless the queue pair
 * is in error: then as with a response, the I/O ends after it.
 */
static void
channel_end_counted(struct channel *ch, struct srpi_io *io)
{
	if (ch->state == CHANNEL_UP && io->nr_sends) {
		io_set_state(io, IO_ANSWERED);
		ch->nr_answered++;
		return;
	}
	io->nr_sends = 0;
	channel_finish(ch, io);
}

/* Ends a command without a response. */
static void
channel_end_io(struct channel *ch, struct srpi_io *io, int error)
{
	if (io_state(io) == IO_POSTED)
		ch->nr_posted--;
	io->result = (struct srpi_result){
		.error = error,
		.submit_ns = io->result.submit_ns,
		.posted_ns = io->result.posted_ns,
	};
	if (io_state(io) != IO_ANSWERED)
		queue_count(io);
	channel_end_counted(ch, io);
}

/* Takes @io off a list of commands that are not on the wire. */
static void
channel_unlist(struct io_list *list, const struct srpi_io *io)
{
	struct srpi_io **link;

	for (link = &list->head; *link; link = &(*link)->next) {
		if (*link != io)
			continue;
		*link = io->next;
		if (!*link)
			list->tail = link;
		return;
	}
}

void
channel_cancel(struct channel *ch, struct srpi_io *io)
{
	channel_unlist(&ch->ready, io);
	channel_unlist(&ch->delayed, io);
	if (io_state(io) == IO_ANSWERED)
		return; /* it ends by itself, with its own result */
	channel_end_io(ch, io, -ECANCELED);
}

static bool
channel_is_late(const struct channel *ch, const struct srpi_io *io,
	uint64_t now)
{
	return now >= io->submit_coarse_ns + ch->io_timeout_ns;
}

static bool
channel_is_busy(const struct srpi_io *io)
{
	enum io_state state = io_state(io);

	return state == IO_READY || state == IO_POSTED || state == IO_ANSWERED;
}

/* The first slot with a command under way, from slot @i of queue @q on. */
static struct srpi_io *
channel_seek_busy(struct channel *ch, uint32_t q, uint32_t i)
{
	struct srpi_queue *queue;

	for (; q < ch->nr_queues; q++, i = 0) {
		queue = ch->queues[q];
		for (; queue && i < queue->depth; i++)
			if (channel_is_busy(&queue->ios[i]))
				return &queue->ios[i];
	}
	return NULL;
}

static struct srpi_io *
channel_first_busy(struct channel *ch)
{
	return channel_seek_busy(ch, 0, 0);
}

static struct srpi_io *
channel_next_busy(struct channel *ch, const struct srpi_io *io)
{
	return channel_seek_busy(ch, io->queue->index, io->index + 1);
}

/* The same LUN may have been opened twice. */
static bool
channel_is_on_lun(const struct srpi_io *io, const struct srpi_lun *lun)
{
	return !memcmp(&io->lun->lun, &lun->lun, sizeof(lun->lun));
}

void
channel_cancel_lun(struct channel *ch, const struct srpi_lun *lun)
{
	struct srpi_io *io;

	for (io = channel_first_busy(ch); io; io = channel_next_busy(ch, io))
		if (channel_is_on_lun(io, lun))
			channel_cancel(ch, io);
}

bool
channel_has_posted(struct channel *ch, const struct srpi_lun *lun)
{
	struct srpi_io *io;

	for (io = channel_first_busy(ch); io; io = channel_next_busy(ch, io))
		if (channel_is_on_lun(io, lun) && io_state(io) == IO_POSTED)
			return true;
	return false;
}

void
channel_end_all(struct channel *ch, int error)
{
	uint64_t now = clock_coarse_ns();
	struct srpi_io *io;

	io_list_init(&ch->ready);
	io_list_init(&ch->delayed);
	ch->nr_answered = 0;
	for (io = channel_first_busy(ch); io; io = channel_next_busy(ch, io))
		channel_end_io(ch, io,
			channel_is_late(ch, io, now) ? -ETIMEDOUT : error);
}

/*
 * The QP goes to the error state before any I/O ends: from then on the
 * device lets nobody move data through our keys, so buffers may be given
 * back.
 */
static void
channel_stop_qp(struct channel *ch)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	channel_fabric(ch)->modify_qp(ch->qp, &attr, IBV_QP_STATE);
	channel_fabric(ch)->disconnect(ch->id);
}

void
channel_fail(struct channel *ch, int error, const char *format, ...)
{
	va_list args;

	if (ch->state == CHANNEL_FAILED)
		return;
	ch->state = CHANNEL_FAILED;
	ch->error = error;
	va_start(args, format);
	vsnprintf(ch->reason, sizeof(ch->reason), format, args);
	va_end(args);
	log_warn("core", "%s: connection lost: %s", ch->session->attr.portal,
		ch->reason);
	counter_add(&ch->stats.disconnects, 1);
	channel_stop_qp(ch);
	channel_end_all(ch, error);
	if (ch->is_control)
		events_raise(&ch->session->events, SRPI_EVENT_DISCONNECTED);
}

void
channel_shut(struct channel *ch)
{
	channel_visit_wait(ch);
	if (ch->state == CHANNEL_UP) {
		ch->state = CHANNEL_FAILED;
		ch->error = -ECANCELED;
		snprintf(ch->reason, sizeof(ch->reason),
			"its queue was destroyed");
		channel_stop_qp(ch);
		channel_end_all(ch, ch->error);
	}
	channel_unvisit(ch, false);
}

/* The first completion that is more than a flush says why. */
static const char *
channel_send_error(struct channel *ch)
{
	struct ibv_wc wc;
	int i;

	for (i = 0; i < 4096 && ibv_poll_cq(ch->send_cq, 1, &wc) == 1; i++)
		if (wc.status != IBV_WC_SUCCESS &&
			wc.status != IBV_WC_WR_FLUSH_ERR)
			return ibv_wc_status_str(wc.status);
	return NULL;
}

void
channel_on_bad_wc(struct channel *ch, const struct ibv_wc *wc)
{
	const char *why = NULL;

	if (ch->state != CHANNEL_UP)
		return;
	if (wc->status != IBV_WC_WR_FLUSH_ERR)
		why = ibv_wc_status_str(wc->status);
	else
		why = channel_send_error(ch);
	if (wc->status == IBV_WC_LOC_LEN_ERR)
		channel_fail(ch, -EPROTO,
			"the target sent an IU longer than the %u bytes it was given room for (rx_iu= makes room)",
			ch->rx_bytes);
	else if (why)
		channel_fail(ch, -ECONNRESET, "%s", why);
	else
		channel_fail(ch, -ECONNRESET, "%s",
			atomic_load(&ch->down)
				? "the target closed the connection"
				: "the queue pair was flushed");
}

/* ---- deadlines ---- */

static void
channel_revive_delayed(struct channel *ch, uint64_t now)
{
	struct io_list still;
	struct srpi_io *io, *next;

	io_list_init(&still);
	for (io = ch->delayed.head; io; io = next) {
		next = io->next;
		io_list_add(io->retry_at_ns <= now ? &ch->ready : &still, io);
	}
	io_list_init(&ch->delayed);
	io_list_splice(&ch->delayed, &still);
}

/* Out of time and not on the wire: what the target last said stays. */
static void
channel_give_up_io(struct channel *ch, struct srpi_io *io)
{
	counter_add(&ch->stats.timeouts, 1);
	if (!io->result.error) {
		channel_end_io(ch, io, -ETIMEDOUT);
		return;
	}
	io->result.bytes = 0;
	queue_count(io);
	channel_end_counted(ch, io);
}

/* Takes the late ones off a list of commands that are not on the wire. */
static void
channel_end_late(struct channel *ch, struct io_list *list, uint64_t now)
{
	struct io_list still;
	struct srpi_io *io, *next;

	io_list_init(&still);
	for (io = list->head; io; io = next) {
		next = io->next;
		if (channel_is_late(ch, io, now))
			channel_give_up_io(ch, io);
		else
			io_list_add(&still, io);
	}
	io_list_init(list);
	io_list_splice(list, &still);
}

static uint32_t
channel_nr_late_posted(struct channel *ch, uint64_t now)
{
	struct srpi_io *io;
	uint32_t nr = 0;

	for (io = channel_first_busy(ch); io; io = channel_next_busy(ch, io))
		nr += io_state(io) == IO_POSTED && channel_is_late(ch, io, now);
	return nr;
}

static uint64_t
channel_first_deadline(struct channel *ch)
{
	uint64_t first = UINT64_MAX;
	const struct srpi_io *io;

	for (io = channel_first_busy(ch); io; io = channel_next_busy(ch, io))
		first = min(first, io->submit_coarse_ns + ch->io_timeout_ns);
	for (io = ch->delayed.head; io; io = io->next)
		first = min(first, io->retry_at_ns);
	return first;
}

void
channel_check_deadlines(struct channel *ch, uint64_t now)
{
	uint32_t late;

	if (now < ch->scan_at_ns || ch->state != CHANNEL_UP)
		return;
	channel_reclaim(ch); /* a SEND that failed shows here first */
	if (ch->state != CHANNEL_UP)
		return;
	channel_end_late(ch, &ch->ready, now);
	channel_end_late(ch, &ch->delayed, now);
	channel_revive_delayed(ch, now);
	late = channel_nr_late_posted(ch, now);
	if (late) {
		counter_add(&ch->stats.timeouts, late);
		channel_fail(ch, -ECONNABORTED,
			"%u command%s not answered within io_timeout (%u ms)",
			late, late == 1 ? "" : "s",
			ch->session->attr.io_timeout_ms);
	} else if (ch->ready.head) {
		channel_send(ch);
	}
	ch->scan_at_ns = channel_first_deadline(ch);
}

int64_t
channel_next_check(struct channel *ch, uint64_t now)
{
	if (ch->scan_at_ns == UINT64_MAX)
		return -1;
	return ch->scan_at_ns > now ? (int64_t)(ch->scan_at_ns - now) : 0;
}

/* ---- events ---- */

static int
channel_request_event(struct channel *ch)
{
	int error = ibv_req_notify_cq(ch->recv_cq, 0);

	if (error) {
		channel_fail(ch, -error, "arming the CQ: errno %d", error);
		return -error;
	}
	ch->armed = true;
	counter_add(&ch->stats.arms, 1);
	return 0;
}

int
channel_arm(struct channel *ch)
{
	uint32_t left = ch->nr_rx;
	int ret = ch->armed ? 0 : channel_request_event(ch);

	/* bounded: a target that never stops talking must not hold us */
	while (!ret && left-- && channel_poll(ch) > 0)
		;
	return ret;
}

void
channel_ack_events(struct channel *ch)
{
	if (ch->nr_unacked)
		channel_fabric(ch)->ack_cq_events(ch->recv_cq, ch->nr_unacked);
	ch->nr_unacked = 0;
}

void
channel_read_events(struct channel *ch)
{
	struct ibv_cq *cq;
	void *arg;

	/* one arm, one event: nothing more can be there */
	if (channel_fabric(ch)->get_cq_event(ch->comp, &cq, &arg))
		return;
	ch->armed = false;
	counter_add(&ch->stats.events, 1);
	if (++ch->nr_unacked >= CHANNEL_ACK_BATCH)
		channel_ack_events(ch);
}

void
channel_enter_slow(struct channel *ch)
{
	if (bias_enter_slow(&ch->bias))
		keeper_kick();
}

bool
channel_visit(struct channel *ch)
{
	return bias_visit(&ch->bias);
}

void
channel_visit_wait(struct channel *ch)
{
	bias_visit_wait(&ch->bias);
}

/* A waiter that sleeps and has I/Os to fetch. */
static bool
channel_owes_kick(const struct channel *ch)
{
	uint32_t i;

	for (i = 0; i < ch->nr_queues; i++)
		if (ch->queues[i] &&
			(ch->is_blocked || ch->queues[i]->uses_fd) &&
			!ring_is_empty(&ch->queues[i]->done))
			return true;
	return false;
}

void
channel_unvisit(struct channel *ch, bool park)
{
	if (ch->has_news)
		share_wake(ch);
	if (channel_owes_kick(ch))
		eventfd_write(ch->kick_fd, 1);
	bias_unvisit(&ch->bias, park);
}

void
channel_read_kick(struct channel *ch)
{
	eventfd_t value;

	eventfd_read(ch->kick_fd, &value);
}

void
channel_give_way(struct channel *ch)
{
	channel_leave(ch);
	bias_let_in(&ch->bias);
	channel_enter(ch);
}

static bool
channel_kick_owner(struct channel *ch)
{
	bool is_blocked;

	channel_enter(ch);
	is_blocked = ch->is_owner_blocked;
	if (is_blocked)
		eventfd_write(ch->kick_fd, 1);
	channel_leave(ch);
	return is_blocked;
}

void
channel_share(struct channel *ch)
{
	static const struct timespec pause = { 0, 100000 };

	if (channel_is_shared(ch))
		return;
	bias_share(&ch->bias, &ch->is_shared);
	/* two that sleep on the same event would miss each other's */
	while (channel_kick_owner(ch))
		nanosleep(&pause, NULL);
}
