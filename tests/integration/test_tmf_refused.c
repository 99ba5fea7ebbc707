/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management that the target refuses or does not answer, and that no
 * buffer is given back into which the target may still write.
 */
#include "tmf_rig.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/clock.h"
#include "util/compiler.h"

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

/* ---- refused ---- */

static const struct {
	uint8_t code;
	const char *said;
} refusals[] = {
	{ 4, "task management function not supported (code 4)" },
	{ 5, "task management function failed (code 5)" },
};
#define NR_REFUSALS 2

static void
refuse(uint8_t code, uint32_t silent_every)
{
	target_set_faults(bed.target, &(struct target_faults){
		.tmf_rsp_code = code,
		.silent_every = silent_every,
	});
}

/* Loop: mode, code. The I/O is as it was: others pass it, and it can still be
 * aborted. */
START_TEST(an_abort_that_is_refused_leaves_the_io_under_way)
{
	struct srpi_queue *queue;
	struct srpi_io *io, *done;
	unsigned int i;

	up(SOFT_IRQ_THREAD, 64, "&io_timeout=60s");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	refuse(refusals[_i / NR_MODES].code, 1);
	io = start(queue, CLIENT_READ, 0);
	ck_assert_int_eq(abort_io(io), -EREMOTEIO);
	ck_assert_msg(strstr(reason, "ABORT TASK: the target refused: "), "%s",
		reason);
	ck_assert_msg(strstr(reason, refusals[_i / NR_MODES].said), "%s",
		reason);
	refuse(refusals[_i / NR_MODES].code, 0);
	for (i = 1; i < DEPTH; i++)
		start(queue, CLIENT_WRITE, i);
	client_reap_ok(queue, DEPTH - 1);
	ck_assert_int_eq(srpi_wait(queue, &done, 1, 1, 0), 0);
	answer(true);
	ck_assert_msg(!abort_io(io), "%s", reason);
	ck_assert_int_eq(wait_one(queue), -ECANCELED);
	expect_all_good(queue);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	down();
}
END_TEST

/* Loop: mode, code. */
START_TEST(a_reset_that_is_refused_ends_nothing)
{
	struct user users[NR_USERS];
	uint64_t nr;
	int i;

	up(SOFT_IRQ_THREAD, 64, "&channels=2&imm_data=yes");
	refuse(refusals[_i / NR_MODES].code, 0);
	start_users(users, mode_of(_i));
	for (i = 0; i < 10; i++) {
		ck_assert_int_eq(reset_lun(), -EREMOTEIO);
		ck_assert_msg(strstr(
				      reason, "UNIT RESET: the target refused: "),
			"%s", reason);
		ck_assert_msg(strstr(reason, refusals[_i / NR_MODES].said),
			"%s", reason);
		nr = count_users(users);
		while (count_users(users) == nr)
			sleep_ms(1);
	}
	ck_assert_uint_eq(join_users(users), 0);
	for (i = 0; i < NR_USERS; i++)
		expect_all_good(users[i].queue);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	ck_assert_uint_eq(client_stats(&client).timeouts, 0);
	down();
}
END_TEST

/* ---- unanswered ---- */

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

static _Atomic bool is_reset_over;

static void *
run_reset(void *arg)
{
	*(int *)arg = reset_lun();
	atomic_store(&is_reset_over, true);
	return NULL;
}

/* Loop: the completion mode. */
START_TEST(nobody_waits_for_a_reset_that_is_not_answered)
{
	struct srpi_queue *queues[2], *third;
	struct srpi_session_info info;
	pthread_t thread;
	unsigned int i;
	uint64_t sent;
	int ret;

	up(SOFT_IRQ_THREAD, 64, "&io_timeout=60s&channels=2");
	for (i = 0; i < 2; i++) {
		queues[i] = client_queue(&client, mode_of(_i), DEPTH);
		expect_all_good(queues[i]);
	}
	target_freeze(bed.target, true);
	for (i = 0; i < DEPTH; i++)
		start(queues[0], CLIENT_READ, i);
	sent = client_stats(&client).send_wrs;
	must(!pthread_create(&thread, NULL, run_reset, &ret));
	while (client_stats(&client).send_wrs == sent)
		sleep_ms(1);
	srpi_session_info(client.session, &info);
	third = client_queue(&client, mode_of(_i), DEPTH);
	srpi_queue_destroy(third);
	srpi_queue_destroy(queues[1]);
	/* the one whose commands it is about, too */
	srpi_queue_destroy(queues[0]);
	ck_assert(!atomic_load(&is_reset_over));
	expect_canary_after_thaw();
	must(!pthread_join(thread, NULL));
	ck_assert_msg(!ret, "%s", reason);
	expect_all_good(client_queue(&client, mode_of(_i), DEPTH));
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

int
main(void)
{
	TCase *tcase = tcase_create("tmf_refused");
	int step = client_is_slow() ? 3 : 1, i;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, what_is_no_request_is_refused_with_a_sentence);
	tcase_add_test(
		tcase, an_abort_without_answer_costs_the_connection_and_no_data);
	tcase_add_test(
		tcase, a_reset_without_answer_costs_the_connection_and_no_data);
	tcase_add_test(tcase, a_dead_connection_is_told_as_one);
	tcase_add_loop_test(tcase,
		nobody_waits_for_a_reset_that_is_not_answered, 0, NR_MODES);
	for (i = 0; i < NR_REFUSALS * (int)NR_MODES; i += step) {
		tcase_add_loop_test(tcase,
			an_abort_that_is_refused_leaves_the_io_under_way, i,
			i + 1);
		tcase_add_loop_test(tcase,
			a_reset_that_is_refused_ends_nothing, i, i + 1);
	}
	return unit_run(tcase, "tmf_refused");
}
