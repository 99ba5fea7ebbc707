/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/conf.h"

#include <errno.h>
#include <fcntl.h>
#include <iniparser/iniparser.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <srpi/srpi.h>

#include "srpd/conf_check.h"
#include "srpd/conf_keys.h"
#include "srpd/redact.h"
#include "util/clock.h"

#define TARGET_PREFIX "target "
#define REASON_BYTES (CONF_PROBLEM_BYTES - 64)

/* One reading of a file, while it goes on. */
struct reader {
	struct conf *conf;
	struct conf_check check;
	struct conf_problems *problems;
	dictionary *ini;
	bool has_no_memory;
};

static struct conf *
conf_create(void)
{
	struct conf *conf = calloc(1, sizeof(*conf));

	if (!conf)
		return NULL;
	snprintf(conf->socket, sizeof(conf->socket), "%s",
		conf_keys_find(CONF_SRPD, "socket")->initial);
	conf->stop_timeout_ns = 10 * CLOCK_NS_PER_SEC;
	conf->start_timeout_ns = 30 * CLOCK_NS_PER_SEC;
	conf->log_level = LOG_LEVEL_INFO;
	conf->defaults = rport_attr_create("");
	if (conf->defaults)
		return conf;
	free(conf);
	return NULL;
}

void
conf_destroy(struct conf *conf)
{
	if (!conf)
		return;
	for (unsigned int i = 0; i < conf->nr_targets; i++)
		rport_attr_put(conf->targets[i]);
	free(conf->targets);
	rport_attr_put(conf->defaults);
	free(conf);
}

/* ---- one key --------------------------------------------------------- */

/* Whether the library takes it; the value is kept as text. */
static int
set_srpi(struct rport_attr *attr, const char *key, const char *value,
	char *reason, size_t n)
{
	struct srpi_opts *opts;
	int rc = srpi_opts_create(&opts);

	if (rc == 0) {
		rc = srpi_opts_set(opts, key, value, reason, n);
		srpi_opts_destroy(opts);
	}
	return rc ? rc : rport_attr_set_pair(attr, key, value);
}

static bool
is_srpi(const char *name)
{
	unsigned int nr;
	const struct srpi_key *keys = srpi_keys(&nr);

	for (unsigned int i = 0; i < nr; i++)
		if (strcmp(keys[i].name, name) == 0)
			return true;
	return false;
}

/* @attr: the target's, or the defaults'. */
static void
set_key(struct reader *reader, const char *section, struct rport_attr *attr,
	const char *name, const char *value)
{
	enum conf_scope scope = attr == reader->conf->defaults ?
		CONF_SRPD :
		CONF_TARGET;
	const struct conf_key *key = conf_keys_find(scope, name);
	char reason[REASON_BYTES] = "";
	int rc = -EINVAL;

	if (key)
		rc = key->set(key, value, reader->conf, attr, reason,
			sizeof(reason));
	else if (is_srpi(name))
		rc = set_srpi(attr, name, value, reason, sizeof(reason));
	else
		conf_keys_unknown(scope, name, reason, sizeof(reason));
	if (rc == -ENOMEM)
		reader->has_no_memory = true;
	else if (rc)
		conf_problems_add(reader->problems,
			conf_check_line(&reader->check, section, name),
			"%s", reason);
}

/* iniparser's names of the section's keys are "section:key". */
static void
read_section(struct reader *reader, const char *section,
	struct rport_attr *attr)
{
	int nr = iniparser_getsecnkeys(reader->ini, section);
	const char **keys = calloc((size_t)nr + 1, sizeof(*keys));

	if (!keys || (nr && !iniparser_getseckeys(reader->ini, section, keys)))
		reader->has_no_memory = true;
	for (int i = 0; !reader->has_no_memory && i < nr; i++)
		set_key(reader, section, attr, keys[i] + strlen(section) + 1,
			iniparser_getstring(reader->ini, keys[i], ""));
	free(keys);
}

/* ---- one target ------------------------------------------------------ */

static void
complain(struct reader *reader, const char *section, const char *key,
	const char *reason)
{
	unsigned int line = conf_check_line(&reader->check, section, key);

	/* A default of [srpd], or one that nobody gave. */
	if (!line)
		line = conf_check_line(&reader->check, section, "");
	conf_problems_add(reader->problems, line, "%s", reason);
}

/* Without holes: the URLs that are given, in order. */
static void
pack_urls(struct rport_attr *attr)
{
	unsigned int nr = 0;
	char *url;

	for (unsigned int i = 0; i < RPORT_MAX_URLS; i++) {
		url = attr->urls[i];
		attr->urls[i] = NULL;
		if (url)
			attr->urls[nr++] = url;
	}
	attr->nr_urls = nr;
}

static void
check_url(struct reader *reader, const char *section,
	const struct rport_attr *attr, unsigned int index)
{
	char key[8] = "url", why[REASON_BYTES] = "", reason[REASON_BYTES];
	struct srpi_opts *opts;
	int rc;

	if (index)
		snprintf(key, sizeof(key), "url%u", index + 1);
	if (!attr->urls[index])
		return;
	/* Its pairs have been taken one by one: only memory can fail. */
	rc = rport_attr_opts(attr, &opts, why, sizeof(why));
	if (rc) {
		reader->has_no_memory = true;
		return;
	}
	rc = srpi_url_check(attr->urls[index], opts, why, sizeof(why));
	srpi_opts_destroy(opts);
	if (rc == 0)
		return;
	redact_text(why, attr->urls[index]);
	snprintf(reason, sizeof(reason), "%s: %.*s", key,
		(int)sizeof(reason) - 16, why);
	complain(reader, section, key, reason);
}

static void
check_target(struct reader *reader, const char *section,
	struct rport_attr *attr)
{
	for (unsigned int i = 0; i < RPORT_MAX_URLS; i++)
		check_url(reader, section, attr, i);
	if (!attr->urls[0] && !conf_check_line(&reader->check, section,
				      "url"))
		complain(reader, section, "",
			"the target has no url: url = srp://HOST/... or "
			"demo://null is needed");
	if (attr->required && !attr->autologin)
		complain(reader, section, "required",
			"required=yes needs autologin=yes: it could not "
			"become ready by itself");
	if (attr->dev_loss_ns != RPORT_OFF_NS &&
		attr->fast_io_fail_ns != RPORT_OFF_NS &&
		attr->fast_io_fail_ns >= attr->dev_loss_ns)
		complain(reader, section, "fast_io_fail_tmo",
			"fast_io_fail_tmo must be less than dev_loss_tmo");
	pack_urls(attr);
}

static void
read_target(struct reader *reader, const char *section)
{
	struct conf *conf = reader->conf;
	struct rport_attr **targets = realloc(conf->targets,
		(conf->nr_targets + 1) * sizeof(struct rport_attr *));
	struct rport_attr *attr =
		rport_attr_create(section + strlen(TARGET_PREFIX));
	const struct rport_pair *pair;

	if (targets)
		conf->targets = targets;
	if (!targets || !attr) {
		rport_attr_put(attr);
		reader->has_no_memory = true;
		return;
	}
	targets[conf->nr_targets++] = attr;
	for (unsigned int i = 0; i < conf->defaults->nr_pairs; i++) {
		pair = &conf->defaults->pairs[i];
		if (rport_attr_set_pair(attr, pair->key, pair->value))
			reader->has_no_memory = true;
	}
	read_section(reader, section, attr);
	check_target(reader, section, attr);
}

/* ---- the file -------------------------------------------------------- */

static int
be_silent(const char *format, ...)
{
	(void)format;
	return 0;
}

/* What was checked, byte for byte: a file could have changed since. */
static dictionary *
load_text(const struct conf_check *check)
{
	int fd = memfd_create("srpd.ini", MFD_CLOEXEC);
	dictionary *ini = NULL;
	char path[32];

	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	iniparser_set_error_callback(be_silent);
	if (write(fd, check->text, check->text_bytes) ==
		(ssize_t)check->text_bytes)
		ini = iniparser_load(path);
	close(fd);
	return ini;
}

static void
read_sections(struct reader *reader)
{
	int nr = iniparser_getnsec(reader->ini);
	const char *section;

	/* First, wherever it stands: its keys are the targets' defaults. */
	if (iniparser_find_entry(reader->ini, "srpd"))
		read_section(reader, "srpd", reader->conf->defaults);
	for (int i = 0; i < nr && !reader->has_no_memory; i++) {
		section = iniparser_getsecname(reader->ini, i);
		if (strncmp(section, TARGET_PREFIX, strlen(TARGET_PREFIX)) == 0)
			read_target(reader, section);
	}
}

static int
read_all(struct reader *reader, const char *data, size_t bytes)
{
	int rc = conf_check(&reader->check, data, bytes, reader->problems);

	reader->conf = conf_create();
	if (rc || !reader->conf)
		return -ENOMEM;
	reader->ini = load_text(&reader->check);
	if (!reader->ini) {
		conf_problems_add(reader->problems, 0,
			"iniparser can't read it: is /proc mounted?");
		return -EINVAL;
	}
	read_sections(reader);
	iniparser_freedict(reader->ini);
	if (reader->has_no_memory)
		return -ENOMEM;
	return conf_problems_count(reader->problems) ? -EINVAL : 0;
}

int
conf_parse(const char *data, size_t bytes, struct conf **conf,
	struct conf_problems *problems)
{
	struct reader reader = {.problems = problems};
	int rc = read_all(&reader, data, bytes);

	if (rc == -ENOMEM)
		conf_problems_add(problems, 0, "out of memory");
	conf_check_fini(&reader.check);
	if (rc) {
		conf_destroy(reader.conf);
		reader.conf = NULL;
	}
	*conf = reader.conf;
	return rc;
}

/* The whole file in memory; -EFBIG for one that is no configuration. */
static int
read_file(int fd, char **data, size_t *bytes)
{
	ssize_t got = 1;

	*bytes = 0;
	*data = malloc(CONF_FILE_MAX + 1);
	if (!*data)
		return -ENOMEM;
	while (got > 0 && *bytes <= CONF_FILE_MAX) {
		got = read(fd, *data + *bytes, CONF_FILE_MAX + 1 - *bytes);
		if (got < 0)
			return -errno;
		*bytes += (size_t)got;
	}
	return *bytes > CONF_FILE_MAX ? -EFBIG : 0;
}

int
conf_load(const char *file, struct conf **conf,
	struct conf_problems *problems)
{
	/* A FIFO without a writer must not hang the start. */
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *data = NULL;
	size_t bytes = 0;
	int rc = fd < 0 ? -errno : read_file(fd, &data, &bytes);

	*conf = NULL;
	if (fd >= 0)
		close(fd);
	if (rc == 0)
		rc = conf_parse(data, bytes, conf, problems);
	else
		conf_problems_add(
			problems, 0, "can't be read: %s", strerror(-rc));
	if (data)
		explicit_bzero(data, bytes);
	free(data);
	return rc;
}

/* ---- dump ------------------------------------------------------------ */

static void
dump_time(FILE *out, const char *key, uint64_t ns)
{
	if (ns == RPORT_OFF_NS)
		fprintf(out, "%s = off\n", key);
	else if (ns % CLOCK_NS_PER_SEC)
		fprintf(out, "%s = %llums\n", key,
			(unsigned long long)(ns / CLOCK_NS_PER_MSEC));
	else
		fprintf(out, "%s = %llus\n", key,
			(unsigned long long)(ns / CLOCK_NS_PER_SEC));
}

static void
dump_pairs(FILE *out, const struct rport_attr *attr)
{
	for (unsigned int i = 0; i < attr->nr_pairs; i++)
		fprintf(out, "%s = \"%s\"\n", attr->pairs[i].key,
			attr->pairs[i].value);
}

static void
dump_target(FILE *out, const struct rport_attr *attr)
{
	char url[CONF_LINE_MAX + 8];

	fprintf(out, "\n[target %s]\n", attr->name);
	for (unsigned int i = 0; i < attr->nr_urls; i++) {
		redact_url(attr->urls[i], url, sizeof(url));
		if (i)
			fprintf(out, "url%u = \"%s\"\n", i + 1, url);
		else
			fprintf(out, "url = \"%s\"\n", url);
	}
	fprintf(out, "required = %s\n", attr->required ? "yes" : "no");
	fprintf(out, "autologin = %s\n", attr->autologin ? "yes" : "no");
	dump_time(out, "reconnect_delay", attr->reconnect_delay_ns);
	dump_time(out, "fast_io_fail_tmo", attr->fast_io_fail_ns);
	dump_time(out, "dev_loss_tmo", attr->dev_loss_ns);
	dump_time(out, "probe_interval",
		attr->probe_ns ? attr->probe_ns : RPORT_OFF_NS);
	dump_pairs(out, attr);
}

void
conf_dump(const struct conf *conf, FILE *out)
{
	fprintf(out, "[srpd]\nsocket = \"%s\"\n", conf->socket);
	if (*conf->group)
		fprintf(out, "group = %s\n", conf->group);
	dump_time(out, "start_timeout", conf->start_timeout_ns);
	dump_time(out, "stop_timeout", conf->stop_timeout_ns);
	fprintf(out, "log = %s\n", logging_names[conf->log]);
	fprintf(out, "log_level = %s\n", log_level_name(conf->log_level));
	fprintf(out, "metrics = \"%s\"\n",
		*conf->metrics ? conf->metrics : "off");
	dump_pairs(out, conf->defaults);
	for (unsigned int i = 0; i < conf->nr_targets; i++)
		dump_target(out, conf->targets[i]);
}
