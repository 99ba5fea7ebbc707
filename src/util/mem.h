/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Page memory for rings, slots and data buffers: zeroed, page aligned, on huge
 * pages where there are any, so that a registration takes few entries in the
 * device and few TLB misses in the CPU.
 */
#ifndef UTIL_MEM_H
#define UTIL_MEM_H

#include <stddef.h>
#include <stdint.h>

#define MEM_HUGE_BYTES ((size_t)2 << 20)

enum mem_kind {
	MEM_KIND_PAGES,	  /* base pages */
	MEM_KIND_THP,	  /* 2 MiB aligned, transparent huge pages advised */
	MEM_KIND_HUGETLB, /* from the pool of reserved huge pages */
};

enum mem_flags {
	MEM_HUGE = 1 << 0,     /* try huge pages if @bytes is worth one */
	MEM_POPULATE = 1 << 1, /* touch every page now, not at first use */
};

struct mem {
	void *addr;
	size_t bytes;	  /* as asked */
	size_t map_bytes; /* as mapped from addr on */
	enum mem_kind kind;
};

/* -EINVAL for 0 bytes, else as mmap() fails. */
int mem_alloc(struct mem *mem, size_t bytes, unsigned flags);
/* Takes a zeroed or freed struct too. */
void mem_free(struct mem *mem);
const char *mem_kind_name(enum mem_kind kind);

/* Zeroed heap memory at a multiple of @align (a power of two), for free(). */
void *mem_aligned_zalloc(size_t align, size_t bytes);

/* The calling process' RLIMIT_MEMLOCK; UINT64_MAX for none. */
uint64_t mem_lock_limit(void);
/*
 * When registering @bytes has failed with @error: one sentence with the limit
 * and the remedy.
 */
void mem_lock_reason(size_t bytes, int error, char *reason, size_t n);

#endif /* UTIL_MEM_H */
