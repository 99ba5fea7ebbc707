/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "bench/bench_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"

/* The next event, which on a device of our own can only be the expected one. */
static int
expect(struct bench_link *link, enum rdma_cm_event_type type,
	struct rdma_cm_id **id)
{
	struct rdma_cm_event *event;
	enum rdma_cm_event_type got;

	if (link->fabric->get_cm_event(link->events, &event))
		return -errno;
	got = event->event;
	if (id)
		*id = event->id;
	link->fabric->ack_cm_event(event);
	return got == type ? 0 : -EPROTO;
}

static int
create_queues(struct bench_link *link, struct bench_end *e,
	const struct bench_link_attr *attr)
{
	const struct fabric *f = link->fabric;
	struct ibv_context *context = e->id->verbs;
	int nr_cqes = (int)(attr->cap.max_send_wr + attr->cap.max_recv_wr);
	struct ibv_qp_init_attr init = {
		.cap = attr->cap,
		.qp_type = IBV_QPT_RC,
	};

	e->pd = f->alloc_pd(context);
	e->channel = f->create_comp_channel(context);
	if (!e->pd || !e->channel)
		return -errno;
	e->send_cq = f->create_cq(context, nr_cqes, NULL, e->channel, 0);
	e->recv_cq = f->create_cq(context, nr_cqes, NULL, e->channel, 0);
	if (!e->send_cq || !e->recv_cq)
		return -errno;
	init.send_cq = e->send_cq;
	init.recv_cq = e->recv_cq;
	if (f->create_qp(e->id, e->pd, &init))
		return -errno;
	e->qp = e->id->qp;
	e->nr_send_wr = init.cap.max_send_wr;
	return 0;
}

static int
create_memory(struct bench_link *link, struct bench_end *e, size_t bytes)
{
	int ret = mem_alloc(&e->mem, bytes, MEM_HUGE | MEM_POPULATE);

	if (ret)
		return ret;
	e->mr = link->fabric->reg_mr(e->pd, e->mem.addr, bytes,
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ);
	return e->mr ? 0 : -errno;
}

static int
listen_and_resolve(struct bench_link *link)
{
	const struct fabric *f = link->fabric;
	struct sockaddr_in addr;
	int ret;

	soft_dev_addr(link->dev, &addr);
	link->events = f->create_event_channel();
	if (!link->events ||
		f->create_id(link->events, &link->listener, NULL,
			RDMA_PS_TCP) ||
		f->bind_addr(link->listener, (struct sockaddr *)&addr) ||
		f->listen(link->listener, 1))
		return -errno;
	addr.sin_port = f->get_src_port(link->listener);
	if (f->create_id(link->events, &link->end[0].id, NULL, RDMA_PS_TCP) ||
		f->resolve_addr(link->end[0].id, NULL,
			(struct sockaddr *)&addr, 1000))
		return -errno;
	ret = expect(link, RDMA_CM_EVENT_ADDR_RESOLVED, NULL);
	if (ret)
		return ret;
	if (f->resolve_route(link->end[0].id, 1000))
		return -errno;
	return expect(link, RDMA_CM_EVENT_ROUTE_RESOLVED, NULL);
}

static int
connect_ends(struct bench_link *link, const struct bench_link_attr *attr)
{
	struct rdma_conn_param param = {
		.responder_resources = 4,
		.initiator_depth = 4,
		.retry_count = 7,
		.rnr_retry_count = 7,
	};
	int ret;

	if (link->fabric->connect(link->end[0].id, &param))
		return -errno;
	ret = expect(link, RDMA_CM_EVENT_CONNECT_REQUEST, &link->end[1].id);
	if (!ret)
		ret = create_queues(link, &link->end[1], attr);
	if (ret)
		return ret;
	if (link->fabric->accept(link->end[1].id, &param))
		return -errno;
	ret = expect(link, RDMA_CM_EVENT_ESTABLISHED, NULL);
	return ret ? ret : expect(link, RDMA_CM_EVENT_ESTABLISHED, NULL);
}

static int
try_open(struct bench_link *link, const struct bench_link_attr *attr)
{
	int ret = soft_dev_create(&attr->dev, &link->dev);

	if (!ret)
		ret = listen_and_resolve(link);
	if (!ret)
		ret = create_queues(link, &link->end[0], attr);
	if (!ret)
		ret = connect_ends(link, attr);
	if (!ret)
		ret = create_memory(link, &link->end[0], attr->mem_bytes[0]);
	if (!ret)
		ret = create_memory(link, &link->end[1], attr->mem_bytes[1]);
	return ret;
}

int
bench_link_open(struct bench_link *link, const struct bench_link_attr *attr,
	char *reason, size_t n)
{
	int ret;

	memset(link, 0, sizeof(*link));
	link->fabric = fabric_find("soft");
	ret = link->fabric ? try_open(link, attr) : -ENODEV;
	if (!ret)
		return 0;
	bench_link_close(link);
	snprintf(reason, n,
		"two connected ends on a software device were asked for and "
		"refused (%s): try fewer or smaller ones",
		strerror(-ret));
	return ret;
}

static void
close_end(struct bench_link *link, struct bench_end *e)
{
	const struct fabric *f = link->fabric;

	if (e->qp)
		f->destroy_qp(e->id);
	if (e->id)
		f->destroy_id(e->id);
	if (e->mr)
		f->dereg_mr(e->mr);
	mem_free(&e->mem);
	if (e->recv_cq)
		f->destroy_cq(e->recv_cq);
	if (e->send_cq)
		f->destroy_cq(e->send_cq);
	if (e->channel)
		f->destroy_comp_channel(e->channel);
	if (e->pd)
		f->dealloc_pd(e->pd);
}

void
bench_link_close(struct bench_link *link)
{
	if (!link->fabric)
		return;
	close_end(link, &link->end[0]);
	close_end(link, &link->end[1]);
	if (link->listener)
		link->fabric->destroy_id(link->listener);
	if (link->events)
		link->fabric->destroy_event_channel(link->events);
	if (link->dev)
		soft_dev_put(link->dev);
	memset(link, 0, sizeof(*link));
}
