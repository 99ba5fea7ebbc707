/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * URLs, srpi_url(7): text to struct, without looking anything up.
 *
 *	srp://HOST[:PORT]/?KEY=VALUE&...      host, port, keys
 *	demo://null?KEY=VALUE&...             keys.demo.backend, keys
 */
#ifndef LIB_URL_H
#define LIB_URL_H

#include "lib/keys.h"

#define URL_MAX_BYTES 8192
#define URL_SRP_PORT 5555

struct url {
	enum url_form form;
	char host[HOST_MAX + 1]; /* name, IPv4, or IPv6[%scope] bare */
	uint16_t port;		      /* host byte order */
	struct keys keys;	      /* the options', then the URL's */
};

/*
 * @opts NULL: defaults. 0, or -EINVAL with a sentence of printable ASCII.
 * Every combination of keys that needs no look-up is checked here.
 */
int url_parse(const char *text, const struct srpi_opts *opts, struct url *url,
	char *reason, size_t n);

#endif /* LIB_URL_H */
