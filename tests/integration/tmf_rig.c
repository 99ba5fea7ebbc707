/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tmf_rig.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

struct bed bed;
struct client client;
uint8_t *buf;
char reason[512];

enum srpi_completion
mode_of(int i)
{
	return (enum srpi_completion)(SRPI_COMPLETION_INLINE + i % NR_MODES);
}

void
up(enum soft_irqmode irqmode, uint16_t req_lim, const char *keys)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = LUN_BYTES },
		{ .number = 1, .backend = "ram", .size_bytes = LUN_BYTES },
	};
	struct target_attr attr = {
		.luns = luns, .nr_luns = 2, .req_lim = req_lim };
	char url[256];

	bed_create(&bed, irqmode, &attr);
	bed_url(&bed, keys, url, sizeof(url));
	client_open(&client, url);
	buf = client_buf(&client, DEPTH * IO_BYTES);
	memset(buf, CANARY, DEPTH * IO_BYTES);
}

void
down(void)
{
	client_close(&client);
	bed_destroy(&bed);
}

void
answer(bool answers)
{
	target_set_faults(bed.target, &(struct target_faults){
					     .silent_every = !answers });
}

void
sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&ts, NULL);
}

struct srpi_io *
start(struct srpi_queue *queue, enum client_dir dir, unsigned int i)
{
	struct iovec iov = { buf + i * IO_BYTES, IO_BYTES };
	struct srpi_io *io = client_prep(
		&client, queue, dir, i * IO_BYTES / BLOCK, &iov, 1);

	srpi_queue_io(io);
	must(srpi_submit(queue) == 1);
	return io;
}

int
wait_one(struct srpi_queue *queue)
{
	struct srpi_io *io;
	int error;

	must(srpi_wait(queue, &io, 1, 1, CLIENT_WAIT_NS) == 1);
	error = srpi_result(io)->error;
	srpi_put(io);
	return error;
}

void
expect_all_good(struct srpi_queue *queue)
{
	unsigned int round, i;

	for (round = 0; round < 4; round++) {
		client_fill(buf, DEPTH * IO_BYTES, round);
		for (i = 0; i < DEPTH; i++)
			start(queue, CLIENT_WRITE, i);
		ck_assert_ptr_null(srpi_get(queue));
		client_reap_ok(queue, DEPTH);
		memset(buf, CANARY, DEPTH * IO_BYTES);
		for (i = 0; i < DEPTH; i++)
			start(queue, CLIENT_READ, i);
		client_reap_ok(queue, DEPTH);
		client_check(buf, DEPTH * IO_BYTES, round);
	}
}

int
abort_io(struct srpi_io *io)
{
	*reason = '\0';
	return srpi_tmf(client.session, NULL, SRPI_TMF_ABORT_TASK, io, reason,
		sizeof(reason));
}

int
reset_lun(void)
{
	*reason = '\0';
	return srpi_tmf(client.session, client.lun, SRPI_TMF_LUN_RESET, NULL,
		reason, sizeof(reason));
}

/* ---- threads ---- */

static atomic_bool is_over;

static void
user_round(struct user *user, enum client_dir dir)
{
	struct iovec iov = { .iov_len = IO_BYTES };
	unsigned int i;
	int error;

	for (i = 0; i < DEPTH; i++) {
		iov.iov_base = user->buf + i * IO_BYTES;
		srpi_queue_io(client_prep(&client, user->queue, dir,
			(user->number * DEPTH + i) * (IO_BYTES / BLOCK), &iov,
			1));
	}
	must(srpi_submit(user->queue) == DEPTH);
	for (i = 0; i < DEPTH; i++) {
		error = wait_one(user->queue);
		must(error == 0 || error == -ECANCELED);
		user->nr_cancelled += error != 0;
		__atomic_fetch_add(&user->nr_done, 1, __ATOMIC_RELAXED);
	}
}

/*
 * Whatever has ended is left alone: what is put into the buffer between two
 * rounds must still be there before the next.
 */
static void *
run_user(void *arg)
{
	struct user *user = arg;
	uint64_t seed;

	for (seed = 0; !atomic_load(&is_over); seed++) {
		user_round(user, CLIENT_READ);
		client_fill(user->buf, DEPTH * IO_BYTES, seed);
		if (seed % 8 == 0)
			sched_yield();
		client_check(user->buf, DEPTH * IO_BYTES, seed);
		user_round(user, CLIENT_WRITE);
	}
	return NULL;
}

void
start_users(struct user *users, enum srpi_completion mode)
{
	unsigned int i;

	atomic_store(&is_over, false);
	for (i = 0; i < NR_USERS; i++) {
		users[i] = (struct user){
			.queue = client_queue(&client, mode, DEPTH),
			.buf = client_buf(&client, DEPTH * IO_BYTES),
			.number = i,
		};
	}
	for (i = 0; i < NR_USERS; i++)
		must(!pthread_create(
			&users[i].thread, NULL, run_user, &users[i]));
}

uint64_t
count_users(struct user *users)
{
	uint64_t nr = 0;
	unsigned int i;

	for (i = 0; i < NR_USERS; i++)
		nr += __atomic_load_n(&users[i].nr_done, __ATOMIC_RELAXED);
	return nr;
}

uint64_t
join_users(struct user *users)
{
	uint64_t nr_cancelled = 0;
	unsigned int i;

	atomic_store(&is_over, true);
	for (i = 0; i < NR_USERS; i++) {
		must(!pthread_join(users[i].thread, NULL));
		nr_cancelled += users[i].nr_cancelled;
	}
	return nr_cancelled;
}
