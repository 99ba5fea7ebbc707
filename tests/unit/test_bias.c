/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <pthread.h>
#include <sched.h>

#include "core/bias.h"

static struct bias bias;

static void
setup(void)
{
	bias_init(&bias);
}

static void
teardown(void)
{
	bias_fini(&bias);
}

START_TEST(the_owner_comes_and_goes_without_a_visitor)
{
	ck_assert(bias_try_enter(&bias));
	bias_leave(&bias);
	ck_assert(bias_try_enter(&bias));
	bias_leave(&bias);
}
END_TEST

START_TEST(a_visitor_is_turned_away_while_the_owner_is_inside)
{
	ck_assert(bias_try_enter(&bias));
	ck_assert(!bias_visit(&bias));
	bias_leave(&bias);
	ck_assert(bias_visit(&bias));
	bias_unvisit(&bias, false);
	ck_assert(bias_try_enter(&bias));
	bias_leave(&bias);
}
END_TEST

START_TEST(a_parked_lock_tells_the_owner_once)
{
	ck_assert(bias_visit(&bias));
	bias_unvisit(&bias, true);
	ck_assert(!bias_try_enter(&bias));
	ck_assert(bias_enter_slow(&bias));
	bias_leave(&bias);
	ck_assert(bias_try_enter(&bias));
	bias_leave(&bias);
}
END_TEST

START_TEST(a_visit_that_fails_leaves_the_lock_parked)
{
	ck_assert(bias_visit(&bias));
	bias_unvisit(&bias, true);
	/* an owner between its store and its check */
	atomic_store(&bias.busy, 1);
	ck_assert(!bias_visit(&bias));
	ck_assert_uint_eq(atomic_load(&bias.want), BIAS_PARKED);
	ck_assert(bias_enter_slow(&bias));
	bias_leave(&bias);
}
END_TEST

static void
enter(void)
{
	if (!bias_try_enter(&bias))
		bias_enter_slow(&bias);
}

static _Atomic bool is_in;

static void *
insist(void *arg)
{
	(void)arg;
	bias_visit_wait(&bias);
	atomic_store(&is_in, true);
	bias_unvisit(&bias, false);
	return NULL;
}

START_TEST(an_owner_inside_learns_that_it_is_wanted)
{
	pthread_t thread;

	atomic_store(&is_in, false);
	enter();
	ck_assert(!bias_is_wanted(&bias));
	ck_assert_int_eq(pthread_create(&thread, NULL, insist, NULL), 0);
	while (!bias_is_wanted(&bias))
		sched_yield();
	ck_assert(!atomic_load(&is_in));
	/* its next entry comes after the visit, however soon it is */
	bias_leave(&bias);
	enter();
	ck_assert(atomic_load(&is_in));
	ck_assert(!bias_is_wanted(&bias));
	bias_leave(&bias);
	pthread_join(thread, NULL);
}
END_TEST

START_TEST(who_only_looks_in_does_not_wait_for_who_insists)
{
	pthread_t thread;

	atomic_store(&is_in, false);
	enter();
	ck_assert_int_eq(pthread_create(&thread, NULL, insist, NULL), 0);
	while (!bias_is_wanted(&bias))
		sched_yield();
	ck_assert(!bias_visit(&bias));
	bias_leave(&bias);
	pthread_join(thread, NULL);
	ck_assert(bias_visit(&bias));
	bias_unvisit(&bias, false);
}
END_TEST

#define TURNS 200

static _Atomic bool is_polling;

/* Takes the lock again and again, as one that polls. */
static void *
poll_shared(void *arg)
{
	(void)arg;
	while (atomic_load(&is_polling)) {
		enter();
		bias_leave(&bias);
		bias_let_in(&bias);
	}
	return NULL;
}

START_TEST(a_poller_lets_others_have_their_turn)
{
	_Atomic bool is_shared = false;
	pthread_t thread;
	int i;

	bias_share(&bias, &is_shared);
	ck_assert(atomic_load(&is_shared));
	atomic_store(&is_polling, true);
	ck_assert_int_eq(pthread_create(&thread, NULL, poll_shared, NULL), 0);
	for (i = 0; i < TURNS; i++) {
		enter();
		ck_assert(bias_is_wanted(&bias));
		bias_leave(&bias);
		bias_visit_wait(&bias);
		bias_unvisit(&bias, i % 2);
	}
	atomic_store(&is_polling, false);
	pthread_join(thread, NULL);
}
END_TEST

#define ROUNDS 200000

/* Two plain counters that only ever change together. */
static unsigned long first, second;
static _Atomic bool owner_done;

static void
change(void)
{
	ck_assert_uint_eq(first, second);
	first++;
	sched_yield();
	second++;
}

static void *
owner(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		if (!bias_try_enter(&bias))
			bias_enter_slow(&bias);
		if (i % 64 == 0)
			change();
		else
			first++, second++;
		bias_leave(&bias);
	}
	atomic_store(&owner_done, true);
	return NULL;
}

START_TEST(owner_and_visitor_are_never_inside_together)
{
	pthread_t thread;
	unsigned long visits = 0;

	first = second = 0;
	atomic_store(&owner_done, false);
	ck_assert_int_eq(pthread_create(&thread, NULL, owner, NULL), 0);
	while (!atomic_load(&owner_done)) {
		if (!bias_visit(&bias))
			continue;
		change();
		visits++;
		bias_unvisit(&bias, visits % 3 == 0);
	}
	pthread_join(thread, NULL);
	ck_assert_uint_eq(first, second);
	ck_assert_uint_eq(first, ROUNDS + visits);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("bias");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_owner_comes_and_goes_without_a_visitor);
	tcase_add_test(
		tcase, a_visitor_is_turned_away_while_the_owner_is_inside);
	tcase_add_test(tcase, a_parked_lock_tells_the_owner_once);
	tcase_add_test(tcase, a_visit_that_fails_leaves_the_lock_parked);
	tcase_add_test(tcase, an_owner_inside_learns_that_it_is_wanted);
	tcase_add_test(
		tcase, who_only_looks_in_does_not_wait_for_who_insists);
	tcase_add_test(tcase, a_poller_lets_others_have_their_turn);
	tcase_add_test(tcase, owner_and_visitor_are_never_inside_together);
	return unit_run(tcase, "bias");
}
