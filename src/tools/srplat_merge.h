/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srplat merge: results of several runs, with histogram=yes, as if they were
 * one. Histograms are added bucket by bucket, so percentiles are exact.
 */
#ifndef SRPLAT_MERGE_H
#define SRPLAT_MERGE_H

#include <jansson.h>
#include <stddef.h>

#include "tools/srplat_run.h"

#define SRPLAT_MAX_FILES 1000

struct srplat_merge {
	struct srplat_opts opts; /* as far as reports look at them */
	struct srplat_run run;	 /* of which only the results are used */
	struct srplat_src end;	 /* holds the note */
	json_t *first;		 /* the texts belong to it */
	const char *first_name;
};

/* "merge FILE... [output=json] [histogram=yes] [threshold=...]" */
int srplat_merge_parse(struct srplat_merge *merge, int argc, char *const *argv,
	char *reason, size_t n);

/*
 * Adds one file. 0, or SRPLAT_EXIT_BAD_VALUE and a sentence: it can't be
 * read, is no result, has no histogram, or was made with other settings.
 */
int srplat_merge_add(struct srplat_merge *merge, const char *name,
	char *reason, size_t n);

void srplat_merge_init(struct srplat_merge *merge);
void srplat_merge_fini(struct srplat_merge *merge);

/* All of it, as the program does: what to exit with. */
int srplat_merge_main(int argc, char *const *argv);

#endif /* SRPLAT_MERGE_H */
