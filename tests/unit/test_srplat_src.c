/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/srplat_src.h"

#define BLOCK 4096

static char path[] = "srplat_src.XXXXXX";
static struct srplat_opts opts;
static struct srplat_src *src;
static char reason[512];
static char *page;

static void
setup(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 3 * BLOCK + 100), 0);
	ck_assert_int_eq(pwrite(fd, "hello", 5, BLOCK), 5);
	close(fd);
	ck_assert_int_eq(posix_memalign((void **)&page, BLOCK, BLOCK), 0);
	memset(page, 0, BLOCK);
	src = NULL;
}

static void
teardown(void)
{
	srplat_src_close(src);
	free(page);
	unlink(path);
}

static int
open_it(const char *name, enum srplat_dir dir)
{
	struct srplat_src_args args = { name, dir, &opts };

	reason[0] = '\0';
	return srplat_src_open(&args, &src, reason, sizeof(reason));
}

/* One request, to its end. */
static struct srplat_done
transfer(enum srplat_dir dir, uint64_t offset, uint32_t bytes)
{
	struct srplat_req req = { 0, dir, page, offset, bytes };
	struct srplat_done done = { 99, 0, 0 };
	int i, rc = 0;

	ck_assert_int_eq(
		src->ops->attach(src, 0, 1, reason, sizeof(reason)), 0);
	ck_assert_int_eq(src->ops->submit(src, &req), 0);
	ck_assert_int_eq(src->ops->flush(src), 0);
	for (i = 0; i < 100 && rc == 0; i++)
		rc = src->ops->wait(src, &done, 1, 100000000);
	ck_assert_int_eq(rc, 1);
	ck_assert_uint_eq(done.tag, 0);
	src->ops->detach(src);
	return done;
}

START_TEST(a_file_is_read_where_asked)
{
	struct srplat_done done;

	ck_assert_int_eq(open_it(path, SRPLAT_READ), 0);
	ck_assert_int_eq(src->kind, SRPLAT_KIND_FILE);
	ck_assert_uint_eq(src->bytes, 3 * BLOCK + 100);
	done = transfer(SRPLAT_READ, BLOCK, BLOCK);
	ck_assert_int_eq(done.error, 0);
	ck_assert_uint_eq(done.bytes, BLOCK);
	ck_assert_int_eq(memcmp(page, "hello", 5), 0);
}
END_TEST

START_TEST(a_tail_that_direct_io_refuses_is_read_all_the_same)
{
	struct srplat_done done;

	ck_assert_int_eq(open_it(path, SRPLAT_READ), 0);
	done = transfer(SRPLAT_READ, 3 * BLOCK, 100);
	ck_assert_int_eq(done.error, 0);
	ck_assert_uint_eq(done.bytes, 100);
}
END_TEST

START_TEST(a_read_past_the_end_is_an_error_with_the_place)
{
	struct srplat_done done;

	ck_assert_int_eq(open_it(path, SRPLAT_READ), 0);
	done = transfer(SRPLAT_READ, 8 * BLOCK, BLOCK);
	ck_assert_int_eq(done.error, -EIO);
	ck_assert_ptr_nonnull(
		strstr(src->error_text, "read of 4096 bytes at offset 32768"));
}
END_TEST

START_TEST(what_is_written_can_be_read_back)
{
	struct srplat_done done;

	ck_assert_int_eq(open_it(path, SRPLAT_WRITE), 0);
	ck_assert_uint_eq(src->bytes, SRPLAT_FOREVER);
	ck_assert_uint_eq(src->file_bytes, 3 * BLOCK + 100);
	memset(page, 0x5a, BLOCK);
	done = transfer(SRPLAT_WRITE, 2 * BLOCK, BLOCK);
	ck_assert_int_eq(done.error, 0);
	ck_assert_int_eq(src->ops->sync(src, true), 0);
	srplat_src_close(src);
	memset(page, 0, BLOCK);
	ck_assert_int_eq(open_it(path, SRPLAT_READ), 0);
	done = transfer(SRPLAT_READ, 2 * BLOCK, BLOCK);
	ck_assert_int_eq(done.error, 0);
	ck_assert_int_eq((unsigned char)page[BLOCK - 1], 0x5a);
}
END_TEST

START_TEST(opening_for_writing_cuts_nothing_truncating_does)
{
	struct stat st;

	ck_assert_int_eq(open_it(path, SRPLAT_WRITE), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 3 * BLOCK + 100);
	ck_assert_int_eq(src->ops->truncate(src, BLOCK), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, BLOCK);
}
END_TEST

START_TEST(special_names_stand_for_what_dd_users_expect)
{
	ck_assert_int_eq(open_it("/dev/zero", SRPLAT_READ), 0);
	ck_assert_int_eq(src->kind, SRPLAT_KIND_ZERO);
	ck_assert(!srplat_src_is_active(src));
	srplat_src_close(src);
	ck_assert_int_eq(open_it("/dev/urandom", SRPLAT_READ), 0);
	ck_assert_int_eq(src->kind, SRPLAT_KIND_RANDOM);
	srplat_src_close(src);
	ck_assert_int_eq(open_it("/dev/null", SRPLAT_WRITE), 0);
	ck_assert_int_eq(src->kind, SRPLAT_KIND_NULL);
	srplat_src_close(src);
	src = NULL;
	ck_assert_int_eq(open_it("/dev/null", SRPLAT_READ), 2);
	ck_assert_int_eq(open_it("/dev/zero", SRPLAT_WRITE), 2);
	ck_assert_ptr_nonnull(strstr(reason, "of=/dev/zero"));
}
END_TEST

START_TEST(what_is_no_storage_is_refused)
{
	ck_assert_int_eq(open_it("/dev/full", SRPLAT_READ), 2);
	ck_assert_ptr_nonnull(strstr(reason, "neither a regular file nor"));
	ck_assert_int_eq(open_it("/", SRPLAT_READ), 2);
	ck_assert_int_eq(open_it("no/such/file", SRPLAT_READ), 3);
	ck_assert_ptr_nonnull(strstr(reason, "No such file"));
}
END_TEST

START_TEST(the_source_of_nothing_finishes_all_at_once)
{
	struct srplat_done done[4];
	uint32_t i;

	ck_assert_int_eq(srplat_src_none_open(&src), 0);
	ck_assert_int_eq(
		src->ops->attach(src, 0, 4, reason, sizeof(reason)), 0);
	for (i = 0; i < 4; i++) {
		struct srplat_req req = { i, SRPLAT_READ, page, 0, 512 };

		ck_assert_int_eq(src->ops->submit(src, &req), 0);
	}
	ck_assert_int_eq(src->ops->flush(src), 0);
	ck_assert_int_eq(src->ops->wait(src, done, 3, 0), 3);
	ck_assert_int_eq(src->ops->wait(src, done, 3, 0), 1);
	ck_assert_int_eq(src->ops->wait(src, done, 3, 0), 0);
	src->ops->detach(src);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("srplat_src");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_file_is_read_where_asked);
	tcase_add_test(
		tcase, a_tail_that_direct_io_refuses_is_read_all_the_same);
	tcase_add_test(tcase, a_read_past_the_end_is_an_error_with_the_place);
	tcase_add_test(tcase, what_is_written_can_be_read_back);
	tcase_add_test(
		tcase, opening_for_writing_cuts_nothing_truncating_does);
	tcase_add_test(tcase, special_names_stand_for_what_dd_users_expect);
	tcase_add_test(tcase, what_is_no_storage_is_refused);
	tcase_add_test(tcase, the_source_of_nothing_finishes_all_at_once);
	return unit_run(tcase, "srplat_src");
}
