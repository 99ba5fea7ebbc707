/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/srplat_run.h"

#define NR_RECORDS 37

static struct srplat_verify verify;
static struct srplat_opts opts;
static struct srplat_area area;
static struct srplat_src end;
static unsigned char data[NR_RECORDS * 8320];
static char reason[512];
static const uint32_t blocks[] = { 512, 520, 528, 4096, 4104, 4160, 64, 71 };

static void
setup(void)
{
	memset(&opts, 0, sizeof(opts));
	memset(&end, 0, sizeof(end));
	opts.verify = SRPLAT_VERIFY_WRITE;
	opts.has_seed = true;
	opts.seed = 42;
	end.block_bytes = 512;
	area = (struct srplat_area){
		.nr_records = NR_RECORDS,
		.nr_wanted = NR_RECORDS,
		.record_bytes = 1024,
	};
}

static void
teardown(void)
{
	srplat_verify_fini(&verify);
}

static int
init(void)
{
	srplat_verify_fini(&verify);
	return srplat_verify_init(
		&verify, &opts, &area, &end, reason, sizeof(reason));
}

static struct srplat_slot
slot_of(uint64_t record, uint64_t sequence)
{
	return (struct srplat_slot){
		.record = record,
		.sequence = sequence,
		.bytes = area.record_bytes,
		.buf = data + record * area.record_bytes,
	};
}

static void
write_all(void)
{
	struct srplat_slot slot;
	uint64_t i;

	for (i = 0; i < NR_RECORDS; i++) {
		slot = slot_of(srplat_verify_record(&verify, i), i);
		srplat_verify_fill(&verify, &slot);
	}
}

static int
check(uint64_t record, uint64_t sequence)
{
	struct srplat_slot slot = slot_of(record, sequence);

	return srplat_verify_check(&verify, &slot);
}

START_TEST(what_was_written_is_found_good_at_every_block_size)
{
	uint64_t i;

	end.block_bytes = blocks[_i];
	area.record_bytes = 2 * blocks[_i];
	ck_assert_int_eq(init(), 0);
	write_all();
	for (i = 0; i < NR_RECORDS; i++)
		ck_assert_int_eq(check(i, i), 0);
	ck_assert_uint_eq(verify.nr_blocks, 2 * NR_RECORDS);
	ck_assert(!verify.is_broken);
	/* and by another run, that knows neither seed nor order */
	opts.verify = SRPLAT_VERIFY_READ;
	opts.has_seed = false;
	ck_assert_int_eq(init(), 0);
	for (i = NR_RECORDS; i--;)
		ck_assert_int_eq(check(i, 999), 0);
	ck_assert_uint_eq(verify.seed, 42);
}
END_TEST

START_TEST(any_byte_that_changes_is_told_with_its_place)
{
	uint32_t at, block = blocks[_i];
	unsigned char *bad;
	char text[64];

	end.block_bytes = block;
	area.record_bytes = 2 * block;
	for (at = 0; at < block; at += at < 48 ? 1 : 13) {
		area.out_offset = 100 * (uint64_t)block;
		ck_assert_int_eq(init(), 0);
		write_all();
		bad = data + 3 * area.record_bytes + block + at;
		*bad ^= 0x10;
		ck_assert_int_eq(check(2, 2), 0);
		ck_assert_int_eq(check(3, 3), -EBADMSG);
		ck_assert(verify.is_broken);
		ck_assert_uint_eq(verify.bad_lba, 107);
		ck_assert_uint_eq(verify.bad_offset, at);
		snprintf(text, sizeof(text), "LBA 107 is not");
		ck_assert_ptr_nonnull(strstr(verify.sentence, text));
		snprintf(text, sizeof(text), "at offset %u of the block", at);
		ck_assert_ptr_nonnull(strstr(verify.sentence, text));
		snprintf(text, sizeof(text), "expected %02x", *bad ^ 0x10);
		ck_assert_ptr_nonnull(strstr(verify.sentence, text));
		snprintf(text, sizeof(text), "found %02x", *bad);
		ck_assert_ptr_nonnull(strstr(verify.sentence, text));
	}
}
END_TEST

START_TEST(a_whole_block_in_the_wrong_place_is_told_apart)
{
	ck_assert_int_eq(init(), 0);
	write_all();
	memcpy(data + 5 * 1024, data + 9 * 1024, 1024);
	ck_assert_int_eq(check(5, 5), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(verify.sentence,
		"is whole, but is LBA 18 as write 9 with seed 42"));
}
END_TEST

START_TEST(a_block_of_an_earlier_run_is_no_good)
{
	ck_assert_int_eq(init(), 0);
	write_all();
	opts.seed = 43;
	ck_assert_int_eq(init(), 0);
	ck_assert_int_eq(check(0, 0), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(verify.sentence, "with seed 42"));
	/* nor one that was not overwritten, though all else is alike */
	opts.seed = 42;
	ck_assert_int_eq(init(), 0);
	ck_assert_int_eq(check(0, NR_RECORDS), -EBADMSG);
	ck_assert_uint_eq(verify.bad_offset, 16);
}
END_TEST

START_TEST(reading_takes_the_first_seed_for_all)
{
	struct srplat_slot slot;

	ck_assert_int_eq(init(), 0);
	write_all();
	verify.seed = 7;
	slot = slot_of(4, 4);
	srplat_verify_fill(&verify, &slot);
	opts.verify = SRPLAT_VERIFY_READ;
	opts.has_seed = false;
	ck_assert_int_eq(init(), 0);
	ck_assert_int_eq(check(3, 0), 0);
	ck_assert_int_eq(check(4, 0), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(verify.sentence, "with seed 7"));
}
END_TEST

START_TEST(what_was_never_written_is_no_pattern)
{
	memset(data, 0, sizeof(data));
	opts.verify = SRPLAT_VERIFY_READ;
	opts.has_seed = false;
	ck_assert_int_eq(init(), 0);
	ck_assert_int_eq(check(0, 0), -EBADMSG);
	ck_assert_uint_eq(verify.bad_offset, 0);
	ck_assert_ptr_nonnull(strstr(verify.sentence, "does not begin as"));
}
END_TEST

START_TEST(the_first_mismatch_stays)
{
	ck_assert_int_eq(init(), 0);
	write_all();
	data[1024] ^= 1;
	data[2048] ^= 1;
	ck_assert_int_eq(check(1, 1), -EBADMSG);
	ck_assert_int_eq(check(2, 2), -EBADMSG);
	ck_assert_uint_eq(verify.bad_lba, 2);
}
END_TEST

START_TEST(a_random_order_takes_each_record_once)
{
	static bool seen[70000];
	static const uint64_t sizes[] = { 1, 2, 3, 37, 64, 1000, 65537 };
	uint64_t i, record, nr_moved = 0;

	memset(seen, 0, sizeof(seen));
	opts.pattern = SRPLAT_PATTERN_RAND;
	area.nr_records = sizes[_i];
	area.nr_wanted = 1;
	ck_assert_int_eq(init(), 0);
	for (i = 0; i < sizes[_i]; i++) {
		record = srplat_verify_record(&verify, i);
		ck_assert_uint_lt(record, sizes[_i]);
		ck_assert(!seen[record]);
		seen[record] = true;
		nr_moved += record != i;
	}
	if (sizes[_i] >= 1000)
		ck_assert_uint_gt(nr_moved, sizes[_i] / 2);
}
END_TEST

START_TEST(writing_more_often_than_there_is_room_is_refused)
{
	area.nr_wanted = opts.count = NR_RECORDS + 1;
	opts.count_text = "38";
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "count=38"));
	ck_assert_ptr_nonnull(strstr(reason, "up to 37"));
	/* a run by time goes once over all */
	opts.count_text = NULL;
	area.nr_wanted = SRPLAT_FOREVER;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_eq(area.nr_wanted, NR_RECORDS);
}
END_TEST

START_TEST(blocks_that_are_too_small_or_cut_are_refused)
{
	end.block_bytes = 32;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "64 bytes"));
	end.block_bytes = 512;
	area.tail_bytes = 100;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "whole blocks"));
	area.tail_bytes = 512;
	ck_assert_int_eq(init(), 0);
	area.out_offset = 7;
	ck_assert_int_eq(init(), SRPLAT_EXIT_BAD_VALUE);
}
END_TEST

START_TEST(each_run_has_a_seed_of_its_own_unless_given)
{
	uint64_t first;

	opts.has_seed = false;
	ck_assert_int_eq(init(), 0);
	first = verify.seed;
	ck_assert_int_eq(init(), 0);
	ck_assert_uint_ne(verify.seed, first);
	ck_assert_uint_le(verify.seed, INT64_MAX);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_verify");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase,
		what_was_written_is_found_good_at_every_block_size, 0, 8);
	tcase_add_loop_test(
		tcase, any_byte_that_changes_is_told_with_its_place, 0, 8);
	tcase_add_test(tcase, a_whole_block_in_the_wrong_place_is_told_apart);
	tcase_add_test(tcase, a_block_of_an_earlier_run_is_no_good);
	tcase_add_test(tcase, reading_takes_the_first_seed_for_all);
	tcase_add_test(tcase, what_was_never_written_is_no_pattern);
	tcase_add_test(tcase, the_first_mismatch_stays);
	tcase_add_loop_test(
		tcase, a_random_order_takes_each_record_once, 0, 7);
	tcase_add_test(
		tcase, writing_more_often_than_there_is_room_is_refused);
	tcase_add_test(tcase, blocks_that_are_too_small_or_cut_are_refused);
	tcase_add_test(tcase, each_run_has_a_seed_of_its_own_unless_given);
	return unit_run(tcase, "srplat_verify");
}
