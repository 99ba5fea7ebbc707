/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "core/probes.h"
#include "core/queue.h"
#include "core/response.h"
#include "core/session.h"
#include "util/clock.h"
#include "wire/scsi_sense.h"

/* Unit attentions stack a few deep; a storm must still end. */
#define RESPONSE_UA_RETRIES 16

/* The first back-off; each further one is twice as long, up to 2^5. */
#define RESPONSE_BACKOFF_NS (4 * CLOCK_NS_PER_MSEC)
#define RESPONSE_BACKOFF_MAX_SHIFT 5

static void
response_residual(struct srpi_io *io, const struct srp_iu_rsp *rsp)
{
	uint32_t residual = rsp->flags & (SRP_RSP_DIOVER | SRP_RSP_DIUNDER)
		? rsp->data_in_residual : rsp->data_out_residual;

	io->result.bytes = io->expect_bytes;
	io->result.residual = 0;
	if (residual > INT32_MAX)
		residual = INT32_MAX;
	if (rsp->flags & (SRP_RSP_DIUNDER | SRP_RSP_DOUNDER)) {
		/* no more can be missing than was asked for */
		if (residual > io->expect_bytes)
			residual = io->expect_bytes;
		io->result.residual = (int32_t)residual;
		io->result.bytes = io->expect_bytes - residual;
	} else if (rsp->flags & (SRP_RSP_DIOVER | SRP_RSP_DOOVER)) {
		io->result.residual = -(int32_t)residual;
	}
}

static void
response_sense(struct srpi_io *io, const struct srp_iu_rsp *rsp)
{
	uint32_t bytes = min_t(uint32_t, rsp->sense_len, IO_SENSE_BYTES);

	if (bytes)
		memcpy(io->sense, rsp->sense, bytes);
	io->result.sense = bytes ? io->sense : NULL;
	io->result.sense_bytes = (uint8_t)bytes;
}

enum response_verdict
response_policy(const struct srpi_result *result, unsigned int nr_attentions)
{
	struct scsi_sense sense;

	if (result->status == SCSI_STATUS_BUSY ||
		result->status == SCSI_STATUS_TASK_SET_FULL)
		return RESPONSE_RETRY_LATER;
	if (result->status != SCSI_STATUS_CHECK_CONDITION ||
		scsi_sense_decode(result->sense, result->sense_bytes, &sense))
		return RESPONSE_FINAL;
	if (sense.key == SCSI_KEY_UNIT_ATTENTION &&
		nr_attentions < RESPONSE_UA_RETRIES)
		return RESPONSE_RETRY_NOW;
	/* 04/01: in process of becoming ready */
	if (sense.key == SCSI_KEY_NOT_READY &&
		scsi_sense_code(&sense) == 0x0401)
		return RESPONSE_RETRY_LATER;
	return RESPONSE_FINAL;
}

static int
response_sense_error(const struct srpi_io *io)
{
	struct scsi_sense sense;

	if (!scsi_sense_decode(
		    io->result.sense, io->result.sense_bytes, &sense) &&
		sense.key == SCSI_KEY_DATA_PROTECT)
		return -EROFS;
	return -EIO;
}

static int
response_error(const struct srpi_io *io)
{
	switch (io->result.status) {
	case SCSI_STATUS_GOOD:
	case SCSI_STATUS_CONDITION_MET:
		/* a block command moves all of its blocks or has failed */
		return io->result.residual > 0 && !io->is_raw ? -EIO : 0;
	case SCSI_STATUS_CHECK_CONDITION:
		return response_sense_error(io);
	case SCSI_STATUS_BUSY:
	case SCSI_STATUS_TASK_SET_FULL:
		return -EBUSY;
	case SCSI_STATUS_RESERVATION_CONFLICT:
		return -EBADE;
	case SCSI_STATUS_TASK_ABORTED:
		/* by task management: ours, or another initiator's */
		return -ECANCELED;
	default:
		return -EIO;
	}
}

enum response_verdict
response_judge(struct srpi_io *io, const struct srp_iu_rsp *rsp)
{
	io->result.status = rsp->status;
	io->result.response = 0;
	response_residual(io, rsp);
	response_sense(io, rsp);
	if (rsp->flags & SRP_RSP_RSPVALID && rsp->rsp_code) {
		/* the transport failed it: status means nothing */
		io->result.response = rsp->rsp_code;
		io->result.error = -EREMOTEIO;
		io->result.bytes = 0;
		return RESPONSE_FINAL;
	}
	io->result.error = response_error(io);
	return io->is_raw ? RESPONSE_FINAL
			  : response_policy(&io->result, io->attentions);
}

static uint64_t
response_backoff_ns(const struct srpi_io *io)
{
	return RESPONSE_BACKOFF_NS << min_t(
		unsigned int, io->retries, RESPONSE_BACKOFF_MAX_SHIFT);
}

static void
response_retry(struct channel *ch, struct srpi_io *io,
	enum response_verdict verdict)
{
	io_set_state(io, IO_READY);
	counter_add(&ch->stats.retries, 1);
	if (verdict == RESPONSE_RETRY_NOW) {
		counter_add(&ch->stats.unit_attentions, 1);
		io->attentions++;
		io_list_add(&ch->ready, io);
	} else {
		io->retry_at_ns = clock_coarse_ns() + response_backoff_ns(io);
		io_list_add(&ch->delayed, io);
		ch->scan_at_ns = min(ch->scan_at_ns, io->retry_at_ns);
		if (io->retries < UINT8_MAX)
			io->retries++;
	}
	/* a late second response to the first try must not match this one */
	io_next_life(io);
	srp_iu_cmd_set_tag(io->iu, io_tag(io));
}

/* A target says so once: whoever's command it comes with. */
static void
response_raise(struct channel *ch, const struct srpi_io *io)
{
	struct scsi_sense sense;

	if (!scsi_sense_decode(
		    io->result.sense, io->result.sense_bytes, &sense) &&
		sense.key == SCSI_KEY_UNIT_ATTENTION)
		events_raise(&ch->session->events, events_of_sense(&sense));
}

void
response_take(struct channel *ch, struct srpi_io *io,
	const struct srp_iu_rsp *rsp)
{
	enum response_verdict verdict = response_judge(io, rsp);

	PROBE_IO(seen, io->queue->number, io);
	response_raise(ch, io);
	if (verdict != RESPONSE_FINAL) {
		ch->nr_posted--;
		response_retry(ch, io, verdict);
		return;
	}
	channel_take_answer(ch, io);
}
