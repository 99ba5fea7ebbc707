/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_aio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"

#define AIO_BATCH 64
#define AIO_DEPTH 4096

struct tgt_aio {
	io_context_t ctx;
	int event_fd;
	struct loop_fd fd;
	struct list queued; /* tgt_buf.node */
};

static void aio_issue(struct tgt_cmd *cmd);

static bool
aio_is_over(const struct tgt_cmd *cmd)
{
	return cmd->is_aborted || cmd->status ||
		cmd->media_issued == cmd->xfer.len;
}

/* Ends the command when no chunk is left. */
static void
aio_check_end(struct tgt_cmd *cmd)
{
	if (cmd->nr_media || cmd->state == TGT_CMD_WAITING || !aio_is_over(cmd))
		return;
	if (cmd->needs_flush && !cmd->is_aborted && !cmd->status) {
		cmd->needs_flush = false;
		tgt_aio_start_flush(cmd);
		return;
	}
	cmd->state = TGT_CMD_RUNNING;
	/* without a LUN: removed, and the outcome is set */
	if (cmd->status && !cmd->is_aborted && cmd->lun)
		tgt_cmd_check(cmd, cmd->key, cmd->asc);
	else
		tgt_cmd_respond(cmd);
}

static void
aio_end_chunk(struct tgt_cmd *cmd)
{
	cmd->nr_media--;
	aio_check_end(cmd);
}

static void
aio_queue(struct tgt_conn *conn, struct tgt_buf *buf)
{
	conn->nr_media++;
	io_set_eventfd(&buf->iocb, conn->target->aio->event_fd);
	buf->iocb.data = buf;
	list_add_tail(&conn->target->aio->queued, &buf->node);
}

/* RDMA between the buffer and the initiator; waits for room if need be. */
static void
aio_move(struct tgt_conn *conn, struct tgt_buf *buf)
{
	struct tgt_cmd *cmd = buf->cmd;

	if (!tgt_chan_xfer(conn, &cmd->iu, &buf->xfer))
		list_add_tail(&conn->waiting_bufs, &buf->node);
	else if (buf->xfer.opcode == IBV_WR_RDMA_WRITE)
		aio_end_chunk(cmd);
}

void
tgt_aio_resume(struct tgt_conn *conn)
{
	struct list ready;
	struct list *node;

	list_init(&ready);
	list_splice_tail(&ready, &conn->waiting_bufs);
	while ((node = list_pop_head(&ready)) != NULL)
		aio_move(conn, list_entry(node, struct tgt_buf, node));
}

static void
aio_queue_write(struct tgt_conn *conn, struct tgt_buf *buf)
{
	const struct tgt_cmd *cmd = buf->cmd;

	io_prep_pwrite(&buf->iocb, cmd->lun->fd, buf->addr, buf->len,
		(long long)(cmd->off + buf->pos));
	aio_queue(conn, buf);
}

void
tgt_aio_on_filled(struct tgt_conn *conn, struct tgt_buf *buf)
{
	struct tgt_cmd *cmd = buf->cmd;

	if (conn->is_stopped || cmd->is_aborted || !cmd->lun) {
		tgt_chan_put_buf(conn, buf);
		aio_end_chunk(cmd);
		return;
	}
	aio_queue_write(conn, buf);
}

/* Moves the command's cursor over @len bytes that the buffer now stands for. */
static void
aio_advance(struct tgt_cmd *cmd, uint32_t len)
{
	struct tgt_cursor *at = &cmd->xfer.at;
	uint32_t n;

	while (len) {
		n = min(len,
			srp_iu_cmd_get_desc(&cmd->iu, at->desc).len - at->done);
		if (!n) {
			at->desc++;
			at->done = 0;
			continue;
		}
		at->done += n;
		len -= n;
	}
}

static void
aio_start_chunk(struct tgt_cmd *cmd, struct tgt_buf *buf)
{
	struct tgt_conn *conn = cmd->conn;

	buf->cmd = cmd;
	buf->pos = cmd->media_issued;
	buf->len = min(conn->buf_bytes, cmd->xfer.len - cmd->media_issued);
	cmd->media_issued += buf->len;
	cmd->nr_media++;
	if (cmd->iu.fmt == SRP_DESC_IMM) {
		memcpy(buf->addr, cmd->iu.imm + buf->pos, buf->len);
		aio_queue_write(conn, buf);
		return;
	}
	buf->xfer = (struct tgt_xfer){
		.local = buf->addr,
		.mask = UINT64_MAX,
		.lkey = conn->lkey,
		.window = conn->buf_bytes,
		.len = buf->len,
		.at = cmd->xfer.at,
		.opcode = cmd->xfer.opcode,
		.last_kind = cmd->xfer.opcode == IBV_WR_RDMA_READ ?
			TGT_WR_FILL :
			TGT_WR_BUF,
		.last_index = (uint16_t)(buf - conn->bufs),
	};
	aio_advance(cmd, buf->len);
	if (cmd->xfer.opcode == IBV_WR_RDMA_READ) {
		aio_move(conn, buf);
		return;
	}
	io_prep_pread(&buf->iocb, cmd->lun->fd, buf->addr, buf->len,
		(long long)(cmd->off + buf->pos));
	aio_queue(conn, buf);
}

static void
aio_issue(struct tgt_cmd *cmd)
{
	struct tgt_buf *buf;

	cmd->state = TGT_CMD_MEDIA;
	while (!aio_is_over(cmd)) {
		buf = tgt_chan_get_buf(cmd->conn);
		if (!buf) {
			tgt_chan_wait(cmd, aio_issue);
			return;
		}
		aio_start_chunk(cmd, buf);
	}
	aio_check_end(cmd);
}

void
tgt_aio_start_rw(struct tgt_cmd *cmd, bool is_write)
{
	cmd->media_issued = 0;
	cmd->nr_media = 0;
	cmd->needs_flush =
		is_write && cmd->scsi.flags & SCSI_CMD_FUA && cmd->xfer.len;
	cmd->xfer.opcode = is_write ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
	aio_issue(cmd);
}

void
tgt_aio_start_flush(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct tgt_buf *buf;

	if (cmd->status) {
		tgt_cmd_respond(cmd);
		return;
	}
	buf = tgt_chan_get_buf(conn);
	if (!buf) {
		tgt_chan_wait(cmd, tgt_aio_start_flush);
		return;
	}
	cmd->state = TGT_CMD_MEDIA;
	cmd->needs_flush = false;
	cmd->media_issued = cmd->xfer.len;
	cmd->nr_media = 1;
	buf->cmd = cmd;
	buf->len = 0;
	io_prep_fdsync(&buf->iocb, cmd->lun->fd);
	aio_queue(conn, buf);
}

static void
aio_fail_cmd(struct tgt_cmd *cmd, bool is_read)
{
	cmd->status = SCSI_STATUS_CHECK_CONDITION;
	cmd->key = SCSI_KEY_MEDIUM_ERROR;
	cmd->asc = is_read ? SCSI_ASC_UNRECOVERED_READ_ERROR :
			     SCSI_ASC_WRITE_ERROR;
}

/* @res: bytes, or -errno. A short transfer is an error: the range was checked
 * against the size that the file had. */
static void
aio_on_done(struct tgt_buf *buf, long res)
{
	struct tgt_cmd *cmd = buf->cmd;
	struct tgt_conn *conn = cmd->conn;
	bool is_read = buf->iocb.aio_lio_opcode == IO_CMD_PREAD;

	conn->nr_media--;
	if (res != (long)buf->len && !cmd->status)
		aio_fail_cmd(cmd, is_read);
	if (is_read && !cmd->status && !cmd->is_aborted && !conn->is_stopped) {
		aio_move(conn, buf);
		return;
	}
	tgt_chan_put_buf(conn, buf);
	if (!conn->is_stopped)
		aio_end_chunk(cmd);
}

void
tgt_aio_submit(struct tgt_aio *aio)
{
	struct iocb *iocbs[AIO_BATCH];
	struct tgt_buf *buf;
	struct list *node;
	int n, done;

	while (!list_is_empty(&aio->queued)) {
		n = 0;
		list_for_each(node, &aio->queued) {
			buf = list_entry(node, struct tgt_buf, node);
			iocbs[n++] = &buf->iocb;
			if (n == AIO_BATCH)
				break;
		}
		done = io_submit(aio->ctx, n, iocbs);
		if (done == -EAGAIN || done == -EINTR)
			return; /* the next completion comes here again */
		for (n = 0; n < done; n++)
			list_pop_head(&aio->queued);
		if (done > 0)
			continue;
		buf = list_entry(list_pop_head(&aio->queued), struct tgt_buf,
			node);
		aio_on_done(buf, done ? done : -EIO);
	}
}

static void
aio_on_ready(struct loop_fd *node, uint32_t events)
{
	struct target *target = node->arg;
	struct io_event done[AIO_BATCH];
	struct tgt_conn *conn = NULL, *last = NULL;
	struct timespec now = { 0 };
	struct tgt_buf *buf;
	uint64_t nr;
	int i, n;

	(void)events;
	if (read(target->aio->event_fd, &nr, sizeof(nr)) < 0)
		return;
	do {
		n = io_getevents(target->aio->ctx, 0, AIO_BATCH, done, &now);
		for (i = 0; i < n; i++, last = conn) {
			buf = done[i].data;
			conn = buf->cmd->conn;
			if (last && last != conn)
				tgt_chan_run(last);
			aio_on_done(buf, (long)done[i].res);
		}
	} while (n == AIO_BATCH);
	if (last)
		tgt_chan_run(last);
	tgt_aio_submit(target->aio);
}

int
tgt_aio_create(struct target *target, char *reason, size_t n)
{
	struct tgt_aio *aio = calloc(1, sizeof(*aio));
	int rc = aio ? 0 : -ENOMEM;

	if (!rc) {
		target->aio = aio;
		list_init(&aio->queued);
		aio->fd.fd = -1;
		aio->fd.on_ready = aio_on_ready;
		aio->fd.arg = target;
		aio->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		rc = aio->event_fd < 0 ? -errno : io_setup(AIO_DEPTH, &aio->ctx);
	}
	if (!rc)
		rc = loop_fd_add(
			&target->loop, &aio->fd, aio->event_fd, EPOLLIN);
	if (rc)
		snprintf(reason, n,
			"no context for %u asynchronous I/Os: %s; see "
			"/proc/sys/fs/aio-max-nr",
			AIO_DEPTH, strerror(-rc));
	return rc;
}

void
tgt_aio_destroy(struct target *target)
{
	struct tgt_aio *aio = target->aio;

	loop_fd_remove(&target->loop, &aio->fd);
	if (aio->ctx)
		io_destroy(aio->ctx);
	if (aio->event_fd >= 0)
		close(aio->event_fd);
	free(aio);
	target->aio = NULL;
}
