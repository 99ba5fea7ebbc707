/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric "verbs": librdmacm and libibverbs as they are. */
#ifndef FABRIC_FAB_VERBS_H
#define FABRIC_FAB_VERBS_H

#include <stdbool.h>

#include "fabric/fabric.h"

extern struct fabric fab_verbs;

/*
 * What the machine looks like to diagnose(). A test passes its own, the table
 * the real one: @rdma_cm is the path of the connection manager's node,
 * @uverbs the folder of the device nodes.
 */
struct fab_verbs_host {
	const char *rdma_cm;
	const char *uverbs;
	int nr_devices;
	bool is_inherited; /* a parent of this process had opened them */
};

int fab_verbs_explain(const struct fab_verbs_host *host, int error,
	char *reason, size_t n);

#endif /* FABRIC_FAB_VERBS_H */
