/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The states of a remote port, in the words of the Linux SRP transport, and
 * what each event does to them: a table without I/O, clock or memory.
 *
 *	            login                    connection lost
 *	connecting ───────> ready ──────────────────────> blocked
 *	     ^                ^  login                       │ fast_io_fail_tmo
 *	     │                ├───────────── blocked,        v
 *	     │                └───────────── fail-fast <── fail-fast
 *	     │ reconnect, login                              │ dev_loss_tmo
 *	     ├───────────────────────────────────────────── lost
 *	     │ login                              logout
 *	     └───────────────── logged-out <────────────── any
 */
#ifndef SRPD_RPORT_STATE_H
#define SRPD_RPORT_STATE_H

#include <stdbool.h>

enum rport_state {
	RPORT_CONNECTING, /* has not been logged in since asked to */
	RPORT_READY,
	RPORT_BLOCKED,	 /* connection lost, trying; clients' I/O waits */
	RPORT_FAIL_FAST, /* still trying; clients' I/O fails */
	RPORT_LOST,	 /* given up until asked */
	RPORT_LOGGED_OUT,
	RPORT_NR_STATES
};

enum rport_event {
	RPORT_EV_UP,	 /* a login succeeded */
	RPORT_EV_FAILED, /* a login failed, on every path */
	RPORT_EV_DOWN,	 /* the session's connection is gone */
	RPORT_EV_FLAP,	 /* the same, just after the login */
	RPORT_EV_RETRY,	 /* the back-off is over */
	RPORT_EV_FAST_IO_FAIL,
	RPORT_EV_DEV_LOSS,
	RPORT_EV_LOGIN, /* asked for, as the two that follow */
	RPORT_EV_LOGOUT,
	RPORT_EV_RECONNECT,
	RPORT_NR_EVENTS
};

/* What to do, in this order. */
#define RPORT_CLOSE	  0x01u /* the session, if there is one */
#define RPORT_ARM	  0x02u /* fast_io_fail_tmo and dev_loss_tmo run */
#define RPORT_DISARM	  0x04u /* they no longer do, nor does a back-off */
#define RPORT_RESET_DELAY 0x08u /* the next back-off is the shortest again */
#define RPORT_TRY	  0x10u /* a login, at once */
#define RPORT_WAIT	  0x20u /* a back-off, then a login */
#define RPORT_REFUSE	  0x40u /* the request makes no sense in this state */

struct rport_step {
	enum rport_state next;
	unsigned int actions; /* RPORT_CLOSE ... */
};

struct rport_step rport_state_step(
	enum rport_state state, enum rport_event event);

/* "connecting", ... "logged-out" */
const char *rport_state_name(enum rport_state state);
const char *rport_event_name(enum rport_event event);
/* Is a login under way or to come without anybody asking? */
bool rport_state_is_trying(enum rport_state state);
/* Do commands end with an error, rather than wait for a session? */
bool rport_state_fails_fast(enum rport_state state);

#endif /* SRPD_RPORT_STATE_H */
