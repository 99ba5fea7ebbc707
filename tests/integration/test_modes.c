/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every completion mode, with one and more queues on one and more channels,
 * moves what it is told to: written, read back, compared.
 */
#include "client.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "util/compiler.h"

#define NR_MODES (SRPI_NR_COMPLETIONS - 1) /* without DEFAULT */
#define LUN_BYTES ((size_t)40 << 20)
#define LARGE_BYTES ((size_t)(8 << 20) + 512)
#define SMALL_BYTES ((size_t)64 << 10)
#define MAX_QUEUES 12
#define DEPTH 8

static const size_t sizes[] = {
	512, 4096, SMALL_BYTES, 1 << 20, 4 << 20, LARGE_BYTES,
};
static const char *const irqmodes[] = { "softirq", "thread" };

/* One thread with its queue, and a part of the LUN for it alone. */
struct user {
	struct client *client;
	struct srpi_queue *queue;
	pthread_t thread;
	uint8_t *out, *in;
	uint64_t lba;
	size_t max_bytes; /* of an I/O */
	unsigned int number;
};

/* @nr I/Os of @blocks each, one behind the other, under one doorbell. */
static void
run_batch(struct user *user, enum client_dir dir, uint8_t *data,
	uint32_t blocks, unsigned int nr)
{
	size_t bytes = (size_t)blocks * user->client->info.block_bytes;
	struct iovec iov = { .iov_len = bytes };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		iov.iov_base = data + i * bytes;
		srpi_queue_io(client_prep(user->client, user->queue, dir,
			user->lba + (uint64_t)i * blocks, &iov, 1));
	}
	must(srpi_submit(user->queue) == (int)nr);
	client_reap_ok(user->queue, nr);
}

static void
write_and_verify(struct user *user, size_t size)
{
	uint32_t block_bytes = user->client->info.block_bytes;
	uint32_t blocks = max_t(uint32_t, (uint32_t)(size / block_bytes), 1);
	unsigned int nr = size <= SMALL_BYTES ? DEPTH : 1;
	size_t bytes = (size_t)nr * blocks * block_bytes;
	uint64_t seed = size * 31 + user->number;

	client_fill(user->out, bytes, seed);
	memset(user->in, 0xee, bytes);
	run_batch(user, CLIENT_WRITE, user->out, blocks, nr);
	run_batch(user, CLIENT_READ, user->in, blocks, nr);
	client_check(user->in, bytes, seed);
}

static void *
run_user(void *arg)
{
	struct user *user = arg;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		if (sizes[i] <= user->max_bytes)
			write_and_verify(user, sizes[i]);
	return NULL;
}

/* The first one's part of the LUN is large enough for the longest I/O. */
static void
user_init(struct user *user, struct client *client, enum srpi_completion mode,
	unsigned int number)
{
	size_t bytes = number ? SMALL_BYTES * DEPTH : LARGE_BYTES;
	size_t before = number ? LARGE_BYTES + number * SMALL_BYTES * DEPTH : 0;

	bytes += client->info.block_bytes * DEPTH;
	*user = (struct user){
		.client = client,
		.queue = client_queue(client, mode, DEPTH),
		.out = client_buf(client, bytes),
		.in = client_buf(client, bytes),
		.lba = before / client->info.block_bytes + number * DEPTH,
		.max_bytes = number ? SMALL_BYTES : LARGE_BYTES,
		.number = number,
	};
}

/* Each user in a thread of its own, all at once. */
static void
run_users(struct client *client, enum srpi_completion mode, unsigned int nr)
{
	struct user users[MAX_QUEUES];
	unsigned int i;

	for (i = 0; i < nr; i++)
		user_init(&users[i], client, mode, i);
	for (i = 0; i < nr; i++)
		must(!pthread_create(
			&users[i].thread, NULL, run_user, &users[i]));
	for (i = 0; i < nr; i++)
		must(!pthread_join(users[i].thread, NULL));
	for (i = 0; i < nr; i++)
		srpi_queue_destroy(users[i].queue);
}

static enum srpi_completion
mode_of(int i)
{
	return (enum srpi_completion)(SRPI_COMPLETION_INLINE + i % NR_MODES);
}

/*
 * Loop: mode, then irqmode, channels, queues a channel. Small sizes go eight
 * at a time from every queue; the first queue also does the large ones.
 */
#define NR_SHAPES (NR_MODES * 2 * 2 * 2)

START_TEST(data_is_whole_in_every_mode_on_own_and_shared_channels)
{
	int rest = _i / NR_MODES;
	const char *irqmode = irqmodes[rest % 2];
	unsigned int channels = rest / 2 % 2 ? 4 : 1;
	unsigned int queues = channels * (rest / 4 ? 3 : 1);
	struct client client;
	char url[128];

	snprintf(url, sizeof(url), "demo://ram?size=%zu&irqmode=%s&channels=%u",
		LUN_BYTES, irqmode, channels);
	client_open(&client, url);
	run_users(&client, mode_of(_i), queues);
	ck_assert_uint_eq(client_stats(&client).errors, 0);
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	client_close(&client);
}
END_TEST

static const unsigned int blocks[] = { 512, 520, 528, 4096, 4104, 4160 };
#define NR_FORMATS (NR_MODES * (int)ARRAY_SIZE(blocks) * 2)

/* Loop: mode, then block size, with and without immediate data. */
START_TEST(data_is_whole_at_every_block_size_with_and_without_immediate_data)
{
	unsigned int block = blocks[_i / NR_MODES % (int)ARRAY_SIZE(blocks)];
	bool imm = _i / NR_MODES / (int)ARRAY_SIZE(blocks);
	struct srpi_session_info info;
	struct client client;
	char url[128];

	snprintf(url, sizeof(url),
		"demo://ram?size=%zu&block=%u&irqmode=%s&imm_data=%s",
		LUN_BYTES / block * block, block, irqmodes[_i % 2],
		imm ? "yes" : "no");
	client_open(&client, url);
	ck_assert_uint_eq(client.info.block_bytes, block);
	srpi_session_info(client.session, &info);
	ck_assert_int_eq(info.imm_data_bytes > 0, imm);
	run_users(&client, mode_of(_i), 1);
	client_close(&client);
}
END_TEST

/* Own channels are what was asked for, as long as the target grants them. */
START_TEST(queues_have_channels_of_their_own_up_to_the_key)
{
	struct srpi_session_info before, info;
	struct client client;
	unsigned int i;

	client_open(&client, "demo://ram?channels=4");
	srpi_session_info(client.session, &before);
	for (i = 1; i <= 6; i++) {
		client_queue(&client, mode_of((int)i), 4);
		srpi_session_info(client.session, &info);
		ck_assert_uint_eq(
			info.nr_channels, before.nr_channels + min(i, 4u));
	}
	client_close(&client);
}
END_TEST

/*
 * A queue is handed from thread to thread, as its rule allows, in the middle
 * of its I/Os.
 */
static void *
reap_in_thread(void *arg)
{
	client_reap_ok(arg, DEPTH);
	return NULL;
}

START_TEST(another_thread_may_take_a_queue_over)
{
	struct client client;
	struct user user;
	struct iovec iov = { .iov_len = 4096 };
	pthread_t thread;
	int i;

	client_open(&client, "demo://ram?size=40M&irqmode=thread");
	user_init(&user, &client, mode_of(_i), 0);
	for (i = 0; i < DEPTH; i++) {
		iov.iov_base = user.in + i * 4096;
		srpi_queue_io(client_prep(&client, user.queue, CLIENT_READ,
			(uint64_t)i * 8, &iov, 1));
	}
	must(srpi_submit(user.queue) == DEPTH);
	must(!pthread_create(&thread, NULL, reap_in_thread, user.queue));
	must(!pthread_join(thread, NULL));
	write_and_verify(&user, 4096);
	client_close(&client);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("modes");

	tcase_set_timeout(tcase, 120);
	client_add_loop(tcase,
		data_is_whole_in_every_mode_on_own_and_shared_channels,
		NR_SHAPES);
	client_add_loop(tcase,
		data_is_whole_at_every_block_size_with_and_without_immediate_data,
		NR_FORMATS);
	tcase_add_test(
		tcase, queues_have_channels_of_their_own_up_to_the_key);
	tcase_add_loop_test(
		tcase, another_thread_may_take_a_queue_over, 0, NR_MODES);
	return unit_run(tcase, "modes");
}
