/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>
#include <stdlib.h>

#include "core/queue.h"
#include "core/session.h"
#include "core/slots.h"
#include "fabric/fabric.h"
#include "wire/srp_iu.h"

#define SLOTS_IU_ALIGN 64u
/* the longest block there is, data integrity field included, and room */
#define SLOTS_BOUNCE_BYTES 4352u
/* an IU, and behind it the parameter list of an UNMAP */
#define SLOTS_IU_MIN_BYTES 256u

static void
slots_init_io(struct slots *slots, struct srpi_queue *queue, uint32_t i)
{
	struct srpi_io *io = &slots->ios[i];

	io->queue = queue;
	io->index = i;
	io->iu = (void *)((uint8_t *)slots->area.addr +
		(size_t)i * slots->iu_bytes);
	io->sense = slots->sense_area + (size_t)i * IO_SENSE_BYTES;
	io->sges[0].addr = (uintptr_t)io->iu;
	io->sges[0].lkey = slots->mr->lkey;
	io->wr.sg_list = io->sges;
	io->wr.num_sge = 1;
	io->wr.opcode = IBV_WR_SEND;
	srp_iu_cmd_init(io->iu, 0);
}

static int
slots_alloc(struct slots *slots, uint32_t nr)
{
	int ret = mem_alloc(&slots->area,
		(size_t)nr * (slots->iu_bytes + slots->bounce_bytes), 0);

	if (ret)
		return ret;
	slots->ios = mem_aligned_zalloc(64, nr * sizeof(*slots->ios));
	slots->sense_area = calloc(nr, IO_SENSE_BYTES);
	slots->splits = calloc(nr, sizeof(*slots->splits));
	if (!slots->ios || !slots->sense_area || !slots->splits)
		return -ENOMEM;
	slots->nr = nr;
	slots->memory_bytes = slots->area.map_bytes +
		nr * (sizeof(*slots->ios) + IO_SENSE_BYTES +
			     sizeof(*slots->splits));
	return 0;
}

/*
 * What lies in an IU decides where the next command is written: the target
 * must never be able to change it.
 */
static int
slots_register(struct slots *slots, struct srpi_session *session)
{
	const struct fabric *fabric = session->attr.fabric;
	size_t iu_bytes = (size_t)slots->nr * slots->iu_bytes;

	slots->mr = fabric->reg_mr(session->pd, slots->area.addr, iu_bytes,
		IBV_ACCESS_REMOTE_READ);
	if (!slots->mr)
		return -1;
	slots->rkey = slots->mr->rkey;
	if (!slots->bounce_bytes)
		return 0;
	slots->bounce_mr = fabric->reg_mr(session->pd,
		(uint8_t *)slots->area.addr + iu_bytes,
		(size_t)slots->nr * slots->bounce_bytes,
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_WRITE);
	return slots->bounce_mr ? 0 : -1;
}

int
slots_create(struct slots *slots, struct srpi_queue *queue, uint32_t nr,
	uint32_t max_descs, char *reason, size_t n)
{
	struct srpi_session *session = queue->session;
	uint32_t i;
	int ret;

	slots->max_descs = max_descs;
	slots->iu_bytes = (uint32_t)srp_iu_cmd_bytes(
		max_descs > 1 ? SRP_DESC_INDIRECT : SRP_DESC_DIRECT, max_descs,
		0);
	if (queue->ch->imm_bytes)
		slots->iu_bytes = max_t(
			uint32_t, slots->iu_bytes, SRP_IMM_OFFSET);
	if (queue->number != QUEUE_CONTROL)
		slots->iu_bytes = max(slots->iu_bytes, SLOTS_IU_MIN_BYTES);
	slots->iu_bytes = ALIGN_UP(slots->iu_bytes, SLOTS_IU_ALIGN);
	/* an API call's list of elements may need more than this many */
	if (max_descs < SRP_MAX_DESCS && queue->number != QUEUE_CONTROL)
		slots->bounce_bytes = SLOTS_BOUNCE_BYTES;
	ret = slots_alloc(slots, nr);
	if (ret) {
		snprintf(reason, n, "memory for %u commands: %s", nr,
			strerror(-ret));
		return ret;
	}
	if (slots_register(slots, session))
		return session_call_failed(session,
			"registering command memory", errno, reason, n);
	for (i = 0; i < nr; i++)
		slots_init_io(slots, queue, i);
	return 0;
}

void
slots_set_place(struct slots *slots, uint32_t queue_index)
{
	uint32_t i;

	for (i = 0; i < slots->nr; i++)
		slots->ios[i].place = queue_index << IO_PLACE_SHIFT | i;
}

void
slots_destroy(struct slots *slots, struct srpi_queue *queue)
{
	const struct fabric *fabric = queue->session->attr.fabric;

	if (slots->mr)
		fabric->dereg_mr(slots->mr);
	if (slots->bounce_mr)
		fabric->dereg_mr(slots->bounce_mr);
	mem_free(&slots->area);
	free(slots->ios);
	free(slots->sense_area);
	free(slots->splits);
}
