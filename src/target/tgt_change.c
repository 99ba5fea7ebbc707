/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_change.h"

#include <errno.h>
#include <sched.h>

#include "target/tgt_ask.h"
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"

#define CHANGE_AGAIN 1 /* not yet: the loop thread comes back */

int
tgt_change_do(struct target *target, struct tgt_change *change)
{
	atomic_store(&target->change, change);
	loop_wake(&target->loop);
	pthread_mutex_lock(&target->lock);
	while (!change->is_done)
		pthread_cond_wait(&target->changed, &target->lock);
	pthread_mutex_unlock(&target->lock);
	return change->rc;
}

/* ---- nobody runs commands between these two ---- */

static void
change_hold(struct target *target)
{
	struct tgt_conn *conn;

	list_for_each_entry(conn, &target->conns, node)
		while (!tgt_chan_try_hold(conn))
			sched_yield();
}

static void
change_release(struct target *target)
{
	struct tgt_conn *conn;

	list_for_each_entry(conn, &target->conns, node)
		tgt_chan_release(conn);
}

/* ---- commands of a LUN ---- */

static bool
change_is_under_way(const struct tgt_cmd *cmd)
{
	return cmd->state == TGT_CMD_READING || cmd->state == TGT_CMD_MEDIA ||
		(cmd->state == TGT_CMD_WAITING &&
			cmd->resume != tgt_change_resume);
}

/* A connection that has failed executes nothing more. */
static bool
change_is_busy(const struct target *target, const struct tgt_lun *lun)
{
	const struct tgt_conn *conn;
	uint32_t i;

	list_for_each_entry(conn, &target->conns, node)
		for (i = 0; i < conn->nr_cmds && !conn->is_stopped; i++)
			if (conn->cmds[i].lun == lun &&
				change_is_under_way(&conn->cmds[i]))
				return true;
	return false;
}

/*
 * The LUN of @cmd is going. What it has in flight runs its course, on memory
 * that stays that long; then it ends with this sense.
 */
static void
change_end_cmd(struct tgt_cmd *cmd)
{
	bool is_silent = cmd->state == TGT_CMD_SILENT;

	cmd->lun = NULL;
	if (is_silent) {
		cmd->state = TGT_CMD_RUNNING;
		tgt_cmd_check(cmd, SCSI_KEY_ILLEGAL_REQUEST,
			SCSI_ASC_LUN_NOT_SUPPORTED);
		return;
	}
	tgt_cmd_set_check(
		cmd, SCSI_KEY_ILLEGAL_REQUEST, SCSI_ASC_LUN_NOT_SUPPORTED);
}

static void
change_end_cmds(struct tgt_conn *conn, const struct tgt_lun *lun)
{
	struct tgt_cmd *cmd;
	uint32_t i;

	if (conn->is_stopped)
		return;
	for (i = 0; i < conn->nr_cmds; i++) {
		cmd = &conn->cmds[i];
		if (cmd->lun == lun && tgt_cmd_is_task(cmd))
			change_end_cmd(cmd);
	}
}

void
tgt_change_resume(struct tgt_cmd *cmd)
{
	if (cmd->is_aborted)
		tgt_cmd_drop(cmd);
	else if (cmd->status)
		tgt_cmd_respond(cmd);
	else if (!tgt_check_lun(cmd))
		tgt_cmd_execute(cmd);
}

/* ---- telling the initiators ---- */

/* The first live connection of its nexus, and no command under way there. */
static bool
change_is_idle(const struct target *target, const struct tgt_conn *conn)
{
	const struct tgt_conn *other;
	bool is_first = true;
	uint32_t i;

	list_for_each_entry(other, &target->conns, node) {
		if (other->nexus != conn->nexus || other->is_stopped ||
			atomic_load(&other->state) != TGT_CONN_LIVE)
			continue;
		if (is_first && other != conn)
			return false;
		is_first = false;
		for (i = 0; i < other->nr_cmds; i++)
			if (other->cmds[i].state > TGT_CMD_POSTED)
				return false;
	}
	return !is_first;
}

/* Who sends no commands would not learn of it by a unit attention. */
static void
change_tell_idle(struct target *target, const struct tgt_lun *lun,
	uint16_t code)
{
	struct tgt_conn *conn;

	if (!target->wants_aer)
		return;
	list_for_each_entry(conn, &target->conns, node)
		if (change_is_idle(target, conn))
			tgt_ask_event(conn, lun ? lun->number : 0, code);
}

static void
change_tell_inventory(struct target *target)
{
	unsigned int i;

	for (i = 0; i < target->nr_luns; i++)
		if (!target->luns[i].is_free)
			tgt_nexus_queue_ua(target, &target->luns[i],
				SCSI_ASC_REPORTED_LUNS_CHANGED, NULL);
	change_tell_idle(target, NULL, SCSI_ASC_REPORTED_LUNS_CHANGED);
}

/* ---- the changes; all connections are held ---- */

/* With the devices that have come since the caller did so. */
static int
change_register(struct target *target, const struct tgt_change *change)
{
	struct tgt_dev *dev;
	int rc = 0;

	list_for_each_entry(dev, &target->devs, node)
		if (!rc && change->is_moved)
			rc = tgt_dev_register_next(dev, change->next);
	return rc;
}

static int
change_add(struct target *target, struct tgt_change *change)
{
	struct tgt_lun *lun = change->lun;
	uint16_t index = (uint16_t)(lun - target->luns);
	struct tgt_dev *dev;
	int rc = change_register(target, change);

	if (rc)
		return rc;
	*lun = *change->next;
	lun->index = index;
	list_for_each_entry(dev, &target->devs, node) {
		dev->lun_mr[index] = dev->next_mr;
		dev->next_mr = NULL;
	}
	if (index >= target->nr_luns)
		target->nr_luns = index + 1u;
	target->lun_index[lun->number] = (uint16_t)(index + 1);
	change_tell_inventory(target);
	return 0;
}

static void
change_bury(struct target *target, struct tgt_change *change)
{
	struct tgt_dev *dev;
	unsigned int i = 0;

	list_for_each_entry(dev, &target->devs, node) {
		if (!change->is_moved)
			break;
		change->grave->mrs[i++] = dev->lun_mr[change->lun->index];
		dev->lun_mr[change->lun->index] = dev->next_mr;
		dev->next_mr = NULL;
	}
	tgt_grave_close(target, change->grave);
	change->grave = NULL;
}

static int
change_remove(struct target *target, struct tgt_change *change)
{
	struct tgt_lun *lun = change->lun;
	struct tgt_conn *conn;
	bool has_reset;

	pthread_mutex_lock(&target->lock);
	has_reset = target->reset_now || !list_is_empty(&target->resets);
	pthread_mutex_unlock(&target->lock);
	if (has_reset)
		return CHANGE_AGAIN; /* it holds on to its LUN */
	target->lun_index[lun->number] = 0;
	list_for_each_entry(conn, &target->conns, node)
		change_end_cmds(conn, lun);
	tgt_nexus_forget_lun(target, lun);
	change->grave->lun = *lun;
	change_bury(target, change);
	memset(lun, 0, sizeof(*lun));
	lun->is_free = true;
	lun->fd = -1;
	change_tell_inventory(target);
	return 0;
}

static int
change_swap(struct target *target, struct tgt_change *change)
{
	struct tgt_lun *lun = change->lun;
	int rc = change_register(target, change);

	atomic_fetch_and(&lun->not_ready, ~TGT_LUN_PAUSED);
	if (rc)
		return rc;
	tgt_lun_take(lun, change->next, &change->grave->lun);
	change_bury(target, change);
	if (change->ua) {
		tgt_nexus_queue_ua(target, lun, change->ua, NULL);
		change_tell_idle(target, lun, change->ua);
	}
	return 0;
}

static int
change_step(struct target *target, struct tgt_change *change)
{
	switch (change->kind) {
	case TGT_CHANGE_ADD:
		return change_add(target, change);
	case TGT_CHANGE_REMOVE:
		return change_remove(target, change);
	case TGT_CHANGE_PAUSE:
		return change_is_busy(target, change->lun) ?
			CHANGE_AGAIN :
			0;
	case TGT_CHANGE_SWAP:
		return change_swap(target, change);
	}
	return -EINVAL;
}

bool
tgt_change_serve(struct target *target)
{
	struct tgt_change *change = atomic_load(&target->change);
	int rc;

	if (!change)
		return false;
	if (change->kind == TGT_CHANGE_PAUSE)
		atomic_fetch_or(&change->lun->not_ready, TGT_LUN_PAUSED);
	change_hold(target);
	rc = change_step(target, change);
	change_release(target);
	if (rc == CHANGE_AGAIN)
		return true;
	atomic_store(&target->change, NULL);
	pthread_mutex_lock(&target->lock);
	change->rc = rc;
	change->is_done = true;
	pthread_cond_signal(&target->changed);
	pthread_mutex_unlock(&target->lock);
	return false;
}
