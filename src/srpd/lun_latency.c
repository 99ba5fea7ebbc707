/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/lun_latency.h"

#include <stdlib.h>
#include <string.h>

#include "util/counter.h"

static const char *const op_names[LUN_NR_OPS] = {
	[LUN_OPEN] = "open",
	[LUN_RESET] = "reset",
};

const char *
lun_op_name(enum lun_op op)
{
	return op_names[op];
}

/* Where @number is, or belongs. */
static unsigned int
find(const struct lun_latencies *table, uint64_t number)
{
	unsigned int low = 0, high = table->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (table->all[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room doubles, at each power of two. */
static bool
grow(struct lun_latencies *table)
{
	unsigned int nr = table->nr;
	struct lun_latency *more;

	if (nr & (nr - 1))
		return true;
	more = realloc(table->all, (nr ? 2 * (size_t)nr : 1) * sizeof(*more));
	if (!more)
		return false;
	table->all = more;
	return true;
}

static struct lun_latency *
get(struct lun_latencies *table, uint64_t number)
{
	unsigned int at = find(table, number);
	struct lun_latency *lun;

	if (at < table->nr && table->all[at].number == number)
		return &table->all[at];
	if (!grow(table))
		return NULL;
	lun = &table->all[at];
	memmove(lun + 1, lun, (table->nr - at) * sizeof(*lun));
	memset(lun, 0, sizeof(*lun));
	lun->number = number;
	table->nr++;
	return lun;
}

void
lun_latency_record(struct lun_latencies *table, uint64_t number,
	enum lun_op op, uint64_t ns)
{
	struct lun_latency *lun = get(table, number);

	if (lun)
		latency_record(&lun->latency[op], ns);
}

void
lun_latency_fail(
	struct lun_latencies *table, uint64_t number, enum lun_op op)
{
	struct lun_latency *lun = get(table, number);

	if (lun)
		counter_add(&lun->failures[op], 1);
}

void
lun_latency_fini(struct lun_latencies *table)
{
	free(table->all);
	*table = (struct lun_latencies){0};
}
