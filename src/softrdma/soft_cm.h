/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The connection manager: librdmacm's calls and events, within one process.
 *
 *	initiator                        target
 *	 resolve_addr, resolve_route      bind_addr, listen
 *	 connect -------- REQ ---------> CONNECT_REQUEST (a new id)
 *	 ESTABLISHED <--- REP ---------- accept        or reject --> REJECTED
 *	    └------------ RTU ---------> ESTABLISHED
 *	 disconnect ----- DREQ --------> DISCONNECTED
 *	 DISCONNECTED <-- DREP ---------- disconnect, or destroy_id
 *	 TIMEWAIT_EXIT                    TIMEWAIT_EXIT
 *
 * As librdmacm, the active side's QP gets to RTS when its ESTABLISHED event is
 * read; until then the passive side's sends wait. disconnect() fails only the
 * caller's QP. The side that disconnects first hears DISCONNECTED when the
 * other has answered, and so never if that one never does.
 *
 * Beyond librdmacm: REJECTED with status 8 when nobody listens, UNREACHABLE
 * with -ETIMEDOUT at once when the backlog is full, and TIMEWAIT_EXIT without
 * the wait.
 *
 * Threads: one lock for all ids and channels (soft_cm.c); it is taken before
 * any device's, and never held while a handler could run.
 */
#ifndef SOFTRDMA_SOFT_CM_H
#define SOFTRDMA_SOFT_CM_H

#include <netinet/in.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

/* Private data of each message, as on InfiniBand in port space TCP. */
#define SOFT_CM_REQ_BYTES 56
#define SOFT_CM_REP_BYTES 196
#define SOFT_CM_REJ_BYTES 148

/* Reasons of a reject (IBA 12.6.7.2) */
#define SOFT_CM_REJ_TIMEOUT 4
#define SOFT_CM_REJ_INVALID_SERVICE_ID 8
#define SOFT_CM_REJ_CONSUMER 28

struct soft_dev;

struct soft_cm_channel {
	struct rdma_event_channel channel;
	struct list events;
};

enum soft_cm_state {
	SOFT_CM_IDLE,
	SOFT_CM_BOUND,
	SOFT_CM_ADDR_RESOLVED,
	SOFT_CM_ROUTE_RESOLVED,
	SOFT_CM_LISTENING,
	SOFT_CM_CONNECTING,  /* active: REQ sent */
	SOFT_CM_REQUESTED,   /* passive: REQ came */
	SOFT_CM_ACCEPTED,    /* passive: REP sent */
	SOFT_CM_ESTABLISHED,
	SOFT_CM_CLOSED,
};

struct soft_id {
	struct rdma_cm_id id;
	enum soft_cm_state state;
	struct soft_dev *dev; /* with a reference, once bound to one */
	struct soft_id *peer;
	struct list node;      /* all ids with a port */
	uint16_t port;	       /* host order; 0 = none */
	bool is_passive;
	bool has_sent_dreq;
	bool has_seen_dreq;
	int backlog;	 /* listening: the most unread requests ... */
	int nr_requests; /* ... and how many there are */
	unsigned int nr_unacked; /* events read and not acknowledged */
	/* What this side said at connect or accept. */
	uint8_t responder_resources;
	uint8_t initiator_depth;
	uint8_t rnr_retry;
};

struct soft_cm_event {
	struct rdma_cm_event event;
	struct list node;
	struct soft_id *counted; /* whose nr_unacked it counts in */
	uint8_t private_data[SOFT_CM_REP_BYTES];
};

struct rdma_event_channel *soft_cm_create_channel(void);
void soft_cm_destroy_channel(struct rdma_event_channel *channel);
int soft_cm_get_event(struct rdma_event_channel *channel,
	struct rdma_cm_event **event);
int soft_cm_ack_event(struct rdma_cm_event *event);

int soft_cm_create_id(struct rdma_event_channel *channel,
	struct rdma_cm_id **id, void *context, enum rdma_port_space ps);
int soft_cm_destroy_id(struct rdma_cm_id *id);
int soft_cm_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr);
int soft_cm_resolve_addr(struct rdma_cm_id *id, struct sockaddr *src_addr,
	struct sockaddr *dst_addr, int timeout_ms);
int soft_cm_resolve_route(struct rdma_cm_id *id, int timeout_ms);
int soft_cm_listen(struct rdma_cm_id *id, int backlog);
__be16 soft_cm_get_src_port(struct rdma_cm_id *id);

int soft_cm_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr);
void soft_cm_destroy_qp(struct rdma_cm_id *id);
int soft_cm_connect(struct rdma_cm_id *id, struct rdma_conn_param *param);
int soft_cm_accept(struct rdma_cm_id *id, struct rdma_conn_param *param);
int soft_cm_reject(struct rdma_cm_id *id, const void *private_data,
	uint8_t private_data_len);
int soft_cm_disconnect(struct rdma_cm_id *id);

/* Inside: soft_cm.c, soft_cm_id.c and soft_cm_event.c. */
extern pthread_mutex_t soft_cm_lock;
extern pthread_cond_t soft_cm_acked;

static inline struct soft_id *
soft_id_of(struct rdma_cm_id *id)
{
	return (struct soft_id *)id;
}

/* NULL: no memory. @id may be NULL if there is nobody to tell. */
struct soft_cm_event *soft_cm_event_create(struct soft_id *id,
	enum rdma_cm_event_type type, int status);
/* Copy @param and its data in; the field shown is @field_bytes long. */
void soft_cm_event_set(struct soft_cm_event *e,
	const struct rdma_conn_param *param, uint8_t field_bytes);
/* Both called with the lock held; NULL is allowed. */
void soft_cm_event_queue(struct soft_cm_event *e);
/* One that says all by its type. */
void soft_cm_event_tell(struct soft_id *id, enum rdma_cm_event_type type,
	int status);

/* Called with the lock held. */
struct soft_id *soft_cm_find_listener(const struct soft_dev *dev,
	uint16_t port);
struct soft_id *soft_cm_create_child(struct soft_id *listener,
	struct soft_id *active);
void soft_cm_set_dev(struct soft_id *id, struct soft_dev *dev);
void soft_cm_free_child(struct soft_id *child);
/* Drop what was not read of @id and of ids that were requested through it. */
void soft_cm_event_drop(struct soft_id *id);
/* What the end of @id means for its peer. */
void soft_cm_leave(struct soft_id *id);

#endif /* SOFTRDMA_SOFT_CM_H */
