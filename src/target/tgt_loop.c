/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The loop thread. Where it serves I/O itself it polls for spin_ns after the
 * last completion, then arms every completion queue, looks once more, and
 * blocks.
 */
#include "target/tgt_change.h"
#include "target/tgt_chan.h"
#include "target/tgt_conn.h"
#include "target/tgt_tmf.h"
#include "util/clock.h"

#define LOOP_REAP_NS (200 * CLOCK_NS_PER_USEC)
#define LOOP_ROUNDS 64 /* of polling, between looks at everything else */

static bool
loop_is_frozen(const struct target *target)
{
	return atomic_load(&target->odd) & TGT_ODD_FROZEN &&
		!atomic_load(&target->is_stopping);
}

static void
loop_wait_thaw(struct target *target)
{
	if (!loop_is_frozen(target))
		return;
	pthread_mutex_lock(&target->lock);
	while (loop_is_frozen(target))
		pthread_cond_wait(&target->thawed, &target->lock);
	pthread_mutex_unlock(&target->lock);
}

static unsigned int
loop_run_conns(struct target *target)
{
	struct tgt_conn *conn;
	unsigned int nr = 0;

	list_for_each_entry(conn, &target->conns, node)
		nr += tgt_chan_run(conn);
	return nr;
}

static void
loop_close_all(struct target *target)
{
	struct tgt_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &target->conns, node)
		tgt_conn_close(conn);
}

/* What callers and runners have asked for. True: come again soon. */
static bool
loop_serve_requests(struct target *target)
{
	bool is_changing;

	target->is_woken = false;
	if (atomic_exchange(&target->wants_disconnect, false))
		loop_close_all(target);
	tgt_conn_close_failed(target);
	if (atomic_exchange(&target->wants_run, false))
		loop_run_conns(target);
	tgt_tmf_serve(target);
	is_changing = tgt_change_serve(target);
	tgt_grave_reap(target);
	return tgt_conn_reap(target) || is_changing;
}

static void
loop_spin(struct target *target)
{
	uint64_t end_ns = clock_ns() + target->spin_ns;
	unsigned int rounds = 0;

	do {
		if (loop_run_conns(target))
			end_ns = clock_ns() + target->spin_ns;
		else
			cpu_relax();
		if (++rounds % LOOP_ROUNDS == 0)
			loop_run_once(&target->loop, 0);
	} while (!target->is_woken && clock_ns() < end_ns);
}

/* True: something came while arming, do not block yet. */
static bool
loop_arm(struct target *target)
{
	struct tgt_conn *conn;
	unsigned int nr = 0;

	list_for_each_entry(conn, &target->conns, node) {
		if (conn->is_armed || conn->has_handler ||
			atomic_load(&conn->state) == TGT_CONN_CLOSING)
			continue;
		conn->is_armed = !ibv_req_notify_cq(conn->cq, 0);
		nr += tgt_chan_run(conn);
	}
	return nr > 0;
}

static void
loop_on_wake(struct loop *loop)
{
	struct target *target = loop->arg;

	target->is_woken = true;
}

void
tgt_loop_main(void *arg)
{
	struct target *target = arg;
	bool spins = target->spin_ns && !target->has_handlers;
	bool is_changing, is_busy = false;

	target->loop.on_wake = loop_on_wake;
	target->loop.arg = target;
	while (!atomic_load(&target->is_stopping)) {
		loop_wait_thaw(target);
		is_changing = loop_serve_requests(target);
		if (spins && is_busy)
			loop_spin(target);
		is_busy = loop_arm(target);
		if (is_busy || target->is_woken)
			continue;
		is_busy = loop_run_once(&target->loop,
			is_changing ? LOOP_REAP_NS : LOOP_FOREVER) > 0;
	}
	loop_close_all(target);
	while (tgt_conn_reap(target))
		loop_run_once(&target->loop, LOOP_REAP_NS);
}
