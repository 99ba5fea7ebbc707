/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * srpctl: asks a running srpd and tells it what to do. One connection, one
 * request (and one look first, where it may have to wait); what it answers is
 * for people, or with --json as it came.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "ctl/ctl_client.h"
#include "tools/srpctl_opts.h"
#include "tools/srpctl_screen.h"
#include "tools/srpctl_show.h"
#include "tools/srpctl_top.h"
#include "util/stdfd.h"

#define REASON_BYTES (CTL_MAX_TEXT_BYTES + 256)

/* Of srpd's socket: whatever keeps us from srpd is "not reachable". */
static enum ctl_code
code_of(int error)
{
	switch (error) {
	case -EPROTO:
	case -EMSGSIZE:
	case -ENOMEM:
		return CTL_IO_ERROR;
	case -ENAMETOOLONG:
		return CTL_BAD_VALUE;
	default:
		return CTL_UNREACHABLE;
	}
}

static void
print(const struct srpctl_opts *opts, const json_t *result)
{
	if (!opts->wants_json) {
		srpctl_show(opts->command->name, result, srpctl_screen_width(),
			stdout);
		return;
	}
	json_dumpf(result, stdout, JSON_INDENT(2));
	fputc('\n', stdout);
}

static void
print_wait(const char *cmd, const json_t *target)
{
	const char *name = srpctl_show_text(target, "name");
	const char *state = srpctl_show_text(target, "state");

	if (!strcmp(state, "logged-out"))
		fprintf(stderr,
			"srpctl: %s is logged-out: %s waits for srpctl login %s\n",
			name, cmd, name);
	else if (!strcmp(state, "connecting") || !strcmp(state, "blocked"))
		fprintf(stderr, "srpctl: %s is %s: %s waits until it is ready\n",
			name, state, cmd);
}

/* Who will have to wait is told so first. */
static int
warn_of_wait(struct ctl_client *client, const struct srpctl_opts *opts,
	char *reason, size_t n)
{
	json_t *args = json_pack("{s:O}", "target",
		json_object_get(opts->args, "target"));
	struct ctl_reply reply;
	int rc = ctl_client_call(client, "targets", args, &reply, reason, n);

	if (!rc && !reply.code)
		print_wait(opts->command->name,
			json_array_get(
				json_object_get(reply.result, "targets"), 0));
	ctl_reply_fini(&reply);
	json_decref(args);
	return rc;
}

static enum ctl_code
ask(const struct srpctl_opts *opts, char *reason, size_t n)
{
	struct ctl_client *client;
	struct ctl_reply reply;
	enum ctl_code code;
	int rc;

	rc = ctl_client_open(opts->socket, opts->timeout_ns, &client, reason, n);
	if (rc)
		return code_of(rc);
	memset(&reply, 0, sizeof(reply));
	if (opts->command->flags & CTL_READY)
		rc = warn_of_wait(client, opts, reason, n);
	if (!rc)
		rc = ctl_client_call(client, opts->command->name, opts->args,
			&reply, reason, n);
	code = rc ? code_of(rc) : reply.code;
	if (!rc && code)
		snprintf(reason, n, "%s", reply.text);
	else if (!rc)
		print(opts, reply.result);
	ctl_reply_fini(&reply);
	ctl_client_close(client);
	return code;
}

static enum ctl_code
run(const struct srpctl_opts *opts, char *reason, size_t n)
{
	if (opts->wants_help) {
		srpctl_opts_help(stdout);
		return CTL_DONE;
	}
	if (opts->wants_version) {
		printf("srpctl (srpd) %s\n", PACKAGE_VERSION);
		return CTL_DONE;
	}
	return opts->command->flags & CTL_LOCAL ? srpctl_top(opts, reason, n) :
						  ask(opts, reason, n);
}

int
main(int argc, char **argv)
{
	struct srpctl_opts opts;
	char reason[REASON_BYTES] = "";
	enum ctl_code code;

	stdfd_guard();
	/* a reader that has gone is seen by stdfd_finish() */
	signal(SIGPIPE, SIG_IGN);
	code = srpctl_opts_parse(&opts, argc, argv, reason, sizeof(reason));
	if (!code)
		code = run(&opts, reason, sizeof(reason));
	srpctl_opts_fini(&opts);
	if (!code && stdfd_finish()) {
		code = CTL_IO_ERROR;
		snprintf(reason, sizeof(reason),
			"the output could not all be written");
	}
	if (code)
		fprintf(stderr, "srpctl: %s\n", reason);
	return (int)code;
}
