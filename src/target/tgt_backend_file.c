/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A file or block device. READ, WRITE and flush go through tgt_aio.c; what is
 * here is set-up and the rare commands, which block the loop thread.
 *
 * Blocks that are a multiple of the device's sector go past the page cache
 * (O_DIRECT). Others, and file systems without O_DIRECT, go through it; libaio
 * then works inside io_submit().
 */
#include "target/tgt_lun.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_SCRATCH_BYTES (128u << 10)

static int
file_measure(struct tgt_lun *lun, uint64_t *bytes)
{
	struct stat st;

	if (fstat(lun->fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode)) {
		*bytes = (uint64_t)st.st_size;
		return 0;
	}
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	lun->is_device = true;
	return ioctl(lun->fd, BLKGETSIZE64, bytes) ? -errno : 0;
}

/* Whether one block can be read the way libaio will read them. */
static bool
file_can_direct(struct tgt_lun *lun)
{
	uint32_t n = lun->block_bytes;

	return n % 512 == 0 && pread(lun->fd, lun->pages.addr, n, 0) >= 0;
}

static int
file_open_fd(struct tgt_lun *lun, const char *path)
{
	int flags = (tgt_lun_is_protected(lun) ? O_RDONLY : O_RDWR) | O_CLOEXEC;

	lun->fd = open(path, flags | O_DIRECT);
	if (lun->fd >= 0 && file_can_direct(lun))
		return 0;
	if (lun->fd >= 0)
		close(lun->fd);
	lun->is_buffered = true;
	lun->fd = open(path, flags);
	return lun->fd < 0 ? -errno : 0;
}

static int
file_set_size(struct tgt_lun *lun, const char *path, char *reason, size_t n)
{
	uint64_t bytes = 0;
	int rc = file_measure(lun, &bytes);

	if (rc) {
		snprintf(reason, n, "LUN %u: %s: %s", lun->number, path,
			rc == -ENOTBLK ? "neither a file nor a block device" :
					 strerror(-rc));
		return rc;
	}
	lun->has_own_size = !lun->nr_blocks;
	if (!lun->nr_blocks)
		lun->nr_blocks = bytes / lun->block_bytes;
	if (lun->nr_blocks && lun->has_own_size && bytes % lun->block_bytes) {
		snprintf(reason, n,
			"LUN %u: %s has %llu bytes, which are not whole blocks "
			"of %u bytes; size=%llu serves the first %llu",
			lun->number, path, (unsigned long long)bytes,
			lun->block_bytes,
			(unsigned long long)tgt_lun_bytes(lun),
			(unsigned long long)tgt_lun_bytes(lun));
		return -EINVAL;
	}
	if (!lun->nr_blocks || tgt_lun_bytes(lun) > bytes) {
		snprintf(reason, n,
			"LUN %u: %s has %llu bytes, %llu are needed",
			lun->number, path, (unsigned long long)bytes,
			(unsigned long long)(lun->nr_blocks ?
						     tgt_lun_bytes(lun) :
						     lun->block_bytes));
		return -EINVAL;
	}
	return 0;
}

static int
file_open(struct tgt_lun *lun, const struct target_lun_attr *attr, char *reason,
	size_t n)
{
	int rc;

	lun->is_async = true;
	lun->path = strdup(attr->backend);
	if (!lun->path) {
		snprintf(reason, n, "LUN %u: no memory", lun->number);
		return -ENOMEM;
	}
	if (lun->flags & TARGET_LUN_NODATA) {
		snprintf(reason, n,
			"LUN %u: only null can leave the data phase out",
			lun->number);
		return -EINVAL;
	}
	rc = mem_alloc(&lun->pages, FILE_SCRATCH_BYTES, 0);
	if (!rc)
		rc = file_open_fd(lun, attr->backend);
	if (rc) {
		snprintf(reason, n, "LUN %u: opening %s: %s", lun->number,
			attr->backend, strerror(-rc));
		return rc;
	}
	return file_set_size(lun, attr->backend, reason, n);
}

static void
file_close(struct tgt_lun *lun)
{
	if (lun->fd >= 0)
		close(lun->fd);
	lun->fd = -1;
	mem_free(&lun->pages);
	free(lun->path);
	lun->path = NULL;
}

static int
file_resize(struct tgt_lun *next, char *reason, size_t n)
{
	return file_set_size(next, next->path, reason, n);
}

/* What was opened for reading is opened for writing. */
static int
file_protect(struct tgt_lun *next, char *reason, size_t n)
{
	int flags = fcntl(next->fd, F_GETFL);
	int rc;

	if (tgt_lun_is_protected(next) || (flags & O_ACCMODE) == O_RDWR)
		return 0;
	next->is_buffered = false;
	rc = file_open_fd(next, next->path);
	if (rc)
		snprintf(reason, n, "LUN %u: opening %s: %s", next->number,
			next->path, strerror(-rc));
	return rc;
}

static int
file_write_all(int fd, const void *data, size_t bytes, uint64_t off)
{
	ssize_t n = pwrite(fd, data, bytes, (off_t)off);

	if (n < 0)
		return -errno;
	return (size_t)n == bytes ? 0 : -EIO;
}

/* As many whole blocks at once as fit the scratch memory, which is aligned. */
static int
file_write_same(struct tgt_lun *lun, uint64_t off, uint64_t len,
	const uint8_t *block)
{
	uint32_t per_write = FILE_SCRATCH_BYTES / lun->block_bytes;
	uint64_t step = (uint64_t)per_write * lun->block_bytes;
	uint8_t *scratch = lun->pages.addr;
	uint32_t i;
	int rc = 0;

	for (i = 0; i < per_write; i++)
		memcpy(scratch + (size_t)i * lun->block_bytes, block,
			lun->block_bytes);
	while (len && !rc) {
		if (step > len)
			step = len;
		rc = file_write_all(lun->fd, scratch, step, off);
		off += step;
		len -= step;
	}
	return rc;
}

static int
file_unmap(struct tgt_lun *lun, uint64_t off, uint64_t len)
{
	static const uint8_t zeros[4160];

	if (!fallocate(lun->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		    (off_t)off, (off_t)len))
		return 0;
	if (errno != EOPNOTSUPP && errno != ENODEV)
		return -errno;
	return file_write_same(lun, off, len, zeros);
}

static int
file_compare(
	struct tgt_lun *lun, uint64_t off, uint32_t len, const uint8_t *data)
{
	ssize_t n;

	if (len > FILE_SCRATCH_BYTES)
		return -EINVAL;
	n = pread(lun->fd, lun->pages.addr, len, (off_t)off);
	if (n < 0)
		return -errno;
	if ((uint32_t)n != len)
		return -EIO;
	return memcmp(lun->pages.addr, data, len) ? -EILSEQ : 0;
}

const struct tgt_backend tgt_backend_file = {
	.name = "file",
	.is_async = true,
	.open = file_open,
	.close = file_close,
	.resize = file_resize,
	.protect = file_protect,
	.unmap = file_unmap,
	.write_same = file_write_same,
	.compare = file_compare,
};
