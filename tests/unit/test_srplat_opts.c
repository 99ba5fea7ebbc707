/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <srpi/srpi.h>

#include "tools/srplat_opts.h"

static struct srplat_opts opts;
static char reason[512];

/* Parse operands given as one string of words. */
static int
parse(const char *line)
{
	static char words[1024];
	char *argv[64] = { (char *)(uintptr_t)"srplat" }, *save = NULL, *word;
	int argc = 1;

	snprintf(words, sizeof(words), "%s", line);
	for (word = strtok_r(words, " ", &save); word;
		word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	reason[0] = '\0';
	return srplat_opts_parse(&opts, argc, argv, reason, sizeof(reason));
}

static int
resolve(uint32_t in_block, uint32_t out_block)
{
	return srplat_opts_resolve(
		&opts, in_block, out_block, reason, sizeof(reason));
}

START_TEST(defaults_are_dds_at_depth_one)
{
	ck_assert_int_eq(parse("if=demo://ram"), 0);
	ck_assert_str_eq(opts.in, "demo://ram");
	ck_assert_str_eq(opts.out, "/dev/null");
	ck_assert_uint_eq(opts.depth, 1);
	ck_assert_int_eq(opts.completion, 0);
	ck_assert_int_eq(opts.pattern, SRPLAT_PATTERN_SEQ);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_TABLE);
	ck_assert_int_eq(resolve(512, 0), 0);
	ck_assert_uint_eq(opts.bs, 512);
	ck_assert_uint_eq(opts.count, SRPLAT_FOREVER);
}
END_TEST

START_TEST(every_operand_is_read)
{
	ck_assert_int_eq(
		parse("if=a of=b bs=4k count=10 skip=2 seek=3 "
		      "iflag=direct,fullblock oflag=dsync "
		      "conv=fsync,notrunc status=noxfer completion=self "
		      "depth=8 rounds=4 warmup=100 runtime=1.5s "
		      "pattern=rand output=json"),
		0);
	ck_assert_uint_eq(opts.iflags, SRPLAT_FLAG_DIRECT);
	ck_assert_uint_eq(opts.oflags, SRPLAT_FLAG_SYNC);
	ck_assert_uint_eq(opts.conv, SRPLAT_CONV_FSYNC | SRPLAT_CONV_NOTRUNC);
	ck_assert_int_eq(opts.status, SRPLAT_STATUS_NOXFER);
	ck_assert_int_eq(opts.completion, SRPI_COMPLETION_SELF);
	ck_assert_uint_eq(opts.depth, 8);
	ck_assert_uint_eq(opts.rounds, 4);
	ck_assert_uint_eq(opts.warmup_records, 100);
	ck_assert_uint_eq(opts.runtime_ns, 1500000000);
	ck_assert_int_eq(opts.pattern, SRPLAT_PATTERN_RAND);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_JSON);
	ck_assert_int_eq(resolve(512, 512), 0);
	ck_assert_uint_eq(opts.bs, 4096);
	ck_assert_uint_eq(opts.count, 10);
	ck_assert_uint_eq(opts.in_offset, 8192);
	ck_assert_uint_eq(opts.out_offset, 12288);
}
END_TEST

START_TEST(the_operands_of_load_and_judgement_are_read)
{
	ck_assert_int_eq(
		parse("if=a rate=10k late=50us depth=4 threshold=p99:1ms "
		      "threshold=max:1s slow=5ms stages=yes histogram=yes "
		      "output=json"),
		0);
	ck_assert_uint_eq(opts.rate, 10000);
	ck_assert(opts.has_late);
	ck_assert_uint_eq(opts.late_ns, 50000);
	ck_assert_uint_eq(opts.limits.nr, 2);
	ck_assert_uint_eq(opts.slow_ns, 5000000);
	ck_assert(opts.wants_stages);
	ck_assert(opts.wants_histogram);
	ck_assert_int_eq(parse("if=a sweep=depth:1-8"), 0);
	ck_assert_uint_eq(opts.sweep.nr, 4);
	ck_assert_uint_eq(opts.depth, 8);
	ck_assert_int_eq(parse("if=a sweep=rate:1k-10k depth=4"), 0);
	ck_assert_int_eq(opts.sweep.by, SRPLAT_SWEEP_RATE);
	ck_assert_int_eq(parse("verify=write of=b seed=5"), 0);
	ck_assert_int_eq(opts.verify, SRPLAT_VERIFY_WRITE);
	ck_assert_uint_eq(opts.seed, 5);
	ck_assert_str_eq(opts.in, "pattern");
	ck_assert_int_eq(parse("verify=read if=b pattern=rand"), 0);
	ck_assert_int_eq(opts.verify, SRPLAT_VERIFY_READ);
	ck_assert_str_eq(opts.out, "/dev/null");
}
END_TEST

START_TEST(a_page_is_written_besides_and_has_the_histograms)
{
	ck_assert_int_eq(parse("if=a output=html:/tmp/x.html"), 0);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_TABLE);
	ck_assert_str_eq(opts.html_path, "/tmp/x.html");
	ck_assert(opts.wants_histogram);
	ck_assert_int_eq(parse("if=a output=html:x output=json"), 0);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_JSON);
	ck_assert_str_eq(opts.html_path, "x");
	ck_assert_int_eq(opts.nr_words, 4);
	/* Of a sweep the page has the points. */
	ck_assert_int_eq(parse("if=a output=html:x sweep=depth:1-4"), 0);
	ck_assert(!opts.wants_histogram);
	ck_assert_int_eq(parse("if=a"), 0);
	ck_assert_ptr_null(opts.html_path);
}
END_TEST

START_TEST(what_does_not_go_together_is_refused_in_one_sentence)
{
	static const struct {
		const char *line, *part;
	} bad[] = {
		{ "if=a verify=write of=b", "leave if= out" },
		{ "verify=write", "give of=" },
		{ "verify=read of=b", "give if=" },
		{ "verify=read if=a of=b", "leave of= out" },
		{ "if=a seed=5", "allowed with verify=" },
		{ "if=a verify=read sweep=depth:1-4", "exclude each other" },
		{ "if=a depth=4 sweep=depth:1-4", "exclude each other" },
		{ "if=a rate=1k sweep=rate:1k-4k", "exclude each other" },
		{ "if=a late=1ms", "give rate=" },
		{ "if=a histogram=yes", "output=json" },
		{ "if=a rate=fast", "rate=fast" },
		{ "if=a sweep=width:1-4", "sweep=width:1-4" },
		{ "if=a threshold=p99", "threshold=p99" },
		{ "if=a verify=maybe", "verify=maybe" },
		{ "if=a stages=maybe", "stages=maybe" },
		{ "if=a slow=10", "slow=10" },
		{ "if=a rate=1 late=soon", "late=soon" },
		{ "verify=read if=a seed=x", "seed=x" },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(parse(bad[i].line) == SRPLAT_EXIT_BAD_VALUE,
			"%s was taken", bad[i].line);
		ck_assert_msg(strstr(reason, bad[i].part) != NULL,
			"%s: %s", bad[i].line, reason);
		ck_assert_ptr_null(strchr(reason, '\n'));
	}
}
END_TEST

START_TEST(all_completion_modes_have_a_word_of_their_own)
{
	ck_assert_int_eq(parse("if=a completion=all"), 0);
	ck_assert_int_eq(opts.completion, SRPLAT_COMPLETION_ALL);
	ck_assert_int_eq(parse("if=a completion=inlien"), 2);
	ck_assert_ptr_nonnull(strstr(reason, "did you mean inline?"));
	ck_assert_ptr_nonnull(strstr(reason, "self"));
}
END_TEST

START_TEST(a_block_in_a_number_is_the_luns)
{
	ck_assert_int_eq(parse("if=a bs=3b count=2b"), 0);
	ck_assert_int_eq(resolve(520, 0), 0);
	ck_assert_uint_eq(opts.bs, 1560);
	ck_assert_uint_eq(opts.count, 1040);
	ck_assert_int_eq(resolve(0, 0), 0);
	ck_assert_uint_eq(opts.bs, 1536);
}
END_TEST

START_TEST(the_default_block_size_fits_the_larger_block)
{
	ck_assert_int_eq(parse("if=a of=b"), 0);
	ck_assert_int_eq(resolve(4096, 512), 0);
	ck_assert_uint_eq(opts.bs, 4096);
	ck_assert_int_eq(resolve(0, 520), 0);
	ck_assert_uint_eq(opts.bs, 520);
}
END_TEST

START_TEST(byte_flags_change_the_unit_of_count_skip_and_seek)
{
	ck_assert_int_eq(parse("if=a of=b bs=1k count=2560 skip=1024 seek=512 "
			       "iflag=count_bytes,skip_bytes oflag=seek_bytes"),
		0);
	ck_assert_int_eq(resolve(512, 512), 0);
	ck_assert_uint_eq(opts.count, 2);
	ck_assert_uint_eq(opts.tail_bytes, 512);
	ck_assert_uint_eq(opts.in_offset, 1024);
	ck_assert_uint_eq(opts.out_offset, 512);
}
END_TEST

START_TEST(a_warm_up_is_a_number_or_a_time)
{
	ck_assert_int_eq(parse("if=a"), 0);
	ck_assert(!opts.has_warmup);
	ck_assert_int_eq(parse("if=a warmup=250ms"), 0);
	ck_assert(opts.has_warmup);
	ck_assert_uint_eq(opts.warmup_ns, 250000000);
	ck_assert_uint_eq(opts.warmup_records, 0);
	ck_assert_int_eq(parse("if=a warmup=soon"), 2);
	ck_assert_ptr_nonnull(strstr(reason, "warmup=soon"));
}
END_TEST

START_TEST(keys_of_the_initiator_are_operands_too)
{
	ck_assert_int_eq(parse("if=a io_timeout=7"), 0);
	ck_assert_uint_eq(opts.nr_keys, 1);
	ck_assert_str_eq(opts.keys[0].name, "io_timeout");
	ck_assert_str_eq(opts.keys[0].value, "7");
}
END_TEST

START_TEST(bad_operands_are_answered_with_key_and_what_is_allowed)
{
	static const struct {
		const char *line;
		const char *says;
	} bad[] = {
		{ "", "if= is missing" },
		{ "if=", "if= is empty" },
		{ "if=a of=", "of= is empty" },
		{ "if=a cuont=1", "did you mean count=?" },
		{ "if=a xyzzy=1", "unknown operand xyzzy=" },
		{ "if=a word", "'word' is not an operand" },
		{ "if=a =1", "'=1' is not an operand" },
		{ "if=a bs=0", "bs=0 is out of range" },
		{ "if=a bs=4kk", "bs=4kk is not a number" },
		{ "if=a bs=2G", "1 to 1073741824" },
		{ "if=a count=-1", "count=-1 is not a number" },
		{ "if=a skip=x", "skip=x" },
		{ "if=a seek=1e3", "seek=1e3" },
		{ "if=a iflag=dirct", "did you mean direct?" },
		{ "if=a iflag=direct,,direct", "iflag= is not known" },
		{ "if=a oflag=append", "allowed are direct, dsync, sync" },
		{ "if=a conv=swab", "fsync, fdatasync, notrunc" },
		{ "if=a status=all", "none, noxfer, progress" },
		{ "if=a depth=0", "allowed is 1 to 1024" },
		{ "if=a depth=9999", "allowed is 1 to 1024" },
		{ "if=a rounds=0", "allowed is 1 to 1000" },
		{ "if=a runtime=1y", "runtime=1y is not a duration" },
		{ "if=a pattern=random", "did you mean rand?" },
		{ "if=a output=xml", "table, json" },
		{ "if=a output=html", "html:FILE" },
		{ "if=a output=html:", "html:FILE" },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(parse(bad[i].line), SRPLAT_EXIT_BAD_VALUE);
		ck_assert_msg(strstr(reason, bad[i].says), "%s: %s",
			bad[i].line, reason);
	}
}
END_TEST

START_TEST(an_unknown_option_is_a_usage_error)
{
	ck_assert_int_eq(parse("if=a --fast"), SRPLAT_EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(reason, "--fast"));
	ck_assert_int_eq(parse("--help"), 0);
	ck_assert(opts.wants_help);
	ck_assert_int_eq(parse("--version"), 0);
	ck_assert(opts.wants_version);
}
END_TEST

START_TEST(json_is_seen_wherever_it_stands_even_before_an_error)
{
	ck_assert_int_eq(parse("bs=x output=json"), 2);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_JSON);
	ck_assert_int_eq(parse("--bad --json"), 1);
	ck_assert_int_eq(opts.output, SRPLAT_OUTPUT_JSON);
}
END_TEST

START_TEST(positions_past_any_device_are_refused)
{
	ck_assert_int_eq(
		parse("if=a bs=1M skip=9223372036854775807"), 0);
	ck_assert_int_eq(resolve(512, 0), 2);
	ck_assert_ptr_nonnull(strstr(reason, "skip= times bs="));
}
END_TEST

START_TEST(the_help_names_every_operand)
{
	static const char *const names[] = { "if=", "of=", "bs=", "count=",
		"skip=", "seek=", "iflag=", "oflag=", "conv=", "status=",
		"completion=", "depth=", "rounds=", "warmup=", "runtime=",
		"pattern=", "output=" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_ptr_nonnull(strstr(srplat_opts_help(), names[i]));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_opts");

	tcase_add_test(tcase, defaults_are_dds_at_depth_one);
	tcase_add_test(tcase, every_operand_is_read);
	tcase_add_test(tcase, all_completion_modes_have_a_word_of_their_own);
	tcase_add_test(tcase, a_block_in_a_number_is_the_luns);
	tcase_add_test(tcase, the_default_block_size_fits_the_larger_block);
	tcase_add_test(
		tcase, byte_flags_change_the_unit_of_count_skip_and_seek);
	tcase_add_test(tcase, a_warm_up_is_a_number_or_a_time);
	tcase_add_test(tcase, keys_of_the_initiator_are_operands_too);
	tcase_add_test(tcase,
		bad_operands_are_answered_with_key_and_what_is_allowed);
	tcase_add_test(tcase, an_unknown_option_is_a_usage_error);
	tcase_add_test(
		tcase, json_is_seen_wherever_it_stands_even_before_an_error);
	tcase_add_test(tcase, positions_past_any_device_are_refused);
	tcase_add_test(tcase, the_help_names_every_operand);
	tcase_add_test(tcase, the_operands_of_load_and_judgement_are_read);
	tcase_add_test(
		tcase, a_page_is_written_besides_and_has_the_histograms);
	tcase_add_test(
		tcase, what_does_not_go_together_is_refused_in_one_sentence);
	return unit_run(tcase, "srplat_opts");
}
