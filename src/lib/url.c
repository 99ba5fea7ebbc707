/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/url.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/host.h"
#include "lib/text.h"
#include "util/compiler.h"
#include "util/parse.h"

#define VALUE_BYTES 1024 /* of one value, decoded */

/* A part of the URL's text. */
struct span {
	const char *at;
	size_t len;
};

/* What of @rest lies before any byte of @stops; @rest is what follows. */
static struct span
take_until(struct span *rest, const char *stops)
{
	struct span head = {rest->at, 0};

	while (head.len < rest->len && !strchr(stops, head.at[head.len]))
		head.len++;
	rest->at += head.len;
	rest->len -= head.len;
	return head;
}

static void
drop(struct span *span, size_t len)
{
	span->at += len;
	span->len -= len;
}

/* ---- host and port --------------------------------------------------- */

static int
parse_port(struct span text, uint16_t *port, char *reason, size_t n)
{
	const struct parse_limits limits = {
		.key = "port", .min = 1, .max = UINT16_MAX};
	char copy[TEXT_QUOTE_BYTES];
	uint64_t number;

	if (parse_u64(text_quote(text.at, text.len, copy), &limits, &number,
		    reason, n))
		return -EINVAL;
	*port = (uint16_t)number;
	return 0;
}

/* HOST[:PORT] */
static int
parse_authority(struct span text, struct url *url, char *reason, size_t n)
{
	struct span host;

	if (memchr(text.at, '@', text.len))
		return text_fail(reason, n,
			"srp:// takes no user name: '@' is not "
			"allowed in front of the host");
	if (text.len > 0 && *text.at == '[') {
		host = take_until(&text, "]");
		if (text.len > 0) {
			host.len++;
			drop(&text, 1);
		}
	} else {
		host = take_until(&text, ":");
		if (text.len > 0 && memchr(text.at + 1, ':', text.len - 1))
			return text_fail(reason, n,
				"an IPv6 address is written in "
				"brackets, as in srp://[fe80::1]");
	}
	if (host_parse(host.at, host.len, url->host, reason, n))
		return -EINVAL;
	url->port = URL_SRP_PORT;
	if (text.len == 0)
		return 0;
	if (*text.at != ':')
		return text_fail(reason, n,
			"after the ] of the IPv6 address only "
			":PORT may follow");
	drop(&text, 1);
	return parse_port(text, &url->port, reason, n);
}

/* ---- keys ------------------------------------------------------------ */

/* What is wrong with the first escape in @text that is. */
static int
fail_escape(struct span text, const char *what, const char *sign,
	char *reason, size_t n)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] != '%')
			continue;
		if (text.len - i < 3 || !isxdigit((unsigned char)text.at[i + 1]) ||
			!isxdigit((unsigned char)text.at[i + 2]))
			break;
		if (text.at[i + 1] == '0' && text.at[i + 2] == '0')
			return text_fail(reason, n,
				"%s%s has a zero byte (%%00), which ends a text "
				"and is not allowed in one",
				what, sign);
	}
	return text_fail(reason, n,
		"%s%s has a bad escape: %% is followed by two "
		"hexadecimal digits; a %% itself is %%25",
		what, sign);
}

static int
decode_value(const struct key *key, struct span text, char value[VALUE_BYTES],
	char *reason, size_t n)
{
	long len = parse_percent(text.at, text.len, value, VALUE_BYTES);

	if (len == -ENOSPC)
		return text_fail(reason, n, "%s= is longer than %d characters",
			key_name(key), VALUE_BYTES - 1);
	if (len < 0)
		return fail_escape(text, key_name(key), "=", reason, n);
	return 0;
}

/* KEY=VALUE, into @url->keys, whose "given" says which the URL has had. */
static int
parse_pair(struct span text, struct url *url, char *reason, size_t n)
{
	struct span name = take_until(&text, "=");
	char quoted[TEXT_QUOTE_BYTES];
	char value[VALUE_BYTES];
	const struct key *key;

	text_quote(name.at, name.len, quoted);
	if (name.len == 0)
		return text_fail(reason, n,
			"an empty key: KEY=VALUE is expected "
			"behind each ? and &");
	key = keys_find(name.at, name.len);
	if (!key)
		return keys_fail_unknown(name.at, name.len, reason, n);
	if (text.len == 0)
		return text_fail(reason, n,
			"key %s has no value: %s=VALUE is "
			"expected",
			quoted, quoted);
	if (!key_is_for(key, url->form))
		return keys_fail_misplaced(key, url->form, reason, n);
	if (keys_is_given(&url->keys, key))
		return text_fail(reason, n, "key %s is there twice", quoted);
	drop(&text, 1);
	if (decode_value(key, text, value, reason, n))
		return -EINVAL;
	return keys_set(&url->keys, key, value, reason, n);
}

/* "" or "?PAIR&PAIR..." */
static int
parse_query(struct span text, struct url *url, char *reason, size_t n)
{
	uint64_t given = url->keys.given;
	struct span pair;
	int rc;

	url->keys.given = 0;
	while (text.len > 0) {
		drop(&text, 1);
		if (text.len == 0 && given == url->keys.given)
			break; /* a bare "?" */
		pair = take_until(&text, "&");
		rc = parse_pair(pair, url, reason, n);
		if (rc)
			return rc;
	}
	url->keys.given |= given;
	return 0;
}

/* ---- forms ----------------------------------------------------------- */

static int
parse_srp(struct span text, struct url *url, char *reason, size_t n)
{
	struct span authority = take_until(&text, "/?");
	struct span path = take_until(&text, "?");
	char quoted[TEXT_QUOTE_BYTES];
	int rc;

	url->form = URL_SRP;
	rc = parse_authority(authority, url, reason, n);
	if (rc)
		return rc;
	if (path.len > 1)
		return text_fail(reason, n,
			"srp:// takes no path, \"%s\" is one: the keys come "
			"behind /?",
			text_quote(path.at, path.len, quoted));
	rc = parse_query(text, url, reason, n);
	if (rc)
		return rc;
	if (!keys_has(&url->keys, "id_ext"))
		return text_fail(reason, n,
			"srp:// needs id_ext=HEX16, the first "
			"half of the target port id");
	if (!keys_has(&url->keys, "ioc_guid"))
		return text_fail(reason, n,
			"srp:// needs ioc_guid=HEX16, the "
			"second half of the target port id");
	return 0;
}

/* demo:///path: the whole path, with its '/' in front. */
static int
parse_path(struct span path, struct url *url, char *reason, size_t n)
{
	struct demo_attr *demo = &url->keys.demo;
	long len = parse_percent(
		path.at, path.len, demo->backend, sizeof(demo->backend));

	url->form = URL_DEMO_FILE;
	if (len == -ENOSPC)
		return text_fail(reason, n,
			"the path is longer than %zu characters",
			sizeof(demo->backend) - 1);
	if (len < 0)
		return fail_escape(path, "the path", "", reason, n);
	for (long i = 0; i < len; i++)
		if (iscntrl((unsigned char)demo->backend[i]))
			return text_fail(reason, n,
				"the path holds the control "
				"character 0x%02x",
				(unsigned char)demo->backend[i]);
	if (len < 2)
		return text_fail(
			reason, n, "the path of demo:///path is missing");
	return 0;
}

static int
parse_backend(struct span name, struct url *url, char *reason, size_t n)
{
	static const char *const names[] = {"null", "ram", NULL};
	static const enum url_form forms[] = {URL_DEMO_NULL, URL_DEMO_RAM};
	char quoted[TEXT_QUOTE_BYTES];
	const char *nearest;

	text_quote(name.at, name.len, quoted);
	for (int i = 0; names[i]; i++)
		if (strcmp(quoted, names[i]) == 0) {
			url->form = forms[i];
			memcpy(url->keys.demo.backend, names[i],
				strlen(names[i]) + 1);
			return 0;
		}
	nearest = parse_nearest(quoted, names);
	return text_fail(reason, n,
		"demo://%s is not known: allowed are demo://null, demo://ram "
		"and demo:///path/to/file%s%s%s",
		quoted, nearest ? "; did you mean demo://" : "",
		nearest ? nearest : "", nearest ? "?" : "");
}

/* A multiple of the block, whatever the block. */
static uint64_t
default_bytes(enum url_form form, unsigned int block_bytes)
{
	uint64_t bytes = 0;

	if (form == URL_DEMO_NULL)
		bytes = UINT64_C(1) << 40;
	else if (form == URL_DEMO_RAM)
		bytes = 64 << 20;
	return bytes - bytes % block_bytes;
}

static int
check_size(struct url *url, char *reason, size_t n)
{
	struct demo_attr *demo = &url->keys.demo;
	uint64_t rest = demo->size_bytes % demo->block_bytes;

	if (demo->size_bytes < demo->block_bytes && demo->size_bytes)
		return text_fail(reason, n,
			"size=%" PRIu64 " is less than one "
			"block of %u bytes",
			demo->size_bytes, demo->block_bytes);
	if (rest)
		return text_fail(reason, n,
			"size=%" PRIu64 " is not a multiple of block=%u: "
			"%" PRIu64 " is",
			demo->size_bytes, demo->block_bytes,
			demo->size_bytes - rest);
	if (!demo->size_bytes)
		demo->size_bytes = default_bytes(url->form, demo->block_bytes);
	return 0;
}

/* Keys that only mean something beside another. */
static int
check_demo(struct url *url, char *reason, size_t n)
{
	const struct keys *keys = &url->keys;

	if (keys_has(keys, "fabric") && keys->fabric != KEYS_FABRIC_SOFT)
		return text_fail(reason, n,
			"demo:// targets are on the software "
			"device: allowed is fabric=soft");
	if (keys_has(keys, "completion_nsec") &&
		keys->demo.irqmode != SOFT_IRQ_TIMER)
		return text_fail(
			reason, n, "completion_nsec= needs irqmode=timer");
	if (keys_has(keys, "spin") && keys->demo.irqmode != SOFT_IRQ_THREAD)
		return text_fail(reason, n,
			"spin= needs irqmode=thread, in which "
			"the target has a thread");
	url->keys.fabric = KEYS_FABRIC_SOFT;
	return check_size(url, reason, n);
}

static int
parse_demo(struct span text, struct url *url, char *reason, size_t n)
{
	struct span name = take_until(&text, "/?");
	struct span path = take_until(&text, "?");
	int rc;

	if (name.len == 0)
		rc = parse_path(path, url, reason, n);
	else if (path.len > 1)
		rc = text_fail(reason, n,
			"demo://null and demo://ram take no path; "
			"a file is demo:///path/to/file");
	else
		rc = parse_backend(name, url, reason, n);
	if (rc == 0)
		rc = parse_query(text, url, reason, n);
	return rc ? rc : check_demo(url, reason, n);
}

static int
parse_iser(struct span text, struct url *url, char *reason, size_t n)
{
	(void)text;
	(void)url;
	return text_fail(reason, n,
		"iser:// is not in this version: allowed are "
		"srp:// and demo://");
}

static int
parse_srpd(struct span text, struct url *url, char *reason, size_t n)
{
	(void)text;
	(void)url;
	return text_fail(reason, n,
		"srpd:// is not in this version: allowed are "
		"srp:// and demo://");
}

static const struct scheme {
	const char *name;
	int (*parse)(struct span text, struct url *url, char *reason, size_t n);
} schemes[] = {
	{"srp", parse_srp},
	{"demo", parse_demo},
	{"iser", parse_iser},
	{"srpd", parse_srpd},
};

/* NULL after the sentence. @rest becomes what is behind "://". */
static const struct scheme *
take_scheme(struct span *rest, char *reason, size_t n)
{
	const char *names[ARRAY_SIZE(schemes) + 1] = {NULL};
	char quoted[TEXT_QUOTE_BYTES];
	const char *nearest;
	struct span name = take_until(rest, ":/?");

	if (name.len == 0 || rest->len < 3 || memcmp(rest->at, "://", 3) != 0) {
		text_quote(name.at, name.len + rest->len, quoted);
		text_fail(reason, n,
			"\"%s\" is not a URL: srp://HOST/?id_ext=HEX16"
			"&ioc_guid=HEX16 or demo://null is expected",
			quoted);
		return NULL;
	}
	drop(rest, 3);
	text_quote(name.at, name.len, quoted);
	for (unsigned int i = 0; i < ARRAY_SIZE(schemes); i++) {
		if (strcasecmp(quoted, schemes[i].name) == 0)
			return &schemes[i];
		names[i] = schemes[i].name;
	}
	nearest = parse_nearest(quoted, names);
	text_fail(reason, n,
		"%s:// is not known: allowed are srp:// and demo://"
		"%s%s%s",
		quoted, nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "://?" : "");
	return NULL;
}

int
url_parse(const char *text, const struct srpi_opts *opts, struct url *url,
	char *reason, size_t n)
{
	struct span rest = {text, strnlen(text, URL_MAX_BYTES)};
	const struct scheme *scheme;
	const struct key *key;
	int rc;

	if (rest.len == URL_MAX_BYTES)
		return text_fail(reason, n,
			"the URL is too long: %d characters are allowed",
			URL_MAX_BYTES - 1);
	if (memchr(text, '#', rest.len))
		return text_fail(reason, n,
			"the URL holds a '#': where one is meant, write %%23");
	memset(url, 0, sizeof(*url));
	if (opts)
		url->keys = opts->keys;
	else
		keys_init(&url->keys);
	scheme = take_scheme(&rest, reason, n);
	if (!scheme)
		return -EINVAL;
	rc = scheme->parse(rest, url, reason, n);
	if (rc)
		return rc;
	key = keys_misplaced(&url->keys, url->form);
	if (key) /* of the options: the URL's own have been looked at */
		return keys_fail_misplaced(key, url->form, reason, n);
	return 0;
}
