/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Regions: what is refused, keys, and the check itself. */
#include "unit.h"

#include <errno.h>

#include "soft_pair.h"
#include "softrdma/soft_mem.h"
#include "util/compiler.h"

static const struct pair_attr plain = { 0 };

static bool
is_refused(struct pair *p, void *addr, size_t bytes, int access)
{
	struct ibv_mr *mr;

	errno = 0;
	mr = p->fabric->reg_mr(p->end[0].pd, addr, bytes, access);
	if (mr)
		p->fabric->dereg_mr(mr);
	return !mr && errno == EINVAL;
}

START_TEST(impossible_regions_are_refused)
{
	struct pair p;
	char *buf;

	pair_open(&p, &plain);
	buf = (char *)p.end[0].buf;
	ck_assert(is_refused(&p, buf, 0, 0));
	ck_assert(is_refused(&p, (void *)(UINTPTR_MAX - 10), 100, 0));
	ck_assert(is_refused(&p, buf, 100, IBV_ACCESS_REMOTE_WRITE));
	ck_assert(is_refused(&p, buf, 100, IBV_ACCESS_REMOTE_ATOMIC));
	ck_assert(is_refused(&p, buf, 100, IBV_ACCESS_MW_BIND));
	ck_assert(!is_refused(&p, buf, 100, 0));
	ck_assert(!is_refused(&p, buf, 100, IBV_ACCESS_REMOTE_READ));
	ck_assert(!is_refused(&p, buf, 100, IBV_ACCESS_RELAXED_ORDERING));
	pair_close(&p);
}
END_TEST

START_TEST(a_key_is_not_used_again_soon)
{
	uint32_t seen[300];
	struct ibv_mr *mr;
	struct pair p;
	int i, j;

	pair_open(&p, &plain);
	for (i = 0; i < 300; i++) {
		mr = p.fabric->reg_mr(p.end[0].pd, p.end[0].buf, 10, 0);
		ck_assert_ptr_nonnull(mr);
		ck_assert_uint_eq(mr->lkey, mr->rkey);
		seen[i] = mr->lkey;
		for (j = 0; j < i; j++)
			ck_assert_uint_ne(seen[j], seen[i]);
		p.fabric->dereg_mr(mr);
	}
	pair_close(&p);
}
END_TEST

START_TEST(a_device_has_a_limit_of_regions)
{
	static struct ibv_mr *mr[SOFT_MAX_MR];
	struct ibv_device_attr attr;
	struct pair p;
	int nr = 0;

	pair_open(&p, &plain);
	ck_assert_int_eq(p.fabric->query_device(p.end[0].id->verbs, &attr), 0);
	while ((mr[nr] = p.fabric->reg_mr(p.end[0].pd, p.end[0].buf, 10, 0)))
		nr++;
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_int_eq(nr + 2, attr.max_mr); /* two ends have theirs */
	p.fabric->dereg_mr(mr[--nr]);
	mr[nr] = p.fabric->reg_mr(p.end[0].pd, p.end[0].buf, 10, 0);
	ck_assert_ptr_nonnull(mr[nr]);
	for (; nr >= 0; nr--)
		p.fabric->dereg_mr(mr[nr]);
	pair_close(&p);
}
END_TEST

/* The check alone, on a table of one region [0x1000, 0x1100). */
static struct soft_mr_entry table[SOFT_MAX_MR];
static const struct soft_pd pd, other_pd;
#define KEY 0x503u

static bool
check(uint32_t key, uint64_t addr, uint32_t bytes, enum soft_access access)
{
	const struct ibv_sge range = { addr, bytes, key };

	return soft_mem_check(table, &pd, &range, access);
}

static void
fill_table(void)
{
	struct soft_mr_entry *e = &table[KEY >> 8];

	e->key = KEY;
	e->start = 0x1000;
	e->bytes = 0x100;
	e->pd[SOFT_ACCESS_LOCAL_READ] = &pd;
	e->pd[SOFT_ACCESS_REMOTE_READ] = &pd;
}

START_TEST(the_check_is_right_at_every_edge)
{
	fill_table();
	ck_assert(check(KEY, 0x1000, 0x100, SOFT_ACCESS_LOCAL_READ));
	ck_assert(check(KEY, 0x10ff, 1, SOFT_ACCESS_REMOTE_READ));
	ck_assert(check(KEY, 0x1100, 0, SOFT_ACCESS_REMOTE_READ));
	ck_assert(!check(KEY, 0x1100, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0x0fff, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0x0fff, 2, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0x1000, 0x101, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0x1001, UINT32_MAX, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, UINT64_MAX, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, UINT64_MAX, UINT32_MAX, SOFT_ACCESS_LOCAL_READ));
	/* Wraps to the start, or just below. */
	ck_assert(!check(KEY, 0x1000 - 8, 16, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY, 0x1000 - 16, 16, SOFT_ACCESS_LOCAL_READ));
}
END_TEST

START_TEST(the_check_looks_at_key_domain_and_right)
{
	struct ibv_sge range = { 0x1000, 1, KEY };

	fill_table();
	ck_assert(!check(KEY, 0x1000, 1, SOFT_ACCESS_LOCAL_WRITE));
	ck_assert(!check(KEY, 0x1000, 1, SOFT_ACCESS_REMOTE_WRITE));
	ck_assert(!check(KEY + 1, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY - 1, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY | 1u << 24, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(KEY | 1u << 31, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(0, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(0, 0, 0, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!check(UINT32_MAX, 0x1000, 1, SOFT_ACCESS_LOCAL_READ));
	ck_assert(!soft_mem_check(table, &other_pd, &range,
		SOFT_ACCESS_LOCAL_READ));
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_mem");

	tcase_add_test(t, impossible_regions_are_refused);
	tcase_add_test(t, a_key_is_not_used_again_soon);
	tcase_add_test(t, a_device_has_a_limit_of_regions);
	tcase_add_test(t, the_check_is_right_at_every_edge);
	tcase_add_test(t, the_check_looks_at_key_domain_and_right);
	return unit_run(t, "soft_mem");
}
