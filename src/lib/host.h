/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Hosts: names, IPv4 addresses, IPv6 addresses with their scope. */
#ifndef LIB_HOST_H
#define LIB_HOST_H

#include <stddef.h>

#define HOST_MAX 253 /* a DNS name's limit */

/*
 * Checks the text of a host, nothing is looked up. "[IPv6%scope]" comes out
 * without its brackets, which are optional. 0 or -EINVAL.
 */
int host_parse(const char *text, size_t len, char host[HOST_MAX + 1],
	char *reason, size_t n);

#endif /* LIB_HOST_H */
