/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "ctl/ctl_msg.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"

#define MAX_CMD_BYTES 32

static const char *const request_members[] = { "v", "id", "cmd", "args" };

/* The member that no request has; NULL when all are known. */
static const char *
unknown_member(json_t *root)
{
	const char *name;
	json_t *value;
	size_t i;

	json_object_foreach (root, name, value) {
		for (i = 0; i < ARRAY_SIZE(request_members); i++)
			if (!strcmp(name, request_members[i]))
				break;
		if (i == ARRAY_SIZE(request_members))
			return name;
	}
	return NULL;
}

static int
load(const char *line, size_t len, json_t **root, char *reason, size_t n)
{
	json_error_t error;

	*root = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!*root && json_error_code(&error) == json_error_out_of_memory) {
		snprintf(reason, n, "no memory for a line of %zu bytes", len);
		return -ENOMEM;
	}
	if (!*root) {
		snprintf(reason, n,
			"the line is not a JSON object: %.160s at byte %d",
			error.text, error.position);
		return -EINVAL;
	}
	if (!json_is_object(*root)) {
		snprintf(reason, n, "the line is JSON but not an object");
		return -EINVAL;
	}
	return 0;
}

static int
check_version(const json_t *root, char *reason, size_t n)
{
	const json_t *v = json_object_get(root, "v");

	if (!json_is_integer(v)) {
		snprintf(reason, n,
			"the member v is missing: a request is "
			"{\"v\":%d,\"cmd\":...}",
			CTL_VERSION);
		return -EINVAL;
	}
	if (json_integer_value(v) != CTL_VERSION) {
		snprintf(reason, n,
			"version %lld of the control protocol is not spoken "
			"here: version %d is",
			(long long)json_integer_value(v), CTL_VERSION);
		return -EPROTONOSUPPORT;
	}
	return 0;
}

static int
check_members(struct ctl_request *request, char *reason, size_t n)
{
	const char *unknown = unknown_member(request->root);

	if (unknown) {
		snprintf(reason, n,
			"a request has no member %.32s: v, id, cmd and args "
			"are known",
			unknown);
		return -EINVAL;
	}
	request->cmd = json_string_value(json_object_get(request->root, "cmd"));
	if (!request->cmd || !*request->cmd ||
		strlen(request->cmd) > MAX_CMD_BYTES) {
		snprintf(reason, n,
			"the member cmd is not the name of a command");
		return -EINVAL;
	}
	request->args = json_object_get(request->root, "args");
	if (!request->args) {
		request->args = json_object();
		if (json_object_set_new(request->root, "args", request->args))
			goto no_memory;
	}
	if (!json_is_object(request->args)) {
		snprintf(reason, n, "the member args is not an object");
		return -EINVAL;
	}
	return 0;

no_memory:
	request->args = NULL;
	snprintf(reason, n, "no memory for a request");
	return -ENOMEM;
}

int
ctl_request_decode(const char *line, size_t len, struct ctl_request *request,
	char *reason, size_t n)
{
	int rc;

	memset(request, 0, sizeof(*request));
	rc = load(line, len, &request->root, reason, n);
	if (rc)
		return rc;
	request->id = json_object_get(request->root, "id");
	rc = check_version(request->root, reason, n);
	return rc ? rc : check_members(request, reason, n);
}

void
ctl_request_fini(struct ctl_request *request)
{
	json_decref(request->root);
	memset(request, 0, sizeof(*request));
}

/* @root, which it takes, as a line; NULL without memory. */
static char *
dump_line(json_t *root, size_t *len)
{
	char *line = NULL, *longer;

	if (root)
		line = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	if (!line)
		return NULL;
	*len = strlen(line);
	longer = realloc(line, *len + 2);
	if (!longer) {
		free(line);
		return NULL;
	}
	longer[(*len)++] = '\n';
	longer[*len] = '\0';
	return longer;
}

char *
ctl_request_encode(const char *cmd, const json_t *args, size_t *len)
{
	json_t *root = json_pack("{s:i, s:s}", "v", CTL_VERSION, "cmd", cmd);

	if (root && args && json_object_set(root, "args", (json_t *)args)) {
		json_decref(root);
		return NULL;
	}
	return dump_line(root, len);
}

/* {"v":1,"id":@id}; a copy of the id, which stays the caller's. */
static json_t *
new_reply(const json_t *id)
{
	json_t *copy = id ? json_deep_copy(id) : json_null();

	return json_pack("{s:i, s:o}", "v", CTL_VERSION, "id", copy);
}

char *
ctl_reply_encode(const json_t *id, const json_t *result, size_t *len)
{
	json_t *root = new_reply(id);
	char *line;

	if (root &&
		(json_object_set_new(root, "ok", json_true()) ||
			json_object_set(root, "result", (json_t *)result))) {
		json_decref(root);
		return NULL;
	}
	line = dump_line(root, len);
	if (!line || *len <= CTL_MAX_REPLY_BYTES)
		return line;
	free(line);
	return ctl_reply_encode_error(id, CTL_LIMIT,
		"the answer is longer than a reply may be: ask for one target",
		len);
}

json_t *
ctl_msg_text(const char *text)
{
	size_t len = strnlen(text, CTL_MAX_TEXT_BYTES), i;
	json_t *string = json_stringn(text, len);
	char copy[CTL_MAX_TEXT_BYTES];

	if (string)
		return string;
	for (i = 0; i < len; i++)
		copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	return json_stringn(copy, len);
}

char *
ctl_reply_encode_error(
	const json_t *id, enum ctl_code code, const char *text, size_t *len)
{
	json_t *root = new_reply(id);
	json_t *error = json_pack("{s:i, s:o}", "code", (int)code, "text",
		ctl_msg_text(text));

	if (!root || json_object_set_new(root, "ok", json_false()) ||
		json_object_set(root, "error", error)) {
		json_decref(root);
		root = NULL;
	}
	json_decref(error);
	return dump_line(root, len);
}

static int
check_error(struct ctl_reply *reply, const json_t *error)
{
	const json_t *code = json_object_get(error, "code");

	reply->text = json_string_value(json_object_get(error, "text"));
	if (!reply->text || !json_is_integer(code) ||
		json_integer_value(code) < CTL_USAGE ||
		json_integer_value(code) > UINT8_MAX)
		return -EPROTO;
	reply->code = (enum ctl_code)json_integer_value(code);
	return 0;
}

int
ctl_reply_decode(const char *line, size_t len, struct ctl_reply *reply,
	char *reason, size_t n)
{
	const json_t *ok;
	int rc;

	memset(reply, 0, sizeof(*reply));
	rc = load(line, len, &reply->root, reason, n);
	if (rc)
		return rc == -EINVAL ? -EPROTO : rc;
	rc = check_version(reply->root, reason, n);
	if (rc)
		return -EPROTO;
	ok = json_object_get(reply->root, "ok");
	reply->result = json_object_get(reply->root, "result");
	if (json_is_true(ok) && json_is_object(reply->result))
		return 0;
	reply->result = NULL;
	if (json_is_false(ok) &&
		!check_error(reply, json_object_get(reply->root, "error")))
		return 0;
	snprintf(reason, n, "the reply has neither a result nor an error");
	return -EPROTO;
}

void
ctl_reply_fini(struct ctl_reply *reply)
{
	json_decref(reply->root);
	memset(reply, 0, sizeof(*reply));
}

enum ctl_code
ctl_code_of_errno(int error)
{
	switch (error < 0 ? -error : error) {
	case 0:
		return CTL_DONE;
	case EINVAL:
	case ERANGE:
	case ENOENT:
		return CTL_BAD_VALUE;
	case ECONNREFUSED:
		return CTL_LOGIN_REFUSED;
	case ENODEV:
	case EACCES:
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ETIMEDOUT:
	case ENOTCONN:
	case ECONNRESET:
	case ESHUTDOWN:
		return CTL_UNREACHABLE;
	case ENOMEM:
	case EBUSY:
	case EAGAIN:
	case ENOSPC:
		return CTL_LIMIT;
	default:
		return CTL_IO_ERROR;
	}
}
