/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The policy in virtual time: waits are drawn from a distribution, and three
 * waiters are compared on the same ones: one that always spins, one that
 * always blocks, and the policy's.
 */
#include "unit.h"

#include <math.h>

#include "core/adaptive.h"

#define WAITS 100000

static uint64_t rng;

/* Uniform in [0, 1). */
static double
draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (double)(rng >> 11) * 0x1p-53;
}

static double
constant(long i, double ns)
{
	(void)i;
	return ns;
}

static double
bimodal(long i, double ns)
{
	(void)i;
	return draw() < 0.9 ? ns : 20 * ns;
}

static double
two_halves(long i, double ns)
{
	(void)i;
	return draw() < 0.5 ? ns : 100 * ns;
}

static double
heavy_tail(long i, double ns)
{
	(void)i;
	return ns * pow(1 - draw(), -1 / 1.5);
}

static double
exponential(long i, double ns)
{
	(void)i;
	return -ns * log(1 - draw());
}

static double
changing(long i, double ns)
{
	return i / 20000 % 2 ? ns : 200 * ns;
}

static double
changing_often(long i, double ns)
{
	return i / 5000 % 2 ? ns : 20 * ns;
}

static const struct {
	const char *name;
	double (*next)(long i, double ns);
} waits[] = {
	{ "constant", constant },
	{ "bimodal", bimodal },
	{ "two halves", two_halves },
	{ "heavy tail", heavy_tail },
	{ "exponential", exponential },
	{ "changing", changing },
	{ "changing often", changing_often },
};

#define NR_KINDS ((int)(sizeof(waits) / sizeof(waits[0])))

struct outcome {
	double poll_ns, inline_ns, adaptive_ns, spun_ns;
};

static struct outcome
simulate(int kind, double ns, double wake_ns)
{
	struct outcome sum = { 0 };
	struct adaptive adaptive;
	double wait, spin, took;
	long i;

	rng = 88172645463325252u;
	adaptive_init(&adaptive, (uint64_t)wake_ns);
	for (i = 0; i < WAITS; i++) {
		wait = waits[kind].next(i, ns);
		spin = (double)adaptive_spin_ns(&adaptive);
		took = wait <= spin ? wait : wait + wake_ns;
		sum.poll_ns += wait;
		sum.inline_ns += wait + wake_ns;
		sum.adaptive_ns += took;
		sum.spun_ns += wait <= spin ? wait : spin;
		adaptive_observe(&adaptive, (uint64_t)took, wait > spin);
	}
	return sum;
}

START_TEST(no_point_of_the_grid_loses_more_than_a_hundredth)
{
	struct outcome sum;
	double ns, wake_ns, best;

	for (wake_ns = 2000; wake_ns <= 90000; wake_ns *= 3) {
		for (ns = 500; ns < 2e7; ns *= 3) {
			sum = simulate(_i, ns, wake_ns);
			best = fmin(sum.poll_ns, sum.inline_ns);
			ck_assert_msg(best / sum.adaptive_ns >= 0.99,
				"%s of %.0f ns, wake-up %.0f ns: %.4f",
				waits[_i].name, ns, wake_ns,
				best / sum.adaptive_ns);
		}
	}
}
END_TEST

START_TEST(where_spinning_gains_nothing_it_takes_a_fifth_of_the_cpu_at_most)
{
	struct outcome sum;
	double ns, wake_ns;
	int nr = 0;

	for (wake_ns = 2000; wake_ns <= 90000; wake_ns *= 3) {
		for (ns = 500; ns < 2e7; ns *= 3) {
			sum = simulate(_i, ns, wake_ns);
			if (sum.inline_ns > 1.004 * sum.poll_ns)
				continue;
			nr++;
			ck_assert_msg(sum.spun_ns <= 0.2 * sum.adaptive_ns,
				"%s of %.0f ns, wake-up %.0f ns: %.0f %%",
				waits[_i].name, ns, wake_ns,
				100 * sum.spun_ns / sum.adaptive_ns);
		}
	}
	ck_assert_int_gt(nr, 0);
}
END_TEST

/* Spinning slows down what is waited for, as on a shared core. */
static double
starved_ns(bool policy)
{
	const double ns = 20000, wake_ns = 5000, slow = 4;
	struct adaptive adaptive;
	double spin, took, sum = 0;
	long i;

	adaptive_init(&adaptive, (uint64_t)wake_ns);
	rng = 88172645463325252u;
	for (i = 0; i < WAITS; i++) {
		spin = policy ? (double)adaptive_spin_ns(&adaptive) : 0;
		took = ns * (0.9 + 0.2 * draw());
		took = spin > 0 ? slow * took : took + wake_ns;
		sum += took;
		adaptive_observe(&adaptive, (uint64_t)took, spin == 0);
	}
	return sum;
}

START_TEST(where_spinning_starves_the_other_side_it_learns_to_block)
{
	ck_assert_double_le(starved_ns(true), 1.05 * starved_ns(false));
}
END_TEST

START_TEST(a_wait_that_always_ends_soon_is_spun_through)
{
	struct adaptive adaptive;
	int i, nr_blocked = 0;

	adaptive_init(&adaptive, 45000);
	for (i = 0; i < 10000; i++) {
		nr_blocked += adaptive_spin_ns(&adaptive) < 5000;
		adaptive_observe(&adaptive, 5000, false);
	}
	ck_assert_int_le(nr_blocked, 40);
}
END_TEST

START_TEST(any_length_may_be_observed)
{
	struct adaptive adaptive;
	int i;

	adaptive_init(&adaptive, 0);
	for (i = 0; i < 1000; i++) {
		adaptive_observe(&adaptive, 0, i % 2);
		adaptive_observe(&adaptive, UINT64_MAX, i % 3);
		adaptive_spin_ns(&adaptive);
	}
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("adaptive");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase,
		no_point_of_the_grid_loses_more_than_a_hundredth, 0, NR_KINDS);
	tcase_add_loop_test(tcase,
		where_spinning_gains_nothing_it_takes_a_fifth_of_the_cpu_at_most,
		0, NR_KINDS);
	tcase_add_test(
		tcase, where_spinning_starves_the_other_side_it_learns_to_block);
	tcase_add_test(tcase, a_wait_that_always_ends_soon_is_spun_through);
	tcase_add_test(tcase, any_length_may_be_observed);
	return unit_run(tcase, "adaptive");
}
