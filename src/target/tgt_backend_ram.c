/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Anonymous memory, populated as it is touched. It is registered whole, so
 * nothing is ever given back to the kernel: a device would go on using the
 * old pages. Unmapping writes zeros.
 */
#include "target/tgt_lun.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* No device moves more in one work request (IB: 2^31). */
#define RAM_WINDOW_BYTES (1u << 30)

static int
ram_alloc(struct tgt_lun *lun, uint64_t bytes, char *reason, size_t n)
{
	struct mem pages;
	int rc = mem_alloc(&pages, bytes, MEM_HUGE);

	if (rc) {
		snprintf(reason, n, "LUN %u: %llu bytes of memory: %s",
			lun->number, (unsigned long long)bytes, strerror(-rc));
		return rc;
	}
	lun->pages = pages;
	lun->mem = pages.addr;
	return 0;
}

static int
ram_open(struct tgt_lun *lun, const struct target_lun_attr *attr, char *reason,
	size_t n)
{
	int rc;

	if (!attr->size_bytes) {
		snprintf(reason, n, "LUN %u: a size is needed", lun->number);
		return -EINVAL;
	}
	if (lun->flags & TARGET_LUN_NODATA) {
		snprintf(reason, n,
			"LUN %u: only null can leave the data phase out",
			lun->number);
		return -EINVAL;
	}
	rc = ram_alloc(lun, attr->size_bytes, reason, n);
	lun->mem_mask = UINT64_MAX;
	lun->window_bytes = RAM_WINDOW_BYTES;
	return rc;
}

/* All of it is new: registered memory cannot be moved or cut. */
static int
ram_resize(struct tgt_lun *next, char *reason, size_t n)
{
	uint64_t bytes = tgt_lun_bytes(next);

	return bytes ? ram_alloc(next, bytes, reason, n) : 0;
}

static void
ram_close(struct tgt_lun *lun)
{
	mem_free(&lun->pages);
}

static int
ram_unmap(struct tgt_lun *lun, uint64_t off, uint64_t len)
{
	memset(lun->mem + off, 0, len);
	return 0;
}

static int
ram_write_same(struct tgt_lun *lun, uint64_t off, uint64_t len,
	const uint8_t *block)
{
	uint64_t at;

	for (at = off; at < off + len; at += lun->block_bytes)
		memcpy(lun->mem + at, block, lun->block_bytes);
	return 0;
}

static int
ram_compare(
	struct tgt_lun *lun, uint64_t off, uint32_t len, const uint8_t *data)
{
	return memcmp(lun->mem + off, data, len) ? -EILSEQ : 0;
}

const struct tgt_backend tgt_backend_ram = {
	.name = "ram",
	.open = ram_open,
	.close = ram_close,
	.resize = ram_resize,
	.unmap = ram_unmap,
	.write_same = ram_write_same,
	.compare = ram_compare,
};
