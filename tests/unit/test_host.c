/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "lib/host.h"

static char reason[256];
static char host[HOST_MAX + 1];

static int
parse(const char *text)
{
	reason[0] = '\0';
	return host_parse(text, strlen(text), host, reason, sizeof(reason));
}

static const char *const as_they_are[] = {
	"192.0.2.1",
	"0.0.0.0",
	"localhost",
	"storage-1.example.org",
	"storage.example.org.",
	"3com.example",
	"under_score",
	"::1",
	"2001:db8::5",
	"fe80::1%eth0",
	"fe80::1%2",
	"fe80::1%eth0.100",
	"::ffff:192.0.2.1",
};

START_TEST(good_hosts_come_out_as_they_are)
{
	ck_assert_int_eq(parse(as_they_are[_i]), 0);
	ck_assert_str_eq(host, as_they_are[_i]);
}
END_TEST

START_TEST(brackets_and_the_escape_of_the_scope_are_taken_off)
{
	ck_assert_int_eq(parse("[::1]"), 0);
	ck_assert_str_eq(host, "::1");
	ck_assert_int_eq(parse("[fe80::1%25eth0]"), 0);
	ck_assert_str_eq(host, "fe80::1%eth0");
	ck_assert_int_eq(parse("[fe80::1%eth0]"), 0);
	ck_assert_str_eq(host, "fe80::1%eth0");
	/* Nothing follows: then 25 is the interface's number. */
	ck_assert_int_eq(parse("[fe80::1%25]"), 0);
	ck_assert_str_eq(host, "fe80::1%25");
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "missing" },
	{ "[]", "missing" },
	{ "[", "closing ]" },
	{ "[::1", "closing ]" },
	{ "[::1]x", "closing ]" },
	{ "[192.0.2.1]", "not an IPv6 address" },
	{ "[::1::2]", "not an IPv6 address" },
	{ "[fe80::1%]", "scope" },
	{ "[fe80::1%a/b]", "scope" },
	{ "[fe80::1%eth0%eth1]", "scope" },
	{ "[fe80::1%aninterfacename16]", "scope" },
	{ "[%eth0]", "not an IPv6 address" },
	{ ":", "not an IPv6 address" },
	{ "192.0.2.300", "not an IPv4 address" },
	{ "192.0.2", "not an IPv4 address" },
	{ "192.0.2.1.5", "not an IPv4 address" },
	{ "10.1", "not an IPv4 address" },
	{ "2130706433", "not an IPv4 address" },
	{ "0x7f000001", "not an IPv4 address" },
	{ "0x7f.1", "not an IPv4 address" },
	{ "010.0.0.1", "not an IPv4 address" },
	{ "-a", "neither a host name" },
	{ "a-", "neither a host name" },
	{ "a..b", "neither a host name" },
	{ ".a", "neither a host name" },
	{ "a b", "neither a host name" },
	{ "a%41", "neither a host name" },
	{ "a\x1b[2Jb", "neither a host name" },
	{ "h\xc3\xb6st", "neither a host name" },
};

START_TEST(bad_hosts_are_refused_with_a_sentence)
{
	ck_assert_int_eq(parse(bad[_i].text), -EINVAL);
	ck_assert_msg(strstr(reason, bad[_i].says) != NULL, "%s: %s",
		bad[_i].text, reason);
	ck_assert_ptr_null(strchr(reason, '\x1b'));
}
END_TEST

START_TEST(labels_of_64_and_names_of_254_characters_are_refused)
{
	char name[300];

	memset(name, 'a', sizeof(name));
	name[63] = '\0';
	ck_assert_int_eq(parse(name), 0);
	name[63] = 'a';
	name[64] = '\0';
	ck_assert_int_eq(parse(name), -EINVAL);
	name[64] = 'a';
	for (int i = 60; i < 253; i += 60)
		name[i] = '.';
	name[253] = '\0';
	ck_assert_int_eq(parse(name), 0);
	name[253] = 'a';
	name[254] = '\0';
	ck_assert_int_eq(parse(name), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "254 characters"));
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("host");

	tcase_add_loop_test(tcase, good_hosts_come_out_as_they_are, 0,
		sizeof(as_they_are) / sizeof(as_they_are[0]));
	tcase_add_test(tcase,
		brackets_and_the_escape_of_the_scope_are_taken_off);
	tcase_add_loop_test(tcase, bad_hosts_are_refused_with_a_sentence, 0,
		sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(tcase,
		labels_of_64_and_names_of_254_characters_are_refused);
	return unit_run(tcase, "host");
}
