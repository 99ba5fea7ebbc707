/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Remote ports against an embedded target whose doings the test has in hand:
 * what becomes of a session that is lost, refused, changed, or let go.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "rport_rig.h"

static bool
has_been_told(void)
{
	return rig.nr_changes > 0;
}

START_TEST(a_target_gets_ready_and_tells_of_itself)
{
	struct rport *rport = rig_start_ready();
	struct srpi_lun_info luns[4];
	struct rport_status status = rig_status("a");

	ck_assert_uint_eq(status.attempts, 1);
	ck_assert_uint_eq(status.reconnects, 0);
	ck_assert_str_eq(status.last_error, "");
	ck_assert_str_eq(status.url, rig.url);
	ck_assert(status.nr_channels >= 1 && status.nr_luns == 2);
	ck_assert_uint_ne(status.ready_ns, 0);
	ck_assert_ptr_nonnull(strstr(rig.url, status.portal));
	ck_assert_uint_eq(rport_luns(rport, luns, 4), 2);
	ck_assert_uint_eq(luns[0].number, 0);
	ck_assert_uint_eq(luns[0].blocks, 2048);
	ck_assert_uint_eq(luns[1].number, 5);
	ck_assert_uint_eq(rport_luns(rport, luns, 1), 2);
	rig_run_until(has_been_told);
}
END_TEST

static bool
has_no_luns(void)
{
	return rport_luns(rports_find(rig.rports, "a"), NULL, 0) == 0;
}

START_TEST(a_lost_connection_comes_back_and_counters_stay)
{
	struct rport *rport = rig_start_ready();
	struct srpi_stats before, after;
	struct rport_status status;

	rport_stats(rport, &before);
	ck_assert_uint_gt(before.send_wrs, 0);
	target_disconnect_all(rig.target);
	/* The state is told first, then the session closed. */
	rig_wait_state(RPORT_BLOCKED);
	rig_run_until(has_no_luns);
	ck_assert_str_ne(rig_status("a").last_error, "");
	rport_stats(rport, &after);
	ck_assert_uint_ge(after.send_wrs, before.send_wrs);
	rig_wait_state(RPORT_READY);
	status = rig_status("a");
	ck_assert_uint_eq(status.reconnects, 1);
	rport_stats(rport, &after);
	ck_assert_uint_gt(after.send_wrs, before.send_wrs);
	ck_assert_uint_ge(after.disconnects, 1);
}
END_TEST

START_TEST(a_refusal_is_told_and_tried_again)
{
	struct rport_status status;

	rig_refuse(true);
	rig_start(rig_attr("a", rig.url));
	rig_run_until(rig_has_failed);
	status = rig_status("a");
	ck_assert_int_eq(status.state, RPORT_CONNECTING);
	ck_assert_int_eq(status.last_errno, -ECONNREFUSED);
	ck_assert_msg(strstr(status.last_error, "00010006"), "%s",
		status.last_error);
	rig_refuse(false);
	rig_wait_state(RPORT_READY);
	ck_assert_uint_ge(rig_status("a").attempts, 2);
}
END_TEST

START_TEST(a_reconnect_cuts_a_long_wait_short)
{
	struct rport_attr *attr = rig_attr("a", rig.url);
	struct rport_status status;
	struct rport *rport;
	int tries = 0;

	attr->reconnect_delay_ns = 3600 * CLOCK_NS_PER_SEC;
	rig_refuse(true);
	rport = rig_start(attr);
	rig_run_until(rig_has_failed);
	/* Until the wait is one that a test would not survive. */
	while (rig_status("a").attempts < 4) {
		ck_assert_int_lt(tries++, 20);
		rig_do(rport, RPORT_LOGIN, 0);
		ck_assert_int_eq(rig.answer_rc, -ECONNREFUSED);
		ck_assert_str_ne(rig.answer_text, "");
	}
	rig_run_until(rig_has_failed);
	status = rig_status("a");
	ck_assert_uint_gt(status.next_try_ns, status.last_error_ns);
	rig_refuse(false);
	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
	ck_assert_uint_eq(rig_status("a").next_try_ns, 0);
}
END_TEST

START_TEST(a_reconnect_of_a_session_that_works_makes_another)
{
	struct rport *rport = rig_start_ready();

	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
	ck_assert_uint_eq(rig_status("a").reconnects, 1);
	/* And a login of one that is logged in, nothing. */
	ck_assert_int_eq(rig_do(rport, RPORT_LOGIN, 0), 0);
	ck_assert_uint_eq(rig_status("a").attempts, 2);
}
END_TEST

START_TEST(a_logout_lasts_until_a_login)
{
	struct rport *rport = rig_start_ready();

	ck_assert_int_eq(rig_do(rport, RPORT_LOGOUT, 0), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_LOGGED_OUT);
	ck_assert(has_no_luns());
	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), -ENOTCONN);
	ck_assert_ptr_nonnull(strstr(rig.answer_text, "logged-out"));
	ck_assert_int_eq(rig_do(rport, RPORT_LOGIN, 0), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
}
END_TEST

/* As many as may, and one more, which alone is answered before the login. */
START_TEST(requests_wait_for_a_login_up_to_a_limit)
{
	struct rport *rport = rig_start_ready();
	int i;

	rig_ask(rport, RPORT_LOGOUT, 0);
	for (i = 0; i < 32; i++)
		rig_ask(rport, i % 2 ? RPORT_RESCAN : RPORT_RESET, 5);
	rig.nr_answers = 0;
	rig_ask(rport, RPORT_RESCAN, 0);
	rig.wanted_nr = 2; /* the logout's too */
	rig_run_until(rig_has_answers);
	ck_assert_uint_eq(rig.nr_answers, 2);
	ck_assert_int_eq(rig.answer_rc, -EBUSY);
	ck_assert_ptr_nonnull(strstr(rig.answer_text, "32 commands wait"));
	rig_ask(rport, RPORT_LOGIN, 0);
	rig.wanted_nr = 2 + 32 + 1;
	rig_run_until(rig_has_answers);
	ck_assert_int_eq(rig.answer_rc, 0);
	ck_assert_uint_eq(rig_status("a").rescans, 16);
	ck_assert_uint_eq(rig.nr_answers, rig.wanted_nr);
}
END_TEST

START_TEST(without_autologin_only_a_request_logs_in)
{
	struct rport_attr *attr = rig_attr("a", rig.url);
	struct rport *rport;

	attr->autologin = false;
	rport = rig_start(attr);
	ck_assert_int_eq(rig_do(rport, RPORT_LOGOUT, 0), 0);
	ck_assert_uint_eq(rig_status("a").attempts, 0);
	ck_assert_int_eq(rig_do(rport, RPORT_LOGIN, 0), 0);
	ck_assert_uint_eq(rig_status("a").attempts, 1);
}
END_TEST

static bool
has_no_next_try(void)
{
	return rig_status("a").next_try_ns == 0;
}

START_TEST(one_lost_for_good_starts_again_when_asked)
{
	struct rport_attr *attr = rig_attr("a", rig.url);
	struct rport *rport;

	attr->fast_io_fail_ns = 100 * CLOCK_NS_PER_MSEC;
	attr->dev_loss_ns = 300 * CLOCK_NS_PER_MSEC;
	rport = rig_start(attr);
	rig_wait_state(RPORT_READY);
	rig_refuse(true);
	target_disconnect_all(rig.target);
	rig_wait_state(RPORT_LOST);
	rig_run_until(has_no_next_try); /* told just after the state */
	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), -ECONNREFUSED);
	rig_refuse(false);
	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
}
END_TEST

static bool
has_rescanned(void)
{
	return rig_status("a").rescans >= rig.wanted_nr;
}

START_TEST(a_change_of_luns_is_looked_after)
{
	struct rport *rport = rig_start_ready();

	ck_assert_int_eq(rig_do(rport, RPORT_RESCAN, 0), 0);
	ck_assert_uint_eq(rig_status("a").rescans, 1);
	/* Told with the next command, which is a look of its own here. */
	ck_assert_int_eq(
		target_unit_attention(rig.target, 0, 0x3f, 0x0e, false), 0);
	ck_assert_int_eq(rig_do(rport, RPORT_RESCAN, 0), 0);
	rig.wanted_nr = 3;
	rig_run_until(has_rescanned);
	ck_assert_uint_eq(rig_status("a").attempts, 1);
}
END_TEST

START_TEST(an_idle_session_is_looked_at)
{
	struct rport_attr *attr = rig_attr("a", rig.url);

	attr->probe_ns = 10 * CLOCK_NS_PER_MSEC;
	rig_start(attr);
	rig_wait_state(RPORT_READY);
	rig.wanted_nr = 3;
	rig_run_until(has_rescanned);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
}
END_TEST

START_TEST(a_silent_target_is_found_by_looking)
{
	struct rport_attr *attr = rig_attr("a", rig.url);

	attr->probe_ns = 10 * CLOCK_NS_PER_MSEC;
	rport_attr_set_pair(attr, "io_timeout", "200ms");
	rport_attr_set_pair(attr, "login_timeout", "200ms");
	rig_start(attr);
	rig_wait_state(RPORT_READY);
	target_freeze(rig.target, true);
	rig_wait_state(RPORT_BLOCKED);
	target_freeze(rig.target, false);
	rig_wait_state(RPORT_READY);
	ck_assert_uint_eq(rig_status("a").reconnects, 1);
}
END_TEST

START_TEST(luns_are_reset_one_or_all)
{
	struct rport *rport = rig_start_ready();

	ck_assert_int_eq(rig_do(rport, RPORT_RESET, 5), 0);
	ck_assert_int_eq(rig_do(rport, RPORT_RESET, RPORT_ALL_LUNS), 0);
	ck_assert_int_eq(rig_do(rport, RPORT_RESET, 6), -ENOENT);
	ck_assert_ptr_nonnull(strstr(rig.answer_text, "no LUN 6"));
}
END_TEST

static bool
is_again(void)
{
	return rig_status("a").attempts == rig.wanted_nr && rig_has_state();
}

START_TEST(a_change_of_policy_keeps_the_session)
{
	struct rport *rport = rig_start_ready();
	struct rport_status before = rig_status("a"), after;
	struct rport_attr *attr = rig_attr("a", rig.url);

	attr->dev_loss_ns = 60 * CLOCK_NS_PER_SEC;
	attr->required = true;
	rports_change(rig.rports, rport, attr);
	ck_assert_ptr_eq(rport_attr(rport), attr);
	rport_attr_put(attr);
	/* Anything that goes through the thread after it. */
	ck_assert_int_eq(rig_do(rport, RPORT_LOGIN, 0), 0);
	after = rig_status("a");
	ck_assert(after.required);
	ck_assert_uint_eq(after.attempts, before.attempts);
	ck_assert_uint_eq(after.since_ns, before.since_ns);
	ck_assert_uint_eq(after.ready_ns, before.ready_ns);
}
END_TEST

START_TEST(another_key_logs_out_and_in)
{
	struct rport *rport = rig_start_ready();
	struct rport_attr *attr = rig_attr("a", rig.url);

	rport_attr_set_pair(attr, "depth", "7");
	rports_change(rig.rports, rport, attr);
	rport_attr_put(attr);
	rig.wanted_nr = 2;
	rig.wanted_state = RPORT_READY;
	rig_run_until(is_again);
}
END_TEST

START_TEST(requests_of_one_that_is_stopped_are_answered)
{
	struct rport *rport;

	rig_refuse(true);
	rport = rig_start(rig_attr("a", rig.url));
	rig_ask(rport, RPORT_LOGIN, 0);
	rports_stop(rig.rports, rport);
	ck_assert_int_eq(rport_request(rport, RPORT_LOGIN, 0, rig_on_answer, &rig.loop,
				 rig.reason, sizeof(rig.reason)),
		-ESHUTDOWN);
	ck_assert_ptr_null(rports_find(rig.rports, "a"));
	ck_assert_ptr_null(rports_at(rig.rports, 0));
	rig_run_until(rig_has_answers);
	ck_assert(rig.answer_rc == -ECANCELED || rig.answer_rc == -ECONNREFUSED);
	rig_run_until(rig_are_gone);
	/* The name is free again, and was so at once. */
	rig_refuse(false);
	rig_start_ready();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("rport");

	tcase_add_checked_fixture(tcase, rig_setup, rig_teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_target_gets_ready_and_tells_of_itself);
	tcase_add_test(tcase, a_lost_connection_comes_back_and_counters_stay);
	tcase_add_test(tcase, a_refusal_is_told_and_tried_again);
	tcase_add_test(tcase, a_reconnect_cuts_a_long_wait_short);
	tcase_add_test(
		tcase, a_reconnect_of_a_session_that_works_makes_another);
	tcase_add_test(tcase, a_logout_lasts_until_a_login);
	tcase_add_test(tcase, requests_wait_for_a_login_up_to_a_limit);
	tcase_add_test(tcase, without_autologin_only_a_request_logs_in);
	tcase_add_test(tcase, one_lost_for_good_starts_again_when_asked);
	tcase_add_test(tcase, a_change_of_luns_is_looked_after);
	tcase_add_test(tcase, an_idle_session_is_looked_at);
	tcase_add_test(tcase, a_silent_target_is_found_by_looking);
	tcase_add_test(tcase, luns_are_reset_one_or_all);
	tcase_add_test(tcase, a_change_of_policy_keeps_the_session);
	tcase_add_test(tcase, another_key_logs_out_and_in);
	tcase_add_test(tcase, requests_of_one_that_is_stopped_are_answered);
	return unit_run(tcase, "rport");
}
