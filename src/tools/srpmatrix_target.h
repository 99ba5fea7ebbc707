/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A look at the target before anything is measured: what it is, and whether
 * all that was asked for fits. So that a wrong URL is one sentence at once,
 * and not one in each row.
 */
#ifndef SRPMATRIX_TARGET_H
#define SRPMATRIX_TARGET_H

#include <stddef.h>

#include <srpi/srpi.h>

#include "tools/srpmatrix_opts.h"

struct srpmatrix_target {
	struct srpi_session_info session;
	struct srpi_lun_info lun;
};

/* 0, or enum srpmatrix_exit with one sentence. */
int srpmatrix_target_look(struct srpmatrix_target *target,
	const struct srpmatrix_opts *opts, char *reason, size_t n);
/* What of it can be checked without the target, and with it. */
int srpmatrix_target_check_url(const char *url, char *reason, size_t n);
int srpmatrix_target_check_lun(const struct srpmatrix_target *target,
	const struct srpmatrix_opts *opts, char *reason, size_t n);

#endif /* SRPMATRIX_TARGET_H */
