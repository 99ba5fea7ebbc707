/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What people see, at 80 and 160 columns, of answers as srpd gives them. */
#include "unit.h"

#include <string.h>

#include "tools/srpctl_frame.h"
#include "tools/srpctl_show.h"
#include "tools/srpctl_text.h"

static char text[16384];

static json_t *
parse(const char *json)
{
	json_error_t error;
	json_t *value = json_loads(json, 0, &error);

	ck_assert_msg(value != NULL, "%s: %s", error.text, json);
	return value;
}

static void
show(const char *cmd, const char *json, int width)
{
	json_t *result = parse(json);
	FILE *out = fmemopen(text, sizeof(text), "w");

	srpctl_show(cmd, result, width, out);
	fclose(out);
	json_decref(result);
}

static void
expect(const char *what)
{
	ck_assert_msg(strstr(text, what) != NULL, "no \"%s\" in:\n%s", what,
		text);
}

static void
expect_width(int width)
{
	const char *line = text;
	char one[1024];
	size_t len;

	for (; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		snprintf(one, sizeof(one), "%.*s", (int)len, line);
		ck_assert_msg(srpctl_text_columns(one) <= (size_t)width,
			"over %d columns: %s", width, one);
	}
}

#define SRPD                                                                   \
	"\"srpd\":{\"version\":\"1.2\",\"pid\":77,\"log_level\":\"info\","      \
	"\"uptime_ns\":62000000000}"
#define READY                                                                  \
	"{\"name\":\"array1\",\"state\":\"ready\",\"state_ns\":9000000000,"     \
	"\"nr_channels\":4,\"nr_luns\":3,\"reconnects\":1,"                     \
	"\"portal\":\"192.0.2.10:5555\",\"required\":false}"
#define TRYING                                                                 \
	"{\"name\":\"a-target-with-a-name-that-is-longer-than-most-are\","      \
	"\"state\":\"connecting\",\"state_ns\":1,\"required\":true,"            \
	"\"attempts\":7,\"next_try_in_ns\":3000000000,"                        \
	"\"last_error_age_ns\":2000000000,\"last_error\":\"192.0.2.11:5555 "    \
	"could not be reached: no route to host; is the port right, and is "   \
	"the target there?\"}"

static const char status[] = "{" SRPD ",\"targets\":[" READY "," TRYING
	",{\"name\":\"gone\",\"state\":\"lost\",\"last_error\":\"x\"},"
	"{\"name\":\"off\",\"state\":\"logged-out\",\"last_error\":\"\"}]}";

START_TEST(status_explains_what_is_not_ready)
{
	int width = _i;

	show("status", status, width);
	expect_width(width);
	expect("srpd 1.2, pid 77, up 1m02s, log level info");
	expect("array1");
	expect("(required): 192.0.2.11:5555");
	expect("no route");
	expect("srpctl reconnect gone");
	expect("srpctl login off");
	ck_assert_ptr_null(strstr(text, "array1:"));
}
END_TEST

START_TEST(status_without_targets_says_so)
{
	show("status", "{" SRPD ",\"targets\":[]}", 80);
	expect("no targets");
}
END_TEST

START_TEST(targets_are_shown_whole)
{
	show("targets",
		"{\"targets\":[{\"name\":\"a\",\"url\":\"srp://h/\","
		"\"state\":\"ready\",\"session_ns\":1,\"device\":\"mlx5_0\","
		"\"portal\":\"h:1\",\"initiator_port_id\":\"00ff\","
		"\"target_port_id\":\"11ee\",\"attempts\":3,\"rescans\":2,"
		"\"last_error\":\"it \\u001b[2J broke\","
		"\"last_error_age_ns\":5000000000}," TRYING "]}",
		80);
	expect_width(80);
	expect("srp://h/");
	expect("device mlx5_0");
	expect("00ff");
	expect("3 tried, 0 reconnects, 2 rescans");
	expect("5s ago:");
	expect("it ?[2J broke");
	expect("next try    in 3s");
}
END_TEST

START_TEST(luns_are_a_table)
{
	show("luns",
		"{\"targets\":[{\"name\":\"array1\",\"luns\":["
		"{\"lun\":0,\"block_bytes\":512,\"size_bytes\":1073741824,"
		"\"read_only\":true,\"write_cache\":true,\"unmap\":true,"
		"\"product\":\"A product name\",\"id\":\"naa.60014055f03a6bfc"
		"d3d4a3a9a3a1b2c3\"},{\"lun\":16383,\"block_bytes\":0}]},"
		"{\"name\":\"b\",\"luns\":[]}]}",
		80);
	expect_width(80);
	expect("1.0 GiB");
	expect("ro,cache,unmap");
	expect("16383");
	show("luns", "{\"targets\":[]}", 80);
	expect("no LUNs");
}
END_TEST

#define STATS(pid, time, reads, bytes, nr, sum)                                \
	"{\"srpd\":{\"version\":\"1.2\",\"pid\":" #pid ",\"time_ns\":" #time    \
	",\"cpu_ns\":" #time "},\"targets\":[{\"name\":\"array1\","             \
	"\"state\":\"ready\",\"stats\":{\"reads\":" #reads                     \
	",\"read_bytes\":" #bytes ",\"commands\":" #reads                      \
	"},\"latency\":{\"rescan\":{\"count\":" #nr ",\"sum_ns\":" #sum         \
	"}}},{\"name\":\"other\",\"state\":\"lost\"}]}"

START_TEST(stats_show_counters_and_latencies)
{
	show("stats", STATS(1, 1, 12345, 678, 4, 8000000), 80);
	expect_width(80);
	expect("12345");
	expect("of 2.0ms on average");
	show("stats", STATS(1, 1, 12345, 678, 4, 8000000), 160);
	expect_width(160);
}
END_TEST

static void
frame(const char *then_json, const char *now_json, int width, int height)
{
	json_t *then = then_json ? parse(then_json) : NULL;
	json_t *now = parse(now_json);
	FILE *out = fmemopen(text, sizeof(text), "w");

	srpctl_frame_print(then, now, width, height, out);
	fclose(out);
	json_decref(then);
	json_decref(now);
}

START_TEST(a_frame_has_rates_between_two_looks)
{
	frame(STATS(1, 1000000000, 1000, 1000000, 2, 4000000),
		STATS(1, 3000000000, 5000, 9000000, 4, 12000000), 80, 24);
	expect_width(80);
	expect("1 of 2 targets ready, CPU 100.0%");
	expect("2.0k"); /* reads a second */
	expect("4.0M"); /* bytes a second */
	expect("4.0ms");
	ck_assert_ptr_null(strstr(text, "DBELL/s"));
	frame(STATS(1, 1000000000, 1000, 1000000, 2, 4000000),
		STATS(1, 3000000000, 5000, 9000000, 4, 12000000), 160, 24);
	expect_width(160);
	expect("DBELL/s");
	expect("CHAN");
}
END_TEST

START_TEST(a_first_frame_or_another_srpd_has_no_rates)
{
	frame(NULL, STATS(1, 1000000000, 1000, 1000000, 2, 4000000), 80, 24);
	expect("ready       -");
	frame(STATS(1, 1000000000, 1000, 1000000, 2, 4000000),
		STATS(2, 2000000000, 3, 3, 1, 1), 80, 24);
	expect("ready       -");
	/* counters that went back */
	frame(STATS(1, 1000000000, 1000, 1000000, 2, 4000000),
		STATS(1, 2000000000, 3, 3, 1, 1), 80, 24);
	expect("ready       0");
}
END_TEST

START_TEST(a_frame_is_no_higher_than_the_screen)
{
	frame(NULL, STATS(1, 1, 1, 1, 1, 1), 80, 4);
	expect("and 2 more");
	frame(NULL, STATS(1, 1, 1, 1, 1, 1), 80, 5);
	expect("other");
	ck_assert_ptr_null(strstr(text, "more"));
	frame(NULL, STATS(1, 1, 1, 1, 1, 1), 20, 1);
	expect_width(60);
}
END_TEST

START_TEST(a_frame_is_an_object_too)
{
	json_t *then = parse(STATS(1, 1000000000, 1000, 1000000, 2, 4000000));
	json_t *now = parse(STATS(1, 3000000000, 5000, 9000000, 4, 12000000));
	json_t *object = srpctl_frame_json(then, now), *target;

	target = json_array_get(json_object_get(object, "targets"), 0);
	ck_assert_double_eq_tol(json_real_value(json_object_get(
					target, "reads_per_s")),
		2000, 1e-9);
	ck_assert_double_eq_tol(
		json_real_value(json_object_get(target, "rescan_ns")), 4e6,
		1e-3);
	ck_assert_str_eq(
		json_string_value(json_object_get(target, "state")), "ready");
	json_decref(object);
	json_decref(then);
	json_decref(now);
}
END_TEST

START_TEST(actions_say_what_came_of_them)
{
	show("login", "{\"text\":\"login a: done\"}", 80);
	ck_assert_str_eq(text, "login a: done\n");
	show("version", "{\"version\":\"1.2\",\"protocol\":1}", 80);
	ck_assert_str_eq(text, "srpd 1.2, control protocol 1\n");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srpctl_show");

	tcase_add_loop_test(tcase, status_explains_what_is_not_ready, 80, 81);
	tcase_add_loop_test(tcase, status_explains_what_is_not_ready, 160, 161);
	tcase_add_test(tcase, status_without_targets_says_so);
	tcase_add_test(tcase, targets_are_shown_whole);
	tcase_add_test(tcase, luns_are_a_table);
	tcase_add_test(tcase, stats_show_counters_and_latencies);
	tcase_add_test(tcase, a_frame_has_rates_between_two_looks);
	tcase_add_test(tcase, a_first_frame_or_another_srpd_has_no_rates);
	tcase_add_test(tcase, a_frame_is_no_higher_than_the_screen);
	tcase_add_test(tcase, a_frame_is_an_object_too);
	tcase_add_test(tcase, actions_say_what_came_of_them);
	return unit_run(tcase, "srpctl_show");
}
