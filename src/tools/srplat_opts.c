/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_opts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <srpi/srpi.h>

#include "util/clock.h"
#include "util/compiler.h"
#include "util/parse.h"

#define MAX_NAME 32
#define MAX_NAMES 128

/* One call's context, so that the operands' parsers stay short. */
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

/* From the parsers' -errno, which has left its sentence, to ours. */
static int
bad_if(int rc)
{
	return rc ? SRPLAT_EXIT_BAD_VALUE : 0;
}

static int
set_in(struct ctx *ctx, const char *value)
{
	ctx->opts->in = value;
	return *value ? 0
		      : refuse(ctx,
				"if= is empty: allowed are a URL, a device, a "
				"file, /dev/zero and /dev/urandom");
}

static int
set_out(struct ctx *ctx, const char *value)
{
	ctx->opts->out = value;
	return *value ? 0
		      : refuse(ctx,
				"of= is empty: allowed are a URL, a device, a "
				"file and /dev/null");
}

static const struct parse_limits bs_limits = {
	.key = "bs",
	.min = 1,
	.max = SRPLAT_MAX_BS,
};
static const struct parse_limits count_limits = {
	.key = "count",
	.max = INT64_MAX,
};
static const struct parse_limits skip_limits = {
	.key = "skip",
	.max = INT64_MAX,
};
static const struct parse_limits seek_limits = {
	.key = "seek",
	.max = INT64_MAX,
};

/* Keep the text for srplat_opts_resolve(); complain of its form now. */
static int
check_size(const struct ctx *ctx, const struct parse_limits *limits,
	const char *value, const char **text)
{
	uint64_t ignored;

	*text = value;
	return bad_if(
		parse_size(value, limits, &ignored, ctx->reason, ctx->n));
}

static int
set_bs(struct ctx *ctx, const char *value)
{
	return check_size(ctx, &bs_limits, value, &ctx->opts->bs_text);
}

static int
set_count(struct ctx *ctx, const char *value)
{
	return check_size(ctx, &count_limits, value, &ctx->opts->count_text);
}

static int
set_skip(struct ctx *ctx, const char *value)
{
	return check_size(ctx, &skip_limits, value, &ctx->opts->skip_text);
}

static int
set_seek(struct ctx *ctx, const char *value)
{
	return check_size(ctx, &seek_limits, value, &ctx->opts->seek_text);
}

struct flag_name {
	const char *names[8]; /* ends with NULL; index i means bits[i] */
	unsigned int bits[8];
};

/* word[,word]... to bits */
static int
set_flags(const struct ctx *ctx, const char *key, const char *value,
	const struct flag_name *table, unsigned int *flags)
{
	char word[MAX_NAME];
	size_t len;
	int index;

	for (;; value += len + 1) {
		len = strcspn(value, ",");
		snprintf(word, sizeof(word), "%.*s",
			(int)(len < sizeof(word) ? len : sizeof(word) - 1),
			value);
		if (parse_enum(key, word, table->names, &index, ctx->reason,
			    ctx->n))
			return SRPLAT_EXIT_BAD_VALUE;
		*flags |= table->bits[index];
		if (!value[len])
			return 0;
	}
}

static const struct flag_name iflag_table = {
	{ "direct", "fullblock", "count_bytes", "skip_bytes", NULL },
	{ SRPLAT_FLAG_DIRECT, 0, SRPLAT_FLAG_COUNT_BYTES,
		SRPLAT_FLAG_SKIP_BYTES },
};
static const struct flag_name oflag_table = {
	{ "direct", "dsync", "sync", "seek_bytes", NULL },
	{ SRPLAT_FLAG_DIRECT, SRPLAT_FLAG_SYNC, SRPLAT_FLAG_SYNC,
		SRPLAT_FLAG_SEEK_BYTES },
};
static const struct flag_name conv_table = {
	{ "fsync", "fdatasync", "notrunc", NULL },
	{ SRPLAT_CONV_FSYNC, SRPLAT_CONV_FDATASYNC, SRPLAT_CONV_NOTRUNC },
};

static int
set_iflag(struct ctx *ctx, const char *value)
{
	return set_flags(
		ctx, "iflag", value, &iflag_table, &ctx->opts->iflags);
}

static int
set_oflag(struct ctx *ctx, const char *value)
{
	return set_flags(
		ctx, "oflag", value, &oflag_table, &ctx->opts->oflags);
}

static int
set_conv(struct ctx *ctx, const char *value)
{
	return set_flags(ctx, "conv", value, &conv_table, &ctx->opts->conv);
}

static int
set_status(struct ctx *ctx, const char *value)
{
	static const char *const names[] = { "none", "noxfer", "progress",
		NULL };
	int index;

	if (parse_enum("status", value, names, &index, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	ctx->opts->status = (enum srplat_status)(SRPLAT_STATUS_NONE + index);
	return 0;
}

static int
set_completion(struct ctx *ctx, const char *value)
{
	const char *names[SRPI_NR_COMPLETIONS + 1];
	int i, index;

	/* Index 0 of the library's names is the default; "all" goes there. */
	names[0] = "all";
	for (i = 1; i < SRPI_NR_COMPLETIONS; i++)
		names[i] = srpi_completion_name((enum srpi_completion)i);
	names[i] = NULL;
	if (parse_enum("completion", value, names, &index, ctx->reason,
		    ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	ctx->opts->completion = index ? index : SRPLAT_COMPLETION_ALL;
	ctx->opts->has_completion = true;
	return 0;
}

static int
set_small(const struct ctx *ctx, const struct parse_limits *limits,
	const char *value, unsigned int *out)
{
	uint64_t number;

	if (parse_u64(value, limits, &number, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	*out = (unsigned int)number;
	return 0;
}

static int
set_depth(struct ctx *ctx, const char *value)
{
	static const struct parse_limits limits = {
		.key = "depth",
		.min = 1,
		.max = SRPLAT_MAX_DEPTH,
	};

	return set_small(ctx, &limits, value, &ctx->opts->depth);
}

static int
set_rounds(struct ctx *ctx, const char *value)
{
	static const struct parse_limits limits = {
		.key = "rounds",
		.min = 1,
		.max = 1000,
	};

	return set_small(ctx, &limits, value, &ctx->opts->rounds);
}

static int
set_warmup(struct ctx *ctx, const char *value)
{
	struct parse_limits limits = { .key = "warmup", .max = INT64_MAX };

	ctx->opts->has_warmup = true;
	/* A bare number counts I/Os, one with a unit is a time. */
	if (*value && !value[strspn(value, "0123456789")])
		return bad_if(parse_u64(value, &limits,
			&ctx->opts->warmup_records, ctx->reason, ctx->n));
	limits.max = 3600 * CLOCK_NS_PER_SEC;
	if (parse_duration_ns(
		    value, &limits, &ctx->opts->warmup_ns, ctx->reason, ctx->n))
		return refuse(ctx,
			"warmup=%s is neither a number of I/Os nor a "
			"duration: allowed are 1000 or 2s and the like, up to "
			"1h",
			value);
	return 0;
}

static int
set_runtime(struct ctx *ctx, const char *value)
{
	struct parse_limits limits = {
		.key = "runtime",
		.min = CLOCK_NS_PER_MSEC,
		.max = 7 * 24 * 3600 * CLOCK_NS_PER_SEC,
		.unit_ns = CLOCK_NS_PER_SEC,
	};

	return bad_if(parse_duration_ns(value, &limits, &ctx->opts->runtime_ns,
		ctx->reason, ctx->n));
}

static int
set_pattern(struct ctx *ctx, const char *value)
{
	static const char *const names[] = { "seq", "rand", NULL };
	int index;

	if (parse_enum("pattern", value, names, &index, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	ctx->opts->pattern = (enum srplat_pattern)index;
	return 0;
}

static int
set_output(struct ctx *ctx, const char *value)
{
	static const char *const names[] = { "table", "json", "html:FILE",
		NULL };
	static const char html[] = "html:";
	int index;

	if (strncmp(value, html, sizeof(html) - 1) == 0 &&
		value[sizeof(html) - 1]) {
		ctx->opts->html_path = value + sizeof(html) - 1;
		return 0;
	}
	if (parse_enum("output", value, names, &index, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	ctx->opts->output = (enum srplat_output)index;
	return 0;
}

static int
set_rate(struct ctx *ctx, const char *value)
{
	return bad_if(srplat_rate_parse(
		value, &ctx->opts->rate, ctx->reason, ctx->n));
}

static int
set_sweep(struct ctx *ctx, const char *value)
{
	return bad_if(srplat_sweep_parse(
		value, &ctx->opts->sweep, ctx->reason, ctx->n));
}

static int
set_threshold(struct ctx *ctx, const char *value)
{
	return bad_if(srplat_limits_parse(
		value, &ctx->opts->limits, ctx->reason, ctx->n));
}

static int
set_time(const struct ctx *ctx, const char *key, const char *value,
	uint64_t *out)
{
	struct parse_limits limits = {
		.key = key,
		.min = 1,
		.max = 3600 * CLOCK_NS_PER_SEC,
	};

	return bad_if(
		parse_duration_ns(value, &limits, out, ctx->reason, ctx->n));
}

static int
set_late(struct ctx *ctx, const char *value)
{
	ctx->opts->has_late = true;
	return set_time(ctx, "late", value, &ctx->opts->late_ns);
}

static int
set_slow(struct ctx *ctx, const char *value)
{
	return set_time(ctx, "slow", value, &ctx->opts->slow_ns);
}

static int
set_verify(struct ctx *ctx, const char *value)
{
	static const char *const names[] = { "write", "read", NULL };
	int index;

	if (parse_enum("verify", value, names, &index, ctx->reason, ctx->n))
		return SRPLAT_EXIT_BAD_VALUE;
	ctx->opts->verify =
		index ? SRPLAT_VERIFY_READ : SRPLAT_VERIFY_WRITE;
	return 0;
}

static int
set_seed(struct ctx *ctx, const char *value)
{
	static const struct parse_limits limits = {
		.key = "seed",
		.max = INT64_MAX,
	};

	ctx->opts->has_seed = true;
	return bad_if(parse_u64(
		value, &limits, &ctx->opts->seed, ctx->reason, ctx->n));
}

static int
set_stages(struct ctx *ctx, const char *value)
{
	return bad_if(parse_bool("stages", value, &ctx->opts->wants_stages,
		ctx->reason, ctx->n));
}

static int
set_histogram(struct ctx *ctx, const char *value)
{
	return bad_if(parse_bool("histogram", value,
		&ctx->opts->wants_histogram, ctx->reason, ctx->n));
}

struct operand {
	const char *name;
	int (*set)(struct ctx *ctx, const char *value);
};

static const struct operand operands[] = {
	{ "if", set_in },
	{ "of", set_out },
	{ "bs", set_bs },
	{ "count", set_count },
	{ "skip", set_skip },
	{ "seek", set_seek },
	{ "iflag", set_iflag },
	{ "oflag", set_oflag },
	{ "conv", set_conv },
	{ "status", set_status },
	{ "completion", set_completion },
	{ "depth", set_depth },
	{ "rounds", set_rounds },
	{ "warmup", set_warmup },
	{ "runtime", set_runtime },
	{ "pattern", set_pattern },
	{ "output", set_output },
	{ "rate", set_rate },
	{ "late", set_late },
	{ "sweep", set_sweep },
	{ "threshold", set_threshold },
	{ "verify", set_verify },
	{ "seed", set_seed },
	{ "stages", set_stages },
	{ "slow", set_slow },
	{ "histogram", set_histogram },
};

static const struct operand *
find_operand(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(operands); i++)
		if (strlen(operands[i].name) == len &&
			memcmp(operands[i].name, name, len) == 0)
			return &operands[i];
	return NULL;
}

static const struct srpi_key *
find_key(const char *name, size_t len)
{
	unsigned int nr, i;
	const struct srpi_key *keys = srpi_keys(&nr);

	for (i = 0; i < nr; i++)
		if (strlen(keys[i].name) == len &&
			memcmp(keys[i].name, name, len) == 0)
			return &keys[i];
	return NULL;
}

static int
refuse_operand(const struct ctx *ctx, const char *arg, size_t len)
{
	const char *names[MAX_NAMES + 1];
	const char *nearest;
	char name[MAX_NAME];
	unsigned int nr_keys, i;
	const struct srpi_key *keys = srpi_keys(&nr_keys);
	size_t nr = 0;

	for (i = 0; i < ARRAY_SIZE(operands); i++)
		names[nr++] = operands[i].name;
	for (i = 0; i < nr_keys && nr < MAX_NAMES; i++)
		names[nr++] = keys[i].name;
	names[nr] = NULL;
	snprintf(name, sizeof(name), "%.*s",
		(int)(len < sizeof(name) ? len : sizeof(name) - 1), arg);
	nearest = parse_nearest(name, names);
	return refuse(ctx,
		"unknown operand %s=: %s%s%s", name,
		nearest ? "did you mean " : "'srplat --help' lists what is "
					    "allowed",
		nearest ? nearest : "",
		nearest ? "=? ('srplat --help' lists what is allowed)" : "");
}

static int
add_key(struct ctx *ctx, const struct srpi_key *key, const char *value)
{
	struct srplat_opts *opts = ctx->opts;

	if (opts->nr_keys == SRPLAT_MAX_KEYS)
		return refuse(ctx, "more than %d keys of the initiator given",
			SRPLAT_MAX_KEYS);
	opts->keys[opts->nr_keys++] = (struct srplat_key){ key->name, value };
	return 0;
}

static int
parse_operand(struct ctx *ctx, const char *arg)
{
	const struct operand *operand;
	const struct srpi_key *key;
	const char *value;
	size_t len;

	if (parse_key_value(arg, &len, &value))
		return refuse(ctx,
			"'%s' is not an operand: allowed is name=value, such "
			"as if=demo://ram bs=4k count=1000",
			arg);
	operand = find_operand(arg, len);
	if (operand)
		return operand->set(ctx, value);
	key = find_key(arg, len);
	if (key)
		return add_key(ctx, key, value);
	return refuse_operand(ctx, arg, len);
}

static int
parse_option(struct ctx *ctx, const char *arg)
{
	if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)
		ctx->opts->wants_help = true;
	else if (strcmp(arg, "--version") == 0 || strcmp(arg, "-V") == 0)
		ctx->opts->wants_version = true;
	else if (strcmp(arg, "--json") == 0)
		ctx->opts->output = SRPLAT_OUTPUT_JSON;
	else {
		refuse(ctx,
			"unknown option %s: allowed are --help, --version and "
			"--json, all else is name=value",
			arg);
		return SRPLAT_EXIT_USAGE;
	}
	return 0;
}

int
srplat_opts_parse(struct srplat_opts *opts, int argc, char *const *argv,
	char *reason, size_t n)
{
	struct ctx ctx = { opts, reason, n };
	int i, rc;

	memset(opts, 0, sizeof(*opts));
	opts->nr_words = argc;
	opts->words = argv;
	/* Every word is read before complaining, so that errors can go into
	 * a JSON object wherever output=json stands: the first one counts. */
	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "output=json") == 0 ||
			strcmp(argv[i], "--json") == 0)
			opts->output = SRPLAT_OUTPUT_JSON;
	for (i = 1; i < argc; i++) {
		rc = argv[i][0] == '-' ? parse_option(&ctx, argv[i])
				       : parse_operand(&ctx, argv[i]);
		if (rc)
			return rc;
	}
	if (opts->wants_help || opts->wants_version)
		return 0;
	return srplat_opts_check(opts, reason, n);
}
