/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_grave.h"

#include <stdlib.h>

static bool
grave_is_passed(uint32_t at, uint32_t wanted)
{
	return (int32_t)(at - wanted) >= 0;
}

/* Commands of LUNs that are gone, whose data still moves. */
static bool
grave_has_tasks(const struct tgt_conn *conn)
{
	const struct tgt_cmd *cmd;
	uint32_t i;

	for (i = 0; i < conn->nr_cmds; i++) {
		cmd = &conn->cmds[i];
		if (!cmd->lun &&
			(cmd->state == TGT_CMD_WAITING ||
				cmd->state == TGT_CMD_READING ||
				cmd->state == TGT_CMD_MEDIA))
			return true;
	}
	return false;
}

void
tgt_grave_check(struct tgt_conn *conn)
{
	if (atomic_load_explicit(&conn->grave_clean, memory_order_relaxed) ==
		conn->grave_wanted)
		return;
	if (!grave_is_passed(conn->sq_done, conn->grave_sq) ||
		grave_has_tasks(conn))
		return;
	atomic_store(&conn->grave_clean, conn->grave_wanted);
	loop_wake(&conn->target->loop);
}

void
tgt_grave_close(struct target *target, struct tgt_grave *grave)
{
	struct tgt_conn *conn;

	grave->number = ++target->nr_graves;
	list_add_tail(&target->graves, &grave->node);
	list_for_each_entry(conn, &target->conns, node) {
		conn->grave_wanted = grave->number;
		conn->grave_sq = conn->sq_posted;
		/* the next one is signalled */
		conn->nr_unsignalled = conn->signal_every;
		tgt_grave_check(conn);
	}
	atomic_fetch_or(&target->odd, (uint32_t)TGT_ODD_GRAVES);
	loop_wake(&target->loop);
}

static void
grave_free(struct target *target, struct tgt_grave *grave)
{
	unsigned int i;

	for (i = 0; i < TGT_MAX_DEVS; i++)
		if (grave->mrs[i])
			target->fabric->dereg_mr(grave->mrs[i]);
	tgt_lun_close(&grave->lun);
	free(grave);
}

/* The last grave that no connection waits for. */
static uint32_t
grave_last_free(const struct target *target)
{
	uint32_t clean, number = target->nr_graves;
	const struct tgt_conn *conn;

	list_for_each_entry(conn, &target->conns, node) {
		clean = atomic_load(&conn->grave_clean);
		if (!grave_is_passed(clean, number))
			number = clean;
	}
	return number;
}

void
tgt_grave_reap(struct target *target)
{
	struct tgt_grave *grave, *next;
	uint32_t number;

	if (list_is_empty(&target->graves))
		return;
	number = grave_last_free(target);
	list_for_each_entry_safe(grave, next, &target->graves, node) {
		if (!grave_is_passed(number, grave->number))
			return;
		list_del(&grave->node);
		grave_free(target, grave);
	}
	atomic_fetch_and(&target->odd, ~(uint32_t)TGT_ODD_GRAVES);
}

void
tgt_grave_free_all(struct target *target)
{
	struct list *node;

	while ((node = list_pop_head(&target->graves)) != NULL)
		grave_free(target, list_entry(node, struct tgt_grave, node));
}
