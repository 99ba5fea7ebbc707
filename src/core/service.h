/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The threads of the modes `thread` and `poll`, which handle completions for
 * the queues of shared channels (core/share.h).
 *
 *	thread   sleeps on the event channels of its channels; drains one,
 *	         wakes the clients, arms it again
 *	poll     spins over the CQs of its channels; yields where there are
 *	         fewer CPUs than spinning threads
 *
 * One service a mode and CPU, started with its first channel and ended with
 * its last. It also ends commands past their time, so that the keeper only
 * sees to the connection manager.
 */
#ifndef CORE_SERVICE_H
#define CORE_SERVICE_H

#include "core/channel.h"
#include "util/thread.h"

/*
 * The channel is shared from now on; the service polls it. @cpu: where its
 * thread runs, or THREAD_ANY_CPU. 0 or -errno.
 */
int service_attach(struct channel *ch, enum srpi_completion mode, int cpu);
/* Returns once the service no longer touches @ch. */
void service_detach(struct channel *ch);

/* CPU time of all services so far. */
unsigned long long service_cpu_ns(void);

#endif /* CORE_SERVICE_H */
