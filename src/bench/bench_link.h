/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A software device with two connected ends, for benchmarks below SRP: end[0]
 * sends commands, end[1] answers.
 */
#ifndef BENCH_BENCH_LINK_H
#define BENCH_BENCH_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "util/mem.h"

struct bench_end {
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_qp *qp;
	struct mem mem;
	struct ibv_mr *mr;
	uint32_t nr_send_wr; /* as granted */
};

struct bench_link {
	const struct fabric *fabric;
	struct soft_dev *dev;
	struct rdma_event_channel *events;
	struct rdma_cm_id *listener;
	struct bench_end end[2];
};

struct bench_link_attr {
	struct soft_dev_attr dev;
	struct ibv_qp_cap cap;
	size_t mem_bytes[2]; /* registered memory of each end */
};

/* 0 or -errno with a sentence in @reason; close() takes what there is. */
int bench_link_open(struct bench_link *link,
	const struct bench_link_attr *attr, char *reason, size_t n);
void bench_link_close(struct bench_link *link);

#endif /* BENCH_BENCH_LINK_H */
