/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The connection manager: calls, events and private data, up to a connection. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "soft_cm_rig.h"
#include "softrdma/soft_cm.h"

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
	tcase_add_test(t, sends_wait_until_the_active_side_has_read_its_answer);
	tcase_add_test(t, depths_are_what_both_sides_allow);
	tcase_add_test(t, calls_in_the_wrong_state_are_refused);
	return unit_run(t, "soft_cm");
}
