/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "lib/keys.h"

static char reason[256];
static struct srpi_opts *opts;

static void
setup(void)
{
	ck_assert_int_eq(srpi_opts_create(&opts), 0);
	reason[0] = '\0';
}

static void
teardown(void)
{
	srpi_opts_destroy(opts);
}

static int
set(const char *key, const char *value)
{
	return srpi_opts_set(opts, key, value, reason, sizeof(reason));
}

START_TEST(fresh_options_hold_the_defaults)
{
	const struct session_attr *attr = &opts->keys.attr;

	ck_assert_int_eq(attr->completion, SRPI_COMPLETION_ADAPTIVE);
	ck_assert_uint_eq(attr->depth, 64);
	ck_assert_uint_eq(attr->channels, 0);
	ck_assert_uint_eq(attr->max_descs, 255);
	ck_assert_uint_eq(attr->rx_iu_bytes, 512);
	ck_assert_uint_eq(attr->io_timeout_ms, 30000);
	ck_assert_uint_eq(attr->login_timeout_ms, 15000);
	ck_assert_uint_eq(attr->ready_timeout_ms, 30000);
	ck_assert_uint_eq(attr->retry_count, 7);
	ck_assert(!attr->has_initiator_id && !attr->has_default_lun);
	ck_assert(!attr->single && attr->imm_data);
	ck_assert_uint_eq(opts->keys.given, 0);
}
END_TEST

START_TEST(the_later_of_two_values_counts)
{
	ck_assert_int_eq(set("depth", "8"), 0);
	ck_assert_int_eq(set("depth", "16"), 0);
	ck_assert_uint_eq(opts->keys.attr.depth, 16);
}
END_TEST

START_TEST(a_refused_value_changes_nothing)
{
	ck_assert_int_eq(set("depth", "0"), -EINVAL);
	ck_assert_str_eq(reason,
		"depth=0 is out of range: allowed is 1 to 1024");
	ck_assert_uint_eq(opts->keys.attr.depth, 64);
	ck_assert_uint_eq(opts->keys.given, 0);
}
END_TEST

START_TEST(an_unknown_key_names_the_nearest)
{
	ck_assert_int_eq(set("completoin", "self"), -EINVAL);
	ck_assert_str_eq(reason, "key \"completoin\" is not known: did you "
				 "mean \"completion\"?");
	ck_assert_int_eq(set("bs", "4k"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, "srpi_url(7)"));
	ck_assert_int_eq(set("", "1"), -EINVAL);
	ck_assert_int_eq(set("depth ", "1"), -EINVAL);
	ck_assert_int_eq(set("Depth", "1"), -EINVAL);
}
END_TEST

START_TEST(a_missing_key_value_or_buffer_does_no_harm)
{
	ck_assert_int_eq(set(NULL, "1"), -EINVAL);
	ck_assert_int_eq(set("depth", NULL), -EINVAL);
	ck_assert_int_eq(srpi_opts_set(opts, "depth", "x", NULL, 0), -EINVAL);
	ck_assert_int_eq(srpi_opts_set(opts, "nokey", "x", NULL, 100),
		-EINVAL);
	ck_assert_int_eq(srpi_opts_set(opts, "depth", "9", NULL, 0), 0);
	srpi_opts_destroy(NULL);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("opts");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, fresh_options_hold_the_defaults);
	tcase_add_test(tcase, the_later_of_two_values_counts);
	tcase_add_test(tcase, a_refused_value_changes_nothing);
	tcase_add_test(tcase, an_unknown_key_names_the_nearest);
	tcase_add_test(tcase, a_missing_key_value_or_buffer_does_no_harm);
	return unit_run(tcase, "opts");
}
