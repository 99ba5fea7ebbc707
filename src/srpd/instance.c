/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/compiler.h"

#define BACKLOG 64
#define LOCK_TRIES 100 /* each means that one ended just then */

static int __printf(4, 5)
fail(int rc, char *reason, size_t n, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, n, format, ap);
	va_end(ap);
	return rc;
}

/* ---- the lock -------------------------------------------------------- */

static pid_t
read_pid(int fd)
{
	char text[16] = "";
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);
	long pid = got > 0 ? strtol(text, NULL, 10) : 0;

	return pid > 0 ? (pid_t)pid : 0;
}

/* Whether the file that is locked still has that name. */
static bool
is_same_file(int fd, const char *path)
{
	struct stat open_file, named;

	return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 &&
	       open_file.st_dev == named.st_dev &&
	       open_file.st_ino == named.st_ino;
}

/* -EAGAIN: its owner removed it in between, try again. */
static int
try_lock(struct instance *instance, char *reason, size_t n)
{
	int fd = open(instance->lock_path,
		O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	pid_t pid;
	int rc;

	if (fd < 0)
		return fail(-errno, reason, n, "%s can't be opened: %s",
			instance->lock_path, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		if (is_same_file(fd, instance->lock_path)) {
			instance->lock_fd = fd;
			return 0;
		}
		close(fd);
		return -EAGAIN;
	}
	rc = -errno;
	pid = read_pid(fd);
	close(fd);
	if (rc != -EWOULDBLOCK)
		return fail(rc, reason, n, "%s can't be locked: %s",
			instance->lock_path, strerror(-rc));
	return fail(-EADDRINUSE, reason, n,
		"another srpd (pid %ld) serves %s already: stop it first, or "
		"give this one another socket",
		(long)pid, instance->path);
}

static int
take_lock(struct instance *instance, char *reason, size_t n)
{
	char text[16];
	int rc = -EAGAIN;

	for (int i = 0; i < LOCK_TRIES && rc == -EAGAIN; i++)
		rc = try_lock(instance, reason, n);
	if (rc == -EAGAIN)
		return fail(rc, reason, n, "%s comes and goes",
			instance->lock_path);
	if (rc)
		return rc;
	/* For the sentence of another one: it is no harm if it can't be. */
	snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(instance->lock_fd, 0) ||
		pwrite(instance->lock_fd, text, strlen(text), 0) < 0)
		return 0;
	return 0;
}

/* ---- the socket ------------------------------------------------------ */

static pid_t
peer_pid(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return 0;
	return cred.pid;
}

/*
 * What stands at the path goes if it is a socket that nobody serves. With the
 * lock held no other srpd can be about to listen there.
 */
static int
clear_path(const struct sockaddr_un *addr, char *reason, size_t n)
{
	struct stat st;
	int fd, rc;

	if (lstat(addr->sun_path, &st))
		return errno == ENOENT ?
			0 :
			fail(-errno, reason, n, "%s: %s", addr->sun_path,
				strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return fail(-EEXIST, reason, n,
			"%s is there and is no socket: remove it, or choose "
			"another",
			addr->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fail(-errno, reason, n, "no socket: %s",
			strerror(errno));
	rc = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) ?
		-errno :
		0;
	if (rc == 0 || rc == -EAGAIN)
		rc = fail(-EADDRINUSE, reason, n,
			"another program (pid %ld) serves %s: choose another "
			"socket",
			rc ? 0L : (long)peer_pid(fd), addr->sun_path);
	else if (unlink(addr->sun_path) && errno != ENOENT)
		rc = fail(-errno, reason, n,
			"%s is left over and can't be removed: %s",
			addr->sun_path, strerror(errno));
	else
		rc = 0;
	close(fd);
	return rc;
}

int
instance_set_group(struct instance *instance, gid_t gid)
{
	mode_t mode = gid == (gid_t)-1 ? 0600 : 0660;

	if (gid != (gid_t)-1 && chown(instance->path, (uid_t)-1, gid))
		return -errno;
	return chmod(instance->path, mode) ? -errno : 0;
}

static int
listen_at(struct instance *instance, const struct sockaddr_un *addr, gid_t gid,
	char *reason, size_t n)
{
	mode_t mask;
	int rc;

	instance->listen_fd = socket(
		AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (instance->listen_fd < 0)
		return fail(-errno, reason, n, "no socket: %s",
			strerror(errno));
	/* Nobody else gets in between bind() and its mode. */
	mask = umask(0177);
	rc = bind(instance->listen_fd, (const struct sockaddr *)addr,
		     sizeof(*addr)) ?
		-errno :
		0;
	umask(mask);
	if (rc)
		return fail(rc, reason, n, "%s can't be made: %s",
			instance->path, strerror(-rc));
	rc = instance_set_group(instance, gid);
	if (rc)
		return fail(rc, reason, n,
			"%s can't be given to the group: %s; srpd's user has "
			"to be one of its members",
			instance->path, strerror(-rc));
	if (listen(instance->listen_fd, BACKLOG))
		return fail(-errno, reason, n, "%s: %s", instance->path,
			strerror(errno));
	return 0;
}

int
instance_open(struct instance *instance, const char *path, gid_t gid,
	char *reason, size_t n)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int rc;

	instance->lock_fd = -1;
	instance->listen_fd = -1;
	if (strlen(path) >= sizeof(addr.sun_path))
		return fail(-ENAMETOOLONG, reason, n,
			"%s is too long for a socket", path);
	memcpy(addr.sun_path, path, strlen(path) + 1);
	memcpy(instance->path, path, strlen(path) + 1);
	snprintf(instance->lock_path, sizeof(instance->lock_path), "%s.lock",
		path);
	rc = take_lock(instance, reason, n);
	if (rc)
		return rc;
	rc = clear_path(&addr, reason, n);
	if (rc == 0)
		rc = listen_at(instance, &addr, gid, reason, n);
	else
		instance->path[0] = '\0'; /* not ours to remove */
	if (rc)
		instance_close(instance);
	return rc;
}

void
instance_close(struct instance *instance)
{
	if (instance->lock_fd < 0)
		return;
	if (*instance->path)
		unlink(instance->path);
	if (instance->listen_fd >= 0)
		close(instance->listen_fd);
	/* While it is locked: see is_same_file(). */
	unlink(instance->lock_path);
	close(instance->lock_fd);
	instance->lock_fd = -1;
	instance->listen_fd = -1;
}
