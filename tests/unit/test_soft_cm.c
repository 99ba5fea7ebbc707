/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The connection manager: calls, events and private data. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "soft_pair.h"
#include "softrdma/soft_cm.h"

/* A listener and an active id with its route resolved, nothing connected. */
struct cm {
	struct pair p;
	struct rdma_cm_id *active;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct sockaddr_in addr;
};

static void
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

static struct rdma_cm_id *
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

static void
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

static void
drop(struct cm *c, struct rdma_cm_id *id)
{
	if (id->qp)
		c->p.fabric->destroy_qp(id);
	ck_assert_int_eq(c->p.fabric->destroy_id(id), 0);
}

static void
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

static struct rdma_cm_event *
next_event(struct cm *c, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event;

	ck_assert(pair_is_readable(c->p.events->fd, 1000));
	ck_assert_int_eq(c->p.fabric->get_cm_event(c->p.events, &event), 0);
	ck_assert_str_eq(rdma_event_str(event->event), rdma_event_str(type));
	return event;
}

static int
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

static int
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

/* Up to ESTABLISHED at both ends; the passive id is returned. */
static struct rdma_cm_id *
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

START_TEST(private_data_arrives_in_fields_of_fixed_size)
{
	struct rdma_cm_event *event;
	const uint8_t *data;
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	ck_assert_int_eq(do_connect(&c, c.active, 56), 0);
	event = next_event(&c, RDMA_CM_EVENT_CONNECT_REQUEST);
	passive = event->id;
	ck_assert_ptr_eq(event->listen_id, c.p.listener);
	ck_assert_ptr_eq(passive->context, &c.p);
	ck_assert_ptr_eq(passive->verbs, c.active->verbs);
	ck_assert_uint_eq(event->param.conn.private_data_len, 56);
	data = event->param.conn.private_data;
	ck_assert_uint_eq(data[2], 3);
	ck_assert_uint_eq(data[55], 0);
	/* The responder's resources are the other side's depth. */
	ck_assert_uint_eq(event->param.conn.responder_resources, 2);
	ck_assert_uint_eq(event->param.conn.initiator_depth, 4);
	ck_assert_uint_eq(event->param.conn.rnr_retry_count, 7);
	ck_assert_uint_eq(event->param.conn.retry_count, 5);
	ck_assert_uint_eq(event->param.conn.flow_control, 1);
	ck_assert_uint_eq(event->param.conn.qp_num, c.active->qp->qp_num);
	c.p.fabric->ack_cm_event(event);
	make_qp(&c, passive);
	ck_assert_int_eq(do_accept(&c, passive, 3), 0);
	event = next_event(&c, RDMA_CM_EVENT_ESTABLISHED);
	ck_assert_ptr_eq(event->id, c.active);
	ck_assert_uint_eq(event->param.conn.private_data_len, 196);
	data = event->param.conn.private_data;
	ck_assert_uint_eq(data[2], 6);
	ck_assert_uint_eq(data[3], 0);
	ck_assert_uint_eq(data[195], 0);
	c.p.fabric->ack_cm_event(event);
	ck_assert_ptr_eq(pair_expect(&c.p, RDMA_CM_EVENT_ESTABLISHED), passive);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(private_data_beyond_the_field_is_refused)
{
	struct rdma_cm_id *passive;
	uint8_t data[200] = { 0 };
	struct cm c;

	cm_open(&c, 1);
	ck_assert_int_eq(do_connect(&c, c.active, 57), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(do_connect(&c, c.active, 56), 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	make_qp(&c, passive);
	ck_assert_int_eq(do_accept(&c, passive, 197), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(c.p.fabric->reject(passive, data, 149), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(do_accept(&c, passive, 196), 0);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(a_reject_carries_status_28_and_data)
{
	const uint8_t data[] = { 0xc2, 7 };
	struct rdma_cm_event *event;
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	do_connect(&c, c.active, 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	ck_assert_int_eq(c.p.fabric->reject(passive, data, 2), 0);
	event = next_event(&c, RDMA_CM_EVENT_REJECTED);
	ck_assert_ptr_eq(event->id, c.active);
	ck_assert_int_eq(event->status, 28);
	ck_assert_uint_eq(event->param.conn.private_data_len, 148);
	ck_assert_mem_eq(event->param.conn.private_data, data, 2);
	c.p.fabric->ack_cm_event(event);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(a_rejected_qp_flushes_its_receives)
{
	struct ibv_recv_wr *bad, recv = { .wr_id = 5 };
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	ck_assert_int_eq(ibv_post_recv(c.active->qp, &recv, &bad), 0);
	do_connect(&c, c.active, 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	drop(&c, passive);
	pair_expect(&c.p, RDMA_CM_EVENT_REJECTED);
	ck_assert_uint_eq(pair_poll(c.cq, IBV_WC_WR_FLUSH_ERR), 5);
	cm_close(&c);
}
END_TEST

START_TEST(nobody_listening_is_status_8)
{
	struct rdma_cm_event *event;
	struct cm c;

	cm_open(&c, 1);
	drop(&c, c.p.listener);
	ck_assert_int_eq(do_connect(&c, c.active, 0), 0);
	event = next_event(&c, RDMA_CM_EVENT_REJECTED);
	ck_assert_int_eq(event->status, 8);
	c.p.fabric->ack_cm_event(event);
	ck_assert_int_eq(
		c.p.fabric->create_id(c.p.events, &c.p.listener, NULL,
			RDMA_PS_TCP),
		0);
	cm_close(&c);
}
END_TEST

START_TEST(a_full_backlog_is_unreachable)
{
	struct rdma_cm_id *second, *passive;
	struct rdma_cm_event *event;
	struct cm c;

	cm_open(&c, 1);
	second = make_active(&c);
	do_connect(&c, c.active, 0);
	ck_assert_int_eq(do_connect(&c, second, 0), 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	event = next_event(&c, RDMA_CM_EVENT_UNREACHABLE);
	ck_assert_ptr_eq(event->id, second);
	ck_assert_int_eq(event->status, -ETIMEDOUT);
	c.p.fabric->ack_cm_event(event);
	drop(&c, second);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(an_unread_request_of_a_gone_listener_is_rejected)
{
	struct rdma_cm_event *event;
	struct cm c;

	cm_open(&c, 4);
	do_connect(&c, c.active, 0);
	drop(&c, c.p.listener);
	event = next_event(&c, RDMA_CM_EVENT_REJECTED);
	ck_assert_int_eq(event->status, 28);
	c.p.fabric->ack_cm_event(event);
	ck_assert(!pair_has_event(&c.p));
	c.p.fabric->create_id(c.p.events, &c.p.listener, NULL, RDMA_PS_TCP);
	cm_close(&c);
}
END_TEST

START_TEST(an_address_without_device_is_an_error_event)
{
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	char reason[200];
	struct cm c;

	cm_open(&c, 1);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	c.addr.sin_addr.s_addr = htonl(0x7f010203);
	ck_assert_int_eq(c.p.fabric->resolve_addr(id, NULL,
				 (struct sockaddr *)&c.addr, 10),
		0);
	event = next_event(&c, RDMA_CM_EVENT_ADDR_ERROR);
	ck_assert_int_eq(event->status, -ENODEV);
	c.p.fabric->ack_cm_event(event);
	ck_assert_int_gt(c.p.fabric->diagnose(-ENODEV, reason, sizeof(reason)),
		0);
	ck_assert_ptr_nonnull(strstr(reason, "demo://"));
	drop(&c, id);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(
		c.p.fabric->bind_addr(id, (struct sockaddr *)&c.addr), -1);
	ck_assert_int_eq(errno, ENODEV);
	drop(&c, id);
	cm_close(&c);
}
END_TEST

START_TEST(a_port_belongs_to_one_listener)
{
	struct sockaddr_in any;
	struct rdma_cm_id *id;
	struct cm c;

	cm_open(&c, 1);
	ck_assert_uint_ne(c.addr.sin_port, 0);
	any = c.addr;
	any.sin_addr.s_addr = htonl(INADDR_ANY);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(
		c.p.fabric->bind_addr(id, (struct sockaddr *)&c.addr), -1);
	ck_assert_int_eq(errno, EADDRINUSE);
	ck_assert_int_eq(c.p.fabric->bind_addr(id, (struct sockaddr *)&any),
		-1);
	ck_assert_int_eq(errno, EADDRINUSE);
	any.sin_port = 0;
	ck_assert_int_eq(c.p.fabric->bind_addr(id, (struct sockaddr *)&any), 0);
	ck_assert_int_eq(c.p.fabric->listen(id, 1), 0);
	ck_assert_uint_ne(c.p.fabric->get_src_port(id), c.addr.sin_port);
	drop(&c, id);
	cm_close(&c);
}
END_TEST

START_TEST(a_wildcard_listener_hears_every_device)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct rdma_cm_id *id, *passive;
	struct cm c;

	cm_open(&c, 1);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	c.p.fabric->bind_addr(id, (struct sockaddr *)&any);
	c.p.fabric->listen(id, 1);
	ck_assert_ptr_null(id->verbs);
	drop(&c, c.active);
	c.addr.sin_port = c.p.fabric->get_src_port(id);
	c.active = make_active(&c);
	do_connect(&c, c.active, 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	ck_assert_ptr_eq(passive->verbs, c.active->verbs);
	drop(&c, passive);
	drop(&c, id);
	cm_close(&c);
}
END_TEST

START_TEST(disconnect_is_a_request_and_an_answer)
{
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	passive = establish(&c);
	ck_assert_int_eq(c.p.fabric->disconnect(c.active), 0);
	ck_assert_ptr_eq(
		pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED), passive);
	ck_assert(!pair_has_event(&c.p));
	ck_assert_int_eq(c.p.fabric->disconnect(passive), 0);
	ck_assert_ptr_eq(
		pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED), c.active);
	pair_expect(&c.p, RDMA_CM_EVENT_TIMEWAIT_EXIT);
	pair_expect(&c.p, RDMA_CM_EVENT_TIMEWAIT_EXIT);
	ck_assert(!pair_has_event(&c.p));
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(a_destroyed_id_has_answered)
{
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	passive = establish(&c);
	c.p.fabric->disconnect(c.active);
	pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED);
	drop(&c, passive);
	ck_assert_ptr_eq(
		pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED), c.active);
	pair_expect(&c.p, RDMA_CM_EVENT_TIMEWAIT_EXIT);
	cm_close(&c);
}
END_TEST

START_TEST(a_destroyed_peer_is_a_disconnect)
{
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	passive = establish(&c);
	drop(&c, passive);
	ck_assert_ptr_eq(
		pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED), c.active);
	ck_assert_int_eq(c.p.fabric->disconnect(c.active), 0);
	pair_expect(&c.p, RDMA_CM_EVENT_TIMEWAIT_EXIT);
	cm_close(&c);
}
END_TEST

START_TEST(the_peer_is_flushed_by_its_own_disconnect_only)
{
	struct ibv_recv_wr *bad, recv = { .wr_id = 5 };
	struct ibv_send_wr *bad_send, send = { .opcode = IBV_WR_SEND,
		.wr_id = 6 };
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	passive = establish(&c);
	ck_assert_int_eq(ibv_post_recv(passive->qp, &recv, &bad), 0);
	c.p.fabric->disconnect(c.active);
	pair_expect(&c.p, RDMA_CM_EVENT_DISCONNECTED);
	pair_poll_none(c.cq);
	ck_assert_int_eq(ibv_post_send(passive->qp, &send, &bad_send), 0);
	ck_assert_uint_eq(pair_poll(c.cq, IBV_WC_RETRY_EXC_ERR), 6);
	ck_assert_uint_eq(pair_poll(c.cq, IBV_WC_WR_FLUSH_ERR), 5);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(sends_wait_until_the_active_side_has_read_its_answer)
{
	struct ibv_recv_wr *bad, recv = { .wr_id = 5 };
	struct ibv_send_wr *bad_send, send = { .opcode = IBV_WR_SEND,
		.wr_id = 6, .send_flags = IBV_SEND_SIGNALED };
	struct rdma_cm_id *passive;
	struct cm c;

	cm_open(&c, 1);
	ibv_post_recv(c.active->qp, &recv, &bad);
	do_connect(&c, c.active, 0);
	passive = pair_expect(&c.p, RDMA_CM_EVENT_CONNECT_REQUEST);
	make_qp(&c, passive);
	do_accept(&c, passive, 0);
	ck_assert_int_eq(ibv_post_send(passive->qp, &send, &bad_send), 0);
	pair_poll_none(c.cq);
	ck_assert_int_eq(ibv_post_send(c.active->qp, &send, &bad_send),
		EINVAL);
	pair_expect(&c.p, RDMA_CM_EVENT_ESTABLISHED);
	ck_assert_uint_eq(pair_poll(c.cq, IBV_WC_SUCCESS), 5);
	ck_assert_uint_eq(pair_poll(c.cq, IBV_WC_SUCCESS), 6);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(depths_are_what_both_sides_allow)
{
	struct ibv_qp_init_attr init;
	struct rdma_cm_id *passive;
	struct ibv_qp_attr attr;
	struct cm c;

	cm_open(&c, 1);
	passive = establish(&c);
	c.p.fabric->query_qp(c.active->qp, &attr, 0, &init);
	ck_assert_uint_eq(attr.max_rd_atomic, 1);
	ck_assert_uint_eq(attr.max_dest_rd_atomic, 3);
	ck_assert_uint_eq(attr.rnr_retry, 7);
	ck_assert_uint_eq(attr.dest_qp_num, passive->qp->qp_num);
	ck_assert_int_eq(attr.qp_state, IBV_QPS_RTS);
	c.p.fabric->query_qp(passive->qp, &attr, 0, &init);
	ck_assert_uint_eq(attr.max_rd_atomic, 3);
	ck_assert_uint_eq(attr.max_dest_rd_atomic, 1);
	drop(&c, passive);
	cm_close(&c);
}
END_TEST

START_TEST(calls_in_the_wrong_state_are_refused)
{
	const struct fabric *f;
	struct rdma_cm_id *id;
	struct cm c;

	cm_open(&c, 1);
	f = c.p.fabric;
	ck_assert_int_eq(f->disconnect(c.active), -1);
	ck_assert_int_eq(do_accept(&c, c.active, 0), -1);
	ck_assert_int_eq(f->reject(c.active, NULL, 0), -1);
	ck_assert_int_eq(f->resolve_route(c.active, 1), -1);
	ck_assert_int_eq(f->listen(c.active, 1), -1);
	ck_assert_int_eq(f->destroy_id(c.active), -1);
	ck_assert_int_eq(errno, EBUSY);
	f->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(do_connect(&c, id, 0), -1);
	ck_assert_int_eq(f->resolve_route(id, 1), -1);
	drop(&c, id);
	ck_assert_int_eq(f->create_id(c.p.events, &id, NULL, RDMA_PS_UDP), -1);
	cm_close(&c);
}
END_TEST

START_TEST(a_non_blocking_channel_answers_eagain)
{
	struct rdma_cm_event *event;
	struct cm c;

	cm_open(&c, 1);
	fcntl(c.p.events->fd, F_SETFL, O_NONBLOCK);
	ck_assert_int_eq(c.p.fabric->get_cm_event(c.p.events, &event), -1);
	ck_assert_int_eq(errno, EAGAIN);
	cm_close(&c);
}
END_TEST

START_TEST(an_event_dropped_with_its_id_leaves_nothing_readable)
{
	struct rdma_cm_id *id;
	struct cm c;

	cm_open(&c, 1);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	c.p.fabric->resolve_addr(id, NULL, (struct sockaddr *)&c.addr, 1);
	ck_assert(pair_has_event(&c.p));
	drop(&c, id);
	ck_assert(!pair_has_event(&c.p));
	cm_close(&c);
}
END_TEST

struct acker {
	struct cm *c;
	struct rdma_cm_event *event;
	_Atomic(bool) is_acked;
};

static void *
ack_later(void *arg)
{
	struct acker *a = arg;

	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	a->is_acked = true;
	a->c->p.fabric->ack_cm_event(a->event);
	return NULL;
}

START_TEST(destroying_an_id_waits_for_its_acknowledgements)
{
	struct rdma_cm_id *id;
	pthread_t thread;
	struct acker a = { 0 };
	struct cm c;

	cm_open(&c, 1);
	c.p.fabric->create_id(c.p.events, &id, NULL, RDMA_PS_TCP);
	c.p.fabric->resolve_addr(id, NULL, (struct sockaddr *)&c.addr, 1);
	a.c = &c;
	a.event = next_event(&c, RDMA_CM_EVENT_ADDR_RESOLVED);
	pthread_create(&thread, NULL, ack_later, &a);
	drop(&c, id);
	ck_assert(a.is_acked);
	pthread_join(thread, NULL);
	cm_close(&c);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_cm");

	tcase_add_test(t, private_data_arrives_in_fields_of_fixed_size);
	tcase_add_test(t, private_data_beyond_the_field_is_refused);
	tcase_add_test(t, a_reject_carries_status_28_and_data);
	tcase_add_test(t, a_rejected_qp_flushes_its_receives);
	tcase_add_test(t, nobody_listening_is_status_8);
	tcase_add_test(t, a_full_backlog_is_unreachable);
	tcase_add_test(t, an_unread_request_of_a_gone_listener_is_rejected);
	tcase_add_test(t, an_address_without_device_is_an_error_event);
	tcase_add_test(t, a_port_belongs_to_one_listener);
	tcase_add_test(t, a_wildcard_listener_hears_every_device);
	tcase_add_test(t, disconnect_is_a_request_and_an_answer);
	tcase_add_test(t, a_destroyed_id_has_answered);
	tcase_add_test(t, a_destroyed_peer_is_a_disconnect);
	tcase_add_test(t, the_peer_is_flushed_by_its_own_disconnect_only);
	tcase_add_test(t, sends_wait_until_the_active_side_has_read_its_answer);
	tcase_add_test(t, depths_are_what_both_sides_allow);
	tcase_add_test(t, calls_in_the_wrong_state_are_refused);
	tcase_add_test(t, a_non_blocking_channel_answers_eagain);
	tcase_add_test(t, an_event_dropped_with_its_id_leaves_nothing_readable);
	tcase_add_test(t, destroying_an_id_waits_for_its_acknowledgements);
	return unit_run(t, "soft_cm");
}
