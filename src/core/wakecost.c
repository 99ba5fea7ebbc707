/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/wakecost.h"
#include "util/clock.h"
#include "util/thread.h"

#define WAKECOST_ROUNDS 15
/* when it can't be measured: of the order seen on common machines */
#define WAKECOST_DEFAULT_NS (10 * CLOCK_NS_PER_USEC)

struct wakecost {
	int ping, pong;
	uint64_t ns[WAKECOST_ROUNDS]; /* a round: two wake-ups */
};

static uint64_t wakecost_value = WAKECOST_DEFAULT_NS;

static int
wakecost_await(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	eventfd_t value;

	if (poll(&pfd, 1, 1000) != 1)
		return -1;
	return eventfd_read(fd, &value);
}

static void
wakecost_echo(void *arg)
{
	struct wakecost *cost = arg;
	int i;

	for (i = 0; i < WAKECOST_ROUNDS; i++)
		if (wakecost_await(cost->ping) || eventfd_write(cost->pong, 1))
			return;
}

static int
wakecost_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void
wakecost_rounds(struct wakecost *cost)
{
	uint64_t begin;
	int i;

	for (i = 0; i < WAKECOST_ROUNDS; i++) {
		begin = clock_ns();
		if (eventfd_write(cost->ping, 1) || wakecost_await(cost->pong))
			return;
		cost->ns[i] = clock_ns() - begin;
	}
	qsort(cost->ns, WAKECOST_ROUNDS, sizeof(cost->ns[0]),
		wakecost_compare);
	wakecost_value = cost->ns[WAKECOST_ROUNDS / 2] / 2;
}

static void
wakecost_measure(void)
{
	struct wakecost cost = {
		.ping = eventfd(0, EFD_CLOEXEC),
		.pong = eventfd(0, EFD_CLOEXEC),
	};
	struct thread thread = { 0 };

	if (cost.ping >= 0 && cost.pong >= 0 &&
		!thread_start(&thread, "srpi-wakecost", THREAD_ANY_CPU,
			wakecost_echo, &cost)) {
		wakecost_rounds(&cost);
		thread_join(&thread);
	}
	close(cost.ping);
	close(cost.pong);
}

uint64_t
wakecost_ns(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, wakecost_measure);
	return wakecost_value;
}
