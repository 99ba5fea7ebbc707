/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* srpi_open(): a URL and options become a session. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/session.h"
#include "fabric/fabric.h"
#include "lib/demo.h"
#include "lib/resolve.h"
#include "lib/text.h"
#include "lib/url.h"

_Static_assert(
	sizeof(((struct session_attr *)0)->portal) == RESOLVE_PORTAL_BYTES,
	"resolve_portal() fills it");

static int
find_fabric(const struct keys *keys, struct session_attr *attr, char *reason,
	size_t n)
{
	const char *name = keys->fabric == KEYS_FABRIC_SOFT ? "soft" : "verbs";

	attr->fabric = fabric_find(name);
	if (!attr->fabric) {
		snprintf(reason, n, "fabric=%s is not in this build", name);
		return -ENODEV;
	}
	/*
	 * A device in this process reaches only targets in this process.
	 * Whether they have a thread is not known here: say the worse.
	 */
	if (keys->fabric == KEYS_FABRIC_SOFT)
		attr->flags = SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS |
			      SRPI_SESSION_SHARED_CPU;
	return 0;
}

/* The source is of the target's family: the first address that is. */
static int
find_source(const struct keys *keys, struct session_attr *attr, char *reason,
	size_t n)
{
	struct resolve source;
	int rc;

	attr->src_addr.ss_family = AF_UNSPEC;
	if (!*keys->src)
		return 0;
	rc = resolve_host(
		keys->src, 0, attr->addr.ss_family, &source, reason, n);
	if (rc == 0)
		attr->src_addr = source.addr[0];
	return rc;
}

/* May another address of the same host do better? */
static bool
is_unreachable(int rc)
{
	return rc == -EHOSTUNREACH || rc == -ETIMEDOUT || rc == -ENODEV;
}

/* Each address of the host in turn, while none can be reached. */
static int
open_srp(struct url *url, struct srpi_session **session, char *reason, size_t n)
{
	struct session_attr *attr = &url->keys.attr;
	struct resolve target;
	int rc = find_fabric(&url->keys, attr, reason, n);

	if (rc == 0)
		rc = resolve_host(
			url->host, url->port, AF_UNSPEC, &target, reason, n);
	if (rc)
		return rc;
	rc = -EHOSTUNREACH;
	for (unsigned int i = 0; i < target.nr_addrs && is_unreachable(rc);
		i++) {
		attr->addr = target.addr[i];
		resolve_portal(&attr->addr, attr->portal);
		rc = find_source(&url->keys, attr, reason, n);
		if (rc == 0)
			rc = session_create(attr, session, reason, n);
	}
	return rc;
}

static int
open_demo(
	struct url *url, struct srpi_session **session, char *reason, size_t n)
{
	struct session_attr *attr = &url->keys.attr;
	int rc = demo_get(&url->keys.demo, attr, reason, n);

	if (rc)
		return rc;
	/* From here on the session gives the target back, made or not. */
	return session_create(attr, session, reason, n);
}

int
srpi_open(const char *text, const struct srpi_opts *opts,
	struct srpi_session **session, char *reason, size_t n)
{
	char unused[1];
	struct url url;
	int rc;

	*session = NULL;
	if (!reason || !n) {
		reason = unused;
		n = sizeof(unused);
	}
	reason[0] = '\0';
	if (!text)
		return text_fail(reason, n, "a URL is needed");
	rc = url_parse(text, opts, &url, reason, n);
	if (rc)
		return rc;
	rc = url.form == URL_SRP ? open_srp(&url, session, reason, n)
				 : open_demo(&url, session, reason, n);
	if (rc)
		session_add_remedy(rc, reason, n);
	return rc;
}

int
srpi_url_check(const char *text, const struct srpi_opts *opts, char *reason,
	size_t n)
{
	char unused[1];
	struct url url;

	if (!reason || !n) {
		reason = unused;
		n = sizeof(unused);
	}
	if (!text)
		return text_fail(reason, n, "a URL is needed");
	return url_parse(text, opts, &url, reason, n);
}

void
srpi_close(struct srpi_session *session)
{
	if (session)
		session_destroy(session);
}
