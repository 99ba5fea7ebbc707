/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Requests that wait, queues that are full, and what is refused at once. */
#include "unit.h"

#include <errno.h>

#include "soft_pair.h"

START_TEST(with_endless_retry_a_send_waits_for_its_receive)
{
	struct pair p;
	int i;

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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
	struct pair_attr attr = { .dev = { .irqmode = pair_modes[_i] },
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

	pair_open_mode(&p, _i);
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
	pair_expect_state(&p, 0, IBV_QPS_RTS);
	pair_close(&p);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_io_queue");

	tcase_add_loop_test(t, with_endless_retry_a_send_waits_for_its_receive,
		0, PAIR_NR_MODES);
	tcase_add_loop_test(t, what_waits_is_flushed_signalled_or_not, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t,
		a_full_send_queue_empties_by_polled_completions_only, 0,
		PAIR_NR_MODES);
	tcase_add_test(t, a_full_receive_queue_refuses_more);
	tcase_add_loop_test(t, what_a_provider_refuses_is_refused_at_the_post,
		0, PAIR_NR_MODES);
	return unit_run(t, "soft_io_queue");
}
