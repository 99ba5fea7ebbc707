/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Counters with one writer at a time and any number of readers: plain loads
 * and stores that no compiler may tear, so that a snapshot taken while the
 * writer runs is a moment old and never garbage.
 */
#ifndef UTIL_COUNTER_H
#define UTIL_COUNTER_H

#include <stdint.h>

static inline uint64_t
counter_get(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/* The writer. No read-modify-write instruction: there is no other. */
static inline void
counter_add(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, counter_get(counter) + n, __ATOMIC_RELAXED);
}

#endif /* UTIL_COUNTER_H */
