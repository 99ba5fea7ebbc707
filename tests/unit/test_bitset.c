/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <sched.h>

#include "util/bitset.h"
#include "util/thread.h"

#define NR_BITS 130
#define NR_ROUNDS 20000
#define NR_OWNERS 3

static uint64_t words[BITSET_WORDS(NR_BITS)];
static _Atomic uint64_t shared[BITSET_WORDS(NR_BITS)];
static _Atomic int owners[NR_BITS];
static _Atomic int nr_doubly_owned;

START_TEST(single_bits_are_set_cleared_and_counted)
{
	bitset_set(words, 0);
	bitset_set(words, 63);
	bitset_set(words, 64);
	bitset_set(words, 129);
	ck_assert(bitset_test(words, 63));
	ck_assert(!bitset_test(words, 65));
	ck_assert_uint_eq(bitset_count(words, NR_BITS), 4);
	bitset_clear(words, 63);
	ck_assert(!bitset_test(words, 63));
	bitset_zero(words, NR_BITS);
	ck_assert_uint_eq(bitset_count(words, NR_BITS), 0);
}
END_TEST

START_TEST(find_set_looks_only_at_and_after_its_start)
{
	bitset_set(words, 5);
	bitset_set(words, 100);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 0), 5);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 5), 5);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 6), 100);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 101), BITSET_NONE);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 500), BITSET_NONE);
}
END_TEST

START_TEST(bits_past_the_end_are_never_found)
{
	words[2] = UINT64_MAX << (NR_BITS % 64);
	ck_assert_int_eq(bitset_find_set(words, NR_BITS, 0), BITSET_NONE);
	ck_assert_uint_eq(bitset_count(words, NR_BITS), 0);
	memset(words, 0xff, sizeof(words));
	words[2] = (1 << (NR_BITS % 64)) - 1;
	ck_assert_int_eq(bitset_find_zero(words, NR_BITS, 0), BITSET_NONE);
}
END_TEST

START_TEST(take_hands_out_every_bit_once_and_then_none)
{
	uint32_t hint = 70, i;
	int bit;

	for (i = 0; i < NR_BITS; i++) {
		bit = bitset_take(words, NR_BITS, &hint);
		ck_assert_int_ge(bit, 0);
		ck_assert_int_lt(bit, NR_BITS);
	}
	ck_assert_uint_eq(bitset_count(words, NR_BITS), NR_BITS);
	ck_assert_int_eq(
		bitset_take(words, NR_BITS, &hint), BITSET_NONE);
	bitset_give(words, 77, &hint);
	ck_assert_int_eq(bitset_take(words, NR_BITS, &hint), 77);
}
END_TEST

START_TEST(the_hint_chooses_the_word_where_the_search_starts)
{
	uint32_t hint = 128;

	ck_assert_int_eq(bitset_take(words, NR_BITS, &hint), 128);
	ck_assert_int_eq(bitset_take(words, NR_BITS, &hint), 129);
	ck_assert_int_eq(bitset_take(words, NR_BITS, &hint), 0);
	hint = 99999;
	ck_assert_int_eq(bitset_take(words, NR_BITS, &hint), 1);
}
END_TEST

START_TEST(shared_take_hands_out_every_bit_once_and_then_none)
{
	uint32_t hint = 0, i;

	for (i = 0; i < NR_BITS; i++)
		ck_assert_int_eq(
			bitset_take_shared(shared, NR_BITS, &hint), (int)i);
	ck_assert_int_eq(
		bitset_take_shared(shared, NR_BITS, &hint), BITSET_NONE);
	bitset_give_shared(shared, 64, &hint);
	ck_assert(!bitset_test_shared(shared, 64));
	ck_assert_int_eq(bitset_take_shared(shared, NR_BITS, &hint), 64);
}
END_TEST

START_TEST(shared_set_and_clear_tell_the_state_before)
{
	ck_assert(!bitset_set_shared(shared, 65));
	ck_assert(bitset_set_shared(shared, 65));
	ck_assert(bitset_clear_shared(shared, 65));
	ck_assert(!bitset_clear_shared(shared, 65));
}
END_TEST

/* With 2 bits for 3 threads there is always somebody in the way. */
static void
take_and_give(void *arg)
{
	int id = (int)(uintptr_t)arg, i, bit, expected;
	uint32_t hint = 0;

	for (i = 0; i < NR_ROUNDS; i++) {
		while ((bit = bitset_take_shared(shared, 2, &hint)) < 0)
			sched_yield();
		expected = 0;
		if (!atomic_compare_exchange_strong(
			    &owners[bit], &expected, id))
			nr_doubly_owned++;
		atomic_store(&owners[bit], 0);
		bitset_give_shared(shared, (uint32_t)bit, &hint);
	}
}

START_TEST(a_shared_bit_has_one_owner_at_a_time)
{
	struct thread threads[NR_OWNERS];
	uintptr_t i;

	for (i = 0; i < NR_OWNERS; i++)
		ck_assert_int_eq(thread_start(&threads[i], "owner",
					 THREAD_ANY_CPU, take_and_give,
					 (void *)(i + 1)),
			0);
	for (i = 0; i < NR_OWNERS; i++)
		thread_join(&threads[i]);
	ck_assert_int_eq(nr_doubly_owned, 0);
	ck_assert_uint_eq(shared[0], 0);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("bitset");

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, single_bits_are_set_cleared_and_counted);
	tcase_add_test(tcase, find_set_looks_only_at_and_after_its_start);
	tcase_add_test(tcase, bits_past_the_end_are_never_found);
	tcase_add_test(tcase, take_hands_out_every_bit_once_and_then_none);
	tcase_add_test(tcase, the_hint_chooses_the_word_where_the_search_starts);
	tcase_add_test(
		tcase, shared_take_hands_out_every_bit_once_and_then_none);
	tcase_add_test(tcase, shared_set_and_clear_tell_the_state_before);
	tcase_add_test(tcase, a_shared_bit_has_one_owner_at_a_time);
	return unit_run(tcase, "bitset");
}
