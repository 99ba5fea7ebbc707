/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Options: values of keys that hold for every URL they are used with. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/keys.h"

int
srpi_opts_create(struct srpi_opts **opts)
{
	*opts = malloc(sizeof(**opts));
	if (!*opts)
		return -ENOMEM;
	keys_init(&(*opts)->keys);
	return 0;
}

void
srpi_opts_destroy(struct srpi_opts *opts)
{
	free(opts);
}

/* A key set twice takes the later value: programs put theirs over a file's. */
int
srpi_opts_set(struct srpi_opts *opts, const char *name, const char *value,
	char *reason, size_t n)
{
	char unused[1];
	const struct key *key;

	if (!reason || !n) {
		reason = unused;
		n = sizeof(unused);
	}
	if (!name || !value) {
		snprintf(reason, n, "an option needs a key and a value");
		return -EINVAL;
	}
	key = keys_find(name, strlen(name));
	if (!key)
		return keys_fail_unknown(name, strlen(name), reason, n);
	return keys_set(&opts->keys, key, value, reason, n);
}
