/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A slot: one tagged command, made with its queue and used again and again.
 *
 *	SRP tag:  63 ........ 32 31 ......... 16 15 ...... 0
 *	          life           queue in the    slot in the
 *	                         channel         queue
 *
 * The life changes with each use, so that a late response of an earlier one
 * is recognised and dropped.
 *
 *	FREE --get--> HELD --prep--> PREPARED --queue_io--> PLUGGED
 *	  ^                                                    | submit
 *	  |              DONE <--response-- POSTED <--post-- READY
 *	  |               |  ^                 |  '--retry-----^
 *	  |               |  '--- ANSWERED <---' until its SEND is complete
 *	  '------put------'
 *
 * Owner of every field: whoever is inside the channel (core/bias.h) while
 * the slot is READY or POSTED, the queue's thread otherwise. The state, and
 * the life that a tag from the wire must match, are looked at by all.
 */
#ifndef CORE_IO_H
#define CORE_IO_H

#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "wire/srp.h"

#include <srpi/srpi.h>

enum io_state {
	IO_FREE,
	IO_HELD,
	IO_PREPARED, /* a prep has said 0 */
	IO_PLUGGED,
	IO_READY, /* submitted, waits for credit or send-queue space */
	IO_POSTED,
	IO_ANSWERED, /* response seen, its SEND not yet complete */
	IO_DONE,
};

enum io_dir { IO_NO_DATA, IO_READ, IO_WRITE };

/* "sense_bytes" is one byte: what SPC allows at most */
#define IO_SENSE_BYTES 252

#define IO_PLACE_SHIFT 16

/* The IU, and data elements that may go with it as immediate data. */
#define IO_MAX_SGES 4

struct srpi_io {
	/* the life of a command */
	struct srpi_io *next; /* plug or ready list */
	struct srpi_queue *queue;
	struct srpi_lun *lun;
	void *data; /* the caller's */
	uint32_t index; /* in its queue */
	uint32_t place; /* the tag: with */
	_Atomic uint32_t life;
	_Atomic uint8_t state; /* enum io_state */
	uint8_t dir;
	uint8_t retries, attentions; /* after BUSY; after unit attentions */
	bool is_raw; /* the caller's own CDB: its answer is not judged */
	/* Its SENDs read the caller's memory: it ends when those are complete
	 * too; nr_sends are under way. */
	bool sends_data;
	uint8_t nr_sends;
	uint32_t expect_bytes;	/* what the command asks to move */
	uint64_t submit_coarse_ns;

	struct srpi_result result;
	struct split *split;  /* NULL: one command is all (core/split.h) */
	uint64_t retry_at_ns; /* coarse clock; READY and backing off till then */

	/* prebuilt; per I/O only the IU's contents and the flags change */
	struct srp_cmd *iu; /* in the slots' registered memory */
	uint8_t *sense;	    /* IO_SENSE_BYTES */
	struct ibv_sge sges[IO_MAX_SGES]; /* the IU, then immediate data */
	struct ibv_send_wr wr;
};

static inline enum io_state
io_state(const struct srpi_io *io)
{
	return (enum io_state)atomic_load_explicit(
		&io->state, memory_order_relaxed);
}

static inline void
io_set_state(struct srpi_io *io, enum io_state state)
{
	atomic_store_explicit(
		&io->state, (uint8_t)state, memory_order_relaxed);
}

static inline uint32_t
io_life(const struct srpi_io *io)
{
	return atomic_load_explicit(&io->life, memory_order_relaxed);
}

/* Whatever still comes for the life so far is late. Owner. */
static inline void
io_next_life(struct srpi_io *io)
{
	atomic_store_explicit(
		&io->life, io_life(io) + 1, memory_order_relaxed);
}

static inline uint64_t
io_tag(const struct srpi_io *io)
{
	return (uint64_t)io_life(io) << 32 | io->place;
}

/* The IU's length decides whether the device may copy it at the post. */
static inline void
io_set_length(struct srpi_io *io, uint32_t iu_bytes, uint32_t max_inline)
{
	io->sges[0].length = iu_bytes;
	io->wr.num_sge = 1;
	io->wr.send_flags = iu_bytes <= max_inline ? IBV_SEND_INLINE : 0;
	io->sends_data = false;
}

/* A singly linked list through `next`, first in first out. */
struct io_list {
	struct srpi_io *head, **tail;
};

static inline void
io_list_init(struct io_list *list)
{
	list->head = NULL;
	list->tail = &list->head;
}

static inline void
io_list_add(struct io_list *list, struct srpi_io *io)
{
	io->next = NULL;
	*list->tail = io;
	list->tail = &io->next;
}

/* Moves all of @from to the end of @to. */
static inline void
io_list_splice(struct io_list *to, struct io_list *from)
{
	if (!from->head)
		return;
	*to->tail = from->head;
	to->tail = from->tail;
	io_list_init(from);
}

#endif /* CORE_IO_H */
