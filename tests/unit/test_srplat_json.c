/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "tools/srplat_json.h"

static struct srplat_run run;
static struct srplat_opts opts;
static struct hist hist;
static struct srplat_src in, out;

static void
setup(void)
{
	memset(&run, 0, sizeof(run));
	hist_reset(&hist);
	opts.in = "demo://ram";
	opts.out = "/dev/null";
	run.opts = &opts;
	run.in = &in;
	run.out = &out;
	run.area.record_bytes = 4096;
	run.nr_modes = 1;
	run.modes[0].hist = &hist;
	snprintf(run.modes[0].name, sizeof(run.modes[0].name), "self");
}

static json_t *
print(const struct srplat_run *what, const struct srplat_about *about,
	const char *error, int status)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	json_t *root;

	ck_assert_int_eq(
		srplat_json_print(f, what, about, error, status), 0);
	fclose(f);
	root = json_loads(text, 0, NULL);
	free(text);
	ck_assert_ptr_nonnull(root);
	return root;
}

static double
number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	ck_assert_msg(json_is_number(value), "%s is no number", key);
	return json_number_value(value);
}

START_TEST(a_run_has_exactly_the_members_of_the_schema)
{
	static const char *const members[] = { "completion", "operation",
		"input", "output", "block_bytes", "depth", "pattern", "count",
		"errors", "elapsed_ns", "bytes", "iops", "bandwidth_bytes_per_s",
		"latency_ns", "cpu_ns_per_io", "context_switches_per_io" };
	static const char *const percentiles[] = { "min", "mean", "p50", "p90",
		"p99", "p99.9", "p99.99", "max" };
	json_t *root = print(&run, NULL, NULL, 0);
	json_t *one = json_array_get(json_object_get(root, "runs"), 0);
	json_t *latency = json_object_get(one, "latency_ns");
	size_t i;

	ck_assert_uint_eq(json_object_size(one), 16);
	for (i = 0; i < 16; i++)
		ck_assert_ptr_nonnull(json_object_get(one, members[i]));
	ck_assert_uint_eq(json_object_size(latency), 8);
	for (i = 0; i < 8; i++)
		number(latency, percentiles[i]);
	ck_assert_ptr_null(json_object_get(root, "error"));
	json_decref(root);
}
END_TEST

START_TEST(values_are_those_of_the_run)
{
	struct srplat_mode *mode = &run.modes[0];
	json_t *root, *one;

	hist_record(&hist, 1000);
	hist_record(&hist, 5000);
	mode->nr_done = 2;
	mode->bytes = 8192;
	mode->elapsed_ns = 8000;
	mode->cpu_ns = 6000;
	mode->nr_switches = 3;
	mode->nr_errors = 1;
	root = print(&run, NULL, NULL, 0);
	one = json_array_get(json_object_get(root, "runs"), 0);
	ck_assert_str_eq(
		json_string_value(json_object_get(one, "completion")), "self");
	ck_assert_double_eq(number(one, "count"), 2);
	ck_assert_double_eq(number(one, "errors"), 1);
	ck_assert_double_eq(number(one, "block_bytes"), 4096);
	ck_assert_double_eq_tol(number(one, "iops"), 250000, 1e-6);
	ck_assert_double_eq_tol(
		number(one, "bandwidth_bytes_per_s"), 1024e6, 1e-3);
	ck_assert_double_eq(number(one, "cpu_ns_per_io"), 3000);
	ck_assert_double_eq(number(one, "context_switches_per_io"), 1.5);
	one = json_object_get(one, "latency_ns");
	ck_assert_double_eq(number(one, "min"), 1000);
	ck_assert_double_eq(number(one, "mean"), 3000);
	ck_assert_double_eq(number(one, "p50"), 1000);
	ck_assert_double_eq(number(one, "max"), 5000);
	json_decref(root);
}
END_TEST

START_TEST(an_error_without_a_run_is_an_object_too)
{
	json_t *root = print(NULL, NULL, "if=x: not there", 3);

	ck_assert_str_eq(json_string_value(json_object_get(root, "error")),
		"if=x: not there");
	ck_assert_double_eq(number(root, "exit"), 3);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "runs")), 0);
	json_decref(root);
}
END_TEST

START_TEST(an_error_that_is_not_utf8_does_not_spoil_the_object)
{
	json_t *root = print(NULL, NULL, "if=\xff\xfe", 2);

	ck_assert(json_is_string(json_object_get(root, "error")));
	json_decref(root);
}
END_TEST

START_TEST(a_name_that_is_not_utf8_does_not_lose_the_numbers)
{
	json_t *root, *one;

	opts.in = "/tmp/\xff";
	run.modes[0].nr_done = 5;
	root = print(&run, NULL, NULL, 0);
	one = json_array_get(json_object_get(root, "runs"), 0);
	ck_assert_double_eq(number(one, "count"), 5);
	ck_assert(json_is_string(json_object_get(one, "input")));
	json_decref(root);
}
END_TEST

START_TEST(clock_and_notes_are_stated)
{
	struct srplat_about about = {
		.clock = { .source = "tsc", .resolution_ns = 1,
			.read_cost_ns = 20.5 },
		.probe_cost_ns = 70,
	};
	json_t *root, *clock;

	snprintf(in.note, sizeof(in.note), "demo: include target");
	root = print(&run, &about, NULL, 0);
	clock = json_object_get(root, "clock");
	ck_assert_str_eq(
		json_string_value(json_object_get(clock, "source")), "tsc");
	ck_assert_double_eq(number(clock, "probe_ns"), 70);
	ck_assert_double_eq(number(clock, "read_cost_ns"), 20.5);
	ck_assert_str_eq(json_string_value(json_array_get(
				 json_object_get(root, "notes"), 0)),
		"demo: include target");
	json_decref(root);
}
END_TEST

START_TEST(what_was_asked_for_besides_is_there)
{
	static struct hist response, stages[SRPLAT_NR_STAGES];
	struct srplat_mode *mode = &run.modes[0];
	json_t *root, *one;
	int i;

	hist_reset(&response);
	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		hist_reset(&stages[i]);
	hist_record(&response, 9000);
	hist_record(&stages[SRPLAT_STAGE_SEEN], 700);
	mode->nr_done = 2;
	mode->rate = 5000;
	mode->response = &response;
	mode->stages = stages;
	mode->nr_missed = 4;
	mode->nr_unsent = 3;
	mode->max_waiting = 2;
	mode->counts = (struct srplat_counts){ 600, 800, true, false };
	run.counters.scope = "user";
	root = print(&run, NULL, NULL, 0);
	one = json_array_get(json_object_get(root, "runs"), 0);
	ck_assert_double_eq(number(one, "rate"), 5000);
	ck_assert_double_eq(number(one, "missed_sends"), 4);
	ck_assert_double_eq(number(one, "unsent"), 3);
	ck_assert_double_eq(number(one, "max_waiting"), 2);
	ck_assert_double_eq(number(one, "cycles_per_io"), 300);
	ck_assert_double_eq(number(one, "instructions_per_io"), 400);
	ck_assert_double_eq(
		number(json_object_get(one, "response_ns"), "max"), 9000);
	one = json_object_get(one, "stages_ns");
	ck_assert_uint_eq(json_object_size(one), 1);
	one = json_object_get(one, "posted->seen");
	ck_assert_double_eq(number(one, "mean"), 700);
	ck_assert_str_eq(json_string_value(json_object_get(
				 json_object_get(root, "counters"), "scope")),
		"user");
	json_decref(root);
}
END_TEST

START_TEST(a_sweep_is_an_array_of_points)
{
	json_t *root, *sweep, *points;

	run.nr_modes = 2;
	run.modes[1] = run.modes[0];
	run.modes[0].depth = 1;
	run.modes[1].depth = 8;
	run.modes[0].by = run.modes[1].by = SRPLAT_SWEEP_DEPTH;
	run.modes[0].nr_done = run.modes[1].nr_done = 1;
	hist_record(&hist, 1000);
	root = print(&run, NULL, NULL, 0);
	sweep = json_object_get(root, "sweep");
	ck_assert_uint_eq(json_array_size(sweep), 1);
	points = json_object_get(json_array_get(sweep, 0), "points");
	ck_assert_uint_eq(json_array_size(points), 2);
	ck_assert_double_eq(number(json_array_get(points, 1), "depth"), 8);
	ck_assert(json_is_true(
		json_object_get(json_array_get(points, 1), "knee")));
	ck_assert(json_is_false(
		json_object_get(json_array_get(points, 0), "knee")));
	json_decref(root);
}
END_TEST

START_TEST(modes_in_rounds_are_held_against_the_first)
{
	double iops[] = { 100, 110, 90 }, slow[] = { 20, 22, 20 };
	double fast[] = { 10, 10, 10 };
	json_t *root, *one, *ratio;
	int i;

	run.nr_modes = 2;
	run.nr_rounds = 3;
	run.modes[1] = run.modes[0];
	for (i = 0; i < 2; i++) {
		run.modes[i].nr_rounds = 3;
		run.modes[i].round_iops = iops;
		run.modes[i].round_mean_ns = i ? slow : fast;
		run.modes[i].round_p50_ns = i ? slow : fast;
	}
	root = print(&run, NULL, NULL, 0);
	one = json_array_get(json_object_get(root, "runs"), 1);
	ck_assert_uint_eq(json_array_size(json_object_get(one, "rounds")), 3);
	ratio = json_object_get(json_object_get(one, "ratio"), "p50");
	ck_assert_double_eq(number(ratio, "estimate"), 2);
	ck_assert_double_eq(number(ratio, "low"), 2);
	ck_assert_double_eq(number(ratio, "high"), 2.2);
	ck_assert_double_eq(number(ratio, "pairs"), 3);
	ratio = json_object_get(json_object_get(root, "noise"), "mean");
	ck_assert_double_eq(number(ratio, "estimate"), 1);
	ck_assert_double_eq(number(ratio, "pairs"), 2);
	ck_assert_double_eq(
		number(json_object_get(root, "method"), "confidence"), 0.75);
	json_decref(root);
}
END_TEST

START_TEST(the_origin_is_stated)
{
	char *words[] = { (char *)(uintptr_t)"srplat",
		(char *)(uintptr_t)"if=/\xff" };
	json_t *root, *settings;

	opts.nr_words = 2;
	opts.words = words;
	root = print(&run, NULL, NULL, 0);
	settings = json_object_get(root, "settings");
	ck_assert_str_eq(
		json_string_value(json_object_get(root, "program")), "srplat");
	ck_assert_uint_eq(
		strlen(json_string_value(json_object_get(root, "date"))), 20);
	ck_assert_uint_eq(
		json_array_size(json_object_get(settings, "command")), 2);
	ck_assert_double_ge(
		number(json_object_get(root, "machine"), "nr_cpus"), 1);
	json_decref(root);
}
END_TEST

START_TEST(output_that_cannot_be_written_is_reported)
{
	FILE *f = fopen("/dev/full", "w");

	ck_assert_int_eq(srplat_json_print(f, &run, NULL, NULL, 0), -EIO);
	fclose(f);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_json");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_run_has_exactly_the_members_of_the_schema);
	tcase_add_test(tcase, values_are_those_of_the_run);
	tcase_add_test(tcase, an_error_without_a_run_is_an_object_too);
	tcase_add_test(
		tcase, an_error_that_is_not_utf8_does_not_spoil_the_object);
	tcase_add_test(
		tcase, a_name_that_is_not_utf8_does_not_lose_the_numbers);
	tcase_add_test(tcase, clock_and_notes_are_stated);
	tcase_add_test(tcase, what_was_asked_for_besides_is_there);
	tcase_add_test(tcase, a_sweep_is_an_array_of_points);
	tcase_add_test(tcase, modes_in_rounds_are_held_against_the_first);
	tcase_add_test(tcase, the_origin_is_stated);
	tcase_add_test(tcase, output_that_cannot_be_written_is_reported);
	return unit_run(tcase, "srplat_json");
}
