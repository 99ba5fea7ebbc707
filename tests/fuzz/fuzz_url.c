/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * URLs and keys. The first line is a URL; each further line NAME=VALUE is an
 * option, set before the URL is parsed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#include "lib/url.h"

static char reason[256];

static void
check(int condition)
{
	if (!condition)
		abort();
}

/* A failure has a sentence that a terminal may show. */
static void
check_reason(int rc)
{
	if (rc == 0)
		return;
	check(reason[0] != '\0');
	for (const char *c = reason; *c; c++)
		check(isprint((unsigned char)*c));
}

/* What the core asserts. */
static void
check_keys(const struct keys *keys)
{
	const struct session_attr *attr = &keys->attr;

	check(attr->completion > SRPI_COMPLETION_DEFAULT &&
		attr->completion < SRPI_NR_COMPLETIONS);
	check(attr->depth >= 1 && attr->depth <= 1024);
	check(attr->channels <= 256);
	check(attr->max_descs >= 1 && attr->max_descs <= 255);
	check(attr->rx_iu_bytes >= 64 && attr->rx_iu_bytes <= 8192);
	check(attr->retry_count <= 7);
	check(attr->io_timeout_ms >= 1);
	check(keys->demo.nr_luns <= 256);
	check(memchr(keys->demo.name, 0, sizeof(keys->demo.name)) != NULL);
	check(memchr(keys->src, 0, sizeof(keys->src)) != NULL);
}

static void
check_url(const struct url *url)
{
	const struct demo_attr *demo = &url->keys.demo;

	check_keys(&url->keys);
	check(memchr(url->host, 0, sizeof(url->host)) != NULL);
	if (url->form == URL_SRP) {
		check(url->host[0] && url->port);
		return;
	}
	check(memchr(demo->backend, 0, sizeof(demo->backend)) != NULL);
	check(demo->backend[0] != '\0');
	check(demo->size_bytes % demo->block_bytes == 0);
	check(demo->size_bytes || url->form == URL_DEMO_FILE);
}

static void
set_option(struct srpi_opts *opts, char *line)
{
	char *equal = strchr(line, '=');
	int rc;

	if (equal)
		*equal++ = '\0';
	rc = srpi_opts_set(opts, line, equal, reason, sizeof(reason));
	check_reason(rc);
	check_keys(&opts->keys);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct srpi_opts *opts;
	char *line, *next;
	static struct url url;
	int rc;

	if (!text || srpi_opts_create(&opts))
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	next = strchr(text, '\n');
	while (next) {
		*next++ = '\0';
		line = next;
		next = strchr(line, '\n');
		if (next)
			*next = '\0';
		set_option(opts, line);
	}
	rc = url_parse(text, opts, &url, reason, sizeof(reason));
	check_reason(rc);
	if (rc == 0)
		check_url(&url);
	srpi_opts_destroy(opts);
	free(text);
	return 0;
}
