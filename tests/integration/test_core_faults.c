/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The embedded target misbehaves in the ways its script has
 * (struct target_faults), or its LUNs do: what the initiator's caller sees.
 */
#include "core_rig.h"

#include <errno.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/log.h"

static struct rig rig;

static void
up(void)
{
	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.io_timeout_ms = 400;
	rig_open_all(&rig, NULL);
	rig_verify(&rig, 4, 1);
}

static void
down(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

static void
set_faults(struct target_faults faults)
{
	target_set_faults(rig.target, &faults);
}

/* The channel is dead: an I/O ends at once, and says why. */
static void
expect_dead(int error)
{
	uint64_t begin = clock_ns();

	ck_assert_int_eq(rig_do(rig.queue, &rig, 0, false), error);
	ck_assert_int_eq(rig_do(rig.queue, &rig, 1, true), error);
	ck_assert_uint_lt(clock_ns() - begin, 300 * CLOCK_NS_PER_MSEC);
}

/* One I/O's sentence, after its end. */
static int
do_explained(char *text, size_t n)
{
	struct srpi_io *io = rig_submit(rig.queue, &rig, 0, false), *done;
	int error;

	ck_assert_int_eq(srpi_wait(rig.queue, &done, 1, 1, -1), 1);
	ck_assert_ptr_eq(done, io);
	error = srpi_result(io)->error;
	srpi_explain(io, text, n);
	srpi_put(io);
	return error;
}

START_TEST(a_response_cut_short_ends_the_connection)
{
	char text[512];

	up();
	set_faults((struct target_faults){ .bad_length_every = 1 });
	ck_assert_int_eq(do_explained(text, sizeof(text)), -EPROTO);
	ck_assert_msg(strstr(text, "malformed") && strstr(text, "20 bytes"),
		"%s", text);
	ck_assert_uint_eq(rig_stats(&rig).malformed_ius, 1);
	expect_dead(-EPROTO);
	down();
}
END_TEST

START_TEST(an_unknown_opcode_ends_the_connection)
{
	char text[512];

	up();
	set_faults((struct target_faults){ .bad_opcode_every = 1 });
	ck_assert_int_eq(do_explained(text, sizeof(text)), -EPROTO);
	ck_assert_msg(strstr(text, "0xee"), "%s", text);
	expect_dead(-EPROTO);
	down();
}
END_TEST

START_TEST(an_iu_longer_than_its_receive_names_rx_iu)
{
	char text[512];

	up();
	set_faults((struct target_faults){ .long_iu_every = 1 });
	ck_assert_int_eq(do_explained(text, sizeof(text)), -EPROTO);
	ck_assert_msg(strstr(text, "rx_iu=") && strstr(text, "512"), "%s",
		text);
	expect_dead(-EPROTO);
	down();
}
END_TEST

START_TEST(rx_iu_makes_room_for_long_ius)
{
	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.rx_iu_bytes = 600;
	rig_open_all(&rig, NULL);
	set_faults((struct target_faults){ .long_iu_every = 1 });
	rig_verify(&rig, 64, 1);
	down();
}
END_TEST

START_TEST(an_unknown_tag_is_counted_and_the_others_go_on)
{
	unsigned int i, nr_late = 0;
	int error;

	up();
	set_faults((struct target_faults){ .bad_tag_every = 8 });
	for (i = 0; i < 8; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, i, false));
	srpi_submit(rig.queue);
	for (i = 0; i < 8; i++) {
		error = rig_wait_one(rig.queue, NULL);
		/* the command whose answer went astray ends by its time */
		ck_assert_int_eq(error, i < 7 ? 0 : -ETIMEDOUT);
		nr_late += error != 0;
	}
	ck_assert_uint_eq(nr_late, 1);
	ck_assert_uint_eq(rig_stats(&rig).late_responses, 1);
	ck_assert_uint_eq(rig_stats(&rig).timeouts, 1);
	down();
}
END_TEST

START_TEST(a_silent_command_times_out_and_takes_the_channel_along)
{
	struct srpi_result result;
	uint64_t begin;
	char text[512];
	int i;

	up();
	set_faults((struct target_faults){ .silent_every = 4 });
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(rig_do(rig.queue, &rig, 0, false), 0);
	begin = clock_ns();
	rig_submit(rig.queue, &rig, 0, true);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -ETIMEDOUT);
	ck_assert_uint_ge(clock_ns() - begin, 390 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_lt(clock_ns() - begin,
		500 * CLOCK_NS_PER_MSEC + RIG_SLACK_NS);
	ck_assert_uint_eq(result.status, 0);
	ck_assert_uint_eq(result.bytes, 0);
	ck_assert_ptr_null(result.sense);
	expect_dead(-ECONNABORTED);
	ck_assert_int_eq(do_explained(text, sizeof(text)), -ECONNABORTED);
	ck_assert_msg(strstr(text, "io_timeout (400 ms)"), "%s", text);
	ck_assert_uint_eq(rig_stats(&rig).timeouts, 1);
	ck_assert_uint_eq(rig_stats(&rig).disconnects, 1);
	down();
}
END_TEST

/* With the late command end those that were in time: their buffers are safe. */
START_TEST(all_commands_of_a_failed_channel_end_exactly_once)
{
	struct srpi_io *ios[32];
	bool seen[32] = { false };
	unsigned int i, index, nr = 0;
	int n;

	up();
	set_faults((struct target_faults){ .silent_every = 1 });
	for (i = 0; i < 32; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, i, i % 2));
	srpi_submit(rig.queue);
	ck_assert_ptr_null(srpi_get(rig.queue));
	while (nr < 32) {
		n = srpi_wait(rig.queue, ios, 32 - nr, 32, -1);
		ck_assert_int_gt(n, 0);
		for (i = 0; (int)i < n; i++) {
			index = srpi_io_index(ios[i]);
			ck_assert(!seen[index]);
			seen[index] = true;
			ck_assert_int_eq(srpi_result(ios[i])->error, -ETIMEDOUT);
			srpi_put(ios[i]);
		}
		nr += (unsigned int)n;
	}
	ck_assert_int_eq(srpi_poll(rig.queue, ios, 32), 0);
	ck_assert_uint_eq(rig_stats(&rig).errors, 32);
	down();
}
END_TEST

START_TEST(credits_taken_away_end_io_by_its_time_and_nothing_else)
{
	unsigned int i;
	int error = 0;

	up();
	/* each response takes one credit more: the limit of 128 runs dry */
	set_faults((struct target_faults){ .rsp_delta = -2 });
	for (i = 0; i < 200 && !error; i++)
		error = rig_do(rig.queue, &rig, i % 64, false);
	ck_assert_int_eq(error, -ETIMEDOUT);
	ck_assert_uint_gt(i, 60);
	ck_assert_uint_lt(i, 130);
	ck_assert_uint_gt(rig_stats(&rig).credit_waits, 0);
	/* nobody said that the connection is bad */
	ck_assert_uint_eq(rig_stats(&rig).disconnects, 0);
	down();
}
END_TEST

START_TEST(more_credits_than_tags_do_no_harm)
{
	up();
	set_faults((struct target_faults){ .rsp_delta = INT32_MAX - 1 });
	rig_verify(&rig, 200, 9);
	down();
}
END_TEST

static void
expect_asked(bool by_aer)
{
	struct srpi_stats stats;
	unsigned int i, round;

	up();
	set_faults((struct target_faults){
		.cred_by_req = !by_aer, .aer_by_req = by_aer });
	rig_verify(&rig, 200, 3);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 32; i++)
			srpi_queue_io(rig_prep(rig.queue, &rig, i, false));
		srpi_submit(rig.queue);
		for (i = 0; i < 32; i++)
			must(!rig_wait_one(rig.queue, NULL));
	}
	stats = rig_stats(&rig);
	ck_assert_uint_gt(by_aer ? stats.aer_reqs : stats.cred_reqs, 10);
	ck_assert_uint_eq(by_aer ? stats.cred_reqs : stats.aer_reqs, 0);
	ck_assert_uint_eq(stats.errors, 0);
	down();
}

START_TEST(credits_may_come_by_cred_req_only)
{
	expect_asked(false);
}
END_TEST

START_TEST(credits_may_come_by_aer_req_only)
{
	expect_asked(true);
}
END_TEST

START_TEST(busy_now_and_then_is_no_error)
{
	static const uint8_t statuses[] = { SCSI_STATUS_BUSY,
		SCSI_STATUS_TASK_SET_FULL };

	up();
	set_faults((struct target_faults){
		.status = statuses[_i], .status_every = 10 });
	rig_verify(&rig, 50, 5);
	ck_assert_uint_ge(rig_stats(&rig).retries, 9);
	ck_assert_uint_eq(rig_stats(&rig).errors, 0);
	down();
}
END_TEST

START_TEST(busy_for_ever_ends_as_busy)
{
	struct srpi_result result;
	uint64_t begin;

	up();
	set_faults((struct target_faults){
		.status = SCSI_STATUS_BUSY, .status_every = 1 });
	begin = clock_ns();
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EBUSY);
	ck_assert_uint_eq(result.status, SCSI_STATUS_BUSY);
	ck_assert_uint_ge(clock_ns() - begin, 390 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_lt(clock_ns() - begin,
		500 * CLOCK_NS_PER_MSEC + RIG_SLACK_NS);
	/* a busy target is a good connection */
	set_faults((struct target_faults){ 0 });
	rig_verify(&rig, 4, 6);
	down();
}
END_TEST

START_TEST(a_reservation_conflict_ends_at_once)
{
	struct srpi_result result;

	up();
	set_faults((struct target_faults){
		.status = SCSI_STATUS_RESERVATION_CONFLICT, .status_every = 1 });
	rig_submit(rig.queue, &rig, 0, true);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EBADE);
	ck_assert_uint_eq(result.status, SCSI_STATUS_RESERVATION_CONFLICT);
	ck_assert_uint_eq(rig_stats(&rig).retries, 0);
	set_faults((struct target_faults){ 0 });
	rig_verify(&rig, 4, 6);
	down();
}
END_TEST

START_TEST(too_little_data_is_an_error_and_counted)
{
	struct srpi_result result;

	up();
	set_faults((struct target_faults){ .residual_bytes = 100 });
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EIO);
	ck_assert_uint_eq(result.status, 0);
	ck_assert_int_eq(result.residual, 100);
	ck_assert_uint_eq(result.bytes, RIG_BLOCK - 100);
	down();
}
END_TEST

START_TEST(too_much_data_is_told_but_no_error)
{
	struct srpi_result result;

	up();
	set_faults((struct target_faults){ .residual_bytes = -100 });
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), 0);
	ck_assert_int_eq(result.residual, -100);
	ck_assert_uint_eq(result.bytes, RIG_BLOCK);
	down();
}
END_TEST

START_TEST(stacked_unit_attentions_are_consumed)
{
	static const uint8_t codes[][2] = {
		{ 0x29, 0x00 }, { 0x2a, 0x09 }, { 0x3f, 0x0e } };
	unsigned int i;

	up();
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(target_unit_attention(rig.target, 0,
					 codes[i][0], codes[i][1], false),
			0);
	rig_verify(&rig, 1, 8);
	ck_assert_uint_eq(rig_stats(&rig).unit_attentions, 3);
	ck_assert_uint_eq(rig_stats(&rig).errors, 0);
	down();
}
END_TEST

START_TEST(unit_attentions_at_login_are_consumed)
{
	const struct target_lun_attr lun = {
		.backend = "ram",
		.size_bytes = RIG_LUN_BYTES,
	};
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	unsigned int i;

	rig_up(&rig, SOFT_IRQ_SOFTIRQ, &attr);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(target_unit_attention(
					 rig.target, 0, 0x29, (uint8_t)i, true),
			0);
	rig_open_all(&rig, NULL);
	rig_verify(&rig, 4, 1);
	ck_assert_uint_eq(rig_stats(&rig).unit_attentions, 4);
	down();
}
END_TEST

static void *
make_ready(void *arg)
{
	(void)arg;
	rig_sleep_ms(150);
	target_not_ready(rig.target, 0, 0, 0);
	return NULL;
}

START_TEST(a_lun_that_becomes_ready_is_waited_for)
{
	pthread_t thread;

	up();
	target_not_ready(rig.target, 0, 0x04, 0x01);
	ck_assert_int_eq(pthread_create(&thread, NULL, make_ready, NULL), 0);
	rig_verify(&rig, 1, 8);
	ck_assert_uint_gt(rig_stats(&rig).retries, 0);
	pthread_join(thread, NULL);
	/* and so is opening one */
	target_not_ready(rig.target, 0, 0x04, 0x01);
	ck_assert_int_eq(pthread_create(&thread, NULL, make_ready, NULL), 0);
	rig_lun(&rig, 0);
	pthread_join(thread, NULL);
	down();
}
END_TEST

START_TEST(a_lun_never_ready_ends_with_its_sense)
{
	struct srpi_result result;
	struct srpi_lun *lun;
	char text[512];
	uint8_t bytes[8];

	up();
	target_not_ready(rig.target, 0, 0x04, 0x01);
	ck_assert_int_eq(do_explained(text, sizeof(text)), -EIO);
	ck_assert_msg(strcasestr(text, "not ready"), "%s", text);
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EIO);
	ck_assert_uint_eq(result.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_uint_gt(result.sense_bytes, 0);
	ck_assert_uint_eq(result.bytes, 0);
	/* intervention required: nothing to wait for */
	target_not_ready(rig.target, 0, 0x04, 0x03);
	rig_submit(rig.queue, &rig, 0, false);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EIO);
	ck_assert_int_eq(srpi_lun_from_number(0, bytes), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, bytes, &lun, rig.reason,
				 sizeof(rig.reason)),
		-EAGAIN);
	ck_assert_msg(strcasestr(rig.reason, "not ready"), "%s", rig.reason);
	target_not_ready(rig.target, 0, 0, 0);
	rig_verify(&rig, 1, 8);
	down();
}
END_TEST

START_TEST(opening_a_lun_never_ready_ends_by_ready_timeout)
{
	struct srpi_lun *lun;
	uint8_t bytes[8];
	uint64_t begin;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.ready_timeout_ms = 300;
	rig_open_all(&rig, NULL);
	target_not_ready(rig.target, 0, 0x04, 0x01);
	ck_assert_int_eq(srpi_lun_from_number(0, bytes), 0);
	begin = clock_ns();
	ck_assert_int_eq(srpi_lun_open(rig.session, bytes, &lun, rig.reason,
				 sizeof(rig.reason)),
		-EAGAIN);
	ck_assert_uint_ge(clock_ns() - begin, 300 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_lt(
		clock_ns() - begin, CLOCK_NS_PER_SEC + RIG_SLACK_NS);
	ck_assert_msg(strcasestr(rig.reason, "not ready"), "%s", rig.reason);
	down();
}
END_TEST

static void
add_tests(TCase *tcase)
{
	tcase_add_test(tcase, a_response_cut_short_ends_the_connection);
	tcase_add_test(tcase, an_unknown_opcode_ends_the_connection);
	tcase_add_test(tcase, an_iu_longer_than_its_receive_names_rx_iu);
	tcase_add_test(tcase, rx_iu_makes_room_for_long_ius);
	tcase_add_test(tcase, an_unknown_tag_is_counted_and_the_others_go_on);
	tcase_add_test(
		tcase, a_silent_command_times_out_and_takes_the_channel_along);
	tcase_add_test(
		tcase, all_commands_of_a_failed_channel_end_exactly_once);
	tcase_add_test(tcase,
		credits_taken_away_end_io_by_its_time_and_nothing_else);
	tcase_add_test(tcase, more_credits_than_tags_do_no_harm);
	tcase_add_test(tcase, credits_may_come_by_cred_req_only);
	tcase_add_test(tcase, credits_may_come_by_aer_req_only);
	tcase_add_loop_test(tcase, busy_now_and_then_is_no_error, 0, 2);
	tcase_add_test(tcase, busy_for_ever_ends_as_busy);
	tcase_add_test(tcase, a_reservation_conflict_ends_at_once);
	tcase_add_test(tcase, too_little_data_is_an_error_and_counted);
	tcase_add_test(tcase, too_much_data_is_told_but_no_error);
	tcase_add_test(tcase, stacked_unit_attentions_are_consumed);
	tcase_add_test(tcase, unit_attentions_at_login_are_consumed);
	tcase_add_test(tcase, a_lun_that_becomes_ready_is_waited_for);
	tcase_add_test(tcase, a_lun_never_ready_ends_with_its_sense);
	tcase_add_test(
		tcase, opening_a_lun_never_ready_ends_by_ready_timeout);
}

int
main(void)
{
	TCase *tcase = tcase_create("core_faults");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	add_tests(tcase);
	return unit_run(tcase, "core_faults");
}
