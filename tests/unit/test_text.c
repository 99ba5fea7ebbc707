/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "lib/text.h"

START_TEST(printable_text_is_quoted_as_it_is)
{
	char out[TEXT_QUOTE_BYTES];

	ck_assert_str_eq(text_quote("lun=7 ~", 7, out), "lun=7 ~");
	ck_assert_str_eq(text_quote("lun=7", 3, out), "lun");
	ck_assert_str_eq(text_quote("", 0, out), "");
}
END_TEST

START_TEST(control_characters_never_reach_the_terminal)
{
	char out[TEXT_QUOTE_BYTES];

	ck_assert_str_eq(text_quote("\x1b[2J\n\x7f\x80\xff", 8, out), "?[2J????");
	ck_assert_str_eq(text_quote("a\0b", 3, out), "a?b");
}
END_TEST

START_TEST(long_text_is_cut_with_dots)
{
	char in[200], out[TEXT_QUOTE_BYTES];

	memset(in, 'a', sizeof(in));
	text_quote(in, TEXT_QUOTE_BYTES - 1, out);
	ck_assert_uint_eq(strlen(out), TEXT_QUOTE_BYTES - 1);
	ck_assert_ptr_null(strchr(out, '.'));
	text_quote(in, TEXT_QUOTE_BYTES, out);
	ck_assert_uint_eq(strlen(out), TEXT_QUOTE_BYTES - 1);
	ck_assert_str_eq(out + TEXT_QUOTE_BYTES - 4, "...");
	ck_assert_int_eq(out[TEXT_QUOTE_BYTES - 5], 'a');
}
END_TEST

START_TEST(fail_cuts_the_sentence_to_the_buffer)
{
	char reason[6] = "";

	ck_assert_int_eq(text_fail(reason, sizeof(reason), "%d beans", 123),
		-EINVAL);
	ck_assert_str_eq(reason, "123 b");
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("text");

	tcase_add_test(tcase, printable_text_is_quoted_as_it_is);
	tcase_add_test(tcase, control_characters_never_reach_the_terminal);
	tcase_add_test(tcase, long_text_is_cut_with_dots);
	tcase_add_test(tcase, fail_cuts_the_sentence_to_the_buffer);
	return unit_run(tcase, "text");
}
