/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A queue: what one client thread owns.
 *
 *	tags ──get──> slot ──queue_io──> plug ──submit──> channel.ready ──> wire
 *	  ^                                                                │
 *	  └──put── caller <──poll/wait── done <──────── channel_poll() <───┘
 *
 * Owner: the client thread; `done` is filled by whoever is inside the
 * channel and emptied by the client.
 */
#ifndef CORE_QUEUE_H
#define CORE_QUEUE_H

#include "core/adaptive.h"
#include "core/channel.h"
#include "core/completion.h"
#include "core/probes.h"
#include "core/slots.h"
#include "util/bitset.h"
#include "util/clock.h"
#include "util/counter.h"
#include "util/ring.h"
#include "util/spin.h"

#define QUEUE_MAX_DEPTH 1024u

struct srpi_queue {
	struct channel *ch;
	struct srpi_io *ios; /* = slots.ios */
	uint64_t *tags; /* bitset: set = taken */
	uint32_t tag_hint, depth;
	struct io_list plug;
	uint32_t nr_plugged;
	uint32_t nr_outstanding; /* submitted, not yet handed to the caller */
	uint32_t nr_idle; /* empty polls */
	uint32_t mr_hint; /* where mrpool found the last region */

	/* while others fill `done`: core/share.h */
	_Atomic uint32_t is_asleep; /* futex */
	_Atomic uint32_t want;	    /* I/Os it sleeps for */
	_Atomic bool is_signalled;  /* event_fd has been written */
	int event_fd;

	/* adaptive: this wait, 0 = none yet, and the policy */
	uint64_t wait_begin_ns, spin_until_ns;
	uint64_t woken_ns; /* stages: when its thread last woke */
	bool has_blocked;
	struct spin spin;
	struct adaptive adaptive;

	bool is_leader; /* polls for all queues of the channel */
	bool wants_times, wants_stages;
	_Atomic bool uses_fd; /* set once; visitors look */
	const struct completion_ops *ops;
	struct ring done;
	/* of its commands; inside the channel, but for wakeups */
	struct srpi_stats stats;

	struct srpi_session *session;
	enum srpi_completion completion;
	unsigned int number; /* in the session */
	struct list node;
	uintptr_t *done_cells;
	struct slots slots;
	uint32_t index; /* in the channel */
};

/* Books a finished command, result filled. Inside the channel. */
static inline void
queue_count(const struct srpi_io *io)
{
	struct srpi_stats *stats = &io->queue->stats;

	counter_add(&stats->commands, 1);
	if (io->dir == IO_READ) {
		counter_add(&stats->reads, 1);
		counter_add(&stats->read_bytes, io->result.bytes);
	} else if (io->dir == IO_WRITE) {
		counter_add(&stats->writes, 1);
		counter_add(&stats->write_bytes, io->result.bytes);
	}
	if (unlikely(io->result.error))
		counter_add(&stats->errors, 1);
}

static inline void
queue_stamp_done(const struct srpi_queue *queue, struct srpi_io *io,
	uint64_t now)
{
	io->result.complete_ns = now;
	io->result.woken_ns = queue->woken_ns >= io->result.submit_ns
		? queue->woken_ns : 0;
}

/* The queue's thread has slept and runs again. */
static inline void
queue_stamp_woken(struct srpi_queue *queue)
{
	if (unlikely(queue->wants_stages))
		queue->woken_ns = clock_ns();
	PROBE_WOKEN(queue->number, ring_count(&queue->done));
}

/* Hands over what is done; every I/O that ends passes here. */
static inline unsigned int
queue_pop(struct srpi_queue *queue, struct srpi_io **ios, unsigned int max)
{
	unsigned int nr = 0, i;
	uintptr_t cell;
	uint64_t now;

	while (nr < max && ring_pop(&queue->done, &cell)) {
		ios[nr++] = (struct srpi_io *)cell;
		PROBE_IO(delivered, queue->number, (struct srpi_io *)cell);
	}
	queue->nr_outstanding -= nr;
	if (unlikely(queue->wants_times) && nr) {
		now = clock_ns();
		for (i = 0; i < nr; i++)
			queue_stamp_done(queue, ios[i], now);
	}
	return nr;
}

/* An I/O that no prep has accepted: it ends with -EINVAL, unsent. */
void queue_refuse(struct srpi_io *io);

/*
 * Polls the channel until @want I/Os are in @ios or @deadline_ns has passed
 * (then *expired). Enters and leaves. Returns how many are in @ios.
 */
unsigned int queue_drive(struct srpi_queue *queue, struct srpi_io **ios,
	unsigned int nr, unsigned int want, unsigned int max,
	uint64_t deadline_ns);

/* srpi_queue_create() for the session itself too; @number is its own. */
int queue_create(struct srpi_session *session,
	const struct srpi_queue_opts *opts, unsigned int number,
	struct srpi_queue **out, char *reason, size_t n);
void queue_destroy(struct srpi_queue *queue);

#endif /* CORE_QUEUE_H */
