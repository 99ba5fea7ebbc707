/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/srpmatrix_parse.h"
#include "util/compiler.h"

static struct srpmatrix_sample sample;
static struct hist hist;
static char reason[512];

/* One direction as fio writes it: bins at 1000 and 2000 ns. */
#define DIRECTION(nr, slow)                                                    \
	"{\"total_ios\":" #nr ",\"iops\":1000.5,\"bw_bytes\":4098048,"         \
	"\"lat_ns\":{\"min\":900,\"max\":2100,\"mean\":1010.5,\"N\":100,"      \
	"\"bins\":{\"1000\":99,\"" slow "\":1}}}"
#define EMPTY                                                                  \
	"{\"total_ios\":0,\"iops\":0.0,\"bw_bytes\":0,"                        \
	"\"lat_ns\":{\"min\":0,\"max\":0,\"mean\":0.0,\"N\":0}}"
#define OUTPUT(error, read, write)                                             \
	"fio: this is a note\n"                                                \
	"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"m\","          \
	"\"error\":" #error ",\"read\":" read ",\"write\":" write ","          \
	"\"job_runtime\":200,\"usr_cpu\":25.0,\"sys_cpu\":25.0,\"ctx\":50}]}"  \
	"\n\nbehind it\n"

static int
parse(const char *text)
{
	reason[0] = '\0';
	hist_reset(&hist);
	return srpmatrix_parse_fio(
		text, strlen(text), &sample, &hist, reason, sizeof(reason));
}

START_TEST(a_run_s_numbers_are_taken)
{
	ck_assert_int_eq(parse(OUTPUT(0, DIRECTION(100, "2000"), EMPTY)), 0);
	ck_assert(sample.is_done);
	ck_assert_uint_eq(sample.nr_ios, 100);
	ck_assert_double_eq(sample.values[SRPMATRIX_IOPS], 1000.5);
	ck_assert_double_eq(sample.values[SRPMATRIX_BYTES_PER_S], 4098048);
	ck_assert_double_eq_tol(
		sample.values[SRPMATRIX_MEAN_NS], 1010.5, 1e-6);
	ck_assert_double_eq(sample.values[SRPMATRIX_MAX_NS], 2100);
	ck_assert_double_eq_tol(sample.values[SRPMATRIX_P99_NS], 1000, 2);
	ck_assert_double_eq_tol(sample.values[SRPMATRIX_P999_NS], 2000, 4);
	/* Half of 200 ms, on 100 I/Os. */
	ck_assert_double_eq_tol(sample.values[SRPMATRIX_CPU_NS], 1e6, 1e-3);
	ck_assert_double_eq_tol(sample.values[SRPMATRIX_SWITCHES], 0.5, 1e-9);
	ck_assert_double_nan(sample.values[SRPMATRIX_DOORBELLS]);
	ck_assert_uint_eq(hist.nr, 100);
}
END_TEST

START_TEST(reads_and_writes_are_added_up)
{
	ck_assert_int_eq(parse(OUTPUT(0, DIRECTION(100, "2000"),
				 DIRECTION(300, "9000"))), 0);
	ck_assert_uint_eq(sample.nr_ios, 400);
	ck_assert_double_eq(sample.values[SRPMATRIX_IOPS], 2001);
	ck_assert_uint_eq(hist.nr, 200);
}
END_TEST

START_TEST(what_is_not_fio_s_is_refused)
{
	static const char *const table[] = {
		"", "fio: bad\n", "{", "{}", "[]", "{\"jobs\":{}}",
		"{\"jobs\":[]}", "{\"jobs\":[1]}", "{\"jobs\":[{}]}",
		"{\"jobs\":[{\"error\":0}]}",
		"{\"jobs\":[{\"error\":-1}]}",
		"{\"jobs\":[{\"error\":\"0\"}]}",
		"{\"jobs\":[{\"error\":0,\"read\":[],\"write\":7}]}",
		OUTPUT(0, "null", EMPTY),
		OUTPUT(0, "{\"total_ios\":5}", EMPTY),
		OUTPUT(0, DIRECTION(-4, "2000"), EMPTY),
		OUTPUT(0, DIRECTION(1e300, "2000"), EMPTY),
		OUTPUT(0, DIRECTION(100, "x"), EMPTY),
		OUTPUT(0, DIRECTION(100, "-5"), EMPTY),
		OUTPUT(0, DIRECTION(100, "1e99"), EMPTY),
		OUTPUT(0, DIRECTION(100, "nan"), EMPTY),
		OUTPUT(0,
			"{\"total_ios\":1,\"iops\":1,\"bw_bytes\":1,"
			"\"lat_ns\":{\"max\":1,\"mean\":1}}",
			EMPTY),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		ck_assert_msg(parse(table[i]) == -EINVAL, "%s", table[i]);
		ck_assert_msg(strlen(reason) > 20, "%s", table[i]);
		ck_assert(!sample.is_done);
		ck_assert_uint_eq(hist.nr, 0);
	}
}
END_TEST

START_TEST(two_groups_are_not_what_was_asked_for)
{
	ck_assert_int_eq(
		parse("{\"jobs\":[{\"error\":0},{\"error\":0}]}"), -EINVAL);
}
END_TEST

START_TEST(a_failed_job_is_told_by_its_error)
{
	ck_assert_int_eq(parse(OUTPUT(5, EMPTY, EMPTY)), -EIO);
	ck_assert_ptr_nonnull(
		strstr(reason, "error 5 (Input/output error)"));
	ck_assert_int_eq(parse(OUTPUT(0, EMPTY, EMPTY)), -EIO);
	ck_assert_ptr_nonnull(strstr(reason, "no I/O"));
	ck_assert_int_eq(parse(OUTPUT(100000000000000, EMPTY, EMPTY)), -EIO);
}
END_TEST

static int
parse_stats(const char *text, struct srpmatrix_counts *counts)
{
	return srpmatrix_parse_stats(
		text, strlen(text), counts, reason, sizeof(reason));
}

/* A job's line, of a process that has done so much so far. */
#define LINE(commands, pid, library)                                           \
	"{\"job\":\"m\",\"pid\":" #pid ",\"queue\":{},\"thread\":{\"user_us\":3,"  \
	"\"system_us\":4,\"voluntary_switches\":5,\"involuntary_switches\":1},"  \
	"\"session\":{\"commands\":" #commands                                   \
	",\"doorbells\":90,\"events\":7,\"thread_cpu_ns\":" #library "}}\n"

START_TEST(the_jobs_counters_are_added_up)
{
	struct srpmatrix_counts counts;

	ck_assert_int_eq(parse_stats(LINE(100, 7, 5000) LINE(150, 7, 8000)
					     LINE(50, 8, 100), &counts), 0);
	ck_assert_uint_eq(counts.switches, 18);
	ck_assert_uint_eq(counts.job_cpu_ns, 21000);
	/* A process tells of all its jobs. */
	ck_assert_uint_eq(counts.nr_ios, 200);
	ck_assert_uint_eq(counts.doorbells, 180);
	ck_assert_uint_eq(counts.events, 14);
	ck_assert_uint_eq(counts.library_cpu_ns, 8100);
}
END_TEST

START_TEST(counters_that_are_none_are_refused)
{
	static const char *const table[] = { "x", "\n", "{}\n", "[1]\n",
		LINE(100, 7, 5000) "{\"commands\":1}\n",
		LINE(100, 7, 5000) "}\n", LINE(-1, 7, 5000),
		LINE(1.5, 7, 5000), LINE("x", 7, 5000), LINE(1, -7, 5000),
		LINE(1, 7, null), LINE(9223372036854775807, 7, 1)
			LINE(9223372036854775807, 8, 1)
				LINE(9223372036854775807, 9, 1) };
	struct srpmatrix_counts counts;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		ck_assert_msg(parse_stats(table[i], &counts) == -EINVAL, "%s",
			table[i]);
	ck_assert_ptr_nonnull(strstr(reason, "overflow"));
	parse_stats(LINE(100, 7, 5000) "{}\n", &counts);
	ck_assert_ptr_nonnull(strstr(reason, "line 2 "));
	ck_assert_int_eq(parse_stats("", &counts), -ENODATA);
	ck_assert_int_eq(parse_stats(LINE(0, 1, 1), &counts), -ENODATA);
}
END_TEST

START_TEST(versions_are_fio_s)
{
	char version[16];

	ck_assert_int_eq(srpmatrix_parse_version("fio-3.33\n", version, 16), 0);
	ck_assert_str_eq(version, "fio-3.33");
	ck_assert_int_eq(srpmatrix_parse_version("fio-3.41", version, 16), 0);
	ck_assert_int_eq(
		srpmatrix_parse_version("bash 5\n", version, 16), -EINVAL);
	ck_assert_int_eq(
		srpmatrix_parse_version("fio-\n", version, 16), -EINVAL);
	ck_assert_int_eq(srpmatrix_parse_version(
				 "fio-3.33-and-much-more\n", version, 16),
		-EINVAL);
	ck_assert_int_eq(
		srpmatrix_parse_version("fio-3\033x\n", version, 16), -EINVAL);
}
END_TEST

START_TEST(complaints_become_one_line)
{
	char line[40];

	srpmatrix_parse_complaint(
		"\nfio: a\nfio: a\n  \nb\tc\033\n{\"x\":1}\n", line, 40);
	ck_assert_str_eq(line, "fio: a; b c?");
	srpmatrix_parse_complaint("", line, 40);
	ck_assert_str_eq(line, "");
	srpmatrix_parse_complaint("a long one that does not fit in what "
				  "there is", line, 12);
	ck_assert_str_eq(line, "a long one ");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("parse");

	tcase_add_test(tcase, a_run_s_numbers_are_taken);
	tcase_add_test(tcase, reads_and_writes_are_added_up);
	tcase_add_test(tcase, what_is_not_fio_s_is_refused);
	tcase_add_test(tcase, two_groups_are_not_what_was_asked_for);
	tcase_add_test(tcase, a_failed_job_is_told_by_its_error);
	tcase_add_test(tcase, the_jobs_counters_are_added_up);
	tcase_add_test(tcase, counters_that_are_none_are_refused);
	tcase_add_test(tcase, versions_are_fio_s);
	tcase_add_test(tcase, complaints_become_one_line);
	return unit_run(tcase, "srpmatrix_parse");
}
