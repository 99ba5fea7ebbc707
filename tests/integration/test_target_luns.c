/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * LUNs that are added and removed while initiators are logged in: what each of
 * them is told, and that nobody else is disturbed.
 */
#include "luns_rig.h"

#include <errno.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "wire/scsi_sense.h"

/* ---- add, remove ---- */

START_TEST(a_lun_that_is_added_is_told_and_served)
{
	up(modes[_i], &plain);
	write_block(0, LAST, 1);
	add(300, "ram", LUN_BYTES);
	expect_attention(0, UA_INVENTORY);
	expect_attention(1, UA_INVENTORY);
	expect_attention(300, UA_INVENTORY);
	ck_assert_uint_eq(count_luns(&peer), 3);
	ck_assert_uint_eq(last_lba(300), LAST);
	write_block(300, LAST, 2);
	expect_block(300, LAST, 2);
	expect_block(300, 0, 0);
	expect_block(0, LAST, 1);
	all_down();
}
END_TEST

START_TEST(a_lun_that_is_removed_is_not_there_any_more)
{
	struct peer_cmd tur = test_unit_ready(1);
	struct peer_cmd inquiry = { .lun = 1, .dir = SCSI_DIR_IN, .len = 96 };
	struct srp_iu_rsp rsp;

	up(modes[_i], &plain);
	write_block(0, 7, 1);
	/* what it has to tell goes with it */
	ck_assert(!target_unit_attention(bed.target, 1, 0x29, 0, false));
	take_away(1);
	expect_sense(&tur, NO_LUN);
	expect_sense_on(&other, &tur, NO_LUN);
	scsi_cdb_inquiry(inquiry.cdb, 96);
	peer_do(&peer, &inquiry, &rsp);
	ck_assert_uint_eq(peer.data[0], 0x7f);
	expect_attention(0, UA_INVENTORY);
	ck_assert_uint_eq(count_luns(&peer), 1);
	expect_block(0, 7, 1);
	/* another one under its number is new */
	add(1, "ram", LUN_BYTES / 2);
	expect_attention(1, UA_INVENTORY);
	ck_assert_uint_eq(last_lba(1), LAST / 2);
	expect_block(1, 0, 0);
	all_down();
}
END_TEST

START_TEST(all_luns_can_go_and_come_back)
{
	int round, i;

	up(modes[_i], &plain);
	take_away(0);
	take_away(1);
	ck_assert_uint_eq(count_luns(&peer), 0);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < TARGET_MAX_LUNS; i++)
			add((uint16_t)(i * 7), "ram", 4096);
		ck_assert_uint_eq(count_luns(&peer), TARGET_MAX_LUNS);
		for (i = 0; i < TARGET_MAX_LUNS; i++)
			take_away((uint16_t)(i * 7));
	}
	ck_assert_uint_eq(count_luns(&peer), 0);
	all_down();
}
END_TEST

/* ---- commands under way ---- */

START_TEST(commands_of_a_removed_lun_end_with_sense)
{
	struct peer_cmd cmd = peer_rw(1, _i & 1, 0, 8, 512);
	struct peer_cmd tur = test_unit_ready(0);
	struct srp_iu_rsp rsp;
	int i;

	up(modes[_i / 2], &plain);
	target_set_faults(
		bed.target, &(struct target_faults){ .silent_every = 1 });
	for (i = 0; i < 10; i++) {
		peer_send(&peer, peer_build(&peer, &cmd));
		peer.credits--;
	}
	while (bed_stats(&bed).commands < 10)
		peer_expect_silence(&peer);
	target_set_faults(bed.target, &(struct target_faults){ 0 });
	take_away(1);
	for (i = 0; i < 10; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), NO_LUN);
		ck_assert_uint_eq(cmd.dir == SCSI_DIR_IN ?
					rsp.data_in_residual :
					rsp.data_out_residual,
			cmd.len);
	}
	ck_assert_int_eq(peer.credits, peer.login.req_lim_delta);
	expect_sense(&tur, UA_INVENTORY);
	all_down();
}
END_TEST

/*
 * Both LUNs are busy, with commands of every kind, when one goes: what is
 * its own ends one way or the other, the other LUN's is good.
 */
static void
send_mix(unsigned int nr)
{
	struct peer_cmd cmd;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		cmd = peer_rw(i & 1, i & 2, 0, 256, 512);
		cmd.nr_descs = i % 5 * 30;
		if (i % 7 == 6) {
			cmd = (struct peer_cmd){ .lun = i & 1,
				.dir = SCSI_DIR_OUT, .len = 512 };
			scsi_cdb_write_same(cmd.cdb, 0, 64, 0);
		}
		peer_send(&peer, peer_build(&peer, &cmd));
		peer.credits--;
	}
}

static void
reap_mix(unsigned int nr)
{
	struct srp_iu_rsp rsp;
	unsigned int i;
	uint64_t first = peer.next_tag - nr + 1;
	uint32_t sense;

	for (i = 0; i < nr; i++) {
		peer_recv_rsp(&peer, &rsp);
		sense = peer_sense(&rsp);
		if ((rsp.tag - first) & 1)
			ck_assert_msg(!sense || sense == NO_LUN, "%06x", sense);
		else
			ck_assert_msg(!sense || sense == UA_INVENTORY, "%06x",
				sense);
	}
	ck_assert_int_eq(peer.credits, peer.login.req_lim_delta);
}

static void
settle(struct peer *p)
{
	struct srp_iu_rsp rsp;
	struct peer_cmd tur;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		tur = test_unit_ready(i);
		do
			peer_do(p, &tur, &rsp);
		while (peer_sense(&rsp) == UA_INVENTORY);
		ck_assert_uint_eq(rsp.status, 0);
	}
}

START_TEST(a_lun_goes_amid_io_on_it_and_others)
{
	struct target_attr attr = any_kind;
	int round;

	if (_i / NR_MODES == 0)
		attr = plain;
	up(modes[_i % NR_MODES], &attr);
	for (round = 0; round < 20; round++) {
		settle(&peer);
		send_mix(60);
		take_away(1);
		reap_mix(60);
		add(1, "ram", LUN_BYTES);
	}
	all_down();
}
END_TEST

START_TEST(memory_of_a_removed_lun_is_given_back)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 1, 512);
	struct srp_iu_rsp rsp;
	int nr, i;

	up(modes[_i], &plain);
	settle(&peer);
	settle(&other);
	nr = __atomic_load_n(&nr_mrs, __ATOMIC_SEQ_CST);
	take_away(1);
	/* at the next I/O of each channel */
	for (i = 0; __atomic_load_n(&nr_mrs, __ATOMIC_SEQ_CST) != nr - 1;
		i++) {
		peer_do(&peer, &cmd, &rsp);
		peer_do(&other, &cmd, &rsp);
		usleep(1000);
		ck_assert_int_lt(i, 10000);
	}
	all_down();
}
END_TEST

/* ---- AER ---- */

/* The next IU is an AER_REQ that reports @code on LUN @lun; its tag. */
static uint64_t
expect_event(struct peer *p, uint16_t lun, uint32_t code)
{
	struct srp_iu_aer_req aer;
	struct scsi_sense sense;
	uint32_t bytes;
	const uint8_t *iu = peer_recv(p, &bytes);

	ck_assert_ptr_nonnull(iu);
	ck_assert_uint_eq(iu[0], SRP_OP_AER_REQ);
	ck_assert_int_eq(srp_iu_aer_req_decode(iu, bytes, &aer), 0);
	ck_assert_uint_eq(get_be16(aer.lun.b), lun);
	ck_assert_int_eq(
		scsi_sense_decode(aer.sense, aer.sense_len, &sense), 0);
	ck_assert_uint_eq((uint32_t)sense.key << 16 | sense.asc << 8 |
			sense.ascq, code);
	return aer.tag;
}

static void
answer_event(struct peer *p, uint64_t tag)
{
	struct srp_iu_small rsp = { .opcode = SRP_OP_AER_RSP, .tag = tag };

	srp_iu_small_encode(&rsp, p->iu);
	peer_send(p, SRP_SMALL_BYTES);
}

START_TEST(idle_initiators_are_told_by_an_event)
{
	struct target_attr attr = { .wants_aer = true };
	struct peer_cmd cmd = peer_rw(0, false, 0, 1, 512);
	struct peer second;
	uint64_t tag;

	up(modes[_i], &attr);
	connect_as(&second, 1);
	/* a nexus with a command under way learns by its next one */
	target_set_faults(
		bed.target, &(struct target_faults){ .silent_every = 1 });
	peer_send(&other, peer_build(&other, &cmd));
	while (bed_stats(&bed).commands < 1)
		peer_expect_silence(&other);
	target_set_faults(bed.target, &(struct target_faults){ 0 });
	add(7, "ram", LUN_BYTES);
	tag = expect_event(&peer, 0, UA_INVENTORY);
	/* once a nexus, and one at a time: the newest waits */
	resize(7, 2 * LUN_BYTES);
	resize(1, 2 * LUN_BYTES);
	peer_expect_silence(&peer);
	peer_expect_silence(&second);
	peer_expect_silence(&other);
	answer_event(&peer, tag);
	answer_event(&peer, expect_event(&peer, 1, UA_CAPACITY));
	/* the attentions are there all the same */
	cmd = test_unit_ready(1);
	expect_sense(&cmd, UA_INVENTORY);
	expect_sense(&cmd, UA_CAPACITY);
	expect_good(&cmd);
	peer_close(&second);
	all_down();
}
END_TEST

/* ---- refusals ---- */

static void
refuses(int rc, int wanted, const char *said)
{
	ck_assert_int_eq(rc, wanted);
	ck_assert_msg(strstr(reason, said), "%s", reason);
}

START_TEST(what_cannot_be_is_refused_with_a_sentence)
{
	struct target_lun_attr lun = { .number = 1, .backend = "ram",
		.size_bytes = 4096 };
	struct target *t;

	up(SOFT_IRQ_SOFTIRQ, &plain);
	t = bed.target;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"LUN 1 is there already");
	lun.number = 16384;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"16383");
	lun.number = 2;
	lun.size_bytes = 1000;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"whole blocks");
	lun.backend = "null";
	lun.size_bytes = 4096;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EOPNOTSUPP,
		"null");
	lun.backend = "/nonexistent";
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -ENOENT,
		"/nonexistent");
	lun.backend = "/proc/self/exe";
	lun.flags = TARGET_LUN_RO;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EOPNOTSUPP,
		"a file");
	refuses(target_lun_remove(t, 9, reason, sizeof(reason)), -ENODEV,
		"LUN 9");
	refuses(target_lun_resize(t, 9, 512, reason, sizeof(reason)), -ENODEV,
		"LUN 9");
	refuses(target_lun_resize(t, 0, 0, reason, sizeof(reason)), -EINVAL,
		"a size is needed");
	refuses(target_lun_resize(t, 0, 1000, reason, sizeof(reason)), -EINVAL,
		"whole blocks");
	target_freeze(t, true);
	refuses(target_lun_remove(t, 0, reason, sizeof(reason)), -EBUSY,
		"frozen");
	target_freeze(t, false);
	ck_assert_uint_eq(count_luns(&peer), 2);
	all_down();
}
END_TEST

START_TEST(luns_are_listed_by_number)
{
	struct target_lun_info infos[TARGET_MAX_LUNS];

	up(SOFT_IRQ_SOFTIRQ, &plain);
	add(300, "ram", LUN_BYTES / 2);
	take_away(0);
	ck_assert_uint_eq(target_lun_list(bed.target, infos), 2);
	ck_assert_uint_eq(infos[0].number, 1);
	ck_assert_uint_eq(infos[1].number, 300);
	ck_assert_str_eq(infos[1].backend, "ram");
	ck_assert_uint_eq(infos[1].size_bytes, LUN_BYTES / 2);
	ck_assert_uint_eq(infos[1].block_bytes, 512);
	all_down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_luns");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(
		tcase, a_lun_that_is_added_is_told_and_served, 0, NR_MODES);
	tcase_add_loop_test(tcase, a_lun_that_is_removed_is_not_there_any_more,
		0, NR_MODES);
	tcase_add_loop_test(tcase, all_luns_can_go_and_come_back, 0, 2);
	tcase_add_loop_test(tcase, commands_of_a_removed_lun_end_with_sense, 0,
		2 * NR_MODES);
	tcase_add_loop_test(
		tcase, a_lun_goes_amid_io_on_it_and_others, 0, 2 * NR_MODES);
	tcase_add_loop_test(
		tcase, memory_of_a_removed_lun_is_given_back, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, idle_initiators_are_told_by_an_event, 0, NR_MODES);
	tcase_add_test(tcase, what_cannot_be_is_refused_with_a_sentence);
	tcase_add_test(tcase, luns_are_listed_by_number);
	return unit_run(tcase, "target_luns");
}
