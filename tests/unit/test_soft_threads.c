/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Threads against each other, for ThreadSanitizer and for what it cannot see:
 * a waiter that is never woken, a copy from memory that was given back.
 */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "soft_pair.h"

#define WAIT_MS 20000

/* Failures are counted, since a thread cannot fail a test. */
static _Atomic(int) nr_wrong;

static void
expect(bool is_right)
{
	if (!is_right)
		nr_wrong++;
}

struct party {
	struct pair *p;
	struct pair_end *end;
	int nr_rounds;
	bool blocks;
	_Atomic(bool) is_done;
};

/* Arm, poll once more, block: as completion=inline. False: nothing came. */
static bool
block(struct party *me)
{
	struct ibv_cq *cq;
	void *context;

	if (!pair_is_readable(me->end->channel->fd, WAIT_MS))
		return false;
	if (me->p->fabric->get_cq_event(me->end->channel, &cq, &context))
		return false;
	me->p->fabric->ack_cq_events(cq, 1);
	return true;
}

static bool
wait_for_receive(struct party *me)
{
	struct ibv_wc wc;
	bool is_armed = false;
	int nr;

	while ((nr = ibv_poll_cq(me->end->recv_cq, 1, &wc)) == 0) {
		if (!me->blocks)
			sched_yield();
		else if (is_armed && !block(me))
			return false;
		if (!is_armed || me->blocks)
			ibv_req_notify_cq(me->end->recv_cq, 0);
		is_armed = true;
	}
	return nr == 1 && wc.status == IBV_WC_SUCCESS && wc.byte_len == 64;
}

static void
drain_sends(struct party *me)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(me->end->send_cq, 1, &wc) == 1)
		expect(wc.status == IBV_WC_SUCCESS);
}

static void
say(struct party *me, int round)
{
	drain_sends(me);
	memset(me->end->buf, round, 64);
	expect(pair_send(me->end, (uint64_t)round, 64,
		       IBV_SEND_INLINE |
			       (round % 8 ? 0 : IBV_SEND_SIGNALED)) == 0);
}

static bool
hear(struct party *me, int round)
{
	bool is_right = wait_for_receive(me);

	expect(is_right);
	expect(me->end->buf[1000] == (uint8_t)round);
	expect(me->end->buf[1063] == (uint8_t)round);
	expect(pair_recv(me->end, 1, 1000, 64) == 0);
	return is_right;
}

static void *
ask(void *arg)
{
	struct party *me = arg;
	int i;

	for (i = 0; i < me->nr_rounds; i++) {
		say(me, i);
		if (!hear(me, i))
			break;
	}
	return NULL;
}

static void *
answer(void *arg)
{
	struct party *me = arg;
	int i;

	for (i = 0; i < me->nr_rounds; i++) {
		if (!hear(me, i))
			break;
		say(me, i);
	}
	/* The last answer may be put off until the next call, as by a target. */
	ibv_req_notify_cq(me->end->recv_cq, 0);
	return NULL;
}

/* One asks, in this thread; the other answers, in its own. */
static void
take_turns(const struct pair_attr *attr, struct party *asker,
	struct party *answerer)
{
	pthread_t thread;
	struct pair p;

	pair_open(&p, attr);
	asker->p = answerer->p = &p;
	asker->end = &p.end[0];
	answerer->end = &p.end[1];
	pair_recv(asker->end, 1, 1000, 64);
	pair_recv(answerer->end, 1, 1000, 64);
	pthread_create(&thread, NULL, answer, answerer);
	ask(asker);
	pthread_join(thread, NULL);
	ck_assert_int_eq(nr_wrong, 0);
	pair_close(&p);
}

/* Both block; one blocks and one spins; both spin. */
START_TEST(two_threads_that_take_turns_never_wait_for_ever)
{
	const struct pair_attr attr = { .dev = {
		.irqmode = pair_modes[_i / 4], .completion_nsec = 2000 } };
	struct party asker = { .nr_rounds = 2000, .blocks = _i & 1 };
	struct party answerer = { .nr_rounds = 2000, .blocks = _i & 2 };

	take_turns(&attr, &asker, &answerer);
}
END_TEST

/*
 * A queue of one receive: whoever sees it completed puts the next in its
 * place at once, however far the sender's thread has come.
 */
START_TEST(a_receive_that_is_seen_completed_has_left_its_place)
{
	const struct pair_attr attr = {
		.dev = { .irqmode = pair_modes[_i], .completion_nsec = 2000 },
		.cap = { .max_recv_wr = 1 },
	};
	struct party asker = { .nr_rounds = 5000 };
	struct party answerer = { .nr_rounds = 5000 };

	take_turns(&attr, &asker, &answerer);
}
END_TEST

/* Several threads on one QP, one that polls, one that disturbs. */
struct crowd {
	struct pair p;
	_Atomic(bool) is_stopping;
	_Atomic(int) nr_sent, nr_received;
};

#define CROWD_SENDS 3000
#define CROWD_THREADS 2

static void *
crowd_send(void *arg)
{
	struct crowd *c = arg;
	int i;

	for (i = 0; i < CROWD_SENDS;) {
		if (pair_rdma(&c->p, 0, IBV_WR_SEND, 0, 64) == 0)
			i++;
		else
			sched_yield();
	}
	return NULL;
}

static void *
crowd_poll(void *arg)
{
	struct crowd *c = arg;
	struct ibv_wc wc[4];
	int i, nr;

	while (!c->is_stopping) {
		nr = ibv_poll_cq(c->p.end[0].send_cq, 4, wc);
		for (i = 0; i < nr; i++)
			expect(wc[i].status == IBV_WC_SUCCESS);
		c->nr_sent += nr;
		nr = ibv_poll_cq(c->p.end[1].recv_cq, 4, wc);
		for (i = 0; i < nr; i++) {
			expect(wc[i].status == IBV_WC_SUCCESS);
			expect(pair_recv(&c->p.end[1], 1, 0, 64) == 0);
		}
		c->nr_received += nr;
		if (nr == 0)
			sched_yield();
	}
	return NULL;
}

static void *
crowd_disturb(void *arg)
{
	struct crowd *c = arg;
	struct ibv_mr *mr;
	struct ibv_cq *cq;
	void *context;

	while (!c->is_stopping) {
		mr = c->p.fabric->reg_mr(c->p.end[0].pd, c->p.end[0].buf, 100,
			0);
		ibv_req_notify_cq(c->p.end[1].recv_cq, 0);
		ibv_req_notify_cq(c->p.end[0].send_cq, 0);
		if (mr)
			c->p.fabric->dereg_mr(mr);
		while (pair_is_readable(c->p.end[1].channel->fd, 0) &&
			!c->p.fabric->get_cq_event(c->p.end[1].channel, &cq,
				&context))
			c->p.fabric->ack_cq_events(cq, 1);
		sched_yield();
	}
	return NULL;
}

START_TEST(any_thread_may_call_anything)
{
	const struct pair_attr attr = { .dev = {
		.irqmode = pair_modes[_i], .completion_nsec = 2000 },
		.nr_cqes = 1024 };
	pthread_t sender[CROWD_THREADS], poller[2], disturber;
	static struct crowd c;
	int i;

	memset(&c, 0, sizeof(c));
	pair_open(&c.p, &attr);
	for (i = 0; i < 60; i++)
		pair_recv(&c.p.end[1], 1, 0, 64);
	for (i = 0; i < CROWD_THREADS; i++)
		pthread_create(&sender[i], NULL, crowd_send, &c);
	for (i = 0; i < 2; i++)
		pthread_create(&poller[i], NULL, crowd_poll, &c);
	pthread_create(&disturber, NULL, crowd_disturb, &c);
	for (i = 0; i < CROWD_THREADS; i++)
		pthread_join(sender[i], NULL);
	for (i = 0; i < WAIT_MS && c.nr_received < CROWD_THREADS * CROWD_SENDS;
		i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	c.is_stopping = true;
	for (i = 0; i < 2; i++)
		pthread_join(poller[i], NULL);
	pthread_join(disturber, NULL);
	ck_assert_int_eq(c.nr_received, CROWD_THREADS * CROWD_SENDS);
	ck_assert_int_eq(nr_wrong, 0);
	pair_close(&c.p);
}
END_TEST

struct writer {
	struct pair *p;
	struct ibv_sge sge;
	_Atomic(int) nr_posts;
};

static void *
keep_writing(void *arg)
{
	struct writer *w = arg;
	struct ibv_send_wr *bad, wr = { .sg_list = &w->sge, .num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc = { .status = IBV_WC_SUCCESS };

	wr.wr.rdma.remote_addr = (uintptr_t)w->p->end[1].buf;
	wr.wr.rdma.rkey = w->p->end[1].mr->rkey;
	while (wc.status == IBV_WC_SUCCESS) {
		expect(ibv_post_send(w->p->end[0].qp, &wr, &bad) == 0);
		w->nr_posts++;
		while (ibv_poll_cq(w->p->end[0].send_cq, 1, &wc) == 0)
			sched_yield();
	}
	expect(wc.status == IBV_WC_LOC_PROT_ERR);
	return NULL;
}

/* The memory is freed at once: ASan and TSan see a copy that goes on. */
START_TEST(no_copy_is_in_flight_once_a_region_is_gone)
{
	const struct pair_attr attr = { .dev = { .irqmode = pair_modes[_i] } };
	struct writer w = { 0 };
	struct ibv_mr *mr;
	pthread_t thread;
	struct pair p;
	char *buf;
	int round;

	for (round = 0; round < 10; round++) {
		pair_open(&p, &attr);
		buf = calloc(1, PAIR_BYTES);
		mr = p.fabric->reg_mr(p.end[0].pd, buf, PAIR_BYTES, 0);
		ck_assert_ptr_nonnull(mr);
		w.p = &p;
		w.sge = (struct ibv_sge){ (uintptr_t)buf, PAIR_BYTES,
			mr->lkey };
		w.nr_posts = 0;
		pthread_create(&thread, NULL, keep_writing, &w);
		while (w.nr_posts < 20)
			sched_yield();
		ck_assert_int_eq(p.fabric->dereg_mr(mr), 0);
		memset(buf, 0xff, PAIR_BYTES);
		free(buf);
		pthread_join(thread, NULL);
		ck_assert_int_eq(nr_wrong, 0);
		pair_close(&p);
	}
}
END_TEST

static void *
send_until_error(void *arg)
{
	struct writer *w = arg;
	struct ibv_wc wc = { .status = IBV_WC_SUCCESS };

	while (wc.status == IBV_WC_SUCCESS) {
		if (pair_send(&w->p->end[0], 1, 64,
			    IBV_SEND_INLINE | IBV_SEND_SIGNALED) == 0)
			w->nr_posts++;
		if (ibv_poll_cq(w->p->end[0].send_cq, 1, &wc) == 0)
			sched_yield();
	}
	expect(wc.status == IBV_WC_RETRY_EXC_ERR);
	return NULL;
}

START_TEST(a_peer_may_go_while_it_is_sent_to)
{
	const struct pair_attr attr = { .dev = { .irqmode = pair_modes[_i] } };
	struct writer w = { 0 };
	pthread_t thread;
	struct pair p;
	int round, i;

	for (round = 0; round < 20; round++) {
		pair_open(&p, &attr);
		for (i = 0; i < 60; i++)
			pair_recv(&p.end[1], 1, 0, 64);
		w.p = &p;
		w.nr_posts = 0;
		pthread_create(&thread, NULL, send_until_error, &w);
		while (w.nr_posts < 20)
			sched_yield();
		if (round % 2)
			p.fabric->disconnect(p.end[1].id);
		p.fabric->destroy_qp(p.end[1].id);
		pthread_join(thread, NULL);
		ck_assert_int_eq(nr_wrong, 0);
		pair_close(&p);
	}
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_threads");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, two_threads_that_take_turns_never_wait_for_ever,
		0, PAIR_NR_MODES * 4);
	tcase_add_loop_test(t,
		a_receive_that_is_seen_completed_has_left_its_place, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, any_thread_may_call_anything, 0, PAIR_NR_MODES);
	tcase_add_loop_test(t, no_copy_is_in_flight_once_a_region_is_gone, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, a_peer_may_go_while_it_is_sent_to, 0,
		PAIR_NR_MODES);
	return unit_run(t, "soft_threads");
}
