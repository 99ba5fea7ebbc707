/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where srpd's lines go, and the library's with them. Lines that repeat are
 * counted instead of written: util/log.
 */
#ifndef SRPD_LOGGING_H
#define SRPD_LOGGING_H

#include <stdbool.h>

#include "util/log.h"

enum logging_target {
	LOGGING_STDERR, /* with the journal's <N>, if it is the reader */
	LOGGING_SYSLOG,
	LOGGING_JOURNAL, /* its own protocol, through libsystemd */
};

/* By enum logging_target, NULL at the end. */
extern const char *const logging_names[];
bool logging_has(enum logging_target target);

/* From now on; may be called again. The main thread. */
void logging_set(enum logging_target target, enum log_level level);
void logging_set_level(enum log_level level);

#endif /* SRPD_LOGGING_H */
