/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "bench/bench_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"

#define BATCH 64 /* finished I/Os taken at once */

/* Between two reads of the clock: long beside the read, short to a user. */
#define CHECK_MIN_NS (2 * CLOCK_NS_PER_MSEC)
#define CHECK_MAX_IOS 65536

struct reader {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_mem *mem;
	struct srpi_queue *queue;
	struct iovec *iovs; /* one an I/O, by its index */

	/* the LUN as a ring of reads */
	uint64_t lba, end_lba;
	uint32_t blocks;

	uint64_t nr_left; /* to start */
	unsigned int nr_inflight;
	uint64_t nr_done;

	/* when to read the clock next: in how many I/Os */
	uint64_t begin_ns, end_ns, check_ns;
	uint64_t check_every, check_at;
};

/* ---- the loop -------------------------------------------------------- */

/* Fills the queue; one doorbell for all. */
static int
refill(struct reader *rd)
{
	struct srpi_io *io;
	bool has_new = false;
	int rc;

	while (rd->nr_left && (io = srpi_get(rd->queue))) {
		rc = srpi_prep_read(io, rd->lun, rd->lba, rd->blocks,
			&rd->iovs[srpi_io_index(io)], 1);
		if (unlikely(rc)) {
			srpi_put(io);
			return rc;
		}
		srpi_queue_io(io);
		has_new = true;
		rd->nr_left--;
		rd->nr_inflight++;
		rd->lba += rd->blocks;
		if (rd->lba == rd->end_lba)
			rd->lba = 0;
	}
	if (has_new)
		srpi_submit(rd->queue);
	return 0;
}

static int
reap(struct reader *rd, char *reason, size_t n)
{
	struct srpi_io *ios[BATCH];
	int nr = srpi_wait(rd->queue, ios, 1, BATCH, -1);

	if (unlikely(nr < 0))
		return nr;
	for (int i = 0; i < nr; i++) {
		if (unlikely(srpi_result(ios[i])->error)) {
			srpi_explain(ios[i], reason, n);
			return -EIO;
		}
		srpi_put(ios[i]);
	}
	rd->nr_inflight -= (unsigned int)nr;
	rd->nr_done += (uint64_t)nr;
	return 0;
}

/* Reads the clock, and sets when to do so next. */
static void
check_time(struct reader *rd)
{
	uint64_t now_ns = clock_ns();

	if (now_ns >= rd->end_ns)
		rd->nr_left = 0;
	if (now_ns - rd->check_ns < CHECK_MIN_NS)
		rd->check_every =
			min(rd->check_every * 2, (uint64_t)CHECK_MAX_IOS);
	else if (now_ns - rd->check_ns > 4 * CHECK_MIN_NS)
		rd->check_every = max(rd->check_every / 2, (uint64_t)1);
	rd->check_ns = now_ns;
	rd->check_at = rd->nr_done + rd->check_every;
}

static int
loop(struct reader *rd, char *reason, size_t n)
{
	int rc = 0;

	while (rc == 0) {
		rc = refill(rd);
		if (rc || !rd->nr_inflight)
			break;
		rc = reap(rd, reason, n);
		if (rd->nr_done >= rd->check_at)
			check_time(rd);
	}
	if (rc == -EMSGSIZE) {
		snprintf(reason, n, "bs is more than one command can move");
		rc = -EINVAL;
	}
	return rc;
}

/* ---- set-up ---------------------------------------------------------- */

static int
open_session(struct reader *rd, const struct bench_read_attr *attr,
	char *reason, size_t n)
{
	struct srpi_opts *opts;
	char depth[16];
	int rc = srpi_opts_create(&opts);

	if (rc)
		return rc;
	snprintf(depth, sizeof(depth), "%u", attr->depth);
	rc = srpi_opts_set(opts, "depth", depth, reason, n);
	if (rc == 0 && attr->completion)
		rc = srpi_opts_set(
			opts, "completion", attr->completion, reason, n);
	if (rc == 0)
		rc = srpi_open(attr->target, opts, &rd->session, reason, n);
	srpi_opts_destroy(opts);
	return rc;
}

static int
open_lun(struct reader *rd, const struct bench_read_attr *attr,
	struct bench_read_result *result, char *reason, size_t n)
{
	struct srpi_lun_info info;
	uint8_t lun[8];
	int rc;

	srpi_session_info(rd->session, &result->session);
	rc = srpi_lun_from_number(result->session.default_lun, lun);
	if (rc == 0)
		rc = srpi_lun_open(rd->session, lun, &rd->lun, reason, n);
	if (rc)
		return rc;
	srpi_lun_info(rd->lun, &info);
	snprintf(result->lun, sizeof(result->lun), "%" PRIu64, info.number);
	rd->blocks = attr->block_bytes / info.block_bytes;
	if (!rd->blocks || attr->block_bytes % info.block_bytes) {
		snprintf(reason, n,
			"bs=%u is not a multiple of the LUN's block of %u "
			"bytes",
			attr->block_bytes, info.block_bytes);
		return -EINVAL;
	}
	if (rd->blocks > info.blocks) {
		snprintf(reason, n,
			"bs=%u is more than the LUN has: %" PRIu64
			" blocks of %u bytes",
			attr->block_bytes, info.blocks, info.block_bytes);
		return -EINVAL;
	}
	rd->end_lba = info.blocks - info.blocks % rd->blocks;
	return 0;
}

static int
open_queue(struct reader *rd, const struct bench_read_attr *attr,
	struct bench_read_result *result, char *reason, size_t n)
{
	int rc = srpi_queue_create(rd->session, NULL, &rd->queue, reason, n);

	if (rc)
		return rc;
	srpi_queue_info(rd->queue, &result->queue);
	rc = srpi_buf_alloc(rd->session,
		(size_t)attr->block_bytes * result->queue.depth, &rd->mem,
		reason, n);
	if (rc)
		return rc;
	rd->iovs = calloc(result->queue.depth, sizeof(*rd->iovs));
	if (!rd->iovs)
		return -ENOMEM;
	for (unsigned int i = 0; i < result->queue.depth; i++) {
		rd->iovs[i].iov_base = (char *)srpi_mem_addr(rd->mem) +
				       (size_t)i * attr->block_bytes;
		rd->iovs[i].iov_len = attr->block_bytes;
	}
	return 0;
}

/* Every counter of the queue, less what it was at the beginning. */
static void
subtract_stats(struct srpi_stats *stats, const struct srpi_stats *begin)
{
	uint64_t *to = (uint64_t *)stats;
	const uint64_t *from = (const uint64_t *)begin;

	_Static_assert(sizeof(*stats) % sizeof(*to) == 0, "only counters");
	for (size_t i = 0; i < sizeof(*stats) / sizeof(*to); i++)
		to[i] -= from[i];
}

/* Every buffer once, so that no page of it is new within the measurement. */
static int
warm_up(struct reader *rd, unsigned int depth, char *reason, size_t n)
{
	int rc;

	rd->nr_left = depth;
	rd->check_at = UINT64_MAX;
	rc = loop(rd, reason, n);
	rd->nr_done = 0;
	return rc;
}

static int
measure(struct reader *rd, const struct bench_read_attr *attr,
	struct bench_read_result *result, char *reason, size_t n)
{
	struct clock_usage begin, end;
	struct srpi_stats stats;
	int rc = warm_up(rd, result->queue.depth, reason, n);

	if (rc)
		return rc;
	srpi_queue_stats(rd->queue, &stats, sizeof(stats));
	rd->nr_left = attr->exchanges ? attr->exchanges : UINT64_MAX;
	rd->check_every = 1;
	rd->check_at = 1;
	clock_usage_thread(&begin);
	rd->begin_ns = rd->check_ns = clock_ns();
	rd->end_ns =
		attr->runtime_ns ? rd->begin_ns + attr->runtime_ns : UINT64_MAX;
	rc = loop(rd, reason, n);
	result->elapsed_ns = clock_ns() - rd->begin_ns;
	clock_usage_thread(&end);
	result->usage = clock_usage_delta(&begin, &end);
	result->reads = rd->nr_done;
	srpi_queue_stats(rd->queue, &result->stats, sizeof(result->stats));
	subtract_stats(&result->stats, &stats);
	return rc;
}

int
bench_read_run(const struct bench_read_attr *attr,
	struct bench_read_result *result, char *reason, size_t n)
{
	struct reader rd = {0};
	int rc;

	memset(result, 0, sizeof(*result));
	reason[0] = '\0';
	rc = open_session(&rd, attr, reason, n);
	if (rc == 0)
		rc = open_lun(&rd, attr, result, reason, n);
	if (rc == 0)
		rc = open_queue(&rd, attr, result, reason, n);
	if (rc == 0)
		rc = measure(&rd, attr, result, reason, n);
	if (rc && !*reason)
		snprintf(reason, n, "%s: %s", attr->target, strerror(-rc));
	srpi_close(rd.session); /* queue, LUN and memory go with it */
	free(rd.iovs);
	return rc;
}
