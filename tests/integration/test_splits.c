/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * I/Os that one command can't carry: beyond the LUN's maximum transfer
 * length, in more pieces than a command has descriptors, in pieces that are
 * no whole blocks; and what becomes of the whole when a part fails.
 */
#include "splits_rig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "core/io.h"
#include "util/compiler.h"

/* ---- in one piece, beyond the limit ---- */

static const uint32_t lengths[] = { 1, PART - 1, PART, PART + 1, 2 * PART,
	1000, LARGE_BYTES / BLOCK };

START_TEST(a_transfer_beyond_the_limit_goes_in_as_many_parts_as_it_takes)
{
	size_t bytes = (size_t)lengths[_i] * BLOCK;
	uint64_t parts = (lengths[_i] + PART - 1) / PART;
	struct target_stats before, after;
	struct srpi_stats stats;
	uint8_t *buf;

	up(PART, "");
	buf = client_buf(&client, 2 * bytes);
	client_fill(buf, bytes, 1);
	memset(buf + bytes, CANARY, bytes);
	before = bed_stats(&bed);
	rw_ok(CLIENT_WRITE, 3, buf, bytes);
	rw_ok(CLIENT_READ, 3, buf + bytes, bytes);
	after = bed_stats(&bed);
	client_check(buf + bytes, bytes, 1);
	ck_assert_uint_eq(after.writes - before.writes, parts);
	ck_assert_uint_eq(after.reads - before.reads, parts);
	/* the caller and the counters see one I/O */
	srpi_queue_stats(queue, &stats, sizeof(stats));
	ck_assert_uint_eq(stats.commands, 2);
	ck_assert_uint_eq(stats.write_bytes, bytes);
	ck_assert_uint_eq(stats.read_bytes, bytes);
	down();
}
END_TEST

START_TEST(many_at_once_are_split_each_for_itself)
{
	size_t bytes = (size_t)(3 * PART + 1) * BLOCK;
	struct iovec iov = { .iov_len = bytes };
	uint8_t *buf;
	uint64_t lba;
	int i, dir;

	up(PART, "");
	buf = client_buf(&client, 8 * bytes);
	client_fill(buf, 8 * bytes, 2);
	for (dir = CLIENT_WRITE; dir >= CLIENT_READ; dir--) {
		for (i = 0; i < 8; i++) {
			iov.iov_base = buf + (size_t)i * bytes;
			lba = (uint64_t)i * (3 * PART + 1);
			srpi_queue_io(client_prep(&client, queue,
				(enum client_dir)dir, lba, &iov, 1));
		}
		must(srpi_submit(queue) == 8);
		client_reap_ok(queue, 8);
		client_check(buf, 8 * bytes, 2);
		if (dir == CLIENT_WRITE)
			memset(buf, CANARY, 8 * bytes);
	}
	down();
}
END_TEST

/* ---- in many pieces ---- */

/* A list of pieces with gaps between them, in one buffer. */
struct pieces {
	struct iovec iov[MAX_PIECES];
	unsigned int nr;
	size_t bytes, gap;
	uint8_t *buf;
};

static size_t
one_block(unsigned int i)
{
	(void)i;
	return BLOCK;
}

static size_t
page(unsigned int i)
{
	(void)i;
	return 4096;
}

/* No border of a piece but the last is a border of a block, as a rule. */
static size_t
odd(unsigned int i)
{
	return 1 + i * 733 % 1500;
}

/* 64 pieces a block: more than 12 descriptors can say. */
static size_t
shred(unsigned int i)
{
	(void)i;
	return BLOCK / 64;
}

static size_t
some_empty(unsigned int i)
{
	return i % 3 == 1 ? 0 : BLOCK * (1 + i % 5);
}

static size_t
large(unsigned int i)
{
	(void)i;
	return LARGE_BYTES / MAX_PIECES;
}

static const struct shape {
	size_t (*length)(unsigned int i);
	unsigned int nr;
	size_t gap;
	size_t total; /* 0: what they come to, and the last one more */
} shapes[] = {
	{ one_block, 64, 64, 0 },
	{ page, 200, 4096, 0 },
	{ odd, 40, 3, 0 },
	{ shred, 192, 24, 0 },
	{ some_empty, 60, 512, 0 },
	{ large, MAX_PIECES, 512, LARGE_BYTES },
};
static const char *const max_descs[] = { "1", "2", "12", "255" };

/* The last piece makes whole blocks of it. */
static void
pieces_init(struct pieces *pieces, const struct shape *shape)
{
	size_t at = 0, total = 0, len, whole;
	unsigned int i;

	*pieces = (struct pieces){ .nr = shape->nr, .gap = shape->gap };
	for (i = 0; i + 1 < shape->nr; i++)
		total += shape->length(i);
	len = shape->length(i);
	whole = shape->total ? shape->total : ALIGN_UP(total + len, BLOCK);
	pieces->bytes = whole;
	pieces->buf = client_buf(
		&client, whole + (shape->nr + 1) * (shape->gap + 1));
	for (i = 0; i < shape->nr; i++) {
		len = i + 1 < shape->nr ? shape->length(i) : whole - total;
		pieces->iov[i] = (struct iovec){ pieces->buf + at, len };
		at += len + shape->gap;
	}
}

static void
pieces_check_gaps(const struct pieces *pieces)
{
	unsigned int i;

	for (i = 0; i < pieces->nr; i++)
		client_check_all((uint8_t *)pieces->iov[i].iov_base +
				pieces->iov[i].iov_len,
			pieces->gap, CANARY);
}

static void
pieces_clear(const struct pieces *pieces)
{
	const struct iovec *last = &pieces->iov[pieces->nr - 1];
	uint8_t *end = (uint8_t *)last->iov_base + last->iov_len;

	memset(pieces->buf, CANARY,
		(size_t)(end - pieces->buf) + pieces->gap);
}

/*
 * Loop: descriptors, shape, and with or without the LUN's own limit. Written
 * in pieces, read in one piece and in pieces.
 */
#define NR_SHAPES (int)ARRAY_SIZE(shapes)
#define NR_DESCS (int)ARRAY_SIZE(max_descs)

START_TEST(data_in_pieces_is_whole_and_what_lies_between_is_left_alone)
{
	const struct shape *shape = &shapes[_i / NR_DESCS % NR_SHAPES];
	struct pieces pieces;
	uint8_t *whole;
	char keys[32];

	snprintf(keys, sizeof(keys), "&max_descs=%s",
		max_descs[_i % NR_DESCS]);
	up(_i / NR_DESCS / NR_SHAPES ? PART : 0, keys);
	pieces_init(&pieces, shape);
	whole = client_buf(&client, pieces.bytes);
	client_fill(whole, pieces.bytes, 3);
	pieces_clear(&pieces);
	client_scatter(pieces.iov, pieces.nr, whole);
	client_rw_ok(
		&client, queue, CLIENT_WRITE, 7, pieces.iov, pieces.nr);
	memset(whole, CANARY, pieces.bytes);
	rw_ok(CLIENT_READ, 7, whole, pieces.bytes);
	client_check(whole, pieces.bytes, 3);

	pieces_clear(&pieces);
	client_rw_ok(&client, queue, CLIENT_READ, 7, pieces.iov, pieces.nr);
	memset(whole, 0, pieces.bytes);
	client_gather(whole, pieces.iov, pieces.nr);
	client_check(whole, pieces.bytes, 3);
	pieces_check_gaps(&pieces);
	down();
}
END_TEST

/* Nothing has been written when memory of the last part is not registered. */
START_TEST(memory_that_is_not_registered_is_refused_whichever_part_it_is_in)
{
	static uint8_t foreign[BLOCK];
	struct target_stats before, after;
	struct srpi_io *io;
	struct iovec iov[3];
	uint8_t *buf;

	up(PART, _i ? "&max_descs=1" : "");
	buf = client_buf(&client, 4 * PART_BYTES);
	iov[0] = (struct iovec){ buf, PART_BYTES };
	iov[1] = (struct iovec){ buf + 2 * PART_BYTES, PART_BYTES };
	iov[2] = (struct iovec){ foreign, BLOCK };
	before = bed_stats(&bed);
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_write(io, client.lun, 0, 2 * PART + 1, iov,
				 3),
		-EFAULT);
	ck_assert_int_eq(
		srpi_prep_read(io, client.lun, 0, 2 * PART + 1, iov, 3),
		-EFAULT);
	srpi_put(io);
	after = bed_stats(&bed);
	ck_assert_uint_eq(after.commands, before.commands);
	down();
}
END_TEST

/* ---- a part fails ---- */

struct failing {
	uint8_t *buf;
	struct srpi_result result;
};

/* Four parts, the data known; then @faults, and a read. */
static struct failing
read_with(struct target_faults faults)
{
	struct failing f;
	struct iovec iov;

	up(PART, "&io_timeout=5s");
	f.buf = client_buf(&client, 4 * PART_BYTES);
	client_fill(f.buf, 4 * PART_BYTES, 4);
	rw_ok(CLIENT_WRITE, 0, f.buf, 4 * PART_BYTES);
	memset(f.buf, CANARY, 4 * PART_BYTES);
	set_faults(faults);
	iov = (struct iovec){ f.buf, 4 * PART_BYTES };
	f.result = client_rw(&client, queue, CLIENT_READ, 0, &iov, 1);
	set_faults((struct target_faults){ 0 });
	return f;
}

/* Loop: which part. */
START_TEST(the_result_says_how_far_it_came)
{
	/* 18h: RESERVATION CONFLICT, which nobody tries again */
	struct failing f = read_with((struct target_faults){
		.status = 0x18, .status_every = (uint32_t)_i });
	size_t before = (size_t)(_i - 1) * PART_BYTES;

	ck_assert_int_eq(f.result.error, -EBADE);
	ck_assert_uint_eq(f.result.status, 0x18);
	ck_assert_uint_eq(f.result.bytes, before);
	ck_assert_int_eq(
		f.result.residual, (int32_t)(4 * PART_BYTES - before));
	client_check(f.buf, before, 4);
	client_check_all(f.buf + before, 4 * PART_BYTES - before, CANARY);
	/* the tag is as good as new */
	rw_ok(CLIENT_READ, 0, f.buf, 4 * PART_BYTES);
	client_check(f.buf, 4 * PART_BYTES, 4);
	down();
}
END_TEST

START_TEST(a_write_stops_at_the_part_that_failed)
{
	struct failing f = read_with((struct target_faults){ 0 });
	struct iovec iov = { f.buf, 4 * PART_BYTES };

	client_check(f.buf, 4 * PART_BYTES, 4);
	memset(f.buf, 0x55, 4 * PART_BYTES);
	set_faults((struct target_faults){ .status = 0x18, .status_every = 3 });
	f.result = client_rw(&client, queue, CLIENT_WRITE, 0, &iov, 1);
	set_faults((struct target_faults){ 0 });
	ck_assert_int_eq(f.result.error, -EBADE);
	ck_assert_uint_eq(f.result.bytes, 2 * PART_BYTES);
	memset(f.buf, CANARY, 4 * PART_BYTES);
	rw_ok(CLIENT_READ, 0, f.buf, 4 * PART_BYTES);
	client_check_all(f.buf, 2 * PART_BYTES, 0x55);
	/* the rest of the LUN is what it was */
	client_fill(f.buf, 4 * PART_BYTES, 4);
	memset(f.buf, 0x55, 2 * PART_BYTES);
	rw_ok(CLIENT_WRITE, 8 * PART, f.buf, 4 * PART_BYTES);
	rw_ok(CLIENT_READ, 2 * PART, f.buf, 2 * PART_BYTES);
	rw_ok(CLIENT_READ, 10 * PART, f.buf + 2 * PART_BYTES, 2 * PART_BYTES);
	ck_assert_mem_eq(f.buf, f.buf + 2 * PART_BYTES, 2 * PART_BYTES);
	down();
}
END_TEST

/* BUSY and TASK SET FULL: a part is tried again, those done are not. */
START_TEST(a_busy_target_only_delays_a_part)
{
	struct failing f = read_with((struct target_faults){
		.status = _i ? 0x28 : 0x08, .status_every = 3 });

	ck_assert_int_eq(f.result.error, 0);
	ck_assert_uint_eq(f.result.bytes, 4 * PART_BYTES);
	ck_assert_int_eq(f.result.residual, 0);
	client_check(f.buf, 4 * PART_BYTES, 4);
	ck_assert_uint_eq(client_stats(&client).retries, 1);
	down();
}
END_TEST

START_TEST(a_part_that_moved_too_little_is_an_error)
{
	struct failing f = read_with(
		(struct target_faults){ .residual_bytes = 1000 });

	ck_assert_int_eq(f.result.error, -EIO);
	ck_assert_uint_eq(f.result.status, 0);
	ck_assert_uint_eq(f.result.bytes, PART_BYTES - 1000);
	ck_assert_int_eq(f.result.residual, 3 * PART_BYTES + 1000);
	down();
}
END_TEST

START_TEST(what_lies_beyond_the_end_is_refused_before_anything_is_sent)
{
	struct target_stats before, after;
	struct srpi_io *io;
	struct iovec iov;
	uint8_t *buf;

	up(PART, "");
	buf = client_buf(&client, 4 * PART_BYTES);
	iov = (struct iovec){ buf, 4 * PART_BYTES };
	before = bed_stats(&bed);
	io = srpi_get(queue);
	ck_assert_int_eq(srpi_prep_read(io, client.lun,
				 LUN_BLOCKS - 4 * PART + 1, 4 * PART, &iov, 1),
		-ERANGE);
	ck_assert_int_eq(srpi_prep_write(io, client.lun, LUN_BLOCKS, 4 * PART,
				 &iov, 1),
		-ERANGE);
	ck_assert_int_eq(srpi_prep_write(io, client.lun, UINT64_MAX, 4 * PART,
				 &iov, 1),
		-ERANGE);
	srpi_put(io);
	after = bed_stats(&bed);
	ck_assert_uint_eq(after.commands, before.commands);
	rw_ok(CLIENT_WRITE, LUN_BLOCKS - 4 * PART, buf, 4 * PART_BYTES);
	down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("splits");
	int step = client_is_slow() ? 5 : 1, i;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase,
		a_transfer_beyond_the_limit_goes_in_as_many_parts_as_it_takes,
		0, (int)ARRAY_SIZE(lengths));
	tcase_add_test(tcase, many_at_once_are_split_each_for_itself);
	for (i = 0; i < NR_DESCS * NR_SHAPES * 2; i += step)
		tcase_add_loop_test(tcase,
			data_in_pieces_is_whole_and_what_lies_between_is_left_alone,
			i, i + 1);
	tcase_add_loop_test(tcase,
		memory_that_is_not_registered_is_refused_whichever_part_it_is_in,
		0, 2);
	tcase_add_loop_test(tcase, the_result_says_how_far_it_came, 1, 5);
	tcase_add_test(tcase, a_write_stops_at_the_part_that_failed);
	tcase_add_loop_test(tcase, a_busy_target_only_delays_a_part, 0, 2);
	tcase_add_test(tcase, a_part_that_moved_too_little_is_an_error);
	tcase_add_test(tcase,
		what_lies_beyond_the_end_is_refused_before_anything_is_sent);
	return unit_run(tcase, "splits");
}
