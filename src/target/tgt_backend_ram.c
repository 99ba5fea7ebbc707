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
	rc = mem_alloc(&lun->pages, attr->size_bytes, MEM_HUGE);
	if (rc) {
		snprintf(reason, n, "LUN %u: %llu bytes of memory: %s",
			lun->number, (unsigned long long)attr->size_bytes,
			strerror(-rc));
		return rc;
	}
	lun->mem = lun->pages.addr;
	lun->mem_mask = UINT64_MAX;
	lun->window_bytes = RAM_WINDOW_BYTES;
	return 0;
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
	.unmap = ram_unmap,
	.write_same = ram_write_same,
	.compare = ram_compare,
};
