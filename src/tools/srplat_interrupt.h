/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SIGINT and SIGTERM. Until the first I/O there is nothing to report, and the
 * program may be waiting for a target that does not answer: it ends at once,
 * with the sentence (and the JSON object) that were made before. After that
 * the run sees the flag, stops and reports; the second signal ends it.
 */
#ifndef SRPLAT_INTERRUPT_H
#define SRPLAT_INTERRUPT_H

#include <signal.h>

#include "tools/srplat_opts.h"

/* The number of the signal that came; 0: none. */
extern volatile sig_atomic_t srplat_interrupt;

/* Catches the signals; 0 or -errno. */
int srplat_interrupt_init(const struct srplat_opts *opts);
/* There are results from here on. */
void srplat_interrupt_begin(void);
/* Ends the program as the signal would have, so that the shell sees it. */
void srplat_interrupt_end(void);

#endif /* SRPLAT_INTERRUPT_H */
