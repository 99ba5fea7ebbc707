/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Commands described: CDB and data descriptor are written into the slot's
 * IU. Reads and writes are in prep_io.c, the rest in prep.c.
 */
#ifndef CORE_PREP_H
#define CORE_PREP_H

#include "core/lun.h"
#include "core/queue.h"
#include "wire/srp_iu.h"

static inline void
prep_begin(struct srpi_io *io, struct srpi_lun *lun, enum io_dir dir,
	uint32_t bytes)
{
	assert(io_state(io) == IO_HELD || io_state(io) == IO_PREPARED);
	io_set_state(io, IO_HELD);
	io->lun = lun;
	io->dir = (uint8_t)dir;
	io->expect_bytes = bytes;
	io->is_raw = false;
	io->split = NULL;
	srp_iu_cmd_set_tag(io->iu, io_tag(io));
}

static inline void
prep_set_length(struct srpi_io *io, uint32_t iu_bytes)
{
	io_set_length(io, iu_bytes, io->queue->ch->max_inline);
}

/* The sum of @iov's lengths; UINT64_MAX when it can't be one command's. */
static inline uint64_t
prep_sum(const struct iovec *iov, unsigned int nr)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (iov[i].iov_len > UINT32_MAX)
			return UINT64_MAX;
		sum += iov[i].iov_len;
	}
	return sum;
}

/* What a prep answers; only one that says 0 may be queued. */
static inline int
prep_end(struct srpi_io *io, int ret)
{
	if (likely(!ret))
		io_set_state(io, IO_PREPARED);
	return ret;
}

/* The data part of a command whose CDB is set. 0, -EFAULT, -EMSGSIZE. */
int prep_data(struct srpi_io *io, enum scsi_dir dir, const struct iovec *iov,
	unsigned int nr);

#endif /* CORE_PREP_H */
