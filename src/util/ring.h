/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Bounded rings over memory of the caller, without locks.
 *
 * struct ring: one producer thread, one consumer thread.
 *
 *     cells   | free | used | used | used | free | ...      nr = 2^k
 *                     ^ head               ^ tail
 *                     consumer             producer
 *
 *   head and tail count up for ever and are masked at use. Each side keeps,
 *   in its own cache line, its counter and the last value it saw of the
 *   other's, so that while the ring is neither full nor empty neither touches
 *   a line that the other writes.
 *
 * struct ring_mp: many producers, one consumer. Every cell carries a sequence
 *   number that says whose turn it is: seq == position means free for the
 *   producer of that position, seq == position + 1 means filled. (The bounded
 *   queue of D. Vyukov, with a single consumer.)
 *
 * An element is a uintptr_t: a pointer or an id.
 */
#ifndef UTIL_RING_H
#define UTIL_RING_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/compiler.h"

struct ring {
	/* written by the producer */
	_Alignas(CACHELINE_BYTES) _Atomic uint32_t tail;
	uint32_t seen_head;
	/* written by the consumer */
	_Alignas(CACHELINE_BYTES) _Atomic uint32_t head;
	uint32_t seen_tail;
	/* constant after ring_init() */
	_Alignas(CACHELINE_BYTES) uintptr_t *cells;
	uint32_t mask;
};

/* @cells holds @nr elements, a power of two, and belongs to the caller. */
static inline void
ring_init(struct ring *ring, uintptr_t *cells, uint32_t nr)
{
	assert(nr > 0 && (nr & (nr - 1)) == 0);
	atomic_init(&ring->tail, 0);
	atomic_init(&ring->head, 0);
	ring->seen_head = 0;
	ring->seen_tail = 0;
	ring->cells = cells;
	ring->mask = nr - 1;
}

/* Producer only. False when full. */
static inline bool
ring_push(struct ring *ring, uintptr_t value)
{
	uint32_t tail =
		atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (tail - ring->seen_head > ring->mask) {
		ring->seen_head = atomic_load_explicit(
			&ring->head, memory_order_acquire);
		if (tail - ring->seen_head > ring->mask)
			return false;
	}
	ring->cells[tail & ring->mask] = value;
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
	return true;
}

/* Consumer only. False when empty. */
static inline bool
ring_pop(struct ring *ring, uintptr_t *value)
{
	uint32_t head =
		atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (head == ring->seen_tail) {
		ring->seen_tail = atomic_load_explicit(
			&ring->tail, memory_order_acquire);
		if (head == ring->seen_tail)
			return false;
	}
	*value = ring->cells[head & ring->mask];
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	return true;
}

/* Exact for its own side, a moment old for the other. */
static inline uint32_t
ring_count(const struct ring *ring)
{
	struct ring *r = (struct ring *)(uintptr_t)ring;
	uint32_t head = atomic_load_explicit(&r->head, memory_order_acquire);
	uint32_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);

	return tail - head;
}

static inline bool
ring_is_empty(const struct ring *ring)
{
	return ring_count(ring) == 0;
}

struct ring_mp_cell {
	_Atomic uint32_t seq;
	uintptr_t value;
};

struct ring_mp {
	/* written by all producers */
	_Alignas(CACHELINE_BYTES) _Atomic uint32_t tail;
	/* written by the consumer */
	_Alignas(CACHELINE_BYTES) uint32_t head;
	/* constant after ring_mp_init() */
	_Alignas(CACHELINE_BYTES) struct ring_mp_cell *cells;
	uint32_t mask;
};

/* @cells holds @nr elements, a power of two, and belongs to the caller. */
static inline void
ring_mp_init(struct ring_mp *ring, struct ring_mp_cell *cells, uint32_t nr)
{
	uint32_t i;

	assert(nr > 1 && (nr & (nr - 1)) == 0);
	for (i = 0; i < nr; i++)
		atomic_init(&cells[i].seq, i);
	atomic_init(&ring->tail, 0);
	ring->head = 0;
	ring->cells = cells;
	ring->mask = nr - 1;
}

/* Any thread. False when full. */
static inline bool
ring_mp_push(struct ring_mp *ring, uintptr_t value)
{
	uint32_t pos = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	struct ring_mp_cell *cell;
	int32_t turn;

	for (;;) {
		cell = &ring->cells[pos & ring->mask];
		turn = (int32_t)(atomic_load_explicit(&cell->seq,
					 memory_order_acquire) -
			pos);
		if (turn < 0)
			return false;
		if (turn > 0)
			pos = atomic_load_explicit(
				&ring->tail, memory_order_relaxed);
		else if (atomic_compare_exchange_weak_explicit(&ring->tail,
				 &pos, pos + 1, memory_order_relaxed,
				 memory_order_relaxed))
			break;
	}
	cell->value = value;
	atomic_store_explicit(&cell->seq, pos + 1, memory_order_release);
	return true;
}

/*
 * Consumer only. False when empty, and also while the producer whose turn it
 * is has not finished: it will, so a waiter must look again after its wake-up.
 */
static inline bool
ring_mp_pop(struct ring_mp *ring, uintptr_t *value)
{
	uint32_t pos = ring->head;
	struct ring_mp_cell *cell = &ring->cells[pos & ring->mask];

	if (atomic_load_explicit(&cell->seq, memory_order_acquire) != pos + 1)
		return false;
	*value = cell->value;
	atomic_store_explicit(
		&cell->seq, pos + ring->mask + 1, memory_order_release);
	ring->head = pos + 1;
	return true;
}

#endif /* UTIL_RING_H */
