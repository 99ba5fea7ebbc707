/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A measurement as one HTML page that needs nothing else: no network, no
 * scripts, charts drawn in place, the document itself inside.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include <jansson.h>
#include <stdio.h>

/*
 * @doc is what srplat (output=json) or srpmatrix (--json) prints; any other
 * JSON makes a page that says so and lists what there is. 0 or -errno.
 */
int html_page_write(FILE *f, const json_t *doc);

/*
 * The same into a file, which is cut only when the page is there. The reason
 * is one sentence.
 */
int html_page_save(const char *path, const json_t *doc, char *reason, size_t n);
/* Before a long measurement: whether that will work. 0 or -errno. */
int html_page_check(const char *path, char *reason, size_t n);

#endif /* HTML_PAGE_H */
