/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management (SRP r16a 5.4.4.2): one request at a time on a channel,
 * sent on the credit that commands leave over.
 *
 * Connections are not ordered among each other: a LUN RESET on one says
 * nothing about a command on its way to the target on another, which then
 * still moves data. So a reset goes the way of the commands it ends, once on
 * each connection that has some; meanwhile no connection of the session sends
 * commands, since the target would end new ones too.
 *
 * Everything here visits channels (core/bias.h), their owners' own too.
 */
#include <stdio.h>
#include <time.h>

#include "core/channel.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core/session.h"
#include "util/clock.h"
#include "wire/srp_iu.h"

#define TMF_ABORT_NS (5 * CLOCK_NS_PER_SEC)
#define TMF_RESET_NS (15 * CLOCK_NS_PER_SEC)

static uint64_t
tmf_limit_ns(enum srpi_tmf function)
{
	return function == SRPI_TMF_ABORT_TASK ? TMF_ABORT_NS : TMF_RESET_NS;
}

static int
tmf_post(struct channel *ch, enum srpi_tmf function,
	const struct scsi_lun *lun, uint64_t task_tag)
{
	struct srp_iu_tsk_mgmt req = {
		.tag = channel_tmf_tag(ch),
		.task_tag = task_tag,
		.function = (uint8_t)function,
		.lun = *lun,
	};
	struct srp_tsk_mgmt iu;

	srp_iu_tsk_mgmt_encode(&req, &iu);
	return channel_send_ctl(ch, &iu, sizeof(iu));
}

/* One request. */
struct tmf {
	struct channel *ch;
	enum srpi_tmf function;
	const struct scsi_lun *lun;
	const struct srpi_io *io; /* to abort; NULL: LUN RESET */
	uint64_t task_tag;
	bool is_posted;
};

static void
tmf_enter(struct channel *ch)
{
	channel_visit_wait(ch);
}

static void
tmf_leave(struct channel *ch)
{
	/* as the keeper left it */
	channel_unvisit(ch, atomic_load(&ch->bias.want) & BIAS_PARKED);
}

/* Sends when there is a credit. Inside. */
static void
tmf_try_post(struct tmf *tmf)
{
	struct channel *ch = tmf->ch;

	if (ch->credits <= 0 || ch->tmf.is_pending)
		return;
	ch->tmf.life++;
	ch->tmf.is_pending = true;
	ch->tmf.is_done = false;
	ch->credits--;
	tmf->is_posted = !tmf_post(ch, tmf->function, tmf->lun, tmf->task_tag);
}

/* The command to abort is not on the wire under this tag any more. */
static bool
tmf_is_moot(const struct tmf *tmf)
{
	return tmf->io && (io_state(tmf->io) != IO_POSTED ||
				  io_tag(tmf->io) != tmf->task_tag);
}

/* Inside. True: it is over, one way or the other. */
static bool
tmf_step(struct tmf *tmf)
{
	struct channel *ch = tmf->ch;

	if (ch->state == CHANNEL_UP && !channel_is_served(ch))
		channel_poll(ch);
	if (ch->state != CHANNEL_UP)
		return true;
	if (!tmf->is_posted) {
		if (tmf_is_moot(tmf))
			return true;
		tmf_try_post(tmf);
	}
	return tmf->is_posted && ch->tmf.is_done;
}

/* Nobody may know what the target still does: the connection is given up. */
static int
tmf_give_up(struct tmf *tmf)
{
	if (tmf->is_posted)
		tmf->ch->tmf.is_pending = false;
	channel_fail(tmf->ch, -ECONNABORTED, "%s %s within %u s",
		srp_iu_tmf_name((uint8_t)tmf->function),
		tmf->is_posted ? "was not answered" : "found no credit",
		(unsigned int)(tmf_limit_ns(tmf->function) /
			CLOCK_NS_PER_SEC));
	return -ETIMEDOUT;
}

/* Inside, and out and in again while it waits. 0 or -errno. */
static int
tmf_run(struct tmf *tmf)
{
	static const struct timespec pause = { 0, 50000 };
	uint64_t give_up = clock_ns() + tmf_limit_ns(tmf->function);
	struct channel *ch = tmf->ch;

	while (!tmf_step(tmf)) {
		if (clock_ns() >= give_up)
			return tmf_give_up(tmf);
		tmf_leave(ch);
		nanosleep(&pause, NULL);
		tmf_enter(ch);
	}
	if (ch->state != CHANNEL_UP)
		return -ENOTCONN;
	if (!tmf->is_posted)
		return 0;
	ch->tmf.is_pending = false;
	return ch->tmf.rsp_code == SRP_RSP_CODE_COMPLETE ? 0 : -EREMOTEIO;
}

static int
tmf_explain(const struct tmf *tmf, int ret, char *reason, size_t n)
{
	const char *name = srp_iu_tmf_name((uint8_t)tmf->function);
	const struct channel *ch = tmf->ch;

	if (ret == -EREMOTEIO)
		snprintf(reason, n, "%s: the target refused: %s (code %u)",
			name, srp_iu_rsp_code_name(ch->tmf.rsp_code),
			ch->tmf.rsp_code);
	else if (ret)
		snprintf(reason, n, "%s: connection lost: %s", name,
			ch->reason);
	return ret;
}

/* ---- ABORT TASK ---- */

/*
 * A part of a split I/O, or a try, may have ended meanwhile and the next one
 * be on its way under another tag: then once more. Inside. 0 or -errno.
 */
static int
tmf_abort_posted(struct tmf *tmf, struct srpi_io *io)
{
	int ret = 0;

	while (!ret && io_state(io) == IO_POSTED) {
		tmf->task_tag = io_tag(io);
		tmf->is_posted = false;
		ret = tmf_run(tmf);
		if (ret == -EREMOTEIO && tmf_is_moot(tmf))
			ret = 0; /* refused since it had ended */
		else if (!ret && !tmf_is_moot(tmf))
			channel_cancel(tmf->ch, io);
	}
	if (!ret && io_state(io) == IO_READY)
		channel_cancel(tmf->ch, io); /* the target has never seen it */
	return ret;
}

static int
tmf_abort(struct srpi_io *io, char *reason, size_t n)
{
	struct channel *ch = io->queue->ch;
	struct tmf tmf = {
		.ch = ch,
		.function = SRPI_TMF_ABORT_TASK,
		.lun = &io->lun->lun,
		.io = io,
	};
	int ret;

	tmf_enter(ch);
	counter_add(&ch->stats.aborts, 1);
	ret = tmf_explain(&tmf, tmf_abort_posted(&tmf, io), reason, n);
	tmf_leave(ch);
	return ret;
}

/* ---- LUN RESET ---- */

void
channel_hold(struct channel *ch)
{
	tmf_enter(ch);
	ch->other_window = ch->window;
	ch->window = 0;
	tmf_leave(ch);
}

void
channel_release(struct channel *ch)
{
	tmf_enter(ch);
	ch->window = ch->other_window;
	ch->other_window = 0;
	if (ch->ready.head && ch->state == CHANNEL_UP)
		channel_send(ch);
	tmf_leave(ch);
}

/* Those that are made until the release begin held. */
static void
tmf_hold_all(struct srpi_session *session)
{
	struct channel *ch;

	pthread_mutex_lock(&session->channels_lock);
	session->is_held = true;
	session->round++;
	list_for_each_entry(ch, &session->channels, node)
		channel_hold(ch);
	pthread_mutex_unlock(&session->channels_lock);
}

/* The commands on @lun, if one is given, that have not been sent end. */
static void
tmf_release_all(struct srpi_session *session, const struct srpi_lun *lun)
{
	struct channel *ch;

	pthread_mutex_lock(&session->channels_lock);
	session->is_held = false;
	list_for_each_entry(ch, &session->channels, node) {
		if (lun) {
			tmf_enter(ch);
			channel_cancel_lun(ch, lun);
			tmf_leave(ch);
		}
		channel_release(ch);
	}
	pthread_mutex_unlock(&session->channels_lock);
}

/* Resets @lun by way of @ch, whose commands on it end. */
static int
tmf_reset_on(struct channel *ch, const struct srpi_lun *lun, char *reason,
	size_t n)
{
	struct tmf tmf = {
		.ch = ch,
		.function = SRPI_TMF_LUN_RESET,
		.lun = &lun->lun,
	};
	int ret;

	tmf_enter(ch);
	ret = tmf_explain(&tmf, tmf_run(&tmf), reason, n);
	if (!ret)
		channel_cancel_lun(ch, lun);
	tmf_leave(ch);
	return ret;
}

static bool
tmf_has_posted(struct channel *ch, const struct srpi_lun *lun)
{
	bool has_posted;

	tmf_enter(ch);
	has_posted = channel_has_posted(ch, lun);
	tmf_leave(ch);
	return has_posted;
}

/* On each channel that has some; a dead one's commands have ended already. */
static int
tmf_reset_posted(struct srpi_session *session, const struct srpi_lun *lun,
	bool *is_reset, char *reason, size_t n)
{
	struct channel *ch;
	int ret = 0;

	while (!ret && (ch = session_pin_channel(session)) != NULL) {
		if (tmf_has_posted(ch, lun)) {
			ret = tmf_reset_on(ch, lun, reason, n);
			*is_reset |= !ret;
			if (ret == -ENOTCONN)
				ret = 0;
		}
		session_unpin_channel(ch);
	}
	return ret;
}

/*
 * The answer may take TMF_RESET_NS: no lock but admin_lock is held meanwhile,
 * queues come and go.
 */
static int
tmf_reset_lun(struct srpi_session *session, const struct srpi_lun *lun,
	char *reason, size_t n)
{
	bool is_reset = false;
	int ret;

	pthread_mutex_lock(&session->admin_lock);
	tmf_hold_all(session);
	ret = tmf_reset_posted(session, lun, &is_reset, reason, n);
	if (!ret && !is_reset)
		ret = tmf_reset_on(session->control->ch, lun, reason, n);
	tmf_release_all(session, ret ? NULL : lun);
	pthread_mutex_unlock(&session->admin_lock);
	return ret;
}

int
srpi_tmf(struct srpi_session *session, struct srpi_lun *lun,
	enum srpi_tmf function, struct srpi_io *io, char *reason, size_t n)
{
	if (function == SRPI_TMF_ABORT_TASK && io)
		return tmf_abort(io, reason, n);
	if (function == SRPI_TMF_LUN_RESET && lun && !io)
		return tmf_reset_lun(session, lun, reason, n);
	snprintf(reason, n,
		"task management is ABORT TASK of an I/O or LUN RESET of a LUN");
	return -EINVAL;
}
