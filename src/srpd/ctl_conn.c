/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/ctl_conn.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/counter.h"
#include "util/log.h"

struct ctl_call {
	struct list node;      /* of conn->calls */
	struct ctl_conn *conn; /* NULL: it is gone, nobody wants the answer */
	struct ctl_request request;
	struct ucred peer;
};

static void ctl_conn_run(struct ctl_conn *conn);

/* ---- replies --------------------------------------------------------- */

static void
kill_conn(struct ctl_conn *conn, const char *why)
{
	if (why && !conn->is_dead) {
		counter_add(&conn->server->stats.dropped, 1);
		log_info("control", "uid %u, pid %d is dropped: %s",
			conn->peer.uid, conn->peer.pid, why);
	}
	conn->is_dead = true;
}

/* What the socket takes of conn->out now. */
static void
flush_out(struct ctl_conn *conn)
{
	ssize_t nr;

	while (conn->out && !conn->is_dead) {
		nr = send(conn->fd.fd, conn->out + conn->out_sent,
			conn->out_len - conn->out_sent,
			MSG_DONTWAIT | MSG_NOSIGNAL);
		if (nr < 0 && errno == EAGAIN)
			return;
		if (nr < 0 && errno != EINTR)
			kill_conn(conn, NULL);
		conn->out_sent += nr > 0 ? (size_t)nr : 0;
		/* it takes some: its time begins again */
		conn->wait = CTL_WAIT_NOTHING;
		if (conn->out_sent < conn->out_len)
			continue;
		free(conn->out);
		conn->out = NULL;
		conn->out_len = conn->out_sent = 0;
	}
}

/* Takes @line; NULL: memory has run out. */
static void
send_line(struct ctl_conn *conn, char *line, size_t len)
{
	char *more;

	if (!line) {
		kill_conn(conn, "no memory for a reply");
	} else if (!conn->out) {
		conn->out = line;
		conn->out_len = len;
		line = NULL;
	} else {
		more = realloc(conn->out, conn->out_len + len);
		if (more) {
			memcpy(more + conn->out_len, line, len);
			conn->out = more;
			conn->out_len += len;
		} else {
			kill_conn(conn, "no memory for a reply");
		}
	}
	free(line);
	flush_out(conn);
}

static void
send_error(struct ctl_conn *conn, const json_t *id, enum ctl_code code,
	const char *text)
{
	size_t len = 0;
	char *line = ctl_reply_encode_error(id, code, text, &len);

	send_line(conn, line, len);
}

void
ctl_conn_refuse(int fd, enum ctl_code code, const char *text)
{
	size_t len;
	char *line = ctl_reply_encode_error(NULL, code, text, &len);
	ssize_t nr = 0;

	/* An empty socket takes a line; one that does not is not waited for. */
	if (line)
		nr = send(fd, line, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)nr;
	free(line);
}

/* ---- requests -------------------------------------------------------- */

const char *
ctl_call_cmd(const struct ctl_call *call)
{
	return call->request.cmd;
}

json_t *
ctl_call_args(const struct ctl_call *call)
{
	return call->request.args;
}

uid_t
ctl_call_uid(const struct ctl_call *call)
{
	return call->peer.uid;
}

pid_t
ctl_call_pid(const struct ctl_call *call)
{
	return call->peer.pid;
}

/* The connection, which then may have been freed, goes on. */
static void
finish_call(struct ctl_call *call)
{
	struct ctl_conn *conn = call->conn;

	if (conn) {
		list_del(&call->node);
		conn->nr_calls--;
	}
	ctl_request_fini(&call->request);
	free(call);
	if (conn)
		ctl_conn_run(conn);
}

void
ctl_call_done(struct ctl_call *call, json_t *result)
{
	size_t len = 0;
	char *line = NULL;

	if (call->conn) {
		if (result)
			line = ctl_reply_encode(call->request.id, result, &len);
		send_line(call->conn, line, len);
	}
	json_decref(result);
	finish_call(call);
}

void
ctl_call_fail(
	struct ctl_call *call, enum ctl_code code, const char *format, ...)
{
	char text[CTL_MAX_TEXT_BYTES];
	va_list ap;

	if (call->conn) {
		va_start(ap, format);
		vsnprintf(text, sizeof(text), format, ap);
		va_end(ap);
		send_error(call->conn, call->request.id, code, text);
	}
	finish_call(call);
}

static void
take_line(struct ctl_conn *conn, const char *line, size_t len)
{
	struct ctl_server *server = conn->server;
	struct ctl_call *call = calloc(1, sizeof(*call));
	char reason[256] = "";

	if (!call) {
		kill_conn(conn, "no memory for a request");
		return;
	}
	counter_add(&server->stats.requests, 1);
	if (ctl_request_decode(line, len, &call->request, reason,
		    sizeof(reason))) {
		counter_add(&server->stats.bad_requests, 1);
		send_error(conn, call->request.id, CTL_USAGE, reason);
		ctl_request_fini(&call->request);
		free(call);
		return;
	}
	call->conn = conn;
	call->peer = conn->peer;
	list_add_tail(&conn->calls, &call->node);
	conn->nr_calls++;
	server->attr.on_request(server->attr.arg, call);
}

/* ---- the connection -------------------------------------------------- */

static bool
can_take(const struct ctl_conn *conn)
{
	return !conn->is_dead && !conn->is_closing && !conn->out &&
		conn->nr_calls < CTL_MAX_CALLS;
}

static bool
is_over(const struct ctl_conn *conn)
{
	if (conn->is_dead)
		return true;
	if (conn->out || conn->nr_calls)
		return false;
	/* every whole line has been taken: what is left has no end */
	return conn->is_closing || conn->is_eof;
}

static void
forget_calls(struct ctl_conn *conn)
{
	struct ctl_call *call;

	while (!list_is_empty(&conn->calls)) {
		call = list_entry(
			list_pop_head(&conn->calls), struct ctl_call, node);
		call->conn = NULL;
	}
	conn->nr_calls = 0;
}

static void
free_conn(struct ctl_conn *conn)
{
	int fd = conn->fd.fd;

	forget_calls(conn);
	loop_timer_disarm(&conn->patience);
	loop_fd_remove(conn->server->attr.loop, &conn->fd);
	close(fd);
	ctl_lines_fini(&conn->in);
	free(conn->out);
	list_del(&conn->node);
	counter_add(&conn->server->stats.nr_open, (uint64_t)-1);
	free(conn);
}

static void
await(struct ctl_conn *conn)
{
	uint32_t events = (can_take(conn) && !conn->is_eof ? EPOLLIN : 0) |
		(conn->out ? EPOLLOUT : 0);
	enum ctl_conn_wait wait = CTL_WAIT_NOTHING;

	if (conn->out)
		wait = CTL_WAIT_TAKER;
	else if (can_take(conn) && ctl_lines_pending(&conn->in))
		wait = CTL_WAIT_LINE;
	if (events != conn->events &&
		loop_fd_change(conn->server->attr.loop, &conn->fd, events) == 0)
		conn->events = events;
	if (wait == CTL_WAIT_NOTHING)
		loop_timer_disarm(&conn->patience);
	else if (wait != conn->wait)
		loop_timer_arm(conn->server->attr.loop, &conn->patience,
			clock_ns() + conn->server->attr.patience_ns);
	conn->wait = wait;
}

/* Takes the lines that are there, as far as it may; then waits or ends. */
static void
ctl_conn_run(struct ctl_conn *conn)
{
	char *line;
	size_t len;
	int rc = 0;

	if (conn->is_busy)
		return;
	conn->is_busy = true;
	while (can_take(conn) &&
		(rc = ctl_lines_next(&conn->in, &line, &len)) == 1) {
		/* a line ends the time that it had */
		conn->wait = CTL_WAIT_NOTHING;
		take_line(conn, line, len);
	}
	if (rc == -EMSGSIZE) {
		counter_add(&conn->server->stats.dropped, 1);
		conn->is_closing = true;
		send_error(conn, NULL, CTL_LIMIT,
			"the line is over 64 KiB, which a request may not be");
	}
	conn->is_busy = false;
	if (is_over(conn))
		free_conn(conn);
	else
		await(conn);
}

static void
read_some(struct ctl_conn *conn)
{
	char *space;
	size_t len;
	ssize_t nr;

	space = ctl_lines_space(&conn->in, &len);
	if (!space) {
		kill_conn(conn, "no memory for a request");
		return;
	}
	nr = recv(conn->fd.fd, space, len, MSG_DONTWAIT);
	if (nr > 0)
		ctl_lines_add(&conn->in, (size_t)nr);
	else if (nr == 0)
		conn->is_eof = true;
	else if (errno != EAGAIN && errno != EINTR)
		kill_conn(conn, NULL);
}

static void
on_ready(struct loop_fd *node, uint32_t events)
{
	struct ctl_conn *conn = node->arg;

	if (events & EPOLLOUT)
		flush_out(conn);
	if (events & EPOLLIN)
		read_some(conn);
	else if (events & (EPOLLHUP | EPOLLERR))
		/* gone both ways, and nothing left that it said */
		kill_conn(conn, NULL);
	ctl_conn_run(conn);
}

static void
on_impatience(struct loop_timer *timer)
{
	struct ctl_conn *conn = timer->arg;

	if (conn->wait == CTL_WAIT_LINE) {
		send_error(conn, NULL, CTL_USAGE,
			"the line is not finished in time");
		kill_conn(conn, "a line without an end");
	} else {
		kill_conn(conn, "it does not take its replies");
	}
	ctl_conn_run(conn);
}

int
ctl_conn_create(struct ctl_server *server, int fd, const struct ucred *peer)
{
	struct ctl_conn *conn = calloc(1, sizeof(*conn));
	int rc;

	if (!conn)
		return -ENOMEM;
	conn->server = server;
	conn->peer = *peer;
	conn->fd.on_ready = on_ready;
	conn->fd.arg = conn;
	conn->events = EPOLLIN;
	ctl_lines_init(&conn->in, CTL_MAX_REQUEST_BYTES);
	list_init(&conn->calls);
	loop_timer_init(&conn->patience, on_impatience, conn);
	rc = loop_fd_add(server->attr.loop, &conn->fd, fd, conn->events);
	if (rc) {
		free(conn);
		return rc;
	}
	list_add_tail(&server->conns, &conn->node);
	counter_add(&server->stats.nr_open, 1);
	return 0;
}

void
ctl_conn_end(struct ctl_conn *conn)
{
	const struct ctl_call *call;

	list_for_each_entry(call, &conn->calls, node)
		send_error(conn, call->request.id, CTL_UNREACHABLE,
			"srpd ends before this is done");
	free_conn(conn);
}
