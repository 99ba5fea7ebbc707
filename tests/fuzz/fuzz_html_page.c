/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The page of a document: whatever JSON the input is, the page is whole, with
 * the document inside and no other script.
 */
#include <assert.h>
#include <stdlib.h>

#include "../unit/html_check.h"
#include "replay.h"
#include "tools/html_page.h"

#define MAX_BYTES 65536

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *doc = size > MAX_BYTES
		? NULL
		: json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
	char *text = NULL;
	size_t n = 0;
	FILE *f;

	if (!doc)
		return 0;
	f = open_memstream(&text, &n);
	assert(f);
	assert(html_page_write(f, doc) == 0);
	fclose(f);
	assert(!html_check(text, doc, NULL));
	free(text);
	json_decref(doc);
	return 0;
}
