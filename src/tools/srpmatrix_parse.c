/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tools/srpmatrix_opts.h"
#include "util/clock.h"
#include "util/compiler.h"

#define MAX_LATENCY_NS 1e15

/* Where the object begins: at the beginning of a line. */
static const char *
find_object(const char *text, const char *end)
{
	while (text && text < end && *text != '{') {
		text = memchr(text, '\n', (size_t)(end - text));
		if (text)
			text++;
	}
	return text && text < end ? text : NULL;
}

/* A number from 0 up that a double holds; NAN otherwise. */
static double
number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	return number >= 0.0 && number < 1e18 ? number : NAN;
}

/* What one direction adds to the whole. */
struct direction {
	double nr_ios;
	double iops;
	double bytes_per_s;
	double mean_ns;
	double max_ns;
};

/* {"latency": count, ...}; a latency stands for those near it. */
static int
add_bins(const json_t *bins, struct hist *hist)
{
	const char *key;
	json_t *count;
	double nr, ns;
	char *end;

	json_object_foreach((json_t *)bins, key, count) {
		ns = strtod(key, &end);
		nr = json_number_value(count);
		if (end == key || *end || !(ns >= 0.0 && ns < MAX_LATENCY_NS) ||
			!(nr >= 0.0 && nr < 1e18))
			return -EINVAL;
		if (nr >= 1.0)
			hist_record_many(hist, (uint64_t)ns, (uint64_t)nr);
	}
	return 0;
}

static int
parse_direction(const json_t *job, const char *name,
	struct direction *direction, struct hist *hist)
{
	const json_t *json = json_object_get(job, name);
	const json_t *latency = json_object_get(json, "lat_ns");
	const json_t *bins = json_object_get(latency, "bins");

	*direction = (struct direction){
		.nr_ios = number(json, "total_ios"),
		.iops = number(json, "iops"),
		.bytes_per_s = number(json, "bw_bytes"),
		.mean_ns = number(latency, "mean"),
		.max_ns = number(latency, "max"),
	};
	if (isnan(direction->nr_ios + direction->iops + direction->bytes_per_s +
		    direction->mean_ns + direction->max_ns))
		return -EINVAL;
	if (direction->nr_ios < 1.0)
		return 0;
	return json_is_object(bins) ? add_bins(bins, hist) : -EINVAL;
}

static double
percentile_ns(const struct hist *hist, double percent)
{
	return (double)hist_percentile(hist, percent);
}

static void
fill_latencies(struct srpmatrix_sample *sample, const struct direction *dirs,
	const struct hist *hist)
{
	double *values = sample->values;

	values[SRPMATRIX_MEAN_NS] = (dirs[0].mean_ns * dirs[0].nr_ios +
		dirs[1].mean_ns * dirs[1].nr_ios) / (double)sample->nr_ios;
	values[SRPMATRIX_P50_NS] = percentile_ns(hist, 50);
	values[SRPMATRIX_P90_NS] = percentile_ns(hist, 90);
	values[SRPMATRIX_P99_NS] = percentile_ns(hist, 99);
	values[SRPMATRIX_P999_NS] = percentile_ns(hist, 99.9);
	values[SRPMATRIX_MAX_NS] = fmax(dirs[0].max_ns, dirs[1].max_ns);
}

/* fio's own account of its jobs: CPU in % of their running times' sum. */
static void
fill_costs(struct srpmatrix_sample *sample, const json_t *job)
{
	double *values = sample->values, nr_ios = (double)sample->nr_ios;
	double percent = number(job, "usr_cpu") + number(job, "sys_cpu");
	double runtime_ns =
		number(job, "job_runtime") * (double)CLOCK_NS_PER_MSEC;

	values[SRPMATRIX_CPU_NS] = percent / 100.0 * runtime_ns / nr_ios;
	values[SRPMATRIX_SWITCHES] = number(job, "ctx") / nr_ios;
}

static int
parse_job(const json_t *job, struct srpmatrix_sample *sample,
	struct hist *hist, char *reason, size_t n)
{
	/* The percentiles are of this run alone. */
	struct hist *own = calloc(1, sizeof(*own));
	struct direction dirs[2];
	int rc = own ? 0 : -ENOMEM;

	if (!rc) {
		hist_reset(own);
		if (parse_direction(job, "read", &dirs[0], own) ||
			parse_direction(job, "write", &dirs[1], own))
			rc = -EINVAL;
	}
	if (rc)
		snprintf(reason, n,
			"fio's output lacks a number of I/Os, IOPS or the "
			"latencies' bins: is it older than 3.0?");
	if (!rc && dirs[0].nr_ios + dirs[1].nr_ios < 1.0) {
		snprintf(reason, n, "fio has done no I/O in the time it had: "
			"a longer --runtime may help");
		rc = -EIO;
	}
	if (!rc) {
		sample->is_done = true;
		sample->nr_ios = (uint64_t)(dirs[0].nr_ios + dirs[1].nr_ios);
		sample->values[SRPMATRIX_IOPS] = dirs[0].iops + dirs[1].iops;
		sample->values[SRPMATRIX_BYTES_PER_S] =
			dirs[0].bytes_per_s + dirs[1].bytes_per_s;
		fill_latencies(sample, dirs, own);
		fill_costs(sample, job);
		hist_merge(hist, own);
	}
	free(own);
	return rc;
}

/* One group of one job is what we have asked for. */
static int
parse_root(const json_t *root, struct srpmatrix_sample *sample,
	struct hist *hist, char *reason, size_t n)
{
	const json_t *jobs = json_object_get(root, "jobs");
	const json_t *job = json_array_get(jobs, 0);
	double error = number(job, "error");

	if (json_array_size(jobs) != 1 || !json_is_object(job) || isnan(error)) {
		snprintf(reason, n, "fio's output has not the one group of "
			"jobs that was asked for");
		return -EINVAL;
	}
	if (error > 0.0) {
		snprintf(reason, n, "fio's job ended with error %.0f (%s)",
			error, error < 4096 ? strerror((int)error) : "unknown");
		return -EIO;
	}
	return parse_job(job, sample, hist, reason, n);
}

int
srpmatrix_parse_fio(const char *text, size_t nr_bytes,
	struct srpmatrix_sample *sample, struct hist *hist, char *reason,
	size_t n)
{
	const char *end = text + nr_bytes, *begin = find_object(text, end);
	json_error_t error = { .line = 0 };
	json_t *root = NULL;
	int rc, i;

	*sample = (struct srpmatrix_sample){ .is_done = false };
	for (i = 0; i < SRPMATRIX_NR_METRICS; i++)
		sample->values[i] = NAN;
	if (begin)
		root = json_loadb(begin, (size_t)(end - begin),
			JSON_DISABLE_EOF_CHECK, &error);
	if (!root) {
		snprintf(reason, n, "fio's output is not JSON: %s",
			!nr_bytes ? "it is empty" : !begin ? "no object in it"
							   : error.text);
		return -EINVAL;
	}
	rc = parse_root(root, sample, hist, reason, n);
	json_decref(root);
	return rc;
}

/* A counter of one line; a line without it is no line of ours. */
static int
get_count(const json_t *object, const char *key, uint64_t *out)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return -EINVAL;
	*out = (uint64_t)json_integer_value(value);
	return 0;
}

static int
add_count(const json_t *object, const char *key, uint64_t *sum)
{
	uint64_t count;

	return get_count(object, key, &count) ||
			__builtin_add_overflow(*sum, count, sum)
		? -EINVAL
		: 0;
}

/* Of the session, which has the queues of all jobs of a process. */
enum session_count { COMMANDS, DOORBELLS, EVENTS, LIBRARY_CPU, NR_COUNTS };

static const char *const session_keys[NR_COUNTS] = { "commands", "doorbells",
	"events", "thread_cpu_ns" };

/*
 * Each job tells what all jobs of its process have counted so far: the last
 * one, the greatest, has it all.
 */
struct processes {
	unsigned int nr;
	struct {
		uint64_t pid;
		uint64_t counts[NR_COUNTS];
	} known[SRPMATRIX_MAX_JOBS];
};

static int
note_process(struct processes *processes, const json_t *line)
{
	uint64_t pid, count;
	unsigned int i, key;

	if (get_count(line, "pid", &pid))
		return -EINVAL;
	for (i = 0; i < processes->nr && processes->known[i].pid != pid; i++)
		;
	if (i == SRPMATRIX_MAX_JOBS)
		return -EINVAL;
	if (i == processes->nr) {
		memset(&processes->known[i], 0, sizeof(processes->known[i]));
		processes->known[i].pid = pid;
		processes->nr++;
	}
	for (key = 0; key < NR_COUNTS; key++) {
		if (get_count(json_object_get(line, "session"),
			    session_keys[key], &count))
			return -EINVAL;
		processes->known[i].counts[key] =
			max(processes->known[i].counts[key], count);
	}
	return 0;
}

/* false: more than there can be. */
static bool
sum_processes(const struct processes *processes,
	struct srpmatrix_counts *counts)
{
	uint64_t *const sums[NR_COUNTS] = { &counts->nr_ios,
		&counts->doorbells, &counts->events, &counts->library_cpu_ns };
	bool is_over = false;
	unsigned int i, key;

	for (i = 0; i < processes->nr; i++)
		for (key = 0; key < NR_COUNTS; key++)
			is_over |= __builtin_add_overflow(*sums[key],
				processes->known[i].counts[key], sums[key]);
	return !is_over;
}

/* What a job's own thread has used. */
static int
add_job(const json_t *line, struct srpmatrix_counts *counts)
{
	const json_t *thread = json_object_get(line, "thread");
	uint64_t cpu_us = 0;

	if (add_count(thread, "user_us", &cpu_us) ||
		add_count(thread, "system_us", &cpu_us) ||
		add_count(thread, "voluntary_switches", &counts->switches) ||
		add_count(thread, "involuntary_switches", &counts->switches) ||
		cpu_us > INT64_MAX / CLOCK_NS_PER_USEC)
		return -EINVAL;
	return __builtin_add_overflow(counts->job_cpu_ns,
		       cpu_us * CLOCK_NS_PER_USEC, &counts->job_cpu_ns)
		? -EINVAL
		: 0;
}

static int
add_line(const char *text, size_t nr_bytes, struct srpmatrix_counts *counts,
	struct processes *processes)
{
	json_t *line = json_loadb(text, nr_bytes, 0, NULL);
	int rc = add_job(line, counts);

	if (!rc)
		rc = note_process(processes, line);
	json_decref(line);
	return rc;
}

int
srpmatrix_parse_stats(const char *text, size_t nr_bytes,
	struct srpmatrix_counts *counts, char *reason, size_t n)
{
	const char *end = text + nr_bytes, *newline;
	struct processes processes;
	unsigned int nr = 0;

	memset(counts, 0, sizeof(*counts));
	processes.nr = 0;
	for (; text < end; text = newline + 1, nr++) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		if (!add_line(text, (size_t)(newline - text), counts,
			    &processes))
			continue;
		snprintf(reason, n,
			"line %u of the engine's counters is not what this "
			"version writes", nr + 1);
		return -EINVAL;
	}
	if (!sum_processes(&processes, counts)) {
		snprintf(reason, n, "the engine's counters overflow");
		return -EINVAL;
	}
	return counts->nr_ios ? 0 : -ENODATA;
}

int
srpmatrix_parse_version(const char *text, char *version, size_t n)
{
	size_t len = strcspn(text, "\n"), i;

	if (strncmp(text, "fio-", 4) != 0 || len >= n || len < 5)
		return -EINVAL;
	for (i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]))
			return -EINVAL;
	snprintf(version, n, "%.*s", (int)len, text);
	return 0;
}

/* Appends up to @len characters, '?' for what can't be shown. */
static void
append(char *line, size_t n, const char *from, size_t len)
{
	size_t at = strlen(line), i;

	for (i = 0; i < len && at + 1 < n; i++, at++)
		line[at] = from[i] == '\t'                    ? ' '
			: isprint((unsigned char)from[i]) ? from[i]
							  : '?';
	line[at] = '\0';
}

void
srpmatrix_parse_complaint(const char *text, char *line, size_t n)
{
	const char *last = "";
	size_t len, last_len = 0;

	line[0] = '\0';
	for (; *text && *text != '{'; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (strspn(text, " \t\r") >= len ||
			(len == last_len && memcmp(text, last, len) == 0))
			continue;
		if (line[0])
			append(line, n, "; ", 2);
		append(line, n, text, len);
		last = text;
		last_len = len;
	}
}
