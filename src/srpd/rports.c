/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The set of rports, and what comes from their threads to the main loop. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "srpd/rport_priv.h"
#include "util/clock.h"

static void
wake(struct rports *rports)
{
	const uint64_t one = 1;

	/* Only a counter near 2^64 would make it fail. */
	if (write(rports->event_fd, &one, sizeof(one)) < 0)
		return;
}

void
rports_post_done(struct rports *rports, struct rport_call *call)
{
	pthread_mutex_lock(&rports->done_lock);
	list_add_tail(&rports->done, &call->node);
	pthread_mutex_unlock(&rports->done_lock);
	wake(rports);
}

void
rports_post_change(struct rports *rports)
{
	pthread_mutex_lock(&rports->done_lock);
	rports->has_changed = true;
	pthread_mutex_unlock(&rports->done_lock);
	wake(rports);
}

static void
rport_free(struct rport *rport)
{
	free(rport->luns);
	lun_latency_fini(&rport->lun_latencies);
	rport_attr_put(rport->attr);
	rport_attr_put(rport->next_attr);
	pthread_mutex_destroy(&rport->lock);
	pthread_mutex_destroy(&rport->inbox_lock);
	free(rport);
}

/* Joins and frees those whose thread has said that it is through. */
static void
reap(struct rports *rports)
{
	struct rport *rport, *next;
	bool has_ended;

	list_for_each_entry_safe(rport, next, &rports->rports, node) {
		pthread_mutex_lock(&rport->lock);
		has_ended = rport->has_ended;
		pthread_mutex_unlock(&rport->lock);
		if (!has_ended)
			continue;
		worker_stop(&rport->worker);
		rports_lock(rports);
		list_del(&rport->node);
		rports_unlock(rports);
		rport_free(rport);
	}
}

static void
on_event(struct loop_fd *node, uint32_t events)
{
	struct rports *rports = node->arg;
	struct list done = LIST_INIT(done);
	struct rport_call *call;
	struct list *first;
	bool has_changed;
	uint64_t count;

	(void)events;
	if (read(rports->event_fd, &count, sizeof(count)) < 0)
		return;
	pthread_mutex_lock(&rports->done_lock);
	list_splice_tail(&done, &rports->done);
	has_changed = rports->has_changed;
	rports->has_changed = false;
	pthread_mutex_unlock(&rports->done_lock);
	while ((first = list_pop_head(&done)) != NULL) {
		call = list_entry(first, struct rport_call, node);
		call->done(call->arg, call->rc, call->sentence);
		free(call);
	}
	reap(rports);
	if (has_changed && rports->on_change)
		rports->on_change(rports->arg);
}

int
rports_create(struct loop *loop, void (*on_change)(void *arg), void *arg,
	struct rports **out)
{
	struct rports *rports = calloc(1, sizeof(*rports));
	int rc;

	if (!rports)
		return -ENOMEM;
	rports->loop = loop;
	rports->on_change = on_change;
	rports->arg = arg;
	pthread_mutex_init(&rports->lock, NULL);
	pthread_mutex_init(&rports->done_lock, NULL);
	list_init(&rports->rports);
	list_init(&rports->done);
	rports->node = (struct loop_fd){-1, on_event, rports};
	rports->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rc = rports->event_fd < 0 ? -errno : loop_fd_add(loop, &rports->node,
						     rports->event_fd, EPOLLIN);
	if (rc == 0) {
		*out = rports;
		return 0;
	}
	if (rports->event_fd >= 0)
		close(rports->event_fd);
	free(rports);
	return rc;
}

void
rports_destroy(struct rports *rports)
{
	if (!rports)
		return;
	reap(rports);
	/* A thread that has not ended still uses all of this. */
	if (!list_is_empty(&rports->rports))
		return;
	loop_fd_remove(rports->loop, &rports->node);
	close(rports->event_fd);
	pthread_mutex_destroy(&rports->done_lock);
	pthread_mutex_destroy(&rports->lock);
	free(rports);
}

static struct rport *
rport_create(struct rports *rports, struct rport_attr *attr)
{
	struct rport *rport = calloc(1, sizeof(*rport));

	if (!rport)
		return NULL;
	rport->rports = rports;
	pthread_mutex_init(&rport->lock, NULL);
	pthread_mutex_init(&rport->inbox_lock, NULL);
	list_init(&rport->requests);
	list_init(&rport->waiting);
	list_init(&rport->queued);
	rport->attr = rport_attr_get(attr);
	memcpy(rport->status.name, attr->name, sizeof(rport->status.name));
	rport->status.state =
		attr->autologin ? RPORT_CONNECTING : RPORT_LOGGED_OUT;
	rport->status.since_ns = clock_ns();
	return rport;
}

int
rports_start(struct rports *rports, struct rport_attr *attr)
{
	struct rport *rport = rport_create(rports, attr);
	int rc;

	if (!rport)
		return -ENOMEM;
	rc = rport_run_start(rport);
	if (rc) {
		rport_free(rport);
		return rc;
	}
	rports_lock(rports);
	list_add_tail(&rports->rports, &rport->node);
	rports_unlock(rports);
	return 0;
}

void
rports_change(
	struct rports *rports, struct rport *rport, struct rport_attr *attr)
{
	struct rport_attr *old;

	(void)rports;
	pthread_mutex_lock(&rport->inbox_lock);
	old = rport->next_attr;
	rport->next_attr = rport_attr_get(attr);
	pthread_mutex_unlock(&rport->inbox_lock);
	rport_attr_put(old);
	worker_kick(&rport->worker);
}

void
rports_stop(struct rports *rports, struct rport *rport)
{
	rports_lock(rports);
	rport->is_stopped = true;
	rports_unlock(rports);
	pthread_mutex_lock(&rport->inbox_lock);
	rport->must_stop = true;
	pthread_mutex_unlock(&rport->inbox_lock);
	worker_kick(&rport->worker);
}

void
rports_stop_all(struct rports *rports)
{
	struct rport *rport;

	list_for_each_entry(rport, &rports->rports, node) {
		if (!rport->is_stopped)
			rports_stop(rports, rport);
	}
}

unsigned int
rports_nr_stopping(const struct rports *rports)
{
	const struct rport *rport;
	unsigned int nr = 0;

	list_for_each_entry(rport, &rports->rports, node)
		nr += rport->is_stopped;
	return nr;
}

unsigned int
rports_nr_draining(const struct rports *rports)
{
	struct rport *rport;
	unsigned int nr = 0;

	list_for_each_entry(rport, &rports->rports, node) {
		pthread_mutex_lock(&rport->lock);
		nr += rport->is_stopped && rport->has_session;
		pthread_mutex_unlock(&rport->lock);
	}
	return nr;
}

struct rport *
rports_find(struct rports *rports, const char *name)
{
	struct rport *rport;

	list_for_each_entry(rport, &rports->rports, node)
		if (!rport->is_stopped && strcmp(rport_name(rport), name) == 0)
			return rport;
	return NULL;
}

unsigned int
rports_count(const struct rports *rports)
{
	const struct rport *rport;
	unsigned int nr = 0;

	list_for_each_entry(rport, &rports->rports, node)
		nr += !rport->is_stopped;
	return nr;
}

struct rport *
rports_at(struct rports *rports, unsigned int index)
{
	struct rport *rport;

	list_for_each_entry(rport, &rports->rports, node)
		if (!rport->is_stopped && index-- == 0)
			return rport;
	return NULL;
}

void
rports_lock(struct rports *rports)
{
	pthread_mutex_lock(&rports->lock);
}

void
rports_unlock(struct rports *rports)
{
	pthread_mutex_unlock(&rports->lock);
}
