/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The keys of srpd.ini that are srpd's own. All others are the library's,
 * srpi_keys(): in [srpd] for every target, in [target] for that one.
 */
#ifndef SRPD_CONF_KEYS_H
#define SRPD_CONF_KEYS_H

#include <stddef.h>

struct conf;
struct rport_attr;

enum conf_scope {
	CONF_SRPD,
	CONF_TARGET,
};

struct conf_key {
	const char *name;
	enum conf_scope scope;
	const char *value;   /* what may be given */
	const char *initial; /* the default, as text */
	/* 0, or -EINVAL with a sentence. @attr: the target's. */
	int (*set)(const struct conf_key *key, const char *value,
		struct conf *conf, struct rport_attr *attr, char *reason,
		size_t n);
};

const struct conf_key *conf_keys(unsigned int *nr);
const struct conf_key *conf_keys_find(
	enum conf_scope scope, const char *name);
/* The sentence about a key that neither table has. */
void conf_keys_unknown(enum conf_scope scope, const char *name,
	char *reason, size_t n);

#endif /* SRPD_CONF_KEYS_H */
