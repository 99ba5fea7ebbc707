/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What work requests do and how they end, as a consumer sees it. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "soft_pair.h"
#include "util/compiler.h"

static const enum soft_irqmode modes[] = {
	SOFT_IRQ_NONE,
	SOFT_IRQ_SOFTIRQ,
	SOFT_IRQ_TIMER,
	SOFT_IRQ_THREAD,
};

static void
open_mode(struct pair *p, int mode)
{
	const struct pair_attr attr = { .dev = { .irqmode = modes[mode] } };

	pair_open(p, &attr);
}

START_TEST(a_send_arrives_in_the_oldest_receive)
{
	struct pair p;

	open_mode(&p, _i);
	memset(p.end[0].buf, 0x5a, 64);
	ck_assert_int_eq(pair_recv(&p.end[1], 11, 1000, 100), 0);
	ck_assert_int_eq(pair_recv(&p.end[1], 12, 2000, 100), 0);
	ck_assert_int_eq(pair_send(&p.end[0], 1, 64, IBV_SEND_SIGNALED), 0);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 1);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 11);
	ck_assert_mem_eq(p.end[1].buf + 1000, p.end[0].buf, 64);
	ck_assert_uint_eq(p.end[1].buf[1064], 0);
	pair_poll_none(p.end[1].recv_cq);
	pair_close(&p);
}
END_TEST

START_TEST(a_receive_completion_says_who_and_how_much)
{
	struct ibv_wc wc;
	struct pair p;

	open_mode(&p, _i);
	pair_recv(&p.end[1], 11, 0, 100);
	pair_send(&p.end[0], 1, 36, IBV_SEND_SIGNALED);
	ck_assert_int_eq(ibv_poll_cq(p.end[0].send_cq, 1, &wc), 1);
	ck_assert_int_eq(wc.opcode, IBV_WC_SEND);
	ck_assert_uint_eq(wc.qp_num, p.end[0].qp->qp_num);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 1, &wc), 1);
	ck_assert_int_eq(wc.opcode, IBV_WC_RECV);
	ck_assert_uint_eq(wc.byte_len, 36);
	ck_assert_uint_eq(wc.qp_num, p.end[1].qp->qp_num);
	ck_assert_uint_eq(wc.wc_flags, 0);
	pair_close(&p);
}
END_TEST

START_TEST(inline_data_may_be_reused_after_the_post)
{
	struct pair p;

	open_mode(&p, _i);
	pair_recv(&p.end[1], 11, 0, 256);
	memset(p.end[0].buf, 1, 256);
	ck_assert_int_eq(pair_send(&p.end[0], 1, 256,
				 IBV_SEND_INLINE | IBV_SEND_SIGNALED),
		0);
	memset(p.end[0].buf, 2, 256);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS);
	ck_assert_uint_eq(p.end[1].buf[0], 1);
	ck_assert_uint_eq(p.end[1].buf[255], 1);
	pair_close(&p);
}
END_TEST

START_TEST(inline_data_needs_no_key)
{
	struct ibv_sge sge;
	struct ibv_send_wr *bad, wr = { .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED };
	char text[] = "no key";
	struct pair p;

	open_mode(&p, _i);
	pair_recv(&p.end[1], 11, 0, 256);
	sge = (struct ibv_sge){ (uintptr_t)text, sizeof(text), 0xdead };
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_str_eq((char *)p.end[1].buf, "no key");
	pair_close(&p);
}
END_TEST

START_TEST(a_write_lands_and_a_read_fetches)
{
	struct pair p;

	open_mode(&p, _i);
	memset(p.end[0].buf, 3, PAIR_BYTES);
	ck_assert_int_eq(pair_rdma(&p, 0, IBV_WR_RDMA_WRITE, 512, 4096), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_uint_eq(p.end[1].buf[511], 0);
	ck_assert_uint_eq(p.end[1].buf[512], 3);
	ck_assert_uint_eq(p.end[1].buf[512 + 4095], 3);
	ck_assert_uint_eq(p.end[1].buf[512 + 4096], 0);
	memset(p.end[1].buf, 4, PAIR_BYTES);
	ck_assert_int_eq(pair_rdma(&p, 0, IBV_WR_RDMA_READ, 100, 200), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_uint_eq(p.end[0].buf[99], 3);
	ck_assert_uint_eq(p.end[0].buf[100], 4);
	ck_assert_uint_eq(p.end[0].buf[299], 4);
	ck_assert_uint_eq(p.end[0].buf[300], 3);
	pair_poll_none(p.end[1].recv_cq);
	pair_close(&p);
}
END_TEST

START_TEST(a_write_with_immediate_tells_the_receiver)
{
	struct ibv_wc wc;
	struct pair p;

	open_mode(&p, _i);
	pair_recv(&p.end[1], 11, 0, 0);
	memset(p.end[0].buf, 3, 100);
	pair_rdma(&p, 0, IBV_WR_RDMA_WRITE_WITH_IMM, 0, 100);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 1, &wc), 1);
	ck_assert_int_eq(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
	ck_assert_uint_eq(wc.byte_len, 100);
	ck_assert_uint_eq(wc.wc_flags, IBV_WC_WITH_IMM);
	ck_assert_uint_eq(be32toh(wc.imm_data), 0x1234);
	ck_assert_uint_eq(p.end[1].buf[99], 3);
	pair_close(&p);
}
END_TEST

START_TEST(a_send_with_immediate_tells_the_receiver)
{
	struct ibv_wc wc;
	struct pair p;

	open_mode(&p, _i);
	pair_recv(&p.end[1], 11, 0, 100);
	pair_rdma(&p, 0, IBV_WR_SEND_WITH_IMM, 0, 50);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_int_eq(ibv_poll_cq(p.end[1].recv_cq, 1, &wc), 1);
	ck_assert_int_eq(wc.opcode, IBV_WC_RECV);
	ck_assert_uint_eq(be32toh(wc.imm_data), 0x1234);
	ck_assert_uint_eq(wc.wc_flags, IBV_WC_WITH_IMM);
	pair_close(&p);
}
END_TEST

/* Gather 3 pieces, scatter to 4 others, none of the cuts in common. */
START_TEST(lists_are_gathered_and_scattered_in_order)
{
	struct ibv_sge from[3], to[4];
	struct ibv_send_wr *bad, wr = { .sg_list = from, .num_sge = 3,
		.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED };
	struct ibv_recv_wr *bad_recv, recv = { 1, NULL, to, 4 };
	struct pair p;
	uint32_t i;

	open_mode(&p, _i);
	for (i = 0; i < 1000; i++)
		p.end[0].buf[i] = (uint8_t)(i * 7);
	for (i = 0; i < 3; i++)
		from[i] = (struct ibv_sge){ (uintptr_t)p.end[0].buf + 100 * i,
			100, p.end[0].mr->lkey };
	from[1].length = 0;
	for (i = 0; i < 4; i++)
		to[i] = (struct ibv_sge){ (uintptr_t)p.end[1].buf + 1000 * i,
			70 - i, p.end[1].mr->lkey };
	ck_assert_int_eq(ibv_post_recv(p.end[1].qp, &recv, &bad_recv), 0);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	ck_assert_mem_eq(p.end[1].buf, p.end[0].buf, 70);
	ck_assert_mem_eq(p.end[1].buf + 1000, p.end[0].buf + 70, 30);
	ck_assert_mem_eq(p.end[1].buf + 1030, p.end[0].buf + 200, 39);
	ck_assert_mem_eq(p.end[1].buf + 2000, p.end[0].buf + 239, 61);
	ck_assert_uint_eq(p.end[1].buf[2061], 0);
	ck_assert_uint_eq(p.end[1].buf[3000], 0);
	pair_close(&p);
}
END_TEST

START_TEST(a_list_of_requests_is_carried_out_in_order)
{
	struct ibv_sge sge[2];
	struct ibv_send_wr *bad, wr[2] = { 0 };
	struct pair p;

	open_mode(&p, _i);
	memset(p.end[0].buf, 9, PAIR_BYTES);
	pair_recv(&p.end[1], 11, 60000, 100);
	sge[0] = (struct ibv_sge){ (uintptr_t)p.end[0].buf, 4096,
		p.end[0].mr->lkey };
	sge[1] = (struct ibv_sge){ (uintptr_t)p.end[0].buf, 36, 0 };
	wr[0].next = &wr[1];
	wr[0].sg_list = &sge[0];
	wr[0].num_sge = 1;
	wr[0].opcode = IBV_WR_RDMA_WRITE;
	wr[0].wr.rdma.remote_addr = (uintptr_t)p.end[1].buf;
	wr[0].wr.rdma.rkey = p.end[1].mr->rkey;
	wr[1].sg_list = &sge[1];
	wr[1].num_sge = 1;
	wr[1].opcode = IBV_WR_SEND;
	wr[1].send_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED;
	wr[1].wr_id = 2;
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, wr, &bad), 0);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 2);
	pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS);
	ck_assert_uint_eq(p.end[1].buf[4095], 9);
	pair_close(&p);
}
END_TEST

/* The table of errors: what is wrong, and how each end hears of it. */
enum wrong {
	RECEIVE_TOO_SHORT,
	RECEIVE_KEY,
	RECEIVE_NOT_WRITABLE,
	SEND_KEY,
	SEND_OF_OTHER_PD,
	SEND_BEYOND_REGION,
	SEND_WRAPPING,
	WRITE_LOCAL_KEY,
	WRITE_REMOTE_KEY,
	WRITE_BEYOND_REGION,
	WRITE_WRAPPING,
	WRITE_NOT_ALLOWED,
	WRITE_STALE_KEY,
	READ_NOT_ALLOWED,
	READ_LOCAL_NOT_WRITABLE,
	READ_REMOTE_KEY,
	TOO_LONG,
	NO_RECEIVE,
};

static const struct {
	enum wrong wrong;
	enum ibv_wr_opcode opcode;
	enum ibv_wc_status sender;
	int receiver; /* -1 = its receive stays */
	int async;    /* -1 = none, and the receiver stays whole */
} errors[] = {
	{ RECEIVE_TOO_SHORT, IBV_WR_SEND, IBV_WC_REM_INV_REQ_ERR,
		IBV_WC_LOC_LEN_ERR, IBV_EVENT_QP_REQ_ERR },
	{ RECEIVE_KEY, IBV_WR_SEND, IBV_WC_REM_OP_ERR, IBV_WC_LOC_PROT_ERR,
		IBV_EVENT_QP_FATAL },
	{ RECEIVE_NOT_WRITABLE, IBV_WR_SEND, IBV_WC_REM_OP_ERR,
		IBV_WC_LOC_PROT_ERR, IBV_EVENT_QP_FATAL },
	{ SEND_KEY, IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, -1, -1 },
	{ SEND_OF_OTHER_PD, IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, -1, -1 },
	{ SEND_BEYOND_REGION, IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, -1, -1 },
	{ SEND_WRAPPING, IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, -1, -1 },
	{ WRITE_LOCAL_KEY, IBV_WR_RDMA_WRITE, IBV_WC_LOC_PROT_ERR, -1, -1 },
	{ WRITE_REMOTE_KEY, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ WRITE_REMOTE_KEY, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ WRITE_BEYOND_REGION, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ WRITE_WRAPPING, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ WRITE_NOT_ALLOWED, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ WRITE_STALE_KEY, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ READ_NOT_ALLOWED, IBV_WR_RDMA_READ, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ READ_REMOTE_KEY, IBV_WR_RDMA_READ, IBV_WC_REM_ACCESS_ERR,
		IBV_WC_WR_FLUSH_ERR, IBV_EVENT_QP_ACCESS_ERR },
	{ READ_LOCAL_NOT_WRITABLE, IBV_WR_RDMA_READ, IBV_WC_LOC_PROT_ERR, -1,
		-1 },
	{ TOO_LONG, IBV_WR_RDMA_WRITE, IBV_WC_LOC_LEN_ERR, -1, -1 },
	{ NO_RECEIVE, IBV_WR_SEND, IBV_WC_RNR_RETRY_EXC_ERR, -1, -1 },
	{ NO_RECEIVE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_RNR_RETRY_EXC_ERR, -1,
		-1 },
};

/* A region like the end's own but with @access only. */
static struct ibv_mr *
register_with(struct pair *p, int end, int access)
{
	return p->fabric->reg_mr(p->end[end].pd, p->end[end].buf, PAIR_BYTES,
		access);
}

struct attempt {
	struct ibv_sge local[2], receive;
	int nr_local;
	uint64_t remote_addr;
	uint32_t rkey;
	struct ibv_mr *extra;
};

static void
break_local(struct pair *p, enum wrong wrong, struct attempt *a)
{
	switch (wrong) {
	case SEND_KEY:
	case WRITE_LOCAL_KEY:
		a->local[0].lkey ^= 0x100;
		break;
	case SEND_OF_OTHER_PD:
		a->local[0].addr = (uintptr_t)p->end[1].buf;
		a->local[0].lkey = p->end[1].mr->lkey;
		break;
	case SEND_BEYOND_REGION:
		a->local[0].addr += PAIR_BYTES - 99;
		break;
	case SEND_WRAPPING:
		a->local[0].addr = UINT64_MAX - 50;
		break;
	case READ_LOCAL_NOT_WRITABLE:
		a->extra = register_with(p, 0, 0);
		a->local[0].lkey = a->extra->lkey;
		break;
	case TOO_LONG:
		a->local[0].length = a->local[1].length = 3000u << 20;
		a->nr_local = 2;
		break;
	default:
		break;
	}
}

static void
break_remote(struct pair *p, enum wrong wrong, struct attempt *a)
{
	struct ibv_mr *mr;

	switch (wrong) {
	case RECEIVE_TOO_SHORT:
		a->receive.length = 99;
		break;
	case RECEIVE_KEY:
		a->receive.lkey ^= 1;
		break;
	case RECEIVE_NOT_WRITABLE:
		a->extra = register_with(p, 1, 0);
		a->receive.lkey = a->extra->lkey;
		break;
	case WRITE_REMOTE_KEY:
	case READ_REMOTE_KEY:
		a->rkey = 0;
		break;
	case WRITE_BEYOND_REGION:
		a->remote_addr += PAIR_BYTES - 99;
		break;
	case WRITE_WRAPPING:
		a->remote_addr = UINT64_MAX - 50;
		break;
	case WRITE_NOT_ALLOWED:
		a->extra = register_with(p, 1, IBV_ACCESS_REMOTE_READ);
		a->rkey = a->extra->rkey;
		break;
	case READ_NOT_ALLOWED:
		a->extra = register_with(p, 1,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
		a->rkey = a->extra->rkey;
		break;
	case WRITE_STALE_KEY:
		mr = register_with(p, 1,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
		a->rkey = mr->rkey;
		p->fabric->dereg_mr(mr);
		break;
	default:
		break;
	}
}

static void
attempt_init(struct pair *p, enum wrong wrong, struct attempt *a)
{
	struct pair_end *me = &p->end[0], *peer = &p->end[1];

	memset(a, 0, sizeof(*a));
	a->local[0] = a->local[1] = (struct ibv_sge){ (uintptr_t)me->buf, 100,
		me->mr->lkey };
	a->receive = (struct ibv_sge){ (uintptr_t)peer->buf, 200,
		peer->mr->lkey };
	a->nr_local = 1;
	a->remote_addr = (uintptr_t)peer->buf;
	a->rkey = peer->mr->rkey;
	break_local(p, wrong, a);
	break_remote(p, wrong, a);
}

static void
attempt_post(struct pair *p, int row, struct attempt *a)
{
	struct ibv_recv_wr *bad_recv, recv = { 21, NULL, &a->receive, 1 };
	struct ibv_send_wr *bad, wr[3] = { 0 };
	int i;

	for (i = 0; i < 3; i++) {
		wr[i].wr_id = (uint64_t)i + 1;
		wr[i].next = i < 2 ? &wr[i + 1] : NULL;
		wr[i].sg_list = a->local;
		wr[i].num_sge = i == 0 ? 0 : a->nr_local;
		wr[i].opcode = i == 0 ? IBV_WR_RDMA_WRITE : errors[row].opcode;
		wr[i].wr.rdma.remote_addr = a->remote_addr;
		wr[i].wr.rdma.rkey = a->rkey;
	}
	if (errors[row].wrong != NO_RECEIVE)
		ck_assert_int_eq(
			ibv_post_recv(p->end[1].qp, &recv, &bad_recv), 0);
	ck_assert_int_eq(ibv_post_send(p->end[0].qp, wr, &bad), 0);
}

static void
expect_state(struct pair *p, int end, enum ibv_qp_state state)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	ck_assert_int_eq(p->fabric->query_qp(p->end[end].qp, &attr,
				 IBV_QP_STATE, &init),
		0);
	ck_assert_int_eq(attr.qp_state, state);
}

static void
expect_async(struct pair *p, int type)
{
	struct ibv_context *context = p->end[0].id->verbs;
	struct ibv_async_event event;

	ck_assert_int_eq(pair_is_readable(context->async_fd, 0), type >= 0);
	if (type < 0)
		return;
	ck_assert_int_eq(p->fabric->get_async_event(context, &event), 0);
	ck_assert_str_eq(ibv_event_type_str(event.event_type),
		ibv_event_type_str((enum ibv_event_type)type));
	ck_assert_ptr_eq(event.element.qp, p->end[1].qp);
	p->fabric->ack_async_event(&event);
}

/*
 * Three requests: a good one, the bad one, and one that is flushed. None is
 * signalled, all that did not succeed completes.
 */
START_TEST(each_error_has_its_status_at_either_end)
{
	int row = _i % (int)ARRAY_SIZE(errors);
	struct pair_attr attr = { .dev = {
		.irqmode = modes[_i / (int)ARRAY_SIZE(errors)] } };
	struct attempt a;
	struct pair p;

	if (errors[row].wrong == NO_RECEIVE)
		attr.rnr_retry = 6;
	pair_open(&p, &attr);
	attempt_init(&p, errors[row].wrong, &a);
	attempt_post(&p, row, &a);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, errors[row].sender), 2);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_WR_FLUSH_ERR), 3);
	pair_poll_none(p.end[0].send_cq);
	expect_state(&p, 0, IBV_QPS_ERR);
	expect_state(&p, 1, errors[row].async < 0 ? IBV_QPS_RTS : IBV_QPS_ERR);
	if (errors[row].receiver >= 0)
		ck_assert_uint_eq(pair_poll(p.end[1].recv_cq,
					  (enum ibv_wc_status)errors[row]
						  .receiver),
			21);
	pair_poll_none(p.end[1].recv_cq);
	expect_async(&p, errors[row].async);
	if (a.extra)
		p.fabric->dereg_mr(a.extra);
	pair_close(&p);
}
END_TEST

START_TEST(reads_need_a_depth_agreed_on)
{
	const struct pair_attr attr = { .read_depth = -1 };
	struct pair p;

	pair_open(&p, &attr);
	pair_rdma(&p, 0, IBV_WR_RDMA_READ, 0, 10);
	pair_poll(p.end[0].send_cq, IBV_WC_LOC_QP_OP_ERR);
	pair_close(&p);
}
END_TEST

START_TEST(an_rdma_of_no_bytes_looks_at_no_key)
{
	struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED };
	struct pair p;

	open_mode(&p, _i);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	pair_close(&p);
}
END_TEST

START_TEST(with_endless_retry_a_send_waits_for_its_receive)
{
	struct pair p;
	int i;

	open_mode(&p, _i);
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(pair_send(&p.end[0], (uint64_t)i, 10,
					 IBV_SEND_SIGNALED),
			0);
	pair_poll_none(p.end[0].send_cq);
	pair_recv(&p.end[1], 21, 0, 100);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 0);
	pair_poll_none(p.end[0].send_cq);
	pair_recv(&p.end[1], 22, 0, 100);
	pair_recv(&p.end[1], 23, 0, 100);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 1);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 2);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 21);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 22);
	ck_assert_uint_eq(pair_poll(p.end[1].recv_cq, IBV_WC_SUCCESS), 23);
	pair_close(&p);
}
END_TEST

START_TEST(what_waits_is_flushed_signalled_or_not)
{
	struct ibv_qp_attr to_error = { .qp_state = IBV_QPS_ERR };
	struct pair p;

	open_mode(&p, _i);
	pair_send(&p.end[0], 1, 10, 0);
	pair_send(&p.end[0], 2, 10, IBV_SEND_SIGNALED);
	pair_recv(&p.end[0], 3, 0, 10);
	ck_assert_int_eq(p.fabric->modify_qp(p.end[0].qp, &to_error,
				 IBV_QP_STATE),
		0);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_WR_FLUSH_ERR), 1);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_WR_FLUSH_ERR), 2);
	ck_assert_uint_eq(pair_poll(p.end[0].recv_cq, IBV_WC_WR_FLUSH_ERR), 3);
	pair_send(&p.end[0], 4, 10, 0);
	pair_recv(&p.end[0], 5, 0, 10);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_WR_FLUSH_ERR), 4);
	ck_assert_uint_eq(pair_poll(p.end[0].recv_cq, IBV_WC_WR_FLUSH_ERR), 5);
	pair_close(&p);
}
END_TEST

START_TEST(a_full_send_queue_empties_by_polled_completions_only)
{
	struct pair_attr attr = { .dev = { .irqmode = modes[_i] },
		.cap = { .max_send_wr = 8 } };
	struct ibv_send_wr *bad = NULL, wr[10] = { 0 };
	struct pair p;
	int i;

	pair_open(&p, &attr);
	for (i = 0; i < 10; i++) {
		wr[i].opcode = IBV_WR_RDMA_WRITE;
		wr[i].next = i < 9 ? &wr[i + 1] : NULL;
		wr[i].send_flags = i == 4 ? IBV_SEND_SIGNALED : 0;
	}
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, wr, &bad), ENOMEM);
	ck_assert_ptr_eq(bad, &wr[8]);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr[9], &bad), ENOMEM);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
	wr[4].next = NULL;
	for (i = 0; i < 5; i++)
		ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr[4], &bad), 0);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr[4], &bad), ENOMEM);
	pair_close(&p);
}
END_TEST

START_TEST(a_full_receive_queue_refuses_more)
{
	struct pair_attr attr = { .cap = { .max_recv_wr = 4 } };
	struct pair p;
	int i;

	pair_open(&p, &attr);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(pair_recv(&p.end[1], 1, 0, 10), 0);
	ck_assert_int_eq(pair_recv(&p.end[1], 1, 0, 10), ENOMEM);
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert_int_eq(pair_recv(&p.end[1], 1, 0, 10), 0);
	pair_close(&p);
}
END_TEST

START_TEST(what_a_provider_refuses_is_refused_at_the_post)
{
	struct ibv_sge sge[5] = { 0 };
	struct ibv_send_wr *bad, good = { .opcode = IBV_WR_RDMA_WRITE };
	struct ibv_send_wr wr = { .sg_list = sge, .num_sge = 5 };
	struct ibv_recv_wr *bad_recv, recv = { 0, NULL, sge, 5 };
	struct pair p;

	open_mode(&p, _i);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), EINVAL);
	ck_assert_ptr_eq(bad, &wr);
	ck_assert_int_eq(ibv_post_recv(p.end[0].qp, &recv, &bad_recv), EINVAL);
	ck_assert_ptr_eq(bad_recv, &recv);
	wr.num_sge = -1;
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), EINVAL);
	wr.num_sge = 1;
	wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), EINVAL);
	wr.opcode = IBV_WR_SEND;
	wr.send_flags = IBV_SEND_INLINE;
	sge[0].length = 257;
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), EINVAL);
	sge[0].length = 0;
	wr.opcode = IBV_WR_RDMA_READ;
	good.next = &wr;
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &good, &bad), EINVAL);
	ck_assert_ptr_eq(bad, &wr);
	expect_state(&p, 0, IBV_QPS_RTS);
	pair_close(&p);
}
END_TEST

START_TEST(sq_sig_all_signals_all)
{
	const struct pair_attr attr = { .signals_all = true };
	struct pair p;

	pair_open(&p, &attr);
	pair_recv(&p.end[1], 1, 0, 10);
	pair_send(&p.end[0], 5, 10, 0);
	ck_assert_uint_eq(pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS), 5);
	pair_close(&p);
}
END_TEST

int
main(void)
{
	const int nr_modes = (int)ARRAY_SIZE(modes);
	TCase *t = tcase_create("soft_io");

	tcase_add_loop_test(t, a_send_arrives_in_the_oldest_receive, 0,
		nr_modes);
	tcase_add_loop_test(t, a_receive_completion_says_who_and_how_much, 0,
		nr_modes);
	tcase_add_loop_test(t, inline_data_may_be_reused_after_the_post, 0,
		nr_modes);
	tcase_add_loop_test(t, inline_data_needs_no_key, 0, nr_modes);
	tcase_add_loop_test(t, a_write_lands_and_a_read_fetches, 0, nr_modes);
	tcase_add_loop_test(t, a_write_with_immediate_tells_the_receiver, 0,
		nr_modes);
	tcase_add_loop_test(t, a_send_with_immediate_tells_the_receiver, 0,
		nr_modes);
	tcase_add_loop_test(t, lists_are_gathered_and_scattered_in_order, 0,
		nr_modes);
	tcase_add_loop_test(t, a_list_of_requests_is_carried_out_in_order, 0,
		nr_modes);
	tcase_add_loop_test(t, each_error_has_its_status_at_either_end, 0,
		nr_modes * (int)ARRAY_SIZE(errors));
	tcase_add_test(t, reads_need_a_depth_agreed_on);
	tcase_add_loop_test(t, an_rdma_of_no_bytes_looks_at_no_key, 0,
		nr_modes);
	tcase_add_loop_test(t, with_endless_retry_a_send_waits_for_its_receive,
		0, nr_modes);
	tcase_add_loop_test(t, what_waits_is_flushed_signalled_or_not, 0,
		nr_modes);
	tcase_add_loop_test(t,
		a_full_send_queue_empties_by_polled_completions_only, 0,
		nr_modes);
	tcase_add_test(t, a_full_receive_queue_refuses_more);
	tcase_add_loop_test(t, what_a_provider_refuses_is_refused_at_the_post,
		0, nr_modes);
	tcase_add_test(t, sq_sig_all_signals_all);
	return unit_run(t, "soft_io");
}
