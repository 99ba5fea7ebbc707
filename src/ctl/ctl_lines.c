/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "ctl/ctl_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"

#define FIRST_BYTES ((size_t)1024)

void
ctl_lines_init(struct ctl_lines *lines, size_t max)
{
	memset(lines, 0, sizeof(*lines));
	lines->max = max;
}

void
ctl_lines_fini(struct ctl_lines *lines)
{
	free(lines->data);
	ctl_lines_init(lines, lines->max);
}

size_t
ctl_lines_pending(const struct ctl_lines *lines)
{
	return lines->end - lines->start;
}

/* To the front, so that all that is free is behind. */
static void
pack(struct ctl_lines *lines)
{
	size_t pending = ctl_lines_pending(lines);

	if (!lines->start)
		return;
	memmove(lines->data, lines->data + lines->start, pending);
	lines->scanned -= lines->start;
	lines->start = 0;
	lines->end = pending;
}

char *
ctl_lines_space(struct ctl_lines *lines, size_t *len)
{
	size_t size = lines->size;
	char *data;

	pack(lines);
	if (lines->end == size) {
		/* one more than a line, so that one too long is seen */
		size = min(size ? size * 2 : FIRST_BYTES, lines->max + 1);
		data = realloc(lines->data, size);
		if (!data)
			return NULL;
		lines->data = data;
		lines->size = size;
	}
	*len = lines->size - lines->end;
	return lines->data + lines->end;
}

void
ctl_lines_add(struct ctl_lines *lines, size_t len)
{
	assert(len <= lines->size - lines->end);
	lines->end += len;
}

int
ctl_lines_next(struct ctl_lines *lines, char **line, size_t *len)
{
	char *newline;

	if (!ctl_lines_pending(lines)) {
		ctl_lines_fini(lines);
		return 0;
	}
	newline = memchr(lines->data + lines->scanned, '\n',
		lines->end - lines->scanned);
	if (!newline) {
		lines->scanned = lines->end;
		return ctl_lines_pending(lines) >= lines->max ? -EMSGSIZE : 0;
	}
	*line = lines->data + lines->start;
	*len = (size_t)(newline - *line);
	if (*len >= lines->max)
		return -EMSGSIZE;
	lines->start += *len + 1;
	lines->scanned = lines->start;
	return 1;
}
