/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_opts.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "util/clock.h"
#include "util/compiler.h"
#include "util/parse.h"

#define TIMEOUT_NS (10 * CLOCK_NS_PER_SEC)
#define SLOW_TIMEOUT_NS (120 * CLOCK_NS_PER_SEC)

struct ctx {
	struct srpctl_opts *opts;
	char *reason;
	size_t n;
};

static int
duration(const struct ctx *ctx, const char *key, const char *value,
	uint64_t *ns)
{
	struct parse_limits limits = {
		.key = key,
		.min = CLOCK_NS_PER_MSEC,
		.max = 3600 * CLOCK_NS_PER_SEC,
		.unit_ns = CLOCK_NS_PER_SEC,
	};

	return parse_duration_ns(value, &limits, ns, ctx->reason, ctx->n);
}

static int
set_socket(const struct ctx *ctx, const char *value)
{
	ctx->opts->socket = value;
	if (*value)
		return 0;
	snprintf(ctx->reason, ctx->n, "--socket= is the path of a socket");
	return -EINVAL;
}

static int
set_timeout(const struct ctx *ctx, const char *value)
{
	return duration(ctx, "--timeout", value, &ctx->opts->timeout_ns);
}

static int
set_interval(const struct ctx *ctx, const char *value)
{
	return duration(ctx, "--interval", value, &ctx->opts->interval_ns);
}

static int
set_count(const struct ctx *ctx, const char *value)
{
	struct parse_limits limits = { .key = "--count", .max = UINT32_MAX };

	return parse_u64(value, &limits, &ctx->opts->count, ctx->reason,
		ctx->n);
}

static int
set_json(const struct ctx *ctx, const char *value)
{
	(void)value;
	ctx->opts->wants_json = true;
	return 0;
}

static int
set_help(const struct ctx *ctx, const char *value)
{
	(void)value;
	ctx->opts->wants_help = true;
	return 0;
}

static int
set_version(const struct ctx *ctx, const char *value)
{
	(void)value;
	ctx->opts->wants_version = true;
	return 0;
}

static const struct {
	const char *name;
	const char *value; /* NULL: takes none */
	int (*set)(const struct ctx *ctx, const char *value);
	const char *help;
} options[] = {
	{ "socket", "PATH", set_socket,
		"where srpd listens [" CTL_DEFAULT_SOCKET "]" },
	{ "timeout", "TIME", set_timeout,
		"wait so long for an answer [10s, 120s for a target]" },
	{ "json", NULL, set_json, "one JSON object instead of a table" },
	{ "interval", "TIME", set_interval, "top: between two looks [1s]" },
	{ "count", "N", set_count, "top: so many, then end [for ever]" },
	{ "help", NULL, set_help, "this text" },
	{ "version", NULL, set_version, "srpctl's own version" },
};

static void
make_long_options(struct option *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		out[i] = (struct option){
			.name = options[i].name,
			.has_arg = options[i].value ? required_argument :
						      no_argument,
			.val = (int)i,
		};
	memset(&out[i], 0, sizeof(out[i]));
}

static enum ctl_code
parse_options(const struct ctx *ctx, int argc, char **argv)
{
	struct option table[ARRAY_SIZE(options) + 1];
	int option;

	make_long_options(table);
	opterr = 0;
	optind = 0; /* also resets what glibc remembers of an earlier call */
	while ((option = getopt_long(argc, argv, ":", table, NULL)) >= 0) {
		if (option == '?' || option == ':') {
			snprintf(ctx->reason, ctx->n,
				"%s %s; srpctl --help shows all",
				option == ':' ? "a value is missing for" :
						"unknown option",
				argv[optind - 1]);
			return CTL_USAGE;
		}
		if (options[option].set(ctx, optarg))
			return CTL_BAD_VALUE;
	}
	return CTL_DONE;
}

static enum ctl_code
parse_command(const struct ctx *ctx, int argc, char **argv)
{
	struct srpctl_opts *opts = ctx->opts;

	if (!argc) {
		snprintf(ctx->reason, ctx->n,
			"which command? srpctl --help shows all");
		return CTL_USAGE;
	}
	opts->command = ctl_table_find(argv[0], ctx->reason, ctx->n);
	if (!opts->command)
		return CTL_USAGE;
	if (ctl_command_parse(opts->command, argc - 1, argv + 1, &opts->args,
		    ctx->reason, ctx->n))
		return CTL_BAD_VALUE;
	if (!opts->timeout_ns)
		opts->timeout_ns = opts->command->flags & CTL_SLOW ?
			SLOW_TIMEOUT_NS :
			TIMEOUT_NS;
	return CTL_DONE;
}

enum ctl_code
srpctl_opts_parse(struct srpctl_opts *opts, int argc, char **argv, char *reason,
	size_t n)
{
	struct ctx ctx = { .opts = opts, .reason = reason, .n = n };
	enum ctl_code code;

	memset(opts, 0, sizeof(*opts));
	opts->socket = CTL_DEFAULT_SOCKET;
	opts->interval_ns = CLOCK_NS_PER_SEC;
	code = parse_options(&ctx, argc, argv);
	if (code || opts->wants_help || opts->wants_version)
		return code;
	return parse_command(&ctx, argc - optind, argv + optind);
}

void
srpctl_opts_fini(struct srpctl_opts *opts)
{
	json_decref(opts->args);
	opts->args = NULL;
}

void
srpctl_opts_help(FILE *out)
{
	const struct ctl_command *commands;
	char form[64];
	size_t nr, i;

	fprintf(out,
		"Usage: srpctl [option...] COMMAND [operand...]\n"
		"Asks a running srpd and tells it what to do.\n\n");
	commands = ctl_table(&nr);
	for (i = 0; i < nr; i++) {
		ctl_command_format(&commands[i], form, sizeof(form));
		fprintf(out, "  %-21s %s\n", form, commands[i].help);
	}
	fputc('\n', out);
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		snprintf(form, sizeof(form), "--%s%s%s", options[i].name,
			options[i].value ? " " : "",
			options[i].value ? options[i].value : "");
		fprintf(out, "  %-21s %s\n", form, options[i].help);
	}
	fprintf(out,
		"\nTIME has a unit ns us ms s m h, or is in seconds.\n"
		"Exit: 0 done, 1 usage, 2 bad value, 3 srpd or target not "
		"reachable, 4 login\n"
		"refused, 5 I/O error, 6 limit.\n");
}
