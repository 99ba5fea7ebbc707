/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Runs a program and takes what it writes. No shell; a process group of its
 * own, so that a Ctrl-C at the terminal does not reach it, and all that it
 * has started ends with it.
 */
#ifndef SRPMATRIX_CHILD_H
#define SRPMATRIX_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#define SRPMATRIX_CHILD_OUT_BYTES ((size_t)16 << 20)
#define SRPMATRIX_CHILD_ERR_BYTES ((size_t)16 << 10)

struct srpmatrix_text {
	char *text; /* of nr_bytes and a NUL; what came after that is lost */
	size_t nr_bytes;
	size_t max_bytes;
};

struct srpmatrix_child {
	struct srpmatrix_text out;
	struct srpmatrix_text err;
	int status; /* as of waitpid() */
	struct rusage usage; /* its and its children's */
	/* why it was killed, if it was */
	bool is_late;
	bool is_stopped;
};

/*
 * Runs @args (args[0] is looked for in PATH where it has no slash) in the
 * folder @dir, until it ends, @timeout_ns is over or @stop is set; then it is
 * killed. 0 once it has run, however it ended, or -errno when it could not be
 * started. The caller frees it with srpmatrix_child_fini() in any case.
 */
int srpmatrix_child_run(struct srpmatrix_child *child, char *const *args,
	const char *dir, uint64_t timeout_ns,
	const volatile sig_atomic_t *stop);
void srpmatrix_child_fini(struct srpmatrix_child *child);

#endif /* SRPMATRIX_CHILD_H */
