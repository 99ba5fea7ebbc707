/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the fuzz entries of src/wire share. */
#ifndef WIRE_FUZZ_H
#define WIRE_FUZZ_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#include "util/bytes.h"
#include "util/compiler.h"

/* A property that does not hold; not assert(), which NDEBUG takes away. */
static inline void
check(bool holds)
{
	if (!holds)
		abort();
}

/* Does p[0..n) lie within data[0..size)? */
static inline bool
is_inside(const void *p, uint64_t n, const uint8_t *data, size_t size)
{
	uintptr_t at = (uintptr_t)p, start = (uintptr_t)data;

	return at >= start && at - start <= size && n <= size - (at - start);
}

/* A block of exactly n bytes, so that a store past it is seen; free() it. */
static inline uint8_t *
block(size_t n)
{
	uint8_t *p = malloc(n ? n : 1);

	check(p != NULL);
	memset(p, 0xee, n);
	return p;
}

#endif
