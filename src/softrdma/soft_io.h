/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The per-I/O part of the software device: context->ops of a soft context,
 * and the execution of work requests, memory to memory.
 *
 * All work of one call (a list of work requests, or what was deferred) is one
 * run: the send-queue lock is held throughout, what follows from it (CQ
 * handlers, failing QPs) is noted in struct soft_run and done at its end, when
 * no lock is held.
 */
#ifndef SOFTRDMA_SOFT_IO_H
#define SOFTRDMA_SOFT_IO_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct soft_cq;
struct soft_qp;

#define SOFT_RUN_MAX_FAILED 2
#define SOFT_NO_EVENT (-1)

struct soft_run {
	struct soft_cq *sent;	  /* got completions of the send queue ... */
	struct soft_cq *received; /* ... of the peer's (or own) receives */
	struct soft_cq *flushed;  /* own receive CQ; valid if is_rough */
	bool is_staging;	  /* completions are not shown yet */
	bool is_rough;		  /* one of those below, or `flushed` */
	bool has_overrun;
	unsigned int nr_failed;
	struct {
		uint32_t qp_num;
		int event; /* enum ibv_event_type or SOFT_NO_EVENT */
	} failed[SOFT_RUN_MAX_FAILED];
};

static inline void
soft_run_init(struct soft_run *run)
{
	run->sent = NULL;
	run->received = NULL;
	run->is_staging = false;
	run->is_rough = false;
}

/* Something out of the ordinary is about to be noted. */
static inline void
soft_run_roughen(struct soft_run *run)
{
	if (run->is_rough)
		return;
	run->is_rough = true;
	run->flushed = NULL;
	run->has_overrun = false;
	run->nr_failed = 0;
}

int soft_io_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
	struct ibv_send_wr **bad_wr);
int soft_io_poll_cq(struct ibv_cq *cq, int nr_entries, struct ibv_wc *wc);
/* In soft_recv_io.c. */
int soft_recv_post(struct ibv_qp *qp, struct ibv_recv_wr *wr,
	struct ibv_recv_wr **bad_wr);

/* Carry out what waits in the send queue. Called with sq_lock held. */
void soft_io_run(struct soft_qp *qp, struct soft_run *run);
/* Releases sq_lock, then does what the run has caused. */
void soft_io_finish(struct soft_qp *qp, struct soft_run *run);

#endif /* SOFTRDMA_SOFT_IO_H */
