/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <sched.h>
#include <stdlib.h>

#include "core/service.h"
#include "core/session.h"
#include "util/clock.h"
#include "util/spin.h"
#include "util/worker.h"

#define SERVICE_TICK_NS	     CLOCK_NS_PER_SEC
#define SERVICE_TICK_MIN_NS  (20 * CLOCK_NS_PER_MSEC)
/* rounds of a poll service between two looks at descriptors and clocks */
#define SERVICE_POLL_ROUNDS  1024

/* What a service knows of one channel. */
struct service_watch {
	struct list node;
	struct service *service;
	struct channel *ch;
	struct loop_fd comp;
};

struct service {
	struct list node;
	enum srpi_completion mode;
	int cpu;
	unsigned int nr_users; /* under service_lock */
	struct worker worker;
	/* the worker's own */
	struct list watches;
	struct loop_timer tick;
};

static pthread_mutex_t service_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list services = LIST_INIT(services);
static unsigned long long service_gone_ns; /* CPU time of ended ones */

/* ---- the two ways to run ---- */

/* A SEND whose response is there completes soon; the tick sees to the rest. */
#define SERVICE_SEND_POLLS 10000

/* Drains, then arms, and so drains again. */
static void
service_drain(struct channel *ch)
{
	int i;

	for (i = 0; i < SERVICE_SEND_POLLS; i++)
		if (channel_poll(ch) <= 0 && !ch->nr_answered)
			break;
	if (ch->state == CHANNEL_UP && !ch->armed)
		channel_arm(ch);
}

static void
service_on_comp(struct loop_fd *node, uint32_t events)
{
	struct service_watch *watch = node->arg;
	struct channel *ch = watch->ch;

	(void)events;
	channel_enter(ch);
	channel_read_events(ch);
	service_drain(ch);
	channel_leave(ch);
}

static void
service_check(struct channel *ch, uint64_t now)
{
	channel_enter(ch);
	channel_check_deadlines(ch, now);
	if (ch->state == CHANNEL_UP)
		channel_poll(ch); /* a flush, a SEND's completion */
	channel_leave(ch);
}

static uint64_t
service_tick_ns(const struct service *service)
{
	const struct service_watch *watch;
	uint64_t ns = SERVICE_TICK_NS;

	list_for_each_entry(watch, &service->watches, node)
		ns = min(ns, watch->ch->io_timeout_ns / 4);
	return max_t(uint64_t, ns, SERVICE_TICK_MIN_NS);
}

static void
service_on_tick(struct loop_timer *timer)
{
	struct service *service = timer->arg;
	struct service_watch *watch;

	list_for_each_entry(watch, &service->watches, node)
		service_check(watch->ch, clock_coarse_ns());
	loop_timer_arm(&service->worker.loop, timer,
		clock_ns() + service_tick_ns(service));
}

static int
service_poll_all(struct service *service)
{
	struct service_watch *watch;
	int nr = 0;

	list_for_each_entry(watch, &service->watches, node) {
		channel_enter(watch->ch);
		nr += channel_poll(watch->ch);
		channel_leave(watch->ch);
		bias_let_in(&watch->ch->bias);
	}
	return nr;
}

static void
service_run_poll(struct worker *worker)
{
	struct service *service = worker->arg;
	struct spin spin;
	int i;

	spin_begin(&spin);
	while (!atomic_load_explicit(
		&worker->loop.is_stopped, memory_order_relaxed)) {
		for (i = 0; i < SERVICE_POLL_ROUNDS; i++) {
			if (service_poll_all(service))
				spin_reset(&spin);
			else
				spin_pause(&spin);
		}
		loop_run_once(&worker->loop, 0);
	}
	spin_end(&spin);
}

/* ---- channels come and go; in the worker's thread ---- */

static int
service_do_add(void *arg)
{
	struct service_watch *watch = arg;
	struct service *service = watch->service;
	int ret = 0;

	watch->comp.arg = watch;
	watch->comp.on_ready = service_on_comp;
	watch->comp.fd = -1;
	if (service->mode == SRPI_COMPLETION_THREAD)
		ret = loop_fd_add(&service->worker.loop, &watch->comp,
			watch->ch->comp->fd, EPOLLIN);
	if (ret)
		return ret;
	list_add_tail(&service->watches, &watch->node);
	watch->ch->service = service;
	watch->ch->service_watch = watch;
	if (service->mode == SRPI_COMPLETION_THREAD)
		service_on_comp(&watch->comp, 0);
	service_on_tick(&service->tick);
	return 0;
}

static int
service_do_remove(void *arg)
{
	struct service_watch *watch = arg;

	loop_fd_remove(&watch->service->worker.loop, &watch->comp);
	list_del(&watch->node);
	watch->ch->service = NULL;
	watch->ch->service_watch = NULL;
	return 0;
}

/* ---- services come and go; under service_lock ---- */

static struct service *
service_find(enum srpi_completion mode, int cpu)
{
	struct service *service;

	list_for_each_entry(service, &services, node) {
		if (service->mode == mode && service->cpu == cpu)
			return service;
	}
	return NULL;
}

/* A forked child has none of our threads. */
static void
service_in_child(void)
{
	pthread_mutex_init(&service_lock, NULL);
	list_init(&services);
	service_gone_ns = 0;
}

static void
service_watch_forks(void)
{
	pthread_atfork(NULL, NULL, service_in_child);
}

static int
service_start(enum srpi_completion mode, int cpu, struct service **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct service *service = calloc(1, sizeof(*service));
	int ret;

	pthread_once(&once, service_watch_forks);
	if (!service)
		return -ENOMEM;
	service->mode = mode;
	service->cpu = cpu;
	list_init(&service->watches);
	loop_timer_init(&service->tick, service_on_tick, service);
	service->worker.arg = service;
	if (mode == SRPI_COMPLETION_POLL)
		service->worker.run = service_run_poll;
	ret = worker_start(&service->worker,
		mode == SRPI_COMPLETION_POLL ? "srpi-poll" : "srpi-thread",
		cpu);
	if (ret) {
		free(service);
		return ret;
	}
	list_add_tail(&services, &service->node);
	*out = service;
	return 0;
}

static void
service_put(struct service *service)
{
	unsigned long long ns = 0;

	if (service->nr_users)
		return;
	thread_cpu_ns(&service->worker.thread, &ns);
	service_gone_ns += ns;
	list_del(&service->node);
	worker_stop(&service->worker);
	free(service);
}

static int
service_add(struct channel *ch, struct service *service)
{
	struct service_watch *watch = calloc(1, sizeof(*watch));
	int ret = -ENOMEM;

	if (watch) {
		watch->service = service;
		watch->ch = ch;
		ret = worker_call(&service->worker, service_do_add, watch);
	}
	if (ret)
		free(watch);
	else
		service->nr_users++;
	return ret;
}

int
service_attach(struct channel *ch, enum srpi_completion mode, int cpu)
{
	struct service *service;
	int ret = 0;

	channel_share(ch);
	pthread_mutex_lock(&service_lock);
	if (channel_is_served(ch)) { /* another of its queues was faster */
		pthread_mutex_unlock(&service_lock);
		return 0;
	}
	service = service_find(mode, cpu);
	if (!service)
		ret = service_start(mode, cpu, &service);
	if (!ret) {
		ret = service_add(ch, service);
		service_put(service);
	}
	pthread_mutex_unlock(&service_lock);
	return ret;
}

void
service_detach(struct channel *ch)
{
	struct service_watch *watch = ch->service_watch;
	struct service *service = ch->service;

	if (!service)
		return;
	pthread_mutex_lock(&service_lock);
	worker_call(&service->worker, service_do_remove, watch);
	free(watch);
	service->nr_users--;
	service_put(service);
	pthread_mutex_unlock(&service_lock);
}

unsigned long long
service_cpu_ns(void)
{
	unsigned long long sum, ns;
	struct service *service;

	pthread_mutex_lock(&service_lock);
	sum = service_gone_ns;
	list_for_each_entry(service, &services, node) {
		if (!thread_cpu_ns(&service->worker.thread, &ns))
			sum += ns;
	}
	pthread_mutex_unlock(&service_lock);
	return sum;
}
