/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_src.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that has no operations: it only fills buffers, or takes nothing. */
static int
open_passive(const char *name, enum srplat_kind kind, struct srplat_src **out)
{
	struct srplat_src *src = calloc(1, sizeof(*src));

	if (!src)
		return SRPLAT_EXIT_UNREACHABLE;
	src->name = name;
	src->kind = kind;
	src->bytes = UINT64_MAX;
	*out = src;
	return 0;
}

static int
refuse_direction(const struct srplat_src_args *args, char *reason, size_t n)
{
	snprintf(reason, n,
		args->dir == SRPLAT_READ
			? "if=%s cannot be read from: allowed are a URL, a "
			  "device, a file, /dev/zero and /dev/urandom"
			: "of=%s cannot be written to: allowed are a URL, a "
			  "device, a file and /dev/null",
		args->name);
	return SRPLAT_EXIT_BAD_VALUE;
}

int
srplat_src_open(const struct srplat_src_args *args, struct srplat_src **src,
	char *reason, size_t n)
{
	bool reads = args->dir == SRPLAT_READ;
	const char *name = args->name;

	if (reads && args->opts->verify == SRPLAT_VERIFY_WRITE)
		return open_passive(name, SRPLAT_KIND_PATTERN, src);
	if (strstr(name, "://"))
		return srplat_src_srpi_open(args, src, reason, n);
	if (strcmp(name, "/dev/null") == 0)
		return reads ? refuse_direction(args, reason, n)
			     : open_passive(name, SRPLAT_KIND_NULL, src);
	if (strcmp(name, "/dev/zero") == 0)
		return reads ? open_passive(name, SRPLAT_KIND_ZERO, src)
			     : refuse_direction(args, reason, n);
	if (strcmp(name, "/dev/urandom") == 0 ||
		strcmp(name, "/dev/random") == 0)
		return reads ? open_passive(name, SRPLAT_KIND_RANDOM, src)
			     : refuse_direction(args, reason, n);
	return srplat_src_aio_open(args, src, reason, n);
}

void
srplat_src_close(struct srplat_src *src)
{
	if (!src)
		return;
	if (src->ops)
		src->ops->close(src);
	else
		free(src);
}

int
srplat_src_map_none(struct srplat_src *src, void *addr, size_t bytes,
	char *reason, size_t n)
{
	(void)src;
	(void)addr;
	(void)bytes;
	(void)reason;
	(void)n;
	return 0;
}

int
srplat_src_truncate_none(struct srplat_src *src, uint64_t bytes)
{
	(void)src;
	(void)bytes;
	return 0;
}

void
srplat_src_usage_none(struct srplat_src *src, struct srplat_usage *usage)
{
	(void)src;
	usage->cpu_ns = 0;
}

bool
srplat_src_has_mode_one(int mode)
{
	return mode == 1;
}
