/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * More completions at once than one poll takes: none may be left behind in
 * the queue of a waiter that blocks, as no event would ever wake it.
 */
#include "core_rig.h"

#include <poll.h>

#include "../unit/unit.h"
#include "util/log.h"

#define DEPTH_MAX 500u
#define NR_ROUNDS 5
/*
 * A waiter that is not woken sleeps for half a second at least. A busy machine
 * may do that to one round, and not to each of them.
 */
#define LONG_NS (200 * CLOCK_NS_PER_MSEC)

static struct rig rig;

static const enum soft_irqmode irqs[] = { SOFT_IRQ_NONE, SOFT_IRQ_SOFTIRQ,
	SOFT_IRQ_THREAD };
#define NR_IRQS (int)ARRAY_SIZE(irqs)

/* io_timeout is no rescue here: it is far longer than the test. */
static void
up(enum srpi_completion mode, enum soft_irqmode irq)
{
	struct srpi_queue_opts opts = { .depth = DEPTH_MAX, .cpu = -1 };

	rig_up_ram(&rig, irq);
	rig.attr.completion = mode;
	rig.attr.channels = 1;
	rig.attr.depth = DEPTH_MAX;
	rig.attr.io_timeout_ms = 600 * 1000;
	rig_open_all(&rig, &opts);
}

static void
down(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

static void
submit(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		srpi_queue_io(rig_prep(rig.queue, &rig, i, false));
	must(srpi_submit(rig.queue) == (int)nr);
}

static void
put(struct srpi_io **ios, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		must(!srpi_result(ios[i])->error);
		srpi_put(ios[i]);
	}
}

/* How long that took. */
static uint64_t
wait_for(unsigned int want)
{
	struct srpi_io *ios[DEPTH_MAX];
	uint64_t begun_ns = clock_ns();
	int nr;

	submit(want);
	nr = srpi_wait(rig.queue, ios, want, want, 15 * CLOCK_NS_PER_SEC);
	must(nr == (int)want);
	put(ios, nr);
	return clock_ns() - begun_ns;
}

START_TEST(a_wait_for_many_is_over_when_all_are_there)
{
	static const unsigned int sizes[] = { 33, 65, 97, 128, 200, DEPTH_MAX };
	unsigned int i, round;
	uint64_t least;

	up(rig_modes[_i % RIG_NR_MODES], irqs[_i / RIG_NR_MODES]);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		least = UINT64_MAX;
		for (round = 0; round < NR_ROUNDS; round++)
			least = min(least, wait_for(sizes[i]));
		ck_assert_msg(least < LONG_NS, "%u commands: %u ms", sizes[i],
			(unsigned int)(least / CLOCK_NS_PER_MSEC));
	}
	down();
}
END_TEST

/* One poll for each time that the descriptor is readable, no more. */
START_TEST(a_descriptor_is_readable_until_all_are_there)
{
	struct srpi_io *ios[16];
	struct pollfd pfd = { .events = POLLIN };
	unsigned int round, done;
	int nr;

	up(rig_modes[_i % RIG_NR_FD_MODES], irqs[_i / RIG_NR_FD_MODES]);
	pfd.fd = srpi_fd(rig.queue);
	ck_assert_int_ge(pfd.fd, 0);
	for (round = 0; round < NR_ROUNDS; round++) {
		submit(DEPTH_MAX);
		for (done = 0; done < DEPTH_MAX; done += (unsigned int)nr) {
			nr = srpi_poll(rig.queue, ios, ARRAY_SIZE(ios));
			put(ios, nr);
			if (!nr)
				must(poll(&pfd, 1, 15000) == 1);
		}
		must(done == DEPTH_MAX);
	}
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("core_batches");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_wait_for_many_is_over_when_all_are_there,
		0, RIG_NR_MODES * NR_IRQS);
	tcase_add_loop_test(tcase, a_descriptor_is_readable_until_all_are_there,
		0, RIG_NR_FD_MODES * NR_IRQS);
	return unit_run(tcase, "core_batches");
}
