/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/metrics_listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 16
#define SOCKET_FLAGS (SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC)

bool
metrics_listen_is_path(const char *where)
{
	return where[0] == '/';
}

static int
fail(int error, const char *where, char *reason, size_t n)
{
	snprintf(reason, n, "metrics = %s: %s", where, strerror(error));
	return -error;
}

/* Does a process listen there? */
static bool
is_served(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCKET_FLAGS, 0);
	bool is = fd >= 0 &&
		(connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) ==
				0 ||
			errno == EAGAIN);

	if (fd >= 0)
		close(fd);
	return is;
}

static int
listen_path(const char *path, char *reason, size_t n)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct stat st;
	int fd, rc;

	if (strlen(path) >= sizeof(addr.sun_path))
		return fail(ENAMETOOLONG, path, reason, n);
	memcpy(addr.sun_path, path, strlen(path));
	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) && !is_served(&addr))
		unlink(path);
	fd = socket(AF_UNIX, SOCKET_FLAGS, 0);
	if (fd < 0)
		return fail(errno, path, reason, n);
	rc = bind(fd, (struct sockaddr *)&addr, sizeof(addr));
	if (rc || chmod(path, 0660) || listen(fd, BACKLOG)) {
		rc = fail(errno, path, reason, n);
		close(fd);
		return rc;
	}
	return fd;
}

static int
listen_one(const struct addrinfo *ai)
{
	int fd = socket(ai->ai_family, SOCKET_FLAGS, 0), one = 1, rc;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) || listen(fd, BACKLOG)) {
		rc = -errno;
		close(fd);
		return rc;
	}
	return fd;
}

/* "host:port", "[v6]:port" */
static int
split(const char *where, char host[128], const char **port)
{
	const char *colon = strrchr(where, ':');
	size_t len = colon ? (size_t)(colon - where) : 0;

	if (!len || !colon[1] || len >= 128)
		return -EINVAL;
	if (where[0] == '[') {
		if (len < 3 || where[len - 1] != ']')
			return -EINVAL;
		where++;
		len -= 2;
	}
	memcpy(host, where, len);
	host[len] = '\0';
	*port = colon + 1;
	return 0;
}

/* Numbers only: a name server is nothing to wait for. */
static int
listen_addr(const char *where, char *reason, size_t n)
{
	struct addrinfo hints = {
		.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	}, *found;
	const char *port;
	char host[128];
	int fd;

	if (split(where, host, &port) ||
		getaddrinfo(host, port, &hints, &found)) {
		snprintf(reason, n,
			"metrics = %s is neither ADDR:PORT in numbers, such as "
			"127.0.0.1:9721, nor a path that begins with /",
			where);
		return -EINVAL;
	}
	fd = listen_one(found);
	freeaddrinfo(found);
	return fd < 0 ? fail(-fd, where, reason, n) : fd;
}

int
metrics_listen(const char *where, char *reason, size_t n)
{
	return metrics_listen_is_path(where) ? listen_path(where, reason, n) :
					       listen_addr(where, reason, n);
}
