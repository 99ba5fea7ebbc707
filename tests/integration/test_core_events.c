/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a target says of its own accord reaches srpi_session_events(), and
 * srpi_rescan() finds what has changed.
 */
#include "hostile.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "../unit/unit.h"
#include "core_rig.h"
#include "wire/scsi_cdb.h"
#include "wire/scsi_data.h"
#include "wire/scsi_lun.h"
#include "wire/scsi_sense.h"

static struct rig rig;

static bool
is_readable(int timeout_ms)
{
	struct pollfd pfd = {
		.fd = srpi_session_fd(rig.session), .events = POLLIN };

	return poll(&pfd, 1, timeout_ms) == 1;
}

/* Exactly these, and then none. */
static void
expect_events(uint32_t events)
{
	ck_assert_int_eq(is_readable(0), events != 0);
	ck_assert_uint_eq(srpi_session_events(rig.session), events);
	ck_assert(!is_readable(0));
	ck_assert_uint_eq(srpi_session_events(rig.session), 0);
}

/* ---- unit attentions, from the embedded target ---- */

static void
up(void)
{
	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	rig_open_all(&rig, NULL);
}

static void
down(void)
{
	rig_close(&rig);
	rig_down(&rig);
}

static void
tell(uint8_t asc, uint8_t ascq)
{
	ck_assert_int_eq(
		target_unit_attention(rig.target, 0, asc, ascq, false), 0);
}

START_TEST(a_new_session_has_nothing_to_say)
{
	up();
	ck_assert_int_ge(srpi_session_fd(rig.session), 0);
	expect_events(0);
	rig_verify(&rig, 4, 1);
	expect_events(0);
	down();
}
END_TEST

START_TEST(a_unit_attention_that_a_read_consumes_is_an_event)
{
	up();
	tell(0x2a, 0x09);
	ck_assert_int_eq(rig_do(rig.queue, &rig, 0, false), 0);
	expect_events(SRPI_EVENT_CAPACITY_CHANGED);
	tell(0x3f, 0x0e);
	ck_assert_int_eq(rig_do(rig.queue, &rig, 0, true), 0);
	expect_events(SRPI_EVENT_LUNS_CHANGED);
	/* a reset is no change */
	tell(0x29, 0x00);
	ck_assert_int_eq(rig_do(rig.queue, &rig, 0, true), 0);
	expect_events(0);
	down();
}
END_TEST

START_TEST(events_add_up_until_they_are_taken)
{
	up();
	tell(0x2a, 0x09);
	tell(0x3f, 0x0e);
	tell(0x2a, 0x09);
	ck_assert_int_eq(rig_do(rig.queue, &rig, 0, false), 0);
	expect_events(SRPI_EVENT_CAPACITY_CHANGED | SRPI_EVENT_LUNS_CHANGED);
	down();
}
END_TEST

/* The caller's own CDB is told, and so is the session. */
START_TEST(a_unit_attention_for_the_caller_is_an_event_too)
{
	uint8_t cdb[6] = { SCSI_OP_TEST_UNIT_READY };
	struct srpi_result result;
	struct srpi_io *io;

	up();
	tell(0x3f, 0x0e);
	io = srpi_get(rig.queue);
	ck_assert_int_eq(
		srpi_prep_cdb(io, rig.lun, cdb, sizeof(cdb), 0, NULL, 0), 0);
	srpi_queue_io(io);
	srpi_submit(rig.queue);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EIO);
	ck_assert_uint_eq(result.status, SCSI_STATUS_CHECK_CONDITION);
	expect_events(SRPI_EVENT_LUNS_CHANGED);
	down();
}
END_TEST

/* So a program that rescans once more than needed comes to an end. */
START_TEST(a_rescan_consumes_what_waits_and_a_second_finds_nothing)
{
	up();
	tell(0x3f, 0x0e);
	ck_assert_msg(!srpi_rescan(rig.session, rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	expect_events(SRPI_EVENT_LUNS_CHANGED);
	ck_assert_msg(!srpi_rescan(rig.session, rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	expect_events(0);
	rig_verify(&rig, 4, 1);
	down();
}
END_TEST

START_TEST(the_sessions_own_commands_are_counted)
{
	struct srpi_stats before, after;

	up();
	before = rig_stats(&rig);
	ck_assert_uint_gt(before.commands, 0);
	ck_assert_msg(!srpi_rescan(rig.session, rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
	after = rig_stats(&rig);
	ck_assert_uint_gt(after.commands, before.commands);
	ck_assert_uint_gt(after.read_bytes, before.read_bytes);
	down();
}
END_TEST

START_TEST(the_end_of_the_connection_is_an_event)
{
	struct srpi_session_info before, after;
	char reason[256];

	up();
	srpi_session_info(rig.session, &before);
	target_disconnect_all(rig.target);
	ck_assert(is_readable(30000));
	expect_events(SRPI_EVENT_DISCONNECTED);
	srpi_session_info(rig.session, &after);
	ck_assert_uint_lt(after.nr_channels, before.nr_channels);
	ck_assert_int_lt(after.credits, before.credits);
	ck_assert_int_eq(srpi_rescan(rig.session, reason, sizeof(reason)),
		-ECONNRESET);
	ck_assert_msg(strstr(reason, "connection lost"), "%s", reason);
	expect_events(0);
	down();
}
END_TEST

/* ---- asynchronous events and a target that changes, by hand ---- */

static struct hostile hostile;

/* What the control connection answers; the answers are given in any thread. */
static _Atomic uint32_t luns_now, blocks_now, block_bytes_now;
static _Atomic bool lun_is_there;

static void
answer_inquiry(const uint8_t *cdb, uint8_t *data, uint32_t n)
{
	struct scsi_inquiry inquiry = {
		.qualifier = atomic_load(&lun_is_there) ? 0 : 3,
		.device_type = atomic_load(&lun_is_there) ? 0 : 0x1f,
		.vendor = "TEST",
		.product = "changes",
		.revision = "1",
	};

	/* no vital product data pages but the list of them, empty */
	if (!(cdb[1] & 1))
		scsi_data_inquiry_encode(&inquiry, data, n);
}

static uint32_t
answer(const uint8_t *cdb, uint8_t *data, uint32_t n)
{
	struct scsi_capacity capacity = {
		.last_lba = atomic_load(&blocks_now) - 1,
		.block_bytes = atomic_load(&block_bytes_now),
	};
	struct scsi_lun luns[4];
	uint32_t i;

	memset(data, 0, n);
	switch (cdb[0]) {
	case SCSI_OP_INQUIRY:
		answer_inquiry(cdb, data, n);
		break;
	case SCSI_OP_REPORT_LUNS:
		for (i = 0; i < atomic_load(&luns_now); i++)
			must(!scsi_lun_from_number(i, &luns[i]));
		scsi_data_report_luns_encode(luns, i, data, n);
		break;
	case SCSI_OP_SERVICE_ACTION_IN_16:
		scsi_data_capacity_16_encode(&capacity, data, n);
		break;
	}
	return n;
}

static void
hostile_up(void)
{
	memset(&rig, 0, sizeof(rig));
	hostile_start(&hostile);
	hostile.fill_data = answer;
	luns_now = 1;
	blocks_now = 1000;
	block_bytes_now = 512;
	lun_is_there = true;
	rig.addr = hostile.addr;
	rig_set_attr(&rig);
	rig_open_all(&rig, NULL);
	expect_events(0);
}

static void
hostile_down(void)
{
	rig_close(&rig);
	hostile_stop(&hostile);
}

/* What an asynchronous event with this sense (0: none) raises. */
static void
expect_aer(uint16_t code, uint32_t events)
{
	struct scsi_sense sense =
		scsi_sense_make(SCSI_KEY_UNIT_ATTENTION, code);
	uint8_t data[SCSI_SENSE_ENCODED_BYTES], iu[128];
	struct srp_iu_aer_req aer = { .tag = code, .sense = data };
	struct srpi_io *none;

	if (code)
		aer.sense_len = (uint32_t)scsi_sense_encode(
			&sense, data, sizeof(data));
	must(hostile_send(&hostile, iu,
		(uint32_t)srp_iu_aer_req_encode(&aer, iu, sizeof(iu))));
	ck_assert_int_eq(srpi_poll(rig.queue, &none, 1), 0);
	expect_events(events);
}

START_TEST(asynchronous_events_are_events)
{
	hostile_up();
	expect_aer(0x3f0e, SRPI_EVENT_LUNS_CHANGED);
	expect_aer(0x2a09, SRPI_EVENT_CAPACITY_CHANGED);
	expect_aer(0x2900, 0);
	/* it says that something is up, and not what */
	expect_aer(0, SRPI_EVENT_LUNS_CHANGED);
	ck_assert_uint_eq(rig_stats(&rig).aer_reqs, 4);
	hostile_down();
}
END_TEST

static void
rescan(void)
{
	ck_assert_msg(!srpi_rescan(rig.session, rig.reason, sizeof(rig.reason)),
		"%s", rig.reason);
}

/* May a read of one block at @lba go? Gives the I/O back. */
static int
prep_at(uint64_t lba, uint32_t block_bytes)
{
	struct iovec iov = { rig.buf, block_bytes };
	struct srpi_io *io = srpi_get(rig.queue);
	int ret = srpi_prep_read(io, rig.lun, lba, 1, &iov, 1);

	srpi_put(io);
	return ret;
}

START_TEST(a_rescan_finds_new_luns_and_sizes)
{
	struct srpi_lun_info info;
	uint8_t luns[8][8];

	hostile_up();
	ck_assert_int_eq(srpi_luns(rig.session, luns, 8), 1);
	ck_assert_int_eq(prep_at(1000, 512), -ERANGE);
	luns_now = 3;
	blocks_now = 2000;
	/* until then nothing changes */
	ck_assert_int_eq(srpi_luns(rig.session, luns, 8), 1);
	ck_assert_int_eq(prep_at(1000, 512), -ERANGE);
	rescan();
	ck_assert_int_eq(srpi_luns(rig.session, luns, 8), 3);
	ck_assert_uint_eq(luns[2][1], 2);
	ck_assert_int_eq(prep_at(1000, 512), 0);
	srpi_lun_info(rig.lun, &info);
	ck_assert_uint_eq(info.blocks, 2000);
	blocks_now = 500;
	block_bytes_now = 4096;
	rescan();
	ck_assert_int_eq(prep_at(499, 4096), 0);
	ck_assert_int_eq(prep_at(499, 512), -EINVAL);
	ck_assert_int_eq(prep_at(500, 4096), -ERANGE);
	srpi_lun_info(rig.lun, &info);
	ck_assert_uint_eq(info.block_bytes, 4096);
	hostile_down();
}
END_TEST

/* The next command on the link ends with this sense. */
static void
fail_command(enum scsi_sense_key key, uint16_t code)
{
	struct scsi_sense sense = scsi_sense_make(key, code);
	uint8_t data[SCSI_SENSE_ENCODED_BYTES], iu[128];
	struct srp_iu_rsp rsp = {
		.req_lim_delta = 1,
		.flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = data,
	};
	struct srp_iu_cmd cmd;
	const uint8_t *wire;
	uint32_t n;

	wire = hostile_take(&hostile, &n);
	must(wire && !srp_iu_cmd_decode(wire, n, 0, &cmd));
	rsp.tag = cmd.tag;
	rsp.sense_len =
		(uint32_t)scsi_sense_encode(&sense, data, sizeof(data));
	must(hostile_send(&hostile, iu,
		(uint32_t)srp_iu_rsp_encode(&rsp, iu, sizeof(iu))));
}

START_TEST(a_lun_that_is_gone_stays_and_the_target_says_so)
{
	struct srpi_result result;
	struct srpi_lun_info info;
	struct srpi_lun *again;
	uint8_t number[8] = { 0 };

	hostile_up();
	luns_now = 0;
	lun_is_there = false;
	rescan();
	ck_assert_int_eq(srpi_luns(rig.session, NULL, 0), 0);
	srpi_lun_info(rig.lun, &info);
	ck_assert_uint_eq(info.blocks, 1000);
	ck_assert_int_eq(srpi_lun_open(rig.session, number, &again, rig.reason,
				 sizeof(rig.reason)),
		-ENODEV);
	rig_submit(rig.queue, &rig, 0, false);
	fail_command(SCSI_KEY_ILLEGAL_REQUEST, SCSI_ASC_LUN_NOT_SUPPORTED);
	ck_assert_int_eq(rig_wait_one(rig.queue, &result), -EIO);
	ck_assert_uint_eq(result.status, SCSI_STATUS_CHECK_CONDITION);
	ck_assert_uint_gt(result.sense_bytes, 0);
	/* back again */
	luns_now = 1;
	lun_is_there = true;
	blocks_now = 10;
	rescan();
	srpi_lun_info(rig.lun, &info);
	ck_assert_uint_eq(info.blocks, 10);
	hostile_down();
}
END_TEST

/* ---- both at once ---- */

static _Atomic bool is_over;

/* Grows and shrinks, and has the session look. */
static void *
change(void *arg)
{
	char reason[512];
	uint32_t i;

	(void)arg;
	for (i = 0; i < 100; i++) {
		blocks_now = i % 2 ? 1000 : 500;
		luns_now = i % 4;
		must(!srpi_rescan(rig.session, reason, sizeof(reason)));
	}
	is_over = true;
	return NULL;
}

START_TEST(io_goes_on_while_the_session_rescans)
{
	struct srpi_lun_info info;
	uint64_t nr_done = 0;
	pthread_t thread;
	struct srp_iu_cmd cmd;
	const uint8_t *wire;
	uint32_t n;

	hostile_up();
	must(!pthread_create(&thread, NULL, change, NULL));
	while (!is_over || nr_done < 100) {
		srpi_lun_info(rig.lun, &info);
		must(info.blocks == 500 || info.blocks == 1000);
		must(prep_at(499, 512) == 0);
		must(prep_at(1000, 512) == -ERANGE);
		rig_submit(rig.queue, &rig, 0, false);
		wire = hostile_take(&hostile, &n);
		must(wire && !srp_iu_cmd_decode(wire, n, 0, &cmd));
		hostile_send_good(&hostile, cmd.tag);
		must(!rig_wait_one(rig.queue, NULL));
		nr_done++;
	}
	pthread_join(thread, NULL);
	hostile_down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("events");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_new_session_has_nothing_to_say);
	tcase_add_test(
		tcase, a_unit_attention_that_a_read_consumes_is_an_event);
	tcase_add_test(tcase, events_add_up_until_they_are_taken);
	tcase_add_test(tcase, a_unit_attention_for_the_caller_is_an_event_too);
	tcase_add_test(
		tcase, a_rescan_consumes_what_waits_and_a_second_finds_nothing);
	tcase_add_test(tcase, the_sessions_own_commands_are_counted);
	tcase_add_test(tcase, the_end_of_the_connection_is_an_event);
	tcase_add_test(tcase, asynchronous_events_are_events);
	tcase_add_test(tcase, a_rescan_finds_new_luns_and_sizes);
	tcase_add_test(tcase, a_lun_that_is_gone_stays_and_the_target_says_so);
	tcase_add_test(tcase, io_goes_on_while_the_session_rescans);
	return unit_run(tcase, "core_events");
}
