/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Task management: what ABORT TASK and LUN RESET end, what they leave alone. */
#include "tmf_rig.h"

#include <errno.h>

#include "../unit/unit.h"

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

START_TEST(a_reset_is_of_the_lun_however_often_it_is_open)
{
	struct srpi_lun *again;
	struct srpi_queue *queue;

	up(SOFT_IRQ_SOFTIRQ, 64, "");
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, DEPTH);
	ck_assert_msg(!srpi_lun_open(client.session, client.info.lun, &again,
			      reason, sizeof(reason)),
		"%s", reason);
	answer(false);
	start(queue, CLIENT_READ, 0);
	ck_assert_msg(!srpi_tmf(client.session, again, SRPI_TMF_LUN_RESET,
			      NULL, reason, sizeof(reason)),
		"%s", reason);
	ck_assert_int_eq(wait_one(queue), -ECANCELED);
	answer(true);
	expect_all_good(queue);
	down();
}
END_TEST

/* Loop: the completion mode. */
START_TEST(a_queue_that_shares_is_destroyed_without_waiting_for_its_io)
{
	struct srpi_queue *one, *other;
	unsigned int i;

	up(SOFT_IRQ_THREAD, 64, "&channels=1&io_timeout=60m");
	one = client_queue(&client, mode_of(_i), DEPTH);
	other = client_queue(&client, mode_of(_i), DEPTH);
	answer(false);
	for (i = 0; i < DEPTH; i++)
		start(other, i % 2 ? CLIENT_READ : CLIENT_WRITE, i);
	srpi_queue_destroy(other);
	answer(true);
	expect_all_good(one);
	ck_assert_uint_eq(client_stats(&client).aborts, DEPTH);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
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

int
main(void)
{
	TCase *tcase = tcase_create("tmf");

	tcase_set_timeout(tcase, 120);
	client_add_loop(tcase, a_command_without_an_answer_can_be_aborted,
		NR_ABORTS);
	tcase_add_loop_test(tcase, a_command_that_has_finished_stays_as_it_is,
		0, NR_MODES);
	tcase_add_loop_test(tcase,
		a_command_that_has_not_been_sent_is_the_initiators_alone, 0,
		NR_MODES);
	tcase_add_loop_test(tcase, an_abort_amid_io_ends_each_command_once, 0,
		NR_MODES);
	tcase_add_loop_test(
		tcase, an_abort_ends_all_parts_of_an_io, 0, NR_MODES);
	client_add_loop(tcase,
		a_reset_under_io_frees_every_waiter_and_hurts_nobody,
		NR_RESETS);
	tcase_add_loop_test(tcase,
		a_queue_that_shares_is_destroyed_without_waiting_for_its_io, 0,
		NR_MODES);
	tcase_add_test(tcase, a_reset_leaves_other_luns_alone);
	tcase_add_test(
		tcase, a_reset_is_of_the_lun_however_often_it_is_open);
	tcase_add_loop_test(
		tcase, a_reset_without_io_is_answered_too, 0, NR_MODES);
	return unit_run(tcase, "tmf");
}
