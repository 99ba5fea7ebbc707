/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srplat's command line: each line of the input is a word. Whatever it is, the
 * answer is a status of the table and, when it is not 0, a sentence; and what
 * was accepted resolves for any block size, or is refused the same way.
 */
#include <assert.h>
#include <string.h>

#include "replay.h"
#include "tools/srplat_opts.h"

#define MAX_WORDS 64
#define MAX_TEXT 4096

static void
check(int status, const char *reason)
{
	assert(status >= 0 && status <= SRPLAT_EXIT_BAD_VALUE);
	assert(status == 0 || reason[0]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t blocks[] = { 0, 1, 512, 520, 4096, UINT32_MAX };
	static char text[MAX_TEXT + 1];
	char *argv[MAX_WORDS + 1] = { text };
	struct srplat_opts opts;
	char reason[128] = "";
	char *save = NULL, *word;
	int argc = 1, status;
	size_t i;

	if (size > MAX_TEXT)
		size = MAX_TEXT;
	memcpy(text, data, size);
	text[size] = '\0';
	for (word = strtok_r(text, "\n", &save); word && argc < MAX_WORDS;
		word = strtok_r(NULL, "\n", &save))
		argv[argc++] = word;
	status = srplat_opts_parse(&opts, argc, argv, reason, sizeof(reason));
	check(status, reason);
	if (status || opts.wants_help || opts.wants_version)
		return 0;
	assert(opts.in && opts.out && opts.depth);
	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		reason[0] = '\0';
		status = srplat_opts_resolve(
			&opts, blocks[i], 512, reason, sizeof(reason));
		check(status, reason);
		assert(status ||
			(opts.bs && opts.in_offset <= INT64_MAX &&
				opts.out_offset <= INT64_MAX));
	}
	return 0;
}
