/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_mem.h"

#include <errno.h>
#include <string.h>

#include "fio/fio_job.h"
#include "fio/fio_srpi.h"

int
fio_mem_alloc(struct thread_data *td, size_t bytes)
{
	struct fio_job *job = fio_job_of(td);
	char reason[FIO_REASON_BYTES];
	int rc = srpi_buf_alloc(job->session->srpi, bytes, &job->mem, reason,
		sizeof(reason));

	if (rc)
		return fio_srpi_fail(td, rc, reason);
	td->orig_buffer = srpi_mem_addr(job->mem);
	return 0;
}

void
fio_mem_free(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);

	/* given up: the target may still write there, until the session ends */
	if (job && job->mem && !job->has_given_up)
		srpi_mem_free(job->mem);
	if (job)
		job->mem = NULL;
}

int
fio_mem_is_fios(struct thread_data *td)
{
	return fio_option_is_set(&td->o, mem_type);
}

/* What fio has allocated: allocate_io_mem() adds room to align. */
static size_t
allocated_bytes(const struct thread_data *td)
{
	size_t bytes = td->orig_buffer_size + page_mask;

	if (td->o.mem_align > page_size)
		bytes += td->o.mem_align - page_size;
	return bytes;
}

int
fio_mem_register(struct thread_data *td)
{
	struct fio_job *job = fio_job_of(td);
	char reason[FIO_REASON_BYTES];
	int rc;

	if (!job->has_fio_memory || !td->orig_buffer)
		return 0;
	rc = srpi_mem_register(job->session->srpi, td->orig_buffer,
		allocated_bytes(td), &job->mem, reason, sizeof(reason));
	return rc ? fio_srpi_fail(td, rc, reason) : 0;
}

void
fio_mem_unregister(struct fio_job *job)
{
	if (job->has_fio_memory && job->mem && !job->has_given_up) {
		srpi_mem_free(job->mem);
		job->mem = NULL;
	}
}
