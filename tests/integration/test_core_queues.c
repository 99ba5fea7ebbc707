/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many threads, few connections: every completion mode, queues that come and
 * go while others run, waits that must not hold up anybody else, descriptors.
 */
#include "core_rig.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/log.h"

static struct rig rig;

static void
up(enum soft_irqmode irq, enum srpi_completion mode, unsigned int channels)
{
	rig_up_ram(&rig, irq);
	rig.attr.completion = mode;
	rig.attr.channels = channels;
	ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
	rig.lun = rig_lun(&rig, 0);
	ck_assert_msg(!srpi_buf_alloc(rig.session, RIG_BUF_BYTES, &rig.mem,
			      rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	rig.buf = srpi_mem_addr(rig.mem);
}

static void
down(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

/* ---- threads ---- */

#define MAX_CLIENTS 8
#define CLIENT_BLOCKS 64u
#define CLIENT_DEPTH 16u

struct client {
	pthread_t thread;
	unsigned int number, nr_rounds, nr_lives;
};

static struct srpi_queue *
client_queue(void)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_queue *queue;
	char reason[512];

	opts.depth = CLIENT_DEPTH;
	if (srpi_queue_create(
		    rig.session, &opts, &queue, reason, sizeof(reason)))
		ck_abort_msg("%s", reason);
	return queue;
}

/* @nr I/Os from @lba on at once, gathered in whatever portions they come. */
static void
client_batch(struct srpi_queue *queue, uint64_t lba, unsigned int nr, bool write)
{
	struct srpi_io *ios[CLIENT_DEPTH];
	unsigned int i, done = 0;
	int got;

	for (i = 0; i < nr; i++)
		srpi_queue_io(rig_prep(queue, &rig, lba + i, write));
	must(srpi_submit(queue) == (int)nr);
	while (done < nr) {
		got = srpi_wait(queue, ios, 1 + (nr - done) / 2,
			CLIENT_DEPTH, -1);
		must(got > 0);
		for (i = 0; (int)i < got; i++) {
			must(!srpi_result(ios[i])->error);
			srpi_put(ios[i]);
		}
		done += (unsigned int)got;
	}
	must(done == nr);
}

static void
client_live(const struct client *client, unsigned int life)
{
	struct srpi_queue *queue = client_queue();
	uint64_t base = (uint64_t)client->number * CLIENT_BLOCKS, lba;
	unsigned int round, nr;
	uint32_t gen;
	uint8_t *at;

	for (round = 0; round < client->nr_rounds; round++) {
		gen = life * 1000 + round;
		nr = 1 + (client->number + 7 * round) % CLIENT_DEPTH;
		lba = base + (5 * round) % (CLIENT_BLOCKS - CLIENT_DEPTH);
		at = rig.buf + lba * RIG_BLOCK;
		rig_fill(at, lba, nr, gen);
		client_batch(queue, lba, nr, true);
		memset(at, 0xee, nr * RIG_BLOCK);
		client_batch(queue, lba, nr, false);
		rig_check(at, lba, nr, gen);
	}
	srpi_queue_destroy(queue);
}

static void *
client_main(void *arg)
{
	const struct client *client = arg;
	unsigned int life;

	for (life = 0; life < client->nr_lives; life++)
		client_live(client, life);
	return NULL;
}

static const struct {
	unsigned int channels, clients;
} sharings[] = { { 1, 1 }, { 1, 2 }, { 1, 8 }, { 2, 5 }, { 8, 8 } };
#define NR_SHARINGS (int)ARRAY_SIZE(sharings)

/* Clients come, verify what they write, go and come again. */
static void
run_clients(int i, enum soft_irqmode irq)
{
	struct client clients[MAX_CLIENTS];
	unsigned int n, nr = sharings[i % NR_SHARINGS].clients;
	struct srpi_stats stats, before;

	up(irq, rig_modes[i / NR_SHARINGS], sharings[i % NR_SHARINGS].channels);
	before = rig_stats(&rig);
	for (n = 0; n < nr; n++) {
		clients[n] = (struct client){
			.number = n, .nr_rounds = 12, .nr_lives = 3 };
		ck_assert_int_eq(pthread_create(&clients[n].thread, NULL,
					 client_main, &clients[n]),
			0);
	}
	for (n = 0; n < nr; n++)
		pthread_join(clients[n].thread, NULL);
	stats = rig_stats(&rig);
	ck_assert_uint_eq(stats.errors, 0);
	ck_assert_uint_eq(stats.reads - before.reads, stats.writes);
	ck_assert_uint_eq(stats.late_responses, 0);
	down();
}

START_TEST(clients_share_connections_deferred)
{
	run_clients(_i, SOFT_IRQ_SOFTIRQ);
}
END_TEST

START_TEST(clients_share_connections_across_threads)
{
	run_clients(_i, SOFT_IRQ_THREAD);
}
END_TEST

/* ---- nobody holds up anybody ---- */

static void *
wait_for_the_silent(void *arg)
{
	struct srpi_queue *queue = arg;

	must(rig_wait_one(queue, NULL) == -ETIMEDOUT);
	return NULL;
}

/*
 * One of two queues that share a connection waits for an answer that never
 * comes; the other one's I/Os are answered, and must not wait for its wait.
 */
START_TEST(a_long_wait_does_not_hold_up_the_other_queue)
{
	struct target_faults silent = { .silent_every = 1 }, none = { 0 };
	struct srpi_queue *first, *second;
	pthread_t thread;
	uint64_t begin;
	int i;

	rig_up_ram(&rig, _i / RIG_NR_MODES ? SOFT_IRQ_THREAD : SOFT_IRQ_SOFTIRQ);
	rig.attr.completion = rig_modes[_i % RIG_NR_MODES];
	rig.attr.channels = 1;
	rig.attr.io_timeout_ms = 1200;
	rig_open_all(&rig, NULL);
	first = rig.queue;
	second = rig_queue(&rig, NULL);
	target_set_faults(rig.target, &silent);
	rig_submit(first, &rig, 0, false);
	/* softirq: somebody has to look, so that the target sees it */
	ck_assert_int_eq(rig_stats(&rig).errors, 0);
	ck_assert_int_eq(
		pthread_create(&thread, NULL, wait_for_the_silent, first), 0);
	rig_sleep_ms(100);
	target_set_faults(rig.target, &none);
	begin = clock_ns();
	for (i = 0; i < 50; i++)
		ck_assert_int_eq(rig_do(second, &rig, 1, i % 2), 0);
	ck_assert_msg(clock_ns() - begin < CLOCK_NS_PER_SEC, "%u ms",
		(unsigned int)((clock_ns() - begin) / CLOCK_NS_PER_MSEC));
	pthread_join(thread, NULL);
	down();
}
END_TEST

static _Atomic bool is_over;

static void *
keep_busy(void *arg)
{
	struct srpi_queue *queue = arg;
	uint64_t i;

	for (i = 0; !atomic_load(&is_over); i++)
		must(!rig_do(queue, &rig, i % 32, i % 2));
	return NULL;
}

/* The first queue of a connection never stops; a second one joins it. */
START_TEST(a_queue_can_join_a_busy_connection)
{
	struct srpi_queue *queue;
	pthread_t thread;
	uint64_t begin;

	up(SOFT_IRQ_SOFTIRQ, rig_modes[_i], 1);
	rig.queue = client_queue();
	atomic_store(&is_over, false);
	ck_assert_int_eq(
		pthread_create(&thread, NULL, keep_busy, rig.queue), 0);
	rig_sleep_ms(50);
	begin = clock_ns();
	queue = client_queue();
	ck_assert_int_eq(rig_do(queue, &rig, 40, true), 0);
	ck_assert_uint_lt(clock_ns() - begin, 3 * CLOCK_NS_PER_SEC);
	srpi_queue_destroy(queue);
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	down();
}
END_TEST

/* The owner of a connection is deep in a wait; a second queue joins it. */
START_TEST(a_queue_can_join_a_connection_whose_owner_waits)
{
	struct target_faults silent = { .silent_every = 1 }, none = { 0 };
	struct srpi_queue *queue;
	pthread_t thread;
	uint64_t begin;
	int i;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.completion = rig_modes[_i];
	rig.attr.channels = 1;
	rig.attr.io_timeout_ms = 1200;
	rig_open_all(&rig, NULL);
	target_set_faults(rig.target, &silent);
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_the_silent,
				 rig.queue),
		0);
	rig_sleep_ms(100);
	target_set_faults(rig.target, &none);
	begin = clock_ns();
	queue = rig_queue(&rig, NULL);
	for (i = 0; i < 50; i++)
		ck_assert_int_eq(rig_do(queue, &rig, 1, i % 2), 0);
	ck_assert_msg(clock_ns() - begin < CLOCK_NS_PER_SEC, "%u ms",
		(unsigned int)((clock_ns() - begin) / CLOCK_NS_PER_MSEC));
	/* and the owner still hears of its own end, in time */
	pthread_join(thread, NULL);
	ck_assert_uint_lt(
		clock_ns() - begin, 2 * CLOCK_NS_PER_SEC + RIG_SLACK_NS);
	down();
}
END_TEST

static void *
wait_for_the_end(void *arg)
{
	must(rig_wait_one(arg, NULL) == -ECANCELED);
	return NULL;
}

/* A LUN RESET ends what the LUN has, under whoever waits for it. */
START_TEST(a_reset_ends_what_others_wait_for)
{
	struct target_faults silent = { .silent_every = 1 };
	struct srpi_queue *queues[3];
	pthread_t threads[3];
	uint64_t begin;
	int i;

	up(SOFT_IRQ_SOFTIRQ, rig_modes[_i % RIG_NR_MODES], 1 + 3 * (_i / RIG_NR_MODES));
	for (i = 0; i < 3; i++)
		queues[i] = client_queue();
	target_set_faults(rig.target, &silent);
	for (i = 0; i < 3; i++) {
		rig_submit(queues[i], &rig, (uint64_t)i, true);
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
					 wait_for_the_end, queues[i]),
			0);
	}
	rig_sleep_ms(100);
	begin = clock_ns();
	ck_assert_msg(!srpi_tmf(rig.session, rig.lun, SRPI_TMF_LUN_RESET, NULL,
			      rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_lt(clock_ns() - begin, 3 * CLOCK_NS_PER_SEC);
	target_set_faults(rig.target, &(struct target_faults){ 0 });
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(rig_do(queues[i], &rig, 0, false), 0);
	down();
}
END_TEST

/* The connection fails under all of its queues: each gets its I/Os back. */
START_TEST(a_shared_connection_fails_for_all_of_its_queues)
{
	struct srpi_queue *queues[4];
	struct srpi_io *ios[4];
	unsigned int i, k;

	up(SOFT_IRQ_SOFTIRQ, rig_modes[_i], 1);
	for (i = 0; i < 4; i++) {
		queues[i] = client_queue();
		ck_assert_int_eq(rig_do(queues[i], &rig, i, true), 0);
	}
	target_set_faults(rig.target,
		&(struct target_faults){ .silent_every = 1 });
	for (i = 0; i < 4; i++)
		for (k = 0; k < 4; k++)
			rig_submit(queues[i], &rig, 4 * i + k, k % 2);
	target_disconnect_all(rig.target);
	for (i = 0; i < 4; i++) {
		ck_assert_int_eq(srpi_wait(queues[i], ios, 4, 4, -1), 4);
		for (k = 0; k < 4; k++) {
			ck_assert_int_eq(
				srpi_result(ios[k])->error, -ECONNRESET);
			srpi_put(ios[k]);
		}
		ck_assert_int_eq(
			rig_do(queues[i], &rig, 0, false), -ECONNRESET);
	}
	down();
}
END_TEST

/* ---- descriptors ---- */

/* Empties the queue as the header asks: until a poll finds nothing. */
static unsigned int
drain(struct srpi_queue *queue)
{
	struct srpi_io *ios[4];
	unsigned int nr = 0;
	int got, i;

	while ((got = srpi_poll(queue, ios, 4)) > 0) {
		for (i = 0; i < got; i++) {
			must(!srpi_result(ios[i])->error);
			srpi_put(ios[i]);
		}
		nr += (unsigned int)got;
	}
	must(got == 0);
	return nr;
}

static void
run_by_fd(struct srpi_queue *queue, uint64_t base)
{
	struct pollfd pfd = { .fd = srpi_fd(queue), .events = POLLIN };
	unsigned int round, i, nr, done;

	must(pfd.fd >= 0);
	must(drain(queue) == 0);
	for (round = 0; round < 100; round++) {
		nr = 1 + round % CLIENT_DEPTH;
		for (i = 0; i < nr; i++)
			srpi_queue_io(
				rig_prep(queue, &rig, base + i, round % 2));
		must(srpi_submit(queue) == (int)nr);
		done = drain(queue);
		while (done < nr) {
			must(poll(&pfd, 1, 10000) == 1);
			done += drain(queue);
		}
		must(done == nr);
	}
	/* nothing is to come: it stays quiet, bar one stale event */
	if (poll(&pfd, 1, 0) == 1)
		must(drain(queue) == 0);
	must(poll(&pfd, 1, 20) == 0);
}

START_TEST(a_queue_can_be_driven_by_its_descriptor)
{
	up(_i / RIG_NR_FD_MODES ? SOFT_IRQ_THREAD : SOFT_IRQ_SOFTIRQ,
		rig_modes[_i % RIG_NR_FD_MODES], 2);
	rig.queue = client_queue();
	run_by_fd(rig.queue, 0);
	down();
}
END_TEST

static void *
fd_main(void *arg)
{
	struct client *client = arg;
	struct srpi_queue *queue = client_queue();

	run_by_fd(queue, (uint64_t)client->number * CLIENT_BLOCKS);
	srpi_queue_destroy(queue);
	return NULL;
}

START_TEST(queues_that_share_can_be_driven_by_descriptors)
{
	struct client clients[3];
	unsigned int i;

	up(_i / RIG_NR_FD_MODES ? SOFT_IRQ_THREAD : SOFT_IRQ_SOFTIRQ,
		rig_modes[_i % RIG_NR_FD_MODES], 1);
	/* the first makes the connection a shared one */
	rig.queue = client_queue();
	srpi_queue_destroy(client_queue());
	for (i = 0; i < 3; i++) {
		clients[i].number = i;
		ck_assert_int_eq(pthread_create(&clients[i].thread, NULL,
					 fd_main, &clients[i]),
			0);
	}
	for (i = 0; i < 3; i++)
		pthread_join(clients[i].thread, NULL);
	down();
}
END_TEST

START_TEST(a_queue_that_spins_has_no_descriptor)
{
	up(SOFT_IRQ_SOFTIRQ, SRPI_COMPLETION_SELF, 1);
	rig.queue = client_queue();
	ck_assert_int_eq(srpi_fd(rig.queue), -EOPNOTSUPP);
	down();
}
END_TEST

/* ---- depth ---- */

static const unsigned int depths[] = { 1, 2, 3, 31, 64, 65, 127, 128, 1000,
	1023, 1024 };

START_TEST(a_queue_has_as_many_tags_as_its_depth)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_queue_info info;
	static struct srpi_io *ios[1024];
	unsigned int i, depth = depths[_i], done = 0;
	int nr;

	up(SOFT_IRQ_SOFTIRQ, SRPI_COMPLETION_INLINE, 2);
	opts.depth = depth;
	rig.queue = rig_queue(&rig, &opts);
	srpi_queue_info(rig.queue, &info);
	ck_assert_uint_eq(info.depth, depth);
	ck_assert_uint_ge(info.window, 1);
	ck_assert_uint_le(info.window, depth);
	for (i = 0; i < depth; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, i % 1024, i % 2));
	ck_assert_ptr_null(srpi_get(rig.queue));
	ck_assert_int_eq(srpi_submit(rig.queue), (int)depth);
	while (done < depth) {
		nr = srpi_wait(rig.queue, ios, 1, 1024, -1);
		ck_assert_int_gt(nr, 0);
		for (i = 0; (int)i < nr; i++) {
			must(!srpi_result(ios[i])->error);
			srpi_put(ios[i]);
		}
		done += (unsigned int)nr;
	}
	ck_assert_uint_eq(done, depth);
	ck_assert_ptr_nonnull(srpi_get(rig.queue));
	down();
}
END_TEST

static void
expect_refused(const struct srpi_queue_opts *opts, int ret, const char *words)
{
	struct srpi_queue *queue;

	ck_assert_int_eq(srpi_queue_create(rig.session, opts, &queue,
				 rig.reason, sizeof(rig.reason)),
		ret);
	ck_assert_msg(strstr(rig.reason, words), "%s", rig.reason);
}

START_TEST(options_out_of_range_are_refused)
{
	struct srpi_queue_opts opts = { .depth = 1025, .cpu = -1 };

	up(SOFT_IRQ_SOFTIRQ, SRPI_COMPLETION_INLINE, 1);
	expect_refused(&opts, -EINVAL, "1 to 1024, not 1025");
	opts.depth = 4;
	opts.completion = SRPI_NR_COMPLETIONS;
	expect_refused(&opts, -EOPNOTSUPP, "1 (inline) to 5 (adaptive)");
	opts.completion = SRPI_COMPLETION_THREAD;
	opts.cpu = 100000;
	expect_refused(&opts, -EINVAL, "no CPU 100000");
	opts.cpu = -2;
	expect_refused(&opts, -EINVAL, "no CPU -2");
	opts.cpu = 0;
	opts.flags = 0xfff0 | SRPI_QUEUE_TIMES;
	expect_refused(&opts, -EINVAL, "no flags 0xfff0");
	down();
}
END_TEST

static void
add_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, clients_share_connections_deferred, 0,
		RIG_NR_MODES * NR_SHARINGS);
	tcase_add_loop_test(tcase, clients_share_connections_across_threads, 0,
		RIG_NR_MODES * NR_SHARINGS);
	tcase_add_loop_test(tcase, a_long_wait_does_not_hold_up_the_other_queue,
		0, RIG_NR_MODES);
	tcase_add_loop_test(
		tcase, a_queue_can_join_a_busy_connection, 0, RIG_NR_MODES);
	tcase_add_loop_test(tcase,
		a_queue_can_join_a_connection_whose_owner_waits, 0, RIG_NR_MODES);
	tcase_add_loop_test(tcase, a_reset_ends_what_others_wait_for, 0,
		2 * RIG_NR_MODES);
	tcase_add_loop_test(tcase,
		a_shared_connection_fails_for_all_of_its_queues, 0, RIG_NR_MODES);
	tcase_add_loop_test(tcase, a_queue_can_be_driven_by_its_descriptor, 0,
		2 * RIG_NR_FD_MODES);
	tcase_add_loop_test(tcase,
		queues_that_share_can_be_driven_by_descriptors, 0,
		2 * RIG_NR_FD_MODES);
	tcase_add_test(tcase, a_queue_that_spins_has_no_descriptor);
	tcase_add_loop_test(tcase, a_queue_has_as_many_tags_as_its_depth, 0,
		(int)ARRAY_SIZE(depths));
	tcase_add_test(tcase, options_out_of_range_are_refused);
}

int
main(void)
{
	TCase *tcase = tcase_create("core_queues");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 20);
	add_tests(tcase);
	return unit_run(tcase, "core_queues");
}
