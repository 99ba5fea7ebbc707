/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A hostile target at login, in what it tells about itself and its LUNs, and
 * in memory that is none of its business.
 */
#include "hostile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/unit.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core_rig.h"
#include "util/log.h"
#include "wire/scsi_cdb.h"

static struct hostile hostile;
static struct rig rig;
static struct srpi_lun fake_lun;

static void
up(void)
{
	memset(&rig, 0, sizeof(rig));
	hostile_start(&hostile);
	rig.addr = hostile.addr;
	rig_set_attr(&rig);
	rig.attr.io_timeout_ms = 300;
	rig.attr.ready_timeout_ms = 10;
}

static void
down(void)
{
	hostile_stop(&hostile);
	rig_expect_nothing_left();
}

static void
open_all(void)
{
	ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
	fake_lun = (struct srpi_lun){
		.session = rig.session,
		.block_bytes = RIG_BLOCK,
		.blocks = 1u << 20,
		.max_transfer_blocks = UINT32_MAX,
	};
	rig.lun = &fake_lun;
	ck_assert_msg(!srpi_buf_alloc(rig.session, RIG_BUF_BYTES, &rig.mem,
			      rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	rig.buf = srpi_mem_addr(rig.mem);
	rig.queue = rig_queue(&rig, NULL);
}

/* ---- the login response ---- */

static const struct {
	int32_t delta;
	uint32_t iu_bytes;
	int ret;
} logins[] = {
	{ 64, 8260, 0 },
	{ 1, 64, 0 },
	{ 2, 65, 0 },
	{ 2, 83, 0 },
	{ 2, 84, 0 },
	{ INT32_MAX, UINT32_MAX, 0 },
	{ 64, 0x80000000, 0 },
	{ 0, 8260, -ETIMEDOUT }, /* allowed; credits might have come */
	{ -1, 8260, -EPROTO },
	{ INT32_MIN, 8260, -EPROTO },
	{ 64, 0, -EPROTO },
	{ 64, 1, -EPROTO },
	{ 64, 63, -EPROTO },
};

START_TEST(login_responses_with_absurd_values)
{
	int imm;

	for (imm = 0; imm < 2; imm++) {
		up();
		rig.attr.imm_data = imm;
		hostile_set_login(
			&hostile, logins[_i].delta, logins[_i].iu_bytes);
		if (imm) /* granted, whatever the length says */
			hostile.login_rsp[26] |= SRP_IMM_SUPPORTED;
		ck_assert_int_eq(rig_open(&rig), logins[_i].ret);
		if (logins[_i].ret)
			ck_assert_uint_gt(strlen(rig.reason), 10);
		else
			rig_close(&rig);
		down();
	}
}
END_TEST

START_TEST(login_responses_cut_short)
{
	int n;

	for (n = 0; n <= (int)sizeof(struct srp_login_rsp); n++) {
		up();
		hostile.login_rsp_bytes = (uint8_t)n;
		/* the CM pads with zeros: what is cut reads as 0 */
		if (rig_open(&rig))
			ck_assert_uint_gt(strlen(rig.reason), 10);
		else
			rig_close(&rig);
		down();
	}
}
END_TEST

START_TEST(login_responses_of_garbage)
{
	unsigned int i;

	for (i = 0; i < 100; i++) {
		up();
		rig.attr.io_timeout_ms = 20;
		rig.attr.imm_data = i & 1;
		hostile.login_rsp_bytes = (uint8_t)hostile_random(197);
		hostile_random_bytes(
			hostile.login_rsp, sizeof(hostile.login_rsp));
		if (i & 2)
			hostile.login_rsp[0] = SRP_OP_LOGIN_RSP;
		if (!rig_open(&rig))
			rig_close(&rig);
		down();
	}
}
END_TEST

/* ---- what it tells about its LUNs ---- */

static uint32_t
random_data(const uint8_t *cdb, uint8_t *data, uint32_t n)
{
	(void)cdb;
	n = hostile_random(2) ? n : hostile_random(n + 1);
	hostile_random_bytes(data, min(n, 4096u));
	return n;
}

START_TEST(lun_lists_of_garbage)
{
	uint8_t (*luns)[8] = calloc(65536, sizeof(*luns));
	unsigned int i;
	int nr;

	for (i = 0; i < 60; i++) {
		up();
		hostile.fill_data = random_data;
		if (!rig_open(&rig)) {
			nr = srpi_luns(rig.session, luns, 65536);
			ck_assert_int_ge(nr, 0);
			ck_assert_int_le(nr, 65536);
			rig_close(&rig);
		} else {
			ck_assert_uint_gt(strlen(rig.reason), 10);
		}
		down();
	}
	free(luns);
}
END_TEST

/* More LUNs than any buffer at first, and then none. */
static uint32_t
vast_list(const uint8_t *cdb, uint8_t *data, uint32_t n)
{
	(void)cdb;
	memset(data, 0, n);
	put_be32(data, 8 * (1000 + hostile_random(100000)));
	return n;
}

START_TEST(lun_lists_that_promise_more_than_they_hold)
{
	unsigned int i;

	for (i = 0; i < 30; i++) {
		up();
		hostile.fill_data = vast_list;
		if (!rig_open(&rig)) {
			ck_assert_int_ge(srpi_luns(rig.session, NULL, 0), 0);
			rig_close(&rig);
		}
		down();
	}
}
END_TEST

/* A disk as far as the first bytes go; the rest is anything. */
static uint32_t
half_sound(const uint8_t *cdb, uint8_t *data, uint32_t n)
{
	hostile_random_bytes(data, min(n, 4096u));
	if (cdb[0] == SCSI_OP_REPORT_LUNS)
		memset(data, 0, n);
	if (cdb[0] == SCSI_OP_INQUIRY && hostile_random(8)) {
		data[0] = 0;
		if (cdb[1] & 1)
			data[1] = cdb[2];
		/* lengths that fit, and those that do not */
		if (hostile_random(2))
			put_be16(data + 2, (uint16_t)hostile_random(n));
		if (cdb[1] & 1 && cdb[2] == 0)
			memcpy(data + 4, "\x00\x80\x83\xb0\xb1\xb2", 6);
	}
	if (cdb[0] == SCSI_OP_SERVICE_ACTION_IN_16 && hostile_random(2)) {
		memset(data, 0, 4);
		put_be32(data + 8, 512);
	}
	return hostile_random(4) ? n : hostile_random(n + 1);
}

START_TEST(luns_of_garbage)
{
	struct srpi_lun_info info;
	struct srpi_lun *lun;
	unsigned int i, nr = 0;
	uint8_t bytes[8];

	up();
	hostile.fill_data = half_sound;
	ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
	for (i = 0; i < 3000; i++) {
		hostile_random_bytes(bytes, sizeof(bytes));
		if (srpi_lun_open(rig.session, bytes, &lun, rig.reason,
			    sizeof(rig.reason)))
			continue;
		srpi_lun_info(lun, &info);
		must(info.block_bytes > 0 && info.blocks > 0);
		must(memchr(info.vendor, 0, sizeof(info.vendor)));
		must(memchr(info.product, 0, sizeof(info.product)));
		must(memchr(info.serial, 0, sizeof(info.serial)));
		must(memchr(info.id, 0, sizeof(info.id)));
		nr++;
	}
	/* it came to that: the test tests something */
	ck_assert_uint_gt(nr, 100);
	rig_close(&rig);
	down();
}
END_TEST

/* ---- memory that it was not given ---- */

/* A write that must fail on the target's side and change nothing. */
static void
expect_refused(uint64_t va, uint32_t rkey, uint32_t n)
{
	uint32_t before = hostile.link->nr_failed;

	hostile_write(&hostile, va, rkey, n);
	must(hostile_settle(&hostile));
	ck_assert_uint_gt(hostile.link->nr_failed, before);
	ck_assert_int_eq(hostile.link->last_status, IBV_WC_REM_ACCESS_ERR);
}

static struct srp_iu_desc
start_read(void)
{
	struct srp_iu_cmd cmd;
	const uint8_t *iu;
	uint32_t n;

	rig_submit(rig.queue, &rig, 0, false);
	iu = hostile_take(&hostile, &n);
	must(iu && !srp_iu_cmd_decode(iu, n, 0, &cmd) && cmd.nr_descs == 1);
	return srp_iu_cmd_get_desc(&cmd, 0);
}

START_TEST(keys_that_were_not_given_open_nothing)
{
	static uint8_t outside[RIG_BLOCK], still[RIG_BLOCK];
	struct srp_iu_desc desc;
	uint32_t rkeys[4];
	uint64_t vas[4];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rkeys); i++) {
		up();
		open_all();
		desc = start_read();
		ck_assert_uint_eq(desc.va, (uintptr_t)rig.buf);
		memset(hostile.link->data, 0xff, RIG_BLOCK);
		rkeys[0] = desc.rkey + 1; /* no key */
		vas[0] = desc.va;
		rkeys[1] = desc.rkey; /* outside of what it opens */
		vas[1] = (uintptr_t)outside;
		rkeys[2] = desc.rkey; /* across its end */
		vas[2] = desc.va + RIG_BUF_BYTES - 1;
		/* commands may be read by the target, and not written */
		rkeys[3] = rig.queue->slots.rkey;
		vas[3] = (uintptr_t)rig.queue->slots.area.addr;
		expect_refused(vas[i], rkeys[i], RIG_BLOCK);
		ck_assert_int_eq(memcmp(outside, still, RIG_BLOCK), 0);
		ck_assert_uint_eq(rig.buf[0], 0);
		ck_assert_uint_eq(rig.buf[RIG_BUF_BYTES - 1], 0);
		/* the device took the connection down: the I/O ends so */
		ck_assert_int_eq(rig_wait_one(rig.queue, NULL), -ECONNRESET);
		rig_close(&rig);
		down();
	}
}
END_TEST

START_TEST(a_buffer_given_back_can_not_be_written)
{
	struct srp_iu_desc desc;

	up();
	open_all();
	desc = start_read();
	/* the target sleeps beyond io_timeout, then moves the data */
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), -ETIMEDOUT);
	memset(rig.buf, 0x11, RIG_BLOCK);
	memset(hostile.link->data, 0xff, RIG_BLOCK);
	hostile_write(&hostile, desc.va, desc.rkey, RIG_BLOCK);
	hostile_settle(&hostile);
	ck_assert_uint_gt(hostile.link->nr_failed, 0);
	ck_assert_uint_eq(rig.buf[0], 0x11);
	ck_assert_uint_eq(rig.buf[RIG_BLOCK - 1], 0x11);
	rig_close(&rig);
	down();
}
END_TEST

START_TEST(memory_unregistered_can_not_be_written)
{
	static uint8_t own[4096] __attribute__((aligned(4096)));
	struct iovec iov = { own, RIG_BLOCK };
	struct srp_iu_desc desc;
	struct srpi_mem *mem;
	struct srp_iu_cmd cmd;
	struct srpi_io *io;
	const uint8_t *iu;
	uint32_t n;

	up();
	open_all();
	ck_assert_int_eq(srpi_mem_register(rig.session, own, sizeof(own), &mem,
				 rig.reason, sizeof(rig.reason)),
		0);
	io = srpi_get(rig.queue);
	ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 1, &iov, 1), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	iu = hostile_take(&hostile, &n);
	must(iu && !srp_iu_cmd_decode(iu, n, 0, &cmd));
	desc = srp_iu_cmd_get_desc(&cmd, 0);
	memset(hostile.link->data, 0x77, RIG_BLOCK);
	hostile_write(&hostile, desc.va, desc.rkey, RIG_BLOCK);
	hostile_send_good(&hostile, cmd.tag);
	ck_assert_int_eq(rig_wait_one(rig.queue, NULL), 0);
	ck_assert_uint_eq(own[0], 0x77);
	srpi_mem_free(mem);
	memset(hostile.link->data, 0xff, RIG_BLOCK);
	expect_refused(desc.va, desc.rkey, RIG_BLOCK);
	ck_assert_uint_eq(own[0], 0x77);
	rig_close(&rig);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("core_hostile_login");

	hostile_seed();
	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, login_responses_with_absurd_values, 0,
		ARRAY_SIZE(logins));
	tcase_add_test(tcase, login_responses_cut_short);
	tcase_add_test(tcase, login_responses_of_garbage);
	tcase_add_test(tcase, lun_lists_of_garbage);
	tcase_add_test(tcase, lun_lists_that_promise_more_than_they_hold);
	tcase_add_test(tcase, luns_of_garbage);
	tcase_add_test(tcase, keys_that_were_not_given_open_nothing);
	tcase_add_test(tcase, a_buffer_given_back_can_not_be_written);
	tcase_add_test(tcase, memory_unregistered_can_not_be_written);
	return unit_run(tcase, "core_hostile_login");
}
