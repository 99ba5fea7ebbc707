/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What is wrong with an ini file: all of it, by line, so that one look at the
 * list mends the file.
 */
#ifndef SRPD_CONF_PROBLEMS_H
#define SRPD_CONF_PROBLEMS_H

#include <stdio.h>

#include "util/compiler.h"

#define CONF_PROBLEM_BYTES 512
#define CONF_MAX_PROBLEMS 100

struct conf_problem {
	unsigned int line; /* 0: of the file as a whole */
	unsigned int order; /* of its report: a line's stay as they came */
	char text[CONF_PROBLEM_BYTES];
};

struct conf_problems {
	struct conf_problem *list;
	unsigned int nr;
	unsigned int nr_more; /* beyond CONF_MAX_PROBLEMS */
};

/* @problems is zeroed at first. Without memory it is counted only. */
void conf_problems_add(struct conf_problems *problems, unsigned int line,
	const char *format, ...) __printf(3, 4);
/* How many there are, those counted only included. */
unsigned int conf_problems_count(const struct conf_problems *problems);
/* "FILE:LINE: text" each, in the order of lines. */
void conf_problems_print(
	struct conf_problems *problems, const char *file, FILE *out);
/* The first of them, as one of print's lines. */
void conf_problems_first(struct conf_problems *problems, const char *file,
	char *out, size_t n);
void conf_problems_fini(struct conf_problems *problems);

#endif /* SRPD_CONF_PROBLEMS_H */
