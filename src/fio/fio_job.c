/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_job.h"

#include <errno.h>

#include "fio/fio_check.h"
#include "fio/fio_mem.h"
#include "fio/fio_opts.h"
#include "fio/fio_shared.h"
#include "fio/fio_srpi.h"
#include "fio/fio_stats.h"

/* srpi_queue_opts.depth's limit: more of fio's I/Os wait in fio. */
#define MAX_DEPTH 1024

static int
check_options(struct thread_data *td)
{
	const struct fio_opts *opts = td->eo;

	if (td->io_ops->option_struct_size != sizeof(*opts) || !opts)
		return fio_srpi_fail(td, -EPROTO,
			"this fio lays out its structures in another way than "
			"the one that the engine was built for");
	if (!opts->target || !opts->target[0])
		return fio_srpi_fail(td, -EINVAL,
			"target=URL is missing: give the job one, such as "
			"target=demo://ram or target=srp://HOST/?id_ext=...");
	if (td->o.nr_files > 1)
		return fio_srpi_fail(td, -EINVAL,
			"a job works on one LUN: nrfiles= and more than one "
			"filename= have no meaning here");
	return 0;
}

static void
note_filename(const struct thread_data *td)
{
	if (td->o.filename && fio_shared_is_first(FIO_SHARED_NOTE_FILENAME))
		fio_srpi_say(td,
			"filename=%s is not used: target= says where I/O goes",
			td->o.filename);
}

int
fio_job_setup(struct thread_data *td)
{
	char reason[FIO_REASON_BYTES];
	struct fio_file *file;
	unsigned int i;
	uint64_t bytes;
	int rc = check_options(td);

	if (rc)
		return rc;
	fio_shared_init();
	/* a job's operations are also called by the main process, to end it */
	fio_srpi_ops_without_memory();
	note_filename(td);
	rc = fio_session_size(td->eo, &bytes, reason, sizeof(reason));
	if (rc)
		return fio_srpi_fail(td, rc, reason);
	for_each_file(td, file, i) {
		file->filetype = FIO_TYPE_BLOCK;
		file->real_file_size = bytes;
		fio_file_set_size_known(file);
	}
	return 0;
}

static void
note_window(struct thread_data *td, const struct srpi_queue_info *info)
{
	unsigned int window =
		info->window < info->depth ? info->window : info->depth;

	if (td->o.iodepth > window &&
		fio_shared_is_first(FIO_SHARED_NOTE_WINDOW))
		fio_srpi_say(td,
			"iodepth=%u is more than the %u commands that may be "
			"with the target at once: the others wait here",
			td->o.iodepth, window);
}

static int
create_queue(struct thread_data *td, struct fio_job *job, char *reason,
	size_t n)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_queue_info info;
	int rc;

	opts.depth = td->o.iodepth < MAX_DEPTH ? td->o.iodepth : MAX_DEPTH;
	rc = srpi_queue_create(
		job->session->srpi, &opts, &job->queue, reason, n);
	if (rc)
		return rc;
	srpi_queue_info(job->queue, &info);
	job->depth = info.depth;
	note_window(td, &info);
	return 0;
}

static int
create_arrays(struct fio_job *job, char *reason, size_t n)
{
	job->queued = calloc(job->depth, sizeof(*job->queued));
	job->events = calloc(job->depth, sizeof(*job->events));
	job->ios = calloc(job->depth, sizeof(*job->ios));
	if (job->queued && job->events && job->ios)
		return 0;
	snprintf(reason, n, "no memory for a job of depth %u", job->depth);
	return -ENOMEM;
}

static void
set_block(struct fio_job *job)
{
	job->block_bytes = job->session->info.block_bytes;
	job->block_shift = -1;
	if ((job->block_bytes & (job->block_bytes - 1)) == 0)
		job->block_shift = __builtin_ctz(job->block_bytes);
}

/*
 * A job that pauses between I/Os, by rate= or thinktime=, does not call
 * getevents then: a command that waits for it would wait for the pause.
 */
static bool
has_pauses(const struct thread_options *o)
{
	enum fio_ddir ddir;

	for (ddir = DDIR_READ; ddir <= DDIR_TRIM; ddir++)
		if (o->rate[ddir] || o->rate_iops[ddir])
			return true;
	return o->thinktime != 0;
}

static void
set_doorbell(struct thread_data *td, struct fio_job *job)
{
	const struct fio_opts *opts = td->eo;

	job->nr_doorbell = 1;
	if (opts->doorbell == FIO_OPTS_DOORBELL_WAIT && !has_pauses(&td->o))
		job->nr_doorbell = (job->depth + 7) / 8;
	job->wants_times = fio_fill_issue_time(td);
}

static int
job_open(struct thread_data *td, struct fio_job *job, char *reason, size_t n)
{
	int rc = fio_session_get(td->eo, &job->session, reason, n);

	if (rc)
		return rc;
	job->lun = job->session->lun;
	rc = fio_check_job(td, &job->session->info, reason, n);
	if (rc == 0)
		rc = create_queue(td, job, reason, n);
	if (rc == 0)
		rc = create_arrays(job, reason, n);
	if (rc)
		return rc;
	set_block(job);
	set_doorbell(td, job);
	fio_stats_start(td);
	return 0;
}

int
fio_job_init(struct thread_data *td)
{
	char reason[FIO_REASON_BYTES];
	struct fio_job *job;
	int rc = check_options(td);

	if (rc)
		return rc;
	job = calloc(1, sizeof(*job));
	if (!job)
		return fio_srpi_fail(td, -ENOMEM, "no memory for a job");
	td->io_ops_data = job; /* from here on fio_job_cleanup() ends it */
	job->has_fio_memory = fio_mem_is_fios(td);
	if (job->has_fio_memory)
		td->io_ops = fio_srpi_ops_without_memory();
	rc = job_open(td, job, reason, sizeof(reason));
	return rc ? fio_srpi_fail(td, rc, reason) : 0;
}

void
fio_job_cleanup(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);

	if (!job)
		return;
	if (job->queue)
		fio_stats_write_job(td);
	/* given up: the session's end is quicker than the queue's */
	if (!job->has_given_up)
		srpi_queue_destroy(job->queue);
	fio_mem_unregister(job);
	if (job->session)
		fio_session_put(job->session);
	free(job->queued);
	free(job->events);
	free(job->ios);
	free(job);
	td->io_ops_data = NULL;
}

/* By the first of a job's commands that could not be sent: fio says EINVAL. */
void
fio_job_refuse(struct thread_data *td, struct io_u *io_u, int error)
{
	struct fio_job *job = fio_job_of(td);

	io_u->error = (unsigned int)-error;
	if (job->has_refused)
		return;
	job->has_refused = true;
	fio_srpi_say(td,
		"%s of %llu bytes at offset %llu was refused before it was "
		"sent: %s (LUN %llu has %llu blocks of %u bytes)",
		io_ddir_name(io_u->ddir), (unsigned long long)io_u->xfer_buflen,
		(unsigned long long)io_u->offset, strerror(-error),
		(unsigned long long)job->session->info.number,
		(unsigned long long)job->session->info.blocks,
		job->block_bytes);
}

void
fio_job_fail(struct io_u *io_u, const struct srpi_io *io)
{
	const struct srpi_result *result = srpi_result(io);
	char text[FIO_REASON_BYTES];

	if (!result->error) {
		io_u->resid = (unsigned long long)result->residual;
		return;
	}
	io_u->error = (unsigned int)-result->error;
	srpi_explain(io, text, sizeof(text));
	free(io_u->engine_data); /* of an earlier one that nobody asked about */
	io_u->engine_data = strdup(text);
}

int
fio_job_io_u_init(struct thread_data *td, struct io_u *io_u)
{
	(void)td;
	io_u->engine_data = NULL; /* fio's index of it until now */
	return 0;
}

void
fio_job_io_u_free(struct thread_data *td, struct io_u *io_u)
{
	struct fio_job *job = fio_job_of(td);

	free(io_u->engine_data);
	io_u->engine_data = NULL;
	/* fio's buffers go next */
	if (job)
		fio_mem_unregister(job);
}

char *
fio_job_errdetails(struct io_u *io_u)
{
	char *text = io_u->engine_data;

	io_u->engine_data = NULL;
	return text ? text : strdup("no further details");
}
