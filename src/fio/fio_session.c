/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_session.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fio/fio_look.h"
#include "fio/fio_opts.h"
#include "fio/fio_srpi.h"

enum entry_state {
	ENTRY_CLOSED,
	ENTRY_MOVING, /* one job opens or closes it, without the lock */
	ENTRY_OPEN,
};

/* All fields but public are under the lock. */
struct entry {
	struct fio_session public;
	struct entry *next;
	char *identity;
	enum entry_state state;
	unsigned int nr_refs;
	uint64_t bytes; /* of the LUN; 0: not known yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct entry *entries;

static void
before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* Sessions do not survive a fork: the child opens its own. */
static void
after_fork_in_child(void)
{
	struct entry *entry;

	for (entry = entries; entry; entry = entry->next) {
		entry->state = ENTRY_CLOSED;
		entry->nr_refs = 0;
	}
	pthread_cond_init(&moved, NULL);
	pthread_mutex_unlock(&lock);
}

static void
watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static struct entry *
entry_create(char *identity)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry) {
		free(identity);
		return NULL;
	}
	entry->identity = identity;
	entry->next = entries;
	entries = entry;
	return entry;
}

/* Locked. NULL: no memory. */
static struct entry *
entry_find(const struct fio_opts *opts)
{
	char *identity = fio_opts_identity(opts);
	struct entry *entry;

	if (!identity)
		return NULL;
	for (entry = entries; entry; entry = entry->next)
		if (strcmp(entry->identity, identity) == 0) {
			free(identity);
			return entry;
		}
	return entry_create(identity);
}

static int
open_lun(struct fio_session *session, char *reason, size_t n)
{
	uint8_t lun[8];
	int rc;

	srpi_session_info(session->srpi, &session->about);
	rc = srpi_lun_from_number(session->about.default_lun, lun);
	if (rc) {
		snprintf(reason, n, "LUN %llu has no 8-byte form",
			(unsigned long long)session->about.default_lun);
		return rc;
	}
	rc = srpi_lun_open(session->srpi, lun, &session->lun, reason, n);
	if (rc == 0)
		srpi_lun_info(session->lun, &session->info);
	return rc;
}

int
fio_session_open(const struct fio_opts *opts, struct fio_session *session,
	char *reason, size_t n)
{
	int rc = fio_opts_open(opts, &session->srpi, reason, n);

	if (rc)
		return rc;
	rc = open_lun(session, reason, n);
	if (rc)
		srpi_close(session->srpi);
	else
		srpi_session_stats(session->srpi, &session->begin,
			sizeof(session->begin));
	return rc;
}

/* Locked on entry and exit, not in between. */
static int
entry_open(struct entry *entry, const struct fio_opts *opts, char *reason,
	size_t n)
{
	int rc;

	entry->state = ENTRY_MOVING;
	pthread_mutex_unlock(&lock);
	rc = fio_session_open(opts, &entry->public, reason, n);
	pthread_mutex_lock(&lock);
	entry->state = rc ? ENTRY_CLOSED : ENTRY_OPEN;
	if (rc == 0)
		entry->bytes = entry->public.info.blocks *
			entry->public.info.block_bytes;
	pthread_cond_broadcast(&moved);
	return rc;
}

static int
get_locked(const struct fio_opts *opts, struct entry **out, char *reason,
	size_t n)
{
	struct entry *entry = entry_find(opts);
	int rc = 0;

	if (!entry) {
		snprintf(reason, n, "no memory for a session");
		return -ENOMEM;
	}
	while (entry->state == ENTRY_MOVING)
		pthread_cond_wait(&moved, &lock);
	if (entry->state == ENTRY_CLOSED)
		rc = entry_open(entry, opts, reason, n);
	if (rc == 0) {
		entry->nr_refs++;
		*out = entry;
	}
	return rc;
}

int
fio_session_get(const struct fio_opts *opts, struct fio_session **session,
	char *reason, size_t n)
{
	struct entry *entry;
	int rc;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	rc = get_locked(opts, &entry, reason, n);
	if (rc == 0)
		*session = &entry->public;
	pthread_mutex_unlock(&lock);
	return rc;
}

void
fio_session_put(struct fio_session *session)
{
	struct entry *entry = (struct entry *)session; /* its first member */

	pthread_mutex_lock(&lock);
	if (--entry->nr_refs == 0) {
		entry->state = ENTRY_MOVING;
		pthread_mutex_unlock(&lock);
		srpi_close(session->srpi);
		pthread_mutex_lock(&lock);
		entry->state = ENTRY_CLOSED;
		pthread_cond_broadcast(&moved);
	}
	pthread_mutex_unlock(&lock);
}

static bool
is_size_known(const struct fio_opts *opts, uint64_t *bytes)
{
	struct entry *entry;

	pthread_mutex_lock(&lock);
	entry = entry_find(opts);
	*bytes = entry ? entry->bytes : 0;
	pthread_mutex_unlock(&lock);
	return *bytes != 0;
}

int
fio_session_size(const struct fio_opts *opts, uint64_t *bytes, char *reason,
	size_t n)
{
	struct fio_look look;
	struct entry *entry;
	int rc;

	if (is_size_known(opts, bytes))
		return 0;
	rc = fio_look_ask(opts, &look);
	if (rc) {
		snprintf(reason, n,
			"the process that asks for the LUN's size did not "
			"answer: %s", strerror(-rc));
		return rc;
	}
	snprintf(reason, n, "%s", look.reason);
	*bytes = look.bytes;
	pthread_mutex_lock(&lock);
	entry = look.rc ? NULL : entry_find(opts);
	if (entry)
		entry->bytes = look.bytes;
	pthread_mutex_unlock(&lock);
	return look.rc;
}

/* fio is done with the engine; nobody holds a reference any more. */
__attribute__((destructor)) static void
forget_entries(void)
{
	struct entry *entry;

	while ((entry = entries)) {
		entries = entry->next;
		free(entry->identity);
		free(entry);
	}
}
