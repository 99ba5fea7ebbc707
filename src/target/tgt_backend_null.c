/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Any size, no medium: reads give zeros, writes are fetched and forgotten. */
#include "target/tgt_lun.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int
null_open(struct tgt_lun *lun, const struct target_lun_attr *attr, char *reason,
	size_t n)
{
	int rc;

	(void)attr;
	lun->is_sink = true;
	rc = mem_alloc(&lun->pages, TGT_NULL_BYTES, 0);
	if (rc) {
		snprintf(reason, n, "LUN %u: no memory: %s", lun->number,
			strerror(-rc));
		return rc;
	}
	lun->mem = lun->pages.addr;
	lun->mem_mask = 0;
	lun->window_bytes = TGT_NULL_BYTES;
	return 0;
}

static int
null_resize(struct tgt_lun *next, char *reason, size_t n)
{
	(void)next;
	(void)reason;
	(void)n;
	return 0;
}

static void
null_close(struct tgt_lun *lun)
{
	mem_free(&lun->pages);
}

static int
null_unmap(struct tgt_lun *lun, uint64_t off, uint64_t len)
{
	(void)lun;
	(void)off;
	(void)len;
	return 0;
}

static int
null_write_same(struct tgt_lun *lun, uint64_t off, uint64_t len,
	const uint8_t *block)
{
	(void)lun;
	(void)off;
	(void)len;
	(void)block;
	return 0;
}

static int
null_compare(
	struct tgt_lun *lun, uint64_t off, uint32_t len, const uint8_t *data)
{
	(void)off;
	return memcmp(lun->mem, data, len) ? -EILSEQ : 0;
}

const struct tgt_backend tgt_backend_null = {
	.name = "null",
	.open = null_open,
	.close = null_close,
	.resize = null_resize,
	.unmap = null_unmap,
	.write_same = null_write_same,
	.compare = null_compare,
};
