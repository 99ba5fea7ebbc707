/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What srpd counts and measures, as Prometheus reads it (text format 0.0.4):
 * each family of samples with its help and type, then a sample a target. From
 * snapshots, so that a target that hangs delays nobody.
 */
#ifndef SRPD_METRICS_TEXT_H
#define SRPD_METRICS_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "srpd/ctl_server.h"
#include "srpd/rport.h"

struct metrics_source {
	struct rports *rports;
	const struct ctl_server *ctl; /* or NULL */
	uint64_t started_ns;	      /* on clock_ns() */
};

/* Any thread. 0 or -ENOMEM, with part of it printed. */
int metrics_text_print(const struct metrics_source *source, FILE *out);

/* @text as the value of a label: quotes, backslashes, line ends escaped. */
void metrics_text_label(FILE *out, const char *text);

#endif /* SRPD_METRICS_TEXT_H */
