/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srpd.ini: what is taken, and how each thing that is wrong is told. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <srpi/srpi.h>

#include "srpd/conf.h"
#include "srpd/conf_check.h"
#include "srpd/conf_keys.h"
#include "util/clock.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define SRPD "[srpd]\n"
#define TARGET "[target a]\nurl = demo://null\n"
#define LONG_KEY                                                               \
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop"

static struct conf_problems problems;

static struct conf *
parse_bytes(const char *text, size_t bytes)
{
	struct conf *conf;
	int rc;

	conf_problems_fini(&problems);
	rc = conf_parse(text, bytes, &conf, &problems);
	ck_assert_int_eq(rc, conf ? 0 : -EINVAL);
	ck_assert_int_eq(conf == NULL, conf_problems_count(&problems) > 0);
	return conf;
}

static struct conf *
parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static const char *
printed(const char *file)
{
	static char text[64 * 1024];
	FILE *out = fmemopen(text, sizeof(text) - 1, "w");

	memset(text, 0, sizeof(text));
	conf_problems_print(&problems, file, out);
	fclose(out);
	return text;
}

/* Text, and the problems by line: "LINE: part of the sentence". */
static const struct wrong {
	const char *text;
	const char *told[6];
} wrongs[] = {
	/* sections */
	{"depth = 3\n",
		{"1: depth stands in front of any section: [srpd] or [target "
		 "NAME] is missing above it"}},
	{"[srpd\n", {"1: section \"[srpd\" has no closing ]"}},
	{"[srpd] x\n",
		{"1: behind the ] of a section stands \"x\": only a comment"}},
	{"[frob]\n", {"1: section [frob] is not known: allowed are [srpd]"}},
	{"[]\n", {"1: section [] is not known"}},
	{"[SRPD]\n", {"1: section [SRPD] is not known"}},
	{"[target]\n", {"1: section [target] is not known"}},
	{"[targeta]\n", {"1: section [targeta] is not known"}},
	{"[target ]\n", {"1: section [target] is not known"}},
	{"[target a:b]\nurl = demo://null\n",
		{"1: section [target a:b]: allowed in a target's name are"}},
	{"[target A]\nurl = demo://null\n", {"1: section [target A]: allowed"}},
	{"[target a b]\n", {"1: section [target a b]: allowed"}},
	{"[target " LONG_KEY "]\n", {"1: section [target abc"}},
	{SRPD "\n" SRPD, {"3: section [srpd] is there twice: see line 1"}},
	{TARGET "[target  a]\n",
		{"3: section [target a] is there twice: see line 1"}},
	/* What follows a bad header is judged for form alone. */
	{"[frob]\nfoo = 1\nbar\n",
		{"1: section [frob]", "3: \"bar\" has no \"=\""}},
	/* keys */
	{SRPD "dept = 4\n",
		{"2: key \"dept\" is not known: did you mean \"depth\"?"}},
	{SRPD "frobnicate = 4\n",
		{"2: key \"frobnicate\" is not known: srpd.ini(5)"}},
	{SRPD "Depth = 4\n",
		{"2: key \"Depth\" is not known: did you mean \"depth\"?"}},
	{SRPD "required = yes\n",
		{"2: key \"required\" belongs in [target NAME]"}},
	{TARGET "socket = /run/a\n", {"3: key \"socket\" belongs in [srpd]"}},
	{TARGET "url9 = demo://null\n",
		{"3: key \"url9\" is not known: did you mean \"url\"?"}},
	{SRPD "depth = 4\ncompletion = self\ndepth = 5\n",
		{"4: depth is there twice in [srpd]: see line 2"}},
	/* a value that is wrong hides no second one */
	{SRPD "depth =\ndepth = 5\n",
		{"2: depth has no value", "3: depth is there twice"}},
	{SRPD "depth\n", {"2: \"depth\" has no \"=\": KEY = VALUE"}},
	{SRPD "= 4\n", {"2: \"\" is no key: KEY = VALUE is expected"}},
	{SRPD "a b = 4\n", {"2: \"a b\" is no key"}},
	{SRPD "srpd:depth = 4\n", {"2: \"srpd:depth\" is no key"}},
	{SRPD LONG_KEY " = 4\n", {"2: \"abcdef"}},
	/* values that iniparser would cut, join or take otherwise */
	{SRPD "depth =\n", {"2: depth has no value"}},
	{SRPD "depth = # four\n", {"2: depth has no value"}},
	{SRPD "depth = \"\"\n", {"2: depth has no value"}},
	{SRPD "socket = /run/a#b\n",
		{"2: socket: the value would be cut at the #: put it in "
		 "double quotes"}},
	{SRPD "socket = /run/a;b\n", {"2: socket: the value would be cut at"}},
	{TARGET "url2 = \"demo://ram\n",
		{"3: url2: the value begins with a \" that is not closed"}},
	{TARGET "url2 = 'demo://ram\n", {"3: url2: the value begins with a '"}},
	{TARGET "url2 = \"demo://ram\"?size=1M\n",
		{"3: url2: behind the closing \" stands \"?size=1M\""}},
	{TARGET "url2 = demo://\"ram\"\n", {"3: url2: the value holds a \""}},
	{TARGET "url2 = demo://ram\\\n?size=1G\n",
		{"3: url2: the value ends in a \\: lines are not joined",
			"4: \"?size\" is no key"}},
	/* values */
	{SRPD "depth = 0\n", {"2: depth=0 is out of range"}},
	{SRPD "completion = fast\n",
		{"2: completion=fast is not known: allowed are inline"}},
	{SRPD "io_timeout = soon\n", {"2: io_timeout=soon"}},
	{SRPD "socket = run/srpd\n",
		{"2: socket=run/srpd is not allowed: allowed is an absolute"}},
	{SRPD "socket = /" LONG_KEY LONG_KEY "\n",
		{"2: socket= is 137 characters long: 107 are allowed"}},
	{SRPD "group = no-such-group\n",
		{"2: group=no-such-group: there is no such group"}},
	{SRPD "stop_timeout = 2h\n",
		{"2: stop_timeout=2h is not allowed: allowed is 0-1h"}},
	{SRPD "start_timeout = 0\n", {"2: start_timeout=0 is not allowed"}},
	{SRPD "log = file\n",
		{"2: log=file is not known: allowed are stderr, syslog"}},
	{SRPD "log_level = warn\n",
		{"2: log_level=warn is not known: allowed are error, "}},
	{SRPD "metrics = 9721\n", {"2: metrics=9721 is not allowed"}},
	{SRPD "metrics = localhost:0\n", {"2: metrics=localhost:0 is not"}},
	{TARGET "required = maybe\n",
		{"3: required=maybe is neither yes nor no"}},
	{TARGET "reconnect_delay = 0\n",
		{"3: reconnect_delay=0 is not allowed: allowed is 1s-1h"}},
	{TARGET "dev_loss_tmo = never\n",
		{"3: dev_loss_tmo=never is not allowed: allowed is off or"}},
	{TARGET "fast_io_fail_tmo = 600\n",
		{"3: fast_io_fail_tmo must be less than dev_loss_tmo"}},
	{TARGET "dev_loss_tmo = 15\n",
		{"1: fast_io_fail_tmo must be less than dev_loss_tmo"}},
	{TARGET "required = yes\nautologin = no\n",
		{"3: required=yes needs autologin=yes"}},
	{TARGET "secret_file = secret\n", {"3: secret_file=secret is not"}},
	{TARGET "secret_file = /no/such/file\n",
		{"3: secret_file=/no/such/file: No such file or directory"}},
	{TARGET "secret_file = /dev/null\n",
		{"3: secret_file=/dev/null is not a file"}},
	/* URLs */
	{"[target a]\n", {"1: the target has no url: url = srp://HOST/..."}},
	{"[target a]\nurl2 = demo://null\n", {"1: the target has no url"}},
	{"[target a]\nurl = demo://nul\n",
		{"2: url: demo://nul is not known"}},
	{"[target a]\nurl = srp://h/\n", {"2: url: "}},
	{TARGET "url2 = srp://10.0.0.300/?id_ext=1\n", {"3: url2: "}},
	{TARGET "luns = 2\nblock = 7\n", {"4: block=7 is not a block size"}},
	/* A key that the URL is not for: told of the URL's line. */
	{"[target a]\nid_ext = 0002c90300a0b0c0\nurl = demo://null\n",
		{"3: url: "}},
	/* A default too. */
	{SRPD "luns = 2\n[target a]\nurl = srp://h/?id_ext=0002c90300a0b0c0&"
	      "ioc_guid=0002c90300a0b0c0\n",
		{"4: url: "}},
	/* bytes */
	{"\xef\xbb\xbf" SRPD, {"1: the file begins with a byte order mark"}},
	{"[srpd]\r\ndepth = 4\r\n",
		{"1: the line ends in CR LF ([srpd]): save the file with"}},
	{SRPD "# caf\xe9\n", {"2: the line holds the byte 0xe9, which is not"}},
	{SRPD "# \xc0\x80\n", {"2: the line holds the byte 0xc0"}},
	{SRPD "# \xe2\x82\n", {"2: the line holds the byte 0xe2"}},
	{SRPD "depth = 4\x01\n", {"2: the line holds the control character"}},
	{SRPD "depth = 4\x7f\n", {"2: the line holds the control character"}},
	{SRPD "depth = 4\rdepth = 5\n", {"2: the line holds the control"}},
	/* all of them, by line */
	{SRPD "dept = 4\n[target a]\nrequired = maybe\nurl = demo://nul\n"
	      "fast_io_fail_tmo = x\n",
		{"2: key \"dept\"", "4: required=maybe", "5: url: demo://nul",
			"6: fast_io_fail_tmo=x"}},
};

START_TEST(each_thing_that_is_wrong_is_told_with_its_line)
{
	const struct wrong *wrong = &wrongs[_i];
	const char *rest;
	char want[256];
	unsigned int nr = 0;

	ck_assert_msg(!parse(wrong->text), "accepted: %s", wrong->text);
	rest = printed("F");
	for (; nr < NR(wrong->told) && wrong->told[nr]; nr++) {
		snprintf(want, sizeof(want), "F:%s", wrong->told[nr]);
		ck_assert_msg(strncmp(rest, want, strlen(want)) == 0,
			"%s\nwanted: %s\ngot:    %s", wrong->text, want, rest);
		rest = strchr(rest, '\n') + 1;
	}
	ck_assert_msg(*rest == '\0', "%s\nbesides: %s", wrong->text, rest);
}
END_TEST

static const char *const rights[] = {
	"", "\n\n# nothing\n;\n", SRPD, "[srpd]", " [ srpd ] ; comment\n",
	SRPD "depth=4", SRPD "\tdepth\t=\t4\t# four\n", SRPD "depth = \"4\"\n",
	SRPD "depth = '4' ; four\n", SRPD "metrics = 127.0.0.1:9721\n",
	SRPD "metrics = [::1]:9721\n", SRPD "metrics = /run/m\n",
	SRPD "metrics = off\n", SRPD "socket = \"/run/a#b\"\n",
	SRPD "# caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n", TARGET,
	TARGET "dev_loss_tmo = off\nfast_io_fail_tmo = off\n",
	TARGET "probe_interval = off\n", TARGET "probe_interval = 100ms\n",
	"[target 0_-z]\nurl=demo://ram?size=1M&luns=2\n",
	"[target srpd]\nurl=demo://null\n[srpd]\n",
};

START_TEST(what_is_right_is_taken)
{
	struct conf *conf = parse(rights[_i]);

	ck_assert_msg(conf != NULL, "%s\n%s", rights[_i], printed("F"));
	conf_destroy(conf);
}
END_TEST

START_TEST(keys_of_srpd_hold_for_every_target)
{
	struct conf *conf = parse("[target a]\nurl = demo://null\n"
				  "[target b]\ndepth = 8\nurl = demo://null\n"
				  "[srpd]\ndepth = 4\nchannels = 2\n");

	ck_assert_ptr_nonnull(conf);
	ck_assert_uint_eq(conf->nr_targets, 2);
	ck_assert_str_eq(conf->targets[0]->name, "a");
	ck_assert_str_eq(rport_attr_pair(conf->targets[0], "depth"), "4");
	ck_assert_str_eq(rport_attr_pair(conf->targets[1], "depth"), "8");
	ck_assert_str_eq(rport_attr_pair(conf->targets[1], "channels"), "2");
	conf_destroy(conf);
}
END_TEST

START_TEST(values_arrive)
{
	struct conf *conf = parse(
		"[srpd]\nsocket = '/run/x'\nstop_timeout = 1500ms\n"
		"start_timeout = 5\nlog = syslog\nlog_level = debug\n"
		"metrics = 127.0.0.1:9721\n"
		"[target a]\nurl3 = demo://ram\nurl = demo://null\n"
		"required = yes\nreconnect_delay = 2m\ndev_loss_tmo = off\n"
		"fast_io_fail_tmo = 30\nprobe_interval = off\n");
	const struct rport_attr *attr;

	ck_assert_ptr_nonnull(conf);
	ck_assert_str_eq(conf->socket, "/run/x");
	ck_assert_uint_eq(conf->stop_timeout_ns, 1500 * CLOCK_NS_PER_MSEC);
	ck_assert_uint_eq(conf->start_timeout_ns, 5 * CLOCK_NS_PER_SEC);
	ck_assert_int_eq(conf->log, LOGGING_SYSLOG);
	ck_assert_int_eq(conf->log_level, LOG_LEVEL_DEBUG);
	ck_assert_str_eq(conf->metrics, "127.0.0.1:9721");
	attr = conf->targets[0];
	ck_assert_uint_eq(attr->nr_urls, 2);
	ck_assert_str_eq(attr->urls[0], "demo://null");
	ck_assert_str_eq(attr->urls[1], "demo://ram");
	ck_assert(attr->required && attr->autologin);
	ck_assert_uint_eq(attr->reconnect_delay_ns, 120 * CLOCK_NS_PER_SEC);
	ck_assert_uint_eq(attr->dev_loss_ns, RPORT_OFF_NS);
	ck_assert_uint_eq(attr->fast_io_fail_ns, 30 * CLOCK_NS_PER_SEC);
	ck_assert_uint_eq(attr->probe_ns, 0);
	conf_destroy(conf);
}
END_TEST

START_TEST(nothing_is_an_empty_configuration_with_the_defaults)
{
	struct conf *conf = parse("");

	ck_assert_uint_eq(conf->nr_targets, 0);
	ck_assert_str_eq(conf->socket, "/run/srpd/srpd.sock");
	ck_assert_uint_eq(conf->stop_timeout_ns, 10 * CLOCK_NS_PER_SEC);
	ck_assert_int_eq(conf->log_level, LOG_LEVEL_INFO);
	ck_assert_str_eq(conf->metrics, "");
	conf_destroy(conf);
}
END_TEST

START_TEST(a_dump_is_a_file_that_says_the_same)
{
	static const char text[] =
		"[srpd]\nstop_timeout = 1500ms\ndepth = 4\n"
		"[target a]\nurl = \"demo://ram?size=1M\"\nrequired = yes\n"
		"dev_loss_tmo = off\nprobe_interval = off\n"
		"[target b]\nurl = demo://null\nurl2 = demo://ram\n";
	struct conf *conf = parse(text), *again;
	char dump[4096] = "";
	FILE *out = fmemopen(dump, sizeof(dump), "w");

	conf_dump(conf, out);
	fclose(out);
	again = parse(dump);
	ck_assert_msg(again != NULL, "%s\n%s", dump, printed("F"));
	ck_assert_uint_eq(again->stop_timeout_ns, conf->stop_timeout_ns);
	ck_assert_uint_eq(again->nr_targets, 2);
	for (unsigned int i = 0; i < 2; i++)
		ck_assert_int_eq(rport_attr_diff(conf->targets[i],
					 again->targets[i]),
			RPORT_SAME);
	conf_destroy(conf);
	conf_destroy(again);
}
END_TEST

START_TEST(lines_have_a_limit_and_4000_characters_are_over_it)
{
	static char text[8192];
	struct conf *conf;

	snprintf(text, sizeof(text), SRPD "# %0*d\n", CONF_LINE_MAX - 2, 0);
	conf = parse(text);
	ck_assert_ptr_nonnull(conf);
	conf_destroy(conf);
	snprintf(text, sizeof(text), SRPD "depth = %0*d\n", 4000 - 8, 4);
	ck_assert_ptr_null(parse(text));
	ck_assert_str_eq(printed("F"),
		"F:2: the line is 4000 characters long: 1000 are allowed\n");
	/* The longest that is allowed reaches its key whole. */
	snprintf(text, sizeof(text),
		"[target a]\nurl = demo:///%0*d\n", CONF_LINE_MAX - 14, 0);
	conf = parse(text);
	ck_assert_msg(conf != NULL, "%s", printed("F"));
	ck_assert_uint_eq(
		strlen(conf->targets[0]->urls[0]), CONF_LINE_MAX - 14 + 8);
	conf_destroy(conf);
}
END_TEST

START_TEST(a_nul_is_told)
{
	ck_assert_ptr_null(parse_bytes(SRPD "a\0b\n", 11));
	ck_assert_str_eq(printed("F"),
		"F:2: the line holds the control character 0x00 (NUL): the "
		"file is no text\n");
}
END_TEST

START_TEST(of_very_many_problems_the_first_are_told_and_the_rest_counted)
{
	static char text[8 * 1024];
	const char *last;

	snprintf(text, sizeof(text), SRPD);
	for (int i = 0; i < CONF_MAX_PROBLEMS + 7; i++)
		snprintf(text + strlen(text), 32, "x%d = 1\n", i);
	ck_assert_ptr_null(parse(text));
	last = strstr(printed("F"), "and ");
	ck_assert_ptr_nonnull(last);
	ck_assert_str_eq(last, "and 7 more\n");
}
END_TEST

START_TEST(a_password_is_in_no_sentence_and_no_dump)
{
	static const char *const texts[] = {
		"[target a]\nurl = iser://bob%s3cret@h/iqn/0\n",
		"[target a]\nurl = srp://bob%s3cret@h/iqn/0\n",
		"[target a]\nurl = isre://bob%s3cret@h/iqn/0\n",
		"[target a]\nurl = bob%s3cret@h\n",
		"[target a]\nurl = srp//bob%s3cret@h\n",
		"[target a]\nurl = demo://bob%s3cret@h\n",
	};

	for (unsigned int i = 0; i < NR(texts); i++) {
		ck_assert_ptr_null(parse(texts[i]));
		ck_assert_msg(!strstr(printed("F"), "s3cret"), "%s",
			printed("F"));
	}
}
END_TEST

START_TEST(a_secret_that_others_may_read_is_refused)
{
	char path[] = "/tmp/srpd-secret-XXXXXX", text[256];
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "s3cret\n", 7), 7);
	fchmod(fd, 0644);
	snprintf(text, sizeof(text), TARGET "secret_file = %s\n", path);
	ck_assert_ptr_null(parse(text));
	ck_assert_ptr_nonnull(strstr(printed("F"), "may be read by others"));
	fchmod(fd, 0600);
	ck_assert_ptr_null(parse(text));
	ck_assert_ptr_nonnull(strstr(printed("F"), "only iser:// targets"));
	ck_assert_ptr_null(strstr(printed("F"), "s3cret"));
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_told_so)
{
	struct conf *conf;

	conf_problems_fini(&problems);
	ck_assert_int_eq(conf_load("/no/such/file", &conf, &problems), -ENOENT);
	ck_assert_str_eq(
		printed("F"), "F: can't be read: No such file or directory\n");
	conf_problems_fini(&problems);
	ck_assert_int_eq(conf_load("/tmp", &conf, &problems), -EISDIR);
	ck_assert_ptr_null(conf);
}
END_TEST

START_TEST(every_key_has_its_texts_and_none_is_the_librarys)
{
	unsigned int nr, nr_srpi;
	const struct conf_key *keys = conf_keys(&nr);
	const struct srpi_key *srpi = srpi_keys(&nr_srpi);

	for (unsigned int i = 0; i < nr; i++) {
		ck_assert(*keys[i].name && *keys[i].value && *keys[i].initial);
		for (unsigned int j = 0; j < nr_srpi; j++)
			ck_assert_str_ne(keys[i].name, srpi[j].name);
	}
}
END_TEST

static void
teardown(void)
{
	conf_problems_fini(&problems);
}

int
main(void)
{
	TCase *tcase = tcase_create("conf");

	tcase_add_checked_fixture(tcase, NULL, teardown);
	tcase_add_loop_test(tcase,
		each_thing_that_is_wrong_is_told_with_its_line, 0, NR(wrongs));
	tcase_add_loop_test(tcase, what_is_right_is_taken, 0, NR(rights));
	tcase_add_test(tcase, keys_of_srpd_hold_for_every_target);
	tcase_add_test(tcase, values_arrive);
	tcase_add_test(
		tcase, nothing_is_an_empty_configuration_with_the_defaults);
	tcase_add_test(tcase, a_dump_is_a_file_that_says_the_same);
	tcase_add_test(
		tcase, lines_have_a_limit_and_4000_characters_are_over_it);
	tcase_add_test(tcase, a_nul_is_told);
	tcase_add_test(tcase,
		of_very_many_problems_the_first_are_told_and_the_rest_counted);
	tcase_add_test(tcase, a_password_is_in_no_sentence_and_no_dump);
	tcase_add_test(tcase, a_secret_that_others_may_read_is_refused);
	tcase_add_test(tcase, a_file_that_is_not_there_is_told_so);
	tcase_add_test(
		tcase, every_key_has_its_texts_and_none_is_the_librarys);
	return unit_run(tcase, "conf");
}
