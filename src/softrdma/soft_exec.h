/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One work request carried out between two QPs. Per-I/O. */
#ifndef SOFTRDMA_SOFT_EXEC_H
#define SOFTRDMA_SOFT_EXEC_H

#include "softrdma/soft_io.h"
#include "softrdma/soft_qp.h"

enum soft_outcome {
	SOFT_DONE,    /* and completed, if it was to be */
	SOFT_STALLED, /* must wait: nothing was done */
	SOFT_FAILED,  /* completed with an error; the QP is in ERR */
};

/* @index: where it is in the send queue. Called with sq_lock held. */
enum soft_outcome soft_exec_one(struct soft_qp *qp, const struct soft_wqe *w,
	uint32_t index, struct soft_run *run);
/* Complete one; of @w only wr_id, bytes and opcode. sq_lock held. */
void soft_exec_complete(struct soft_qp *qp, const struct soft_wqe *w,
	uint32_t index, enum ibv_wc_status status, struct soft_run *run);
/* The rest of the send queue, flushed. Called with sq_lock held. */
void soft_exec_flush_sends(struct soft_qp *qp, struct soft_run *run);

/* The receives of a closed queue, flushed. The same; takes rq_lock. */
void soft_exec_flush_receives(struct soft_qp *qp, struct soft_run *run);

#endif /* SOFTRDMA_SOFT_EXEC_H */
