/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpd.ini as a structure; srpd.ini(5) describes the file.
 *
 *	file ──> conf_check (lines) ──> iniparser ──> conf_keys (values)
 *	                                                     │
 *	         conf ── targets[] ── rport_attr <─────────┘
 *
 * A configuration is either sound as a whole or not there: every problem
 * found on the way is reported.
 */
#ifndef SRPD_CONF_H
#define SRPD_CONF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/un.h>

#include "srpd/conf_problems.h"
#include "srpd/logging.h"
#include "srpd/rport_attr.h"
#include "util/log.h"

#define CONF_PATH_BYTES sizeof(((struct sockaddr_un *)0)->sun_path)
#define CONF_GROUP_BYTES 64
#define CONF_METRICS_BYTES 128
#define CONF_FILE_MAX (1 << 20)

struct conf {
	char socket[CONF_PATH_BYTES];
	char group[CONF_GROUP_BYTES]; /* "": root and srpd's own user alone */
	char metrics[CONF_METRICS_BYTES]; /* "": off; ADDR:PORT or a path */
	uint64_t stop_timeout_ns, start_timeout_ns;
	enum logging_target log;
	enum log_level log_level;
	/* What the file sets for all targets, and for no target alone. */
	struct rport_attr *defaults;
	struct rport_attr **targets; /* in the file's order */
	unsigned int nr_targets;
};

/*
 * Reads and judges @file. 0; -EINVAL: @problems has what is wrong; another
 * -errno: it can't be read, and the problem says so. @problems is zeroed at
 * first and is the caller's to end.
 */
int conf_load(const char *file, struct conf **conf,
	struct conf_problems *problems);
/* The same of bytes that are in memory already. */
int conf_parse(const char *data, size_t bytes, struct conf **conf,
	struct conf_problems *problems);
void conf_destroy(struct conf *conf);

/* As an ini file that says the same, passwords left out. */
void conf_dump(const struct conf *conf, FILE *out);

#endif /* SRPD_CONF_H */
