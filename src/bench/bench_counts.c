/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * counts: what an I/O costs in calls, not in time: doorbells, notify
 * requests, events, wake-ups and polls for each completion mode, number of
 * queues and depth. A queue keeps its depth full and refills an eighth of it
 * at once.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/srpbench.h"
#include "bench/srpbench_opts.h"
#include "util/compiler.h"

#include <srpi/srpi.h>

#define COUNTS_MAX_QUEUES 8
#define COUNTS_MAX_DEPTH  256
#define COUNTS_READS	  4000 /* of a queue */
#define COUNTS_SLACK	  1.05

/* One cell of the table. */
struct cell {
	enum srpi_completion completion;
	unsigned int queues, depth, batch;
	unsigned int window; /* of a queue: what the target's credits allow */
	struct srpi_stats stats;
	uint64_t reads;
};

struct counts {
	const struct srpbench_opts *opts;
	char url[256];
	uint64_t reads; /* of a queue in a cell */
	struct cell *cells;
	unsigned int nr_cells;
	char reason[512];
};

struct reader {
	struct srpi_queue *queue;
	struct srpi_lun *lun;
	uint8_t *buf;
	uint32_t block_bytes, io_bytes;
	unsigned int batch;
	uint64_t left; /* to start */
	uint64_t done;
	pthread_t thread;
	int error;
	char reason[256];
};

static const struct column {
	const char *name;
	size_t offset;
} columns[] = {
	{ "doorbells", offsetof(struct srpi_stats, doorbells) },
	{ "recv_doorbells", offsetof(struct srpi_stats, recv_doorbells) },
	{ "arms", offsetof(struct srpi_stats, arms) },
	{ "events", offsetof(struct srpi_stats, events) },
	{ "wakeups", offsetof(struct srpi_stats, wakeups) },
	{ "polls", offsetof(struct srpi_stats, polls) },
};

static uint64_t
stat_at(const struct srpi_stats *stats, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)stats + offset, sizeof(value));
	return value;
}

static double
per_read(const struct cell *cell, const struct column *column)
{
	return (double)stat_at(&cell->stats, column->offset) /
	       (double)cell->reads;
}

/* ---- one queue's thread ---------------------------------------------- */

static int
start_reads(struct reader *rd, unsigned int max)
{
	struct srpi_io *io;
	struct iovec iov = { .iov_len = rd->io_bytes };
	unsigned int nr;
	int rc;

	for (nr = 0; nr < max && rd->left; nr++, rd->left--) {
		io = srpi_get(rd->queue);
		iov.iov_base = rd->buf + (size_t)srpi_io_index(io) *
						 rd->io_bytes;
		rc = srpi_prep_read(io, rd->lun, 0,
			rd->io_bytes / rd->block_bytes, &iov, 1);
		if (rc) {
			srpi_put(io);
			return rc;
		}
		srpi_queue_io(io);
	}
	srpi_submit(rd->queue);
	return 0;
}

/* At least a batch, if there is that much; how many, or -errno. */
static int
reap_reads(struct reader *rd)
{
	struct srpi_io *ios[COUNTS_MAX_DEPTH];
	int i, nr = srpi_wait(
		       rd->queue, ios, rd->batch, COUNTS_MAX_DEPTH, -1);

	for (i = 0; i < nr; i++) {
		if (srpi_result(ios[i])->error) {
			srpi_explain(ios[i], rd->reason, sizeof(rd->reason));
			return -EIO;
		}
		srpi_put(ios[i]);
		rd->done++;
	}
	return nr;
}

static void *
run_reader(void *arg)
{
	struct reader *rd = arg;
	uint64_t all = rd->left;
	struct srpi_queue_info info;
	int nr;

	srpi_queue_info(rd->queue, &info);
	rd->error = start_reads(rd, info.depth);
	while (!rd->error && rd->done < all) {
		nr = reap_reads(rd);
		rd->error = nr < 0 ? nr : start_reads(rd, (unsigned int)nr);
	}
	return NULL;
}

/* ---- one cell -------------------------------------------------------- */

static int
open_reader(struct reader *rd, struct srpi_session *session,
	struct srpi_lun *lun, const struct cell *cell, struct counts *counts)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_lun_info info;
	struct srpi_mem *mem;
	int rc;

	srpi_lun_info(lun, &info);
	opts.depth = cell->depth;
	opts.completion = cell->completion;
	*rd = (struct reader){ .lun = lun,
		.block_bytes = info.block_bytes,
		.io_bytes = (uint32_t)counts->opts->bs_bytes,
		.batch = cell->batch,
		.left = counts->reads };
	if (!rd->io_bytes || rd->io_bytes % info.block_bytes ||
		rd->io_bytes / info.block_bytes > info.blocks) {
		snprintf(counts->reason, sizeof(counts->reason),
			"bs=%u is no multiple of the LUN's block of %u bytes "
			"within it",
			rd->io_bytes, info.block_bytes);
		return -EINVAL;
	}
	rc = srpi_buf_alloc(session, (size_t)cell->depth * rd->io_bytes, &mem,
		counts->reason, sizeof(counts->reason));
	if (rc)
		return rc;
	rd->buf = srpi_mem_addr(mem);
	return srpi_queue_create(session, &opts, &rd->queue, counts->reason,
		sizeof(counts->reason));
}

/* All queues at once, from their first read to their last. */
static int
run_readers(struct reader *readers, struct srpi_session *session,
	struct cell *cell, struct counts *counts)
{
	struct srpi_stats begin;
	unsigned int i, nr;
	int rc = 0;

	srpi_session_stats(session, &begin, sizeof(begin));
	for (nr = 0; nr < cell->queues && !rc; nr++)
		rc = -pthread_create(
			&readers[nr].thread, NULL, run_reader, &readers[nr]);
	if (rc)
		nr--;
	for (i = 0; i < nr; i++) {
		pthread_join(readers[i].thread, NULL);
		cell->reads += readers[i].done;
		if (!rc && readers[i].error) {
			rc = readers[i].error;
			snprintf(counts->reason, sizeof(counts->reason), "%s",
				readers[i].reason);
		}
	}
	srpi_session_stats(session, &cell->stats, sizeof(cell->stats));
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		uint64_t value = stat_at(&cell->stats, columns[i].offset) -
				 stat_at(&begin, columns[i].offset);

		memcpy((char *)&cell->stats + columns[i].offset, &value,
			sizeof(value));
	}
	return rc;
}

static int
run_session(struct srpi_session *session, struct cell *cell,
	struct counts *counts)
{
	struct reader readers[COUNTS_MAX_QUEUES];
	struct srpi_session_info info;
	struct srpi_queue_info queue;
	struct srpi_lun *lun;
	uint8_t number[8];
	unsigned int i;
	int rc;

	srpi_session_info(session, &info);
	rc = srpi_lun_from_number(info.default_lun, number);
	if (!rc)
		rc = srpi_lun_open(session, number, &lun, counts->reason,
			sizeof(counts->reason));
	for (i = 0; i < cell->queues && !rc; i++)
		rc = open_reader(&readers[i], session, lun, cell, counts);
	if (rc)
		return rc;
	srpi_queue_info(readers[0].queue, &queue);
	cell->window = queue.window;
	return run_readers(readers, session, cell, counts);
}

static int
run_cell(struct cell *cell, struct counts *counts)
{
	struct srpi_session *session;
	struct srpi_opts *opts;
	char value[16];
	int rc = srpi_opts_create(&opts);

	if (rc)
		return rc;
	/* a connection each, however few CPUs there are */
	snprintf(value, sizeof(value), "%u", cell->queues);
	rc = srpi_opts_set(opts, "channels", value, counts->reason,
		sizeof(counts->reason));
	if (!rc)
		rc = srpi_open(counts->url, opts, &session, counts->reason,
			sizeof(counts->reason));
	srpi_opts_destroy(opts);
	if (rc)
		return rc;
	rc = run_session(session, cell, counts);
	srpi_close(session);
	return rc;
}

/* ---- the table ------------------------------------------------------- */

/*
 * What must hold: a doorbell a batch, and in self nothing that is for
 * blocking. Where the window is smaller than the depth commands follow one by
 * one as credits come.
 */
static bool
is_as_it_must(const struct cell *cell)
{
	double most = COUNTS_SLACK / (double)cell->batch;

	if (cell->window >= cell->depth && per_read(cell, &columns[0]) > most)
		return false;
	return cell->completion != SRPI_COMPLETION_SELF ||
	       !cell->stats.wakeups;
}

static unsigned int
count_wrong(const struct counts *counts)
{
	unsigned int i, nr = 0;

	for (i = 0; i < counts->nr_cells; i++)
		nr += !is_as_it_must(&counts->cells[i]);
	return nr;
}

static void
print_text(const struct counts *counts)
{
	const struct cell *cell;
	unsigned int i;
	size_t c;

	printf("per read of %" PRIu64 " bytes, %s\n%-10s %6s %6s %6s",
		counts->opts->bs_bytes, counts->url, "completion", "queues",
		"depth", "batch");
	for (c = 0; c < ARRAY_SIZE(columns); c++)
		printf(" %14s", columns[c].name);
	printf("\n");
	for (i = 0; i < counts->nr_cells; i++) {
		cell = &counts->cells[i];
		printf("%-10s %6u %6u %6u",
			srpi_completion_name(cell->completion), cell->queues,
			cell->depth, cell->batch);
		for (c = 0; c < ARRAY_SIZE(columns); c++)
			printf(" %14.4f", per_read(cell, &columns[c]));
		printf("%s\n", is_as_it_must(cell) ? "" : "  too many");
	}
}

static json_t *
cell_json(const struct cell *cell)
{
	json_t *row = json_pack("{ss sI sI sI sI sI sb}", "completion",
		srpi_completion_name(cell->completion), "queues",
		(json_int_t)cell->queues, "depth", (json_int_t)cell->depth,
		"batch", (json_int_t)cell->batch, "window",
		(json_int_t)cell->window, "exchanges",
		(json_int_t)cell->reads, "as_it_must", is_as_it_must(cell));
	size_t c;

	for (c = 0; row && c < ARRAY_SIZE(columns); c++)
		json_object_set_new(row, columns[c].name,
			json_real(per_read(cell, &columns[c])));
	return row;
}

static int
print_json(const struct counts *counts)
{
	json_t *rows = json_array();
	json_t *root = json_pack("{ss ss sI so}", "benchmark", "counts",
		"target", counts->url, "bs",
		(json_int_t)counts->opts->bs_bytes, "rows", rows);
	unsigned int i;
	int rc;

	for (i = 0; i < counts->nr_cells; i++)
		json_array_append_new(rows, cell_json(&counts->cells[i]));
	rc = root ? json_dumpf(root, stdout,
			    JSON_COMPACT | JSON_REAL_PRECISION(6))
		  : -1;
	putchar('\n');
	json_decref(root);
	return rc;
}

/* One mode, or all of them. */
static bool
is_wanted(const struct counts *counts, int completion)
{
	return !counts->opts->completion ||
	       strcmp(counts->opts->completion,
		       srpi_completion_name(
			       (enum srpi_completion)completion)) == 0;
}

static int
run_all(struct counts *counts)
{
	unsigned int queues, depth;
	struct cell *cell;
	int completion, rc = 0;

	for (completion = SRPI_COMPLETION_INLINE;
		completion < SRPI_NR_COMPLETIONS && !rc; completion++) {
		if (!is_wanted(counts, completion))
			continue;
		for (queues = 1; queues <= COUNTS_MAX_QUEUES; queues *= 2)
			for (depth = 1; depth <= COUNTS_MAX_DEPTH && !rc;
				depth *= 2) {
				cell = &counts->cells[counts->nr_cells];
				*cell = (struct cell){
					.completion =
						(enum srpi_completion)completion,
					.queues = queues,
					.depth = depth,
					.batch = max(depth / 8, 1u),
				};
				rc = run_cell(cell, counts);
				counts->nr_cells += !rc;
			}
	}
	return rc;
}

static int
report(const struct counts *counts)
{
	if (!counts->opts->is_json)
		print_text(counts);
	else if (print_json(counts))
		return SRPBENCH_IO_ERROR;
	if (!counts->opts->is_check || !count_wrong(counts))
		return SRPBENCH_DONE;
	fprintf(stderr,
		"srpbench: %u of %u rows have more doorbells than one a batch "
		"and 5 %%, or wake-ups in self\n",
		count_wrong(counts), counts->nr_cells);
	return SRPBENCH_LIMIT;
}

int
bench_counts(const struct srpbench_opts *opts)
{
	struct counts counts = { .opts = opts,
		.reads = opts->exchanges ? opts->exchanges : COUNTS_READS };
	int rc;

	if (opts->completion && !srpbench_is_completion(opts->completion))
		return SRPBENCH_BAD_VALUE;
	/* modes, 4 numbers of queues, 9 depths */
	counts.cells = calloc(
		SRPI_NR_COMPLETIONS * 4 * 9, sizeof(*counts.cells));
	if (!counts.cells)
		return SRPBENCH_IO_ERROR;
	if (opts->target)
		snprintf(counts.url, sizeof(counts.url), "%s", opts->target);
	else
		srpbench_own_target(opts, counts.url, sizeof(counts.url));
	rc = run_all(&counts);
	if (rc)
		fprintf(stderr, "srpbench: %s\n",
			*counts.reason ? counts.reason : strerror(-rc));
	rc = rc ? (int)srpbench_exit_code(rc) : report(&counts);
	free(counts.cells);
	return rc;
}
