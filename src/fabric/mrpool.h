/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Registered memory regions of one protection domain, found by address.
 *
 *	pool ── table ─> regions sorted by first byte      ends up to here
 *	  │                [0x1000, 0x5000)  mr, reach      0x5000
 *	 lock (writers)    [0x2000, 0x9000)  mr, reach      0x9000
 *	                   [0x8000, 0x8800)  mr, reach      0x9000
 *
 * Regions may overlap; `reach` is the highest end among a region and those
 * before it, which tells a lookup that walks down when to give up.
 *
 * Threads: lookups take no lock and never wait for memory: a sequence number
 * tells a reader that a writer came in between, and it looks again. Writers
 * serialise on a mutex. A table is only freed with its pool, and tables grow
 * by doubling, so that what old readers may still see stays bounded.
 *
 * Whoever takes a region away must know that no I/O uses it.
 */
#ifndef FABRIC_MRPOOL_H
#define FABRIC_MRPOOL_H

#include <stddef.h>
#include <stdint.h>

struct fabric;
struct ibv_mr;
struct ibv_pd;
struct mrpool;

int mrpool_create(const struct fabric *fabric, struct ibv_pd *pd,
	struct mrpool **pool);
/* Regions still registered are given back. NULL is allowed. */
void mrpool_destroy(struct mrpool *pool);

/* 0 or -errno as the device answered; @access as for ibv_reg_mr(). */
int mrpool_register(struct mrpool *pool, void *addr, size_t bytes, int access,
	struct ibv_mr **mr);
/* 0, -ENOENT if @mr is not of this pool, or as the device answered. */
int mrpool_unregister(struct mrpool *pool, struct ibv_mr *mr);

/*
 * A region that holds all of [@addr, @addr + @bytes), or NULL; its lkey and
 * rkey are the answer. @hint, which may be NULL, remembers between calls where
 * the last one was found; it starts as 0 and belongs to one thread.
 */
const struct ibv_mr *mrpool_lookup(const struct mrpool *pool, const void *addr,
	size_t bytes, uint32_t *hint);

unsigned int mrpool_nr_regions(const struct mrpool *pool);

#endif /* FABRIC_MRPOOL_H */
