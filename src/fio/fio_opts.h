/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The engine's options: target=, its own, and every key of srpi_keys(). */
#ifndef FIO_FIO_OPTS_H
#define FIO_FIO_OPTS_H

#include <stddef.h>

#define FIO_OPTS_MAX_KEYS 96

struct fio_option;
struct srpi_session;

enum fio_opts_doorbell {
	FIO_OPTS_DOORBELL_NOW,  /* when fio commits */
	FIO_OPTS_DOORBELL_WAIT, /* when fio waits, or an eighth of iodepth */
};

/* What fio fills in; it takes an offset of 0 for "no offset". */
struct fio_opts {
	void *pad;
	char *target;
	char *stats_file;
	unsigned int doorbell; /* enum fio_opts_doorbell */
	char *keys[FIO_OPTS_MAX_KEYS]; /* by index in srpi_keys(), or NULL */
};

/* fio's table of them, made once; ends with a nameless row. */
struct fio_option *fio_opts_table(void);

/*
 * Target and keys as one text, which tells two sessions apart; the caller
 * frees it. NULL: no memory.
 */
char *fio_opts_identity(const struct fio_opts *opts);

/* As srpi_open(), with the options given. */
int fio_opts_open(const struct fio_opts *opts, struct srpi_session **session,
	char *reason, size_t n);

#endif /* FIO_FIO_OPTS_H */
