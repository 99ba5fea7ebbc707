/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"
#include "fabric/mrpool.h"
#include "util/compiler.h"

/* A fabric that registers whatever it is given, up to a number. */
static int nr_registered, most_registered = 1 << 20;

static struct ibv_mr *
fake_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
	int access __maybe_unused)
{
	struct ibv_mr *mr;

	if (nr_registered == most_registered) {
		errno = ENOMEM;
		return NULL;
	}
	mr = calloc(1, sizeof(*mr));
	ck_assert_ptr_nonnull(mr);
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->lkey = (uint32_t)(uintptr_t)addr;
	nr_registered++;
	return mr;
}

static int
fake_dereg_mr(struct ibv_mr *mr)
{
	nr_registered--;
	free(mr);
	return 0;
}

static const struct fabric fake = {
	.name = "fake",
	.reg_mr = fake_reg_mr,
	.dereg_mr = fake_dereg_mr,
};

static struct mrpool *
new_pool(void)
{
	struct mrpool *pool = NULL;

	ck_assert_int_eq(mrpool_create(&fake, NULL, &pool), 0);
	return pool;
}

static struct ibv_mr *
add(struct mrpool *pool, uintptr_t start, size_t bytes)
{
	struct ibv_mr *mr = NULL;

	ck_assert_int_eq(mrpool_register(pool, (void *)start, bytes, 0, &mr),
		0);
	return mr;
}

static const struct ibv_mr *
look(struct mrpool *pool, uintptr_t start, size_t bytes)
{
	return mrpool_lookup(pool, (void *)start, bytes, NULL);
}

START_TEST(a_range_is_found_if_one_region_holds_all_of_it)
{
	struct mrpool *pool = new_pool();
	struct ibv_mr *a = add(pool, 0x1000, 0x1000);
	struct ibv_mr *b = add(pool, 0x4000, 0x1000);
	struct ibv_mr *c = add(pool, 0x2000, 0x1000);

	ck_assert_ptr_eq(look(pool, 0x1000, 0x1000), a);
	ck_assert_ptr_eq(look(pool, 0x1fff, 1), a);
	ck_assert_ptr_eq(look(pool, 0x2000, 1), c);
	ck_assert_ptr_eq(look(pool, 0x4800, 0x800), b);
	ck_assert_ptr_null(look(pool, 0x0fff, 1));
	ck_assert_ptr_null(look(pool, 0x1800, 0x1000));
	ck_assert_ptr_null(look(pool, 0x3000, 1));
	ck_assert_ptr_null(look(pool, 0x4fff, 2));
	ck_assert_ptr_null(look(pool, 0x5000, 1));
	ck_assert_ptr_null(look(pool, UINTPTR_MAX - 3, 8));
	mrpool_destroy(pool);
	ck_assert_int_eq(nr_registered, 0);
}
END_TEST

START_TEST(overlapping_regions_are_all_looked_at)
{
	struct mrpool *pool = new_pool();
	struct ibv_mr *big = add(pool, 0x1000, 0x10000);
	struct ibv_mr *small = add(pool, 0x2000, 0x100);
	struct ibv_mr *twin = add(pool, 0x2000, 0x100);

	ck_assert_ptr_eq(look(pool, 0x2080, 0x1000), big);
	ck_assert_ptr_nonnull(look(pool, 0x2080, 0x10));
	ck_assert_int_eq(mrpool_unregister(pool, big), 0);
	ck_assert_ptr_null(look(pool, 0x2080, 0x1000));
	ck_assert_int_eq(mrpool_unregister(pool, twin), 0);
	ck_assert_ptr_eq(look(pool, 0x2080, 0x10), small);
	ck_assert_uint_eq(mrpool_nr_regions(pool), 1);
	mrpool_destroy(pool);
}
END_TEST

START_TEST(a_hint_never_changes_the_answer)
{
	struct mrpool *pool = new_pool();
	struct ibv_mr *a = add(pool, 0x1000, 0x1000);
	struct ibv_mr *b = add(pool, 0x3000, 0x1000);
	uint32_t hint = 0;

	ck_assert_ptr_eq(mrpool_lookup(pool, (void *)0x3000, 8, &hint), b);
	ck_assert_uint_eq(hint, 1);
	ck_assert_ptr_eq(mrpool_lookup(pool, (void *)0x3100, 8, &hint), b);
	ck_assert_ptr_eq(mrpool_lookup(pool, (void *)0x1100, 8, &hint), a);
	ck_assert_int_eq(mrpool_unregister(pool, b), 0);
	hint = 1;
	ck_assert_ptr_null(mrpool_lookup(pool, (void *)0x3100, 8, &hint));
	hint = UINT32_MAX;
	ck_assert_ptr_eq(mrpool_lookup(pool, (void *)0x1100, 8, &hint), a);
	mrpool_destroy(pool);
}
END_TEST

START_TEST(a_thousand_regions_in_any_order)
{
	struct mrpool *pool = new_pool();
	struct ibv_mr *mr[1000];
	uintptr_t i, at;

	/* 7 and 1000 have no common divisor: every place comes once. */
	for (i = 0; i < 1000; i++) {
		at = i * 7 % 1000;
		mr[at] = add(pool, 0x10000 + at * 0x1000, 0x800);
	}
	ck_assert_uint_eq(mrpool_nr_regions(pool), 1000);
	for (i = 0; i < 1000; i++) {
		at = 0x10000 + i * 0x1000;
		ck_assert_ptr_eq(look(pool, at + 0x7ff, 1), mr[i]);
		ck_assert_ptr_null(look(pool, at + 0x800, 1));
	}
	for (i = 0; i < 1000; i += 2)
		ck_assert_int_eq(mrpool_unregister(pool, mr[i]), 0);
	for (i = 0; i < 1000; i++) {
		at = 0x10000 + i * 0x1000;
		ck_assert_ptr_eq(look(pool, at, 8), i % 2 ? mr[i] : NULL);
	}
	mrpool_destroy(pool);
	ck_assert_int_eq(nr_registered, 0);
}
END_TEST

START_TEST(what_cannot_be_a_region_is_refused)
{
	struct mrpool *pool = new_pool();
	struct ibv_mr *mr = NULL, stranger = { 0 };

	ck_assert_int_eq(mrpool_register(pool, (void *)0x1000, 0, 0, &mr),
		-EINVAL);
	ck_assert_int_eq(mrpool_register(pool, (void *)(UINTPTR_MAX - 1), 8, 0,
				 &mr),
		-EINVAL);
	ck_assert_ptr_null(mr);
	ck_assert_int_eq(mrpool_unregister(pool, &stranger), -ENOENT);
	most_registered = 0;
	ck_assert_int_eq(mrpool_register(pool, (void *)0x1000, 8, 0, &mr),
		-ENOMEM);
	mrpool_destroy(pool);
	mrpool_destroy(NULL);
}
END_TEST

/* One region stays while others come and go around it. */
struct churn {
	struct mrpool *pool;
	const struct ibv_mr *fixed;
	_Atomic(bool) is_stopping;
	_Atomic(unsigned int) nr_wrong, nr_looks;
};

static void *
keep_looking(void *arg)
{
	struct churn *c = arg;
	uint32_t hint = 0;

	while (!c->is_stopping) {
		if (mrpool_lookup(c->pool, (void *)0x100800, 0x100, &hint) !=
			c->fixed)
			c->nr_wrong++;
		if (mrpool_lookup(c->pool, (void *)0x90000000, 1, NULL))
			c->nr_wrong++;
		c->nr_looks++;
	}
	return NULL;
}

START_TEST(lookups_are_right_while_regions_come_and_go)
{
	struct churn c = { .pool = new_pool() };
	struct ibv_mr *mr[40];
	pthread_t thread;
	unsigned int round, i;

	c.fixed = add(c.pool, 0x100000, 0x1000);
	pthread_create(&thread, NULL, keep_looking, &c);
	for (round = 0; round < 200 || c.nr_looks < 1000; round++) {
		for (i = 0; i < 40; i++)
			mr[i] = add(c.pool, 0x10000 + i * 0x8000, 0x100);
		for (i = 0; i < 40; i++)
			ck_assert_int_eq(mrpool_unregister(c.pool, mr[i]), 0);
	}
	c.is_stopping = true;
	pthread_join(thread, NULL);
	ck_assert_uint_eq(c.nr_wrong, 0);
	mrpool_destroy(c.pool);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("mrpool");

	tcase_add_test(t, a_range_is_found_if_one_region_holds_all_of_it);
	tcase_add_test(t, overlapping_regions_are_all_looked_at);
	tcase_add_test(t, a_hint_never_changes_the_answer);
	tcase_add_test(t, a_thousand_regions_in_any_order);
	tcase_add_test(t, what_cannot_be_a_region_is_refused);
	tcase_add_test(t, lookups_are_right_while_regions_come_and_go);
	return unit_run(t, "mrpool");
}
