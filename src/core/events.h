/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a session has to say of its own accord: SRPI_EVENT_* bits and an
 * eventfd that is readable while there are some. Raised by whoever is inside
 * a channel, taken by any thread.
 */
#ifndef CORE_EVENTS_H
#define CORE_EVENTS_H

#include <stdatomic.h>
#include <stdint.h>

struct scsi_sense;

struct events {
	_Atomic uint32_t bits;
	int fd;
};

/* 0 or -errno. events_fini() accepts one that failed. */
int events_init(struct events *events);
void events_fini(struct events *events);
void events_raise(struct events *events, uint32_t bits);
uint32_t events_take(struct events *events);

/* What a unit attention or an asynchronous event tells; 0: nothing to us. */
uint32_t events_of_sense(const struct scsi_sense *sense);

#endif /* CORE_EVENTS_H */
