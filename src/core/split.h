/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads and writes beyond what one command can carry: by the LUN's maximum
 * transfer length, or by the number of descriptors that fit an IU. The parts
 * go one after the other through the I/O's one slot; caller and statistics
 * see one I/O.
 *
 *	iov     [....|........|..|.............]
 *	parts   [  1   |   2     |    3   | 4  ]   whole blocks each
 *
 * A block that lies in more pieces than a command has descriptors goes
 * through the slot's bounce block.
 */
#ifndef CORE_SPLIT_H
#define CORE_SPLIT_H

#include "core/io.h"

struct channel;

struct split {
	const struct iovec *iov; /* the caller's, or &one */
	struct iovec one;
	unsigned int nr;
	uint32_t flags; /* SCSI_CMD_* of each part */
	uint64_t lba;
	uint32_t blocks, done_blocks, part_blocks;
	uint32_t block_bytes; /* as when it began, whatever a rescan finds */
	bool is_bounced; /* the part under way */
};

/* Describes the whole and its first part. Errors as srpi_prep_read(). */
int split_begin(struct srpi_io *io, uint64_t lba, uint32_t blocks,
	const struct iovec *iov, unsigned int nr);
/*
 * A part has been answered. True: the next one is on the ready list. False:
 * the I/O is finished and its result tells of the whole. Inside the channel.
 */
bool split_continue(struct channel *ch, struct srpi_io *io);

#endif /* CORE_SPLIT_H */
