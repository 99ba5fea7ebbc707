/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the target holds on one RDMA device: the protection domain, the
 * completion channel of all its connections, and the memory of the LUNs,
 * registered once. Loop thread only, except where said; keys change with their
 * LUN (tgt_change.h).
 */
#ifndef TARGET_TGT_DEV_H
#define TARGET_TGT_DEV_H

#include "target/tgt.h"

#define TGT_MAX_DEVS 64

struct tgt_dev {
	struct list node; /* target.devs */
	struct target *target;
	struct ibv_context *context;
	struct ibv_device_attr attr;
	bool is_iwarp; /* what an RDMA READ fills needs REMOTE_WRITE too */
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct loop_fd channel_fd;
	/* of a LUN that is being made, or gets other memory */
	struct ibv_mr *next_mr;
	/* by lun.index; NULL where there is no mem */
	struct ibv_mr *lun_mr[TARGET_MAX_LUNS];
};

/* The record for @context, made when there is none. 0 or -errno and why. */
int tgt_dev_get(struct target *target, struct ibv_context *context,
	struct tgt_dev **dev, char *reason, size_t n);
/* Loop thread, or the caller of a change: sets next_mr, if need be. */
int tgt_dev_register_next(struct tgt_dev *dev, const struct tgt_lun *lun);
/* The caller of a change: with all devices there are; and back. */
int tgt_dev_register_all(struct target *target, const struct tgt_lun *lun,
	char *reason, size_t n);
void tgt_dev_drop_next(struct target *target);
/* All of them; no connection is left. */
void tgt_dev_destroy_all(struct target *target);
/* Does this device call completion handlers? */
int tgt_dev_probe_handlers(struct tgt_dev *dev, bool *has_handlers);

static inline int
tgt_dev_access(const struct tgt_dev *dev)
{
	return IBV_ACCESS_LOCAL_WRITE |
		(dev->is_iwarp ? IBV_ACCESS_REMOTE_WRITE : 0);
}

#endif /* TARGET_TGT_DEV_H */
