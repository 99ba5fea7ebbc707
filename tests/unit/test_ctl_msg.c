/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "ctl/ctl_msg.h"
#include "util/compiler.h"

static char reason[256];

static int
decode(const char *line, struct ctl_request *request)
{
	reason[0] = '\0';
	return ctl_request_decode(
		line, strlen(line), request, reason, sizeof(reason));
}

START_TEST(a_request_is_read_back_as_it_was_written)
{
	struct ctl_request request;
	json_t *args = json_pack("{s:s}", "target", "array1");
	size_t len;
	char *line = ctl_request_encode("luns", args, &len);

	ck_assert_ptr_nonnull(line);
	ck_assert_uint_eq(len, strlen(line));
	ck_assert_int_eq(line[len - 1], '\n');
	ck_assert_int_eq(ctl_request_decode(line, len - 1, &request, reason,
				 sizeof(reason)),
		0);
	ck_assert_str_eq(request.cmd, "luns");
	ck_assert(json_equal(request.args, args));
	ck_assert_ptr_null(request.id);
	ctl_request_fini(&request);
	json_decref(args);
	free(line);
}
END_TEST

START_TEST(args_may_be_left_out)
{
	struct ctl_request request;

	ck_assert_int_eq(decode("{\"v\":1,\"cmd\":\"status\"}", &request), 0);
	ck_assert_uint_eq(json_object_size(request.args), 0);
	ctl_request_fini(&request);
}
END_TEST

static const struct {
	const char *line;
	int error;
	const char *says;
} bad[] = {
	{ "", -EINVAL, "not a JSON object" },
	{ "status", -EINVAL, "not a JSON object" },
	{ "[1]", -EINVAL, "not an object" },
	{ "{\"v\":1,\"cmd\":\"a\"} x", -EINVAL, "not a JSON object" },
	{ "{\"v\":1,\"v\":1,\"cmd\":\"a\"}", -EINVAL, "duplicate" },
	{ "{\"cmd\":\"a\"}", -EINVAL, "the member v is missing" },
	{ "{\"v\":\"1\",\"cmd\":\"a\"}", -EINVAL, "the member v is missing" },
	{ "{\"v\":2,\"cmd\":\"a\"}", -EPROTONOSUPPORT, "version 2" },
	{ "{\"v\":1}", -EINVAL, "cmd" },
	{ "{\"v\":1,\"cmd\":7}", -EINVAL, "cmd" },
	{ "{\"v\":1,\"cmd\":\"\"}", -EINVAL, "cmd" },
	{ "{\"v\":1,\"cmd\":\"abcdefghijklmnopqrstuvwxyzabcdefgh\"}", -EINVAL,
		"cmd" },
	{ "{\"v\":1,\"cmd\":\"a\",\"arg\":{}}", -EINVAL, "no member arg:" },
	{ "{\"v\":1,\"cmd\":\"a\",\"args\":[]}", -EINVAL, "not an object" },
	{ "{\"v\":1,\"cmd\":\"a\xff\"}", -EINVAL, "byte 0xff" },
	{ "{\"v\":1,\"cmd\":\"a\\u0000\"}", -EINVAL, "" },
	{ "{\"v\":1e999,\"cmd\":\"a\"}", -EINVAL, "" },
};

START_TEST(what_is_no_request_is_said)
{
	struct ctl_request request;

	ck_assert_int_eq(decode(bad[_i].line, &request), bad[_i].error);
	ck_assert_ptr_nonnull(strstr(reason, bad[_i].says));
	ck_assert_str_ne(reason, "");
	ctl_request_fini(&request);
}
END_TEST

START_TEST(the_id_is_known_even_of_a_bad_request)
{
	struct ctl_request request;

	ck_assert_int_eq(
		decode("{\"v\":9,\"id\":\"q1\"}", &request), -EPROTONOSUPPORT);
	ck_assert_str_eq(json_string_value(request.id), "q1");
	ctl_request_fini(&request);
}
END_TEST

START_TEST(nesting_without_end_is_refused_not_followed)
{
	static char line[CTL_MAX_REQUEST_BYTES];
	struct ctl_request request;

	memset(line, '[', sizeof(line) - 1);
	ck_assert_int_eq(decode(line, &request), -EINVAL);
	ctl_request_fini(&request);
}
END_TEST

START_TEST(any_id_comes_back)
{
	static const char *const ids[] = { "null", "7", "\"x\"", "1.5",
		"[1,{\"a\":[]}]", "{\"a\":\"\\u00e9\"}", "true" };
	json_t *id = json_loads(ids[_i], JSON_DECODE_ANY, NULL);
	json_t *result = json_object();
	struct ctl_reply reply;
	size_t len;
	char *line = ctl_reply_encode(id, result, &len);

	ck_assert_int_eq(ctl_reply_decode(line, len - 1, &reply, reason,
				 sizeof(reason)),
		0);
	ck_assert(json_equal(json_object_get(reply.root, "id"), id));
	ck_assert(json_is_object(reply.result));
	ck_assert_int_eq(reply.code, CTL_DONE);
	ctl_reply_fini(&reply);
	json_decref(result);
	json_decref(id);
	free(line);
}
END_TEST

START_TEST(an_error_carries_code_and_sentence)
{
	struct ctl_reply reply;
	size_t len;
	char *line = ctl_reply_encode_error(
		NULL, CTL_UNREACHABLE, "array1: no \"route\"\n", &len);

	ck_assert_ptr_eq(strchr(line, '\n'), line + len - 1);
	ck_assert_int_eq(ctl_reply_decode(line, len - 1, &reply, reason,
				 sizeof(reason)),
		0);
	ck_assert_ptr_null(reply.result);
	ck_assert_int_eq(reply.code, CTL_UNREACHABLE);
	ck_assert_str_eq(reply.text, "array1: no \"route\"\n");
	ctl_reply_fini(&reply);
	free(line);
}
END_TEST

START_TEST(a_sentence_that_is_not_utf_8_is_still_said)
{
	struct ctl_reply reply;
	size_t len;
	char *line = ctl_reply_encode_error(
		NULL, CTL_IO_ERROR, "product \xff\xfe says no", &len);

	ck_assert_int_eq(ctl_reply_decode(line, len - 1, &reply, reason,
				 sizeof(reason)),
		0);
	ck_assert_str_eq(reply.text, "product ?? says no");
	ctl_reply_fini(&reply);
	free(line);
}
END_TEST

START_TEST(a_result_too_long_becomes_an_error)
{
	json_t *result = json_object();
	struct ctl_reply reply;
	static char text[CTL_MAX_REPLY_BYTES];
	size_t len;
	char *line;

	memset(text, 'x', sizeof(text) - 1);
	json_object_set_new(result, "text", json_string(text));
	line = ctl_reply_encode(NULL, result, &len);
	ck_assert_int_eq(ctl_reply_decode(line, len - 1, &reply, reason,
				 sizeof(reason)),
		0);
	ck_assert_int_eq(reply.code, CTL_LIMIT);
	ctl_reply_fini(&reply);
	json_decref(result);
	free(line);
}
END_TEST

static const char *const bad_replies[] = {
	"",
	"{}",
	"{\"v\":1}",
	"{\"v\":2,\"ok\":true,\"result\":{}}",
	"{\"v\":1,\"ok\":true}",
	"{\"v\":1,\"ok\":true,\"result\":[]}",
	"{\"v\":1,\"ok\":false}",
	"{\"v\":1,\"ok\":false,\"result\":{}}",
	"{\"v\":1,\"ok\":false,\"error\":{\"code\":3}}",
	"{\"v\":1,\"ok\":false,\"error\":{\"code\":0,\"text\":\"\"}}",
	"{\"v\":1,\"ok\":false,\"error\":{\"code\":999,\"text\":\"\"}}",
	"{\"v\":1,\"ok\":false,\"error\":{\"text\":\"\"}}",
	"{\"v\":1,\"ok\":1,\"result\":{}}",
};

START_TEST(what_is_no_reply_is_said)
{
	struct ctl_reply reply;

	reason[0] = '\0';
	ck_assert_int_eq(ctl_reply_decode(bad_replies[_i],
				 strlen(bad_replies[_i]), &reply, reason,
				 sizeof(reason)),
		-EPROTO);
	ck_assert_str_ne(reason, "");
	ctl_reply_fini(&reply);
}
END_TEST

START_TEST(errors_have_the_code_that_says_most)
{
	ck_assert_int_eq(ctl_code_of_errno(0), CTL_DONE);
	ck_assert_int_eq(ctl_code_of_errno(-EINVAL), CTL_BAD_VALUE);
	ck_assert_int_eq(ctl_code_of_errno(-EHOSTUNREACH), CTL_UNREACHABLE);
	ck_assert_int_eq(ctl_code_of_errno(-ETIMEDOUT), CTL_UNREACHABLE);
	ck_assert_int_eq(ctl_code_of_errno(-ECONNREFUSED), CTL_LOGIN_REFUSED);
	ck_assert_int_eq(ctl_code_of_errno(-EREMOTEIO), CTL_IO_ERROR);
	ck_assert_int_eq(ctl_code_of_errno(-EBUSY), CTL_LIMIT);
	ck_assert_int_eq(ctl_code_of_errno(EIO), CTL_IO_ERROR);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_msg");

	tcase_add_test(tcase, a_request_is_read_back_as_it_was_written);
	tcase_add_test(tcase, args_may_be_left_out);
	tcase_add_loop_test(
		tcase, what_is_no_request_is_said, 0, ARRAY_SIZE(bad));
	tcase_add_test(tcase, the_id_is_known_even_of_a_bad_request);
	tcase_add_test(tcase, nesting_without_end_is_refused_not_followed);
	tcase_add_loop_test(tcase, any_id_comes_back, 0, 7);
	tcase_add_test(tcase, an_error_carries_code_and_sentence);
	tcase_add_test(tcase, a_sentence_that_is_not_utf_8_is_still_said);
	tcase_add_test(tcase, a_result_too_long_becomes_an_error);
	tcase_add_loop_test(
		tcase, what_is_no_reply_is_said, 0, ARRAY_SIZE(bad_replies));
	tcase_add_test(tcase, errors_have_the_code_that_says_most);
	return unit_run(tcase, "ctl_msg");
}
