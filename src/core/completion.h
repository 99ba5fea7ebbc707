/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Completion modes: who handles completions, and how a wait waits. One row
 * a mode.
 */
#ifndef CORE_COMPLETION_H
#define CORE_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

#include <srpi/srpi.h>

struct completion_ops {
	const char *name;
	/*
	 * Runs inside the channel, after a poll that left the caller with too
	 * few I/Os: returns false when polling again may find more, true when
	 * @deadline_ns (clock_ns(), UINT64_MAX: none) has passed.
	 */
	bool (*wait)(struct srpi_queue *queue, uint64_t deadline_ns);
	/* The wait is over; NULL: nothing to do. Inside the channel. */
	void (*end)(struct srpi_queue *queue);
	bool has_fd;
	/* A service thread polls; which: SRPI_COMPLETION_THREAD or _POLL. */
	bool has_service;
	/* Watch `done` for wait_spin_usec before sleeping, while another polls. */
	bool follows_spinning;
};

/* NULL: not in this build. */
const struct completion_ops *completion_find(enum srpi_completion completion);

/* For srpi_fd(): the next completion makes the descriptor readable. */
void completion_rearm(struct srpi_queue *queue);

#endif /* CORE_COMPLETION_H */
