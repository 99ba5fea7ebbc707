/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "config.h"

#include "srpd/metrics_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "srpd/latency.h"
#include "srpd/stats_table.h"

/* One target, copied before anything is printed. */
struct sample {
	struct rport_status status;
	struct srpi_stats stats;
	struct latency latency[LATENCY_NR_OPS];
	struct srpi_session_info session; /* 0 without one */
	struct srpi_lun_info *luns;
	struct lun_latency *lun_latencies;
	unsigned int nr_luns, nr_lun_latencies;
};

struct samples {
	struct sample *all;
	unsigned int nr;
	FILE *out;
};

/* ---- copies ---------------------------------------------------------- */

static void
visit(struct srpi_session *session, void *arg)
{
	struct sample *sample = arg;

	srpi_session_info(session, &sample->session);
}

static int
copy_luns(struct rport *rport, struct sample *sample)
{
	unsigned int room = rport_luns(rport, NULL, 0);

	if (!room)
		return 0;
	sample->luns = calloc(room, sizeof(*sample->luns));
	if (!sample->luns)
		return -ENOMEM;
	sample->nr_luns = rport_luns(rport, sample->luns, room);
	if (sample->nr_luns > room)
		sample->nr_luns = room;
	return 0;
}

/* The labels of more would be too many for who stores them. */
#define MAX_LUN_LATENCIES 256u

static int
copy_lun_latencies(struct rport *rport, struct sample *sample)
{
	unsigned int room = min(rport_lun_latencies(rport, NULL, 0),
		MAX_LUN_LATENCIES);

	sample->lun_latencies = calloc(room + 1, sizeof(*sample->lun_latencies));
	if (!sample->lun_latencies)
		return -ENOMEM;
	rport_lun_latencies(rport, sample->lun_latencies, room);
	sample->nr_lun_latencies = room;
	return 0;
}

static int
copy_target(struct rport *rport, struct sample *sample)
{
	unsigned int op;
	int rc;

	rport_status(rport, &sample->status);
	rport_stats(rport, &sample->stats);
	for (op = 0; op < LATENCY_NR_OPS; op++)
		rport_latency(rport, (enum latency_op)op, &sample->latency[op]);
	rport_visit(rport, visit, sample);
	rc = copy_luns(rport, sample);
	return rc ? rc : copy_lun_latencies(rport, sample);
}

static int
copy_all(struct rports *rports, struct samples *samples)
{
	int rc = 0;

	rports_lock(rports);
	samples->nr = rports_count(rports);
	samples->all = calloc(samples->nr + 1, sizeof(*samples->all));
	if (!samples->all) {
		samples->nr = 0;
		rc = -ENOMEM;
	}
	for (unsigned int i = 0; i < samples->nr && !rc; i++)
		rc = copy_target(rports_at(rports, i), &samples->all[i]);
	rports_unlock(rports);
	return rc;
}

static void
free_all(struct samples *samples)
{
	for (unsigned int i = 0; i < samples->nr; i++) {
		free(samples->all[i].luns);
		free(samples->all[i].lun_latencies);
	}
	free(samples->all);
}

/* ---- lines ----------------------------------------------------------- */

void
metrics_text_label(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '\\':
			fputs("\\\\", out);
			break;
		case '"':
			fputs("\\\"", out);
			break;
		case '\n':
			fputs("\\n", out);
			break;
		default:
			/* the format is UTF-8; what a target says may not be */
			fputc((unsigned char)*text < 0x80 ? *text : '?', out);
		}
}

static void
head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* name{target="...": the caller adds labels, and closes the brace. */
static void
begin(FILE *out, const char *name, const struct sample *sample)
{
	fprintf(out, "%s{target=\"", name);
	metrics_text_label(out, sample->status.name);
	fputc('"', out);
}

static void
label(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",%s=\"", name);
	metrics_text_label(out, text);
	fputc('"', out);
}

static void
end(FILE *out, uint64_t value)
{
	fprintf(out, "} %" PRIu64 "\n", value);
}

static double
seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* ---- srpd itself ----------------------------------------------------- */

static void
number(FILE *out, const char *name, const char *type, const char *help,
	uint64_t value)
{
	head(out, name, type, help);
	fprintf(out, "%s %" PRIu64 "\n", name, value);
}

static void
print_srpd(const struct metrics_source *source, FILE *out)
{
	head(out, "srpd_build_info", "gauge", "Version of srpd, always 1.");
	fprintf(out, "srpd_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	head(out, "srpd_uptime_seconds", "gauge", "Since srpd was started.");
	fprintf(out, "srpd_uptime_seconds %.3f\n",
		seconds(clock_ns() - source->started_ns));
	head(out, "process_cpu_seconds_total", "counter",
		"CPU time of all of srpd's threads.");
	fprintf(out, "process_cpu_seconds_total %.6f\n",
		seconds(clock_read(CLOCK_PROCESS_CPUTIME_ID)));
}

static void
print_control(const struct ctl_server *ctl, FILE *out)
{
	struct ctl_server_stats s;

	ctl_server_stats(ctl, &s);
	number(out, "srpd_control_open_connections", "gauge",
		"Connections to the control socket now.", s.nr_open);
	number(out, "srpd_control_connections_total", "counter",
		"Connections to the control socket.", s.connections);
	number(out, "srpd_control_denied_total", "counter",
		"Of those, by who may not.", s.denied);
	number(out, "srpd_control_refused_total", "counter",
		"Of those, over the limit.", s.over_limit);
	number(out, "srpd_control_dropped_total", "counter",
		"Of those, ended for what they did or did not.", s.dropped);
	number(out, "srpd_control_requests_total", "counter",
		"Requests on the control socket.", s.requests);
	number(out, "srpd_control_bad_requests_total", "counter",
		"Of those, not understood.", s.bad_requests);
}

/* ---- targets --------------------------------------------------------- */

static void
print_states(const struct samples *samples)
{
	FILE *out = samples->out;
	const struct sample *sample;
	unsigned int i, state;

	head(out, "srpd_target_state", "gauge",
		"1 for the state that the target is in.");
	for (i = 0; i < samples->nr; i++) {
		sample = &samples->all[i];
		for (state = 0; state < RPORT_NR_STATES; state++) {
			begin(out, "srpd_target_state", sample);
			label(out, "state",
				rport_state_name((enum rport_state)state));
			end(out, sample->status.state == state);
		}
	}
}

static void
print_info(const struct samples *samples)
{
	FILE *out = samples->out;
	const struct rport_status *status;

	head(out, "srpd_target_info", "gauge",
		"What the target is connected by, always 1.");
	for (unsigned int i = 0; i < samples->nr; i++) {
		status = &samples->all[i].status;
		begin(out, "srpd_target_info", &samples->all[i]);
		label(out, "url", status->url);
		label(out, "device", status->device);
		label(out, "portal", status->portal);
		end(out, 1);
	}
}

static uint64_t
is_required(const struct sample *sample)
{
	return sample->status.required;
}

static uint64_t
nr_channels(const struct sample *sample)
{
	return sample->session.nr_channels;
}

static uint64_t
nr_luns(const struct sample *sample)
{
	return sample->nr_luns;
}

static uint64_t
credits_granted(const struct sample *sample)
{
	return sample->session.req_lim;
}

/* A target may take back more than there are. */
static uint64_t
credits(const struct sample *sample)
{
	return (uint64_t)max(sample->session.credits, 0);
}

static uint64_t
tags(const struct sample *sample)
{
	return sample->session.tags;
}

static uint64_t
tags_used(const struct sample *sample)
{
	return sample->session.tags_used;
}

static uint64_t
attempts(const struct sample *sample)
{
	return sample->status.attempts;
}

static uint64_t
reconnects(const struct sample *sample)
{
	return sample->status.reconnects;
}

static uint64_t
rescans(const struct sample *sample)
{
	return sample->status.rescans;
}

static const struct family {
	const char *name, *type, *help;
	uint64_t (*value)(const struct sample *sample);
} families[] = {
	{ "srpd_target_required", "gauge",
		"Whether srpd is ready only when the target is.", is_required },
	{ "srpd_target_channels", "gauge", "RDMA connections that are up.",
		nr_channels },
	{ "srpd_target_luns", "gauge", "Logical units reported.", nr_luns },
	{ "srpd_target_granted_credits", "gauge",
		"Requests that the target granted at login, a channel.",
		credits_granted },
	{ "srpd_target_credits", "gauge",
		"Requests that may be sent now, on all channels.", credits },
	{ "srpd_target_tags", "gauge", "Commands that all queues have room for.",
		tags },
	{ "srpd_target_used_tags", "gauge", "Of those, in use.", tags_used },
	{ "srpd_login_attempts_total", "counter", "Logins tried.", attempts },
	{ "srpd_reconnects_total", "counter",
		"Logins that succeeded, but the first.", reconnects },
	{ "srpd_rescans_total", "counter",
		"Times that the LUN list was read again.", rescans },
};

static void
print_families(const struct samples *samples)
{
	const struct family *family = families;
	unsigned int i;

	for (; family < families + ARRAY_SIZE(families); family++) {
		head(samples->out, family->name, family->type, family->help);
		for (i = 0; i < samples->nr; i++) {
			begin(samples->out, family->name, &samples->all[i]);
			end(samples->out, family->value(&samples->all[i]));
		}
	}
}

static void
print_counters(const struct samples *samples)
{
	const struct stats_row *rows;
	size_t nr, i, j;

	rows = stats_table(&nr);
	for (j = 0; j < nr; j++) {
		head(samples->out, rows[j].metric, "counter", rows[j].help);
		for (i = 0; i < samples->nr; i++) {
			begin(samples->out, rows[j].metric, &samples->all[i]);
			end(samples->out, stats_value(&samples->all[i].stats,
						  &rows[j]));
		}
	}
}

/* ---- LUNs ------------------------------------------------------------ */

static void
begin_lun(FILE *out, const char *name, const struct sample *sample,
	const struct srpi_lun_info *lun)
{
	begin(out, name, sample);
	fprintf(out, ",lun=\"%" PRIu64 "\"", lun->number);
}

static void
print_luns(const struct samples *samples)
{
	FILE *out = samples->out;
	const struct srpi_lun_info *lun;
	unsigned int i, j;

	head(out, "srpd_lun_info", "gauge",
		"What a logical unit says of itself, always 1.");
	for (i = 0; i < samples->nr; i++)
		for (j = 0; j < samples->all[i].nr_luns; j++) {
			lun = &samples->all[i].luns[j];
			begin_lun(out, "srpd_lun_info", &samples->all[i], lun);
			label(out, "vendor", lun->vendor);
			label(out, "product", lun->product);
			label(out, "id", lun->id);
			end(out, 1);
		}
	head(out, "srpd_lun_size_bytes", "gauge",
		"Capacity; 0 while the logical unit can not be opened.");
	for (i = 0; i < samples->nr; i++)
		for (j = 0; j < samples->all[i].nr_luns; j++) {
			lun = &samples->all[i].luns[j];
			begin_lun(out, "srpd_lun_size_bytes", &samples->all[i],
				lun);
			end(out, lun->blocks * lun->block_bytes);
		}
}

/* ---- latencies ------------------------------------------------------- */

#define HISTOGRAM "srpd_operation_duration_seconds"
#define LUN_HISTOGRAM "srpd_lun_operation_duration_seconds"
#define LUN_FAILURES "srpd_lun_operation_failures_total"

struct series {
	const struct sample *sample;
	const struct lun_latency *lun; /* or NULL: of the target */
	const char *operation;
};

/* name_suffix{labels: the caller closes the brace. */
static void
begin_series(FILE *out, const struct series *series, const char *suffix)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s",
		series->lun ? LUN_HISTOGRAM : HISTOGRAM, suffix);
	begin(out, name, series->sample);
	if (series->lun)
		fprintf(out, ",lun=\"%" PRIu64 "\"", series->lun->number);
	label(out, "operation", series->operation);
}

/* Buckets are cumulative; the last, +Inf, is the count. */
static void
print_latency(FILE *out, const struct series *series,
	const struct latency *latency)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i <= LATENCY_NR_BOUNDS; i++) {
		sum += latency->counts[i];
		begin_series(out, series, "_bucket");
		if (i < LATENCY_NR_BOUNDS)
			fprintf(out, ",le=\"%g\"",
				seconds(latency_bound_ns(i)));
		else
			fputs(",le=\"+Inf\"", out);
		end(out, sum);
	}
	begin_series(out, series, "_sum");
	fprintf(out, "} %.9f\n", seconds(latency->sum_ns));
	begin_series(out, series, "_count");
	end(out, sum);
}

static void
print_latencies(const struct samples *samples)
{
	struct series series = { 0 };
	unsigned int i, op;

	head(samples->out, HISTOGRAM, "histogram",
		"How long srpd's own operations took that succeeded.");
	for (i = 0; i < samples->nr; i++)
		for (op = 0; op < LATENCY_NR_OPS; op++) {
			series.sample = &samples->all[i];
			series.operation =
				latency_op_name((enum latency_op)op);
			print_latency(samples->out, &series,
				&samples->all[i].latency[op]);
		}
}

/* Operations that there were none of are left out: they would be many. */
static void
print_lun(FILE *out, const struct sample *sample, const struct lun_latency *lun)
{
	struct series series = { .sample = sample, .lun = lun };
	unsigned int op;

	for (op = 0; op < LUN_NR_OPS; op++) {
		series.operation = lun_op_name((enum lun_op)op);
		if (latency_count(&lun->latency[op]))
			print_latency(out, &series, &lun->latency[op]);
	}
}

static void
print_lun_failures(
	FILE *out, const struct sample *sample, const struct lun_latency *lun)
{
	unsigned int op;

	for (op = 0; op < LUN_NR_OPS; op++) {
		begin(out, LUN_FAILURES, sample);
		fprintf(out, ",lun=\"%" PRIu64 "\"", lun->number);
		label(out, "operation", lun_op_name((enum lun_op)op));
		end(out, lun->failures[op]);
	}
}

static void
print_each_lun(const struct samples *samples,
	void (*print)(FILE *out, const struct sample *sample,
		const struct lun_latency *lun))
{
	const struct sample *sample;
	unsigned int i, j;

	for (i = 0; i < samples->nr; i++) {
		sample = &samples->all[i];
		for (j = 0; j < sample->nr_lun_latencies; j++)
			print(samples->out, sample, &sample->lun_latencies[j]);
	}
}

static void
print_lun_latencies(const struct samples *samples)
{
	head(samples->out, LUN_HISTOGRAM, "histogram",
		"How long srpd's own operations on a logical unit took.");
	print_each_lun(samples, print_lun);
	head(samples->out, LUN_FAILURES, "counter",
		"Those of them that failed.");
	print_each_lun(samples, print_lun_failures);
}

int
metrics_text_print(const struct metrics_source *source, FILE *out)
{
	struct samples samples = { .out = out };
	int rc;

	print_srpd(source, out);
	if (source->ctl)
		print_control(source->ctl, out);
	rc = copy_all(source->rports, &samples);
	if (!rc) {
		print_states(&samples);
		print_info(&samples);
		print_families(&samples);
		print_counters(&samples);
		print_luns(&samples);
		print_latencies(&samples);
		print_lun_latencies(&samples);
	}
	free_all(&samples);
	return rc;
}
