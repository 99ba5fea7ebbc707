/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_opts.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tools/srpmatrix_published.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/parse.h"

#define MAX_WORD 32
#define MAX_BS ((uint64_t)64 << 20)

/* What the lists say, until rows are made of them. */
struct lists {
	unsigned int nr_bs, nr_jobs;
	uint64_t bs[SRPMATRIX_MAX_LIST];
	uint64_t jobs[SRPMATRIX_MAX_LIST];
};

/* One option: its value in, an enum srpmatrix_exit out. */
struct ctx {
	struct srpmatrix_opts *opts;
	struct lists lists;
	const char *key;
	char *reason;
	size_t n;
};

static int
bad(const struct ctx *ctx, const char *value, const char *allowed)
{
	snprintf(ctx->reason, ctx->n, "%s %s: %s", ctx->key, value, allowed);
	return SRPMATRIX_EXIT_BAD_VALUE;
}

static int
bad_if(int rc)
{
	return rc ? SRPMATRIX_EXIT_BAD_VALUE : 0;
}

/* The next word of a list with commas; false at its end. Cuts long ones. */
static bool
next_word(const char **list, char *word)
{
	size_t len;

	if (!*list)
		return false;
	len = strcspn(*list, ",");
	snprintf(word, MAX_WORD, "%.*s", (int)min_t(size_t, len, MAX_WORD),
		*list);
	*list = (*list)[len] ? *list + len + 1 : NULL;
	return true;
}

typedef int (*parse_fn)(const char *text, const struct parse_limits *limits,
	uint64_t *out, char *reason, size_t n);

/* Numbers with commas between; one given twice counts once. */
static int
set_numbers(const struct ctx *ctx, const char *list, parse_fn parse,
	const struct parse_limits *limits, uint64_t *out, unsigned int *nr)
{
	char word[MAX_WORD];
	uint64_t number;
	unsigned int i;

	for (*nr = 0; next_word(&list, word);) {
		if (parse(word, limits, &number, ctx->reason, ctx->n))
			return SRPMATRIX_EXIT_BAD_VALUE;
		for (i = 0; i < *nr && out[i] != number; i++)
			;
		if (i < *nr)
			continue;
		if (*nr == SRPMATRIX_MAX_LIST)
			return bad(ctx, word, "a list has 16 numbers at most");
		out[(*nr)++] = number;
	}
	return 0;
}

static int
set_target(struct ctx *ctx, const char *value)
{
	ctx->opts->target = value;
	return *value ? 0 : bad(ctx, "''", "a URL, such as demo://ram");
}

static int
set_bs(struct ctx *ctx, const char *value)
{
	const struct parse_limits limits = { .key = ctx->key, .min = 1,
		.max = MAX_BS };

	return set_numbers(ctx, value, parse_size, &limits, ctx->lists.bs,
		&ctx->lists.nr_bs);
}

static int
set_jobs(struct ctx *ctx, const char *value)
{
	const struct parse_limits limits = { .key = ctx->key, .min = 1,
		.max = SRPMATRIX_MAX_JOBS };

	return set_numbers(ctx, value, parse_u64, &limits, ctx->lists.jobs,
		&ctx->lists.nr_jobs);
}

static void
add_mode(struct srpmatrix_opts *opts, const char *name, bool is_kernel)
{
	unsigned int i;

	for (i = 0; i < opts->nr_modes; i++)
		if (strcmp(opts->modes[i].name, name) == 0)
			return;
	opts->modes[opts->nr_modes++] =
		(struct srpmatrix_mode){ name, is_kernel };
}

/* Of the library's modes those that this machine can run. */
static void
add_all_modes(struct srpmatrix_opts *opts)
{
	int i;

	for (i = SRPI_COMPLETION_INLINE; i < SRPI_NR_COMPLETIONS; i++)
		if (!srpi_completion_available((enum srpi_completion)i))
			add_mode(opts,
				srpi_completion_name((enum srpi_completion)i),
				false);
}

static int
add_named_mode(const struct ctx *ctx, const char *word)
{
	const char *names[SRPI_NR_COMPLETIONS + 1];
	int i, index;

	names[0] = "all"; /* index 0 of the library's names is the default */
	for (i = 1; i < SRPI_NR_COMPLETIONS; i++)
		names[i] = srpi_completion_name((enum srpi_completion)i);
	names[i] = NULL;
	if (parse_enum(ctx->key, word, names, &index, ctx->reason, ctx->n))
		return SRPMATRIX_EXIT_BAD_VALUE;
	if (!index)
		add_all_modes(ctx->opts);
	else if (srpi_completion_available((enum srpi_completion)index))
		return bad(ctx, word, "this machine can not run that mode");
	else
		add_mode(ctx->opts, names[index], false);
	return 0;
}

static int
set_completion(struct ctx *ctx, const char *value)
{
	char word[MAX_WORD];
	int rc = 0;

	ctx->opts->nr_modes = 0;
	while (!rc && next_word(&value, word))
		rc = add_named_mode(ctx, word);
	return rc;
}

static int
set_rw(struct ctx *ctx, const char *value)
{
	static const char *const names[] = { "read", "write", "randread",
		"randwrite", "rw", "randrw", NULL };
	int index;

	if (parse_enum(ctx->key, value, names, &index, ctx->reason, ctx->n))
		return SRPMATRIX_EXIT_BAD_VALUE;
	ctx->opts->rw = names[index];
	return 0;
}

static int
set_time(const struct ctx *ctx, const char *value, uint64_t least,
	uint64_t *out)
{
	const struct parse_limits limits = {
		.key = ctx->key,
		.min = least,
		.max = 24 * 3600 * CLOCK_NS_PER_SEC,
		.unit_ns = CLOCK_NS_PER_SEC,
	};

	return bad_if(parse_duration_ns(
		value, &limits, out, ctx->reason, ctx->n));
}

static int
set_runtime(struct ctx *ctx, const char *value)
{
	return set_time(ctx, value, 10 * CLOCK_NS_PER_MSEC,
		&ctx->opts->runtime_ns);
}

static int
set_warmup(struct ctx *ctx, const char *value)
{
	return set_time(ctx, value, 0, &ctx->opts->warmup_ns);
}

static int
set_small(const struct ctx *ctx, const char *value, uint64_t most,
	unsigned int *out)
{
	const struct parse_limits limits = { .key = ctx->key, .min = 1,
		.max = most };
	uint64_t number;

	if (parse_u64(value, &limits, &number, ctx->reason, ctx->n))
		return SRPMATRIX_EXIT_BAD_VALUE;
	*out = (unsigned int)number;
	return 0;
}

static int
set_rounds(struct ctx *ctx, const char *value)
{
	return set_small(
		ctx, value, SRPMATRIX_MAX_ROUNDS, &ctx->opts->rounds);
}

static int
set_depth(struct ctx *ctx, const char *value)
{
	return set_small(ctx, value, 1024, &ctx->opts->depth);
}

static int
set_path(const struct ctx *ctx, const char *value, const char **out)
{
	*out = value;
	return *value ? 0 : bad(ctx, "''", "a path is needed");
}

static int
set_compare(struct ctx *ctx, const char *value)
{
	return set_path(ctx, value, &ctx->opts->compare);
}

static int
set_html(struct ctx *ctx, const char *value)
{
	return set_path(ctx, value, &ctx->opts->html);
}

static int
set_fio(struct ctx *ctx, const char *value)
{
	return set_path(ctx, value, &ctx->opts->fio);
}

static int
set_engine(struct ctx *ctx, const char *value)
{
	return set_path(ctx, value, &ctx->opts->engine);
}

static const struct {
	const char *name; /* with its dashes, for messages */
	int (*set)(struct ctx *ctx, const char *value);
} settings[] = {
	{ "--target", set_target },
	{ "--bs", set_bs },
	{ "--jobs", set_jobs },
	{ "--completion", set_completion },
	{ "--rw", set_rw },
	{ "--runtime", set_runtime },
	{ "--warmup", set_warmup },
	{ "--rounds", set_rounds },
	{ "--depth", set_depth },
	{ "--compare", set_compare },
	{ "--html", set_html },
	{ "--fio", set_fio },
	{ "--engine", set_engine },
};

enum flag {
	FLAG_PUBLISHED = 256,
	FLAG_JSON,
	FLAG_THREADS,
	FLAG_FORK,
	FLAG_HELP,
	FLAG_VERSION,
};

static const struct option flags[] = {
	{ "published", no_argument, NULL, FLAG_PUBLISHED },
	{ "json", no_argument, NULL, FLAG_JSON },
	{ "threads", no_argument, NULL, FLAG_THREADS },
	{ "fork", no_argument, NULL, FLAG_FORK },
	{ "help", no_argument, NULL, FLAG_HELP },
	{ "version", no_argument, NULL, FLAG_VERSION },
	{ NULL, 0, NULL, 0 },
};

#define NR_OPTIONS (ARRAY_SIZE(settings) + ARRAY_SIZE(flags))

static void
make_options(struct option *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		out[i] = (struct option){ settings[i].name + 2,
			required_argument, NULL, (int)i };
	memcpy(&out[i], flags, sizeof(flags));
}

static int
on_option(struct ctx *ctx, int option, const char *value)
{
	struct srpmatrix_opts *opts = ctx->opts;

	switch (option) {
	case FLAG_PUBLISHED:
		opts->wants_published = true;
		return 0;
	case FLAG_JSON:
		opts->wants_json = true;
		return 0;
	case FLAG_THREADS:
	case FLAG_FORK:
		opts->is_forked = option == FLAG_FORK;
		return 0;
	case FLAG_HELP:
		opts->wants_help = true;
		return 0;
	case FLAG_VERSION:
		opts->wants_version = true;
		return 0;
	default:
		ctx->key = settings[option].name;
		return settings[option].set(ctx, value);
	}
}

/* The number of jobs where none was given: the published one. */
static void
take_published_jobs(struct lists *lists, uint64_t bs)
{
	size_t i;

	lists->nr_jobs = 0;
	for (i = 0; i < SRPMATRIX_NR_PUBLISHED; i++)
		if (srpmatrix_published[i].bs == bs)
			lists->jobs[lists->nr_jobs++] =
				srpmatrix_published[i].jobs;
	if (!lists->nr_jobs)
		lists->jobs[lists->nr_jobs++] = 1;
}

static void
take_published_bs(struct lists *lists)
{
	static const uint64_t bs[] = { 512, 4096, 65536, 524288 };

	memcpy(lists->bs, bs, sizeof(bs));
	lists->nr_bs = ARRAY_SIZE(bs);
}

/* Block sizes times jobs. */
static int
make_cells(struct ctx *ctx)
{
	struct srpmatrix_opts *opts = ctx->opts;
	struct lists *lists = &ctx->lists;
	bool has_jobs = lists->nr_jobs;
	unsigned int i, j;

	if (!lists->nr_bs)
		take_published_bs(lists);
	for (i = 0; i < lists->nr_bs; i++) {
		if (!has_jobs)
			take_published_jobs(lists, lists->bs[i]);
		for (j = 0; j < lists->nr_jobs; j++) {
			if (opts->nr_cells == SRPMATRIX_MAX_ROWS) {
				snprintf(ctx->reason, ctx->n,
					"--bs times --jobs make more than %d "
					"rows",
					SRPMATRIX_MAX_ROWS);
				return SRPMATRIX_EXIT_BAD_VALUE;
			}
			opts->cells[opts->nr_cells++] = (struct srpmatrix_cell){
				lists->bs[i], (unsigned int)lists->jobs[j]
			};
		}
	}
	return 0;
}

static int
finish(struct ctx *ctx)
{
	struct srpmatrix_opts *opts = ctx->opts;

	if (opts->wants_help || opts->wants_version)
		return 0;
	if (!opts->target) {
		snprintf(ctx->reason, ctx->n,
			"--target is missing; 'srpmatrix --help' shows all "
			"options");
		return SRPMATRIX_EXIT_BAD_VALUE;
	}
	if (!opts->nr_modes)
		add_all_modes(opts);
	if (opts->compare) {
		add_mode(opts, "libaio", true);
		add_mode(opts, "io_uring", true);
	}
	return make_cells(ctx);
}

static void
set_defaults(struct srpmatrix_opts *opts)
{
	memset(opts, 0, sizeof(*opts));
	opts->rw = "read";
	opts->runtime_ns = CLOCK_NS_PER_SEC;
	opts->warmup_ns = 200 * CLOCK_NS_PER_MSEC;
	opts->rounds = 6;
	opts->depth = 1;
}

/* So that an error before it is reported as an object too. */
static void
find_json(struct srpmatrix_opts *opts, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--json") == 0)
			opts->wants_json = true;
}

int
srpmatrix_opts_parse(struct srpmatrix_opts *opts, int argc, char **argv,
	char *reason, size_t n)
{
	struct option table[NR_OPTIONS];
	struct ctx ctx = { .opts = opts, .reason = reason, .n = n };
	int option, rc = 0;

	set_defaults(opts);
	find_json(opts, argc, argv);
	make_options(table);
	opterr = 0;
	optind = 0; /* also resets what glibc remembers of an earlier call */
	while (!rc && (option = getopt_long(argc, argv, ":", table, NULL)) >= 0) {
		if (option == '?' || option == ':') {
			snprintf(reason, n,
				"%s %s; 'srpmatrix --help' shows all options",
				option == '?' ? "unknown option" :
						"a value is missing for",
				argv[optind - 1]);
			return SRPMATRIX_EXIT_USAGE;
		}
		rc = on_option(&ctx, option, optarg);
	}
	if (!rc && optind < argc) {
		snprintf(reason, n,
			"'%s' is not an option: the target is given as "
			"--target URL",
			argv[optind]);
		return SRPMATRIX_EXIT_BAD_VALUE;
	}
	return rc ? rc : finish(&ctx);
}
