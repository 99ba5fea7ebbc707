/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the tests of src/wire share. Input lies in heap blocks of exactly its
 * size, so that a decoder that reads one byte too far is seen by ASan and
 * valgrind.
 */
#ifndef WIRE_TEST_H
#define WIRE_TEST_H

#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/bytes.h"
#include "util/compiler.h"

/* A copy of n bytes with nothing behind it; free() it. */
static inline uint8_t *
heap_copy(const void *bytes, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	ck_assert_ptr_nonnull(copy);
	if (n)
		memcpy(copy, bytes, n);
	return copy;
}

/* n bytes of the same value; free() it. */
static inline uint8_t *
heap_fill(uint8_t value, size_t n)
{
	uint8_t *bytes = malloc(n ? n : 1);

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, value, n);
	return bytes;
}

static inline int
run_suite(const char *name, const TTest *const *tests, size_t nr)
{
	TCase *tcase = tcase_create(name);

	for (size_t i = 0; i < nr; i++)
		tcase_add_test(tcase, tests[i]);
	return unit_run(tcase, name);
}

#endif
