/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * stall: reads one at a time, in inline unless told otherwise, and every one
 * that takes longer than STALL_NS. A wake-up that got lost looks like that;
 * so does a machine that has no CPU to give. To tell the two apart, a watcher
 * sleeps a millisecond at a time and notes, with the time, how long the other
 * threads of this process have waited for a CPU so far (the kernel's
 * schedstat), and by how much it overslept itself, which shows when there was
 * no machine at all. The larger of the two is the machine's part of a stall.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/srpbench.h"
#include "bench/srpbench_opts.h"
#include "util/clock.h"
#include "util/compiler.h"

#include <srpi/srpi.h>

#define STALL_NS	(10 * CLOCK_NS_PER_MSEC)
#define STALL_READS	10000000
#define WATCH_NS	CLOCK_NS_PER_MSEC
#define WATCH_NOTES	4096 /* at least 4 s */
#define STALL_MAX_SHOWN 32

/* So much of the machine's had been lost by then. */
struct note {
	uint64_t at_ns, waited_ns, overslept_ns;
};

struct watcher {
	pthread_t thread;
	pthread_mutex_t lock; /* notes */
	struct note notes[WATCH_NOTES];
	uint64_t nr_notes;
	uint64_t overslept_ns;
	atomic_bool is_stopped;
};

struct stall {
	uint64_t at_ns, took_ns, machine_ns;
};

struct run {
	struct srpi_session *session;
	struct srpi_queue *queue;
	struct srpi_lun *lun;
	struct iovec iov;
	uint32_t blocks;
	uint64_t nr_done, elapsed_ns, longest_ns;
	uint64_t nr_stalls, nr_unexplained, unexplained_ns;
	struct stall stalls[STALL_MAX_SHOWN];
	struct watcher watcher;
	char reason[512];
};

/* ---- the watcher ----------------------------------------------------- */

/* The second number: ns spent waiting on a run queue. 0: not to be had. */
static uint64_t
task_waited_ns(const char *tid)
{
	char path[64];
	uint64_t ran_ns, waited_ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.16s/schedstat", tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64 " %" SCNu64, &ran_ns, &waited_ns) != 2)
		waited_ns = 0;
	fclose(file);
	return waited_ns;
}

/* All threads but the caller. */
static uint64_t
others_waited_ns(void)
{
	char self[16];
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	uint64_t sum = 0;

	if (!dir)
		return 0;
	snprintf(self, sizeof(self), "%d", (int)gettid());
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, self))
			sum += task_waited_ns(entry->d_name);
	closedir(dir);
	return sum;
}

static void
watcher_note(struct watcher *watcher)
{
	struct note note = { .waited_ns = others_waited_ns(),
		.overslept_ns = watcher->overslept_ns };

	note.at_ns = clock_ns();
	pthread_mutex_lock(&watcher->lock);
	watcher->notes[watcher->nr_notes++ % WATCH_NOTES] = note;
	pthread_mutex_unlock(&watcher->lock);
}

static void *
watcher_run(void *arg)
{
	static const struct timespec nap = { 0, WATCH_NS };
	struct watcher *watcher = arg;
	uint64_t begin, took;

	watcher_note(watcher);
	while (!atomic_load(&watcher->is_stopped)) {
		begin = clock_ns();
		nanosleep(&nap, NULL);
		took = clock_ns() - begin;
		if (took > 2 * WATCH_NS)
			watcher->overslept_ns += took - WATCH_NS;
		watcher_note(watcher);
	}
	return NULL;
}

/*
 * What the machine took between two points in time: from the last note before
 * the first to the first note after the second, which waits for that one.
 */
static uint64_t
watcher_lost_ns(struct watcher *watcher, uint64_t from_ns, uint64_t to_ns)
{
	static const struct timespec nap = { 0, WATCH_NS };
	struct note before = { 0 }, after = { 0 };
	uint64_t i, first;

	for (;;) {
		nanosleep(&nap, NULL);
		pthread_mutex_lock(&watcher->lock);
		first = watcher->nr_notes > WATCH_NOTES
			? watcher->nr_notes - WATCH_NOTES : 0;
		for (i = first; i < watcher->nr_notes; i++) {
			after = watcher->notes[i % WATCH_NOTES];
			if (after.at_ns <= from_ns || !before.at_ns)
				before = after;
			if (after.at_ns >= to_ns)
				break;
		}
		pthread_mutex_unlock(&watcher->lock);
		if (after.at_ns >= to_ns)
			break;
	}
	return max(after.waited_ns - before.waited_ns,
		after.overslept_ns - before.overslept_ns);
}

/* ---- the reads ------------------------------------------------------- */

static void
on_stall(struct run *run, uint64_t begin_ns, uint64_t end_ns)
{
	struct stall stall = { .at_ns = begin_ns,
		.took_ns = end_ns - begin_ns };
	uint64_t rest;

	stall.machine_ns = watcher_lost_ns(&run->watcher, begin_ns, end_ns);
	if (run->nr_stalls < STALL_MAX_SHOWN)
		run->stalls[run->nr_stalls] = stall;
	run->nr_stalls++;
	rest = stall.took_ns > stall.machine_ns
		? stall.took_ns - stall.machine_ns : 0;
	run->unexplained_ns = max(run->unexplained_ns, rest);
	run->nr_unexplained += rest > STALL_NS;
}

/* One read from beginning to end; 0 or -errno with a sentence. */
static int
read_one(struct run *run)
{
	struct srpi_io *io = srpi_get(run->queue), *done;
	int rc = srpi_prep_read(io, run->lun, 0, run->blocks, &run->iov, 1);

	if (rc) {
		srpi_put(io);
		return rc;
	}
	srpi_queue_io(io);
	srpi_submit(run->queue);
	srpi_wait(run->queue, &done, 1, 1, -1);
	if (srpi_result(done)->error) {
		srpi_explain(done, run->reason, sizeof(run->reason));
		rc = -EIO;
	}
	srpi_put(done);
	return rc;
}

static int
read_all(struct run *run, uint64_t nr)
{
	uint64_t first = clock_ns(), begin = first, end;
	int rc = 0;

	while (run->nr_done < nr && !rc) {
		rc = read_one(run);
		end = clock_ns();
		run->longest_ns = max(run->longest_ns, end - begin);
		run->nr_done++;
		if (unlikely(end - begin > STALL_NS)) {
			on_stall(run, begin, end);
			end = clock_ns();
		}
		begin = end;
	}
	run->elapsed_ns = begin - first;
	return rc;
}

static int
open_run(struct run *run, const struct srpbench_opts *opts, const char *url)
{
	struct srpi_queue_opts queue = SRPI_QUEUE_OPTS_INIT;
	struct srpi_session_info session;
	struct srpi_lun_info info;
	struct srpi_mem *mem;
	uint8_t number[8];
	int i, rc = srpi_open(url, NULL, &run->session, run->reason,
		       sizeof(run->reason));

	if (rc)
		return rc;
	queue.depth = 1;
	queue.completion = SRPI_COMPLETION_INLINE;
	for (i = SRPI_COMPLETION_INLINE; i < SRPI_NR_COMPLETIONS; i++)
		if (opts->completion && strcmp(opts->completion,
			srpi_completion_name((enum srpi_completion)i)) == 0)
			queue.completion = (enum srpi_completion)i;
	srpi_session_info(run->session, &session);
	rc = srpi_lun_from_number(session.default_lun, number);
	if (!rc)
		rc = srpi_lun_open(run->session, number, &run->lun,
			run->reason, sizeof(run->reason));
	if (rc)
		return rc;
	srpi_lun_info(run->lun, &info);
	run->blocks = (uint32_t)(opts->bs_bytes / info.block_bytes);
	rc = srpi_buf_alloc(run->session, opts->bs_bytes + 1, &mem,
		run->reason, sizeof(run->reason));
	if (rc)
		return rc;
	run->iov = (struct iovec){ srpi_mem_addr(mem), opts->bs_bytes };
	return srpi_queue_create(run->session, &queue, &run->queue,
		run->reason, sizeof(run->reason));
}

/* ---- the report ------------------------------------------------------ */

static void
print_text(const struct run *run, const char *url)
{
	uint64_t i, shown = min(run->nr_stalls, (uint64_t)STALL_MAX_SHOWN);

	printf("stall, %s, depth 1\n%" PRIu64 " reads in %.1f s, the longest "
	       "%.3f ms\n%" PRIu64 " longer than %llu ms, of which %" PRIu64
	       " not by waiting for a CPU; at most %.3f ms are not the "
	       "machine's\n",
		url, run->nr_done, (double)run->elapsed_ns / 1e9,
		(double)run->longest_ns / 1e6, run->nr_stalls,
		(unsigned long long)(STALL_NS / CLOCK_NS_PER_MSEC),
		run->nr_unexplained, (double)run->unexplained_ns / 1e6);
	for (i = 0; i < shown; i++)
		printf("  %9.3f ms, of which the machine %9.3f ms\n",
			(double)run->stalls[i].took_ns / 1e6,
			(double)run->stalls[i].machine_ns / 1e6);
}

static void
print_json(const struct run *run, const char *url)
{
	printf("{\"benchmark\":\"stall\",\"target\":\"%s\",\"exchanges\":%"
	       PRIu64 ",\"seconds\":%.3f,\"longest_ns\":%" PRIu64
	       ",\"stalls\":%" PRIu64 ",\"unexplained\":%" PRIu64
	       ",\"unexplained_max_ns\":%" PRIu64 "}\n",
		url, run->nr_done, (double)run->elapsed_ns / 1e9,
		run->longest_ns, run->nr_stalls, run->nr_unexplained,
		run->unexplained_ns);
}

static int
watch_and_read(struct run *run, uint64_t nr)
{
	int rc;

	pthread_mutex_init(&run->watcher.lock, NULL);
	rc = -pthread_create(
		&run->watcher.thread, NULL, watcher_run, &run->watcher);
	if (rc)
		return rc;
	rc = read_all(run, nr);
	atomic_store(&run->watcher.is_stopped, true);
	pthread_join(run->watcher.thread, NULL);
	return rc;
}

int
bench_stall(const struct srpbench_opts *opts)
{
	struct run *run = calloc(1, sizeof(*run));
	char url[256];
	int rc;

	if (!run)
		return SRPBENCH_IO_ERROR;
	if (opts->completion && !srpbench_is_completion(opts->completion)) {
		free(run);
		return SRPBENCH_BAD_VALUE;
	}
	if (opts->target)
		snprintf(url, sizeof(url), "%s", opts->target);
	else
		srpbench_own_target(opts, url, sizeof(url));
	rc = open_run(run, opts, url);
	if (!rc)
		rc = watch_and_read(
			run, opts->exchanges ? opts->exchanges : STALL_READS);
	if (rc) {
		fprintf(stderr, "srpbench: %s\n",
			*run->reason ? run->reason : strerror(-rc));
		rc = (int)srpbench_exit_code(rc);
	} else if (opts->is_json) {
		print_json(run, url);
	} else {
		print_text(run, url);
	}
	if (!rc && opts->is_check && run->nr_unexplained)
		rc = SRPBENCH_LIMIT;
	srpi_close(run->session);
	free(run);
	return rc;
}
