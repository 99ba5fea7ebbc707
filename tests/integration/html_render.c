/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* html_render DOCUMENT PAGE: the page of a document that is in a file. */
#include <stdio.h>

#include "tools/html_page.h"

int
main(int argc, char **argv)
{
	char reason[256] = "";
	json_error_t error;
	json_t *doc = argc == 3
		? json_load_file(argv[1], JSON_DECODE_ANY, &error)
		: NULL;
	int rc;

	if (!doc) {
		fprintf(stderr, "usage: html_render DOCUMENT PAGE\n");
		return 1;
	}
	rc = html_page_save(argv[2], doc, reason, sizeof(reason));
	if (rc)
		fprintf(stderr, "html_render: %s\n", reason);
	json_decref(doc);
	return rc ? 2 : 0;
}
