/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The file descriptor of an event queue: an eventfd that is readable while the
 * queue is not empty. It is set and cleared under the queue's lock only, so
 * that it never says more than the queue holds, however many threads wait.
 */
#ifndef SOFTRDMA_SOFT_FD_H
#define SOFTRDMA_SOFT_FD_H

#include <sys/eventfd.h>

static inline int
soft_fd_open(void)
{
	return eventfd(0, EFD_CLOEXEC);
}

/* The queue was empty and is no more. */
static inline void
soft_fd_set(int fd)
{
	eventfd_write(fd, 1);
}

/* The queue is empty from now on. */
static inline void
soft_fd_clear(int fd)
{
	eventfd_t count;

	eventfd_read(fd, &count);
}

/*
 * Wait, without any lock, until it may be worth looking again. -1 and errno:
 * EAGAIN if the consumer has set O_NONBLOCK, or EINTR.
 */
int soft_fd_wait(int fd);

#endif /* SOFTRDMA_SOFT_FD_H */
