/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "ctl_rig.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/log.h"

void
ctl_rig_init(struct ctl_rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	log_set_level(LOG_LEVEL_ERROR);
	ck_assert_int_eq(loop_init(&rig->loop), 0);
	snprintf(rig->folder, sizeof(rig->folder), "/tmp/srpd-test.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(rig->folder));
}

void
ctl_rig_fini(struct ctl_rig *rig)
{
	ctl_server_destroy(rig->server);
	loop_fini(&rig->loop);
	unlink(rig->addr.sun_path);
	rmdir(rig->folder);
}

static int
listen_at(struct ctl_rig *rig)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct sockaddr_un *addr = &rig->addr;

	addr->sun_family = AF_UNIX;
	snprintf(addr->sun_path, sizeof(addr->sun_path), "%s/sock",
		rig->folder);
	ck_assert_int_eq(
		bind(fd, (struct sockaddr *)addr, sizeof(*addr)), 0);
	ck_assert_int_eq(listen(fd, 128), 0);
	return fd;
}

void
ctl_rig_serve(struct ctl_rig *rig, struct ctl_server_attr *attr)
{
	attr->loop = &rig->loop;
	attr->listen_fd = listen_at(rig);
	ck_assert_int_eq(ctl_server_create(attr, &rig->server), 0);
}

int
ctl_rig_join(const struct ctl_rig *rig)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(connect(fd, (const struct sockaddr *)&rig->addr,
				 sizeof(rig->addr)),
		0);
	ck_assert_int_eq(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	return fd;
}

void
ctl_rig_say(int fd, const char *text)
{
	ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL),
		(ssize_t)strlen(text));
}

size_t
ctl_rig_hear(struct ctl_rig *rig, int fd, char *text, size_t n)
{
	ssize_t nr;

	while ((nr = recv(fd, text, n - 1, MSG_DONTWAIT)) < 0) {
		if (errno == ECONNRESET)
			nr = 0;
		if (nr == 0)
			break;
		ck_assert_int_eq(errno, EAGAIN);
		ck_assert_int_ge(loop_run_once(&rig->loop, LOOP_FOREVER), 0);
	}
	text[nr] = '\0';
	return (size_t)nr;
}

bool
ctl_rig_hear_line(struct ctl_rig *rig, int fd, char *text, size_t n)
{
	size_t len = 0, nr;

	do {
		ck_assert_uint_lt(len, n - 1);
		/* byte by byte: what follows is another line's */
		nr = ctl_rig_hear(rig, fd, text + len, 2);
		len += nr;
	} while (nr && text[len - 1] != '\n');
	text[len] = '\0';
	return nr != 0;
}

void
ctl_rig_expect(struct ctl_rig *rig, int fd, const char *what)
{
	char text[16384];

	ck_assert_msg(ctl_rig_hear_line(rig, fd, text, sizeof(text)),
		"no line with %s", what);
	ck_assert_msg(strstr(text, what) != NULL, "%s has no %s", text, what);
}

void
ctl_rig_expect_end(struct ctl_rig *rig, int fd)
{
	char text[2048];

	while (ctl_rig_hear(rig, fd, text, sizeof(text)))
		;
	close(fd);
}
