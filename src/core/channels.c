/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A session's channels: which queue gets a connection of its own, and which
 * ones share.
 *
 * SRP_MULTICHAN_SINGLE ends every other channel of the same initiator port
 * id, in any process: only the first login of a session that asks for it
 * (single=yes) uses it, everything else logs in MULTI.
 */
#include <stdio.h>
#include <time.h>

#include "core/channel.h"
#include "core/queue.h"
#include "core/service.h"
#include "core/session.h"
#include "util/clock.h"
#include "util/log.h"

#define CHANNELS_STALE_FIRST_MS 10u
#define CHANNELS_STALE_MAX_MS 1000u
#define CHANNELS_SHORT_DESCS 12u /* fits the 260 bytes older targets take */

/* ---- one connection ---- */

static void
channels_sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&ts, NULL);
}

/* True: try again, without immediate data or with fewer descriptors. */
static bool
channels_shorten(struct channel_attr *attr)
{
	if (attr->imm_data) {
		attr->imm_data = false;
		return true;
	}
	if (attr->max_descs == 1)
		return false;
	attr->max_descs =
		attr->max_descs > CHANNELS_SHORT_DESCS ? CHANNELS_SHORT_DESCS : 1;
	return true;
}

/*
 * channel_create(), again while that may help: after a stale connection
 * (with back-off, within login_timeout), and with fewer descriptors when the
 * target wants shorter IUs.
 */
static int
channels_connect(struct srpi_session *session, struct channel_attr *attr,
	struct channel **channel, char *reason, size_t n)
{
	unsigned int wait_ms = CHANNELS_STALE_FIRST_MS;
	uint64_t give_up;
	int ret;

	give_up = clock_ns() +
		session->attr.login_timeout_ms * CLOCK_NS_PER_MSEC;
	attr->deadline_ns = give_up;
	for (;;) {
		ret = channel_create(attr, channel, reason, n);
		if (ret == -EMSGSIZE && channels_shorten(attr))
			continue;
		if (ret != -EAGAIN || clock_ns() >= give_up)
			break;
		channels_sleep_ms(wait_ms);
		/* a last try that is late is still told why it is refused */
		attr->deadline_ns = max(give_up, clock_ns() +
			CHANNELS_STALE_MAX_MS * CLOCK_NS_PER_MSEC);
		wait_ms = min(2 * wait_ms, CHANNELS_STALE_MAX_MS);
	}
	if (!ret && (*channel)->max_descs < session->attr.max_descs &&
		session->attr.max_descs > 1 && attr->max_descs > 1)
		log_info("core", "%s: commands carry up to %u descriptors",
			session->attr.portal, (*channel)->max_descs);
	if (ret == -EMSGSIZE || ret == -EAGAIN)
		ret = -ECONNREFUSED;
	return ret;
}

/*
 * ---- own or shared ----
 *
 * Under connect_lock, one queue at a time; the list and nr_users change under
 * channels_lock as well, which is never held across a login.
 */

/* The control queue alone does not decide how its channel is waited for. */
static bool
channels_is_undecided(const struct channel *ch)
{
	return ch->is_control && ch->nr_users == 1;
}

/*
 * The channel to share: of the same completion mode, or the control queue's
 * while no other has joined it, and of these the one with the fewest queues.
 */
static struct channel *
channels_pick(struct srpi_session *session, enum srpi_completion completion)
{
	struct channel *ch, *best = NULL;
	unsigned int rank, best_rank = 0;

	list_for_each_entry(ch, &session->channels, node) {
		rank = 2 * (CHANNEL_MAX_QUEUES - ch->nr_users) +
			(ch->is_control ? 0 : 1);
		if (ch->completion == completion || channels_is_undecided(ch))
			rank += 4 * CHANNEL_MAX_QUEUES;
		/* its waiter sleeps on the event channel itself: srpi_fd() */
		if (ch->has_fd_user && !channel_is_shared(ch))
			continue;
		if (ch->nr_users < CHANNEL_MAX_QUEUES && rank > best_rank) {
			best = ch;
			best_rank = rank;
		}
	}
	return best;
}

/* Under channels_lock, when a queue has come or gone. */
static void
channels_count(struct srpi_session *session, struct channel *ch)
{
	bool is_crowded = ch->nr_users > 1 &&
		ch->nr_users * session->nr_channels > session->nr_cpus;

	atomic_store_explicit(
		&ch->is_crowded, is_crowded, memory_order_relaxed);
}

/* The channel to share, with one more user. */
static struct channel *
channels_join(struct srpi_session *session, struct srpi_queue *queue)
{
	struct channel *ch;

	pthread_mutex_lock(&session->channels_lock);
	ch = channels_pick(session, queue->completion);
	if (ch) {
		if (channels_is_undecided(ch))
			ch->completion = queue->completion;
		ch->nr_users++;
		channels_count(session, ch);
	}
	pthread_mutex_unlock(&session->channels_lock);
	return ch;
}

static int
channels_share(struct srpi_session *session, struct srpi_queue *queue,
	char *reason, size_t n)
{
	struct channel *ch = channels_join(session, queue);

	if (!ch) {
		snprintf(reason, n,
			"%u connections carry %u queues each already; ask for more channels (channels=)",
			session->nr_channels, CHANNEL_MAX_QUEUES);
		return -ENOSPC;
	}
	channel_share(ch);
	queue->ch = ch;
	return 0;
}

static int
channels_open(struct srpi_session *session, struct srpi_queue *queue,
	char *reason, size_t n)
{
	bool is_control = queue->number == QUEUE_CONTROL;
	struct channel_attr attr = {
		.session = session,
		/*
		 * It may have to carry other queues too, and then a window of
		 * one shallow queue would let them send one by one.
		 */
		.window = max(is_control ? 0 : queue->depth,
			session->attr.depth),
		.max_descs = session->attr.max_descs,
		.imm_data = session->attr.imm_data,
		.multi = !session->attr.single || !is_control,
	};
	int ret = channels_connect(session, &attr, &queue->ch, reason, n);

	if (ret)
		return ret;
	queue->ch->completion = queue->completion;
	queue->ch->is_control = is_control;
	queue->ch->nr_users = 1;
	pthread_mutex_lock(&session->channels_lock);
	queue->ch->number = session->next_channel++;
	session->nr_channels += !is_control;
	list_add_tail(&session->channels, &queue->ch->node);
	if (session->is_held)
		channel_hold(queue->ch);
	pthread_mutex_unlock(&session->channels_lock);
	return 0;
}

/* The target grants no more: go on with what there is, and say so. */
static void
channels_settle(struct srpi_session *session, const char *why)
{
	unsigned int nr;

	pthread_mutex_lock(&session->channels_lock);
	nr = session->nr_channels;
	log_warn("core", "%s: going on with %u of %u channels: %s",
		session->attr.portal, nr ? nr : 1, session->max_channels, why);
	session->max_channels = nr;
	pthread_mutex_unlock(&session->channels_lock);
}

static bool
channels_may_open(struct srpi_session *session)
{
	bool may;

	pthread_mutex_lock(&session->channels_lock);
	may = session->nr_channels < session->max_channels;
	pthread_mutex_unlock(&session->channels_lock);
	return may;
}

int
session_get_channel(struct srpi_session *session, struct srpi_queue *queue,
	char *reason, size_t n)
{
	bool is_control = queue->number == QUEUE_CONTROL;
	int ret = -ECONNREFUSED;

	pthread_mutex_lock(&session->connect_lock);
	if (is_control || channels_may_open(session)) {
		ret = channels_open(session, queue, reason, n);
		if (ret == -ECONNREFUSED && !is_control)
			channels_settle(session, reason);
	}
	if (ret == -ECONNREFUSED && !is_control)
		ret = channels_share(session, queue, reason, n);
	pthread_mutex_unlock(&session->connect_lock);
	return ret;
}

/*
 * Its commands still under way are aborted; one that the target does not want
 * to abort comes to its end by itself, at the latest in time.
 */
static void
channels_drain(struct srpi_queue *queue)
{
	struct srpi_io *ios[16];
	char reason[256];
	unsigned int i;
	int nr;

	for (i = 0; i < queue->depth && queue->nr_outstanding; i++)
		if (io_state(&queue->ios[i]) == IO_READY ||
			io_state(&queue->ios[i]) == IO_POSTED)
			srpi_tmf(queue->session, NULL, SRPI_TMF_ABORT_TASK,
				&queue->ios[i], reason, sizeof(reason));
	while (queue->nr_outstanding) {
		nr = srpi_wait(queue, ios, 1, ARRAY_SIZE(ios), -1);
		for (i = 0; (int)i < nr; i++)
			srpi_put(ios[i]);
	}
}

/* ---- pinned ---- */

struct channel *
session_pin_channel(struct srpi_session *session)
{
	struct channel *ch, *next = NULL;

	pthread_mutex_lock(&session->channels_lock);
	list_for_each_entry(ch, &session->channels, node) {
		if (ch->round == session->round)
			continue;
		ch->round = session->round;
		ch->nr_pins++;
		next = ch;
		break;
	}
	pthread_mutex_unlock(&session->channels_lock);
	return next;
}

void
session_unpin_channel(struct channel *ch)
{
	struct srpi_session *session = ch->session;

	pthread_mutex_lock(&session->channels_lock);
	if (--ch->nr_pins == 0)
		pthread_cond_broadcast(&session->channels_unpinned);
	pthread_mutex_unlock(&session->channels_lock);
}

/* Whoever pins a channel without a user leaves when its connection ends. */
static void
channels_wait_unpinned(struct channel *ch)
{
	struct srpi_session *session = ch->session;

	pthread_mutex_lock(&session->channels_lock);
	if (ch->nr_pins) {
		pthread_mutex_unlock(&session->channels_lock);
		channel_shut(ch);
		pthread_mutex_lock(&session->channels_lock);
	}
	while (ch->nr_pins)
		pthread_cond_wait(&session->channels_unpinned,
			&session->channels_lock);
	pthread_mutex_unlock(&session->channels_lock);
}

void
session_put_channel(struct srpi_session *session, struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;
	bool is_last;

	if (!ch)
		return;
	pthread_mutex_lock(&session->channels_lock);
	if (ch->nr_users > 1) {
		/* it stays while we are counted; others may join or leave */
		pthread_mutex_unlock(&session->channels_lock);
		channels_drain(queue);
		channel_detach(ch, queue);
		pthread_mutex_lock(&session->channels_lock);
	}
	is_last = --ch->nr_users == 0;
	if (is_last) {
		list_del(&ch->node);
		session->nr_channels -= !ch->is_control;
	} else {
		channels_count(session, ch);
	}
	pthread_mutex_unlock(&session->channels_lock);
	if (!is_last)
		return;
	channels_wait_unpinned(ch);
	service_detach(ch); /* whose thread counts, too */
	session_keep_stats(session, &ch->stats);
	channel_destroy(ch);
}
