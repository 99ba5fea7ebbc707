/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "core/session.h"
#include "fabric/fabric.h"
#include "lib/demo.h"
#include "lib/url.h"

static char reason[256];

/* The target of a demo:// URL, as srpi_open() would get it. */
static int
get(const char *text, struct session_attr *session)
{
	struct url url;

	ck_assert_msg(url_parse(text, NULL, &url, reason, sizeof(reason)) == 0,
		"%s", reason);
	memset(session, 0, sizeof(*session));
	reason[0] = '\0';
	return demo_get(&url.keys.demo, session, reason, sizeof(reason));
}

static void
get_ok(const char *text, struct session_attr *session)
{
	ck_assert_msg(get(text, session) == 0, "%s: %s", text, reason);
}

static void
put(struct session_attr *session)
{
	session->on_close(session->owner);
}

START_TEST(a_target_says_where_it_is)
{
	const struct sockaddr_in *in;
	struct session_attr session;
	char portal[64];

	get_ok("demo://null", &session);
	in = (struct sockaddr_in *)&session.addr;
	ck_assert_int_eq(in->sin_family, AF_INET);
	ck_assert_uint_eq(ntohl(in->sin_addr.s_addr) >> 24, 127);
	ck_assert_uint_ne(in->sin_port, 0);
	snprintf(portal, sizeof(portal), "%s:%u", inet_ntoa(in->sin_addr),
		ntohs(in->sin_port));
	ck_assert_str_eq(session.portal, portal);
	ck_assert_str_eq(session.fabric->name, "soft");
	ck_assert_uint_eq(session.id_ext, DEMO_ID_EXT);
	ck_assert_uint_eq(session.ioc_guid, DEMO_IOC_GUID);
	put(&session);
}
END_TEST

START_TEST(without_a_name_each_has_its_own)
{
	struct session_attr a, b;

	get_ok("demo://ram", &a);
	get_ok("demo://ram", &b);
	ck_assert_ptr_ne(a.owner, b.owner);
	ck_assert_str_ne(a.portal, b.portal);
	put(&a);
	put(&b);
}
END_TEST

START_TEST(the_same_name_is_the_same_target)
{
	struct session_attr a, b, other;

	get_ok("demo://ram?name=x", &a);
	get_ok("demo://ram?name=x&size=64M&luns=1", &b);
	get_ok("demo://ram?name=y", &other);
	ck_assert_ptr_eq(a.owner, b.owner);
	ck_assert_str_eq(a.portal, b.portal);
	ck_assert_ptr_ne(a.owner, other.owner);
	put(&a);
	put(&b);
	put(&other);
}
END_TEST

static const char *const differing[] = {"demo://null?name=x",
	"demo://ram?name=x&size=1M", "demo://ram?name=x&block=4096",
	"demo://ram?name=x&irqmode=none", "demo://ram?name=x&luns=2",
	"demo://ram?name=x&ro=yes"};

START_TEST(other_keys_under_a_name_in_use_are_refused)
{
	struct session_attr a, b;

	get_ok("demo://ram?name=x", &a);
	ck_assert_int_eq(get(differing[_i], &b), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "name=x is in use"));
	ck_assert_ptr_null(b.owner);
	put(&a);
	/* and the name is free again after its last user */
	get_ok(differing[_i], &b);
	put(&b);
}
END_TEST

START_TEST(only_a_thread_of_its_own_leaves_the_callers_cpu_alone)
{
	struct session_attr session;
	const uint32_t both = SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS;

	get_ok("demo://null?irqmode=none", &session);
	ck_assert_uint_eq(session.flags, both | SRPI_SESSION_SHARED_CPU);
	put(&session);
	get_ok("demo://null?irqmode=softirq", &session);
	ck_assert_uint_eq(session.flags, both | SRPI_SESSION_SHARED_CPU);
	put(&session);
	get_ok("demo://null?irqmode=thread", &session);
	ck_assert_uint_eq(session.flags, both);
	ck_assert_uint_gt(session.cpu_ns(session.owner), 0);
	put(&session);
}
END_TEST

START_TEST(none_and_256_luns_are_fine)
{
	struct session_attr session;

	get_ok("demo://null?luns=0", &session);
	put(&session);
	get_ok("demo://null?luns=256&block=520&ro=yes&data=none", &session);
	put(&session);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
	struct session_attr session;

	ck_assert_int_lt(get("demo:///no/such/file?name=f", &session), 0);
	ck_assert_msg(strstr(reason, "/no/such/file") != NULL, "%s", reason);
	/* and leaves no trace of its name */
	get_ok("demo://ram?name=f", &session);
	put(&session);
}
END_TEST

#define NR(array) (int)(sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	TCase *tcase = tcase_create("demo");

	tcase_add_test(tcase, a_target_says_where_it_is);
	tcase_add_test(tcase, without_a_name_each_has_its_own);
	tcase_add_test(tcase, the_same_name_is_the_same_target);
	tcase_add_loop_test(tcase, other_keys_under_a_name_in_use_are_refused,
		0, NR(differing));
	tcase_add_test(
		tcase, only_a_thread_of_its_own_leaves_the_callers_cpu_alone);
	tcase_add_test(tcase, none_and_256_luns_are_fine);
	tcase_add_test(tcase, a_file_that_is_not_there_is_named);
	return unit_run(tcase, "demo");
}
