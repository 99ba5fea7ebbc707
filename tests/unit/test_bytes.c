/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Integers in memory, at odd addresses and at the end of a heap block. */
#include "unit.h"

#include "util/bytes.h"
#include "util/compiler.h"

static const uint8_t BYTES[9] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 8 };

START_TEST(big_endian_is_read_most_significant_first)
{
	ck_assert_uint_eq(get_be16(BYTES + 1), 0x0102);
	ck_assert_uint_eq(get_be24(BYTES + 1), 0x010203);
	ck_assert_uint_eq(get_be32(BYTES + 1), 0x01020304);
	ck_assert_uint_eq(get_be48(BYTES + 1), 0x010203040506);
	ck_assert_uint_eq(get_be64(BYTES + 1), 0x0102030405060708);
}
END_TEST

START_TEST(little_endian_is_read_least_significant_first)
{
	ck_assert_uint_eq(get_le16(BYTES + 1), 0x0201);
	ck_assert_uint_eq(get_le32(BYTES + 1), 0x04030201);
	ck_assert_uint_eq(get_le64(BYTES + 1), 0x0807060504030201);
}
END_TEST

/* Stores only its own bytes: the block ends behind them. */
START_TEST(stores_are_as_wide_as_they_say)
{
	uint8_t *p = malloc(9);

	ck_assert_ptr_nonnull(p);
	memset(p, 0xff, 9);
	put_be16(p + 1, 0x0102);
	ck_assert_mem_eq(p, BYTES, 3);
	ck_assert_uint_eq(p[3], 0xff);
	put_be24(p + 1, 0x010203);
	ck_assert_mem_eq(p, BYTES, 4);
	ck_assert_uint_eq(p[4], 0xff);
	put_be32(p + 1, 0x01020304);
	ck_assert_mem_eq(p, BYTES, 5);
	ck_assert_uint_eq(p[5], 0xff);
	put_be48(p + 1, 0x010203040506);
	ck_assert_mem_eq(p, BYTES, 7);
	ck_assert_uint_eq(p[7], 0xff);
	put_be64(p + 1, 0x0102030405060708);
	ck_assert_mem_eq(p, BYTES, 9);
	put_le64(p + 1, 0x0807060504030201);
	ck_assert_mem_eq(p, BYTES, 9);
	put_le16(p + 7, 0x0807);
	put_le32(p + 3, 0x06050403);
	ck_assert_mem_eq(p, BYTES, 9);
	free(p);
}
END_TEST

START_TEST(members_have_no_alignment)
{
	struct {
		uint8_t first;
		struct be16 a;
		struct be24 b;
		struct be32 c;
		struct be48 d;
		struct be64 e;
	} s;

	ck_assert_uint_eq(sizeof(s), 1 + 2 + 3 + 4 + 6 + 8);
	memset(&s, 0, sizeof(s));
	be16_set(&s.a, 0x0102);
	be24_set(&s.b, 0x010203);
	be32_set(&s.c, 0x01020304);
	be48_set(&s.d, 0x010203040506);
	be64_set(&s.e, 0x0102030405060708);
	ck_assert_uint_eq(be16_get(&s.a), 0x0102);
	ck_assert_uint_eq(be24_get(&s.b), 0x010203);
	ck_assert_uint_eq(be32_get(&s.c), 0x01020304);
	ck_assert_uint_eq(be48_get(&s.d), 0x010203040506);
	ck_assert_uint_eq(be64_get(&s.e), 0x0102030405060708);
	ck_assert_mem_eq(s.d.b, BYTES + 1, 6);
}
END_TEST

START_TEST(compiler_macros_mean_what_they_say)
{
	struct outer {
		int before;
		int member;
	} outer;
	int evaluated = 0;

	ck_assert_ptr_eq(container_of(&outer.member, struct outer, member),
		&outer);
	ck_assert_uint_eq(ARRAY_SIZE(BYTES), 9);
	ck_assert_int_eq(min(++evaluated, 5), 1);
	ck_assert_int_eq(max(++evaluated, 1), 2);
	ck_assert_int_eq(evaluated, 2);
	ck_assert_uint_eq(min_t(uint64_t, UINT64_MAX, 7u), 7);
	ck_assert_uint_eq(DIV_ROUND_UP(9, 4), 3);
	ck_assert_uint_eq(DIV_ROUND_UP(8, 4), 2);
	ck_assert_uint_eq(ALIGN_UP(UINT64_C(0x100000001), 4096), 0x100001000);
	ck_assert_uint_eq(ALIGN_UP(4096u, 4096), 4096);
	ck_assert(IS_POWER_OF_2(64) && !IS_POWER_OF_2(65) && !IS_POWER_OF_2(0));
	cpu_relax();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("bytes");

	tcase_add_test(tcase, big_endian_is_read_most_significant_first);
	tcase_add_test(tcase, little_endian_is_read_least_significant_first);
	tcase_add_test(tcase, stores_are_as_wide_as_they_say);
	tcase_add_test(tcase, members_have_no_alignment);
	tcase_add_test(tcase, compiler_macros_mean_what_they_say);
	return unit_run(tcase, "bytes");
}
