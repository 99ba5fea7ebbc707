/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Protection domains and memory regions, and the check every access passes.
 *
 *	key = index << 8 | generation
 *	            │
 *	table ──────┴──> entry { key, start, bytes, pd[access] }   64 bytes
 *
 * The table is one mapping for all indices the device allows, of which only
 * the pages in use take memory; so an entry's place never moves and readers
 * need no lock. An entry is live while its key is not 0. The generation
 * changes with each use, so that a key kept too long fails the check.
 *
 * Threads: soft_mem_check() is called with the send-queue lock of the QP held
 * whose work it is, the peer's memory included. Taking a region away clears
 * the key and then passes through those locks of every QP, so that no copy is
 * in flight when soft_mem_dereg() returns.
 */
#ifndef SOFTRDMA_SOFT_MEM_H
#define SOFTRDMA_SOFT_MEM_H

#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/compiler.h"
#include "util/mem.h"

#define SOFT_MAX_MR 65536
#define SOFT_MAX_PD 4096

struct soft_dev;

struct soft_pd {
	struct ibv_pd pd;
	int nr_users; /* MRs and QPs; guarded by the device's lock */
};

enum soft_access {
	SOFT_ACCESS_LOCAL_READ, /* always allowed */
	SOFT_ACCESS_LOCAL_WRITE,
	SOFT_ACCESS_REMOTE_READ,
	SOFT_ACCESS_REMOTE_WRITE,
	SOFT_NR_ACCESSES,
};

struct soft_mr_entry {
	_Atomic(uint32_t) key;
	uint64_t start;
	uint64_t bytes;
	/* The PD whose QPs may, or NULL: right and domain are one compare. */
	const struct soft_pd *pd[SOFT_NR_ACCESSES];
	/* Of the table's owner, under the device's lock. */
	uint32_t next_free : 24;
	uint32_t generation : 8;
} __cacheline_aligned;
ASSERT_SIZE(struct soft_mr_entry, CACHELINE_BYTES);

struct soft_mr_table {
	struct soft_mr_entry *entry; /* [SOFT_MAX_MR]; 0 is never used */
	uint32_t nr_touched;	     /* entries that were ever used */
	uint32_t first_free, last_free; /* a queue, so that keys age */
	uint32_t nr_free;
	uint32_t nr;
	struct mem mem;
};

int soft_mem_init(struct soft_mr_table *table);
void soft_mem_fini(struct soft_mr_table *table);

struct ibv_pd *soft_mem_alloc_pd(struct ibv_context *context);
int soft_mem_dealloc_pd(struct ibv_pd *pd);
struct ibv_mr *soft_mem_reg(struct ibv_pd *pd, void *addr, size_t length,
	int access);
int soft_mem_dereg(struct ibv_mr *mr);

/*
 * May the memory of @range be accessed with its key by a QP of @pd? An index
 * beyond the table meets another entry, and so another key. An address below
 * the start wraps to an offset beyond any length, since a region itself does
 * not wrap. Entry 0 belongs to no PD.
 */
static __always_inline bool
soft_mem_check(const struct soft_mr_entry *table, const struct soft_pd *pd,
	const struct ibv_sge *range, enum soft_access access)
{
	const struct soft_mr_entry *e =
		&table[range->lkey >> 8 & (SOFT_MAX_MR - 1)];
	uint64_t end;

	return likely(atomic_load_explicit(&e->key, memory_order_acquire) ==
				range->lkey &&
		e->pd[access] == pd &&
		!__builtin_add_overflow(range->addr - e->start,
			(uint64_t)range->length, &end) &&
		end <= e->bytes);
}

#endif /* SOFTRDMA_SOFT_MEM_H */
