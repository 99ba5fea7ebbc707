/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "soft_cm_rig.h"

#include <check.h>
#include <string.h>

void
make_qp(struct cm *c, struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init = {
		.send_cq = c->cq,
		.recv_cq = c->cq,
		.cap = { 8, 8, 1, 1, 64 },
		.qp_type = IBV_QPT_RC,
	};

	ck_assert_int_eq(c->p.fabric->create_qp(id, c->pd, &init), 0);
}

struct rdma_cm_id *
make_active(struct cm *c)
{
	const struct fabric *f = c->p.fabric;
	struct rdma_cm_id *id;

	ck_assert_int_eq(f->create_id(c->p.events, &id, c, RDMA_PS_TCP), 0);
	ck_assert_int_eq(f->resolve_addr(id, NULL,
				 (struct sockaddr *)&c->addr, 100),
		0);
	pair_expect(&c->p, RDMA_CM_EVENT_ADDR_RESOLVED);
	ck_assert_int_eq(f->resolve_route(id, 100), 0);
	pair_expect(&c->p, RDMA_CM_EVENT_ROUTE_RESOLVED);
	if (!c->pd) {
		c->pd = f->alloc_pd(id->verbs);
		c->cq = f->create_cq(id->verbs, 64, NULL, NULL, 0);
	}
	make_qp(c, id);
	return id;
}

void
cm_open(struct cm *c, int backlog)
{
	const struct soft_dev_attr attr = { 0 };
	const struct fabric *f;

	memset(c, 0, sizeof(*c));
	ck_assert_int_eq(soft_dev_create(&attr, &c->p.dev), 0);
	f = c->p.fabric = fabric_find("soft");
	c->p.events = f->create_event_channel();
	soft_dev_addr(c->p.dev, &c->addr);
	ck_assert_int_eq(f->create_id(c->p.events, &c->p.listener, &c->p,
				 RDMA_PS_TCP),
		0);
	ck_assert_int_eq(f->bind_addr(c->p.listener,
				 (struct sockaddr *)&c->addr),
		0);
	ck_assert_int_eq(f->listen(c->p.listener, backlog), 0);
	c->addr.sin_port = f->get_src_port(c->p.listener);
	c->active = make_active(c);
}

void
drop(struct cm *c, struct rdma_cm_id *id)
{
	if (id->qp)
		c->p.fabric->destroy_qp(id);
	ck_assert_int_eq(c->p.fabric->destroy_id(id), 0);
}

void
cm_close(struct cm *c)
{
	const struct fabric *f = c->p.fabric;

	drop(c, c->active);
	drop(c, c->p.listener);
	ck_assert_int_eq(f->destroy_cq(c->cq), 0);
	ck_assert_int_eq(f->dealloc_pd(c->pd), 0);
	f->destroy_event_channel(c->p.events);
	soft_dev_put(c->p.dev);
}

struct rdma_cm_event *
next_event(struct cm *c, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event;

	ck_assert(pair_is_readable(c->p.events->fd, 1000));
	ck_assert_int_eq(c->p.fabric->get_cm_event(c->p.events, &event), 0);
	ck_assert_str_eq(rdma_event_str(event->event), rdma_event_str(type));
	return event;
}

int
do_connect(struct cm *c, struct rdma_cm_id *id, uint8_t data_bytes)
{
	static const uint8_t data[255] = { 1, 2, 3 };
	struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = data_bytes,
		.responder_resources = 4,
		.initiator_depth = 2,
		.rnr_retry_count = 9,
		.retry_count = 5,
		.flow_control = 1,
	};

	return c->p.fabric->connect(id, &param);
}

int
do_accept(struct cm *c, struct rdma_cm_id *id, uint8_t data_bytes)
{
	static const uint8_t data[255] = { 4, 5, 6 };
	struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = data_bytes,
		.responder_resources = 1,
		.initiator_depth = 3,
		.rnr_retry_count = 7,
	};

	return c->p.fabric->accept(id, &param);
}

struct rdma_cm_id *
establish(struct cm *c)
{
	struct rdma_cm_id *passive;

	ck_assert_int_eq(do_connect(c, c->active, 0), 0);
	passive = pair_expect(&c->p, RDMA_CM_EVENT_CONNECT_REQUEST);
	make_qp(c, passive);
	ck_assert_int_eq(do_accept(c, passive, 0), 0);
	pair_expect(&c->p, RDMA_CM_EVENT_ESTABLISHED);
	pair_expect(&c->p, RDMA_CM_EVENT_ESTABLISHED);
	return passive;
}
