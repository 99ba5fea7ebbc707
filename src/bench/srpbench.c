/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srpbench: microbenchmarks of srpd's insides. */
#include "bench/srpbench.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/srpbench_opts.h"
#include "config.h"
#include "util/compiler.h"
#include "util/stdfd.h"

static const struct subcommand {
	const char *name;
	int (*run)(const struct srpbench_opts *opts);
	bool takes_target; /* --target, --completion */
	const char *help;
} subcommands[] = {
	{ "counts", bench_counts, true,
		"doorbells, arms, events, wake-ups and polls per read, by "
		"mode, queues and depth" },
	{ "loopback", bench_loopback, true,
		"reads through libsrpi; the embedded null target in \"self\" "
		"unless --target" },
	{ "pingpong", bench_pingpong, false,
		"SEND, RDMA WRITE and SEND of SRP's sizes on the software "
		"device, no SRP" },
	{ "stall", bench_stall, true,
		"10^7 reads one at a time, and each that took over 10 ms" },
};

static void
print_help(void)
{
	size_t i;

	printf("usage: srpbench BENCHMARK [OPTION...]\n\n");
	for (i = 0; i < ARRAY_SIZE(subcommands); i++)
		printf("  %-10s %s\n", subcommands[i].name,
			subcommands[i].help);
	printf("\n");
	srpbench_opts_help();
}

static const struct subcommand *
find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(subcommands); i++) {
		if (strcmp(subcommands[i].name, name) == 0)
			return &subcommands[i];
	}
	return NULL;
}

static int
run(int argc, char **argv)
{
	const struct subcommand *command;
	struct srpbench_opts opts;
	enum srpbench_exit ret;

	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		print_help();
		return SRPBENCH_DONE;
	}
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		printf("srpbench (srpd) %s\n", PACKAGE_VERSION);
		return SRPBENCH_DONE;
	}
	command = argc > 1 ? find(argv[1]) : NULL;
	if (!command) {
		fprintf(stderr,
			argc > 1 ? "srpbench: there is no benchmark \"%s\": "
				   "`srpbench --help` lists them\n" :
				   "srpbench: which benchmark? `srpbench "
				   "--help` lists them\n",
			argc > 1 ? argv[1] : "");
		return SRPBENCH_USAGE;
	}
	ret = srpbench_opts_parse(argc - 1, argv + 1, &opts);
	if (ret)
		return ret;
	if (opts.is_help) {
		print_help();
		return SRPBENCH_DONE;
	}
	if (!command->takes_target && (opts.target || opts.completion)) {
		fprintf(stderr,
			"srpbench: %s has no %s: it is for loopback, which reads through libsrpi\n",
			command->name,
			opts.target ? "--target" : "--completion");
		return SRPBENCH_BAD_VALUE;
	}
	return command->run(&opts);
}

int
main(int argc, char **argv)
{
	int status, lost;

	stdfd_guard();
	status = run(argc, argv);
	lost = stdfd_finish();
	if (!lost || status)
		return status;
	fprintf(stderr, "srpbench: writing the results: %s\n",
		strerror(-lost));
	return SRPBENCH_IO_ERROR;
}
