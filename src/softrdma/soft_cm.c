/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Connecting and parting. */
#include "softrdma/soft_cm.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

#include "softrdma/soft_device.h"
#include "softrdma/soft_qp.h"
#include "util/compiler.h"

#define MAX_RETRY 7

static int
fail(int error)
{
	errno = error;
	return -1;
}

int
soft_cm_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr)
{
	return soft_qp_create(id, pd, attr);
}

/* Taken out of the id first: whoever connects the peer looks there. */
void
soft_cm_destroy_qp(struct rdma_cm_id *id)
{
	struct ibv_qp *qp;

	pthread_mutex_lock(&soft_cm_lock);
	qp = id->qp;
	id->qp = NULL;
	pthread_mutex_unlock(&soft_cm_lock);
	if (qp)
		soft_qp_destroy(qp);
}

/* What this side says, clamped as librdmacm and the kernel do. */
static int
take_param(struct soft_id *id, const struct rdma_conn_param *param,
	uint8_t max_bytes)
{
	id->responder_resources = SOFT_MAX_RD_ATOMIC;
	id->initiator_depth = SOFT_MAX_RD_ATOMIC;
	id->rnr_retry = SOFT_RNR_FOR_EVER;
	if (!param)
		return 0;
	if (param->private_data_len > max_bytes ||
		(param->private_data_len && !param->private_data))
		return EINVAL;
	id->responder_resources = min_t(uint8_t, param->responder_resources,
		SOFT_MAX_RD_ATOMIC);
	id->initiator_depth = min_t(uint8_t, param->initiator_depth,
		SOFT_MAX_RD_ATOMIC);
	id->rnr_retry = min_t(uint8_t, param->rnr_retry_count, MAX_RETRY);
	return 0;
}

/* What the other side hears: its own view, hence the swap. */
static struct rdma_conn_param
shown_param(const struct soft_id *id, const struct rdma_conn_param *param)
{
	struct rdma_conn_param shown = {
		.responder_resources = id->initiator_depth,
		.initiator_depth = id->responder_resources,
		.retry_count = MAX_RETRY,
		.rnr_retry_count = id->rnr_retry,
		.qp_num = id->id.qp ? id->id.qp->qp_num : 0,
	};

	if (param) {
		shown.private_data = param->private_data;
		shown.private_data_len = param->private_data_len;
		shown.flow_control = param->flow_control;
		shown.retry_count = min_t(uint8_t, param->retry_count,
			MAX_RETRY);
	}
	return shown;
}

/* A reject, from @status alone or with the consumer's data. */
static void
tell_rejected(struct soft_id *id, int status, const void *data, uint8_t bytes)
{
	const struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = bytes,
	};
	struct soft_cm_event *e = soft_cm_event_create(id,
		RDMA_CM_EVENT_REJECTED, status);

	if (e)
		soft_cm_event_set(e, &param, SOFT_CM_REJ_BYTES);
	soft_cm_event_queue(e);
}

/* Called with the lock held. 0 or a positive errno. */
static int
request(struct soft_id *id, struct soft_id *listener,
	const struct rdma_conn_param *param)
{
	struct soft_id *child = soft_cm_create_child(listener, id);
	const struct rdma_conn_param shown = shown_param(id, param);
	struct soft_cm_event *e = soft_cm_event_create(child,
		RDMA_CM_EVENT_CONNECT_REQUEST, 0);

	if (!e) {
		if (child)
			soft_cm_free_child(child);
		return ENOMEM;
	}
	e->counted = listener;
	e->event.listen_id = &listener->id;
	soft_cm_event_set(e, &shown, SOFT_CM_REQ_BYTES);
	listener->nr_requests++;
	id->peer = child;
	soft_cm_event_queue(e);
	return 0;
}

static int
connect_locked(struct soft_id *id, const struct rdma_conn_param *param)
{
	struct soft_id *listener;
	int ret;

	if (id->state != SOFT_CM_ROUTE_RESOLVED || !id->id.qp)
		return EINVAL;
	ret = take_param(id, param, SOFT_CM_REQ_BYTES);
	if (ret)
		return ret;
	listener = soft_cm_find_listener(id->dev,
		ntohs(id->id.route.addr.dst_sin.sin_port));
	if (!listener) {
		id->state = SOFT_CM_CLOSED;
		tell_rejected(id, SOFT_CM_REJ_INVALID_SERVICE_ID, NULL, 0);
		return 0;
	}
	if (listener->nr_requests >= listener->backlog) {
		id->state = SOFT_CM_CLOSED;
		soft_cm_event_tell(id, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
		return 0;
	}
	ret = request(id, listener, param);
	if (!ret)
		id->state = SOFT_CM_CONNECTING;
	return ret;
}

int
soft_cm_connect(struct rdma_cm_id *ibid, struct rdma_conn_param *param)
{
	int ret;

	pthread_mutex_lock(&soft_cm_lock);
	ret = connect_locked(soft_id_of(ibid), param);
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

/* Called with the lock held. 0 or a positive errno. */
static int
accept_locked(struct soft_id *id, const struct rdma_conn_param *param)
{
	struct soft_id *active = id->peer;
	struct rdma_conn_param shown;
	struct soft_cm_event *e;
	int ret;

	if (id->state != SOFT_CM_REQUESTED || !id->id.qp || !active)
		return EINVAL;
	ret = take_param(id, param, SOFT_CM_REP_BYTES);
	if (ret)
		return ret;
	e = soft_cm_event_create(active, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
	if (!e)
		return ENOMEM;
	soft_qp_connect(soft_qp_of(id->id.qp),
		active->id.qp ? soft_qp_of(active->id.qp) : NULL,
		&(struct soft_qp_link){
			.rnr_retry = active->rnr_retry,
			.max_rd_atomic = min(id->initiator_depth,
				active->responder_resources),
			.max_dest_rd_atomic = min(id->responder_resources,
				active->initiator_depth),
		});
	shown = shown_param(id, param);
	soft_cm_event_set(e, &shown, SOFT_CM_REP_BYTES);
	id->state = SOFT_CM_ACCEPTED;
	soft_cm_event_queue(e);
	return 0;
}

int
soft_cm_accept(struct rdma_cm_id *ibid, struct rdma_conn_param *param)
{
	int ret;

	pthread_mutex_lock(&soft_cm_lock);
	ret = accept_locked(soft_id_of(ibid), param);
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

int
soft_cm_reject(struct rdma_cm_id *ibid, const void *private_data,
	uint8_t private_data_len)
{
	struct soft_id *id = soft_id_of(ibid);
	int ret = 0;

	if (private_data_len > SOFT_CM_REJ_BYTES ||
		(private_data_len && !private_data))
		return fail(EINVAL);
	pthread_mutex_lock(&soft_cm_lock);
	if (id->state != SOFT_CM_REQUESTED) {
		ret = EINVAL;
	} else {
		id->state = SOFT_CM_CLOSED;
		if (id->peer) {
			id->peer->state = SOFT_CM_CLOSED;
			id->peer->peer = NULL;
		}
		tell_rejected(id->peer, SOFT_CM_REJ_CONSUMER, private_data,
			private_data_len);
		id->peer = NULL;
	}
	pthread_mutex_unlock(&soft_cm_lock);
	return ret ? fail(ret) : 0;
}

/* This side parts, or agrees to. Called with the lock held. */
static void
part(struct soft_id *id)
{
	struct soft_id *peer = id->peer;

	if (id->has_sent_dreq)
		return;
	id->has_sent_dreq = true;
	/* A request to the peer, or the answer to its own. */
	if (peer && !peer->has_seen_dreq) {
		peer->has_seen_dreq = true;
		soft_cm_event_tell(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
	}
	if (!id->has_seen_dreq)
		return;
	soft_cm_event_tell(id, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
	if (peer)
		soft_cm_event_tell(peer, RDMA_CM_EVENT_TIMEWAIT_EXIT, 0);
}

static bool
is_connected(const struct soft_id *id)
{
	return id->state == SOFT_CM_ACCEPTED ||
		id->state == SOFT_CM_ESTABLISHED;
}

int
soft_cm_disconnect(struct rdma_cm_id *ibid)
{
	struct soft_id *id = soft_id_of(ibid);
	uint32_t qp_num = 0;
	bool is_right;

	pthread_mutex_lock(&soft_cm_lock);
	is_right = is_connected(id);
	if (is_right && ibid->qp)
		qp_num = ibid->qp->qp_num;
	pthread_mutex_unlock(&soft_cm_lock);
	if (!is_right)
		return fail(EINVAL);
	/* What was sent before arrives before the peer hears of the end. */
	if (qp_num)
		soft_qp_fail(id->dev, qp_num);
	pthread_mutex_lock(&soft_cm_lock);
	part(id);
	pthread_mutex_unlock(&soft_cm_lock);
	return 0;
}

/*
 * The id goes away: for the peer, a reject while connecting and a disconnect
 * or its answer afterwards.
 */
void
soft_cm_leave(struct soft_id *id)
{
	struct soft_id *peer = id->peer;

	if (is_connected(id))
		part(id);
	else if (peer && id->state == SOFT_CM_REQUESTED)
		tell_rejected(peer, SOFT_CM_REJ_CONSUMER, NULL, 0);
	else if (peer && id->state == SOFT_CM_CONNECTING)
		tell_rejected(peer, SOFT_CM_REJ_TIMEOUT, NULL, 0);
	if (peer) {
		peer->peer = NULL;
		if (!is_connected(id))
			peer->state = SOFT_CM_CLOSED;
	}
	id->peer = NULL;
	id->state = SOFT_CM_CLOSED;
}
