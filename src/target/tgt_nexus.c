/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_nexus.h"

#include <stdlib.h>

static struct tgt_nexus *
nexus_find(struct target *target, const uint8_t *initiator_port_id)
{
	struct tgt_nexus *nexus;

	list_for_each_entry(nexus, &target->nexuses, node)
		if (!memcmp(nexus->initiator_port_id, initiator_port_id,
			    SRP_PORT_ID_BYTES))
			return nexus;
	return NULL;
}

/* target.lock is held. */
static void
nexus_queue_one(struct tgt_nexus *nexus, unsigned int lun, uint16_t code)
{
	struct tgt_nexus_lun *l = &nexus->luns[lun];
	unsigned int i;

	for (i = 0; i < l->nr_ua; i++)
		if (l->ua[i] == code)
			return;
	if (l->nr_ua == TGT_MAX_UA) {
		memmove(&l->ua[0], &l->ua[1], sizeof(l->ua) - sizeof(l->ua[0]));
		l->ua[TGT_MAX_UA - 1] = code;
		return;
	}
	l->ua[l->nr_ua++] = code;
	atomic_fetch_add_explicit(&nexus->nr_ua, 1, memory_order_relaxed);
}

/* target.lock is held. */
static struct tgt_nexus *
nexus_create(struct target *target, const uint8_t *initiator_port_id)
{
	struct tgt_nexus *nexus;
	unsigned int i, k;

	nexus = calloc(1, sizeof(*nexus));
	if (!nexus)
		return NULL;
	memcpy(nexus->initiator_port_id, initiator_port_id, SRP_PORT_ID_BYTES);
	for (i = 0; i < target->nr_luns; i++)
		for (k = 0; k < target->luns[i].nr_ua_login; k++)
			nexus_queue_one(nexus, i, target->luns[i].ua_login[k]);
	list_add_tail(&target->nexuses, &nexus->node);
	return nexus;
}

struct tgt_nexus *
tgt_nexus_get(struct target *target,
	const uint8_t initiator_port_id[SRP_PORT_ID_BYTES])
{
	struct tgt_nexus *nexus;

	pthread_mutex_lock(&target->lock);
	nexus = nexus_find(target, initiator_port_id);
	if (!nexus)
		nexus = nexus_create(target, initiator_port_id);
	if (nexus)
		nexus->nr_conns++;
	pthread_mutex_unlock(&target->lock);
	return nexus;
}

void
tgt_nexus_put(struct target *target, struct tgt_nexus *nexus)
{
	pthread_mutex_lock(&target->lock);
	if (--nexus->nr_conns == 0)
		list_del(&nexus->node);
	else
		nexus = NULL;
	pthread_mutex_unlock(&target->lock);
	free(nexus);
}

void
tgt_nexus_add_ua(struct target *target, struct tgt_nexus *nexus,
	const struct tgt_lun *lun, uint16_t code)
{
	pthread_mutex_lock(&target->lock);
	nexus_queue_one(nexus, lun->index, code);
	pthread_mutex_unlock(&target->lock);
}

void
tgt_nexus_queue_ua(struct target *target, const struct tgt_lun *lun,
	uint16_t code, const struct tgt_nexus *except)
{
	struct tgt_nexus *nexus;

	pthread_mutex_lock(&target->lock);
	list_for_each_entry(nexus, &target->nexuses, node)
		if (nexus != except)
			nexus_queue_one(nexus, lun->index, code);
	pthread_mutex_unlock(&target->lock);
}

/* target.lock is held. */
static void
nexus_remove(struct tgt_nexus *nexus, struct tgt_nexus_lun *l, unsigned int i)
{
	l->nr_ua--;
	memmove(&l->ua[i], &l->ua[i + 1], (l->nr_ua - i) * sizeof(l->ua[0]));
	atomic_fetch_sub_explicit(&nexus->nr_ua, 1, memory_order_relaxed);
}

void
tgt_nexus_forget_lun(struct target *target, const struct tgt_lun *lun)
{
	struct tgt_nexus *nexus;
	struct tgt_nexus_lun *l;

	pthread_mutex_lock(&target->lock);
	list_for_each_entry(nexus, &target->nexuses, node) {
		l = &nexus->luns[lun->index];
		while (l->nr_ua)
			nexus_remove(nexus, l, l->nr_ua - 1u);
	}
	pthread_mutex_unlock(&target->lock);
}

uint16_t
tgt_nexus_take_ua(struct target *target, struct tgt_nexus *nexus,
	const struct tgt_lun *lun)
{
	struct tgt_nexus_lun *l = &nexus->luns[lun->index];
	uint16_t code = 0;

	if (!atomic_load_explicit(&nexus->nr_ua, memory_order_relaxed))
		return 0;
	pthread_mutex_lock(&target->lock);
	if (l->nr_ua) {
		code = l->ua[0];
		nexus_remove(nexus, l, 0);
	}
	pthread_mutex_unlock(&target->lock);
	return code;
}
