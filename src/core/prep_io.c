/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Commands described: CDB and data descriptor are written into the slot's
 * IU. The queue's thread calls all of it.
 */
#include "core/lun.h"
#include "core/prep.h"
#include "core/queue.h"
#include "core/session.h"
#include "core/split.h"
#include "fabric/mrpool.h"
#include "wire/scsi_cdb.h"
#include "wire/srp_iu.h"

static inline const struct ibv_mr *
prep_find_mr(struct srpi_io *io, const struct iovec *iov)
{
	return mrpool_lookup(io->queue->session->pool, iov->iov_base,
		iov->iov_len, &io->queue->mr_hint);
}

static int
prep_direct(struct srpi_io *io, enum scsi_dir dir, const struct iovec *iov)
{
	const struct ibv_mr *mr = prep_find_mr(io, iov);

	if (unlikely(!mr))
		return -EFAULT;
	prep_set_length(io,
		srp_iu_cmd_direct(io->iu, dir, (uintptr_t)iov->iov_base,
			mr->rkey, (uint32_t)iov->iov_len));
	return 0;
}

/*
 * Fills the descriptor table; neighbours of one registration become one
 * descriptor. Returns the number of descriptors or -errno.
 */
static int
prep_table(struct srpi_io *io, const struct iovec *iov, unsigned int nr,
	struct srp_direct_buf *table)
{
	unsigned int max_descs = io->queue->slots.max_descs;
	struct srp_iu_desc last = { 0 };
	const struct ibv_mr *mr;
	unsigned int i, nr_descs = 0;
	uint64_t va;

	for (i = 0; i < nr; i++) {
		if (!iov[i].iov_len)
			continue;
		mr = prep_find_mr(io, &iov[i]);
		if (!mr)
			return -EFAULT;
		va = (uintptr_t)iov[i].iov_base;
		if (nr_descs && va == last.va + last.len &&
			mr->rkey == last.rkey) {
			last.len += (uint32_t)iov[i].iov_len;
		} else {
			if (nr_descs++ == max_descs)
				return -EMSGSIZE;
			last = (struct srp_iu_desc){
				va, mr->rkey, (uint32_t)iov[i].iov_len };
		}
		srp_iu_desc_set(
			&table[nr_descs - 1], last.va, last.rkey, last.len);
	}
	return (int)nr_descs;
}

static int
prep_gather(struct srpi_io *io, enum scsi_dir dir, const struct iovec *iov,
	unsigned int nr)
{
	/* with room for one descriptor the table would not fit the IU */
	bool has_room = io->queue->slots.max_descs > 1;
	struct srp_direct_buf one, *table =
		has_room ? srp_iu_cmd_table(io->iu) : &one;
	int nr_descs = prep_table(io, iov, nr, table);

	if (nr_descs <= 0)
		return nr_descs ? nr_descs : -EINVAL;
	if (nr_descs == 1)
		prep_set_length(io,
			srp_iu_cmd_direct(io->iu, dir, be64_get(&table->va),
				be32_get(&table->rkey), be32_get(&table->len)));
	else
		prep_set_length(io,
			srp_iu_cmd_indirect(io->iu, dir, (unsigned int)nr_descs,
				io->expect_bytes, (uintptr_t)io->iu,
				io->queue->slots.rkey));
	return 0;
}

/*
 * The data goes with the command, from the caller's memory. Only a SEND that
 * the device copies at once leaves that memory alone when it is posted.
 */
static int
prep_imm(struct srpi_io *io, const struct iovec *iov, unsigned int nr)
{
	const struct ibv_mr *mr;
	unsigned int i, nr_sges = 1;

	for (i = 0; i < nr; i++) {
		/* to a device, length 0 can mean 2^31 */
		if (unlikely(!iov[i].iov_len))
			continue;
		mr = prep_find_mr(io, &iov[i]);
		if (unlikely(!mr))
			return -EFAULT;
		io->sges[nr_sges++] = (struct ibv_sge){
			.addr = (uintptr_t)iov[i].iov_base,
			.length = (uint32_t)iov[i].iov_len,
			.lkey = mr->lkey,
		};
	}
	prep_set_length(io,
		srp_iu_cmd_imm(io->iu, SRP_IMM_OFFSET, io->expect_bytes));
	io->wr.num_sge = (int)nr_sges;
	if (io->sges[0].length + io->expect_bytes >
		io->queue->ch->max_inline) {
		io->wr.send_flags = 0;
		io->sends_data = true;
	}
	return 0;
}

int
prep_data(struct srpi_io *io, enum scsi_dir dir, const struct iovec *iov,
	unsigned int nr)
{
	if (dir == SCSI_DIR_OUT &&
		io->expect_bytes <= io->queue->ch->imm_bytes &&
		nr < IO_MAX_SGES)
		return prep_imm(io, iov, nr);
	if (likely(nr == 1))
		return prep_direct(io, dir, iov);
	return prep_gather(io, dir, iov, nr);
}

static inline int
prep_rw(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr, bool write)
{
	uint32_t block_bytes = lun_load(lun, block_bytes);
	uint64_t bytes = (uint64_t)blocks * block_bytes;
	uint64_t capacity = lun_load(lun, blocks);
	int ret;

	if (unlikely(!blocks || !nr || nr > SRP_MAX_DESCS ||
		    prep_sum(iov, nr) != bytes))
		return bytes > UINT32_MAX ? -EMSGSIZE : -EINVAL;
	if (unlikely(lba >= capacity || blocks > capacity - lba))
		return -ERANGE;
	if (unlikely(bytes > UINT32_MAX))
		return -EMSGSIZE;
	prep_begin(io, lun, write ? IO_WRITE : IO_READ, (uint32_t)bytes);
	if (unlikely(blocks > lun_load(lun, max_transfer_blocks)))
		return prep_end(io, split_begin(io, lba, blocks, iov, nr));
	scsi_cdb_rw(srp_iu_cmd_begin(io->iu, &lun->lun), write, lba, blocks, 0);
	ret = prep_data(io, write ? SCSI_DIR_OUT : SCSI_DIR_IN, iov, nr);
	if (unlikely(ret == -EMSGSIZE))
		ret = split_begin(io, lba, blocks, iov, nr);
	return prep_end(io, ret);
}

int
srpi_prep_read(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr)
{
	return prep_rw(io, lun, lba, blocks, iov, nr, false);
}

int
srpi_prep_write(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr)
{
	if (unlikely(lun_load(lun, is_read_only)))
		return -EROFS;
	return prep_rw(io, lun, lba, blocks, iov, nr, true);
}

/* Elsewhere the same bits mean something else: UNMAP in WRITE SAME. */
static bool
prep_has_flags(const struct srpi_io *io)
{
	switch (io->iu->cdb[0]) {
	case SCSI_OP_READ_10:
	case SCSI_OP_WRITE_10:
	case SCSI_OP_READ_16:
	case SCSI_OP_WRITE_16:
		return !io->is_raw;
	default:
		return false;
	}
}

int
srpi_prep_flags(struct srpi_io *io, uint32_t flags)
{
	if (io_state(io) != IO_PREPARED || !prep_has_flags(io) ||
		flags & ~(SRPI_FUA | SRPI_DPO))
		return -EINVAL;
	if (io->split)
		io->split->flags |= (flags & SRPI_DPO ? SCSI_CMD_DPO : 0) |
			(flags & SRPI_FUA ? SCSI_CMD_FUA : 0);
	/* byte 1 of READ and WRITE (10) and (16) alike: SBC-4 5.10 */
	io->iu->cdb[1] |= (uint8_t)((flags & SRPI_DPO ? 0x10 : 0) |
		(flags & SRPI_FUA ? 0x08 : 0));
	return 0;
}
