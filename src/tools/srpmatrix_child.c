/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/compiler.h"

/* How long a stop flag may go unseen: a signal may come before poll(). */
#define LOOK_MS 100
#define READ_BYTES 65536

extern char **environ;

/* Keeps up to max_bytes; the rest is read too, so that nobody blocks on it. */
static int
text_add(struct srpmatrix_text *text, const char *from, size_t nr)
{
	char *grown;

	nr = min(nr, text->max_bytes - text->nr_bytes);
	grown = realloc(text->text, text->nr_bytes + nr + 1);
	if (!grown)
		return -ENOMEM;
	text->text = grown;
	memcpy(text->text + text->nr_bytes, from, nr);
	text->nr_bytes += nr;
	text->text[text->nr_bytes] = '\0';
	return 0;
}

/* Takes what is there; the descriptor becomes -1 at its end. */
static int
take(struct pollfd *fd, struct srpmatrix_text *text)
{
	char buf[READ_BYTES];
	ssize_t nr;

	if (!fd->revents)
		return 0;
	nr = read(fd->fd, buf, sizeof(buf));
	if (nr > 0)
		return text_add(text, buf, (size_t)nr);
	if (nr < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	fd->fd = -1;
	return 0;
}

/* Is there a reason to end the child? */
static bool
is_over(struct srpmatrix_child *child, uint64_t deadline_ns,
	const volatile sig_atomic_t *stop)
{
	child->is_stopped = stop && *stop;
	child->is_late = clock_ns() >= deadline_ns;
	return child->is_stopped || child->is_late;
}

/* Both ends closed, or a reason to end the child. */
static int
collect(struct srpmatrix_child *child, int out, int err, uint64_t deadline_ns,
	const volatile sig_atomic_t *stop)
{
	struct pollfd fds[] = {
		{ .fd = out, .events = POLLIN },
		{ .fd = err, .events = POLLIN },
	};
	int rc = 0;

	while (!rc && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
		if (is_over(child, deadline_ns, stop))
			return -EINTR;
		if (poll(fds, ARRAY_SIZE(fds), LOOK_MS) <= 0)
			continue;
		rc = take(&fds[0], &child->out);
		if (!rc)
			rc = take(&fds[1], &child->err);
	}
	return rc;
}

/* In @dir, with nothing to read, both outputs to us, default signals. */
static int
spawn(pid_t *pid, char *const *args, const char *dir, int out, int err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int rc;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr,
		POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
			POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&actions);
	rc = posix_spawn_file_actions_addopen(
		&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, err, 2);
	if (!rc)
		rc = posix_spawn_file_actions_addchdir_np(&actions, dir);
	if (!rc)
		rc = posix_spawnp(pid, args[0], &actions, &attr, args, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return -rc;
}

/*
 * Ends what is left of the group while its leader, dead or not, still holds
 * the number, then takes the leader's account.
 */
static void
reap(struct srpmatrix_child *child, pid_t pid)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) &&
		errno == EINTR)
		;
	kill(-pid, SIGKILL);
	while (wait4(pid, &child->status, 0, &child->usage) < 0 &&
		errno == EINTR)
		;
}

/* It has closed its outputs: it may have ended, or may only be silent. */
static int
await(struct srpmatrix_child *child, pid_t pid, uint64_t deadline_ns,
	const volatile sig_atomic_t *stop)
{
	siginfo_t info = { 0 };

	while (!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
		!info.si_pid) {
		if (is_over(child, deadline_ns, stop))
			return -EINTR;
		poll(NULL, 0, 1);
	}
	return 0;
}

static int
open_pipes(int *out, int *err)
{
	if (pipe2(out, O_CLOEXEC))
		return -errno;
	if (!pipe2(err, O_CLOEXEC))
		return 0;
	close(out[0]);
	close(out[1]);
	return -errno;
}

int
srpmatrix_child_run(struct srpmatrix_child *child, char *const *args,
	const char *dir, uint64_t timeout_ns, const volatile sig_atomic_t *stop)
{
	uint64_t deadline_ns = clock_ns() + timeout_ns;
	int out[2], err[2], rc;
	pid_t pid;

	memset(child, 0, sizeof(*child));
	child->out.max_bytes = SRPMATRIX_CHILD_OUT_BYTES;
	child->err.max_bytes = SRPMATRIX_CHILD_ERR_BYTES;
	rc = open_pipes(out, err);
	if (rc)
		return rc;
	rc = spawn(&pid, args, dir, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	if (!rc) {
		if (collect(child, out[0], err[0], deadline_ns, stop) ||
			await(child, pid, deadline_ns, stop))
			kill(-pid, SIGKILL);
		reap(child, pid);
	}
	close(out[0]);
	close(err[0]);
	return rc;
}

void
srpmatrix_child_fini(struct srpmatrix_child *child)
{
	free(child->out.text);
	free(child->err.text);
	child->out.text = child->err.text = NULL;
}
