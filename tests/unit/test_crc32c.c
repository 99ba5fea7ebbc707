/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "util/crc32c.h"

static uint32_t (*const ways[])(uint32_t crc, const void *data,
	size_t bytes) = { crc32c, crc32c_by_table };

/* RFC 3720 B.4, each as it reads in memory, low byte first. */
START_TEST(the_examples_of_rfc_3720_come_out)
{
	unsigned char data[32];
	int i;

	memset(data, 0, sizeof(data));
	ck_assert_uint_eq(ways[_i](0, data, 32), 0x8a9136aa);
	memset(data, 0xff, sizeof(data));
	ck_assert_uint_eq(ways[_i](0, data, 32), 0x62a8ab43);
	for (i = 0; i < 32; i++)
		data[i] = (unsigned char)i;
	ck_assert_uint_eq(ways[_i](0, data, 32), 0x46dd794e);
	for (i = 0; i < 32; i++)
		data[i] = (unsigned char)(31 - i);
	ck_assert_uint_eq(ways[_i](0, data, 32), 0x113fdb5c);
	ck_assert_uint_eq(ways[_i](0, "123456789", 9), 0xe3069283);
}
END_TEST

START_TEST(nothing_changes_nothing)
{
	ck_assert_uint_eq(ways[_i](0, "", 0), 0);
	ck_assert_uint_eq(ways[_i](0x12345678, "", 0), 0x12345678);
}
END_TEST

START_TEST(pieces_add_up_to_the_whole_at_any_length_and_alignment)
{
	unsigned char data[96];
	size_t from, cut, i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 37 + 11);
	for (from = 0; from < 9; from++)
		for (cut = 0; cut <= 64; cut++)
			ck_assert_uint_eq(
				ways[_i](ways[_i](0, data + from, cut),
					data + from + cut, 80 - cut),
				crc32c_by_table(0, data + from, 80));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("crc32c");

	tcase_add_loop_test(tcase, the_examples_of_rfc_3720_come_out, 0, 2);
	tcase_add_loop_test(tcase, nothing_changes_nothing, 0, 2);
	tcase_add_loop_test(tcase,
		pieces_add_up_to_the_whole_at_any_length_and_alignment, 0, 2);
	return unit_run(tcase, "crc32c");
}
