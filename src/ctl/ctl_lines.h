/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Lines out of what a socket gives, each of bounded length.
 *
 *	data  |  taken  |  line \n line \n half a li|  free   |
 *	0               start                       end       size
 *
 * Memory is there only while bytes are. Nothing is scanned twice.
 */
#ifndef CTL_LINES_H
#define CTL_LINES_H

#include <stddef.h>

struct ctl_lines {
	char *data;
	size_t start, end, size;
	size_t scanned; /* up to here no newline has been found */
	size_t max;	/* bytes of a line with its newline */
};

void ctl_lines_init(struct ctl_lines *lines, size_t max);
void ctl_lines_fini(struct ctl_lines *lines);

/*
 * Where the next bytes may be put, and how many: at least one, as long as no
 * line is over its length. NULL without memory. ctl_lines_add() then says how
 * many were.
 */
char *ctl_lines_space(struct ctl_lines *lines, size_t *len);
void ctl_lines_add(struct ctl_lines *lines, size_t len);

/*
 * 1 with the next line, without its newline and valid until the next call;
 * 0: none is complete; -EMSGSIZE: it is over its length.
 */
int ctl_lines_next(struct ctl_lines *lines, char **line, size_t *len);

/* Bytes that are there and not taken. */
size_t ctl_lines_pending(const struct ctl_lines *lines);

#endif /* CTL_LINES_H */
