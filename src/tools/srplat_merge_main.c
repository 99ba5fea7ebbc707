/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command: srplat merge FILE... */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "tools/html_page.h"
#include "tools/srplat_json.h"
#include "tools/srplat_merge.h"
#include "tools/srplat_report.h"

static bool
is_operand(const char *word)
{
	static const char *const names[] = { "output=", "histogram=",
		"threshold=", NULL };
	int i;

	for (i = 0; names[i]; i++)
		if (strncmp(word, names[i], strlen(names[i])) == 0)
			return true;
	return word[0] == '-' && word[1];
}

/*
 * Its operands are a few of srplat's own, which therefore reads them; what it
 * would miss, an input, is given and forgotten.
 */
static int
parse_operands(struct srplat_merge *merge, int argc, char *const *argv,
	char *reason, size_t n)
{
	char *words[32] = { (char *)(uintptr_t)"srplat",
		(char *)(uintptr_t)"if=merge" };
	int i, nr = 2, rc;

	for (i = 1; i < argc && nr < 31; i++)
		if (is_operand(argv[i]))
			words[nr++] = argv[i];
	rc = srplat_opts_parse(&merge->opts, nr, words, reason, n);
	merge->opts.nr_words = argc;
	merge->opts.words = argv;
	merge->opts.in = NULL;
	merge->opts.depth = 0;
	return rc;
}

int
srplat_merge_parse(struct srplat_merge *merge, int argc, char *const *argv,
	char *reason, size_t n)
{
	int i, nr = 0, rc = parse_operands(merge, argc, argv, reason, n);

	if (rc || merge->opts.wants_help || merge->opts.wants_version)
		return rc;
	for (i = 1; i < argc && !rc; i++) {
		if (is_operand(argv[i]))
			continue;
		rc = nr++ < SRPLAT_MAX_FILES
			? srplat_merge_add(merge, argv[i], reason, n)
			: SRPLAT_EXIT_BAD_VALUE;
		if (nr > SRPLAT_MAX_FILES)
			snprintf(reason, n,
				"more than %d files given: merge some of them "
				"first, with histogram=yes output=json",
				SRPLAT_MAX_FILES);
	}
	if (!rc && !nr) {
		snprintf(reason, n,
			"merge needs files: give results that were made with "
			"output=json histogram=yes");
		rc = SRPLAT_EXIT_BAD_VALUE;
	}
	return rc;
}

/* As srplat itself; a sum that was refused is no page. */
static int
write_page(const struct srplat_merge *merge, const char *error, int status)
{
	const char *path = merge->opts.html_path;
	char reason[256];
	json_t *doc;
	int rc;

	if (!path || !merge->run.nr_merged)
		return 0;
	doc = srplat_json_make(&merge->run, NULL, error, status);
	rc = html_page_save(path, doc, reason, sizeof(reason));
	if (rc)
		fprintf(stderr, "srplat: %s\n", reason);
	json_decref(doc);
	return rc;
}

static int
print(const struct srplat_merge *merge, const char *reason, int status)
{
	const struct srplat_run *run = &merge->run;
	int rc;

	if (reason[0])
		fprintf(stderr, "srplat: %s\n", reason);
	if (merge->opts.output == SRPLAT_OUTPUT_JSON) {
		rc = srplat_json_print(stdout, run->nr_merged ? run : NULL,
			NULL, reason[0] ? reason : NULL, status);
	} else {
		if (run->nr_merged)
			srplat_report_table(stdout, run, NULL);
		rc = fflush(stdout) ? -errno : 0;
	}
	if (rc)
		fprintf(stderr, "srplat: writing the results: %s\n",
			strerror(-rc));
	if (write_page(merge, reason[0] ? reason : NULL, status))
		rc = -EIO;
	if (!rc)
		return status;
	return status ? status : SRPLAT_EXIT_IO_ERROR;
}

int
srplat_merge_main(int argc, char *const *argv)
{
	static struct srplat_merge merge;
	char reason[768] = "";
	int status;

	srplat_merge_init(&merge);
	status = srplat_merge_parse(
		&merge, argc, argv, reason, sizeof(reason));
	if (!status && (merge.opts.wants_help || merge.opts.wants_version)) {
		fputs(merge.opts.wants_help ? srplat_opts_help()
					    : "srplat (srpd) " PACKAGE_VERSION
					      "\n",
			stdout);
		return fflush(stdout) ? SRPLAT_EXIT_IO_ERROR : 0;
	}
	/* A sum that lacks a file is none. */
	if (status)
		merge.run.nr_merged = 0;
	else
		status = srplat_limits_check(&merge.opts.limits, &merge.run,
			reason, sizeof(reason));
	status = print(&merge, reason, status);
	srplat_merge_fini(&merge);
	return status;
}
