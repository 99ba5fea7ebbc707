/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include <srpi/srpi.h>

#include "srpd/rport_attr.h"

static struct rport_attr *a, *b;

static void
setup(void)
{
	a = rport_attr_create("array1");
	b = rport_attr_create("array1");
	rport_attr_add_url(a, "demo://null");
	rport_attr_add_url(b, "demo://null");
	rport_attr_set_pair(a, "depth", "32");
	rport_attr_set_pair(a, "channels", "2");
	rport_attr_set_pair(b, "channels", "2");
	rport_attr_set_pair(b, "depth", "32");
}

static void
teardown(void)
{
	rport_attr_put(a);
	rport_attr_put(b);
}

START_TEST(the_same_in_another_order_is_the_same)
{
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_SAME);
}
END_TEST

START_TEST(times_are_policy)
{
	b->dev_loss_ns = RPORT_OFF_NS;
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_DIFF_POLICY);
	b->dev_loss_ns = a->dev_loss_ns;
	b->required = !b->required;
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_DIFF_POLICY);
}
END_TEST

START_TEST(keys_and_urls_are_the_session)
{
	rport_attr_set_pair(b, "depth", "33");
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_DIFF_SESSION);
	rport_attr_set_pair(b, "depth", "32");
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_SAME);
	rport_attr_add_url(b, "demo://ram");
	ck_assert_int_eq(rport_attr_diff(a, b), RPORT_DIFF_SESSION);
	ck_assert_int_eq(rport_attr_diff(b, a), RPORT_DIFF_SESSION);
}
END_TEST

START_TEST(a_later_value_takes_the_place)
{
	rport_attr_set_pair(a, "depth", "7");
	ck_assert_uint_eq(a->nr_pairs, 2);
	ck_assert_str_eq(rport_attr_pair(a, "depth"), "7");
	ck_assert_ptr_null(rport_attr_pair(a, "lun"));
}
END_TEST

START_TEST(urls_are_bounded)
{
	int rc = 0;

	for (int i = 0; i < 2 * RPORT_MAX_URLS && rc == 0; i++)
		rc = rport_attr_add_url(a, "demo://null");
	ck_assert_int_eq(rc, -ENOSPC);
	ck_assert_uint_eq(a->nr_urls, RPORT_MAX_URLS);
}
END_TEST

START_TEST(pairs_become_options_or_a_sentence)
{
	struct srpi_opts *opts;
	char reason[256] = "";

	ck_assert_int_eq(
		rport_attr_opts(a, &opts, reason, sizeof(reason)), 0);
	srpi_opts_destroy(opts);
	rport_attr_set_pair(a, "depth", "0");
	ck_assert_int_eq(rport_attr_opts(a, &opts, reason, sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_null(opts);
	ck_assert_ptr_nonnull(strstr(reason, "depth"));
}
END_TEST

START_TEST(a_reference_keeps_it)
{
	ck_assert_ptr_eq(rport_attr_get(a), a);
	rport_attr_put(a);
	ck_assert_str_eq(a->name, "array1");
	rport_attr_put(NULL);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("rport_attr");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_same_in_another_order_is_the_same);
	tcase_add_test(tcase, times_are_policy);
	tcase_add_test(tcase, keys_and_urls_are_the_session);
	tcase_add_test(tcase, a_later_value_takes_the_place);
	tcase_add_test(tcase, urls_are_bounded);
	tcase_add_test(tcase, pairs_become_options_or_a_sentence);
	tcase_add_test(tcase, a_reference_keeps_it);
	return unit_run(tcase, "rport_attr");
}
