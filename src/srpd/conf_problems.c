/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/conf_problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
conf_problems_add(struct conf_problems *problems, unsigned int line,
	const char *format, ...)
{
	struct conf_problem *list = NULL, *problem;
	va_list ap;

	if (problems->nr < CONF_MAX_PROBLEMS)
		list = realloc(
			problems->list, (problems->nr + 1) * sizeof(*list));
	if (!list) {
		problems->nr_more++;
		return;
	}
	problems->list = list;
	problem = &list[problems->nr];
	problem->line = line;
	problem->order = problems->nr++;
	va_start(ap, format);
	vsnprintf(problem->text, sizeof(problem->text), format, ap);
	va_end(ap);
}

unsigned int
conf_problems_count(const struct conf_problems *problems)
{
	return problems->nr + problems->nr_more;
}

static int
compare(const void *a, const void *b)
{
	const struct conf_problem *p = a, *q = b;

	if (p->line != q->line)
		return p->line < q->line ? -1 : 1;
	return p->order < q->order ? -1 : p->order > q->order;
}

static void
sort(struct conf_problems *problems)
{
	if (problems->nr)
		qsort(problems->list, problems->nr, sizeof(*problems->list),
			compare);
}

static int
format(const struct conf_problem *problem, const char *file, char *out,
	size_t n)
{
	if (!problem->line)
		return snprintf(out, n, "%s: %s", file, problem->text);
	return snprintf(
		out, n, "%s:%u: %s", file, problem->line, problem->text);
}

void
conf_problems_print(
	struct conf_problems *problems, const char *file, FILE *out)
{
	char line[CONF_PROBLEM_BYTES + 4096];

	sort(problems);
	for (unsigned int i = 0; i < problems->nr; i++) {
		format(&problems->list[i], file, line, sizeof(line));
		fprintf(out, "%s\n", line);
	}
	if (problems->nr_more)
		fprintf(out, "%s: and %u more\n", file, problems->nr_more);
}

void
conf_problems_first(struct conf_problems *problems, const char *file,
	char *out, size_t n)
{
	sort(problems);
	if (problems->nr)
		format(&problems->list[0], file, out, n);
	else
		snprintf(out, n, "%s: out of memory", file);
}

void
conf_problems_fini(struct conf_problems *problems)
{
	free(problems->list);
	memset(problems, 0, sizeof(*problems));
}
