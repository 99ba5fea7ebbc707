/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "core/prep.h"
#include "wire/scsi_cdb.h"
#include "wire/scsi_data.h"

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
	return prep_end(io, 0);
}

/*
 * UNMAP's parameter list lies behind the IU in the slot's own registered
 * memory, where the target fetches it as any data-out.
 */
int
srpi_prep_unmap(struct srpi_io *io, struct srpi_lun *lun,
	const struct srpi_range *ranges, unsigned int nr)
{
	size_t room = io->queue->slots.iu_bytes - SRP_MIN_IU_BYTES;
	uint8_t *list = (uint8_t *)io->iu + SRP_MIN_IU_BYTES;
	struct scsi_unmap_range copy[SRP_MAX_DESCS];
	uint64_t blocks = 0, capacity = lun_load(lun, blocks);
	unsigned int i;

	if (!nr)
		return -EINVAL;
	if (lun_load(lun, is_read_only))
		return -EROFS;
	if (!(lun_load(lun, flags) & SRPI_LUN_UNMAP))
		return -EOPNOTSUPP;
	if (nr > lun_load(lun, max_unmap_ranges) || nr > ARRAY_SIZE(copy) ||
		SCSI_UNMAP_LIST_BYTES(nr) > room)
		return -EMSGSIZE;
	for (i = 0; i < nr; i++) {
		if (ranges[i].lba >= capacity ||
			ranges[i].blocks > capacity - ranges[i].lba)
			return -ERANGE;
		blocks += ranges[i].blocks;
		copy[i].lba = ranges[i].lba;
		copy[i].nr_blocks = ranges[i].blocks;
	}
	if (blocks > lun_load(lun, max_unmap_blocks))
		return -EMSGSIZE;
	prep_begin(io, lun, IO_NO_DATA, (uint32_t)SCSI_UNMAP_LIST_BYTES(nr));
	scsi_data_unmap_encode(copy, nr, list, room);
	scsi_cdb_unmap(srp_iu_cmd_begin(io->iu, &lun->lun),
		(uint16_t)SCSI_UNMAP_LIST_BYTES(nr));
	prep_set_length(io,
		srp_iu_cmd_direct(io->iu, SCSI_DIR_OUT, (uintptr_t)list,
			io->queue->slots.rkey,
			(uint32_t)SCSI_UNMAP_LIST_BYTES(nr)));
	return prep_end(io, 0);
}

int
srpi_prep_write_same(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *block, uint32_t flags)
{
	uint64_t most = lun_load(lun, max_write_same_blocks);
	uint64_t capacity = lun_load(lun, blocks);
	uint32_t block_bytes = lun_load(lun, block_bytes);

	if (!blocks || block->iov_len != block_bytes ||
		flags & ~SRPI_UNMAP)
		return -EINVAL;
	if (lun_load(lun, is_read_only))
		return -EROFS;
	if (lba >= capacity || blocks > capacity - lba)
		return -ERANGE;
	if (most && blocks > most)
		return -EMSGSIZE;
	prep_begin(io, lun, IO_WRITE, block_bytes);
	scsi_cdb_write_same(srp_iu_cmd_begin(io->iu, &lun->lun), lba, blocks,
		flags & SRPI_UNMAP ? SCSI_CMD_UNMAP : 0);
	return prep_end(io, prep_data(io, SCSI_DIR_OUT, block, 1));
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
		return prep_end(io,
			prep_data(io, write ? SCSI_DIR_OUT : SCSI_DIR_IN, iov,
				nr));
	prep_no_data(io);
	return prep_end(io, 0);
}
