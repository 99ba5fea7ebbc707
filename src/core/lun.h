/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Logical units: the inventory, and what one is like. */
#ifndef CORE_LUN_H
#define CORE_LUN_H

#include "util/list.h"
#include "wire/scsi_lun.h"

#include <srpi/srpi.h>

struct srpi_lun {
	/* per I/O; constant once open */
	struct scsi_lun lun;
	uint32_t block_bytes;
	uint32_t max_transfer_blocks; /* UINT32_MAX: no limit stated */
	uint64_t blocks;
	bool is_read_only;

	struct srpi_session *session;
	struct srpi_lun_info info;
	struct list node;
};

/* Asks the target what there is; session->lock is not held. */
int lun_scan(struct srpi_session *session, char *reason, size_t n);
/* The URL's, else the lowest number reported; session->lock held. */
uint64_t lun_default(const struct srpi_session *session);
void lun_destroy(struct srpi_lun *lun);

/* What one LUN is like (lun_probe.c); fills everything but the list node. */
int lun_probe(struct srpi_session *session, struct srpi_lun *lun,
	char *reason, size_t n);

#endif /* CORE_LUN_H */
