/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/stdfd.h"

void
stdfd_guard(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* What goes to a standard output that nobody gave is lost, and
		 * stdfd_finish() says so. The lowest free number: this one. */
		if (open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) != fd)
			abort();
	}
}

int
stdfd_finish(void)
{
	if (fflush(stdout))
		return -errno;
	/* an earlier write failed and its errno is gone */
	return ferror(stdout) ? -EIO : 0;
}

int
stdfd_finish_or_say(const char *program)
{
	int rc = stdfd_finish();

	if (rc)
		fprintf(stderr, "%s: writing to standard output: %s\n", program,
			strerror(-rc));
	return rc;
}
