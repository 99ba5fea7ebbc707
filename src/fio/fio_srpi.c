/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fio's table of operations, the one symbol that this module exports. */
#include "fio/fio_srpi.h"

#include <stdarg.h>

#include "fio/fio_io.h"
#include "fio/fio_job.h"
#include "fio/fio_mem.h"
#include "fio/fio_opts.h"
#include "fio/fio_stop.h"

/* A LUN is there before and after: nothing to open, close or create. */
static int
no_file(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	(void)file;
	return 0;
}

/*
 * No offload: fio's start_worker() sets a worker's flags to SW_F_IDLE after
 * pthread_create(), and with that undoes the SW_F_RUNNING of a worker that was
 * quicker, for which workqueue_init() waits for ever, whatever the engine.
 */
struct ioengine_ops ioengine __attribute__((visibility("default"))) = {
	.name = "srpi",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_RAWIO | FIO_NOEXTEND | FIO_NODISKUTIL | FIO_MEMALIGN |
		FIO_DISKLESSIO | FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD,
	.setup = fio_job_setup,
	.init = fio_job_init,
	.post_init = fio_mem_register,
	.queue = fio_io_queue,
	.commit = fio_io_commit,
	.getevents = fio_io_getevents,
	.event = fio_io_event,
	.errdetails = fio_job_errdetails,
	.cleanup = fio_job_cleanup,
	.open_file = no_file,
	.close_file = no_file,
	.invalidate = no_file,
	.unlink_file = no_file,
	.terminate = fio_stop_on_terminate,
	.iomem_alloc = fio_mem_alloc,
	.iomem_free = fio_mem_free,
	.io_u_init = fio_job_io_u_init,
	.io_u_free = fio_job_io_u_free,
	.option_struct_size = sizeof(struct fio_opts),
};

struct ioengine_ops *
fio_srpi_ops_without_memory(void)
{
	static struct ioengine_ops ops;

	/* any job writes the same values: dlhandle is set by now */
	ops = ioengine;
	ops.iomem_alloc = NULL;
	ops.iomem_free = NULL;
	return &ops;
}

void
fio_srpi_say(const struct thread_data *td, const char *format, ...)
{
	const char *job = td && td->o.name ? td->o.name : "fio";
	char text[FIO_REASON_BYTES + 256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* log_err() also writes to the file of --output, which may be JSON */
	if (is_backend)
		log_err("srpi: %s: %s\n", job, text);
	else
		fprintf(stderr, "srpi: %s: %s\n", job, text);
}

/* td_verror() would put file and line of this one into the report. */
int
fio_srpi_fail(struct thread_data *td, int error, const char *reason)
{
	fio_srpi_say(td, "%s", reason);
	if (!td->error) {
		td->error = -error;
		snprintf(td->verror, sizeof(td->verror), "%.*s",
			(int)sizeof(td->verror) - 1, reason);
	}
	return -error;
}

/*
 * fio compares FIO_IOOPS_VERSION alone, and its answer is a number; releases
 * with the same number may still lay out their structures differently.
 */
__attribute__((constructor)) static void
check_fio(void)
{
	extern const char fio_version_string[] __attribute__((weak));

	ioengine.options = fio_opts_table();
	if (!fio_version_string ||
		strcmp(fio_version_string, FIO_BUILT_FOR) == 0)
		return;
	fprintf(stderr,
		"srpi: this is %s, and the engine was built for %s: build it "
		"for this fio, with configure --with-fio=\"$(scripts/fio-source)\"\n",
		fio_version_string, FIO_BUILT_FOR);
	ioengine.version = -1; /* fio refuses it */
}
