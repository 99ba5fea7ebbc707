/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Connection manager events: who wants in, who is there, who has gone. Loop
 * thread only.
 */
#ifndef TARGET_TGT_CM_H
#define TARGET_TGT_CM_H

#include "target/tgt.h"

/* Creates the channel and listens. 0 or -errno and why. */
int tgt_cm_listen(struct target *target, const struct sockaddr *addr,
	char *reason, size_t n);
void tgt_cm_close(struct target *target);

#endif /* TARGET_TGT_CM_H */
