/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* From the targets there are to those the configuration names. */
#ifndef SRPD_RECONCILE_H
#define SRPD_RECONCILE_H

struct conf;
struct rports;

struct reconcile_result {
	unsigned int started, stopped, changed, kept, failed;
};

/*
 * Starts, stops and changes what differs, and nothing else; those that were
 * given up are tried again. Returns at once: what follows takes its time.
 */
void reconcile(struct rports *rports, const struct conf *conf,
	struct reconcile_result *result);

#endif /* SRPD_RECONCILE_H */
