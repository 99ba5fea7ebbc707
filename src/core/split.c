/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "core/channel.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core/session.h"
#include "core/split.h"
#include "fabric/mrpool.h"
#include "wire/scsi_cdb.h"
#include "wire/srp_iu.h"

/* A position in an iovec list. */
struct split_cursor {
	const struct iovec *iov;
	unsigned int left;
	size_t offset; /* in *iov */
};

/* The descriptors of one part. */
struct split_part {
	struct srp_iu_desc descs[SRP_MAX_DESCS];
	unsigned int nr;
	uint32_t bytes;
};

static struct split_cursor
split_seek(const struct split *split, uint64_t bytes)
{
	struct split_cursor at = { split->iov, split->nr, 0 };

	while (at.left && bytes >= at.iov->iov_len) {
		bytes -= at.iov->iov_len;
		at.iov++;
		at.left--;
	}
	at.offset = (size_t)bytes;
	return at;
}

/* The rest of the element at the cursor, at most @max; moves past it. */
static struct iovec
split_take(struct split_cursor *at, size_t max)
{
	struct iovec piece = {
		.iov_base = (char *)at->iov->iov_base + at->offset,
		.iov_len = at->iov->iov_len - at->offset,
	};

	if (piece.iov_len > max) {
		piece.iov_len = max;
		at->offset += max;
	} else {
		at->iov++;
		at->left--;
		at->offset = 0;
	}
	return piece;
}

/*
 * Adds a piece; 0, -EFAULT, -EMSGSIZE when the table is full. No hint for the
 * look-up: that is the queue thread's, and we may run in another.
 */
static int
split_add(struct srpi_io *io, struct split_part *part, struct iovec piece)
{
	const struct ibv_mr *mr = mrpool_lookup(io->queue->session->pool,
		piece.iov_base, piece.iov_len, NULL);
	struct srp_iu_desc *last = &part->descs[part->nr - (part->nr > 0)];
	uint64_t va = (uintptr_t)piece.iov_base;

	if (!mr)
		return -EFAULT;
	if (part->nr && last->va + last->len == va && last->rkey == mr->rkey) {
		last->len += (uint32_t)piece.iov_len;
	} else {
		if (part->nr == io->queue->slots.max_descs)
			return -EMSGSIZE;
		part->descs[part->nr++] = (struct srp_iu_desc){
			va, mr->rkey, (uint32_t)piece.iov_len };
	}
	part->bytes += (uint32_t)piece.iov_len;
	return 0;
}

/* Cuts the part's end so that whole blocks remain. */
static void
split_trim(struct split_part *part, uint32_t block_bytes)
{
	uint32_t extra = part->bytes % block_bytes;
	struct srp_iu_desc *last;

	part->bytes -= extra;
	while (extra) {
		last = &part->descs[part->nr - 1];
		if (last->len > extra) {
			last->len -= extra;
			return;
		}
		extra -= last->len;
		part->nr--;
	}
}

static int
split_gather(struct srpi_io *io, struct split_part *part, uint32_t max_bytes)
{
	struct split *split = io->split;
	struct split_cursor at = split_seek(split,
		(uint64_t)split->done_blocks * split->block_bytes);
	struct iovec piece;
	int ret = 0;

	part->nr = 0;
	part->bytes = 0;
	while (!ret && at.left && part->bytes < max_bytes) {
		piece = split_take(&at, max_bytes - part->bytes);
		if (piece.iov_len)
			ret = split_add(io, part, piece);
	}
	if (ret == -EFAULT)
		return ret;
	split_trim(part, split->block_bytes);
	return 0;
}

/* Copies one block between the bounce block and the caller's pieces. */
static void
split_copy(struct srpi_io *io, bool to_caller)
{
	struct split *split = io->split;
	struct split_cursor at = split_seek(split,
		(uint64_t)split->done_blocks * split->block_bytes);
	uint8_t *bounce = slots_bounce(&io->queue->slots, io);
	uint32_t left = split->block_bytes;
	struct iovec piece;

	while (left) {
		piece = split_take(&at, left);
		if (to_caller)
			memcpy(piece.iov_base, bounce, piece.iov_len);
		else
			memcpy(bounce, piece.iov_base, piece.iov_len);
		bounce += piece.iov_len;
		left -= (uint32_t)piece.iov_len;
	}
}

/* One block through the bounce block: more pieces than descriptors. */
static int
split_bounce(struct srpi_io *io, struct split_part *part)
{
	struct slots *slots = &io->queue->slots;
	struct split *split = io->split;

	if (split->block_bytes > slots->bounce_bytes)
		return -EMSGSIZE;
	split->is_bounced = true;
	part->nr = 1;
	part->bytes = split->block_bytes;
	part->descs[0] = (struct srp_iu_desc){
		(uintptr_t)slots_bounce(slots, io), slots->bounce_mr->rkey,
		part->bytes };
	if (io->dir == IO_WRITE)
		split_copy(io, false);
	return 0;
}

/* The data part of the IU, from the part's descriptors. */
static void
split_encode(struct srpi_io *io, const struct split_part *part)
{
	enum scsi_dir dir = io->dir == IO_WRITE ? SCSI_DIR_OUT : SCSI_DIR_IN;
	struct srp_direct_buf *table;
	uint32_t bytes;
	unsigned int i;

	if (part->nr == 1) {
		bytes = srp_iu_cmd_direct(io->iu, dir, part->descs[0].va,
			part->descs[0].rkey, part->descs[0].len);
	} else {
		table = srp_iu_cmd_table(io->iu);
		for (i = 0; i < part->nr; i++)
			srp_iu_desc_set(&table[i], part->descs[i].va,
				part->descs[i].rkey, part->descs[i].len);
		bytes = srp_iu_cmd_indirect(io->iu, dir, part->nr, part->bytes,
			(uintptr_t)io->iu, io->queue->slots.rkey);
	}
	io_set_length(io, bytes, io->queue->ch->max_inline);
}

static int
split_next(struct srpi_io *io)
{
	struct split *split = io->split;
	uint32_t most = lun_load(io->lun, max_transfer_blocks);
	uint32_t want = min(split->blocks - split->done_blocks, most);
	struct split_part part;
	int ret;

	want = min_t(uint32_t, want, INT32_MAX / split->block_bytes);
	split->is_bounced = false;
	ret = split_gather(io, &part, want * split->block_bytes);
	if (!ret && !part.bytes)
		ret = split_bounce(io, &part);
	if (ret)
		return ret;
	split->part_blocks = part.bytes / split->block_bytes;
	io->expect_bytes = part.bytes;
	scsi_cdb_rw(srp_iu_cmd_begin(io->iu, &io->lun->lun), io->dir == IO_WRITE,
		split->lba + split->done_blocks, split->part_blocks,
		split->flags);
	split_encode(io, &part);
	return 0;
}

/* All of it, now: a part that fails later has parts before it that moved. */
static bool
split_is_registered(struct srpi_io *io)
{
	const struct split *split = io->split;
	unsigned int i;

	for (i = 0; i < split->nr; i++)
		if (split->iov[i].iov_len &&
			!mrpool_lookup(io->queue->session->pool,
				split->iov[i].iov_base, split->iov[i].iov_len,
				NULL))
			return false;
	return true;
}

int
split_begin(struct srpi_io *io, uint64_t lba, uint32_t blocks,
	const struct iovec *iov, unsigned int nr)
{
	struct split *split = &io->queue->slots.splits[io->index];

	*split = (struct split){
		.iov = iov,
		.nr = nr,
		.lba = lba,
		.blocks = blocks,
		.block_bytes = io->expect_bytes / blocks,
	};
	if (nr == 1) {
		split->one = *iov;
		split->iov = &split->one;
	}
	io->split = split;
	return split_is_registered(io) ? split_next(io) : -EFAULT;
}

/* The result of the last part becomes that of the whole. */
static void
split_sum_up(struct srpi_io *io)
{
	struct split *split = io->split;
	uint32_t block_bytes = split->block_bytes;
	uint32_t before = split->done_blocks * block_bytes;

	io->expect_bytes = split->blocks * block_bytes;
	io->result.bytes = io->result.error == 0
		? io->expect_bytes : before + io->result.bytes;
	if (io->result.residual > 0)
		io->result.residual = (int32_t)min_t(uint32_t, INT32_MAX,
			io->expect_bytes - io->result.bytes);
}

bool
split_continue(struct channel *ch, struct srpi_io *io)
{
	struct split *split = io->split;

	if (!io->result.error && split->is_bounced && io->dir == IO_READ)
		split_copy(io, true);
	if (io->result.error ||
		split->done_blocks + split->part_blocks == split->blocks) {
		split_sum_up(io);
		return false;
	}
	split->done_blocks += split->part_blocks;
	if (split_next(io)) {
		/* memory was unregistered under the I/O */
		io->result.error = -EFAULT;
		io->result.bytes = 0;
		split_sum_up(io);
		return false;
	}
	io_next_life(io);
	srp_iu_cmd_set_tag(io->iu, io_tag(io));
	io_set_state(io, IO_READY);
	io_list_add(&ch->ready, io);
	return true;
}
