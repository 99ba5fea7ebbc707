/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_conn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "target/tgt_chan.h"
#include "target/tgt_tmf.h"
#include "util/clock.h"
#include "util/log.h"

#define CONN_FLUSH_NS (2 * CLOCK_NS_PER_SEC)
#define CONN_PAGE_BYTES 4096
#define CONN_SQ_SIZE 1024

/* What the device may grant less of than wanted. */
static void
conn_size_queues(struct tgt_conn *conn)
{
	const struct ibv_device_attr *attr = &conn->dev->attr;
	uint32_t most = attr->max_qp_wr > 16 ? (uint32_t)attr->max_qp_wr : 16;
	uint32_t cqe = attr->max_cqe > 32 ? (uint32_t)attr->max_cqe : 32;

	/* one completion queue takes both, and is never overrun */
	conn->nr_cmds = min_t(uint32_t,
		conn->target->req_lim + TGT_EXTRA_RECVS, most);
	conn->nr_cmds = min(conn->nr_cmds, cqe / 2);
	conn->sq_size = max_t(uint32_t, 4 * conn->nr_cmds, CONN_SQ_SIZE);
	conn->sq_size = min(conn->sq_size, most);
	conn->sq_size = min(conn->sq_size, cqe - conn->nr_cmds);
	conn->signal_every = conn->sq_size / 4;
}

static void
conn_init_wrs(struct tgt_conn *conn)
{
	unsigned int i;

	for (i = 0; i < TGT_PLUG; i++) {
		conn->wr[i].next = &conn->wr[i + 1]; /* last: set by the flush */
		conn->wr[i].sg_list = &conn->sge[i];
		conn->wr[i].num_sge = 1;
	}
	conn->recv_tail = &conn->recv_head;
}

static void
conn_init_cmds(struct tgt_conn *conn, uint32_t iu_stride)
{
	struct tgt_cmd *cmd;
	uint32_t i;

	for (i = 0; i < conn->nr_cmds; i++) {
		cmd = &conn->cmds[i];
		cmd->conn = conn;
		cmd->index = (uint16_t)i;
		cmd->buf = -1;
		list_init(&cmd->node);
		cmd->iu_buf = (uint8_t *)conn->mem.addr + (size_t)i * iu_stride;
		cmd->recv_sge.addr = (uintptr_t)cmd->iu_buf;
		cmd->recv_sge.length = conn->target->max_it_iu_bytes;
		cmd->recv_sge.lkey = conn->lkey;
		cmd->recv_wr.wr_id = (uint32_t)TGT_WR_RECV << 16 | i;
		cmd->recv_wr.sg_list = &cmd->recv_sge;
		cmd->recv_wr.num_sge = 1;
	}
}

/* Maps and registers what the head of tgt_conn.h draws. */
static int
conn_alloc(struct tgt_conn *conn)
{
	const struct target *target = conn->target;
	uint32_t iu_stride = ALIGN_UP(target->max_it_iu_bytes, 64u);
	size_t ius = ALIGN_UP((size_t)conn->nr_cmds * iu_stride,
		(size_t)CONN_PAGE_BYTES);
	size_t bufs, rsps;
	uint8_t *at;
	uint32_t i;
	int rc;

	conn->nr_bufs = target->has_async ? TGT_FILE_BUFS : TGT_SMALL_BUFS;
	conn->buf_bytes = target->has_async ? TGT_FILE_BUF_BYTES :
					      TGT_SMALL_BUF_BYTES;
	for (conn->rsp_mask = 1; conn->rsp_mask < conn->sq_size;)
		conn->rsp_mask <<= 1;
	bufs = (size_t)conn->nr_bufs * conn->buf_bytes;
	rsps = (size_t)conn->rsp_mask * TGT_RSP_BYTES;
	conn->rsp_mask--;
	rc = mem_alloc(&conn->mem,
		ius + bufs + rsps + (target->needs_sink ? TGT_SINK_BYTES : 0),
		0);
	if (rc)
		return rc;
	conn->cmds = calloc(conn->nr_cmds, sizeof(*conn->cmds));
	conn->bufs = calloc(conn->nr_bufs, sizeof(*conn->bufs));
	conn->free_bufs = calloc(conn->nr_bufs, sizeof(*conn->free_bufs));
	if (!conn->cmds || !conn->bufs || !conn->free_bufs)
		return -ENOMEM;
	conn->mr = target->fabric->reg_mr(conn->dev->pd, conn->mem.addr,
		conn->mem.bytes, tgt_dev_access(conn->dev));
	if (!conn->mr)
		return errno ? -errno : -ENOMEM;
	conn->lkey = conn->mr->lkey;
	at = (uint8_t *)conn->mem.addr + ius;
	for (i = 0; i < conn->nr_bufs; i++) {
		conn->bufs[i].addr = at + (size_t)i * conn->buf_bytes;
		tgt_chan_put_buf(conn, &conn->bufs[i]);
	}
	conn->rsp_ring = at + bufs;
	conn->sink = at + bufs + rsps;
	conn_init_cmds(conn, iu_stride);
	return 0;
}

/* The inline size cannot be asked for: try what a response needs, or none. */
static int
conn_create_qp(struct tgt_conn *conn)
{
	static const uint32_t inline_bytes[] = { 256, 128, 64, 0 };
	struct ibv_qp_init_attr attr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inline_bytes); i++) {
		attr = (struct ibv_qp_init_attr){
			.qp_context = conn,
			.send_cq = conn->cq,
			.recv_cq = conn->cq,
			.qp_type = IBV_QPT_RC,
			.cap = {
				.max_send_wr = conn->sq_size,
				.max_recv_wr = conn->nr_cmds,
				.max_send_sge = 1,
				.max_recv_sge = 1,
				.max_inline_data = inline_bytes[i],
			},
		};
		if (conn->target->fabric->create_qp(
			    conn->id, conn->dev->pd, &attr))
			continue;
		conn->qp = conn->id->qp;
		conn->is_inline = attr.cap.max_inline_data >= TGT_RSP_BYTES;
		return 0;
	}
	return errno ? -errno : -ENOMEM;
}

static void
conn_on_cq(struct ibv_cq *cq, void *arg)
{
	(void)cq;
	tgt_chan_run(arg);
}

static int
conn_start(struct tgt_conn *conn)
{
	const struct fabric *fabric = conn->target->fabric;
	uint32_t i;

	if (conn->target->has_handlers) {
		if (fabric->cq_set_handler(conn->cq, conn_on_cq, conn))
			return -EOPNOTSUPP;
		conn->has_handler = true;
	}
	for (i = 0; i < conn->nr_cmds; i++)
		tgt_chan_repost(conn, &conn->cmds[i]);
	tgt_chan_flush(conn);
	return conn->is_stopped ? -EIO : 0;
}

static int
conn_open(struct tgt_conn *conn, char *reason, size_t n)
{
	const struct fabric *fabric = conn->target->fabric;
	int rc;

	rc = tgt_dev_get(conn->target, conn->id->verbs, &conn->dev, reason, n);
	if (rc)
		return rc;
	conn_size_queues(conn);
	conn_init_wrs(conn);
	rc = conn_alloc(conn);
	if (rc) {
		mem_lock_reason(conn->mem.bytes, -rc, reason, n);
		return rc;
	}
	conn->cq = fabric->create_cq(conn->dev->context,
		(int)(conn->sq_size + conn->nr_cmds), conn,
		conn->dev->channel, 0);
	rc = conn->cq ? conn_create_qp(conn) : errno ? -errno : -ENOMEM;
	if (!rc)
		rc = conn_start(conn);
	if (rc)
		snprintf(reason, n, "%s for %u work requests: %s",
			conn->cq ? "no queue pair" : "no completion queue",
			conn->sq_size + conn->nr_cmds, strerror(-rc));
	return rc;
}

int
tgt_conn_create(struct target *target, struct rdma_cm_id *id,
	const struct tgt_conn_attr *attr, struct tgt_conn **out, char *reason,
	size_t n)
{
	struct tgt_conn *conn;
	int rc;

	conn = mem_aligned_zalloc(CACHELINE_BYTES, sizeof(*conn));
	if (!conn) {
		snprintf(reason, n, "no memory");
		return -ENOMEM;
	}
	conn->target = target;
	conn->id = id;
	conn->imm_offset = attr->imm_offset;
	conn->grave_wanted = target->nr_graves;
	conn->grave_clean = target->nr_graves;
	list_init(&conn->waiting);
	list_init(&conn->waiting_bufs);
	list_init(&conn->closing_node);
	list_init(&conn->node);
	conn->nexus = tgt_nexus_get(target, attr->initiator_port_id);
	if (!conn->nexus) {
		snprintf(reason, n, "no memory");
		rc = -ENOMEM;
	} else {
		rc = conn_open(conn, reason, n);
	}
	if (rc) {
		conn->keeps_id = true;
		tgt_conn_destroy(conn);
		return rc;
	}
	pthread_mutex_lock(&target->lock);
	list_add_tail(&target->conns, &conn->node);
	target->nr_conns++;
	pthread_mutex_unlock(&target->lock);
	id->context = conn;
	*out = conn;
	return 0;
}

/* Its counters live on in the target's. */
static void
conn_retire(struct tgt_conn *conn)
{
	struct target *target = conn->target;

	pthread_mutex_lock(&target->lock);
	if (list_is_linked(&conn->node)) {
		list_del(&conn->node);
		target->nr_conns--;
	}
	tgt_counters_add(&target->retired, &conn->counters);
	pthread_mutex_unlock(&target->lock);
	list_del(&conn->closing_node);
	if (conn->nexus)
		tgt_nexus_put(target, conn->nexus);
}

void
tgt_conn_destroy(struct tgt_conn *conn)
{
	const struct fabric *fabric = conn->target->fabric;

	if (conn->has_handler)
		fabric->cq_set_handler(conn->cq, NULL, NULL);
	tgt_tmf_on_conn_end(conn);
	conn_retire(conn);
	if (conn->qp)
		fabric->destroy_qp(conn->id);
	if (conn->cq) {
		if (conn->nr_cq_events)
			fabric->ack_cq_events(conn->cq, conn->nr_cq_events);
		fabric->destroy_cq(conn->cq);
	}
	if (conn->mr)
		fabric->dereg_mr(conn->mr);
	if (!conn->keeps_id)
		fabric->destroy_id(conn->id);
	free(conn->free_bufs);
	free(conn->bufs);
	free(conn->cmds);
	mem_free(&conn->mem);
	free(conn);
}

void
tgt_conn_close(struct tgt_conn *conn)
{
	const struct fabric *fabric = conn->target->fabric;

	if (atomic_load(&conn->state) == TGT_CONN_CLOSING)
		return;
	atomic_store(&conn->state, TGT_CONN_CLOSING);
	conn->deadline_ns = clock_ns() + CONN_FLUSH_NS;
	list_add_tail(&conn->target->closing, &conn->closing_node);
	fabric->disconnect(conn->id);
	/* from here on the loop thread alone runs it */
	if (conn->has_handler) {
		fabric->cq_set_handler(conn->cq, NULL, NULL);
		conn->has_handler = false;
	}
	conn->is_stopped = true;
}

/*
 * Sends that completed unsignalled leave no trace: one more, signalled, which
 * the queue pair in its error state flushes after all others, tells that they
 * are over. It waits for room like any other.
 */
static void
conn_post_marker(struct tgt_conn *conn)
{
	if (conn->has_marker || !tgt_chan_sq_room(conn))
		return;
	conn->has_marker = true;
	conn->nr_unsignalled = conn->signal_every;
	tgt_chan_send(conn, tgt_chan_get_rsp(conn), SRP_SMALL_BYTES);
}

/* Has the device, and libaio, let go of everything? */
static bool
conn_is_flushed(const struct tgt_conn *conn)
{
	return conn->has_marker && conn->sq_done == conn->sq_posted &&
		!conn->nr_recvs && !conn->nr_media;
}

bool
tgt_conn_reap(struct target *target)
{
	struct tgt_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &target->closing, closing_node) {
		conn_post_marker(conn);
		tgt_chan_run(conn);
		if (conn_is_flushed(conn) ||
			(clock_ns() >= conn->deadline_ns && !conn->nr_media))
			tgt_conn_destroy(conn);
	}
	return !list_is_empty(&target->closing);
}

void
tgt_conn_close_failed(struct target *target)
{
	struct tgt_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &target->conns, node)
		if (atomic_load(&conn->is_failed))
			tgt_conn_close(conn);
}

void
tgt_conn_fail(struct tgt_conn *conn, const char *why)
{
	conn->is_stopped = true;
	if (atomic_exchange(&conn->is_failed, true))
		return;
	if (why && atomic_load(&conn->state) != TGT_CONN_CLOSING)
		log_info("target", "closing a channel: %s", why);
	loop_wake(&conn->target->loop);
}
