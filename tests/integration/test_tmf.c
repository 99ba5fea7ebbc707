/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management: what ABORT TASK and LUN RESET end, what they leave alone,
 * and that no buffer is given back into which the target may still write.
 */
#include "client.h"
#include "peer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../unit/unit.h"
#include "util/clock.h"
#include "util/compiler.h"

#define NR_MODES (SRPI_NR_COMPLETIONS - 1) /* without DEFAULT */
#define BLOCK 512u
#define LUN_BYTES ((size_t)16 << 20)
#define IO_BYTES 4096u
#define CANARY 0xee
#define DEPTH 8

static struct bed bed;
static struct client client;
static uint8_t *buf; /* IO_BYTES for each of DEPTH */
static char reason[512];

static enum srpi_completion
mode_of(int i)
{
	return (enum srpi_completion)(SRPI_COMPLETION_INLINE + i % NR_MODES);
}

static void
up(enum soft_irqmode irqmode, uint16_t req_lim, const char *keys)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = LUN_BYTES },
		{ .number = 1, .backend = "ram", .size_bytes = LUN_BYTES },
	};
	struct target_attr attr = {
		.luns = luns, .nr_luns = 2, .req_lim = req_lim };
	char url[256];

	bed_create(&bed, irqmode, &attr);
	bed_url(&bed, keys, url, sizeof(url));
	client_open(&client, url);
	buf = client_buf(&client, DEPTH * IO_BYTES);
	memset(buf, CANARY, DEPTH * IO_BYTES);
}

static void
down(void)
{
	client_close(&client);
	bed_destroy(&bed);
}

static void
answer(bool answers)
{
	target_set_faults(bed.target, &(struct target_faults){
					     .silent_every = !answers });
}

static void
sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&ts, NULL);
}

static struct srpi_io *
start(struct srpi_queue *queue, enum client_dir dir, unsigned int i)
{
	struct iovec iov = { buf + i * IO_BYTES, IO_BYTES };
	struct srpi_io *io = client_prep(
		&client, queue, dir, i * IO_BYTES / BLOCK, &iov, 1);

	srpi_queue_io(io);
	must(srpi_submit(queue) == 1);
	return io;
}

/* The next I/O that ends; its error. Gives it back. */
static int
wait_one(struct srpi_queue *queue)
{
	struct srpi_io *io;
	int error;

	must(srpi_wait(queue, &io, 1, 1, CLIENT_WAIT_NS) == 1);
	error = srpi_result(io)->error;
	srpi_put(io);
	return error;
}

/* Every slot is as good as new. */
static void
expect_all_good(struct srpi_queue *queue)
{
	unsigned int round, i;

	for (round = 0; round < 4; round++) {
		client_fill(buf, DEPTH * IO_BYTES, round);
		for (i = 0; i < DEPTH; i++)
			start(queue, CLIENT_WRITE, i);
		ck_assert_ptr_null(srpi_get(queue));
		client_reap_ok(queue, DEPTH);
		memset(buf, CANARY, DEPTH * IO_BYTES);
		for (i = 0; i < DEPTH; i++)
			start(queue, CLIENT_READ, i);
		client_reap_ok(queue, DEPTH);
		client_check(buf, DEPTH * IO_BYTES, round);
	}
}

static int
abort_io(struct srpi_io *io)
{
	*reason = '\0';
	return srpi_tmf(client.session, NULL, SRPI_TMF_ABORT_TASK, io, reason,
		sizeof(reason));
}

static int
reset_lun(void)
{
	*reason = '\0';
	return srpi_tmf(client.session, client.lun, SRPI_TMF_LUN_RESET, NULL,
		reason, sizeof(reason));
}

/* ---- ABORT TASK ---- */

/* Loop: mode, direction, and whose thread the target runs in. */
#define NR_ABORTS (NR_MODES * 2 * 2)

START_TEST(a_command_without_an_answer_can_be_aborted)
{
	enum client_dir dir = _i / NR_MODES % 2 ? CLIENT_WRITE : CLIENT_READ;
	struct srpi_queue *queue;
	struct srpi_io *ios[DEPTH];
	unsigned int i;

	/* a write's data goes with the command: its SEND reads the buffer */
	up(_i / NR_MODES / 2 ? SOFT_IRQ_THREAD : SOFT_IRQ_SOFTIRQ, 64,
		"&imm_data=yes");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	answer(false);
	for (i = 0; i < DEPTH; i++)
		ios[i] = start(queue, dir, i);
	for (i = 0; i < DEPTH; i++)
		ck_assert_msg(!abort_io(ios[i]), "%s", reason);
	for (i = 0; i < DEPTH; i++)
		ck_assert_int_eq(wait_one(queue), -ECANCELED);
	answer(true);
	expect_all_good(queue);
	ck_assert_uint_eq(client_stats(&client).aborts, DEPTH);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	down();
}
END_TEST

/* Loop: mode; its answer is there, and maybe nobody has looked yet. */
START_TEST(a_command_that_has_finished_stays_as_it_is)
{
	struct srpi_queue *queue;
	struct srpi_io *io, *done;

	up(SOFT_IRQ_NONE, 64, "");
	client_fill(buf, IO_BYTES, 1);
	queue = client_queue(&client, mode_of(_i), DEPTH);
	io = start(queue, CLIENT_WRITE, 0);
	ck_assert_uint_eq(bed_stats(&bed).writes, 1);
	ck_assert_msg(!abort_io(io), "%s", reason);
	ck_assert_int_eq(srpi_wait(queue, &done, 1, 1, CLIENT_WAIT_NS), 1);
	ck_assert_int_eq(srpi_result(io)->error, 0);
	/* handed over, not put */
	ck_assert_msg(!abort_io(io), "%s", reason);
	ck_assert_int_eq(srpi_result(io)->error, 0);
	srpi_put(io);
	expect_all_good(queue);
	down();
}
END_TEST

START_TEST(a_command_that_has_not_been_sent_is_the_initiators_alone)
{
	struct srpi_queue *queue;
	struct srpi_io *ios[DEPTH];
	unsigned int i, nr_good = 0;
	uint64_t requests, commands;

	up(SOFT_IRQ_THREAD, 4, "");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	answer(false);
	commands = bed_stats(&bed).commands;
	for (i = 0; i < DEPTH; i++)
		ios[i] = start(queue, CLIENT_READ, i);
	/* three credits are for commands */
	while (bed_stats(&bed).commands < commands + 3)
		sleep_ms(1);
	requests = bed_stats(&bed).task_management;
	for (i = 4; i < DEPTH; i++)
		ck_assert_int_eq(abort_io(ios[i]), 0);
	ck_assert_uint_eq(bed_stats(&bed).task_management, requests);
	for (i = 4; i < DEPTH; i++)
		ck_assert_int_eq(wait_one(queue), -ECANCELED);
	/* the fourth goes when one of the three gives its credit back */
	answer(true);
	ck_assert_int_eq(abort_io(ios[0]), 0);
	ck_assert_int_eq(abort_io(ios[1]), 0);
	ck_assert_int_eq(abort_io(ios[2]), 0);
	ck_assert_uint_eq(bed_stats(&bed).task_management, requests + 3);
	for (i = 0; i < 4; i++)
		nr_good += wait_one(queue) == 0;
	ck_assert_uint_eq(nr_good, 1);
	expect_all_good(queue);
	down();
}
END_TEST

/* The answers of aborted commands that come all the same. */
START_TEST(an_abort_amid_io_ends_each_command_once)
{
	struct srpi_queue *queue;
	struct srpi_io *ios[DEPTH];
	unsigned int round, i, nr_cancelled = 0;
	int error;

	up(SOFT_IRQ_THREAD, 64, "&imm_data=yes");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	for (round = 0; round < 200; round++) {
		for (i = 0; i < DEPTH; i++)
			ios[i] = start(queue,
				i % 2 ? CLIENT_READ : CLIENT_WRITE, i);
		ck_assert_msg(!abort_io(ios[round % DEPTH]), "%s", reason);
		for (i = 0; i < DEPTH; i++) {
			error = wait_one(queue);
			must(error == 0 || error == -ECANCELED);
			nr_cancelled += error != 0;
		}
	}
	ck_assert_uint_le(nr_cancelled, 200);
	expect_all_good(queue);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	down();
}
END_TEST

/* Each part of a split I/O is a command of its own. */
START_TEST(an_abort_ends_all_parts_of_an_io)
{
	struct target_lun_attr lun = {
		.backend = "ram",
		.size_bytes = LUN_BYTES,
		.max_transfer_blocks = 8,
	};
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	struct srpi_queue *queue;
	struct srpi_io *io;
	struct iovec iov;
	char url[256];
	int round, error;

	bed_create(&bed, SOFT_IRQ_THREAD, &attr);
	bed_url(&bed, "", url, sizeof(url));
	client_open(&client, url);
	queue = client_queue(&client, mode_of(_i), 1);
	buf = client_buf(&client, 1 << 20);
	for (round = 0; round < 20; round++) {
		iov = (struct iovec){ buf, 1 << 20 };
		io = client_prep(&client, queue, CLIENT_READ, 0, &iov, 1);
		srpi_queue_io(io);
		must(srpi_submit(queue) == 1);
		ck_assert_msg(!abort_io(io), "%s", reason);
		error = wait_one(queue);
		must(error == 0 || error == -ECANCELED);
	}
	iov = (struct iovec){ buf, 1 << 20 };
	client_rw_ok(&client, queue, CLIENT_READ, 0, &iov, 1);
	down();
}
END_TEST

/* ---- LUN RESET ---- */

#define NR_USERS 8

struct user {
	struct srpi_queue *queue;
	pthread_t thread;
	uint8_t *buf;
	unsigned int number;
	uint64_t nr_cancelled;
};

static atomic_bool is_over;

static void
user_round(struct user *user, enum client_dir dir)
{
	struct iovec iov = { .iov_len = IO_BYTES };
	unsigned int i;
	int error;

	for (i = 0; i < DEPTH; i++) {
		iov.iov_base = user->buf + i * IO_BYTES;
		srpi_queue_io(client_prep(&client, user->queue, dir,
			(user->number * DEPTH + i) * (IO_BYTES / BLOCK), &iov,
			1));
	}
	must(srpi_submit(user->queue) == DEPTH);
	for (i = 0; i < DEPTH; i++) {
		error = wait_one(user->queue);
		must(error == 0 || error == -ECANCELED);
		user->nr_cancelled += error != 0;
	}
}

/*
 * Whatever has ended is left alone: what is put into the buffer between two
 * rounds must still be there before the next.
 */
static void *
run_user(void *arg)
{
	struct user *user = arg;
	uint64_t seed;

	for (seed = 0; !atomic_load(&is_over); seed++) {
		user_round(user, CLIENT_READ);
		client_fill(user->buf, DEPTH * IO_BYTES, seed);
		if (seed % 8 == 0)
			sched_yield();
		client_check(user->buf, DEPTH * IO_BYTES, seed);
		user_round(user, CLIENT_WRITE);
	}
	return NULL;
}

static void
start_users(struct user *users, enum srpi_completion mode)
{
	unsigned int i;

	atomic_store(&is_over, false);
	for (i = 0; i < NR_USERS; i++) {
		users[i] = (struct user){
			.queue = client_queue(&client, mode, DEPTH),
			.buf = client_buf(&client, DEPTH * IO_BYTES),
			.number = i,
		};
	}
	for (i = 0; i < NR_USERS; i++)
		must(!pthread_create(
			&users[i].thread, NULL, run_user, &users[i]));
}

static uint64_t
join_users(struct user *users)
{
	uint64_t nr_cancelled = 0;
	unsigned int i;

	atomic_store(&is_over, true);
	for (i = 0; i < NR_USERS; i++) {
		must(!pthread_join(users[i].thread, NULL));
		nr_cancelled += users[i].nr_cancelled;
	}
	return nr_cancelled;
}

/*
 * Loop: mode, own channels or two for all, the target in the poster's thread
 * or its own, and whether every fifth command has no answer, so that its
 * waiter can only be freed by a reset.
 */
#define NR_RESETS (NR_MODES * 2 * 2 * 2)

START_TEST(a_reset_under_io_frees_every_waiter_and_hurts_nobody)
{
	int rest = _i / NR_MODES;
	bool is_silent = rest / 4;
	struct user users[NR_USERS];
	int i;

	up(rest / 2 % 2 ? SOFT_IRQ_THREAD : SOFT_IRQ_SOFTIRQ, 64,
		rest % 2 ? "&channels=2&imm_data=yes" : "&channels=8");
	start_users(users, mode_of(_i));
	sleep_ms(20);
	if (is_silent)
		target_set_faults(bed.target,
			&(struct target_faults){ .silent_every = 5 });
	for (i = 0; i < 10; i++) {
		sleep_ms(5);
		ck_assert_msg(!reset_lun(), "%s", reason);
	}
	answer(true);
	ck_assert_msg(!reset_lun(), "%s", reason);
	if (is_silent)
		ck_assert_uint_gt(join_users(users), 0);
	else
		join_users(users);
	for (i = 0; i < NR_USERS; i++)
		expect_all_good(users[i].queue);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	ck_assert_uint_eq(client_stats(&client).timeouts, 0);
	down();
}
END_TEST

START_TEST(a_reset_leaves_other_luns_alone)
{
	struct iovec iov;
	struct srpi_lun *other;
	struct srpi_queue *queue;
	struct srpi_io *io, *done;
	uint8_t number[8];

	up(SOFT_IRQ_SOFTIRQ, 64, "");
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, DEPTH);
	must(!srpi_lun_from_number(1, number));
	ck_assert_msg(!srpi_lun_open(client.session, number, &other, reason,
			      sizeof(reason)),
		"%s", reason);
	answer(false);
	start(queue, CLIENT_READ, 0);
	io = srpi_get(queue);
	iov = (struct iovec){ buf + IO_BYTES, IO_BYTES };
	ck_assert_int_eq(
		srpi_prep_read(io, other, 0, IO_BYTES / BLOCK, &iov, 1), 0);
	srpi_queue_io(io);
	ck_assert_int_eq(srpi_submit(queue), 1);
	ck_assert_msg(!reset_lun(), "%s", reason);
	ck_assert_int_eq(wait_one(queue), -ECANCELED);
	/* the other one is still under way */
	ck_assert_int_eq(srpi_wait(queue, &done, 1, 1, 50000000), 0);
	ck_assert_int_eq(abort_io(io), 0);
	ck_assert_int_eq(wait_one(queue), -ECANCELED);
	answer(true);
	expect_all_good(queue);
	down();
}
END_TEST

START_TEST(a_reset_without_io_is_answered_too)
{
	struct srpi_queue *queue;
	int i;

	up(SOFT_IRQ_THREAD, 64, "");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	for (i = 0; i < 3; i++)
		ck_assert_msg(!reset_lun(), "%s", reason);
	expect_all_good(queue);
	down();
}
END_TEST

/* ---- refused, unanswered ---- */

START_TEST(what_is_no_request_is_refused_with_a_sentence)
{
	struct srpi_queue *queue;
	struct srpi_io *io;

	up(SOFT_IRQ_SOFTIRQ, 64, "");
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, DEPTH);
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_tmf(client.session, NULL, SRPI_TMF_LUN_RESET,
				 NULL, reason, sizeof(reason)),
		-EINVAL);
	ck_assert_int_eq(srpi_tmf(client.session, client.lun,
				 SRPI_TMF_ABORT_TASK, NULL, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_int_eq(srpi_tmf(client.session, client.lun,
				 SRPI_TMF_LUN_RESET, io, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_int_eq(srpi_tmf(client.session, client.lun,
				 (enum srpi_tmf)0x40, NULL, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert(strstr(reason, "LUN RESET"));
	srpi_put(io);
	down();
}
END_TEST

/*
 * The target stands still with a read in its hands. Once srpi_tmf() is back
 * the buffer is the caller's, and stays so when the target goes on.
 */
static void
expect_canary_after_thaw(void)
{
	memset(buf, CANARY, DEPTH * IO_BYTES);
	target_freeze(bed.target, false);
	sleep_ms(200);
	client_check_all(buf, DEPTH * IO_BYTES, CANARY);
}

START_TEST(an_abort_without_answer_costs_the_connection_and_no_data)
{
	struct srpi_queue *queue;
	struct srpi_io *ios[DEPTH];
	unsigned int i;
	uint64_t begin;

	up(SOFT_IRQ_THREAD, 64, "&io_timeout=60s");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	expect_all_good(queue);
	target_freeze(bed.target, true);
	for (i = 0; i < DEPTH; i++)
		ios[i] = start(queue, CLIENT_READ, i);
	begin = clock_ns();
	ck_assert_int_eq(abort_io(ios[3]), -ETIMEDOUT);
	ck_assert_uint_ge(clock_ns() - begin, 4900 * CLOCK_NS_PER_MSEC);
	ck_assert_msg(strstr(reason, "not answered within 5 s"), "%s", reason);
	for (i = 0; i < DEPTH; i++)
		ck_assert_int_eq(wait_one(queue), -ECONNABORTED);
	expect_canary_after_thaw();
	ck_assert_uint_eq(client_stats(&client).disconnects, 1);
	down();
}
END_TEST

START_TEST(a_reset_without_answer_costs_the_connection_and_no_data)
{
	struct srpi_queue *queue;
	unsigned int i;

	up(SOFT_IRQ_THREAD, 64, "&io_timeout=60s");
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, DEPTH);
	expect_all_good(queue);
	target_freeze(bed.target, true);
	for (i = 0; i < DEPTH; i++)
		start(queue, CLIENT_READ, i);
	ck_assert_int_eq(reset_lun(), -ETIMEDOUT);
	ck_assert_msg(
		strstr(reason, "not answered within 15 s"), "%s", reason);
	for (i = 0; i < DEPTH; i++)
		ck_assert_int_eq(wait_one(queue), -ECONNABORTED);
	expect_canary_after_thaw();
	down();
}
END_TEST

START_TEST(a_dead_connection_is_told_as_one)
{
	struct srpi_queue *queue;
	struct srpi_io *io;

	up(SOFT_IRQ_THREAD, 64, "&io_timeout=60s");
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, DEPTH);
	answer(false);
	io = start(queue, CLIENT_READ, 0);
	target_disconnect_all(bed.target);
	sleep_ms(50);
	/* ended by then, or found dead now */
	must(abort_io(io) == 0 || strstr(reason, "connection lost"));
	ck_assert_int_eq(wait_one(queue), -ECONNRESET);
	ck_assert_int_eq(reset_lun(), -ENOTCONN);
	ck_assert_msg(strstr(reason, "connection lost"), "%s", reason);
	down();
}
END_TEST

/* What is slow does a part of each loop, all modes among them. */
static void
add_loop(TCase *tcase, const TTest *test, int nr)
{
	int step = client_is_slow() ? 3 : 1, i;

	for (i = 0; i < nr; i += step)
		tcase_add_loop_test(tcase, test, i, i + 1);
}

int
main(void)
{
	TCase *tcase = tcase_create("tmf");

	tcase_set_timeout(tcase, 120);
	add_loop(tcase, a_command_without_an_answer_can_be_aborted, NR_ABORTS);
	tcase_add_loop_test(tcase, a_command_that_has_finished_stays_as_it_is,
		0, NR_MODES);
	tcase_add_loop_test(tcase,
		a_command_that_has_not_been_sent_is_the_initiators_alone, 0,
		NR_MODES);
	tcase_add_loop_test(tcase, an_abort_amid_io_ends_each_command_once, 0,
		NR_MODES);
	tcase_add_loop_test(
		tcase, an_abort_ends_all_parts_of_an_io, 0, NR_MODES);
	add_loop(tcase, a_reset_under_io_frees_every_waiter_and_hurts_nobody,
		NR_RESETS);
	tcase_add_test(tcase, a_reset_leaves_other_luns_alone);
	tcase_add_loop_test(
		tcase, a_reset_without_io_is_answered_too, 0, NR_MODES);
	tcase_add_test(tcase, what_is_no_request_is_refused_with_a_sentence);
	tcase_add_test(
		tcase, an_abort_without_answer_costs_the_connection_and_no_data);
	tcase_add_test(
		tcase, a_reset_without_answer_costs_the_connection_and_no_data);
	tcase_add_test(tcase, a_dead_connection_is_told_as_one);
	return unit_run(tcase, "tmf");
}
