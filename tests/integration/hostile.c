/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "hostile.h"

#include <check.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core_rig.h"

#define RECVS_BYTES (HOSTILE_RECVS * HOSTILE_RECV_BYTES)
#define SENDS_BYTES (HOSTILE_SENDS * HOSTILE_SEND_BYTES)
#define MEM_BYTES (RECVS_BYTES + SENDS_BYTES + HOSTILE_DATA_BYTES)
#define SEND_ID (UINT64_C(1) << 32)

/* ---- pseudo-random numbers ---- */

static uint64_t random_state;

void
hostile_seed(void)
{
	const char *text = getenv("SRPD_TEST_SEED");

	random_state = text ? strtoull(text, NULL, 0) : 0x5eed;
	printf("SRPD_TEST_SEED=%llu\n", (unsigned long long)random_state);
	fflush(stdout);
	if (!random_state)
		random_state = 1;
}

/* xorshift64* */
static uint64_t
next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t
hostile_random(uint32_t below)
{
	return (uint32_t)(next_random() >> 33) % below;
}

void
hostile_random_bytes(void *to, uint32_t n)
{
	uint8_t *at = to;

	while (n--)
		*at++ = (uint8_t)(next_random() >> 40);
}

/* ---- one connection ---- */

static void
post_recv(struct hostile_link *link, uint32_t index)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)link->mem + index * HOSTILE_RECV_BYTES,
		.length = HOSTILE_RECV_BYTES,
		.lkey = link->mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = {
		.wr_id = index,
		.sg_list = &sge,
		.num_sge = 1,
	};

	ibv_post_recv(link->id->qp, &wr, &bad);
}

static void
on_wc(struct hostile_link *link, const struct ibv_wc *wc)
{
	if (wc->wr_id >= SEND_ID)
		link->nr_send_done++;
	if (wc->status != IBV_WC_SUCCESS) {
		if (!link->nr_failed++ || wc->status != IBV_WC_WR_FLUSH_ERR)
			link->last_status = wc->status;
		return;
	}
	if (wc->wr_id >= SEND_ID)
		return;
	must(link->nr_got - link->nr_taken < HOSTILE_RECVS);
	link->got[link->nr_got % HOSTILE_RECVS] = (uint32_t)wc->wr_id;
	link->got_bytes[link->nr_got++ % HOSTILE_RECVS] = wc->byte_len;
}

static void
poll_link(struct hostile_link *link)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(link->cq, 1, &wc) == 1)
		on_wc(link, &wc);
}

static const uint8_t *
take(struct hostile_link *link, uint32_t *bytes)
{
	uint32_t slot = link->nr_taken % HOSTILE_RECVS;

	poll_link(link);
	if (link->nr_taken == link->nr_got)
		return NULL;
	/* what was taken before goes back first */
	if (link->nr_taken && !link->withholds_receives)
		post_recv(link, link->got[(slot + HOSTILE_RECVS - 1) %
				  HOSTILE_RECVS]);
	link->nr_taken++;
	*bytes = link->got_bytes[slot];
	return link->mem + link->got[slot] * HOSTILE_RECV_BYTES;
}

static bool
post(struct hostile_link *link, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	wr->wr_id = SEND_ID;
	wr->num_sge = 1;
	wr->send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(link->id->qp, wr, &bad))
		return false;
	link->nr_sent++;
	poll_link(link);
	return true;
}

static bool
send_iu(struct hostile_link *link, const void *iu, uint32_t n)
{
	uint8_t *at = link->mem + RECVS_BYTES +
		link->nr_sent % HOSTILE_SENDS * HOSTILE_SEND_BYTES;
	struct ibv_sge sge = {
		.addr = (uintptr_t)at, .length = n, .lkey = link->mr->lkey };
	struct ibv_send_wr wr = { .sg_list = &sge, .opcode = IBV_WR_SEND };

	must(n <= HOSTILE_SEND_BYTES);
	poll_link(link);
	if (link->nr_failed || link->nr_sent - link->nr_send_done >= HOSTILE_SENDS)
		return false;
	if (n)
		memcpy(at, iu, n);
	return post(link, &wr);
}

static void
write_data(struct hostile_link *link, uint64_t va, uint32_t rkey, uint32_t n)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)link->data,
		.length = n,
		.lkey = link->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = { .remote_addr = va, .rkey = rkey },
	};

	post(link, &wr);
}

static void
send_good(struct hostile_link *link, uint64_t tag)
{
	struct srp_rsp rsp;

	srp_iu_rsp_init(&rsp);
	srp_iu_rsp_set_good(&rsp, tag, 1);
	send_iu(link, &rsp, sizeof(rsp));
}

/* The control connection: every command is good, its data what is asked. */
static void
serve(struct hostile_link *link, const uint8_t *iu, uint32_t n)
{
	uint32_t (*fill)(const uint8_t *, uint8_t *, uint32_t) =
		link->hostile->fill_data;
	struct srp_iu_desc desc;
	struct srp_iu_cmd cmd;

	if (srp_iu_cmd_decode(iu, n, 0, &cmd))
		return;
	if (fill && cmd.nr_descs == 1 && cmd.dir == SCSI_DIR_IN) {
		desc = srp_iu_cmd_get_desc(&cmd, 0);
		n = fill(cmd.cdb, link->data,
			min(desc.len, HOSTILE_DATA_BYTES));
		if (n)
			write_data(link, desc.va, desc.rkey, n);
	}
	send_good(link, cmd.tag);
}

static void
on_control(struct ibv_cq *cq, void *arg)
{
	struct hostile_link *link = arg;
	const uint8_t *iu;
	uint32_t n;

	(void)cq;
	while ((iu = take(link, &n)) != NULL)
		serve(link, iu, n);
}

/* ---- logins; the target's thread ---- */

static struct hostile_link *
make_link(struct hostile *h, struct rdma_cm_id *id, bool is_control)
{
	struct hostile_link *link = calloc(1, sizeof(*link));
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = 2 * HOSTILE_SENDS,
			.max_recv_wr = HOSTILE_RECVS,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};
	uint32_t i;

	link->hostile = h;
	link->id = id;
	link->is_control = is_control;
	must(!mem_alloc(&link->pages, MEM_BYTES, 0));
	link->mem = link->pages.addr;
	link->data = link->mem + RECVS_BYTES + SENDS_BYTES;
	if (!h->pd)
		h->pd = h->fabric->alloc_pd(id->verbs);
	link->mr = h->fabric->reg_mr(
		h->pd, link->mem, MEM_BYTES, IBV_ACCESS_LOCAL_WRITE);
	link->cq = h->fabric->create_cq(id->verbs,
		2 * HOSTILE_SENDS + HOSTILE_RECVS, NULL, NULL, 0);
	must(link->mr && link->cq);
	attr.send_cq = attr.recv_cq = link->cq;
	must(!h->fabric->create_qp(id, h->pd, &attr));
	for (i = 0; i < HOSTILE_RECVS; i++)
		post_recv(link, i);
	if (is_control)
		must(!h->fabric->cq_set_handler(link->cq, on_control, link));
	return link;
}

static void
free_link(struct hostile_link *link)
{
	const struct fabric *fabric = link->hostile->fabric;

	fabric->disconnect(link->id);
	if (link->is_control)
		fabric->cq_set_handler(link->cq, NULL, NULL);
	fabric->destroy_qp(link->id);
	fabric->destroy_cq(link->cq);
	fabric->dereg_mr(link->mr);
	fabric->destroy_id(link->id);
	mem_free(&link->pages);
	free(link);
}

static void
on_request(struct hostile *h, struct rdma_cm_id *id)
{
	struct rdma_conn_param param = {
		.private_data = h->login_rsp,
		.private_data_len = h->login_rsp_bytes,
		.responder_resources = 1,
		.initiator_depth = 4,
		.rnr_retry_count = 7,
	};
	bool is_control = h->nr_logins++ == 0;
	struct hostile_link *link = make_link(h, id, is_control);

	pthread_mutex_lock(&h->lock);
	if (is_control) {
		h->control = link;
	} else {
		must(!h->link);
		h->link = link;
	}
	pthread_mutex_unlock(&h->lock);
	must(!h->fabric->accept(id, &param));
}

static void *
cm_main(void *arg)
{
	struct hostile *h = arg;
	struct pollfd pfd = { .fd = h->events->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	enum rdma_cm_event_type type;
	struct rdma_cm_id *id;

	while (!atomic_load(&h->is_over)) {
		if (poll(&pfd, 1, 20) != 1 ||
			h->fabric->get_cm_event(h->events, &event))
			continue;
		type = event->event;
		id = event->id;
		h->fabric->ack_cm_event(event);
		if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
			on_request(h, id);
	}
	return NULL;
}

void
hostile_set_login(
	struct hostile *h, int32_t req_lim_delta, uint32_t max_it_iu_bytes)
{
	struct srp_iu_login_rsp rsp = {
		.req_lim_delta = req_lim_delta,
		.max_it_iu_len = max_it_iu_bytes,
		.max_ti_iu_len = 512,
		.buf_fmt = SRP_BUF_DIRECT | SRP_BUF_INDIRECT,
	};

	srp_iu_login_rsp_encode(&rsp, (struct srp_login_rsp *)h->login_rsp);
	h->login_rsp_bytes = sizeof(struct srp_login_rsp);
}

void
hostile_start(struct hostile *h)
{
	struct soft_dev_attr dev = { .irqmode = SOFT_IRQ_NONE };

	memset(h, 0, sizeof(*h));
	h->fabric = fabric_find("soft");
	ck_assert_int_eq(soft_dev_create(&dev, &h->dev), 0);
	soft_dev_addr(h->dev, &h->addr);
	h->addr.sin_port = 0;
	h->events = h->fabric->create_event_channel();
	ck_assert_int_eq(h->fabric->create_id(h->events, &h->listener, NULL,
				 RDMA_PS_TCP),
		0);
	ck_assert_int_eq(h->fabric->bind_addr(h->listener,
				 (struct sockaddr *)&h->addr),
		0);
	ck_assert_int_eq(h->fabric->listen(h->listener, 16), 0);
	h->addr.sin_port = h->fabric->get_src_port(h->listener);
	hostile_set_login(h, 64, 8260);
	pthread_mutex_init(&h->lock, NULL);
	ck_assert_int_eq(pthread_create(&h->thread, NULL, cm_main, h), 0);
}

void
hostile_drop_link(struct hostile *h)
{
	struct hostile_link *link;

	pthread_mutex_lock(&h->lock);
	link = h->link;
	h->link = NULL;
	pthread_mutex_unlock(&h->lock);
	if (link)
		free_link(link);
}

void
hostile_stop(struct hostile *h)
{
	atomic_store(&h->is_over, true);
	pthread_join(h->thread, NULL);
	hostile_drop_link(h);
	if (h->control)
		free_link(h->control);
	h->fabric->destroy_id(h->listener);
	h->fabric->destroy_event_channel(h->events);
	if (h->pd)
		h->fabric->dealloc_pd(h->pd);
	pthread_mutex_destroy(&h->lock);
	soft_dev_put(h->dev);
}

/* ---- the test's thread ---- */

bool
hostile_send(struct hostile *h, const void *iu, uint32_t n)
{
	return send_iu(h->link, iu, n);
}

void
hostile_write(struct hostile *h, uint64_t va, uint32_t rkey, uint32_t n)
{
	write_data(h->link, va, rkey, n);
}

const uint8_t *
hostile_take(struct hostile *h, uint32_t *bytes)
{
	return take(h->link, bytes);
}

bool
hostile_settle(struct hostile *h)
{
	poll_link(h->link);
	return h->link->nr_sent == h->link->nr_send_done;
}

void
hostile_send_good(struct hostile *h, uint64_t tag)
{
	send_good(h->link, tag);
}
