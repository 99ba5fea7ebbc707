/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_mem.h"

#include <errno.h>
#include <stdlib.h>

#include "softrdma/soft_device.h"
#include "softrdma/soft_qp.h"
#include "util/mem.h"

#define ACCESS_KNOWN                                                           \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |                    \
		IBV_ACCESS_REMOTE_READ)

#define ENTRIES_AT_REST 64

/* Generations 1..255, so that no key is ever 0 or a bare index. */
static uint8_t
next_generation(uint8_t generation)
{
	return generation == UINT8_MAX ? 1 : generation + 1;
}

int
soft_mem_init(struct soft_mr_table *table)
{
	/* Mapped as a whole, taken page by page as entries are used. */
	int ret = mem_alloc(&table->mem,
		SOFT_MAX_MR * sizeof(table->entry[0]), 0);

	if (ret)
		return ret;
	table->entry = table->mem.addr;
	table->nr_touched = 1;
	return 0;
}

void
soft_mem_fini(struct soft_mr_table *table)
{
	mem_free(&table->mem);
}

struct ibv_pd *
soft_mem_alloc_pd(struct ibv_context *context)
{
	struct soft_dev *dev = soft_dev_of(context);
	struct soft_pd *pd = calloc(1, sizeof(*pd));
	bool is_full;

	if (!pd)
		return NULL;
	pd->pd.context = context;
	pthread_mutex_lock(&dev->lock);
	is_full = dev->nr_pds == SOFT_MAX_PD;
	if (!is_full)
		pd->pd.handle = dev->nr_pds++;
	pthread_mutex_unlock(&dev->lock);
	if (is_full) {
		free(pd);
		errno = ENOMEM;
		return NULL;
	}
	soft_dev_hold(dev);
	return &pd->pd;
}

int
soft_mem_dealloc_pd(struct ibv_pd *ibpd)
{
	struct soft_pd *pd = container_of(ibpd, struct soft_pd, pd);
	struct soft_dev *dev = soft_dev_of(ibpd->context);
	bool is_used;

	pthread_mutex_lock(&dev->lock);
	is_used = pd->nr_users > 0;
	if (!is_used)
		dev->nr_pds--;
	pthread_mutex_unlock(&dev->lock);
	if (is_used)
		return EBUSY;
	free(pd);
	soft_dev_release(dev);
	return 0;
}

/* Called with the device's lock held. 0: the table is full. */
static uint32_t
take_index(struct soft_mr_table *table)
{
	uint32_t index = table->first_free;

	/* An entry given back rests until some others have been, too. */
	if (table->nr_free < ENTRIES_AT_REST &&
		table->nr_touched < SOFT_MAX_MR)
		return table->nr_touched++;
	if (!index)
		return 0;
	table->first_free = table->entry[index].next_free;
	if (!table->first_free)
		table->last_free = 0;
	table->nr_free--;
	return index;
}

static void
give_index(struct soft_mr_table *table, uint32_t index)
{
	table->entry[index].next_free = 0;
	if (table->last_free)
		table->entry[table->last_free].next_free = index;
	else
		table->first_free = index;
	table->last_free = index;
	table->nr_free++;
}

static bool
is_valid(const void *addr, size_t length, unsigned int access)
{
	/* What hardware may ignore, so do we. */
	access &= ~(unsigned int)IBV_ACCESS_OPTIONAL_RANGE;
	if (length == 0 || (uintptr_t)addr + length < (uintptr_t)addr)
		return false;
	if (access & ~(unsigned int)ACCESS_KNOWN)
		return false;
	/* A remote writer implies a local one (IBA 10.6.3.1). */
	return !(access & IBV_ACCESS_REMOTE_WRITE) ||
		(access & IBV_ACCESS_LOCAL_WRITE);
}

/* Called with the device's lock held. The key, or 0: the table is full. */
static uint32_t
publish(struct soft_mr_table *table, const struct ibv_mr *mr, int access)
{
	const struct soft_pd *pd = container_of(mr->pd, struct soft_pd, pd);
	uint32_t index = take_index(table), key;
	struct soft_mr_entry *e = &table->entry[index];

	if (!index)
		return 0;
	e->generation = next_generation(e->generation);
	e->start = (uintptr_t)mr->addr;
	e->bytes = mr->length;
	e->pd[SOFT_ACCESS_LOCAL_READ] = pd;
	e->pd[SOFT_ACCESS_LOCAL_WRITE] =
		access & IBV_ACCESS_LOCAL_WRITE ? pd : NULL;
	e->pd[SOFT_ACCESS_REMOTE_READ] =
		access & IBV_ACCESS_REMOTE_READ ? pd : NULL;
	e->pd[SOFT_ACCESS_REMOTE_WRITE] =
		access & IBV_ACCESS_REMOTE_WRITE ? pd : NULL;
	key = index << 8 | e->generation;
	atomic_store_explicit(&e->key, key, memory_order_release);
	table->nr++;
	return key;
}

struct ibv_mr *
soft_mem_reg(struct ibv_pd *ibpd, void *addr, size_t length, int access)
{
	struct soft_pd *pd = container_of(ibpd, struct soft_pd, pd);
	struct soft_dev *dev = soft_dev_of(ibpd->context);
	struct ibv_mr *mr;

	if (!is_valid(addr, length, (unsigned int)access)) {
		errno = EINVAL;
		return NULL;
	}
	mr = calloc(1, sizeof(*mr));
	if (!mr)
		return NULL;
	mr->context = ibpd->context;
	mr->pd = ibpd;
	mr->addr = addr;
	mr->length = length;
	pthread_mutex_lock(&dev->lock);
	mr->lkey = publish(&dev->mrs, mr, access);
	if (mr->lkey)
		pd->nr_users++;
	pthread_mutex_unlock(&dev->lock);
	if (!mr->lkey) {
		free(mr);
		errno = ENOMEM;
		return NULL;
	}
	mr->rkey = mr->lkey;
	mr->handle = mr->lkey >> 8;
	return mr;
}

/*
 * Whoever saw the key before it was cleared holds a send queue's lock until
 * its copy is done.
 */
static void
pass_through_locks(struct soft_dev *dev)
{
	struct soft_qp *qp;

	list_for_each_entry(qp, &dev->qps, dev_node) {
		soft_spin_lock(&qp->sq_lock);
		soft_spin_unlock(&qp->sq_lock);
	}
}

int
soft_mem_dereg(struct ibv_mr *mr)
{
	struct soft_pd *pd = container_of(mr->pd, struct soft_pd, pd);
	struct soft_dev *dev = soft_dev_of(mr->context);

	pthread_mutex_lock(&dev->lock);
	atomic_store(&dev->mrs.entry[mr->lkey >> 8].key, 0);
	pass_through_locks(dev);
	give_index(&dev->mrs, mr->lkey >> 8);
	dev->mrs.nr--;
	pd->nr_users--;
	pthread_mutex_unlock(&dev->lock);
	free(mr);
	return 0;
}
