/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What LUNs leave behind when they are removed or get other memory: pages,
 * registrations and descriptors that work posted earlier may still name. They
 * are kept until every connection of that time is done with them.
 *
 *	target.graves -> grave 3 -> grave 4		number, from 1
 *	conn.grave_wanted = 4, conn.grave_sq = sq_posted of that moment
 *	conn.grave_clean  = 4 once that has completed: 3 and 4 are free
 *
 * Sends complete unsignalled, so an idle connection may take until its next
 * I/O to find out.
 */
#ifndef TARGET_TGT_GRAVE_H
#define TARGET_TGT_GRAVE_H

#include "target/tgt_conn.h"

struct tgt_grave {
	struct list node; /* target.graves, oldest first */
	uint32_t number;
	struct tgt_lun lun; /* closed at the end */
	struct ibv_mr *mrs[TGT_MAX_DEVS]; /* NULL: none */
};

/*
 * Loop thread, every connection held: the grave is filled, and is the
 * target's from here on. No command but those that were told to end may name
 * what is in it.
 */
void tgt_grave_close(struct target *target, struct tgt_grave *grave);
/* Runner: is the connection done with what it was waiting for? */
void tgt_grave_check(struct tgt_conn *conn);
/* Loop thread: frees what nobody needs. */
void tgt_grave_reap(struct target *target);
/* No connection is left. */
void tgt_grave_free_all(struct target *target);

#endif /* TARGET_TGT_GRAVE_H */
