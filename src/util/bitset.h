/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Bits in arrays of 64-bit words, plain and atomic. A set bit means "taken".
 *
 *     words[0]  bits 0..63     words[1]  bits 64..127    ...
 *
 * Bits past nr_bits in the last word are never handed out and never looked at.
 *
 * bitset_take()/bitset_give() are a tag allocator for one thread,
 * bitset_take_shared()/bitset_give_shared() for any number of threads. The
 * hint belongs to the caller (one a thread or one an owner): the search starts
 * at its word, so that owners with different hints stay in different cache
 * lines, and a tag that was just given back is taken again while it is warm.
 */
#ifndef UTIL_BITSET_H
#define UTIL_BITSET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BITSET_WORD_BITS 64u
#define BITSET_WORDS(nr_bits)                                                  \
	(((nr_bits) + BITSET_WORD_BITS - 1) / BITSET_WORD_BITS)
#define BITSET_NONE (-1)

static inline uint64_t
bitset_mask(uint32_t bit)
{
	return UINT64_C(1) << (bit % BITSET_WORD_BITS);
}

/* The bits of word @word that exist in a set of @nr_bits. */
static inline uint64_t
bitset_valid(uint32_t word, uint32_t nr_bits)
{
	uint32_t left = nr_bits - word * BITSET_WORD_BITS;

	return left >= BITSET_WORD_BITS ? UINT64_MAX
					: (UINT64_C(1) << left) - 1;
}

static inline void
bitset_zero(uint64_t *words, uint32_t nr_bits)
{
	memset(words, 0, BITSET_WORDS(nr_bits) * sizeof(*words));
}

static inline void
bitset_set(uint64_t *words, uint32_t bit)
{
	words[bit / BITSET_WORD_BITS] |= bitset_mask(bit);
}

static inline void
bitset_clear(uint64_t *words, uint32_t bit)
{
	words[bit / BITSET_WORD_BITS] &= ~bitset_mask(bit);
}

static inline bool
bitset_test(const uint64_t *words, uint32_t bit)
{
	return words[bit / BITSET_WORD_BITS] & bitset_mask(bit);
}

static inline uint32_t
bitset_count(const uint64_t *words, uint32_t nr_bits)
{
	uint32_t i, nr = 0;

	for (i = 0; i < BITSET_WORDS(nr_bits); i++)
		nr += (uint32_t)__builtin_popcountll(
			words[i] & bitset_valid(i, nr_bits));
	return nr;
}

/* The first set bit at or after @from, BITSET_NONE when there is none. */
static inline int
bitset_find_set(const uint64_t *words, uint32_t nr_bits, uint32_t from)
{
	uint32_t i = from / BITSET_WORD_BITS;
	uint64_t word;

	if (from >= nr_bits)
		return BITSET_NONE;
	word = words[i] & (UINT64_MAX << (from % BITSET_WORD_BITS));
	for (;;) {
		word &= bitset_valid(i, nr_bits);
		if (word)
			return (int)(i * BITSET_WORD_BITS) +
				__builtin_ctzll(word);
		if (++i == BITSET_WORDS(nr_bits))
			return BITSET_NONE;
		word = words[i];
	}
}

/* The first clear bit, searched from the word of @from and around. */
static inline int
bitset_find_zero(const uint64_t *words, uint32_t nr_bits, uint32_t from)
{
	uint32_t nr_words = BITSET_WORDS(nr_bits);
	uint32_t i = from < nr_bits ? from / BITSET_WORD_BITS : 0;
	uint32_t tries;
	uint64_t word;

	for (tries = 0; tries < nr_words; tries++) {
		word = ~words[i] & bitset_valid(i, nr_bits);
		if (word)
			return (int)(i * BITSET_WORD_BITS) +
				__builtin_ctzll(word);
		if (++i == nr_words)
			i = 0;
	}
	return BITSET_NONE;
}

/* Take a clear bit; BITSET_NONE when all are taken. One thread only. */
static inline int
bitset_take(uint64_t *words, uint32_t nr_bits, uint32_t *hint)
{
	int bit = bitset_find_zero(words, nr_bits, *hint);

	if (bit < 0)
		return BITSET_NONE;
	bitset_set(words, (uint32_t)bit);
	*hint = (uint32_t)bit;
	return bit;
}

static inline void
bitset_give(uint64_t *words, uint32_t bit, uint32_t *hint)
{
	bitset_clear(words, bit);
	*hint = bit;
}

static inline bool
bitset_test_shared(_Atomic uint64_t *words, uint32_t bit)
{
	return atomic_load_explicit(&words[bit / BITSET_WORD_BITS],
		       memory_order_acquire) &
		bitset_mask(bit);
}

/* Returns whether the bit was set before; acquires what its giver released. */
static inline bool
bitset_set_shared(_Atomic uint64_t *words, uint32_t bit)
{
	return atomic_fetch_or_explicit(&words[bit / BITSET_WORD_BITS],
		       bitset_mask(bit), memory_order_acquire) &
		bitset_mask(bit);
}

/* Returns whether the bit was set before; releases the taker's writes. */
static inline bool
bitset_clear_shared(_Atomic uint64_t *words, uint32_t bit)
{
	return atomic_fetch_and_explicit(&words[bit / BITSET_WORD_BITS],
		       ~bitset_mask(bit), memory_order_release) &
		bitset_mask(bit);
}

/* A clear bit of one word, taken; BITSET_NONE when the word is full. */
static inline int
bitset_take_in_word(_Atomic uint64_t *word, uint64_t valid)
{
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
	uint64_t free_bits;
	uint64_t bit;

	while ((free_bits = ~old & valid) != 0) {
		bit = free_bits & -free_bits;
		if (atomic_compare_exchange_weak_explicit(word, &old,
			    old | bit, memory_order_acquire,
			    memory_order_relaxed))
			return __builtin_ctzll(bit);
	}
	return BITSET_NONE;
}

/* Take a clear bit; BITSET_NONE when all were taken as it passed. */
static inline int
bitset_take_shared(_Atomic uint64_t *words, uint32_t nr_bits, uint32_t *hint)
{
	uint32_t nr_words = BITSET_WORDS(nr_bits);
	uint32_t i = *hint < nr_bits ? *hint / BITSET_WORD_BITS : 0;
	uint32_t tries;
	int bit;

	for (tries = 0; tries < nr_words; tries++) {
		bit = bitset_take_in_word(&words[i], bitset_valid(i, nr_bits));
		if (bit >= 0) {
			*hint = i * BITSET_WORD_BITS + (uint32_t)bit;
			return (int)*hint;
		}
		if (++i == nr_words)
			i = 0;
	}
	return BITSET_NONE;
}

static inline void
bitset_give_shared(_Atomic uint64_t *words, uint32_t bit, uint32_t *hint)
{
	bitset_clear_shared(words, bit);
	*hint = bit;
}

#endif /* UTIL_BITSET_H */
