/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/ctl_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "srpd/ctl_conn.h"
#include "util/counter.h"
#include "util/log.h"

#define ACCEPT_BATCH 8 /* then others of the loop have their turn */
#define RETRY_NS (100 * CLOCK_NS_PER_MSEC)

/* Is @gid one of the groups that the peer had when it connected? */
static bool
peer_is_in_group(int fd, const struct ucred *peer, gid_t gid)
{
	gid_t few[32], *gids = few;
	socklen_t bytes = sizeof(few);
	bool is_in = peer->gid == gid;
	size_t i;
	int rc;

	rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, gids, &bytes);
	if (rc && errno == ERANGE) {
		gids = malloc(bytes);
		rc = gids ? getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, gids,
				    &bytes) :
			    -1;
	}
	for (i = 0; !rc && !is_in && i < bytes / sizeof(*gids); i++)
		is_in = gids[i] == gid;
	if (gids != few)
		free(gids);
	return is_in;
}

static bool
is_allowed(const struct ctl_server *server, int fd, const struct ucred *peer)
{
	if (peer->uid == 0 || peer->uid == geteuid())
		return true;
	return server->group[0] && peer_is_in_group(fd, peer, server->attr.gid);
}

static void
deny(const struct ctl_server *server, int fd, const struct ucred *peer)
{
	char text[256];

	if (server->group[0])
		snprintf(text, sizeof(text),
			"uid %u may not control this srpd: root, srpd's own "
			"user and members of the group %s may",
			peer->uid, server->group);
	else
		snprintf(text, sizeof(text),
			"uid %u may not control this srpd: root and srpd's "
			"own user may; the key group= lets a group in",
			peer->uid);
	log_warn("control", "uid %u, pid %d is turned away", peer->uid,
		peer->pid);
	ctl_conn_refuse(fd, CTL_UNREACHABLE, text);
}

/* The descriptor is closed unless a connection has it. */
static void
admit(struct ctl_server *server, int fd)
{
	struct ucred peer = { 0 };
	socklen_t bytes = sizeof(peer);
	int rc;

	counter_add(&server->stats.connections, 1);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes)) {
		close(fd);
	} else if (!is_allowed(server, fd, &peer)) {
		counter_add(&server->stats.denied, 1);
		deny(server, fd, &peer);
		close(fd);
	} else if (server->stats.nr_open >= CTL_MAX_CONNECTIONS) {
		counter_add(&server->stats.over_limit, 1);
		ctl_conn_refuse(fd, CTL_LIMIT,
			"64 connections to this srpd are open, which is the "
			"limit: try again later");
		close(fd);
	} else {
		rc = ctl_conn_create(server, fd, &peer);
		if (rc) {
			log_warn("control", "a connection is not taken: %s",
				strerror(-rc));
			close(fd);
		}
	}
}

static void
on_connections(struct loop_fd *node, uint32_t events)
{
	struct ctl_server *server = node->arg;
	int fd, i;

	(void)events;
	for (i = 0; i < ACCEPT_BATCH; i++) {
		fd = accept4(server->attr.listen_fd, NULL, NULL,
			SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			admit(server, fd);
			continue;
		}
		if (errno == EAGAIN || errno == EINTR ||
			errno == ECONNABORTED)
			return;
		/* The listener stays readable: look again later. */
		log_warn("control", "no connection can be taken: %s",
			strerror(errno));
		loop_fd_remove(server->attr.loop, &server->listener);
		loop_timer_arm(server->attr.loop, &server->retry,
			clock_ns() + RETRY_NS);
		return;
	}
}

static int
listen_again(struct ctl_server *server)
{
	return loop_fd_add(server->attr.loop, &server->listener,
		server->attr.listen_fd, EPOLLIN);
}

static void
on_retry(struct loop_timer *timer)
{
	struct ctl_server *server = timer->arg;

	if (listen_again(server))
		loop_timer_arm(server->attr.loop, timer, clock_ns() + RETRY_NS);
}

int
ctl_server_create(
	const struct ctl_server_attr *attr, struct ctl_server **out)
{
	struct ctl_server *server = calloc(1, sizeof(*server));
	int rc;

	if (!server)
		return -ENOMEM;
	server->attr = *attr;
	if (!attr->patience_ns)
		server->attr.patience_ns = CTL_PATIENCE_NS;
	ctl_server_set_group(server, attr->group, attr->gid);
	list_init(&server->conns);
	server->listener.on_ready = on_connections;
	server->listener.arg = server;
	loop_timer_init(&server->retry, on_retry, server);
	rc = listen_again(server);
	if (rc) {
		free(server);
		return rc;
	}
	*out = server;
	return 0;
}

void
ctl_server_destroy(struct ctl_server *server)
{
	if (!server)
		return;
	loop_timer_disarm(&server->retry);
	loop_fd_remove(server->attr.loop, &server->listener);
	close(server->attr.listen_fd);
	while (!list_is_empty(&server->conns))
		ctl_conn_end(list_entry(
			list_first(&server->conns), struct ctl_conn, node));
	free(server);
}

void
ctl_server_set_group(struct ctl_server *server, const char *group, gid_t gid)
{
	snprintf(server->group, sizeof(server->group), "%s",
		group ? group : "");
	server->attr.gid = gid;
}

void
ctl_server_stats(
	const struct ctl_server *server, struct ctl_server_stats *stats)
{
	const struct ctl_server_stats *now = &server->stats;

	stats->connections = counter_get(&now->connections);
	stats->denied = counter_get(&now->denied);
	stats->over_limit = counter_get(&now->over_limit);
	stats->dropped = counter_get(&now->dropped);
	stats->requests = counter_get(&now->requests);
	stats->bad_requests = counter_get(&now->bad_requests);
	stats->nr_open = counter_get(&now->nr_open);
}
