/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The source that does nothing: a request is finished when it is flushed. What
 * a run over it takes is the probe's own time.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/srplat_src.h"

struct none {
	struct srplat_src src;
	unsigned int nr_done;
	struct srplat_done done[SRPLAT_MAX_DEPTH];
};

static void
none_close(struct srplat_src *src)
{
	free(src);
}

static int
none_attach(struct srplat_src *src, int mode, unsigned int depth, char *reason,
	size_t n)
{
	(void)mode;
	(void)depth;
	(void)reason;
	(void)n;
	((struct none *)src)->nr_done = 0;
	return 0;
}

static void
none_detach(struct srplat_src *src)
{
	((struct none *)src)->nr_done = 0;
}

static int
none_submit(struct srplat_src *src, const struct srplat_req *req)
{
	struct none *none = (struct none *)src;

	if (none->nr_done == SRPLAT_MAX_DEPTH)
		return -EAGAIN;
	none->done[none->nr_done++] =
		(struct srplat_done){ req->tag, 0, req->bytes };
	return 0;
}

static int
none_flush(struct srplat_src *src)
{
	(void)src;
	return 0;
}

static int
none_wait(struct srplat_src *src, struct srplat_done *done, unsigned int max,
	int64_t timeout_ns)
{
	struct none *none = (struct none *)src;
	unsigned int nr = 0;

	(void)timeout_ns;
	while (nr < max && none->nr_done)
		done[nr++] = none->done[--none->nr_done];
	return (int)nr;
}

static int
none_sync(struct srplat_src *src, bool datasync)
{
	(void)src;
	(void)datasync;
	return 0;
}

static const char *
none_mode_name(struct srplat_src *src, int mode)
{
	(void)src;
	(void)mode;
	return "none";
}

static const struct srplat_src_ops none_ops = {
	.close = none_close,
	.map = srplat_src_map_none,
	.attach = none_attach,
	.detach = none_detach,
	.submit = none_submit,
	.flush = none_flush,
	.wait = none_wait,
	.truncate = srplat_src_truncate_none,
	.sync = none_sync,
	.usage = srplat_src_usage_none,
	.has_mode = srplat_src_has_mode_one,
	.mode_name = none_mode_name,
};

int
srplat_src_none_open(struct srplat_src **src)
{
	struct none *none = calloc(1, sizeof(*none));

	if (!none)
		return SRPLAT_EXIT_UNREACHABLE;
	none->src.ops = &none_ops;
	none->src.name = "nothing";
	none->src.kind = SRPLAT_KIND_NULL;
	none->src.bytes = UINT64_MAX;
	*src = &none->src;
	return 0;
}
