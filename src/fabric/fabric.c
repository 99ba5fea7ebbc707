/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The registry of fabrics, and the functions that stand in for members a
 * fabric does not have.
 *
 * Threads: registration happens in constructors, before there are any;
 * afterwards the list is only read.
 */
#include "fabric/fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fab_verbs.h"
#include "util/compiler.h"

#define FABRIC_MAX 8

static const struct fabric *fabrics[FABRIC_MAX];
static unsigned int nr_fabrics;

/* librdmacm says -1 and errno ... */
static int
refuse_rdmacm(void)
{
	errno = EOPNOTSUPP;
	return -1;
}

/* ... libibverbs a positive errno, or NULL and errno. */
static int
refuse_verbs(void)
{
	return EOPNOTSUPP;
}

static void *
refuse_object(void)
{
	errno = EOPNOTSUPP;
	return NULL;
}

static int
no_channel_get(struct rdma_event_channel *channel __maybe_unused,
	struct rdma_cm_event **event __maybe_unused)
{
	return refuse_rdmacm();
}

static struct rdma_event_channel *
no_create_event_channel(void)
{
	return refuse_object();
}

static void
no_destroy_event_channel(struct rdma_event_channel *channel __maybe_unused)
{
}

static int
no_ack_cm_event(struct rdma_cm_event *event __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_create_id(struct rdma_event_channel *channel __maybe_unused,
	struct rdma_cm_id **id __maybe_unused, void *context __maybe_unused,
	enum rdma_port_space ps __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_id_call(struct rdma_cm_id *id __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_bind_addr(struct rdma_cm_id *id __maybe_unused,
	struct sockaddr *addr __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_resolve_addr(struct rdma_cm_id *id __maybe_unused,
	struct sockaddr *src_addr __maybe_unused,
	struct sockaddr *dst_addr __maybe_unused,
	int timeout_ms __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_id_int_call(struct rdma_cm_id *id __maybe_unused, int value __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_create_qp(struct rdma_cm_id *id __maybe_unused,
	struct ibv_pd *pd __maybe_unused,
	struct ibv_qp_init_attr *attr __maybe_unused)
{
	return refuse_rdmacm();
}

static void
no_destroy_qp(struct rdma_cm_id *id __maybe_unused)
{
}

static int
no_id_param_call(struct rdma_cm_id *id __maybe_unused,
	struct rdma_conn_param *param __maybe_unused)
{
	return refuse_rdmacm();
}

static int
no_reject(struct rdma_cm_id *id __maybe_unused,
	const void *private_data __maybe_unused,
	uint8_t private_data_len __maybe_unused)
{
	return refuse_rdmacm();
}

static __be16
no_get_src_port(struct rdma_cm_id *id __maybe_unused)
{
	return 0;
}

static int
no_query_device(struct ibv_context *context __maybe_unused,
	struct ibv_device_attr *attr __maybe_unused)
{
	return refuse_verbs();
}

static int
no_query_port(struct ibv_context *context __maybe_unused,
	uint8_t port_num __maybe_unused,
	struct ibv_port_attr *attr __maybe_unused)
{
	return refuse_verbs();
}

/* The one verbs query that answers -1. */
static int
no_query_gid(struct ibv_context *context __maybe_unused,
	uint8_t port_num __maybe_unused, int index __maybe_unused,
	union ibv_gid *gid __maybe_unused)
{
	return refuse_rdmacm();
}

static struct ibv_pd *
no_alloc_pd(struct ibv_context *context __maybe_unused)
{
	return refuse_object();
}

static int
no_dealloc_pd(struct ibv_pd *pd __maybe_unused)
{
	return refuse_verbs();
}

static struct ibv_mr *
no_reg_mr(struct ibv_pd *pd __maybe_unused, void *addr __maybe_unused,
	size_t length __maybe_unused, int access __maybe_unused)
{
	return refuse_object();
}

static int
no_dereg_mr(struct ibv_mr *mr __maybe_unused)
{
	return refuse_verbs();
}

static struct ibv_comp_channel *
no_create_comp_channel(struct ibv_context *context __maybe_unused)
{
	return refuse_object();
}

static int
no_destroy_comp_channel(struct ibv_comp_channel *channel __maybe_unused)
{
	return refuse_verbs();
}

static struct ibv_cq *
no_create_cq(struct ibv_context *context __maybe_unused,
	int cqe __maybe_unused, void *cq_context __maybe_unused,
	struct ibv_comp_channel *channel __maybe_unused,
	int comp_vector __maybe_unused)
{
	return refuse_object();
}

static int
no_modify_cq(struct ibv_cq *cq __maybe_unused,
	struct ibv_modify_cq_attr *attr __maybe_unused)
{
	return refuse_verbs();
}

static int
no_destroy_cq(struct ibv_cq *cq __maybe_unused)
{
	return refuse_verbs();
}

static int
no_get_cq_event(struct ibv_comp_channel *channel __maybe_unused,
	struct ibv_cq **cq __maybe_unused, void **cq_context __maybe_unused)
{
	return refuse_rdmacm();
}

static void
no_ack_cq_events(struct ibv_cq *cq __maybe_unused,
	unsigned int nevents __maybe_unused)
{
}

static int
no_modify_qp(struct ibv_qp *qp __maybe_unused,
	struct ibv_qp_attr *attr __maybe_unused, int attr_mask __maybe_unused)
{
	return refuse_verbs();
}

static int
no_query_qp(struct ibv_qp *qp __maybe_unused,
	struct ibv_qp_attr *attr __maybe_unused, int attr_mask __maybe_unused,
	struct ibv_qp_init_attr *init_attr __maybe_unused)
{
	return refuse_verbs();
}

static int
no_get_async_event(struct ibv_context *context __maybe_unused,
	struct ibv_async_event *event __maybe_unused)
{
	return refuse_rdmacm();
}

static void
no_ack_async_event(struct ibv_async_event *event __maybe_unused)
{
}

#define COMPLETE(fabric, member, stand_in)                                     \
	do {                                                                   \
		if (!(fabric)->member)                                         \
			(fabric)->member = (stand_in);                         \
	} while (0)

static void
complete_cm(struct fabric *f)
{
	COMPLETE(f, create_event_channel, no_create_event_channel);
	COMPLETE(f, destroy_event_channel, no_destroy_event_channel);
	COMPLETE(f, get_cm_event, no_channel_get);
	COMPLETE(f, ack_cm_event, no_ack_cm_event);
	COMPLETE(f, create_id, no_create_id);
	COMPLETE(f, destroy_id, no_id_call);
	COMPLETE(f, bind_addr, no_bind_addr);
	COMPLETE(f, resolve_addr, no_resolve_addr);
	COMPLETE(f, resolve_route, no_id_int_call);
	COMPLETE(f, create_qp, no_create_qp);
	COMPLETE(f, destroy_qp, no_destroy_qp);
	COMPLETE(f, connect, no_id_param_call);
	COMPLETE(f, listen, no_id_int_call);
	COMPLETE(f, accept, no_id_param_call);
	COMPLETE(f, reject, no_reject);
	COMPLETE(f, disconnect, no_id_call);
	COMPLETE(f, get_src_port, no_get_src_port);
}

static void
complete_verbs(struct fabric *f)
{
	COMPLETE(f, query_device, no_query_device);
	COMPLETE(f, query_port, no_query_port);
	COMPLETE(f, query_gid, no_query_gid);
	COMPLETE(f, alloc_pd, no_alloc_pd);
	COMPLETE(f, dealloc_pd, no_dealloc_pd);
	COMPLETE(f, reg_mr, no_reg_mr);
	COMPLETE(f, dereg_mr, no_dereg_mr);
	COMPLETE(f, create_comp_channel, no_create_comp_channel);
	COMPLETE(f, destroy_comp_channel, no_destroy_comp_channel);
	COMPLETE(f, create_cq, no_create_cq);
	COMPLETE(f, modify_cq, no_modify_cq);
	COMPLETE(f, destroy_cq, no_destroy_cq);
	COMPLETE(f, get_cq_event, no_get_cq_event);
	COMPLETE(f, ack_cq_events, no_ack_cq_events);
	COMPLETE(f, modify_qp, no_modify_qp);
	COMPLETE(f, query_qp, no_query_qp);
	COMPLETE(f, get_async_event, no_get_async_event);
	COMPLETE(f, ack_async_event, no_ack_async_event);
}

void
fabric_register(struct fabric *fabric)
{
	/* A programming error, found by the first start of any program. */
	if (nr_fabrics == FABRIC_MAX)
		abort();
	complete_cm(fabric);
	complete_verbs(fabric);
	fabrics[nr_fabrics++] = fabric;
}

const struct fabric *
fabric_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_fabrics; i++) {
		if (strcmp(fabrics[i]->name, name) == 0)
			return fabrics[i];
	}
	return NULL;
}

const struct fabric *
fabric_next(const struct fabric *prev)
{
	unsigned int i = 0;

	if (prev) {
		while (i < nr_fabrics && fabrics[i] != prev)
			i++;
		i++;
	}
	return i < nr_fabrics ? fabrics[i] : NULL;
}

/* Named here so that a static link does not leave the libraries' table out. */
__attribute__((constructor)) static void
register_verbs(void)
{
	fabric_register(&fab_verbs);
}
