/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_cm.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>

#include "target/tgt_conn.h"
#include "target/tgt_faults.h"
#include "target/tgt_login.h"
#include "util/log.h"

#define CM_BACKLOG 64
#define CM_RNR_RETRY_FOREVER 7

/* What is kept of a connection request when its event is acknowledged. */
struct cm_request {
	struct rdma_cm_id *id;
	uint8_t data[256];
	size_t bytes;
	uint8_t responder_resources, initiator_depth;
};

/* Counted before the initiator can know, so that it finds itself counted. */
static void
cm_count(struct target *target, uint64_t *counter, int n)
{
	pthread_mutex_lock(&target->lock);
	*counter += (uint64_t)n;
	pthread_mutex_unlock(&target->lock);
}

static void
cm_reject(struct target *target, struct rdma_cm_id *id, uint64_t tag,
	uint32_t reason)
{
	struct srp_iu_login_rej in = {
		.tag = tag,
		.reason = reason,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
	};
	struct srp_login_rej rej;

	cm_count(target, &target->nr_rejects, 1);
	srp_iu_login_rej_encode(&in, &rej);
	target->fabric->reject(id, &rej, sizeof(rej));
	target->fabric->destroy_id(id);
}

/* SRP_MULTICHAN_SINGLE: true when another channel had to go. */
static bool
cm_close_siblings(struct target *target, const struct tgt_conn *conn)
{
	struct tgt_conn *other, *next;
	bool any = false;

	list_for_each_entry_safe(other, next, &target->conns, node) {
		if (other == conn || other->nexus != conn->nexus ||
			atomic_load(&other->state) == TGT_CONN_CLOSING)
			continue;
		any = true;
		tgt_conn_close(other);
	}
	return any;
}

static bool
cm_has_siblings(struct target *target, const struct tgt_conn *conn)
{
	struct tgt_conn *other;

	list_for_each_entry(other, &target->conns, node)
		if (other != conn && other->nexus == conn->nexus &&
			atomic_load(&other->state) != TGT_CONN_CLOSING)
			return true;
	return false;
}

static uint8_t
cm_multichan_result(struct target *target, const struct tgt_conn *conn,
	const struct tgt_login *login)
{
	if (login->is_single)
		return cm_close_siblings(target, conn) ?
			SRP_MULTICHAN_TERMINATED :
			SRP_MULTICHAN_NONE;
	return cm_has_siblings(target, conn) ? SRP_MULTICHAN_MAINTAINED :
					       SRP_MULTICHAN_NONE;
}

static int
cm_accept(struct target *target, struct tgt_conn *conn,
	const struct tgt_login *login, const struct cm_request *request)
{
	const struct ibv_device_attr *attr = &conn->dev->attr;
	struct srp_iu_login_rsp in = {
		.tag = login->req.tag,
		.req_lim_delta = (int32_t)(conn->nr_cmds - TGT_EXTRA_RECVS),
		.max_it_iu_len = target->max_it_iu_bytes,
		.max_ti_iu_len = TGT_MAX_TI_IU_BYTES,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
		.flags = cm_multichan_result(target, conn, login),
	};
	struct srp_login_rsp rsp;
	struct rdma_conn_param param = {
		.private_data = &rsp,
		.private_data_len = sizeof(rsp),
		.responder_resources = (uint8_t)min_t(int,
			request->responder_resources, attr->max_qp_rd_atom),
		.initiator_depth = (uint8_t)min_t(int,
			request->initiator_depth, attr->max_qp_init_rd_atom),
		.flow_control = 1,
		.rnr_retry_count = CM_RNR_RETRY_FOREVER,
	};

	if (login->imm_offset)
		in.flags |= SRP_IMM_SUPPORTED;
	srp_iu_login_rsp_encode(&in, &rsp);
	return target->fabric->accept(conn->id, &param) ? -errno : 0;
}

/* A channel without RDMA READs could never fetch the data of a write. */
static bool
cm_lacks_reads(const struct cm_request *request)
{
	const struct ibv_device *device = request->id->verbs->device;

	return !request->initiator_depth && device &&
		device->transport_type == IBV_TRANSPORT_IB;
}

/* Channels that count against the limit: not those that are being closed, nor,
 * with @spared, those of a nexus that the login is about to end. */
static uint32_t
cm_count_channels(const struct target *target, const uint8_t *spared)
{
	const struct tgt_conn *conn;
	uint32_t nr = 0;

	list_for_each_entry(conn, &target->conns, node) {
		if (atomic_load(&conn->state) == TGT_CONN_CLOSING)
			continue;
		if (spared && !memcmp(conn->nexus->initiator_port_id, spared,
				      SRP_PORT_ID_BYTES))
			continue;
		nr++;
	}
	return nr;
}

static uint32_t
cm_check(struct target *target, const struct cm_request *request,
	struct tgt_login *login)
{
	struct tgt_login_policy policy = {
		.port_id = target->port_id,
		.max_it_iu_bytes = target->max_it_iu_bytes,
		.nr_channels = cm_count_channels(target, NULL),
		.max_channels = target->max_channels,
	};
	uint32_t rej;

	rej = tgt_login_check(&policy, request->data, request->bytes, login);
	if (rej == SRP_REJ_CHANNEL_LIMIT_REACHED && login->is_single) {
		policy.nr_channels = cm_count_channels(
			target, login->req.initiator_port_id);
		rej = tgt_login_check(
			&policy, request->data, request->bytes, login);
	}
	if (!rej && cm_lacks_reads(request))
		rej = SRP_REJ_UNABLE_ESTABLISH_CHANNEL;
	return rej;
}

static void
cm_login(struct target *target, const struct cm_request *request)
{
	struct tgt_login login;
	struct tgt_conn_attr attr = {
		.initiator_port_id = login.req.initiator_port_id,
	};
	struct tgt_conn *conn;
	char reason[160] = "";
	uint32_t rej = cm_check(target, request, &login);
	int rc;

	if (rej) {
		cm_reject(target, request->id, login.req.tag, rej);
		return;
	}
	attr.imm_offset = login.imm_offset;
	cm_count(target, &target->nr_logins, 1);
	rc = tgt_conn_create(
		target, request->id, &attr, &conn, reason, sizeof(reason));
	if (rc) {
		log_warn("target", "login refused: %s", reason);
		cm_count(target, &target->nr_logins, -1);
		cm_reject(target, request->id, login.req.tag,
			SRP_REJ_INSUFFICIENT_RESOURCES);
		return;
	}
	rc = cm_accept(target, conn, &login, request);
	if (rc) {
		log_warn("target", "accepting a login failed: %s",
			strerror(-rc));
		cm_count(target, &target->nr_logins, -1);
		tgt_conn_close(conn);
	}
}

static void
cm_on_request(struct target *target, const struct cm_request *request)
{
	struct tgt_login login;
	uint32_t rej = 0;

	switch (tgt_faults_on_login(target, &rej)) {
	case TGT_LOGIN_FAULT_NONE:
		cm_login(target, request);
		break;
	case TGT_LOGIN_FAULT_REJ:
		cm_check(target, request, &login);
		cm_reject(target, request->id, login.req.tag, rej);
		break;
	case TGT_LOGIN_FAULT_STALE:
		target->fabric->reject(request->id, NULL, 0);
		target->fabric->destroy_id(request->id);
		break;
	}
}

static void
cm_on_event(struct tgt_conn *conn, enum rdma_cm_event_type event)
{
	uint8_t login = TGT_CONN_LOGIN;

	switch (event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		atomic_compare_exchange_strong(
			&conn->state, &login, TGT_CONN_LIVE);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		tgt_conn_close(conn);
		break;
	default:
		break;
	}
}

/*
 * One event for each time the channel is readable, so that the descriptor need
 * not be non-blocking. It is acknowledged before it is acted on, as an id
 * cannot be destroyed while an event of it is not.
 */
static void
cm_on_ready(struct loop_fd *node, uint32_t events)
{
	struct target *target = node->arg;
	struct rdma_cm_event *event;
	struct cm_request request = { 0 };
	enum rdma_cm_event_type type;
	struct rdma_cm_id *id;

	(void)events;
	if (target->fabric->get_cm_event(target->cm_channel, &event))
		return;
	type = event->event;
	id = event->id;
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
		request.id = id;
		request.bytes = min_t(size_t,
			event->param.conn.private_data_len,
			sizeof(request.data));
		if (!event->param.conn.private_data)
			request.bytes = 0;
		if (request.bytes)
			memcpy(request.data, event->param.conn.private_data,
				request.bytes);
		request.responder_resources =
			event->param.conn.responder_resources;
		request.initiator_depth = event->param.conn.initiator_depth;
	}
	target->fabric->ack_cm_event(event);
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		cm_on_request(target, &request);
	else if (id != target->listen_id)
		cm_on_event(id->context, type);
}

static int
cm_failed(struct target *target, const char *what, char *reason, size_t n)
{
	int error = errno ? errno : EIO;
	size_t len = (size_t)snprintf(reason, n, "%s on fabric %s failed: %s",
		what, target->fabric->name, strerror(error));

	if (target->fabric->diagnose && len + 2 < n) {
		reason[len] = ';';
		reason[len + 1] = ' ';
		reason[len + 2] = '\0';
		if (target->fabric->diagnose(
			    error, reason + len + 2, n - len - 2) <= 0)
			reason[len] = '\0';
	}
	return -error;
}

int
tgt_cm_listen(struct target *target, const struct sockaddr *addr, char *reason,
	size_t n)
{
	const struct fabric *fabric = target->fabric;
	struct sockaddr_storage any = { 0 };
	int rc;

	memcpy(&any, addr,
		addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
					      sizeof(struct sockaddr_in));
	target->cm_channel = fabric->create_event_channel();
	if (!target->cm_channel)
		return cm_failed(target, "an event channel", reason, n);
	if (fabric->create_id(target->cm_channel, &target->listen_id, NULL,
		    RDMA_PS_TCP))
		return cm_failed(target, "a listener", reason, n);
	if (fabric->bind_addr(target->listen_id, (struct sockaddr *)&any))
		return cm_failed(target, "binding the address", reason, n);
	if (fabric->listen(target->listen_id, CM_BACKLOG))
		return cm_failed(target, "listening", reason, n);
	target->port = ntohs(fabric->get_src_port(target->listen_id));
	target->cm_fd.on_ready = cm_on_ready;
	target->cm_fd.arg = target;
	rc = loop_fd_add(
		&target->loop, &target->cm_fd, target->cm_channel->fd, EPOLLIN);
	if (rc)
		snprintf(reason, n, "watching the event channel failed: %s",
			strerror(-rc));
	return rc;
}

void
tgt_cm_close(struct target *target)
{
	if (target->listen_id)
		target->fabric->destroy_id(target->listen_id);
	if (target->cm_channel) {
		loop_fd_remove(&target->loop, &target->cm_fd);
		target->fabric->destroy_event_channel(target->cm_channel);
	}
}
