/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What happens to a session of its own accord: LUNs that come, go and change,
 * a connection that is lost. The library tells through a descriptor. An idle
 * session hears nothing, so its LUNs are looked at now and then: this shows
 * changes that no command was there to report, and a target that is silent.
 */
#include <inttypes.h>
#include <stdio.h>

#include "srpd/rport_priv.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/log.h"

/* Between two looks, however often a target reports changes. */
#define SHORTEST_PROBE_NS (200 * CLOCK_NS_PER_MSEC)

static void
arm_probe(struct rport *rport)
{
	if (rport->attr->probe_ns)
		loop_timer_arm(&rport->worker.loop, &rport->probe,
			clock_ns() + rport->attr->probe_ns);
	else
		loop_timer_disarm(&rport->probe);
}

int
rport_events_rescan(struct rport *rport, char *reason, size_t n)
{
	uint64_t begun_ns = clock_ns();
	int rc = srpi_rescan(rport->session, reason, n);

	if (rc == 0) {
		latency_record(&rport->latency[LATENCY_RESCAN],
			clock_ns() - begun_ns);
		rport_luns_read(rport, false);
	}
	pthread_mutex_lock(&rport->lock);
	rport->status.rescans += rc == 0;
	pthread_mutex_unlock(&rport->lock);
	rport->rescanned_ns = clock_ns();
	arm_probe(rport);
	return rc;
}

static void
rescan(struct rport *rport)
{
	char reason[RPORT_ERROR_BYTES] = "";

	if (rport_events_rescan(rport, reason, sizeof(reason)))
		log_warn("srpd", "target %s: reading its LUNs again: %s",
			rport_name(rport), reason);
}

static void
on_session(struct loop_fd *node, uint32_t ready)
{
	struct rport *rport = node->arg;
	uint32_t events = srpi_session_events(rport->session);

	(void)ready;
	if (events & SRPI_EVENT_DISCONNECTED) {
		rport_run_down(rport);
		return;
	}
	if (events & (SRPI_EVENT_LUNS_CHANGED | SRPI_EVENT_CAPACITY_CHANGED)) {
		log_info("srpd", "target %s: reports a change of its LUNs",
			rport_name(rport));
		loop_timer_arm(&rport->worker.loop, &rport->probe,
			max(clock_ns(),
				rport->rescanned_ns + SHORTEST_PROBE_NS));
	}
}

static void
on_probe(struct loop_timer *timer)
{
	rescan(timer->arg);
}

void
rport_events_init(struct rport *rport)
{
	rport->session_node = (struct loop_fd){-1, on_session, rport};
	loop_timer_init(&rport->probe, on_probe, rport);
}

void
rport_events_start(struct rport *rport)
{
	int rc = loop_fd_add(&rport->worker.loop, &rport->session_node,
		srpi_session_fd(rport->session), EPOLLIN);

	if (rc)
		log_error("srpd", "target %s: its events can't be watched",
			rport_name(rport));
	arm_probe(rport);
}

void
rport_events_stop(struct rport *rport)
{
	loop_timer_disarm(&rport->probe);
	loop_fd_remove(&rport->worker.loop, &rport->session_node);
}
