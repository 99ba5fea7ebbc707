/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srpd: holds SRP targets for the programs of this machine. */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

#include "srpd/conf.h"
#include "srpd/daemon.h"
#include "srpd/opts.h"
#include "util/stdfd.h"

static int
end(int status)
{
	if (stdfd_finish() == 0)
		return status;
	fprintf(stderr, "srpd: standard output can't be written\n");
	return SRPD_EXIT_IO_ERROR;
}

/* What is asked for on standard output, or srpd itself. */
static int
run(const struct opts *opts)
{
	struct conf_problems problems = {0};
	bool has_threads = false;
	struct conf *conf;
	int status;

	if (conf_load(opts->file, &conf, &problems)) {
		conf_problems_print(&problems, opts->file, stderr);
		conf_problems_fini(&problems);
		return SRPD_EXIT_BAD_VALUE;
	}
	conf_problems_fini(&problems);
	if (opts->must_check || opts->must_dump) {
		if (opts->must_dump)
			conf_dump(conf, stdout);
		conf_destroy(conf);
		return end(SRPD_EXIT_DONE);
	}
	status = daemon_run(opts->file, conf, &has_threads);
	if (has_threads)
		_exit(status);
	return status;
}

int
main(int argc, char **argv)
{
	char reason[256] = "";
	struct opts opts;
	int status;

	stdfd_guard();
	status = opts_parse(&opts, argc, argv, reason, sizeof(reason));
	if (status) {
		fprintf(stderr, "srpd: %s\n", reason);
		return status;
	}
	if (opts.wants_help) {
		opts_print_help(stdout);
		return end(SRPD_EXIT_DONE);
	}
	if (opts.wants_version) {
		printf("srpd %s\n", PACKAGE_VERSION);
		return end(SRPD_EXIT_DONE);
	}
	return run(&opts);
}
