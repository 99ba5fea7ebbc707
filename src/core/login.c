/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The steps of a channel's login that talk to the connection manager. They
 * run in the thread that opens the channel, before the keeper knows it.
 */
#include <poll.h>
#include <stdio.h>

#include "core/channel.h"
#include "core/cm.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "util/clock.h"
#include "wire/srp_iu.h"

#define LOGIN_RESPONDER_RESOURCES 4
#define LOGIN_RNR_RETRY		  7 /* without limit */

static const struct fabric *
login_fabric(const struct channel *ch)
{
	return ch->session->attr.fabric;
}

/* Waits for the next CM event. 0, -ETIMEDOUT or -errno. */
static int
login_next_event(struct channel *ch, struct rdma_cm_event **event)
{
	struct pollfd pfd = { .fd = ch->events->fd, .events = POLLIN };
	uint64_t now;
	int ret;

	do {
		now = clock_ns();
		if (now >= ch->login_deadline_ns)
			return -ETIMEDOUT;
		ret = poll(&pfd, 1,
			(int)((ch->login_deadline_ns - now) /
				      CLOCK_NS_PER_MSEC +
				1));
	} while (ret == 0 || (ret < 0 && errno == EINTR));
	if (ret < 0 || login_fabric(ch)->get_cm_event(ch->events, event))
		return -errno;
	return 0;
}

static int
login_refused(struct channel *ch, const struct rdma_cm_event *event,
	char *reason, size_t n)
{
	struct cm_refusal refusal;

	cm_refusal_read(event, &refusal);
	return cm_refusal_explain(
		&refusal, ch->session->initiator_port_id, reason, n);
}

/* What an event other than the wanted one means. */
static int
login_unexpected(struct channel *ch, const struct rdma_cm_event *event,
	char *reason, size_t n)
{
	int status = event->status;

	switch (event->event) {
	case RDMA_CM_EVENT_REJECTED:
		return login_refused(ch, event, reason, n);
	case RDMA_CM_EVENT_ADDR_ERROR:
		if (status == -ENODEV)
			return session_call_failed(ch->session,
			"resolving its address", ENODEV, reason, n);
		snprintf(reason, n,
			"its address can't be resolved (%s); is it reachable through an RDMA device (rdma link)?",
			status < 0 ? strerror(-status) : "no answer");
		return -EHOSTUNREACH;
	case RDMA_CM_EVENT_ROUTE_ERROR:
		snprintf(reason, n, "no RDMA route leads there (status %d)",
			status);
		return -EHOSTUNREACH;
	case RDMA_CM_EVENT_UNREACHABLE:
		snprintf(reason, n,
			"it does not answer the connection request (status %d: %s); check address, port and link",
			status, status < 0 ? strerror(-status) : "unreachable");
		return -EHOSTUNREACH;
	default:
		snprintf(reason, n, "the connection manager says %s (status %d)",
			rdma_event_str(event->event), status);
		return -EHOSTUNREACH;
	}
}

/*
 * Waits for @wanted; gives it to @on_event (may be NULL) before it is
 * acknowledged.
 */
static int
login_expect(struct channel *ch, enum rdma_cm_event_type wanted,
	int (*on_event)(struct channel *ch, const struct rdma_cm_event *event,
		char *reason, size_t n),
	char *reason, size_t n)
{
	struct rdma_cm_event *event;
	int ret = login_next_event(ch, &event);

	if (ret == -ETIMEDOUT) {
		snprintf(reason, n,
			"no answer within login_timeout (%u ms); check address, port and link",
			ch->session->attr.login_timeout_ms);
		return ret;
	}
	if (ret)
		return session_call_failed(ch->session,
			"reading a CM event", -ret, reason, n);
	if (event->event != wanted)
		ret = login_unexpected(ch, event, reason, n);
	else if (on_event)
		ret = on_event(ch, event, reason, n);
	login_fabric(ch)->ack_cm_event(event);
	return ret;
}

int
login_resolve(struct channel *ch, char *reason, size_t n)
{
	const struct session_attr *attr = &ch->session->attr;
	const struct fabric *fabric = attr->fabric;
	int timeout_ms = (int)attr->login_timeout_ms;
	struct sockaddr *src = attr->src_addr.ss_family == AF_UNSPEC
		? NULL : (struct sockaddr *)&ch->session->attr.src_addr;
	int ret;

	ch->events = fabric->create_event_channel();
	if (!ch->events)
		return session_call_failed(ch->session,
			"opening the RDMA connection manager", errno, reason, n);
	if (fabric->create_id(ch->events, &ch->id, ch, RDMA_PS_TCP))
		return session_call_failed(ch->session,
			"creating a connection", errno, reason, n);
	if (fabric->resolve_addr(ch->id, src,
		    (struct sockaddr *)&ch->session->attr.addr, timeout_ms))
		return session_call_failed(ch->session,
			"resolving its address", errno, reason, n);
	ret = login_expect(
		ch, RDMA_CM_EVENT_ADDR_RESOLVED, NULL, reason, n);
	if (ret)
		return ret;
	if (fabric->resolve_route(ch->id, timeout_ms))
		return session_call_failed(ch->session,
			"resolving a route", errno, reason, n);
	return login_expect(
		ch, RDMA_CM_EVENT_ROUTE_RESOLVED, NULL, reason, n);
}

/* The LOGIN_RSP comes zero padded to the CM's field size. */
static int
login_on_established(struct channel *ch, const struct rdma_cm_event *event,
	char *reason, size_t n)
{
	const struct rdma_conn_param *conn = &event->param.conn;
	struct srp_iu_login_rsp rsp;

	if (srp_iu_login_rsp_decode(
		    conn->private_data, conn->private_data_len, &rsp)) {
		snprintf(reason, n,
			"it accepted the connection without an SRP_LOGIN_RSP; is this an SRP target?");
		return -EPROTO;
	}
	if (rsp.req_lim_delta < 0 || rsp.max_it_iu_len < SRP_MIN_IU_BYTES) {
		snprintf(reason, n,
			"its SRP_LOGIN_RSP makes no sense (req_lim_delta %d, max_it_iu_len %u)",
			rsp.req_lim_delta, rsp.max_it_iu_len);
		return -EPROTO;
	}
	ch->credits = min(rsp.req_lim_delta, INT32_MAX / 2);
	ch->req_lim = (uint32_t)ch->credits;
	/* a target that grants a single credit can only be spoken to with it */
	ch->kept_credits = ch->credits > 1;
	ch->max_it_iu_bytes = rsp.max_it_iu_len;
	if (ch->wants_imm && rsp.flags & SRP_IMM_SUPPORTED &&
		rsp.max_it_iu_len > SRP_IMM_OFFSET)
		ch->imm_bytes = min_t(uint32_t, CHANNEL_MAX_IMM_BYTES,
			rsp.max_it_iu_len - SRP_IMM_OFFSET);
	return 0;
}

static void
login_request(struct channel *ch, bool multi, struct srp_login_req_rdma *out)
{
	struct srp_iu_login_req req = {
		.tag = 0,
		.req_it_iu_len = ch->want_it_iu_bytes,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
		.flags = multi ? SRP_MULTICHAN_MULTI : SRP_MULTICHAN_SINGLE,
	};

	if (ch->wants_imm) {
		req.flags |= SRP_IMM_REQUESTED;
		req.imm_offset = SRP_IMM_OFFSET;
	}
	memcpy(req.initiator_port_id, ch->session->initiator_port_id, 16);
	memcpy(req.target_port_id, ch->session->target_port_id, 16);
	srp_iu_login_req_rdma_encode(&req, out);
}

int
login_connect(struct channel *ch, bool multi, char *reason, size_t n)
{
	const struct session_attr *attr = &ch->session->attr;
	struct srp_login_req_rdma req;
	struct rdma_conn_param param = {
		.private_data = &req,
		.private_data_len = sizeof(req),
		/* the target fetches our data with RDMA READs */
		.responder_resources = LOGIN_RESPONDER_RESOURCES,
		.initiator_depth = 1,
		.flow_control = 1,
		.retry_count = (uint8_t)attr->retry_count,
		.rnr_retry_count = LOGIN_RNR_RETRY,
	};

	if (ch->session->max_rd_atom < LOGIN_RESPONDER_RESOURCES)
		param.responder_resources = ch->session->max_rd_atom;
	login_request(ch, multi, &req);
	if (attr->fabric->connect(ch->id, &param))
		return session_call_failed(ch->session,
			"connecting", errno, reason, n);
	return login_expect(ch, RDMA_CM_EVENT_ESTABLISHED,
		login_on_established, reason, n);
}
