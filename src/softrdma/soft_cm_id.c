/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* CM ids: their life, addresses and ports. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "softrdma/soft_cm.h"
#include "softrdma/soft_device.h"
#include "util/compiler.h"

#define FIRST_DYNAMIC_PORT 49152

pthread_mutex_t soft_cm_lock = PTHREAD_MUTEX_INITIALIZER;

static struct list with_port = LIST_INIT(with_port);
static uint16_t next_port = FIRST_DYNAMIC_PORT;

static int
fail(int error)
{
	errno = error;
	return -1;
}

static struct soft_id *
alloc_id(struct rdma_event_channel *channel, void *context,
	enum rdma_port_space ps)
{
	struct soft_id *id = calloc(1, sizeof(*id));

	if (!id)
		return NULL;
	id->id.channel = channel;
	id->id.context = context;
	id->id.ps = ps;
	id->id.qp_type = IBV_QPT_RC;
	list_init(&id->node);
	return id;
}

int
soft_cm_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id,
	void *context, enum rdma_port_space ps)
{
	struct soft_id *new;

	if (!channel || ps != RDMA_PS_TCP)
		return fail(EINVAL);
	new = alloc_id(channel, context, ps);
	if (!new)
		return -1;
	*id = &new->id;
	return 0;
}

/* Takes over the caller's reference to @dev. */
void
soft_cm_set_dev(struct soft_id *id, struct soft_dev *dev)
{
	id->dev = dev;
	id->id.verbs = &dev->vctx.context;
	id->id.port_num = 1;
}

static void
free_id(struct soft_id *id)
{
	list_del(&id->node);
	if (id->dev)
		soft_dev_release(id->dev);
	free(id);
}

void
soft_cm_free_child(struct soft_id *child)
{
	soft_cm_leave(child);
	free_id(child);
}

int
soft_cm_destroy_id(struct rdma_cm_id *ibid)
{
	struct soft_id *id = soft_id_of(ibid);

	/* librdmacm would leave the QP behind; here it is an error. */
	if (ibid->qp)
		return fail(EBUSY);
	pthread_mutex_lock(&soft_cm_lock);
	list_del(&id->node);
	soft_cm_leave(id);
	soft_cm_event_drop(id);
	while (id->nr_unacked > 0)
		pthread_cond_wait(&soft_cm_acked, &soft_cm_lock);
	pthread_mutex_unlock(&soft_cm_lock);
	free_id(id);
	return 0;
}

/* Do two ids with the same port get in each other's way? */
static bool
is_taken(const struct soft_dev *dev, uint16_t port)
{
	struct soft_id *other;

	list_for_each_entry(other, &with_port, node) {
		if (other->port == port &&
			(!dev || !other->dev || other->dev == dev))
			return true;
	}
	return false;
}

/* Called with the lock held; @port 0 = choose. 0 or a positive errno. */
static int
take_port(struct soft_id *id, uint16_t port)
{
	uint32_t tries;

	if (port && is_taken(id->dev, port))
		return EADDRINUSE;
	for (tries = 0; !port && tries < UINT16_MAX; tries++) {
		if (!is_taken(id->dev, next_port))
			port = next_port;
		next_port = next_port == UINT16_MAX ? FIRST_DYNAMIC_PORT :
						      next_port + 1;
	}
	if (!port)
		return EADDRNOTAVAIL;
	id->port = port;
	id->id.route.addr.src_sin.sin_port = htons(port);
	list_add_tail(&with_port, &id->node);
	return 0;
}

static int
bind_locked(struct soft_id *id, const struct sockaddr_in *addr)
{
	int ret;

	if (id->state != SOFT_CM_IDLE)
		return EINVAL;
	if (addr->sin_family != AF_INET)
		return EAFNOSUPPORT;
	if (addr->sin_addr.s_addr != htonl(INADDR_ANY)) {
		struct soft_dev *dev = soft_dev_find(addr);

		if (!dev)
			return ENODEV;
		soft_cm_set_dev(id, dev);
	}
	id->id.route.addr.src_sin = *addr;
	ret = take_port(id, ntohs(addr->sin_port));
	if (!ret) {
		id->state = SOFT_CM_BOUND;
		return 0;
	}
	if (id->dev)
		soft_dev_release(id->dev);
	id->dev = NULL;
	id->id.verbs = NULL;
	return ret;
}

int
soft_cm_bind_addr(struct rdma_cm_id *ibid, struct sockaddr *addr)
{
	struct sockaddr_in sin;
	int ret;

	if (!addr)
		return fail(EINVAL);
	if (addr->sa_family != AF_INET)
		return fail(EAFNOSUPPORT);
	memcpy(&sin, addr, sizeof(sin));
	pthread_mutex_lock(&soft_cm_lock);
	ret = bind_locked(soft_id_of(ibid), &sin);
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

int
soft_cm_listen(struct rdma_cm_id *ibid, int backlog)
{
	const struct sockaddr_in any = { .sin_family = AF_INET };
	struct soft_id *id = soft_id_of(ibid);
	int ret = 0;

	pthread_mutex_lock(&soft_cm_lock);
	if (id->state == SOFT_CM_IDLE)
		ret = bind_locked(id, &any);
	if (!ret && id->state != SOFT_CM_BOUND)
		ret = EINVAL;
	if (!ret) {
		id->state = SOFT_CM_LISTENING;
		/* As the kernel: out of range means its own limit. */
		id->backlog = backlog > 0 && backlog <= 1024 ? backlog : 1024;
	}
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

struct soft_id *
soft_cm_find_listener(const struct soft_dev *dev, uint16_t port)
{
	struct soft_id *id, *any = NULL;

	list_for_each_entry(id, &with_port, node) {
		if (id->state != SOFT_CM_LISTENING || id->port != port)
			continue;
		if (id->dev == dev)
			return id;
		if (!id->dev)
			any = id;
	}
	return any;
}

struct soft_id *
soft_cm_create_child(struct soft_id *listener, struct soft_id *active)
{
	struct soft_id *child = alloc_id(listener->id.channel,
		listener->id.context, listener->id.ps);

	if (!child)
		return NULL;
	soft_dev_hold(active->dev);
	soft_cm_set_dev(child, active->dev);
	child->id.route.addr.src_sin = active->id.route.addr.dst_sin;
	child->id.route.addr.dst_sin = active->id.route.addr.src_sin;
	child->port = listener->port;
	child->state = SOFT_CM_REQUESTED;
	child->is_passive = true;
	child->peer = active;
	return child;
}

static int
resolve_locked(struct soft_id *id, const struct sockaddr_in *src,
	const struct sockaddr_in *dst)
{
	const struct sockaddr_in any = { .sin_family = AF_INET };
	struct soft_dev *dev;
	int ret = 0;

	if (id->state == SOFT_CM_IDLE)
		ret = bind_locked(id, src ? src : &any);
	if (ret || id->state != SOFT_CM_BOUND)
		return ret ? ret : EINVAL;
	id->id.route.addr.dst_sin = *dst;
	dev = soft_dev_find(dst);
	/* Devices are islands: what is not on its own, a device cannot reach. */
	if (!dev || (id->dev && id->dev != dev)) {
		if (dev)
			soft_dev_release(dev);
		soft_cm_event_tell(id, RDMA_CM_EVENT_ADDR_ERROR, -ENODEV);
		return 0;
	}
	if (id->dev)
		soft_dev_release(dev);
	else
		soft_cm_set_dev(id, dev);
	id->id.route.addr.src_sin.sin_addr = dev->addr.sin_addr;
	id->state = SOFT_CM_ADDR_RESOLVED;
	soft_cm_event_tell(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
	return 0;
}

int
soft_cm_resolve_addr(struct rdma_cm_id *ibid, struct sockaddr *src_addr,
	struct sockaddr *dst_addr, int timeout_ms __maybe_unused)
{
	struct sockaddr_in src, dst;
	int ret;

	if (!dst_addr)
		return fail(EINVAL);
	if (dst_addr->sa_family != AF_INET ||
		(src_addr && src_addr->sa_family != AF_INET))
		return fail(EAFNOSUPPORT);
	memcpy(&dst, dst_addr, sizeof(dst));
	if (src_addr)
		memcpy(&src, src_addr, sizeof(src));
	pthread_mutex_lock(&soft_cm_lock);
	ret = resolve_locked(soft_id_of(ibid), src_addr ? &src : NULL, &dst);
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

int
soft_cm_resolve_route(struct rdma_cm_id *ibid, int timeout_ms __maybe_unused)
{
	struct soft_id *id = soft_id_of(ibid);
	bool is_right;

	pthread_mutex_lock(&soft_cm_lock);
	is_right = id->state == SOFT_CM_ADDR_RESOLVED;
	if (is_right) {
		id->state = SOFT_CM_ROUTE_RESOLVED;
		soft_cm_event_tell(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
	}
	pthread_mutex_unlock(&soft_cm_lock);
	return is_right ? 0 : fail(EINVAL);
}

__be16
soft_cm_get_src_port(struct rdma_cm_id *id)
{
	return id->route.addr.src_sin.sin_port;
}
