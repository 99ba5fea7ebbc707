/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "lib/resolve.h"

static char reason[256];
static struct resolve found;
static char portal[RESOLVE_PORTAL_BYTES];

static int
resolve(const char *host, int family)
{
	reason[0] = '\0';
	return resolve_host(host, 5555, family, &found, reason,
		sizeof(reason));
}

START_TEST(an_ipv4_address_gives_itself_once)
{
	const struct sockaddr_in *in = (struct sockaddr_in *)&found.addr[0];

	ck_assert_int_eq(resolve("192.0.2.10", AF_UNSPEC), 0);
	ck_assert_uint_eq(found.nr_addrs, 1);
	ck_assert_int_eq(in->sin_family, AF_INET);
	ck_assert_uint_eq(ntohs(in->sin_port), 5555);
	ck_assert_uint_eq(ntohl(in->sin_addr.s_addr), 0xc000020a);
	resolve_portal(&found.addr[0], portal);
	ck_assert_str_eq(portal, "192.0.2.10:5555");
}
END_TEST

START_TEST(an_ipv6_address_has_brackets_in_its_portal)
{
	const struct sockaddr_in6 *in = (struct sockaddr_in6 *)&found.addr[0];

	ck_assert_int_eq(resolve("2001:db8::5", AF_UNSPEC), 0);
	ck_assert_uint_eq(found.nr_addrs, 1);
	ck_assert_int_eq(in->sin6_family, AF_INET6);
	resolve_portal(&found.addr[0], portal);
	ck_assert_str_eq(portal, "[2001:db8::5]:5555");
}
END_TEST

START_TEST(a_scope_becomes_the_index_of_the_interface)
{
	const struct sockaddr_in6 *in = (struct sockaddr_in6 *)&found.addr[0];

	ck_assert_int_eq(resolve("fe80::1%lo", AF_UNSPEC), 0);
	ck_assert_uint_eq(in->sin6_scope_id, if_nametoindex("lo"));
	resolve_portal(&found.addr[0], portal);
	ck_assert_str_eq(portal, "[fe80::1%lo]:5555");
	ck_assert_int_eq(resolve("fe80::1%nosuchif", AF_UNSPEC),
		-EHOSTUNREACH);
	ck_assert_ptr_nonnull(strstr(reason, "fe80::1%nosuchif"));
}
END_TEST

START_TEST(an_address_of_the_other_family_is_unreachable)
{
	ck_assert_int_eq(resolve("192.0.2.10", AF_INET6), -EHOSTUNREACH);
	ck_assert_ptr_nonnull(strstr(reason, "host 192.0.2.10 has no address"));
	ck_assert_int_eq(resolve("::1", AF_INET), -EHOSTUNREACH);
}
END_TEST

START_TEST(a_name_gives_addresses)
{
	ck_assert_int_eq(resolve("localhost", AF_UNSPEC), 0);
	ck_assert_uint_ge(found.nr_addrs, 1);
	ck_assert_uint_le(found.nr_addrs, RESOLVE_MAX);
}
END_TEST

START_TEST(an_unknown_family_has_no_portal)
{
	struct sockaddr_storage none = { .ss_family = AF_UNSPEC };

	resolve_portal(&none, portal);
	ck_assert_str_eq(portal, "?");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("resolve");

	tcase_add_test(tcase, an_ipv4_address_gives_itself_once);
	tcase_add_test(tcase, an_ipv6_address_has_brackets_in_its_portal);
	tcase_add_test(tcase, a_scope_becomes_the_index_of_the_interface);
	tcase_add_test(tcase, an_address_of_the_other_family_is_unreachable);
	tcase_add_test(tcase, a_name_gives_addresses);
	tcase_add_test(tcase, an_unknown_family_has_no_portal);
	return unit_run(tcase, "resolve");
}
