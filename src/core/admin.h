/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The session's own commands, one at a time on its control queue: inventory
 * and geometry. Any thread, with session->admin_lock held.
 */
#ifndef CORE_ADMIN_H
#define CORE_ADMIN_H

#include "core/session.h"
#include "wire/scsi_cdb.h"
#include "wire/scsi_sense.h"

/* Fits 4094 LUNs, and every page we ask for. */
#define ADMIN_SCRATCH_BYTES 32768u

struct admin_cmd {
	struct scsi_lun lun;
	uint8_t cdb[SCSI_CDB_BYTES];
	unsigned int cdb_bytes;
	uint32_t alloc_bytes; /* data-in wanted, up to the scratch buffer */
	/*
	 * The answer: data points into the session's scratch buffer and is
	 * valid until the next command.
	 */
	const uint8_t *data;
	uint32_t bytes;
	bool has_sense;
	struct scsi_sense sense;
};

int admin_init(struct srpi_session *session, char *reason, size_t n);
/* Makes the scratch buffer at least @bytes long. */
int admin_grow(struct srpi_session *session, size_t bytes, char *reason,
	size_t n);

/*
 * Unit attentions are consumed; BUSY and NOT READY 04/01 are tried again
 * until ready_timeout. 0; -EIO with the sense when the target says no;
 * -EAGAIN: it is still not ready; -errno of the connection. With a sentence.
 */
int admin_run(struct srpi_session *session, struct admin_cmd *cmd,
	char *reason, size_t n);

#endif /* CORE_ADMIN_H */
