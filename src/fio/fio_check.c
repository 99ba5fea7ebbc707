/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_check.h"

#include <errno.h>
#include <stdio.h>

#include <fio.h>
#include <srpi/srpi.h>

static int
check_multiple(const char *option, unsigned long long bytes,
	const struct srpi_lun_info *info, char *reason, size_t n)
{
	if (bytes % info->block_bytes == 0)
		return 0;
	snprintf(reason, n,
		"%s=%llu is not a multiple of the block of LUN %llu, %u bytes",
		option, bytes, (unsigned long long)info->number,
		info->block_bytes);
	return -EINVAL;
}

static int
check_sizes(const struct thread_data *td, enum fio_ddir ddir,
	const struct srpi_lun_info *info, char *reason, size_t n)
{
	const struct thread_options *o = &td->o;
	int rc = check_multiple("bs", o->min_bs[ddir], info, reason, n);

	if (rc == 0)
		rc = check_multiple("bs", o->max_bs[ddir], info, reason, n);
	if (rc == 0)
		rc = check_multiple("blockalign", o->ba[ddir], info, reason, n);
	return rc;
}

static int
check_trim(const struct thread_data *td, const struct srpi_lun_info *info,
	char *reason, size_t n)
{
	unsigned long long bytes =
		(unsigned long long)info->max_unmap_blocks * info->block_bytes;

	if (!(info->flags & SRPI_LUN_UNMAP)) {
		snprintf(reason, n, "LUN %llu has no UNMAP, so it can't trim",
			(unsigned long long)info->number);
		return -EOPNOTSUPP;
	}
	if (!bytes || td->o.max_bs[DDIR_TRIM] <= bytes)
		return 0;
	snprintf(reason, n,
		"bs=%llu is more than one UNMAP of LUN %llu may name, "
		"%llu bytes",
		td->o.max_bs[DDIR_TRIM], (unsigned long long)info->number,
		bytes);
	return -EINVAL;
}

static int
check_write(const struct srpi_lun_info *info, char *reason, size_t n)
{
	if (!(info->flags & SRPI_LUN_READ_ONLY))
		return 0;
	snprintf(reason, n, "LUN %llu is write protected",
		(unsigned long long)info->number);
	return -EROFS;
}

/* fio lets a job go past the end of what has no size on a file system. */
static int
check_range(const struct thread_data *td, const struct srpi_lun_info *info,
	char *reason, size_t n)
{
	const unsigned long long lun_bytes = info->blocks * info->block_bytes;
	const struct fio_file *file = td->files_index ? td->files[0] : NULL;

	if (!file || file->io_size == -1ULL ||
		(file->file_offset <= lun_bytes &&
			file->io_size <= lun_bytes - file->file_offset))
		return 0;
	snprintf(reason, n,
		"offset=%llu and size=%llu reach past the end of LUN %llu, "
		"%llu bytes",
		(unsigned long long)file->file_offset,
		(unsigned long long)file->io_size,
		(unsigned long long)info->number, lun_bytes);
	return -EINVAL;
}

int
fio_check_job(const struct thread_data *td, const struct srpi_lun_info *info,
	char *reason, size_t n)
{
	int rc = check_range(td, info, reason, n);

	if (rc == 0 && td_read(td))
		rc = check_sizes(td, DDIR_READ, info, reason, n);
	if (rc == 0 && td_write(td))
		rc = check_write(info, reason, n);
	if (rc == 0 && td_write(td))
		rc = check_sizes(td, DDIR_WRITE, info, reason, n);
	if (rc == 0 && td_trim(td))
		rc = check_sizes(td, DDIR_TRIM, info, reason, n);
	if (rc == 0 && td_trim(td))
		rc = check_trim(td, info, reason, n);
	if (rc == 0)
		rc = check_multiple("offset", td->o.start_offset, info, reason,
			n);
	return rc;
}
