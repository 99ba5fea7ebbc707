/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/loop.h"
#include "util/thread.h"

static struct loop loop;
static int order[16];
static int nr_calls;
static int pipe_a[2], pipe_b[2];
static struct loop_fd node_a, node_b;

static void
setup(void)
{
	nr_calls = 0;
	ck_assert_int_eq(loop_init(&loop), 0);
	ck_assert_int_eq(pipe(pipe_a), 0);
	ck_assert_int_eq(pipe(pipe_b), 0);
}

static void
teardown(void)
{
	loop_fini(&loop);
	close(pipe_a[0]);
	close(pipe_a[1]);
	close(pipe_b[0]);
	close(pipe_b[1]);
}

static void
note(int id)
{
	ck_assert_int_lt(nr_calls, 16);
	order[nr_calls++] = id;
}

static void
on_timer(struct loop_timer *timer)
{
	note((int)(intptr_t)timer->arg);
}

static void
on_readable(struct loop_fd *node, uint32_t events)
{
	char byte;

	ck_assert_uint_eq(events & EPOLLIN, EPOLLIN);
	ck_assert_int_eq(read(node->fd, &byte, 1), 1);
	note(byte);
}

/* Whichever is called first removes both. */
static void
on_readable_remove_both(struct loop_fd *node, uint32_t events)
{
	(void)node;
	(void)events;
	note(1);
	loop_fd_remove(&loop, &node_a);
	loop_fd_remove(&loop, &node_b);
}

static void
put_byte(int fd, char byte)
{
	ck_assert_int_eq(write(fd, &byte, 1), 1);
}

START_TEST(timers_expire_in_order_of_their_deadlines)
{
	struct loop_timer timers[3];
	uint64_t now = clock_ns();
	intptr_t i;

	for (i = 0; i < 3; i++)
		loop_timer_init(&timers[i], on_timer, (void *)(i + 1));
	loop_timer_arm(&loop, &timers[0], now + 3 * CLOCK_NS_PER_MSEC);
	loop_timer_arm(&loop, &timers[1], now + 1 * CLOCK_NS_PER_MSEC);
	loop_timer_arm(&loop, &timers[2], now + 2 * CLOCK_NS_PER_MSEC);
	while (nr_calls < 3)
		ck_assert_int_ge(loop_run_once(&loop, LOOP_FOREVER), 0);
	ck_assert_uint_ge(clock_ns(), now + 3 * CLOCK_NS_PER_MSEC);
	ck_assert_int_eq(order[0], 2);
	ck_assert_int_eq(order[1], 3);
	ck_assert_int_eq(order[2], 1);
	ck_assert(!loop_timer_is_armed(&timers[0]));
}
END_TEST

START_TEST(a_disarmed_timer_does_not_expire_and_rearming_moves_it)
{
	struct loop_timer a, b;
	uint64_t now = clock_ns();

	loop_timer_init(&a, on_timer, (void *)1);
	loop_timer_init(&b, on_timer, (void *)2);
	loop_timer_disarm(&a);
	loop_timer_arm(&loop, &a, now);
	loop_timer_arm(&loop, &b, now);
	loop_timer_disarm(&a);
	/* Far enough that memcheck gets here before it. */
	loop_timer_arm(&loop, &b, now + 200 * CLOCK_NS_PER_MSEC);
	ck_assert_int_eq(loop_run_once(&loop, 0), 0);
	while (!nr_calls)
		loop_run_once(&loop, LOOP_FOREVER);
	ck_assert_int_eq(order[0], 2);
	ck_assert_int_eq(nr_calls, 1);
}
END_TEST

static void
on_timer_rearm(struct loop_timer *timer)
{
	note(7);
	loop_timer_arm(&loop, timer, 0);
}

START_TEST(a_timer_rearmed_into_the_past_does_not_starve_the_loop)
{
	struct loop_timer timer;

	loop_timer_init(&timer, on_timer_rearm, NULL);
	loop_timer_arm(&loop, &timer, 0);
	ck_assert_int_eq(loop_run_once(&loop, LOOP_FOREVER), 1);
	ck_assert_int_eq(loop_run_once(&loop, LOOP_FOREVER), 1);
	ck_assert_int_eq(nr_calls, 2);
}
END_TEST

START_TEST(a_readable_descriptor_calls_its_handler)
{
	node_a.on_ready = on_readable;
	ck_assert_int_eq(
		loop_fd_add(&loop, &node_a, pipe_a[0], EPOLLIN), 0);
	ck_assert_int_eq(loop_run_once(&loop, 0), 0);
	put_byte(pipe_a[1], 42);
	ck_assert_int_eq(loop_run_once(&loop, LOOP_FOREVER), 1);
	ck_assert_int_eq(order[0], 42);
	ck_assert_int_eq(loop_fd_change(&loop, &node_a, 0), 0);
	put_byte(pipe_a[1], 43);
	ck_assert_int_eq(loop_run_once(&loop, 0), 0);
	loop_fd_remove(&loop, &node_a);
	loop_fd_remove(&loop, &node_a);
	ck_assert_int_eq(loop_fd_add(&loop, &node_a, -1, EPOLLIN), -EBADF);
	ck_assert_int_eq(node_a.fd, -1);
}
END_TEST

START_TEST(a_descriptor_removed_by_a_handler_is_not_called_any_more)
{
	node_a.on_ready = on_readable_remove_both;
	node_b.on_ready = on_readable_remove_both;
	ck_assert_int_eq(
		loop_fd_add(&loop, &node_a, pipe_a[0], EPOLLIN), 0);
	ck_assert_int_eq(
		loop_fd_add(&loop, &node_b, pipe_b[0], EPOLLIN), 0);
	put_byte(pipe_a[1], 1);
	put_byte(pipe_b[1], 1);
	ck_assert_int_eq(loop_run_once(&loop, LOOP_FOREVER), 1);
	ck_assert_int_eq(loop_run_once(&loop, 0), 0);
	ck_assert_int_eq(nr_calls, 1);
}
END_TEST

static void
on_wake(struct loop *woken)
{
	ck_assert_ptr_eq(woken, &loop);
	note(5);
}

START_TEST(wake_ups_before_the_wait_are_not_lost_and_come_as_one)
{
	loop.on_wake = on_wake;
	loop_wake(&loop);
	loop_wake(&loop);
	ck_assert_int_eq(loop_run_once(&loop, LOOP_FOREVER), 1);
	ck_assert_int_eq(loop_run_once(&loop, 0), 0);
	ck_assert_int_eq(nr_calls, 1);
}
END_TEST

static void
run(void *arg)
{
	*(int *)arg = loop_run(&loop);
}

START_TEST(stop_from_another_thread_ends_the_run)
{
	struct thread thread;
	int rc = -1;

	ck_assert_int_eq(
		thread_start(&thread, "loop", THREAD_ANY_CPU, run, &rc), 0);
	usleep(2000);
	loop_stop(&loop);
	thread_join(&thread);
	ck_assert_int_eq(rc, 0);
}
END_TEST

START_TEST(waiting_is_bounded_by_the_limit)
{
	uint64_t begin = clock_ns();

	ck_assert_int_eq(loop_run_once(&loop, 2 * CLOCK_NS_PER_MSEC), 0);
	ck_assert_uint_ge(clock_ns() - begin, 2 * CLOCK_NS_PER_MSEC);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("loop");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, timers_expire_in_order_of_their_deadlines);
	tcase_add_test(
		tcase, a_disarmed_timer_does_not_expire_and_rearming_moves_it);
	tcase_add_test(
		tcase, a_timer_rearmed_into_the_past_does_not_starve_the_loop);
	tcase_add_test(tcase, a_readable_descriptor_calls_its_handler);
	tcase_add_test(tcase,
		a_descriptor_removed_by_a_handler_is_not_called_any_more);
	tcase_add_test(tcase,
		wake_ups_before_the_wait_are_not_lost_and_come_as_one);
	tcase_add_test(tcase, stop_from_another_thread_ends_the_run);
	tcase_add_test(tcase, waiting_is_bounded_by_the_limit);
	return unit_run(tcase, "loop");
}
