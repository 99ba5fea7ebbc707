/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waiting, and ending a wait. fio asks a job to end (Ctrl-C, exitall) from
 * its main process, and believes that the job's I/O will soon finish. With a
 * silent target that takes io_timeout: a job that was told to end leaves its
 * commands behind after a second without an answer.
 */
#ifndef FIO_FIO_STOP_H
#define FIO_FIO_STOP_H

#include <time.h>

struct thread_data;

/* fio's hook terminate; in a signal handler, perhaps. */
void fio_stop_on_terminate(struct thread_data *td);

/*
 * Waits for @min of up to @max I/Os, @nr of which are in job->ios already.
 * Returns how many there are, fewer once @timeout (NULL: none) has passed, or
 * when the job has given up.
 */
unsigned int fio_stop_wait(struct thread_data *td, unsigned int nr,
	unsigned int min, unsigned int max, const struct timespec *timeout);

/*
 * Instead of getevents, when the job has given up: up to @max of the I/Os
 * that fio waits for end with EINTR.
 */
int fio_stop_leave(struct thread_data *td, unsigned int max);

#endif /* FIO_FIO_STOP_H */
