/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How work requests fail, and what each end hears of it. */
#include "unit.h"

#include <string.h>

#include "soft_pair.h"
#include "util/compiler.h"

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
		.irqmode = pair_modes[_i / (int)ARRAY_SIZE(errors)] } };
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
	pair_expect_state(&p, 0, IBV_QPS_ERR);
	pair_expect_state(&p, 1,
		errors[row].async < 0 ? IBV_QPS_RTS : IBV_QPS_ERR);
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

int
main(void)
{
	TCase *t = tcase_create("soft_io_errors");

	tcase_add_loop_test(t, each_error_has_its_status_at_either_end, 0,
		PAIR_NR_MODES * (int)ARRAY_SIZE(errors));
	return unit_run(t, "soft_io_errors");
}
