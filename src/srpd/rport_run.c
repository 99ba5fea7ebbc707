/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread of an rport: events in, the table's actions out. All functions
 * here run in it, but rport_run_start().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "srpd/rport_priv.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/log.h"

#define SHORTEST_DELAY_NS CLOCK_NS_PER_SEC
/* A session that ends sooner after its login is no reason for haste. */
#define FLAP_NS (5 * CLOCK_NS_PER_SEC)
/*
 * Calls that wait for a session: fewer than there may be control connections,
 * so that one is left for the login, and no longer than srpctl waits.
 */
#define MAX_QUEUED 32u
#define QUEUED_NS  (120 * CLOCK_NS_PER_SEC)

static struct loop *
loop_of(struct rport *rport)
{
	return &rport->worker.loop;
}

bool
rport_run_is_stopping(struct rport *rport)
{
	bool must_stop;

	pthread_mutex_lock(&rport->inbox_lock);
	must_stop = rport->must_stop;
	pthread_mutex_unlock(&rport->inbox_lock);
	return must_stop;
}

/* ---- answers --------------------------------------------------------- */

static void
answer(struct rport *rport, struct rport_call *call, int rc,
	const char *sentence)
{
	call->rc = rc;
	snprintf(call->sentence, sizeof(call->sentence), "%s",
		rc ? sentence : "");
	rports_post_done(rport->rports, call);
}

static void
answer_all(struct rport *rport, struct list *calls, int rc,
	const char *sentence)
{
	struct list *node;

	while ((node = list_pop_head(calls)) != NULL)
		answer(rport, list_entry(node, struct rport_call, node), rc,
			sentence);
}

/* ---- actions --------------------------------------------------------- */

static void
set_next_try(struct rport *rport, uint64_t at_ns)
{
	pthread_mutex_lock(&rport->lock);
	rport->status.next_try_ns = at_ns;
	pthread_mutex_unlock(&rport->lock);
	loop_timer_arm(loop_of(rport), &rport->retry, at_ns);
}

/* Three quarters of the delay and up to a quarter by chance, then doubled. */
static void
start_backoff(struct rport *rport)
{
	uint64_t longest = rport->attr->reconnect_delay_ns;
	uint64_t delay = min(rport->delay_ns, longest);
	uint64_t jitter = delay / 4;

	delay -= jitter * (uint64_t)(rand_r(&rport->seed) % 1024) / 1024;
	rport->delay_ns = min(rport->delay_ns * 2, longest);
	set_next_try(rport, clock_ns() + delay);
}

static uint64_t
arm_loss_timer(struct rport *rport, struct loop_timer *timer, uint64_t after_ns)
{
	uint64_t at_ns = clock_ns() + after_ns;

	if (after_ns == RPORT_OFF_NS)
		return 0;
	loop_timer_arm(loop_of(rport), timer, at_ns);
	return at_ns;
}

static void
arm_loss_timers(struct rport *rport)
{
	uint64_t fast = arm_loss_timer(rport, &rport->fast_io_fail,
		rport->attr->fast_io_fail_ns);
	uint64_t loss = arm_loss_timer(
		rport, &rport->dev_loss, rport->attr->dev_loss_ns);

	pthread_mutex_lock(&rport->lock);
	rport->fast_io_fail_at_ns = fast;
	rport->dev_loss_at_ns = loss;
	pthread_mutex_unlock(&rport->lock);
}

static void
disarm_timers(struct rport *rport)
{
	loop_timer_disarm(&rport->retry);
	loop_timer_disarm(&rport->fast_io_fail);
	loop_timer_disarm(&rport->dev_loss);
	pthread_mutex_lock(&rport->lock);
	rport->fast_io_fail_at_ns = 0;
	rport->dev_loss_at_ns = 0;
	rport->status.next_try_ns = 0;
	pthread_mutex_unlock(&rport->lock);
}

static void
close_session(struct rport *rport)
{
	rport_events_stop(rport);
	rport_logout(rport);
}

static void
act(struct rport *rport, unsigned int actions)
{
	if (actions & RPORT_CLOSE)
		close_session(rport);
	if (actions & RPORT_ARM)
		arm_loss_timers(rport);
	if (actions & RPORT_DISARM)
		disarm_timers(rport);
	if (actions & RPORT_RESET_DELAY)
		rport->delay_ns = min(
			SHORTEST_DELAY_NS, rport->attr->reconnect_delay_ns);
	if (actions & RPORT_TRY)
		set_next_try(rport, clock_ns());
	if (actions & RPORT_WAIT)
		start_backoff(rport);
}

static void
end_queued(struct rport *rport, int rc, const char *sentence)
{
	answer_all(rport, &rport->queued, rc, sentence);
	rport->nr_queued = 0;
	loop_timer_disarm(&rport->queue_timer);
}

/* The state is set first: what blocks in an action is seen as its outcome. */
static unsigned int
step(struct rport *rport, enum rport_event event)
{
	enum rport_state old = rport->status.state;
	struct rport_step next = rport_state_step(old, event);
	char reason[RPORT_ERROR_BYTES];

	log_debug("srpd", "target %s: %s: %s -> %s", rport_name(rport),
		rport_event_name(event), rport_state_name(old),
		rport_state_name(next.next));
	if (next.next != old)
		rport_set_state(rport, next.next);
	act(rport, next.actions);
	if (rport_state_fails_fast(next.next)) {
		rport_explain_absence(
			&rport->status, reason, sizeof(reason));
		end_queued(rport, -ENOTCONN, reason);
	}
	return next.actions;
}

void
rport_run_down(struct rport *rport)
{
	uint64_t lasted = clock_ns() - rport->status.ready_ns;

	log_warn("srpd", "target %s: connection lost, logging in again",
		rport_name(rport));
	rport_set_error(rport, -ENOTCONN, "the connection was lost");
	step(rport, lasted < FLAP_NS ? RPORT_EV_FLAP : RPORT_EV_DOWN);
}

/* ---- requests that need a session ------------------------------------ */

static struct rport_call *
oldest_queued(const struct rport *rport)
{
	return list_is_empty(&rport->queued) ? NULL :
		list_entry(rport->queued.next, struct rport_call, node);
}

static struct rport_call *
take_queued(struct rport *rport)
{
	struct rport_call *call = oldest_queued(rport);

	if (!call)
		return NULL;
	list_del(&call->node);
	rport->nr_queued--;
	return call;
}

/* Whoever asked has given up as well. */
static void
on_queued_too_long(struct loop_timer *timer)
{
	struct rport *rport = timer->arg;
	struct rport_call *call;

	while ((call = oldest_queued(rport)) != NULL &&
		call->queued_until_ns <= clock_ns())
		answer(rport, take_queued(rport), -ETIMEDOUT,
			"there was no login for two minutes: it is not carried out any more");
	if (call)
		loop_timer_arm(loop_of(rport), timer, call->queued_until_ns);
}

static void
add_queued(struct rport *rport, struct rport_call *call)
{
	log_info("srpd", "target %s is %s: a %s waits for its login",
		rport_name(rport), rport_state_name(rport->status.state),
		call->request == RPORT_RESCAN ? "rescan" : "reset");
	call->queued_until_ns = clock_ns() + QUEUED_NS;
	if (!rport->nr_queued++)
		loop_timer_arm(loop_of(rport), &rport->queue_timer,
			call->queued_until_ns);
	list_add_tail(&rport->queued, &call->node);
}

/* No session: until there is one, if that may be soon. */
static void
enqueue(struct rport *rport, struct rport_call *call)
{
	char reason[RPORT_ERROR_BYTES];

	if (rport_state_fails_fast(rport->status.state)) {
		rport_explain_absence(&rport->status, reason, sizeof(reason));
		answer(rport, call, -ENOTCONN, reason);
	} else if (rport->nr_queued == MAX_QUEUED) {
		snprintf(reason, sizeof(reason),
			"target %s is %s, and %u commands wait for its login already: srpctl login %s",
			rport_name(rport),
			rport_state_name(rport->status.state), MAX_QUEUED,
			rport_name(rport));
		answer(rport, call, -EBUSY, reason);
	} else {
		add_queued(rport, call);
	}
}

static void
serve_session(struct rport *rport, struct rport_call *call)
{
	char reason[RPORT_ERROR_BYTES] = "";
	int rc;

	if (!rport->session) {
		enqueue(rport, call);
		return;
	}
	if (call->request == RPORT_RESCAN)
		rc = rport_events_rescan(rport, reason, sizeof(reason));
	else
		rc = rport_luns_reset(
			rport, call->lun, reason, sizeof(reason));
	answer(rport, call, rc, reason);
}

/* They came while there was no session. */
static void
serve_queued(struct rport *rport)
{
	struct rport_call *call;

	while (rport->session && !rport_run_is_stopping(rport) &&
		(call = take_queued(rport)) != NULL)
		serve_session(rport, call);
}

/* ---- logging in ------------------------------------------------------ */

/* A fault that lasts is told when it begins, then ever less often. */
static void
log_failure(struct rport *rport, const char *reason)
{
	bool is_same = strcmp(rport->status.last_error, reason) == 0;

	rport->nr_alike = is_same ? rport->nr_alike + 1 : 1;
	if (rport->nr_alike == 1)
		log_warn("srpd", "target %s: login failed: %s",
			rport_name(rport), reason);
	else if (IS_POWER_OF_2(rport->nr_alike))
		log_warn("srpd",
			"target %s: login failed: %s (repeated %u times)",
			rport_name(rport), reason, rport->nr_alike);
}

static void
on_login(struct rport *rport)
{
	struct rport_status *status = &rport->status;

	rport->nr_alike = 0;
	rport_luns_read(rport, true);
	log_info("srpd",
		"target %s: ready: %s by %s, %u LUN%s (attempt %u)",
		rport_name(rport), status->portal, status->device,
		status->nr_luns, status->nr_luns == 1 ? "" : "s",
		status->attempts);
	step(rport, RPORT_EV_UP);
	rport_events_start(rport);
}

static void
on_retry(struct loop_timer *timer)
{
	struct rport *rport = timer->arg;
	char reason[RPORT_ERROR_BYTES] = "";
	int rc;

	if (rport_run_is_stopping(rport) ||
		!rport_state_is_trying(rport->status.state))
		return;
	rc = rport_login(rport, reason, sizeof(reason));
	if (rc == 0) {
		on_login(rport);
	} else {
		log_failure(rport, reason);
		rport_set_error(rport, rc, reason);
		step(rport, RPORT_EV_FAILED);
	}
	answer_all(rport, &rport->waiting, rc, reason);
	serve_queued(rport);
	/* For attempts as well as states: whoever waits for one looks. */
	rports_post_change(rport->rports);
}

static void
on_fast_io_fail(struct loop_timer *timer)
{
	step(timer->arg, RPORT_EV_FAST_IO_FAIL);
}

static void
on_dev_loss(struct loop_timer *timer)
{
	struct rport *rport = timer->arg;

	step(rport, RPORT_EV_DEV_LOSS);
	log_error("srpd",
		"target %s: given up after dev_loss_tmo; srpctl reconnect "
		"tries again",
		rport_name(rport));
	answer_all(rport, &rport->waiting, -ETIMEDOUT,
		rport->status.last_error);
}

/* ---- requests -------------------------------------------------------- */

static void
serve_login(struct rport *rport, struct rport_call *call)
{
	char reason[RPORT_ERROR_BYTES];
	unsigned int actions = step(rport,
		call->request == RPORT_LOGIN ? RPORT_EV_LOGIN :
					       RPORT_EV_RECONNECT);

	if (actions & RPORT_REFUSE) {
		snprintf(reason, sizeof(reason),
			"target %s is %s: srpctl login brings it up",
			rport_name(rport),
			rport_state_name(rport->status.state));
		answer(rport, call, -ENOTCONN, reason);
	} else if (actions & RPORT_TRY) {
		list_add_tail(&rport->waiting, &call->node);
	} else {
		answer(rport, call, 0, "");
	}
}

static void
serve_logout(struct rport *rport, struct rport_call *call)
{
	if (rport->session)
		log_info("srpd", "target %s: logging out", rport_name(rport));
	step(rport, RPORT_EV_LOGOUT);
	answer_all(rport, &rport->waiting, -ECANCELED, "logged out meanwhile");
	answer(rport, call, 0, "");
}

static void
serve(struct rport *rport, struct rport_call *call)
{
	switch (call->request) {
	case RPORT_LOGIN:
	case RPORT_RECONNECT:
		serve_login(rport, call);
		break;
	case RPORT_LOGOUT:
		serve_logout(rport, call);
		break;
	default:
		serve_session(rport, call);
	}
}

/* ---- the inbox ------------------------------------------------------- */

static void
stop(struct rport *rport, struct list *requests)
{
	disarm_timers(rport);
	close_session(rport);
	answer_all(rport, &rport->waiting, -ECANCELED, "srpd lets it go");
	end_queued(rport, -ECANCELED, "srpd lets it go");
	answer_all(rport, requests, -ECANCELED, "srpd lets it go");
	loop_stop(loop_of(rport));
	/* The main loop may free it from here on, once the thread is over. */
	pthread_mutex_lock(&rport->lock);
	rport->has_ended = true;
	pthread_mutex_unlock(&rport->lock);
	rports_post_change(rport->rports);
}

static void
change(struct rport *rport, struct rport_attr *attr)
{
	struct rport_attr *old = rport->attr;
	enum rport_diff diff = rport_attr_diff(old, attr);

	pthread_mutex_lock(&rport->lock);
	rport->attr = attr;
	if (diff == RPORT_DIFF_SESSION) {
		rport->path = 0;
		rport->has_been_up = false;
		memset(rport->path_errors, 0, sizeof(rport->path_errors));
	}
	pthread_mutex_unlock(&rport->lock);
	rport_attr_put(old);
	if (diff != RPORT_DIFF_SESSION)
		return;
	log_info("srpd", "target %s: its configuration has changed%s",
		rport_name(rport),
		rport->session ? ": logging out and in again" : "");
	if (rport->status.state == RPORT_LOGGED_OUT)
		return;
	disarm_timers(rport);
	close_session(rport);
	rport_set_state(rport, RPORT_CONNECTING);
	act(rport, RPORT_RESET_DELAY | RPORT_TRY);
}

static void
begin(struct rport *rport)
{
	rport->has_begun = true;
	if (rport->status.state == RPORT_CONNECTING)
		act(rport, RPORT_RESET_DELAY | RPORT_TRY);
}

static void
on_kick(struct worker *worker)
{
	struct rport *rport = worker->arg;
	struct list requests = LIST_INIT(requests);
	struct rport_attr *attr;
	struct list *node;
	bool must_stop;

	if (!rport->has_begun)
		begin(rport);
	pthread_mutex_lock(&rport->inbox_lock);
	list_splice_tail(&requests, &rport->requests);
	attr = rport->next_attr;
	rport->next_attr = NULL;
	must_stop = rport->must_stop;
	pthread_mutex_unlock(&rport->inbox_lock);
	if (attr)
		change(rport, attr);
	if (must_stop) {
		stop(rport, &requests);
		return;
	}
	while ((node = list_pop_head(&requests)) != NULL)
		serve(rport, list_entry(node, struct rport_call, node));
}

int
rport_run_start(struct rport *rport)
{
	int rc;

	loop_timer_init(&rport->retry, on_retry, rport);
	loop_timer_init(&rport->fast_io_fail, on_fast_io_fail, rport);
	loop_timer_init(&rport->dev_loss, on_dev_loss, rport);
	loop_timer_init(&rport->queue_timer, on_queued_too_long, rport);
	rport_events_init(rport);
	rport->seed = (unsigned int)clock_ns();
	rport->worker.on_kick = on_kick;
	rport->worker.arg = rport;
	rc = worker_start(&rport->worker, rport->status.name, THREAD_ANY_CPU);
	if (rc == 0)
		worker_kick(&rport->worker);
	return rc;
}
