/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target that sends anything at all. Nothing may crash, write outside of
 * an I/O's buffer, leak, or end an I/O twice; what is no sound SRP ends the
 * connection, and a new one works.
 */
#include "hostile.h"

#include <errno.h>
#include <stdlib.h>

#include "../unit/unit.h"
#include "core/lun.h"
#include "core/queue.h"
#include "core_rig.h"
#include "util/log.h"

/* The I/O's buffer is in the middle of memory that must not change. */
#define BUF_LBA 8u
#define CANARY 0x5a

static struct hostile hostile;
static struct rig rig;
static struct srpi_lun fake_lun;
static struct srpi_io *io; /* the one that is out */
static uint64_t tag;	   /* its tag on the wire */

/* ---- set-up ---- */

static void
open_queue(void)
{
	static const struct srpi_queue_opts opts = { .depth = 16, .cpu = -1 };

	rig.queue = rig_queue(&rig, &opts);
	io = NULL;
}

static void
up(void)
{
	memset(&rig, 0, sizeof(rig));
	hostile_start(&hostile);
	rig.addr = hostile.addr;
	rig_set_attr(&rig);
	ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
	ck_assert_int_eq(srpi_luns(rig.session, NULL, 0), 0);
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
	memset(rig.buf, CANARY, RIG_BUF_BYTES);
	open_queue();
}

static void
check_memory(void)
{
	static uint8_t canaries[RIG_BUF_BYTES];

	if (!canaries[0])
		memset(canaries, CANARY, sizeof(canaries));
	must(!memcmp(rig.buf, canaries, sizeof(canaries)));
}

static void
down(void)
{
	check_memory();
	rig_close(&rig);
	hostile_stop(&hostile);
	rig_expect_nothing_left();
}

/* A connection that the last IU may have ended: make a new one. */
static void
reopen(void)
{
	srpi_queue_destroy(rig.queue);
	hostile_drop_link(&hostile);
	open_queue();
}

/* ---- I/O ---- */

/* The next command on the wire, which must be there; its tag. */
static bool
take_command(uint64_t *out)
{
	struct srp_iu_cmd cmd;
	const uint8_t *iu;
	uint32_t n;

	do {
		iu = hostile_take(&hostile, &n);
		if (!iu)
			return false;
	} while (srp_iu_cmd_decode(iu, n, 0, &cmd));
	*out = cmd.tag;
	return true;
}

static void
start_io(void)
{
	io = rig_submit(rig.queue, &rig, BUF_LBA, false);
	if (take_command(&tag))
		return;
	/* what came before took all credits: begin anew, as anybody would */
	reopen();
	io = rig_submit(rig.queue, &rig, BUF_LBA, false);
	must(take_command(&tag));
}

/* The I/O if it has ended; checks what its result may be. */
static bool
poll_io(void)
{
	const struct srpi_result *result;
	struct srpi_io *done;
	char text[512];

	if (srpi_poll(rig.queue, &done, 1) != 1)
		return false;
	must(done == io);
	result = srpi_result(done);
	must(result->error <= 0 && result->bytes <= RIG_BLOCK);
	must(!result->sense_bytes == !result->sense);
	must(result->sense_bytes <= 252);
	must(result->residual <= (int32_t)RIG_BLOCK);
	must(srpi_explain(done, text, sizeof(text)) > 0);
	srpi_put(done);
	io = NULL;
	return true;
}

static bool
is_alive(void)
{
	return rig.queue->ch->state == CHANNEL_UP;
}

/* Whatever was sent has been handled; the I/O ends well or with the channel. */
static void
finish_io(void)
{
	int i;

	for (i = 0; i < 3 && io && is_alive(); i++)
		poll_io();
	if (io && is_alive()) {
		hostile_send_good(&hostile, tag);
		must(poll_io());
	}
	if (io)
		must(poll_io());
	must(!poll_io());
}

/* One IU against a connection with an I/O out. */
static void
try_iu(const void *iu, uint32_t n)
{
	if (!is_alive())
		reopen();
	start_io();
	hostile_send(&hostile, iu, n);
	finish_io();
}

/* ---- tests ---- */

static bool
is_target_op(unsigned int op)
{
	return op >= 0x80 && (op <= 0x82 || (op >= 0xc0 && op <= 0xc2));
}

START_TEST(every_opcode_in_every_length)
{
	uint8_t iu[64];
	unsigned int op;
	uint32_t n;

	up();
	for (op = 0; op < 256; op++) {
		/* those that mean nothing all take the same way: a sample */
		for (n = 0; n <= 64; n++) {
			if (!is_target_op(op) && (op + n) % 16)
				continue;
			hostile_random_bytes(iu, sizeof(iu));
			iu[0] = (uint8_t)op;
			try_iu(iu, n);
		}
		check_memory();
	}
	down();
}
END_TEST

START_TEST(garbage)
{
	static const uint8_t ops[] = { SRP_OP_RSP, SRP_OP_CRED_REQ,
		SRP_OP_AER_REQ, SRP_OP_T_LOGOUT, SRP_OP_LOGIN_RSP };
	uint8_t iu[512];
	unsigned int i;

	up();
	for (i = 0; i < 1500; i++) {
		hostile_random_bytes(iu, sizeof(iu));
		if (hostile_random(4))
			iu[0] = ops[hostile_random(ARRAY_SIZE(ops))];
		try_iu(iu, hostile_random(sizeof(iu) + 1));
	}
	down();
}
END_TEST

static uint32_t
odd_length(void)
{
	static const uint32_t lengths[] = { 0, 1, 3, 4, 5, 8, 18, 251, 252, 253,
		255, 256, 472, 476, 477, 65535, 0x7fffffff, 0x80000000,
		0xfffffffc, 0xffffffff };

	return lengths[hostile_random(ARRAY_SIZE(lengths))];
}

/* A response to the command that is out, in any form. */
START_TEST(responses_of_every_form)
{
	static const uint8_t statuses[] = { 0, 0, 0, 2, 2, 2, 4, 0x18, 0x40,
		0x30, 0xff };
	static const uint32_t sizes[] = { 36, 36, 37, 40, 44, 54, 58, 288, 512 };
	struct srp_rsp *rsp;
	uint8_t iu[512];
	unsigned int i;

	up();
	for (i = 0; i < 5000; i++) {
		if (!is_alive())
			reopen();
		if (!io)
			start_io();
		hostile_random_bytes(iu, sizeof(iu));
		rsp = (struct srp_rsp *)iu;
		rsp->opcode = SRP_OP_RSP;
		be32_set(&rsp->req_lim_delta, 1 + hostile_random(2));
		be64_set(&rsp->tag, tag);
		rsp->flags = (uint8_t)hostile_random(
			hostile_random(2) ? 256 : 64);
		rsp->status = statuses[hostile_random(ARRAY_SIZE(statuses))];
		be32_set(&rsp->data_out_residual, odd_length());
		be32_set(&rsp->data_in_residual, odd_length());
		be32_set(&rsp->sense_len, odd_length());
		be32_set(&rsp->resp_len, odd_length());
		/* sense that may ask for another try */
		iu[36] = hostile_random(2) ? 0x70 : 0x72;
		iu[38] = (uint8_t)hostile_random(16);
		hostile_send(&hostile, iu,
			sizes[hostile_random(ARRAY_SIZE(sizes))]);
		if (!poll_io() && is_alive() && !take_command(&tag))
			finish_io(); /* it backs off, or never heard of it */
	}
	if (io)
		finish_io();
	down();
}
END_TEST

/* Tags that nobody has out; the command that is out is not disturbed. */
START_TEST(tags_of_every_kind_are_late_responses)
{
	uint64_t tags[9], late = 0;
	struct srp_iu_rsp rsp = { 0 };
	uint8_t iu[64];
	unsigned int i, form;
	size_t n;

	up();
	start_io();
	tags[0] = tag + 1;			/* a free slot */
	tags[1] = tag | 15;			/* the last slot */
	tags[2] = tag | 16;			/* beyond the depth */
	tags[3] = tag | 0xffff;
	tags[4] = tag | UINT64_C(1) << 16;	/* another queue */
	tags[5] = tag | UINT64_C(0xffff) << 16;
	tags[6] = tag - (UINT64_C(1) << 32);	/* lives before, to come */
	tags[7] = tag + (UINT64_C(1) << 32);
	tags[8] = UINT64_MAX;			/* task management */
	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		for (form = 0; form < 4; form++) {
			rsp.tag = tags[i];
			rsp.req_lim_delta = form == 3 ? 0 : 1;
			rsp.status = form == 1 ? SCSI_STATUS_CHECK_CONDITION : 0;
			rsp.flags = form == 2 ? SRP_RSP_RSPVALID : 0;
			n = srp_iu_rsp_encode(&rsp, iu, sizeof(iu));
			must(hostile_send(&hostile, iu, (uint32_t)n));
			must(!poll_io() && is_alive());
			late++;
			ck_assert_uint_eq(
				rig_stats(&rig).late_responses, late);
		}
	}
	hostile_send_good(&hostile, tag);
	must(poll_io());
	ck_assert_uint_eq(rig_stats(&rig).errors, 0);
	down();
}
END_TEST

START_TEST(a_second_response_is_late_whenever_it_comes)
{
	uint64_t old;
	int i;

	up();
	for (i = 0; i < 100; i++) {
		start_io();
		old = tag;
		/* both there at once; then again when the slot is in use */
		hostile_send_good(&hostile, old);
		hostile_send_good(&hostile, old);
		must(poll_io());
		start_io();
		hostile_send_good(&hostile, old);
		must(!poll_io() && is_alive());
		hostile_send_good(&hostile, tag);
		must(poll_io());
	}
	ck_assert_uint_eq(rig_stats(&rig).late_responses, 200);
	ck_assert_uint_eq(rig_stats(&rig).errors, 0);
	down();
}
END_TEST

START_TEST(responses_before_their_commands_answer_nothing)
{
	uint64_t first;
	unsigned int i;

	up();
	start_io();
	first = tag & ~UINT64_C(0xffff);
	hostile_send_good(&hostile, tag);
	must(poll_io());
	for (i = 0; i < 32; i++) {
		hostile_send_good(&hostile, first + i);
		hostile_send_good(&hostile, first + (UINT64_C(1) << 32) + i);
		must(!poll_io());
	}
	ck_assert_uint_eq(rig_stats(&rig).late_responses, 64);
	for (i = 0; i < 32; i++) {
		start_io();
		must(!poll_io());
		hostile_send_good(&hostile, tag);
		must(poll_io());
	}
	down();
}
END_TEST

static void
make_cred_req(uint8_t iu[SRP_SMALL_BYTES], uint64_t its_tag, int32_t delta)
{
	struct srp_iu_small req = {
		.opcode = SRP_OP_CRED_REQ,
		.tag = its_tag,
		.req_lim_delta = delta,
	};

	srp_iu_small_encode(&req, iu);
}

/* Each of a flood of requests gets its answer, with its tag. */
START_TEST(a_flood_of_requests_is_answered)
{
	static const int32_t deltas[] = { 0, 1, -1, INT32_MAX, INT32_MIN,
		INT32_MAX, INT32_MAX };
	struct srp_iu_small rsp;
	uint64_t sent = 0, answered = 0;
	const uint8_t *iu;
	uint8_t req[SRP_SMALL_BYTES];
	uint32_t n, i;

	up();
	start_io();
	while (sent < 100000) {
		for (i = 0; i < 16; i++, sent++) {
			make_cred_req(req, sent,
				deltas[sent % ARRAY_SIZE(deltas)]);
			must(hostile_send(&hostile, req, sizeof(req)));
		}
		must(!poll_io() && is_alive());
		while ((iu = hostile_take(&hostile, &n)) != NULL) {
			must(!srp_iu_small_decode(iu, n, &rsp));
			must(rsp.opcode == SRP_OP_CRED_RSP);
			must(rsp.tag == answered);
			answered++;
		}
	}
	while (answered < sent) {
		must(!poll_io());
		while (hostile_take(&hostile, &n))
			answered++;
	}
	ck_assert_uint_eq(rig_stats(&rig).cred_reqs, sent);
	hostile_send_good(&hostile, tag);
	must(poll_io());
	down();
}
END_TEST

START_TEST(a_target_that_takes_no_answers_is_left)
{
	uint8_t req[SRP_SMALL_BYTES];
	char text[512];
	struct srpi_io *done;
	unsigned int i;

	up();
	hostile.link->withholds_receives = true;
	start_io();
	make_cred_req(req, 1, 0);
	for (i = 0; i < 1000 && is_alive(); i++) {
		while (hostile_take(&hostile, &(uint32_t){ 0 }))
			;
		hostile_send(&hostile, req, sizeof(req));
		if (srpi_poll(rig.queue, &done, 1) == 1)
			break;
	}
	must(!is_alive());
	ck_assert_ptr_eq(done, io);
	ck_assert_int_eq(srpi_result(io)->error, -EPROTO);
	srpi_explain(io, text, sizeof(text));
	ck_assert_msg(strstr(text, "faster than it takes answers"), "%s", text);
	srpi_put(io);
	reopen();
	start_io();
	finish_io();
	down();
}
END_TEST

START_TEST(an_idle_initiator_answers_requests)
{
	uint64_t give_up = clock_ns() + 10 * CLOCK_NS_PER_SEC;
	uint8_t req[SRP_SMALL_BYTES];
	const uint8_t *iu = NULL;
	uint32_t n;
	int i;

	up();
	start_io();
	hostile_send_good(&hostile, tag);
	must(poll_io());
	for (i = 0; i < 3; i++) {
		/* at once, and when the keeper has parked the channel */
		rig_sleep_ms(i * 700);
		make_cred_req(req, 77 + (uint64_t)i, 1);
		must(hostile_send(&hostile, req, sizeof(req)));
		while (!(iu = hostile_take(&hostile, &n))) {
			must(clock_ns() < give_up);
			rig_sleep_ms(5);
		}
		ck_assert_uint_eq(iu[0], SRP_OP_CRED_RSP);
	}
	start_io();
	finish_io();
	down();
}
END_TEST

START_TEST(a_storm_of_unit_attentions_ends)
{
	uint8_t sense[18] = { 0x70, 0, SCSI_KEY_UNIT_ATTENTION, 0, 0, 0, 0, 10,
		0, 0, 0, 0, 0x29 };
	struct srp_iu_rsp rsp = {
		.req_lim_delta = 1,
		.flags = SRP_RSP_SNSVALID,
		.status = SCSI_STATUS_CHECK_CONDITION,
		.sense = sense,
		.sense_len = sizeof(sense),
	};
	struct srpi_io *done;
	uint8_t iu[64];
	unsigned int tries = 0;
	size_t n;

	up();
	start_io();
	do {
		rsp.tag = tag;
		n = srp_iu_rsp_encode(&rsp, iu, sizeof(iu));
		must(hostile_send(&hostile, iu, (uint32_t)n));
		must(++tries < 100);
		if (srpi_poll(rig.queue, &done, 1) == 1)
			break;
	} while (take_command(&tag));
	ck_assert_uint_eq(tries, 17);
	ck_assert_int_eq(srpi_result(io)->error, -EIO);
	ck_assert_uint_eq(srpi_result(io)->sense_bytes, 18);
	ck_assert_uint_eq(srpi_result(io)->sense[12], 0x29);
	srpi_put(io);
	io = NULL;
	start_io();
	finish_io();
	down();
}
END_TEST

START_TEST(a_logout_is_told_in_its_own_words)
{
	struct srp_iu_small logout = {
		.opcode = SRP_OP_T_LOGOUT,
		.reason = SRP_T_LOGOUT_INACTIVE_CHANNEL,
	};
	uint8_t iu[SRP_SMALL_BYTES];
	struct srpi_io *done;
	char text[512];

	up();
	start_io();
	srp_iu_small_encode(&logout, iu);
	hostile_send(&hostile, iu, sizeof(iu));
	ck_assert_int_eq(srpi_poll(rig.queue, &done, 1), 1);
	ck_assert_int_eq(srpi_result(done)->error, -ECONNRESET);
	srpi_explain(done, text, sizeof(text));
	ck_assert_msg(strstr(text, srp_iu_t_logout_name(logout.reason)), "%s",
		text);
	srpi_put(done);
	down();
}
END_TEST

static void
add_tests(TCase *tcase)
{
	tcase_add_test(tcase, every_opcode_in_every_length);
	tcase_add_test(tcase, garbage);
	tcase_add_test(tcase, responses_of_every_form);
	tcase_add_test(tcase, tags_of_every_kind_are_late_responses);
	tcase_add_test(tcase, a_second_response_is_late_whenever_it_comes);
	tcase_add_test(tcase, responses_before_their_commands_answer_nothing);
	tcase_add_test(tcase, a_flood_of_requests_is_answered);
	tcase_add_test(tcase, a_target_that_takes_no_answers_is_left);
	tcase_add_test(tcase, an_idle_initiator_answers_requests);
	tcase_add_test(tcase, a_storm_of_unit_attentions_ends);
	tcase_add_test(tcase, a_logout_is_told_in_its_own_words);
}

int
main(void)
{
	TCase *tcase = tcase_create("core_hostile");

	hostile_seed();
	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	add_tests(tcase);
	return unit_run(tcase, "core_hostile");
}
