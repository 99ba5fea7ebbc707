/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a target's section of the ini file comes to. Never changed once made,
 * so that the thread of its rport and the next reading of the file may share
 * it: counted references.
 */
#ifndef SRPD_RPORT_ATTR_H
#define SRPD_RPORT_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RPORT_NAME_MAX 63
#define RPORT_MAX_URLS 8
#define RPORT_OFF_NS UINT64_MAX /* a time-out that never passes */

struct srpi_opts;

struct rport_pair {
	char *key, *value;
};

struct rport_attr {
	_Atomic unsigned int refs;
	char name[RPORT_NAME_MAX + 1];
	char *urls[RPORT_MAX_URLS]; /* as given: they may hold a password */
	unsigned int nr_urls;
	struct rport_pair *pairs; /* srpi keys, the defaults' included */
	unsigned int nr_pairs;
	bool required, autologin;
	uint64_t reconnect_delay_ns; /* the longest back-off */
	uint64_t fast_io_fail_ns, dev_loss_ns; /* or RPORT_OFF_NS */
	uint64_t probe_ns; /* between looks at an idle session; 0: none */
};

/* One reference, the caller's; NULL without memory. */
struct rport_attr *rport_attr_create(const char *name);
struct rport_attr *rport_attr_get(struct rport_attr *attr);
void rport_attr_put(struct rport_attr *attr);

/* While it is being made. 0 or -ENOMEM, -ENOSPC (too many URLs). */
int rport_attr_add_url(struct rport_attr *attr, const char *url);
/* Replaces the value of a key that is there. */
int rport_attr_set_pair(
	struct rport_attr *attr, const char *key, const char *value);
const char *rport_attr_pair(const struct rport_attr *attr, const char *key);

/* The pairs as options for srpi_open(): 0, -ENOMEM, -EINVAL and why. */
int rport_attr_opts(const struct rport_attr *attr, struct srpi_opts **opts,
	char *reason, size_t n);

enum rport_diff {
	RPORT_SAME,
	RPORT_DIFF_POLICY,  /* times and required: the session can stay */
	RPORT_DIFF_SESSION, /* URLs or keys: a new login */
};
enum rport_diff rport_attr_diff(
	const struct rport_attr *a, const struct rport_attr *b);

#endif /* SRPD_RPORT_ATTR_H */
