/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "util/parse.h"

static char reason[256];

static const struct parse_limits any = { .key = "bs", .max = UINT64_MAX };
static const struct parse_limits small = {
	.key = "depth",
	.min = 1,
	.max = 256,
};

static uint64_t
size_of(const char *text)
{
	uint64_t value = 12345;

	ck_assert_int_eq(
		parse_size(text, &any, &value, reason, sizeof(reason)), 0);
	return value;
}

static int
size_error(const char *text)
{
	uint64_t value = 12345;
	int rc = parse_size(text, &any, &value, reason, sizeof(reason));

	ck_assert_uint_eq(value, 12345);
	return rc;
}

static int
duration(const char *text, uint64_t *ns)
{
	struct parse_limits limits = { .key = "runtime",
		.max = 3600 * UINT64_C(1000000000),
		.unit_ns = 1000000000 };

	return parse_duration_ns(text, &limits, ns, reason, sizeof(reason));
}

START_TEST(plain_numbers_are_whole_and_within_limits)
{
	uint64_t value = 0;

	ck_assert_int_eq(parse_u64("256", &small, &value, NULL, 0), 0);
	ck_assert_uint_eq(value, 256);
	ck_assert_int_eq(
		parse_u64("0", &small, &value, reason, sizeof(reason)),
		-ERANGE);
	ck_assert_str_eq(
		reason, "depth=0 is out of range: allowed is 1 to 256");
	ck_assert_int_eq(
		parse_u64("4k", &small, &value, reason, sizeof(reason)),
		-EINVAL);
	ck_assert_str_eq(
		reason, "depth=4k is not a whole number: allowed is 1 to 256");
	ck_assert_int_eq(parse_u64("", &small, &value, NULL, 0), -EINVAL);
	ck_assert_int_eq(parse_u64("-1", &small, &value, NULL, 0), -EINVAL);
	ck_assert_int_eq(parse_u64(" 1", &small, &value, NULL, 0), -EINVAL);
	ck_assert_int_eq(parse_u64("18446744073709551616", &any, &value, NULL,
				 0),
		-ERANGE);
	ck_assert_uint_eq(value, 256);
}
END_TEST

START_TEST(sizes_take_dds_suffixes)
{
	ck_assert_uint_eq(size_of("7"), 7);
	ck_assert_uint_eq(size_of("7c"), 7);
	ck_assert_uint_eq(size_of("7w"), 14);
	ck_assert_uint_eq(size_of("2b"), 1024);
	ck_assert_uint_eq(size_of("1kB"), 1000);
	ck_assert_uint_eq(size_of("1k"), 1024);
	ck_assert_uint_eq(size_of("1K"), 1024);
	ck_assert_uint_eq(size_of("1KiB"), 1024);
	ck_assert_uint_eq(size_of("3M"), 3 << 20);
	ck_assert_uint_eq(size_of("3MB"), 3000000);
	ck_assert_uint_eq(size_of("1GiB"), 1 << 30);
	ck_assert_uint_eq(size_of("1T"), UINT64_C(1) << 40);
	ck_assert_uint_eq(size_of("18446744073709551615"), UINT64_MAX);
}
END_TEST

START_TEST(sizes_take_products)
{
	ck_assert_uint_eq(size_of("2x4K"), 8192);
	ck_assert_uint_eq(size_of("2x3x4"), 24);
	ck_assert_uint_eq(size_of("1Kx1K"), 1 << 20);
	ck_assert_uint_eq(size_of("0x10"), 0);
}
END_TEST

START_TEST(the_block_suffix_means_what_the_caller_says)
{
	struct parse_limits limits = { .key = "bs",
		.max = UINT64_MAX,
		.block_bytes = 520 };
	uint64_t value;

	ck_assert_int_eq(parse_size("3b", &limits, &value, NULL, 0), 0);
	ck_assert_uint_eq(value, 1560);
}
END_TEST

START_TEST(malformed_sizes_are_refused)
{
	static const char *const bad[] = { "", "k", "4kk", "4x", "x4", "4 k",
		"-4", "+4", "4.5k", "0x1g", "4KIB", "4kb", "1e3", "4x4q" };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(size_error(bad[i]), -EINVAL);
	size_error("4Q");
	ck_assert_ptr_nonnull(strstr(reason, "bs=4Q is not a number"));
	ck_assert_ptr_nonnull(strstr(reason, "kB K MB M"));
}
END_TEST

START_TEST(sizes_that_do_not_fit_are_refused)
{
	ck_assert_int_eq(size_error("18446744073709551616"), -ERANGE);
	ck_assert_int_eq(size_error("99999999T"), -ERANGE);
	ck_assert_int_eq(size_error("4294967296x4294967296"), -ERANGE);
	ck_assert_ptr_nonnull(strstr(reason, "out of range"));
}
END_TEST

START_TEST(durations_have_units_and_fractions)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "1us", 1000 },
		{ "2ms", 2000000 },
		{ "1.5s", 1500000000 },
		{ "3", UINT64_C(3000000000) },
		{ "0", 0 },
		{ "1m", UINT64_C(60000000000) },
		{ "1h", UINT64_C(3600000000000) },
		{ "0.0000000019s", 1 },
		{ "250ns", 250 },
	};
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(duration(good[i].text, &ns), 0);
		ck_assert_uint_eq(ns, good[i].ns);
	}
}
END_TEST

START_TEST(malformed_durations_are_refused)
{
	uint64_t ns = 77;

	ck_assert_int_eq(duration("", &ns), -EINVAL);
	ck_assert_int_eq(duration("5 s", &ns), -EINVAL);
	ck_assert_int_eq(duration("5.", &ns), -EINVAL);
	ck_assert_int_eq(duration("5sec", &ns), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "runtime=5sec"));
	ck_assert_ptr_nonnull(strstr(reason, "0 to 1h"));
	ck_assert_int_eq(duration("2h", &ns), -ERANGE);
	ck_assert_int_eq(duration("99999999999999999999s", &ns), -ERANGE);
	ck_assert_int_eq(duration("18446744073709551615h", &ns), -ERANGE);
	ck_assert_uint_eq(ns, 77);
}
END_TEST

START_TEST(a_bare_duration_needs_a_unit_unless_one_is_given)
{
	struct parse_limits limits = { .key = "t", .max = 1000000000 };
	uint64_t ns = 1;

	ck_assert_int_eq(
		parse_duration_ns("5", &limits, &ns, NULL, 0), -EINVAL);
	ck_assert_int_eq(parse_duration_ns("0", &limits, &ns, NULL, 0), 0);
	ck_assert_uint_eq(ns, 0);
}
END_TEST

START_TEST(hex_identifiers_have_an_exact_width)
{
	uint64_t value = 0;
	uint8_t bytes[2];

	ck_assert_int_eq(
		parse_hex64("id_ext", "0002c90300A0b0c0", &value, NULL, 0), 0);
	ck_assert_uint_eq(value, UINT64_C(0x0002c90300a0b0c0));
	ck_assert_int_eq(parse_hex64("id_ext", "0002c90300A0b0c", &value,
				 reason, sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "exactly 16 hexadecimal digits"));
	ck_assert_int_eq(
		parse_hex64("id_ext", "0002c90300A0b0c00", &value, NULL, 0),
		-EINVAL);
	ck_assert_int_eq(
		parse_hex64("id_ext", "0002c90300A0b0cg", &value, NULL, 0),
		-EINVAL);
	ck_assert_int_eq(parse_hex_bytes("x", "fe01", bytes, 2, NULL, 0), 0);
	ck_assert_uint_eq(bytes[0], 0xfe);
	ck_assert_uint_eq(bytes[1], 0x01);
}
END_TEST

START_TEST(booleans_are_words_in_any_case)
{
	bool value = false;

	ck_assert_int_eq(parse_bool("plug", "Yes", &value, NULL, 0), 0);
	ck_assert(value);
	ck_assert_int_eq(parse_bool("plug", "off", &value, NULL, 0), 0);
	ck_assert(!value);
	ck_assert_int_eq(parse_bool("plug", "1", &value, NULL, 0), 0);
	ck_assert(value);
	ck_assert_int_eq(
		parse_bool("plug", "y", &value, reason, sizeof(reason)),
		-EINVAL);
	ck_assert_str_eq(
		reason, "plug=y is neither yes nor no: allowed are yes and no");
}
END_TEST

START_TEST(an_unknown_word_is_answered_with_the_nearest)
{
	static const char *const names[] = { "inline", "thread", "self",
		NULL };
	int index = -1;

	ck_assert_int_eq(
		parse_enum("completion", "self", names, &index, NULL, 0), 0);
	ck_assert_int_eq(index, 2);
	ck_assert_int_eq(parse_enum("completion", "inlnie", names, &index,
				 reason, sizeof(reason)),
		-EINVAL);
	ck_assert_str_eq(reason,
		"completion=inlnie is not known: allowed are inline, thread, "
		"self; did you mean inline?");
	ck_assert_int_eq(parse_enum("completion", "zebra", names, &index,
				 reason, sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_null(strstr(reason, "did you mean"));
	ck_assert_int_eq(index, 2);
}
END_TEST

START_TEST(the_nearest_name_allows_a_slip_not_another_word)
{
	static const char *const names[] = { "count", "skip", "seek", NULL };
	char longer[100];

	ck_assert_str_eq(parse_nearest("cuont", names), "count");
	ck_assert_str_eq(parse_nearest("skp", names), "skip");
	ck_assert_str_eq(parse_nearest("seeek", names), "seek");
	ck_assert_ptr_null(parse_nearest("verify", names));
	memset(longer, 'c', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_ptr_null(parse_nearest(longer, names));
}
END_TEST

START_TEST(key_and_value_split_at_the_first_equals_sign)
{
	const char *value;
	size_t len;

	ck_assert_int_eq(parse_key_value("if=a=b", &len, &value), 0);
	ck_assert_uint_eq(len, 2);
	ck_assert_str_eq(value, "a=b");
	ck_assert_int_eq(parse_key_value("of=", &len, &value), 0);
	ck_assert_str_eq(value, "");
	ck_assert_int_eq(parse_key_value("novalue", &len, &value), -EINVAL);
	ck_assert_int_eq(parse_key_value("=x", &len, &value), -EINVAL);
}
END_TEST

START_TEST(percent_encoding_is_undone_and_checked)
{
	char out[8];

	ck_assert_int_eq(parse_percent("a%2Fb", 5, out, sizeof(out)), 3);
	ck_assert_str_eq(out, "a/b");
	ck_assert_int_eq(parse_percent("", 0, out, sizeof(out)), 0);
	ck_assert_str_eq(out, "");
	ck_assert_int_eq(parse_percent("a%2", 3, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(parse_percent("%zz", 3, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(parse_percent("%00", 3, out, sizeof(out)), -EINVAL);
	ck_assert_int_eq(parse_percent("1234567", 7, out, sizeof(out)), 7);
	ck_assert_int_eq(
		parse_percent("12345678", 8, out, sizeof(out)), -ENOSPC);
	ck_assert_int_eq(parse_percent("", 0, out, 0), -ENOSPC);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("parse");

	tcase_add_test(tcase, plain_numbers_are_whole_and_within_limits);
	tcase_add_test(tcase, sizes_take_dds_suffixes);
	tcase_add_test(tcase, sizes_take_products);
	tcase_add_test(tcase, the_block_suffix_means_what_the_caller_says);
	tcase_add_test(tcase, malformed_sizes_are_refused);
	tcase_add_test(tcase, sizes_that_do_not_fit_are_refused);
	tcase_add_test(tcase, durations_have_units_and_fractions);
	tcase_add_test(tcase, malformed_durations_are_refused);
	tcase_add_test(tcase, a_bare_duration_needs_a_unit_unless_one_is_given);
	tcase_add_test(tcase, hex_identifiers_have_an_exact_width);
	tcase_add_test(tcase, booleans_are_words_in_any_case);
	tcase_add_test(tcase, an_unknown_word_is_answered_with_the_nearest);
	tcase_add_test(
		tcase, the_nearest_name_allows_a_slip_not_another_word);
	tcase_add_test(tcase, key_and_value_split_at_the_first_equals_sign);
	tcase_add_test(tcase, percent_encoding_is_undone_and_checked);
	return unit_run(tcase, "parse");
}
