/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* stats_file=: what fio's own report can not know, a line of JSON a job. */
#ifndef FIO_FIO_STATS_H
#define FIO_FIO_STATS_H

struct thread_data;

/* The job begins to count. */
void fio_stats_start(struct thread_data *td);
/* Its line; the queue is still there. */
void fio_stats_write_job(struct thread_data *td);

#endif /* FIO_FIO_STATS_H */
