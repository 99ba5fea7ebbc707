/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What fio calls for each I/O, by the job's thread. */
#ifndef FIO_FIO_IO_H
#define FIO_FIO_IO_H

#include <fio.h>

enum fio_q_status fio_io_queue(struct thread_data *td, struct io_u *io_u);
int fio_io_commit(struct thread_data *td);
int fio_io_getevents(struct thread_data *td, unsigned int min_ios,
	unsigned int max_ios, const struct timespec *timeout);
struct io_u *fio_io_event(struct thread_data *td, int event);

#endif /* FIO_FIO_IO_H */
