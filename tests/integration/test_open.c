/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a URL to a session and back to nothing: srpi.h alone, as a program
 * would use it, over the software device.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "open_rig.h"

#define DEMO_IDS "id_ext=7372706964656d6f&ioc_guid=0200000000000001"

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

/* ---- what a session knows -------------------------------------------- */

START_TEST(all_luns_are_listed)
{
	struct srpi_session *session =
		open_rig_session("demo://ram?luns=5&size=1M");
	uint8_t luns[8][8];
	uint64_t number;

	ck_assert_int_eq(srpi_luns(session, luns, 8), 5);
	for (uint64_t i = 0; i < 5; i++) {
		ck_assert_int_eq(srpi_lun_number(luns[i], &number), 0);
		ck_assert_uint_eq(number, i);
	}
	ck_assert_int_eq(srpi_luns(session, luns, 2), 5);
	srpi_close(session);

	session = open_rig_session("demo://null?luns=256");
	ck_assert_int_eq(srpi_luns(session, luns, 8), 256);
	srpi_close(session);
}
END_TEST

START_TEST(a_target_without_luns_can_be_opened)
{
	struct srpi_session *session = open_rig_session("demo://null?luns=0");
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
	struct open_rig rig;
	struct srpi_lun *lun;
	struct iovec in;
	uint8_t absent[8];

	open_rig_open(&rig, "demo://ram?luns=3&size=1M&lun=2", 2);
	open_rig_verify(&rig, 9, 4096);
	ck_assert_int_eq(srpi_lun_from_number(3, absent), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, absent, &lun, reason,
				 sizeof(reason)),
		-ENODEV);
	ck_assert_int_eq(srpi_lun_from_number(1, absent), 0);
	ck_assert_int_eq(srpi_lun_open(rig.session, absent, &rig.lun, reason,
				 sizeof(reason)),
		0);
	in = (struct iovec){rig.in, 4096};
	open_rig_run(&rig, 0, 9, &in, 1);
	for (int i = 0; i < 4096; i++)
		ck_assert_uint_eq(rig.in[i], 0);
	open_rig_close(&rig);
}
END_TEST

START_TEST(geometry_is_as_the_url_says)
{
	struct srpi_io *io;
	struct iovec iov;
	struct open_rig rig;

	open_rig_open(&rig, "demo://null?ro=yes", 0);
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
	open_rig_close(&rig);

	open_rig_open(&rig, "demo://null?size=4104G&block=4104", 0);
	ck_assert_uint_eq(rig.info.blocks, UINT64_C(1) << 30);
	ck_assert_uint_eq(rig.info.block_bytes, 4104);
	ck_assert(!(rig.info.flags & SRPI_LUN_READ_ONLY));
	open_rig_close(&rig);
}
END_TEST

START_TEST(a_session_says_what_it_is)
{
	static const uint8_t target_id[16] = {
		's', 'r', 'p', 'i', 'd', 'e', 'm', 'o', 2, 0, 0, 0, 0, 0, 0, 1};
	static const uint8_t initiator_id[16] = {[15] = 0x42};
	struct srpi_session_info info;
	struct srpi_session *session =
		open_rig_session("demo://ram?luns=3&lun=2&"
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
	struct open_rig rig;

	open_rig_open(&rig, "demo://ram?irqmode=thread", 0);
	open_rig_verify(&rig, 0, OPEN_RIG_IO_BYTES);
	srpi_session_info(rig.session, &info);
	ck_assert_uint_eq(
		info.flags, SRPI_SESSION_SOFTWARE | SRPI_SESSION_IN_PROCESS);
	ck_assert_uint_gt(info.target_cpu_ns, 0);
	open_rig_close(&rig);
}
END_TEST

/* ---- sharing --------------------------------------------------------- */

START_TEST(one_name_is_one_target)
{
	struct iovec in;
	struct open_rig a, b;

	open_rig_open(&a, "demo://ram?name=shared", 0);
	open_rig_open(&b, "demo://ram?name=shared&completion=self", 0);
	open_rig_verify(&a, 100, 8192);
	in = (struct iovec){b.in, 8192};
	open_rig_run(&b, 0, 100, &in, 1);
	ck_assert_mem_eq(b.in, a.out, 8192);
	/* It outlives the one who made it. */
	open_rig_close(&a);
	memset(b.in, 0, 8192);
	open_rig_run(&b, 0, 100, &in, 1);
	open_rig_fill(b.out, 8192, 100 + 8192);
	ck_assert_mem_eq(b.in, b.out, 8192);
	ck_assert_int_eq(open_fails("demo://ram?name=shared&size=1M"), -EINVAL);
	open_rig_close(&b);
	/* And is gone with the last. */
	open_rig_open(&a, "demo://ram?name=shared&size=1M", 0);
	in = (struct iovec){a.in, 8192};
	open_rig_run(&a, 0, 100, &in, 1);
	for (int i = 0; i < 8192; i++)
		ck_assert_uint_eq(a.in[i], 0);
	open_rig_close(&a);
}
END_TEST

START_TEST(without_a_name_two_targets_share_nothing)
{
	struct iovec in;
	struct open_rig a, b;

	open_rig_open(&a, "demo://ram?size=1M", 0);
	open_rig_open(&b, "demo://ram?size=1M", 0);
	open_rig_verify(&a, 5, 512);
	in = (struct iovec){b.in, 512};
	open_rig_run(&b, 0, 5, &in, 1);
	for (int i = 0; i < 512; i++)
		ck_assert_uint_eq(b.in[i], 0);
	open_rig_close(&b);
	open_rig_close(&a);
}
END_TEST

START_TEST(an_srp_url_reaches_a_target_of_this_process)
{
	struct srpi_session_info info;
	struct open_rig demo, srp;
	struct iovec in;
	char url[256];

	open_rig_open(&demo, "demo://ram?irqmode=thread", 0);
	srpi_session_info(demo.session, &info);
	snprintf(url, sizeof(url), "srp://%s/?fabric=soft&" DEMO_IDS,
		info.portal);
	open_rig_open(&srp, url, 0);
	open_rig_verify(&demo, 77, 4096);
	in = (struct iovec){srp.in, 4096};
	open_rig_run(&srp, 0, 77, &in, 1);
	ck_assert_mem_eq(srp.in, demo.out, 4096);
	open_rig_close(&srp);
	open_rig_close(&demo);
}
END_TEST

/* ---- what cannot be opened ------------------------------------------- */

START_TEST(a_refused_login_is_told_from_a_target_that_is_not_there)
{
	struct srpi_session *demo =
		open_rig_session("demo://null?irqmode=thread");
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
	srpi_close(open_rig_session("demo://null?luns=0"));
	srpi_log_set(NULL, NULL, 0);
	ck_assert_msg(strncmp(logged, "mark 1 core: ", 13) == 0, "%s", logged);
	logged[0] = '\0';
	/* Only errors are wanted; this is a warning. */
	srpi_log_set(keep_line, mark, 0);
	srpi_close(open_rig_session("demo://null?luns=0"));
	srpi_log_set(NULL, NULL, 0);
	ck_assert_str_eq(logged, "");
}
END_TEST

static void
add_tests(TCase *tcase)
{
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
	return open_rig_main("open", add_tests);
}
