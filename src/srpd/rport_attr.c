/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/rport_attr.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <srpi/srpi.h>

#include "util/clock.h"

struct rport_attr *
rport_attr_create(const char *name)
{
	struct rport_attr *attr = calloc(1, sizeof(*attr));

	if (!attr)
		return NULL;
	atomic_init(&attr->refs, 1);
	snprintf(attr->name, sizeof(attr->name), "%s", name);
	attr->autologin = true;
	attr->reconnect_delay_ns = 10 * CLOCK_NS_PER_SEC;
	attr->fast_io_fail_ns = 15 * CLOCK_NS_PER_SEC;
	attr->dev_loss_ns = 600 * CLOCK_NS_PER_SEC;
	attr->probe_ns = 10 * CLOCK_NS_PER_SEC;
	return attr;
}

struct rport_attr *
rport_attr_get(struct rport_attr *attr)
{
	atomic_fetch_add(&attr->refs, 1);
	return attr;
}

/* URLs and values may be secrets: they don't stay in freed memory. */
static void
free_text(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

void
rport_attr_put(struct rport_attr *attr)
{
	if (!attr || atomic_fetch_sub(&attr->refs, 1) != 1)
		return;
	for (unsigned int i = 0; i < attr->nr_urls; i++)
		free_text(attr->urls[i]);
	for (unsigned int i = 0; i < attr->nr_pairs; i++) {
		free(attr->pairs[i].key);
		free_text(attr->pairs[i].value);
	}
	free(attr->pairs);
	free(attr);
}

int
rport_attr_add_url(struct rport_attr *attr, const char *url)
{
	if (attr->nr_urls == RPORT_MAX_URLS)
		return -ENOSPC;
	attr->urls[attr->nr_urls] = strdup(url);
	if (!attr->urls[attr->nr_urls])
		return -ENOMEM;
	attr->nr_urls++;
	return 0;
}

static struct rport_pair *
find_pair(const struct rport_attr *attr, const char *key)
{
	for (unsigned int i = 0; i < attr->nr_pairs; i++)
		if (strcmp(attr->pairs[i].key, key) == 0)
			return &attr->pairs[i];
	return NULL;
}

static int
add_pair(struct rport_attr *attr, const char *key, char *value)
{
	struct rport_pair *pairs = realloc(
		attr->pairs, (attr->nr_pairs + 1) * sizeof(*pairs));
	char *copy = strdup(key);

	if (pairs)
		attr->pairs = pairs;
	if (!pairs || !copy) {
		free(copy);
		return -ENOMEM;
	}
	pairs[attr->nr_pairs++] = (struct rport_pair){copy, value};
	return 0;
}

int
rport_attr_set_pair(
	struct rport_attr *attr, const char *key, const char *value)
{
	struct rport_pair *pair = find_pair(attr, key);
	char *copy = strdup(value);
	int rc = 0;

	if (!copy)
		return -ENOMEM;
	if (pair) {
		free_text(pair->value);
		pair->value = copy;
	} else {
		rc = add_pair(attr, key, copy);
	}
	if (rc)
		free_text(copy);
	return rc;
}

const char *
rport_attr_pair(const struct rport_attr *attr, const char *key)
{
	const struct rport_pair *pair = find_pair(attr, key);

	return pair ? pair->value : NULL;
}

int
rport_attr_opts(const struct rport_attr *attr, struct srpi_opts **opts,
	char *reason, size_t n)
{
	int rc = srpi_opts_create(opts);

	if (rc) {
		snprintf(reason, n, "out of memory");
		return rc;
	}
	for (unsigned int i = 0; rc == 0 && i < attr->nr_pairs; i++)
		rc = srpi_opts_set(*opts, attr->pairs[i].key,
			attr->pairs[i].value, reason, n);
	if (rc) {
		srpi_opts_destroy(*opts);
		*opts = NULL;
	}
	return rc;
}

static bool
has_same_session(const struct rport_attr *a, const struct rport_attr *b)
{
	const char *value;

	if (a->nr_urls != b->nr_urls || a->nr_pairs != b->nr_pairs)
		return false;
	for (unsigned int i = 0; i < a->nr_urls; i++)
		if (strcmp(a->urls[i], b->urls[i]) != 0)
			return false;
	for (unsigned int i = 0; i < a->nr_pairs; i++) {
		value = rport_attr_pair(b, a->pairs[i].key);
		if (!value || strcmp(value, a->pairs[i].value) != 0)
			return false;
	}
	return true;
}

enum rport_diff
rport_attr_diff(const struct rport_attr *a, const struct rport_attr *b)
{
	if (!has_same_session(a, b))
		return RPORT_DIFF_SESSION;
	if (a->required == b->required && a->autologin == b->autologin &&
		a->reconnect_delay_ns == b->reconnect_delay_ns &&
		a->fast_io_fail_ns == b->fast_io_fail_ns &&
		a->dev_loss_ns == b->dev_loss_ns && a->probe_ns == b->probe_ns)
		return RPORT_SAME;
	return RPORT_DIFF_POLICY;
}
