/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "client.h"

#include <stdlib.h>
#include <string.h>

void
client_open(struct client *client, const char *url)
{
	struct srpi_session_info info;
	uint8_t lun[8];

	memset(client, 0, sizeof(*client));
	ck_assert_msg(!srpi_open(url, NULL, &client->session, client->reason,
			      sizeof(client->reason)),
		"%s: %s", url, client->reason);
	srpi_session_info(client->session, &info);
	must(!srpi_lun_from_number(info.default_lun, lun));
	ck_assert_msg(!srpi_lun_open(client->session, lun, &client->lun,
			      client->reason, sizeof(client->reason)),
		"%s", client->reason);
	srpi_lun_info(client->lun, &client->info);
}

void
client_close(struct client *client)
{
	srpi_close(client->session);
	client->session = NULL;
}

struct srpi_queue *
client_queue(struct client *client, enum srpi_completion completion,
	unsigned int depth)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_queue *queue;

	opts.completion = completion;
	opts.depth = depth;
	ck_assert_msg(!srpi_queue_create(client->session, &opts, &queue,
			      client->reason, sizeof(client->reason)),
		"%s", client->reason);
	return queue;
}

uint8_t *
client_buf(struct client *client, size_t bytes)
{
	struct srpi_mem *mem;

	ck_assert_msg(!srpi_buf_alloc(client->session, bytes, &mem,
			      client->reason, sizeof(client->reason)),
		"%s", client->reason);
	return srpi_mem_addr(mem);
}

/* ---- I/O ---- */

struct srpi_io *
client_prep(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr)
{
	struct srpi_io *io = srpi_get(queue);
	uint32_t blocks;
	size_t bytes = 0;
	unsigned int i;
	int ret;

	must(io);
	for (i = 0; i < nr; i++)
		bytes += iov[i].iov_len;
	must(bytes % client->info.block_bytes == 0);
	blocks = (uint32_t)(bytes / client->info.block_bytes);
	ret = dir == CLIENT_WRITE
		? srpi_prep_write(io, client->lun, lba, blocks, iov, nr)
		: srpi_prep_read(io, client->lun, lba, blocks, iov, nr);
	if (ret)
		ck_abort_msg("%u blocks at %llu in %u pieces: %s", blocks,
			(unsigned long long)lba, nr, strerror(-ret));
	return io;
}

struct srpi_result
client_do(struct srpi_queue *queue, struct srpi_io *io)
{
	struct srpi_result result;
	struct srpi_io *done = NULL;

	srpi_queue_io(io);
	must(srpi_submit(queue) == 1);
	must(srpi_wait(queue, &done, 1, 1, CLIENT_WAIT_NS) == 1);
	must(done == io);
	result = *srpi_result(io);
	result.sense = NULL;
	srpi_put(io);
	return result;
}

struct srpi_result
client_rw(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr)
{
	return client_do(
		queue, client_prep(client, queue, dir, lba, iov, nr));
}

/* An I/O has ended; it must be good. */
static void
client_put_ok(struct srpi_io *io)
{
	char text[512];

	if (srpi_result(io)->error || srpi_result(io)->residual) {
		srpi_explain(io, text, sizeof(text));
		ck_abort_msg("%s", text);
	}
	srpi_put(io);
}

void
client_reap_ok(struct srpi_queue *queue, unsigned int nr)
{
	struct srpi_io *ios[64];
	int got, i;

	while (nr) {
		got = srpi_wait(queue, ios, 1, 64, CLIENT_WAIT_NS);
		must(got > 0 && (unsigned int)got <= nr);
		for (i = 0; i < got; i++)
			client_put_ok(ios[i]);
		nr -= (unsigned int)got;
	}
}

void
client_rw_ok(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr)
{
	srpi_queue_io(client_prep(client, queue, dir, lba, iov, nr));
	must(srpi_submit(queue) == 1);
	client_reap_ok(queue, 1);
}

struct srpi_stats
client_stats(struct client *client)
{
	struct srpi_stats stats;

	srpi_session_stats(client->session, &stats, sizeof(stats));
	return stats;
}

/* ---- data ---- */

static uint64_t
client_word(uint64_t seed, size_t i)
{
	return (seed * UINT64_C(0x9e3779b97f4a7c15) + i) *
		UINT64_C(0xd1342543de82ef95);
}

/* Words as they would lie at a multiple of 8; the last may be cut. */
void
client_fill(uint8_t *at, size_t bytes, uint64_t seed)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < bytes; i += 8) {
		word = client_word(seed, i);
		memcpy(at + i, &word, bytes - i < 8 ? bytes - i : 8);
	}
}

void
client_check(const uint8_t *at, size_t bytes, uint64_t seed)
{
	uint64_t word;
	size_t i;

	for (i = 0; i < bytes; i += 8) {
		word = client_word(seed, i);
		if (memcmp(at + i, &word, bytes - i < 8 ? bytes - i : 8))
			ck_abort_msg("data differs within 8 bytes of %zu of "
				     "%zu", i, bytes);
	}
}

void
client_check_all(const uint8_t *at, size_t bytes, uint8_t value)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		if (at[i] != value)
			ck_abort_msg("byte %zu of %zu is 0x%02x, not 0x%02x",
				i, bytes, at[i], value);
}

void
client_scatter(const struct iovec *iov, unsigned int nr, const uint8_t *whole)
{
	for (; nr--; iov++) {
		memcpy(iov->iov_base, whole, iov->iov_len);
		whole += iov->iov_len;
	}
}

void
client_gather(uint8_t *whole, const struct iovec *iov, unsigned int nr)
{
	for (; nr--; iov++) {
		memcpy(whole, iov->iov_base, iov->iov_len);
		whole += iov->iov_len;
	}
}

bool
client_is_slow(void)
{
	const char *sanitized = getenv("SANITIZED");

	return (sanitized && *sanitized) || getenv("RUN_UNDER");
}

void
client_add_loop(TCase *tcase, const TTest *test, int nr)
{
	int step = client_is_slow() ? 3 : 1, i;

	for (i = 0; i < nr; i += step)
		tcase_add_loop_test(tcase, test, i, i + 1);
}
