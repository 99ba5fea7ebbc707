/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What srpd and its control programs say to each other, version 1: over a
 * Unix stream socket, one JSON object a line, UTF-8.
 *
 *	request  {"v":1,"id":ANY,"cmd":"luns","args":{"target":"array1"}}
 *	reply    {"v":1,"id":ANY,"ok":true,"result":{...}}
 *	         {"v":1,"id":ANY,"ok":false,"error":{"code":3,"text":"..."}}
 *
 * The id is any JSON value and comes back as it was; replies to several
 * requests of one connection may come in any order. The code is the exit
 * status that srpctl ends with.
 *
 * Pure: no I/O. Lines go out with their newline and come in without.
 */
#ifndef CTL_MSG_H
#define CTL_MSG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define CTL_VERSION 1
/* A line with its newline */
#define CTL_MAX_REQUEST_BYTES ((size_t)64 << 10)
#define CTL_MAX_REPLY_BYTES ((size_t)4 << 20)
#define CTL_MAX_TEXT_BYTES 1024

#define CTL_DEFAULT_SOCKET "/run/srpd/srpd.sock"

/* As the exit statuses of all programs of the project */
enum ctl_code {
	CTL_DONE = 0,
	CTL_USAGE = 1,
	CTL_BAD_VALUE = 2,
	CTL_UNREACHABLE = 3, /* target, device or srpd */
	CTL_LOGIN_REFUSED = 4,
	CTL_IO_ERROR = 5,
	CTL_LIMIT = 6,
};

struct ctl_request {
	json_t *root;	 /* owns what follows */
	const json_t *id; /* NULL: none given, null is echoed */
	const char *cmd;
	json_t *args; /* an object, perhaps empty */
};

/*
 * 0, or -EINVAL (malformed), -EPROTONOSUPPORT (another version), -ENOMEM,
 * with a sentence. Even then @request has the id, if one could be made out,
 * and ctl_request_fini() is due.
 */
int ctl_request_decode(const char *line, size_t len,
	struct ctl_request *request, char *reason, size_t n);
void ctl_request_fini(struct ctl_request *request);

/*
 * A line in memory from malloc(), NULL when there is none left. @args may be
 * NULL and stays the caller's.
 */
char *ctl_request_encode(const char *cmd, const json_t *args, size_t *len);

/*
 * As above. The result is too long for a reply: an error reply instead.
 * @id may be NULL.
 */
char *ctl_reply_encode(const json_t *id, const json_t *result, size_t *len);
char *ctl_reply_encode_error(const json_t *id, enum ctl_code code,
	const char *text, size_t *len);

/*
 * @text, its first CTL_MAX_TEXT_BYTES, as a string; a target's or a user's
 * that is not UTF-8 with question marks.
 */
json_t *ctl_msg_text(const char *text);

struct ctl_reply {
	json_t *root;	/* owns what follows */
	json_t *result; /* NULL when it is an error */
	enum ctl_code code;
	const char *text; /* of the error */
};

/* 0, -EPROTO (not a reply of this version), -ENOMEM, with a sentence. */
int ctl_reply_decode(const char *line, size_t len, struct ctl_reply *reply,
	char *reason, size_t n);
void ctl_reply_fini(struct ctl_reply *reply);

/* The code that says most about -errno. */
enum ctl_code ctl_code_of_errno(int error);

#endif /* CTL_MSG_H */
