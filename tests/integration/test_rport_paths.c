/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What an rport logs in by: several urls, an initiator port id of its own, one
 * with a password.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "rport_rig.h"

START_TEST(the_next_url_is_tried_at_once)
{
	struct rport_attr *attr = rig_attr("a",
		"srp://127.222.1.1/?id_ext=0002c90300a0b0c0&"
		"ioc_guid=0002c90300a0b0c0&fabric=soft");
	struct rport_path paths[RPORT_MAX_URLS];

	attr->reconnect_delay_ns = 3600 * CLOCK_NS_PER_SEC;
	rport_attr_add_url(attr, rig.url);
	rig_start(attr);
	rig_wait_state(RPORT_READY);
	ck_assert_uint_eq(rig_status("a").attempts, 2);
	ck_assert_str_eq(rig_status("a").url, rig.url);
	ck_assert_uint_eq(rport_paths(rports_find(rig.rports, "a"), paths), 2);
	ck_assert(!paths[0].is_used && paths[1].is_used);
	ck_assert_str_ne(paths[0].error, "");
	ck_assert_uint_ne(paths[0].error_ns, 0);
	ck_assert_str_eq(paths[1].url, rig.url);
	ck_assert_str_eq(paths[1].error, "");
}
END_TEST

/* The target refuses, then not; each attempt begins with what worked last. */
START_TEST(every_attempt_tries_all_urls)
{
	struct rport_attr *attr = rig_attr("a", rig.url);
	struct rport_path paths[RPORT_MAX_URLS];
	char second[300];

	snprintf(second, sizeof(second), "%s&depth=8", rig.url);
	rport_attr_add_url(attr, second);
	rig_refuse(true);
	rig_start(attr);
	rig_run_until(rig_has_failed);
	ck_assert_uint_eq(rport_paths(rports_find(rig.rports, "a"), paths), 2);
	ck_assert_ptr_nonnull(strstr(paths[0].error, "00010006"));
	ck_assert_ptr_nonnull(strstr(paths[1].error, "00010006"));
	ck_assert(!paths[0].is_used && !paths[1].is_used);
	rig_refuse(false);
	rig_wait_state(RPORT_READY);
	rport_paths(rports_find(rig.rports, "a"), paths);
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

	snprintf(where, sizeof(where), "%s&initiator_id=%s", rig.url, initiator_id);
	ck_assert_msg(srpi_open(where, NULL, &session, rig.reason,
			      sizeof(rig.reason)) == 0,
		"%s", rig.reason);
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
	struct rport_attr *attr = rig_attr("a", rig.url);
	struct rport *rport;

	rport_attr_set_pair(attr, "initiator_id", OURS);
	rport = rig_start(attr);
	rig_wait_state(RPORT_READY);
	watched = ours;
	rig_run_until(is_closed);
	watched = theirs;
	ck_assert(!is_closed());
	ck_assert_int_eq(srpi_rescan(theirs, rig.reason, sizeof(rig.reason)), 0);
	later = open_other(OURS);
	ck_assert_int_eq(rig_do(rport, RPORT_RECONNECT, 0), 0);
	ck_assert_int_eq(srpi_rescan(later, rig.reason, sizeof(rig.reason)), 0);
	ck_assert_int_eq(rig_status("a").state, RPORT_READY);
	srpi_close(later);
	srpi_close(theirs);
	srpi_close(ours);
}
END_TEST

START_TEST(a_password_does_not_show)
{
	struct rport_status status;

	rig_start(rig_attr("a", "iser://bob%s3cret@10.0.0.1/iqn/0"));
	rig_run_until(rig_has_failed);
	status = rig_status("a");
	ck_assert_ptr_null(strstr(status.url, "s3cret"));
	ck_assert_ptr_nonnull(strstr(status.url, "bob"));
	ck_assert_ptr_null(strstr(status.last_error, "s3cret"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("rport_paths");

	tcase_add_checked_fixture(tcase, rig_setup, rig_teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, the_next_url_is_tried_at_once);
	tcase_add_test(tcase, every_attempt_tries_all_urls);
	tcase_add_test(
		tcase, the_first_login_alone_closes_what_a_crash_has_left);
	tcase_add_test(tcase, a_password_does_not_show);
	return unit_run(tcase, "rport_paths");
}
