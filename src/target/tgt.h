/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The target's own record, and who may touch what.
 *
 *	target
 *	  luns[], lun_index[]     changed by the loop thread while it holds all
 *				  connections (tgt_change.h)
 *	  devs    -> tgt_dev      one for each ibv_context; loop thread adds to
 *				  it, under lock, and nobody removes
 *	  conns   -> tgt_conn     loop thread changes it, under lock
 *	  nexuses -> tgt_nexus    one for each initiator port id; under lock
 *
 * Contexts:
 *	loop thread	CM events, making and taking down of connections,
 *			and I/O where there are no completion handlers
 *	runner		whoever is inside tgt_chan_run() of a connection: one
 *			at a time for each, the loop thread or, through the
 *			completion handler, whoever drives the device
 *	caller		of the functions in target.h
 *
 * lock is never taken per I/O, and nothing blocks while it is held.
 */
#ifndef TARGET_TGT_H
#define TARGET_TGT_H

#include <pthread.h>
#include <stdatomic.h>

#include "fabric/fabric.h"
#include "target/target.h"
#include "target/tgt_lun.h"
#include "util/compiler.h"
#include "util/list.h"
#include "util/loop.h"
#include "util/thread.h"
#include "wire/srp.h"

struct tgt_aio;
struct tgt_change;
struct tgt_conn;
struct tgt_reset;

/* target.odd: what makes commands take the long way */
enum tgt_odd {
	TGT_ODD_FROZEN = 1 << 0,
	TGT_ODD_FAULTS = 1 << 1,
	TGT_ODD_GRAVES = 1 << 2, /* connections look whether they are done */
};

/* Counted by each connection's runner; read by any thread, relaxed. */
struct tgt_counters {
	uint64_t commands, reads, writes, bytes_read, bytes_written;
	uint64_t check_conditions, task_management, malformed_ius;
};

/* The script and how far it has come. Under target.lock. */
struct tgt_faults {
	struct target_faults script;
	uint64_t nr_commands;  /* for status_every */
	uint64_t nr_responses; /* for the other ..._every */
	uint32_t nr_logins;
	uint32_t nr_stale;
};

struct target {
	/* read per I/O */
	_Atomic uint32_t odd; /* enum tgt_odd */
	struct tgt_lun *luns;
	uint16_t lun_index[TGT_LUN_NUMBERS]; /* index + 1, 0 = no such LUN */

	/* constant after target_create() */
	const struct fabric *fabric;
	uint64_t id_ext;
	uint8_t port_id[SRP_PORT_ID_BYTES];
	unsigned int nr_luns; /* of luns[], with those that are free */
	uint16_t req_lim;
	uint32_t max_it_iu_bytes;
	uint32_t max_channels;
	uint64_t spin_ns;
	bool has_handlers; /* I/O runs in the device's context */
	bool has_async;	   /* some LUN needs libaio */
	bool needs_sink;   /* some LUN throws away what is written */
	bool wants_aer;	   /* idle initiators are told of changes */
	uint16_t port;

	/* loop thread */
	struct loop loop;
	struct rdma_event_channel *cm_channel;
	struct rdma_cm_id *listen_id;
	struct loop_fd cm_fd;
	struct list devs;
	struct list closing; /* tgt_conn.closing_node */
	struct tgt_aio *aio; /* NULL = no LUN needs it */
	struct tgt_reset *reset_now;
	struct list graves; /* tgt_grave.node */
	uint32_t nr_graves; /* so far; wraps */
	bool is_woken; /* requests below may be set */
	struct thread thread;

	pthread_mutex_t lock;
	struct list conns; /* tgt_conn.node; lock, changed by the loop thread */
	struct list nexuses;
	unsigned int nr_conns;
	struct list resets; /* struct tgt_reset, not begun */
	uint64_t nr_logins, nr_rejects;
	struct tgt_counters retired; /* of connections that are gone */
	struct tgt_faults faults;

	/* requests of callers to the loop thread; loop_wake() after each */
	_Atomic bool is_stopping;
	_Atomic bool wants_disconnect;
	_Atomic bool wants_run; /* completions may have been left: run all */
	pthread_cond_t thawed;	/* with lock */
	_Atomic(struct tgt_change *) change;
	pthread_cond_t changed; /* with lock */
};

static inline void
tgt_count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter,
		__atomic_load_n(counter, __ATOMIC_RELAXED) + n,
		__ATOMIC_RELAXED);
}

void tgt_counters_add(struct tgt_counters *sum, const struct tgt_counters *add);

/*
 * The LUN with this address, or NULL. Peripheral addressing on bus 0 and flat
 * addressing only: nothing else is ever reported. Here and not in wire/, since
 * it is done per I/O.
 */
static inline struct tgt_lun *
tgt_lun_find(const struct target *target, const struct scsi_lun *lun)
{
	uint64_t bytes = get_be64(lun->b);
	uint32_t number = (uint32_t)(bytes >> 48);
	uint32_t index;

	if (unlikely(bytes << 16))
		return NULL;
	if (unlikely(number > 0xff)) {
		number -= 0x4000;
		if (number >= TGT_LUN_NUMBERS)
			return NULL;
	}
	index = target->lun_index[number];
	return index ? &target->luns[index - 1] : NULL;
}

/* The loop thread's body. */
void tgt_loop_main(void *arg);

#endif /* TARGET_TGT_H */
