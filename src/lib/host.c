/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/host.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>

#include "lib/text.h"

#define LABEL_MAX 63 /* a part of a host name, RFC 1035 2.3.4 */

static bool
is_label(const char *label, size_t len)
{
	if (len == 0 || len > LABEL_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)label[i]) && label[i] != '-' &&
			label[i] != '_')
			return false;
	return label[0] != '-' && label[len - 1] != '-';
}

static bool
is_host_name(const char *name)
{
	size_t len;

	for (;;) {
		len = strcspn(name, ".");
		if (!is_label(name, len))
			return false;
		if (!name[len])
			return true;
		name += len + 1;
		if (!*name) /* a final dot: the name is absolute */
			return true;
	}
}

static int
check_name(const char *host, char *reason, size_t n)
{
	char quoted[TEXT_QUOTE_BYTES];
	struct in_addr ipv4;

	if (inet_pton(AF_INET, host, &ipv4) == 1)
		return 0;
	text_quote(host, strlen(host), quoted);
	/* The resolver would take 10.1 for 10.0.0.1, and 010 and 0x7f too. */
	if (host[strspn(host, "0123456789.")] == '\0' || inet_aton(host, &ipv4))
		return text_fail(reason, n,
			"host \"%s\" is not an IPv4 address: four numbers from "
			"0 to 255 are allowed",
			quoted);
	if (!is_host_name(host))
		return text_fail(reason, n,
			"host \"%s\" is neither a host name nor an address: "
			"allowed are letters, digits, - and ., or an IPv6 "
			"address in [ ]",
			quoted);
	return 0;
}

/* The name or number of a network interface. */
static bool
is_scope(const char *scope)
{
	size_t len = strlen(scope);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)scope[i]) &&
			!strchr("-_.", scope[i]))
			return false;
	return len > 0 && len < IF_NAMESIZE;
}

/* RFC 6874 writes the '%' as "%25"; a plain one is taken as well. */
static int
check_ipv6(char *host, char *reason, size_t n)
{
	char quoted[TEXT_QUOTE_BYTES];
	char *scope = strchr(host, '%');
	struct in6_addr ipv6;
	bool is_good;

	text_quote(host, strlen(host), quoted);
	if (scope && strncmp(scope, "%25", 3) == 0 && scope[3])
		memmove(scope + 1, scope + 3, strlen(scope + 3) + 1);
	if (scope && !is_scope(scope + 1))
		return text_fail(reason, n,
			"host [%s]: the scope behind the %% is not the name or "
			"number of an interface",
			quoted);
	if (scope)
		*scope = '\0';
	is_good = inet_pton(AF_INET6, host, &ipv6) == 1;
	if (scope)
		*scope = '%';
	if (!is_good)
		return text_fail(
			reason, n, "host [%s] is not an IPv6 address", quoted);
	return 0;
}

int
host_parse(const char *text, size_t len, char host[HOST_MAX + 1], char *reason,
	size_t n)
{
	bool is_bracketed = len > 0 && text[0] == '[';

	if (is_bracketed) {
		if (text[len - 1] != ']')
			return text_fail(
				reason, n, "the IPv6 address has no closing ]");
		text++;
		len -= 2;
	}
	if (len == 0)
		return text_fail(reason, n,
			"the host is missing: a host name, an "
			"IPv4 or an [IPv6] address is needed");
	if (len > HOST_MAX)
		return text_fail(reason, n,
			"the host is %zu characters long: %d are allowed", len,
			HOST_MAX);
	memcpy(host, text, len);
	host[len] = '\0';
	if (is_bracketed || memchr(text, ':', len))
		return check_ipv6(host, reason, n);
	return check_name(host, reason, n);
}
