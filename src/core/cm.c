/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <rdma/rdma_cma.h>
#include <stdio.h>

#include "core/cm.h"
#include "wire/srp_iu.h"

static const char *const cm_rej_names[] = {
	[1] = "no queue pair available",
	[2] = "no EE context available",
	[3] = "no resources available",
	[4] = "timeout",
	[5] = "unsupported request",
	[6] = "invalid communication ID",
	[7] = "invalid communication instance",
	[8] = "invalid service ID",
	[9] = "invalid transport service type",
	[10] = "stale connection",
	[11] = "RDC does not exist",
	[12] = "primary GID rejected",
	[13] = "primary LID rejected",
	[14] = "invalid service level",
	[15] = "invalid traffic class",
	[16] = "invalid hop limit",
	[17] = "invalid packet rate",
	[24] = "port and CM redirection",
	[25] = "port redirection",
	[26] = "invalid path MTU",
	[27] = "insufficient responder resources",
	[28] = "consumer reject",
	[29] = "RNR retry count rejected",
	[30] = "duplicate local communication ID",
	[31] = "invalid class version",
	[32] = "invalid flow label",
	[33] = "invalid alternate flow label",
};

const char *
cm_rej_name(int status)
{
	if (status < 0)
		return "connection refused";
	if ((size_t)status < ARRAY_SIZE(cm_rej_names) && cm_rej_names[status])
		return cm_rej_names[status];
	return "unknown reason";
}

void
cm_refusal_read(const struct rdma_cm_event *event, struct cm_refusal *refusal)
{
	const struct rdma_conn_param *conn = &event->param.conn;
	struct srp_iu_login_rej rej;

	refusal->status = event->status;
	refusal->srp_reason = 0;
	if (event->status != CM_REJ_CONSUMER_DEFINED || !conn->private_data)
		return;
	if (srp_iu_login_rej_decode(
		    conn->private_data, conn->private_data_len, &rej))
		return;
	refusal->srp_reason = rej.reason;
}

static const char *
cm_srp_remedy(uint32_t srp_reason)
{
	switch (srp_reason) {
	case SRP_REJ_INSUFFICIENT_RESOURCES:
		return "its port may be disabled or out of memory: look at the target's log";
	case SRP_REJ_IU_LEN_TOO_LARGE:
		return "ask for fewer descriptors (max_descs=)";
	case SRP_REJ_UNABLE_ASSOCIATE_CHANNEL:
		return "check id_ext and ioc_guid against the target's port identifier";
	case SRP_REJ_MULTI_CHANNEL_UNSUPPORTED:
		return "it takes one channel only (channels=1)";
	case SRP_REJ_CHANNEL_LIMIT_REACHED:
		return "it has no channel left, or no access list that names this initiator";
	default:
		return "look at the target's log";
	}
}

static int
cm_explain_srp(const struct cm_refusal *refusal, const uint8_t id[16],
	char *reason, size_t n)
{
	char hex[33];
	int i;

	for (i = 0; i < 16; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	snprintf(reason, n,
		"the target refused the login: %s (SRP_LOGIN_REJ 0x%08x) for initiator port id 0x%s; %s",
		srp_iu_rej_name(refusal->srp_reason), refusal->srp_reason, hex,
		cm_srp_remedy(refusal->srp_reason));
	return refusal->srp_reason == SRP_REJ_IU_LEN_TOO_LARGE
		? -EMSGSIZE : -ECONNREFUSED;
}

int
cm_refusal_explain(const struct cm_refusal *refusal,
	const uint8_t initiator_port_id[16], char *reason, size_t n)
{
	if (refusal->srp_reason)
		return cm_explain_srp(refusal, initiator_port_id, reason, n);
	if (refusal->status < 0 ||
		refusal->status == CM_REJ_INVALID_SERVICE_ID) {
		snprintf(reason, n,
			"no SRP target listens there (CM reject %d: %s); check address and port",
			refusal->status, cm_rej_name(refusal->status));
		return -EHOSTUNREACH;
	}
	if (refusal->status == CM_REJ_CONSUMER_DEFINED) {
		snprintf(reason, n,
			"whoever listens there refused the login without an SRP_LOGIN_REJ: %s (CM reject %d); is it an SRP target? If so, look at its log",
			cm_rej_name(refusal->status), refusal->status);
		return -ECONNREFUSED;
	}
	snprintf(reason, n,
		"the target's connection manager refused the login: %s (CM reject %d); look at the target's log",
		cm_rej_name(refusal->status), refusal->status);
	return refusal->status == CM_REJ_STALE_CONNECTION ? -EAGAIN
							  : -ECONNREFUSED;
}
