/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Queue pairs: limits, states, and what a device says of itself. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "soft_pair.h"

static const struct pair_attr plain = { 0 };

/* Another QP for end 0's device; the answer of create_qp as errno. */
static int
try_create(struct pair *p, struct ibv_qp_init_attr *attr, struct ibv_pd *pd)
{
	struct rdma_cm_id *id;
	struct sockaddr_in addr;
	int ret;

	soft_dev_addr(p->dev, &addr);
	p->fabric->create_id(p->events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(p->fabric->bind_addr(id, (struct sockaddr *)&addr), 0);
	errno = 0;
	ret = p->fabric->create_qp(id, pd, attr) ? errno : 0;
	if (!ret)
		p->fabric->destroy_qp(id);
	ck_assert_int_eq(p->fabric->destroy_id(id), 0);
	return ret;
}

static struct ibv_qp_init_attr
good_attr(struct pair *p)
{
	return (struct ibv_qp_init_attr){
		.send_cq = p->end[0].send_cq,
		.recv_cq = p->end[0].recv_cq,
		.cap = { 8, 8, 1, 1, 64 },
		.qp_type = IBV_QPT_RC,
	};
}

START_TEST(a_qp_is_granted_at_least_what_was_asked)
{
	struct ibv_qp_init_attr attr;
	struct pair p;

	pair_open(&p, &plain);
	attr = good_attr(&p);
	attr.cap = (struct ibv_qp_cap){ 100, 0, 16, 0, 256 };
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), 0);
	ck_assert_uint_ge(attr.cap.max_send_wr, 100);
	ck_assert_uint_ge(attr.cap.max_recv_wr, 1);
	ck_assert_uint_ge(attr.cap.max_send_sge, 16);
	ck_assert_uint_ge(attr.cap.max_recv_sge, 1);
	ck_assert_uint_eq(attr.cap.max_inline_data, 256);
	pair_close(&p);
}
END_TEST

START_TEST(what_no_qp_can_be_is_refused)
{
	struct ibv_qp_init_attr attr;
	struct ibv_srq srq;
	struct pair p;

	pair_open(&p, &plain);
	attr = good_attr(&p);
	ck_assert_int_eq(try_create(&p, &attr, NULL), EINVAL);
	attr.cap.max_inline_data = 257;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EINVAL);
	attr = good_attr(&p);
	attr.cap.max_send_wr = 1u << 20;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EINVAL);
	attr = good_attr(&p);
	attr.cap.max_send_sge = 1000;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EINVAL);
	attr = good_attr(&p);
	attr.recv_cq = NULL;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EINVAL);
	attr = good_attr(&p);
	attr.qp_type = IBV_QPT_UD;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EOPNOTSUPP);
	attr = good_attr(&p);
	attr.srq = &srq;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EOPNOTSUPP);
	pair_close(&p);
}
END_TEST

START_TEST(queues_of_another_device_are_refused)
{
	struct ibv_qp_init_attr attr;
	struct pair p, q;

	pair_open(&p, &plain);
	pair_open(&q, &plain);
	attr = good_attr(&p);
	ck_assert_int_eq(try_create(&p, &attr, q.end[0].pd), EINVAL);
	attr.send_cq = q.end[0].send_cq;
	ck_assert_int_eq(try_create(&p, &attr, p.end[0].pd), EINVAL);
	pair_close(&q);
	pair_close(&p);
}
END_TEST

static int
state_of(struct pair *p, int end)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	ck_assert_int_eq(p->fabric->query_qp(p->end[end].qp, &attr,
				 IBV_QP_STATE, &init),
		0);
	return attr.qp_state;
}

static int
modify(struct pair *p, int end, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	return p->fabric->modify_qp(p->end[end].qp, &attr, IBV_QP_STATE);
}

START_TEST(only_the_cm_connects)
{
	struct ibv_qp_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &plain);
	ck_assert_int_eq(state_of(&p, 0), IBV_QPS_RTS);
	ck_assert_int_eq(modify(&p, 0, IBV_QPS_INIT), EINVAL);
	ck_assert_int_eq(modify(&p, 0, IBV_QPS_SQD), EINVAL);
	ck_assert_int_eq(p.fabric->modify_qp(p.end[0].qp, &attr,
				 IBV_QP_PATH_MTU),
		EINVAL);
	ck_assert_int_eq(state_of(&p, 0), IBV_QPS_RTS);
	pair_close(&p);
}
END_TEST

START_TEST(a_reset_qp_forgets_everything)
{
	struct pair p;

	pair_open(&p, &plain);
	pair_recv(&p.end[0], 1, 0, 10);
	pair_send(&p.end[0], 2, 10, 0);
	ck_assert_int_eq(modify(&p, 0, IBV_QPS_RESET), 0);
	ck_assert_int_eq(state_of(&p, 0), IBV_QPS_RESET);
	pair_poll_none(p.end[0].send_cq);
	pair_poll_none(p.end[0].recv_cq);
	ck_assert_int_eq(pair_recv(&p.end[0], 1, 0, 10), EINVAL);
	ck_assert_int_eq(pair_send(&p.end[0], 1, 10, 0), EINVAL);
	ck_assert_int_eq(modify(&p, 0, IBV_QPS_ERR), EINVAL);
	pair_send(&p.end[1], 3, 10, 0);
	pair_poll(p.end[1].send_cq, IBV_WC_RETRY_EXC_ERR);
	pair_close(&p);
}
END_TEST

START_TEST(a_qp_tells_how_it_was_made)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	struct pair p;

	pair_open(&p, &plain);
	p.fabric->query_qp(p.end[0].qp, &attr, 0, &init);
	ck_assert_ptr_eq(init.send_cq, p.end[0].send_cq);
	ck_assert_uint_eq(init.cap.max_send_wr, 64);
	ck_assert_int_eq(init.sq_sig_all, 0);
	ck_assert_uint_eq(attr.dest_qp_num, p.end[1].qp->qp_num);
	ck_assert_uint_ne(p.end[0].qp->qp_num, p.end[1].qp->qp_num);
	pair_close(&p);
}
END_TEST

START_TEST(a_stalled_sender_fails_when_its_peer_goes)
{
	struct pair p;

	pair_open(&p, &plain);
	pair_send(&p.end[0], 5, 10, 0);
	pair_poll_none(p.end[0].send_cq);
	if (_i)
		p.fabric->destroy_qp(p.end[1].id);
	else
		modify(&p, 1, IBV_QPS_ERR);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_RETRY_EXC_ERR), 5);
	pair_close(&p);
}
END_TEST

START_TEST(an_unread_async_event_goes_with_its_qp)
{
	struct ibv_context *context;
	struct ibv_async_event e;
	struct pair p;

	pair_open(&p, &plain);
	context = p.end[0].id->verbs;
	fcntl(context->async_fd, F_SETFL, O_NONBLOCK);
	ck_assert_int_eq(p.fabric->get_async_event(context, &e), -1);
	ck_assert_int_eq(errno, EAGAIN);
	pair_recv(&p.end[1], 1, 0, 5);
	pair_send(&p.end[0], 5, 10, 0);
	ck_assert(pair_is_readable(context->async_fd, 0));
	p.fabric->destroy_qp(p.end[1].id);
	ck_assert(!pair_is_readable(context->async_fd, 0));
	pair_close(&p);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_qp");

	tcase_add_test(t, a_qp_is_granted_at_least_what_was_asked);
	tcase_add_test(t, what_no_qp_can_be_is_refused);
	tcase_add_test(t, queues_of_another_device_are_refused);
	tcase_add_test(t, only_the_cm_connects);
	tcase_add_test(t, a_reset_qp_forgets_everything);
	tcase_add_test(t, a_qp_tells_how_it_was_made);
	tcase_add_loop_test(t, a_stalled_sender_fails_when_its_peer_goes, 0, 2);
	tcase_add_test(t, an_unread_async_event_goes_with_its_qp);
	return unit_run(t, "soft_qp");
}
