/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a URL to verified data and back to nothing: srpi.h alone, as a program
 * would use it, over the software device.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <srpi/srpi.h>

#define NR(array) (int)(sizeof(array) / sizeof((array)[0]))
#define IO_MAX_BYTES (64 * 1024)
#define WAIT_NS INT64_C(20000000000)
#define DEMO_IDS "id_ext=7372706964656d6f&ioc_guid=0200000000000001"

static char reason[512];

struct rig {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_mem *mem; /* two halves: what is written, what is read */
	uint8_t *out, *in;
	struct srpi_lun_info info;
};

static struct srpi_session *
open_ok(const char *url)
{
	struct srpi_session *session;

	ck_assert_msg(
		srpi_open(url, NULL, &session, reason, sizeof(reason)) == 0,
		"%s: %s", url, reason);
	return session;
}

static int
open_fails(const char *url)
{
	struct srpi_session *session = (void *)&reason;
	int rc;

	memset(reason, 0, sizeof(reason));
	rc = srpi_open(url, NULL, &session, reason, sizeof(reason));
	ck_assert_msg(rc < 0, "%s opened", url);
	ck_assert_ptr_null(session);
	ck_assert_msg(strlen(reason) > 10, "%s: \"%s\"", url, reason);
	return rc;
}

static void
rig_open(struct rig *rig, const char *url, uint64_t number)
{
	uint8_t lun[8];

	rig->session = open_ok(url);
	ck_assert_int_eq(srpi_lun_from_number(number, lun), 0);
	ck_assert_msg(srpi_lun_open(rig->session, lun, &rig->lun, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
	srpi_lun_info(rig->lun, &rig->info);
	ck_assert_msg(srpi_queue_create(rig->session, NULL, &rig->queue, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
	ck_assert_msg(srpi_buf_alloc(rig->session, 2 * IO_MAX_BYTES, &rig->mem,
			      reason, sizeof(reason)) == 0,
		"%s", reason);
	rig->out = srpi_mem_addr(rig->mem);
	rig->in = rig->out + IO_MAX_BYTES;
}

static void
rig_close(struct rig *rig)
{
	srpi_queue_destroy(rig->queue);
	srpi_mem_free(rig->mem);
	srpi_close(rig->session);
}

/* One command, alone; its result is checked and its tag given back. */
static void
run(struct rig *rig, int is_write, uint64_t lba, const struct iovec *iov,
	unsigned int nr)
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

static void
fill(uint8_t *data, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes; i++) {
		seed = seed * UINT64_C(6364136223846793005) +
		       1442695040888963407;
		data[i] = (uint8_t)(seed >> 56);
	}
}

static void
write_and_verify(struct rig *rig, uint64_t lba, size_t bytes)
{
	struct iovec out = {rig->out, bytes}, in = {rig->in, bytes};

	fill(rig->out, bytes, lba + bytes);
	memset(rig->in, 0xee, bytes);
	run(rig, 1, lba, &out, 1);
	run(rig, 0, lba, &in, 1);
	ck_assert_mem_eq(rig->out, rig->in, bytes);
}

/* ---- data ------------------------------------------------------------ */

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
	struct rig rig;

	for (int b = 0; b < NR(block_sizes); b++) {
		snprintf(head, sizeof(head), "demo://ram?block=%u",
			block_sizes[b]);
		mode_url(url, sizeof(url), head, _i);
		rig_open(&rig, url, 0);
		ck_assert_uint_eq(rig.info.block_bytes, block_sizes[b]);
		for (unsigned int blocks = 1;
			blocks * block_sizes[b] <= IO_MAX_BYTES; blocks *= 2)
			write_and_verify(
				&rig, blocks * 7, blocks * block_sizes[b]);
		write_and_verify(&rig, rig.info.blocks - 1, block_sizes[b]);
		rig_close(&rig);
	}
}
END_TEST

START_TEST(pieces_of_memory_are_put_together_in_order)
{
	struct iovec out[3], in[2];
	char url[256];
	struct rig rig;

	mode_url(url, sizeof(url), "demo://ram?size=1M", _i);
	rig_open(&rig, url, 0);
	fill(rig.out, 8192, 5);
	out[0] = (struct iovec){rig.out + 6000, 2000};
	out[1] = (struct iovec){rig.out, 1072};
	out[2] = (struct iovec){rig.out + 3000, 1024};
	in[0] = (struct iovec){rig.in + 4096, 4095};
	in[1] = (struct iovec){rig.in, 1};
	run(&rig, 1, 3, out, 3);
	run(&rig, 0, 3, in, 2);
	ck_assert_mem_eq(rig.in + 4096, rig.out + 6000, 2000);
	ck_assert_mem_eq(rig.in + 6096, rig.out, 1072);
	ck_assert_mem_eq(rig.in + 7168, rig.out + 3000, 1023);
	ck_assert_uint_eq(rig.in[0], rig.out[4023]);
	rig_close(&rig);
}
END_TEST

/* Eight at once, each with its own block and its own part of the memory. */
START_TEST(many_in_flight_come_back_once_each)
{
	enum { DEPTH = 8, ROUNDS = 50 };
	struct srpi_io *io, *done[DEPTH];
	unsigned int nr, seen;
	char url[256];
	struct rig rig;
	int got;

	mode_url(url, sizeof(url), "demo://ram?size=1M&depth=8", _i);
	rig_open(&rig, url, 0);
	fill(rig.out, DEPTH * 512, 1);
	run(&rig, 1, 0, &(struct iovec){rig.out, DEPTH * 512}, 1);
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
	rig_close(&rig);
}
END_TEST

START_TEST(closing_with_commands_in_flight_frees_everything)
{
	struct iovec iov;
	struct srpi_io *io;
	char url[256];
	struct rig rig;

	mode_url(url, sizeof(url), "demo://null?depth=16", _i);
	rig_open(&rig, url, 0);
	iov = (struct iovec){rig.in, 4096};
	while ((io = srpi_get(rig.queue))) {
		ck_assert_int_eq(srpi_prep_read(io, rig.lun, 0, 8, &iov, 1), 0);
		srpi_queue_io(io);
	}
	srpi_submit(rig.queue);
	srpi_close(rig.session);
}
END_TEST

/* ---- what a session knows -------------------------------------------- */

START_TEST(all_luns_are_listed)
{
	struct srpi_session *session = open_ok("demo://ram?luns=5&size=1M");
	uint8_t luns[8][8];
	uint64_t number;

	ck_assert_int_eq(srpi_luns(session, luns, 8), 5);
	for (uint64_t i = 0; i < 5; i++) {
		ck_assert_int_eq(srpi_lun_number(luns[i], &number), 0);
		ck_assert_uint_eq(number, i);
	}
	ck_assert_int_eq(srpi_luns(session, luns, 2), 5);
	srpi_close(session);

	session = open_ok("demo://null?luns=256");
	ck_assert_int_eq(srpi_luns(session, luns, 8), 256);
	srpi_close(session);
}
END_TEST

START_TEST(a_target_without_luns_can_be_opened)
{
	struct srpi_session *session = open_ok("demo://null?luns=0");
	struct srpi_lun *lun;
	uint8_t luns[1][8] = {{0}};

	ck_assert_int_eq(srpi_luns(session, luns, 1), 0);
	ck_assert_int_eq(
		srpi_lun_open(session, luns[0], &lun, reason, sizeof(reason)),
		-ENODEV);
	srpi_close(session);
}
END_TEST

START_TEST(each_lun_has_its_own_data_and_an_absent_one_is_refused)
{
	struct rig rig;
	struct srpi_lun *lun;
	struct iovec in;
	uint8_t absent[8];

	rig_open(&rig, "demo://ram?luns=3&size=1M&lun=2", 2);
	write_and_verify(&rig, 9, 4096);
	ck_assert_int_eq(srpi_lun_from_number(3, absent), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, absent, &lun, reason,
				 sizeof(reason)),
		-ENODEV);
	ck_assert_int_eq(srpi_lun_from_number(1, absent), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, absent, &rig.lun, reason,
				 sizeof(reason)),
		0);
	in = (struct iovec){rig.in, 4096};
	run(&rig, 0, 9, &in, 1);
	for (int i = 0; i < 4096; i++)
		ck_assert_uint_eq(rig.in[i], 0);
	rig_close(&rig);
}
END_TEST

START_TEST(geometry_is_as_the_url_says)
{
	struct srpi_io *io;
	struct iovec iov;
	struct rig rig;

	rig_open(&rig, "demo://null?ro=yes", 0);
	ck_assert_uint_eq(rig.info.blocks, UINT64_C(1) << 31);
	ck_assert_uint_eq(rig.info.block_bytes, 512);
	ck_assert(rig.info.flags & SRPI_LUN_READ_ONLY);
	io = srpi_get(rig.queue);
	iov = (struct iovec){rig.out, 512};
	ck_assert_int_eq(srpi_prep_write(io, rig.lun, 0, 1, &iov, 1), -EROFS);
	ck_assert_int_eq(
		srpi_prep_read(io, rig.lun, rig.info.blocks, 1, &iov, 1),
		-ERANGE);
	srpi_put(io);
	rig_close(&rig);

	rig_open(&rig, "demo://null?size=4104G&block=4104", 0);
	ck_assert_uint_eq(rig.info.blocks, UINT64_C(1) << 30);
	ck_assert_uint_eq(rig.info.block_bytes, 4104);
	ck_assert(!(rig.info.flags & SRPI_LUN_READ_ONLY));
	rig_close(&rig);
}
END_TEST

START_TEST(a_session_says_what_it_is)
{
	static const uint8_t target_id[16] = {
		's', 'r', 'p', 'i', 'd', 'e', 'm', 'o', 2, 0, 0, 0, 0, 0, 0, 1};
	static const uint8_t initiator_id[16] = {[15] = 0x42};
	struct srpi_session_info info;
	struct srpi_session *session =
		open_ok("demo://ram?luns=3&lun=2&"
			"initiator_id=00000000000000000000000000000042");

	srpi_session_info(session, &info);
	ck_assert_mem_eq(info.target_port_id, target_id, 16);
	ck_assert_mem_eq(info.initiator_port_id, initiator_id, 16);
	ck_assert_uint_eq(info.flags, SRPI_SESSION_SOFTWARE |
					      SRPI_SESSION_IN_PROCESS |
					      SRPI_SESSION_SHARED_CPU);
	ck_assert_uint_eq(info.default_lun, 2);
	ck_assert_uint_ge(info.nr_channels, 1);
	ck_assert_uint_ge(info.req_lim, 2);
	ck_assert_ptr_nonnull(strchr(info.portal, ':'));
	ck_assert_str_ne(info.device, "");
	srpi_close(session);
}
END_TEST

/* At whatever descriptor it ends: the limit and what raises it are named. */
START_TEST(too_few_descriptors_are_said_with_the_limit)
{
	struct rlimit limit;
	struct srpi_session *session = NULL;
	int ret = 0, nr_refused = 0;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	for (limit.rlim_cur = 4; limit.rlim_cur < 64; limit.rlim_cur++) {
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
		ret = srpi_open("demo://ram?irqmode=thread", NULL, &session,
			reason, sizeof(reason));
		if (!ret)
			break;
		ck_assert_msg(ret == -EMFILE, "%d: %s", ret, reason);
		ck_assert_msg(strstr(reason, "ulimit -n"), "%s", reason);
		nr_refused++;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_gt(nr_refused, 3);
	srpi_close(session);
}
END_TEST

START_TEST(the_time_of_a_targets_own_thread_is_known)
{
	struct srpi_session_info info;
	struct rig rig;

	rig_open(&rig, "demo://ram?irqmode=thread", 0);
	write_and_verify(&rig, 0, IO_MAX_BYTES);
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(
		info.flags, SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS);
	ck_assert_uint_gt(info.target_cpu_ns, 0);
	rig_close(&rig);
}
END_TEST

/* ---- sharing --------------------------------------------------------- */

START_TEST(one_name_is_one_target)
{
	struct iovec in;
	struct rig a, b;

	rig_open(&a, "demo://ram?name=shared", 0);
	rig_open(&b, "demo://ram?name=shared&completion=self", 0);
	write_and_verify(&a, 100, 8192);
	in = (struct iovec){b.in, 8192};
	run(&b, 0, 100, &in, 1);
	ck_assert_mem_eq(b.in, a.out, 8192);
	/* It outlives the one who made it. */
	rig_close(&a);
	memset(b.in, 0, 8192);
	run(&b, 0, 100, &in, 1);
	fill(b.out, 8192, 100 + 8192);
	ck_assert_mem_eq(b.in, b.out, 8192);
	ck_assert_int_eq(open_fails("demo://ram?name=shared&size=1M"), -EINVAL);
	rig_close(&b);
	/* And is gone with the last. */
	rig_open(&a, "demo://ram?name=shared&size=1M", 0);
	in = (struct iovec){a.in, 8192};
	run(&a, 0, 100, &in, 1);
	for (int i = 0; i < 8192; i++)
		ck_assert_uint_eq(a.in[i], 0);
	rig_close(&a);
}
END_TEST

START_TEST(without_a_name_two_targets_share_nothing)
{
	struct iovec in;
	struct rig a, b;

	rig_open(&a, "demo://ram?size=1M", 0);
	rig_open(&b, "demo://ram?size=1M", 0);
	write_and_verify(&a, 5, 512);
	in = (struct iovec){b.in, 512};
	run(&b, 0, 5, &in, 1);
	for (int i = 0; i < 512; i++)
		ck_assert_uint_eq(b.in[i], 0);
	rig_close(&b);
	rig_close(&a);
}
END_TEST

START_TEST(an_srp_url_reaches_a_target_of_this_process)
{
	struct srpi_session_info info;
	struct rig demo, srp;
	struct iovec in;
	char url[256];

	rig_open(&demo, "demo://ram?irqmode=thread", 0);
	srpi_session_info(demo.session, &info);
	snprintf(url, sizeof(url), "srp://%s/?fabric=soft&" DEMO_IDS,
		info.portal);
	rig_open(&srp, url, 0);
	write_and_verify(&demo, 77, 4096);
	in = (struct iovec){srp.in, 4096};
	run(&srp, 0, 77, &in, 1);
	ck_assert_mem_eq(srp.in, demo.out, 4096);
	rig_close(&srp);
	rig_close(&demo);
}
END_TEST

/* ---- what cannot be opened ------------------------------------------- */

START_TEST(a_refused_login_is_told_from_a_target_that_is_not_there)
{
	struct srpi_session *demo = open_ok("demo://null?irqmode=thread");
	struct srpi_session_info info;
	char url[256];

	srpi_session_info(demo, &info);
	snprintf(url, sizeof(url),
		"srp://%s/?fabric=soft&id_ext=0000000000000bad"
		"&ioc_guid=0200000000000001",
		info.portal);
	ck_assert_int_eq(open_fails(url), -ECONNREFUSED);
	srpi_close(demo);
	/* Its address has gone with it. */
	snprintf(url, sizeof(url),
		"srp://%s/?fabric=soft&login_timeout=500ms&" DEMO_IDS,
		info.portal);
	switch (open_fails(url)) {
	case -EHOSTUNREACH:
	case -ETIMEDOUT:
	case -ENODEV:
		break;
	default:
		ck_abort_msg("%s", reason);
	}
}
END_TEST

START_TEST(malformed_input_is_refused_before_anything_is_made)
{
	struct srpi_session *session;

	ck_assert_int_eq(open_fails("demo://ram?size=1"), -EINVAL);
	ck_assert_int_eq(open_fails("srp://h"), -EINVAL);
	ck_assert_int_eq(open_fails("iser://h/iqn.x/0"), -EINVAL);
	ck_assert_int_eq(
		srpi_open(NULL, NULL, &session, reason, sizeof(reason)),
		-EINVAL);
	ck_assert_int_eq(
		srpi_open("demo://", NULL, &session, NULL, 0), -EINVAL);
	srpi_close(NULL);
	srpi_queue_destroy(NULL);
}
END_TEST

/* With and without RDMA devices: nobody answers at a documentation address. */
START_TEST(hardware_that_is_not_there_is_said_in_a_sentence)
{
	int rc = open_fails("srp://192.0.2.1/?login_timeout=300ms&" DEMO_IDS);

	ck_assert_msg(rc == -ENODEV || rc == -EACCES || rc == -EHOSTUNREACH ||
			      rc == -ETIMEDOUT,
		"%d: %s", rc, reason);
}
END_TEST

START_TEST(options_reach_the_session)
{
	struct srpi_queue_info info;
	struct srpi_session *session;
	struct srpi_queue *queue;
	struct srpi_opts *opts;

	ck_assert_int_eq(srpi_opts_create(&opts), 0);
	ck_assert_int_eq(srpi_opts_set(opts, "depth", "7", NULL, 0), 0);
	ck_assert_int_eq(srpi_opts_set(opts, "completion", "self", NULL, 0), 0);
	ck_assert_int_eq(srpi_open("demo://null", opts, &session, reason,
				 sizeof(reason)),
		0);
	srpi_opts_destroy(opts);
	ck_assert_int_eq(srpi_queue_create(
				 session, NULL, &queue, reason, sizeof(reason)),
		0);
	srpi_queue_info(queue, &info);
	ck_assert_uint_eq(info.depth, 7);
	ck_assert_int_eq(info.completion, SRPI_COMPLETION_SELF);
	srpi_close(session);
}
END_TEST

static void
add_mode_tests(TCase *tcase)
{
	tcase_add_loop_test(tcase, what_is_written_is_read_back, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, pieces_of_memory_are_put_together_in_order, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, many_in_flight_come_back_once_each, 0, NR_MODES);
	tcase_add_loop_test(tcase,
		closing_with_commands_in_flight_frees_everything, 0, NR_MODES);
}

START_TEST(a_url_is_checked_without_being_opened)
{
	struct srpi_opts *opts;

	/* Nobody is there, and no such device either. */
	ck_assert_int_eq(srpi_url_check("srp://192.0.2.1/?" DEMO_IDS, NULL,
				 reason, sizeof(reason)),
		0);
	ck_assert_int_eq(srpi_url_check("demo://nul", NULL, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "demo://null"));
	ck_assert_int_eq(
		srpi_url_check(NULL, NULL, reason, sizeof(reason)), -EINVAL);
	ck_assert_int_eq(srpi_url_check("demo:", NULL, NULL, 0), -EINVAL);
	/* An option that is for other URLs. */
	ck_assert_int_eq(srpi_opts_create(&opts), 0);
	ck_assert_int_eq(
		srpi_opts_set(opts, "luns", "2", reason, sizeof(reason)), 0);
	ck_assert_int_eq(srpi_url_check("demo://ram", opts, reason,
				 sizeof(reason)),
		0);
	ck_assert_int_eq(srpi_url_check("srp://192.0.2.1/?" DEMO_IDS, opts,
				 reason, sizeof(reason)),
		-EINVAL);
	srpi_opts_destroy(opts);
}
END_TEST

static char logged[512];

static void
keep_line(void *arg, int level, const char *component, const char *line)
{
	snprintf(logged, sizeof(logged), "%s %d %s: %s", (const char *)arg,
		level, component, line);
}

START_TEST(the_librarys_lines_go_where_they_are_wanted)
{
	static char mark[] = "mark";

	srpi_log_set(keep_line, mark, 3);
	srpi_close(open_ok("demo://null?luns=0"));
	srpi_log_set(NULL, NULL, 0);
	ck_assert_msg(strncmp(logged, "mark 1 core: ", 13) == 0, "%s", logged);
	logged[0] = '\0';
	/* Only errors are wanted; this is a warning. */
	srpi_log_set(keep_line, mark, 0);
	srpi_close(open_ok("demo://null?luns=0"));
	srpi_log_set(NULL, NULL, 0);
	ck_assert_str_eq(logged, "");
}
END_TEST

static void
add_tests(TCase *tcase)
{
	add_mode_tests(tcase);
	tcase_add_test(tcase, all_luns_are_listed);
	tcase_add_test(tcase, a_target_without_luns_can_be_opened);
	tcase_add_test(
		tcase, each_lun_has_its_own_data_and_an_absent_one_is_refused);
	tcase_add_test(tcase, geometry_is_as_the_url_says);
	tcase_add_test(tcase, a_session_says_what_it_is);
	tcase_add_test(tcase, too_few_descriptors_are_said_with_the_limit);
	tcase_add_test(tcase, the_time_of_a_targets_own_thread_is_known);
	tcase_add_test(tcase, one_name_is_one_target);
	tcase_add_test(tcase, without_a_name_two_targets_share_nothing);
	tcase_add_test(tcase, an_srp_url_reaches_a_target_of_this_process);
	tcase_add_test(
		tcase, a_refused_login_is_told_from_a_target_that_is_not_there);
	tcase_add_test(
		tcase, malformed_input_is_refused_before_anything_is_made);
	tcase_add_test(tcase, hardware_that_is_not_there_is_said_in_a_sentence);
	tcase_add_test(tcase, options_reach_the_session);
	tcase_add_test(tcase, a_url_is_checked_without_being_opened);
	tcase_add_test(tcase, the_librarys_lines_go_where_they_are_wanted);
}

int
main(void)
{
	Suite *suite = suite_create("open");
	TCase *tcase = tcase_create("open");
	SRunner *runner;
	int nr_failed;

	tcase_set_timeout(tcase, 30);
	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	nr_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return nr_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
