/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <sched.h>

#include "util/ring.h"
#include "util/thread.h"

#define NR_CELLS 8
#define NR_PASSED 100000
#define NR_PRODUCERS 3

static struct ring ring;
static uintptr_t cells[NR_CELLS];
static struct ring_mp ring_mp;
static struct ring_mp_cell mp_cells[NR_CELLS];

static void
setup(void)
{
	ring_init(&ring, cells, NR_CELLS);
	ring_mp_init(&ring_mp, mp_cells, NR_CELLS);
}

START_TEST(ring_refuses_more_than_it_holds)
{
	uintptr_t value, i;

	ck_assert(ring_is_empty(&ring));
	ck_assert(!ring_pop(&ring, &value));
	for (i = 0; i < NR_CELLS; i++)
		ck_assert(ring_push(&ring, i));
	ck_assert(!ring_push(&ring, 99));
	ck_assert_uint_eq(ring_count(&ring), NR_CELLS);
	for (i = 0; i < NR_CELLS; i++) {
		ck_assert(ring_pop(&ring, &value));
		ck_assert_uint_eq(value, i);
	}
	ck_assert(!ring_pop(&ring, &value));
}
END_TEST

START_TEST(ring_works_across_the_wrap_of_its_counters)
{
	uintptr_t value, i;

	atomic_store(&ring.head, UINT32_MAX - 2);
	atomic_store(&ring.tail, UINT32_MAX - 2);
	ring.seen_head = UINT32_MAX - 2;
	ring.seen_tail = UINT32_MAX - 2;
	for (i = 0; i < NR_CELLS; i++)
		ck_assert(ring_push(&ring, i));
	ck_assert(!ring_push(&ring, 99));
	for (i = 0; i < NR_CELLS; i++) {
		ck_assert(ring_pop(&ring, &value));
		ck_assert_uint_eq(value, i);
	}
	ck_assert(ring_is_empty(&ring));
}
END_TEST

static void
produce(void *arg)
{
	uintptr_t i;

	(void)arg;
	for (i = 1; i <= NR_PASSED; i++)
		while (!ring_push(&ring, i))
			sched_yield();
}

START_TEST(ring_passes_everything_in_order_between_threads)
{
	struct thread producer;
	uintptr_t value, expected;

	ck_assert_int_eq(thread_start(&producer, "producer", THREAD_ANY_CPU,
				 produce, NULL),
		0);
	for (expected = 1; expected <= NR_PASSED; expected++) {
		while (!ring_pop(&ring, &value))
			sched_yield();
		ck_assert_uint_eq(value, expected);
	}
	thread_join(&producer);
	ck_assert(ring_is_empty(&ring));
}
END_TEST

START_TEST(shared_ring_refuses_more_than_it_holds)
{
	uintptr_t value, i;

	ck_assert(!ring_mp_pop(&ring_mp, &value));
	for (i = 0; i < NR_CELLS; i++)
		ck_assert(ring_mp_push(&ring_mp, i));
	ck_assert(!ring_mp_push(&ring_mp, 99));
	ck_assert(ring_mp_pop(&ring_mp, &value));
	ck_assert_uint_eq(value, 0);
	ck_assert(ring_mp_push(&ring_mp, 100));
	ck_assert(!ring_mp_push(&ring_mp, 101));
}
END_TEST

static void
produce_shared(void *arg)
{
	uintptr_t id = (uintptr_t)arg, i;

	for (i = 1; i <= NR_PASSED / NR_PRODUCERS; i++)
		while (!ring_mp_push(&ring_mp, id << 24 | i))
			sched_yield();
}

START_TEST(shared_ring_keeps_each_producers_order)
{
	struct thread producers[NR_PRODUCERS];
	uintptr_t last[NR_PRODUCERS] = { 0 };
	uintptr_t value, id, i;

	for (id = 0; id < NR_PRODUCERS; id++)
		ck_assert_int_eq(thread_start(&producers[id], "producer",
					 THREAD_ANY_CPU, produce_shared,
					 (void *)id),
			0);
	for (i = 0; i < NR_PASSED / NR_PRODUCERS * NR_PRODUCERS; i++) {
		while (!ring_mp_pop(&ring_mp, &value))
			sched_yield();
		id = value >> 24;
		ck_assert_uint_lt(id, NR_PRODUCERS);
		ck_assert_uint_eq(value & 0xffffff, last[id] + 1);
		last[id]++;
	}
	for (id = 0; id < NR_PRODUCERS; id++)
		thread_join(&producers[id]);
	ck_assert(!ring_mp_pop(&ring_mp, &value));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ring");

	tcase_set_timeout(tcase, 30);
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, ring_refuses_more_than_it_holds);
	tcase_add_test(tcase, ring_works_across_the_wrap_of_its_counters);
	tcase_add_test(tcase, ring_passes_everything_in_order_between_threads);
	tcase_add_test(tcase, shared_ring_refuses_more_than_it_holds);
	tcase_add_test(tcase, shared_ring_keeps_each_producers_order);
	return unit_run(tcase, "ring");
}
