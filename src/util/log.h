/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Diagnostics: one line each, "component: sentence", to stderr or a sink.
 *
 * Every call site has a limit, so that a fault that repeats at the rate of I/O
 * cannot flood anything: the same text at most once a second, and at most
 * LOG_BURST different texts a second. What was left out is told in the next
 * line of that site, or by log_flush(), as "(repeated N times)".
 *
 * Any thread may log. A lock is taken: never from the I/O path.
 */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include <stdint.h>

#include "util/compiler.h"

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARN,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

#define LOG_BURST 16

/* State of one call site; static, so zero at first. Guarded by log.c's lock. */
struct log_site {
	struct log_site *next; /* sites that have left something out */
	const char *component;
	enum log_level level;
	uint32_t is_listed;
	uint32_t nr_burst;     /* lines printed since window_ns */
	uint32_t nr_repeated;  /* lines left out since the last one printed */
	uint64_t window_ns;
	uint64_t printed_ns;
	uint64_t text_hash; /* of the line printed last */
};

/* @line has no newline. Called with the lock held: it must not log. */
typedef void (*log_sink_fn)(void *arg, enum log_level level,
	const char *component, const char *line);

/* Lines above @level cost one load and a branch. Default: LOG_LEVEL_INFO. */
void log_set_level(enum log_level level);
enum log_level log_get_level(void);
/* NULL brings back stderr. */
void log_set_sink(log_sink_fn fn, void *arg);
/* Tell of everything left out so far; for the end of a program. */
void log_flush(void);

const char *log_level_name(enum log_level level);
/* The level of that name, or -EINVAL. */
int log_level_parse(const char *name);

void log_write(struct log_site *site, enum log_level level,
	const char *component, const char *format, ...) __printf(4, 5);

extern int log_level_now; /* read by log_at() only */

#define log_at(level, component, ...)                                          \
	do {                                                                   \
		static struct log_site log_site_;                              \
		if ((int)(level) <=                                            \
			__atomic_load_n(&log_level_now, __ATOMIC_RELAXED))     \
			log_write(&log_site_, (level), (component),            \
				__VA_ARGS__);                                  \
	} while (0)

#define log_error(component, ...)                                              \
	log_at(LOG_LEVEL_ERROR, component, __VA_ARGS__)
#define log_warn(component, ...) log_at(LOG_LEVEL_WARN, component, __VA_ARGS__)
#define log_info(component, ...) log_at(LOG_LEVEL_INFO, component, __VA_ARGS__)
#define log_debug(component, ...)                                              \
	log_at(LOG_LEVEL_DEBUG, component, __VA_ARGS__)

#endif /* UTIL_LOG_H */
