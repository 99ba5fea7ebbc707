/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Two connected QPs on a software device, for tests: end[0] has connected,
 * end[1] has accepted. Each end has its own PD, CQs, channel and one buffer
 * that is registered for everything.
 */
#ifndef SOFT_PAIR_H
#define SOFT_PAIR_H

#include <stdbool.h>

#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"

#define PAIR_BYTES 65536

struct pair_attr {
	struct soft_dev_attr dev;
	struct ibv_qp_cap cap; /* zero members get a default */
	int nr_cqes;	       /* 0 = 256 */
	int rnr_retry;	       /* 0 = 7, -1 = 0 */
	int read_depth;	       /* 0 = 4, -1 = 0 */
	bool signals_all;
};

struct pair_end {
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *buf;
};

struct pair {
	const struct fabric *fabric;
	struct soft_dev *dev;
	struct rdma_event_channel *events;
	struct rdma_cm_id *listener;
	struct pair_end end[2];
};

/* Every way of taking interrupts, for loop tests. */
#define PAIR_NR_MODES 4
extern const enum soft_irqmode pair_modes[PAIR_NR_MODES];

void pair_open(struct pair *p, const struct pair_attr *attr);
/* With pair_modes[@mode], else the defaults. */
void pair_open_mode(struct pair *p, int mode);
void pair_close(struct pair *p);

/* The next CM event, which must be @type; acknowledged, its id returned. */
struct rdma_cm_id *pair_expect(struct pair *p, enum rdma_cm_event_type type);
/* Are there unread CM events? */
bool pair_has_event(struct pair *p);

/* One request on buf[offset..]: results as the verbs give them. */
int pair_recv(struct pair_end *e, uint64_t wr_id, uint32_t offset,
	uint32_t bytes);
int pair_send(struct pair_end *e, uint64_t wr_id, uint32_t bytes, int flags);
/* RDMA between equal offsets of both buffers. */
int pair_rdma(struct pair *p, int from, enum ibv_wr_opcode opcode,
	uint32_t offset, uint32_t bytes);

/* Poll one completion and check its status; its wr_id is returned. */
uint64_t pair_poll(struct ibv_cq *cq, enum ibv_wc_status status);
/* Nothing there. */
void pair_poll_none(struct ibv_cq *cq);
/* The QP of @end is in @state. */
void pair_expect_state(struct pair *p, int end, enum ibv_qp_state state);
/* Readable within @timeout_ms? */
bool pair_is_readable(int fd, int timeout_ms);

#endif /* SOFT_PAIR_H */
