/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Completion queues: events, arming, overflow, handlers. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "soft_pair.h"

static void
deliver(struct pair *p, int flags)
{
	ck_assert_int_eq(pair_recv(&p->end[1], 1, 0, 64), 0);
	ck_assert_int_eq(pair_send(&p->end[0], 1, 64, flags), 0);
}

static bool
has_event(struct pair_end *e)
{
	return pair_is_readable(e->channel->fd, 0);
}

/* Read one event and acknowledge it; its CQ. */
static struct ibv_cq *
take_event(struct pair *p, struct pair_end *e)
{
	struct ibv_cq *cq;
	void *context;

	ck_assert_int_eq(p->fabric->get_cq_event(e->channel, &cq, &context), 0);
	ck_assert_ptr_eq(context, e);
	p->fabric->ack_cq_events(cq, 1);
	return cq;
}

START_TEST(an_arming_raises_exactly_one_event)
{
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	deliver(&p, 0);
	ck_assert(!has_event(&p.end[1]));
	pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS);
	ck_assert_int_eq(ibv_req_notify_cq(p.end[1].recv_cq, 0), 0);
	ck_assert_int_eq(ibv_req_notify_cq(p.end[1].recv_cq, 0), 0);
	deliver(&p, 0);
	deliver(&p, 0);
	ck_assert_ptr_eq(take_event(&p, &p.end[1]), p.end[1].recv_cq);
	ck_assert(!has_event(&p.end[1]));
	pair_close(&p);
}
END_TEST

START_TEST(what_was_there_before_the_arming_raises_no_event)
{
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	deliver(&p, 0);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	ck_assert(!has_event(&p.end[1]));
	deliver(&p, 0);
	take_event(&p, &p.end[1]);
	pair_close(&p);
}
END_TEST

START_TEST(solicited_only_waits_for_a_solicited_or_failed_one)
{
	struct ibv_qp_attr to_error = { .qp_state = IBV_QPS_ERR };
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	ibv_req_notify_cq(p.end[1].recv_cq, 1);
	deliver(&p, 0);
	ck_assert(!has_event(&p.end[1]));
	deliver(&p, IBV_SEND_SOLICITED);
	take_event(&p, &p.end[1]);
	ibv_req_notify_cq(p.end[1].recv_cq, 1);
	pair_recv(&p.end[1], 1, 0, 64);
	p.fabric->modify_qp(p.end[1].qp, &to_error, IBV_QP_STATE);
	take_event(&p, &p.end[1]);
	pair_close(&p);
}
END_TEST

START_TEST(a_weaker_arming_leaves_a_stronger_one)
{
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	ibv_req_notify_cq(p.end[1].recv_cq, 1);
	deliver(&p, 0);
	take_event(&p, &p.end[1]);
	pair_close(&p);
}
END_TEST

START_TEST(events_of_two_cqs_share_a_channel)
{
	const struct pair_attr attr = { 0 };
	struct ibv_cq *first, *second;
	struct pair p;
	int i;

	pair_open(&p, &attr);
	for (i = 0; i < 2; i++) {
		ibv_req_notify_cq(p.end[0].recv_cq, 0);
		ibv_req_notify_cq(p.end[0].send_cq, 0);
		pair_recv(&p.end[0], 1, 0, 10);
		pair_recv(&p.end[1], 1, 0, 10);
		pair_send(&p.end[0], 1, 10, IBV_SEND_SIGNALED);
		pair_send(&p.end[1], 1, 10, 0);
	}
	for (i = 0; i < 2; i++) {
		first = take_event(&p, &p.end[0]);
		second = take_event(&p, &p.end[0]);
		ck_assert_ptr_ne(first, second);
	}
	ck_assert(!has_event(&p.end[0]));
	pair_close(&p);
}
END_TEST

START_TEST(a_non_blocking_channel_answers_eagain)
{
	const struct pair_attr attr = { 0 };
	struct ibv_cq *cq;
	void *context;
	struct pair p;

	pair_open(&p, &attr);
	fcntl(p.end[0].channel->fd, F_SETFL, O_NONBLOCK);
	ck_assert_int_eq(p.fabric->get_cq_event(p.end[0].channel, &cq,
				 &context),
		-1);
	ck_assert_int_eq(errno, EAGAIN);
	pair_close(&p);
}
END_TEST

struct acker {
	const struct fabric *fabric;
	struct ibv_cq *cq;
	_Atomic(bool) is_acked;
};

static void *
ack_later(void *arg)
{
	struct acker *a = arg;

	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	a->is_acked = true;
	a->fabric->ack_cq_events(a->cq, 1);
	return NULL;
}

START_TEST(destroying_a_cq_waits_for_acknowledgements_and_drops_the_rest)
{
	const struct pair_attr attr = { 0 };
	struct ibv_comp_channel *channel;
	struct acker a = { 0 };
	pthread_t thread;
	void *context;
	struct pair p;

	pair_open(&p, &attr);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	deliver(&p, 0);
	p.fabric->get_cq_event(p.end[1].channel, &a.cq, &context);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	deliver(&p, 0);
	ck_assert(has_event(&p.end[1]));
	a.fabric = p.fabric;
	channel = p.end[1].channel;
	p.fabric->destroy_qp(p.end[1].id);
	pthread_create(&thread, NULL, ack_later, &a);
	ck_assert_int_eq(p.fabric->destroy_cq(p.end[1].recv_cq), 0);
	ck_assert(a.is_acked);
	pthread_join(thread, NULL);
	ck_assert(!pair_is_readable(channel->fd, 0));
	p.end[1].recv_cq = p.fabric->create_cq(p.end[0].id->verbs, 1, NULL,
		NULL, 0);
	pair_close(&p);
}
END_TEST

START_TEST(a_cq_in_use_is_not_destroyed)
{
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	ck_assert_int_eq(p.fabric->destroy_cq(p.end[0].send_cq), EBUSY);
	ck_assert_int_eq(p.fabric->destroy_comp_channel(p.end[0].channel),
		EBUSY);
	ck_assert_int_eq(p.fabric->dealloc_pd(p.end[0].pd), EBUSY);
	pair_close(&p);
}
END_TEST

START_TEST(impossible_queues_are_refused)
{
	const struct pair_attr attr = { 0 };
	struct ibv_context *context;
	struct pair p;

	pair_open(&p, &attr);
	context = p.end[0].id->verbs;
	ck_assert_ptr_null(p.fabric->create_cq(context, 0, NULL, NULL, 0));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(p.fabric->create_cq(context, 1 << 20, NULL, NULL, 0));
	ck_assert_ptr_null(p.fabric->create_cq(context, 8, NULL, NULL,
		context->num_comp_vectors));
	ck_assert_int_eq(errno, EINVAL);
	pair_close(&p);
}
END_TEST

START_TEST(an_overflow_breaks_the_cq_and_its_qps)
{
	const struct pair_attr attr = { .nr_cqes = 4 };
	struct ibv_async_event event;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr state;
	struct ibv_wc wc[8];
	struct pair p;
	int i;

	pair_open(&p, &attr);
	for (i = 0; i < 4; i++)
		deliver(&p, 0);
	p.fabric->query_qp(p.end[1].qp, &state, IBV_QP_STATE, &init);
	ck_assert_int_eq(state.qp_state, IBV_QPS_RTS);
	deliver(&p, 0);
	p.fabric->query_qp(p.end[1].qp, &state, IBV_QP_STATE, &init);
	ck_assert_int_eq(state.qp_state, IBV_QPS_ERR);
	ck_assert_int_eq(p.fabric->get_async_event(p.end[1].id->verbs, &event),
		0);
	ck_assert_int_eq(event.event_type, IBV_EVENT_CQ_ERR);
	ck_assert_ptr_eq(event.element.cq, p.end[1].recv_cq);
	p.fabric->ack_async_event(&event);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 8, wc), 4);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 8, wc), -EIO);
	pair_close(&p);
}
END_TEST

START_TEST(a_destroyed_qp_takes_its_completions_along)
{
	const struct pair_attr attr = { 0 };
	struct pair p;

	pair_open(&p, &attr);
	deliver(&p, IBV_SEND_SIGNALED);
	p.fabric->destroy_qp(p.end[0].id);
	pair_poll_none(p.end[0].send_cq);
	pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS);
	pair_close(&p);
}
END_TEST

/* A handler that counts, and echoes what it receives @limit times. */
struct echo {
	struct pair *p;
	struct pair_end *end;
	int nr_calls, nr_received, depth, max_depth, limit;
};

static void
echo_handler(struct ibv_cq *cq, void *arg)
{
	struct echo *e = arg;
	struct ibv_wc wc;

	e->nr_calls++;
	if (++e->depth > e->max_depth)
		e->max_depth = e->depth;
	while (ibv_poll_cq(cq, 1, &wc) == 1) {
		ck_assert_int_eq(wc.status, IBV_WC_SUCCESS);
		ck_assert_int_eq(pair_recv(e->end, 1, 0, 64), 0);
		if (++e->nr_received <= e->limit)
			ck_assert_int_eq(pair_send(e->end, 1, 64,
						 IBV_SEND_SIGNALED),
				0);
		while (ibv_poll_cq(e->end->send_cq, 1, &wc) == 1)
			;
	}
	e->depth--;
}

static void
set_echo(struct pair *p, int end, struct echo *e, int limit)
{
	memset(e, 0, sizeof(*e));
	e->p = p;
	e->end = &p->end[end];
	e->limit = limit;
	pair_recv(e->end, 1, 0, 64);
	pair_recv(e->end, 1, 0, 64);
	ck_assert_int_eq(p->fabric->cq_set_handler(e->end->recv_cq,
				 echo_handler, e),
		0);
}

static const enum soft_irqmode handler_modes[] = { SOFT_IRQ_NONE,
	SOFT_IRQ_SOFTIRQ, SOFT_IRQ_TIMER };

START_TEST(a_handler_answers_in_the_posters_context)
{
	const struct pair_attr attr = {
		.dev = { .irqmode = handler_modes[_i] } };
	struct echo e;
	struct pair p;

	pair_open(&p, &attr);
	set_echo(&p, 1, &e, 1000);
	pair_recv(&p.end[0], 1, 0, 64);
	ck_assert_int_eq(pair_send(&p.end[0], 1, 64, 0), 0);
	pair_poll(p.end[0].recv_cq, IBV_WC_SUCCESS);
	ck_assert_int_eq(e.nr_received, 1);
	ck_assert_int_eq(e.max_depth, 1);
	p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL);
	pair_recv(&p.end[1], 1, 0, 64);
	pair_send(&p.end[0], 1, 64, 0);
	pair_poll_none(p.end[0].recv_cq);
	ck_assert_int_eq(e.nr_received, 1);
	pair_close(&p);
}
END_TEST

START_TEST(handlers_that_answer_each_other_do_not_recurse)
{
	const struct pair_attr attr = {
		.dev = { .irqmode = handler_modes[_i] } };
	struct echo e[2];
	struct pair p;

	pair_open(&p, &attr);
	set_echo(&p, 0, &e[0], 5000);
	set_echo(&p, 1, &e[1], 5000);
	pair_send(&p.end[0], 1, 64, 0);
	ck_assert_int_eq(e[1].nr_received, 5001);
	ck_assert_int_eq(e[0].nr_received, 5000);
	ck_assert_int_eq(e[0].max_depth, 1);
	ck_assert_int_eq(e[1].max_depth, 1);
	p.fabric->cq_set_handler(p.end[0].recv_cq, NULL, NULL);
	p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL);
	pair_close(&p);
}
END_TEST

START_TEST(a_thread_device_wants_channels)
{
	const struct pair_attr attr = { .dev = { .irqmode = SOFT_IRQ_THREAD } };
	struct pair p;

	pair_open(&p, &attr);
	ck_assert_int_eq(p.fabric->cq_set_handler(p.end[1].recv_cq,
				 echo_handler, NULL),
		EOPNOTSUPP);
	ck_assert_int_eq(p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL),
		0);
	pair_close(&p);
}
END_TEST

START_TEST(moderation_is_taken_and_nothing_else)
{
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE };
	const struct pair_attr pattr = { 0 };
	struct pair p;

	pair_open(&p, &pattr);
	ck_assert_int_eq(p.fabric->modify_cq(p.end[0].send_cq, &attr), 0);
	attr.attr_mask = 1u << 9;
	ck_assert_int_eq(p.fabric->modify_cq(p.end[0].send_cq, &attr), EINVAL);
	pair_close(&p);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_cq");

	tcase_add_test(t, an_arming_raises_exactly_one_event);
	tcase_add_test(t, what_was_there_before_the_arming_raises_no_event);
	tcase_add_test(t, solicited_only_waits_for_a_solicited_or_failed_one);
	tcase_add_test(t, a_weaker_arming_leaves_a_stronger_one);
	tcase_add_test(t, events_of_two_cqs_share_a_channel);
	tcase_add_test(t, a_non_blocking_channel_answers_eagain);
	tcase_add_test(t,
		destroying_a_cq_waits_for_acknowledgements_and_drops_the_rest);
	tcase_add_test(t, a_cq_in_use_is_not_destroyed);
	tcase_add_test(t, impossible_queues_are_refused);
	tcase_add_test(t, an_overflow_breaks_the_cq_and_its_qps);
	tcase_add_test(t, a_destroyed_qp_takes_its_completions_along);
	tcase_add_loop_test(t, a_handler_answers_in_the_posters_context, 0, 3);
	tcase_add_loop_test(t, handlers_that_answer_each_other_do_not_recurse,
		0, 2);
	tcase_add_test(t, a_thread_device_wants_channels);
	tcase_add_test(t, moderation_is_taken_and_nothing_else);
	return unit_run(t, "soft_cq");
}
