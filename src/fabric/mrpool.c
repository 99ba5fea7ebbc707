/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fabric/mrpool.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fabric/fabric.h"
#include "util/compiler.h"

#define MRPOOL_FIRST_ROOM 16

/* Read while it is written: hence atomic, each field for itself. */
struct mrpool_region {
	_Atomic(uintptr_t) start;
	_Atomic(uintptr_t) end;	  /* one past the last byte */
	_Atomic(uintptr_t) reach; /* highest end of regions 0..this one */
	_Atomic(struct ibv_mr *) mr;
};

struct mrpool_table {
	struct mrpool_table *older; /* outgrown, freed with the pool */
	uint32_t room;
	_Atomic(uint32_t) nr;
	struct mrpool_region region[];
};

struct mrpool {
	_Atomic(struct mrpool_table *) table;
	_Atomic(uint32_t) sequence; /* odd while a writer is at work */
	const struct fabric *fabric;
	struct ibv_pd *pd;
	pthread_mutex_t lock; /* writers */
};

#define get(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define set(field, value)                                                      \
	atomic_store_explicit(&(field), (value), memory_order_relaxed)

static struct mrpool_table *
table_create(uint32_t room, struct mrpool_table *older)
{
	struct mrpool_table *table;

	table = calloc(1, sizeof(*table) + room * sizeof(table->region[0]));
	if (table) {
		table->room = room;
		table->older = older;
	}
	return table;
}

int
mrpool_create(const struct fabric *fabric, struct ibv_pd *pd,
	struct mrpool **pool)
{
	struct mrpool *p = calloc(1, sizeof(*p));
	struct mrpool_table *table = table_create(MRPOOL_FIRST_ROOM, NULL);

	if (!p || !table) {
		free(p);
		free(table);
		return -ENOMEM;
	}
	p->fabric = fabric;
	p->pd = pd;
	atomic_init(&p->table, table);
	pthread_mutex_init(&p->lock, NULL);
	*pool = p;
	return 0;
}

void
mrpool_destroy(struct mrpool *pool)
{
	struct mrpool_table *table, *older;
	uint32_t i;

	if (!pool)
		return;
	table = get(pool->table);
	for (i = 0; i < get(table->nr); i++)
		pool->fabric->dereg_mr(get(table->region[i].mr));
	for (; table; table = older) {
		older = table->older;
		free(table);
	}
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

/*
 * Writers' side of the sequence lock. The exchanges order the stores between
 * them for readers on every machine that C11 knows.
 */
static void
write_begin(struct mrpool *pool)
{
	atomic_fetch_add_explicit(&pool->sequence, 1, memory_order_acq_rel);
}

static void
write_end(struct mrpool *pool)
{
	atomic_fetch_add_explicit(&pool->sequence, 1, memory_order_acq_rel);
}

static void
copy_region(struct mrpool_region *to, const struct mrpool_region *from)
{
	atomic_store_explicit(&to->start, get(from->start),
		memory_order_release);
	atomic_store_explicit(&to->end, get(from->end), memory_order_release);
	atomic_store_explicit(&to->mr, get(from->mr), memory_order_release);
}

static void
update_reach(struct mrpool_table *table, uint32_t from)
{
	uintptr_t reach = from ? get(table->region[from - 1].reach) : 0;
	uint32_t i;

	for (i = from; i < get(table->nr); i++) {
		reach = max(reach, get(table->region[i].end));
		atomic_store_explicit(&table->region[i].reach, reach,
			memory_order_release);
	}
}

/* A table with room for one more, filled but not yet shown to readers. */
static struct mrpool_table *
grow(struct mrpool_table *old)
{
	struct mrpool_table *table = table_create(old->room * 2, old);
	uint32_t i;

	if (!table)
		return NULL;
	for (i = 0; i < get(old->nr); i++)
		copy_region(&table->region[i], &old->region[i]);
	set(table->nr, get(old->nr));
	update_reach(table, 0);
	return table;
}

/* Called with the lock held. */
static int
insert(struct mrpool *pool, struct ibv_mr *mr)
{
	struct mrpool_table *table = get(pool->table);
	uintptr_t start = (uintptr_t)mr->addr;
	uint32_t at = get(table->nr), i;

	if (at == table->room) {
		table = grow(table);
		if (!table)
			return -ENOMEM;
		atomic_store_explicit(&pool->table, table,
			memory_order_release);
	}
	write_begin(pool);
	for (i = at; i > 0 && get(table->region[i - 1].start) > start; i--)
		copy_region(&table->region[i], &table->region[i - 1]);
	atomic_store_explicit(&table->region[i].start, start,
		memory_order_release);
	atomic_store_explicit(&table->region[i].end, start + mr->length,
		memory_order_release);
	atomic_store_explicit(&table->region[i].mr, mr, memory_order_release);
	atomic_store_explicit(&table->nr, at + 1, memory_order_release);
	update_reach(table, i);
	write_end(pool);
	return 0;
}

/* Called with the lock held. */
static bool
take_out(struct mrpool *pool, const struct ibv_mr *mr)
{
	struct mrpool_table *table = get(pool->table);
	uint32_t nr = get(table->nr), at, i;

	for (at = 0; at < nr && get(table->region[at].mr) != mr; at++)
		;
	if (at == nr)
		return false;
	write_begin(pool);
	for (i = at; i + 1 < nr; i++)
		copy_region(&table->region[i], &table->region[i + 1]);
	atomic_store_explicit(&table->nr, nr - 1, memory_order_release);
	update_reach(table, at);
	write_end(pool);
	return true;
}

int
mrpool_register(struct mrpool *pool, void *addr, size_t bytes, int access,
	struct ibv_mr **mr)
{
	struct ibv_mr *new;
	int ret;

	if (bytes == 0 || (uintptr_t)addr + bytes < (uintptr_t)addr)
		return -EINVAL;
	errno = 0;
	new = pool->fabric->reg_mr(pool->pd, addr, bytes, access);
	if (!new)
		return errno ? -errno : -ENOMEM;
	pthread_mutex_lock(&pool->lock);
	ret = insert(pool, new);
	pthread_mutex_unlock(&pool->lock);
	if (ret) {
		pool->fabric->dereg_mr(new);
		return ret;
	}
	*mr = new;
	return 0;
}

int
mrpool_unregister(struct mrpool *pool, struct ibv_mr *mr)
{
	bool is_found;

	pthread_mutex_lock(&pool->lock);
	is_found = take_out(pool, mr);
	pthread_mutex_unlock(&pool->lock);
	if (!is_found)
		return -ENOENT;
	return -pool->fabric->dereg_mr(mr);
}

static inline bool
region_holds(const struct mrpool_region *r, uintptr_t start, uintptr_t end)
{
	return get(r->start) <= start && end <= get(r->end);
}

/* How many regions begin at or below @start. */
static inline uint32_t
count_below(const struct mrpool_table *table, uint32_t nr, uintptr_t start)
{
	uint32_t low = 0, high = nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (get(table->region[mid].start) <= start)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* One look, right only if no writer came in between. */
static struct ibv_mr *
look(const struct mrpool_table *table, uintptr_t start, uintptr_t end,
	uint32_t *hint)
{
	uint32_t nr, i;

	nr = atomic_load_explicit(&table->nr, memory_order_acquire);
	if (*hint < nr && region_holds(&table->region[*hint], start, end))
		return get(table->region[*hint].mr);
	for (i = count_below(table, nr, start); i > 0; i--) {
		const struct mrpool_region *r = &table->region[i - 1];

		if (region_holds(r, start, end)) {
			*hint = i - 1;
			return get(r->mr);
		}
		if (get(r->reach) < end)
			break;
	}
	return NULL;
}

/*
 * The loads of a look must be done before the sequence is read again. x86
 * keeps loads in order by itself, so that only the compiler is told.
 */
static inline void
order_loads(void)
{
#if defined(__x86_64__) || defined(__i386__)
	atomic_signal_fence(memory_order_acq_rel);
#else
	atomic_thread_fence(memory_order_acquire);
#endif
}

const struct ibv_mr *
mrpool_lookup(const struct mrpool *pool, const void *addr, size_t bytes,
	uint32_t *hint)
{
	uintptr_t start = (uintptr_t)addr, end = start + bytes;
	uint32_t no_hint = 0, before, after;
	const struct mrpool_table *table;
	const struct ibv_mr *mr;

	if (end < start)
		return NULL;
	if (!hint)
		hint = &no_hint;
	do {
		before = atomic_load_explicit(&pool->sequence,
			memory_order_acquire);
		table = atomic_load_explicit(&pool->table,
			memory_order_acquire);
		mr = look(table, start, end, hint);
		order_loads();
		after = get(pool->sequence);
		if (likely(before == after && !(before & 1)))
			return mr;
		cpu_relax();
	} while (1);
}

unsigned int
mrpool_nr_regions(const struct mrpool *pool)
{
	return get(get(pool->table)->nr);
}
