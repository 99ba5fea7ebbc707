/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "tools/html_text.h"

static char *text;
static size_t len;
static FILE *f;

static void
setup(void)
{
	f = open_memstream(&text, &len);
	ck_assert_ptr_nonnull(f);
}

static void
teardown(void)
{
	free(text);
}

static void
expect(const char *wanted)
{
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_str_eq(text, wanted);
}

START_TEST(nothing_from_outside_is_markup)
{
	html_text(f, "<script>alert(\"x\")</script> & 'y'");
	expect("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; "
	       "&#39;y&#39;");
}
END_TEST

START_TEST(plain_text_and_other_alphabets_stay)
{
	html_text(f, "demo://ram?size=1G µs ÷ –\tx\n");
	expect("demo://ram?size=1G µs ÷ –\tx\n");
}
END_TEST

START_TEST(controls_are_replaced)
{
	html_text(f, "a\x01\x1b\x7f"
		     "b");
	expect("a&#xfffd;&#xfffd;&#xfffd;b");
}
END_TEST

START_TEST(no_text_is_nothing)
{
	html_text(f, NULL);
	html_text_most(f, NULL, 5);
	html_text(f, "");
	expect("");
}
END_TEST

START_TEST(formatted_text_is_escaped_too)
{
	html_textf(f, "%s=%d", "<b>", 3);
	expect("&lt;b&gt;=3");
}
END_TEST

START_TEST(long_text_is_cut_between_characters)
{
	html_text_most(f, "µµµ", 6);
	fputc('|', f);
	html_text_most(f, "µµµ", 5);
	fputc('|', f);
	html_text_most(f, "abcdef", 3);
	expect("µµµ|µµ…|abc…");
}
END_TEST

START_TEST(a_cut_character_is_taken_away_whole)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "a", "a" },
		{ "a\xc2", "a" },
		{ "a\xc2\xb5", "a\xc2\xb5" },
		{ "a\xe2\x80", "a" },
		{ "a\xe2\x80\x93", "a\xe2\x80\x93" },
		{ "a\xf0\x9f\x98", "a" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\x80", "\x80" },
	};
	char one[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(one, sizeof(one), "%s", rows[i][0]);
		html_text_mend(one);
		ck_assert_str_eq(one, rows[i][1]);
	}
	expect("");
}
END_TEST

START_TEST(a_document_cannot_leave_its_element)
{
	json_t *doc = json_pack(
		"{s:s, s:s}", "</script>", "<!--<script>", "b", "a&b");
	json_t *back;

	html_json(f, doc);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_ptr_null(strchr(text, '<'));
	ck_assert_ptr_null(strchr(text, '>'));
	back = json_loads(text, 0, NULL);
	ck_assert(json_equal(doc, back));
	json_decref(back);
	json_decref(doc);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("html_text");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, nothing_from_outside_is_markup);
	tcase_add_test(tcase, plain_text_and_other_alphabets_stay);
	tcase_add_test(tcase, controls_are_replaced);
	tcase_add_test(tcase, no_text_is_nothing);
	tcase_add_test(tcase, formatted_text_is_escaped_too);
	tcase_add_test(tcase, long_text_is_cut_between_characters);
	tcase_add_test(tcase, a_cut_character_is_taken_away_whole);
	tcase_add_test(tcase, a_document_cannot_leave_its_element);
	return unit_run(tcase, "html_text");
}
