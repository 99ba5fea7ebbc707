/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "srpd/redact.h"

static const char *
redacted(const char *url)
{
	static char out[256];

	redact_url(url, out, sizeof(out));
	return out;
}

START_TEST(a_password_does_not_show)
{
	ck_assert_str_eq(redacted("iser://bob%s3cret@10.0.0.1/iqn/0"),
		"iser://bob%***@10.0.0.1/iqn/0");
	ck_assert_str_eq(redacted("iser://bob:s3cret@10.0.0.1/iqn/0"),
		"iser://bob:***@10.0.0.1/iqn/0");
	/* Characters that should have been escaped don't end it. */
	ck_assert_str_eq(redacted("iser://bob%s3/c@r%et@10.0.0.1/iqn/0"),
		"iser://bob%***@10.0.0.1/iqn/0");
	ck_assert_str_eq(redacted("bob%s3cret@host"), "bob%***@host");
}
END_TEST

START_TEST(what_has_none_stays)
{
	static const char *const urls[] = {
		"srp://10.0.0.1:5555/?id_ext=0002c90300a0b0c0",
		"srp://[fe80::1%25eth0]/?id_ext=0002c90300a0b0c0",
		"demo://ram?size=1G", "iser://bob@10.0.0.1/iqn/0", "", "@",
		"iser://bob%@10.0.0.1/"};

	for (unsigned int i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		ck_assert_str_eq(redacted(urls[i]), urls[i]);
}
END_TEST

START_TEST(it_does_not_show_in_sentences)
{
	char text[] = "s3cret: \"iser://bob%s3cret@h\" is no URL, s3cre";

	redact_text(text, "iser://bob%s3cret@h/iqn/0");
	ck_assert_str_eq(
		text, "******: \"iser://bob%******@h\" is no URL, s3cre");
	redact_text(text, "srp://h/");
	ck_assert_ptr_nonnull(strstr(text, "is no URL"));
}
END_TEST

START_TEST(a_short_buffer_is_terminated)
{
	char out[8];

	redact_url("iser://bob%s3cret@10.0.0.1/iqn/0", out, sizeof(out));
	ck_assert_str_eq(out, "iser://");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("redact");

	tcase_add_test(tcase, a_password_does_not_show);
	tcase_add_test(tcase, what_has_none_stays);
	tcase_add_test(tcase, it_does_not_show_in_sentences);
	tcase_add_test(tcase, a_short_buffer_is_terminated);
	return unit_run(tcase, "redact");
}
