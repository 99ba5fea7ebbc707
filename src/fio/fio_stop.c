/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_stop.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "fio/fio_job.h"
#include "fio/fio_mem.h"
#include "fio/fio_srpi.h"

#define SLICE_NS 100000000LL
#define PATIENCE_NS 1000000000LL

/* A flag a job, by thread_number; shared with jobs that are processes. */
static atomic_bool *stops;

void
fio_stop_init(void)
{
	void *shared;

	if (stops)
		return;
	shared = mmap(NULL, REAL_MAX_JOBS * sizeof(*stops),
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared != MAP_FAILED)
		stops = shared;
}

/* fio counts jobs from 1. */
static atomic_bool *
stop_of(const struct thread_data *td)
{
	unsigned int number = (unsigned int)td->thread_number;

	return stops && number - 1 < REAL_MAX_JOBS ? &stops[number - 1] : NULL;
}

void
fio_stop_on_terminate(struct thread_data *td)
{
	atomic_bool *stop = stop_of(td);

	if (stop)
		atomic_store(stop, true);
}

static bool
is_told_to_stop(const struct thread_data *td)
{
	atomic_bool *stop = stop_of(td);

	return stop && atomic_load(stop);
}

static int64_t
clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int
give_up(struct thread_data *td, struct fio_job *job)
{
	fio_srpi_say(td,
		"interrupted: %u commands have had no answer for a second and "
		"are left behind", job->nr_sent);
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
	return -EINTR;
}

static int64_t
slice_until(int64_t now, int64_t deadline)
{
	return deadline - now < SLICE_NS ? deadline - now : SLICE_NS;
}

int
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
		if (!is_told_to_stop(td))
			continue;
		if (nr)
			break;
		if (!patience)
			patience = now + PATIENCE_NS;
		else if (now >= patience)
			return give_up(td, job);
	}
	return (int)nr;
}

int
fio_stop_cancel(struct thread_data *td, struct io_u *io_u)
{
	struct fio_job *job = fio_job_of(td);

	(void)io_u;
	return job->has_given_up ? 0 : EBUSY;
}
