/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the srp group of blktests does to a kernel initiator, done to this
 * one: long transfers with many descriptors and with one, buffers in pieces,
 * resets under I/O. The numbers are those of its cases.
 *
 * SRPI_TEST_URL names the target, whose LUN is written to; without it an
 * embedded one is used.
 */
#include "client.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/compiler.h"

#define MIB ((size_t)1 << 20)
#define MAX_PIECES 255u
#define GAP 4096u
#define CANARY 0xee
#define DEPTH 32

static struct client client;
static struct srpi_queue *queue;

static void
up(const char *keys)
{
	const char *given = getenv("SRPI_TEST_URL");
	char url[512];
	int len;

	if (!given)
		given = "demo://ram?size=32M";
	len = snprintf(url, sizeof(url), "%s%c%s", given,
		strchr(given, '?') ? '&' : '?', keys);
	ck_assert(len > 0 && (size_t)len < sizeof(url));
	client_open(&client, url);
	queue = client_queue(&client, SRPI_COMPLETION_DEFAULT, DEPTH);
}

static void
down(void)
{
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	client_close(&client);
}

/* @nr pieces of together @bytes, each but the last of @bytes / @nr. */
struct pieces {
	struct iovec iov[MAX_PIECES];
	unsigned int nr;
	size_t bytes;
	uint8_t *buf, *end;
};

static void
pieces_init(struct pieces *pieces, size_t bytes, unsigned int nr, size_t gap)
{
	size_t each = bytes / nr, len;
	unsigned int i;

	/* with gaps, as pages lie in memory: borders at whole blocks */
	if (nr > 1)
		each -= each % client.info.block_bytes;
	*pieces = (struct pieces){ .nr = nr, .bytes = bytes };
	pieces->buf = client_buf(&client, bytes + nr * gap);
	pieces->end = pieces->buf;
	for (i = 0; i < nr; i++) {
		len = i + 1 < nr ? each : bytes - i * each;
		pieces->iov[i] = (struct iovec){ pieces->end, len };
		pieces->end += len + gap;
	}
}

/* Written in pieces, read in one and in pieces. */
static void
write_and_verify(const struct pieces *pieces, uint64_t lba)
{
	uint8_t *whole = client_buf(&client, pieces->bytes);
	struct iovec one = { whole, pieces->bytes };

	client_fill(whole, pieces->bytes, lba + pieces->nr);
	memset(pieces->buf, CANARY, (size_t)(pieces->end - pieces->buf));
	client_scatter(pieces->iov, pieces->nr, whole);
	client_rw_ok(
		&client, queue, CLIENT_WRITE, lba, pieces->iov, pieces->nr);
	memset(whole, 0, pieces->bytes);
	client_rw_ok(&client, queue, CLIENT_READ, lba, &one, 1);
	client_check(whole, pieces->bytes, lba + pieces->nr);

	memset(pieces->buf, CANARY, (size_t)(pieces->end - pieces->buf));
	client_rw_ok(
		&client, queue, CLIENT_READ, lba, pieces->iov, pieces->nr);
	memset(whole, 0, pieces->bytes);
	client_gather(whole, pieces->iov, pieces->nr);
	client_check(whole, pieces->bytes, lba + pieces->nr);
}

static void
check_gaps(const struct pieces *pieces)
{
	unsigned int i;

	for (i = 0; i + 1 < pieces->nr; i++) {
		uint8_t *from = (uint8_t *)pieces->iov[i].iov_base +
			pieces->iov[i].iov_len;
		uint8_t *to = pieces->iov[i + 1].iov_base;

		client_check_all(from, (size_t)(to - from), CANARY);
	}
}

/* One long transfer, in one piece and in 255 of them. */
static void
run_direct(size_t bytes, const char *keys)
{
	struct pieces pieces;

	up(keys);
	pieces_init(&pieces, bytes, 1, 0);
	write_and_verify(&pieces, 0);
	pieces_init(&pieces, bytes, MAX_PIECES, GAP);
	write_and_verify(&pieces, 5);
	check_gaps(&pieces);
	down();
}

START_TEST(srp_005_direct_4M_255_entries)
{
	run_direct(4 * MIB, "channels=1&max_descs=255");
}
END_TEST

START_TEST(srp_006_direct_8M_255_entries)
{
	run_direct(8 * MIB, "channels=1&max_descs=255");
}
END_TEST

START_TEST(srp_007_direct_4M_1_entry)
{
	run_direct(4 * MIB, "channels=1&max_descs=1");
}
END_TEST

START_TEST(srp_008_direct_8M_1_entry)
{
	run_direct(8 * MIB, "channels=1&max_descs=1");
}
END_TEST

/* Borders anywhere: within blocks, and pieces shorter than a block. */
START_TEST(srp_013_discontiguous_buffer)
{
	static const char *const keys[] = {
		"max_descs=255", "max_descs=2", "max_descs=1" };
	static const size_t lengths[] = { 4, 508, 1000, 24, 4096, 3, 12000 };
	struct pieces pieces = { .nr = 70 };
	size_t len, left, bytes = 64 * 4096;
	unsigned int i;

	up(keys[_i]);
	pieces.bytes = bytes;
	pieces.buf = client_buf(&client, bytes + 70 * 512);
	pieces.end = pieces.buf;
	for (i = 0, left = bytes; i < pieces.nr; i++, left -= len) {
		len = min(lengths[i % ARRAY_SIZE(lengths)], left);
		if (i + 1 == pieces.nr)
			len = left;
		pieces.iov[i] = (struct iovec){ pieces.end, len };
		pieces.end += len + 512;
	}
	write_and_verify(&pieces, 3);
	check_gaps(&pieces);
	down();
}
END_TEST

/* ---- 014: sg_reset of the device while there is I/O ---- */

#define RESET_USERS 4
#define RESET_IO_BYTES 16384u

struct user {
	pthread_t thread;
	struct srpi_queue *queue;
	uint8_t *buf;
	uint64_t lba, nr_done, nr_cancelled;
};

static atomic_bool is_over;

static int
reap_one(struct user *user)
{
	struct srpi_io *io;
	char text[512];
	int error;

	must(srpi_wait(user->queue, &io, 1, 1, CLIENT_WAIT_NS) == 1);
	error = srpi_result(io)->error;
	if (error && error != -ECANCELED) {
		srpi_explain(io, text, sizeof(text));
		ck_abort_msg("%s", text);
	}
	srpi_put(io);
	return error;
}

/* Four I/Os at once, into and out of the same four places. */
static void
user_round(struct user *user, enum client_dir dir)
{
	struct iovec iov = { .iov_len = RESET_IO_BYTES };
	uint64_t blocks = RESET_IO_BYTES / client.info.block_bytes;
	unsigned int i;
	int error;

	for (i = 0; i < 4; i++) {
		iov.iov_base = user->buf + i * RESET_IO_BYTES;
		srpi_queue_io(client_prep(&client, user->queue, dir,
			user->lba + i * blocks, &iov, 1));
	}
	must(srpi_submit(user->queue) == 4);
	for (i = 0; i < 4; i++) {
		error = reap_one(user);
		user->nr_done += error == 0;
		user->nr_cancelled += error != 0;
	}
}

static void *
run_user(void *arg)
{
	struct user *user = arg;

	while (!atomic_load(&is_over)) {
		user_round(user, CLIENT_WRITE);
		user_round(user, CLIENT_READ);
		/* what has ended leaves the buffer alone */
		client_fill(user->buf, 4 * RESET_IO_BYTES, user->nr_done);
		client_check(user->buf, 4 * RESET_IO_BYTES, user->nr_done);
	}
	return NULL;
}

static void
reset_some(unsigned int nr)
{
	static const struct timespec pause = { 0, 100000000 };
	char reason[512];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		nanosleep(&pause, NULL);
		ck_assert_msg(!srpi_tmf(client.session, client.lun,
				      SRPI_TMF_LUN_RESET, NULL, reason,
				      sizeof(reason)),
			"%s", reason);
	}
}

/* Loop: the completion mode. */
START_TEST(srp_014_reset_during_io)
{
	enum srpi_completion mode =
		(enum srpi_completion)(SRPI_COMPLETION_INLINE + _i);
	struct user users[RESET_USERS];
	struct pieces pieces;
	unsigned int i;

	up("channels=4");
	atomic_store(&is_over, false);
	for (i = 0; i < RESET_USERS; i++) {
		users[i] = (struct user){
			.queue = client_queue(&client, mode, 4),
			.buf = client_buf(&client, 4 * RESET_IO_BYTES),
			.lba = (uint64_t)i * 4 * RESET_IO_BYTES /
				client.info.block_bytes,
		};
		must(!pthread_create(
			&users[i].thread, NULL, run_user, &users[i]));
	}
	reset_some(5);
	atomic_store(&is_over, true);
	for (i = 0; i < RESET_USERS; i++) {
		must(!pthread_join(users[i].thread, NULL));
		ck_assert_uint_gt(users[i].nr_done, 0);
	}
	/* and the LUN is as usable as before */
	pieces_init(&pieces, MIB, 16, GAP);
	write_and_verify(&pieces, 0);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("transfers");
	TCase *resets = tcase_create("resets");
	Suite *suite = suite_create("blktests");
	SRunner *runner = srunner_create(suite);
	int nr_failed;

	tcase_set_timeout(tcase, 300);
	tcase_set_timeout(resets, 300);
	tcase_add_test(tcase, srp_005_direct_4M_255_entries);
	tcase_add_test(tcase, srp_006_direct_8M_255_entries);
	tcase_add_test(tcase, srp_007_direct_4M_1_entry);
	tcase_add_test(tcase, srp_008_direct_8M_1_entry);
	tcase_add_loop_test(tcase, srp_013_discontiguous_buffer, 0, 3);
	tcase_add_loop_test(resets, srp_014_reset_during_io, 0,
		SRPI_NR_COMPLETIONS - 1);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, resets);
	srunner_run_all(runner, CK_ENV);
	nr_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return nr_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
