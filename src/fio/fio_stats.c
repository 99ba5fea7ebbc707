/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_stats.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "fio/fio_job.h"
#include "fio/fio_opts.h"
#include "fio/fio_srpi.h"

#define COUNTER(name) { #name, offsetof(struct srpi_stats, name) }

static const struct {
	const char *name;
	size_t offset;
} counters[] = {
	COUNTER(commands),
	COUNTER(reads),
	COUNTER(writes),
	COUNTER(read_bytes),
	COUNTER(write_bytes),
	COUNTER(errors),
	COUNTER(doorbells),
	COUNTER(send_wrs),
	COUNTER(recv_wrs),
	COUNTER(recv_doorbells),
	COUNTER(arms),
	COUNTER(events),
	COUNTER(wakeups),
	COUNTER(polls),
	COUNTER(empty_polls),
	COUNTER(credit_waits),
	COUNTER(unit_attentions),
	COUNTER(retries),
	COUNTER(timeouts),
	COUNTER(aborts),
	COUNTER(disconnects),
	COUNTER(thread_cpu_ns),
};

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
fio_stats_start(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);

	job->start_ns = now_ns();
	getrusage(RUSAGE_THREAD, &job->start);
}

/* The counters, and what @about (which is given away) says besides. */
static json_t *
json_stats(const struct srpi_stats *stats, json_t *about)
{
	json_t *object = json_object();
	unsigned int i;

	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		const void *field = (const char *)stats + counters[i].offset;

		json_object_set_new(object, counters[i].name,
			json_integer((json_int_t) * (const uint64_t *)field));
	}
	json_object_update_new(object, about);
	return object;
}

static json_int_t
us_between(const struct timeval *from, const struct timeval *to)
{
	return (json_int_t)(to->tv_sec - from->tv_sec) * 1000000 +
		(to->tv_usec - from->tv_usec);
}

/* What the job's own thread has used: fio's figures hold its login too. */
static json_t *
json_thread(const struct rusage *start)
{
	struct rusage now;

	getrusage(RUSAGE_THREAD, &now);
	return json_pack("{s:I s:I s:I s:I}",
		"user_us", us_between(&start->ru_utime, &now.ru_utime),
		"system_us", us_between(&start->ru_stime, &now.ru_stime),
		"voluntary_switches",
		(json_int_t)(now.ru_nvcsw - start->ru_nvcsw),
		"involuntary_switches",
		(json_int_t)(now.ru_nivcsw - start->ru_nivcsw));
}

static json_t *
json_queue(struct srpi_queue *queue)
{
	struct srpi_queue_info info;
	struct srpi_stats stats;

	srpi_queue_info(queue, &info);
	srpi_queue_stats(queue, &stats, sizeof(stats));
	return json_stats(&stats,
		json_pack("{s:s s:i s:i s:i}",
			"completion", srpi_completion_name(info.completion),
			"depth", (int)info.depth, "window", (int)info.window,
			"channel", (int)info.channel));
}

/* All counters since @begin. */
static void
subtract(struct srpi_stats *stats, const struct srpi_stats *begin)
{
	unsigned int i;

	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		uint64_t *field = (void *)((char *)stats + counters[i].offset);

		*field -= *(const uint64_t *)(const void *)((const char *)begin +
			counters[i].offset);
	}
}

/*
 * Of all its jobs since the login, and so far: the line with the largest
 * figures is the sum.
 */
static json_t *
json_session(const struct fio_session *session)
{
	struct srpi_session_info info;
	struct srpi_stats stats;

	srpi_session_info(session->srpi, &info);
	srpi_session_stats(session->srpi, &stats, sizeof(stats));
	subtract(&stats, &session->begin);
	return json_stats(&stats,
		json_pack("{s:s s:s s:i s:I s:b}", "device", info.device,
			"portal", info.portal,
			"channels", (int)info.nr_channels,
			"target_cpu_ns", (json_int_t)info.target_cpu_ns,
			"shares_cpu_with_target",
			(info.flags & SRPI_SESSION_SHARED_CPU) != 0));
}

static json_t *
json_job(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);
	const struct fio_opts *opts = td->eo;

	return json_pack("{s:s s:i s:i s:s s:I s:i s:o s:o s:o}",
		"job", td->o.name ? td->o.name : "",
		"number", (int)td->thread_number, "pid", (int)getpid(),
		"target", opts->target,
		"elapsed_ns", (json_int_t)(now_ns() - job->start_ns),
		"error", td->error, "thread", json_thread(&job->start),
		"queue", json_queue(job->queue),
		"session", json_session(job->session));
}

/* One write: jobs that are processes append to the same file. */
static int
append(const char *path, char *line, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	ssize_t rc;

	if (fd < 0)
		return -errno;
	line[bytes] = '\n';
	rc = write(fd, line, bytes + 1);
	if (rc < 0)
		rc = -errno;
	close(fd);
	return rc < 0 ? (int)rc : 0;
}

void
fio_stats_write_job(struct thread_data *td)
{
	const struct fio_opts *opts = td->eo;
	json_t *object;
	char *line;
	int rc = -ENOMEM;

	if (!opts->stats_file)
		return;
	object = json_job(td);
	line = object ? json_dumps(object, JSON_COMPACT) : NULL;
	/* the byte that ends the text becomes the line's end */
	if (line)
		rc = append(opts->stats_file, line, strlen(line));
	if (rc)
		fio_srpi_say(td, "stats_file=%s can't be written: %s",
			opts->stats_file, strerror(-rc));
	free(line);
	json_decref(object);
}
