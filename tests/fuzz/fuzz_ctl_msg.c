/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Both ends of the control protocol: the input as a stream, cut into lines,
 * each taken as a request and as a reply.
 */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#include "ctl/ctl_lines.h"
#include "ctl/ctl_msg.h"
#include "ctl/ctl_table.h"

#define LINE_BYTES 2048

static char reason[512];

static void
check(int condition)
{
	if (!condition)
		abort();
}

/* What a request is answered with carries its id. */
static void
check_answer(const json_t *id)
{
	struct ctl_reply reply;
	json_t *none = json_null();
	size_t len;
	char *line = ctl_reply_encode_error(id, CTL_USAGE, reason, &len);

	check(line && line[len - 1] == '\n' && !memchr(line, '\n', len - 1));
	check(!ctl_reply_decode(line, len - 1, &reply, reason, sizeof(reason)));
	check(json_equal(json_object_get(reply.root, "id"), id ? id : none));
	ctl_reply_fini(&reply);
	free(line);
}

static void
take_request(const char *line, size_t len)
{
	const struct ctl_command *command;
	struct ctl_request request;
	int rc = ctl_request_decode(
		line, len, &request, reason, sizeof(reason));

	check(!rc || reason[0]);
	if (!rc) {
		check(request.cmd && json_is_object(request.args));
		command = ctl_table_find(
			request.cmd, reason, sizeof(reason));
		if (command)
			ctl_command_check(command, request.args, reason,
				sizeof(reason));
	}
	check_answer(request.id);
	ctl_request_fini(&request);
}

static void
take_reply(const char *line, size_t len)
{
	struct ctl_reply reply;
	int rc = ctl_reply_decode(line, len, &reply, reason, sizeof(reason));

	if (rc)
		check(reason[0] != '\0');
	else
		check(reply.result ? reply.code == CTL_DONE :
				     reply.text && reply.code != CTL_DONE);
	ctl_reply_fini(&reply);
}

/* How much a read gives depends on the input, as on a socket. */
static size_t
give(struct ctl_lines *lines, const uint8_t *data, size_t size)
{
	size_t space, len = size ? (size_t)data[0] % 61 + 1 : 0;
	char *at = ctl_lines_space(lines, &space);

	check(at && space);
	if (len > size)
		len = size;
	if (len > space)
		len = space;
	memcpy(at, data, len);
	ctl_lines_add(lines, len);
	return len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ctl_lines lines;
	char *line;
	size_t len, given;
	int rc = 0;

	ctl_lines_init(&lines, LINE_BYTES);
	while (size && rc >= 0) {
		given = give(&lines, data, size);
		data += given;
		size -= given;
		while ((rc = ctl_lines_next(&lines, &line, &len)) == 1) {
			check(len < LINE_BYTES);
			take_request(line, len);
			take_reply(line, len);
		}
	}
	ctl_lines_fini(&lines);
	return 0;
}
