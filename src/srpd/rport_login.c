/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One session of an rport: login by one of its paths, logout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "srpd/redact.h"
#include "srpd/rport_priv.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/log.h"

/* Whatever the library quotes of a URL, its password is not shown. */
static void
redact(const struct rport_attr *attr, char *text)
{
	for (unsigned int i = 0; i < attr->nr_urls; i++)
		redact_text(text, attr->urls[i]);
}

static void
begin_attempt(struct rport *rport, unsigned int path)
{
	pthread_mutex_lock(&rport->lock);
	redact_url(rport->attr->urls[path], rport->status.url,
		sizeof(rport->status.url));
	rport->status.attempts++;
	rport->status.next_try_ns = 0;
	pthread_mutex_unlock(&rport->lock);
}

/* @text "": it works. */
static void
set_path_error(struct rport *rport, unsigned int path, const char *text)
{
	struct rport_path_error *error = &rport->path_errors[path];

	pthread_mutex_lock(&rport->lock);
	snprintf(error->text, sizeof(error->text), "%s", text);
	error->at_ns = text[0] ? clock_ns() : 0;
	pthread_mutex_unlock(&rport->lock);
}

static void
adopt(struct rport *rport, struct srpi_session *session, unsigned int path)
{
	struct rport_status *status = &rport->status;
	struct srpi_session_info info;

	srpi_session_info(session, &info);
	pthread_mutex_lock(&rport->lock);
	rport->session = session;
	rport->has_session = true;
	rport->path = path;
	status->ready_ns = clock_ns();
	memcpy(status->portal, info.portal, sizeof(status->portal));
	memcpy(status->device, info.device, sizeof(status->device));
	memcpy(status->initiator_port_id, info.initiator_port_id,
		sizeof(status->initiator_port_id));
	memcpy(status->target_port_id, info.target_port_id,
		sizeof(status->target_port_id));
	status->nr_channels = info.nr_channels;
	status->reconnects += rport->has_been_up;
	pthread_mutex_unlock(&rport->lock);
	rport->has_been_up = true;
}

/* All paths in turn, from the one that worked last. */
static int
try_paths(struct rport *rport, const struct srpi_opts *opts, char *reason,
	size_t n)
{
	const struct rport_attr *attr = rport->attr;
	char why[RPORT_ERROR_BYTES];
	struct srpi_session *session;
	unsigned int path, from = rport->path;
	uint64_t begun_ns;
	int rc, first = 0;

	for (unsigned int i = 0; i < attr->nr_urls; i++) {
		path = (from + i) % attr->nr_urls;
		begin_attempt(rport, path);
		why[0] = '\0';
		begun_ns = clock_ns();
		rc = srpi_open(
			attr->urls[path], opts, &session, why, sizeof(why));
		if (rc == 0) {
			latency_record(&rport->latency[LATENCY_LOGIN],
				clock_ns() - begun_ns);
			set_path_error(rport, path, "");
			adopt(rport, session, path);
			return 0;
		}
		redact(attr, why);
		set_path_error(rport, path, why);
		if (!first) {
			first = rc;
			snprintf(reason, n, "%s", why);
		}
	}
	return first;
}

/* An initiator port id of the target's own, by the ini file or the URL. */
static bool
has_own_id(const struct rport_attr *attr)
{
	if (rport_attr_pair(attr, "initiator_id"))
		return true;
	for (unsigned int i = 0; i < attr->nr_urls; i++)
		if (!strstr(attr->urls[i], "initiator_id="))
			return false;
	return attr->nr_urls > 0;
}

/*
 * The first login closes what an srpd that crashed has left at the target:
 * SRP_MULTICHAN_SINGLE ends all channels of the initiator port id. Not of the
 * usual one, which other programs of this machine have too, and the disks of
 * its kernel's initiator; and later logins must not, or they would end those
 * of who came since.
 */
static int
add_single(const struct rport *rport, struct srpi_opts *opts, char *reason,
	size_t n)
{
	if (rport->has_been_up || !has_own_id(rport->attr) ||
		rport_attr_pair(rport->attr, "single"))
		return 0;
	return srpi_opts_set(opts, "single", "yes", reason, n);
}

int
rport_login(struct rport *rport, char *reason, size_t n)
{
	struct srpi_opts *opts;
	int rc = rport_attr_opts(rport->attr, &opts, reason, n);

	if (rc)
		return rc;
	rc = add_single(rport, opts, reason, n);
	if (!rc)
		rc = try_paths(rport, opts, reason, n);
	srpi_opts_destroy(opts);
	return rc;
}

/* From here on readers see the sum alone; the session is the thread's. */
static struct srpi_session *
detach(struct rport *rport)
{
	struct rport_status *status = &rport->status;
	struct srpi_session *session = rport->session;
	struct srpi_stats last;

	srpi_session_stats(session, &last, sizeof(last));
	pthread_mutex_lock(&rport->lock);
	rport_add_stats(&rport->past, &last);
	rport->session = NULL;
	free(rport->luns);
	rport->luns = NULL;
	rport->nr_luns = 0;
	status->portal[0] = '\0';
	status->device[0] = '\0';
	status->nr_channels = 0;
	status->nr_luns = 0;
	status->ready_ns = 0;
	memset(status->initiator_port_id, 0, sizeof(status->initiator_port_id));
	memset(status->target_port_id, 0, sizeof(status->target_port_id));
	pthread_mutex_unlock(&rport->lock);
	return session;
}

void
rport_logout(struct rport *rport)
{
	if (!rport->session)
		return;
	srpi_close(detach(rport));
	pthread_mutex_lock(&rport->lock);
	rport->has_session = false;
	pthread_mutex_unlock(&rport->lock);
}
