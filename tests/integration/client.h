/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A program that uses srpi.h alone, for tests: what it asks for must be
 * granted, or the test ends with the library's own sentence. What an I/O
 * comes to is handed back.
 */
#ifndef TESTS_CLIENT_H
#define TESTS_CLIENT_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <srpi/srpi.h>

/* Every wait's limit: longer than any loaded machine makes it. */
#define CLIENT_WAIT_NS INT64_C(60000000000)

/*
 * ck_assert() makes a system call each time it passes: per I/O and in threads
 * only a failure should cost something.
 */
#define must(condition)                                                        \
	do {                                                                   \
		if (!(condition))                                              \
			ck_abort_msg("%s", #condition);                        \
	} while (0)

struct client {
	struct srpi_session *session;
	struct srpi_lun *lun; /* the URL's */
	struct srpi_lun_info info;
	char reason[512];
};

void client_open(struct client *client, const char *url);
void client_close(struct client *client);
struct srpi_queue *client_queue(struct client *client,
	enum srpi_completion completion, unsigned int depth);
/* Registered; ends with the session at the latest. */
uint8_t *client_buf(struct client *client, size_t bytes);

/* ---- I/O ---- */

enum client_dir { CLIENT_READ, CLIENT_WRITE };

/* A tag with a read or write of whole blocks; the sum of @iov is its length. */
struct srpi_io *client_prep(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr);
/* Submits @io alone and waits; a copy of its result, without the sense. */
struct srpi_result client_do(struct srpi_queue *queue, struct srpi_io *io);
/* Both in one. */
struct srpi_result client_rw(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr);
/* As client_rw(), and all of it must have moved. */
void client_rw_ok(struct client *client, struct srpi_queue *queue,
	enum client_dir dir, uint64_t lba, const struct iovec *iov,
	unsigned int nr);
/* Waits for @nr I/Os, each of them good, and gives them back. */
void client_reap_ok(struct srpi_queue *queue, unsigned int nr);
struct srpi_stats client_stats(struct client *client);

/* ---- data ---- */

/* Bytes that depend on @seed and on where they are. */
void client_fill(uint8_t *at, size_t bytes, uint64_t seed);
/* Fails the test unless that is what is there. */
void client_check(const uint8_t *at, size_t bytes, uint64_t seed);
/* Fails the test unless every byte is @value. */
void client_check_all(const uint8_t *at, size_t bytes, uint8_t value);

/* One stretch of memory to pieces, and back. */
void client_scatter(
	const struct iovec *iov, unsigned int nr, const uint8_t *whole);
void client_gather(
	uint8_t *whole, const struct iovec *iov, unsigned int nr);

/* A sanitizer or memcheck makes everything slow: test less of the same. */
bool client_is_slow(void);
/* What is slow does a part of the loop, all modes among them. */
void client_add_loop(TCase *tcase, const TTest *test, int nr);

#endif /* TESTS_CLIENT_H */
