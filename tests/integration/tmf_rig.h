/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target, a client of it, and I/O of one size, for tests of task management.
 * One of each in a program.
 */
#ifndef TESTS_TMF_RIG_H
#define TESTS_TMF_RIG_H

#include <pthread.h>

#include "client.h"
#include "peer.h"

#define NR_MODES (SRPI_NR_COMPLETIONS - 1) /* without DEFAULT */
#define BLOCK 512u
#define LUN_BYTES ((size_t)16 << 20)
#define IO_BYTES 4096u
#define CANARY 0xee
#define DEPTH 8

extern struct bed bed;
extern struct client client;
extern uint8_t *buf; /* IO_BYTES for each of DEPTH */
extern char reason[512]; /* of the last abort_io() or reset_lun() */

/* The @i-th mode that is not the default, round and round. */
enum srpi_completion mode_of(int i);

/* Two RAM LUNs, and a client of the first. */
void up(enum soft_irqmode irqmode, uint16_t req_lim, const char *keys);
void down(void);
/* false: from now on commands are executed and get no response. */
void answer(bool answers);
void sleep_ms(unsigned int ms);

/* Submits the @i-th I/O. */
struct srpi_io *start(
	struct srpi_queue *queue, enum client_dir dir, unsigned int i);
/* The next I/O that ends; its error. Gives it back. */
int wait_one(struct srpi_queue *queue);
/* Every slot is as good as new. */
void expect_all_good(struct srpi_queue *queue);

int abort_io(struct srpi_io *io);
int reset_lun(void);

/* ---- threads with verified I/O, each on a queue and blocks of its own ---- */

#define NR_USERS 8

struct user {
	struct srpi_queue *queue;
	pthread_t thread;
	uint8_t *buf;
	unsigned int number;
	uint64_t nr_done, nr_cancelled;
};

void start_users(struct user *users, enum srpi_completion mode);
/* I/Os that they have had an end of so far, any thread. */
uint64_t count_users(struct user *users);
/* How many I/Os ended with -ECANCELED; no other error is allowed. */
uint64_t join_users(struct user *users);

#endif /* TESTS_TMF_RIG_H */
