/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The target goes away while somebody waits, in each completion mode; and
 * while nobody does, so that the keeper has to do the queue's part.
 */
#include "core_rig.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/log.h"

#define IO_TIMEOUT_MS 300u

static struct rig rig;

static const enum srpi_completion modes[] = {
	SRPI_COMPLETION_INLINE, SRPI_COMPLETION_SELF, SRPI_COMPLETION_THREAD,
	SRPI_COMPLETION_POLL, SRPI_COMPLETION_ADAPTIVE
};
static const enum soft_irqmode irqs[] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD };
#define NR_CASES (int)(ARRAY_SIZE(modes) * ARRAY_SIZE(irqs))

static void
up(int i, unsigned int io_timeout_ms)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;

	opts.completion = modes[(size_t)i % ARRAY_SIZE(modes)];
	rig_up_ram(&rig, irqs[(size_t)i / ARRAY_SIZE(modes)]);
	rig.attr.io_timeout_ms = io_timeout_ms;
	rig_open_all(&rig, &opts);
	rig_verify(&rig, 4, 1);
}

static void
down(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

static void
set_silent(void)
{
	struct target_faults faults = { .silent_every = 1 };

	target_set_faults(rig.target, &faults);
}

static void
expect_since(uint64_t begin, unsigned int min_ms, unsigned int max_ms)
{
	uint64_t ms = (clock_ns() - begin) / CLOCK_NS_PER_MSEC;

	ck_assert_msg(ms + 10 >= min_ms, "only %u ms", (unsigned int)ms);
	ck_assert_msg(ms <= max_ms + RIG_SLACK_NS / CLOCK_NS_PER_MSEC,
		"%u ms", (unsigned int)ms);
}

/* Later I/Os end at once, whoever handles completions. */
static void
expect_dead(int error)
{
	uint64_t begin = clock_ns();
	int i;

	for (i = 0; i < 3; i++)
		ck_assert_int_eq(rig_do(rig.queue, &rig, 0, i % 2), error);
	expect_since(begin, 0, 100);
}

START_TEST(a_frozen_target_is_left_by_io_timeout)
{
	struct srpi_stats stats;
	uint64_t begin;
	int i, error;

	up(_i, IO_TIMEOUT_MS);
	target_freeze(rig.target, true);
	begin = clock_ns();
	for (i = 0; i < 3; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, (uint64_t)i, i % 2));
	srpi_submit(rig.queue);
	for (i = 0; i < 3; i++) {
		error = rig_wait_one(rig.queue, NULL);
		ck_assert_int_eq(error, -ETIMEDOUT);
	}
	expect_since(begin, IO_TIMEOUT_MS, IO_TIMEOUT_MS * 5 / 4);
	expect_dead(-ECONNABORTED);
	stats = rig_stats(&rig);
	ck_assert_uint_eq(stats.timeouts, 3);
	ck_assert_uint_eq(stats.disconnects, 1);
	/* closing does not wait for it either */
	rig_close(&rig);
	target_freeze(rig.target, false);
	rig_down(&rig);
}
END_TEST

static void *
disconnect(void *arg)
{
	(void)arg;
	rig_sleep_ms(100);
	target_disconnect_all(rig.target);
	return NULL;
}

START_TEST(a_connection_closed_under_a_waiter_wakes_it)
{
	pthread_t thread;
	uint64_t begin;
	int i;

	up(_i, 30000);
	set_silent();
	ck_assert_int_eq(pthread_create(&thread, NULL, disconnect, NULL), 0);
	begin = clock_ns();
	for (i = 0; i < 3; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, (uint64_t)i, i % 2));
	srpi_submit(rig.queue);
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(rig_wait_one(rig.queue, NULL), -ECONNRESET);
	expect_since(begin, 0, 1000);
	pthread_join(thread, NULL);
	expect_dead(-ECONNRESET);
	ck_assert_uint_ge(rig_stats(&rig).disconnects, 1);
	ck_assert_uint_eq(rig_stats(&rig).timeouts, 0);
	down();
}
END_TEST

/* A wait that ends by its own limit leaves the command where it is. */
START_TEST(a_wait_ends_by_its_own_limit)
{
	struct srpi_io *io;
	uint64_t begin;

	up(_i, 30000);
	set_silent();
	rig_submit(rig.queue, &rig, 0, false);
	begin = clock_ns();
	ck_assert_int_eq(srpi_wait(rig.queue, &io, 1, 1, 0), 0);
	expect_since(begin, 0, 50);
	begin = clock_ns();
	ck_assert_int_eq(
		srpi_wait(rig.queue, &io, 1, 1, 100 * 1000 * 1000), 0);
	expect_since(begin, 100, 120);
	ck_assert_int_eq(srpi_poll(rig.queue, &io, 1), 0);
	/* closing with a command out is closing all the same */
	down();
}
END_TEST

/* ---- nobody calls: the keeper's part ---- */

START_TEST(the_keeper_ends_commands_of_an_absent_owner)
{
	struct srpi_io *io;
	uint64_t begin;

	up(_i, IO_TIMEOUT_MS);
	set_silent();
	begin = clock_ns();
	rig_submit(rig.queue, &rig, 0, false);
	rig_wait_counter(&rig, timeouts, 1);
	expect_since(begin, IO_TIMEOUT_MS, IO_TIMEOUT_MS * 5 / 4);
	rig_wait_counter(&rig, errors, 1);
	/* it is there for the taking */
	begin = clock_ns();
	ck_assert_int_eq(srpi_wait(rig.queue, &io, 1, 1, -1), 1);
	ck_assert_int_eq(srpi_result(io)->error, -ETIMEDOUT);
	expect_since(begin, 0, 20);
	srpi_put(io);
	expect_dead(-ECONNABORTED);
	down();
}
END_TEST

START_TEST(the_keeper_notices_a_connection_closed_while_idle)
{
	up(_i, 30000);
	target_disconnect_all(rig.target);
	/* the queue's and the session's own */
	rig_wait_counter(&rig, disconnects, 2);
	expect_dead(-ECONNRESET);
	down();
}
END_TEST

START_TEST(the_keeper_notices_a_connection_closed_under_a_command)
{
	struct srpi_io *io;

	up(_i, 30000);
	set_silent();
	rig_submit(rig.queue, &rig, 0, true);
	target_disconnect_all(rig.target);
	rig_wait_counter(&rig, errors, 1);
	ck_assert_int_eq(srpi_poll(rig.queue, &io, 1), 1);
	ck_assert_int_eq(srpi_result(io)->error, -ECONNRESET);
	srpi_put(io);
	down();
}
END_TEST

/*
 * Credits that come by request: the one that gives back the last command's
 * arrives when the owner is gone already. Without an answer the target would
 * ask no more, and the next commands would find no credits.
 */
static void
expect_answers(int i, bool by_aer)
{
	struct target_faults faults = {
		.cred_by_req = !by_aer, .aer_by_req = by_aer };
	struct srpi_stats stats;
	struct srpi_io *ios[8];
	int round, nr;

	/* the keeper looks in four times in io_timeout */
	up(i, 900);
	target_set_faults(rig.target, &faults);
	for (round = 0; round < 2; round++) {
		stats = rig_stats(&rig);
		for (nr = 0; nr < 8; nr++)
			srpi_queue_io(rig_prep(rig.queue, &rig, (uint64_t)nr,
				nr % 2));
		srpi_submit(rig.queue);
		/* the owner turns its back; answers and requests come */
		rig_wait_stat(&rig,
			by_aer ? offsetof(struct srpi_stats, aer_reqs)
			       : offsetof(struct srpi_stats, cred_reqs),
			(by_aer ? stats.aer_reqs : stats.cred_reqs) + 1);
		for (nr = 0; nr < 8;)
			nr += srpi_wait(rig.queue, ios + nr, 1,
				(unsigned int)(8 - nr), -1);
		while (nr--) {
			ck_assert_int_eq(srpi_result(ios[nr])->error, 0);
			srpi_put(ios[nr]);
		}
	}
	rig_verify(&rig, 64, 3);
	down();
}

START_TEST(the_keeper_answers_cred_req)
{
	expect_answers(_i, false);
}
END_TEST

START_TEST(the_keeper_answers_aer_req)
{
	expect_answers(_i, true);
}
END_TEST

/* After any length of absence the owner comes back to a working queue. */
START_TEST(an_owner_that_was_away_goes_on)
{
	static const unsigned int away_ms[] = { 1, 20, 150, 600 };
	unsigned int i;

	up(_i, IO_TIMEOUT_MS);
	for (i = 0; i < ARRAY_SIZE(away_ms); i++) {
		rig_sleep_ms(away_ms[i]);
		rig_verify(&rig, 8, i);
	}
	ck_assert_uint_eq(rig_stats(&rig).errors, 0);
	down();
}
END_TEST

static void
add_tests(TCase *tcase)
{
	tcase_add_loop_test(
		tcase, a_frozen_target_is_left_by_io_timeout, 0, NR_CASES);
	tcase_add_loop_test(tcase, a_connection_closed_under_a_waiter_wakes_it,
		0, NR_CASES);
	tcase_add_loop_test(tcase, a_wait_ends_by_its_own_limit, 0, NR_CASES);
	tcase_add_loop_test(tcase, the_keeper_ends_commands_of_an_absent_owner,
		0, NR_CASES);
	tcase_add_loop_test(tcase,
		the_keeper_notices_a_connection_closed_while_idle, 0, NR_CASES);
	tcase_add_loop_test(tcase,
		the_keeper_notices_a_connection_closed_under_a_command, 0,
		NR_CASES);
	tcase_add_loop_test(tcase, the_keeper_answers_cred_req, 0, NR_CASES);
	tcase_add_loop_test(tcase, the_keeper_answers_aer_req, 0, 2);
	tcase_add_loop_test(tcase, an_owner_that_was_away_goes_on, 0,
		(int)ARRAY_SIZE(modes));
}

int
main(void)
{
	TCase *tcase = tcase_create("core_away");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	add_tests(tcase);
	return unit_run(tcase, "core_away");
}
