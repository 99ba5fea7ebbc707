/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The library's -errno of opening, to what a program exits with. */
static int
exit_status(int rc)
{
	switch (rc) {
	case 0:
		return SRPMATRIX_EXIT_DONE;
	case -EINVAL:
	case -EMEDIUMTYPE:
		return SRPMATRIX_EXIT_BAD_VALUE;
	case -ECONNREFUSED:
		return SRPMATRIX_EXIT_REFUSED;
	default:
		return SRPMATRIX_EXIT_UNREACHABLE;
	}
}

int
srpmatrix_target_check_url(const char *url, char *reason, size_t n)
{
	static const char key[] = "completion=";
	const char *at = strchr(url, '?');

	for (; at; at = strchr(at + 1, '&'))
		if (strncmp(at + 1, key, sizeof(key) - 1) == 0) {
			snprintf(reason, n,
				"--target %s: its completion= would win over "
				"every column: leave it out, and give "
				"--completion",
				url);
			return SRPMATRIX_EXIT_BAD_VALUE;
		}
	return 0;
}

int
srpmatrix_target_check_lun(const struct srpmatrix_target *target,
	const struct srpmatrix_opts *opts, char *reason, size_t n)
{
	const struct srpi_lun_info *lun = &target->lun;
	uint64_t bytes = lun->blocks * lun->block_bytes;
	unsigned int i;

	for (i = 0; i < opts->nr_cells; i++)
		if (opts->cells[i].bs % lun->block_bytes ||
			opts->cells[i].bs > bytes) {
			snprintf(reason, n,
				"--bs %" PRIu64 ": allowed are multiples of %u "
				"up to %" PRIu64 ", the LUN's block and size",
				opts->cells[i].bs, lun->block_bytes, bytes);
			return SRPMATRIX_EXIT_BAD_VALUE;
		}
	if ((lun->flags & SRPI_LUN_READ_ONLY) && strstr(opts->rw, "read") == 0) {
		snprintf(reason, n, "--rw %s: the LUN is write protected",
			opts->rw);
		return SRPMATRIX_EXIT_BAD_VALUE;
	}
	return 0;
}

static int
look_at_lun(struct srpmatrix_target *target, struct srpi_session *session,
	char *reason, size_t n)
{
	struct srpi_lun *lun;
	uint8_t number[8];
	int rc;

	srpi_session_info(session, &target->session);
	rc = srpi_lun_from_number(target->session.default_lun, number);
	if (rc) {
		snprintf(reason, n, "LUN %" PRIu64 " has no SAM address",
			target->session.default_lun);
		return rc;
	}
	rc = srpi_lun_open(session, number, &lun, reason, n);
	if (!rc)
		srpi_lun_info(lun, &target->lun);
	return rc;
}

int
srpmatrix_target_look(struct srpmatrix_target *target,
	const struct srpmatrix_opts *opts, char *reason, size_t n)
{
	struct srpi_session *session;
	int rc = srpmatrix_target_check_url(opts->target, reason, n);

	if (rc)
		return rc;
	rc = srpi_open(opts->target, NULL, &session, reason, n);
	if (rc)
		return exit_status(rc);
	rc = look_at_lun(target, session, reason, n);
	srpi_close(session);
	return rc ? exit_status(rc)
		  : srpmatrix_target_check_lun(target, opts, reason, n);
}
