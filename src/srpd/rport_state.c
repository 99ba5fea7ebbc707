/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/rport_state.h"

#include <stddef.h>

static const char *const state_names[RPORT_NR_STATES] = {
	[RPORT_CONNECTING] = "connecting",
	[RPORT_READY] = "ready",
	[RPORT_BLOCKED] = "blocked",
	[RPORT_FAIL_FAST] = "fail-fast",
	[RPORT_LOST] = "lost",
	[RPORT_LOGGED_OUT] = "logged-out",
};

static const char *const event_names[RPORT_NR_EVENTS] = {
	[RPORT_EV_UP] = "up",
	[RPORT_EV_FAILED] = "failed",
	[RPORT_EV_DOWN] = "down",
	[RPORT_EV_FLAP] = "flap",
	[RPORT_EV_RETRY] = "retry",
	[RPORT_EV_FAST_IO_FAIL] = "fast_io_fail",
	[RPORT_EV_DEV_LOSS] = "dev_loss",
	[RPORT_EV_LOGIN] = "login",
	[RPORT_EV_LOGOUT] = "logout",
	[RPORT_EV_RECONNECT] = "reconnect",
};

#define AT_ONCE (RPORT_RESET_DELAY | RPORT_TRY)

/*
 * A pair that is not here changes nothing: an event that came too late, such
 * as a timer's that fired while a login succeeded.
 */
static const struct row {
	bool is_set;
	struct rport_step step;
} table[RPORT_NR_STATES][RPORT_NR_EVENTS] = {
	[RPORT_CONNECTING] = {
		[RPORT_EV_UP] = {true, {RPORT_READY, RPORT_DISARM}},
		[RPORT_EV_FAILED] = {true, {RPORT_CONNECTING, RPORT_WAIT}},
		[RPORT_EV_RETRY] = {true, {RPORT_CONNECTING, RPORT_TRY}},
		[RPORT_EV_LOGIN] = {true, {RPORT_CONNECTING, AT_ONCE}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_CONNECTING, AT_ONCE}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT, RPORT_DISARM}},
	},
	[RPORT_READY] = {
		[RPORT_EV_DOWN] = {true, {RPORT_BLOCKED,
			RPORT_CLOSE | RPORT_ARM | AT_ONCE}},
		[RPORT_EV_FLAP] = {true, {RPORT_BLOCKED,
			RPORT_CLOSE | RPORT_ARM | RPORT_WAIT}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_BLOCKED,
			RPORT_CLOSE | RPORT_ARM | AT_ONCE}},
		[RPORT_EV_LOGIN] = {true, {RPORT_READY, 0}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT,
			RPORT_CLOSE | RPORT_DISARM}},
	},
	[RPORT_BLOCKED] = {
		[RPORT_EV_UP] = {true, {RPORT_READY, RPORT_DISARM}},
		[RPORT_EV_FAILED] = {true, {RPORT_BLOCKED, RPORT_WAIT}},
		[RPORT_EV_RETRY] = {true, {RPORT_BLOCKED, RPORT_TRY}},
		[RPORT_EV_FAST_IO_FAIL] = {true, {RPORT_FAIL_FAST, 0}},
		[RPORT_EV_DEV_LOSS] = {true, {RPORT_LOST, RPORT_DISARM}},
		[RPORT_EV_LOGIN] = {true, {RPORT_BLOCKED, AT_ONCE}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_BLOCKED, AT_ONCE}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT, RPORT_DISARM}},
	},
	[RPORT_FAIL_FAST] = {
		[RPORT_EV_UP] = {true, {RPORT_READY, RPORT_DISARM}},
		[RPORT_EV_FAILED] = {true, {RPORT_FAIL_FAST, RPORT_WAIT}},
		[RPORT_EV_RETRY] = {true, {RPORT_FAIL_FAST, RPORT_TRY}},
		[RPORT_EV_DEV_LOSS] = {true, {RPORT_LOST, RPORT_DISARM}},
		[RPORT_EV_LOGIN] = {true, {RPORT_FAIL_FAST, AT_ONCE}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_FAIL_FAST, AT_ONCE}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT, RPORT_DISARM}},
	},
	[RPORT_LOST] = {
		[RPORT_EV_LOGIN] = {true, {RPORT_CONNECTING, AT_ONCE}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_CONNECTING, AT_ONCE}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT, 0}},
	},
	[RPORT_LOGGED_OUT] = {
		[RPORT_EV_LOGIN] = {true, {RPORT_CONNECTING, AT_ONCE}},
		[RPORT_EV_RECONNECT] = {true, {RPORT_LOGGED_OUT, RPORT_REFUSE}},
		[RPORT_EV_LOGOUT] = {true, {RPORT_LOGGED_OUT, 0}},
	},
};

struct rport_step
rport_state_step(enum rport_state state, enum rport_event event)
{
	const struct row *row = &table[state][event];

	if (row->is_set)
		return row->step;
	return (struct rport_step){state, 0};
}

const char *
rport_state_name(enum rport_state state)
{
	return state_names[state];
}

const char *
rport_event_name(enum rport_event event)
{
	return event_names[event];
}

bool
rport_state_is_trying(enum rport_state state)
{
	return state == RPORT_CONNECTING || state == RPORT_BLOCKED ||
	       state == RPORT_FAIL_FAST;
}

bool
rport_state_fails_fast(enum rport_state state)
{
	return state == RPORT_FAIL_FAST || state == RPORT_LOST;
}
