/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "peer.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/clock.h"
#include "wire/scsi_lun.h"
#include "wire/scsi_sense.h"

#define PEER_RECVS_AT PEER_DATA_BYTES
#define PEER_IU_AT (PEER_RECVS_AT + PEER_RECVS * PEER_RECV_BYTES)
#define PEER_MEM_BYTES (PEER_IU_AT + PEER_IU_BYTES)
#define PEER_SEND_ID UINT64_MAX

void
bed_create(struct bed *bed, enum soft_irqmode mode,
	const struct target_attr *attr)
{
	struct soft_dev_attr dev_attr = { .irqmode = mode };
	struct target_attr full = *attr;
	char reason[200] = "";

	if (mode == SOFT_IRQ_TIMER)
		dev_attr.completion_nsec = 1000;
	ck_assert_int_eq(soft_dev_create(&dev_attr, &bed->dev), 0);
	soft_dev_addr(bed->dev, &bed->addr);
	bed->addr.sin_port = 0;
	if (!full.fabric)
		full.fabric = fabric_find("soft");
	ck_assert_ptr_nonnull(full.fabric);
	full.addr = (struct sockaddr *)&bed->addr;
	full.id_ext = PEER_ID_EXT;
	full.ioc_guid = PEER_IOC_GUID;
	ck_assert_msg(!target_create(&full, &bed->target, reason,
			      sizeof(reason)),
		"%s", reason);
	bed->addr.sin_port = htons(target_port(bed->target));
}

void
bed_destroy(struct bed *bed)
{
	target_destroy(bed->target);
	soft_dev_put(bed->dev);
}

void
bed_url(const struct bed *bed, const char *keys, char *url, size_t n)
{
	char host[INET_ADDRSTRLEN];
	int len;

	ck_assert_ptr_nonnull(inet_ntop(
		AF_INET, &bed->addr.sin_addr, host, sizeof(host)));
	len = snprintf(url, n,
		"srp://%s:%u/?fabric=soft&id_ext=%016" PRIx64
		"&ioc_guid=%016" PRIx64 "%s",
		host, ntohs(bed->addr.sin_port), PEER_ID_EXT, PEER_IOC_GUID,
		keys);
	ck_assert(len > 0 && (size_t)len < n);
}

struct target_stats
bed_stats(const struct bed *bed)
{
	struct target_stats stats;

	target_stats(bed->target, &stats);
	return stats;
}

void
bed_wait_channels(const struct bed *bed, unsigned int nr)
{
	uint64_t end_ns = clock_ns() + PEER_TIMEOUT_NS;

	while (bed_stats(bed).nr_channels != nr) {
		ck_assert_msg(clock_ns() < end_ns, "%u channels, not %u",
			bed_stats(bed).nr_channels, nr);
		usleep(500);
	}
}

struct srp_iu_login_req
peer_login_req(uint8_t initiator)
{
	struct srp_iu_login_req req = {
		.tag = 0x4711,
		.req_it_iu_len = 8260,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
		.flags = SRP_MULTICHAN_MULTI,
	};

	srp_iu_port_id_make(req.initiator_port_id, SRP_IO_CLASS_16A, 0,
		initiator);
	srp_iu_port_id_make(req.target_port_id, SRP_IO_CLASS_16A, PEER_ID_EXT,
		PEER_IOC_GUID);
	return req;
}

/* The next CM event, acknowledged; its type. False: none for so long. */
static bool
peer_next_event(struct peer *peer, int timeout_ms,
	enum rdma_cm_event_type *type)
{
	struct pollfd fd = { .fd = peer->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	const void *data;
	uint8_t n;

	if (poll(&fd, 1, timeout_ms) <= 0)
		return false;
	ck_assert_int_eq(
		peer->fabric->get_cm_event(peer->channel, &event), 0);
	*type = event->event;
	data = event->param.conn.private_data;
	n = event->param.conn.private_data_len;
	if (*type == RDMA_CM_EVENT_ESTABLISHED) {
		ck_assert_int_eq(
			srp_iu_login_rsp_decode(data, n, &peer->login), 0);
	} else if (*type == RDMA_CM_EVENT_REJECTED) {
		struct srp_iu_login_rej rej;

		peer->reject_status = event->status;
		if (data && !srp_iu_login_rej_decode(data, n, &rej)) {
			peer->reject_reason = rej.reason;
			peer->reject_tag = rej.tag;
		}
	} else if (*type == RDMA_CM_EVENT_DISCONNECTED) {
		peer->is_disconnected = true;
	}
	peer->fabric->ack_cm_event(event);
	return true;
}

static void
peer_expect_event(struct peer *peer, enum rdma_cm_event_type want)
{
	enum rdma_cm_event_type type;

	ck_assert(peer_next_event(peer, 10000, &type));
	ck_assert_int_eq(type, want);
}

int
peer_post_recv(struct peer *peer, uint32_t index)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)peer->mem + PEER_RECVS_AT +
			index * PEER_RECV_BYTES,
		.length = PEER_RECV_BYTES,
		.lkey = peer->mr->lkey,
	};
	struct ibv_recv_wr wr = {
		.wr_id = index,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_recv_wr *bad;

	return ibv_post_recv(peer->id->qp, &wr, &bad);
}

static void
peer_open(struct peer *peer, const struct bed *bed)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = 256,
			.max_recv_wr = PEER_RECVS,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};
	struct sockaddr_in addr = bed->addr;
	uint32_t i;

	*peer = (struct peer){ .fabric = fabric_find("soft") };
	peer->channel = peer->fabric->create_event_channel();
	ck_assert_ptr_nonnull(peer->channel);
	ck_assert(!peer->fabric->create_id(
		peer->channel, &peer->id, peer, RDMA_PS_TCP));
	ck_assert(!peer->fabric->resolve_addr(
		peer->id, NULL, (struct sockaddr *)&addr, 1000));
	peer_expect_event(peer, RDMA_CM_EVENT_ADDR_RESOLVED);
	ck_assert(!peer->fabric->resolve_route(peer->id, 1000));
	peer_expect_event(peer, RDMA_CM_EVENT_ROUTE_RESOLVED);
	peer->pd = peer->fabric->alloc_pd(peer->id->verbs);
	peer->cq = peer->fabric->create_cq(
		peer->id->verbs, PEER_RECVS + 256, NULL, NULL, 0);
	peer->mem = aligned_alloc(4096, PEER_MEM_BYTES);
	memset(peer->mem, 0, PEER_MEM_BYTES);
	peer->mr = peer->fabric->reg_mr(peer->pd, peer->mem, PEER_MEM_BYTES,
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_WRITE);
	ck_assert(peer->pd && peer->cq && peer->mr);
	peer->data = peer->mem;
	peer->iu = peer->mem + PEER_IU_AT;
	attr.send_cq = peer->cq;
	attr.recv_cq = peer->cq;
	ck_assert(!peer->fabric->create_qp(peer->id, peer->pd, &attr));
	for (i = 0; i < PEER_RECVS; i++)
		ck_assert_int_eq(peer_post_recv(peer, i), 0);
}

int
peer_connect_raw(struct peer *peer, const struct bed *bed, const void *data,
	size_t n, uint8_t responder_resources)
{
	struct rdma_conn_param param = {
		.private_data = data,
		.private_data_len = (uint8_t)n,
		.responder_resources = responder_resources,
		.initiator_depth = 1,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.flow_control = 1,
	};
	enum rdma_cm_event_type type;

	peer_open(peer, bed);
	ck_assert(!peer->fabric->connect(peer->id, &param));
	ck_assert(peer_next_event(peer, 10000, &type));
	if (type == RDMA_CM_EVENT_ESTABLISHED) {
		peer->credits = peer->login.req_lim_delta;
		return 0;
	}
	ck_assert_int_eq(type, RDMA_CM_EVENT_REJECTED);
	peer->is_disconnected = true;
	return -ECONNREFUSED;
}

int
peer_connect(struct peer *peer, const struct bed *bed,
	const struct srp_iu_login_req *req)
{
	struct srp_login_req_rdma wire;

	srp_iu_login_req_rdma_encode(req, &wire);
	return peer_connect_raw(peer, bed, &wire, sizeof(wire), 4);
}

void
peer_close(struct peer *peer)
{
	if (!peer->is_disconnected)
		peer->fabric->disconnect(peer->id);
	peer->fabric->destroy_qp(peer->id);
	peer->fabric->destroy_cq(peer->cq);
	peer->fabric->dereg_mr(peer->mr);
	peer->fabric->dealloc_pd(peer->pd);
	peer->fabric->destroy_id(peer->id);
	peer->fabric->destroy_event_channel(peer->channel);
	free(peer->mem);
}

static void
peer_poll(struct peer *peer)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(peer->cq, 1, &wc) == 1) {
		if (wc.status != IBV_WC_SUCCESS) {
			peer->has_failed = true;
			continue;
		}
		if (wc.wr_id == PEER_SEND_ID) {
			peer->nr_sent_done++;
			continue;
		}
		ck_assert_uint_lt(wc.wr_id, PEER_RECVS);
		peer->got_bytes[peer->nr_got % PEER_RECVS] = wc.byte_len;
		peer->got[peer->nr_got++ % PEER_RECVS] = (uint32_t)wc.wr_id;
	}
}

void
peer_send(struct peer *peer, size_t n)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)peer->iu,
		.length = (uint32_t)n,
		.lkey = peer->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = PEER_SEND_ID,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_send_wr *bad;
	uint32_t done = peer->nr_sent_done;
	uint64_t end_ns = clock_ns() + PEER_TIMEOUT_NS;

	if (ibv_post_send(peer->id->qp, &wr, &bad)) {
		peer->has_failed = true;
		return;
	}
	/* the IU's buffer is used again by the next one */
	while (peer->nr_sent_done == done && !peer->has_failed) {
		ck_assert_msg(clock_ns() < end_ns, "a send did not complete");
		peer_poll(peer);
		sched_yield();
	}
}

static bool
peer_wait_iu(struct peer *peer, uint64_t timeout_ns)
{
	uint64_t end_ns = clock_ns() + timeout_ns;
	enum rdma_cm_event_type type;

	for (;;) {
		peer_poll(peer);
		if (peer->nr_got != peer->nr_taken)
			return true;
		if (peer->has_failed || peer->is_disconnected ||
			clock_ns() >= end_ns)
			return false;
		peer_next_event(peer, 0, &type);
		sched_yield();
	}
}

const uint8_t *
peer_recv(struct peer *peer, uint32_t *bytes)
{
	uint32_t index;

	if (!peer_wait_iu(peer, PEER_TIMEOUT_NS)) {
		ck_assert_msg(peer->has_failed || peer->is_disconnected,
			"nothing received");
		return NULL;
	}
	/* taken from the ring, its receive is posted again at the next call
	 * for the same slot: 256 of them outlive any test's look at it */
	index = peer->got[peer->nr_taken % PEER_RECVS];
	*bytes = peer->got_bytes[peer->nr_taken % PEER_RECVS];
	peer->nr_taken++;
	peer_post_recv(peer, index);
	return peer->mem + PEER_RECVS_AT + index * PEER_RECV_BYTES;
}

void
peer_recv_rsp(struct peer *peer, struct srp_iu_rsp *rsp)
{
	uint32_t bytes;
	const uint8_t *iu = peer_recv(peer, &bytes);

	ck_assert_msg(iu != NULL, "the channel died");
	ck_assert_int_eq(srp_iu_rsp_decode(iu, bytes, rsp), 0);
	peer->credits += rsp->req_lim_delta;
}

void
peer_expect_silence(struct peer *peer)
{
	ck_assert(!peer_wait_iu(peer, 50 * CLOCK_NS_PER_MSEC));
	ck_assert(!peer->has_failed && !peer->is_disconnected);
}

void
peer_wait_closed(struct peer *peer)
{
	enum rdma_cm_event_type type;

	while (!peer->is_disconnected)
		ck_assert_msg(peer_next_event(peer, 10000, &type),
			"the target keeps the channel");
	peer->fabric->disconnect(peer->id);
}

uint32_t
peer_build(struct peer *peer, const struct peer_cmd *cmd)
{
	uint64_t va = (uintptr_t)peer->data + cmd->off;
	struct srp_direct_buf *table;
	struct scsi_lun lun;
	uint32_t step, n;
	unsigned int i;

	ck_assert_int_eq(scsi_lun_from_number(cmd->lun, &lun), 0);
	srp_iu_cmd_init(peer->iu, ++peer->next_tag);
	memcpy(srp_iu_cmd_begin(peer->iu, &lun), cmd->cdb, 16);
	if (cmd->immediate) {
		n = srp_iu_cmd_imm(peer->iu, SRP_IMM_OFFSET, cmd->len);
		memcpy(peer->iu + n, peer->data + cmd->off, cmd->len);
		return n + cmd->len;
	}
	if (cmd->dir == SCSI_DIR_NONE)
		return srp_iu_cmd_no_data(peer->iu);
	if (cmd->nr_descs <= 1)
		return srp_iu_cmd_direct(
			peer->iu, cmd->dir, va, peer->mr->rkey, cmd->len);
	table = srp_iu_cmd_table(peer->iu);
	step = cmd->len / cmd->nr_descs;
	for (i = 0; i < cmd->nr_descs; i++) {
		n = i + 1 == cmd->nr_descs ? cmd->len - i * step : step;
		srp_iu_desc_set(&table[i], va + i * step, peer->mr->rkey, n);
	}
	return srp_iu_cmd_indirect(peer->iu, cmd->dir, cmd->nr_descs, cmd->len,
		(uintptr_t)peer->iu, peer->mr->rkey);
}

void
peer_do(struct peer *peer, const struct peer_cmd *cmd, struct srp_iu_rsp *rsp)
{
	uint32_t n = peer_build(peer, cmd);

	peer->credits--;
	peer_send(peer, n);
	peer_recv_rsp(peer, rsp);
	ck_assert_uint_eq(rsp->tag, peer->next_tag);
}

unsigned int
peer_reset(struct peer *peer, uint8_t function, uint64_t lun, uint64_t task_tag)
{
	struct srp_iu_tsk_mgmt tm = {
		.tag = UINT64_MAX,
		.function = function,
		.task_tag = task_tag,
	};
	struct srp_iu_rsp rsp;
	unsigned int nr = 0;
	bool is_done = false;

	ck_assert_int_eq(scsi_lun_from_number(lun, &tm.lun), 0);
	srp_iu_tsk_mgmt_encode(&tm, (struct srp_tsk_mgmt *)peer->iu);
	peer->credits--;
	peer_send(peer, sizeof(struct srp_tsk_mgmt));
	while (!is_done || peer->credits < peer->login.req_lim_delta) {
		peer_recv_rsp(peer, &rsp);
		if (rsp.tag != UINT64_MAX) {
			ck_assert_uint_eq(rsp.status | rsp.flags, 0);
			nr++;
			continue;
		}
		is_done = true;
		ck_assert_uint_eq(rsp.flags, SRP_RSP_RSPVALID);
		ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_COMPLETE);
	}
	return nr;
}

struct peer_cmd
peer_rw(uint64_t lun, bool write, uint64_t lba, uint32_t blocks,
	uint32_t block_bytes)
{
	struct peer_cmd cmd = {
		.lun = lun,
		.dir = write ? SCSI_DIR_OUT : SCSI_DIR_IN,
		.len = blocks * block_bytes,
	};

	scsi_cdb_rw(cmd.cdb, write, lba, blocks, 0);
	return cmd;
}

uint32_t
peer_sense(const struct srp_iu_rsp *rsp)
{
	struct scsi_sense sense;

	if (rsp->status != SCSI_STATUS_CHECK_CONDITION)
		return 0;
	ck_assert_int_eq(
		scsi_sense_decode(rsp->sense, rsp->sense_len, &sense), 0);
	return (uint32_t)sense.key << 16 | scsi_sense_code(&sense);
}
