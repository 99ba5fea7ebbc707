/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What is read, written, counted and refused. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <srpi/srpi.h>

#include "srplat_run_rig.h"

START_TEST(records_are_read_in_order_one_at_a_time)
{
	unsigned int i;

	run.area.in_offset = 1024;
	run.area.tail_bytes = 100;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.nr_seen, 8);
	ck_assert_uint_eq(fake_in.max_pending, 1);
	for (i = 0; i < 8; i++) {
		ck_assert_uint_eq(fake_in.seen[i].offset, 1024 + i * 512);
		ck_assert_uint_eq(
			fake_in.seen[i].bytes, i == 7 ? 100 : 512);
		ck_assert_int_eq(fake_in.seen[i].dir, SRPLAT_READ);
	}
	ck_assert_uint_eq(run.nr_done, 8);
	ck_assert_uint_eq(run.nr_short, 1);
	ck_assert_uint_eq(run.bytes, 7 * 512 + 100);
	ck_assert_uint_eq(run.modes[0].hist->nr, 8);
	ck_assert_uint_gt(run.elapsed_ns, 0);
	ck_assert_uint_ge(run.modes[0].cpu_ns, 8 * UINT64_C(1000000000));
}
END_TEST

START_TEST(depth_bounds_what_is_outstanding)
{
	opts.depth = 4;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.max_pending, 4);
	ck_assert_uint_eq(run.nr_done, 8);
}
END_TEST

START_TEST(modes_alternate_abba_and_share_the_records)
{
	static const int order[] = { SRPI_COMPLETION_INLINE,
		SRPI_COMPLETION_SELF, SRPI_COMPLETION_SELF,
		SRPI_COMPLETION_INLINE };
	int i;

	opts.completion = SRPLAT_COMPLETION_ALL;
	opts.rounds = 2;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.nr_attached, 4);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(fake_in.modes_seen[i], order[i]);
	ck_assert_uint_eq(run.nr_modes, 2);
	ck_assert_str_eq(run.modes[0].name, "inline");
	ck_assert_str_eq(run.modes[1].name, "self");
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(run.modes[i].nr_done, 8);
		ck_assert_uint_eq(run.modes[i].nr_rounds, 2);
		ck_assert_double_gt(run.modes[i].round_mean_ns[1], 0.0);
		ck_assert_double_gt(run.modes[i].round_p50_ns[1], 0.0);
	}
	/* the second round goes on where the first left off */
	ck_assert_uint_eq(fake_in.seen[8].offset, 4 * 512);
}
END_TEST

START_TEST(a_mode_that_cannot_be_had_is_refused)
{
	opts.completion = SRPI_COMPLETION_POLL;
	opts.has_completion = true;
	ck_assert_int_eq(run_it(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "completion="));
	ck_assert_uint_eq(fake_in.nr_seen, 0);
}
END_TEST

START_TEST(warm_up_is_not_counted)
{
	opts.warmup_records = 5;
	opts.has_warmup = true;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.nr_seen, 13);
	ck_assert_uint_eq(run.nr_done, 8);
	ck_assert_uint_eq(run.modes[0].hist->nr, 8);
	ck_assert_uint_eq(fake_in.seen[5].offset, 0);
}
END_TEST

START_TEST(a_run_by_time_goes_round_the_area)
{
	opts.runtime_ns = 1;
	run.area.nr_records = 2;
	run.area.nr_wanted = SRPLAT_FOREVER;
	opts.warmup_records = 5;
	opts.has_warmup = true;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_ge(fake_in.nr_seen, 5);
	ck_assert_uint_eq(fake_in.seen[2].offset, 0);
	ck_assert_uint_eq(fake_in.seen[3].offset, 512);
	ck_assert_uint_le(run.nr_done, 1);
}
END_TEST

START_TEST(a_copy_writes_what_it_has_read)
{
	run.out = &fake_out.src;
	run.area.out_offset = 512;
	opts.depth = 3;
	opts.conv = SRPLAT_CONV_FSYNC;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.nr_done, 8);
	ck_assert_uint_eq(fake_out.nr_syncs, 1);
	ck_assert_int_eq(
		memcmp(fake_out.data + 512, fake_in.data, 8 * 512), 0);
	ck_assert_uint_eq(fake_out.data[0], 0);
	ck_assert_uint_eq(fake_out.data[9 * 512], 0);
}
END_TEST

START_TEST(random_data_is_written_from_every_slot)
{
	run.in = &passive_in;
	run.out = &fake_out.src;
	opts.depth = 2;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_int_eq(fake_out.seen[0].dir, SRPLAT_WRITE);
	ck_assert_int_ne(memcmp(fake_out.data, fake_in.data, 512), 0);
	ck_assert_int_ne(
		memcmp(fake_out.data, fake_out.data + 512, 512), 0);
}
END_TEST

START_TEST(random_records_stay_in_the_area_and_differ)
{
	bool hit[8] = { false };
	unsigned int i, nr = 0;

	run.area.pattern = SRPLAT_PATTERN_RAND;
	run.area.nr_wanted = 200;
	ck_assert_int_eq(run_it(), 0);
	for (i = 0; i < 200; i++) {
		ck_assert_uint_lt(fake_in.seen[i].offset, 8 * 512);
		ck_assert_uint_eq(fake_in.seen[i].offset % 512, 0);
		hit[fake_in.seen[i].offset / 512] = true;
	}
	for (i = 0; i < 8; i++)
		nr += hit[i];
	ck_assert_uint_eq(nr, 8);
}
END_TEST

START_TEST(the_first_error_ends_the_run_and_keeps_what_was_done)
{
	opts.depth = 2;
	fake_in.fail_at = 4;
	ck_assert_int_eq(run_it(), SRPLAT_EXIT_IO_ERROR);
	ck_assert_str_eq(reason, "request failed");
	ck_assert_uint_eq(run.modes[0].nr_errors, 1);
	ck_assert_uint_eq(run.nr_done, 4);
	ck_assert_uint_eq(fake_in.nr_pending, 0);
}
END_TEST

START_TEST(a_wait_that_fails_does_not_hang)
{
	fake_in.wait_error = -ENODEV;
	ck_assert_int_eq(run_it(), SRPLAT_EXIT_IO_ERROR);
	ck_assert_ptr_nonnull(strstr(reason, "No such device"));
	ck_assert_uint_eq(run.nr_done, 0);
}
END_TEST

START_TEST(a_stop_before_the_run_does_nothing)
{
	stop = SIGINT;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.nr_done, 0);
}
END_TEST

START_TEST(nothing_asked_is_nothing_done)
{
	run.area.nr_records = 0;
	run.area.nr_wanted = 0;
	opts.warmup_records = 3;
	opts.has_warmup = true;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(fake_in.nr_seen, 0);
	ck_assert_uint_eq(run.modes[0].nr_rounds, 0);
}
END_TEST

/* The pattern to fake_out and back. */
static void
set_up_verify(void)
{
	passive_in.kind = SRPLAT_KIND_PATTERN;
	run.in = &passive_in;
	run.out = &fake_out.src;
	fake_out.src.block_bytes = 512;
	opts.verify = SRPLAT_VERIFY_WRITE;
}

START_TEST(verify_writes_reads_back_and_finds_it_good)
{
	set_up_verify();
	opts.depth = 3;
	opts.rounds = 2;
	opts.pattern = _i ? SRPLAT_PATTERN_RAND : SRPLAT_PATTERN_SEQ;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.nr_modes, 2);
	ck_assert_uint_eq(run.modes[0].nr_done, 8);
	ck_assert_uint_eq(run.modes[1].nr_done, 8);
	ck_assert_uint_eq(run.verify.nr_blocks, 8);
	/* 4 written, 4 read, and again */
	ck_assert_int_eq(fake_out.seen[3].dir, SRPLAT_WRITE);
	ck_assert_int_eq(fake_out.seen[4].dir, SRPLAT_READ);
	ck_assert_int_eq(fake_out.seen[8].dir, SRPLAT_WRITE);
	ck_assert_int_eq(fake_out.seen[15].dir, SRPLAT_READ);
}
END_TEST

START_TEST(verify_tells_what_was_not_kept)
{
	set_up_verify();
	snprintf(fake_out.src.place, sizeof(fake_out.src.place), "LUN 5");
	fake_out.spoil_at = 4;
	ck_assert_int_eq(run_it(), SRPLAT_EXIT_VERIFY);
	ck_assert_ptr_nonnull(strstr(reason, "fake: LUN 5, LBA 3 is not"));
	ck_assert_ptr_nonnull(strstr(reason, "at offset 100 of the block"));
	ck_assert_uint_eq(run.modes[1].nr_done, 3);
	ck_assert_uint_eq(run.modes[1].nr_errors, 1);
}
END_TEST

START_TEST(stages_come_from_the_source)
{
	const struct srplat_mode *mode = &run.modes[0];

	opts.wants_stages = true;
	fake_in.src.stamps = fake_in.stamps;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(mode->stages[SRPLAT_STAGE_SEEN].nr, 8);
	ck_assert_uint_eq(mode->stages[SRPLAT_STAGE_SUBMIT].nr, 8);
	ck_assert_uint_eq(mode->stages[SRPLAT_STAGE_WAKE].nr, 0);
	ck_assert_uint_le(mode->stages[SRPLAT_STAGE_SEEN].sum +
			mode->stages[SRPLAT_STAGE_SUBMIT].sum,
		mode->hist->sum);
}
END_TEST

START_TEST(stages_of_what_has_none_are_refused)
{
	opts.wants_stages = true;
	ck_assert_int_eq(run_it(), SRPLAT_EXIT_BAD_VALUE);
	ck_assert_ptr_nonnull(strstr(reason, "stages=yes is for LUNs"));
}
END_TEST

START_TEST(slow_records_are_logged_over_all_rounds)
{
	fake_in.delay_us = 1000;
	opts.slow_ns = 500000;
	opts.rounds = 2;
	ck_assert_int_eq(run_it(), 0);
	ck_assert_uint_eq(run.slow.nr, 8);
	ck_assert_uint_eq(run.slow.ios[7].offset, 7 * 512);
	ck_assert_uint_gt(run.slow.ios[7].at_ns, run.slow.ios[0].at_ns);
	ck_assert(!run.slow.ios[0].is_write);
}
END_TEST

START_TEST(the_probe_knows_its_own_cost)
{
	double cost = srplat_run_probe_cost();

	ck_assert_double_gt(cost, 1.0);
	ck_assert_double_lt(cost, 1e6);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_run");

	tcase_add_checked_fixture(tcase, run_rig_setup, run_rig_teardown);
	tcase_add_test(tcase, records_are_read_in_order_one_at_a_time);
	tcase_add_test(tcase, depth_bounds_what_is_outstanding);
	tcase_add_test(tcase, modes_alternate_abba_and_share_the_records);
	tcase_add_test(tcase, a_mode_that_cannot_be_had_is_refused);
	tcase_add_test(tcase, warm_up_is_not_counted);
	tcase_add_test(tcase, a_run_by_time_goes_round_the_area);
	tcase_add_test(tcase, a_copy_writes_what_it_has_read);
	tcase_add_test(tcase, random_data_is_written_from_every_slot);
	tcase_add_test(tcase, random_records_stay_in_the_area_and_differ);
	tcase_add_test(
		tcase, the_first_error_ends_the_run_and_keeps_what_was_done);
	tcase_add_test(tcase, a_wait_that_fails_does_not_hang);
	tcase_add_test(tcase, a_stop_before_the_run_does_nothing);
	tcase_add_test(tcase, nothing_asked_is_nothing_done);
	tcase_add_test(tcase, verify_tells_what_was_not_kept);
	tcase_add_test(tcase, stages_come_from_the_source);
	tcase_add_test(tcase, stages_of_what_has_none_are_refused);
	tcase_add_test(tcase, slow_records_are_logged_over_all_rounds);
	tcase_add_loop_test(
		tcase, verify_writes_reads_back_and_finds_it_good, 0, 2);
	tcase_add_test(tcase, the_probe_knows_its_own_cost);
	return unit_run(tcase, "srplat_run");
}
