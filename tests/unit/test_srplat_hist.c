/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/srplat_hist.h"

static struct hist hist, back;

static void
setup(void)
{
	hist_reset(&hist);
}

static int
decode(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	int rc;

	ck_assert_ptr_nonnull(json);
	rc = srplat_hist_decode(json, &back);
	json_decref(json);
	return rc;
}

static void
check_round_trip(void)
{
	json_t *json = srplat_hist_encode(&hist);
	char *text = json_dumps(json, 0);

	ck_assert_int_eq(decode(text), 0);
	ck_assert_mem_eq(&back, &hist, sizeof(hist));
	free(text);
	json_decref(json);
}

START_TEST(what_is_read_back_is_what_was_written_to_the_bit)
{
	uint64_t value = 1;
	unsigned int i;

	check_round_trip();
	hist_record(&hist, 0);
	check_round_trip();
	for (i = 0; i < 5000; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		hist_record(&hist, value >> (20 + i % 40));
	}
	check_round_trip();
	hist_record(&hist, HIST_LIMIT + 12345);
	check_round_trip();
}
END_TEST

START_TEST(halves_add_up_to_the_whole)
{
	static struct hist all, sum;
	unsigned int i;

	hist_reset(&all);
	hist_reset(&sum);
	for (i = 0; i < 3000; i++) {
		hist_record(&all, i * 977u);
		hist_record(&hist, i * 977u);
		if (i != 1000 && i != 2999)
			continue;
		check_round_trip();
		hist_merge(&sum, &back);
		hist_reset(&hist);
	}
	ck_assert_mem_eq(&sum, &all, sizeof(all));
}
END_TEST

#define HIST(count, sum, min, max, over, buckets)                              \
	"{\"count\": " count ", \"sum_ns\": " sum ", \"min_ns\": " min          \
	", \"max_ns\": " max ", \"over\": " over ", \"buckets\": " buckets "}"

START_TEST(what_cannot_have_been_written_is_refused)
{
	static const char *const bad[] = {
		"{}",
		"[]",
		"7",
		HIST("2", "10", "5", "5", "0", "7"),
		HIST("2", "10", "5", "5", "0", "[7]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5, \"2\"]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5, -2]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5, 0]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5, 3]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 6, 2]]"),
		HIST("2", "10", "5", "5", "0", "[[5, 5, 1], [5, 5, 1]]"),
		HIST("2", "10", "5", "5", "0", "[[6, 6, 1], [5, 5, 1]]"),
		HIST("1", "1025", "1025", "1025", "0", "[[1025, 1026, 1]]"),
		HIST("1", "5", "5", "5", "0", "[[4398046511104, 1, 1]]"),
		HIST("1", "5", "5", "5", "0",
			"[[9223372036854775807, 9223372036854775807, 1]]"),
		HIST("2", "-10", "5", "5", "0", "[[5, 5, 2]]"),
		HIST("2", "10.0", "5", "5", "0", "[[5, 5, 2]]"),
		HIST("2", "10", "6", "5", "0", "[[5, 5, 2]]"),
		HIST("2", "100", "5", "5", "0", "[[5, 5, 2]]"),
		HIST("2", "4", "5", "5", "0", "[[5, 5, 2]]"),
		HIST("2", "10", "5", "5", "3", "[[5, 5, 2]]"),
		HIST("0", "1", "0", "0", "0", "[]"),
	};
	size_t i;

	ck_assert_int_eq(decode(HIST("2", "10", "5", "5", "0", "[[5, 5, 2]]")),
		0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *json = json_loads(bad[i], JSON_DECODE_ANY, NULL);

		ck_assert_msg(srplat_hist_decode(json, &back) == -EINVAL,
			"%s was taken", bad[i]);
		json_decref(json);
	}
	ck_assert_int_eq(srplat_hist_decode(NULL, &back), -EINVAL);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_hist");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(
		tcase, what_is_read_back_is_what_was_written_to_the_bit);
	tcase_add_test(tcase, halves_add_up_to_the_whole);
	tcase_add_test(tcase, what_cannot_have_been_written_is_refused);
	return unit_run(tcase, "srplat_hist");
}
