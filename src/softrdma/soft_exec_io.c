/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Carrying out one work request. The sender's sq_lock is held, which keeps
 * the peer and, through soft_mem_dereg(), all memory in place, and makes us the
 * only one to take the peer's receives.
 */
#include "softrdma/soft_exec.h"

#include <string.h>

#include "softrdma/soft_device.h"

/* Beside enum ibv_wc_status: the work request must wait. */
#define STATUS_STALL (-1)

/* The bytes of a scatter list that were not used yet. */
struct cursor {
	const struct ibv_sge *sge;
	uint32_t nr;
	uint32_t offset;
};

static void *
cursor_next(struct cursor *c, uint64_t want, size_t *bytes)
{
	void *p;

	while (c->offset == c->sge->length) {
		c->sge++;
		c->nr--;
		c->offset = 0;
	}
	p = (void *)(uintptr_t)(c->sge->addr + c->offset);
	*bytes = (size_t)min_t(uint64_t, want, c->sge->length - c->offset);
	return p;
}

/* Both lists were checked and hold @bytes. */
static void
copy_lists(struct cursor to, struct cursor from, uint64_t bytes)
{
	while (bytes) {
		size_t to_bytes, from_bytes, n;
		void *dst = cursor_next(&to, bytes, &to_bytes);
		const void *src = cursor_next(&from, bytes, &from_bytes);

		n = min(to_bytes, from_bytes);
		memmove(dst, src, n);
		to.offset += (uint32_t)n;
		from.offset += (uint32_t)n;
		bytes -= n;
	}
}

/* Source and target may be one piece of memory: both ends are one process. */
static inline void
copy(const struct ibv_sge *to, uint32_t nr_to, const struct ibv_sge *from,
	uint32_t nr_from, uint64_t bytes)
{
	if (likely(nr_to == 1 && nr_from == 1)) {
		memmove((void *)(uintptr_t)to->addr,
			(void *)(uintptr_t)from->addr, bytes);
		return;
	}
	copy_lists((struct cursor){ to, nr_to, 0 },
		(struct cursor){ from, nr_from, 0 }, bytes);
}

/* The part of a list that @bytes will use, each element checked. */
static inline bool
check_list(const struct soft_qp *qp, const struct ibv_sge *sge, uint32_t nr,
	uint64_t bytes, enum soft_access access)
{
	for (; nr && bytes; nr--, sge++) {
		struct ibv_sge used = *sge;

		used.length = (uint32_t)min_t(uint64_t, bytes, sge->length);
		if (unlikely(used.length &&
			    !soft_mem_check(qp->mr_table, qp->pd, &used,
				    access)))
			return false;
		bytes -= used.length;
	}
	return true;
}

static inline bool
check_source(const struct soft_qp *qp, const struct soft_wqe *w)
{
	return w->verb.flags & IBV_SEND_INLINE ||
		check_list(qp, w->sgl, w->verb.num_sge, w->bytes,
			SOFT_ACCESS_LOCAL_READ);
}

static inline bool
check_remote(const struct soft_qp *peer, const struct soft_wqe *w,
	enum soft_access access)
{
	const struct ibv_sge range = { w->remote.addr, (uint32_t)w->bytes,
		w->remote.rkey };

	/* An RDMA of no bytes touches nothing, so its key is not looked at. */
	return w->bytes == 0 ||
		soft_mem_check(peer->mr_table, peer->pd, &range, access);
}

static void
note_failed(struct soft_run *run, const struct soft_qp *qp, int event)
{
	soft_run_roughen(run);
	if (run->nr_failed == SOFT_RUN_MAX_FAILED)
		return;
	run->failed[run->nr_failed].qp_num = qp->qp.qp_num;
	run->failed[run->nr_failed].event = event;
	run->nr_failed++;
}

/* IBV_WC_SEND and so on of a work request's opcode. */
static const uint8_t send_opcode[] = {
	[IBV_WR_RDMA_WRITE] = IBV_WC_RDMA_WRITE,
	[IBV_WR_RDMA_WRITE_WITH_IMM] = IBV_WC_RDMA_WRITE,
	[IBV_WR_SEND] = IBV_WC_SEND,
	[IBV_WR_SEND_WITH_IMM] = IBV_WC_SEND,
	[IBV_WR_RDMA_READ] = IBV_WC_RDMA_READ,
};

void
soft_exec_complete(struct soft_qp *qp, const struct soft_wqe *w,
	uint32_t index, enum ibv_wc_status status, struct soft_run *run)
{
	struct soft_cq *cq = qp->send_cq;
	struct soft_cqe *cqe;

	soft_spin_lock(&cq->lock);
	cqe = soft_cq_reserve(cq);
	if (likely(cqe)) {
		cqe->wc = (struct ibv_wc){
			.wr_id = w->wr_id,
			.status = status,
			.opcode = send_opcode[w->verb.opcode],
			.byte_len = (uint32_t)w->bytes,
			.qp_num = qp->qp.qp_num,
		};
		cqe->qp = qp;
		cqe->sq_index = index + 1;
		soft_cq_commit(cq, status != IBV_WC_SUCCESS, run->is_staging);
	} else {
		soft_run_roughen(run);
		run->has_overrun = true;
	}
	soft_spin_unlock(&cq->lock);
	run->sent = cq;
}

/* What the receiver is told. */
struct arrival {
	uint32_t bytes;
	enum ibv_wc_status status;
	enum ibv_wc_opcode opcode;
};

/* @w is the sender's, or NULL for a flush. */
static void
complete_receive(struct soft_qp *qp, uint64_t wr_id,
	const struct soft_wqe *w, const struct arrival *a,
	struct soft_run *run)
{
	struct soft_cq *cq = qp->recv_cq;
	bool has_imm = w && (w->verb.opcode == IBV_WR_SEND_WITH_IMM ||
				w->verb.opcode == IBV_WR_RDMA_WRITE_WITH_IMM);
	struct soft_cqe *cqe;

	soft_spin_lock(&cq->lock);
	cqe = soft_cq_reserve(cq);
	if (likely(cqe)) {
		cqe->wc = (struct ibv_wc){
			.wr_id = wr_id,
			.status = a->status,
			.opcode = a->opcode,
			.byte_len = a->bytes,
			.imm_data = has_imm ? w->verb.imm_data : 0,
			.qp_num = qp->qp.qp_num,
			.wc_flags = has_imm ? IBV_WC_WITH_IMM : 0,
		};
		cqe->qp = NULL;
		soft_cq_commit(cq,
			a->status != IBV_WC_SUCCESS ||
				(w && w->verb.flags & IBV_SEND_SOLICITED),
			run->is_staging);
	} else {
		soft_run_roughen(run);
		run->has_overrun = true;
	}
	soft_spin_unlock(&cq->lock);
	if (w)
		run->received = cq;
}

static const struct soft_rwqe *
next_receive(const struct soft_qp *peer)
{
	return soft_qp_rwqe(peer, atomic_load_explicit(&peer->rq_taken,
		memory_order_relaxed));
}

static void
take_receive(struct soft_qp *peer, const struct soft_wqe *w,
	const struct arrival *a, struct soft_run *run)
{
	const uint64_t wr_id = next_receive(peer)->wr_id;

	/* First: who sees the completion may post another in its place. */
	atomic_fetch_add(&peer->rq_taken, 1);
	complete_receive(peer, wr_id, w, a, run);
}

static bool
has_receive(struct soft_qp *peer)
{
	return atomic_load(&peer->rq_taken) != atomic_load(&peer->rq_shown);
}

/*
 * Has the peer a receive to fill? 0, STATUS_STALL or how the sender's request
 * ends. We say that we wait, and look again; who posts shows, and looks
 * whether we wait: so one of us sees the other.
 */
static int
find_receive(struct soft_qp *qp, struct soft_qp *peer)
{
	if (has_receive(peer))
		return 0;
	if (qp->rnr_retry != SOFT_RNR_FOR_EVER)
		return IBV_WC_RNR_RETRY_EXC_ERR;
	atomic_store(&peer->has_starved, true);
	if (!has_receive(peer))
		return STATUS_STALL;
	atomic_store(&peer->has_starved, false);
	return 0;
}

/* Before the peer is connected it hears nothing; when broken, no more. */
static inline int
check_peer(const struct soft_qp *peer)
{
	int state = soft_qp_state(peer);

	if (likely(state == IBV_QPS_RTS || state == IBV_QPS_RTR))
		return 0;
	return state == IBV_QPS_ERR ? IBV_WC_RETRY_EXC_ERR : STATUS_STALL;
}

/*
 * Fill the peer's next receive. *@at_peer is its completion's status, the
 * result the sender's.
 */
static inline int
fill_receive(struct soft_qp *peer, const struct soft_wqe *w,
	enum ibv_wc_status *at_peer)
{
	const struct soft_rwqe *r = next_receive(peer);
	uint32_t nr = r->simple_bytes ? 1 : r->num_sge, i;
	uint64_t room = 0;

	for (i = 0; i < nr; i++)
		room += r->sge[i].length;
	if (unlikely(w->bytes > room)) {
		*at_peer = IBV_WC_LOC_LEN_ERR;
		return IBV_WC_REM_INV_REQ_ERR;
	}
	if (unlikely(!check_list(peer, r->sge, nr, w->bytes,
		    SOFT_ACCESS_LOCAL_WRITE))) {
		*at_peer = IBV_WC_LOC_PROT_ERR;
		return IBV_WC_REM_OP_ERR;
	}
	copy(r->sge, nr, w->sgl, w->verb.num_sge, w->bytes);
	*at_peer = IBV_WC_SUCCESS;
	return 0;
}

static inline int
exec_send(struct soft_qp *qp, struct soft_qp *peer, const struct soft_wqe *w,
	struct soft_run *run)
{
	struct arrival a = { (uint32_t)w->bytes, IBV_WC_SUCCESS, IBV_WC_RECV };
	int status;

	if (unlikely(!check_source(qp, w)))
		return IBV_WC_LOC_PROT_ERR;
	status = check_peer(peer);
	if (!status)
		status = find_receive(qp, peer);
	if (!status) {
		status = fill_receive(peer, w, &a.status);
		take_receive(peer, w, &a, run);
	}
	if (unlikely(a.status != IBV_WC_SUCCESS))
		note_failed(run, peer,
			a.status == IBV_WC_LOC_LEN_ERR ? IBV_EVENT_QP_REQ_ERR :
							 IBV_EVENT_QP_FATAL);
	return status;
}

static inline int
exec_write(struct soft_qp *qp, struct soft_qp *peer, const struct soft_wqe *w,
	struct soft_run *run)
{
	const struct ibv_sge to = { w->remote.addr, (uint32_t)w->bytes, 0 };
	int status = check_peer(peer);

	if (unlikely(status))
		return status;
	if (unlikely(!check_source(qp, w)))
		return IBV_WC_LOC_PROT_ERR;
	if (unlikely(!check_remote(peer, w, SOFT_ACCESS_REMOTE_WRITE))) {
		note_failed(run, peer, IBV_EVENT_QP_ACCESS_ERR);
		return IBV_WC_REM_ACCESS_ERR;
	}
	copy(&to, 1, w->sgl, w->verb.num_sge, w->bytes);
	return 0;
}

/* The data goes where the request says; the receive only tells of it. */
static int
exec_write_imm(struct soft_qp *qp, struct soft_qp *peer,
	const struct soft_wqe *w, struct soft_run *run)
{
	const struct arrival a = { (uint32_t)w->bytes, IBV_WC_SUCCESS,
		IBV_WC_RECV_RDMA_WITH_IMM };
	int status = check_peer(peer);

	if (!status)
		status = find_receive(qp, peer);
	if (!status)
		status = exec_write(qp, peer, w, run);
	if (!status)
		take_receive(peer, w, &a, run);
	return status;
}

static int
exec_read(struct soft_qp *qp, struct soft_qp *peer, const struct soft_wqe *w,
	struct soft_run *run)
{
	const struct ibv_sge from = { w->remote.addr, (uint32_t)w->bytes, 0 };
	int status = check_peer(peer);

	if (unlikely(status))
		return status;
	if (qp->max_rd_atomic == 0)
		return IBV_WC_LOC_QP_OP_ERR;
	if (peer->max_dest_rd_atomic == 0) {
		note_failed(run, peer, IBV_EVENT_QP_REQ_ERR);
		return IBV_WC_REM_INV_REQ_ERR;
	}
	if (unlikely(!check_list(qp, w->sgl, w->verb.num_sge, w->bytes,
		    SOFT_ACCESS_LOCAL_WRITE)))
		return IBV_WC_LOC_PROT_ERR;
	if (unlikely(!check_remote(peer, w, SOFT_ACCESS_REMOTE_READ))) {
		note_failed(run, peer, IBV_EVENT_QP_ACCESS_ERR);
		return IBV_WC_REM_ACCESS_ERR;
	}
	copy(w->sgl, w->verb.num_sge, &from, 1, w->bytes);
	return 0;
}

static inline int
dispatch(struct soft_qp *qp, const struct soft_wqe *w, struct soft_run *run)
{
	struct soft_qp *peer = qp->peer;

	if (unlikely(w->bytes > SOFT_MAX_MSG_BYTES))
		return IBV_WC_LOC_LEN_ERR;
	switch (w->verb.opcode) {
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_IMM:
		return exec_send(qp, peer, w, run);
	case IBV_WR_RDMA_WRITE:
		return exec_write(qp, peer, w, run);
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return exec_write_imm(qp, peer, w, run);
	default:
		return exec_read(qp, peer, w, run);
	}
}

__noinline enum soft_outcome
soft_exec_one(struct soft_qp *qp, const struct soft_wqe *w, uint32_t index,
	struct soft_run *run)
{
	int status = dispatch(qp, w, run);

	if (likely(!status)) {
		if ((w->verb.flags | qp->extra_flags) & IBV_SEND_SIGNALED)
			soft_exec_complete(qp, w, index, IBV_WC_SUCCESS, run);
		return SOFT_DONE;
	}
	if (status == STATUS_STALL) {
		qp->is_stalled = true;
		return SOFT_STALLED;
	}
	atomic_store(&qp->state, IBV_QPS_ERR);
	qp->sq_mode = SOFT_SQ_RING;
	soft_exec_complete(qp, w, index, (enum ibv_wc_status)status, run);
	note_failed(run, qp, SOFT_NO_EVENT);
	return SOFT_FAILED;
}

void
soft_exec_flush_sends(struct soft_qp *qp, struct soft_run *run)
{
	for (; qp->executed != qp->posted; qp->executed++)
		soft_exec_complete(qp, soft_qp_wqe(qp, qp->executed), qp->executed,
			IBV_WC_WR_FLUSH_ERR, run);
}

void
soft_exec_flush_receives(struct soft_qp *qp, struct soft_run *run)
{
	const struct arrival a = { 0, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV };

	soft_run_roughen(run);
	soft_spin_lock(&qp->rq_lock);
	for (; qp->rq_flushed != qp->rq_posted; qp->rq_flushed++)
		complete_receive(qp, soft_qp_rwqe(qp, qp->rq_flushed)->wr_id,
			NULL, &a, run);
	soft_spin_unlock(&qp->rq_lock);
	run->flushed = qp->recv_cq;
}
