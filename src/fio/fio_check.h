/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a job asks for, against what its LUN can do. */
#ifndef FIO_FIO_CHECK_H
#define FIO_FIO_CHECK_H

#include <stddef.h>

struct srpi_lun_info;
struct thread_data;

/* 0, or -EINVAL, -EROFS, -EOPNOTSUPP with one sentence. */
int fio_check_job(const struct thread_data *td,
	const struct srpi_lun_info *info, char *reason, size_t n);

#endif /* FIO_FIO_CHECK_H */
