/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/mem.h"

static void
check_zeroed_and_writable(const struct mem *mem)
{
	unsigned char *p = mem->addr;

	ck_assert_uint_eq(p[0], 0);
	ck_assert_uint_eq(p[mem->bytes - 1], 0);
	memset(p, 0x5a, mem->bytes);
}

START_TEST(pages_are_aligned_zeroed_and_as_long_as_asked)
{
	struct mem mem;

	ck_assert_int_eq(mem_alloc(&mem, 10000, 0), 0);
	ck_assert_uint_eq(mem.bytes, 10000);
	ck_assert_uint_ge(mem.map_bytes, 10000);
	ck_assert_int_eq(mem.kind, MEM_KIND_PAGES);
	ck_assert_uint_eq(
		(uintptr_t)mem.addr % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
	check_zeroed_and_writable(&mem);
	mem_free(&mem);
	ck_assert_ptr_null(mem.addr);
	mem_free(&mem);
}
END_TEST

START_TEST(huge_memory_is_aligned_whatever_it_comes_from)
{
	struct mem mem;

	ck_assert_int_eq(
		mem_alloc(&mem, 3 * MEM_HUGE_BYTES / 2,
			MEM_HUGE | MEM_POPULATE),
		0);
	if (mem.kind != MEM_KIND_PAGES)
		ck_assert_uint_eq((uintptr_t)mem.addr % MEM_HUGE_BYTES, 0);
	ck_assert_uint_gt(strlen(mem_kind_name(mem.kind)), 0);
	check_zeroed_and_writable(&mem);
	mem_free(&mem);
}
END_TEST

START_TEST(a_small_request_does_not_take_a_huge_page)
{
	struct mem mem;

	ck_assert_int_eq(mem_alloc(&mem, 4096, MEM_HUGE), 0);
	ck_assert_int_eq(mem.kind, MEM_KIND_PAGES);
	mem_free(&mem);
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
	struct mem mem;
	int ret;

	ck_assert_int_eq(mem_alloc(&mem, 0, 0), -EINVAL);
	ck_assert_int_eq(mem_alloc(&mem, SIZE_MAX, 0), -ENOMEM);
	/* The kernel's mmap() says ENOMEM, memcheck's EINVAL. */
	ret = mem_alloc(&mem, SIZE_MAX / 4, MEM_HUGE);
	ck_assert(ret == -ENOMEM || ret == -EINVAL);
	ck_assert_ptr_null(mem_aligned_zalloc(64, SIZE_MAX - 3));
	mem_free(&mem);
}
END_TEST

START_TEST(heap_memory_has_the_alignment_asked_for)
{
	unsigned char *p = mem_aligned_zalloc(4096, 100);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq((uintptr_t)p % 4096, 0);
	ck_assert_uint_eq(p[0] | p[99], 0);
	free(p);
}
END_TEST

START_TEST(the_memlock_sentence_names_limit_and_remedy)
{
	struct rlimit lim = { 65536, 65536 };
	char reason[400];

	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &lim), 0);
	ck_assert_uint_eq(mem_lock_limit(), 65536);
	mem_lock_reason(1 << 20, -ENOMEM, reason, sizeof(reason));
	ck_assert_ptr_nonnull(strstr(reason, "1048576 bytes"));
	ck_assert_ptr_nonnull(strstr(reason, "limited to 65536 bytes"));
	ck_assert_ptr_nonnull(strstr(reason, "ulimit -l"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("mem");

	tcase_add_test(tcase, pages_are_aligned_zeroed_and_as_long_as_asked);
	tcase_add_test(tcase, huge_memory_is_aligned_whatever_it_comes_from);
	tcase_add_test(tcase, a_small_request_does_not_take_a_huge_page);
	tcase_add_test(tcase, impossible_sizes_are_refused);
	tcase_add_test(tcase, heap_memory_has_the_alignment_asked_for);
	tcase_add_test(tcase, the_memlock_sentence_names_limit_and_remedy);
	return unit_run(tcase, "mem");
}
