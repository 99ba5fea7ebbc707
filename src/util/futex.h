/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Sleeping on a 32-bit word of this process: futex(2). */
#ifndef UTIL_FUTEX_H
#define UTIL_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"

/*
 * Sleeps while *@word is @value, until futex_wake() or @deadline_ns on
 * clock_ns() (UINT64_MAX: none). May return for no reason.
 */
static inline void
futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(deadline_ns / CLOCK_NS_PER_SEC),
		.tv_nsec = (long)(deadline_ns % CLOCK_NS_PER_SEC),
	};

	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value,
		deadline_ns == UINT64_MAX ? NULL : &ts, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

/* Wakes whoever sleeps on @word. */
static inline void
futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif /* UTIL_FUTEX_H */
