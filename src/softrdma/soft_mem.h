/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Protection domains and memory regions, and the check every access passes.
 *
 *	key = index << 8 | generation
 *	            │
 *	table ──────┴──> entry { key, access, start, bytes, pd }   64 bytes
 *
 * The table is one mapping for all indices the device allows, of which only
 * the pages in use take memory; so an entry's place never moves and readers
 * need no lock. An entry is live while its key is not 0. The generation
 * changes with each use, so that a key kept too long fails the check.
 *
 * Threads: soft_mem_check() is called with the send-queue lock of the QP held
 * whose work it is (or its receive-queue lock, for receives). Taking a region
 * away clears the key and then passes through those locks of every QP, so
 * that no copy is in flight when soft_mem_dereg() returns.
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

struct soft_mr_entry {
	_Atomic(uint32_t) key;
	uint32_t access;
	uint64_t start;
	uint64_t bytes;
	const struct soft_pd *pd;
	/* Of the table's owner, under the device's lock. */
	uint32_t next_free;
	uint8_t generation;
} __cacheline_aligned;

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
 * May [@addr, @addr + @bytes) be accessed with @key by a QP of @pd, for all
 * of @access? Overflow-safe.
 */
static __always_inline bool
soft_mem_check(const struct soft_mr_entry *table, const struct soft_pd *pd,
	uint32_t key, uint64_t addr, uint64_t bytes, uint32_t access)
{
	const struct soft_mr_entry *e;
	uint64_t offset;

	if (unlikely(key >> 8 >= SOFT_MAX_MR))
		return false;
	e = &table[key >> 8];
	if (unlikely(atomic_load_explicit(&e->key, memory_order_acquire) !=
			    key ||
		    key == 0))
		return false;
	offset = addr - e->start;
	return likely(e->pd == pd && (e->access & access) == access &&
		addr >= e->start && offset <= e->bytes &&
		bytes <= e->bytes - offset);
}

#endif /* SOFTRDMA_SOFT_MEM_H */
