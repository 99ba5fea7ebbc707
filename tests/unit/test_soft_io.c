/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What work requests do, as a consumer sees it. */
#include "unit.h"

#include <string.h>

#include "soft_pair.h"

START_TEST(a_send_arrives_in_the_oldest_receive)
{
	struct pair p;

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
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

	pair_open_mode(&p, _i);
	ck_assert_int_eq(ibv_post_send(p.end[0].qp, &wr, &bad), 0);
	pair_poll(p.end[0].send_cq, IBV_WC_SUCCESS);
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
	TCase *t = tcase_create("soft_io");

	tcase_add_loop_test(t, a_send_arrives_in_the_oldest_receive, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, a_receive_completion_says_who_and_how_much, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, inline_data_may_be_reused_after_the_post, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, inline_data_needs_no_key, 0, PAIR_NR_MODES);
	tcase_add_loop_test(t, a_write_lands_and_a_read_fetches, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, a_write_with_immediate_tells_the_receiver, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, a_send_with_immediate_tells_the_receiver, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, lists_are_gathered_and_scattered_in_order, 0,
		PAIR_NR_MODES);
	tcase_add_loop_test(t, a_list_of_requests_is_carried_out_in_order, 0,
		PAIR_NR_MODES);
	tcase_add_test(t, reads_need_a_depth_agreed_on);
	tcase_add_loop_test(t, an_rdma_of_no_bytes_looks_at_no_key, 0,
		PAIR_NR_MODES);
	tcase_add_test(t, sq_sig_all_signals_all);
	return unit_run(t, "soft_io");
}
