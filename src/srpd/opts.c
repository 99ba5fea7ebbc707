/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/opts.h"

#include <stdio.h>
#include <string.h>

#include "util/parse.h"

#define DEFAULT_FILE SYSCONFDIR "/srpd.ini"

static const char *const names[] = {"--check-config", "--dump-config",
	"--config", "--help", "--version", NULL};

static int
fail_unknown(const char *word, char *reason, size_t n)
{
	const char *nearest = parse_nearest(word, names);

	if (word[0] != '-')
		snprintf(reason, n,
			"srpd takes no operand, such as \"%s\": -c FILE names "
			"the configuration",
			word);
	else
		snprintf(reason, n, "unknown option %s: %s%s%s", word,
			nearest ? "did you mean " : "srpd --help lists them",
			nearest ? nearest : "", nearest ? "?" : "");
	return SRPD_EXIT_USAGE;
}

int
opts_parse(struct opts *opts, int argc, char **argv, char *reason, size_t n)
{
	const char *word;

	*opts = (struct opts){.file = DEFAULT_FILE};
	for (int i = 1; i < argc; i++) {
		word = argv[i];
		if (strcmp(word, "-c") == 0 || strcmp(word, "--config") == 0) {
			if (i + 1 == argc) {
				snprintf(reason, n, "%s needs a file", word);
				return SRPD_EXIT_USAGE;
			}
			opts->file = argv[++i];
		} else if (strncmp(word, "--config=", 9) == 0) {
			opts->file = word + 9;
		} else if (strcmp(word, "--check-config") == 0) {
			opts->must_check = true;
		} else if (strcmp(word, "--dump-config") == 0) {
			opts->must_dump = true;
		} else if (strcmp(word, "-h") == 0 ||
			strcmp(word, "--help") == 0) {
			opts->wants_help = true;
		} else if (strcmp(word, "--version") == 0) {
			opts->wants_version = true;
		} else {
			return fail_unknown(word, reason, n);
		}
	}
	return 0;
}

void
opts_print_help(FILE *out)
{
	fputs("usage: srpd [-c FILE] [--check-config | --dump-config]\n"
	      "\n"
	      "Holds SRP targets: logs in, stays logged in, tells of them.\n"
	      "\n"
	      "  -c, --config FILE  the configuration, " DEFAULT_FILE
	      " unless given\n"
	      "  --check-config     say what is wrong with it, and exit\n"
	      "  --dump-config      print what it comes to, without "
	      "passwords, and exit\n"
	      "  --help, --version\n"
	      "\n"
	      "SIGHUP reads the configuration again and changes what differs;\n"
	      "SIGTERM and SIGINT log out and end. srpctl(1) asks for the\n"
	      "rest; srpd.ini(5) describes the file.\n",
		out);
}
