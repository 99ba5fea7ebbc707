/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Static probes (USDT) at the stages of a command, for perf, bpftrace or
 * systemtap; doc/probes.md. Without <sys/sdt.h> they are nothing.
 *
 *	submitted posted seen delivered (queue, tag, opcode, lba, bytes)
 *	woken                           (queue, I/Os that are done)
 *
 * Each has a semaphore, which a tracer raises: until then a probe costs one
 * comparison, and its arguments are not computed.
 */
#ifndef CORE_PROBES_H
#define CORE_PROBES_H

#include "config.h"

#include "util/compiler.h"

#ifdef HAVE_SYS_SDT_H

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#include "core/io.h"
#include "util/bytes.h"
#include "wire/scsi.h"

/* Written by the kernel alone; names as sys/sdt.h makes them. */
extern volatile unsigned short srpi_submitted_semaphore;
extern volatile unsigned short srpi_posted_semaphore;
extern volatile unsigned short srpi_seen_semaphore;
extern volatile unsigned short srpi_woken_semaphore;
extern volatile unsigned short srpi_delivered_semaphore;

/* 0 for what is no READ or WRITE. */
static inline uint64_t
probes_lba(const uint8_t *cdb)
{
	switch (cdb[0]) {
	case SCSI_OP_READ_10:
	case SCSI_OP_WRITE_10:
		return (uint64_t)cdb[2] << 24 | (uint64_t)cdb[3] << 16 |
			(uint64_t)cdb[4] << 8 | cdb[5];
	case SCSI_OP_READ_16:
	case SCSI_OP_WRITE_16:
		return be64_get((const struct be64 *)(const void *)&cdb[2]);
	default:
		return 0;
	}
}

#define PROBE_IO(stage, queue_id, io)                                          \
	do {                                                                   \
		if (unlikely(srpi_##stage##_semaphore))                        \
			DTRACE_PROBE5(srpi, stage, queue_id, io_tag(io),       \
				(io)->iu->cdb[0], probes_lba((io)->iu->cdb),   \
				(io)->expect_bytes);                           \
	} while (0)

#define PROBE_WOKEN(queue_id, nr_done)                                         \
	do {                                                                   \
		if (unlikely(srpi_woken_semaphore))                            \
			DTRACE_PROBE2(srpi, woken, queue_id, nr_done);         \
	} while (0)

#else /* HAVE_SYS_SDT_H */

/* Used, and not evaluated. */
#define PROBE_IO(stage, queue_id, io) ((void)sizeof(queue_id), (void)sizeof(io))
#define PROBE_WOKEN(queue_id, nr_done)                                         \
	((void)sizeof(queue_id), (void)sizeof(nr_done))

#endif

#endif /* CORE_PROBES_H */
