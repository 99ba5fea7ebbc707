/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/resolve.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"

static int
fail(const char *host, int error, char *reason, size_t n)
{
	int os_error = error == EAI_SYSTEM ? errno : 0;

	snprintf(reason, n,
		"host %s has no address: %s; check the name, or write the "
		"address",
		host, os_error ? strerror(os_error) : gai_strerror(error));
	if (error == EAI_MEMORY)
		return -ENOMEM;
	return -EHOSTUNREACH;
}

int
resolve_host(const char *host, uint16_t port, int family, struct resolve *out,
	char *reason, size_t n)
{
	const struct addrinfo hints = {.ai_family = family,
		.ai_socktype = SOCK_STREAM, /* or each comes three times */
		.ai_flags = AI_NUMERICSERV};
	struct addrinfo *list, *ai;
	char service[8];
	int error;

	snprintf(service, sizeof(service), "%u", port);
	error = getaddrinfo(host, service, &hints, &list);
	if (error)
		return fail(host, error, reason, n);
	memset(out, 0, sizeof(*out));
	for (ai = list; ai && out->nr_addrs < RESOLVE_MAX; ai = ai->ai_next)
		memcpy(&out->addr[out->nr_addrs++], ai->ai_addr,
			min((size_t)ai->ai_addrlen, sizeof(out->addr[0])));
	freeaddrinfo(list);
	return 0;
}

void
resolve_portal(
	const struct sockaddr_storage *addr, char portal[RESOLVE_PORTAL_BYTES])
{
	const char *form = addr->ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s";
	char host[RESOLVE_PORTAL_BYTES], port[8];

	if (getnameinfo((const struct sockaddr *)addr, sizeof(*addr), host,
		    sizeof(host), port, sizeof(port),
		    NI_NUMERICHOST | NI_NUMERICSERV))
		form = "?";
	snprintf(portal, RESOLVE_PORTAL_BYTES, form, host, port);
}
