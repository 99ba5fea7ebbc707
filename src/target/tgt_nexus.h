/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An I_T nexus: all channels of one initiator port id, and the unit attentions
 * it has not been told yet. Everything under target.lock, except nr_ua, which
 * the I/O path reads to learn that there is nothing to tell.
 */
#ifndef TARGET_TGT_NEXUS_H
#define TARGET_TGT_NEXUS_H

#include "target/tgt.h"

struct tgt_nexus_lun {
	uint8_t nr_ua;
	uint16_t ua[TGT_MAX_UA]; /* asc << 8 | ascq, oldest first */
};

struct tgt_nexus {
	struct list node; /* target.nexuses */
	uint8_t initiator_port_id[SRP_PORT_ID_BYTES];
	unsigned int nr_conns;
	_Atomic uint32_t nr_ua; /* of all LUNs */
	struct tgt_nexus_lun luns[TARGET_MAX_LUNS]; /* by lun.index */
};

/* Finds or makes; counts one more connection. NULL: no memory. */
struct tgt_nexus *tgt_nexus_get(struct target *target,
	const uint8_t initiator_port_id[SRP_PORT_ID_BYTES]);
void tgt_nexus_put(struct target *target, struct tgt_nexus *nexus);

/* For one nexus. The oldest is lost when full; the same one is not queued
 * twice. */
void tgt_nexus_add_ua(struct target *target, struct tgt_nexus *nexus,
	const struct tgt_lun *lun, uint16_t code);
/* For every nexus but @except (may be NULL). */
void tgt_nexus_queue_ua(struct target *target, const struct tgt_lun *lun,
	uint16_t code, const struct tgt_nexus *except);
/* What @lun's number will stand for next has none of its attentions. */
void tgt_nexus_forget_lun(struct target *target, const struct tgt_lun *lun);
/* Takes the oldest one of @lun; 0 = none. */
uint16_t tgt_nexus_take_ua(struct target *target, struct tgt_nexus *nexus,
	const struct tgt_lun *lun);

#endif /* TARGET_TGT_NEXUS_H */
