/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the connection manager says, in words: reject reasons of the IB CM
 * (InfiniBand Architecture, 12.6.7.2) and SRP's own in the private data.
 */
#ifndef CORE_CM_H
#define CORE_CM_H

#include <stddef.h>
#include <stdint.h>

struct rdma_cm_event;

enum {
	CM_REJ_INVALID_SERVICE_ID = 8,
	CM_REJ_STALE_CONNECTION = 10,
	CM_REJ_CONSUMER_DEFINED = 28,
};

const char *cm_rej_name(int status);

struct cm_refusal {
	int status;	  /* CM reject reason, or -errno (iWARP) */
	uint32_t srp_reason; /* of SRP_LOGIN_REJ; 0: there was none */
};

/* Reads a REJECTED event, believing nothing about its private data. */
void cm_refusal_read(const struct rdma_cm_event *event,
	struct cm_refusal *refusal);
/*
 * The sentence for it, and -errno as srpi_open() has them; -EMSGSIZE when a
 * shorter IU may help, -EAGAIN when the same again may.
 */
int cm_refusal_explain(const struct cm_refusal *refusal,
	const uint8_t initiator_port_id[16], char *reason, size_t n);

#endif /* CORE_CM_H */
