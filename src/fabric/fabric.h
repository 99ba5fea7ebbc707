/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fabric: where RDMA devices come from.
 *
 * Upper layers use libibverbs' own types and, per I/O, libibverbs' own
 * inline calls: ibv_post_send(), ibv_post_recv(), ibv_poll_cq() and
 * ibv_req_notify_cq(). Those dispatch through context->ops, so a software
 * device is simply an ibv_context whose ops are ours. Only set-up, teardown
 * and events differ, and go through this table, whose members have the
 * signatures and the error conventions of librdmacm (-1 and errno) and
 * libibverbs (NULL and errno, or a positive errno) and their names without
 * the prefix. Callers turn a failure into -errno and one sentence, once.
 *
 *	core, target ----ibv_post_send() &c.----> context->ops  (per I/O)
 *	     |
 *	     +---- struct fabric ----> fab_verbs   the real libraries
 *	                         \---> softrdma    the device in this process
 *
 * Threads: as librdmacm and libibverbs allow; every member may be called
 * from any thread, two threads never use one id at the same time.
 */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/*
 * Called in the device's own context when a completion is added to @cq, as
 * a kernel consumer's would be. Never run twice at once for one CQ. It may
 * poll the CQ and post work; it must not block and not destroy the CQ.
 */
typedef void fabric_cq_handler(struct ibv_cq *cq, void *arg);

struct fabric {
	const char *name; /* "verbs", "soft": the value of the key fabric= */

	/* librdmacm */
	struct rdma_event_channel *(*create_event_channel)(void);
	void (*destroy_event_channel)(struct rdma_event_channel *channel);
	int (*get_cm_event)(struct rdma_event_channel *channel,
		struct rdma_cm_event **event);
	int (*ack_cm_event)(struct rdma_cm_event *event);
	int (*create_id)(struct rdma_event_channel *channel,
		struct rdma_cm_id **id, void *context, enum rdma_port_space ps);
	int (*destroy_id)(struct rdma_cm_id *id);
	int (*bind_addr)(struct rdma_cm_id *id, struct sockaddr *addr);
	int (*resolve_addr)(struct rdma_cm_id *id, struct sockaddr *src_addr,
		struct sockaddr *dst_addr, int timeout_ms);
	int (*resolve_route)(struct rdma_cm_id *id, int timeout_ms);
	int (*create_qp)(struct rdma_cm_id *id, struct ibv_pd *pd,
		struct ibv_qp_init_attr *attr);
	void (*destroy_qp)(struct rdma_cm_id *id);
	int (*connect)(struct rdma_cm_id *id, struct rdma_conn_param *param);
	int (*listen)(struct rdma_cm_id *id, int backlog);
	int (*accept)(struct rdma_cm_id *id, struct rdma_conn_param *param);
	int (*reject)(struct rdma_cm_id *id, const void *private_data,
		uint8_t private_data_len);
	int (*disconnect)(struct rdma_cm_id *id);
	__be16 (*get_src_port)(struct rdma_cm_id *id);

	/* libibverbs */
	int (*query_device)(struct ibv_context *context,
		struct ibv_device_attr *attr);
	int (*query_port)(struct ibv_context *context, uint8_t port_num,
		struct ibv_port_attr *attr);
	int (*query_gid)(struct ibv_context *context, uint8_t port_num,
		int index, union ibv_gid *gid);
	struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
	int (*dealloc_pd)(struct ibv_pd *pd);
	struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *addr, size_t length,
		int access);
	int (*dereg_mr)(struct ibv_mr *mr);
	struct ibv_comp_channel *(*create_comp_channel)(
		struct ibv_context *context);
	int (*destroy_comp_channel)(struct ibv_comp_channel *channel);
	struct ibv_cq *(*create_cq)(struct ibv_context *context, int cqe,
		void *cq_context, struct ibv_comp_channel *channel,
		int comp_vector);
	int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
	int (*destroy_cq)(struct ibv_cq *cq);
	int (*get_cq_event)(struct ibv_comp_channel *channel,
		struct ibv_cq **cq, void **cq_context);
	void (*ack_cq_events)(struct ibv_cq *cq, unsigned int nevents);
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr,
		int attr_mask);
	int (*query_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr,
		int attr_mask, struct ibv_qp_init_attr *init_attr);
	int (*get_async_event)(struct ibv_context *context,
		struct ibv_async_event *event);
	void (*ack_async_event)(struct ibv_async_event *event);

	/*
	 * Optional, NULL where there is none.
	 *
	 * cq_set_handler: @fn(@cq, @arg) is called when a completion arrives;
	 * @fn NULL takes the handler away and returns once it no longer runs.
	 * Absent on hardware, where the completion channel is used instead;
	 * 0, or a positive errno (EOPNOTSUPP: this device wants the channel).
	 */
	int (*cq_set_handler)(struct ibv_cq *cq, fabric_cq_handler *fn,
		void *arg);
	/*
	 * diagnose: why a call that answered @error may have failed here, as
	 * one sentence with the remedy (no device, no permission, memlock).
	 * Returns the length as snprintf() does, 0 = nothing to add.
	 */
	int (*diagnose)(int error, char *reason, size_t n);
};

/*
 * The registry. Fabrics register before main() runs (constructor functions)
 * and are never taken away; lookups may come from any thread.
 * fabric_find() returns NULL for an unknown name. A fabric's missing members
 * become functions that answer EOPNOTSUPP at registration, except the
 * optional ones, so that no caller tests for NULL.
 */
void fabric_register(struct fabric *fabric);
const struct fabric *fabric_find(const char *name);
const struct fabric *fabric_next(const struct fabric *prev);

#endif /* FABRIC_FABRIC_H */
