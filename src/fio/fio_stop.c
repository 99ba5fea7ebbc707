/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_stop.h"

#include <errno.h>

#include "fio/fio_job.h"
#include "fio/fio_mem.h"
#include "fio/fio_shared.h"
#include "fio/fio_srpi.h"

#define SLICE_NS 100000000LL
#define PATIENCE_NS 1000000000LL

void
fio_stop_on_terminate(struct thread_data *td)
{
	fio_shared_set_stop(td);
}

static int64_t
clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void
give_up(struct thread_data *td, struct fio_job *job)
{
	char reason[FIO_REASON_BYTES];

	snprintf(reason, sizeof(reason),
		"interrupted: %u commands have had no answer for a second and "
		"are left behind", job->nr_sent);
	fio_srpi_fail(td, -EINTR, reason);
	/*
	 * The target may still write to buffers of fio's, which goes on to
	 * free them; those of the library's stay until the session ends.
	 */
	if (job->has_fio_memory) {
		srpi_queue_destroy(job->queue);
		job->queue = NULL;
		fio_mem_unregister(job);
	}
	job->has_given_up = true;
}

static int64_t
slice_until(int64_t now, int64_t deadline)
{
	return deadline - now < SLICE_NS ? deadline - now : SLICE_NS;
}

unsigned int
fio_stop_wait(struct thread_data *td, unsigned int nr, unsigned int min_ios,
	unsigned int max_ios, const struct timespec *timeout)
{
	struct fio_job *job = fio_job_of(td);
	int64_t deadline = INT64_MAX, patience = 0, now = 0;

	if (timeout) {
		now = clock_now_ns();
		deadline = now + timeout->tv_sec * 1000000000LL +
			timeout->tv_nsec;
	}
	while (nr < min_ios && nr < job->nr_sent && now < deadline) {
		nr += (unsigned int)srpi_wait(job->queue, job->ios + nr,
			min_ios - nr, max_ios - nr,
			slice_until(now, deadline));
		if (nr >= min_ios)
			break;
		now = clock_now_ns();
		if (!fio_shared_is_stop_set(td))
			continue;
		if (nr)
			break;
		if (!patience)
			patience = now + PATIENCE_NS;
		else if (now >= patience) {
			give_up(td, job);
			break;
		}
	}
	return nr;
}

/* fio waits for all that is in flight, whatever getevents says before. */
int
fio_stop_leave(struct thread_data *td, unsigned int max_ios)
{
	struct fio_job *job = fio_job_of(td);
	struct io_u *io_u;
	unsigned int nr = 0;
	unsigned int i;

	io_u_qiter(&td->io_u_all, io_u, i) {
		if (nr == max_ios)
			break;
		if (!(io_u->flags & IO_U_F_FLIGHT))
			continue;
		io_u->error = EINTR;
		free(io_u->engine_data);
		io_u->engine_data = strdup("interrupted, and left behind "
					   "without an answer");
		job->events[nr++] = io_u;
	}
	return (int)nr;
}
