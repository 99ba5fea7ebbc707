/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A target on a file: the path through libaio, seen from the wire. */
#include "../unit/unit.h"
#include "target_rig.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES (8u << 20)

static const uint32_t block_sizes[] = { 512, 520, 528, 4096, 4104, 4160 };

static char path[64];
static int fd;

static void
up(enum soft_irqmode mode, uint32_t block_bytes, uint32_t flags)
{
	struct target_lun_attr luns[] = {
		{ .number = 0, .backend = path, .block_bytes = block_bytes,
			.size_bytes = FILE_BYTES / block_bytes * block_bytes,
			.flags = flags },
		{ .number = 1, .backend = "ram", .size_bytes = 1 << 20 },
	};
	struct target_attr attr = { .luns = luns, .nr_luns = 2 };

	snprintf(path, sizeof(path), "test_target_file.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, FILE_BYTES));
	bed_create(&bed, mode, &attr);
	unlink(path);
	ck_assert(target_has_own_thread(bed.target));
	connect_as(&peer, 1);
}

static void
file_down(void)
{
	down();
	close(fd);
}

START_TEST(data_reaches_the_file_and_comes_back)
{
	uint32_t bs = block_sizes[_i / NR_MODES];
	static const uint32_t lens[] = { 1, 3, 33, 100, 0 };
	struct peer_cmd cmd;
	uint8_t *copy = malloc(PEER_DATA_BYTES);
	uint32_t nr, most;
	int k, descs;

	up(modes[_i % NR_MODES], bs, 0);
	most = PEER_DATA_BYTES / bs;
	for (k = 0; k < 5; k++) {
		nr = lens[k] ? lens[k] : most;
		for (descs = 1; descs < 20; descs += 9) {
			cmd = peer_rw(0, true, (uint32_t)k + 1, nr, bs);
			cmd.nr_descs = (unsigned int)descs;
			fill(peer.data, cmd.len, (uint32_t)(k * 100 + descs));
			memcpy(copy, peer.data, cmd.len);
			expect_good(&cmd);
			memset(peer.data, 0, PEER_DATA_BYTES);
			ck_assert_int_eq(pread(fd, peer.data, cmd.len,
						 (k + 1) * (off_t)bs),
				cmd.len);
			ck_assert_mem_eq(peer.data, copy, cmd.len);
			memset(peer.data, 0, PEER_DATA_BYTES);
			cmd = peer_rw(0, false, (uint32_t)k + 1, nr, bs);
			cmd.nr_descs = (unsigned int)(20 - descs);
			expect_good(&cmd);
			ck_assert_mem_eq(peer.data, copy, cmd.len);
		}
	}
	free(copy);
	file_down();
}
END_TEST

START_TEST(immediate_data_and_fua_reach_the_file)
{
	struct peer_cmd cmd = peer_rw(0, true, 3, 15, 512);
	uint8_t data[15 * 512];

	up(modes[_i], 512, 0);
	fill(peer.data, cmd.len, 77);
	cmd.immediate = true;
	cmd.cdb[1] = 0x08;
	expect_good(&cmd);
	ck_assert_int_eq(pread(fd, data, sizeof(data), 3 * 512), sizeof(data));
	ck_assert_mem_eq(data, peer.data, sizeof(data));
	cmd = (struct peer_cmd){ .lun = 0 };
	scsi_cdb_sync_cache(cmd.cdb, 0, 0, false);
	expect_good(&cmd);
	file_down();
}
END_TEST

START_TEST(many_are_in_flight_and_buffers_are_shared)
{
	struct peer_cmd cmd = peer_rw(0, _i & 1, 0, 2048, 512);
	struct peer_cmd small = peer_rw(1, false, 0, 1, 512);
	struct srp_iu_rsp rsp;
	int i;

	up(modes[_i / 2], 512, 0);
	cmd.nr_descs = 200;
	for (i = 0; i < 40; i++) {
		peer_send(&peer, peer_build(&peer, i % 5 ? &cmd : &small));
		peer.credits--;
	}
	for (i = 0; i < 40; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(rsp.status | rsp.flags, 0);
	}
	ck_assert_int_eq(peer.credits, 128);
	file_down();
}
END_TEST

START_TEST(a_reset_finds_io_in_flight)
{
	struct peer_cmd cmd = peer_rw(0, _i & 1, 0, 2048, 512);
	struct peer_cmd tur = { .lun = 0 };
	struct srp_iu_rsp rsp;
	unsigned int nr = 0;
	int i, round;

	scsi_cdb_test_unit_ready(tur.cdb);
	up(modes[_i / 2], 512, 0);
	cmd.nr_descs = 3;
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 30; i++) {
			peer_send(&peer, peer_build(&peer, &cmd));
			peer.credits--;
		}
		nr += peer_reset(&peer, SRP_TMF_LUN_RESET, 0, 0);
		peer_do(&peer, &tur, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), 0x062903);
	}
	/* how many were caught depends on the disk */
	ck_assert_uint_le(nr, 600);
	cmd = peer_rw(0, false, 0, 8, 512);
	expect_good(&cmd);
	file_down();
}
END_TEST

START_TEST(a_file_that_shrinks_is_a_medium_error)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 16, 512);
	struct srp_iu_rsp rsp;

	up(modes[_i], 512, 0);
	ck_assert(!ftruncate(fd, 4096));
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(peer_sense(&rsp), 0x031100);
	ck_assert_uint_eq(rsp.data_in_residual, 8192);
	cmd = peer_rw(0, false, 0, 8, 512);
	expect_good(&cmd);
	file_down();
}
END_TEST

START_TEST(unmap_makes_holes)
{
	struct peer_cmd cmd = { .lun = 0 };
	struct stat before, after;

	up(SOFT_IRQ_THREAD, 4096, 0);
	cmd = peer_rw(0, true, 0, 64, 4096);
	memset(peer.data, 0x5a, cmd.len);
	expect_good(&cmd);
	ck_assert(!fsync(fd) && !fstat(fd, &before));
	cmd = (struct peer_cmd){ .lun = 0 };
	scsi_cdb_write_same(cmd.cdb, 0, 64, SCSI_CMD_UNMAP | SCSI_CMD_NDOB);
	expect_good(&cmd);
	ck_assert(!fstat(fd, &after));
	ck_assert_int_lt(after.st_blocks, before.st_blocks);
	cmd = peer_rw(0, false, 0, 64, 4096);
	expect_good(&cmd);
	ck_assert_uint_eq(peer.data[0] | peer.data[cmd.len - 1], 0);
	file_down();
}
END_TEST

START_TEST(a_protected_file_is_not_written)
{
	struct peer_cmd cmd = peer_rw(0, true, 0, 1, 512);
	struct srp_iu_rsp rsp;

	up(SOFT_IRQ_THREAD, 512, TARGET_LUN_RO);
	peer_do(&peer, &cmd, &rsp);
	ck_assert_uint_eq(peer_sense(&rsp), 0x072700);
	cmd = peer_rw(0, false, 0, 1, 512);
	expect_good(&cmd);
	file_down();
}
END_TEST

START_TEST(a_disconnect_with_io_in_flight_does_no_harm)
{
	struct srp_iu_login_req req = peer_login_req(1);
	struct peer_cmd cmd;
	int i, k;

	up(modes[_i], 512, 0);
	for (i = 0; i < 20; i++) {
		for (k = 0; k < i; k++) {
			cmd = peer_rw(0, k & 1, 0, 1024, 512);
			cmd.nr_descs = 7;
			peer_send(&peer, peer_build(&peer, &cmd));
		}
		peer_close(&peer);
		ck_assert_int_eq(peer_connect(&peer, &bed, &req), 0);
	}
	file_down();
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("file");

	tcase_add_loop_test(
		tc, data_reaches_the_file_and_comes_back, 0, 6 * NR_MODES);
	tcase_add_loop_test(
		tc, immediate_data_and_fua_reach_the_file, 0, NR_MODES);
	tcase_add_loop_test(
		tc, many_are_in_flight_and_buffers_are_shared, 0, 2 * NR_MODES);
	tcase_add_loop_test(tc, a_reset_finds_io_in_flight, 0, 2 * NR_MODES);
	tcase_add_loop_test(
		tc, a_file_that_shrinks_is_a_medium_error, 0, NR_MODES);
	tcase_add_test(tc, unmap_makes_holes);
	tcase_add_test(tc, a_protected_file_is_not_written);
	tcase_add_loop_test(
		tc, a_disconnect_with_io_in_flight_does_no_harm, 0, NR_MODES);
	tcase_set_timeout(tc, 30);
	return unit_run(tc, "target_file");
}
