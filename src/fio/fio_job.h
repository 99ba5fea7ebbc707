/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One fio job: td->io_ops_data. Its thread alone uses it.
 *
 *	queued[] ----- commit ----> the queue ----- getevents ----> events[]
 *	nr_queued                   nr_sent                 by event() number
 */
#ifndef FIO_FIO_JOB_H
#define FIO_FIO_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include <fio.h>
#include <srpi/srpi.h>

#include "fio/fio_session.h"

struct fio_job {
	/* Read for each I/O. */
	struct srpi_queue *queue;
	struct srpi_lun *lun;
	uint32_t block_bytes;
	int block_shift;	  /* -1: block_bytes is no power of two */
	unsigned int nr_queued;	  /* got a slot since the last doorbell */
	unsigned int nr_sent;	  /* sent, not reaped */
	unsigned int depth;	  /* slots of the queue */
	unsigned int nr_doorbell; /* queued ones that ring at a commit */
	bool wants_times;	  /* fio looks at issue times */
	struct io_u **queued;	  /* the first nr_queued */
	struct io_u **events;	  /* what getevents returned last */
	struct srpi_io **ios;	  /* scratch of getevents */

	struct fio_session *session;
	struct srpi_mem *mem; /* NULL: no data, or given to the session */
	bool has_fio_memory;  /* mem is fio's buffer, registered */
	bool has_given_up;    /* commands are left to the session's end */
	bool has_refused;     /* a command was refused before it was sent */
	uint64_t start_ns;
	struct rusage start; /* of this thread */
};

static inline struct fio_job *
fio_job_of(const struct thread_data *td)
{
	return td->io_ops_data;
}

/* Hooks of fio; they return 0 or a positive errno, and have said why. */
int fio_job_setup(struct thread_data *td);
int fio_job_init(struct thread_data *td);
void fio_job_cleanup(struct thread_data *td);
int fio_job_io_u_init(struct thread_data *td, struct io_u *io_u);
void fio_job_io_u_free(struct thread_data *td, struct io_u *io_u);

/* @io failed, or is short: the error and its sentence go to @io_u. */
void fio_job_fail(struct io_u *io_u, const struct srpi_io *io);
/* @io_u was refused before it was sent, with @error (-errno). */
void fio_job_refuse(struct thread_data *td, struct io_u *io_u, int error);
/* fio prints and frees it. */
char *fio_job_errdetails(struct io_u *io_u);

#endif /* FIO_FIO_JOB_H */
