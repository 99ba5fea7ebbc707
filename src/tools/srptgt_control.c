/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srptgt_control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl_lines.h"
#include "util/compiler.h"
#include "util/loop.h"

#define CONTROL_CLIENTS 8
#define CONTROL_LINE_BYTES 4096

struct control_client {
	struct srptgt_control *control;
	struct loop_fd fd; /* fd.fd -1: none */
	struct ctl_lines lines;
};

struct srptgt_control {
	struct loop *loop;
	struct target *target;
	char *path;
	int listen_fd;
	struct loop_fd listener;
	struct control_client clients[CONTROL_CLIENTS];
	char answer[SRPTGT_CONTROL_ANSWER];
};

static void
client_close(struct control_client *client)
{
	int fd = client->fd.fd;

	if (fd < 0)
		return;
	loop_fd_remove(client->control->loop, &client->fd);
	client->fd.fd = -1;
	close(fd);
	ctl_lines_fini(&client->lines);
}

/* All of the answer at once, or the client is too slow. */
static int
client_answer(struct control_client *client, const char *answer)
{
	size_t len = strlen(answer);
	ssize_t n = send(client->fd.fd, answer, len,
		MSG_DONTWAIT | MSG_NOSIGNAL);

	return n == (ssize_t)len ? 0 : -EPIPE;
}

static int
client_do_lines(struct control_client *client)
{
	struct srptgt_control *control = client->control;
	char *line;
	size_t len;
	int rc;

	while ((rc = ctl_lines_next(&client->lines, &line, &len)) == 1) {
		line[len] = '\0'; /* where the newline was */
		if (strlen(line) != len)
			return -EPROTO;
		srptgt_control_do(control->target, line, control->answer,
			sizeof(control->answer));
		rc = client_answer(client, control->answer);
		if (rc)
			return rc;
	}
	return rc;
}

static void
client_on_ready(struct loop_fd *node, uint32_t events)
{
	struct control_client *client = node->arg;
	ssize_t n = -1;
	size_t space;
	char *at;

	(void)events;
	at = ctl_lines_space(&client->lines, &space);
	if (at)
		n = recv(node->fd, at, space, MSG_DONTWAIT);
	if (n < 0 && at && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		ctl_lines_add(&client->lines, (size_t)n);
	if (n <= 0 || client_do_lines(client))
		client_close(client);
}

static void
control_on_ready(struct loop_fd *node, uint32_t events)
{
	struct srptgt_control *control = node->arg;
	int fd = accept4(node->fd, NULL, NULL, SOCK_CLOEXEC);
	struct control_client *client;
	unsigned int i;

	(void)events;
	for (i = 0; fd >= 0 && i < CONTROL_CLIENTS; i++) {
		client = &control->clients[i];
		if (client->fd.fd >= 0)
			continue;
		ctl_lines_init(&client->lines, CONTROL_LINE_BYTES);
		if (!loop_fd_add(control->loop, &client->fd, fd, EPOLLIN))
			return;
		ctl_lines_fini(&client->lines);
		client->fd.fd = -1;
		break;
	}
	if (fd >= 0)
		close(fd);
}

/* Something at @path: a socket without a server goes, anything else stays. */
static int
control_clear(const struct sockaddr_un *addr, char *reason, size_t n)
{
	struct stat st;
	int fd, rc;

	if (lstat(addr->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(reason, n, "%s is there and is no socket",
			addr->sun_path);
		return -EEXIST;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = fd < 0 ? -errno :
		connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) ?
		-errno :
		-EADDRINUSE;
	if (fd >= 0)
		close(fd);
	if (rc == -ECONNREFUSED)
		return unlink(addr->sun_path) ? -errno : 0;
	snprintf(reason, n, "%s is another program's: %s", addr->sun_path,
		strerror(-rc));
	return rc;
}

static int
control_listen(struct srptgt_control *control, char *reason, size_t n)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	mode_t mask;
	int rc;

	if (strlen(control->path) >= sizeof(addr.sun_path)) {
		snprintf(reason, n, "%s is longer than %zu characters",
			control->path, sizeof(addr.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	memcpy(addr.sun_path, control->path, strlen(control->path) + 1);
	rc = control_clear(&addr, reason, n);
	if (rc)
		return rc;
	control->listen_fd = socket(
		AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->listen_fd < 0)
		return -errno;
	mask = umask(S_IXUSR | S_IRWXG | S_IRWXO);
	rc = bind(control->listen_fd, (struct sockaddr *)&addr, sizeof(addr)) ?
		-errno :
		0;
	umask(mask);
	if (!rc && listen(control->listen_fd, CONTROL_CLIENTS))
		rc = -errno;
	if (!rc)
		rc = loop_fd_add(control->loop, &control->listener,
			control->listen_fd, EPOLLIN);
	if (rc)
		snprintf(reason, n, "listening at %s: %s", control->path,
			strerror(-rc));
	return rc;
}

int
srptgt_control_open(const char *path, struct target *target, struct loop *loop,
	struct srptgt_control **out, char *reason, size_t n)
{
	struct srptgt_control *control = calloc(1, sizeof(*control));
	unsigned int i;
	int rc;

	if (!control || !(control->path = strdup(path))) {
		free(control);
		snprintf(reason, n, "no memory");
		return -ENOMEM;
	}
	control->loop = loop;
	control->target = target;
	control->listen_fd = -1;
	control->listener = (struct loop_fd){
		.fd = -1, .on_ready = control_on_ready, .arg = control };
	for (i = 0; i < CONTROL_CLIENTS; i++) {
		control->clients[i].control = control;
		control->clients[i].fd = (struct loop_fd){
			.fd = -1,
			.on_ready = client_on_ready,
			.arg = &control->clients[i],
		};
	}
	rc = control_listen(control, reason, n);
	if (rc) {
		if (control->listen_fd >= 0)
			close(control->listen_fd);
		free(control->path);
		free(control);
		return rc;
	}
	*out = control;
	return 0;
}

void
srptgt_control_close(struct srptgt_control *control)
{
	unsigned int i;

	if (!control)
		return;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		client_close(&control->clients[i]);
	loop_fd_remove(control->loop, &control->listener);
	close(control->listen_fd);
	unlink(control->path);
	free(control->path);
	free(control);
}
