/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Remote ports against an embedded target whose doings the test has in hand:
 * what becomes of a session that is lost, refused, changed, or let go.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "srpd/rport.h"
#include "target/target.h"
#include "util/clock.h"
#include "util/loop.h"

#define ID UINT64_C(0x0002c90300a0b0c0)
#define WAIT_NS (60 * CLOCK_NS_PER_SEC)

static struct loop loop;
static struct rports *rports;
static struct soft_dev *dev;
static struct target *target;
static char url[256], reason[512];
static unsigned int nr_changes;

/* The last answer. */
static int answer_rc;
static unsigned int nr_answers;
static char answer_text[RPORT_ERROR_BYTES];

static void
on_change(void *arg)
{
	(void)arg;
	nr_changes++;
}

static void
on_answer(void *arg, int rc, const char *sentence)
{
	ck_assert_ptr_eq(arg, &loop);
	answer_rc = rc;
	snprintf(answer_text, sizeof(answer_text), "%s", sentence);
	nr_answers++;
}

static void
target_up(void)
{
	static const struct target_lun_attr luns[] = {
		{.number = 0, .backend = "ram", .size_bytes = 1 << 20},
		{.number = 5, .backend = "null", .size_bytes = 1 << 30},
	};
	struct soft_dev_attr attr = {.irqmode = SOFT_IRQ_SOFTIRQ};
	struct target_attr full = {.luns = luns, .nr_luns = 2, .id_ext = ID,
		.ioc_guid = ID};
	struct sockaddr_in addr;
	char text[INET_ADDRSTRLEN];

	ck_assert_int_eq(soft_dev_create(&attr, &dev), 0);
	soft_dev_addr(dev, &addr);
	addr.sin_port = 0;
	full.fabric = fabric_find("soft");
	full.addr = (struct sockaddr *)&addr;
	ck_assert_msg(
		target_create(&full, &target, reason, sizeof(reason)) == 0,
		"%s", reason);
	inet_ntop(AF_INET, &addr.sin_addr, text, sizeof(text));
	snprintf(url, sizeof(url),
		"srp://%s:%u/?id_ext=%016" PRIx64 "&ioc_guid=%016" PRIx64
		"&fabric=soft",
		text, target_port(target), ID, ID);
}

static void
setup(void)
{
	ck_assert_int_eq(loop_init(&loop), 0);
	ck_assert_int_eq(rports_create(&loop, on_change, NULL, &rports), 0);
	target_up();
	nr_answers = 0;
	nr_changes = 0;
}

/* Runs the loop until @is_so. */
static void
run_until(bool (*is_so)(void))
{
	uint64_t end = clock_ns() + WAIT_NS;

	while (!is_so()) {
		ck_assert_msg(clock_ns() < end, "waited in vain");
		loop_run_once(&loop, 10 * CLOCK_NS_PER_MSEC);
	}
}

static bool
are_gone(void)
{
	return rports_nr_stopping(rports) == 0;
}

static void
teardown(void)
{
	rports_stop_all(rports);
	run_until(are_gone);
	ck_assert_uint_eq(rports_count(rports), 0);
	rports_destroy(rports);
	loop_fini(&loop);
	target_destroy(target);
	soft_dev_put(dev);
}

static struct rport_attr *
attr_of(const char *name, const char *to)
{
	struct rport_attr *attr = rport_attr_create(name);

	ck_assert_int_eq(rport_attr_add_url(attr, to), 0);
	attr->reconnect_delay_ns = CLOCK_NS_PER_SEC;
	attr->probe_ns = 0;
	return attr;
}

/* Takes the reference. */
static struct rport *
start(struct rport_attr *attr)
{
	ck_assert_int_eq(rports_start(rports, attr), 0);
	rport_attr_put(attr);
	return rports_find(rports, attr->name);
}

static struct rport_status
status_of(const char *name)
{
	struct rport_status status;

	rport_status(rports_find(rports, name), &status);
	return status;
}

static enum rport_state wanted_state;
static unsigned int wanted_nr;

static bool
has_state(void)
{
	return status_of("a").state == wanted_state;
}

static void
wait_state(enum rport_state state)
{
	wanted_state = state;
	run_until(has_state);
}

static bool
has_answers(void)
{
	return nr_answers >= wanted_nr;
}

static void
ask(struct rport *rport, enum rport_request request, uint64_t lun)
{
	wanted_nr = nr_answers + 1;
	ck_assert_msg(rport_request(rport, request, lun, on_answer, &loop,
			      reason, sizeof(reason)) == 0,
		"%s", reason);
}

static int
do_request(struct rport *rport, enum rport_request request, uint64_t lun)
{
	ask(rport, request, lun);
	run_until(has_answers);
	ck_assert_uint_eq(nr_answers, wanted_nr);
	return answer_rc;
}

static struct rport *
start_ready(void)
{
	struct rport *rport = start(attr_of("a", url));

	wait_state(RPORT_READY);
	return rport;
}

static void
refuse(bool on)
{
	struct target_faults faults = {.login_rej_reason = on ? 0x10006 : 0};

	target_set_faults(target, &faults);
}

static bool
has_failed(void)
{
	return status_of("a").last_error[0] &&
	       status_of("a").next_try_ns != 0;
}

static bool
has_been_told(void)
{
	return nr_changes > 0;
}

START_TEST(a_target_gets_ready_and_tells_of_itself)
{
	struct rport *rport = start_ready();
	struct srpi_lun_info luns[4];
	struct rport_status status = status_of("a");

	ck_assert_uint_eq(status.attempts, 1);
	ck_assert_uint_eq(status.reconnects, 0);
	ck_assert_str_eq(status.last_error, "");
	ck_assert_str_eq(status.url, url);
	ck_assert(status.nr_channels >= 1 && status.nr_luns == 2);
	ck_assert_uint_ne(status.ready_ns, 0);
	ck_assert_ptr_nonnull(strstr(url, status.portal));
	ck_assert_uint_eq(rport_luns(rport, luns, 4), 2);
	ck_assert_uint_eq(luns[0].number, 0);
	ck_assert_uint_eq(luns[0].blocks, 2048);
	ck_assert_uint_eq(luns[1].number, 5);
	ck_assert_uint_eq(rport_luns(rport, luns, 1), 2);
	run_until(has_been_told);
}
END_TEST

static bool
has_no_luns(void)
{
	return rport_luns(rports_find(rports, "a"), NULL, 0) == 0;
}

START_TEST(a_lost_connection_comes_back_and_counters_stay)
{
	struct rport *rport = start_ready();
	struct srpi_stats before, after;
	struct rport_status status;

	rport_stats(rport, &before);
	ck_assert_uint_gt(before.send_wrs, 0);
	target_disconnect_all(target);
	/* The state is told first, then the session closed. */
	wait_state(RPORT_BLOCKED);
	run_until(has_no_luns);
	ck_assert_str_ne(status_of("a").last_error, "");
	rport_stats(rport, &after);
	ck_assert_uint_ge(after.send_wrs, before.send_wrs);
	wait_state(RPORT_READY);
	status = status_of("a");
	ck_assert_uint_eq(status.reconnects, 1);
	rport_stats(rport, &after);
	ck_assert_uint_gt(after.send_wrs, before.send_wrs);
	ck_assert_uint_ge(after.disconnects, 1);
}
END_TEST

START_TEST(a_refusal_is_told_and_tried_again)
{
	struct rport_status status;

	refuse(true);
	start(attr_of("a", url));
	run_until(has_failed);
	status = status_of("a");
	ck_assert_int_eq(status.state, RPORT_CONNECTING);
	ck_assert_int_eq(status.last_errno, -ECONNREFUSED);
	ck_assert_msg(strstr(status.last_error, "00010006"), "%s",
		status.last_error);
	refuse(false);
	wait_state(RPORT_READY);
	ck_assert_uint_ge(status_of("a").attempts, 2);
}
END_TEST

START_TEST(a_reconnect_cuts_a_long_wait_short)
{
	struct rport_attr *attr = attr_of("a", url);
	struct rport_status status;
	struct rport *rport;
	int tries = 0;

	attr->reconnect_delay_ns = 3600 * CLOCK_NS_PER_SEC;
	refuse(true);
	rport = start(attr);
	run_until(has_failed);
	/* Until the wait is one that a test would not survive. */
	while (status_of("a").attempts < 4) {
		ck_assert_int_lt(tries++, 20);
		do_request(rport, RPORT_LOGIN, 0);
		ck_assert_int_eq(answer_rc, -ECONNREFUSED);
		ck_assert_str_ne(answer_text, "");
	}
	run_until(has_failed);
	status = status_of("a");
	ck_assert_uint_gt(status.next_try_ns, status.last_error_ns);
	refuse(false);
	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
	ck_assert_uint_eq(status_of("a").next_try_ns, 0);
}
END_TEST

START_TEST(a_reconnect_of_a_session_that_works_makes_another)
{
	struct rport *rport = start_ready();

	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
	ck_assert_uint_eq(status_of("a").reconnects, 1);
	/* And a login of one that is logged in, nothing. */
	ck_assert_int_eq(do_request(rport, RPORT_LOGIN, 0), 0);
	ck_assert_uint_eq(status_of("a").attempts, 2);
}
END_TEST

START_TEST(a_logout_lasts_until_a_login)
{
	struct rport *rport = start_ready();

	ck_assert_int_eq(do_request(rport, RPORT_LOGOUT, 0), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_LOGGED_OUT);
	ck_assert(has_no_luns());
	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), -ENOTCONN);
	ck_assert_ptr_nonnull(strstr(answer_text, "logged-out"));
	ck_assert_int_eq(do_request(rport, RPORT_LOGIN, 0), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
}
END_TEST

/* As many as may, and one more, which alone is answered before the login. */
START_TEST(requests_wait_for_a_login_up_to_a_limit)
{
	struct rport *rport = start_ready();
	int i;

	ask(rport, RPORT_LOGOUT, 0);
	for (i = 0; i < 32; i++)
		ask(rport, i % 2 ? RPORT_RESCAN : RPORT_RESET, 5);
	nr_answers = 0;
	ask(rport, RPORT_RESCAN, 0);
	wanted_nr = 2; /* the logout's too */
	run_until(has_answers);
	ck_assert_uint_eq(nr_answers, 2);
	ck_assert_int_eq(answer_rc, -EBUSY);
	ck_assert_ptr_nonnull(strstr(answer_text, "32 commands wait"));
	ask(rport, RPORT_LOGIN, 0);
	wanted_nr = 2 + 32 + 1;
	run_until(has_answers);
	ck_assert_int_eq(answer_rc, 0);
	ck_assert_uint_eq(status_of("a").rescans, 16);
	ck_assert_uint_eq(nr_answers, wanted_nr);
}
END_TEST

START_TEST(without_autologin_only_a_request_logs_in)
{
	struct rport_attr *attr = attr_of("a", url);
	struct rport *rport;

	attr->autologin = false;
	rport = start(attr);
	ck_assert_int_eq(do_request(rport, RPORT_LOGOUT, 0), 0);
	ck_assert_uint_eq(status_of("a").attempts, 0);
	ck_assert_int_eq(do_request(rport, RPORT_LOGIN, 0), 0);
	ck_assert_uint_eq(status_of("a").attempts, 1);
}
END_TEST

static bool
has_no_next_try(void)
{
	return status_of("a").next_try_ns == 0;
}

START_TEST(one_lost_for_good_starts_again_when_asked)
{
	struct rport_attr *attr = attr_of("a", url);
	struct rport *rport;

	attr->fast_io_fail_ns = 100 * CLOCK_NS_PER_MSEC;
	attr->dev_loss_ns = 300 * CLOCK_NS_PER_MSEC;
	rport = start(attr);
	wait_state(RPORT_READY);
	refuse(true);
	target_disconnect_all(target);
	wait_state(RPORT_LOST);
	run_until(has_no_next_try); /* told just after the state */
	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), -ECONNREFUSED);
	refuse(false);
	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
}
END_TEST

static bool
has_rescanned(void)
{
	return status_of("a").rescans >= wanted_nr;
}

START_TEST(a_change_of_luns_is_looked_after)
{
	struct rport *rport = start_ready();

	ck_assert_int_eq(do_request(rport, RPORT_RESCAN, 0), 0);
	ck_assert_uint_eq(status_of("a").rescans, 1);
	/* Told with the next command, which is a look of its own here. */
	ck_assert_int_eq(
		target_unit_attention(target, 0, 0x3f, 0x0e, false), 0);
	ck_assert_int_eq(do_request(rport, RPORT_RESCAN, 0), 0);
	wanted_nr = 3;
	run_until(has_rescanned);
	ck_assert_uint_eq(status_of("a").attempts, 1);
}
END_TEST

START_TEST(an_idle_session_is_looked_at)
{
	struct rport_attr *attr = attr_of("a", url);

	attr->probe_ns = 10 * CLOCK_NS_PER_MSEC;
	start(attr);
	wait_state(RPORT_READY);
	wanted_nr = 3;
	run_until(has_rescanned);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
}
END_TEST

START_TEST(a_silent_target_is_found_by_looking)
{
	struct rport_attr *attr = attr_of("a", url);

	attr->probe_ns = 10 * CLOCK_NS_PER_MSEC;
	rport_attr_set_pair(attr, "io_timeout", "200ms");
	rport_attr_set_pair(attr, "login_timeout", "200ms");
	start(attr);
	wait_state(RPORT_READY);
	target_freeze(target, true);
	wait_state(RPORT_BLOCKED);
	target_freeze(target, false);
	wait_state(RPORT_READY);
	ck_assert_uint_eq(status_of("a").reconnects, 1);
}
END_TEST

START_TEST(luns_are_reset_one_or_all)
{
	struct rport *rport = start_ready();

	ck_assert_int_eq(do_request(rport, RPORT_RESET, 5), 0);
	ck_assert_int_eq(do_request(rport, RPORT_RESET, RPORT_ALL_LUNS), 0);
	ck_assert_int_eq(do_request(rport, RPORT_RESET, 6), -ENOENT);
	ck_assert_ptr_nonnull(strstr(answer_text, "no LUN 6"));
}
END_TEST

static bool
is_again(void)
{
	return status_of("a").attempts == wanted_nr && has_state();
}

START_TEST(a_change_of_policy_keeps_the_session)
{
	struct rport *rport = start_ready();
	struct rport_status before = status_of("a"), after;
	struct rport_attr *attr = attr_of("a", url);

	attr->dev_loss_ns = 60 * CLOCK_NS_PER_SEC;
	attr->required = true;
	rports_change(rports, rport, attr);
	ck_assert_ptr_eq(rport_attr(rport), attr);
	rport_attr_put(attr);
	/* Anything that goes through the thread after it. */
	ck_assert_int_eq(do_request(rport, RPORT_LOGIN, 0), 0);
	after = status_of("a");
	ck_assert(after.required);
	ck_assert_uint_eq(after.attempts, before.attempts);
	ck_assert_uint_eq(after.since_ns, before.since_ns);
	ck_assert_uint_eq(after.ready_ns, before.ready_ns);
}
END_TEST

START_TEST(another_key_logs_out_and_in)
{
	struct rport *rport = start_ready();
	struct rport_attr *attr = attr_of("a", url);

	rport_attr_set_pair(attr, "depth", "7");
	rports_change(rports, rport, attr);
	rport_attr_put(attr);
	wanted_nr = 2;
	wanted_state = RPORT_READY;
	run_until(is_again);
}
END_TEST

START_TEST(the_next_url_is_tried_at_once)
{
	struct rport_attr *attr = attr_of("a",
		"srp://127.222.1.1/?id_ext=0002c90300a0b0c0&"
		"ioc_guid=0002c90300a0b0c0&fabric=soft");
	struct rport_path paths[RPORT_MAX_URLS];

	attr->reconnect_delay_ns = 3600 * CLOCK_NS_PER_SEC;
	rport_attr_add_url(attr, url);
	start(attr);
	wait_state(RPORT_READY);
	ck_assert_uint_eq(status_of("a").attempts, 2);
	ck_assert_str_eq(status_of("a").url, url);
	ck_assert_uint_eq(rport_paths(rports_find(rports, "a"), paths), 2);
	ck_assert(!paths[0].is_used && paths[1].is_used);
	ck_assert_str_ne(paths[0].error, "");
	ck_assert_uint_ne(paths[0].error_ns, 0);
	ck_assert_str_eq(paths[1].url, url);
	ck_assert_str_eq(paths[1].error, "");
}
END_TEST

/* The target refuses, then not; each attempt begins with what worked last. */
START_TEST(every_attempt_tries_all_urls)
{
	struct rport_attr *attr = attr_of("a", url);
	struct rport_path paths[RPORT_MAX_URLS];
	char second[300];

	snprintf(second, sizeof(second), "%s&depth=8", url);
	rport_attr_add_url(attr, second);
	refuse(true);
	start(attr);
	run_until(has_failed);
	ck_assert_uint_eq(rport_paths(rports_find(rports, "a"), paths), 2);
	ck_assert_ptr_nonnull(strstr(paths[0].error, "00010006"));
	ck_assert_ptr_nonnull(strstr(paths[1].error, "00010006"));
	ck_assert(!paths[0].is_used && !paths[1].is_used);
	refuse(false);
	wait_state(RPORT_READY);
	rport_paths(rports_find(rports, "a"), paths);
	ck_assert(paths[0].is_used && !paths[1].is_used);
	ck_assert_str_eq(paths[0].error, "");
}
END_TEST

/* ---- what a crash has left ---- */

/* A program of its own, logged in without srpd. */
static struct srpi_session *
open_other(const char *initiator_id)
{
	struct srpi_session *session;
	char where[400];

	snprintf(where, sizeof(where), "%s&initiator_id=%s", url, initiator_id);
	ck_assert_msg(srpi_open(where, NULL, &session, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
	return session;
}

static struct srpi_session *watched;

static bool
is_closed(void)
{
	struct srpi_session_info info;

	srpi_session_info(watched, &info);
	return info.nr_channels == 0;
}

#define OURS "00000000000000000000000000000abc"
#define THEIRS "00000000000000000000000000000def"

START_TEST(the_first_login_alone_closes_what_a_crash_has_left)
{
	struct srpi_session *ours = open_other(OURS), *later;
	struct srpi_session *theirs = open_other(THEIRS);
	struct rport_attr *attr = attr_of("a", url);
	struct rport *rport;

	rport_attr_set_pair(attr, "initiator_id", OURS);
	rport = start(attr);
	wait_state(RPORT_READY);
	watched = ours;
	run_until(is_closed);
	watched = theirs;
	ck_assert(!is_closed());
	ck_assert_int_eq(srpi_rescan(theirs, reason, sizeof(reason)), 0);
	later = open_other(OURS);
	ck_assert_int_eq(do_request(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(srpi_rescan(later, reason, sizeof(reason)), 0);
	ck_assert_int_eq(status_of("a").state, RPORT_READY);
	srpi_close(later);
	srpi_close(theirs);
	srpi_close(ours);
}
END_TEST

START_TEST(requests_of_one_that_is_stopped_are_answered)
{
	struct rport *rport;

	refuse(true);
	rport = start(attr_of("a", url));
	ask(rport, RPORT_LOGIN, 0);
	rports_stop(rports, rport);
	ck_assert_int_eq(rport_request(rport, RPORT_LOGIN, 0, on_answer, &loop,
				 reason, sizeof(reason)),
		-ESHUTDOWN);
	ck_assert_ptr_null(rports_find(rports, "a"));
	ck_assert_ptr_null(rports_at(rports, 0));
	run_until(has_answers);
	ck_assert(answer_rc == -ECANCELED || answer_rc == -ECONNREFUSED);
	run_until(are_gone);
	/* The name is free again, and was so at once. */
	refuse(false);
	start_ready();
}
END_TEST

START_TEST(a_password_does_not_show)
{
	struct rport_status status;

	start(attr_of("a", "iser://bob%s3cret@10.0.0.1/iqn/0"));
	run_until(has_failed);
	status = status_of("a");
	ck_assert_ptr_null(strstr(status.url, "s3cret"));
	ck_assert_ptr_nonnull(strstr(status.url, "bob"));
	ck_assert_ptr_null(strstr(status.last_error, "s3cret"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("rport");

	tcase_add_checked_fixture(tcase, setup, teardown);
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
	tcase_add_test(tcase, the_next_url_is_tried_at_once);
	tcase_add_test(tcase, every_attempt_tries_all_urls);
	tcase_add_test(
		tcase, the_first_login_alone_closes_what_a_crash_has_left);
	tcase_add_test(tcase, requests_of_one_that_is_stopped_are_answered);
	tcase_add_test(tcase, a_password_does_not_show);
	return unit_run(tcase, "rport");
}
