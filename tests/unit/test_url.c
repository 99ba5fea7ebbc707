/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/url.h"

#define IDS "id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c1"

static char reason[512];
static struct url url;

static int
parse(const char *text)
{
	reason[0] = '\0';
	return url_parse(text, NULL, &url, reason, sizeof(reason));
}

static const struct {
	const char *text, *host;
	uint16_t port;
} good_srp[] = {
	{ "srp://192.0.2.10/?" IDS, "192.0.2.10", 5555 },
	{ "srp://192.0.2.10?" IDS, "192.0.2.10", 5555 },
	{ "srp://192.0.2.10:1/?" IDS, "192.0.2.10", 1 },
	{ "SRP://array1.example.org:65535/?" IDS, "array1.example.org", 65535 },
	{ "srp://[::1]/?" IDS, "::1", 5555 },
	{ "srp://[fe80::2%25ib0]:5556/?" IDS, "fe80::2%ib0", 5556 },
	{ "srp://[fe80::2%ib0]?" IDS, "fe80::2%ib0", 5555 },
};

START_TEST(srp_urls_give_host_port_and_target)
{
	ck_assert_msg(parse(good_srp[_i].text) == 0, "%s", reason);
	ck_assert_int_eq(url.form, URL_SRP);
	ck_assert_str_eq(url.host, good_srp[_i].host);
	ck_assert_uint_eq(url.port, good_srp[_i].port);
	ck_assert_uint_eq(url.keys.attr.id_ext, UINT64_C(0x0002c90300a0b0c0));
	ck_assert_uint_eq(url.keys.attr.ioc_guid,
		UINT64_C(0x0002c90300a0b0c1));
	ck_assert_int_eq(url.keys.fabric, KEYS_FABRIC_VERBS);
}
END_TEST

static const struct {
	const char *text, *backend;
	enum url_form form;
	uint64_t size_bytes;
} good_demo[] = {
	{ "demo://null", "null", URL_DEMO_NULL, UINT64_C(1) << 40 },
	{ "demo://null/", "null", URL_DEMO_NULL, UINT64_C(1) << 40 },
	{ "demo://null?", "null", URL_DEMO_NULL, UINT64_C(1) << 40 },
	{ "demo://ram", "ram", URL_DEMO_RAM, 64 << 20 },
	{ "demo://ram?block=520", "ram", URL_DEMO_RAM, 67108600 },
	{ "demo://ram/?size=1G&block=4096", "ram", URL_DEMO_RAM, 1 << 30 },
	{ "demo:///var/tmp/disk", "/var/tmp/disk", URL_DEMO_FILE, 0 },
	{ "demo:///a%20b%3f%25?ro=yes", "/a b?%", URL_DEMO_FILE, 0 },
	{ "demo:////dev/sdx?size=1M", "//dev/sdx", URL_DEMO_FILE, 1 << 20 },
};

START_TEST(demo_urls_give_backend_and_size)
{
	ck_assert_msg(parse(good_demo[_i].text) == 0, "%s", reason);
	ck_assert_int_eq(url.form, good_demo[_i].form);
	ck_assert_str_eq(url.keys.demo.backend, good_demo[_i].backend);
	ck_assert_uint_eq(url.keys.demo.size_bytes, good_demo[_i].size_bytes);
	ck_assert_int_eq(url.keys.fabric, KEYS_FABRIC_SOFT);
	ck_assert_uint_eq(url.keys.demo.size_bytes % url.keys.demo.block_bytes,
		0);
}
END_TEST

START_TEST(values_are_percent_decoded)
{
	ck_assert_int_eq(parse("demo://ram?name=%61%2d%31&size=1%4d"), 0);
	ck_assert_str_eq(url.keys.demo.name, "a-1");
	ck_assert_uint_eq(url.keys.demo.size_bytes, 1 << 20);
	ck_assert_int_eq(parse("srp://h/?src=%5bfe80::1%25eth0%5d&" IDS), 0);
	ck_assert_str_eq(url.keys.src, "fe80::1%eth0");
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	/* no URL of ours */
	{ "", "not a URL" },
	{ "/dev/sdb", "not a URL" },
	{ "srp:", "not a URL" },
	{ "srp:/h", "not a URL" },
	{ "://h", "not a URL" },
	{ "srpp://h", "did you mean srp://" },
	{ "demmo://null", "did you mean demo://" },
	{ "http://h", "http:// is not known" },
	{ "iser://h/iqn.2026-01.org.example:t/0", "iser:// is not in this" },
	{ "srpd://array1/0", "srpd:// is not in this" },
	{ "demo://null#a", "'#'" },
	{ "\x1b[2J", "?[2J" },
	/* host and port */
	{ "srp://", "host is missing" },
	{ "srp:///?" IDS, "host is missing" },
	{ "srp://:5555/?" IDS, "host is missing" },
	{ "srp://h:/?" IDS, "port=" },
	{ "srp://h:0/?" IDS, "port=0 " },
	{ "srp://h:65536/?" IDS, "allowed is 1 to 65535" },
	{ "srp://h:-1/?" IDS, "port=-1" },
	{ "srp://h:+1/?" IDS, "port=+1" },
	{ "srp://h:0x15b3/?" IDS, "port=0x15b3" },
	{ "srp://h:5555a/?" IDS, "port=5555a" },
	{ "srp://h:99999999999999999999999/?" IDS, "out of range" },
	{ "srp://fe80::1/?" IDS, "brackets" },
	{ "srp://[fe80::1/?" IDS, "closing ]" },
	{ "srp://[fe80::1]x/?" IDS, "only :PORT" },
	{ "srp://[fe80::1]5555/?" IDS, "only :PORT" },
	{ "srp://me@h/?" IDS, "user name" },
	{ "srp://h%2e/?" IDS, "neither a host name" },
	{ "srp://h/lun0?" IDS, "\"/lun0\" is one" },
	/* what SRP needs */
	{ "srp://h", "needs id_ext" },
	{ "srp://h/?", "needs id_ext" },
	{ "srp://h/?ioc_guid=0002c90300a0b0c1", "needs id_ext" },
	{ "srp://h/?id_ext=0002c90300a0b0c1", "needs ioc_guid" },
	{ "srp://h/?id_ext=1&ioc_guid=2", "16 hexadecimal digits" },
	/* the query's form */
	{ "srp://h/?" IDS "&", "empty key" },
	{ "srp://h/?&" IDS, "empty key" },
	{ "srp://h/?" IDS "&&lun=1", "empty key" },
	{ "srp://h/?" IDS "&=1", "empty key" },
	{ "srp://h/?" IDS "&lun", "key lun has no value" },
	{ "srp://h/?" IDS "&lun=", "lun= is not" },
	{ "srp://h/?" IDS "&lun=1&lun=1", "key lun is there twice" },
	{ "srp://h/?" IDS "&id_ext=0002c90300a0b0c0", "there twice" },
	{ "srp://h/?" IDS "&lunn=1", "did you mean \"lun\"" },
	{ "srp://h/?" IDS "&l%75n=1", "is not known" },
	{ "srp://h/?" IDS "&lun=1?depth=2", "lun=1?depth=2" },
	/* escapes */
	{ "srp://h/?" IDS "&lun=%", "bad escape" },
	{ "srp://h/?" IDS "&lun=%3", "bad escape" },
	{ "srp://h/?" IDS "&lun=%3g", "bad escape" },
	{ "srp://h/?" IDS "&lun=1%00", "zero byte (%00)" },
	{ "srp://h/?" IDS "&lun=1%0a", "byte 0x0a" },
	{ "demo://ram?name=a%00b", "zero byte (%00)" },
	{ "demo://ram?name=a%2fb", "not a name" },
	{ "demo:///a%", "bad escape" },
	{ "demo:///a%00b", "zero byte (%00)" },
	{ "demo:///a%1b[2J", "control character 0x1b" },
	/* values */
	{ "srp://h/?" IDS "&depth=0x10", "depth=0x10" },
	{ "srp://h/?" IDS "&depth=-1", "1 to 1024" },
	{ "srp://h/?" IDS "&depth=18446744073709551617", "1 to 1024" },
	{ "srp://h/?" IDS "&completion=slef", "did you mean self" },
	{ "srp://h/?" IDS "&fabric=tcp", "verbs, soft" },
	/* keys of other forms */
	{ "srp://h/?" IDS "&size=1G", "key size does not apply to srp://" },
	{ "srp://h/?" IDS "&irqmode=none", "key irqmode does not apply" },
	{ "demo://ram?id_ext=0002c90300a0b0c0", "key id_ext does not apply" },
	{ "demo://ram?src=192.0.2.1", "key src does not apply" },
	{ "demo://ram?data=none", "it is for demo://null" },
	{ "demo:///a?luns=2", "key luns does not apply" },
	/* demo */
	{ "demo:", "not a URL" },
	{ "demo://", "path of demo:///path is missing" },
	{ "demo:///", "path of demo:///path is missing" },
	{ "demo:///?ro=yes", "path of demo:///path is missing" },
	{ "demo://rum", "did you mean demo://ram" },
	{ "demo://NULL", "demo://NULL is not known" },
	{ "demo://null:5555", "is not known" },
	{ "demo://null/x", "take no path" },
	{ "demo://null?fabric=verbs", "fabric=soft" },
	{ "demo://null?proto=iser", "iser is not in this version" },
	{ "demo://null?completion_nsec=5", "needs irqmode=timer" },
	{ "demo://null?irqmode=thread&completion_nsec=5", "irqmode=timer" },
	{ "demo://null?spin=5us", "needs irqmode=thread" },
	{ "demo://ram?size=1000", "not a multiple of block=512: 512 is" },
	{ "demo://ram?size=1K&block=520", "block=520: 520 is" },
	{ "demo://ram?size=512&block=4096", "less than one block" },
	{ "demo://ram?size=0", "size=0" },
	{ "demo://ram?size=-1", "size=-1" },
	{ "demo://ram?size=9999999999999999999999", "size=9999" },
	{ "demo://ram?block=1", "520, 528" },
	{ "demo://ram?luns=257", "0 to 256" },
};

START_TEST(bad_urls_are_refused_with_one_sentence)
{
	ck_assert_msg(parse(bad[_i].text) == -EINVAL, "%s", bad[_i].text);
	ck_assert_msg(strstr(reason, bad[_i].says) != NULL, "%s: %s",
		bad[_i].text, reason);
	for (const char *c = reason; *c; c++)
		ck_assert(isprint((unsigned char)*c));
}
END_TEST

START_TEST(too_long_text_is_refused)
{
	static char text[URL_MAX_BYTES + 10];

	memset(text, 'a', sizeof(text) - 1);
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "URL is too long"));

	memcpy(text, "demo:///", 8);
	text[7 + PATH_MAX] = '\0';
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "path is longer"));
	text[7 + PATH_MAX - 1] = '\0';
	ck_assert_int_eq(parse(text), 0);

	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "demo://ram?name=", 16);
	text[4000] = '\0';
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "name= is longer"));
	text[16 + 64] = '\0';
	ck_assert_int_eq(parse(text), -EINVAL);
	text[16 + 63] = '\0';
	ck_assert_int_eq(parse(text), 0);

	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "demo://ram?", 11);
	text[4000] = '\0';
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_uint_lt(strlen(reason), 200);
}
END_TEST

START_TEST(a_short_buffer_cuts_the_sentence)
{
	char small[8] = "xxxxxxx";

	ck_assert_int_eq(url_parse("http://h", NULL, &url, small,
				 sizeof(small)), -EINVAL);
	ck_assert_str_eq(small, "http://");
}
END_TEST

static void
set(struct srpi_opts *opts, const char *key, const char *value)
{
	ck_assert_msg(srpi_opts_set(opts, key, value, reason,
			      sizeof(reason)) == 0, "%s", reason);
}

START_TEST(the_url_wins_over_the_options)
{
	struct srpi_opts *opts;

	ck_assert_int_eq(srpi_opts_create(&opts), 0);
	set(opts, "depth", "8");
	set(opts, "max_descs", "3");
	ck_assert_int_eq(url_parse("demo://ram?depth=16", opts, &url, reason,
				 sizeof(reason)), 0);
	ck_assert_uint_eq(url.keys.attr.depth, 16);
	ck_assert_uint_eq(url.keys.attr.max_descs, 3);
	ck_assert_uint_eq(url.keys.attr.retry_count, 7);
	srpi_opts_destroy(opts);
}
END_TEST

START_TEST(options_may_hold_what_the_url_needs)
{
	struct srpi_opts *opts;

	ck_assert_int_eq(srpi_opts_create(&opts), 0);
	set(opts, "id_ext", "0002c90300a0b0c0");
	set(opts, "ioc_guid", "0002c90300a0b0c0");
	ck_assert_int_eq(url_parse("srp://h", opts, &url, reason,
				 sizeof(reason)), 0);
	ck_assert_int_eq(url_parse("demo://ram", opts, &url, reason,
				 sizeof(reason)), -EINVAL);
	ck_assert_str_eq(reason, "key id_ext does not apply to demo://ram: it "
				 "is for srp://HOST");
	srpi_opts_destroy(opts);
}
END_TEST

#define NR(array) (int)(sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	TCase *tcase = tcase_create("url");

	tcase_add_loop_test(tcase, srp_urls_give_host_port_and_target, 0,
		NR(good_srp));
	tcase_add_loop_test(tcase, demo_urls_give_backend_and_size, 0,
		NR(good_demo));
	tcase_add_test(tcase, values_are_percent_decoded);
	tcase_add_loop_test(tcase, bad_urls_are_refused_with_one_sentence, 0,
		NR(bad));
	tcase_add_test(tcase, too_long_text_is_refused);
	tcase_add_test(tcase, a_short_buffer_cuts_the_sentence);
	tcase_add_test(tcase, the_url_wins_over_the_options);
	tcase_add_test(tcase, options_may_hold_what_the_url_needs);
	return unit_run(tcase, "url");
}
