/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "tools/srpmatrix_argv.h"
#include "util/clock.h"

static const struct srpmatrix_paths paths = { "/usr/bin/fio", "/e.so",
	"/dev/sdz", "/s" };
static const struct srpmatrix_cell cell = { 4096, 8 };
static const struct srpmatrix_mode poll_mode = { "poll", false };
static const struct srpmatrix_mode libaio = { "libaio", true };
static struct srpmatrix_opts opts;
static struct srpmatrix_argv argv;

static void
setup(void)
{
	memset(&opts, 0, sizeof(opts));
	opts.target = "demo://ram?size=1M&irqmode=thread";
	opts.rw = "randread";
	opts.depth = 1;
	opts.runtime_ns = 500 * CLOCK_NS_PER_MSEC;
	opts.warmup_ns = 100 * CLOCK_NS_PER_MSEC;
}

static bool
has(const char *word)
{
	unsigned int i;

	for (i = 0; i < argv.nr; i++)
		if (strcmp(argv.args[i], word) == 0)
			return true;
	return false;
}

static int
init(const struct srpmatrix_mode *mode)
{
	return srpmatrix_argv_init(&argv, &opts, &paths, &cell, mode);
}

START_TEST(a_mode_is_the_engine_with_the_target_as_given)
{
	ck_assert_int_eq(init(&poll_mode), 0);
	ck_assert_str_eq(argv.args[0], "/usr/bin/fio");
	ck_assert_ptr_null(argv.args[argv.nr]);
	ck_assert(has("--ioengine=external:/e.so"));
	ck_assert(has("--target=demo://ram?size=1M&irqmode=thread"));
	ck_assert(has("--completion=poll"));
	ck_assert(has("--stats_file=/s"));
	ck_assert(has("--bs=4096"));
	ck_assert(has("--numjobs=8"));
	ck_assert(has("--rw=randread"));
	ck_assert(has("--runtime=500ms"));
	ck_assert(has("--ramp_time=100ms"));
	ck_assert(has("--thread"));
	ck_assert(!has("--filename=/dev/sdz"));
}
END_TEST

START_TEST(a_kernel_device_is_read_around_the_page_cache)
{
	ck_assert_int_eq(init(&libaio), 0);
	ck_assert(has("--ioengine=libaio"));
	ck_assert(has("--filename=/dev/sdz"));
	ck_assert(has("--direct=1"));
	ck_assert(!has("--completion=libaio"));
	ck_assert(!has("--stats_file=/s"));
}
END_TEST

START_TEST(depth_one_has_no_batches_and_depth_has)
{
	ck_assert_int_eq(init(&poll_mode), 0);
	ck_assert(!has("--iodepth_batch_submit=1"));
	opts.depth = 32;
	opts.warmup_ns = 0;
	opts.is_forked = true;
	ck_assert_int_eq(init(&poll_mode), 0);
	ck_assert(has("--iodepth=32"));
	ck_assert(has("--iodepth_batch_submit=4"));
	ck_assert(has("--iodepth_batch_complete_max=32"));
	ck_assert(!has("--ramp_time=0ms"));
	ck_assert(!has("--thread"));
}
END_TEST

START_TEST(an_absurd_url_is_refused)
{
	static char url[2 * SRPMATRIX_ARGV_BYTES];

	memset(url, 'x', sizeof(url) - 1);
	opts.target = url;
	ck_assert_int_eq(init(&poll_mode), -E2BIG);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("argv");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_mode_is_the_engine_with_the_target_as_given);
	tcase_add_test(tcase, a_kernel_device_is_read_around_the_page_cache);
	tcase_add_test(tcase, depth_one_has_no_batches_and_depth_has);
	tcase_add_test(tcase, an_absurd_url_is_refused);
	return unit_run(tcase, "srpmatrix_argv");
}
