/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A block device or regular file, with O_DIRECT through libaio. A request that
 * O_DIRECT cannot take (the short tail of a copy, a file system without it)
 * goes through a second descriptor without the flag, and the note says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/srplat_src.h"
#include "util/clock.h"
#include "util/compiler.h"

#define PAGE_BYTES 4096

struct aio {
	struct srplat_src src;
	enum srplat_dir dir;
	int direct_fd; /* -1 where the file system refuses O_DIRECT */
	int cached_fd;
	io_context_t ctx;
	unsigned int depth;
	unsigned int nr_queued;
	struct iocb *iocbs; /* by tag; arrays live from attach to detach */
	struct iocb **queued;
	struct io_event *events;
};

static struct aio *
to_aio(struct srplat_src *src)
{
	return container_of(src, struct aio, src);
}

static void
aio_close(struct srplat_src *src)
{
	struct aio *aio = to_aio(src);

	if (aio->direct_fd >= 0)
		close(aio->direct_fd);
	if (aio->cached_fd >= 0)
		close(aio->cached_fd);
	free(aio);
}

static void
aio_detach(struct srplat_src *src)
{
	struct aio *aio = to_aio(src);

	if (aio->ctx)
		io_destroy(aio->ctx); /* waits for what is outstanding */
	aio->ctx = NULL;
	free(aio->iocbs);
	free(aio->queued);
	free(aio->events);
	aio->iocbs = NULL;
	aio->queued = NULL;
	aio->events = NULL;
}

static int
aio_attach(struct srplat_src *src, int mode, unsigned int depth, char *reason,
	size_t n)
{
	struct aio *aio = to_aio(src);
	int rc;

	(void)mode;
	aio->depth = depth;
	aio->nr_queued = 0;
	aio->iocbs = calloc(depth, sizeof(*aio->iocbs));
	aio->queued = calloc(depth, sizeof(*aio->queued));
	aio->events = calloc(depth, sizeof(*aio->events));
	rc = aio->iocbs && aio->queued && aio->events
		? io_setup((int)depth, &aio->ctx)
		: -ENOMEM;
	if (!rc)
		return 0;
	snprintf(reason, n,
		"%s: io_setup for %u requests: %s; with EAGAIN raise "
		"fs.aio-max-nr, with ENOSYS the kernel has no AIO",
		src->name, depth, strerror(-rc));
	aio_detach(src);
	return rc;
}

static int
fd_for(const struct aio *aio, const struct srplat_req *req)
{
	if (unlikely(aio->direct_fd < 0 ||
		    (req->offset | req->bytes) % aio->src.direct_bytes))
		return aio->cached_fd;
	return aio->direct_fd;
}

static int
aio_submit(struct srplat_src *src, const struct srplat_req *req)
{
	struct aio *aio = to_aio(src);
	struct iocb *iocb = &aio->iocbs[req->tag];
	int fd = fd_for(aio, req);

	if (req->dir == SRPLAT_READ)
		io_prep_pread(iocb, fd, req->buf, req->bytes,
			(long long)req->offset);
	else
		io_prep_pwrite(iocb, fd, req->buf, req->bytes,
			(long long)req->offset);
	iocb->data = (void *)(uintptr_t)req->tag;
	aio->queued[aio->nr_queued++] = iocb;
	return 0;
}

static __cold int
fail_submit(struct aio *aio, int error)
{
	snprintf(aio->src.error_text, sizeof(aio->src.error_text),
		"%s: io_submit of %u requests: %s", aio->src.name,
		aio->nr_queued, strerror(-error));
	return error;
}

static int
aio_flush(struct srplat_src *src)
{
	struct aio *aio = to_aio(src);
	unsigned int at = 0;
	int rc;

	while (at < aio->nr_queued) {
		rc = io_submit(aio->ctx, (long)(aio->nr_queued - at),
			aio->queued + at);
		if (unlikely(rc < 0 && rc != -EINTR && rc != -EAGAIN))
			return fail_submit(aio, rc);
		if (rc > 0)
			at += (unsigned int)rc;
	}
	aio->nr_queued = 0;
	return 0;
}

static __cold int
fail_io(struct aio *aio, const struct iocb *iocb, long res)
{
	const char *verb =
		iocb->aio_lio_opcode == IO_CMD_PREAD ? "read" : "write";
	int error = res < 0 ? (int)res : -EIO;

	if (aio->src.error_text[0])
		return error;
	snprintf(aio->src.error_text, sizeof(aio->src.error_text),
		"%s: %s of %lu bytes at offset %lld: %s%s", aio->src.name, verb,
		iocb->u.c.nbytes, iocb->u.c.offset,
		res < 0 ? strerror((int)-res) : "only a part was transferred",
		res == -EINVAL ? " (O_DIRECT may need larger blocks: try "
				 "bs=4k)"
			       : "");
	return error;
}

static int
aio_wait(struct srplat_src *src, struct srplat_done *done, unsigned int max,
	int64_t timeout_ns)
{
	struct aio *aio = to_aio(src);
	struct timespec timeout = { timeout_ns / (int64_t)CLOCK_NS_PER_SEC,
		timeout_ns % (int64_t)CLOCK_NS_PER_SEC };
	int i, nr;

	nr = io_getevents(aio->ctx, 1, (long)min(max, aio->depth),
		aio->events, &timeout);
	if (unlikely(nr < 0))
		return nr == -EINTR ? 0 : nr;
	for (i = 0; i < nr; i++) {
		const struct io_event *event = &aio->events[i];
		const struct iocb *iocb = event->obj;
		long res = (long)event->res;

		done[i].tag = (uint32_t)(uintptr_t)event->data;
		done[i].bytes = res < 0 ? 0 : (uint32_t)res;
		done[i].error = 0;
		if (unlikely(res < 0 || (unsigned long)res != iocb->u.c.nbytes))
			done[i].error = fail_io(aio, iocb, res);
	}
	return nr;
}

static int
aio_truncate(struct srplat_src *src, uint64_t bytes)
{
	int rc = 0;

	if (src->kind == SRPLAT_KIND_FILE &&
		ftruncate(to_aio(src)->cached_fd, (off_t)bytes))
		rc = -errno;
	if (rc)
		snprintf(src->error_text, sizeof(src->error_text),
			"%s: cannot be cut to %llu bytes: %s", src->name,
			(unsigned long long)bytes, strerror(-rc));
	return rc;
}

static int
aio_sync(struct srplat_src *src, bool datasync)
{
	struct aio *aio = to_aio(src);
	int rc = datasync ? fdatasync(aio->cached_fd) : fsync(aio->cached_fd);

	if (!rc)
		return 0;
	rc = -errno;
	snprintf(src->error_text, sizeof(src->error_text), "%s: %s: %s",
		src->name, datasync ? "fdatasync" : "fsync", strerror(-rc));
	return rc;
}

static const char *
aio_mode_name(struct srplat_src *src, int mode)
{
	(void)src;
	(void)mode;
	return "libaio";
}

static const struct srplat_src_ops aio_ops = {
	.close = aio_close,
	.map = srplat_src_map_none,
	.attach = aio_attach,
	.detach = aio_detach,
	.submit = aio_submit,
	.flush = aio_flush,
	.wait = aio_wait,
	.truncate = aio_truncate,
	.sync = aio_sync,
	.usage = srplat_src_usage_none,
	.has_mode = srplat_src_has_mode_one,
	.mode_name = aio_mode_name,
};

static int
refuse(const struct srplat_src_args *args, enum srplat_exit status,
	const char *what, char *reason, size_t n)
{
	snprintf(reason, n, "%s=%s: %s",
		args->dir == SRPLAT_READ ? "if" : "of", args->name, what);
	return (int)status;
}

static int
open_flags(const struct srplat_src_args *args)
{
	int flags = O_CLOEXEC | O_RDONLY;

	if (args->dir == SRPLAT_WRITE) {
		flags = O_CLOEXEC | O_CREAT;
		/* What verify=write wrote is read back. */
		flags |= args->opts->verify ? O_RDWR : O_WRONLY;
		/* As fdatasync() after each write, which is what both want. */
		if (args->opts->oflags & SRPLAT_FLAG_SYNC)
			flags |= O_DSYNC;
	}
	return flags;
}

/* Where O_DIRECT begins to work: the smallest power of two from 512 on. */
static uint32_t
find_direct_align(int fd, blksize_t fallback)
{
	void *page = NULL;
	uint32_t align;

	if (posix_memalign(&page, PAGE_BYTES, PAGE_BYTES))
		return (uint32_t)fallback;
	for (align = 512; align < PAGE_BYTES; align *= 2)
		if (pread(fd, page, align, 0) >= 0 || errno == EBADF)
			break;
	free(page);
	return align;
}

static int
set_up_device(struct aio *aio, const struct srplat_src_args *args,
	char *reason, size_t n)
{
	int sector = 0, read_only = 0;
	uint64_t bytes = 0;

	if (ioctl(aio->cached_fd, BLKGETSIZE64, &bytes) ||
		ioctl(aio->cached_fd, BLKSSZGET, &sector) || sector <= 0)
		return refuse(args, SRPLAT_EXIT_UNREACHABLE,
			"the block device does not tell its size", reason, n);
	if (!ioctl(aio->cached_fd, BLKROGET, &read_only) && read_only)
		aio->src.flags |= SRPLAT_SRC_READ_ONLY;
	aio->src.kind = SRPLAT_KIND_DEVICE;
	aio->src.bytes = bytes;
	aio->src.block_bytes = (uint32_t)sector;
	aio->src.direct_bytes = (uint32_t)sector;
	if (aio->direct_fd < 0)
		snprintf(aio->src.note, sizeof(aio->src.note),
			"%s does not take O_DIRECT: the page cache is included",
			args->name);
	return 0;
}

static void
set_up_file(struct aio *aio, const struct srplat_src_args *args,
	const struct stat *st)
{
	aio->src.kind = SRPLAT_KIND_FILE;
	aio->src.file_bytes = (uint64_t)st->st_size;
	aio->src.bytes = args->dir == SRPLAT_READ ? aio->src.file_bytes
						  : SRPLAT_FOREVER;
	aio->src.direct_bytes = aio->direct_fd < 0
		? 1
		: find_direct_align(aio->direct_fd, st->st_blksize);
	if (aio->direct_fd < 0)
		snprintf(aio->src.note, sizeof(aio->src.note),
			"%s does not take O_DIRECT: the page cache is included",
			args->name);
}

static int
set_up(struct aio *aio, const struct srplat_src_args *args, char *reason,
	size_t n)
{
	struct stat st;

	if (fstat(aio->cached_fd, &st))
		return refuse(args, SRPLAT_EXIT_UNREACHABLE, strerror(errno),
			reason, n);
	if (S_ISBLK(st.st_mode))
		return set_up_device(aio, args, reason, n);
	if (!S_ISREG(st.st_mode))
		return refuse(args, SRPLAT_EXIT_BAD_VALUE,
			"neither a regular file nor a block device", reason, n);
	set_up_file(aio, args, &st);
	return 0;
}

/*
 * Before it is opened, since to open a FIFO waits for its other end. O_EXCL on
 * a block device refuses one that is mounted or otherwise held.
 */
static int
look(const struct srplat_src_args *args, int *exclusive, char *reason,
	size_t n)
{
	struct stat st;

	*exclusive = 0;
	if (stat(args->name, &st))
		return 0; /* to open it tells why */
	if (args->dir == SRPLAT_WRITE && S_ISBLK(st.st_mode))
		*exclusive = O_EXCL;
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return refuse(args, SRPLAT_EXIT_BAD_VALUE,
			"a FIFO or socket has no places to read or write at: "
			"allowed are a URL, a block device and a regular file",
			reason, n);
	return 0;
}

/* Readable too where that is allowed, to find the alignment. */
static int
open_direct(struct aio *aio, const struct srplat_src_args *args, int flags,
	char *reason, size_t n)
{
	int readable = (flags & ~O_ACCMODE) | O_RDWR | O_DIRECT;

	if (args->dir == SRPLAT_WRITE)
		aio->direct_fd = open(args->name, readable);
	if (aio->direct_fd < 0)
		aio->direct_fd = open(args->name, flags | O_DIRECT);
	if (aio->direct_fd < 0 && errno != EINVAL)
		return refuse(args, SRPLAT_EXIT_UNREACHABLE, strerror(errno),
			reason, n);
	return 0;
}

static int
open_fds(struct aio *aio, const struct srplat_src_args *args, char *reason,
	size_t n)
{
	int flags = open_flags(args);
	int exclusive, rc = look(args, &exclusive, reason, n);

	if (rc)
		return rc;
	if (exclusive)
		flags &= ~O_CREAT;
	aio->cached_fd = open(args->name, flags | exclusive, 0666);
	if (aio->cached_fd < 0 && errno == EBUSY && exclusive)
		return refuse(args, SRPLAT_EXIT_BAD_VALUE,
			"the device is mounted or otherwise in use, so "
			"nothing is written to it",
			reason, n);
	if (aio->cached_fd < 0 && errno == EROFS)
		return refuse(args, SRPLAT_EXIT_BAD_VALUE,
			"write protected", reason, n);
	if (aio->cached_fd < 0)
		return refuse(args, SRPLAT_EXIT_UNREACHABLE, strerror(errno),
			reason, n);
	return open_direct(aio, args, flags & ~O_CREAT, reason, n);
}

int
srplat_src_aio_open(const struct srplat_src_args *args,
	struct srplat_src **src, char *reason, size_t n)
{
	struct aio *aio = calloc(1, sizeof(*aio));
	int rc;

	if (!aio)
		return refuse(args, SRPLAT_EXIT_UNREACHABLE,
			strerror(ENOMEM), reason, n);
	aio->src.ops = &aio_ops;
	aio->src.name = args->name;
	aio->dir = args->dir;
	aio->direct_fd = -1;
	aio->cached_fd = -1;
	rc = open_fds(aio, args, reason, n);
	if (!rc)
		rc = set_up(aio, args, reason, n);
	if (rc) {
		aio_close(&aio->src);
		return rc;
	}
	*src = &aio->src;
	return 0;
}
