/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/stats_table.h"

#include <string.h>

#include "util/compiler.h"

#define ROW(member, metric, help)                                              \
	{                                                                      \
		#member, offsetof(struct srpi_stats, member), metric, help     \
	}

static const struct stats_row rows[] = {
	ROW(commands, "srpd_commands_total", "Commands finished, srpd's own too."),
	ROW(reads, "srpd_reads_total", "Commands finished that brought data."),
	ROW(writes, "srpd_writes_total", "Commands finished that took data."),
	ROW(read_bytes, "srpd_read_bytes_total", "Bytes read."),
	ROW(write_bytes, "srpd_write_bytes_total", "Bytes written."),
	ROW(errors, "srpd_errors_total", "Commands that ended with an error."),
	ROW(doorbells, "srpd_doorbells_total",
		"Post calls that sent something."),
	ROW(send_wrs, "srpd_send_work_requests_total",
		"Work requests posted to send queues."),
	ROW(recv_wrs, "srpd_receive_work_requests_total",
		"Work requests posted to receive queues."),
	ROW(recv_doorbells, "srpd_receive_doorbells_total",
		"Post calls that gave receives back."),
	ROW(arms, "srpd_completion_arms_total",
		"Requests to be notified of a completion."),
	ROW(events, "srpd_completion_events_total", "Completion events."),
	ROW(wakeups, "srpd_wakeups_total", "Waits that blocked."),
	ROW(polls, "srpd_polls_total", "Looks at completion queues."),
	ROW(empty_polls, "srpd_empty_polls_total",
		"Looks at completion queues that found nothing."),
	ROW(credit_waits, "srpd_credit_waits_total",
		"Submissions that had to wait for credits."),
	ROW(cred_reqs, "srpd_credit_requests_total",
		"SRP_CRED_REQ messages of the target."),
	ROW(aer_reqs, "srpd_asynchronous_events_total",
		"SRP_AER_REQ messages of the target."),
	ROW(unit_attentions, "srpd_unit_attentions_total",
		"Unit attentions, each followed by a retry."),
	ROW(retries, "srpd_retries_total",
		"Commands sent again after BUSY, NOT READY or UNIT ATTENTION."),
	ROW(late_responses, "srpd_late_responses_total",
		"Responses for a tag no longer in use."),
	ROW(malformed_ius, "srpd_malformed_messages_total",
		"Messages of the target that break the protocol."),
	ROW(timeouts, "srpd_timeouts_total", "Commands past io_timeout."),
	ROW(aborts, "srpd_aborts_total", "ABORT TASK functions sent."),
	ROW(disconnects, "srpd_disconnects_total", "Connections lost."),
};

/* All but thread_cpu_ns, which is of the process and not of a target. */
static_assert((ARRAY_SIZE(rows) + 1) * sizeof(uint64_t) ==
		sizeof(struct srpi_stats),
	"a counter of srpi.h has no row");

const struct stats_row *
stats_table(size_t *nr)
{
	*nr = ARRAY_SIZE(rows);
	return rows;
}

uint64_t
stats_value(const struct srpi_stats *stats, const struct stats_row *row)
{
	uint64_t value;

	memcpy(&value, (const char *)stats + row->offset, sizeof(value));
	return value;
}
