/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* When work is carried out and seen: the irqmodes. */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "soft_pair.h"
#include "util/clock.h"

#define DELAY_NS (20 * CLOCK_NS_PER_MSEC)

static void
open_mode(struct pair *p, enum soft_irqmode mode)
{
	const struct pair_attr attr = {
		.dev = { .irqmode = mode, .completion_nsec = DELAY_NS } };

	pair_open(p, &attr);
	pair_recv(&p->end[1], 21, 0, 64);
	pair_recv(&p->end[1], 22, 0, 64);
}

static bool
has_event(struct pair_end *e)
{
	return pair_is_readable(e->channel->fd, 0);
}

static void
drop_event(struct pair *p, struct pair_end *e)
{
	struct ibv_cq *cq;
	void *context;

	ck_assert_int_eq(p->fabric->get_cq_event(e->channel, &cq, &context), 0);
	p->fabric->ack_cq_events(cq, 1);
}

START_TEST(in_none_and_thread_the_peer_has_it_when_the_post_returns)
{
	struct pair p;

	open_mode(&p, _i ? SOFT_IRQ_THREAD : SOFT_IRQ_NONE);
	pair_send(&p.end[0], 1, 10, IBV_SEND_SIGNALED);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 1);
	pair_close(&p);
}
END_TEST

/* The calls that deliver what was put off. */
static void
poll_send_cq(struct pair *p)
{
	pair_poll_none(p->end[0].send_cq);
}

static void
poll_recv_cq(struct pair *p)
{
	pair_poll_none(p->end[0].recv_cq);
}

static void
arm_own_cq(struct pair *p)
{
	ibv_req_notify_cq(p->end[0].recv_cq, 0);
}

static void
arm_peers_cq(struct pair *p)
{
	ibv_req_notify_cq(p->end[1].recv_cq, 0);
	ck_assert(!has_event(&p->end[1]));
}

static void
destroy_qp(struct pair *p)
{
	p->fabric->destroy_qp(p->end[0].id);
}

static void
disconnect(struct pair *p)
{
	ck_assert_int_eq(p->fabric->disconnect(p->end[0].id), 0);
}

static void *
poll_in_thread(void *arg)
{
	poll_recv_cq(arg);
	return NULL;
}

static void
poll_by_another_thread(struct pair *p)
{
	pthread_t thread;

	pthread_create(&thread, NULL, poll_in_thread, p);
	pthread_join(thread, NULL);
}

static void (*const drivers[])(struct pair *p) = { poll_send_cq, poll_recv_cq,
	arm_own_cq, arm_peers_cq, destroy_qp, disconnect,
	poll_by_another_thread };

START_TEST(in_softirq_the_next_call_delivers)
{
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	ck_assert_int_eq(pair_send(&p.end[0], 1, 10, 0), 0);
	pair_poll_none(p.end[1].recv_cq);
	ck_assert_int_eq(pair_send(&p.end[0], 2, 10, 0), 0);
	pair_poll_none(p.end[1].recv_cq);
	drivers[_i](&p);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 22);
	pair_close(&p);
}
END_TEST

START_TEST(in_softirq_an_armed_poster_is_served_in_the_post)
{
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	if (_i)
		ibv_req_notify_cq(p.end[0].recv_cq, 0);
	else
		ibv_req_notify_cq(p.end[0].send_cq, 1);
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	pair_close(&p);
}
END_TEST

START_TEST(in_softirq_an_armed_peer_gets_its_event_in_the_post)
{
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert(has_event(&p.end[1]));
	drop_event(&p, &p.end[1]);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	pair_send(&p.end[0], 2, 10, 0);
	pair_poll_none(p.end[1].recv_cq);
	pair_close(&p);
}
END_TEST

START_TEST(in_softirq_own_completions_wait_too)
{
	struct ibv_wc wc;
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	pair_send(&p.end[0], 1, 10, IBV_SEND_SIGNALED);
	ibv_req_notify_cq(p.end[0].send_cq, 0);
	ck_assert(!has_event(&p.end[0]));
	ck_assert_int_eq(ibv_poll_cq(p.end[0].send_cq, 1, &wc), 1);
	pair_send(&p.end[0], 2, 10, IBV_SEND_SIGNALED);
	ck_assert(has_event(&p.end[0]));
	drop_event(&p, &p.end[0]);
	pair_close(&p);
}
END_TEST

struct answerer {
	struct pair *p;
	int nr_calls;
};

/* The target's way: answer from the handler. */
static void
answer(struct ibv_cq *cq, void *arg)
{
	struct answerer *a = arg;
	struct ibv_wc wc;

	a->nr_calls++;
	while (ibv_poll_cq(cq, 1, &wc) == 1)
		pair_send(&a->p->end[1], 5, 20, 0);
}

START_TEST(in_softirq_a_poll_gets_the_handlers_answer)
{
	struct answerer a = { 0 };
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	a.p = &p;
	p.fabric->cq_set_handler(p.end[1].recv_cq, answer, &a);
	pair_recv(&p.end[0], 31, 0, 64);
	pair_recv(&p.end[0], 32, 0, 64);
	pair_send(&p.end[0], 1, 10, 0);
	pair_send(&p.end[0], 2, 10, 0);
	ck_assert_int_eq(a.nr_calls, 0);
	ck_assert_uint_eq(pair_poll(p.end[0].recv_cq, IBV_WC_SUCCESS), 31);
	ck_assert_int_eq(a.nr_calls, 1);
	ck_assert_uint_eq(pair_poll(p.end[0].recv_cq, IBV_WC_SUCCESS), 32);
	p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL);
	pair_close(&p);
}
END_TEST

START_TEST(a_handler_set_late_finds_what_was_put_off)
{
	struct answerer a = { 0 };
	struct pair p;

	open_mode(&p, SOFT_IRQ_SOFTIRQ);
	a.p = &p;
	pair_recv(&p.end[0], 31, 0, 64);
	pair_send(&p.end[0], 1, 10, 0);
	p.fabric->cq_set_handler(p.end[1].recv_cq, answer, &a);
	ck_assert_uint_eq(pair_poll(p.end[0].recv_cq, IBV_WC_SUCCESS), 31);
	p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL);
	pair_close(&p);
}
END_TEST

static void
wait_until(uint64_t ns)
{
	while (clock_ns() < ns)
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

START_TEST(in_timer_a_poll_delivers_once_it_is_due)
{
	uint64_t posted;
	struct pair p;

	open_mode(&p, SOFT_IRQ_TIMER);
	posted = clock_ns();
	pair_send(&p.end[0], 1, 10, IBV_SEND_SIGNALED);
	pair_poll_none(p.end[0].send_cq);
	if (clock_ns() < posted + DELAY_NS)
		pair_poll_none(p.end[1].recv_cq);
	wait_until(posted + 2 * DELAY_NS);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	pair_close(&p);
}
END_TEST

START_TEST(in_timer_a_blocked_waiter_is_woken_when_it_is_due)
{
	uint64_t posted, woken;
	struct pair p;

	open_mode(&p, SOFT_IRQ_TIMER);
	ibv_req_notify_cq(p.end[1].recv_cq, 0);
	posted = clock_ns();
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert(!has_event(&p.end[1]));
	ck_assert(pair_is_readable(p.end[1].channel->fd, 5000));
	woken = clock_ns();
	ck_assert_uint_ge(woken - posted, DELAY_NS);
	drop_event(&p, &p.end[1]);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	pair_close(&p);
}
END_TEST

START_TEST(in_timer_order_is_kept)
{
	struct ibv_wc wc[2];
	uint64_t posted;
	struct pair p;

	open_mode(&p, SOFT_IRQ_TIMER);
	pair_send(&p.end[0], 1, 10, IBV_SEND_SIGNALED);
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	pair_send(&p.end[0], 2, 11, IBV_SEND_SIGNALED);
	posted = clock_ns();
	wait_until(posted + 2 * DELAY_NS);
	ck_assert_int_eq(ibv_poll_cq(p.end[0].send_cq, 2, wc), 2);
	ck_assert_uint_eq(wc[0].wr_id, 1);
	ck_assert_uint_eq(wc[1].wr_id, 2);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 2, wc), 2);
	ck_assert_uint_eq(wc[0].byte_len, 10);
	ck_assert_uint_eq(wc[1].byte_len, 11);
	pair_close(&p);
}
END_TEST

START_TEST(in_timer_a_handlers_answer_takes_one_delay)
{
	struct answerer a = { 0 };
	uint64_t posted, woken;
	struct pair p;

	open_mode(&p, SOFT_IRQ_TIMER);
	a.p = &p;
	p.fabric->cq_set_handler(p.end[1].recv_cq, answer, &a);
	pair_recv(&p.end[0], 31, 0, 64);
	ibv_req_notify_cq(p.end[0].recv_cq, 0);
	posted = clock_ns();
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert(pair_is_readable(p.end[0].channel->fd, 5000));
	woken = clock_ns();
	ck_assert_uint_ge(woken - posted, DELAY_NS);
	drop_event(&p, &p.end[0]);
	pair_poll(p.end[0].recv_cq, IBV_WC_SUCCESS);
	p.fabric->cq_set_handler(p.end[1].recv_cq, NULL, NULL);
	pair_close(&p);
}
END_TEST

START_TEST(in_timer_what_is_not_due_is_flushed)
{
	struct ibv_qp_attr to_error = { .qp_state = IBV_QPS_ERR };
	struct pair p;

	open_mode(&p, SOFT_IRQ_TIMER);
	pair_send(&p.end[0], 1, 10, 0);
	p.fabric->modify_qp(p.end[0].qp, &to_error, IBV_QP_STATE);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_WR_FLUSH_ERR), 1);
	pair_poll_none(p.end[1].recv_cq);
	pair_close(&p);
}
END_TEST

int
main(void)
{
	const int nr_drivers = (int)(sizeof(drivers) / sizeof(drivers[0]));
	TCase *t = tcase_create("soft_loop");

	tcase_add_loop_test(t,
		in_none_and_thread_the_peer_has_it_when_the_post_returns, 0, 2);
	tcase_add_loop_test(t, in_softirq_the_next_call_delivers, 0,
		nr_drivers);
	tcase_add_loop_test(t, in_softirq_an_armed_poster_is_served_in_the_post,
		0, 2);
	tcase_add_test(t, in_softirq_an_armed_peer_gets_its_event_in_the_post);
	tcase_add_test(t, in_softirq_own_completions_wait_too);
	tcase_add_test(t, in_softirq_a_poll_gets_the_handlers_answer);
	tcase_add_test(t, a_handler_set_late_finds_what_was_put_off);
	tcase_add_test(t, in_timer_a_poll_delivers_once_it_is_due);
	tcase_add_test(t, in_timer_a_blocked_waiter_is_woken_when_it_is_due);
	tcase_add_test(t, in_timer_order_is_kept);
	tcase_add_test(t, in_timer_a_handlers_answer_takes_one_delay);
	tcase_add_test(t, in_timer_what_is_not_due_is_flushed);
	return unit_run(t, "soft_loop");
}
