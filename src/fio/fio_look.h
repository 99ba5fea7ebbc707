/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A look at a LUN by a process of its own, which logs in, answers through a
 * pipe and ends: see fio_session_size() for why.
 */
#ifndef FIO_FIO_LOOK_H
#define FIO_FIO_LOOK_H

#include <stdint.h>

#include "fio/fio_srpi.h"

struct fio_opts;

/* The answer of the process that has looked. */
struct fio_look {
	int rc; /* as fio_session_get() */
	uint64_t bytes;
	char reason[FIO_REASON_BYTES];
};

/* 0 once there is an answer, or -ECHILD, or as pipe(2) or fork(2). */
int fio_look_ask(const struct fio_opts *opts, struct fio_look *look);

#endif /* FIO_FIO_LOOK_H */
