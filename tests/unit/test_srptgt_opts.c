/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "tools/srptgt_opts.h"

#define MAX_WORDS 16

static struct srptgt_opts opts;
static char reason[256];

/* As main() has them: opts points into the words until the next line. */
static char *owned[MAX_WORDS + 1];

static void
forget(void)
{
	int i;

	for (i = 0; i < MAX_WORDS && owned[i]; i++) {
		free(owned[i]);
		owned[i] = NULL;
	}
}

static int
parse(const char *const *words)
{
	/* getopt_long() reorders what it is given, not what is freed */
	char *argv[MAX_WORDS + 1];
	int argc;

	reason[0] = '\0';
	forget();
	owned[0] = strdup("srptgt");
	for (argc = 1; words[argc - 1]; argc++)
		owned[argc] = strdup(words[argc - 1]);
	memcpy(argv, owned, sizeof(argv));
	return srptgt_opts_parse(&opts, argc, argv, reason, sizeof(reason));
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })
#define SOUND "--listen", "127.0.0.1", "--id-ext", "0002c90300a0b0c0"

START_TEST(a_sound_line_becomes_an_attr)
{
	const struct sockaddr_in *in = (struct sockaddr_in *)&opts.addr;

	ck_assert_int_eq(PARSE("--listen=127.0.0.1:1234", "--id-ext",
				 "0002c90300a0b0c0", "--ioc-guid",
				 "00000000000000ff", "--lun",
				 "0=null,size=1T,nodata", "--lun",
				 "300=ram,size=1M,block=4160,ro",
				 "--req-lim=64", "--spin-usec=50", "--cpu=1"),
		0);
	ck_assert_int_eq(in->sin_family, AF_INET);
	ck_assert_uint_eq(ntohs(in->sin_port), 1234);
	ck_assert_uint_eq(ntohl(in->sin_addr.s_addr), INADDR_LOOPBACK);
	ck_assert_ptr_eq(opts.attr.addr, &opts.addr);
	ck_assert_uint_eq(opts.attr.id_ext, UINT64_C(0x0002c90300a0b0c0));
	ck_assert_uint_eq(opts.attr.ioc_guid, 0xff);
	ck_assert_uint_eq(opts.attr.nr_luns, 2);
	ck_assert_str_eq(opts.luns[0].backend, "null");
	ck_assert_uint_eq(opts.luns[0].size_bytes, UINT64_C(1) << 40);
	ck_assert_uint_eq(opts.luns[0].flags, TARGET_LUN_NODATA);
	ck_assert_uint_eq(opts.luns[1].number, 300);
	ck_assert_uint_eq(opts.luns[1].block_bytes, 4160);
	ck_assert_uint_eq(opts.luns[1].flags, TARGET_LUN_RO);
	ck_assert_uint_eq(opts.attr.req_lim, 64);
	ck_assert_uint_eq(opts.attr.spin_usec, 50);
	ck_assert_int_eq(*opts.attr.cpu, 1);
	ck_assert_str_eq(opts.fabric, "verbs");
}
END_TEST

START_TEST(defaults_follow_the_convention)
{
	const struct sockaddr_in *in = (struct sockaddr_in *)&opts.addr;

	ck_assert_int_eq(PARSE(SOUND), 0);
	ck_assert_uint_eq(ntohs(in->sin_port), 5555);
	ck_assert_uint_eq(opts.attr.ioc_guid, opts.attr.id_ext);
	ck_assert_uint_eq(opts.attr.nr_luns, 0);
	ck_assert(!opts.has_faults && !opts.wants_json);
}
END_TEST

START_TEST(ipv6_addresses_come_with_and_without_brackets)
{
	static const char *const texts[] = { "::1", "[::1]", "[::1]:5555" };
	const struct sockaddr_in6 *in = (struct sockaddr_in6 *)&opts.addr;

	ck_assert_int_eq(PARSE("--listen", texts[_i], "--id-ext",
				 "0002c90300a0b0c0"),
		0);
	ck_assert_int_eq(in->sin6_family, AF_INET6);
	ck_assert_uint_eq(ntohs(in->sin6_port), 5555);
	ck_assert(IN6_IS_ADDR_LOOPBACK(&in->sin6_addr));
}
END_TEST

START_TEST(faults_are_set_by_name)
{
	ck_assert_int_eq(PARSE(SOUND, "--fault",
				 "login_rej_reason=0x00010002", "--fault",
				 "rsp_delta=-2", "--fault", "status=8",
				 "--fault", "cred_by_req=yes", "--fault",
				 "tmf_rsp_code=5"),
		0);
	ck_assert(opts.has_faults);
	ck_assert_uint_eq(opts.faults.login_rej_reason, 0x10002);
	ck_assert_int_eq(opts.faults.rsp_delta, -2);
	ck_assert_uint_eq(opts.faults.status, 8);
	ck_assert_uint_eq(opts.faults.tmf_rsp_code, 5);
	ck_assert(opts.faults.cred_by_req && !opts.faults.aer_by_req);
}
END_TEST

START_TEST(what_is_wrong_is_said_with_the_key)
{
	static const struct {
		const char *words[4];
		int status;
		const char *said;
	} rows[] = {
		{ { "--lun" }, SRPTGT_EXIT_USAGE, "--lun" },
		{ { "--fast" }, SRPTGT_EXIT_USAGE, "--fast" },
		{ { "word" }, SRPTGT_EXIT_BAD_VALUE, "word" },
		{ { "--lun=0" }, SRPTGT_EXIT_BAD_VALUE, "null|ram|PATH" },
		{ { "--lun=0=" }, SRPTGT_EXIT_BAD_VALUE, "null|ram|PATH" },
		{ { "--lun=16384=ram" }, SRPTGT_EXIT_BAD_VALUE, "16383" },
		{ { "--lun=-1=ram" }, SRPTGT_EXIT_BAD_VALUE, "lun" },
		{ { "--lun=0=ram,size=1X" }, SRPTGT_EXIT_BAD_VALUE, "size" },
		{ { "--lun=0=ram,block=9999" }, SRPTGT_EXIT_BAD_VALUE,
			"block" },
		{ { "--lun=0=ram,wo" }, SRPTGT_EXIT_BAD_VALUE, "ro_hid" },
		{ { "--lun=0=ram,sise=1" }, SRPTGT_EXIT_BAD_VALUE, "sise" },
		{ { "--lun=0=/nonexistent" }, SRPTGT_EXIT_BAD_VALUE,
			"no such file" },
		{ { "--req-lim=0" }, SRPTGT_EXIT_BAD_VALUE, "req-lim" },
		{ { "--req-lim=1025" }, SRPTGT_EXIT_BAD_VALUE, "1024" },
		{ { "--max-iu=63" }, SRPTGT_EXIT_BAD_VALUE, "max-iu" },
		{ { "--id-ext=12" }, SRPTGT_EXIT_BAD_VALUE, "id-ext" },
		{ { "--listen=127.0.0.1:99999" }, SRPTGT_EXIT_BAD_VALUE,
			"65535" },
		{ { "--listen=[::1" }, SRPTGT_EXIT_BAD_VALUE, "ADDR" },
		{ { "--listen=[::1]5" }, SRPTGT_EXIT_BAD_VALUE, "ADDR" },
		{ { "--proto=iser" }, SRPTGT_EXIT_BAD_VALUE, "srp" },
		{ { "--fault=nothing=1" }, SRPTGT_EXIT_BAD_VALUE, "nothing" },
		{ { "--fault=status=256" }, SRPTGT_EXIT_BAD_VALUE, "255" },
		{ { "--fault=rsp_delta=x" }, SRPTGT_EXIT_BAD_VALUE,
			"rsp_delta" },
		{ { "--fault=status" }, SRPTGT_EXIT_BAD_VALUE, "NAME=VALUE" },
	};

	ck_assert_int_eq(
		PARSE(SOUND, rows[_i].words[0]), rows[_i].status);
	ck_assert_msg(strstr(reason, rows[_i].said) != NULL, "%s", reason);
	ck_assert_ptr_null(strchr(reason, '\n'));
}
END_TEST

START_TEST(address_and_id_are_required)
{
	ck_assert_int_eq(
		PARSE("--id-ext", "0002c90300a0b0c0"), SRPTGT_EXIT_BAD_VALUE);
	ck_assert(strstr(reason, "--listen") != NULL);
	ck_assert_int_eq(
		PARSE("--listen", "127.0.0.1"), SRPTGT_EXIT_BAD_VALUE);
	ck_assert(strstr(reason, "--id-ext") != NULL);
	ck_assert_int_eq(PARSE("--help"), 0);
	ck_assert(opts.wants_help);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("opts");

	tcase_add_checked_fixture(tc, NULL, forget);
	tcase_add_test(tc, a_sound_line_becomes_an_attr);
	tcase_add_test(tc, defaults_follow_the_convention);
	tcase_add_loop_test(
		tc, ipv6_addresses_come_with_and_without_brackets, 0, 3);
	tcase_add_test(tc, faults_are_set_by_name);
	tcase_add_loop_test(tc, what_is_wrong_is_said_with_the_key, 0, 24);
	tcase_add_test(tc, address_and_id_are_required);
	return unit_run(tc, "srptgt_opts");
}
