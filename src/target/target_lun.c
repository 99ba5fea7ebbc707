/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* LUNs of a target that is up: the caller's part of tgt_change.h. */
#include "target/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/tgt_change.h"

/* MODE PARAMETERS CHANGED (SPC-4): write protection is one. */
#define TARGET_ASC_MODE_CHANGED 0x2a01

static struct tgt_lun *
lun_find(struct target *target, uint16_t number)
{
	unsigned int index;

	if (number >= TGT_LUN_NUMBERS)
		return NULL;
	index = target->lun_index[number];
	return index ? &target->luns[index - 1] : NULL;
}

/* *lun NULL: the number is to be free. 0, or -errno and why. */
static int
lun_check(struct target *target, uint16_t number, struct tgt_lun **lun,
	char *reason, size_t n)
{
	if (atomic_load(&target->odd) & TGT_ODD_FROZEN) {
		snprintf(reason, n, "LUN %u: the target is frozen", number);
		return -EBUSY;
	}
	if (lun) {
		*lun = lun_find(target, number);
		if (*lun)
			return 0;
		snprintf(reason, n, "LUN %u: there is none", number);
		return -ENODEV;
	}
	if (number >= TGT_LUN_NUMBERS || lun_find(target, number)) {
		snprintf(reason, n, "LUN %u %s", number,
			number >= TGT_LUN_NUMBERS ?
				"is above 16383, the highest number" :
				"is there already; remove it first");
		return -EINVAL;
	}
	return 0;
}

static struct tgt_grave *
lun_dig(char *reason, size_t n)
{
	struct tgt_grave *grave = calloc(1, sizeof(*grave));

	if (!grave)
		snprintf(reason, n, "no memory");
	else
		grave->lun.fd = -1;
	return grave;
}

/* ---- add, remove ---- */

static struct tgt_lun *
lun_find_free(struct target *target)
{
	unsigned int i;

	for (i = 0; i < TARGET_MAX_LUNS; i++)
		if (i >= target->nr_luns || target->luns[i].is_free)
			return &target->luns[i];
	return NULL;
}

/* What the target's connections were not made for. */
static int
lun_check_kind(const struct target *target, const struct tgt_lun *lun,
	char *reason, size_t n)
{
	bool is_sink = lun->is_sink && !(lun->flags & TARGET_LUN_NODATA);

	if ((!lun->is_async || target->has_async) &&
		(!is_sink || target->needs_sink))
		return 0;
	snprintf(reason, n,
		"LUN %u: this target began without a LUN on %s, and was not "
		"made for more of any kind",
		lun->number, is_sink ? "null" : "a file or block device");
	return -EOPNOTSUPP;
}

static int
lun_publish(struct target *target, const struct tgt_lun *next, char *reason,
	size_t n)
{
	struct tgt_change change = {
		.kind = TGT_CHANGE_ADD,
		.lun = lun_find_free(target),
		.next = next,
		.is_moved = true,
	};
	int rc;

	if (!change.lun) {
		snprintf(reason, n, "%u LUNs is the limit", TARGET_MAX_LUNS);
		return -ENOSPC;
	}
	rc = lun_check_kind(target, next, reason, n);
	if (!rc)
		rc = tgt_dev_register_all(target, next, reason, n);
	if (rc)
		return rc;
	rc = tgt_change_do(target, &change);
	if (rc) {
		tgt_dev_drop_next(target);
		mem_lock_reason(next->pages.bytes, -rc, reason, n);
	}
	return rc;
}

int
target_lun_add(struct target *target, const struct target_lun_attr *attr,
	char *reason, size_t n)
{
	struct tgt_lun next;
	int rc;

	rc = lun_check(target, attr->number, NULL, reason, n);
	if (!rc)
		rc = tgt_lun_open(&next, attr, reason, n);
	if (rc)
		return rc;
	rc = lun_publish(target, &next, reason, n);
	if (rc)
		tgt_lun_close(&next);
	return rc;
}

int
target_lun_remove(
	struct target *target, uint16_t number, char *reason, size_t n)
{
	struct tgt_change change = {
		.kind = TGT_CHANGE_REMOVE,
		.is_moved = true,
	};
	int rc;

	rc = lun_check(target, number, &change.lun, reason, n);
	if (rc)
		return rc;
	change.grave = lun_dig(reason, n);
	return change.grave ? tgt_change_do(target, &change) : -ENOMEM;
}

/* ---- size, protection ---- */

static void
lun_pause(struct target *target, struct tgt_lun *lun)
{
	struct tgt_change pause = { .kind = TGT_CHANGE_PAUSE, .lun = lun };

	tgt_change_do(target, &pause);
}

/* @change->next is all there is; what it has of its own is gone if it fails. */
static int
lun_swap(struct target *target, struct tgt_change *change,
	struct tgt_lun *next, char *reason, size_t n)
{
	struct tgt_lun *lun = change->lun;
	int rc = 0;

	change->kind = TGT_CHANGE_SWAP;
	change->next = next;
	change->is_moved = next->mem != lun->mem;
	change->grave = lun_dig(reason, n);
	if (!change->grave)
		rc = -ENOMEM;
	if (!rc && change->is_moved)
		rc = tgt_dev_register_all(target, next, reason, n);
	if (!rc) {
		lun_pause(target, lun);
		if (change->is_moved)
			memcpy(next->mem, lun->mem,
				min(tgt_lun_bytes(next), tgt_lun_bytes(lun)));
		rc = tgt_change_do(target, change);
		if (rc) {
			tgt_dev_drop_next(target);
			mem_lock_reason(next->pages.bytes, -rc, reason, n);
		}
	}
	if (rc) {
		free(change->grave);
		tgt_lun_drop(lun, next);
	}
	return rc;
}

int
target_lun_resize(struct target *target, uint16_t number, uint64_t size_bytes,
	char *reason, size_t n)
{
	struct tgt_change change = { .ua = SCSI_ASC_CAPACITY_CHANGED };
	struct tgt_lun next;
	int rc;

	rc = lun_check(target, number, &change.lun, reason, n);
	if (!rc)
		rc = tgt_lun_resize(change.lun, size_bytes, &next, reason, n);
	if (rc)
		return rc;
	if (next.nr_blocks == change.lun->nr_blocks) {
		change.lun->has_own_size = next.has_own_size;
		tgt_lun_drop(change.lun, &next);
		return 0;
	}
	return lun_swap(target, &change, &next, reason, n);
}

int
target_lun_protect(struct target *target, uint16_t number, bool is_protected,
	char *reason, size_t n)
{
	struct tgt_change change = { .ua = TARGET_ASC_MODE_CHANGED };
	struct tgt_lun next;
	uint32_t flags;
	int rc;

	rc = lun_check(target, number, &change.lun, reason, n);
	if (rc)
		return rc;
	if (tgt_lun_is_protected(change.lun) == is_protected)
		return 0;
	flags = change.lun->flags &
		~(TARGET_LUN_RO | TARGET_LUN_RO_HID);
	if (is_protected)
		flags |= TARGET_LUN_RO;
	rc = tgt_lun_protect(change.lun, flags, &next, reason, n);
	return rc ? rc : lun_swap(target, &change, &next, reason, n);
}

int
target_lun_restat(struct target *target, char *reason, size_t n)
{
	uint64_t before;
	struct tgt_lun *lun;
	unsigned int i;
	int rc, failed = 0, nr = 0;

	for (i = 0; i < target->nr_luns; i++) {
		lun = &target->luns[i];
		if (lun->is_free || !lun->has_own_size)
			continue;
		before = lun->nr_blocks;
		rc = target_lun_resize(target, lun->number, 0, reason, n);
		if (rc)
			failed = rc;
		nr += lun->nr_blocks != before;
	}
	return failed ? failed : nr;
}

/* ---- what there is, and its state ---- */

unsigned int
target_lun_list(const struct target *target,
	struct target_lun_info infos[TARGET_MAX_LUNS])
{
	const struct tgt_lun *lun;
	unsigned int number, nr = 0;

	for (number = 0; number < TGT_LUN_NUMBERS; number++) {
		if (!target->lun_index[number])
			continue;
		lun = &target->luns[target->lun_index[number] - 1];
		infos[nr++] = (struct target_lun_info){
			.number = lun->number,
			.backend = lun->path ? lun->path : lun->backend->name,
			.size_bytes = tgt_lun_bytes(lun),
			.block_bytes = lun->block_bytes,
			.flags = lun->flags,
		};
	}
	return nr;
}

int
target_unit_attention(struct target *target, uint16_t number, uint8_t asc,
	uint8_t ascq, bool at_login)
{
	struct tgt_lun *lun = lun_find(target, number);
	uint16_t code = (uint16_t)(asc << 8 | ascq);

	if (!lun)
		return -ENODEV;
	if (at_login) {
		pthread_mutex_lock(&target->lock);
		if (lun->nr_ua_login < TGT_MAX_UA)
			lun->ua_login[lun->nr_ua_login++] = code;
		pthread_mutex_unlock(&target->lock);
	}
	tgt_nexus_queue_ua(target, lun, code, NULL);
	return 0;
}

int
target_not_ready(
	struct target *target, uint16_t number, uint8_t asc, uint8_t ascq)
{
	struct tgt_lun *lun = lun_find(target, number);

	if (!lun)
		return -ENODEV;
	atomic_store(&lun->not_ready, asc ? (uint32_t)(asc << 8 | ascq) : 0);
	return 0;
}
