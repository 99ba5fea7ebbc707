/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Hosts to addresses, and addresses to text. May block: the resolver does. */
#ifndef LIB_RESOLVE_H
#define LIB_RESOLVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define RESOLVE_MAX 8 /* addresses of one host that are tried */
#define RESOLVE_PORTAL_BYTES 64

struct resolve {
	struct sockaddr_storage addr[RESOLVE_MAX];
	unsigned int nr_addrs;
};

/*
 * The addresses of @host, which host_parse() gave, in the resolver's order;
 * @family AF_UNSPEC: both. -EHOSTUNREACH: there are none; -ENOMEM.
 */
int resolve_host(const char *host, uint16_t port, int family,
	struct resolve *out, char *reason, size_t n);

/* "192.0.2.1:5555", "[fe80::1%ib0]:5555" */
void resolve_portal(const struct sockaddr_storage *addr,
	char portal[RESOLVE_PORTAL_BYTES]);

#endif /* LIB_RESOLVE_H */
