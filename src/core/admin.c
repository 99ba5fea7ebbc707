/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>
#include <time.h>

#include "core/admin.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core/response.h"
#include "util/clock.h"

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

/* One try: what the target answered is in *cmd, and what to do about it. */
static int
admin_try(struct srpi_session *session, struct admin_cmd *cmd,
	unsigned int nr_attentions, enum response_verdict *verdict,
	char *reason, size_t n)
{
	struct srpi_lun lun = { .lun = cmd->lun };
	struct iovec iov = {
		.iov_base = srpi_mem_addr(session->scratch),
		.iov_len = cmd->alloc_bytes,
	};
	struct srpi_io *io = srpi_get(session->control);
	const struct srpi_result *result;
	int ret;

	assert(io && cmd->alloc_bytes <= srpi_mem_bytes(session->scratch));
	ret = srpi_prep_cdb(io, &lun, cmd->cdb, cmd->cdb_bytes, 0, &iov,
		cmd->alloc_bytes ? 1 : 0);
	assert(!ret);
	srpi_queue_io(io);
	srpi_submit(session->control);
	srpi_wait(session->control, &io, 1, 1, -1);
	result = srpi_result(io);
	cmd->data = iov.iov_base;
	cmd->bytes = result->bytes;
	cmd->has_sense = !scsi_sense_decode(
		result->sense, result->sense_bytes, &cmd->sense);
	*verdict = response_policy(result, nr_attentions);
	if (result->error)
		srpi_explain(io, reason, n);
	ret = result->error;
	srpi_put(io);
	return ret;
}

int
admin_run(struct srpi_session *session, struct admin_cmd *cmd, char *reason,
	size_t n)
{
	static const struct timespec pause = { 0, ADMIN_WAIT_NS };
	uint64_t give_up = clock_ns() +
		session->attr.ready_timeout_ms * CLOCK_NS_PER_MSEC;
	enum response_verdict verdict;
	unsigned int attentions = 0;
	int ret;

	for (;;) {
		ret = admin_try(session, cmd, attentions, &verdict, reason, n);
		if (!ret || verdict == RESPONSE_FINAL)
			return ret;
		if (verdict == RESPONSE_RETRY_NOW) {
			attentions++;
			pthread_mutex_lock(&session->lock);
			session->gone.unit_attentions++;
			pthread_mutex_unlock(&session->lock);
			continue;
		}
		if (clock_ns() >= give_up)
			return -EAGAIN;
		nanosleep(&pause, NULL);
	}
}
