/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management (SRP r16a 5.4.4.2): one request at a time on a channel,
 * sent on the credit that commands leave over.
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

/* Sends when there is a credit; true when the request is on its way. */
static bool
tmf_try_post(struct channel *ch, enum srpi_tmf function,
	const struct scsi_lun *lun, uint64_t task_tag)
{
	if (ch->credits <= 0 || ch->tmf.is_pending)
		return false;
	ch->tmf.life++;
	ch->tmf.is_pending = true;
	ch->tmf.is_done = false;
	ch->credits--;
	return !tmf_post(ch, function, lun, task_tag);
}

struct tmf_wait {
	enum srpi_tmf function;
	const struct scsi_lun *lun;
	uint64_t task_tag;
	bool is_posted;
};

/* Inside. True: it is over, one way or the other. */
static bool
tmf_step(struct channel *ch, struct tmf_wait *wait)
{
	if (ch->state != CHANNEL_UP)
		return true;
	if (!channel_is_served(ch))
		channel_poll(ch);
	if (!wait->is_posted)
		wait->is_posted = tmf_try_post(
			ch, wait->function, wait->lun, wait->task_tag);
	return wait->is_posted && ch->tmf.is_done;
}

/* Inside, and out and in again while it waits. 0 or -errno. */
static int
tmf_run(struct channel *ch, struct tmf_wait *wait)
{
	static const struct timespec pause = { 0, 50000 };
	uint64_t give_up = clock_ns() + tmf_limit_ns(wait->function);

	while (!tmf_step(ch, wait)) {
		if (clock_ns() >= give_up) {
			ch->tmf.is_pending = false;
			channel_fail(ch, -ECONNABORTED,
				"%s was not answered within %u s",
				srp_iu_tmf_name((uint8_t)wait->function),
				(unsigned int)(tmf_limit_ns(wait->function) /
					CLOCK_NS_PER_SEC));
			return -ETIMEDOUT;
		}
		channel_leave(ch);
		nanosleep(&pause, NULL);
		channel_enter(ch);
	}
	if (ch->state != CHANNEL_UP)
		return -ENOTCONN;
	ch->tmf.is_pending = false;
	return ch->tmf.rsp_code == SRP_RSP_CODE_COMPLETE ? 0 : -EREMOTEIO;
}

static int
tmf_explain(struct channel *ch, enum srpi_tmf function, int ret, char *reason,
	size_t n)
{
	const char *name = srp_iu_tmf_name((uint8_t)function);

	if (ret == -EREMOTEIO)
		snprintf(reason, n, "%s: the target refused: %s (code %u)",
			name, srp_iu_rsp_code_name(ch->tmf.rsp_code),
			ch->tmf.rsp_code);
	else if (ret)
		snprintf(reason, n, "%s: connection lost: %s", name,
			ch->reason);
	return ret;
}

static int
tmf_abort(struct srpi_io *io, char *reason, size_t n)
{
	struct channel *ch = io->queue->ch;
	struct tmf_wait wait = {
		.function = SRPI_TMF_ABORT_TASK,
		.lun = &io->lun->lun,
	};
	int ret = 0;

	channel_enter(ch);
	counter_add(&ch->stats.aborts, 1);
	if (io_state(io) == IO_READY) {
		channel_cancel(ch, io); /* the target has never seen it */
	} else if (io_state(io) == IO_POSTED) {
		wait.task_tag = io_tag(io);
		ret = tmf_run(ch, &wait);
		/* its response may have come first */
		if (!ret && io_state(io) == IO_POSTED)
			channel_cancel(ch, io);
	}
	ret = tmf_explain(ch, SRPI_TMF_ABORT_TASK, ret, reason, n);
	channel_leave(ch);
	return ret;
}

/* Ends @lun's commands on a channel that may be another thread's. */
static void
tmf_end_lun(struct channel *ch, const struct srpi_lun *lun)
{
	/* nobody blocks inside: the owner is out in a moment */
	channel_visit_wait(ch);
	channel_cancel_lun(ch, lun);
	channel_unvisit(ch, false);
}

static int
tmf_reset_lun(struct srpi_session *session, struct srpi_lun *lun,
	char *reason, size_t n)
{
	struct channel *control = session->control->ch, *ch;
	struct tmf_wait wait = {
		.function = SRPI_TMF_LUN_RESET,
		.lun = &lun->lun,
	};
	int ret;

	pthread_mutex_lock(&session->admin_lock);
	channel_enter(control);
	ret = tmf_run(control, &wait);
	ret = tmf_explain(control, SRPI_TMF_LUN_RESET, ret, reason, n);
	channel_leave(control);
	pthread_mutex_unlock(&session->admin_lock);
	if (ret)
		return ret;
	pthread_mutex_lock(&session->channels_lock);
	list_for_each_entry(ch, &session->channels, node)
		tmf_end_lun(ch, lun);
	pthread_mutex_unlock(&session->channels_lock);
	return 0;
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
