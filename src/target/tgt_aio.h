/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * READ, WRITE and flush on files and block devices, through libaio.
 *
 * A command's data passes in chunks, each in a buffer of the connection:
 *
 *	READ	libaio ------> buffer --RDMA WRITE--> initiator
 *	WRITE	RDMA READ ---> buffer --libaio------> file   (then fdatasync)
 *
 * Chunks of one command run side by side, as many as there are buffers; the
 * response goes out when none is left. A target with such a LUN has no
 * completion handlers, so everything here is the loop thread's.
 */
#ifndef TARGET_TGT_AIO_H
#define TARGET_TGT_AIO_H

#include "target/tgt_conn.h"

/* Sets target->aio. 0 or -errno and why. */
int tgt_aio_create(struct target *target, char *reason, size_t n);
void tgt_aio_destroy(struct target *target);

/* cmd->off, cmd->xfer.len and the cursor are set. */
void tgt_aio_start_rw(struct tgt_cmd *cmd, bool is_write);
void tgt_aio_start_flush(struct tgt_cmd *cmd);
/* TGT_WR_FILL: the buffer holds what is to be written. */
void tgt_aio_on_filled(struct tgt_conn *conn, struct tgt_buf *buf);
/* The send queue has room again for buffers that found none. */
void tgt_aio_resume(struct tgt_conn *conn);
/* Hands what has gathered to the kernel: one system call. */
void tgt_aio_submit(struct tgt_aio *aio);

#endif /* TARGET_TGT_AIO_H */
