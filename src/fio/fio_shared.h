/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A page that the main process shares with its jobs, threads or processes:
 * made before they are, and never unmapped.
 */
#ifndef FIO_FIO_SHARED_H
#define FIO_FIO_SHARED_H

#include <stdbool.h>

struct thread_data;

/* What is said once, however many jobs it is true of. */
enum fio_shared_note {
	FIO_SHARED_NOTE_FILENAME,
	FIO_SHARED_NOTE_WINDOW,
	FIO_SHARED_NR_NOTES
};

/* In the main process, for each job; made by the first. */
void fio_shared_init(void);

/* True for the first who asks. */
bool fio_shared_is_first(enum fio_shared_note note);

/* Each job has a flag: it was told to end. Safe in a signal handler. */
void fio_shared_set_stop(const struct thread_data *td);
bool fio_shared_is_stop_set(const struct thread_data *td);

#endif /* FIO_FIO_SHARED_H */
