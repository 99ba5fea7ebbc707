/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fio's external engine on libsrpi, srpi_fio(7).
 *
 *	process                         thread_data, one a job
 *	  fio_session ... one a target    io_ops_data -> fio_job
 *	    srpi_session  <----------------  session
 *	    srpi_lun                         queue, its own
 *	                                     mem: fio's buffers, registered
 *
 * The main process opens a session only to learn the LUN's size and closes it
 * before fio starts jobs; jobs that are threads then share one, jobs that are
 * processes have one each.
 */
#ifndef FIO_FIO_SRPI_H
#define FIO_FIO_SRPI_H

#include <fio.h>

#define FIO_REASON_BYTES 512

#ifndef unlikely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

/* To stderr, or to the client when this fio is a server; never to stdout. */
void fio_srpi_say(const struct thread_data *td, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The sentence is said and becomes the job's error, unless it has one.
 * Returns -@error, as fio's hooks do.
 */
int fio_srpi_fail(struct thread_data *td, int error, const char *reason);

/*
 * The operations for a job whose buffers fio allocates, by mem=: fio refuses
 * that option to an engine that has an iomem_alloc().
 */
struct ioengine_ops *fio_srpi_ops_without_memory(void);

#endif /* FIO_FIO_SRPI_H */
