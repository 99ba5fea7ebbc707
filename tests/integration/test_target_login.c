/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Logins at the target, and the channels that they make. */
#include "target_rig.h"

#include <pthread.h>
#include <stdatomic.h>

#include "../unit/unit.h"
#include "util/clock.h"

START_TEST(login_grants_credits_and_lengths)
{
	rig_up(modes[_i]);
	ck_assert_uint_eq(peer.login.tag, 0x4711);
	ck_assert_int_eq(peer.login.req_lim_delta, 128);
	ck_assert_uint_eq(peer.login.max_it_iu_len, 8260);
	ck_assert_uint_ge(peer.login.max_ti_iu_len, 36 + 4 + 18);
	ck_assert_uint_eq(peer.login.buf_fmt, 6);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_uint_eq(bed_stats(&bed).logins, 1);
	ck_assert_int_eq(target_has_own_thread(bed.target),
		modes[_i] == SOFT_IRQ_THREAD);
	down();
}
END_TEST

START_TEST(login_rejects_say_why)
{
	static const struct {
		uint32_t iu_len;
		uint8_t flags, port_bit;
		uint16_t fmt;
		uint32_t reason;
	} rows[] = {
		{ 9000, 1, 0, 6, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 10, 1, 0, 6, SRP_REJ_IU_LEN_TOO_LARGE },
		{ 8260, 1, 1, 6, SRP_REJ_UNABLE_ASSOCIATE_CHANNEL },
		{ 8260, 1, 0, 0x16, SRP_REJ_UNSUPPORTED_DESC_FMT },
		{ 8260, 2, 0, 6, SRP_REJ_MULTI_CHANNEL_UNSUPPORTED },
	};
	struct srp_iu_login_req req = peer_login_req(1);

	req.req_it_iu_len = rows[_i].iu_len;
	req.flags = rows[_i].flags;
	req.buf_fmt = rows[_i].fmt;
	req.target_port_id[15] ^= rows[_i].port_bit;
	rig_bed(SOFT_IRQ_SOFTIRQ);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, rows[_i].reason);
	ck_assert_uint_eq(peer.reject_tag, 0x4711);
	ck_assert_int_eq(peer.reject_status, 28);
	ck_assert_uint_eq(bed_stats(&bed).rejects, 1);
	down();
}
END_TEST

START_TEST(login_rejects_what_is_no_login)
{
	uint8_t data[56] = { 0 };

	rig_bed(SOFT_IRQ_SOFTIRQ);
	data[11] = SRP_OP_CMD;
	ck_assert_int_lt(peer_connect_raw(&peer, &bed, data, 56, 4), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
	peer_close(&peer);
	ck_assert_int_lt(peer_connect_raw(&peer, &bed, NULL, 0, 4), 0);
	ck_assert_uint_ne(peer.reject_reason, 0);
	down();
}
END_TEST

START_TEST(login_without_rdma_reads_is_refused)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct srp_login_req_rdma wire;

	rig_bed(SOFT_IRQ_SOFTIRQ);
	srp_iu_login_req_rdma_encode(&req, &wire);
	ck_assert_int_lt(
		peer_connect_raw(&peer, &bed, &wire, sizeof(wire), 0), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_UNABLE_ESTABLISH_CHANNEL);
	down();
}
END_TEST

START_TEST(channels_are_limited)
{
	struct target_attr attr = { .max_channels = 2 };
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer more[2];

	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	ck_assert_int_eq(peer_connect(&more[0], &bed, &req), 0);
	ck_assert_int_eq(peer_connect(&more[1], &bed, &req), 0);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	peer_close(&peer);
	/* what a login ends makes room for it, and for nobody else's */
	req = peer_login_req(2);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	peer_close(&peer);
	req = peer_login_req(1);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_TERMINATED);
	peer_close(&more[0]);
	peer_close(&more[1]);
	down();
}
END_TEST

START_TEST(multi_keeps_siblings_and_single_closes_them)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct srp_iu_login_req other_req = peer_login_req(2);
	struct peer a, b, other;

	rig_bed(modes[_i]);
	ck_assert_int_eq(peer_connect(&other, &bed, &other_req), 0);
	ck_assert_uint_eq(other.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_int_eq(peer_connect(&a, &bed, &req), 0);
	ck_assert_uint_eq(a.login.flags, SRP_MULTICHAN_NONE);
	ck_assert_int_eq(peer_connect(&b, &bed, &req), 0);
	ck_assert_uint_eq(b.login.flags, SRP_MULTICHAN_MAINTAINED);
	req.flags = SRP_MULTICHAN_SINGLE;
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.login.flags, SRP_MULTICHAN_TERMINATED);
	peer_wait_closed(&a);
	peer_wait_closed(&b);
	bed_wait_channels(&bed, 2);
	peer_expect_silence(&other);
	peer_close(&a);
	peer_close(&b);
	peer_close(&other);
	down();
}
END_TEST

START_TEST(many_channels_work_side_by_side)
{
	struct srp_iu_login_req req;
	struct peer_cmd cmd = peer_rw(0, true, 0, 8, 512);
	struct srp_iu_rsp rsp;
	struct peer *many = calloc(32, sizeof(*many));
	int i;

	rig_bed(modes[_i]);
	for (i = 0; i < 32; i++) {
		req = peer_login_req((uint8_t)(i / 2));
		ck_assert_int_eq(peer_connect(&many[i], &bed, &req), 0);
		peer_send(&many[i], peer_build(&many[i], &cmd));
	}
	for (i = 31; i >= 0; i--) {
		peer_recv_rsp(&many[i], &rsp);
		ck_assert_uint_eq(rsp.status, 0);
	}
	ck_assert_uint_eq(bed_stats(&bed).nr_channels, 32);
	for (i = 0; i < 32; i += 2)
		peer_close(&many[i]);
	bed_wait_channels(&bed, 16);
	target_disconnect_all(bed.target);
	for (i = 1; i < 32; i += 2) {
		peer_wait_closed(&many[i]);
		peer_close(&many[i]);
	}
	bed_wait_channels(&bed, 0);
	ck_assert_uint_eq(bed_stats(&bed).commands, 32);
	free(many);
	bed_destroy(&bed);
}
END_TEST

/* Leave at every moment: commands of all kinds under way, none waited for. */
START_TEST(a_disconnect_at_any_moment_does_no_harm)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd;
	int i, k;

	rig_bed(modes[_i]);
	for (i = 0; i < 40; i++) {
		ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
		for (k = 0; k < i; k++) {
			cmd = peer_rw((unsigned int)k & 1, k & 2, 0, 128, 512);
			cmd.nr_descs = (unsigned int)k % 5 * 20;
			if (cmd.lun == 1)
				cmd = peer_rw(1, k & 2, 0, 16, 4096);
			peer_send(&peer, peer_build(&peer, &cmd));
		}
		peer_close(&peer);
	}
	bed_wait_channels(&bed, 0);
	ck_assert_uint_eq(bed_stats(&bed).logins, 40);
	bed_destroy(&bed);
}
END_TEST

START_TEST(destroying_the_target_disconnects)
{
	struct peer_cmd cmd = peer_rw(0, true, 0, 128, 512);

	rig_up(modes[_i]);
	peer_send(&peer, peer_build(&peer, &cmd));
	bed_destroy(&bed);
	peer_wait_closed(&peer);
	peer_close(&peer);
}
END_TEST

#define THREADS 4
#define THREAD_ROUNDS 300
#define THREAD_DEPTH 16

struct driver {
	struct peer peer;
	pthread_t thread;
	uint32_t iu_bytes;
	uint64_t nr_good;
	_Atomic bool is_over;
};

/* Posts one round; nothing here may call check, which has one thread. */
static bool
drive_round(struct driver *d)
{
	struct peer *p = &d->peer;
	struct ibv_sge sge = {
		.addr = (uintptr_t)p->iu,
		.length = d->iu_bytes,
		.lkey = p->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = UINT64_MAX,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	uint64_t end_ns = clock_ns() + PEER_TIMEOUT_NS;
	struct ibv_send_wr *bad;
	struct ibv_wc wc;
	int i, left = 2 * THREAD_DEPTH;

	for (i = 0; i < THREAD_DEPTH; i++)
		if (ibv_post_send(p->id->qp, &wr, &bad))
			return false;
	while (left && clock_ns() < end_ns) {
		if (ibv_poll_cq(p->cq, 1, &wc) != 1)
			continue;
		if (wc.status)
			return false;
		left--;
		if (wc.wr_id == UINT64_MAX)
			continue;
		d->nr_good += wc.byte_len == 36;
		peer_post_recv(p, (uint32_t)wc.wr_id);
	}
	return !left;
}

static void *
drive(void *arg)
{
	struct driver *d = arg;
	int i;

	for (i = 0; i < THREAD_ROUNDS && drive_round(d); i++)
		;
	atomic_store(&d->is_over, true);
	return NULL;
}

/* Threads drive their channels at once, and with them the target's runner,
 * while others come and go and everything that is shared is touched. */
START_TEST(threads_drive_their_channels_at_once)
{
	struct driver *d = calloc(THREADS, sizeof(*d));
	struct srp_iu_login_req req;
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct peer_cmd tur = { .lun = 1 };
	struct srp_iu_rsp rsp;
	struct peer guest;
	uint64_t nr = 0;
	int i;

	rig_bed(modes[_i]);
	for (i = 0; i < THREADS; i++) {
		req = peer_login_req((uint8_t)(i / 2));
		ck_assert_int_eq(peer_connect(&d[i].peer, &bed, &req), 0);
		d[i].iu_bytes = peer_build(&d[i].peer, &cmd);
		ck_assert(!pthread_create(&d[i].thread, NULL, drive, &d[i]));
	}
	req = peer_login_req(99);
	scsi_cdb_test_unit_ready(tur.cdb);
	while (!atomic_load(&d[0].is_over)) {
		ck_assert_int_eq(peer_connect(&guest, &bed, &req), 0);
		peer_do(&guest, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0);
		target_unit_attention(bed.target, 1, 0x2a, 9, false);
		peer_do(&guest, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0x062a09);
		ck_assert_uint_ge(bed_stats(&bed).commands, nr);
		nr = bed_stats(&bed).commands;
		peer_close(&guest);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(d[i].thread, NULL);
		ck_assert_uint_eq(d[i].nr_good, THREAD_ROUNDS * THREAD_DEPTH);
		peer_close(&d[i].peer);
	}
	bed_wait_channels(&bed, 0);
	free(d);
	bed_destroy(&bed);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_login");

	tcase_add_loop_test(tcase, login_grants_credits_and_lengths, 0, NR_MODES);
	tcase_add_loop_test(tcase, login_rejects_say_why, 0, 5);
	tcase_add_test(tcase, login_rejects_what_is_no_login);
	tcase_add_test(tcase, login_without_rdma_reads_is_refused);
	tcase_add_test(tcase, channels_are_limited);
	tcase_add_loop_test(
		tcase, multi_keeps_siblings_and_single_closes_them, 0, NR_MODES);
	tcase_add_loop_test(tcase, many_channels_work_side_by_side, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, threads_drive_their_channels_at_once, 0, NR_MODES);
	tcase_add_loop_test(tcase, a_disconnect_at_any_moment_does_no_harm, 0,
		NR_MODES);
	tcase_add_loop_test(
		tcase, destroying_the_target_disconnects, 0, NR_MODES);
	tcase_set_timeout(tcase, 30);
	return unit_run(tcase, "target_login");
}
