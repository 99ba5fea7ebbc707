/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "bench/srpbench_opts.h"

#include <getopt.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/clock.h"
#include "util/compiler.h"
#include "softrdma/soft_dev.h"
#include "util/parse.h"

#include <srpi/srpi.h>

#define DEFAULT_RUNTIME_NS (2 * CLOCK_NS_PER_SEC)

const char *const srpbench_irqmodes[] = { "none", "softirq", "timer", "thread",
	NULL };

enum option_id {
	OPT_DEPTH,
	OPT_BS,
	OPT_RUNTIME,
	OPT_EXCHANGES,
	OPT_IRQMODE,
	OPT_COMPLETION_NSEC,
	OPT_TARGET,
	OPT_COMPLETION,
	OPT_JSON,
	OPT_CHECK,
	OPT_HELP,
};

static const struct option options[] = {
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "bs", required_argument, NULL, OPT_BS },
	{ "runtime", required_argument, NULL, OPT_RUNTIME },
	{ "exchanges", required_argument, NULL, OPT_EXCHANGES },
	{ "irqmode", required_argument, NULL, OPT_IRQMODE },
	{ "completion-nsec", required_argument, NULL, OPT_COMPLETION_NSEC },
	{ "target", required_argument, NULL, OPT_TARGET },
	{ "completion", required_argument, NULL, OPT_COMPLETION },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

enum srpbench_exit
srpbench_exit_code(int error)
{
	switch (-error) {
	case EINVAL:
		return SRPBENCH_BAD_VALUE;
	case ECONNREFUSED:
		return SRPBENCH_LOGIN_REFUSED;
	case EIO:
		return SRPBENCH_IO_ERROR;
	}
	return SRPBENCH_UNREACHABLE;
}

void
srpbench_own_target(const struct srpbench_opts *opts, char *url, size_t n)
{
	int len = snprintf(url, n, "demo://null?irqmode=%s",
		srpbench_irqmodes[opts->irqmode]);

	if (opts->irqmode == SOFT_IRQ_TIMER)
		snprintf(url + len, n - (size_t)len,
			"&completion_nsec=%" PRIu64, opts->completion_ns);
}

bool
srpbench_is_completion(const char *name)
{
	int i;

	for (i = SRPI_COMPLETION_INLINE; i < SRPI_NR_COMPLETIONS; i++)
		if (strcmp(name, srpi_completion_name(
					 (enum srpi_completion)i)) == 0)
			return true;
	fprintf(stderr, "srpbench: there is no completion mode \"%s\": "
			"allowed are inline, thread, poll, self, adaptive\n",
		name);
	return false;
}

void
srpbench_opts_help(void)
{
	printf("  --depth N            outstanding at once, 1..1024 (32)\n"
	       "  --bs BYTES           data of each, 0..16M (4k)\n"
	       "  --runtime SECONDS    how long (2)\n"
	       "  --exchanges N        stop after so many instead\n"
	       "  --irqmode MODE       none, softirq, timer or thread "
	       "(softirq)\n"
	       "  --completion-nsec N  delay of irqmode timer (10000)\n"
	       "  --target URL         what to read from, where it can be "
	       "chosen\n"
	       "  --completion MODE    not with pingpong: inline, thread, "
	       "poll, self or adaptive\n"
	       "  --check              with counts: exit 6 if there are "
	       "more than must be\n"
	       "  --json               one object on stdout\n"
	       "  --help, --version\n");
}

/* 0 or -errno with a sentence in @reason. */
static int
parse_value(enum option_id id, const char *text, struct srpbench_opts *opts,
	char *reason, size_t n)
{
	switch (id) {
	case OPT_DEPTH:
		return parse_u64(text,
			&(struct parse_limits){ "--depth", 1, 1024, { 0 } },
			&opts->depth, reason, n);
	case OPT_BS:
		return parse_size(text,
			&(struct parse_limits){ "--bs", 0, 16 << 20, { 0 } },
			&opts->bs_bytes, reason, n);
	case OPT_RUNTIME:
		return parse_duration_ns(text,
			&(struct parse_limits){ "--runtime", CLOCK_NS_PER_MSEC,
				86400 * CLOCK_NS_PER_SEC,
				{ .unit_ns = CLOCK_NS_PER_SEC } },
			&opts->runtime_ns, reason, n);
	case OPT_EXCHANGES:
		return parse_u64(text,
			&(struct parse_limits){ "--exchanges", 1, UINT64_MAX,
				{ 0 } },
			&opts->exchanges, reason, n);
	case OPT_COMPLETION_NSEC:
		return parse_u64(text,
			&(struct parse_limits){ "--completion-nsec", 0,
				CLOCK_NS_PER_SEC, { 0 } },
			&opts->completion_ns, reason, n);
	case OPT_IRQMODE:
		return parse_enum("--irqmode", text, srpbench_irqmodes,
			&opts->irqmode, reason, n);
	case OPT_TARGET:
		opts->target = text;
		return 0;
	case OPT_COMPLETION:
		opts->completion = text;
		return 0;
	case OPT_JSON:
		opts->is_json = true;
		return 0;
	case OPT_CHECK:
		opts->is_check = true;
		return 0;
	case OPT_HELP:
		opts->is_help = true;
		return 0;
	}
	return 0;
}

enum srpbench_exit
srpbench_opts_parse(int argc, char **argv, struct srpbench_opts *opts)
{
	char reason[256];
	int id;

	*opts = (struct srpbench_opts){
		.depth = 32,
		.bs_bytes = 4096,
		.runtime_ns = DEFAULT_RUNTIME_NS,
		.irqmode = 1,
		.completion_ns = 10000,
	};
	opterr = 0;
	while ((id = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (id == '?' || id == ':') {
			fprintf(stderr,
				"srpbench %s: %s %s; options are listed by "
				"--help\n",
				argv[0],
				id == '?' ? "there is no such option:" :
					    "a value is missing for",
				argv[optind - 1]);
			return SRPBENCH_USAGE;
		}
		if (parse_value((enum option_id)id, optarg, opts, reason,
			    sizeof(reason))) {
			fprintf(stderr, "srpbench: %s\n", reason);
			return SRPBENCH_BAD_VALUE;
		}
	}
	if (optind < argc) {
		fprintf(stderr,
			"srpbench: there is no operand \"%s\": options are "
			"listed by --help\n",
			argv[optind]);
		return SRPBENCH_USAGE;
	}
	return SRPBENCH_DONE;
}
