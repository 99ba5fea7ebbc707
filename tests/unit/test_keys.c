/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/keys.h"

static char reason[512];
static struct keys keys;

static void
setup(void)
{
	keys_init(&keys);
	reason[0] = '\0';
}

static int
set(const char *name, const char *value)
{
	const struct key *key = keys_find(name, strlen(name));

	ck_assert_msg(key != NULL, "no key %s", name);
	return keys_set(&keys, key, value, reason, sizeof(reason));
}

static int
set_number(const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return set(name, text);
}

START_TEST(every_key_has_all_its_texts_and_can_be_found)
{
	unsigned int nr;
	const struct srpi_key *list = srpi_keys(&nr);

	ck_assert_uint_gt(nr, 20);
	for (unsigned int i = 0; i < nr; i++) {
		ck_assert_str_ne(list[i].value, "");
		ck_assert_str_ne(list[i].initial, "");
		ck_assert_str_ne(list[i].help, "");
		ck_assert_ptr_null(strchr(list[i].help, '\n'));
		for (const char *c = list[i].name; *c; c++)
			ck_assert(islower((unsigned char)*c) || *c == '_');
		ck_assert_ptr_nonnull(
			keys_find(list[i].name, strlen(list[i].name)));
	}
}
END_TEST

START_TEST(no_name_is_there_twice)
{
	unsigned int nr;
	const struct srpi_key *list = srpi_keys(&nr);

	for (unsigned int i = 0; i < nr; i++)
		for (unsigned int j = i + 1; j < nr; j++)
			ck_assert_str_ne(list[i].name, list[j].name);
}
END_TEST

/* "A-B" in the help is the truth: both ends are taken, what is beyond not. */
START_TEST(ranges_of_numbers_are_as_the_help_says)
{
	unsigned int nr, nr_ranges = 0;
	const struct srpi_key *list = srpi_keys(&nr);
	uint64_t low, high;
	int end;

	for (unsigned int i = 0; i < nr; i++) {
		if (sscanf(list[i].value, "%" SCNu64 "-%" SCNu64 "%n", &low,
			    &high, &end) != 2 ||
			list[i].value[end])
			continue;
		nr_ranges++;
		ck_assert_int_eq(set_number(list[i].name, low), 0);
		ck_assert_int_eq(set_number(list[i].name, high), 0);
		ck_assert_int_eq(set_number(list[i].name, high + 1), -EINVAL);
		if (low > 0)
			ck_assert_int_eq(set_number(list[i].name, low - 1),
				-EINVAL);
	}
	ck_assert_uint_ge(nr_ranges, 8);
}
END_TEST

START_TEST(words_are_as_the_help_says)
{
	unsigned int nr, nr_words = 0;
	const struct srpi_key *list = srpi_keys(&nr);
	char value[128], *word, *next;

	for (unsigned int i = 0; i < nr; i++) {
		if (!strchr(list[i].value, '|'))
			continue;
		snprintf(value, sizeof(value), "%s", list[i].value);
		for (word = value; word; word = next) {
			next = strchr(word, '|');
			if (next)
				*next++ = '\0';
			ck_assert_msg(set(list[i].name, word) == 0, "%s",
				reason);
			nr_words++;
		}
		ck_assert_int_eq(set(list[i].name, "bogus"), -EINVAL);
		ck_assert_int_eq(set(list[i].name, ""), -EINVAL);
	}
	ck_assert_uint_ge(nr_words, 15);
}
END_TEST

/* Whatever the key, these are no values of it. */
static const char *const hostile[] = { "", " ", "-1", "+1", "0x10", "1 ", " 1",
	"1\n", "\x1b[2J", "\xff", "%s%n", "1e3", "18446744073709551616",
	"99999999999999999999999999999999999999999999999999999999999999999" };

START_TEST(hostile_values_are_refused_by_every_number_and_word)
{
	static const char *const takes_text[] = { "src", "name" };
	unsigned int nr;
	const struct srpi_key *list = srpi_keys(&nr);

	for (unsigned int i = 0; i < nr; i++) {
		if (strcmp(list[i].name, takes_text[0]) == 0 ||
			strcmp(list[i].name, takes_text[1]) == 0)
			continue;
		reason[0] = '\0';
		ck_assert_msg(set(list[i].name, hostile[_i]) == -EINVAL,
			"%s=%s", list[i].name, hostile[_i]);
		ck_assert_msg(strstr(reason, list[i].name) == reason, "%s",
			reason);
		ck_assert_ptr_nonnull(strstr(reason, "allowed"));
		for (const char *c = reason; *c; c++)
			ck_assert(isprint((unsigned char)*c));
	}
	ck_assert_uint_eq(keys.given, 0);
}
END_TEST

static const struct {
	const char *name, *value;
} bad_text[] = {
	{ "name", "" },
	{ "name", "a b" },
	{ "name", "a/b" },
	{ "name", "a\tb" },
	{ "name", "\xc3\xb6" },
	{ "name", "0123456789012345678901234567890123456789012345678901234567"
		  "890123" },
	{ "src", "" },
	{ "src", "[::1" },
	{ "src", "192.0.2.999" },
	{ "src", "a b" },
	{ "id_ext", "0002c90300a0b0c" },
	{ "id_ext", "0002c90300a0b0c00" },
	{ "id_ext", "0x02c90300a0b0c0" },
	{ "id_ext", "0002c90300a0b0cg" },
	{ "initiator_id", "0002c90300a0b0c0" },
	{ "io_timeout", "86401" },
	{ "wait_spin", "1" },
	{ "io_timeout", "0s" },
	{ "io_timeout", "25h" },
	{ "io_timeout", "1.s" },
	{ "ready_timeout", "3601s" },
	{ "proto", "iser" },
	{ "block", "0" },
	{ "block", "513" },
	{ "block", "8K" },
	{ "size", "511" },
	{ "size", "2T1" },
	{ "size", "2097152T" },
	{ "lun", "1099511627776" },
};

START_TEST(bad_text_is_refused_with_the_key_and_what_is_allowed)
{
	ck_assert_msg(set(bad_text[_i].name, bad_text[_i].value) == -EINVAL,
		"%s=%s", bad_text[_i].name, bad_text[_i].value);
	ck_assert_msg(strncmp(reason, bad_text[_i].name,
			      strlen(bad_text[_i].name)) == 0,
		"%s", reason);
}
END_TEST

START_TEST(values_reach_their_fields)
{
	static const uint8_t id[16] = { 0, 0, 0, 0, 0, 0, 0, 1, 0xfe };
	const struct session_attr *attr = &keys.attr;

	ck_assert_int_eq(set("completion", "self"), 0);
	ck_assert_int_eq(attr->completion, SRPI_COMPLETION_SELF);
	ck_assert_int_eq(set("id_ext", "0002C90300a0b0c0"), 0);
	ck_assert_uint_eq(attr->id_ext, UINT64_C(0x0002c90300a0b0c0));
	ck_assert_int_eq(set("ioc_guid", "ffffffffffffffff"), 0);
	ck_assert_uint_eq(attr->ioc_guid, UINT64_MAX);
	ck_assert_int_eq(
		set("initiator_id", "0000000000000001fe00000000000000"), 0);
	ck_assert(attr->has_initiator_id);
	ck_assert_mem_eq(attr->initiator_id, id, sizeof(id));
	ck_assert_int_eq(set("lun", "300"), 0);
	ck_assert(attr->has_default_lun && attr->default_lun == 300);
	ck_assert_int_eq(set("single", "yes"), 0);
	ck_assert(attr->single);
	ck_assert_int_eq(set("fabric", "soft"), 0);
	ck_assert_int_eq(keys.fabric, KEYS_FABRIC_SOFT);
	ck_assert_int_eq(set("src", "[fe80::1%25eth0]"), 0);
	ck_assert_str_eq(keys.src, "fe80::1%eth0");
}
END_TEST

START_TEST(completion_modes_have_the_names_that_the_core_gives_them)
{
	int mode;

	for (mode = SRPI_COMPLETION_INLINE; mode < SRPI_NR_COMPLETIONS;
		mode++) {
		ck_assert_int_eq(
			set("completion",
				srpi_completion_name(
					(enum srpi_completion)mode)),
			0);
		ck_assert_int_eq(keys.attr.completion, mode);
	}
}
END_TEST

START_TEST(values_of_the_embedded_target_reach_their_fields)
{
	const struct demo_attr *demo = &keys.demo;

	ck_assert_int_eq(set("size", "2x1G"), 0);
	ck_assert_uint_eq(demo->size_bytes, UINT64_C(2) << 30);
	ck_assert_int_eq(set("block", "4k"), 0);
	ck_assert_uint_eq(demo->block_bytes, 4096);
	ck_assert_int_eq(set("irqmode", "timer"), 0);
	ck_assert_int_eq(demo->irqmode, SOFT_IRQ_TIMER);
	ck_assert_int_eq(set("completion_nsec", "2500"), 0);
	ck_assert_uint_eq(demo->completion_ns, 2500);
	ck_assert_int_eq(set("spin", "50us"), 0);
	ck_assert_uint_eq(demo->spin_usec, 50);
	ck_assert_int_eq(set("data", "none"), 0);
	ck_assert_int_eq(demo->data, DEMO_DATA_NONE);
	ck_assert_int_eq(set("luns", "0"), 0);
	ck_assert_uint_eq(demo->nr_luns, 0);
	ck_assert_int_eq(set("ro", "on"), 0);
	ck_assert(demo->is_read_only);
	ck_assert_int_eq(set("name", "My-disk_1.0"), 0);
	ck_assert_str_eq(demo->name, "My-disk_1.0");
}
END_TEST

START_TEST(short_times_are_rounded_up_never_to_none)
{
	ck_assert_int_eq(set("io_timeout", "3"), 0);
	ck_assert_uint_eq(keys.attr.io_timeout_ms, 3000);
	ck_assert_int_eq(set("io_timeout", "1001us"), 0);
	ck_assert_uint_eq(keys.attr.io_timeout_ms, 2);
	ck_assert_int_eq(set("ready_timeout", "1ns"), 0);
	ck_assert_uint_eq(keys.attr.ready_timeout_ms, 1);
	ck_assert_int_eq(set("ready_timeout", "0"), 0);
	ck_assert_uint_eq(keys.attr.ready_timeout_ms, 0);
}
END_TEST

START_TEST(misplaced_keys_are_found_and_named)
{
	const struct key *key;

	ck_assert_ptr_null(keys_misplaced(&keys, URL_SRP));
	ck_assert_int_eq(set("data", "none"), 0);
	ck_assert_ptr_null(keys_misplaced(&keys, URL_DEMO_NULL));
	key = keys_misplaced(&keys, URL_DEMO_FILE);
	ck_assert_str_eq(key_name(key), "data");
	ck_assert_int_eq(keys_fail_misplaced(key, URL_DEMO_FILE, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_str_eq(reason, "key data does not apply to demo:///path: it "
				 "is for demo://null");
}
END_TEST

START_TEST(every_key_is_in_the_manual)
{
	unsigned int nr;
	const struct srpi_key *list = srpi_keys(&nr);
	const char *top = getenv("top_srcdir");
	static char page[65536];
	char path[512], item[64];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s/man/srpi_url.7", top ? top : ".");
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	len = fread(page, 1, sizeof(page) - 1, file);
	fclose(file);
	page[len] = '\0';
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(item, sizeof(item), ".It Cm %s = ", list[i].name);
		ck_assert_msg(strstr(page, item) != NULL, "no \"%s\"", item);
	}
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("keys");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, every_key_has_all_its_texts_and_can_be_found);
	tcase_add_test(tcase, no_name_is_there_twice);
	tcase_add_test(tcase, ranges_of_numbers_are_as_the_help_says);
	tcase_add_test(tcase, words_are_as_the_help_says);
	tcase_add_loop_test(tcase,
		hostile_values_are_refused_by_every_number_and_word, 0,
		sizeof(hostile) / sizeof(hostile[0]));
	tcase_add_loop_test(tcase,
		bad_text_is_refused_with_the_key_and_what_is_allowed, 0,
		sizeof(bad_text) / sizeof(bad_text[0]));
	tcase_add_test(tcase, values_reach_their_fields);
	tcase_add_test(tcase,
		completion_modes_have_the_names_that_the_core_gives_them);
	tcase_add_test(tcase,
		values_of_the_embedded_target_reach_their_fields);
	tcase_add_test(tcase, short_times_are_rounded_up_never_to_none);
	tcase_add_test(tcase, misplaced_keys_are_found_and_named);
	tcase_add_test(tcase, every_key_is_in_the_manual);
	return unit_run(tcase, "keys");
}
