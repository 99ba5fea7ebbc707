/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>
#include <stdlib.h>

#include "core/admin.h"
#include "core/lun.h"
#include "core/session.h"
#include "util/log.h"
#include "wire/scsi_data.h"

#define LUN_LIST_HEAD_BYTES 8u
#define LUN_MAX_LISTED 65536u

static int
lun_report(struct srpi_session *session, struct scsi_report_luns *list,
	char *reason, size_t n)
{
	struct admin_cmd cmd = {
		.alloc_bytes = (uint32_t)srpi_mem_bytes(session->scratch),
	};
	int ret;

	cmd.cdb_bytes = scsi_cdb_report_luns(cmd.cdb, cmd.alloc_bytes);
	ret = admin_run(session, &cmd, reason, n);
	if (ret)
		return ret;
	if (scsi_data_report_luns_decode(cmd.data, cmd.bytes, list)) {
		snprintf(reason, n, "REPORT LUNS answered %u bytes that make no sense",
			cmd.bytes);
		return -EPROTO;
	}
	return 0;
}

static int
lun_keep_list(struct srpi_session *session, const struct scsi_report_luns *list)
{
	uint8_t (*copy)[8] = NULL;
	uint32_t i;

	if (list->nr_luns) {
		copy = calloc(list->nr_luns, sizeof(*copy));
		if (!copy)
			return -ENOMEM;
	}
	for (i = 0; i < list->nr_luns; i++)
		memcpy(copy[i], list->luns[i].b, sizeof(*copy));
	pthread_mutex_lock(&session->lock);
	free(session->lun_list);
	session->lun_list = copy;
	session->nr_luns = list->nr_luns;
	pthread_mutex_unlock(&session->lock);
	return 0;
}

static int
lun_scan_locked(struct srpi_session *session, char *reason, size_t n)
{
	struct scsi_report_luns list;
	int ret = lun_report(session, &list, reason, n);

	if (!ret && list.nr_total > list.nr_luns &&
		list.nr_total <= LUN_MAX_LISTED) {
		ret = admin_grow(session,
			LUN_LIST_HEAD_BYTES + 8 * (size_t)list.nr_total, reason,
			n);
		if (!ret)
			ret = lun_report(session, &list, reason, n);
	}
	if (ret)
		return ret;
	if (list.nr_total > list.nr_luns)
		log_warn("core", "%s: only %u of %u LUNs are listed",
			session->attr.portal, list.nr_luns, list.nr_total);
	ret = lun_keep_list(session, &list);
	if (ret)
		snprintf(reason, n, "out of memory for %u LUNs", list.nr_luns);
	return ret;
}

int
lun_scan(struct srpi_session *session, char *reason, size_t n)
{
	int ret;

	pthread_mutex_lock(&session->admin_lock);
	ret = lun_scan_locked(session, reason, n);
	pthread_mutex_unlock(&session->admin_lock);
	return ret;
}

uint64_t
lun_default(const struct srpi_session *session)
{
	uint64_t lowest = UINT64_MAX, number;
	unsigned int i;

	if (session->attr.has_default_lun)
		return session->attr.default_lun;
	for (i = 0; i < session->nr_luns; i++)
		if (!srpi_lun_number(session->lun_list[i], &number))
			lowest = min(lowest, number);
	return lowest == UINT64_MAX ? 0 : lowest;
}

int
srpi_luns(struct srpi_session *session, uint8_t (*luns)[8], unsigned int max)
{
	unsigned int nr;

	pthread_mutex_lock(&session->lock);
	nr = session->nr_luns;
	if (nr && max)
		memcpy(luns, session->lun_list, min(nr, max) * sizeof(*luns));
	pthread_mutex_unlock(&session->lock);
	return (int)nr;
}

int
srpi_lun_number(const uint8_t bytes[8], uint64_t *number)
{
	struct scsi_lun lun;

	memcpy(lun.b, bytes, sizeof(lun.b));
	return scsi_lun_to_number(&lun, number) ? -EINVAL : 0;
}

int
srpi_lun_from_number(uint64_t number, uint8_t bytes[8])
{
	struct scsi_lun lun;

	if (scsi_lun_from_number(number, &lun))
		return -EINVAL;
	memcpy(bytes, lun.b, sizeof(lun.b));
	return 0;
}

#define LUN_MAX_NAMED 8u

/* Adds to @why which LUNs there are. */
static void
lun_name_others(struct srpi_session *session, char *why, size_t n)
{
	char text[SCSI_LUN_TEXT_BYTES];
	struct scsi_lun lun;
	size_t at = strlen(why);
	unsigned int i;

	pthread_mutex_lock(&session->lock);
	at += (size_t)snprintf(why + at, n - at, "; the target lists %s",
		session->nr_luns ? "LUN" : "none");
	for (i = 0; i < min(session->nr_luns, LUN_MAX_NAMED) && at < n; i++) {
		memcpy(lun.b, session->lun_list[i], sizeof(lun.b));
		scsi_lun_format(&lun, text, sizeof(text));
		at += (size_t)snprintf(
			why + at, n - at, "%s %s", i ? "," : "", text);
	}
	if (i < session->nr_luns && at < n)
		snprintf(why + at, n - at, ", ...");
	pthread_mutex_unlock(&session->lock);
}

#define lun_store(lun, field, value)                                           \
	atomic_store_explicit(&(lun)->field, value, memory_order_relaxed)

/* What I/O looks at first, and then the rest, under the lock. */
static void
lun_take_info(struct srpi_lun *lun, const struct srpi_lun_info *info)
{
	lun_store(lun, block_bytes, info->block_bytes);
	lun_store(lun, blocks, info->blocks);
	lun_store(lun, max_transfer_blocks, info->max_transfer_blocks
		? info->max_transfer_blocks : UINT32_MAX);
	lun_store(lun, is_read_only, info->flags & SRPI_LUN_READ_ONLY);
	lun_store(lun, flags, info->flags);
	lun_store(lun, max_unmap_blocks, info->max_unmap_blocks);
	lun_store(lun, max_unmap_ranges, info->max_unmap_ranges);
	lun_store(lun, max_write_same_blocks, info->max_write_same_blocks);
	pthread_mutex_lock(&lun->session->lock);
	lun->info = *info;
	pthread_mutex_unlock(&lun->session->lock);
}

int
srpi_lun_open(struct srpi_session *session, const uint8_t bytes[8],
	struct srpi_lun **out, char *reason, size_t n)
{
	struct srpi_lun *lun = calloc(1, sizeof(*lun));
	struct srpi_lun_info info;
	char text[SCSI_LUN_TEXT_BYTES], why[512];
	int ret;

	if (!lun) {
		snprintf(reason, n, "out of memory");
		return -ENOMEM;
	}
	memcpy(lun->lun.b, bytes, sizeof(lun->lun.b));
	lun->session = session;
	pthread_mutex_lock(&session->admin_lock);
	ret = lun_probe(session, &lun->lun, &info, why, sizeof(why));
	pthread_mutex_unlock(&session->admin_lock);
	if (ret) {
		if (ret == -ENODEV)
			lun_name_others(session, why, sizeof(why));
		scsi_lun_format(&lun->lun, text, sizeof(text));
		snprintf(reason, n, "LUN %s of %s: %s", text,
			session->attr.portal, why);
		free(lun);
		return ret;
	}
	lun_take_info(lun, &info);
	pthread_mutex_lock(&session->lock);
	list_add_tail(&session->luns, &lun->node);
	pthread_mutex_unlock(&session->lock);
	*out = lun;
	return 0;
}

void
srpi_lun_info(const struct srpi_lun *lun, struct srpi_lun_info *info)
{
	pthread_mutex_lock(&lun->session->lock);
	*info = lun->info;
	pthread_mutex_unlock(&lun->session->lock);
}

/* ---- again ---- */

/* Does an error of lun_probe() say something of the LUN alone? */
static bool
lun_is_its_own(int error)
{
	return error == -ENODEV || error == -EMEDIUMTYPE || error == -EAGAIN ||
		error == -EIO || error == -EPROTO;
}

/* One that can't tell what it is like now keeps what is known of it. */
static int
lun_refresh(struct srpi_lun *lun, char *reason, size_t n)
{
	struct srpi_session *session = lun->session;
	char text[SCSI_LUN_TEXT_BYTES], why[512];
	struct srpi_lun_info info;
	int ret = lun_probe(session, &lun->lun, &info, why, sizeof(why));

	if (!ret) {
		lun_take_info(lun, &info);
		return 0;
	}
	scsi_lun_format(&lun->lun, text, sizeof(text));
	if (lun_is_its_own(ret)) {
		log_warn("core", "%s: LUN %s stays as it was known: %s",
			session->attr.portal, text, why);
		return 0;
	}
	snprintf(reason, n, "LUN %s of %s: %s", text, session->attr.portal,
		why);
	return ret;
}

static struct srpi_lun *
lun_next(struct srpi_session *session, const struct srpi_lun *lun)
{
	const struct list *next;

	pthread_mutex_lock(&session->lock);
	next = lun ? lun->node.next : session->luns.next;
	pthread_mutex_unlock(&session->lock);
	return next == &session->luns
		? NULL : container_of(next, struct srpi_lun, node);
}

int
srpi_rescan(struct srpi_session *session, char *reason, size_t n)
{
	struct srpi_lun *lun;
	char why[512];
	int ret;

	pthread_mutex_lock(&session->admin_lock);
	ret = lun_scan_locked(session, why, sizeof(why));
	if (ret)
		snprintf(reason, n, "%s: %s", session->attr.portal, why);
	for (lun = lun_next(session, NULL); lun && !ret;
		lun = lun_next(session, lun))
		ret = lun_refresh(lun, reason, n);
	pthread_mutex_unlock(&session->admin_lock);
	return ret;
}

void
lun_destroy(struct srpi_lun *lun)
{
	list_del(&lun->node);
	free(lun);
}
