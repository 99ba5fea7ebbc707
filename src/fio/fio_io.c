/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_io.h"

#include <errno.h>

#include "fio/fio_job.h"
#include "fio/fio_srpi.h"
#include "fio/fio_stop.h"

static inline uint64_t
to_blocks(const struct fio_job *job, uint64_t bytes)
{
	return job->block_shift >= 0 ? bytes >> job->block_shift
				     : bytes / job->block_bytes;
}

static inline bool
is_whole_blocks(const struct fio_job *job, uint64_t bytes)
{
	return job->block_shift >= 0 ? (bytes & (job->block_bytes - 1)) == 0
				     : bytes % job->block_bytes == 0;
}

static int
prep_trim(struct fio_job *job, struct srpi_io *io, const struct io_u *io_u)
{
	const struct srpi_range range = {
		.lba = to_blocks(job, io_u->offset),
		.blocks = (uint32_t)to_blocks(job, io_u->xfer_buflen),
	};

	return srpi_prep_unmap(io, job->lun, &range, 1);
}

/* What is no whole number of blocks is refused here: a job may seek freely. */
static int
prep_data(struct fio_job *job, struct srpi_io *io, const struct io_u *io_u)
{
	const struct iovec iov = { io_u->xfer_buf, io_u->xfer_buflen };
	uint64_t lba = to_blocks(job, io_u->offset);
	uint32_t blocks = (uint32_t)to_blocks(job, io_u->xfer_buflen);

	if (unlikely(!is_whole_blocks(job, io_u->offset) ||
		    !is_whole_blocks(job, io_u->xfer_buflen)))
		return -EINVAL;
	switch (io_u->ddir) {
	case DDIR_READ:
		return srpi_prep_read(io, job->lun, lba, blocks, &iov, 1);
	case DDIR_WRITE:
		return srpi_prep_write(io, job->lun, lba, blocks, &iov, 1);
	case DDIR_TRIM:
		return prep_trim(job, io, io_u);
	default:
		return -EOPNOTSUPP;
	}
}

static inline int
prep(struct fio_job *job, struct srpi_io *io, const struct io_u *io_u)
{
	/* for a sync, fio leaves offset and length as they were */
	if (unlikely(ddir_sync(io_u->ddir)))
		return srpi_prep_flush(io, job->lun);
	return prep_data(job, io, io_u);
}

enum fio_q_status
fio_io_queue(struct thread_data *td, struct io_u *io_u)
{
	struct fio_job *job = fio_job_of(td);
	struct srpi_io *io;
	int rc;

	fio_ro_check(td, io_u);
	if (unlikely(job->has_given_up)) {
		fio_job_refuse(td, io_u, -EINTR);
		return FIO_Q_COMPLETED;
	}
	io = srpi_get(job->queue);
	if (unlikely(!io))
		return FIO_Q_BUSY;
	rc = prep(job, io, io_u);
	if (unlikely(rc)) {
		srpi_put(io);
		fio_job_refuse(td, io_u, rc);
		return FIO_Q_COMPLETED;
	}
	srpi_set_data(io, io_u);
	srpi_queue_io(io);
	job->queued[job->nr_queued++] = io_u;
	return FIO_Q_QUEUED;
}

/*
 * A commit hook that batches has to stamp its I/Os itself, now that they
 * leave: the time on the plug is submission latency, not the target's.
 */
static void
stamp(struct thread_data *td, struct fio_job *job)
{
	struct timespec now;
	unsigned int i;

	fio_gettime(&now, NULL);
	for (i = 0; i < job->nr_queued; i++) {
		job->queued[i]->issue_time = now;
		io_u_queued(td, job->queued[i]);
	}
	if (td->o.read_iolog_file)
		td->last_issue = now;
}

static void
ring(struct thread_data *td, struct fio_job *job)
{
	if (job->wants_times)
		stamp(td, job);
	io_u_mark_submit(td, job->nr_queued);
	job->nr_sent += job->nr_queued;
	job->nr_queued = 0;
	if (likely(!job->has_given_up))
		srpi_submit(job->queue);
}

int
fio_io_commit(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);

	if (job->nr_queued >= job->nr_doorbell)
		ring(td, job);
	return 0;
}

static inline void
reap(struct fio_job *job, struct srpi_io *io, unsigned int event)
{
	const struct srpi_result *result = srpi_result(io);
	struct io_u *io_u = srpi_data(io);

	if (unlikely(result->error || result->residual > 0))
		fio_job_fail(io_u, io);
	job->events[event] = io_u;
	srpi_put(io);
}

int
fio_io_getevents(struct thread_data *td, unsigned int min_ios,
	unsigned int max_ios, const struct timespec *timeout)
{
	struct fio_job *job = fio_job_of(td);
	unsigned int max = max_ios < job->depth ? max_ios : job->depth;
	unsigned int i, nr = 0;

	if (likely(!job->has_given_up))
		nr = (unsigned int)srpi_poll(job->queue, job->ios, max);
	if (nr < min_ios || nr == 0) {
		if (job->nr_queued)
			ring(td, job);
		if (min_ios && likely(!job->has_given_up))
			nr = fio_stop_wait(td, nr, min_ios, max, timeout);
		if (unlikely(job->has_given_up))
			return fio_stop_leave(td, max);
	}
	for (i = 0; i < nr; i++)
		reap(job, job->ios[i], i);
	job->nr_sent -= nr;
	return (int)nr;
}

struct io_u *
fio_io_event(struct thread_data *td, int event)
{
	return fio_job_of(td)->events[event];
}
