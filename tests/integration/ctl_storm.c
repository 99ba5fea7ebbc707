/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * ctl_storm SOCKET SECONDS: peers that misbehave at a control socket, each
 * kind from a thread of its own, as fast as it goes, while one that behaves
 * asks again and again. Prints what happened as "name number" lines.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl_client.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/parse.h"
#include "util/thread.h"

#define ANSWER_NS (60 * CLOCK_NS_PER_SEC)

static struct sockaddr_un addr = { .sun_family = AF_UNIX };
static uint64_t end_ns;

static int
join_server(void)
{
	struct timeval patience = { .tv_sec = 60 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	/* a full backlog makes it wait */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		return fd;
	close(fd);
	return -1;
}

static void
say(int fd, const char *text, size_t len)
{
	/* the server may hang up meanwhile: that is its right */
	if (send(fd, text, len, MSG_NOSIGNAL) < 0)
		return;
}

/* Comes and goes, without a word or with a whole request. */
static void
come_and_go(unsigned int turn)
{
	static const char request[] = "{\"v\":1,\"cmd\":\"status\"}\n";
	int fd = join_server();

	if (turn % 2)
		say(fd, request, sizeof(request) - 1);
	if (fd >= 0)
		close(fd);
}

static void
talk_garbage(unsigned int turn)
{
	char text[512];
	int fd = join_server();
	size_t i;

	for (i = 0; i < sizeof(text); i++)
		text[i] = (char)(turn * 31 + i * i * 7 + (i >> 3));
	say(fd, text, sizeof(text));
	say(fd, "\n{\"v\":1,\"cmd\":[[[[\n{}\n", 21);
	/* its answers are left behind */
	if (fd >= 0)
		close(fd);
}

static void
talk_half(unsigned int turn)
{
	int fd = join_server();

	say(fd, "{\"v\":1,\"cmd\":\"status\",\"args\":{}}", 5 + turn % 20);
	if (turn % 3 == 0)
		shutdown(fd, SHUT_WR);
	if (fd >= 0)
		close(fd);
}

static void
talk_long(unsigned int turn)
{
	static char text[CTL_MAX_REQUEST_BYTES + 4096];
	int fd = join_server();

	(void)turn;
	memset(text, '[', sizeof(text));
	say(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
}

/* More than are allowed at once, all with a request, none reads. */
static void
crowd(unsigned int turn)
{
	static const char request[] = "{\"v\":1,\"cmd\":\"stats\"}\n";
	int fds[24];
	size_t i;

	(void)turn;
	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		fds[i] = join_server();
		say(fds[i], request, sizeof(request) - 1);
	}
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static struct kind {
	const char *name;
	void (*turn)(unsigned int turn);
	unsigned int nr; /* turns taken: the thread's, until it is joined */
	struct thread thread;
} kinds[] = {
	{ .name = "come", .turn = come_and_go },
	{ .name = "garbage", .turn = talk_garbage },
	{ .name = "half", .turn = talk_half },
	{ .name = "long", .turn = talk_long },
	{ .name = "crowd", .turn = crowd },
	{ .name = "crowd2", .turn = crowd },
	{ .name = "crowd3", .turn = crowd },
};

static void
run_kind(void *arg)
{
	struct kind *kind = arg;

	while (clock_ns() < end_ns)
		kind->turn(kind->nr++);
}

/* A connection that was there before is served all along. */
static int
behave(struct ctl_client *client, unsigned int *nr, uint64_t *slowest_ns)
{
	char reason[512] = "";
	struct ctl_reply reply;
	uint64_t begun_ns;
	int rc;

	do {
		begun_ns = clock_ns();
		rc = ctl_client_call(client, "status", NULL, &reply, reason,
			sizeof(reason));
		if (rc || reply.code) {
			fprintf(stderr, "ctl_storm: %s\n",
				rc ? reason : reply.text);
			ctl_reply_fini(&reply);
			return -1;
		}
		ctl_reply_fini(&reply);
		*slowest_ns = max(*slowest_ns, clock_ns() - begun_ns);
		(*nr)++;
	} while (clock_ns() < end_ns);
	return 0;
}

int
main(int argc, char **argv)
{
	struct parse_limits limits = { .key = "SECONDS", .min = 1, .max = 3600 };
	struct ctl_client *client;
	char reason[512] = "";
	uint64_t seconds, slowest_ns = 0;
	unsigned int nr = 0;
	size_t i;
	int rc;

	if (argc != 3 ||
		parse_u64(argv[2], &limits, &seconds, reason, sizeof(reason)) ||
		ctl_client_open(argv[1], ANSWER_NS, &client, reason,
			sizeof(reason))) {
		fprintf(stderr, "ctl_storm: SOCKET SECONDS: %s\n", reason);
		return 1;
	}
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", argv[1]);
	end_ns = clock_ns() + seconds * CLOCK_NS_PER_SEC;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (thread_start(&kinds[i].thread, kinds[i].name,
			    THREAD_ANY_CPU, run_kind, &kinds[i]))
			abort();
	rc = behave(client, &nr, &slowest_ns);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		thread_join(&kinds[i].thread);
		printf("%s %u\n", kinds[i].name, kinds[i].nr);
	}
	printf("answers %u\nslowest_ms %" PRIu64 "\n", nr,
		slowest_ns / CLOCK_NS_PER_MSEC);
	ctl_client_close(client);
	return rc ? 1 : 0;
}
