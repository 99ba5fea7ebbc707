/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpd.ini: whatever the bytes are, there is a configuration or at least one
 * problem with a line; what is taken can be dumped and read again, and is then
 * the same.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "srpd/conf.h"
#include "srpd/conf_check.h"

static void
check_problems(const struct conf_problems *problems, const char *data,
	size_t size)
{
	unsigned int nr_lines = 1;

	for (size_t i = 0; i < size; i++)
		nr_lines += data[i] == '\n';
	assert(conf_problems_count(problems));
	for (unsigned int i = 0; i < problems->nr; i++) {
		assert(problems->list[i].line <= nr_lines);
		assert(problems->list[i].text[0]);
		assert(!strchr(problems->list[i].text, '\n'));
	}
}

static void
check_again(const struct conf *conf)
{
	struct conf_problems problems = {0};
	struct conf *again;
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert(out);
	conf_dump(conf, out);
	fclose(out);
	assert(conf_parse(text, bytes, &again, &problems) == 0);
	assert(again->nr_targets == conf->nr_targets);
	for (unsigned int i = 0; i < conf->nr_targets; i++)
		assert(rport_attr_diff(conf->targets[i],
			       again->targets[i]) == RPORT_SAME);
	conf_destroy(again);
	conf_problems_fini(&problems);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf_problems problems = {0};
	struct conf *conf;
	int rc = conf_parse((const char *)data, size, &conf, &problems);

	if (rc == 0) {
		assert(conf && !conf_problems_count(&problems));
		check_again(conf);
	} else {
		assert(rc == -EINVAL && !conf);
		check_problems(&problems, (const char *)data, size);
	}
	conf_destroy(conf);
	conf_problems_fini(&problems);
	return 0;
}
