/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The walk over descriptors, and the accounts of the send queue. */
#include "tgt_test.h"

#include "target/tgt_chan.h"
#include "target/tgt_faults.h"

#define NR_DESCS 255

static struct tgt_conn *conn;
static struct srp_direct_buf descs[NR_DESCS];
static uint8_t memory[1 << 16];

static void
setup(void)
{
	unsigned int i;

	conn = calloc(1, sizeof(*conn));
	ck_assert_ptr_nonnull(conn);
	conn->sq_size = 64;
	conn->signal_every = 16;
	conn->lkey = 7;
	for (i = 0; i < TGT_PLUG; i++) {
		conn->wr[i].sg_list = &conn->sge[i];
		conn->wr[i].next = &conn->wr[i + 1];
	}
}

static void
teardown(void)
{
	free(conn);
}

/* Descriptor i is at (i + 1) << 32 with key i and length lens[i]. */
static struct srp_iu_cmd
make(const uint32_t *lens, unsigned int nr)
{
	struct srp_iu_cmd iu = { .descs = descs, .nr_descs = (uint16_t)nr };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		srp_iu_desc_set(&descs[i], (uint64_t)(i + 1) << 32, i, lens[i]);
		iu.data_len += lens[i];
	}
	return iu;
}

static void
expect(unsigned int i, uint64_t local, uint64_t remote, uint32_t n)
{
	ck_assert_uint_lt(i, conn->nr_plugged);
	ck_assert_uint_eq(conn->sge[i].addr, (uintptr_t)memory + local);
	ck_assert_uint_eq(conn->sge[i].length, n);
	ck_assert_uint_eq(conn->wr[i].wr.rdma.remote_addr, remote);
	ck_assert_uint_eq(
		conn->wr[i].wr.rdma.rkey, (uint32_t)(remote >> 32) - 1);
}

static struct tgt_xfer
xfer_of(uint32_t len, uint32_t window, uint64_t mask)
{
	return (struct tgt_xfer){
		.local = memory,
		.mask = mask,
		.window = window,
		.len = len,
		.opcode = IBV_WR_RDMA_READ,
		.last_kind = TGT_WR_READ,
		.last_index = 5,
	};
}

START_TEST(one_descriptor_is_one_work_request)
{
	static const uint32_t lens[] = { 4096 };
	struct srp_iu_cmd iu = make(lens, 1);
	struct tgt_xfer x = xfer_of(4096, 1 << 20, UINT64_MAX);

	ck_assert(tgt_chan_xfer(conn, &iu, &x));
	ck_assert_uint_eq(conn->nr_plugged, 1);
	expect(0, 0, UINT64_C(1) << 32, 4096);
	ck_assert_uint_eq(conn->wr[0].opcode, IBV_WR_RDMA_READ);
	ck_assert_uint_eq(conn->wr[0].send_flags, IBV_SEND_SIGNALED);
	ck_assert_uint_eq(conn->wr[0].wr_id,
		UINT64_C(1) << 32 | TGT_WR_READ << 16 | 5);
}
END_TEST

START_TEST(only_the_last_one_is_signalled)
{
	static const uint32_t lens[] = { 512, 0, 1024, 3 };
	struct srp_iu_cmd iu = make(lens, 4);
	struct tgt_xfer x = xfer_of(1539, 1 << 20, UINT64_MAX);

	ck_assert(tgt_chan_xfer(conn, &iu, &x));
	ck_assert_uint_eq(conn->nr_plugged, 3);
	expect(0, 0, UINT64_C(1) << 32, 512);
	expect(1, 512, UINT64_C(3) << 32, 1024);
	expect(2, 1536, UINT64_C(4) << 32, 3);
	ck_assert_uint_eq(conn->wr[0].send_flags, 0);
	ck_assert_uint_eq(conn->wr[1].send_flags, 0);
	ck_assert_uint_eq(conn->wr[2].send_flags, IBV_SEND_SIGNALED);
}
END_TEST

START_TEST(a_shorter_transfer_leaves_descriptors_alone)
{
	static const uint32_t lens[] = { 512, 512, 512 };
	struct srp_iu_cmd iu = make(lens, 3);
	struct tgt_xfer x = xfer_of(600, 1 << 20, UINT64_MAX);

	ck_assert(tgt_chan_xfer(conn, &iu, &x));
	ck_assert_uint_eq(conn->nr_plugged, 2);
	expect(1, 512, UINT64_C(2) << 32, 88);
}
END_TEST

START_TEST(a_window_splits_and_a_mask_stays_at_the_start)
{
	static const uint32_t lens[] = { 1000, 1000 };
	struct srp_iu_cmd iu = make(lens, 2);
	struct tgt_xfer x = xfer_of(2000, 600, 0);

	ck_assert(tgt_chan_xfer(conn, &iu, &x));
	ck_assert_uint_eq(conn->nr_plugged, 4);
	expect(0, 0, UINT64_C(1) << 32, 600);
	expect(1, 0, (UINT64_C(1) << 32) + 600, 400);
	expect(2, 0, UINT64_C(2) << 32, 600);
	expect(3, 0, (UINT64_C(2) << 32) + 600, 400);
}
END_TEST

START_TEST(a_full_send_queue_interrupts_and_resumes)
{
	static uint32_t lens[NR_DESCS];
	struct srp_iu_cmd iu;
	struct tgt_xfer x = xfer_of(NR_DESCS * 16, 1 << 20, UINT64_MAX);
	unsigned int i, nr = 0;

	for (i = 0; i < NR_DESCS; i++)
		lens[i] = 16;
	iu = make(lens, NR_DESCS);
	while (!tgt_chan_xfer(conn, &iu, &x)) {
		/* room for one response is kept */
		ck_assert_uint_eq(tgt_chan_sq_room(conn), 1);
		for (i = 0; i < conn->nr_plugged; i++, nr++)
			expect(i, nr * 16, (uint64_t)(nr + 1) << 32, 16);
		conn->sq_done = conn->sq_posted;
		conn->nr_plugged = 0;
	}
	ck_assert_uint_eq(nr + conn->nr_plugged, NR_DESCS);
	ck_assert_uint_eq(x.done, NR_DESCS * 16);
}
END_TEST

START_TEST(one_plain_request_in_n_is_signalled)
{
	unsigned int i, nr = 0;

	for (i = 0; i < 48; i++)
		if (tgt_chan_next_wr(conn, TGT_WR_PLAIN, 0)->send_flags)
			nr++;
	ck_assert_uint_eq(nr, 3);
	ck_assert_uint_eq(conn->wr[15].send_flags, IBV_SEND_SIGNALED);
	ck_assert_uint_eq(conn->wr[14].send_flags, 0);
}
END_TEST

START_TEST(the_send_queue_account_survives_wrap_around)
{
	conn->sq_posted = UINT32_MAX - 3;
	conn->sq_done = UINT32_MAX - 10;
	ck_assert_uint_eq(tgt_chan_sq_room(conn), 64 - 7);
	for (unsigned int i = 0; i < 8; i++)
		tgt_chan_next_wr(conn, TGT_WR_PLAIN, 0);
	ck_assert_uint_eq(tgt_chan_sq_room(conn), 64 - 15);
	conn->sq_done = (uint32_t)(conn->wr[7].wr_id >> 32);
	ck_assert_uint_eq(tgt_chan_sq_room(conn), 64);
}
END_TEST

START_TEST(faults_strike_every_nth_response)
{
	static const struct target_faults script = {
		.silent_every = 4,
		.bad_tag_every = 3,
		.long_iu_every = 1,
	};
	struct tgt_rsp_fault fault;
	uint64_t nr;

	for (nr = 1; nr <= 24; nr++) {
		tgt_faults_pick(&script, nr, &fault);
		ck_assert_int_eq(fault.is_silent, nr % 4 == 0);
		ck_assert_int_eq(fault.has_bad_tag, nr % 4 && nr % 3 == 0);
		ck_assert_int_eq(fault.is_long, nr % 4 && nr % 3);
		ck_assert(!fault.is_short && !fault.has_bad_opcode);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tgt_chan");
	TCase *tc = tcase_create("chan");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, one_descriptor_is_one_work_request);
	tcase_add_test(tc, only_the_last_one_is_signalled);
	tcase_add_test(tc, a_shorter_transfer_leaves_descriptors_alone);
	tcase_add_test(tc, a_window_splits_and_a_mask_stays_at_the_start);
	tcase_add_test(tc, a_full_send_queue_interrupts_and_resumes);
	tcase_add_test(tc, one_plain_request_in_n_is_signalled);
	tcase_add_test(tc, the_send_queue_account_survives_wrap_around);
	tcase_add_test(tc, faults_strike_every_nth_response);
	suite_add_tcase(suite, tc);
	return test_run(suite);
}
