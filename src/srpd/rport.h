/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Remote ports: the targets srpd holds, each with a thread of its own that
 * makes the blocking calls, so that none waits for another.
 *
 *	main loop                              rport's thread (util/worker)
 *	  rport_request() ── requests ──kick──> runs them one by one
 *	  done(), on_change() <──eventfd── rports <── results, state changes
 *
 *	rports ── rport "a" ── attr (shared, constant)
 *	   │        ├── session, luns     its thread's; stats also read by others
 *	   │        └── status            snapshot, under its lock
 *	   └───── rport "b" ...
 *
 * Threads: rports_* and rport_request() are the main loop's. Snapshots
 * (rport_status, rport_luns, rport_stats, rport_visit) are for any thread that
 * holds rports_lock() or is the main loop's; none of them waits for a target.
 */
#ifndef SRPD_RPORT_H
#define SRPD_RPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <srpi/srpi.h>

#include "srpd/latency.h"
#include "srpd/lun_latency.h"
#include "srpd/rport_attr.h"
#include "srpd/rport_state.h"

struct loop;
struct rport;
struct rports;

#define RPORT_URL_BYTES 512
#define RPORT_ERROR_BYTES 512

/* Times are clock_ns()'s; 0: never, none. */
struct rport_status {
	char name[RPORT_NAME_MAX + 1];
	char url[RPORT_URL_BYTES]; /* the one in use or tried; redacted */
	bool required, autologin;
	enum rport_state state;
	uint64_t since_ns;	 /* in this state */
	unsigned int attempts;	 /* logins tried so far */
	unsigned int reconnects; /* of those that succeeded: not the first */
	unsigned int rescans;	 /* LUN list and sizes read again */
	char last_error[RPORT_ERROR_BYTES]; /* one sentence, or "" */
	int last_errno;			    /* its -errno */
	uint64_t last_error_ns;
	uint64_t next_try_ns; /* 0 while a login is under way */
	uint64_t ready_ns;    /* this session's login */
	/* of the session; "" and 0 without one */
	char portal[64], device[64];
	unsigned int nr_channels, nr_luns;
	uint8_t initiator_port_id[16], target_port_id[16];
};

/* One of the urls of a target, in the order of the file. */
struct rport_path {
	char url[RPORT_URL_BYTES]; /* redacted */
	bool is_used;		   /* the session's */
	char error[RPORT_ERROR_BYTES]; /* of its last attempt; "": none failed */
	uint64_t error_ns;
};

/* ---- the set --------------------------------------------------------- */

/*
 * @on_change(@arg) runs on the main loop after an rport has changed its state
 * or ended. 0 or -errno.
 */
int rports_create(struct loop *loop, void (*on_change)(void *arg), void *arg,
	struct rports **rports);
/* Threads that have not ended go on, and it with them: the process exits. */
void rports_destroy(struct rports *rports);

/* Starts a thread for it; takes a reference of @attr. 0 or -errno. */
int rports_start(struct rports *rports, struct rport_attr *attr);
/*
 * The difference is made good: a change of policy at once, another URL or key
 * by a logout and a login. Takes a reference.
 */
void rports_change(
	struct rports *rports, struct rport *rport, struct rport_attr *attr);
/* Logs out and ends; then it is no longer found, and freed. */
void rports_stop(struct rports *rports, struct rport *rport);
void rports_stop_all(struct rports *rports);
/* Those that have not ended yet although stopped. */
unsigned int rports_nr_stopping(const struct rports *rports);
/* Of those, how many hold a session: the others only wait for an answer. */
unsigned int rports_nr_draining(const struct rports *rports);

/* Not those stopped, which may still be at their last call. */
struct rport *rports_find(struct rports *rports, const char *name);
unsigned int rports_count(const struct rports *rports);
/* In the order of the file; NULL behind the last. */
struct rport *rports_at(struct rports *rports, unsigned int index);

/* For other threads than the main loop's: nothing is added or freed. */
void rports_lock(struct rports *rports);
void rports_unlock(struct rports *rports);

/* ---- one of them ----------------------------------------------------- */

const char *rport_name(const struct rport *rport);
/* The main loop's; a reference of the caller's is needed to keep it. */
struct rport_attr *rport_attr(const struct rport *rport);

void rport_status(struct rport *rport, struct rport_status *status);
/* Fills @paths, RPORT_MAX_URLS of them; how many there are. */
unsigned int rport_paths(struct rport *rport, struct rport_path *paths);
/*
 * The LUNs of its session as last seen: up to @max of them; how many there
 * are. One that could not be opened (not a disk, not ready) has its number
 * and block_bytes 0.
 */
unsigned int rport_luns(
	struct rport *rport, struct srpi_lun_info *luns, unsigned int max);
/* Of all its sessions so far, so that counters survive a reconnect. */
void rport_stats(struct rport *rport, struct srpi_stats *stats);
/* Of its own commands, of all its sessions so far. */
void rport_latency(
	struct rport *rport, enum latency_op op, struct latency *latency);
/*
 * The same by LUN: up to @max of those that it has ever had, by number; how
 * many there are.
 */
unsigned int rport_lun_latencies(
	struct rport *rport, struct lun_latency *luns, unsigned int max);
/*
 * Calls @visit with its session, if there is one, which stays until it
 * returns: for reading counters only, nothing that waits. Was there one?
 */
bool rport_visit(struct rport *rport,
	void (*visit)(struct srpi_session *session, void *arg), void *arg);

enum rport_request {
	RPORT_LOGIN,
	RPORT_LOGOUT, /* drains, stays out until asked */
	RPORT_RECONNECT, /* cuts a back-off short; ends a session that works */
	RPORT_RESCAN,	 /* LUN list and sizes again */
	RPORT_RESET,	 /* LUN RESET */
	RPORT_NR_REQUESTS
};
#define RPORT_ALL_LUNS UINT64_MAX /* RPORT_RESET: of each of them */

/* @rc 0 or -errno, then with one sentence (else ""). */
typedef void (*rport_done_fn)(void *arg, int rc, const char *sentence);

/*
 * Hands @request to its thread. 0: @done(@arg) will be called on the main
 * loop, exactly once, also when the rport ends before (-ECANCELED). -errno
 * with a sentence: it will not. A login that fails is answered, and tried
 * again. A rescan or reset waits for a session, up to two minutes
 * (-ETIMEDOUT), up to 32 of them (-EBUSY); in fail-fast and lost it fails
 * (-ENOTCONN).
 */
int rport_request(struct rport *rport, enum rport_request request,
	uint64_t lun, rport_done_fn done, void *arg, char *reason, size_t n);

#endif /* SRPD_RPORT_H */
