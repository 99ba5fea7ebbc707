/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * LUNs that come, go and change while initiators are logged in.
 *
 *	caller (target_lun.c)		loop thread (tgt_change_serve())
 *	opens, allocates, registers
 *	TGT_CHANGE_PAUSE	------> new commands of the LUN wait, those
 *	copies the blocks	<------ under way end
 *	ADD, REMOVE, SWAP	------> all connections are held: nobody runs a
 *				<------ command while the change is made
 *
 * What the LUN had before goes into a grave (tgt_grave.h).
 */
#ifndef TARGET_TGT_CHANGE_H
#define TARGET_TGT_CHANGE_H

#include "target/tgt_grave.h"

enum tgt_change_kind {
	TGT_CHANGE_ADD,	   /* lun becomes next */
	TGT_CHANGE_REMOVE, /* its commands end with 05/25/00 */
	TGT_CHANGE_PAUSE,  /* done when no command of it is under way */
	TGT_CHANGE_SWAP,   /* after PAUSE: lun becomes next, and goes on */
};

struct tgt_change {
	enum tgt_change_kind kind;
	struct tgt_lun *lun;	   /* in target.luns */
	const struct tgt_lun *next;
	struct tgt_grave *grave;   /* REMOVE, SWAP */
	bool is_moved;		   /* the LUN gets or loses memory */
	uint16_t ua;		   /* SWAP: asc << 8 | ascq, 0 = none */
	int rc;			   /* the outcome: 0 or -errno */
	bool is_done;		   /* under target.lock */
};

/* Caller, one at a time: waits for the loop thread. Returns change->rc. */
int tgt_change_do(struct target *target, struct tgt_change *change);
/* Loop thread. True: one is waiting, come again soon. */
bool tgt_change_serve(struct target *target);
/* A command that found its LUN paused (tgt_check.c) waits with this. */
void tgt_change_resume(struct tgt_cmd *cmd);

#endif /* TARGET_TGT_CHANGE_H */
