/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "config.h"

#include "srpd/metrics.h"

#include <errno.h>

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "srpd/metrics_listen.h"
#include "util/log.h"

#define CONTENT "text/plain; version=0.0.4; charset=utf-8"
#define MAX_CONNECTIONS 16
#define PATIENCE_SECONDS 10

struct metrics {
	struct metrics_source source;
	struct MHD_Daemon *daemon; /* has the listening descriptor */
	char path[128];		   /* to remove; "": none */
};

static enum MHD_Result
reply(struct MHD_Connection *connection, unsigned int status, char *text,
	enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(strlen(text), text, mode);
	enum MHD_Result rc = MHD_NO;

	if (!response) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return MHD_NO;
	}
	MHD_add_response_header(
		response, MHD_HTTP_HEADER_CONTENT_TYPE, CONTENT);
	rc = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return rc;
}

static enum MHD_Result
reply_constant(struct MHD_Connection *connection, unsigned int status,
	const char *text)
{
	return reply(connection, status, (char *)(uintptr_t)text,
		MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result
reply_metrics(struct metrics *metrics, struct MHD_Connection *connection)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int rc;

	if (!out)
		return MHD_NO;
	rc = metrics_text_print(&metrics->source, out);
	if (fclose(out) || rc) {
		free(text);
		return reply_constant(connection,
			MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
	}
	return reply(connection, MHD_HTTP_OK, text, MHD_RESPMEM_MUST_FREE);
}

/* Called twice a request: the body, of which there is none, begins and ends. */
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *connection, const char *url,
	const char *method, const char *version, const char *body,
	size_t *body_bytes, void **state)
{
	(void)version;
	(void)body;
	if (!*state) {
		*state = arg;
		return MHD_YES;
	}
	if (*body_bytes) {
		*body_bytes = 0; /* read and forgotten */
		return MHD_YES;
	}
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return reply_constant(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			"GET and HEAD are allowed\n");
	if (!strcmp(url, "/metrics"))
		return reply_metrics(arg, connection);
	if (!strcmp(url, "/"))
		return reply_constant(connection, MHD_HTTP_OK,
			"srpd: the metrics are at /metrics\n");
	return reply_constant(connection, MHD_HTTP_NOT_FOUND,
		"the metrics are at /metrics\n");
}

__printf(2, 0) static void
on_log(void *arg, const char *format, va_list ap)
{
	char line[256];

	(void)arg;
	vsnprintf(line, sizeof(line), format, ap);
	line[strcspn(line, "\n")] = '\0';
	log_debug("metrics", "%s", line);
}

static int
start_daemon(struct metrics *metrics, int fd)
{
	metrics->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL,
		NULL, on_request, metrics, MHD_OPTION_EXTERNAL_LOGGER, on_log,
		NULL, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)MAX_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)PATIENCE_SECONDS,
		MHD_OPTION_END);
	return metrics->daemon ? 0 : -EIO;
}

int
metrics_start(const char *where, const struct metrics_source *source,
	struct metrics **out, char *reason, size_t n)
{
	struct metrics *metrics = calloc(1, sizeof(*metrics));
	int fd, rc;

	if (!metrics) {
		snprintf(reason, n, "metrics: out of memory");
		return -ENOMEM;
	}
	metrics->source = *source;
	fd = metrics_listen(where, reason, n);
	if (fd < 0) {
		free(metrics);
		return fd;
	}
	if (metrics_listen_is_path(where))
		snprintf(metrics->path, sizeof(metrics->path), "%s", where);
	rc = start_daemon(metrics, fd);
	if (rc) {
		snprintf(reason, n, "metrics = %s: libmicrohttpd can't serve it",
			where);
		close(fd);
		metrics_stop(metrics);
		return rc;
	}
	*out = metrics;
	return 0;
}

void
metrics_stop(struct metrics *metrics)
{
	if (!metrics)
		return;
	if (metrics->daemon)
		MHD_stop_daemon(metrics->daemon);
	if (metrics->path[0])
		unlink(metrics->path);
	free(metrics);
}

#else

int
metrics_start(const char *where, const struct metrics_source *source,
	struct metrics **metrics, char *reason, size_t n)
{
	(void)source;
	(void)metrics;
	snprintf(reason, n,
		"metrics = %s: this srpd was built without libmicrohttpd",
		where);
	return -EOPNOTSUPP;
}

void
metrics_stop(struct metrics *metrics)
{
	(void)metrics;
}

#endif
