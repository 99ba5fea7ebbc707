/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srpctl top: looks at srpd again and again, and shows what it does. */
#ifndef SRPCTL_TOP_H
#define SRPCTL_TOP_H

#include "tools/srpctl_opts.h"

/*
 * Until ended or opts->count looks. On a terminal a screen, which outlives
 * srpd; else a block a look, which ends with it. The exit status, with a
 * sentence unless it is CTL_DONE.
 */
enum ctl_code srpctl_top(
	const struct srpctl_opts *opts, char *reason, size_t n);

#endif /* SRPCTL_TOP_H */
