/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/latency.h"

#include "util/clock.h"
#include "util/compiler.h"
#include "util/counter.h"

static const char *const op_names[LATENCY_NR_OPS] = {
	[LATENCY_LOGIN] = "login",
	[LATENCY_RESCAN] = "rescan",
	[LATENCY_RESET] = "reset",
};

#define US CLOCK_NS_PER_USEC
#define MS CLOCK_NS_PER_MSEC
#define S CLOCK_NS_PER_SEC
static const uint64_t bounds_ns[LATENCY_NR_BOUNDS] = {
	10 * US, 20 * US, 50 * US, 100 * US, 200 * US, 500 * US,
	1 * MS, 2 * MS, 5 * MS, 10 * MS, 20 * MS, 50 * MS,
	100 * MS, 200 * MS, 500 * MS, 1 * S, 2 * S, 5 * S,
	10 * S, 20 * S, 50 * S,
};

const char *
latency_op_name(enum latency_op op)
{
	return op_names[op];
}

uint64_t
latency_bound_ns(unsigned int index)
{
	assert(index < LATENCY_NR_BOUNDS);
	return bounds_ns[index];
}

void
latency_record(struct latency *latency, uint64_t ns)
{
	unsigned int i = 0;

	while (i < LATENCY_NR_BOUNDS && ns > bounds_ns[i])
		i++;
	counter_add(&latency->counts[i], 1);
	counter_add(&latency->sum_ns, ns);
}

void
latency_read(const struct latency *latency, struct latency *out)
{
	unsigned int i;

	out->sum_ns = counter_get(&latency->sum_ns);
	for (i = 0; i <= LATENCY_NR_BOUNDS; i++)
		out->counts[i] = counter_get(&latency->counts[i]);
}

uint64_t
latency_count(const struct latency *latency)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i <= LATENCY_NR_BOUNDS; i++)
		sum += latency->counts[i];
	return sum;
}
