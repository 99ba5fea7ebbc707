/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A queue's slots: its commands with all they need, made with the queue.
 *
 *	ios[0 .. nr)                      private, 64-byte aligned
 *	  ├─ iu ────> area: [ IU | IU | ... | bounce | bounce | ... ]
 *	  │                  mr: the target    bounce_mr: it may
 *	  │                  may read          read and write
 *	  └─ sense ─> sense_area
 */
#ifndef CORE_SLOTS_H
#define CORE_SLOTS_H

#include "core/io.h"
#include "core/split.h"
#include "util/mem.h"

struct slots {
	struct srpi_io *ios;
	uint32_t nr;
	uint32_t iu_bytes, max_descs; /* room of one IU */
	uint32_t rkey;	   /* of the IUs: a target may fetch a table */
	uint32_t bounce_bytes; /* one bounce block a slot; 0: none */
	struct split *splits;
	uint8_t *sense_area;
	struct mem area;
	struct ibv_mr *mr, *bounce_mr;
	size_t memory_bytes;
};

/* Slots for commands of up to @max_descs descriptors, owned by @queue. */
int slots_create(struct slots *slots, struct srpi_queue *queue, uint32_t nr,
	uint32_t max_descs, char *reason, size_t n);
/* No work request names their memory any more. Accepts partly made ones. */
void slots_destroy(struct slots *slots, struct srpi_queue *queue);
/* The slots' place among those of the channel: the tag's low half. */
void slots_set_place(struct slots *slots, uint32_t queue_index);

static inline uint8_t *
slots_bounce(const struct slots *slots, const struct srpi_io *io)
{
	return (uint8_t *)slots->area.addr +
		(size_t)slots->nr * slots->iu_bytes +
		(size_t)io->index * slots->bounce_bytes;
}

#endif /* CORE_SLOTS_H */
