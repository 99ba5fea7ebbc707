/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/events.h"
#include "core/session.h"
#include "wire/scsi_sense.h"

int
events_init(struct events *events)
{
	atomic_init(&events->bits, 0);
	events->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return events->fd < 0 ? -errno : 0;
}

void
events_fini(struct events *events)
{
	if (events->fd >= 0)
		close(events->fd);
}

/* The bits come first: who finds the descriptor readable finds them. */
void
events_raise(struct events *events, uint32_t bits)
{
	if (!bits)
		return;
	atomic_fetch_or(&events->bits, bits);
	eventfd_write(events->fd, 1);
}

/* What is raised after the read makes the descriptor readable again. */
uint32_t
events_take(struct events *events)
{
	eventfd_t value;

	eventfd_read(events->fd, &value);
	return atomic_exchange(&events->bits, 0);
}

uint32_t
events_of_sense(const struct scsi_sense *sense)
{
	switch (scsi_sense_code(sense)) {
	case SCSI_ASC_REPORTED_LUNS_CHANGED:
		return SRPI_EVENT_LUNS_CHANGED;
	case SCSI_ASC_CAPACITY_CHANGED:
		return SRPI_EVENT_CAPACITY_CHANGED;
	default:
		return 0;
	}
}

int
srpi_session_fd(const struct srpi_session *session)
{
	return session->events.fd;
}

uint32_t
srpi_session_events(struct srpi_session *session)
{
	return events_take(&session->events);
}
