/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Devices: the registry by address, the context, and what it can be asked. */
#include "softrdma/soft_dev.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softrdma/soft_cq.h"
#include "softrdma/soft_device.h"
#include "softrdma/soft_fabric.h"
#include "softrdma/soft_fd.h"
#include "softrdma/soft_io.h"
#include "softrdma/soft_qp.h"
#include "softrdma/soft_timer.h"
#include "util/clock.h"

#define FIRST_ADDR 0x7f640001u /* 127.100.0.1 */
#define LAST_ADDR 0x7ffffffeu
#define FIRST_QP_NUM 2 /* 0 and 1 are special in InfiniBand */
#define NR_COMP_VECTORS 64

static struct list devices = LIST_INIT(devices);
static uint32_t next_addr = FIRST_ADDR;
static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;

/* Called with the registry's lock held. */
static struct soft_dev *
find_locked(in_addr_t addr)
{
	struct soft_dev *dev;

	list_for_each_entry(dev, &devices, node) {
		if (dev->addr.sin_addr.s_addr == addr)
			return dev;
	}
	return NULL;
}

struct soft_dev *
soft_dev_find(const struct sockaddr_in *addr)
{
	struct soft_dev *dev = NULL;

	if (addr->sin_family != AF_INET)
		return NULL;
	pthread_mutex_lock(&registry_lock);
	dev = find_locked(addr->sin_addr.s_addr);
	if (dev)
		dev->nr_refs++;
	pthread_mutex_unlock(&registry_lock);
	return dev;
}

void
soft_dev_hold(struct soft_dev *dev)
{
	pthread_mutex_lock(&registry_lock);
	dev->nr_refs++;
	pthread_mutex_unlock(&registry_lock);
}

static void
free_dev(struct soft_dev *dev)
{
	if (dev->attr.irqmode == SOFT_IRQ_TIMER)
		soft_timer_stop(dev);
	while (atomic_load(&dev->nr_busy) > 0)
		sched_yield();
	soft_async_fini(dev);
	soft_mem_fini(&dev->mrs);
	close(dev->vctx.context.async_fd);
	pthread_mutex_destroy(&dev->vctx.context.mutex);
	pthread_cond_destroy(&dev->acked);
	pthread_mutex_destroy(&dev->lock);
	free(dev);
}

void
soft_dev_release(struct soft_dev *dev)
{
	bool is_last;

	pthread_mutex_lock(&registry_lock);
	is_last = --dev->nr_refs == 0;
	if (is_last)
		list_del(&dev->node);
	pthread_mutex_unlock(&registry_lock);
	if (is_last)
		free_dev(dev);
}

void
soft_dev_put(struct soft_dev *dev)
{
	soft_dev_release(dev);
}

void
soft_dev_addr(const struct soft_dev *dev, struct sockaddr_in *addr)
{
	*addr = dev->addr;
}

/* Called with the registry's lock held. */
static int
choose_addr(struct soft_dev *dev)
{
	uint32_t first = next_addr, addr;

	do {
		addr = next_addr;
		next_addr = addr == LAST_ADDR ? FIRST_ADDR : addr + 1;
		if (!find_locked(htonl(addr))) {
			dev->addr.sin_family = AF_INET;
			dev->addr.sin_addr.s_addr = htonl(addr);
			snprintf(dev->device.name, sizeof(dev->device.name),
				"soft%u", addr - FIRST_ADDR);
			return 0;
		}
	} while (next_addr != first);
	return -EADDRNOTAVAIL;
}

static int
add_to_registry(struct soft_dev *dev)
{
	int ret;

	pthread_mutex_lock(&registry_lock);
	ret = choose_addr(dev);
	if (!ret)
		list_add_tail(&devices, &dev->node);
	pthread_mutex_unlock(&registry_lock);
	return ret;
}

static int
refuse_bind_mw(struct ibv_qp *qp __maybe_unused,
	struct ibv_mw *mw __maybe_unused,
	struct ibv_mw_bind *bind __maybe_unused)
{
	return EOPNOTSUPP;
}

static struct ibv_mw *
refuse_alloc_mw(struct ibv_pd *pd __maybe_unused,
	enum ibv_mw_type type __maybe_unused)
{
	errno = EOPNOTSUPP;
	return NULL;
}

static int
refuse_dealloc_mw(struct ibv_mw *mw __maybe_unused)
{
	return EOPNOTSUPP;
}

static int
refuse_srq_recv(struct ibv_srq *srq __maybe_unused, struct ibv_recv_wr *wr,
	struct ibv_recv_wr **bad_wr)
{
	*bad_wr = wr;
	return EOPNOTSUPP;
}

static int
query_port_ex(struct ibv_context *context, uint8_t port_num,
	struct ibv_port_attr *attr, size_t bytes)
{
	struct ibv_port_attr whole;
	int ret = soft_dev_query_port(context, port_num, &whole);

	if (!ret) {
		memset(attr, 0, bytes);
		memcpy(attr, &whole, min(bytes, sizeof(whole)));
	}
	return ret;
}

static int
init_context(struct soft_dev *dev)
{
	struct ibv_context *context = &dev->vctx.context;

	dev->vctx.sz = sizeof(dev->vctx);
	dev->vctx.query_port = query_port_ex;
	context->device = &dev->device;
	context->cmd_fd = -1;
	context->num_comp_vectors = NR_COMP_VECTORS;
	context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	context->ops.alloc_mw = refuse_alloc_mw;
	context->ops.bind_mw = refuse_bind_mw;
	context->ops.dealloc_mw = refuse_dealloc_mw;
	context->ops.poll_cq = soft_io_poll_cq;
	context->ops.req_notify_cq = soft_cq_req_notify;
	context->ops.post_srq_recv = refuse_srq_recv;
	context->ops.post_send = soft_io_post_send;
	context->ops.post_recv = soft_recv_post;
	context->async_fd = soft_fd_open();
	if (context->async_fd < 0)
		return -errno;
	pthread_mutex_init(&context->mutex, NULL);
	return 0;
}

static void
init_dev(struct soft_dev *dev, const struct soft_dev_attr *attr)
{
	dev->attr = *attr;
	dev->nr_refs = 1;
	dev->next_qp_num = FIRST_QP_NUM;
	dev->device.node_type = IBV_NODE_CA;
	dev->device.transport_type = IBV_TRANSPORT_IB;
	list_init(&dev->node);
	list_init(&dev->qps);
	list_init(&dev->cqs);
	list_init(&dev->async);
	pthread_mutex_init(&dev->lock, NULL);
	pthread_cond_init(&dev->acked, NULL);
}

int
soft_dev_create(const struct soft_dev_attr *attr, struct soft_dev **result)
{
	struct soft_dev *dev;
	int ret;

	if (attr->irqmode > SOFT_IRQ_THREAD ||
		attr->completion_nsec > CLOCK_NS_PER_SEC)
		return -EINVAL;
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	init_dev(dev, attr);
	ret = soft_mem_init(&dev->mrs);
	if (ret)
		goto out_free;
	ret = init_context(dev);
	if (ret)
		goto out_mem;
	if (attr->irqmode == SOFT_IRQ_TIMER)
		ret = soft_timer_start(dev);
	if (ret)
		goto out_context;
	ret = add_to_registry(dev);
	if (ret) {
		free_dev(dev);
		return ret;
	}
	*result = dev;
	return 0;

out_context:
	close(dev->vctx.context.async_fd);
out_mem:
	soft_mem_fini(&dev->mrs);
out_free:
	free(dev);
	return ret;
}

/* EUI-64 made of a locally administered address that ends as the IP does. */
static uint64_t
guid_of(const struct soft_dev *dev)
{
	uint32_t host = ntohl(dev->addr.sin_addr.s_addr) & 0xffffff;

	return UINT64_C(0x00007ffffe000000) | host;
}

int
soft_dev_query(struct ibv_context *context, struct ibv_device_attr *attr)
{
	struct soft_dev *dev = soft_dev_of(context);

	*attr = (struct ibv_device_attr){
		.fw_ver = "1",
		.node_guid = htobe64(guid_of(dev)),
		.sys_image_guid = htobe64(guid_of(dev)),
		.max_mr_size = UINT64_MAX,
		.page_size_cap = 4096,
		.max_qp = SOFT_MAX_QP,
		.max_qp_wr = SOFT_MAX_WR,
		.max_sge = SOFT_MAX_SGE,
		.max_sge_rd = SOFT_MAX_SGE,
		.max_cq = SOFT_MAX_CQ,
		.max_cqe = SOFT_MAX_CQE,
		.max_mr = SOFT_MAX_MR - 1,
		.max_pd = SOFT_MAX_PD,
		.max_qp_rd_atom = SOFT_MAX_RD_ATOMIC,
		.max_res_rd_atom = SOFT_MAX_QP,
		.max_qp_init_rd_atom = SOFT_MAX_RD_ATOMIC,
		.atomic_cap = IBV_ATOMIC_NONE,
		.max_pkeys = 1,
		.phys_port_cnt = 1,
	};
	return 0;
}

int
soft_dev_query_port(struct ibv_context *context __maybe_unused,
	uint8_t port_num, struct ibv_port_attr *attr)
{
	if (port_num != 1)
		return EINVAL;
	*attr = (struct ibv_port_attr){
		.state = IBV_PORT_ACTIVE,
		.max_mtu = IBV_MTU_4096,
		.active_mtu = IBV_MTU_4096,
		.gid_tbl_len = 2,
		.max_msg_sz = SOFT_MAX_MSG_BYTES,
		.pkey_tbl_len = 1,
		.max_vl_num = 1,
		.active_width = 2, /* 4x */
		.active_speed = 32, /* EDR: 100 Gb/s in all */
		.phys_state = 5,    /* link up */
		.link_layer = IBV_LINK_LAYER_ETHERNET,
	};
	return 0;
}

/* As RoCE has it: 0 link-local from the GUID, 1 the IPv4 address mapped. */
int
soft_dev_query_gid(struct ibv_context *context, uint8_t port_num, int index,
	union ibv_gid *gid)
{
	struct soft_dev *dev = soft_dev_of(context);

	if (port_num != 1 || index < 0 || index > 1) {
		errno = EINVAL;
		return -1;
	}
	memset(gid, 0, sizeof(*gid));
	if (index == 0) {
		gid->global.subnet_prefix = htobe64(0xfe80000000000000);
		gid->global.interface_id = htobe64(guid_of(dev));
		return 0;
	}
	gid->raw[10] = 0xff;
	gid->raw[11] = 0xff;
	memcpy(&gid->raw[12], &dev->addr.sin_addr, 4);
	return 0;
}

/* Here, so that who makes a device has linked the fabric, too. */
__attribute__((constructor)) static void
register_soft(void)
{
	fabric_register(&soft_fabric);
}
