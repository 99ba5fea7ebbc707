/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What others see of an rport, and how they ask it for something. */
#include "srpd/rport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "srpd/redact.h"
#include "srpd/rport_priv.h"
#include "util/clock.h"
#include "util/compiler.h"

const char *
rport_name(const struct rport *rport)
{
	return rport->status.name; /* never changes */
}

/*
 * The main loop put it there, or the thread took it from the inbox since; a
 * reader of this thread holds neither lock, so it asks for the newest.
 */
struct rport_attr *
rport_attr(const struct rport *rport)
{
	struct rport *self = (struct rport *)(uintptr_t)rport;
	struct rport_attr *attr;

	pthread_mutex_lock(&self->inbox_lock);
	pthread_mutex_lock(&self->lock);
	attr = self->next_attr ? self->next_attr : self->attr;
	pthread_mutex_unlock(&self->lock);
	pthread_mutex_unlock(&self->inbox_lock);
	return attr;
}

void
rport_set_state(struct rport *rport, enum rport_state state)
{
	pthread_mutex_lock(&rport->lock);
	if (rport->status.state != state)
		rport->status.since_ns = clock_ns();
	rport->status.state = state;
	pthread_mutex_unlock(&rport->lock);
	rports_post_change(rport->rports);
}

void
rport_set_error(struct rport *rport, int rc, const char *text)
{
	struct rport_status *status = &rport->status;

	pthread_mutex_lock(&rport->lock);
	snprintf(status->last_error, sizeof(status->last_error), "%s", text);
	status->last_errno = rc;
	status->last_error_ns = clock_ns();
	pthread_mutex_unlock(&rport->lock);
}

/*
 * The thread may be inside a login when one of its times passes; what it will
 * find then is true already.
 */
static void
apply_time(const struct rport *rport, struct rport_status *status)
{
	uint64_t now = clock_ns();

	if (status->state == RPORT_BLOCKED && rport->fast_io_fail_at_ns &&
		now >= rport->fast_io_fail_at_ns) {
		status->state = RPORT_FAIL_FAST;
		status->since_ns = rport->fast_io_fail_at_ns;
	}
}

void
rport_status(struct rport *rport, struct rport_status *status)
{
	pthread_mutex_lock(&rport->lock);
	*status = rport->status;
	status->required = rport->attr->required;
	status->autologin = rport->attr->autologin;
	apply_time(rport, status);
	pthread_mutex_unlock(&rport->lock);
}

/* In use or not: what was last found of it. */
static void
describe_path(const struct rport *rport, unsigned int i, struct rport_path *path)
{
	const struct rport_path_error *error = &rport->path_errors[i];

	redact_url(rport->attr->urls[i], path->url, sizeof(path->url));
	path->is_used = rport->session && rport->path == i;
	path->error_ns = error->at_ns;
	memcpy(path->error, error->text, sizeof(path->error));
}

unsigned int
rport_paths(struct rport *rport, struct rport_path *paths)
{
	unsigned int nr;

	pthread_mutex_lock(&rport->lock);
	nr = rport->attr->nr_urls;
	for (unsigned int i = 0; i < nr; i++)
		describe_path(rport, i, &paths[i]);
	pthread_mutex_unlock(&rport->lock);
	return nr;
}

unsigned int
rport_luns(struct rport *rport, struct srpi_lun_info *luns, unsigned int max)
{
	unsigned int nr;

	pthread_mutex_lock(&rport->lock);
	nr = rport->nr_luns;
	if (nr && max)
		memcpy(luns, rport->luns, min(nr, max) * sizeof(*luns));
	pthread_mutex_unlock(&rport->lock);
	return nr;
}

/* All fields are counts, as the assertion sees to. */
void
rport_add_stats(struct srpi_stats *sum, const struct srpi_stats *more)
{
	uint64_t *to = (uint64_t *)(void *)sum;
	const uint64_t *from = (const uint64_t *)(const void *)more;

	_Static_assert(sizeof(*sum) % sizeof(uint64_t) == 0, "only counters");
	for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
		to[i] += from[i];
}

void
rport_stats(struct rport *rport, struct srpi_stats *stats)
{
	struct srpi_stats now;

	pthread_mutex_lock(&rport->lock);
	*stats = rport->past;
	if (rport->session) {
		srpi_session_stats(rport->session, &now, sizeof(now));
		rport_add_stats(stats, &now);
	}
	pthread_mutex_unlock(&rport->lock);
}

void
rport_latency(
	struct rport *rport, enum latency_op op, struct latency *latency)
{
	latency_read(&rport->latency[op], latency);
}

unsigned int
rport_lun_latencies(
	struct rport *rport, struct lun_latency *luns, unsigned int max)
{
	unsigned int nr;

	pthread_mutex_lock(&rport->lock);
	nr = rport->lun_latencies.nr;
	if (nr && max)
		memcpy(luns, rport->lun_latencies.all,
			min(nr, max) * sizeof(*luns));
	pthread_mutex_unlock(&rport->lock);
	return nr;
}

bool
rport_visit(struct rport *rport,
	void (*visit)(struct srpi_session *session, void *arg), void *arg)
{
	bool has_session;

	pthread_mutex_lock(&rport->lock);
	has_session = rport->session != NULL;
	if (has_session)
		visit(rport->session, arg);
	pthread_mutex_unlock(&rport->lock);
	return has_session;
}

void
rport_explain_absence(const struct rport_status *status, char *reason, size_t n)
{
	snprintf(reason, n,
		"target %s is %s: %.300s; srpctl reconnect %s tries again at once",
		status->name, rport_state_name(status->state),
		*status->last_error ? status->last_error :
				      "its connection is gone",
		status->name);
}

/* What needs a session is refused at once where it would fail. */
static int
check_request(struct rport *rport, enum rport_request request, char *reason,
	size_t n)
{
	struct rport_status status;

	rport_status(rport, &status);
	if (rport->is_stopped) {
		snprintf(reason, n, "target %s is being taken away",
			status.name);
		return -ESHUTDOWN;
	}
	if (request != RPORT_RESCAN && request != RPORT_RESET)
		return 0;
	if (!rport_state_fails_fast(status.state))
		return 0;
	rport_explain_absence(&status, reason, n);
	return -ENOTCONN;
}

int
rport_request(struct rport *rport, enum rport_request request, uint64_t lun,
	rport_done_fn done, void *arg, char *reason, size_t n)
{
	int rc = check_request(rport, request, reason, n);
	struct rport_call *call;

	if (rc)
		return rc;
	call = calloc(1, sizeof(*call));
	if (!call) {
		snprintf(reason, n, "out of memory");
		return -ENOMEM;
	}
	call->request = request;
	call->lun = lun;
	call->done = done;
	call->arg = arg;
	pthread_mutex_lock(&rport->inbox_lock);
	list_add_tail(&rport->requests, &call->node);
	pthread_mutex_unlock(&rport->inbox_lock);
	worker_kick(&rport->worker);
	return 0;
}
