/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Several channels, immediate data, aborts, and many processes at once.
 *
 * SRPI_TEST_URL names the target, whose LUN is written to; without it an
 * embedded one is used, of each process its own.
 */
#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "util/compiler.h"

#define NR_MODES (SRPI_NR_COMPLETIONS - 1) /* without DEFAULT */
#define MIB ((size_t)1 << 20)
#define IO_BYTES 4096u
#define DEPTH 8

static struct client client;
static struct srpi_queue *queue;

static void
format_url(char *url, size_t n, const char *keys)
{
	const char *given = getenv("SRPI_TEST_URL");
	int len;

	if (!given)
		given = "demo://ram?size=32M";
	len = snprintf(url, n, "%s%c%s", given, strchr(given, '?') ? '&' : '?',
		keys);
	must(len > 0 && (size_t)len < n);
}

static enum srpi_completion
mode_of(int i)
{
	return (enum srpi_completion)(SRPI_COMPLETION_INLINE + i % NR_MODES);
}

static void
up(const char *keys)
{
	char url[512];

	format_url(url, sizeof(url), keys);
	client_open(&client, url);
}

static void
down(void)
{
	ck_assert_uint_eq(client_stats(&client).disconnects, 0);
	client_close(&client);
}

/* Written, and read back into other memory. */
static void
write_and_verify(uint64_t lba, size_t bytes, uint64_t seed)
{
	struct iovec out = { client_buf(&client, bytes), bytes };
	struct iovec in = { client_buf(&client, bytes), bytes };

	client_fill(out.iov_base, bytes, seed);
	client_rw_ok(&client, queue, CLIENT_WRITE, lba, &out, 1);
	client_rw_ok(&client, queue, CLIENT_READ, lba, &in, 1);
	client_check(in.iov_base, bytes, seed);
}

/* ---- channels ---- */

/* Loop: mode. */
START_TEST(four_channels_are_granted_and_each_carries_data)
{
	struct srpi_session_info info;
	int i;

	up("channels=4");
	for (i = 0; i < 4; i++) {
		queue = client_queue(&client, mode_of(_i), DEPTH);
		write_and_verify((uint64_t)i * 64, 16 * IO_BYTES, (uint64_t)i);
	}
	srpi_session_info(client.session, &info);
	ck_assert_uint_eq(info.nr_channels, 4 + 1); /* and the session's own */
	ck_assert_int_gt(info.credits, 0);
	ck_assert_uint_gt(info.tags, 4);
	ck_assert_uint_eq(info.tags_used, 0);
	down();
}
END_TEST

START_TEST(one_mebibyte_with_many_and_with_one_descriptor)
{
	static const char *const keys[] = { "max_descs=255", "max_descs=1" };
	struct iovec iov[255];
	uint8_t *buf;
	size_t each;
	int i;

	up(keys[_i]);
	queue = client_queue(&client, SRPI_COMPLETION_DEFAULT, DEPTH);
	write_and_verify(0, MIB, 1);
	/* in pieces, with a gap behind each */
	each = MIB / 256;
	buf = client_buf(&client, 2 * MIB);
	for (i = 0; i < 255; i++)
		iov[i] = (struct iovec){ buf + (size_t)i * 2 * each, each };
	iov[254].iov_len = 2 * each;
	for (i = 0; i < 255; i++)
		client_fill(iov[i].iov_base, iov[i].iov_len, (uint64_t)i);
	client_rw_ok(&client, queue, CLIENT_WRITE, 7, iov, 255);
	memset(buf, 0xee, 2 * MIB);
	client_rw_ok(&client, queue, CLIENT_READ, 7, iov, 255);
	for (i = 0; i < 255; i++)
		client_check(iov[i].iov_base, iov[i].iov_len, (uint64_t)i);
	for (i = 0; i < 254; i++)
		client_check_all(buf + (size_t)(2 * i + 1) * each, each, 0xee);
	down();
}
END_TEST

/* ---- immediate data ---- */

START_TEST(immediate_data_on_and_off_writes_the_same)
{
	static const size_t kib[] = { 4, 8, 12, 16, 32, 64, 256 };
	struct srpi_session_info info;
	size_t i;

	up(_i ? "imm_data=yes" : "imm_data=no");
	queue = client_queue(&client, SRPI_COMPLETION_DEFAULT, DEPTH);
	srpi_session_info(client.session, &info);
	if (_i)
		ck_assert_uint_ge(info.imm_data_bytes, 4096);
	else
		ck_assert_uint_eq(info.imm_data_bytes, 0);
	write_and_verify(3, client.info.block_bytes, 1);
	for (i = 0; i < ARRAY_SIZE(kib); i++)
		write_and_verify(i, kib[i] * 1024, i + 2);
	down();
}
END_TEST

/* ---- aborts ---- */

static struct srpi_io *
start(enum client_dir dir, uint8_t *buf, unsigned int i)
{
	struct iovec iov = { buf + (size_t)i * IO_BYTES, IO_BYTES };
	struct srpi_io *io = client_prep(&client, queue, dir,
		(uint64_t)i * IO_BYTES / client.info.block_bytes, &iov, 1);

	srpi_queue_io(io);
	must(srpi_submit(queue) == 1);
	return io;
}

static void
wait_one(void)
{
	struct srpi_io *io;
	int error;

	must(srpi_wait(queue, &io, 1, 1, CLIENT_WAIT_NS) == 1);
	error = srpi_result(io)->error;
	must(error == 0 || error == -ECANCELED);
	srpi_put(io);
}

/* Loop: mode. A target may refuse: what it was asked for had ended. */
START_TEST(aborts_amid_io_end_each_command_once)
{
	struct srpi_io *ios[DEPTH];
	char reason[512];
	uint8_t *buf;
	unsigned int i, round;
	int rc;

	up("depth=64");
	queue = client_queue(&client, mode_of(_i), DEPTH);
	buf = client_buf(&client, DEPTH * IO_BYTES);
	for (round = 0; round < 50; round++) {
		for (i = 0; i < DEPTH; i++)
			ios[i] = start(i & 1 ? CLIENT_READ : CLIENT_WRITE, buf,
				i);
		rc = srpi_tmf(client.session, NULL, SRPI_TMF_ABORT_TASK,
			ios[round % DEPTH], reason, sizeof(reason));
		ck_assert_msg(rc == 0 || rc == -EREMOTEIO, "%s", reason);
		for (i = 0; i < DEPTH; i++)
			wait_one();
	}
	write_and_verify(0, DEPTH * IO_BYTES, 9);
	down();
}
END_TEST

/* ---- processes ---- */

#define NR_PROCESSES 33
#define NR_ROUNDS 20

static uint8_t
pattern(int process, int round, size_t at)
{
	return (uint8_t)(process * 37 + round * 11 + (int)(at * 7 + at / 512));
}

/* A session of one process; nothing here may call check. */
struct one {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_lun_info info;
	uint8_t *buf;
	char reason[512];
};

static int
one_open(struct one *one, const char *url)
{
	struct srpi_session_info info;
	struct srpi_mem *mem;
	uint8_t lun[8];

	if (srpi_open(url, NULL, &one->session, one->reason,
		    sizeof(one->reason)))
		return -1;
	srpi_session_info(one->session, &info);
	if (srpi_lun_from_number(info.default_lun, lun) ||
		srpi_lun_open(one->session, lun, &one->lun, one->reason,
			sizeof(one->reason)) ||
		srpi_queue_create(one->session, NULL, &one->queue, one->reason,
			sizeof(one->reason)) ||
		srpi_buf_alloc(one->session, IO_BYTES, &mem, one->reason,
			sizeof(one->reason)))
		return -1;
	srpi_lun_info(one->lun, &one->info);
	one->buf = srpi_mem_addr(mem);
	return 0;
}

static int
one_rw(struct one *one, bool is_write, int process)
{
	struct iovec iov = { one->buf, IO_BYTES };
	uint32_t blocks = IO_BYTES / one->info.block_bytes;
	uint64_t lba = (uint64_t)process * blocks;
	struct srpi_io *io = srpi_get(one->queue);
	int error;

	if (!io || (is_write ? srpi_prep_write(io, one->lun, lba, blocks, &iov,
				       1) :
			       srpi_prep_read(io, one->lun, lba, blocks, &iov,
				       1)))
		return -EINVAL;
	srpi_queue_io(io);
	if (srpi_submit(one->queue) != 1 ||
		srpi_wait(one->queue, &io, 1, 1, CLIENT_WAIT_NS) != 1)
		return -ETIMEDOUT;
	error = srpi_result(io)->error;
	if (error)
		srpi_explain(io, one->reason, sizeof(one->reason));
	srpi_put(io);
	return error;
}

static int
one_verify(struct one *one, int process, int round)
{
	size_t i;

	for (i = 0; i < IO_BYTES; i++)
		one->buf[i] = pattern(process, round, i);
	if (one_rw(one, true, process))
		return -1;
	memset(one->buf, 0, IO_BYTES);
	if (one_rw(one, false, process))
		return -1;
	for (i = 0; i < IO_BYTES; i++)
		if (one->buf[i] != pattern(process, round, i))
			return -1;
	return 0;
}

/* Begins when the pipe ends; the process's exit status. */
static int
run_process(const char *url, int begin, int process)
{
	struct one one = { .reason = "data differs" };
	struct srpi_stats stats;
	char ignored;
	int round, rc;

	rc = (int)read(begin, &ignored, 1);
	if (!rc)
		rc = one_open(&one, url);
	for (round = 0; round < NR_ROUNDS && !rc; round++)
		rc = one_verify(&one, process, round);
	if (!rc) {
		srpi_session_stats(one.session, &stats, sizeof(stats));
		rc = stats.disconnects != 0;
	}
	if (rc)
		fprintf(stderr, "process %d: %s\n", process, one.reason);
	srpi_close(one.session);
	return rc != 0;
}

/* All log in at once under the default port id: none may end another. */
START_TEST(thirty_three_processes_share_a_port_id)
{
	pid_t pids[NR_PROCESSES];
	int fds[2], i, status, nr_bad = 0;
	char url[512];

	/* a slow machine takes its time for so many logins at once */
	format_url(url, sizeof(url),
		"channels=1&io_timeout=60s&login_timeout=2m");
	ck_assert(!pipe(fds));
	for (i = 0; i < NR_PROCESSES; i++) {
		pids[i] = fork();
		ck_assert_int_ge(pids[i], 0);
		if (pids[i])
			continue;
		close(fds[1]);
		_exit(run_process(url, fds[0], i));
	}
	close(fds[1]);
	for (i = 0; i < NR_PROCESSES; i++) {
		must(waitpid(pids[i], &status, 0) == pids[i]);
		nr_bad += status != 0;
	}
	close(fds[0]);
	ck_assert_int_eq(nr_bad, 0);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("channels");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase,
		four_channels_are_granted_and_each_carries_data, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, one_mebibyte_with_many_and_with_one_descriptor, 0, 2);
	tcase_add_loop_test(
		tcase, immediate_data_on_and_off_writes_the_same, 0, 2);
	tcase_add_loop_test(
		tcase, aborts_amid_io_end_each_command_once, 0, NR_MODES);
	tcase_add_test(tcase, thirty_three_processes_share_a_port_id);
	return unit_run(tcase, "channels");
}
