/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "ctl/ctl_client.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl_lines.h"
#include "util/clock.h"
#include "util/compiler.h"

struct ctl_client {
	int fd;
	uint64_t timeout_ns;
	struct ctl_lines in;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
};

/* Who may, by the mode of the socket or of the folder that hides it. */
static void
explain_denied(const char *path, char *reason, size_t n)
{
	const struct passwd *user = getpwuid(geteuid());
	const struct group *group = NULL;
	char folder[PATH_MAX];
	struct stat st;
	char *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (stat(path, &st) == 0) {
		group = getgrgid(st.st_gid);
	} else if (slash && slash != folder) {
		*slash = '\0';
		if (stat(folder, &st) == 0)
			group = getgrgid(st.st_gid);
	}
	snprintf(reason, n,
		"the user %s may not connect to srpd at %s: root and members "
		"of the group %s may",
		user ? user->pw_name : "of this process", path,
		group ? group->gr_name : "that owns it");
}

static void
explain_connect(int error, const char *path, char *reason, size_t n)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		snprintf(reason, n,
			"no srpd at %s: there is no such socket; start srpd, "
			"or say with --socket where it listens",
			path);
		break;
	case ECONNREFUSED:
		snprintf(reason, n,
			"no srpd at %s: nobody listens on that socket any "
			"more; start srpd, which takes it over",
			path);
		break;
	case EACCES:
	case EPERM:
		explain_denied(path, reason, n);
		break;
	case ETIMEDOUT:
		snprintf(reason, n,
			"srpd at %s takes no connection: it hangs or is "
			"stopped",
			path);
		break;
	default:
		snprintf(reason, n, "connecting to srpd at %s: %s", path,
			strerror(error));
	}
}

/* connect(2) of a Unix socket waits while the backlog is full. */
static int
connect_within(int fd, const struct sockaddr_un *addr, uint64_t timeout_ns)
{
	struct timeval tv = {
		.tv_sec = (time_t)(timeout_ns / CLOCK_NS_PER_SEC),
		.tv_usec = (suseconds_t)(timeout_ns % CLOCK_NS_PER_SEC /
			CLOCK_NS_PER_USEC),
	};

	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)))
		return -errno;
	if (!connect(fd, (const struct sockaddr *)addr, sizeof(*addr)))
		return 0;
	return errno == EAGAIN || errno == EINPROGRESS ? -ETIMEDOUT : -errno;
}

int
ctl_client_open(const char *path, uint64_t timeout_ns,
	struct ctl_client **out, char *reason, size_t n)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct ctl_client *client;
	int rc;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		snprintf(reason, n,
			"the path of a socket has %zu characters at most: "
			"%.120s... is longer",
			sizeof(addr.sun_path) - 1, path);
		return -ENAMETOOLONG;
	}
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	client = calloc(1, sizeof(*client));
	if (!client)
		return -ENOMEM;
	snprintf(client->path, sizeof(client->path), "%s", path);
	client->timeout_ns = timeout_ns;
	ctl_lines_init(&client->in, CTL_MAX_REPLY_BYTES);
	client->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = client->fd < 0 ? -errno :
			      connect_within(client->fd, &addr, timeout_ns);
	if (rc) {
		explain_connect(-rc, path, reason, n);
		ctl_client_close(client);
		return rc;
	}
	*out = client;
	return 0;
}

void
ctl_client_close(struct ctl_client *client)
{
	if (!client)
		return;
	if (client->fd >= 0)
		close(client->fd);
	ctl_lines_fini(&client->in);
	free(client);
}

/* 0, -ETIMEDOUT past @deadline_ns, -errno. */
static int
wait_for(const struct ctl_client *client, short events, uint64_t deadline_ns)
{
	struct pollfd pfd = { .fd = client->fd, .events = events };
	uint64_t now_ns;
	int rc;

	do {
		now_ns = clock_ns();
		if (now_ns >= deadline_ns)
			return -ETIMEDOUT;
		/* rounded up: a poll too short would only be another */
		rc = poll(&pfd, 1,
			(int)min((deadline_ns - now_ns) / CLOCK_NS_PER_MSEC + 1,
				UINT64_C(1000000)));
		if (rc < 0 && errno != EINTR)
			return -errno;
	} while (rc <= 0);
	return 0;
}

static int
send_all(const struct ctl_client *client, const char *data, size_t len,
	uint64_t deadline_ns)
{
	ssize_t nr;
	int rc = 0;

	while (!rc && len) {
		nr = send(client->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (nr >= 0) {
			data += nr;
			len -= (size_t)nr;
		} else if (errno == EAGAIN) {
			rc = wait_for(client, POLLOUT, deadline_ns);
		} else if (errno != EINTR) {
			rc = -errno;
		}
	}
	return rc;
}

static int
receive_some(struct ctl_client *client, uint64_t deadline_ns)
{
	char *space;
	size_t len;
	ssize_t nr;
	int rc;

	rc = wait_for(client, POLLIN, deadline_ns);
	if (rc)
		return rc;
	space = ctl_lines_space(&client->in, &len);
	if (!space)
		return -ENOMEM;
	nr = recv(client->fd, space, len, MSG_DONTWAIT);
	if (nr > 0)
		ctl_lines_add(&client->in, (size_t)nr);
	else if (nr == 0)
		return -ECONNRESET;
	else if (errno != EAGAIN && errno != EINTR)
		return -errno;
	return 0;
}

static int
receive_line(struct ctl_client *client, uint64_t deadline_ns, char **line,
	size_t *len)
{
	int rc;

	while ((rc = ctl_lines_next(&client->in, line, len)) == 0) {
		rc = receive_some(client, deadline_ns);
		if (rc)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

static void
explain_call(const struct ctl_client *client, int error, const char *cmd,
	char *reason, size_t n)
{
	if (error == ETIMEDOUT)
		snprintf(reason, n,
			"srpd at %s has not answered %s in time: it hangs, or "
			"still waits for a target; srpctl status tells, and "
			"--timeout gives it longer",
			client->path, cmd);
	else if (error == ECONNRESET || error == EPIPE)
		snprintf(reason, n,
			"srpd at %s closed the connection before it answered "
			"%s: its log says why",
			client->path, cmd);
	else if (error == EMSGSIZE)
		snprintf(reason, n, "srpd's answer to %s is over %zu bytes",
			cmd, client->in.max);
	else
		snprintf(reason, n, "%s to srpd at %s: %s", cmd, client->path,
			strerror(error));
}

int
ctl_client_call(struct ctl_client *client, const char *cmd,
	const json_t *args, struct ctl_reply *reply, char *reason, size_t n)
{
	uint64_t deadline_ns = clock_ns() + client->timeout_ns;
	char *line;
	size_t len;
	int rc;

	memset(reply, 0, sizeof(*reply));
	line = ctl_request_encode(cmd, args, &len);
	if (!line) {
		snprintf(reason, n, "no memory for a request");
		return -ENOMEM;
	}
	rc = send_all(client, line, len, deadline_ns);
	free(line);
	/* Whoever is turned away has been told why before the end. */
	if (!rc || rc == -EPIPE || rc == -ECONNRESET)
		rc = receive_line(client, deadline_ns, &line, &len);
	if (rc) {
		explain_call(client, -rc, cmd, reason, n);
		return rc;
	}
	return ctl_reply_decode(line, len, reply, reason, n);
}
