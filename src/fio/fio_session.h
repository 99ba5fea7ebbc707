/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sessions of this process, one for each target and set of keys, shared by
 * its jobs. An entry stays when its session has closed: it knows the size.
 */
#ifndef FIO_FIO_SESSION_H
#define FIO_FIO_SESSION_H

#include <stddef.h>

#include <srpi/srpi.h>

struct fio_opts;

/* Fixed while somebody holds a reference: readers need no lock. */
struct fio_session {
	struct srpi_session *srpi;
	struct srpi_lun *lun;
	struct srpi_lun_info info; /* of lun */
	struct srpi_session_info about;
	struct srpi_stats begin; /* when it had been opened: the login's own */
};

/*
 * Opens the session, or waits until another job has and takes a reference.
 * Errors as srpi_open(), srpi_lun_open().
 */
int fio_session_get(const struct fio_opts *opts, struct fio_session **session,
	char *reason, size_t n);

/*
 * The last reference closes the session, and with it queues and memory that
 * nobody has freed.
 */
void fio_session_put(struct fio_session *session);

/* A session that nobody shares and srpi_close() ends. Errors as above. */
int fio_session_open(const struct fio_opts *opts, struct fio_session *session,
	char *reason, size_t n);

/*
 * The LUN's size, for the main process. A process of its own logs in for it:
 * the RDMA libraries keep a device open once they have used it, and a job
 * that is forked from there could not use it (its kernel file is bound to
 * the credentials and the memory of who opened it).
 */
int fio_session_size(const struct fio_opts *opts, uint64_t *bytes,
	char *reason, size_t n);

#endif /* FIO_FIO_SESSION_H */
