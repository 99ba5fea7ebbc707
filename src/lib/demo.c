/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/demo.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/session.h"
#include "fabric/fabric.h"
#include "lib/resolve.h"
#include "lib/text.h"
#include "target/target.h"
#include "util/list.h"

struct demo {
	struct list node;  /* in demos; private ones are in no list */
	unsigned int refs; /* sessions; under demos_lock */
	struct demo_attr attr;
	const struct fabric *fabric;
	struct soft_dev *dev;
	struct target *target;
	struct sockaddr_in addr; /* where the target listens */
};

/* Held while a target is made, so that a name is never made twice. */
static pthread_mutex_t demos_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list demos = LIST_INIT(demos);

/* A forked child has none of our targets' threads: it starts its own. */
static void
demo_in_child(void)
{
	pthread_mutex_init(&demos_lock, NULL);
	list_init(&demos);
}

static void
demo_watch_forks(void)
{
	pthread_atfork(NULL, NULL, demo_in_child);
}

static struct demo *
find(const char *name)
{
	struct demo *demo;

	if (!*name)
		return NULL;
	list_for_each_entry(demo, &demos,
		node) if (strcmp(demo->attr.name, name) == 0) return demo;
	return NULL;
}

static bool
is_same(const struct demo_attr *a, const struct demo_attr *b)
{
	return strcmp(a->backend, b->backend) == 0 &&
	       a->size_bytes == b->size_bytes &&
	       a->block_bytes == b->block_bytes && a->irqmode == b->irqmode &&
	       a->completion_ns == b->completion_ns &&
	       a->spin_usec == b->spin_usec && a->data == b->data &&
	       a->nr_luns == b->nr_luns && a->is_read_only == b->is_read_only;
}

static uint32_t
lun_flags(const struct demo_attr *attr)
{
	uint32_t flags = 0;

	if (attr->is_read_only)
		flags |= TARGET_LUN_RO;
	if (attr->data == DEMO_DATA_NONE)
		flags |= TARGET_LUN_NODATA;
	return flags;
}

static int
create_target(struct demo *demo, char *reason, size_t n)
{
	const struct demo_attr *attr = &demo->attr;
	struct target_lun_attr luns[TARGET_MAX_LUNS];
	const struct target_attr target = {.fabric = demo->fabric,
		.addr = (struct sockaddr *)&demo->addr,
		.id_ext = DEMO_ID_EXT,
		.ioc_guid = DEMO_IOC_GUID,
		.luns = luns,
		.nr_luns = attr->nr_luns,
		.spin_usec = attr->spin_usec};
	int rc;

	for (unsigned int i = 0; i < attr->nr_luns; i++)
		luns[i] = (struct target_lun_attr){.number = (uint16_t)i,
			.backend = attr->backend,
			.size_bytes = attr->size_bytes,
			.block_bytes = attr->block_bytes,
			.flags = lun_flags(attr)};
	rc = target_create(&target, &demo->target, reason, n);
	if (rc)
		return rc;
	demo->addr.sin_port = htons(target_port(demo->target));
	return 0;
}

static int
create_parts(struct demo *demo, char *reason, size_t n)
{
	const struct soft_dev_attr dev = {.irqmode = demo->attr.irqmode,
		.completion_nsec = demo->attr.completion_ns};
	int rc;

	demo->fabric = fabric_find("soft");
	if (!demo->fabric) {
		snprintf(reason, n, "the software device is not in this build");
		return -ENODEV;
	}
	rc = soft_dev_create(&dev, &demo->dev);
	if (rc) {
		snprintf(reason, n, "no software device: %s", strerror(-rc));
		return rc;
	}
	soft_dev_addr(demo->dev, &demo->addr);
	rc = create_target(demo, reason, n);
	if (rc)
		soft_dev_put(demo->dev);
	return rc;
}

static int
create(const struct demo_attr *attr, struct demo **out, char *reason, size_t n)
{
	struct demo *demo = calloc(1, sizeof(*demo));
	int rc;

	if (!demo) {
		snprintf(reason, n, "no memory for the embedded target");
		return -ENOMEM;
	}
	demo->attr = *attr;
	rc = create_parts(demo, reason, n);
	if (rc) {
		free(demo);
		return rc;
	}
	list_init(&demo->node);
	if (*attr->name)
		list_add_tail(&demos, &demo->node);
	*out = demo;
	return 0;
}

static void
demo_put(void *owner)
{
	struct demo *demo = owner;
	bool is_last;

	pthread_mutex_lock(&demos_lock);
	is_last = --demo->refs == 0;
	if (is_last)
		list_del(&demo->node);
	pthread_mutex_unlock(&demos_lock);
	if (!is_last)
		return;
	target_destroy(demo->target);
	soft_dev_put(demo->dev);
	free(demo);
}

static uint64_t
demo_cpu_ns(void *owner)
{
	const struct demo *demo = owner;
	struct target_stats stats;

	target_stats(demo->target, &stats);
	return stats.cpu_ns;
}

static void
fill_session(struct demo *demo, struct session_attr *session)
{
	session->fabric = demo->fabric;
	memcpy(&session->addr, &demo->addr, sizeof(demo->addr));
	resolve_portal(&session->addr, session->portal);
	session->id_ext = DEMO_ID_EXT;
	session->ioc_guid = DEMO_IOC_GUID;
	session->flags = SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS;
	if (!target_has_own_thread(demo->target))
		session->flags |= SRPI_SESSION_SHARED_CPU;
	session->on_close = demo_put;
	session->cpu_ns = demo_cpu_ns;
	session->owner = demo;
}

int
demo_get(const struct demo_attr *attr, struct session_attr *session,
	char *reason, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct demo *demo;
	int rc = 0;

	pthread_once(&once, demo_watch_forks);
	pthread_mutex_lock(&demos_lock);
	demo = find(attr->name);
	if (!demo)
		rc = create(attr, &demo, reason, n);
	else if (!is_same(attr, &demo->attr))
		rc = text_fail(reason, n,
			"a demo target with name=%s is in use in this process "
			"and has other keys: use the same ones or another name",
			attr->name);
	if (rc == 0)
		demo->refs++;
	pthread_mutex_unlock(&demos_lock);
	if (rc == 0)
		fill_session(demo, session);
	return rc;
}
