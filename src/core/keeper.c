/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Everything but the number of channels, under keeper_lock, belongs to the
 * keeper thread; keeper_add() and keeper_remove() are calls handed to it.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "core/channel.h"
#include "core/keeper.h"
#include "core/queue.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/worker.h"

#define KEEPER_TICK_MAX_NS CLOCK_NS_PER_SEC
#define KEEPER_TICK_MIN_NS (10 * CLOCK_NS_PER_MSEC)

/* What the keeper knows of one channel. */
struct keeper_watch {
	struct channel *ch;
	struct loop_fd cm, comp;
	uint32_t seen_entries; /* at the last tick */
	bool is_parked;
};

/* One async event descriptor a device, whoever shares it. */
struct keeper_device {
	struct list node;
	struct ibv_context *verbs;
	const struct fabric *fabric;
	struct loop_fd async;
	unsigned int nr_users;
};

static pthread_mutex_t keeper_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int keeper_nr_channels;

static struct worker keeper;
static struct list keeper_channels = LIST_INIT(keeper_channels);
static struct list keeper_devices = LIST_INIT(keeper_devices);
static struct loop_timer keeper_timer;

/* ---- visits ---- */

static void
keeper_poll(struct channel *ch)
{
	int i;

	/* bounded: a target that never stops talking must not hold us */
	for (i = 0; i < 64 && channel_poll(ch) > 0; i++)
		;
	channel_check_deadlines(ch, clock_coarse_ns());
}

static bool
keeper_is_idle(const struct channel *ch)
{
	return !ch->is_blocked && ch->nr_posted == 0 &&
		ch->nr_answered == 0 && !ch->ready.head && !ch->delayed.head;
}

/* Arms the CQ, so that the next IU wakes us. */
static bool
keeper_park(struct keeper_watch *watch)
{
	struct channel *ch = watch->ch;

	if (ch->state == CHANNEL_UP) {
		channel_read_events(ch);
		if (channel_arm(ch))
			return false;
		channel_check_deadlines(ch, clock_coarse_ns());
	}
	if (!watch->is_parked && ch->state == CHANNEL_UP &&
		loop_fd_change(&keeper.loop, &watch->comp, EPOLLIN))
		return false;
	watch->is_parked = true;
	return true;
}

static void
keeper_unpark(struct keeper_watch *watch)
{
	if (!watch->is_parked)
		return;
	watch->is_parked = false;
	loop_fd_change(&keeper.loop, &watch->comp, 0);
}

/* The owner is away: do its part. */
static void
keeper_visit(struct keeper_watch *watch)
{
	struct channel *ch = watch->ch;
	bool park = false;

	if (!channel_visit(ch))
		return;
	if (ch->state == CHANNEL_UP)
		keeper_poll(ch);
	if (ch->state == CHANNEL_UP && atomic_load(&ch->down))
		channel_fail(ch, -ECONNRESET,
			"the target closed the connection");
	if (keeper_is_idle(ch) && !channel_is_served(ch))
		park = keeper_park(watch);
	channel_unvisit(ch, park);
}

/* ---- events ---- */

static void
keeper_on_comp(struct loop_fd *node, uint32_t events)
{
	struct keeper_watch *watch = node->arg;
	unsigned int want = atomic_load_explicit(
		&watch->ch->bias.want, memory_order_acquire);

	(void)events;
	/* the owner is back and reads its own events */
	if (!(want & BIAS_PARKED))
		keeper_unpark(watch);
	else
		keeper_visit(watch);
}

/*
 * Any of these ends the connection. Disconnecting the id moves the QP to
 * the error state: its flush completions wake whoever waits.
 */
static void
keeper_on_down(struct keeper_watch *watch)
{
	struct channel *ch = watch->ch;

	if (atomic_exchange(&ch->down, true))
		return;
	ch->session->attr.fabric->disconnect(ch->id);
	keeper_visit(watch);
}

static void
keeper_on_cm(struct loop_fd *node, uint32_t events)
{
	struct keeper_watch *watch = node->arg;
	const struct fabric *fabric = watch->ch->session->attr.fabric;
	struct rdma_cm_event *event;
	enum rdma_cm_event_type type;

	(void)events;
	if (fabric->get_cm_event(watch->ch->events, &event))
		return;
	type = event->event;
	fabric->ack_cm_event(event);
	if (type == RDMA_CM_EVENT_DISCONNECTED ||
		type == RDMA_CM_EVENT_DEVICE_REMOVAL ||
		type == RDMA_CM_EVENT_CONNECT_ERROR)
		keeper_on_down(watch);
}

static void
keeper_on_async(struct loop_fd *node, uint32_t events)
{
	struct keeper_device *device = node->arg;
	struct ibv_async_event event;

	(void)events;
	if (device->fabric->get_async_event(device->verbs, &event))
		return;
	log_warn("core", "RDMA device event: %s",
		ibv_event_type_str(event.event_type));
	device->fabric->ack_async_event(&event);
}

/* ---- the tick ---- */

static uint64_t
keeper_tick_ns(const struct channel *ch)
{
	uint64_t ns = ch->io_timeout_ns / 4;

	ns = min_t(uint64_t, ns, KEEPER_TICK_MAX_NS);
	return max_t(uint64_t, ns, KEEPER_TICK_MIN_NS);
}

/* True: the channel wants another tick. */
static bool
keeper_tick_channel(struct keeper_watch *watch)
{
	struct channel *ch = watch->ch;
	uint32_t entries =
		atomic_load_explicit(&ch->nr_entries, memory_order_relaxed);

	if (channel_is_served(ch) ||
		(watch->is_parked && entries == watch->seen_entries))
		return false;
	keeper_unpark(watch);
	if (entries == watch->seen_entries)
		keeper_visit(watch);
	watch->seen_entries = entries;
	return !watch->is_parked;
}

static void
keeper_on_tick(struct loop_timer *timer)
{
	uint64_t next = UINT64_MAX;
	struct channel *ch;

	(void)timer;
	list_for_each_entry(ch, &keeper_channels, keeper_node) {
		if (keeper_tick_channel(ch->watch))
			next = min(next, keeper_tick_ns(ch));
	}
	if (next != UINT64_MAX)
		loop_timer_arm(&keeper.loop, &keeper_timer, clock_ns() + next);
}

/* ---- what to keep ---- */

static struct keeper_device *
keeper_find_device(struct ibv_context *verbs)
{
	struct keeper_device *device;

	list_for_each_entry(device, &keeper_devices, node) {
		if (device->verbs == verbs)
			return device;
	}
	return NULL;
}

static int
keeper_get_device(struct ibv_context *verbs, const struct fabric *fabric)
{
	struct keeper_device *device = keeper_find_device(verbs);
	int ret;

	if (device) {
		device->nr_users++;
		return 0;
	}
	device = calloc(1, sizeof(*device));
	if (!device)
		return -ENOMEM;
	*device = (struct keeper_device){
		.verbs = verbs,
		.fabric = fabric,
		.async = { .on_ready = keeper_on_async, .arg = device },
		.nr_users = 1,
	};
	fcntl(verbs->async_fd, F_SETFL,
		fcntl(verbs->async_fd, F_GETFL) | O_NONBLOCK);
	ret = loop_fd_add(
		&keeper.loop, &device->async, verbs->async_fd, EPOLLIN);
	if (ret)
		free(device);
	else
		list_add_tail(&keeper_devices, &device->node);
	return ret;
}

static void
keeper_put_device(struct ibv_context *verbs)
{
	struct keeper_device *device = keeper_find_device(verbs);

	if (--device->nr_users)
		return;
	loop_fd_remove(&keeper.loop, &device->async);
	list_del(&device->node);
	free(device);
}

static int
keeper_watch_fds(struct keeper_watch *watch)
{
	struct channel *ch = watch->ch;
	int ret = loop_fd_add(
		&keeper.loop, &watch->cm, ch->events->fd, EPOLLIN);

	if (ret)
		return ret;
	ret = loop_fd_add(&keeper.loop, &watch->comp, ch->comp->fd, 0);
	if (!ret)
		ret = keeper_get_device(
			ch->id->verbs, ch->session->attr.fabric);
	if (ret) {
		loop_fd_remove(&keeper.loop, &watch->comp);
		loop_fd_remove(&keeper.loop, &watch->cm);
	}
	return ret;
}

static int
keeper_do_add(void *arg)
{
	struct channel *ch = arg;
	struct keeper_watch *watch = calloc(1, sizeof(*watch));
	int ret;

	if (!watch)
		return -ENOMEM;
	*watch = (struct keeper_watch){
		.ch = ch,
		.cm = { .fd = -1, .on_ready = keeper_on_cm, .arg = watch },
		.comp = { .fd = -1, .on_ready = keeper_on_comp, .arg = watch },
	};
	ret = keeper_watch_fds(watch);
	if (ret) {
		free(watch);
		return ret;
	}
	ch->watch = watch;
	list_add_tail(&keeper_channels, &ch->keeper_node);
	if (!loop_timer_is_armed(&keeper_timer))
		keeper_on_tick(&keeper_timer);
	return 0;
}

static int
keeper_do_remove(void *arg)
{
	struct channel *ch = arg;
	struct keeper_watch *watch = ch->watch;

	loop_fd_remove(&keeper.loop, &watch->comp);
	loop_fd_remove(&keeper.loop, &watch->cm);
	keeper_put_device(ch->id->verbs);
	list_del(&ch->keeper_node);
	ch->watch = NULL;
	free(watch);
	return 0;
}

/* ---- the thread and its callers ---- */

static void
keeper_on_kick(struct worker *worker)
{
	(void)worker;
	if (!loop_timer_is_armed(&keeper_timer))
		keeper_on_tick(&keeper_timer);
}

/*
 * A forked child has no keeper thread and none of the parent's sessions; it
 * may open its own.
 */
static void
keeper_in_child(void)
{
	struct keeper_device *device, *next;

	pthread_mutex_init(&keeper_lock, NULL);
	keeper_nr_channels = 0;
	list_init(&keeper_channels);
	list_for_each_entry_safe(device, next, &keeper_devices, node)
		free(device);
	list_init(&keeper_devices);
}

static void
keeper_watch_forks(void)
{
	pthread_atfork(NULL, NULL, keeper_in_child);
}

/* Under keeper_lock. */
static int
keeper_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, keeper_watch_forks);
	keeper = (struct worker){ .on_kick = keeper_on_kick };
	loop_timer_init(&keeper_timer, keeper_on_tick, NULL);
	return worker_start(&keeper, "srpi-keeper", THREAD_ANY_CPU);
}

int
keeper_add(struct channel *ch)
{
	int ret = 0;

	pthread_mutex_lock(&keeper_lock);
	if (keeper_nr_channels == 0)
		ret = keeper_start();
	if (!ret) {
		ret = worker_call(&keeper, keeper_do_add, ch);
		if (!ret)
			keeper_nr_channels++;
		if (keeper_nr_channels == 0)
			worker_stop(&keeper);
	}
	pthread_mutex_unlock(&keeper_lock);
	return ret;
}

void
keeper_remove(struct channel *ch)
{
	pthread_mutex_lock(&keeper_lock);
	if (ch->watch) {
		worker_call(&keeper, keeper_do_remove, ch);
		if (--keeper_nr_channels == 0)
			worker_stop(&keeper);
	}
	pthread_mutex_unlock(&keeper_lock);
}

void
keeper_kick(void)
{
	worker_kick(&keeper);
}

unsigned long long
keeper_cpu_ns(void)
{
	unsigned long long ns = 0;

	pthread_mutex_lock(&keeper_lock);
	if (keeper_nr_channels)
		thread_cpu_ns(&keeper.thread, &ns);
	pthread_mutex_unlock(&keeper_lock);
	return ns;
}
