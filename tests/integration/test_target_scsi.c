/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Commands that move no data of the medium, and what is refused. */
#include "target_rig.h"

#include "../unit/unit.h"
#include "wire/scsi_data.h"

START_TEST(inquiry_and_capacity_arrive)
{
	struct peer_cmd cmd = { .dir = SCSI_DIR_IN, .len = 96 };
	struct scsi_inquiry inquiry;
	struct scsi_capacity capacity;
	struct srp_iu_rsp rsp;

	rig_up(modes[_i]);
	scsi_cdb_inquiry(cmd.cdb, 96);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_int_eq(scsi_data_inquiry_decode(peer.data, 96, &inquiry), 0);
	ck_assert_str_eq(inquiry.vendor, "SRPD");
	scsi_cdb_read_capacity_16(cmd.cdb, 32);
	cmd.len = 32;
	cmd.lun = 1;
	expect_good(&cmd);
	ck_assert_int_eq(
		scsi_data_capacity_16_decode(peer.data, 32, &capacity), 0);
	ck_assert_uint_eq(capacity.last_lba, (UINT64_C(1) << 28) - 1);
	ck_assert_uint_eq(capacity.block_bytes, 4096);
	down();
}
END_TEST

START_TEST(report_luns_is_answered_on_any_lun)
{
	struct peer_cmd cmd = {
		.dir = SCSI_DIR_IN,
		.len = 8 + 5 * 8,
		.lun = 77,
	};

	rig_up(SOFT_IRQ_SOFTIRQ);
	scsi_cdb_report_luns(cmd.cdb, cmd.len);
	expect_good(&cmd);
	ck_assert_uint_eq(get_be32(peer.data), 40);
	ck_assert_uint_eq(get_be16(peer.data + 8 + 32), 0x412c);
	down();
}
END_TEST

START_TEST(a_unit_that_is_not_there_is_told_so)
{
	struct peer_cmd cmd = { .lun = 77 };
	struct srp_iu_rsp rsp;

	rig_up(SOFT_IRQ_SOFTIRQ);
	scsi_cdb_test_unit_ready(cmd.cdb);
	expect_sense(&cmd, 0x052500);
	cmd = peer_rw(77, false, 0, 1, 512);
	expect_sense(&cmd, 0x052500);
	cmd.len = 96;
	scsi_cdb_inquiry(cmd.cdb, 96);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_uint_eq(peer.data[0], 0x7f);
	down();
}
END_TEST

START_TEST(bad_reads_and_writes_have_their_sense)
{
	static const struct {
		uint64_t lun, lba;
		uint32_t blocks;
		bool write;
		uint32_t sense;
	} rows[] = {
		{ 0, 8192, 1, false, 0x052100 },
		{ 0, 8191, 2, true, 0x052100 },
		{ 0, UINT64_MAX, 1, false, 0x052100 },
		{ 0, UINT64_MAX - 7, 16, true, 0x052100 },
		{ 3, 0, 1, true, 0x072700 },
		{ 300, 0, 17, false, 0x052400 },
	};
	struct peer_cmd cmd = peer_rw(
		rows[_i].lun, rows[_i].write, rows[_i].lba, rows[_i].blocks, 512);
	struct peer_cmd after = peer_rw(0, false, 0, 1, 512);

	rig_up(SOFT_IRQ_SOFTIRQ);
	expect_sense(&cmd, rows[_i].sense);
	expect_good(&after);
	ck_assert_uint_eq(bed_stats(&bed).check_conditions, 1);
	down();
}
END_TEST

START_TEST(bad_cdbs_have_their_sense)
{
	static const struct {
		uint8_t cdb[16];
		uint32_t sense;
	} rows[] = {
		{ { 0xee }, 0x052000 },
		{ { 0x7f, 0, 0, 0, 0, 0, 0, 0x18 }, 0x052000 },
		{ { 0x9e, 0x1f }, 0x052400 },
		{ { 0x28, 0x20, 0, 0, 0, 0, 0, 0, 1 }, 0x052400 },
		{ { 0x28, 0, 0, 0, 0, 0, 0, 0, 1, 4 }, 0x052400 },
		{ { 0x12, 1, 0xc0, 0, 96 }, 0x052400 },
		{ { 0x12, 0, 0x80, 0, 96 }, 0x052400 },
		{ { 0x1a, 0, 0x0a, 0, 96 }, 0x052400 },
		{ { 0x1b, 0, 0, 0, 0 }, 0x052400 },
		{ { 0x35, 0, 0, 1, 0, 0 }, 0x052100 },
		{ { 0x42, 0, 0, 0, 0, 0, 0, 0, 24 }, 0x051a00 },
	};
	struct peer_cmd cmd = { .lun = 0 };

	memcpy(cmd.cdb, rows[_i].cdb, 16);
	rig_up(SOFT_IRQ_SOFTIRQ);
	expect_sense(&cmd, rows[_i].sense);
	down();
}
END_TEST

START_TEST(commands_without_data_succeed)
{
	static const uint8_t cdbs[][16] = {
		{ 0x00 },
		{ 0x1b, 0, 0, 0, 1 },
		{ 0x35 },
		{ 0x91 },
		{ 0x2f, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x8f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x28 },
		{ 0x93, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x42 },
	};
	struct peer_cmd cmd = { .lun = 0 };

	memcpy(cmd.cdb, cdbs[_i], 16);
	rig_up(SOFT_IRQ_SOFTIRQ);
	expect_good(&cmd);
	down();
}
END_TEST

START_TEST(unmap_write_same_and_verify_take_their_data)
{
	static const struct scsi_unmap_range range = { 4, 2 };
	struct peer_cmd cmd = { .lun = 0, .dir = SCSI_DIR_OUT, .len = 512 };
	struct peer_cmd read = peer_rw(0, false, 0, 8, 512);
	uint32_t i;

	rig_up(modes[_i]);
	memset(peer.data, 0x77, 512);
	scsi_cdb_write_same(cmd.cdb, 0, 8, 0);
	expect_good(&cmd);
	cmd.len = (uint32_t)scsi_data_unmap_encode(
		&range, 1, peer.data + 4096, 64);
	cmd.off = 4096;
	scsi_cdb_unmap(cmd.cdb, (uint16_t)cmd.len);
	expect_good(&cmd);
	expect_good(&read);
	for (i = 0; i < 8; i++)
		ck_assert_uint_eq(peer.data[i * 512 + i],
			i == 4 || i == 5 ? 0 : 0x77);
	cmd = (struct peer_cmd){ .dir = SCSI_DIR_OUT, .len = 4096 };
	scsi_cdb_verify(cmd.cdb, 0, 8, 1);
	expect_good(&cmd);
	peer.data[4095] ^= 1;
	expect_sense(&cmd, 0x0e1d00);
	down();
}
END_TEST

START_TEST(sense_is_asked_for_and_told_once)
{
	struct peer_cmd tur = { .lun = 0 };
	struct peer_cmd sense = { .lun = 0, .dir = SCSI_DIR_IN, .len = 18 };

	rig_up(modes[_i]);
	scsi_cdb_test_unit_ready(tur.cdb);
	scsi_cdb_request_sense(sense.cdb, false, 18);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x2a, 0x09, false), 0);
	expect_sense(&tur, 0x062a09);
	expect_good(&tur);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x29, 0x00, false), 0);
	expect_good(&sense);
	ck_assert_uint_eq(peer.data[2] & 0xf, 6);
	ck_assert_uint_eq(peer.data[12], 0x29);
	expect_good(&tur);
	ck_assert_int_eq(target_not_ready(bed.target, 0, 4, 1), 0);
	expect_sense(&tur, 0x020401);
	expect_sense(&tur, 0x020401);
	ck_assert_int_eq(target_not_ready(bed.target, 0, 0, 0), 0);
	expect_good(&tur);
	down();
}
END_TEST

START_TEST(a_new_nexus_gets_the_attentions_kept_for_it)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd tur = { .lun = 0 };

	scsi_cdb_test_unit_ready(tur.cdb);
	rig_bed(SOFT_IRQ_SOFTIRQ);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x29, 0, true), 0);
	ck_assert_int_eq(
		target_unit_attention(bed.target, 0, 0x3f, 0x0e, true), 0);
	ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	expect_sense(&tur, 0x062900);
	expect_sense(&tur, 0x063f0e);
	expect_good(&tur);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_scsi");

	tcase_add_loop_test(tcase, inquiry_and_capacity_arrive, 0, NR_MODES);
	tcase_add_test(tcase, report_luns_is_answered_on_any_lun);
	tcase_add_test(tcase, a_unit_that_is_not_there_is_told_so);
	tcase_add_loop_test(tcase, bad_reads_and_writes_have_their_sense, 0, 6);
	tcase_add_loop_test(tcase, bad_cdbs_have_their_sense, 0, 11);
	tcase_add_loop_test(tcase, commands_without_data_succeed, 0, 9);
	tcase_add_loop_test(
		tcase, unmap_write_same_and_verify_take_their_data, 0, NR_MODES);
	tcase_add_loop_test(tcase, sense_is_asked_for_and_told_once, 0, NR_MODES);
	tcase_add_test(tcase, a_new_nexus_gets_the_attentions_kept_for_it);
	tcase_set_timeout(tcase, 30);
	return unit_run(tcase, "target_scsi");
}
