/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Task management and scripted faults, as an initiator sees them. A command
 * that stays under way is made by the fault that swallows responses.
 */
#include "peer.h"

#include <stdlib.h>
#include <unistd.h>

#include "wire/scsi_lun.h"
#include "wire/scsi_sense.h"

static const enum soft_irqmode modes[] = { SOFT_IRQ_SOFTIRQ, SOFT_IRQ_THREAD,
	SOFT_IRQ_NONE, SOFT_IRQ_TIMER };
#define NR_MODES 4

static const struct target_lun_attr luns[] = {
	{ .number = 0, .backend = "ram", .size_bytes = 4 << 20 },
	{ .number = 1, .backend = "null", .size_bytes = 1 << 30 },
};

static struct bed bed;
static struct peer peer;

static void
bed_up(enum soft_irqmode mode)
{
	struct target_attr attr = {
		.luns = luns,
		.nr_luns = ARRAY_SIZE(luns),
		.req_lim = 16,
	};

	bed_create(&bed, mode, &attr);
}

static void
connect_as(struct peer *p, uint8_t initiator)
{
	struct srp_iu_login_req req = peer_login_req(initiator);

	ck_assert_int_eq(peer_connect(p, &bed, &req), 0);
}

static void
up(enum soft_irqmode mode)
{
	bed_up(mode);
	connect_as(&peer, 1);
}

static void
down(void)
{
	peer_close(&peer);
	bed_destroy(&bed);
}

static void
set_faults(struct target_faults faults)
{
	target_set_faults(bed.target, &faults);
}

static void
no_faults(void)
{
	set_faults((struct target_faults){ 0 });
}

static uint64_t
send_tmf(struct peer *p, uint8_t function, uint64_t lun, uint64_t task_tag)
{
	struct srp_iu_tsk_mgmt tm = {
		.tag = UINT64_C(0xabcd000000000000) | ++p->next_tag,
		.function = function,
		.task_tag = task_tag,
	};

	ck_assert_int_eq(scsi_lun_from_number(lun, &tm.lun), 0);
	srp_iu_tsk_mgmt_encode(&tm, (struct srp_tsk_mgmt *)p->iu);
	p->credits--;
	peer_send(p, sizeof(struct srp_tsk_mgmt));
	return tm.tag;
}

static void
expect_tmf(struct peer *p, uint64_t tag, uint8_t code)
{
	struct srp_iu_rsp rsp;

	peer_recv_rsp(p, &rsp);
	ck_assert_uint_eq(rsp.tag, tag);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_RSPVALID);
	ck_assert_uint_eq(rsp.rsp_code, code);
}

static void
do_tmf(uint8_t function, uint64_t lun, uint64_t task_tag, uint8_t code)
{
	expect_tmf(&peer, send_tmf(&peer, function, lun, task_tag), code);
}

/* A READ whose response never comes; its tag. */
static uint64_t
send_swallowed(struct peer *p, uint64_t lun)
{
	struct peer_cmd cmd = peer_rw(lun, false, 0, 8, 512);

	set_faults((struct target_faults){ .silent_every = 1 });
	peer_send(p, peer_build(p, &cmd));
	p->credits--;
	peer_expect_silence(p);
	no_faults();
	return p->next_tag;
}

static uint32_t
test_unit(struct peer *p, uint64_t lun)
{
	struct peer_cmd cmd = { .lun = lun };
	struct srp_iu_rsp rsp;

	scsi_cdb_test_unit_ready(cmd.cdb);
	peer_do(p, &cmd, &rsp);
	return peer_sense(&rsp);
}

START_TEST(abort_ends_a_command_and_returns_its_credit)
{
	uint64_t tag;

	up(modes[_i]);
	tag = send_swallowed(&peer, 0);
	do_tmf(SRP_TMF_ABORT_TASK, 0, tag + 1000, SRP_RSP_CODE_FAILED);
	do_tmf(SRP_TMF_ABORT_TASK, 1, tag, SRP_RSP_CODE_FAILED);
	ck_assert_int_eq(peer.credits, 15);
	do_tmf(SRP_TMF_ABORT_TASK, 0, tag, SRP_RSP_CODE_COMPLETE);
	ck_assert_int_eq(peer.credits, 16);
	do_tmf(SRP_TMF_ABORT_TASK, 0, tag, SRP_RSP_CODE_FAILED);
	ck_assert_uint_eq(test_unit(&peer, 0), 0);
	ck_assert_uint_eq(bed_stats(&bed).task_management, 4);
	down();
}
END_TEST

START_TEST(functions_that_srp_does_not_have_are_not_supported)
{
	static const uint8_t functions[] = { 0x00, 0x03, 0x10, 0x20, 0x40,
		0xff };

	up(SOFT_IRQ_SOFTIRQ);
	do_tmf(functions[_i], 0, 0, SRP_RSP_CODE_NOT_SUPPORTED);
	down();
}
END_TEST

START_TEST(a_set_function_on_no_lun_fails)
{
	up(SOFT_IRQ_SOFTIRQ);
	do_tmf(SRP_TMF_LUN_RESET, 77, 0, SRP_RSP_CODE_FAILED);
	down();
}
END_TEST

START_TEST(lun_reset_aborts_all_of_its_lun_and_is_told_to_all)
{
	struct peer other;
	struct peer_cmd cmd;

	up(modes[_i]);
	connect_as(&other, 2);
	send_swallowed(&peer, 0);
	send_swallowed(&peer, 0);
	send_swallowed(&peer, 1);
	send_swallowed(&other, 0);
	do_tmf(SRP_TMF_LUN_RESET, 0, 0, SRP_RSP_CODE_COMPLETE);
	ck_assert_int_eq(peer.credits, 15);
	/* the other learns of its credit without asking */
	{
		uint32_t bytes;
		const uint8_t *iu = peer_recv(&other, &bytes);
		struct srp_iu_small cred;

		ck_assert_ptr_nonnull(iu);
		ck_assert_int_eq(srp_iu_small_decode(iu, bytes, &cred), 0);
		ck_assert_uint_eq(cred.opcode, SRP_OP_CRED_REQ);
		ck_assert_int_eq(cred.req_lim_delta, 1);
		cred.opcode = SRP_OP_CRED_RSP;
		srp_iu_small_encode(&cred, other.iu);
		peer_send(&other, SRP_SMALL_BYTES);
	}
	ck_assert_uint_eq(test_unit(&peer, 1), 0);
	ck_assert_uint_eq(test_unit(&peer, 0), 0x062903);
	ck_assert_uint_eq(test_unit(&other, 0), 0x062903);
	ck_assert_uint_eq(test_unit(&peer, 0), 0);
	cmd = peer_rw(0, false, 0, 8, 512);
	{
		struct srp_iu_rsp rsp;

		peer_do(&other, &cmd, &rsp);
		ck_assert_uint_eq(rsp.status, 0);
	}
	peer_close(&other);
	down();
}
END_TEST

START_TEST(abort_task_set_spares_other_initiators_and_clear_does_not)
{
	struct peer sibling, other;
	uint64_t tag;

	up(modes[_i]);
	connect_as(&sibling, 1);
	connect_as(&other, 2);
	send_swallowed(&sibling, 0);
	tag = send_swallowed(&other, 0);
	do_tmf(SRP_TMF_ABORT_TASK_SET, 0, 0, SRP_RSP_CODE_COMPLETE);
	expect_tmf(&other, send_tmf(&other, SRP_TMF_ABORT_TASK, 0, tag),
		SRP_RSP_CODE_COMPLETE);
	tag = send_swallowed(&other, 0);
	do_tmf(SRP_TMF_CLEAR_TASK_SET, 0, 0, SRP_RSP_CODE_COMPLETE);
	{
		uint32_t bytes;

		ck_assert_ptr_nonnull(peer_recv(&other, &bytes));
		ck_assert_uint_eq(bytes, SRP_SMALL_BYTES);
	}
	expect_tmf(&other, send_tmf(&other, SRP_TMF_ABORT_TASK, 0, tag),
		SRP_RSP_CODE_FAILED);
	ck_assert_uint_eq(test_unit(&other, 0), 0x062f00);
	ck_assert_uint_eq(test_unit(&peer, 0), 0);
	peer_close(&sibling);
	peer_close(&other);
	down();
}
END_TEST

/* Resets from several channels at once, some of which leave. */
START_TEST(resets_queue_up_and_survive_their_senders)
{
	struct peer more[4];
	int i;

	up(modes[_i]);
	for (i = 0; i < 4; i++) {
		connect_as(&more[i], (uint8_t)(2 + i));
		send_tmf(&more[i], SRP_TMF_LUN_RESET, 0, 0);
	}
	peer_close(&more[0]);
	peer_close(&more[3]);
	do_tmf(SRP_TMF_LUN_RESET, 1, 0, SRP_RSP_CODE_COMPLETE);
	for (i = 1; i < 3; i++) {
		struct srp_iu_rsp rsp;

		peer_recv_rsp(&more[i], &rsp);
		ck_assert_uint_eq(rsp.rsp_code, SRP_RSP_CODE_COMPLETE);
		peer_close(&more[i]);
	}
	down();
}
END_TEST

START_TEST(logins_are_rejected_by_script_and_counted)
{
	struct srp_iu_login_req req = peer_login_req(1);

	bed_up(SOFT_IRQ_SOFTIRQ);
	set_faults((struct target_faults){
		.login_rej_reason = SRP_REJ_CHANNEL_LIMIT_REACHED,
		.login_rej_count = 1,
		.cm_reject_stale = 1,
	});
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, 0);
	peer_close(&peer);
	ck_assert_int_lt(peer_connect(&peer, &bed, &req), 0);
	ck_assert_uint_eq(peer.reject_reason, SRP_REJ_CHANNEL_LIMIT_REACHED);
	ck_assert_uint_eq(peer.reject_tag, 0x4711);
	peer_close(&peer);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	down();
}
END_TEST

static const uint8_t *
raw_response(uint32_t *bytes)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);

	peer_send(&peer, peer_build(&peer, &cmd));
	return peer_recv(&peer, bytes);
}

START_TEST(responses_are_spoiled_by_script)
{
	const uint8_t *iu;
	uint32_t bytes;

	up(modes[_i]);
	set_faults((struct target_faults){ .bad_length_every = 1 });
	ck_assert_ptr_nonnull(raw_response(&bytes));
	ck_assert_uint_eq(bytes, 20);
	set_faults((struct target_faults){ .bad_tag_every = 2 });
	iu = raw_response(&bytes);
	ck_assert_uint_eq(get_be64(iu + 8), peer.next_tag);
	iu = raw_response(&bytes);
	ck_assert_uint_eq(bytes, 36);
	ck_assert_uint_ne(get_be64(iu + 8), peer.next_tag);
	set_faults((struct target_faults){ .bad_opcode_every = 1 });
	iu = raw_response(&bytes);
	ck_assert_uint_eq(iu[0], 0xee);
	set_faults((struct target_faults){ .long_iu_every = 1 });
	iu = raw_response(&bytes);
	ck_assert_uint_eq(bytes, 600);
	ck_assert_uint_eq(iu[0], SRP_OP_RSP);
	no_faults();
	raw_response(&bytes);
	ck_assert_uint_eq(bytes, 36);
	down();
}
END_TEST

START_TEST(status_and_residual_are_scripted)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct srp_iu_rsp rsp;

	up(SOFT_IRQ_SOFTIRQ);
	set_faults((struct target_faults){
		.status = SCSI_STATUS_BUSY,
		.status_every = 2,
	});
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, SCSI_STATUS_BUSY);
	ck_assert_uint_eq(rsp.data_in_residual, 4096);
	set_faults((struct target_faults){ .residual_bytes = 100 });
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_DIUNDER);
	ck_assert_uint_eq(rsp.data_in_residual, 100);
	set_faults((struct target_faults){ .residual_bytes = -7 });
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.flags, SRP_RSP_DIOVER);
	ck_assert_uint_eq(rsp.data_in_residual, 7);
	down();
}
END_TEST

START_TEST(deltas_are_shifted_and_may_be_negative)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct srp_iu_rsp rsp;

	up(SOFT_IRQ_SOFTIRQ);
	set_faults((struct target_faults){ .rsp_delta = -3 });
	peer_do(&peer, &cmd, &rsp);
	ck_assert_int_eq(rsp.req_lim_delta, -2);
	ck_assert_int_eq(peer.credits, 13);
	down();
}
END_TEST

/* Credits by CRED_REQ or AER_REQ only: use all of them, twice. */
START_TEST(credits_come_by_request)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	bool by_aer = _i & 1;
	uint8_t asks = by_aer ? SRP_OP_AER_REQ : SRP_OP_CRED_REQ;
	struct srp_iu_rsp rsp;
	int nr_rsp = 0, nr_ask = 0;
	const uint8_t *iu;
	uint32_t bytes;

	up(modes[_i / 2]);
	set_faults((struct target_faults){
		.cred_by_req = !by_aer,
		.aer_by_req = by_aer,
	});
	while (nr_rsp < 48 || peer.credits < 16) {
		if (peer.credits > 0 && nr_rsp < 48) {
			peer_send(&peer, peer_build(&peer, &cmd));
			peer.credits--;
		}
		iu = peer_recv(&peer, &bytes);
		ck_assert_ptr_nonnull(iu);
		if (iu[0] == SRP_OP_RSP) {
			ck_assert_int_eq(srp_iu_rsp_decode(iu, bytes, &rsp), 0);
			ck_assert_int_eq(rsp.req_lim_delta, 0);
			nr_rsp++;
			continue;
		}
		ck_assert_uint_eq(iu[0], asks);
		ck_assert_uint_ge(bytes, by_aer ? 36 : 16);
		nr_ask++;
		peer.credits += (int32_t)get_be32(iu + 4);
		memset(peer.iu, 0, 16);
		peer.iu[0] = by_aer ? SRP_OP_AER_RSP : SRP_OP_CRED_RSP;
		memcpy(peer.iu + 8, iu + 8, 8);
		peer_send(&peer, 16);
	}
	ck_assert_int_gt(nr_ask, 0);
	ck_assert_int_eq(peer.credits, 16);
	down();
}
END_TEST

START_TEST(a_frozen_target_answers_when_it_thaws)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 8, 512);
	struct srp_iu_rsp rsp;
	int i;

	up(modes[_i]);
	target_freeze(bed.target, true);
	for (i = 0; i < 10; i++)
		peer_send(&peer, peer_build(&peer, &cmd));
	peer_expect_silence(&peer);
	target_freeze(bed.target, false);
	for (i = 0; i < 10; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(rsp.status, 0);
	}
	target_freeze(bed.target, true);
	peer_send(&peer, peer_build(&peer, &cmd));
	bed_destroy(&bed);
	peer_wait_closed(&peer);
	peer_close(&peer);
}
END_TEST

START_TEST(swallowed_commands_do_not_outlive_the_channel)
{
	up(modes[_i]);
	send_swallowed(&peer, 0);
	peer_close(&peer);
	bed_wait_channels(&bed, 0);
	connect_as(&peer, 1);
	ck_assert_int_eq(peer.login.req_lim_delta, 16);
	ck_assert_uint_eq(test_unit(&peer, 0), 0);
	down();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("target_faults");
	TCase *tmf = tcase_create("tmf");
	TCase *faults = tcase_create("faults");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(
		tmf, abort_ends_a_command_and_returns_its_credit, 0, NR_MODES);
	tcase_add_loop_test(tmf,
		functions_that_srp_does_not_have_are_not_supported, 0, 6);
	tcase_add_test(tmf, a_set_function_on_no_lun_fails);
	tcase_add_loop_test(tmf,
		lun_reset_aborts_all_of_its_lun_and_is_told_to_all, 0, NR_MODES);
	tcase_add_loop_test(tmf,
		abort_task_set_spares_other_initiators_and_clear_does_not, 0,
		NR_MODES);
	tcase_add_loop_test(
		tmf, resets_queue_up_and_survive_their_senders, 0, NR_MODES);
	tcase_set_timeout(tmf, 20);
	suite_add_tcase(suite, tmf);

	tcase_add_test(faults, logins_are_rejected_by_script_and_counted);
	tcase_add_loop_test(faults, responses_are_spoiled_by_script, 0, NR_MODES);
	tcase_add_test(faults, status_and_residual_are_scripted);
	tcase_add_test(faults, deltas_are_shifted_and_may_be_negative);
	tcase_add_loop_test(faults, credits_come_by_request, 0, 2 * NR_MODES);
	tcase_add_loop_test(
		faults, a_frozen_target_answers_when_it_thaws, 0, NR_MODES);
	tcase_add_loop_test(faults,
		swallowed_commands_do_not_outlive_the_channel, 0, NR_MODES);
	tcase_set_timeout(faults, 20);
	suite_add_tcase(suite, faults);

	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
