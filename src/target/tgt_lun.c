/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_lun.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* How much one UNMAP descriptor or one WRITE SAME may cover: what a runner can
 * zero in a few milliseconds. */
#define LUN_ERASE_BYTES (16u << 20)

static bool
lun_is_block_size(uint32_t bytes)
{
	static const uint32_t sizes[] = { 512, 520, 528, 4096, 4104, 4160 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		if (bytes == sizes[i])
			return true;
	return false;
}

static const struct tgt_backend *
lun_find_backend(const char *name)
{
	if (!strcmp(name, tgt_backend_null.name))
		return &tgt_backend_null;
	if (!strcmp(name, tgt_backend_ram.name))
		return &tgt_backend_ram;
	return &tgt_backend_file;
}

static int
lun_check_size(struct tgt_lun *lun, uint64_t size_bytes, char *reason, size_t n)
{
	lun->nr_blocks = size_bytes / lun->block_bytes;
	if (!(size_bytes % lun->block_bytes))
		return 0;
	snprintf(reason, n,
		"LUN %u: %llu bytes are not whole blocks of %u bytes",
		lun->number, (unsigned long long)size_bytes, lun->block_bytes);
	return -EINVAL;
}

int
tgt_lun_open(struct tgt_lun *lun, const struct target_lun_attr *attr,
	char *reason, size_t n)
{
	int rc;

	memset(lun, 0, sizeof(*lun));
	lun->fd = -1;
	lun->number = attr->number;
	lun->flags = attr->flags;
	lun->max_transfer_blocks = attr->max_transfer_blocks;
	lun->block_bytes = attr->block_bytes ? attr->block_bytes : 512;
	lun->backend = lun_find_backend(attr->backend);
	if (!lun_is_block_size(lun->block_bytes)) {
		snprintf(reason, n,
			"LUN %u: blocks of %u bytes: 512, 520, 528, 4096, 4104 "
			"or 4160 are allowed",
			lun->number, lun->block_bytes);
		return -EINVAL;
	}
	rc = lun_check_size(lun, attr->size_bytes, reason, n);
	if (!rc)
		rc = lun->backend->open(lun, attr, reason, n);
	if (!rc && !lun->nr_blocks) {
		snprintf(reason, n, "LUN %u: a size is needed", lun->number);
		rc = -EINVAL;
	}
	if (rc)
		tgt_lun_close(lun);
	return rc;
}

void
tgt_lun_close(struct tgt_lun *lun)
{
	if (lun->backend && lun->backend->close)
		lun->backend->close(lun);
	lun->backend = NULL;
}

int
tgt_lun_resize(const struct tgt_lun *lun, uint64_t size_bytes,
	struct tgt_lun *next, char *reason, size_t n)
{
	int rc;

	*next = *lun;
	rc = lun_check_size(next, size_bytes, reason, n);
	if (!rc)
		rc = lun->backend->resize(next, reason, n);
	if (!rc && !next->nr_blocks) {
		snprintf(reason, n, "LUN %u: a size is needed", lun->number);
		rc = -EINVAL;
	}
	if (rc)
		tgt_lun_drop(lun, next);
	return rc;
}

int
tgt_lun_protect(const struct tgt_lun *lun, uint32_t flags,
	struct tgt_lun *next, char *reason, size_t n)
{
	int rc;

	*next = *lun;
	next->flags = flags;
	rc = lun->backend->protect ? lun->backend->protect(next, reason, n) : 0;
	if (rc)
		tgt_lun_drop(lun, next);
	return rc;
}

void
tgt_lun_drop(const struct tgt_lun *lun, struct tgt_lun *next)
{
	if (next->pages.addr != lun->pages.addr)
		mem_free(&next->pages);
	if (next->fd >= 0 && next->fd != lun->fd)
		close(next->fd);
}

void
tgt_lun_take(struct tgt_lun *lun, const struct tgt_lun *next,
	struct tgt_lun *old)
{
	*old = (struct tgt_lun){ .fd = -1, .backend = lun->backend };
	if (next->pages.addr != lun->pages.addr)
		old->pages = lun->pages;
	if (next->fd != lun->fd)
		old->fd = lun->fd;
	lun->pages = next->pages;
	lun->mem = next->mem;
	lun->fd = next->fd;
	lun->is_buffered = next->is_buffered;
	lun->nr_blocks = next->nr_blocks;
	lun->flags = next->flags;
	lun->has_own_size = next->has_own_size;
}

uint32_t
tgt_lun_max_unmap_blocks(const struct tgt_lun *lun)
{
	return LUN_ERASE_BYTES / lun->block_bytes;
}
