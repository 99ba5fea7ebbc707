/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A job's buffers. Unless the user asks for memory of fio's (mem=), they are
 * the library's: hugepages where there are any, registered from the start.
 */
#ifndef FIO_FIO_MEM_H
#define FIO_FIO_MEM_H

#include <stddef.h>

struct fio_job;
struct thread_data;

/* fio's hooks iomem_alloc, iomem_free: 0 or a positive errno. */
int fio_mem_alloc(struct thread_data *td, size_t bytes);
void fio_mem_free(struct thread_data *td);

/* Does the job bring memory of fio's, by mem=? */
int fio_mem_is_fios(struct thread_data *td);
/* Registers it, when fio has allocated it: the hook post_init. */
int fio_mem_register(struct thread_data *td);
/* Before fio frees it; may be called again. */
void fio_mem_unregister(struct fio_job *job);

#endif /* FIO_FIO_MEM_H */
