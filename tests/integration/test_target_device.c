/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Devices that grant less than wanted: a send queue of 20, no inline data, no
 * completion handlers, or no memory at all. The software device, with some of
 * its calls replaced.
 */
#include "../unit/unit.h"
#include "peer.h"

#include <errno.h>
#include <stdlib.h>

#define TINY_WR 20

static const struct target_lun_attr luns[] = {
	{ .number = 0, .backend = "ram", .size_bytes = 4 << 20 },
	{ .number = 1, .backend = "null", .size_bytes = 1 << 30 },
};

static const struct fabric *soft;
static struct bed bed;
static struct peer peer;

static int
tiny_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int rc = soft->query_device(context, attr);

	attr->max_qp_wr = TINY_WR;
	attr->max_cqe = 2 * TINY_WR;
	return rc;
}

static int
bare_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr)
{
	if (attr->cap.max_inline_data) {
		errno = EINVAL;
		return -1;
	}
	return soft->create_qp(id, pd, attr);
}

static int
no_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr)
{
	(void)id;
	(void)pd;
	(void)attr;
	errno = ENOMEM;
	return -1;
}

static struct ibv_mr *
no_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	(void)pd;
	(void)addr;
	(void)length;
	(void)access;
	errno = ENOMEM;
	return NULL;
}

enum lack { LACKS_WR = 1, LACKS_INLINE = 2, LACKS_HANDLER = 4 };

static struct fabric
make_fabric(int lacks)
{
	struct fabric fabric;

	soft = fabric_find("soft");
	ck_assert_ptr_nonnull(soft);
	fabric = *soft;
	if (lacks & LACKS_WR)
		fabric.query_device = tiny_query_device;
	if (lacks & LACKS_INLINE)
		fabric.create_qp = bare_create_qp;
	if (lacks & LACKS_HANDLER)
		fabric.cq_set_handler = NULL;
	return fabric;
}

static void
up(const struct fabric *fabric, uint32_t spin_usec)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct target_attr attr = {
		.fabric = fabric,
		.luns = luns,
		.nr_luns = ARRAY_SIZE(luns),
		.spin_usec = spin_usec,
	};

	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
}

static void
down(void)
{
	peer_close(&peer);
	bed_wait_channels(&bed, 0);
	bed_destroy(&bed);
}

static void
send_and_wait(const struct peer_cmd *cmd, int nr)
{
	struct srp_iu_rsp rsp;
	int i;

	for (i = 0; i < nr; i++)
		peer_send(&peer, peer_build(&peer, cmd));
	for (i = 0; i < nr; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(rsp.status | rsp.flags, 0);
	}
}

/* 255 descriptors each, of which the send queue takes a few at a time. */
START_TEST(transfers_longer_than_the_send_queue_go_through)
{
	struct fabric fabric = make_fabric(_i);
	uint32_t len = 255 * 1024;
	struct peer_cmd cmd;
	uint8_t *copy = malloc(len);
	int32_t credits;
	uint32_t i;

	up(&fabric, _i & 1 ? 0 : 20);
	credits = peer.login.req_lim_delta;
	if (_i & LACKS_WR)
		ck_assert_int_le(credits, TINY_WR);
	for (i = 0; i < len; i++)
		peer.data[i] = (uint8_t)(i * 7 + i / 1024);
	memcpy(copy, peer.data, len);
	cmd = peer_rw(0, true, 0, len / 512, 512);
	cmd.nr_descs = 255;
	send_and_wait(&cmd, credits);
	memset(peer.data, 0, len);
	cmd = peer_rw(0, false, 0, len / 512, 512);
	cmd.nr_descs = 255;
	send_and_wait(&cmd, credits);
	ck_assert_mem_eq(peer.data, copy, len);
	cmd = (struct peer_cmd){ .dir = SCSI_DIR_IN, .len = 36 };
	scsi_cdb_inquiry(cmd.cdb, 36);
	send_and_wait(&cmd, credits);
	free(copy);
	down();
}
END_TEST

START_TEST(sense_is_sent_without_inline_data_too)
{
	struct fabric fabric = make_fabric(LACKS_INLINE | _i);
	struct peer_cmd cmd = peer_rw(0, false, 1 << 20, 1, 512);
	struct srp_iu_rsp rsp;
	int i;

	up(&fabric, 0);
	for (i = 0; i < 100; i++) {
		peer_do(&peer, &cmd, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0x052100);
		ck_assert_uint_eq(rsp.tag, peer.next_tag);
	}
	down();
}
END_TEST

/* Left while data is half way through a small send queue. */
START_TEST(a_disconnect_finds_commands_waiting)
{
	struct fabric fabric = make_fabric(LACKS_WR | _i);
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd = peer_rw(0, true, 0, 510, 512);
	int i, k;

	up(&fabric, 0);
	cmd.nr_descs = 255;
	for (i = 0; i < 20; i++) {
		for (k = 0; k < i % 10; k++)
			peer_send(&peer, peer_build(&peer, &cmd));
		peer_close(&peer);
		ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	}
	down();
}
END_TEST

/* What waits for room is aborted, not a byte moves after the response, and
 * every credit comes back. */
START_TEST(a_reset_finds_commands_waiting)
{
	struct fabric fabric = make_fabric(LACKS_WR | _i);
	struct peer_cmd cmd = peer_rw(0, _i & 1, 0, 510, 512);
	struct peer_cmd tur = { .lun = 0 };
	struct srp_iu_rsp rsp;
	uint32_t i;
	int k, round;

	scsi_cdb_test_unit_ready(tur.cdb);
	up(&fabric, 0);
	cmd.nr_descs = 255;
	for (round = 0; round < 10; round++) {
		for (k = 0; k < 10; k++) {
			peer_send(&peer, peer_build(&peer, &cmd));
			peer.credits--;
		}
		ck_assert_uint_le(
			peer_reset(&peer, SRP_TMF_LUN_RESET, 0, 0), 10);
		memset(peer.data, 0x5a, cmd.len);
		peer_expect_silence(&peer);
		for (i = 0; i < cmd.len && peer.data[i] == 0x5a; i++)
			;
		ck_assert_uint_eq(i, cmd.len);
		peer_do(&peer, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0x062903);
	}
	down();
}
END_TEST

START_TEST(no_queue_pair_is_a_login_without_resources)
{
	struct fabric fabric = make_fabric(0);
	struct srp_iu_login_req req = peer_login_req(1);
	struct target_attr attr = { .luns = luns, .nr_luns = 2 };

	fabric.create_qp = no_create_qp;
	attr.fabric = &fabric;
	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_INSUFFICIENT_RESOURCES);
	ck_assert_uint_eq(peer.reject_tag, 0x4711);
	ck_assert_uint_eq(bed_stats(&bed).logins, 0);
	ck_assert_uint_eq(bed_stats(&bed).rejects, 1);
	ck_assert_uint_eq(bed_stats(&bed).nr_channels, 0);
	down();
}
END_TEST

START_TEST(memory_that_cannot_be_registered_is_told_at_creation)
{
	struct fabric fabric = make_fabric(0);
	struct soft_dev_attr dev_attr = { .irqmode = SOFT_IRQ_SOFTIRQ };
	struct soft_dev *dev;
	struct sockaddr_in addr;
	struct target_attr attr = {
		.fabric = &fabric,
		.luns = luns,
		.nr_luns = 2,
		.addr = (struct sockaddr *)&addr,
	};
	struct target *target = NULL;
	char reason[200] = "";

	fabric.reg_mr = no_reg_mr;
	ck_assert_int_eq(soft_dev_create(&dev_attr, &dev), 0);
	soft_dev_addr(dev, &addr);
	ck_assert_int_eq(target_create(&attr, &target, reason, sizeof(reason)),
		-ENOMEM);
	ck_assert_ptr_null(target);
	ck_assert_uint_gt(strlen(reason), 10);
	soft_dev_put(dev);
	target_destroy(NULL);
}
END_TEST

START_TEST(bad_attributes_are_told_by_name)
{
	static const struct target_lun_attr twice[] = {
		{ .number = 4, .backend = "null", .size_bytes = 512 },
		{ .number = 4, .backend = "null", .size_bytes = 512 },
	};
	static const struct target_lun_attr high[] = {
		{ .number = 16384, .backend = "null", .size_bytes = 512 },
	};
	struct sockaddr_in addr = { .sin_family = AF_INET };
	struct {
		struct target_attr attr;
		const char *word;
	} rows[] = {
		{ { .req_lim = 1025 }, "1024" },
		{ { .max_it_iu_bytes = 63 }, "64" },
		{ { .max_it_iu_bytes = 16385 }, "16384" },
		{ { .nr_luns = 257 }, "256" },
		{ { .luns = twice, .nr_luns = 2 }, "twice" },
		{ { .luns = high, .nr_luns = 1 }, "16383" },
	};
	struct target *target = NULL;
	char reason[200] = "";

	rows[_i].attr.fabric = fabric_find("soft");
	rows[_i].attr.addr = (struct sockaddr *)&addr;
	ck_assert_int_eq(target_create(&rows[_i].attr, &target, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_msg(strstr(reason, rows[_i].word) != NULL, "%s", reason);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("device");

	tcase_add_loop_test(
		tc, transfers_longer_than_the_send_queue_go_through, 0, 8);
	tcase_add_loop_test(tc, sense_is_sent_without_inline_data_too, 0, 8);
	tcase_add_loop_test(tc, a_disconnect_finds_commands_waiting, 0, 8);
	tcase_add_loop_test(tc, a_reset_finds_commands_waiting, 0, 8);
	tcase_add_test(tc, no_queue_pair_is_a_login_without_resources);
	tcase_add_test(tc, memory_that_cannot_be_registered_is_told_at_creation);
	tcase_add_loop_test(tc, bad_attributes_are_told_by_name, 0, 6);
	tcase_set_timeout(tc, 30);
	return unit_run(tc, "target_device");
}
