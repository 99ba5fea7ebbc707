/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/srplat_area.h"

static struct srplat_opts opts;
static struct srplat_area area;
static struct srplat_src in, out;
static struct srplat_src_ops ops;
static char reason[512];

/* A LUN of 100 blocks is read; nothing takes it. */
static void
setup(void)
{
	memset(&opts, 0, sizeof(opts));
	opts.bs = 512;
	opts.count = SRPLAT_FOREVER;
	in = (struct srplat_src){ .ops = &ops,
		.name = "lun",
		.kind = SRPLAT_KIND_LUN,
		.block_bytes = 512,
		.bytes = 51200 };
	out = (struct srplat_src){ .name = "/dev/null",
		.kind = SRPLAT_KIND_NULL,
		.bytes = SRPLAT_FOREVER };
}

static void
set_count(uint64_t count)
{
	opts.count_text = "given";
	opts.count = count;
}

/* /dev/zero is written to the LUN. */
static void
turn_round(void)
{
	out = in;
	in = (struct srplat_src){ .name = "/dev/zero",
		.kind = SRPLAT_KIND_ZERO,
		.bytes = SRPLAT_FOREVER };
}

static int
init(void)
{
	reason[0] = '\0';
	return srplat_area_init(
		&area, &opts, &in, &out, reason, sizeof(reason));
}

START_TEST(without_count_all_of_it_is_covered)
{
	opts.in_offset = 1024;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 98);
	ck_assert_uint_eq(area.nr_wanted, 98);
	ck_assert_uint_eq(area.in_offset, 1024);
	ck_assert_uint_eq(area.tail_bytes, 0);
}
END_TEST

START_TEST(a_capacity_that_is_no_multiple_ends_in_a_short_record)
{
	opts.bs = 1536;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 34);
	ck_assert_uint_eq(area.tail_bytes, 512);
}
END_TEST

START_TEST(count_limits_the_area)
{
	set_count(10);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 10);
	ck_assert_uint_eq(area.nr_wanted, 10);
	set_count(0);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_wanted, 0);
}
END_TEST

START_TEST(a_run_by_time_goes_round_without_count_and_stops_with_it)
{
	opts.runtime_ns = 1000000;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 100);
	ck_assert_uint_eq(area.nr_wanted, SRPLAT_FOREVER);
	set_count(7);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_wanted, 7);
}
END_TEST

START_TEST(a_range_past_the_end_is_refused_on_either_side)
{
	set_count(101);
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "up to 100 records"));
	ck_assert_ptr_nonnull(strstr(reason, "skip="));
	turn_round();
	opts.out_offset = 512;
	set_count(100);
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "up to 99 records"));
	ck_assert_ptr_nonnull(strstr(reason, "seek="));
	set_count(UINT64_MAX / 2);
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
}
END_TEST

START_TEST(a_beginning_past_the_end_is_refused)
{
	opts.in_offset = 51200 + 512;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "skip= begins at byte 51712"));
	opts.in_offset = 51200;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 0);
}
END_TEST

START_TEST(a_record_that_is_not_whole_blocks_is_refused_with_the_block_size)
{
	in.block_bytes = 4096;
	in.bytes = 4096 * 100;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "bs=512"));
	ck_assert_ptr_nonnull(strstr(reason, "4096 bytes"));
	opts.bs = 8192;
	opts.in_offset = 512;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "skip= at byte 512"));
}
END_TEST

START_TEST(sectors_need_not_be_powers_of_two)
{
	static const uint32_t sectors[] = { 520, 528, 4104, 4160 };
	size_t i;

	for (i = 0; i < 4; i++) {
		in.block_bytes = sectors[i];
		in.bytes = UINT64_C(0x200000000) * sectors[i];
		opts.bs = 3 * sectors[i];
		opts.in_offset = UINT64_C(0x100000000) * sectors[i];
		set_count(5);
		ck_assert_int_eq(init(), 0);
		ck_assert_uint_eq(area.nr_records, 5);
		opts.bs = 512;
		ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	}
}
END_TEST

START_TEST(a_write_protected_output_is_refused)
{
	turn_round();
	out.flags = SRPLAT_SRC_READ_ONLY;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "write protected"));
	setup();
	in.flags = SRPLAT_SRC_READ_ONLY;
	ck_assert_int_eq(init(), 0);
}
END_TEST

START_TEST(a_file_that_is_read_ends_where_it_ends)
{
	in.kind = SRPLAT_KIND_FILE;
	in.block_bytes = 0;
	in.bytes = 1300;
	set_count(100);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 3);
	ck_assert_uint_eq(area.tail_bytes, 276);
}
END_TEST

START_TEST(a_files_odd_tail_does_not_fit_a_lun)
{
	turn_round();
	in = (struct srplat_src){ .ops = &ops,
		.name = "file",
		.kind = SRPLAT_KIND_FILE,
		.bytes = 1300 };
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "last record"));
	ck_assert_ptr_nonnull(strstr(reason, "276"));
	in.bytes = 1536;
	opts.bs = 1024;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.tail_bytes, 512);
}
END_TEST

START_TEST(what_has_no_end_needs_a_limit)
{
	turn_round();
	out.kind = SRPLAT_KIND_FILE;
	out.block_bytes = 0;
	out.bytes = SRPLAT_FOREVER;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "count= or runtime="));
	set_count(3);
	ck_assert_int_eq(init(), 0);
	opts.count_text = NULL;
	opts.count = SRPLAT_FOREVER;
	opts.runtime_ns = 1;
	ck_assert_int_eq(init(), 0);
}
END_TEST

START_TEST(random_records_lie_anywhere_in_the_whole)
{
	opts.pattern = SRPLAT_PATTERN_RAND;
	opts.bs = 1536;
	set_count(1000);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 33);
	ck_assert_uint_eq(area.tail_bytes, 0);
	ck_assert_uint_eq(area.nr_wanted, 1000);
	opts.bs = 512 * 101;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
}
END_TEST

START_TEST(random_writes_to_a_file_stay_in_its_length)
{
	turn_round();
	opts.pattern = SRPLAT_PATTERN_RAND;
	out.kind = SRPLAT_KIND_FILE;
	out.block_bytes = 0;
	out.bytes = SRPLAT_FOREVER;
	out.file_bytes = 5120;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	set_count(4);
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 4);
	opts.conv = SRPLAT_CONV_NOTRUNC;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_records, 10);
}
END_TEST

START_TEST(random_copies_are_refused)
{
	out = in;
	opts.pattern = SRPLAT_PATTERN_RAND;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "pattern=rand"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_area");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, without_count_all_of_it_is_covered);
	tcase_add_test(
		tcase, a_capacity_that_is_no_multiple_ends_in_a_short_record);
	tcase_add_test(tcase, count_limits_the_area);
	tcase_add_test(tcase,
		a_run_by_time_goes_round_without_count_and_stops_with_it);
	tcase_add_test(tcase, a_range_past_the_end_is_refused_on_either_side);
	tcase_add_test(tcase, a_beginning_past_the_end_is_refused);
	tcase_add_test(tcase,
		a_record_that_is_not_whole_blocks_is_refused_with_the_block_size);
	tcase_add_test(tcase, sectors_need_not_be_powers_of_two);
	tcase_add_test(tcase, a_write_protected_output_is_refused);
	tcase_add_test(tcase, a_file_that_is_read_ends_where_it_ends);
	tcase_add_test(tcase, a_files_odd_tail_does_not_fit_a_lun);
	tcase_add_test(tcase, what_has_no_end_needs_a_limit);
	tcase_add_test(tcase, random_records_lie_anywhere_in_the_whole);
	tcase_add_test(tcase, random_writes_to_a_file_stay_in_its_length);
	tcase_add_test(tcase, random_copies_are_refused);
	return unit_run(tcase, "srplat_area");
}
