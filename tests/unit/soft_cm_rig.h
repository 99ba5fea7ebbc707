/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the tests of the connection manager have in common. */
#ifndef TESTS_SOFT_CM_RIG_H
#define TESTS_SOFT_CM_RIG_H

#include "soft_pair.h"

/* A listener and an active id with its route resolved, nothing connected. */
struct cm {
	struct pair p;
	struct rdma_cm_id *active;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct sockaddr_in addr;
};

void make_qp(struct cm *c, struct rdma_cm_id *id);
struct rdma_cm_id *make_active(struct cm *c);
void cm_open(struct cm *c, int backlog);
void drop(struct cm *c, struct rdma_cm_id *id);
void cm_close(struct cm *c);
struct rdma_cm_event *next_event(struct cm *c, enum rdma_cm_event_type type);
int do_connect(struct cm *c, struct rdma_cm_id *id, uint8_t data_bytes);
int do_accept(struct cm *c, struct rdma_cm_id *id, uint8_t data_bytes);
/* Up to ESTABLISHED at both ends; the passive id is returned. */
struct rdma_cm_id *establish(struct cm *c);

#endif /* TESTS_SOFT_CM_RIG_H */
