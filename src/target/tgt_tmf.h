/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management (SAM-5 7). ABORT TASK looks at its own channel, as SRP tags
 * are per channel; the others walk over the connections:
 *
 *	runner of the origin     loop thread              runner of each conn
 *	tgt_tmf_start() --queue--> tgt_tmf_serve() --reset--> tgt_tmf_on_reset()
 *	                           counts the parts <--------- tasks have ended
 *	response <----reset------- all have ended
 *
 * The response goes out when the last aborted task has ended: after it the
 * target moves no data of theirs. Aborted tasks get no response (TAS is 0).
 */
#ifndef TARGET_TGT_TMF_H
#define TARGET_TGT_TMF_H

#include "target/tgt_conn.h"

struct tgt_reset {
	struct list node;      /* target.resets, under target.lock */
	struct tgt_conn *conn; /* where it came from; NULL: gone (loop thread) */
	struct tgt_cmd *cmd;   /* of conn, in state TGT_CMD_TMF */
	const struct tgt_nexus *nexus; /* of conn; to compare, it may be gone */
	struct tgt_lun *lun;
	uint8_t function;
	bool is_done;		 /* conn's runner is to answer */
	_Atomic uint32_t nr_left; /* connections with tasks to end, and 1 */
};

/* Runner: cmd->function, task_tag, lun and iu.tag are set. */
void tgt_tmf_start(struct tgt_cmd *cmd);
/* Runner: conn->reset is set. */
void tgt_tmf_on_reset(struct tgt_conn *conn);
/* Runner: an aborted command has ended. */
void tgt_tmf_on_task_end(struct tgt_cmd *cmd);
/* Loop thread: starts and finishes what has been queued. */
void tgt_tmf_serve(struct target *target);
/* Loop thread: @conn will run no more. */
void tgt_tmf_on_conn_end(struct tgt_conn *conn);
/* Loop thread, at the end: frees what has no origin any more. */
void tgt_tmf_free_all(struct target *target);

#endif /* TARGET_TGT_TMF_H */
