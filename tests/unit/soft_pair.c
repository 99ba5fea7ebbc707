/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "soft_pair.h"

#include "unit.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

const enum soft_irqmode pair_modes[PAIR_NR_MODES] = {
	SOFT_IRQ_NONE,
	SOFT_IRQ_SOFTIRQ,
	SOFT_IRQ_TIMER,
	SOFT_IRQ_THREAD,
};

bool
pair_is_readable(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, timeout_ms) == 1;
}

bool
pair_has_event(struct pair *p)
{
	return pair_is_readable(p->events->fd, 0);
}

struct rdma_cm_id *
pair_expect(struct pair *p, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;

	ck_assert(pair_is_readable(p->events->fd, 1000));
	ck_assert_int_eq(p->fabric->get_cm_event(p->events, &event), 0);
	ck_assert_str_eq(rdma_event_str(event->event), rdma_event_str(type));
	id = event->id;
	ck_assert_int_eq(p->fabric->ack_cm_event(event), 0);
	return id;
}

static void
default_attr(const struct pair_attr *attr, struct ibv_qp_init_attr *init)
{
	init->qp_type = IBV_QPT_RC;
	init->cap = attr->cap;
	init->sq_sig_all = attr->signals_all;
	if (!init->cap.max_send_wr)
		init->cap.max_send_wr = 64;
	if (!init->cap.max_recv_wr)
		init->cap.max_recv_wr = 64;
	if (!init->cap.max_send_sge)
		init->cap.max_send_sge = 4;
	if (!init->cap.max_recv_sge)
		init->cap.max_recv_sge = 4;
	if (!init->cap.max_inline_data)
		init->cap.max_inline_data = 256;
}

static void
open_end(struct pair *p, struct pair_end *e, const struct pair_attr *attr)
{
	const struct fabric *f = p->fabric;
	struct ibv_context *context = e->id->verbs;
	int nr_cqes = attr->nr_cqes ? attr->nr_cqes : 256;
	struct ibv_qp_init_attr init = { 0 };

	e->pd = f->alloc_pd(context);
	e->channel = f->create_comp_channel(context);
	ck_assert(e->pd && e->channel);
	e->send_cq = f->create_cq(context, nr_cqes, e, e->channel, 0);
	e->recv_cq = f->create_cq(context, nr_cqes, e, e->channel, 0);
	ck_assert(e->send_cq && e->recv_cq);
	default_attr(attr, &init);
	init.send_cq = e->send_cq;
	init.recv_cq = e->recv_cq;
	ck_assert_int_eq(f->create_qp(e->id, e->pd, &init), 0);
	e->qp = e->id->qp;
	e->buf = calloc(1, PAIR_BYTES);
	e->mr = f->reg_mr(e->pd, e->buf, PAIR_BYTES,
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ);
	ck_assert(e->mr);
}

static void
fill_param(const struct pair_attr *attr, struct rdma_conn_param *param)
{
	int depth = attr->read_depth ? attr->read_depth : 4;
	int rnr = attr->rnr_retry ? attr->rnr_retry : 7;

	memset(param, 0, sizeof(*param));
	param->responder_resources = depth < 0 ? 0 : (uint8_t)depth;
	param->initiator_depth = depth < 0 ? 0 : (uint8_t)depth;
	param->rnr_retry_count = rnr < 0 ? 0 : (uint8_t)rnr;
	param->retry_count = 7;
}

void
pair_open(struct pair *p, const struct pair_attr *attr)
{
	struct rdma_conn_param param;
	struct sockaddr_in addr;
	const struct fabric *f;

	memset(p, 0, sizeof(*p));
	fill_param(attr, &param);
	ck_assert_int_eq(soft_dev_create(&attr->dev, &p->dev), 0);
	f = p->fabric = fabric_find("soft");
	ck_assert_ptr_nonnull(f);
	p->events = f->create_event_channel();
	soft_dev_addr(p->dev, &addr);
	ck_assert_int_eq(
		f->create_id(p->events, &p->listener, p, RDMA_PS_TCP), 0);
	ck_assert_int_eq(
		f->bind_addr(p->listener, (struct sockaddr *)&addr), 0);
	ck_assert_int_eq(f->listen(p->listener, 8), 0);
	addr.sin_port = f->get_src_port(p->listener);
	ck_assert_int_eq(
		f->create_id(p->events, &p->end[0].id, p, RDMA_PS_TCP), 0);
	ck_assert_int_eq(f->resolve_addr(p->end[0].id, NULL,
				 (struct sockaddr *)&addr, 100),
		0);
	pair_expect(p, RDMA_CM_EVENT_ADDR_RESOLVED);
	ck_assert_int_eq(f->resolve_route(p->end[0].id, 100), 0);
	pair_expect(p, RDMA_CM_EVENT_ROUTE_RESOLVED);
	open_end(p, &p->end[0], attr);
	ck_assert_int_eq(f->connect(p->end[0].id, &param), 0);
	p->end[1].id = pair_expect(p, RDMA_CM_EVENT_CONNECT_REQUEST);
	open_end(p, &p->end[1], attr);
	ck_assert_int_eq(f->accept(p->end[1].id, &param), 0);
	ck_assert_ptr_eq(
		pair_expect(p, RDMA_CM_EVENT_ESTABLISHED), p->end[0].id);
	ck_assert_ptr_eq(
		pair_expect(p, RDMA_CM_EVENT_ESTABLISHED), p->end[1].id);
}

void
pair_open_mode(struct pair *p, int mode)
{
	const struct pair_attr attr = { .dev = {
		.irqmode = pair_modes[mode] } };

	pair_open(p, &attr);
}

static void
close_end(struct pair *p, struct pair_end *e)
{
	const struct fabric *f = p->fabric;

	if (e->id && e->id->qp)
		f->destroy_qp(e->id);
	if (e->id)
		ck_assert_int_eq(f->destroy_id(e->id), 0);
	if (e->mr)
		ck_assert_int_eq(f->dereg_mr(e->mr), 0);
	ck_assert_int_eq(f->destroy_cq(e->send_cq), 0);
	ck_assert_int_eq(f->destroy_cq(e->recv_cq), 0);
	ck_assert_int_eq(f->destroy_comp_channel(e->channel), 0);
	ck_assert_int_eq(f->dealloc_pd(e->pd), 0);
	free(e->buf);
}

void
pair_close(struct pair *p)
{
	close_end(p, &p->end[0]);
	close_end(p, &p->end[1]);
	ck_assert_int_eq(p->fabric->destroy_id(p->listener), 0);
	p->fabric->destroy_event_channel(p->events);
	soft_dev_put(p->dev);
}

int
pair_recv(struct pair_end *e, uint64_t wr_id, uint32_t offset, uint32_t bytes)
{
	struct ibv_sge sge = { (uintptr_t)e->buf + offset, bytes, e->mr->lkey };
	struct ibv_recv_wr wr = { wr_id, NULL, &sge, 1 }, *bad = NULL;

	return ibv_post_recv(e->qp, &wr, &bad);
}

int
pair_send(struct pair_end *e, uint64_t wr_id, uint32_t bytes, int flags)
{
	struct ibv_sge sge = { (uintptr_t)e->buf, bytes, e->mr->lkey };
	struct ibv_send_wr *bad = NULL, wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = (unsigned int)flags,
	};

	return ibv_post_send(e->qp, &wr, &bad);
}

int
pair_rdma(struct pair *p, int from, enum ibv_wr_opcode opcode, uint32_t offset,
	uint32_t bytes)
{
	struct pair_end *a = &p->end[from], *b = &p->end[!from];
	struct ibv_sge sge = { (uintptr_t)a->buf + offset, bytes, a->mr->lkey };
	struct ibv_send_wr *bad = NULL, wr = {
		.wr_id = 7,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htobe32(0x1234),
		.wr.rdma.remote_addr = (uintptr_t)b->buf + offset,
		.wr.rdma.rkey = b->mr->rkey,
	};

	return ibv_post_send(a->qp, &wr, &bad);
}

uint64_t
pair_poll(struct ibv_cq *cq, enum ibv_wc_status status)
{
	struct ibv_wc wc;

	ck_assert_int_eq(ibv_poll_cq(cq, 1, &wc), 1);
	ck_assert_str_eq(ibv_wc_status_str(wc.status),
		ibv_wc_status_str(status));
	return wc.wr_id;
}

void
pair_poll_none(struct ibv_cq *cq)
{
	struct ibv_wc wc;

	ck_assert_int_eq(ibv_poll_cq(cq, 1, &wc), 0);
}

void
pair_expect_state(struct pair *p, int end, enum ibv_qp_state state)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	ck_assert_int_eq(p->fabric->query_qp(p->end[end].qp, &attr,
				 IBV_QP_STATE, &init),
		0);
	ck_assert_int_eq(attr.qp_state, state);
}
