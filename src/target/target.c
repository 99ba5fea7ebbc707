/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "target/tgt.h"
#include "target/tgt_aio.h"
#include "target/tgt_cm.h"
#include "target/tgt_conn.h"
#include "target/tgt_dev.h"
#include "target/tgt_faults.h"
#include "target/tgt_grave.h"
#include "target/tgt_tmf.h"
#include "util/clock.h"
#include "wire/srp_iu.h"

enum {
	TARGET_REQ_LIM = 128,
	TARGET_MAX_REQ_LIM = 1024,
	TARGET_IU_BYTES = 8260,
	TARGET_MAX_IU_BYTES = 16384,
	TARGET_CHANNELS = 1024,
};

static int
target_check_attr(const struct target_attr *attr, char *reason, size_t n)
{
	if (attr->req_lim > TARGET_MAX_REQ_LIM) {
		snprintf(reason, n, "req_lim %u: 1 to %u are allowed",
			attr->req_lim, TARGET_MAX_REQ_LIM);
		return -EINVAL;
	}
	if (attr->max_it_iu_bytes &&
		(attr->max_it_iu_bytes < SRP_MIN_IU_BYTES ||
			attr->max_it_iu_bytes > TARGET_MAX_IU_BYTES)) {
		snprintf(reason, n, "an IU of %u bytes: %u to %u are allowed",
			attr->max_it_iu_bytes, SRP_MIN_IU_BYTES,
			TARGET_MAX_IU_BYTES);
		return -EINVAL;
	}
	if (attr->nr_luns > TARGET_MAX_LUNS) {
		snprintf(reason, n, "%u LUNs: up to %u are allowed",
			attr->nr_luns, TARGET_MAX_LUNS);
		return -EINVAL;
	}
	return 0;
}

static int
target_open_lun(struct target *target, const struct target_lun_attr *attr,
	char *reason, size_t n)
{
	struct tgt_lun *lun = &target->luns[target->nr_luns];
	int rc;

	if (attr->number >= TGT_LUN_NUMBERS ||
		target->lun_index[attr->number]) {
		snprintf(reason, n, "LUN %u is %s", attr->number,
			attr->number >= TGT_LUN_NUMBERS ?
				"above 16383, the highest number" :
				"named twice");
		return -EINVAL;
	}
	rc = tgt_lun_open(lun, attr, reason, n);
	if (rc)
		return rc;
	lun->index = (uint16_t)target->nr_luns++;
	target->lun_index[attr->number] = (uint16_t)target->nr_luns;
	if (lun->is_async)
		target->has_async = true;
	if (lun->is_sink && !(lun->flags & TARGET_LUN_NODATA))
		target->needs_sink = true;
	return 0;
}

static int
target_open_luns(struct target *target, const struct target_attr *attr,
	char *reason, size_t n)
{
	unsigned int i;
	int rc;

	target->luns = calloc(TARGET_MAX_LUNS, sizeof(*target->luns));
	if (!target->luns) {
		snprintf(reason, n, "no memory");
		return -ENOMEM;
	}
	target->has_async = attr->may_add;
	target->needs_sink = attr->may_add;
	for (i = 0; i < attr->nr_luns; i++) {
		rc = target_open_lun(target, &attr->luns[i], reason, n);
		if (rc)
			return rc;
	}
	return target->has_async ? tgt_aio_create(target, reason, n) : 0;
}

/* Learn now, where the device is known, what a first login would. */
static int
target_probe(struct target *target, char *reason, size_t n)
{
	struct tgt_dev *dev;
	bool has_handlers;
	int rc;

	if (!target->listen_id->verbs)
		return 0;
	rc = tgt_dev_get(target, target->listen_id->verbs, &dev, reason, n);
	if (rc)
		return rc;
	rc = tgt_dev_probe_handlers(dev, &has_handlers);
	if (rc)
		snprintf(reason, n, "no completion queue on the device: %s",
			strerror(-rc));
	else
		/* libaio's completions come to the loop thread */
		target->has_handlers = has_handlers && !target->has_async;
	return rc;
}

static void
target_set_attr(struct target *target, const struct target_attr *attr)
{
	target->fabric = attr->fabric;
	target->id_ext = attr->id_ext;
	srp_iu_port_id_make(target->port_id, SRP_IO_CLASS_16A, attr->id_ext,
		attr->ioc_guid);
	target->req_lim = attr->req_lim ? attr->req_lim : TARGET_REQ_LIM;
	target->max_it_iu_bytes = attr->max_it_iu_bytes ?
		attr->max_it_iu_bytes :
		TARGET_IU_BYTES;
	target->max_channels =
		attr->max_channels ? attr->max_channels : TARGET_CHANNELS;
	target->wants_aer = attr->wants_aer;
	target->spin_ns = attr->spin_usec * CLOCK_NS_PER_USEC;
}

static void
target_free(struct target *target)
{
	unsigned int i;

	tgt_cm_close(target);
	tgt_tmf_free_all(target);
	tgt_grave_free_all(target);
	tgt_dev_destroy_all(target);
	if (target->aio)
		tgt_aio_destroy(target);
	for (i = 0; i < target->nr_luns; i++)
		tgt_lun_close(&target->luns[i]);
	free(target->luns);
	loop_fini(&target->loop);
	pthread_cond_destroy(&target->thawed);
	pthread_cond_destroy(&target->changed);
	pthread_mutex_destroy(&target->lock);
	free(target);
}

/* NULL with errno. */
static struct target *
target_alloc(void)
{
	struct target *target = calloc(1, sizeof(*target));
	int rc;

	if (!target)
		return NULL;
	list_init(&target->devs);
	list_init(&target->conns);
	list_init(&target->closing);
	list_init(&target->nexuses);
	list_init(&target->resets);
	list_init(&target->graves);
	target->cm_fd.fd = -1;
	pthread_mutex_init(&target->lock, NULL);
	pthread_cond_init(&target->thawed, NULL);
	pthread_cond_init(&target->changed, NULL);
	rc = loop_init(&target->loop);
	if (rc) {
		pthread_cond_destroy(&target->thawed);
		pthread_cond_destroy(&target->changed);
		pthread_mutex_destroy(&target->lock);
		free(target);
		errno = -rc;
		return NULL;
	}
	return target;
}

int
target_create(const struct target_attr *attr, struct target **out, char *reason,
	size_t n)
{
	struct target *target;
	int rc;

	rc = target_check_attr(attr, reason, n);
	if (rc)
		return rc;
	target = target_alloc();
	if (!target) {
		rc = -errno;
		snprintf(reason, n, "making a target: %s", strerror(-rc));
		return rc;
	}
	target_set_attr(target, attr);
	rc = target_open_luns(target, attr, reason, n);
	if (!rc)
		rc = tgt_cm_listen(target, attr->addr, reason, n);
	if (!rc)
		rc = target_probe(target, reason, n);
	if (!rc) {
		rc = thread_start(&target->thread, "srp-target",
			attr->cpu ? *attr->cpu : THREAD_ANY_CPU, tgt_loop_main,
			target);
		if (rc)
			snprintf(reason, n, "starting the target's thread: %s",
				strerror(-rc));
	}
	if (rc) {
		target_free(target);
		return rc;
	}
	*out = target;
	return 0;
}

void
target_destroy(struct target *target)
{
	if (!target)
		return;
	pthread_mutex_lock(&target->lock);
	atomic_store(&target->is_stopping, true);
	atomic_fetch_and(&target->odd, ~(uint32_t)TGT_ODD_FROZEN);
	pthread_cond_signal(&target->thawed);
	pthread_mutex_unlock(&target->lock);
	loop_wake(&target->loop);
	thread_join(&target->thread);
	target_free(target);
}

uint16_t
target_port(const struct target *target)
{
	return target->port;
}

bool
target_has_own_thread(const struct target *target)
{
	return !target->has_handlers;
}

void
tgt_counters_add(struct tgt_counters *sum, const struct tgt_counters *add)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)add;
	size_t i;

	for (i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

void
target_stats(const struct target *t, struct target_stats *stats)
{
	struct target *target = (struct target *)(uintptr_t)t;
	struct tgt_counters sum;
	struct tgt_conn *conn;
	unsigned long long cpu_ns = 0;

	pthread_mutex_lock(&target->lock);
	sum = target->retired;
	list_for_each_entry(conn, &target->conns, node)
		tgt_counters_add(&sum, &conn->counters);
	*stats = (struct target_stats){
		.logins = target->nr_logins,
		.rejects = target->nr_rejects,
		.nr_channels = target->nr_conns,
	};
	pthread_mutex_unlock(&target->lock);
	stats->commands = sum.commands;
	stats->reads = sum.reads;
	stats->writes = sum.writes;
	stats->bytes_read = sum.bytes_read;
	stats->bytes_written = sum.bytes_written;
	stats->check_conditions = sum.check_conditions;
	stats->task_management = sum.task_management;
	stats->malformed_ius = sum.malformed_ius;
	if (!thread_cpu_ns(&target->thread, &cpu_ns))
		stats->cpu_ns = cpu_ns;
}

static void
target_set_odd(struct target *target, enum tgt_odd bit, bool on)
{
	if (on)
		atomic_fetch_or(&target->odd, (uint32_t)bit);
	else
		atomic_fetch_and(&target->odd, ~(uint32_t)bit);
}

void
target_set_faults(struct target *target, const struct target_faults *faults)
{
	pthread_mutex_lock(&target->lock);
	target->faults = (struct tgt_faults){ .script = *faults };
	target_set_odd(target, TGT_ODD_FAULTS, tgt_faults_is_any(faults));
	pthread_mutex_unlock(&target->lock);
}

void
target_freeze(struct target *target, bool frozen)
{
	pthread_mutex_lock(&target->lock);
	target_set_odd(target, TGT_ODD_FROZEN, frozen);
	atomic_store(&target->wants_run, true);
	pthread_cond_signal(&target->thawed);
	pthread_mutex_unlock(&target->lock);
	loop_wake(&target->loop);
}

void
target_disconnect_all(struct target *target)
{
	atomic_store(&target->wants_disconnect, true);
	loop_wake(&target->loop);
}
