/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * LUNs that get another size or protection while initiators are logged in, and
 * the files behind them.
 */
#include "luns_rig.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/unit.h"

/* ---- resize, protect ---- */

START_TEST(ram_grows_and_shrinks)
{
	struct peer_cmd last = peer_rw(1, false, LAST, 1, 512);

	up(modes[_i], &plain);
	write_block(1, 0, 1);
	write_block(1, LAST, 2);
	resize(1, 4 * LUN_BYTES);
	expect_attention(1, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(1), LUN_BYTES * 4 / 512 - 1);
	expect_block(1, 0, 1);
	expect_block(1, LAST, 2);
	expect_block(1, LAST + 1, 0);
	write_block(1, 4 * LAST, 3);
	expect_block(1, 4 * LAST, 3);
	resize(1, LUN_BYTES / 2);
	expect_attention(1, UA_CAPACITY);
	expect_sense(&last, BEYOND);
	expect_block(1, 0, 1);
	/* what was cut off is gone */
	resize(1, LUN_BYTES);
	expect_attention(1, UA_CAPACITY);
	expect_block(1, LAST, 0);
	/* the same size is no change */
	resize(1, LUN_BYTES);
	last = test_unit_ready(1);
	expect_good(&last);
	expect_block(0, 0, 0);
	all_down();
}
END_TEST

static atomic_bool is_over;
static atomic_uint nr_resized;

static void *
keep_resizing(void *arg)
{
	char why[256];
	unsigned int i;

	(void)arg;
	for (i = 0; !atomic_load(&is_over); i++) {
		if (target_lun_resize(bed.target, 1,
			    LUN_BYTES * (1 + i % 3), why, sizeof(why)))
			return "resizing failed";
		atomic_fetch_add(&nr_resized, 1);
	}
	return NULL;
}

/* Attentions are consumed, everything else must be good. */
static void
do_through(const struct peer_cmd *cmd)
{
	struct srp_iu_rsp rsp;

	do
		peer_do(&peer, cmd, &rsp);
	while (peer_sense(&rsp) == UA_CAPACITY);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_uint_eq(rsp.flags, 0);
}

START_TEST(data_survives_any_number_of_resizes)
{
	struct peer_cmd write = peer_rw(1, true, 3, 200, 512);
	struct peer_cmd read = peer_rw(1, false, 3, 200, 512);
	uint8_t *copy = malloc(write.len);
	pthread_t thread;
	void *failed;
	uint32_t i;

	up(modes[_i], &plain);
	read.off = write.len;
	write.nr_descs = 9;
	ck_assert(!pthread_create(&thread, NULL, keep_resizing, NULL));
	for (i = 0; i < 200 || atomic_load(&nr_resized) < 10; i++) {
		fill(peer.data, write.len, i + 1);
		memcpy(copy, peer.data, write.len);
		do_through(&write);
		do_through(&read);
		ck_assert_mem_eq(peer.data + read.off, copy, write.len);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, &failed);
	ck_assert_ptr_null(failed);
	free(copy);
	all_down();
}
END_TEST

START_TEST(protection_is_told_and_kept)
{
	struct peer_cmd write = peer_rw(1, true, 0, 1, 512);

	up(modes[_i], &plain);
	write_block(1, 0, 5);
	changes(target_lun_protect(
		bed.target, 1, true, reason, sizeof(reason)));
	expect_attention(1, UA_MODE);
	expect_sense(&write, 0x072700);
	expect_block(1, 0, 5);
	changes(target_lun_protect(
		bed.target, 1, true, reason, sizeof(reason)));
	changes(target_lun_protect(
		bed.target, 1, false, reason, sizeof(reason)));
	expect_attention(1, UA_MODE);
	write_block(1, 0, 6);
	all_down();
}
END_TEST

/* ---- null, files ---- */

START_TEST(every_kind_can_be_added_to_a_target_made_for_it)
{
	char path[] = "test_target_luns.XXXXXX";
	struct peer_cmd write = peer_rw(5, true, 0, 2048, 512);
	struct srp_iu_rsp rsp;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, 2 * LUN_BYTES));
	up(modes[_i], &any_kind);
	ck_assert(target_has_own_thread(bed.target));
	add(4, "null", UINT64_C(1) << 40);
	add(5, path, 0);
	expect_attention(5, UA_INVENTORY);
	expect_attention(4, UA_INVENTORY);
	ck_assert_uint_eq(last_lba(5), 2 * LUN_BYTES / 512 - 1);
	write_block(5, LAST, 1);
	expect_block(5, LAST, 1);
	write_block(4, 5, 1);
	expect_block(4, 5, 0);
	resize(4, UINT64_C(1) << 41);
	expect_attention(4, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(4), (UINT64_C(1) << 32) - 1);
	/* the file goes while it is written to */
	peer_send(&peer, peer_build(&peer, &write));
	peer.credits--;
	take_away(5);
	peer_recv_rsp(&peer, &rsp);
	ck_assert(!peer_sense(&rsp) || peer_sense(&rsp) == NO_LUN);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

/* Loop: file given by its own size, or by size= */
START_TEST(a_file_is_as_long_as_it_is)
{
	char path[] = "test_target_luns.XXXXXX";
	struct target_lun_attr lun = { .number = 5, .backend = path };
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, LUN_BYTES));
	lun.size_bytes = _i ? LUN_BYTES : 0;
	up(SOFT_IRQ_THREAD, &attr);
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), 0);
	write_block(5, LAST, 1);
	ck_assert(!ftruncate(fd, 2 * LUN_BYTES));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), !_i);
	if (_i)
		resize(5, 0);
	expect_attention(5, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(5), 2 * LUN_BYTES / 512 - 1);
	expect_block(5, LAST, 1);
	write_block(5, 2 * LAST, 2);
	/* and now by itself in either case */
	ck_assert(!ftruncate(fd, LUN_BYTES));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), 1);
	expect_attention(5, UA_CAPACITY);
	ck_assert(!ftruncate(fd, 1000));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), -EINVAL);
	ck_assert_msg(strstr(reason, path), "%s", reason);
	ck_assert_int_eq(target_lun_resize(bed.target, 5, 2 * LUN_BYTES, reason,
				 sizeof(reason)), -EINVAL);
	ck_assert_msg(strstr(reason, path), "%s", reason);
	ck_assert_uint_eq(last_lba(5), LAST);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

START_TEST(a_protected_file_can_become_writable)
{
	char path[] = "test_target_luns.XXXXXX";
	struct target_lun_attr lun = { .backend = path,
		.flags = TARGET_LUN_RO };
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	struct peer_cmd write = peer_rw(0, true, 0, 1, 512);
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, LUN_BYTES));
	up(modes[_i], &attr);
	expect_sense(&write, 0x072700);
	changes(target_lun_protect(
		bed.target, 0, false, reason, sizeof(reason)));
	expect_attention(0, UA_MODE);
	write_block(0, 0, 6);
	expect_block(0, 0, 6);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("target_resize");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, ram_grows_and_shrinks, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, data_survives_any_number_of_resizes, 0, NR_MODES);
	tcase_add_loop_test(tcase, protection_is_told_and_kept, 0, NR_MODES);
	tcase_add_loop_test(tcase,
		every_kind_can_be_added_to_a_target_made_for_it, 0, NR_MODES);
	tcase_add_loop_test(tcase, a_file_is_as_long_as_it_is, 0, 2);
	tcase_add_loop_test(
		tcase, a_protected_file_can_become_writable, 0, 2);
	return unit_run(tcase, "target_resize");
}
