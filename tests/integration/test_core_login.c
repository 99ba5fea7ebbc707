/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Logging in: what a refusal says, what is tried again, what targets may
 * leave out, and that a step that fails leaves nothing behind.
 */
#include "core_rig.h"

#include <errno.h>
#include <stdio.h>

#include "../unit/unit.h"
#include "util/log.h"
#include "wire/srp_iu.h"

static struct rig rig;

static const uint32_t rej_reasons[] = {
	SRP_REJ_UNABLE_ESTABLISH_CHANNEL,
	SRP_REJ_INSUFFICIENT_RESOURCES,
	SRP_REJ_IU_LEN_TOO_LARGE,
	SRP_REJ_UNABLE_ASSOCIATE_CHANNEL,
	SRP_REJ_UNSUPPORTED_DESC_FMT,
	SRP_REJ_MULTI_CHANNEL_UNSUPPORTED,
	SRP_REJ_CHANNEL_LIMIT_REACHED,
	0x00010009, /* of a later standard */
	0xdeadbeef,
};

START_TEST(a_refused_login_names_the_reason_and_its_number)
{
	uint32_t reason = rej_reasons[_i];
	struct target_faults faults = { .login_rej_reason = reason };
	struct target_stats stats;
	char number[16];

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	target_set_faults(rig.target, &faults);
	ck_assert_int_eq(rig_open(&rig), -ECONNREFUSED);
	snprintf(number, sizeof(number), "0x%08x", reason);
	ck_assert_msg(strstr(rig.reason, number) &&
			strstr(rig.reason, srp_iu_rej_name(reason)),
		"%s", rig.reason);
	target_stats(rig.target, &stats);
	ck_assert_uint_eq(stats.logins, 0);
	/* a shorter IU is worth another try, nothing else is */
	ck_assert_uint_eq(
		stats.rejects, reason == SRP_REJ_IU_LEN_TOO_LARGE ? 4 : 1);
	rig_down(&rig);
}
END_TEST

START_TEST(a_wrong_port_id_is_refused_with_what_to_check)
{
	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.ioc_guid ^= 1;
	ck_assert_int_eq(rig_open(&rig), -ECONNREFUSED);
	ck_assert_msg(strstr(rig.reason, "ioc_guid"), "%s", rig.reason);
	rig_down(&rig);
}
END_TEST

/* The longest IU the target takes: 255 descriptors fit, 12, or one. */
static const uint32_t iu_bytes[] = {
	8260, 4148, 4147, 1024, 260, 259, 100, 64,
};

static void
expect_gathered_io(void)
{
	struct iovec iov[256];
	struct srpi_io *io;
	unsigned int nr, i;

	/* every second block: no two neighbours merge */
	for (nr = 1; nr <= 255; nr++) {
		for (i = 0; i < nr; i++)
			iov[i] = (struct iovec){
				rig.buf + 2 * i * RIG_BLOCK, RIG_BLOCK };
		io = srpi_get(rig.queue);
		must(!srpi_prep_read(io, rig.lun, 0, nr, iov, nr));
		for (i = 0; i < nr; i++)
			memset(iov[i].iov_base, 0, RIG_BLOCK);
		srpi_queue_io(io);
		srpi_submit(rig.queue);
		must(!rig_wait_one(rig.queue, NULL));
		for (i = 0; i < nr; i++)
			rig_check(iov[i].iov_base, i, 1, 7);
	}
}

START_TEST(ius_too_long_are_shortened_and_io_stays_right)
{
	const struct target_lun_attr lun = {
		.backend = "ram",
		.size_bytes = RIG_LUN_BYTES,
	};
	struct target_attr attr = {
		.luns = &lun,
		.nr_luns = 1,
		.max_it_iu_bytes = iu_bytes[_i],
	};
	struct iovec iov = { NULL, 256 * RIG_BLOCK };
	struct srpi_session_info info;
	struct srpi_io *io;

	rig_up(&rig, SOFT_IRQ_SOFTIRQ, &attr);
	rig_open_all(&rig, NULL);
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(info.max_it_iu_bytes, iu_bytes[_i]);
	iov.iov_base = rig.buf;
	rig_fill(rig.buf, 0, 256, 7);
	io = srpi_get(rig.queue);
	ck_assert_int_eq(srpi_prep_write(io, rig.lun, 0, 256, &iov, 1), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
	expect_gathered_io();
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

START_TEST(one_refusal_for_length_is_enough_to_ask_for_less)
{
	struct target_faults faults = {
		.login_rej_reason = SRP_REJ_IU_LEN_TOO_LARGE,
		.login_rej_count = 1,
	};
	struct srpi_session_info info;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	target_set_faults(rig.target, &faults);
	rig_open_all(&rig, NULL);
	/* immediate data is what it was asked without */
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(info.imm_data_bytes, 0);
	rig_verify(&rig, 16, 1);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

/* Loop: asked for or not. */
START_TEST(immediate_data_is_used_where_it_is_wanted_and_granted)
{
	struct srpi_session_info info;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.imm_data = _i;
	rig_open_all(&rig, NULL);
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(info.imm_data_bytes, _i ? 8192 : 0);
	rig_verify(&rig, 16, 1);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

START_TEST(a_stale_connection_is_tried_again)
{
	struct target_faults faults = { .cm_reject_stale = 4 };

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	target_set_faults(rig.target, &faults);
	rig_stale_rejects(4);
	rig_open_all(&rig, NULL);
	rig_verify(&rig, 16, 1);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

START_TEST(a_connection_stale_for_ever_is_given_up_in_time)
{
	struct target_faults faults = { .cm_reject_stale = 1000000 };
	uint64_t begin = clock_ns();

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	target_set_faults(rig.target, &faults);
	rig_stale_rejects(1000000);
	rig.attr.login_timeout_ms = 300;
	ck_assert_int_eq(rig_open(&rig), -ECONNREFUSED);
	ck_assert_msg(strstr(rig.reason, "stale"), "%s", rig.reason);
	ck_assert_uint_ge(clock_ns() - begin, 300 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_lt(
		clock_ns() - begin, CLOCK_NS_PER_SEC + RIG_SLACK_NS);
	rig_down(&rig);
}
END_TEST

START_TEST(nobody_who_listens_is_a_host_not_reached)
{
	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	((struct sockaddr_in *)&rig.attr.addr)->sin_port ^= htons(1);
	ck_assert_int_eq(rig_open(&rig), -EHOSTUNREACH);
	ck_assert_msg(strstr(rig.reason, "check address and port"), "%s",
		rig.reason);
	rig_down(&rig);
}
END_TEST

START_TEST(a_frozen_target_is_not_waited_for_beyond_login_timeout)
{
	uint64_t begin = clock_ns();

	rig_up_ram(&rig, SOFT_IRQ_THREAD);
	target_freeze(rig.target, true);
	/* it may sit in its poll: the first event wakes it once more */
	rig.attr.login_timeout_ms = 300;
	rig.attr.io_timeout_ms = 300;
	ck_assert_int_eq(rig_open(&rig), -ETIMEDOUT);
	ck_assert_uint_lt(
		clock_ns() - begin, CLOCK_NS_PER_SEC + RIG_SLACK_NS);
	target_freeze(rig.target, false);
	rig_down(&rig);
}
END_TEST

START_TEST(few_credits_are_enough)
{
	static const uint16_t limits[] = { 1, 2, 3, 5 };
	const struct target_lun_attr lun = {
		.backend = "ram",
		.size_bytes = RIG_LUN_BYTES,
	};
	struct target_attr attr = {
		.luns = &lun,
		.nr_luns = 1,
		.req_lim = limits[_i],
	};
	struct srpi_session_info info;
	uint32_t i;

	rig_up(&rig, SOFT_IRQ_SOFTIRQ, &attr);
	rig_open_all(&rig, NULL);
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(info.req_lim, limits[_i]);
	rig_verify(&rig, 32, 1);
	/* far more than the window: the rest follows by itself */
	for (i = 0; i < 32; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, i, false));
	ck_assert_int_eq(srpi_submit(rig.queue), 32);
	for (i = 0; i < 32; i++)
		ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

START_TEST(a_target_without_luns_is_a_session_without_luns)
{
	const struct target_attr attr = { .nr_luns = 0 };
	struct srpi_lun *lun;
	uint8_t luns[4][8], bytes[8];

	rig_up(&rig, SOFT_IRQ_SOFTIRQ, &attr);
	ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
	ck_assert_int_eq(srpi_luns(rig.session, luns, 4), 0);
	ck_assert_int_eq(srpi_lun_from_number(0, bytes), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, bytes, &lun, rig.reason,
				 sizeof(rig.reason)),
		-ENODEV);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

START_TEST(a_lun_that_is_not_there_is_named)
{
	struct srpi_lun *lun;
	uint8_t bytes[8];

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig_open_all(&rig, NULL);
	ck_assert_int_eq(srpi_lun_from_number(5, bytes), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, bytes, &lun, rig.reason,
				 sizeof(rig.reason)),
		-ENODEV);
	ck_assert_msg(strstr(rig.reason, "LUN 5"), "%s", rig.reason);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

/*
 * Every creation that the core asks the fabric for fails once; what it made
 * before is taken back each time, and the sentence is never empty.
 */
START_TEST(a_session_whose_set_up_fails_leaves_nothing)
{
	int n, ret, nr_failed = 0;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	for (n = 1; n < 100; n++) {
		rig_fail_at(n);
		ret = rig_open(&rig);
		if (!rig_has_failed())
			break;
		if (!ret) { /* a QP, asked for again with less inline room */
			rig_close(&rig);
			continue;
		}
		nr_failed++;
		ck_assert_uint_gt(strlen(rig.reason), 10);
		rig_expect_nothing_left();
	}
	rig_fail_at(0);
	ck_assert_int_eq(ret, 0);
	ck_assert_int_gt(nr_failed, 8);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

/* The same for a queue; with @_i the queue shares an older one's channel. */
START_TEST(a_queue_whose_set_up_fails_leaves_the_others_alone)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_queue *queue = NULL;
	int n, ret, nr_failed = 0, live[RIG_NR_KINDS], i;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig.attr.channels = _i ? 1 : 4;
	rig_open_all(&rig, &opts);
	for (i = 0; i < RIG_NR_KINDS; i++)
		live[i] = rig_nr_live((enum rig_kind)i);
	for (n = 1; n < 100; n++) {
		rig_fail_at(n);
		ret = srpi_queue_create(rig.session, &opts, &queue, rig.reason,
			sizeof(rig.reason));
		if (!rig_has_failed())
			break;
		if (!ret) { /* an attempt that had another way */
			srpi_queue_destroy(queue);
			continue;
		}
		nr_failed++;
		for (i = 0; i < RIG_NR_KINDS; i++)
			ck_assert_int_eq(
				rig_nr_live((enum rig_kind)i), live[i]);
		rig_fail_at(0);
		rig_verify(&rig, 4, (uint32_t)n);
	}
	rig_fail_at(0);
	ck_assert_int_gt(nr_failed, 0);
	ck_assert_int_eq(ret, 0);
	rig_verify(&rig, 4, 1000);
	ck_assert_int_eq(rig_do(queue, &rig, 0, false), 0);
	rig_close(&rig);
	rig_down(&rig);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("core_login");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase,
		a_refused_login_names_the_reason_and_its_number, 0,
		ARRAY_SIZE(rej_reasons));
	tcase_add_test(tcase, a_wrong_port_id_is_refused_with_what_to_check);
	tcase_add_loop_test(tcase, ius_too_long_are_shortened_and_io_stays_right,
		0, ARRAY_SIZE(iu_bytes));
	tcase_add_test(tcase, one_refusal_for_length_is_enough_to_ask_for_less);
	tcase_add_loop_test(tcase,
		immediate_data_is_used_where_it_is_wanted_and_granted, 0, 2);
	tcase_add_test(tcase, a_stale_connection_is_tried_again);
	tcase_add_test(tcase, a_connection_stale_for_ever_is_given_up_in_time);
	tcase_add_test(tcase, nobody_who_listens_is_a_host_not_reached);
	tcase_add_test(
		tcase, a_frozen_target_is_not_waited_for_beyond_login_timeout);
	tcase_add_loop_test(tcase, few_credits_are_enough, 0, 4);
	tcase_add_test(tcase, a_target_without_luns_is_a_session_without_luns);
	tcase_add_test(tcase, a_lun_that_is_not_there_is_named);
	tcase_add_test(tcase, a_session_whose_set_up_fails_leaves_nothing);
	tcase_add_loop_test(tcase,
		a_queue_whose_set_up_fails_leaves_the_others_alone, 0, 2);
	return unit_run(tcase, "core_login");
}
