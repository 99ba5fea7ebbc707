/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The LUNs of an rport's session: opened, watched for changes, reset. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "srpd/rport_priv.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/log.h"

#define MAX_LUNS 16384u /* of a single level: SAM-5 4.7.4 */

/* The reported list, which may grow between the two calls. NULL: no memory. */
static uint8_t (*read_list(struct srpi_session *session, unsigned int *nr))[8]
{
	int have = srpi_luns(session, NULL, 0);
	unsigned int max = have > 0 ? min((unsigned int)have, MAX_LUNS) : 0;
	uint8_t (*list)[8] = calloc(max + 1, sizeof(*list));

	*nr = 0;
	if (!list)
		return NULL;
	have = srpi_luns(session, list, max);
	*nr = have > 0 ? min((unsigned int)have, max) : 0;
	return list;
}

static const struct srpi_lun_info *
find(const struct srpi_lun_info *luns, unsigned int nr, const uint8_t lun[8])
{
	for (unsigned int i = 0; i < nr; i++)
		if (memcmp(luns[i].lun, lun, sizeof(luns[i].lun)) == 0)
			return &luns[i];
	return NULL;
}

static void
record(struct rport *rport, uint64_t number, enum lun_op op, uint64_t begun_ns)
{
	pthread_mutex_lock(&rport->lock);
	lun_latency_record(
		&rport->lun_latencies, number, op, clock_ns() - begun_ns);
	pthread_mutex_unlock(&rport->lock);
}

static void
record_failure(struct rport *rport, uint64_t number, enum lun_op op)
{
	pthread_mutex_lock(&rport->lock);
	lun_latency_fail(&rport->lun_latencies, number, op);
	pthread_mutex_unlock(&rport->lock);
}

/* Of one that is open already the library asks nothing. */
static bool
is_open(const struct rport *rport, const uint8_t lun[8])
{
	const struct srpi_lun_info *info =
		find(rport->luns, rport->nr_luns, lun);

	return info && info->block_bytes;
}

/* One that can't be opened is still there: shown with block_bytes 0. */
static void
open_one(struct rport *rport, const uint8_t lun[8], struct srpi_lun_info *info)
{
	char reason[RPORT_ERROR_BYTES] = "";
	uint64_t begun_ns = clock_ns();
	struct srpi_lun *handle;

	memset(info, 0, sizeof(*info));
	memcpy(info->lun, lun, sizeof(info->lun));
	if (srpi_lun_number(lun, &info->number))
		info->number = UINT64_MAX;
	if (srpi_lun_open(
		    rport->session, lun, &handle, reason, sizeof(reason)) == 0) {
		srpi_lun_info(handle, info);
		if (!is_open(rport, lun))
			record(rport, info->number, LUN_OPEN, begun_ns);
	} else {
		record_failure(rport, info->number, LUN_OPEN);
		log_warn("srpd", "target %s: LUN %" PRIu64 ": %s",
			rport_name(rport), info->number, reason);
	}
}

static void
log_one(const struct rport *rport, const struct srpi_lun_info *old,
	const struct srpi_lun_info *now)
{
	const char *name = rport_name(rport);

	if (!old)
		log_info("srpd",
			"target %s: LUN %" PRIu64 " is there: %" PRIu64
			" blocks of %u bytes",
			name, now->number, now->blocks, now->block_bytes);
	else if (!now)
		log_info("srpd", "target %s: LUN %" PRIu64 " is gone", name,
			old->number);
	else if (old->blocks != now->blocks ||
		old->block_bytes != now->block_bytes)
		log_info("srpd",
			"target %s: LUN %" PRIu64 " has changed from %" PRIu64
			" to %" PRIu64 " blocks of %u bytes",
			name, now->number, old->blocks, now->blocks,
			now->block_bytes);
}

static void
log_changes(const struct rport *rport, const struct srpi_lun_info *luns,
	unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		log_one(rport, find(rport->luns, rport->nr_luns, luns[i].lun),
			&luns[i]);
	for (i = 0; i < rport->nr_luns; i++)
		if (!find(luns, nr, rport->luns[i].lun))
			log_one(rport, &rport->luns[i], NULL);
}

void
rport_luns_read(struct rport *rport, bool is_first)
{
	struct srpi_lun_info *luns, *old;
	unsigned int nr;
	uint8_t (*list)[8] = read_list(rport->session, &nr);

	luns = calloc(nr + 1, sizeof(*luns));
	if (!list || !luns) {
		log_error("srpd", "target %s: out of memory for its LUNs",
			rport_name(rport));
		nr = 0;
	}
	for (unsigned int i = 0; i < nr && !rport_run_is_stopping(rport); i++)
		open_one(rport, list[i], &luns[i]);
	free(list);
	/* one that is to stop has not looked at all of them */
	if (!is_first && !rport_run_is_stopping(rport))
		log_changes(rport, luns, nr);
	pthread_mutex_lock(&rport->lock);
	old = rport->luns;
	rport->luns = luns;
	rport->nr_luns = nr;
	rport->status.nr_luns = nr;
	pthread_mutex_unlock(&rport->lock);
	free(old);
}

static int
reset_one(struct rport *rport, const struct srpi_lun_info *info, char *reason,
	size_t n)
{
	struct srpi_lun *handle;
	int rc = srpi_lun_open(rport->session, info->lun, &handle, reason, n);
	uint64_t begun_ns = clock_ns();

	if (rc)
		return rc;
	rc = srpi_tmf(
		rport->session, handle, SRPI_TMF_LUN_RESET, NULL, reason, n);
	if (rc) {
		record_failure(rport, info->number, LUN_RESET);
		return rc;
	}
	latency_record(&rport->latency[LATENCY_RESET], clock_ns() - begun_ns);
	record(rport, info->number, LUN_RESET, begun_ns);
	return 0;
}

int
rport_luns_reset(struct rport *rport, uint64_t number, char *reason, size_t n)
{
	bool was_found = number == RPORT_ALL_LUNS;
	int rc = 0;

	/* The thread alone writes the list: it reads it without the lock. */
	for (unsigned int i = 0; i < rport->nr_luns && rc == 0; i++) {
		if (number != RPORT_ALL_LUNS &&
			rport->luns[i].number != number)
			continue;
		was_found = true;
		rc = reset_one(rport, &rport->luns[i], reason, n);
	}
	if (was_found)
		return rc;
	snprintf(reason, n,
		"target %s has no LUN %" PRIu64 ": srpctl luns shows all",
		rport_name(rport), number);
	return -ENOENT;
}
