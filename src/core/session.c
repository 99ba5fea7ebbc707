/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "core/admin.h"
#include "core/channel.h"
#include "core/keeper.h"
#include "core/lun.h"
#include "core/mem.h"
#include "core/queue.h"
#include "core/service.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "fabric/mrpool.h"
#include "util/log.h"
#include "wire/srp_iu.h"

#define SESSION_CONTROL_DEPTH 4

/* ---- the device ---- */

void
session_add_remedy(int ret, char *reason, size_t n)
{
	struct rlimit limit;
	size_t at = strlen(reason);

	if (at >= n)
		return;
	if (ret == -EMFILE && !getrlimit(RLIMIT_NOFILE, &limit))
		snprintf(reason + at, n - at,
			"; this process may have %llu open: raise that limit (ulimit -n, LimitNOFILE=)",
			(unsigned long long)limit.rlim_cur);
	else if (ret == -ENFILE)
		snprintf(reason + at, n - at,
			"; so many may the system have open: raise that limit (sysctl fs.file-max)");
}

int
session_call_failed(struct srpi_session *session, const char *what, int error,
	char *reason, size_t n)
{
	const struct fabric *fabric = session->attr.fabric;
	char hint[256] = "";

	if (!fabric->diagnose ||
		fabric->diagnose(error, hint, sizeof(hint)) <= 0)
		snprintf(hint, sizeof(hint), "%s", strerror(error));
	snprintf(reason, n, "%s: %s", what, hint);
	return error ? -error : -EIO;
}

/* The default initiator port id: as ib_srp's, so that its ACLs fit. */
static int
session_set_port_id(struct srpi_session *session, struct rdma_cm_id *id,
	char *reason, size_t n)
{
	const struct session_attr *attr = &session->attr;
	union ibv_gid gid;
	uint64_t guid;

	srp_iu_port_id_make(session->target_port_id, SRP_IO_CLASS_16A,
		attr->id_ext, attr->ioc_guid);
	if (attr->has_initiator_id) {
		memcpy(session->initiator_port_id, attr->initiator_id,
			sizeof(attr->initiator_id));
		return 0;
	}
	if (attr->fabric->query_gid(id->verbs, id->port_num, 0, &gid)) {
		snprintf(reason, n,
			"the RDMA port has no GID to make an initiator port id of; give one (initiator_id=)");
		return -ENODEV;
	}
	memcpy(&guid, gid.raw + 8, sizeof(guid));
	srp_iu_port_id_make(session->initiator_port_id, SRP_IO_CLASS_16A, 0,
		be64toh(guid));
	return 0;
}

static int
session_query_device(struct srpi_session *session, char *reason, size_t n)
{
	struct ibv_device_attr attr;

	if (session->attr.fabric->query_device(session->verbs, &attr)) {
		snprintf(reason, n, "the RDMA device does not answer");
		return -ENODEV;
	}
	session->max_qp_wr = (uint32_t)max(attr.max_qp_wr, 0);
	session->max_rd_atom = (uint8_t)min_t(
		int, max(attr.max_qp_rd_atom, 0), UINT8_MAX);
	return 0;
}

int
session_set_device(struct srpi_session *session, struct rdma_cm_id *id,
	char *reason, size_t n)
{
	int ret;

	if (session->verbs)
		return 0;
	session->verbs = id->verbs;
	ret = session_query_device(session, reason, n);
	if (!ret)
		ret = session_set_port_id(session, id, reason, n);
	if (ret)
		return ret;
	session->pd = session->attr.fabric->alloc_pd(id->verbs);
	if (!session->pd) {
		snprintf(reason, n, "allocating a protection domain: %s",
			strerror(errno));
		return -errno;
	}
	return mrpool_create(session->attr.fabric, session->pd, &session->pool);
}

/* ---- create, destroy ---- */

static int
session_start(struct srpi_session *session, char *reason, size_t n)
{
	struct srpi_queue_opts opts = {
		.depth = SESSION_CONTROL_DEPTH,
		.completion = SRPI_COMPLETION_INLINE,
		.cpu = -1,
	};
	char why[512];
	int ret;

	ret = queue_create(session, &opts, QUEUE_CONTROL, &session->control,
		why, sizeof(why));
	if (ret) {
		snprintf(reason, n, "logging in to %s: %s",
			session->attr.portal, why);
		return ret;
	}
	ret = admin_init(session, why, sizeof(why));
	if (!ret)
		ret = lun_scan(session, why, sizeof(why));
	if (ret)
		snprintf(reason, n, "%s: %s", session->attr.portal, why);
	return ret;
}

static void
session_warn_if_empty(const struct srpi_session *session)
{
	char hex[2 * SRP_PORT_ID_BYTES + 1];
	int i;

	if (session->nr_luns)
		return;
	for (i = 0; i < SRP_PORT_ID_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", session->initiator_port_id[i]);
	log_warn("core", "%s: no LUN is mapped for initiator port id 0x%s",
		session->attr.portal, hex);
}

static struct srpi_session *
session_alloc(const struct session_attr *attr)
{
	struct srpi_session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->attr = *attr;
	pthread_mutex_init(&session->lock, NULL);
	pthread_mutex_init(&session->admin_lock, NULL);
	list_init(&session->queues);
	list_init(&session->luns);
	list_init(&session->mems);
	list_init(&session->channels);
	pthread_mutex_init(&session->channels_lock, NULL);
	pthread_cond_init(&session->channels_unpinned, NULL);
	pthread_mutex_init(&session->connect_lock, NULL);
	session->nr_cpus = (unsigned int)thread_nr_cpus();
	session->max_channels = attr->channels
		? attr->channels : session->nr_cpus;
	return session;
}

int
session_create(const struct session_attr *attr, struct srpi_session **out,
	char *reason, size_t n)
{
	struct srpi_session *session = session_alloc(attr);
	int ret;

	if (!session) {
		if (attr->on_close)
			attr->on_close(attr->owner);
		snprintf(reason, n, "out of memory");
		return -ENOMEM;
	}
	ret = events_init(&session->events);
	if (ret)
		snprintf(reason, n, "creating an eventfd: %s", strerror(-ret));
	else
		ret = session_start(session, reason, n);
	if (ret) {
		session_destroy(session);
		return ret;
	}
	session_warn_if_empty(session);
	*out = session;
	return 0;
}

static void
session_destroy_lists(struct srpi_session *session)
{
	struct srpi_queue *queue, *next_queue;
	struct srpi_lun *lun, *next_lun;

	list_for_each_entry_safe(queue, next_queue, &session->queues, node)
		srpi_queue_destroy(queue);
	queue_destroy(session->control);
	list_for_each_entry_safe(lun, next_lun, &session->luns, node)
		lun_destroy(lun);
	mem_destroy_all(session);
}

void
session_destroy(struct srpi_session *session)
{
	const struct fabric *fabric = session->attr.fabric;

	session_destroy_lists(session);
	mrpool_destroy(session->pool);
	if (session->pd)
		fabric->dealloc_pd(session->pd);
	free(session->lun_list);
	events_fini(&session->events);
	pthread_mutex_destroy(&session->admin_lock);
	pthread_mutex_destroy(&session->connect_lock);
	pthread_cond_destroy(&session->channels_unpinned);
	pthread_mutex_destroy(&session->channels_lock);
	pthread_mutex_destroy(&session->lock);
	if (session->attr.on_close)
		session->attr.on_close(session->attr.owner);
	free(session);
}

/* ---- what can be asked ---- */

/*
 * What its owner writes without an atomic: a moment old, and whole, since an
 * aligned word is read at once. noinline keeps the attribute with the load.
 */
__attribute__((noinline, no_sanitize_thread)) static uint32_t
session_peek(const void *word)
{
	return *(const volatile uint32_t *)word;
}

/* bitset_count() would be compiled with the sanitizer: not inlined here. */
__attribute__((noinline, no_sanitize_thread)) static uint32_t
session_peek_tags(const struct srpi_queue *queue)
{
	const volatile uint64_t *words = queue->tags;
	uint32_t nr = 0, i;

	for (i = 0; i < BITSET_WORDS(queue->depth); i++)
		nr += (uint32_t)__builtin_popcountll(
			words[i] & bitset_valid(i, queue->depth));
	return nr;
}

/* A channel that has failed stays listed until its last queue is gone. */
static bool
session_is_up(const struct channel *ch)
{
	return !atomic_load(&ch->down) && !counter_get(&ch->stats.disconnects);
}

static void
session_count_channels(struct srpi_session *session,
	struct srpi_session_info *info)
{
	const struct channel *ch;

	pthread_mutex_lock(&session->channels_lock);
	list_for_each_entry(ch, &session->channels, node) {
		if (!session_is_up(ch))
			continue;
		info->nr_channels++;
		info->credits += (int32_t)session_peek(&ch->credits);
	}
	pthread_mutex_unlock(&session->channels_lock);
}

static void
session_count_tags(struct srpi_session *session,
	struct srpi_session_info *info)
{
	const struct srpi_queue *queue;

	info->tags = session->control->depth;
	info->tags_used = session_peek_tags(session->control);
	list_for_each_entry(queue, &session->queues, node) {
		info->tags += queue->depth;
		info->tags_used += session_peek_tags(queue);
	}
}

static uint32_t
session_flags(const struct srpi_session *session)
{
	uint32_t flags = session->attr.flags;

	if (strcmp(session->attr.fabric->name, "soft") == 0)
		flags |= SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS;
	return flags;
}

void
srpi_session_info(struct srpi_session *session, struct srpi_session_info *info)
{
	const struct channel *ch = session->control->ch;

	*info = (struct srpi_session_info){
		.flags = session_flags(session),
		.req_lim = ch->req_lim,
		.max_it_iu_bytes = ch->max_it_iu_bytes,
		.imm_data_bytes = ch->imm_bytes,
		.max_transfer_bytes = UINT32_MAX,
	};
	memcpy(info->initiator_port_id, session->initiator_port_id,
		SRP_PORT_ID_BYTES);
	memcpy(info->target_port_id, session->target_port_id,
		SRP_PORT_ID_BYTES);
	session_count_channels(session, info);
	pthread_mutex_lock(&session->lock);
	session_count_tags(session, info);
	info->default_lun = lun_default(session);
	pthread_mutex_unlock(&session->lock);
	if (session->attr.cpu_ns)
		info->target_cpu_ns = session->attr.cpu_ns(session->attr.owner);
	snprintf(info->device, sizeof(info->device), "%s",
		session->verbs->device->name);
	snprintf(info->portal, sizeof(info->portal), "%s",
		session->attr.portal);
}

/* Every member is a uint64_t counter. */
void
session_add_stats(struct srpi_stats *sum, const struct srpi_stats *stats)
{
	const uint64_t *from = (const uint64_t *)stats;
	uint64_t *to = (uint64_t *)sum;
	size_t i;

	for (i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += counter_get(&from[i]);
}

void
session_keep_stats(struct srpi_session *session, const struct srpi_stats *stats)
{
	pthread_mutex_lock(&session->lock);
	session_add_stats(&session->gone, stats);
	pthread_mutex_unlock(&session->lock);
}

void
srpi_session_stats(struct srpi_session *session, struct srpi_stats *stats,
	size_t bytes)
{
	struct srpi_stats sum;
	struct srpi_queue *queue;
	struct channel *ch;

	pthread_mutex_lock(&session->lock);
	sum = session->gone;
	session_add_stats(&sum, &session->control->stats);
	list_for_each_entry(queue, &session->queues, node)
		session_add_stats(&sum, &queue->stats);
	pthread_mutex_unlock(&session->lock);
	pthread_mutex_lock(&session->channels_lock);
	list_for_each_entry(ch, &session->channels, node)
		session_add_stats(&sum, &ch->stats);
	pthread_mutex_unlock(&session->channels_lock);
	sum.thread_cpu_ns = keeper_cpu_ns() + service_cpu_ns();
	memset(stats, 0, bytes);
	memcpy(stats, &sum, min_t(size_t, bytes, sizeof(sum)));
}
