/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The keys: one table, which URL, options, ini file and fio engine share.
 *
 *	name=value ──keys_set()──> struct keys ──url, open──> session_attr
 *	                 │                               └──> demo_attr
 *	          struct key[]: name, allowed, default, help,
 *	                        URL forms it is for, parser, field
 */
#ifndef LIB_KEYS_H
#define LIB_KEYS_H

#include "core/session.h"
#include "lib/demo.h"
#include "lib/host.h"

/* The forms of a URL, as bits: what a key is for. */
enum url_form {
	URL_SRP = 1 << 0,
	URL_DEMO_NULL = 1 << 1,
	URL_DEMO_RAM = 1 << 2,
	URL_DEMO_FILE = 1 << 3,
};
#define URL_DEMO_MEMORY (URL_DEMO_NULL | URL_DEMO_RAM)
#define URL_DEMO (URL_DEMO_MEMORY | URL_DEMO_FILE)
#define URL_ANY (URL_SRP | URL_DEMO)
/* "demo://null" */
const char *url_form_name(enum url_form form);

enum keys_fabric {
	KEYS_FABRIC_VERBS,
	KEYS_FABRIC_SOFT,
};

/*
 * The values of all keys: the defaults, then the options, then the URL.
 * In @attr only what a key sets is filled in.
 */
struct keys {
	struct session_attr attr;
	struct demo_attr demo;
	enum keys_fabric fabric;
	char src[HOST_MAX + 1]; /* "": any */
	uint64_t given;		     /* bit i: row i of the table was set */
};

struct srpi_opts {
	struct keys keys;
};

struct key;

/* All defaults. */
void keys_init(struct keys *keys);

/* NULL: no such key. @len: the name need not end with NUL. */
const struct key *keys_find(const char *name, size_t len);
/* The sentence about a key that does not exist; returns -EINVAL. */
int keys_fail_unknown(const char *name, size_t len, char *reason, size_t n);

/* Checks and stores one value; 0 or -EINVAL, then @keys is unchanged. */
int keys_set(struct keys *keys, const struct key *key, const char *value,
	char *reason, size_t n);

bool keys_is_given(const struct keys *keys, const struct key *key);
/* The same by name, for keys that the program itself knows of. */
bool keys_has(const struct keys *keys, const char *name);
bool key_is_for(const struct key *key, enum url_form form);
/* The first key that is given and not for @form; NULL: none. */
const struct key *keys_misplaced(const struct keys *keys,
	enum url_form form);
/* "key x does not apply to ..."; returns -EINVAL. */
int keys_fail_misplaced(const struct key *key, enum url_form form,
	char *reason, size_t n);
const char *key_name(const struct key *key);

#endif /* LIB_KEYS_H */
