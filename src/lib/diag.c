/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Where the library's own lines go. */
#include <pthread.h>

#include <srpi/srpi.h>

#include "util/compiler.h"
#include "util/log.h"

/* Written with no sink set, or read by the sink, under util/log's lock. */
static srpi_log_fn user_fn;
static void *user_arg;

static void
to_user(void *arg, enum log_level level, const char *component,
	const char *line)
{
	(void)arg;
	user_fn(user_arg, (int)level, component, line);
}

void
srpi_log_set(srpi_log_fn fn, void *arg, int level)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	log_set_sink(NULL, NULL);
	user_fn = fn;
	user_arg = arg;
	if (fn)
		log_set_sink(to_user, NULL);
	level = fn ? level : LOG_LEVEL_INFO;
	log_set_level((enum log_level)max(
		(int)LOG_LEVEL_ERROR, min(level, (int)LOG_LEVEL_DEBUG)));
	pthread_mutex_unlock(&lock);
}
