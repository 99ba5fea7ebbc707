/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A finished I/O in one sentence. */
#include <stdio.h>

#include "core/io.h"
#include "core/lun.h"
#include "core/queue.h"
#include "wire/scsi_cdb.h"
#include "wire/scsi_sense.h"
#include "wire/srp_iu.h"

static void
explain_command(const struct srpi_io *io, char *text, size_t n)
{
	char name[64], lun[SCSI_LUN_TEXT_BYTES];
	struct scsi_cmd cmd;

	scsi_cdb_name(io->iu->cdb, SCSI_CDB_BYTES, name, sizeof(name));
	scsi_lun_format(&io->iu->lun, lun, sizeof(lun));
	if (!io->is_raw && io->dir != IO_NO_DATA && io->lun &&
		!scsi_cdb_decode(io->iu->cdb, SCSI_CDB_BYTES, &cmd))
		snprintf(text, n, "%s of LUN %s, offset %llu, %u bytes", name,
			lun,
			(unsigned long long)(cmd.lba * lun_load(io->lun, block_bytes)),
			io->expect_bytes);
	else
		snprintf(text, n, "%s of LUN %s", name, lun);
}

static void
explain_status(const struct srpi_result *result, char *text, size_t n)
{
	char status[32], words[SCSI_SENSE_TEXT_BYTES];
	struct scsi_sense sense;

	scsi_status_format(result->status, status, sizeof(status));
	if (!scsi_sense_decode(result->sense, result->sense_bytes, &sense)) {
		scsi_sense_format(&sense, words, sizeof(words));
		snprintf(text, n, "%s, %s", status, words);
	} else {
		snprintf(text, n, "%s", status);
	}
}

static void
explain_outcome(const struct srpi_io *io, char *text, size_t n)
{
	const struct srpi_result *result = &io->result;

	if (result->response)
		snprintf(text, n, "the target failed it: %s (response code %u)",
			srp_iu_rsp_code_name(result->response),
			result->response);
	else if (result->status)
		explain_status(result, text, n);
	else if (result->error == -EIO && result->residual > 0)
		snprintf(text, n, "only %u bytes were transferred",
			result->bytes);
	else if (result->error == -EINVAL)
		snprintf(text, n,
			"not sent: no srpi_prep function has accepted it");
	else if (result->error == -ETIMEDOUT)
		snprintf(text, n, "no answer within io_timeout");
	else if (result->error && io->queue->ch->reason[0])
		snprintf(text, n, "connection lost: %s",
			io->queue->ch->reason);
	else if (result->error)
		snprintf(text, n, "%s", strerror(-result->error));
	else
		snprintf(text, n, "done, %u bytes", result->bytes);
}

int
srpi_explain(const struct srpi_io *io, char *text, size_t n)
{
	char command[160], outcome[320];

	explain_command(io, command, sizeof(command));
	explain_outcome(io, outcome, sizeof(outcome));
	return snprintf(text, n, "%s: %s", command, outcome);
}
