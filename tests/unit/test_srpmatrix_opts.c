/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "tools/srpmatrix_opts.h"
#include "util/clock.h"
#include "util/compiler.h"

#define MAX_WORDS 24

static struct srpmatrix_opts opts;
static char reason[512];

/* Parses a line of words; they stay until the next call. */
static int
parse(const char *line)
{
	static char text[1024];
	char *argv[MAX_WORDS + 1] = { (char *)"srpmatrix" }, *rest, *word;
	int argc = 1;

	snprintf(text, sizeof(text), "%s", line);
	for (word = strtok_r(text, " ", &rest); word && argc < MAX_WORDS;
		word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc] = NULL;
	reason[0] = '\0';
	return srpmatrix_opts_parse(
		&opts, argc, argv, reason, sizeof(reason));
}

static void
cell_is(unsigned int i, uint64_t bs, unsigned int jobs)
{
	ck_assert_uint_lt(i, opts.nr_cells);
	ck_assert_uint_eq(opts.cells[i].bs, bs);
	ck_assert_uint_eq(opts.cells[i].jobs, jobs);
}

START_TEST(by_default_it_is_the_published_table)
{
	ck_assert_int_eq(parse("--target demo://ram"), 0);
	ck_assert_str_eq(opts.target, "demo://ram");
	ck_assert_uint_eq(opts.nr_cells, 8);
	cell_is(0, 512, 1);
	cell_is(1, 512, 128);
	cell_is(3, 4096, 128);
	cell_is(5, 65536, 4);
	cell_is(7, 524288, 4);
	ck_assert_uint_eq(opts.nr_modes, 5);
	ck_assert_str_eq(opts.modes[0].name, "inline");
	ck_assert_str_eq(opts.modes[4].name, "adaptive");
	ck_assert_str_eq(opts.rw, "read");
	ck_assert_uint_eq(opts.depth, 1);
	ck_assert_uint_eq(opts.rounds, 6);
	ck_assert_uint_eq(opts.runtime_ns, CLOCK_NS_PER_SEC);
	ck_assert(!opts.is_forked && !opts.wants_json && !opts.wants_published);
}
END_TEST

START_TEST(lists_make_rows)
{
	ck_assert_int_eq(parse("--target x --bs 4k,1M --jobs 1,2,8"), 0);
	ck_assert_uint_eq(opts.nr_cells, 6);
	cell_is(0, 4096, 1);
	cell_is(2, 4096, 8);
	cell_is(3, 1 << 20, 1);
	/* A size that was not published has one job. */
	ck_assert_int_eq(parse("--target x --bs 8k,512k"), 0);
	ck_assert_uint_eq(opts.nr_cells, 3);
	cell_is(0, 8192, 1);
	cell_is(2, 524288, 4);
	ck_assert_int_eq(parse("--target x --bs 4k,4096 --jobs 2,2"), 0);
	ck_assert_uint_eq(opts.nr_cells, 1);
}
END_TEST

START_TEST(modes_keep_their_order_and_come_once)
{
	ck_assert_int_eq(
		parse("--target x --completion self,inline,self"), 0);
	ck_assert_uint_eq(opts.nr_modes, 2);
	ck_assert_str_eq(opts.modes[0].name, "self");
	ck_assert_str_eq(opts.modes[1].name, "inline");
	ck_assert_int_eq(parse("--target x --completion poll,all"), 0);
	ck_assert_uint_eq(opts.nr_modes, 5);
	ck_assert_str_eq(opts.modes[0].name, "poll");
}
END_TEST

START_TEST(a_kernel_device_adds_two_columns)
{
	ck_assert_int_eq(parse("--compare /dev/sdz --target x"), 0);
	ck_assert_uint_eq(opts.nr_modes, 7);
	ck_assert_str_eq(opts.modes[5].name, "libaio");
	ck_assert_str_eq(opts.modes[6].name, "io_uring");
	ck_assert(opts.modes[5].is_kernel && opts.modes[6].is_kernel);
	ck_assert(!opts.modes[4].is_kernel);
	ck_assert_str_eq(opts.compare, "/dev/sdz");
}
END_TEST

START_TEST(other_options_are_taken)
{
	ck_assert_int_eq(parse("--target x --rw randrw --runtime 250ms "
			       "--warmup 0 --rounds 3 --depth 32 --html a.html "
			       "--fio /f --engine /e --fork --published --json"),
		0);
	ck_assert_str_eq(opts.rw, "randrw");
	ck_assert_uint_eq(opts.runtime_ns, 250 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_eq(opts.warmup_ns, 0);
	ck_assert_uint_eq(opts.rounds, 3);
	ck_assert_uint_eq(opts.depth, 32);
	ck_assert_str_eq(opts.html, "a.html");
	ck_assert_str_eq(opts.fio, "/f");
	ck_assert_str_eq(opts.engine, "/e");
	ck_assert(opts.is_forked && opts.wants_published && opts.wants_json);
	ck_assert_int_eq(parse("--target x --fork --threads"), 0);
	ck_assert(!opts.is_forked);
	ck_assert_int_eq(parse("--help"), 0);
	ck_assert(opts.wants_help);
	ck_assert_int_eq(parse("--version"), 0);
	ck_assert(opts.wants_version);
	ck_assert_ptr_nonnull(strstr(srpmatrix_opts_help(), "--compare PATH"));
}
END_TEST

START_TEST(what_it_cannot_do_is_one_sentence)
{
	static const struct {
		const char *line;
		int status;
		const char *said;
	} table[] = {
		{ "", 2, "--target is missing" },
		{ "--fast", 1, "unknown option --fast" },
		{ "--target", 1, "a value is missing for --target" },
		{ "x", 2, "'x' is not an option" },
		{ "--target x --bs 4kk", 2, "4kk is not a number" },
		{ "--target x --bs 0", 2, "out of range" },
		{ "--target x --bs 512,,4k", 2, "--bs" },
		{ "--target x --jobs 0", 2, "out of range" },
		{ "--target x --jobs 2000", 2, "allowed is 1 to 1024" },
		{ "--target x --jobs 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
			2, "16 numbers at most" },
		{ "--target x --bs 512,1k,2k,4k,8k --jobs "
		  "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
			2, "more than 64 rows" },
		{ "--target x --completion slef", 2, "did you mean self" },
		{ "--target x --rw trim", 2, "is not known" },
		{ "--target x --runtime 0", 2, "out of range" },
		{ "--target x --runtime 1y", 2, "--runtime" },
		{ "--target x --rounds 0", 2, "allowed is 1 to 1000" },
		{ "--target x --depth 5000", 2, "allowed is 1 to 1024" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		ck_assert_msg(parse(table[i].line) == table[i].status,
			"%s: %s", table[i].line, reason);
		ck_assert_msg(strstr(reason, table[i].said), "%s: %s",
			table[i].line, reason);
		ck_assert_ptr_null(strchr(reason, '\n'));
	}
}
END_TEST

START_TEST(json_is_known_before_an_error_is)
{
	ck_assert_int_eq(parse("--bs 0 --json"), 2);
	ck_assert(opts.wants_json);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("opts");

	tcase_add_test(tcase, by_default_it_is_the_published_table);
	tcase_add_test(tcase, lists_make_rows);
	tcase_add_test(tcase, modes_keep_their_order_and_come_once);
	tcase_add_test(tcase, a_kernel_device_adds_two_columns);
	tcase_add_test(tcase, other_options_are_taken);
	tcase_add_test(tcase, what_it_cannot_do_is_one_sentence);
	tcase_add_test(tcase, json_is_known_before_an_error_is);
	return unit_run(tcase, "srpmatrix_opts");
}
