/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A LUN, through the public library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <srpi/srpi.h>

#include "tools/srplat_src.h"
#include "util/compiler.h"

struct lun_src {
	struct srplat_src src;
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_mem *mem;
	struct srpi_queue *queue; /* from attach to detach */
	enum srpi_completion granted;
	uint32_t prep_flags;
	uint32_t queue_flags;
	struct srplat_stamps stamps[SRPLAT_MAX_DEPTH]; /* by tag */
	uint32_t expected[SRPLAT_MAX_DEPTH]; /* bytes, by tag */
	struct srpi_io *ios[SRPLAT_MAX_DEPTH]; /* scratch of wait() */
};

static struct lun_src *
to_lun(struct srplat_src *src)
{
	return container_of(src, struct lun_src, src);
}

static void
lun_close(struct srplat_src *src)
{
	struct lun_src *lun = to_lun(src);

	srpi_queue_destroy(lun->queue);
	if (lun->mem)
		srpi_mem_free(lun->mem);
	srpi_close(lun->session);
	free(lun);
}

static int
lun_map(struct srplat_src *src, void *addr, size_t bytes, char *reason,
	size_t n)
{
	struct lun_src *lun = to_lun(src);

	return srpi_mem_register(
		lun->session, addr, bytes, &lun->mem, reason, n);
}

static int
lun_attach(struct srplat_src *src, int mode, unsigned int depth, char *reason,
	size_t n)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct lun_src *lun = to_lun(src);
	struct srpi_queue_info info;
	int rc;

	opts.depth = depth;
	opts.completion = (enum srpi_completion)mode;
	opts.flags = lun->queue_flags;
	rc = srpi_queue_create(lun->session, &opts, &lun->queue, reason, n);
	if (rc)
		return rc;
	srpi_queue_info(lun->queue, &info);
	lun->granted = info.completion;
	if (info.depth < depth) {
		snprintf(reason, n,
			"depth=%u is more than %s grants: allowed is 1 to %u",
			depth, src->name, info.depth);
		srpi_queue_destroy(lun->queue);
		lun->queue = NULL;
		return -EINVAL;
	}
	if (info.window < depth)
		snprintf(src->note, sizeof(src->note),
			"%s: the target's credits allow %u commands at once, "
			"so depth=%u waits for credits",
			src->name, info.window, depth);
	return 0;
}

static void
lun_detach(struct srplat_src *src)
{
	struct lun_src *lun = to_lun(src);

	srpi_queue_destroy(lun->queue);
	lun->queue = NULL;
}

static __cold int
fail_prep(struct lun_src *lun, const struct srplat_req *req, int error)
{
	snprintf(lun->src.error_text, sizeof(lun->src.error_text),
		"%s: %s of %u bytes at offset %llu was refused before it was "
		"sent: %s%s",
		lun->src.name, req->dir == SRPLAT_READ ? "read" : "write",
		req->bytes, (unsigned long long)req->offset, strerror(-error),
		error == -EMSGSIZE ? " (more than one command can move: use "
				     "a smaller bs=)"
				   : "");
	return error;
}

static int
prep(struct lun_src *lun, struct srpi_io *io, const struct srplat_req *req)
{
	struct iovec iov = { req->buf, req->bytes };
	uint64_t lba = req->offset / lun->src.block_bytes;
	uint32_t blocks = req->bytes / lun->src.block_bytes;
	int rc;

	if (req->dir == SRPLAT_READ)
		return srpi_prep_read(io, lun->lun, lba, blocks, &iov, 1);
	rc = srpi_prep_write(io, lun->lun, lba, blocks, &iov, 1);
	if (!rc && lun->prep_flags)
		rc = srpi_prep_flags(io, lun->prep_flags);
	return rc;
}

static int
lun_submit(struct srplat_src *src, const struct srplat_req *req)
{
	struct lun_src *lun = to_lun(src);
	struct srpi_io *io = srpi_get(lun->queue);
	int rc;

	if (unlikely(!io))
		return fail_prep(lun, req, -EAGAIN);
	rc = prep(lun, io, req);
	if (unlikely(rc)) {
		srpi_put(io);
		return fail_prep(lun, req, rc);
	}
	lun->expected[req->tag] = req->bytes;
	srpi_set_data(io, (void *)(uintptr_t)req->tag);
	srpi_queue_io(io);
	return 0;
}

static int
lun_flush(struct srplat_src *src)
{
	int rc = srpi_submit(to_lun(src)->queue);

	return rc < 0 ? rc : 0;
}

/* The library's sentence about an I/O that has failed; the first one stays. */
static __cold int
fail_io(struct lun_src *lun, const struct srpi_io *io, uint32_t expected)
{
	const struct srpi_result *result = srpi_result(io);
	char text[512];

	if (!lun->src.error_text[0]) {
		srpi_explain(io, text, sizeof(text));
		if (result->error)
			snprintf(lun->src.error_text,
				sizeof(lun->src.error_text), "%s: %s",
				lun->src.name, text);
		else
			snprintf(lun->src.error_text,
				sizeof(lun->src.error_text),
				"%s: only %u of %u bytes were transferred: %s",
				lun->src.name, result->bytes, expected, text);
	}
	return result->error ? result->error : -EIO;
}

static void
keep_stamps(struct lun_src *lun, int nr)
{
	const struct srpi_result *result;
	uint32_t tag;
	int i;

	for (i = 0; i < nr; i++) {
		result = srpi_result(lun->ios[i]);
		tag = (uint32_t)(uintptr_t)srpi_data(lun->ios[i]);
		lun->stamps[tag] = (struct srplat_stamps){
			.posted_ns = result->posted_ns,
			.seen_ns = result->seen_ns,
			.woken_ns = result->woken_ns,
			.delivered_ns = result->complete_ns,
		};
	}
}

static int
lun_wait(struct srplat_src *src, struct srplat_done *done, unsigned int max,
	int64_t timeout_ns)
{
	struct lun_src *lun = to_lun(src);
	const struct srpi_result *result;
	uint32_t tag;
	int i, nr;

	if (max > SRPLAT_MAX_DEPTH)
		max = SRPLAT_MAX_DEPTH;
	/* To wait for a time reads the clock, of which a look has no need. */
	nr = srpi_poll(lun->queue, lun->ios, max);
	if (nr == 0 && timeout_ns)
		nr = srpi_wait(lun->queue, lun->ios, 1, max, timeout_ns);
	if (unlikely(src->stamps))
		keep_stamps(lun, nr);
	for (i = 0; i < nr; i++) {
		result = srpi_result(lun->ios[i]);
		tag = (uint32_t)(uintptr_t)srpi_data(lun->ios[i]);
		done[i].tag = tag;
		done[i].bytes = result->bytes;
		done[i].error = 0;
		if (unlikely(result->error ||
			    result->bytes != lun->expected[tag]))
			done[i].error = fail_io(
				lun, lun->ios[i], lun->expected[tag]);
		srpi_put(lun->ios[i]);
	}
	return nr == -ETIMEDOUT ? 0 : nr;
}

/* With nothing else outstanding: the flush is all that can come back. */
static int
lun_sync(struct srplat_src *src, bool datasync)
{
	struct lun_src *lun = to_lun(src);
	struct srpi_io *io = srpi_get(lun->queue);
	int rc = io ? srpi_prep_flush(io, lun->lun) : -EAGAIN;

	(void)datasync;
	if (!rc) {
		srpi_queue_io(io);
		rc = srpi_submit(lun->queue);
	}
	if (rc >= 0)
		do
			rc = srpi_wait(lun->queue, lun->ios, 1, 1, -1);
		while (rc == 0);
	if (rc > 0)
		rc = srpi_result(io)->error ? fail_io(lun, io, 0) : 0;
	else
		snprintf(src->error_text, sizeof(src->error_text),
			"%s: SYNCHRONIZE CACHE: %s", src->name, strerror(-rc));
	if (io)
		srpi_put(io);
	return rc;
}

static void
lun_usage(struct srplat_src *src, struct srplat_usage *usage)
{
	struct srpi_stats stats;

	srpi_session_stats(to_lun(src)->session, &stats, sizeof(stats));
	usage->cpu_ns = stats.thread_cpu_ns;
}

static bool
lun_has_mode(int mode)
{
	return srpi_completion_available((enum srpi_completion)mode) == 0;
}

static const char *
lun_mode_name(struct srplat_src *src, int mode)
{
	enum srpi_completion completion = (enum srpi_completion)mode;
	const char *name;

	if (completion == SRPI_COMPLETION_DEFAULT)
		completion = to_lun(src)->granted;
	name = srpi_completion_name(completion);
	return name ? name : "default";
}

static const struct srplat_src_ops lun_ops = {
	.close = lun_close,
	.map = lun_map,
	.attach = lun_attach,
	.detach = lun_detach,
	.submit = lun_submit,
	.flush = lun_flush,
	.wait = lun_wait,
	.truncate = srplat_src_truncate_none,
	.sync = lun_sync,
	.usage = lun_usage,
	.has_mode = lun_has_mode,
	.mode_name = lun_mode_name,
};

/* The library's -errno of opening, to what a program exits with. */
static int
exit_status(int rc)
{
	switch (rc) {
	case -EINVAL:
	case -EMEDIUMTYPE:
		return SRPLAT_EXIT_BAD_VALUE;
	case -ECONNREFUSED:
		return SRPLAT_EXIT_REFUSED;
	default:
		return SRPLAT_EXIT_UNREACHABLE;
	}
}

static int
open_session(struct lun_src *lun, const struct srplat_src_args *args,
	char *reason, size_t n)
{
	struct srpi_opts *opts;
	unsigned int i;
	int rc = srpi_opts_create(&opts);

	if (rc) {
		snprintf(reason, n, "%s: %s", args->name, strerror(-rc));
		return rc;
	}
	for (i = 0; i < args->opts->nr_keys && !rc; i++)
		rc = srpi_opts_set(opts, args->opts->keys[i].name,
			args->opts->keys[i].value, reason, n);
	if (!rc)
		rc = srpi_open(args->name, opts, &lun->session, reason, n);
	srpi_opts_destroy(opts);
	return rc;
}

static int
open_lun(struct lun_src *lun, char *reason, size_t n)
{
	struct srpi_session_info info;
	uint8_t number[8];
	int rc;

	srpi_session_info(lun->session, &info);
	if (info.flags & SRPI_SESSION_SHARED_CPU)
		lun->src.flags |= SRPLAT_SRC_SHARED_CPU;
	if (info.flags & SRPI_SESSION_IN_PROCESS)
		lun->src.flags |= SRPLAT_SRC_IN_PROCESS;
	rc = srpi_lun_from_number(info.default_lun, number);
	if (rc) {
		snprintf(reason, n, "%s: LUN %llu has no SAM address",
			lun->src.name, (unsigned long long)info.default_lun);
		return rc;
	}
	return srpi_lun_open(lun->session, number, &lun->lun, reason, n);
}

static void
describe_lun(struct lun_src *lun)
{
	struct srpi_lun_info info;

	srpi_lun_info(lun->lun, &info);
	lun->src.block_bytes = info.block_bytes;
	lun->src.bytes = info.blocks * info.block_bytes;
	if (info.flags & SRPI_LUN_READ_ONLY)
		lun->src.flags |= SRPLAT_SRC_READ_ONLY;
	snprintf(lun->src.place, sizeof(lun->src.place), "LUN %llu",
		(unsigned long long)info.number);
	if (lun->src.flags & SRPLAT_SRC_SHARED_CPU)
		snprintf(lun->src.note, sizeof(lun->src.note),
			"%s: the target runs on the probe's CPU time: latency "
			"and CPU time include target",
			lun->src.name);
}

/* oflag=sync is FUA; a LUN without a cache that forgets needs nothing. */
static int
check_sync(struct lun_src *lun, const struct srplat_opts *opts, char *reason,
	size_t n)
{
	struct srpi_lun_info info;

	srpi_lun_info(lun->lun, &info);
	if (!(opts->oflags & SRPLAT_FLAG_SYNC))
		return 0;
	if (info.flags & SRPI_LUN_FUA) {
		lun->prep_flags = SRPI_FUA;
		return 0;
	}
	if (!(info.flags & SRPI_LUN_WRITE_CACHE))
		return 0;
	snprintf(reason, n,
		"oflag=sync asks for FUA, which %s does not have beside its "
		"volatile cache: use conv=fsync, which flushes it",
		lun->src.name);
	return SRPLAT_EXIT_BAD_VALUE;
}

int
srplat_src_srpi_open(const struct srplat_src_args *args,
	struct srplat_src **src, char *reason, size_t n)
{
	struct lun_src *lun = calloc(1, sizeof(*lun));
	int rc;

	if (!lun) {
		snprintf(reason, n, "%s: %s", args->name, strerror(ENOMEM));
		return SRPLAT_EXIT_UNREACHABLE;
	}
	lun->src.ops = &lun_ops;
	lun->src.name = args->name;
	lun->src.kind = SRPLAT_KIND_LUN;
	if (args->opts->wants_stages || args->opts->slow_ns) {
		lun->queue_flags = SRPI_QUEUE_STAGES;
		lun->src.stamps = lun->stamps;
	}
	rc = open_session(lun, args, reason, n);
	if (!rc)
		rc = open_lun(lun, reason, n);
	if (rc) {
		lun_close(&lun->src);
		return exit_status(rc);
	}
	describe_lun(lun);
	rc = check_sync(lun, args->opts, reason, n);
	if (rc)
		lun_close(&lun->src);
	else
		*src = &lun->src;
	return rc;
}
