/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A queue's set-up, teardown and what can be asked of it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/queue.h"
#include "core/service.h"
#include "core/session.h"
#include "core/share.h"
#include "core/wakecost.h"

#define QUEUE_FLAGS (SRPI_QUEUE_TIMES | SRPI_QUEUE_STAGES)

static int
queue_alloc(struct srpi_queue *queue, uint32_t depth)
{
	uint32_t cells = 1;

	while (cells < depth)
		cells *= 2;
	queue->tags = calloc(BITSET_WORDS(depth), sizeof(*queue->tags));
	queue->done_cells = calloc(cells, sizeof(*queue->done_cells));
	if (!queue->tags || !queue->done_cells)
		return -ENOMEM;
	ring_init(&queue->done, queue->done_cells, cells);
	queue->depth = depth;
	return 0;
}

/* The queue's channel: one of its own while the target grants them. */
static int
queue_connect(struct srpi_queue *queue, int cpu, char *reason, size_t n)
{
	int ret = session_get_channel(queue->session, queue, reason, n);

	if (ret)
		return ret;
	/* a shared channel's mode is that of the queue that came first */
	queue->completion = queue->ch->completion;
	queue->ops = completion_find(queue->completion);
	if (queue->completion == SRPI_COMPLETION_ADAPTIVE)
		adaptive_init(&queue->adaptive, wakecost_ns());
	if (cpu < 0)
		cpu = queue->session->attr.cpu;
	if (queue->ops->has_service && !channel_is_served(queue->ch))
		ret = service_attach(queue->ch, queue->completion,
			cpu < 0 ? THREAD_ANY_CPU : cpu);
	if (ret)
		snprintf(reason, n, "starting a completion thread: %s",
			strerror(-ret));
	return ret;
}

static int
queue_make_slots(struct srpi_queue *queue, char *reason, size_t n)
{
	/* the control queue's commands have one buffer */
	uint32_t max_descs = queue->number == QUEUE_CONTROL
		? 1 : queue->ch->max_descs;
	int ret = slots_create(&queue->slots, queue, queue->depth, max_descs,
		reason, n);

	if (ret)
		return ret;
	queue->ios = queue->slots.ios;
	ret = channel_attach(queue->ch, queue);
	if (ret)
		snprintf(reason, n, "too many queues share one connection");
	return ret;
}

int
queue_create(struct srpi_session *session, const struct srpi_queue_opts *opts,
	unsigned int number, struct srpi_queue **out, char *reason, size_t n)
{
	struct srpi_queue *queue = mem_aligned_zalloc(64, sizeof(*queue));
	int ret = -ENOMEM;

	if (queue)
		queue->event_fd = -1; /* queue_destroy() takes it from here */
	if (!queue || queue_alloc(queue, opts->depth)) {
		snprintf(reason, n, "out of memory for a queue of %u",
			opts->depth);
		goto fail;
	}
	queue->session = session;
	queue->number = number;
	queue->completion = opts->completion;
	queue->ops = completion_find(opts->completion);
	queue->wants_stages = opts->flags & SRPI_QUEUE_STAGES;
	queue->wants_times =
		opts->flags & (SRPI_QUEUE_TIMES | SRPI_QUEUE_STAGES);
	io_list_init(&queue->plug);
	list_init(&queue->node);
	ret = queue_connect(queue, opts->cpu, reason, n);
	if (!ret)
		ret = queue_make_slots(queue, reason, n);
	if (ret)
		goto fail;
	*out = queue;
	return 0;
fail:
	queue_destroy(queue);
	return ret;
}

void
queue_destroy(struct srpi_queue *queue)
{
	if (!queue)
		return;
	/* first the way to the wire: then nothing names the slots' memory */
	session_put_channel(queue->session, queue);
	slots_destroy(&queue->slots, queue);
	if (queue->event_fd >= 0)
		close(queue->event_fd);
	free(queue->tags);
	free(queue->done_cells);
	free(queue);
}

static int
queue_check_cpu(int cpu, char *reason, size_t n)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (cpu >= -1 && cpu < nr_cpus)
		return 0;
	snprintf(reason, n,
		"there is no CPU %d; a queue's is 0 to %ld, or -1 for any", cpu,
		nr_cpus - 1);
	return -EINVAL;
}

static int
queue_check_opts(const struct srpi_session *session,
	const struct srpi_queue_opts *given, struct srpi_queue_opts *opts,
	char *reason, size_t n)
{
	static const struct srpi_queue_opts none = SRPI_QUEUE_OPTS_INIT;

	*opts = given ? *given : none;
	if (!opts->depth)
		opts->depth = session->attr.depth;
	if (opts->completion == SRPI_COMPLETION_DEFAULT)
		opts->completion = session->attr.completion;
	if (opts->depth > QUEUE_MAX_DEPTH) {
		snprintf(reason, n, "a queue's depth is 1 to %u, not %u",
			QUEUE_MAX_DEPTH, opts->depth);
		return -EINVAL;
	}
	if (!completion_find(opts->completion)) {
		snprintf(reason, n,
			"there is no completion mode %u; it is %u (inline) to %u (adaptive), or 0 for the session's",
			(unsigned int)opts->completion, SRPI_COMPLETION_INLINE,
			SRPI_NR_COMPLETIONS - 1);
		return -EOPNOTSUPP;
	}
	if (opts->flags & ~QUEUE_FLAGS) {
		snprintf(reason, n,
			"a queue has no flags 0x%x; there are SRPI_QUEUE_TIMES and SRPI_QUEUE_STAGES",
			opts->flags & ~QUEUE_FLAGS);
		return -EINVAL;
	}
	return queue_check_cpu(opts->cpu, reason, n);
}

int
srpi_queue_create(struct srpi_session *session,
	const struct srpi_queue_opts *given, struct srpi_queue **queue,
	char *reason, size_t n)
{
	struct srpi_queue_opts opts;
	int ret = queue_check_opts(session, given, &opts, reason, n);
	unsigned int number;

	if (ret)
		return ret;
	pthread_mutex_lock(&session->lock);
	number = session->next_queue++;
	pthread_mutex_unlock(&session->lock);
	ret = queue_create(session, &opts, number, queue, reason, n);
	if (ret) {
		session_add_remedy(ret, reason, n);
		return ret;
	}
	pthread_mutex_lock(&session->lock);
	list_add_tail(&session->queues, &(*queue)->node);
	pthread_mutex_unlock(&session->lock);
	return 0;
}

void
srpi_queue_destroy(struct srpi_queue *queue)
{
	struct srpi_session *session;

	if (!queue)
		return;
	session = queue->session;
	pthread_mutex_lock(&session->lock);
	list_del(&queue->node);
	pthread_mutex_unlock(&session->lock);
	/* Without a channel nobody counts for it any more. */
	session_put_channel(session, queue);
	queue->ch = NULL;
	session_keep_stats(session, &queue->stats);
	queue_destroy(queue);
}

void
queue_refuse(struct srpi_io *io)
{
	struct srpi_queue *queue = io->queue;

	assert(io_state(io) == IO_HELD); /* else it is queued already */
	io->result = (struct srpi_result){ .error = -EINVAL };
	queue->nr_outstanding++;
	channel_enter(queue->ch);
	queue_count(io);
	channel_finish(queue->ch, io);
	channel_leave(queue->ch);
}

void
srpi_queue_info(const struct srpi_queue *queue, struct srpi_queue_info *info)
{
	const struct channel *ch = queue->ch;
	uint32_t window = ch->req_lim - (uint32_t)ch->kept_credits;

	*info = (struct srpi_queue_info){
		.depth = queue->depth,
		.window = min(window, queue->depth),
		.completion = queue->completion,
		.channel = ch->number,
		.max_inline_bytes = ch->max_inline,
		.memory_bytes = ch->memory_bytes + queue->slots.memory_bytes +
			sizeof(*queue) +
			BITSET_WORDS(queue->depth) * sizeof(*queue->tags) +
			(queue->done.mask + 1) * sizeof(*queue->done_cells),
	};
}

static int
queue_fd_add(int epoll_fd, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/*
 * Readable when the CQ has an event for us, or a visitor has taken that event
 * and finished I/Os in our place.
 */
static int
queue_fd(struct srpi_queue *queue)
{
	int fd;

	if (queue->event_fd >= 0)
		return queue->event_fd;
	fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (queue_fd_add(fd, queue->ch->comp->fd) ||
		queue_fd_add(fd, queue->ch->kick_fd)) {
		close(fd);
		return -errno;
	}
	queue->event_fd = fd;
	return fd;
}

int
srpi_fd(struct srpi_queue *queue)
{
	struct channel *ch = queue->ch;
	bool is_shared;
	int fd;

	if (!queue->ops->has_fd)
		return -EOPNOTSUPP;
	pthread_mutex_lock(&queue->session->channels_lock);
	ch->has_fd_user = true; /* from now on nobody joins */
	is_shared = channel_is_shared(ch) || ch->nr_users > 1;
	pthread_mutex_unlock(&queue->session->channels_lock);
	fd = is_shared ? share_fd(queue) : queue_fd(queue);
	queue->uses_fd = fd >= 0;
	return fd;
}

void
srpi_queue_stats(struct srpi_queue *queue, struct srpi_stats *stats,
	size_t bytes)
{
	struct srpi_stats sum = { 0 };

	session_add_stats(&sum, &queue->stats);
	session_add_stats(&sum, &queue->ch->stats);
	memset(stats, 0, bytes);
	memcpy(stats, &sum, min_t(size_t, bytes, sizeof(sum)));
}
