/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/conf_keys.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <srpi/srpi.h>

#include "srpd/conf.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/parse.h"

#define MAX_KEYS 128 /* of both tables, for the nearest name */
#define SEC CLOCK_NS_PER_SEC

static int
set_time(const struct conf_key *key, const char *value, uint64_t min_ns,
	uint64_t max_ns, uint64_t *out, char *reason, size_t n)
{
	const struct parse_limits limits = {.key = key->name, .min = min_ns,
		.max = max_ns, .unit_ns = SEC};

	if (parse_duration_ns(value, &limits, out, NULL, 0) == 0)
		return 0;
	snprintf(reason, n, "%s=%s is not allowed: allowed is %s", key->name,
		value, key->value);
	return -EINVAL;
}

/* As set_time(), or the word "off". */
static int
set_time_or_off(const struct conf_key *key, const char *value, uint64_t *out,
	char *reason, size_t n)
{
	if (strcmp(value, "off") == 0) {
		*out = RPORT_OFF_NS;
		return 0;
	}
	return set_time(key, value, SEC, 86400 * SEC, out, reason, n);
}

static int
copy(const struct conf_key *key, const char *value, char *out, size_t size,
	char *reason, size_t n)
{
	if (strlen(value) < size) {
		memcpy(out, value, strlen(value) + 1);
		return 0;
	}
	snprintf(reason, n, "%s= is %zu characters long: %zu are allowed",
		key->name, strlen(value), size - 1);
	return -EINVAL;
}

static int
copy_path(const struct conf_key *key, const char *value, char *out,
	size_t size, char *reason, size_t n)
{
	if (value[0] == '/')
		return copy(key, value, out, size, reason, n);
	snprintf(reason, n, "%s=%s is not allowed: allowed is %s", key->name,
		value, key->value);
	return -EINVAL;
}

/* ---- [srpd] ---------------------------------------------------------- */

static int
set_socket(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)attr;
	return copy_path(key, value, conf->socket, sizeof(conf->socket),
		reason, n);
}

static int
set_group(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)attr;
	if (getgrnam(value))
		return copy(key, value, conf->group, sizeof(conf->group),
			reason, n);
	snprintf(reason, n, "%s=%s: there is no such group", key->name, value);
	return -EINVAL;
}

static int
set_stop_timeout(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)attr;
	return set_time(key, value, 0, 3600 * SEC, &conf->stop_timeout_ns,
		reason, n);
}

static int
set_start_timeout(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)attr;
	return set_time(key, value, SEC, 3600 * SEC, &conf->start_timeout_ns,
		reason, n);
}

static int
set_log(const struct conf_key *key, const char *value, struct conf *conf,
	struct rport_attr *attr, char *reason, size_t n)
{
	int index;

	(void)attr;
	if (parse_enum(key->name, value, logging_names, &index, reason, n))
		return -EINVAL;
	conf->log = (enum logging_target)index;
	if (logging_has(conf->log))
		return 0;
	snprintf(reason, n, "%s=%s is not in this build: allowed are stderr "
		"and syslog", key->name, value);
	return -EINVAL;
}

static int
set_log_level(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	static const char *const names[] = {
		"error", "warning", "info", "debug", NULL};
	int index;

	(void)attr;
	if (parse_enum(key->name, value, names, &index, reason, n))
		return -EINVAL;
	conf->log_level = (enum log_level)index;
	return 0;
}

/* ADDR:PORT with a numeric address, in [ ] for IPv6; or a socket's path. */
static int
set_metrics(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	const struct parse_limits port = {
		.key = key->name, .min = 1, .max = UINT16_MAX};
	const char *colon = strrchr(value, ':');
	uint64_t number;

	(void)attr;
	if (strcmp(value, "off") == 0) {
		conf->metrics[0] = '\0';
		return 0;
	}
	if (value[0] != '/' && (!colon || colon == value ||
		parse_u64(colon + 1, &port, &number, NULL, 0))) {
		snprintf(reason, n, "%s=%s is not allowed: allowed is %s",
			key->name, value, key->value);
		return -EINVAL;
	}
	return copy(key, value, conf->metrics, sizeof(conf->metrics),
		reason, n);
}

/* ---- [target] -------------------------------------------------------- */

/* In the order of their keys' numbers, whatever that of the file is. */
static int
set_url(const struct conf_key *key, const char *value, struct conf *conf,
	struct rport_attr *attr, char *reason, size_t n)
{
	unsigned int index = key->name[3] ? (unsigned int)key->name[3] - '1' :
					    0;
	char *text = strdup(value);

	(void)conf;
	if (!text) {
		snprintf(reason, n, "%s: out of memory", key->name);
		return -EINVAL;
	}
	free(attr->urls[index]);
	attr->urls[index] = text;
	return 0;
}

static int
set_required(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	return parse_bool(key->name, value, &attr->required, reason, n);
}

static int
set_autologin(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	return parse_bool(key->name, value, &attr->autologin, reason, n);
}

static int
set_reconnect_delay(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	return set_time(key, value, SEC, 3600 * SEC, &attr->reconnect_delay_ns,
		reason, n);
}

static int
set_fast_io_fail(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	return set_time_or_off(
		key, value, &attr->fast_io_fail_ns, reason, n);
}

static int
set_dev_loss(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	return set_time_or_off(key, value, &attr->dev_loss_ns, reason, n);
}

static int
set_probe_interval(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	(void)conf;
	if (strcmp(value, "off") == 0) {
		attr->probe_ns = 0;
		return 0;
	}
	return set_time(
		key, value, SEC / 10, 3600 * SEC, &attr->probe_ns, reason, n);
}

/* What it holds is iSER's; that it is a secret is looked after here. */
static int
set_secret_file(const struct conf_key *key, const char *value,
	struct conf *conf, struct rport_attr *attr, char *reason, size_t n)
{
	struct stat st;

	(void)conf;
	(void)attr;
	if (value[0] != '/') {
		snprintf(reason, n, "%s=%s is not allowed: allowed is %s",
			key->name, value, key->value);
	} else if (stat(value, &st)) {
		snprintf(reason, n, "%s=%s: %s", key->name, value,
			strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(reason, n, "%s=%s is not a file", key->name, value);
	} else if (st.st_mode & 077) {
		snprintf(reason, n,
			"%s=%s may be read by others (mode %04o): chmod 600 "
			"it",
			key->name, value, (unsigned int)st.st_mode & 07777);
	} else {
		snprintf(reason, n,
			"%s: only iser:// targets have a secret, and they are "
			"not in this version",
			key->name);
	}
	return -EINVAL;
}

static const struct conf_key table[] = {
	{"socket", CONF_SRPD, "an absolute path of up to 107 characters",
		"/run/srpd/srpd.sock", set_socket},
	{"group", CONF_SRPD, "a group of this machine",
		"none: root and srpd's own user alone", set_group},
	{"start_timeout", CONF_SRPD, "1s-1h", "30s", set_start_timeout},
	{"stop_timeout", CONF_SRPD, "0-1h", "10s", set_stop_timeout},
	{"log", CONF_SRPD, "stderr|syslog|journal", "stderr", set_log},
	{"log_level", CONF_SRPD, "error|warning|info|debug", "info",
		set_log_level},
	{"metrics", CONF_SRPD, "off, ADDR:PORT, or the path of a socket",
		"off", set_metrics},
	{"url", CONF_TARGET, "srp://... or demo://...", "none: required",
		set_url},
	{"url2", CONF_TARGET, "another way to the target", "none", set_url},
	{"url3", CONF_TARGET, "another way to the target", "none", set_url},
	{"url4", CONF_TARGET, "another way to the target", "none", set_url},
	{"url5", CONF_TARGET, "another way to the target", "none", set_url},
	{"url6", CONF_TARGET, "another way to the target", "none", set_url},
	{"url7", CONF_TARGET, "another way to the target", "none", set_url},
	{"url8", CONF_TARGET, "another way to the target", "none", set_url},
	{"required", CONF_TARGET, "yes|no", "no", set_required},
	{"autologin", CONF_TARGET, "yes|no", "yes", set_autologin},
	{"reconnect_delay", CONF_TARGET, "1s-1h", "10s",
		set_reconnect_delay},
	{"fast_io_fail_tmo", CONF_TARGET, "off or 1s-24h", "15s",
		set_fast_io_fail},
	{"dev_loss_tmo", CONF_TARGET, "off or 1s-24h", "600s",
		set_dev_loss},
	{"probe_interval", CONF_TARGET, "off or 100ms-1h", "10s",
		set_probe_interval},
	{"secret_file", CONF_TARGET,
		"an absolute path of a file that its owner alone may read",
		"none", set_secret_file},
};

const struct conf_key *
conf_keys(unsigned int *nr)
{
	*nr = ARRAY_SIZE(table);
	return table;
}

const struct conf_key *
conf_keys_find(enum conf_scope scope, const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].scope == scope &&
			strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* A key that the other kind of section has is told so. */
static const char *
other_place(enum conf_scope scope, const char *name)
{
	if (scope == CONF_SRPD && conf_keys_find(CONF_TARGET, name))
		return "[target NAME]";
	if (scope == CONF_TARGET && conf_keys_find(CONF_SRPD, name))
		return "[srpd]";
	return NULL;
}

void
conf_keys_unknown(enum conf_scope scope, const char *name, char *reason,
	size_t n)
{
	const char *names[MAX_KEYS + 1];
	const char *place = other_place(scope, name), *nearest;
	unsigned int nr = 0, nr_srpi;
	const struct srpi_key *srpi = srpi_keys(&nr_srpi);

	if (place) {
		snprintf(reason, n, "key \"%s\" belongs in %s", name, place);
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(table) && nr < MAX_KEYS; i++)
		if (table[i].scope == scope)
			names[nr++] = table[i].name;
	for (unsigned int i = 0; i < nr_srpi && nr < MAX_KEYS; i++)
		names[nr++] = srpi[i].name;
	names[nr] = NULL;
	nearest = parse_nearest(name, names);
	if (nearest)
		snprintf(reason, n,
			"key \"%s\" is not known: did you mean \"%s\"?", name,
			nearest);
	else
		snprintf(reason, n,
			"key \"%s\" is not known: srpd.ini(5) lists the keys",
			name);
}
