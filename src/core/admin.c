/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>
#include <time.h>

#include "core/admin.h"
#include "core/lun.h"
#include "core/queue.h"
#include "util/clock.h"

#define ADMIN_UA_RETRIES 16
#define ADMIN_WAIT_NS (100 * CLOCK_NS_PER_MSEC)

int
admin_init(struct srpi_session *session, char *reason, size_t n)
{
	return srpi_buf_alloc(session, ADMIN_SCRATCH_BYTES, &session->scratch,
		reason, n);
}

int
admin_grow(struct srpi_session *session, size_t bytes, char *reason, size_t n)
{
	struct srpi_mem *bigger;
	int ret;

	if (bytes <= srpi_mem_bytes(session->scratch))
		return 0;
	ret = srpi_buf_alloc(session, bytes, &bigger, reason, n);
	if (ret)
		return ret;
	srpi_mem_free(session->scratch);
	session->scratch = bigger;
	return 0;
}

/* One try: what the target answered is in *result, sense copied. */
static int
admin_try(struct srpi_session *session, struct admin_cmd *cmd,
	struct srpi_result *result, char *reason, size_t n)
{
	struct srpi_lun lun = { .lun = cmd->lun };
	struct iovec iov = {
		.iov_base = srpi_mem_addr(session->scratch),
		.iov_len = cmd->alloc_bytes,
	};
	struct srpi_io *io = srpi_get(session->control);
	int ret;

	assert(io && cmd->alloc_bytes <= srpi_mem_bytes(session->scratch));
	ret = srpi_prep_cdb(io, &lun, cmd->cdb, cmd->cdb_bytes, 0, &iov,
		cmd->alloc_bytes ? 1 : 0);
	assert(!ret);
	srpi_queue_io(io);
	srpi_submit(session->control);
	srpi_wait(session->control, &io, 1, 1, -1);
	*result = *srpi_result(io);
	cmd->data = iov.iov_base;
	cmd->bytes = result->bytes;
	cmd->has_sense = !scsi_sense_decode(
		result->sense, result->sense_bytes, &cmd->sense);
	if (result->error)
		srpi_explain(io, reason, n);
	ret = result->error;
	srpi_put(io);
	return ret;
}

/* May the same command succeed a moment later? */
static bool
admin_is_passing(const struct admin_cmd *cmd, const struct srpi_result *result)
{
	if (result->status == SCSI_STATUS_BUSY ||
		result->status == SCSI_STATUS_TASK_SET_FULL)
		return true;
	return cmd->has_sense && cmd->sense.key == SCSI_KEY_NOT_READY &&
		scsi_sense_code(&cmd->sense) == 0x0401;
}

static bool
admin_is_attention(const struct admin_cmd *cmd)
{
	return cmd->has_sense && cmd->sense.key == SCSI_KEY_UNIT_ATTENTION;
}

int
admin_run(struct srpi_session *session, struct admin_cmd *cmd, char *reason,
	size_t n)
{
	static const struct timespec pause = { 0, ADMIN_WAIT_NS };
	uint64_t give_up = clock_ns() +
		session->attr.ready_timeout_ms * CLOCK_NS_PER_MSEC;
	struct srpi_result result;
	unsigned int attentions = 0;
	int ret;

	for (;;) {
		ret = admin_try(session, cmd, &result, reason, n);
		if (!ret)
			return 0;
		if (admin_is_attention(cmd) &&
			attentions++ < ADMIN_UA_RETRIES) {
			pthread_mutex_lock(&session->lock);
			session->gone.unit_attentions++;
			pthread_mutex_unlock(&session->lock);
			continue;
		}
		if (!admin_is_passing(cmd, &result))
			return ret;
		if (clock_ns() >= give_up)
			return -EAGAIN;
		nanosleep(&pause, NULL);
	}
}
