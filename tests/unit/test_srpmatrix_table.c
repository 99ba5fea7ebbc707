/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpmatrix_fake.h"
#include "tools/srpmatrix_table.h"

static char text[16384];
static struct srpmatrix_fio fio;
static struct srpmatrix_target target;
static struct machine machine;
static struct srpmatrix_report report;

static void
setup(void)
{
	memset(&target, 0, sizeof(target));
	memset(&machine, 0, sizeof(machine));
	snprintf(fio.version, sizeof(fio.version), "fio-3.33");
	snprintf(machine.cpu, sizeof(machine.cpu), "Some CPU");
	machine.nr_cpus = 2;
	target.lun.blocks = 100;
	target.lun.block_bytes = 512;
	report = (struct srpmatrix_report){ .run = &fake_run, .fio = &fio,
		.target = &target, .machine = &machine };
}

static void
teardown(void)
{
	srpmatrix_run_fini(&fake_run);
}

static const char *
printed(void)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	srpmatrix_table_print(f, &report);
	fclose(f);
	return text;
}

static void
has(const char *line)
{
	ck_assert_msg(strstr(text, line), "no '%s' in:\n%s", line, text);
}

START_TEST(one_row_a_size_and_number_of_jobs)
{
	fake_init(4, 4);
	fake_iops[0][1] = 91.0;
	fake_iops[0][3] = 100.4;
	srpmatrix_run_all(&fake_run);
	printed();
	has("   bs jobs   inline   thread     poll adaptive\n");
	has("  512    1   100000    91000   100000   100400\n");
	has("   4k  128   100000   100000");
	has("   bs jobs       A/A    thread      poll  adaptive\n");
	has("  512    1  1.00+-0%  0.91+-0%");
	has("adaptive, to the better of inline and poll");
	has("2 CPUs: on few CPUs");
	ck_assert_ptr_null(strstr(text, "published in 2010"));
	ck_assert_ptr_null(strstr(text, "failed"));
}
END_TEST

START_TEST(no_line_is_wider_than_a_terminal)
{
	const char *line = text;
	size_t len;

	fake_init(4, 2);
	fake_opts.wants_published = true;
	fake_opts.compare = "/dev/disk/by-id/a-device-with-a-long-name-indeed";
	srpmatrix_run_all(&fake_run);
	printed();
	while (*line) {
		len = strcspn(line, "\n");
		ck_assert_msg(len <= 80, "%.*s", (int)len, line);
		line += len + 1;
	}
}
END_TEST

START_TEST(the_published_ratio_is_beside_ours)
{
	fake_init(4, 4);
	fake_opts.wants_published = true;
	fake_iops[0][1] = 91.0;
	srpmatrix_run_all(&fake_run);
	printed();
	has("  512    1     25400     25400     23100      0.91       0.91+-0%");
	has("   4k  128    122000    121000    157000      1.30");
}
END_TEST

START_TEST(rows_that_are_not_steady_are_marked)
{
	fake_init(2, 4);
	srpmatrix_run_all(&fake_run);
	fake_run.rows[0].series[1].samples[2].values[SRPMATRIX_IOPS] *= 2;
	printed();
	has("  512    1   100000  100000~\n");
	has("note: 1 of 2 rows not steady");
}
END_TEST

START_TEST(what_failed_is_told_in_fio_s_words)
{
	fake_init(2, 4);
	fake_iops[1][1] = 0.0;
	srpmatrix_run_all(&fake_run);
	printed();
	has("   4k  128   100000   failed\n");
	has("failed: 4k x 128, thread, round 1: made up\n");
}
END_TEST

START_TEST(nothing_done_is_a_table_of_dashes)
{
	volatile sig_atomic_t stop = SIGINT;

	fake_init(2, 4);
	fake_run.stop = &stop;
	srpmatrix_run_all(&fake_run);
	report.is_interrupted = true;
	printed();
	has("  512    1        -        -\n");
	has("interrupted: 0 of 4 rounds");
}
END_TEST

START_TEST(targets_of_the_process_are_named)
{
	fake_init(2, 3);
	srpmatrix_run_all(&fake_run);
	target.session.flags =
		SRPI_SESSION_IN_PROCESS | SRPI_SESSION_SHARED_CPU;
	printed();
	has("include target");
	target.session.flags = SRPI_SESSION_IN_PROCESS;
	printed();
	has("the target is a thread of each fio process");
}
END_TEST

START_TEST(progress_says_where_it_is_and_what_is_left)
{
	char line[128];

	fake_init(2, 4);
	fake_run.step = 3 + 6 + 1; /* a round is 6 steps, a row 3 */
	fake_run.now_ns = fake_run.begin_ns + 50 * CLOCK_NS_PER_SEC;
	srpmatrix_table_progress(line, sizeof(line), &fake_run);
	ck_assert_str_eq(line, "round 2 of 4, 4k x 128 jobs, thread: 1 min "
			       "10 s left");
	fake_run.step = 24;
	srpmatrix_table_progress(line, sizeof(line), &fake_run);
	ck_assert_str_eq(line, "done");
}
END_TEST

START_TEST(sizes_are_short)
{
	char bs[16];

	srpmatrix_table_bs(bs, sizeof(bs), 520);
	ck_assert_str_eq(bs, "520");
	srpmatrix_table_bs(bs, sizeof(bs), 65536);
	ck_assert_str_eq(bs, "64k");
	srpmatrix_table_bs(bs, sizeof(bs), 3 << 20);
	ck_assert_str_eq(bs, "3M");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("table");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, one_row_a_size_and_number_of_jobs);
	tcase_add_test(tcase, no_line_is_wider_than_a_terminal);
	tcase_add_test(tcase, the_published_ratio_is_beside_ours);
	tcase_add_test(tcase, rows_that_are_not_steady_are_marked);
	tcase_add_test(tcase, what_failed_is_told_in_fio_s_words);
	tcase_add_test(tcase, nothing_done_is_a_table_of_dashes);
	tcase_add_test(tcase, targets_of_the_process_are_named);
	tcase_add_test(tcase, progress_says_where_it_is_and_what_is_left);
	tcase_add_test(tcase, sizes_are_short);
	return unit_run(tcase, "srpmatrix_table");
}
