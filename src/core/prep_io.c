/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Commands described: CDB and data descriptor are written into the slot's
 * IU. The queue's thread calls all of it.
 */
#include "core/lun.h"
#include "core/queue.h"
#include "core/session.h"
#include "fabric/mrpool.h"
#include "wire/scsi_cdb.h"
#include "wire/srp_iu.h"

static inline void
prep_set_length(struct srpi_io *io, uint32_t iu_bytes)
{
	io->sges[0].length = iu_bytes;
	io->wr.num_sge = 1;
	io->wr.send_flags =
		iu_bytes <= io->queue->ch->max_inline ? IBV_SEND_INLINE : 0;
	io->sends_data = false;
}

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
	unsigned int i;

	for (i = 0; i < nr; i++) {
		mr = prep_find_mr(io, &iov[i]);
		if (unlikely(!mr))
			return -EFAULT;
		io->sges[1 + i] = (struct ibv_sge){
			.addr = (uintptr_t)iov[i].iov_base,
			.length = (uint32_t)iov[i].iov_len,
			.lkey = mr->lkey,
		};
	}
	prep_set_length(io,
		srp_iu_cmd_imm(io->iu, SRP_IMM_OFFSET, io->expect_bytes));
	io->wr.num_sge = 1 + (int)nr;
	if (io->sges[0].length + io->expect_bytes >
		io->queue->ch->max_inline) {
		io->wr.send_flags = 0;
		io->sends_data = true;
	}
	return 0;
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

static inline int
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

static inline void
prep_begin(struct srpi_io *io, struct srpi_lun *lun, enum io_dir dir,
	uint32_t bytes)
{
	assert(io->state == IO_HELD);
	io->lun = lun;
	io->dir = (uint8_t)dir;
	io->expect_bytes = bytes;
	io->is_raw = false;
	srp_iu_cmd_set_tag(io->iu, io_tag(io));
}

static inline int
prep_rw(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr, bool write)
{
	uint64_t bytes = (uint64_t)blocks * lun->block_bytes;

	if (unlikely(!blocks || !nr || nr > SRP_MAX_DESCS ||
		    prep_sum(iov, nr) != bytes))
		return -EINVAL;
	if (unlikely(lba >= lun->blocks || blocks > lun->blocks - lba))
		return -ERANGE;
	if (unlikely(bytes > UINT32_MAX || blocks > lun->max_transfer_blocks))
		return -EMSGSIZE;
	prep_begin(io, lun, write ? IO_WRITE : IO_READ, (uint32_t)bytes);
	scsi_cdb_rw(srp_iu_cmd_begin(io->iu, &lun->lun), write, lba, blocks, 0);
	return prep_data(io, write ? SCSI_DIR_OUT : SCSI_DIR_IN, iov, nr);
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
	if (unlikely(lun->is_read_only))
		return -EROFS;
	return prep_rw(io, lun, lba, blocks, iov, nr, true);
}

int
srpi_prep_flags(struct srpi_io *io, uint32_t flags)
{
	if (io->state != IO_HELD || io->is_raw || io->dir == IO_NO_DATA ||
		flags & ~(SRPI_FUA | SRPI_DPO))
		return -EINVAL;
	/* byte 1 of READ and WRITE (10) and (16) alike: SBC-4 5.10 */
	io->iu->cdb[1] = (uint8_t)((flags & SRPI_DPO ? 0x10 : 0) |
		(flags & SRPI_FUA ? 0x08 : 0));
	return 0;
}

static void
prep_no_data(struct srpi_io *io)
{
	prep_set_length(io, srp_iu_cmd_no_data(io->iu));
}

int
srpi_prep_flush(struct srpi_io *io, struct srpi_lun *lun)
{
	prep_begin(io, lun, IO_NO_DATA, 0);
	scsi_cdb_sync_cache(srp_iu_cmd_begin(io->iu, &lun->lun), 0, 0, false);
	prep_no_data(io);
	return 0;
}

int
srpi_prep_cdb(struct srpi_io *io, struct srpi_lun *lun, const uint8_t *cdb,
	unsigned int cdb_bytes, int write, const struct iovec *iov,
	unsigned int nr)
{
	uint64_t bytes = prep_sum(iov, nr);
	uint8_t *to;

	if (cdb_bytes < 6 || cdb_bytes > SCSI_CDB_BYTES || nr > SRP_MAX_DESCS)
		return -EINVAL;
	if (bytes > UINT32_MAX)
		return -EMSGSIZE;
	prep_begin(io, lun,
		!nr ? IO_NO_DATA : write ? IO_WRITE : IO_READ, (uint32_t)bytes);
	io->is_raw = true;
	to = srp_iu_cmd_begin(io->iu, &lun->lun);
	memset(to, 0, SCSI_CDB_BYTES);
	memcpy(to, cdb, cdb_bytes);
	if (nr)
		return prep_data(
			io, write ? SCSI_DIR_OUT : SCSI_DIR_IN, iov, nr);
	prep_no_data(io);
	return 0;
}
