/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Pages from documents that are as the programs make them, and from documents
 * of which any member is something else.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html_check.h"
#include "tools/html_page.h"
#include "util/compiler.h"

#define HISTOGRAM                                                              \
	"{\"count\": 7, \"sum_ns\": 900, \"min_ns\": 100, \"max_ns\": 300, "   \
	"\"over\": 0, \"buckets\": [[100, 101, 4], [200, 201, 3]]}"
#define STATS                                                                  \
	"{\"min\": 100, \"mean\": 130, \"p50\": 100, \"p90\": 200, "           \
	"\"p99\": 200, \"p99.9\": 200, \"p99.99\": 200, \"max\": 300}"
#define RATIO                                                                  \
	"{\"estimate\": 1.25, \"low\": 1.2, \"high\": 1.3, \"pairs\": 3}"

#define RUN(name)                                                              \
	"{\"completion\": \"" name "\", \"operation\": \"copy\", "             \
	"\"input\": \"demo://ram\", \"output\": \"/dev/null\", "               \
	"\"block_bytes\": 4096, \"depth\": 1, \"pattern\": \"rand\", "         \
	"\"count\": 7, \"errors\": 0, \"iops\": 5000, \"latency_ns\": " STATS  \
	", \"cpu_ns_per_io\": 900, \"context_switches_per_io\": 1.5, "         \
	"\"histogram\": " HISTOGRAM ", \"rounds\": [{\"iops\": 4900}, "        \
	"{\"iops\": 5100}], \"ratio\": {\"p50\": " RATIO ", \"mean\": " RATIO  \
	"}, \"stages_ns\": {\"submit->posted\": {\"count\": 7, \"mean\": 50}, " \
	"\"posted->seen\": {\"count\": 7, \"mean\": 80}}}"

#define SRPLAT                                                                 \
	"{\"runs\": [" RUN("inline") ", " RUN("self") "], "                    \
	"\"noise\": {\"p50\": " RATIO ", \"mean\": " RATIO "}, "               \
	"\"clock\": {\"name\": \"CLOCK_MONOTONIC\", \"resolution_ns\": 1}, "   \
	"\"counters\": {\"scope\": null, \"reason\": \"none\"}, "              \
	"\"slow\": {\"ios\": [{\"at_ns\": 1, \"latency_ns\": 2, "              \
	"\"offset\": 3, \"bytes\": 4, \"write\": true}]}, "                    \
	"\"notes\": [\"include target\"]}"

#define SWEEP                                                                  \
	"{\"runs\": [" RUN("self") "], \"sweep\": [{\"completion\": "          \
	"\"self\", \"by\": \"depth\", \"points\": [{\"depth\": 1, "            \
	"\"iops\": 1000, \"mean_ns\": 5, \"p50_ns\": 4, \"p99_ns\": 9, "       \
	"\"p99.9_ns\": 10, \"cpu_ns_per_io\": 3, \"knee\": false}, "           \
	"{\"depth\": 8, \"iops\": 7000, \"mean_ns\": 6, \"p50_ns\": 5, "       \
	"\"p99_ns\": 12, \"p99.9_ns\": 15, \"cpu_ns_per_io\": 2, "             \
	"\"knee\": true}]}]}"

#define RATE                                                                   \
	"{\"runs\": [{\"completion\": \"self\", \"rate\": 20000, "             \
	"\"latency_ns\": " STATS ", \"response_ns\": " STATS                   \
	", \"histogram\": " HISTOGRAM ", \"response_histogram\": " HISTOGRAM   \
	", \"missed_sends\": 3, \"unsent\": 1, \"max_waiting\": 2}]}"

#define MODE(name, kind)                                                       \
	"{\"name\": \"" name "\", \"kind\": \"" kind "\", \"baseline\": "      \
	"false, \"rounds\": [{\"iops\": 4900, \"cpu_ns_per_io\": 9}, "         \
	"{\"iops\": 5100, \"cpu_ns_per_io\": 8}], \"median\": {\"iops\": "     \
	"5000, \"latency_ns\": " STATS ", \"cpu_ns_per_io\": 8, "              \
	"\"doorbells_per_io\": null}, \"ratio\": {\"iops\": " RATIO            \
	", \"p99\": " RATIO ", \"cpu\": " RATIO "}, \"latency_ns\": "          \
	HISTOGRAM ", \"steady\": {\"verdict\": \"steady\"}, \"error\": null}"
#define ROW(jobs)                                                              \
	"{\"bs\": 512, \"jobs\": " jobs ", \"depth\": 1, \"steady\": "         \
	"\"steady\", \"modes\": [" MODE("inline", "srpi") ", "                 \
	MODE("thread", "srpi") ", " MODE("libaio", "kernel") "], "             \
	"\"noise\": {\"iops\": " RATIO "}, \"adaptive\": {\"iops\": " RATIO     \
	"}, \"published\": {\"before\": 1, "    \
	"\"thread=n\": 2, \"thread=y\": 3}}"
#define MATRIX                                                                 \
	"{\"program\": \"srpmatrix\", \"version\": \"0.1.0\", \"date\": "      \
	"\"2026-01-01\", \"machine\": {\"cpu\": \"x\", \"nr_cpus\": 2}, "      \
	"\"settings\": {\"target\": \"demo://ram\", \"bs\": [512], "           \
	"\"cells\": [[512, 1]], \"command\": [\"fio\", \"-x\"]}, "             \
	"\"rows\": [" ROW("1") ", " ROW("4") "], \"rounds_done\": 2, "         \
	"\"summary\": {\"adaptive\": {\"iops\": " RATIO ", \"rows\": 2, "       \
	"\"lowest_row\": 1, \"floor\": 0.97, \"rows_below\": 0, "              \
	"\"rows_cpu_above_poll\": 0}}, \"notes\": []}"

static const char *const documents[] = { SRPLAT, SWEEP, RATE, MATRIX };

/* What the page is, which the caller frees; whole in any case. */
static char *
render(const json_t *doc, unsigned int *nr_svgs)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	const char *problem;

	ck_assert_int_eq(html_page_write(f, doc), 0);
	ck_assert_int_eq(fclose(f), 0);
	problem = html_check(text, doc, nr_svgs);
	ck_assert_msg(!problem, "%s in the page of %s", problem,
		json_dumps(doc, JSON_COMPACT | JSON_ENCODE_ANY));
	return text;
}

static json_t *
load(const char *text)
{
	json_error_t error;
	json_t *doc = json_loads(text, JSON_DECODE_ANY, &error);

	ck_assert_msg(doc != NULL, "%s at %d", error.text, error.position);
	return doc;
}

static void
expect_words(const char *document, const char *const *words)
{
	json_t *doc = load(document);
	char *text = render(doc, NULL);

	for (; *words; words++)
		ck_assert_msg(strstr(text, *words) != NULL, "no '%s'", *words);
	free(text);
	json_decref(doc);
}

START_TEST(a_comparison_has_all_its_parts)
{
	static const char *const words[] = { "<h1>", "id=\"latency\"",
		"id=\"rates\"", "id=\"ratios\"", "id=\"stages\"",
		"id=\"slow\"", "id=\"all\"", "id=\"settings\"",
		"Latency by percentile", "Where the latencies lie", "IOPS",
		"CPU time an I/O", "include target", "4 KiB read, random",
		"submit → posted", "A/A", NULL };

	expect_words(SRPLAT, words);
}
END_TEST

START_TEST(a_sweep_has_its_curves_and_its_knee)
{
	static const char *const words[] = { "self does not bend up to depth 8: "
					     "7.00 k IOPS",
		"id=\"load\"", "class=\"ring s3\"", "self (knee)", NULL };

	expect_words(SWEEP, words);
}
END_TEST

START_TEST(a_rate_has_service_and_response)
{
	static const char *const words[] = { "self service", "self response",
		"dashed", "Missed", NULL };

	expect_words(RATE, words);
}
END_TEST

START_TEST(a_matrix_has_all_its_parts)
{
	static const char *const words[] = { "Adaptive keeps up", "id=\"table\"",
		"id=\"iops\"", "id=\"ratios\"", "id=\"cpu\"", "id=\"load\"",
		"id=\"latency\"", "id=\"all\"", "id=\"settings\"",
		"512 B × 4 jobs", "published", "thread=y", "libaio",
		"class=\"whisker\"", "fio -x", "512 × 1", NULL };

	expect_words(MATRIX, words);
}
END_TEST

/* The headline where adaptive's interval and lost rows are these. */
static void
expect_verdict(double low, double high, int below, const char *words)
{
	json_t *doc = load(MATRIX), *adaptive, *iops;
	char *text;

	adaptive = json_object_get(
		json_object_get(doc, "summary"), "adaptive");
	json_object_set_new(adaptive, "rows_below", json_integer(below));
	iops = json_object_get(adaptive, "iops");
	json_object_set_new(iops, "low", json_real(low));
	json_object_set_new(iops, "high", json_real(high));
	text = render(doc, NULL);
	ck_assert_msg(strstr(text, words) != NULL, "no '%s'", words);
	free(text);
	json_decref(doc);
}

START_TEST(the_headline_claims_no_more_than_the_interval)
{
	expect_verdict(0.98, 1.3, 0,
		"<h1>Adaptive keeps up with the better of inline and poll in "
		"every row");
	expect_verdict(0.5, 1.9, 0, "<h1>Too noisy to tell");
	expect_verdict(0.9, 0.95, 1,
		"<h1>Adaptive falls behind the better of inline and poll in 1 "
		"of 2 rows");
}
END_TEST

START_TEST(an_interval_that_leaves_the_chart_has_no_end_there)
{
	json_t *doc = load(MATRIX), *rounds;
	char *text;

	rounds = json_object_get(
		json_array_get(
			json_object_get(json_array_get(json_object_get(doc,
							       "rows"),
						0),
				"modes"),
			0),
		"rounds");
	json_object_set_new(
		json_array_get(rounds, 0), "iops", json_real(1e6));
	text = render(doc, NULL);
	/* Its bar still takes more than half of the plot. */
	ck_assert_ptr_nonnull(strstr(text, "width=\"62.50%\""));
	free(text);
	json_decref(doc);
}
END_TEST

START_TEST(every_chart_says_what_it_shows)
{
	unsigned int nr_images = 0, nr_descs = 0, nr_labels = 0;
	json_t *doc = load(MATRIX);
	char *text = render(doc, NULL), *at;

	for (at = strstr(text, "role=\"img\""); at;
		at = strstr(at + 1, "role=\"img\""))
		nr_images++;
	for (at = strstr(text, "<desc>"); at; at = strstr(at + 1, "<desc>")) {
		nr_descs++;
		ck_assert_int_ne(at[6], '<');
	}
	for (at = strstr(text, "aria-label=\""); at;
		at = strstr(at + 1, "aria-label=\"")) {
		nr_labels++;
		ck_assert_int_ne(at[12], '"');
	}
	ck_assert_uint_gt(nr_images, 5);
	ck_assert_uint_eq(nr_descs, nr_images);
	ck_assert_uint_ge(nr_labels, nr_images);
	free(text);
	json_decref(doc);
}
END_TEST

START_TEST(an_error_is_the_headline)
{
	static const char *const words[] = { "<h1>if=/x&lt;b&gt;: not there",
		NULL };

	expect_words("{\"runs\": [], \"error\": \"if=/x<b>: not there\", "
		     "\"exit\": 3}",
		words);
	expect_words("{\"rows\": [], \"error\": \"if=/x<b>: not there\"}",
		words);
}
END_TEST

START_TEST(names_from_outside_are_no_markup)
{
	static const char hostile[] = "\"></title></style><script>x";
	json_t *doc = load(SRPLAT);
	json_t *run = json_array_get(json_object_get(doc, "runs"), 0);

	json_object_set_new(run, "input", json_string(hostile));
	json_object_set_new(run, "completion", json_string(hostile));
	json_object_set_new(doc, "version", json_string(hostile));
	json_array_append_new(
		json_object_get(doc, "notes"), json_string(hostile));
	json_object_set_new(json_object_get(doc, "clock"), hostile,
		json_string(hostile));
	free(render(doc, NULL));
	json_decref(doc);
}
END_TEST

START_TEST(any_json_makes_a_page)
{
	static const char *const texts[] = { "null", "5", "\"x\"", "[]", "{}",
		"[[[]]]", "{\"runs\": 5}", "{\"runs\": []}", "{\"runs\": [5]}",
		"{\"rows\": [[], null, {}]}", "{\"runs\": [{}], \"sweep\": 1}",
		"{\"runs\": [], \"sweep\": [{}, 5, {\"points\": [{}]}]}",
		"{\"rows\": [{\"modes\": [null, 5]}]}" };
	json_t *doc;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		doc = load(texts[i]);
		free(render(doc, NULL));
		json_decref(doc);
	}
}
END_TEST

/* In the place of a member: what it is not. */
static const char *const wrong[] = { "null", "-1", "1e300", "1e-300",
	"\"<script>\"", "{}", "[[5, 6, 7], {\"a\": [1]}]" };

/* Renders @root once for each wrong value in each place below @json. */
static void
try_members(const json_t *root, json_t *json)
{
	const char *key;
	json_t *value, *kept;
	void *next;
	size_t i, j;

	json_object_foreach_safe(json, next, key, value) {
		try_members(root, value);
		kept = json_incref(value);
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			json_object_set_new(json, key, load(wrong[i]));
			free(render(root, NULL));
		}
		json_object_set_new(json, key, kept);
	}
	/* Of elements that are alike the first will do. */
	json_array_foreach(json, j, value) {
		if (j)
			break;
		try_members(root, value);
		kept = json_incref(value);
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			json_array_set_new(json, j, load(wrong[i]));
			free(render(root, NULL));
		}
		json_array_set_new(json, j, kept);
	}
}

START_TEST(any_member_may_be_something_else)
{
	json_t *doc = load(documents[_i]);

	/* Those of the second element are as those of the first. */
	json_array_remove(json_object_get(doc, "runs"), 1);
	json_array_remove(json_object_get(doc, "rows"), 1);
	try_members(doc, doc);
	json_decref(doc);
}
END_TEST

START_TEST(more_than_a_page_shows_is_cut)
{
	json_t *doc = load(MATRIX), *rows = json_object_get(doc, "rows");
	json_t *modes = json_object_get(json_array_get(rows, 0), "modes");
	unsigned int i;

	for (i = 0; i < 100; i++)
		json_array_append_new(modes, load(MODE("other", "srpi")));
	for (i = 0; i < 100; i++)
		json_array_append_new(rows, load(ROW("9")));
	free(render(doc, NULL));
	json_decref(doc);
	doc = load(SRPLAT);
	for (i = 0; i < 300; i++)
		json_array_append_new(json_object_get(doc, "runs"),
			load(RUN("adaptive")));
	free(render(doc, NULL));
	json_decref(doc);
}
END_TEST

START_TEST(a_page_is_saved_or_it_is_told_why_not)
{
	char path[] = "/tmp/html_page.XXXXXX", reason[256] = "";
	int fd = mkstemp(path);
	json_t *doc = load(SRPLAT);
	struct stat stat;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 1000000), 0);
	ck_assert_int_eq(html_page_check(path, reason, sizeof(reason)), 0);
	ck_assert_int_eq(html_page_save(path, doc, reason, sizeof(reason)), 0);
	ck_assert_int_eq(fstat(fd, &stat), 0);
	ck_assert(stat.st_size > 1000 && stat.st_size < 1000000);
	close(fd);
	unlink(path);

	ck_assert_int_eq(html_page_save("/nowhere/x", doc, reason,
				 sizeof(reason)),
		-ENOENT);
	ck_assert_ptr_nonnull(strstr(reason, "/nowhere/x: "));
	ck_assert_int_eq(
		html_page_check("/nowhere/x", reason, sizeof(reason)),
		-ENOENT);
	ck_assert_int_lt(
		html_page_save("/dev/full", doc, reason, sizeof(reason)), 0);
	json_decref(doc);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("html_page");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_comparison_has_all_its_parts);
	tcase_add_test(tcase, a_sweep_has_its_curves_and_its_knee);
	tcase_add_test(tcase, a_rate_has_service_and_response);
	tcase_add_test(tcase, a_matrix_has_all_its_parts);
	tcase_add_test(tcase, the_headline_claims_no_more_than_the_interval);
	tcase_add_test(
		tcase, an_interval_that_leaves_the_chart_has_no_end_there);
	tcase_add_test(tcase, every_chart_says_what_it_shows);
	tcase_add_test(tcase, an_error_is_the_headline);
	tcase_add_test(tcase, names_from_outside_are_no_markup);
	tcase_add_test(tcase, any_json_makes_a_page);
	tcase_add_loop_test(tcase, any_member_may_be_something_else, 0,
		(int)ARRAY_SIZE(documents));
	tcase_add_test(tcase, more_than_a_page_shows_is_cut);
	tcase_add_test(tcase, a_page_is_saved_or_it_is_told_why_not);
	return unit_run(tcase, "html_page");
}
