/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_tmf.h"

#include <stdlib.h>

#include "target/tgt_ask.h"
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"
#include "target/tgt_faults.h"
#include "wire/scsi_lun.h"

/* Codes as the Linux target gives them: 5 also for a task that is not there. */
static void
tmf_respond(struct tgt_cmd *cmd, uint8_t code)
{
	cmd->state = TGT_CMD_RUNNING;
	cmd->rsp_flags = SRP_RSP_RSPVALID;
	cmd->rsp_code = code;
	tgt_cmd_respond(cmd);
}

/* True: it has ended at once. */
static bool
tmf_abort(struct tgt_cmd *task)
{
	if (task->state != TGT_CMD_SILENT) {
		task->is_aborted = true;
		return false;
	}
	task->conn->credits_owed++;
	tgt_chan_repost(task->conn, task);
	return true;
}

static void
tmf_abort_task(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct tgt_cmd *task;
	uint32_t i;

	for (i = 0; i < conn->nr_cmds; i++) {
		task = &conn->cmds[i];
		if (!tgt_cmd_is_task(task) || task->iu.tag != cmd->task_tag ||
			task->aborter || !scsi_lun_equal(&task->iu.lun,
						 &cmd->iu.lun))
			continue;
		if (tmf_abort(task)) {
			tmf_respond(cmd, SRP_RSP_CODE_COMPLETE);
			return;
		}
		task->aborter = cmd;
		cmd->state = TGT_CMD_TMF;
		return;
	}
	tmf_respond(cmd, SRP_RSP_CODE_FAILED);
}

static void
tmf_queue_reset(struct tgt_cmd *cmd)
{
	struct target *target = cmd->conn->target;
	struct tgt_reset *reset = cmd->lun ? calloc(1, sizeof(*reset)) : NULL;

	if (!reset) {
		tmf_respond(cmd, SRP_RSP_CODE_FAILED);
		return;
	}
	reset->conn = cmd->conn;
	reset->cmd = cmd;
	reset->nexus = cmd->conn->nexus;
	reset->lun = cmd->lun;
	reset->function = cmd->function;
	cmd->state = TGT_CMD_TMF;
	pthread_mutex_lock(&target->lock);
	list_add_tail(&target->resets, &reset->node);
	pthread_mutex_unlock(&target->lock);
	loop_wake(&target->loop);
}

void
tgt_tmf_start(struct tgt_cmd *cmd)
{
	uint8_t refusal = tgt_faults_on_tmf(cmd->conn->target);

	if (refusal) {
		tmf_respond(cmd, refusal);
		return;
	}
	switch (cmd->function) {
	case SRP_TMF_ABORT_TASK:
		tmf_abort_task(cmd);
		break;
	case SRP_TMF_ABORT_TASK_SET:
	case SRP_TMF_CLEAR_TASK_SET:
	case SRP_TMF_LUN_RESET:
		tmf_queue_reset(cmd);
		break;
	default:
		tmf_respond(cmd, SRP_RSP_CODE_NOT_SUPPORTED);
		break;
	}
}

/* The connection has nothing left to end for its reset. Any context. */
static void
tmf_part_done(struct target *target, struct tgt_reset *reset)
{
	if (atomic_fetch_sub(&reset->nr_left, 1) == 1)
		loop_wake(&target->loop);
}

static void
tmf_finish(struct tgt_conn *conn, struct tgt_reset *reset)
{
	tmf_respond(reset->cmd, SRP_RSP_CODE_COMPLETE);
	atomic_store(&conn->reset, NULL);
	loop_wake(&conn->target->loop);
}

/* Aborts the tasks that @reset means; conn->nr_reset_tasks remain. */
static unsigned int
tmf_abort_tasks(struct tgt_conn *conn, const struct tgt_reset *reset)
{
	unsigned int nr = 0;
	struct tgt_cmd *task;
	uint32_t i;

	for (i = 0; i < conn->nr_cmds; i++) {
		task = &conn->cmds[i];
		if (!tgt_cmd_is_task(task) || task->lun != reset->lun)
			continue;
		nr++;
		if (!tmf_abort(task)) {
			task->is_in_reset = true;
			conn->nr_reset_tasks++;
		}
	}
	return nr;
}

void
tgt_tmf_on_reset(struct tgt_conn *conn)
{
	struct tgt_reset *reset = atomic_load(&conn->reset);
	bool is_other;
	unsigned int nr;

	if (reset->is_done) {
		tmf_finish(conn, reset);
		return;
	}
	atomic_store(&conn->reset, NULL);
	is_other = conn->nexus != reset->nexus;
	nr = tmf_abort_tasks(conn, reset);
	if (nr && is_other && reset->function == SRP_TMF_CLEAR_TASK_SET)
		tgt_nexus_add_ua(conn->target, conn->nexus, reset->lun,
			SCSI_ASC_COMMANDS_CLEARED);
	if (conn->nr_reset_tasks) {
		conn->reset_now = reset;
		return;
	}
	if (is_other && conn->credits_owed)
		tgt_ask_credits(conn, SRP_OP_CRED_REQ);
	tmf_part_done(conn->target, reset);
}

void
tgt_tmf_on_task_end(struct tgt_cmd *task)
{
	struct tgt_conn *conn = task->conn;
	struct tgt_cmd *aborter = task->aborter;
	struct tgt_reset *reset = conn->reset_now;

	task->aborter = NULL;
	if (task->is_in_reset) {
		task->is_in_reset = false;
		if (--conn->nr_reset_tasks == 0) {
			conn->reset_now = NULL;
			tmf_part_done(conn->target, reset);
		}
	}
	if (aborter)
		tmf_respond(aborter, SRP_RSP_CODE_COMPLETE);
}

/* Takes the first one that nobody has started, and tells every connection. */
static void
tmf_begin(struct target *target, struct tgt_reset *reset)
{
	struct tgt_conn *conn;

	atomic_store(&reset->nr_left, 1);
	list_for_each_entry(conn, &target->conns, node) {
		if (reset->function == SRP_TMF_ABORT_TASK_SET &&
			conn->nexus != reset->nexus)
			continue;
		if (atomic_load(&conn->state) == TGT_CONN_CLOSING)
			continue;
		atomic_fetch_add(&reset->nr_left, 1);
		atomic_store(&conn->reset, reset);
		tgt_chan_run(conn);
	}
	atomic_fetch_sub(&reset->nr_left, 1);
}

static void
tmf_end(struct target *target, struct tgt_reset *reset)
{
	struct tgt_conn *conn = reset->conn;

	if (reset->function == SRP_TMF_LUN_RESET)
		tgt_nexus_queue_ua(target, reset->lun,
			SCSI_ASC_BUS_DEVICE_RESET, NULL);
	reset->is_done = true;
	if (conn) {
		atomic_store(&conn->reset, reset);
		tgt_chan_run(conn);
	}
}

/* The origin's runner has answered, or is gone. */
static bool
tmf_is_answered(const struct tgt_reset *reset)
{
	return !reset->conn || atomic_load(&reset->conn->reset) != reset;
}

static struct tgt_reset *
tmf_first(struct target *target)
{
	struct tgt_reset *reset = NULL;
	struct list *node;

	pthread_mutex_lock(&target->lock);
	node = list_pop_head(&target->resets);
	if (node)
		reset = list_entry(node, struct tgt_reset, node);
	pthread_mutex_unlock(&target->lock);
	return reset;
}

void
tgt_tmf_serve(struct target *target)
{
	struct tgt_reset *reset;

	for (;;) {
		if (!target->reset_now) {
			target->reset_now = tmf_first(target);
			if (!target->reset_now)
				return;
			tmf_begin(target, target->reset_now);
		}
		reset = target->reset_now;
		if (atomic_load(&reset->nr_left))
			return;
		if (!reset->is_done)
			tmf_end(target, reset);
		if (!tmf_is_answered(reset))
			return;
		target->reset_now = NULL;
		free(reset);
	}
}

/* Those it sent, begun or not, have nobody to answer to. */
static void
tmf_orphan(struct target *target, const struct tgt_conn *conn)
{
	struct tgt_reset *reset;

	pthread_mutex_lock(&target->lock);
	list_for_each_entry(reset, &target->resets, node)
		if (reset->conn == conn)
			reset->conn = NULL;
	pthread_mutex_unlock(&target->lock);
	if (target->reset_now && target->reset_now->conn == conn)
		target->reset_now->conn = NULL;
}

void
tgt_tmf_on_conn_end(struct tgt_conn *conn)
{
	struct tgt_reset *reset = atomic_load(&conn->reset);

	tmf_orphan(conn->target, conn);
	if (conn->reset_now)
		tmf_part_done(conn->target, conn->reset_now);
	if (reset && !reset->is_done)
		tmf_part_done(conn->target, reset);
}

void
tgt_tmf_free_all(struct target *target)
{
	struct tgt_reset *reset;

	free(target->reset_now);
	target->reset_now = NULL;
	while ((reset = tmf_first(target)) != NULL)
		free(reset);
}
