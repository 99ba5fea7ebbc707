/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t
round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

static void *
map(size_t bytes, int flags)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static int
alloc_hugetlb(struct mem *mem, size_t bytes)
{
	size_t map_bytes = round_up(bytes, MEM_HUGE_BYTES);
	/* Populated here: a pool that runs dry later would mean SIGBUS. */
	void *addr = map(map_bytes, MAP_HUGETLB | MAP_POPULATE);

	if (addr == MAP_FAILED)
		return -errno;
	*mem = (struct mem){ addr, bytes, map_bytes, MEM_KIND_HUGETLB };
	return 0;
}

/* Map more than needed and cut both ends, which gives the alignment. */
static int
alloc_thp(struct mem *mem, size_t bytes)
{
	size_t map_bytes = round_up(bytes, MEM_HUGE_BYTES);
	char *raw = map(map_bytes + MEM_HUGE_BYTES, 0);
	size_t before;
	char *addr;

	if (raw == MAP_FAILED)
		return -errno;
	addr = (char *)round_up((uintptr_t)raw, MEM_HUGE_BYTES);
	before = (size_t)(addr - raw);
	if (before)
		munmap(raw, before);
	if (MEM_HUGE_BYTES - before)
		munmap(addr + map_bytes, MEM_HUGE_BYTES - before);
	if (madvise(addr, map_bytes, MADV_HUGEPAGE)) {
		munmap(addr, map_bytes);
		return -errno;
	}
	*mem = (struct mem){ addr, bytes, map_bytes, MEM_KIND_THP };
	return 0;
}

static int
alloc_pages(struct mem *mem, size_t bytes)
{
	size_t map_bytes = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE));
	void *addr = map(map_bytes, 0);

	if (addr == MAP_FAILED)
		return -errno;
	*mem = (struct mem){ addr, bytes, map_bytes, MEM_KIND_PAGES };
	return 0;
}

static void
populate(struct mem *mem)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *addr = mem->addr;
	size_t at;

	for (at = 0; at < mem->bytes; at += page)
		addr[at] = 0;
}

int
mem_alloc(struct mem *mem, size_t bytes, unsigned flags)
{
	int rc = -ENOMEM;

	memset(mem, 0, sizeof(*mem));
	if (!bytes)
		return -EINVAL;
	if (bytes > SIZE_MAX / 2)
		return -ENOMEM;
	/* Below half a huge page more would be wasted than used. */
	if ((flags & MEM_HUGE) && bytes >= MEM_HUGE_BYTES / 2) {
		rc = alloc_hugetlb(mem, bytes);
		if (rc)
			rc = alloc_thp(mem, bytes);
	}
	if (rc)
		rc = alloc_pages(mem, bytes);
	if (rc)
		return rc;
	if (flags & MEM_POPULATE)
		populate(mem);
	return 0;
}

void
mem_free(struct mem *mem)
{
	if (mem->addr)
		munmap(mem->addr, mem->map_bytes);
	memset(mem, 0, sizeof(*mem));
}

const char *
mem_kind_name(enum mem_kind kind)
{
	static const char *const names[] = {
		[MEM_KIND_PAGES] = "pages",
		[MEM_KIND_THP] = "transparent huge pages",
		[MEM_KIND_HUGETLB] = "huge pages",
	};

	return names[kind];
}

void *
mem_aligned_zalloc(size_t align, size_t bytes)
{
	size_t rounded = round_up(bytes ? bytes : 1, align);
	void *p;

	if (rounded < bytes)
		return NULL;
	p = aligned_alloc(align, rounded);
	if (p)
		memset(p, 0, rounded);
	return p;
}

uint64_t
mem_lock_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_MEMLOCK, &lim) || lim.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return lim.rlim_cur;
}

void
mem_lock_reason(size_t bytes, int error, char *reason, size_t n)
{
	uint64_t limit = mem_lock_limit();

	if (limit == UINT64_MAX)
		snprintf(reason, n,
			"registering %zu bytes for RDMA failed: %s; locked "
			"memory is not limited here, so look at the device's "
			"limits (ibv_devinfo -v) and at free memory",
			bytes, strerror(error < 0 ? -error : error));
	else
		snprintf(reason, n,
			"registering %zu bytes for RDMA failed: %s; locked "
			"memory is limited to %" PRIu64 " bytes: raise it "
			"with 'ulimit -l unlimited' (or memlock in "
			"/etc/security/limits.conf, LimitMEMLOCK= in a "
			"systemd unit)",
			bytes, strerror(error < 0 ? -error : error), limit);
}
