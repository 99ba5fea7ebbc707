/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Operands against each other, and their numbers with the real block. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/srplat_opts.h"
#include "util/compiler.h"
#include "util/parse.h"

#define DEFAULT_BS 512

struct ctx {
	struct srplat_opts *opts;
	char *reason;
	size_t n;
};

__printf(2, 3) static int
refuse(const struct ctx *ctx, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(ctx->reason, ctx->n, format, ap);
	va_end(ap);
	return SRPLAT_EXIT_BAD_VALUE;
}

static int
check_endpoints(const struct ctx *ctx)
{
	struct srplat_opts *opts = ctx->opts;

	if (!opts->in)
		return refuse(ctx,
			"if= is missing: give a URL, a device or a file to "
			"read, or /dev/zero or /dev/urandom to write to of=");
	if (!opts->out)
		opts->out = "/dev/null";
	return 0;
}

static int
check_verify(const struct ctx *ctx)
{
	struct srplat_opts *opts = ctx->opts;

	if (!opts->verify)
		return opts->has_seed
			? refuse(ctx, "seed= is of the pattern of verify=: "
				      "allowed with verify=write or =read")
			: 0;
	if (opts->verify == SRPLAT_VERIFY_WRITE) {
		if (opts->in || !opts->out)
			return refuse(ctx,
				"verify=write writes a pattern of its own to "
				"of= and reads that back: give of= and leave "
				"if= out");
		opts->in = "pattern";
	} else if (!opts->in ||
		(opts->out && strcmp(opts->out, "/dev/null") != 0)) {
		return refuse(ctx,
			"verify=read only checks what is in if=: give if= and "
			"leave of= out");
	}
	return opts->sweep.by
		? refuse(ctx, "verify= and sweep= exclude each other: give "
			      "one of them")
		: 0;
}

static int
check_load(const struct ctx *ctx)
{
	struct srplat_opts *opts = ctx->opts;
	enum srplat_sweep_by by = opts->sweep.by;

	if (by == SRPLAT_SWEEP_DEPTH && opts->depth)
		return refuse(ctx,
			"depth= and sweep=depth: exclude each other: give one "
			"of them");
	if (by == SRPLAT_SWEEP_RATE && opts->rate)
		return refuse(ctx,
			"rate= and sweep=rate: exclude each other: give one "
			"of them");
	if (opts->has_late && !opts->rate && by != SRPLAT_SWEEP_RATE)
		return refuse(ctx,
			"late= says when a send of rate= is missed: give "
			"rate= or sweep=rate: too");
	if (by == SRPLAT_SWEEP_DEPTH)
		opts->depth = (unsigned int)opts->sweep.points[
			opts->sweep.nr - 1];
	else if (!opts->depth)
		opts->depth = 1;
	return 0;
}

int
srplat_opts_check(struct srplat_opts *opts, char *reason, size_t n)
{
	struct ctx ctx = { opts, reason, n };
	int rc = check_verify(&ctx);

	if (!rc)
		rc = check_endpoints(&ctx);
	if (!rc)
		rc = check_load(&ctx);
	if (!rc && opts->wants_histogram &&
		opts->output != SRPLAT_OUTPUT_JSON && !opts->html_path)
		rc = refuse(&ctx,
			"histogram=yes is for JSON: give output=json too");
	/* The page draws them; of a sweep it has the points. */
	if (opts->html_path && !opts->sweep.by)
		opts->wants_histogram = true;
	return rc;
}

static int
resolve_size(const struct ctx *ctx, struct parse_limits limits,
	const char *text, uint64_t *out)
{
	if (text && parse_size(text, &limits, out, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	return 0;
}
static int
to_bytes(const struct ctx *ctx, const char *key, bool is_bytes, uint64_t *value)
{
	if (is_bytes)
		return 0;
	if (__builtin_mul_overflow(*value, ctx->opts->bs, value) ||
		*value > INT64_MAX)
		return refuse(ctx,
			"%s= times bs= is out of range: allowed is less than "
			"2^63 bytes",
			key);
	return 0;
}

/* count=, in records unless iflag=count_bytes. */
static void
resolve_count(struct srplat_opts *opts)
{
	if (!opts->count_text) {
		opts->count = SRPLAT_FOREVER;
	} else if (opts->iflags & SRPLAT_FLAG_COUNT_BYTES) {
		opts->tail_bytes = opts->count % opts->bs;
		opts->count /= opts->bs;
	}
}

int
srplat_opts_resolve(struct srplat_opts *opts, uint32_t in_block,
	uint32_t out_block, char *reason, size_t n)
{
	struct ctx ctx = { opts, reason, n };
	uint64_t block = max(in_block, out_block);

	/* 520-byte blocks: 512 is no multiple, and 520 is what is meant. */
	opts->bs = max_t(uint64_t, block, DEFAULT_BS);
	opts->tail_bytes = 0;
	opts->count = opts->in_offset = opts->out_offset = 0;
	if (resolve_size(&ctx,
		    (struct parse_limits){ "bs", 1, SRPLAT_MAX_BS, { block } },
		    opts->bs_text, &opts->bs) ||
		resolve_size(&ctx,
			(struct parse_limits){ "count", 0, INT64_MAX,
				{ block } },
			opts->count_text, &opts->count) ||
		resolve_size(&ctx,
			(struct parse_limits){ "skip", 0, INT64_MAX,
				{ block } },
			opts->skip_text, &opts->in_offset) ||
		resolve_size(&ctx,
			(struct parse_limits){ "seek", 0, INT64_MAX,
				{ block } },
			opts->seek_text, &opts->out_offset))
		return SRPLAT_EXIT_BAD_VALUE;
	resolve_count(opts);
	if (to_bytes(&ctx, "skip", opts->iflags & SRPLAT_FLAG_SKIP_BYTES,
		    &opts->in_offset))
		return SRPLAT_EXIT_BAD_VALUE;
	return to_bytes(&ctx, "seek", opts->oflags & SRPLAT_FLAG_SEEK_BYTES,
		&opts->out_offset);
}
