/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The connection manager: how connections, ids and events end. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "soft_cm_rig.h"
#include "softrdma/soft_cm.h"

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
	TCase *t = tcase_create("soft_cm_end");

	tcase_add_test(t, disconnect_is_a_request_and_an_answer);
	tcase_add_test(t, a_destroyed_id_has_answered);
	tcase_add_test(t, a_destroyed_peer_is_a_disconnect);
	tcase_add_test(t, the_peer_is_flushed_by_its_own_disconnect_only);
	tcase_add_test(t, a_non_blocking_channel_answers_eagain);
	tcase_add_test(t, an_event_dropped_with_its_id_leaves_nothing_readable);
	tcase_add_test(t, destroying_an_id_waits_for_its_acknowledgements);
	return unit_run(t, "soft_cm_end");
}
