/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_area.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"

struct ctx {
	const struct srplat_opts *opts;
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

/* @what and the number are the beginning of the sentence: "bs=", 512. */
static int
check_block(const struct ctx *ctx, const struct srplat_src *src,
	const char *what, uint64_t value)
{
	uint32_t block = src->block_bytes;

	if (!block || value % block == 0)
		return 0;
	return refuse(ctx,
		"%s%" PRIu64 " is not a multiple of the block size of %s, "
		"which is %" PRIu32 " bytes: allowed are %" PRIu64 ", %" PRIu64
		" and so on",
		what, value, src->name, block, (uint64_t)block,
		2 * (uint64_t)block);
}

/* One end: alignment of records and of where they begin, and the beginning. */
static int
check_end(const struct ctx *ctx, const struct srplat_src *src, const char *key,
	uint64_t offset)
{
	char what[32];
	int rc = check_block(ctx, src, "bs=", ctx->opts->bs);

	snprintf(what, sizeof(what), "%s= at byte ", key);
	if (!rc)
		rc = check_block(ctx, src, what, offset);
	if (!rc && offset > src->bytes)
		rc = refuse(ctx,
			"%s= begins at byte %" PRIu64 ", past the end of %s, "
			"which has %" PRIu64 " bytes",
			key, offset, src->name, src->bytes);
	return rc;
}

static uint64_t
left_after(const struct srplat_src *src, uint64_t offset)
{
	return src->bytes == SRPLAT_FOREVER ? SRPLAT_FOREVER
					    : src->bytes - offset;
}

static int
check_protection(const struct ctx *ctx, const struct srplat_src *in,
	const struct srplat_src *out)
{
	if (out->flags & SRPLAT_SRC_READ_ONLY)
		return refuse(ctx,
			"of=%s is write protected: nothing was written",
			out->name);
	if (srplat_src_is_active(in) && srplat_src_is_active(out) &&
		ctx->opts->pattern == SRPLAT_PATTERN_RAND)
		return refuse(ctx,
			"pattern=rand would copy records to where they do not "
			"belong: allowed with of=/dev/null or with "
			"if=/dev/zero or if=/dev/urandom");
	return 0;
}

/* A file that is read simply ends, as for dd; a device is asked in vain. */
static int
refuse_range(const struct ctx *ctx, const struct srplat_src *in,
	const struct srplat_src *out)
{
	bool is_in = left_after(in, ctx->opts->in_offset) <=
		left_after(out, ctx->opts->out_offset);
	const struct srplat_src *src = is_in ? in : out;
	uint64_t left = left_after(src,
		is_in ? ctx->opts->in_offset : ctx->opts->out_offset);

	return refuse(ctx,
		"count=%s is past the end: %s has %" PRIu64 " bytes, so "
		"allowed is up to %" PRIu64 " records of %" PRIu64
		" bytes after %s=",
		ctx->opts->count_text, src->name, src->bytes,
		left / ctx->opts->bs, ctx->opts->bs, is_in ? "skip" : "seek");
}

/* The bytes that count= asks for; SRPLAT_FOREVER without, or if too many. */
static uint64_t
wanted_bytes(const struct srplat_opts *opts)
{
	uint64_t bytes;

	if (opts->count == SRPLAT_FOREVER ||
		__builtin_mul_overflow(opts->count, opts->bs, &bytes) ||
		__builtin_add_overflow(bytes, opts->tail_bytes, &bytes))
		return SRPLAT_FOREVER;
	return bytes;
}

static void
set_length(struct srplat_area *area, uint64_t bytes, uint64_t bs)
{
	area->nr_records = bytes / bs;
	area->tail_bytes = (uint32_t)(bytes % bs);
	if (area->tail_bytes)
		area->nr_records++;
}

static int
init_seq(struct srplat_area *area, const struct ctx *ctx,
	const struct srplat_src *in, const struct srplat_src *out,
	uint64_t left)
{
	const struct srplat_opts *opts = ctx->opts;
	uint64_t bytes = wanted_bytes(opts);

	if (opts->count_text && bytes > left) {
		if (in->kind != SRPLAT_KIND_FILE ||
			left != left_after(in, opts->in_offset))
			return refuse_range(ctx, in, out);
		bytes = left;
	} else if (!opts->count_text) {
		bytes = left;
		if (bytes == SRPLAT_FOREVER && !opts->runtime_ns)
			return refuse(ctx,
				"count= or runtime= is missing: neither %s "
				"nor %s has an end",
				in->name, out->name);
	}
	set_length(area, bytes, opts->bs);
	area->nr_wanted = area->nr_records;
	/* Without count= a run by time goes round and round. */
	if (!opts->count_text && opts->runtime_ns)
		area->nr_wanted = SRPLAT_FOREVER;
	return 0;
}

static int
init_rand(struct srplat_area *area, const struct ctx *ctx,
	const struct srplat_src *in, const struct srplat_src *out,
	uint64_t left)
{
	const struct srplat_opts *opts = ctx->opts;

	/* A file that is written has the length it had, or will have. */
	if (left == SRPLAT_FOREVER && (opts->conv & SRPLAT_CONV_NOTRUNC) &&
		out->file_bytes > opts->out_offset)
		left = out->file_bytes - opts->out_offset;
	if (left == SRPLAT_FOREVER)
		left = wanted_bytes(opts);
	if (left == SRPLAT_FOREVER)
		return refuse(ctx,
			"count= is missing: with pattern=rand it says how "
			"much of %s is written",
			out->name);
	area->nr_records = left / opts->bs;
	area->tail_bytes = 0;
	area->nr_wanted = opts->count;
	if (!opts->count_text && !opts->runtime_ns)
		area->nr_wanted = area->nr_records;
	if (area->nr_records || !area->nr_wanted)
		return 0;
	return refuse(ctx, "bs=%" PRIu64 " is more than all of %s: allowed is "
			   "up to %" PRIu64,
		opts->bs, srplat_src_is_active(in) ? in->name : out->name,
		left);
}

/* The tail must be whole blocks, which only a file's length may prevent. */
static int
check_tail(const struct ctx *ctx, const struct srplat_area *area,
	const struct srplat_src *in, const struct srplat_src *out)
{
	const char *what = ctx->opts->tail_bytes
		? "the rest of count= in bytes, "
		: "the length of the input's last record, ";
	int rc = check_block(ctx, in, what, area->tail_bytes);

	return rc ? rc : check_block(ctx, out, what, area->tail_bytes);
}

int
srplat_area_init(struct srplat_area *area, const struct srplat_opts *opts,
	const struct srplat_src *in, const struct srplat_src *out, char *reason,
	size_t n)
{
	struct ctx ctx = { opts, reason, n };
	uint64_t left;
	int rc;

	memset(area, 0, sizeof(*area));
	area->in_offset = opts->in_offset;
	area->out_offset = opts->out_offset;
	area->record_bytes = (uint32_t)opts->bs;
	area->pattern = opts->pattern;
	rc = check_end(&ctx, in, "skip", opts->in_offset);
	if (!rc)
		rc = check_end(&ctx, out, "seek", opts->out_offset);
	if (!rc)
		rc = check_protection(&ctx, in, out);
	if (rc)
		return rc;
	left = min(left_after(in, opts->in_offset),
		left_after(out, opts->out_offset));
	rc = opts->pattern == SRPLAT_PATTERN_RAND
		? init_rand(area, &ctx, in, out, left)
		: init_seq(area, &ctx, in, out, left);
	return rc ? rc : check_tail(&ctx, area, in, out);
}
