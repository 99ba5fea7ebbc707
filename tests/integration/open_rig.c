/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "open_rig.h"

#include <string.h>

#include "../unit/unit.h"

#define WAIT_NS INT64_C(20000000000)

char reason[512];

struct srpi_session *
open_rig_session(const char *url)
{
	struct srpi_session *session;

	ck_assert_msg(
		srpi_open(url, NULL, &session, reason, sizeof(reason)) == 0,
		"%s: %s", url, reason);
	return session;
}

void
open_rig_open(struct open_rig *rig, const char *url, uint64_t number)
{
	uint8_t lun[8];

	rig->session = open_rig_session(url);
	ck_assert_int_eq(srpi_lun_from_number(number, lun), 0);
	ck_assert_msg(srpi_lun_open(rig->session, lun, &rig->lun, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
	srpi_lun_info(rig->lun, &rig->info);
	ck_assert_msg(srpi_queue_create(rig->session, NULL, &rig->queue, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
	ck_assert_msg(srpi_buf_alloc(rig->session, 2 * OPEN_RIG_IO_BYTES,
			      &rig->mem, reason, sizeof(reason)) == 0,
		"%s", reason);
	rig->out = srpi_mem_addr(rig->mem);
	rig->in = rig->out + OPEN_RIG_IO_BYTES;
}

void
open_rig_close(struct open_rig *rig)
{
	srpi_queue_destroy(rig->queue);
	srpi_mem_free(rig->mem);
	srpi_close(rig->session);
}

void
open_rig_run(struct open_rig *rig, int is_write, uint64_t lba,
	const struct iovec *iov, unsigned int nr)
{
	struct srpi_io *io = srpi_get(rig->queue), *done = NULL;
	uint32_t bytes = 0;
	char text[256];

	ck_assert_ptr_nonnull(io);
	for (unsigned int i = 0; i < nr; i++)
		bytes += (uint32_t)iov[i].iov_len;
	ck_assert_int_eq(
		is_write ? srpi_prep_write(io, rig->lun, lba,
				   bytes / rig->info.block_bytes, iov, nr)
			 : srpi_prep_read(io, rig->lun, lba,
				   bytes / rig->info.block_bytes, iov, nr),
		0);
	srpi_queue_io(io);
	ck_assert_int_eq(srpi_submit(rig->queue), 1);
	ck_assert_int_eq(srpi_wait(rig->queue, &done, 1, 1, WAIT_NS), 1);
	ck_assert_ptr_eq(done, io);
	srpi_explain(io, text, sizeof(text));
	ck_assert_msg(srpi_result(io)->error == 0, "%s", text);
	ck_assert_uint_eq(srpi_result(io)->bytes, bytes);
	ck_assert_int_eq(srpi_result(io)->residual, 0);
	srpi_put(io);
}

void
open_rig_fill(uint8_t *data, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes; i++) {
		seed = seed * UINT64_C(6364136223846793005) +
		       1442695040888963407;
		data[i] = (uint8_t)(seed >> 56);
	}
}

void
open_rig_verify(struct open_rig *rig, uint64_t lba, size_t bytes)
{
	struct iovec out = {rig->out, bytes}, in = {rig->in, bytes};

	open_rig_fill(rig->out, bytes, lba + bytes);
	memset(rig->in, 0xee, bytes);
	open_rig_run(rig, 1, lba, &out, 1);
	open_rig_run(rig, 0, lba, &in, 1);
	ck_assert_mem_eq(rig->out, rig->in, bytes);
}

int
open_rig_main(const char *name, void (*add_tests)(TCase *tcase))
{
	TCase *tcase = tcase_create(name);

	tcase_set_timeout(tcase, 30);
	add_tests(tcase);
	return unit_run(tcase, name);
}
