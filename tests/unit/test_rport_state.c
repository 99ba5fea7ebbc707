/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpd/rport_state.h"

static const enum rport_state trying[] = {
	RPORT_CONNECTING, RPORT_BLOCKED, RPORT_FAIL_FAST};
#define NR_TRYING (sizeof(trying) / sizeof(trying[0]))

static struct rport_step
step(enum rport_state state, enum rport_event event)
{
	return rport_state_step(state, event);
}

START_TEST(a_login_that_succeeds_ends_all_trying)
{
	struct rport_step s;

	for (unsigned int i = 0; i < NR_TRYING; i++) {
		s = step(trying[i], RPORT_EV_UP);
		ck_assert_int_eq(s.next, RPORT_READY);
		ck_assert_uint_eq(s.actions, RPORT_DISARM);
	}
}
END_TEST

START_TEST(a_login_that_fails_waits_and_stays)
{
	struct rport_step s;

	for (unsigned int i = 0; i < NR_TRYING; i++) {
		s = step(trying[i], RPORT_EV_FAILED);
		ck_assert_int_eq(s.next, trying[i]);
		ck_assert_uint_eq(s.actions, RPORT_WAIT);
		s = step(trying[i], RPORT_EV_RETRY);
		ck_assert_int_eq(s.next, trying[i]);
		ck_assert_uint_eq(s.actions, RPORT_TRY);
	}
}
END_TEST

START_TEST(a_reconnect_cuts_the_back_off_short)
{
	struct rport_step s;

	for (unsigned int i = 0; i < NR_TRYING; i++) {
		s = step(trying[i], RPORT_EV_RECONNECT);
		ck_assert_int_eq(s.next, trying[i]);
		ck_assert_uint_eq(s.actions, RPORT_RESET_DELAY | RPORT_TRY);
	}
}
END_TEST

START_TEST(a_lost_connection_is_tried_again_at_once)
{
	struct rport_step s = step(RPORT_READY, RPORT_EV_DOWN);

	ck_assert_int_eq(s.next, RPORT_BLOCKED);
	ck_assert_uint_eq(s.actions,
		RPORT_CLOSE | RPORT_ARM | RPORT_RESET_DELAY | RPORT_TRY);
}
END_TEST

START_TEST(one_lost_just_after_login_waits_longer_each_time)
{
	struct rport_step s = step(RPORT_READY, RPORT_EV_FLAP);

	ck_assert_int_eq(s.next, RPORT_BLOCKED);
	ck_assert_uint_eq(
		s.actions, RPORT_CLOSE | RPORT_ARM | RPORT_WAIT);
}
END_TEST

START_TEST(time_outs_lead_over_fail_fast_to_lost)
{
	struct rport_step s = step(RPORT_BLOCKED, RPORT_EV_FAST_IO_FAIL);

	ck_assert_int_eq(s.next, RPORT_FAIL_FAST);
	ck_assert_uint_eq(s.actions, 0);
	s = step(s.next, RPORT_EV_DEV_LOSS);
	ck_assert_int_eq(s.next, RPORT_LOST);
	ck_assert_uint_eq(s.actions, RPORT_DISARM);
	ck_assert_int_eq(
		step(RPORT_BLOCKED, RPORT_EV_DEV_LOSS).next, RPORT_LOST);
	/* What has never been up is not lost: it goes on connecting. */
	ck_assert_int_eq(
		step(RPORT_CONNECTING, RPORT_EV_DEV_LOSS).next,
		RPORT_CONNECTING);
}
END_TEST

START_TEST(lost_starts_again_only_when_asked)
{
	for (int event = 0; event < RPORT_NR_EVENTS; event++) {
		struct rport_step s = step(RPORT_LOST, event);

		switch (event) {
		case RPORT_EV_LOGIN:
		case RPORT_EV_RECONNECT:
			ck_assert_int_eq(s.next, RPORT_CONNECTING);
			ck_assert_uint_eq(s.actions,
				RPORT_RESET_DELAY | RPORT_TRY);
			break;
		case RPORT_EV_LOGOUT:
			ck_assert_int_eq(s.next, RPORT_LOGGED_OUT);
			break;
		default:
			ck_assert_int_eq(s.next, RPORT_LOST);
			ck_assert_uint_eq(s.actions, 0);
		}
	}
}
END_TEST

START_TEST(logged_out_starts_by_login_alone)
{
	for (int event = 0; event < RPORT_NR_EVENTS; event++) {
		struct rport_step s = step(RPORT_LOGGED_OUT, event);

		ck_assert_int_eq(s.next,
			event == RPORT_EV_LOGIN ? RPORT_CONNECTING :
						  RPORT_LOGGED_OUT);
		ck_assert_uint_eq(s.actions,
			event == RPORT_EV_LOGIN ?
				RPORT_RESET_DELAY | RPORT_TRY :
			event == RPORT_EV_RECONNECT ? RPORT_REFUSE :
						      0);
	}
}
END_TEST

START_TEST(a_logout_closes_what_is_open_and_stops_all_timers)
{
	struct rport_step s;

	for (int state = 0; state < RPORT_NR_STATES; state++) {
		s = step(state, RPORT_EV_LOGOUT);
		ck_assert_int_eq(s.next, RPORT_LOGGED_OUT);
		ck_assert_int_eq(!!(s.actions & RPORT_CLOSE),
			state == RPORT_READY);
		if (state != RPORT_LOST && state != RPORT_LOGGED_OUT)
			ck_assert(s.actions & RPORT_DISARM);
	}
}
END_TEST

START_TEST(no_step_tries_and_waits_or_tries_out_of_place)
{
	struct rport_step s;

	for (int state = 0; state < RPORT_NR_STATES; state++)
		for (int event = 0; event < RPORT_NR_EVENTS; event++) {
			s = step(state, event);
			ck_assert(!(s.actions & RPORT_TRY) ||
				!(s.actions & RPORT_WAIT));
			if (s.actions & (RPORT_TRY | RPORT_WAIT))
				ck_assert(rport_state_is_trying(s.next));
			if (s.actions & RPORT_CLOSE)
				ck_assert_int_eq(state, RPORT_READY);
			/* Whatever leaves "ready" closes the session. */
			if (state == RPORT_READY && s.next != RPORT_READY)
				ck_assert(s.actions & RPORT_CLOSE);
		}
}
END_TEST

START_TEST(all_have_names)
{
	for (int i = 0; i < RPORT_NR_STATES; i++)
		ck_assert_ptr_nonnull(rport_state_name(i));
	for (int i = 0; i < RPORT_NR_EVENTS; i++)
		ck_assert_ptr_nonnull(rport_event_name(i));
	ck_assert_str_eq(rport_state_name(RPORT_FAIL_FAST), "fail-fast");
	ck_assert_str_eq(rport_state_name(RPORT_LOGGED_OUT), "logged-out");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("rport_state");

	tcase_add_test(tcase, a_login_that_succeeds_ends_all_trying);
	tcase_add_test(tcase, a_login_that_fails_waits_and_stays);
	tcase_add_test(tcase, a_reconnect_cuts_the_back_off_short);
	tcase_add_test(tcase, a_lost_connection_is_tried_again_at_once);
	tcase_add_test(tcase, one_lost_just_after_login_waits_longer_each_time);
	tcase_add_test(tcase, time_outs_lead_over_fail_fast_to_lost);
	tcase_add_test(tcase, lost_starts_again_only_when_asked);
	tcase_add_test(tcase, logged_out_starts_by_login_alone);
	tcase_add_test(
		tcase, a_logout_closes_what_is_open_and_stops_all_timers);
	tcase_add_test(tcase, no_step_tries_and_waits_or_tries_out_of_place);
	tcase_add_test(tcase, all_have_names);
	return unit_run(tcase, "rport_state");
}
