/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Data through a session of srpi.h's, in each mode of the software target and
 * of the initiator.
 */
#include <stdio.h>
#include <string.h>

#include "open_rig.h"

#define WAIT_NS INT64_C(20000000000)
#define NR(array) (int)(sizeof(array) / sizeof((array)[0]))

static const char *const irqmodes[] = {
	"none", "softirq", "timer&completion_nsec=2000", "thread"};
static const char *const completions[] = { "inline", "thread", "poll", "self",
	"adaptive" };
static const unsigned int block_sizes[] = {512, 520, 4096};
#define NR_MODES (NR(irqmodes) * NR(completions))

/* Loop tests: one mode of target and initiator each. */
static void
mode_url(char *url, size_t n, const char *head, int mode)
{
	int len = snprintf(url, n, "%s&irqmode=%s&completion=%s", head,
		irqmodes[mode % NR(irqmodes)],
		completions[mode / NR(irqmodes)]);

	ck_assert_int_lt(len, (int)n);
}

START_TEST(what_is_written_is_read_back)
{
	char head[64], url[256];
	struct open_rig rig;

	for (int b = 0; b < NR(block_sizes); b++) {
		snprintf(head, sizeof(head), "demo://ram?block=%u",
			block_sizes[b]);
		mode_url(url, sizeof(url), head, _i);
		open_rig_open(&rig, url, 0);
		ck_assert_uint_eq(rig.info.block_bytes, block_sizes[b]);
		for (unsigned int blocks = 1;
			blocks * block_sizes[b] <= OPEN_RIG_IO_BYTES;
			blocks *= 2)
			open_rig_verify(
				&rig, blocks * 7, blocks * block_sizes[b]);
		open_rig_verify(&rig, rig.info.blocks - 1, block_sizes[b]);
		open_rig_close(&rig);
	}
}
END_TEST

START_TEST(pieces_of_memory_are_put_together_in_order)
{
	struct iovec out[3], in[2];
	char url[256];
	struct open_rig rig;

	mode_url(url, sizeof(url), "demo://ram?size=1M", _i);
	open_rig_open(&rig, url, 0);
	open_rig_fill(rig.out, 8192, 5);
	out[0] = (struct iovec){rig.out + 6000, 2000};
	out[1] = (struct iovec){rig.out, 1072};
	out[2] = (struct iovec){rig.out + 3000, 1024};
	in[0] = (struct iovec){rig.in + 4096, 4095};
	in[1] = (struct iovec){rig.in, 1};
	open_rig_run(&rig, 1, 3, out, 3);
	open_rig_run(&rig, 0, 3, in, 2);
	ck_assert_mem_eq(rig.in + 4096, rig.out + 6000, 2000);
	ck_assert_mem_eq(rig.in + 6096, rig.out, 1072);
	ck_assert_mem_eq(rig.in + 7168, rig.out + 3000, 1023);
	ck_assert_uint_eq(rig.in[0], rig.out[4023]);
	open_rig_close(&rig);
}
END_TEST

/* Eight at once, each with its own block and its own part of the memory. */
START_TEST(many_in_flight_come_back_once_each)
{
	enum { DEPTH = 8, ROUNDS = 50 };
	struct srpi_io *io, *done[DEPTH];
	unsigned int nr, seen;
	char url[256];
	struct open_rig rig;
	int got;

	mode_url(url, sizeof(url), "demo://ram?size=1M&depth=8", _i);
	open_rig_open(&rig, url, 0);
	open_rig_fill(rig.out, DEPTH * 512, 1);
	open_rig_run(&rig, 1, 0, &(struct iovec){rig.out, DEPTH * 512}, 1);
	for (int round = 0; round < ROUNDS; round++) {
		memset(rig.in, 0, DEPTH * 512);
		for (nr = 0; (io = srpi_get(rig.queue)); nr++) {
			struct iovec iov = {rig.in + nr * 512, 512};

			srpi_set_data(io, &rig.in[nr]);
			ck_assert_int_eq(
				srpi_prep_read(io, rig.lun, nr, 1, &iov, 1), 0);
			srpi_queue_io(io);
		}
		ck_assert_uint_eq(nr, DEPTH);
		srpi_submit(rig.queue);
		for (seen = 0; nr > 0; nr -= (unsigned int)got) {
			got = srpi_wait(rig.queue, done, 1, DEPTH, WAIT_NS);
			ck_assert_int_gt(got, 0);
			for (int i = 0; i < got; i++) {
				uint8_t *at = srpi_data(done[i]);

				ck_assert_int_eq(
					srpi_result(done[i])->error, 0);
				seen |= 1u << (at - rig.in);
				srpi_put(done[i]);
			}
		}
		ck_assert_uint_eq(seen, (1u << DEPTH) - 1);
		ck_assert_mem_eq(rig.in, rig.out, DEPTH * 512);
	}
	open_rig_close(&rig);
}
END_TEST

START_TEST(closing_with_commands_in_flight_frees_everything)
{
	struct iovec iov;
	struct srpi_io *io;
	char url[256];
	struct open_rig rig;

	mode_url(url, sizeof(url), "demo://null?depth=16", _i);
	open_rig_open(&rig, url, 0);
	iov = (struct iovec){rig.in, 4096};
	while ((io = srpi_get(rig.queue))) {
		ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 8, &iov, 1), 0);
		srpi_queue_io(io);
	}
	srpi_submit(rig.queue);
	srpi_close(rig.session);
}
END_TEST

static void
add_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, what_is_written_is_read_back, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, pieces_of_memory_are_put_together_in_order, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, many_in_flight_come_back_once_each, 0, NR_MODES);
	tcase_add_loop_test(tcase,
		closing_with_commands_in_flight_frees_everything, 0, NR_MODES);
}

int
main(void)
{
	return open_rig_main("open_data", add_tests);
}
