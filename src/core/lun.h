/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Logical units: the inventory, and what one is like. */
#ifndef CORE_LUN_H
#define CORE_LUN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "util/list.h"
#include "wire/scsi_lun.h"

#include <srpi/srpi.h>

struct srpi_lun {
	struct scsi_lun lun; /* constant */
	/*
	 * Per I/O, through lun_load(): a rescan may change each of them at
	 * any time. They need not fit together: the target has the last word.
	 */
	_Atomic uint32_t block_bytes;
	_Atomic uint32_t max_transfer_blocks; /* UINT32_MAX: none stated */
	_Atomic uint64_t blocks;
	_Atomic bool is_read_only;
	_Atomic uint32_t flags; /* SRPI_LUN_* */
	_Atomic uint32_t max_unmap_blocks, max_unmap_ranges;
	_Atomic uint64_t max_write_same_blocks;

	struct srpi_session *session;
	struct srpi_lun_info info; /* under session->lock */
	struct list node;	   /* there till the session ends */
};

#define lun_load(lun, field)                                                   \
	atomic_load_explicit(&(lun)->field, memory_order_relaxed)

/* Asks the target what there is; session->lock is not held. */
int lun_scan(struct srpi_session *session, char *reason, size_t n);
/* The URL's, else the lowest number reported; session->lock held. */
uint64_t lun_default(const struct srpi_session *session);
void lun_destroy(struct srpi_lun *lun);

/*
 * Asks what the LUN lun->lun is like (lun_probe.c). Fills @info alone;
 * session->admin_lock held.
 */
int lun_probe(struct srpi_session *session, const struct scsi_lun *lun,
	struct srpi_lun_info *info, char *reason, size_t n);

#endif /* CORE_LUN_H */
