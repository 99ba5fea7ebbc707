/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The inside of rport.h, shared by the files rport*.c alone. */
#ifndef SRPD_RPORT_PRIV_H
#define SRPD_RPORT_PRIV_H

#include <pthread.h>

#include "srpd/rport.h"
#include "util/list.h"
#include "util/worker.h"

/*
 * A request on its way:
 *	rport.requests ──thread──> (waiting, queued) ──> rports.done ──> done()
 */
struct rport_call {
	struct list node;
	enum rport_request request;
	uint64_t lun;
	rport_done_fn done;
	void *arg;
	uint64_t queued_until_ns; /* how long it may wait for a session */
	int rc;
	char sentence[RPORT_ERROR_BYTES];
};

struct rports {
	struct loop *loop;
	void (*on_change)(void *arg);
	void *arg;
	struct loop_fd node; /* readable: `done` has some, or `changed` */
	int event_fd;
	/* Guards the list against readers of other threads. */
	pthread_mutex_t lock;
	struct list rports; /* in order; stopped ones too, until they end */
	/* What threads hand to the main loop. Innermost lock of all. */
	pthread_mutex_t done_lock;
	struct list done;
	bool has_changed;
};

struct rport_path_error {
	uint64_t at_ns; /* 0: it has not failed since it last worked */
	char text[RPORT_ERROR_BYTES];
};

struct rport {
	struct list node; /* rports->rports */
	struct rports *rports;
	struct worker worker;
	bool is_stopped; /* the main loop's: rports_stop() was called */

	/* ---- what the main loop hands over, under `inbox_lock` ---- */
	pthread_mutex_t inbox_lock;
	struct list requests;
	struct rport_attr *next_attr; /* or NULL: no change */
	bool must_stop;

	/* ---- what others read, under `lock`, never held over a wait ---- */
	pthread_mutex_t lock;
	struct rport_status status;
	struct rport_attr *attr;
	struct srpi_session *session; /* written by the thread alone */
	struct srpi_stats past;	      /* of the sessions before */
	struct srpi_lun_info *luns;
	unsigned int nr_luns;
	struct lun_latencies lun_latencies;
	uint64_t fast_io_fail_at_ns, dev_loss_at_ns; /* 0: not armed */
	bool has_session; /* until srpi_close() has returned */
	unsigned int path; /* of attr->urls: the one that worked last */
	struct rport_path_error path_errors[RPORT_MAX_URLS];
	bool has_ended;

	/* ---- written by the thread, read by any without a lock ---- */
	struct latency latency[LATENCY_NR_OPS];

	/* ---- the thread's own ---- */
	bool has_begun;
	struct list waiting; /* calls that end with the next login */
	struct list queued;  /* calls that need a session, the oldest first */
	unsigned int nr_queued;
	struct loop_timer queue_timer; /* of the oldest */
	struct loop_timer retry, fast_io_fail, dev_loss, probe;
	struct loop_fd session_node;
	uint64_t rescanned_ns; /* when the LUNs were last read again */
	uint64_t delay_ns; /* of the next back-off */
	unsigned int nr_alike;	     /* failures with the same sentence */
	unsigned int seed;	     /* of the jitter */
	bool has_been_up;
};

/* ---- rport.c: the snapshot ---- */
void rport_set_state(struct rport *rport, enum rport_state state);
void rport_set_error(struct rport *rport, int rc, const char *text);
/* Why commands fail in fail-fast and lost, and what to do: one sentence. */
void rport_explain_absence(
	const struct rport_status *status, char *reason, size_t n);

void rport_add_stats(struct srpi_stats *sum, const struct srpi_stats *more);

/* ---- rports.c ---- */
/* From the thread: the call has its result, or something has changed. */
void rports_post_done(struct rports *rports, struct rport_call *call);
void rports_post_change(struct rports *rports);

/* ---- rport_run.c: the thread ---- */
int rport_run_start(struct rport *rport);
bool rport_run_is_stopping(struct rport *rport);
/* The session's connection is gone. */
void rport_run_down(struct rport *rport);

/* ---- rport_events.c ---- */
void rport_events_init(struct rport *rport);
/* With a session; stop does nothing without start. */
void rport_events_start(struct rport *rport);
void rport_events_stop(struct rport *rport);
/* Blocks. 0 or -errno with a sentence. */
int rport_events_rescan(struct rport *rport, char *reason, size_t n);

/* ---- rport_login.c ---- */
/* Blocks. 0, or the first path's -errno with its sentence. */
int rport_login(struct rport *rport, char *reason, size_t n);
/* Blocks while it drains. */
void rport_logout(struct rport *rport);

/* ---- rport_luns.c ---- */
/* Opens what has not been, forgets what is gone, says what differs. */
void rport_luns_read(struct rport *rport, bool is_first);
int rport_luns_reset(
	struct rport *rport, uint64_t number, char *reason, size_t n);

#endif /* SRPD_RPORT_PRIV_H */
