/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/clock.h"

#define LOG_LINE_BYTES 1024

int log_level_now = LOG_LEVEL_INFO;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* All that follows is guarded by the lock. */
static log_sink_fn sink;
static void *sink_arg;
static struct log_site *listed;

static const char *const level_names[] = {
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_WARN] = "warning",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
};

const char *
log_level_name(enum log_level level)
{
	return level_names[level];
}

int
log_level_parse(const char *name)
{
	int i;

	for (i = LOG_LEVEL_ERROR; i <= LOG_LEVEL_DEBUG; i++)
		if (strcmp(name, level_names[i]) == 0)
			return i;
	return strcmp(name, "warn") == 0 ? LOG_LEVEL_WARN : -EINVAL;
}

void
log_set_level(enum log_level level)
{
	__atomic_store_n(&log_level_now, (int)level, __ATOMIC_RELAXED);
}

enum log_level
log_get_level(void)
{
	return (enum log_level)__atomic_load_n(
		&log_level_now, __ATOMIC_RELAXED);
}

void
log_set_sink(log_sink_fn fn, void *arg)
{
	pthread_mutex_lock(&lock);
	sink = fn;
	sink_arg = arg;
	pthread_mutex_unlock(&lock);
}

static uint64_t
hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) *
			UINT64_C(0x100000001b3);
	return hash;
}

/* A peer's text may hold anything: keep it one line and printable. */
static void
make_printable(char *line)
{
	for (; *line; line++)
		if ((unsigned char)*line < 0x20 || *line == 0x7f)
			*line = ' ';
}

static void
emit(const struct log_site *site, const char *line)
{
	if (sink)
		sink(sink_arg, site->level, site->component, line);
	else if (site->level <= LOG_LEVEL_WARN)
		fprintf(stderr, "%s: %s: %s\n", site->component,
			level_names[site->level], line);
	else
		fprintf(stderr, "%s: %s\n", site->component, line);
}

/* Whether this line may be printed now; if not it has been counted. */
static int
admit(struct log_site *site, uint64_t now, uint64_t hash)
{
	if (now - site->window_ns >= CLOCK_NS_PER_SEC) {
		site->window_ns = now;
		site->nr_burst = 0;
	}
	if (site->printed_ns && hash == site->text_hash &&
		now - site->printed_ns < CLOCK_NS_PER_SEC)
		goto left_out;
	if (site->nr_burst >= LOG_BURST)
		goto left_out;
	site->nr_burst++;
	site->printed_ns = now;
	site->text_hash = hash;
	return 1;

left_out:
	site->nr_repeated++;
	if (!site->is_listed) {
		site->is_listed = 1;
		site->next = listed;
		listed = site;
	}
	return 0;
}

static void
append_repeated(struct log_site *site, char *line, size_t n)
{
	size_t len = strlen(line);

	if (!site->nr_repeated)
		return;
	snprintf(line + len, n - len, " (repeated %u times)",
		site->nr_repeated);
	site->nr_repeated = 0;
}

void
log_write(struct log_site *site, enum log_level level, const char *component,
	const char *format, ...)
{
	char line[LOG_LINE_BYTES];
	uint64_t hash;
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line) - 32, format, ap);
	va_end(ap);
	make_printable(line);
	hash = hash_text(line);

	pthread_mutex_lock(&lock);
	site->level = level;
	site->component = component;
	if (admit(site, clock_ns(), hash)) {
		append_repeated(site, line, sizeof(line));
		emit(site, line);
	}
	pthread_mutex_unlock(&lock);
}

void
log_flush(void)
{
	struct log_site *site;
	char line[64];

	pthread_mutex_lock(&lock);
	while ((site = listed) != NULL) {
		listed = site->next;
		site->is_listed = 0;
		if (!site->nr_repeated)
			continue;
		snprintf(line, sizeof(line), "last message repeated %u times",
			site->nr_repeated);
		site->nr_repeated = 0;
		emit(site, line);
	}
	pthread_mutex_unlock(&lock);
}
