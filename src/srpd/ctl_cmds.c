/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/ctl_cmds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ctl/ctl_table.h"
#include "srpd/ctl_json.h"
#include "util/log.h"
#include "util/parse.h"

#define REASON_BYTES 640

/* ---- which target ---------------------------------------------------- */

static const char *
nearest_target(struct rports *rports, const char *name, char *out, size_t n)
{
	unsigned int nr = rports_count(rports), i;
	const char **names = calloc(nr + 1, sizeof(*names));
	const char *nearest = NULL;

	for (i = 0; names && i < nr; i++)
		names[i] = rport_name(rports_at(rports, i));
	if (names)
		nearest = parse_nearest(name, names);
	snprintf(out, n, "%s", nearest ? nearest : "");
	free(names);
	return nearest ? out : NULL;
}

static const char *
target_arg(const struct ctl_call *call)
{
	return json_string_value(json_object_get(ctl_call_args(call), "target"));
}

/* The one that is meant; NULL: there is none, and the call has failed. */
static struct rport *
find_target(struct ctl_cmds *cmds, struct ctl_call *call)
{
	const char *name = target_arg(call), *nearest;
	struct rport *rport = rports_find(cmds->rports, name);
	char text[RPORT_NAME_MAX + 1];

	if (rport)
		return rport;
	nearest = nearest_target(cmds->rports, name, text, sizeof(text));
	if (nearest)
		ctl_call_fail(call, CTL_BAD_VALUE,
			"there is no target %.64s: did you mean %s?", name,
			nearest);
	else if (rports_nr_stopping(cmds->rports))
		ctl_call_fail(call, CTL_BAD_VALUE,
			"there is no target %.64s any more: those that are "
			"not in the ini file, or all as srpd ends, are being "
			"logged out of",
			name);
	else if (rports_count(cmds->rports))
		ctl_call_fail(call, CTL_BAD_VALUE,
			"there is no target %.64s: srpctl status shows all",
			name);
	else
		ctl_call_fail(call, CTL_BAD_VALUE,
			"there is no target %.64s, nor any: the ini file has "
			"no section [target NAME]",
			name);
	return NULL;
}

typedef json_t *(*describe_fn)(struct rport *rport, uint64_t now_ns);

/* Of the target that is named, or of all. */
static void
list_targets(struct ctl_cmds *cmds, struct ctl_call *call, describe_fn describe)
{
	bool is_one = target_arg(call) != NULL;
	struct rport *one = is_one ? find_target(cmds, call) : NULL;
	json_t *result, *array;
	uint64_t now_ns = clock_ns();
	unsigned int i;

	if (is_one && !one)
		return;
	array = json_array();
	if (one)
		json_array_append_new(array, describe(one, now_ns));
	for (i = 0; !one && i < rports_count(cmds->rports); i++)
		json_array_append_new(
			array, describe(rports_at(cmds->rports, i), now_ns));
	result = json_object();
	json_object_set_new(result, "srpd", ctl_json_srpd(cmds, now_ns));
	json_object_set_new(result, "targets", array);
	ctl_call_done(call, result);
}

/* ---- commands that only look ----------------------------------------- */

static void
run_status(struct ctl_cmds *cmds, struct ctl_call *call)
{
	list_targets(cmds, call, ctl_json_status);
}

static void
run_luns(struct ctl_cmds *cmds, struct ctl_call *call)
{
	list_targets(cmds, call, ctl_json_luns);
}

static void
run_stats(struct ctl_cmds *cmds, struct ctl_call *call)
{
	list_targets(cmds, call, ctl_json_stats);
}

static void
run_version(struct ctl_cmds *cmds, struct ctl_call *call)
{
	(void)cmds;
	ctl_call_done(call, json_pack("{s:s, s:i}", "version", PACKAGE_VERSION,
		"protocol", CTL_VERSION));
}

/* ---- set ------------------------------------------------------------- */

static void
run_set(struct ctl_cmds *cmds, struct ctl_call *call)
{
	const json_t *args = ctl_call_args(call);
	const char *key = json_string_value(json_object_get(args, "key"));
	const char *value = json_string_value(json_object_get(args, "value"));
	char text[64];
	int level;

	(void)cmds;
	if (strcmp(key, "log_level")) {
		ctl_call_fail(call, CTL_BAD_VALUE,
			"%.32s is not a key that can be set: log_level is; "
			"the others are in the ini file, which SIGHUP has "
			"read again",
			key);
		return;
	}
	level = log_level_parse(value);
	if (level < 0) {
		ctl_call_fail(call, CTL_BAD_VALUE,
			"log_level=%.32s is not known: allowed are error, "
			"warning, info, debug",
			value);
		return;
	}
	log_set_level((enum log_level)level);
	snprintf(text, sizeof(text), "log_level is %s",
		log_level_name((enum log_level)level));
	ctl_call_done(call, json_pack("{s:s, s:s, s:s}", "key", key, "value",
		log_level_name((enum log_level)level), "text", text));
}

/* ---- commands that a target carries out ------------------------------ */

static const struct action {
	const char *cmd;
	enum rport_request request;
} actions[] = {
	{ "login", RPORT_LOGIN },
	{ "logout", RPORT_LOGOUT },
	{ "reconnect", RPORT_RECONNECT },
	{ "rescan", RPORT_RESCAN },
	{ "reset", RPORT_RESET },
};

/* Until the rport has answered; the rport itself may be gone by then. */
struct pending {
	struct ctl_cmds *cmds;
	struct ctl_call *call;
	uint64_t begun_ns;
	char target[RPORT_NAME_MAX + 1];
};

static void
answer(const struct pending *pending)
{
	struct rport *rport =
		rports_find(pending->cmds->rports, pending->target);
	const char *cmd = ctl_call_cmd(pending->call);
	uint64_t now_ns = clock_ns();
	struct rport_status status;
	char text[256];

	if (!rport) {
		snprintf(text, sizeof(text), "%s %s: done; it is gone now",
			cmd, pending->target);
		ctl_call_done(pending->call, json_pack("{s:s, s:s}", "target",
			pending->target, "text", text));
		return;
	}
	rport_status(rport, &status);
	snprintf(text, sizeof(text),
		"%s %s: done after %.3f s, it is %s with %u LUN%s", cmd,
		pending->target, (double)(now_ns - pending->begun_ns) / 1e9,
		rport_state_name(status.state), status.nr_luns,
		status.nr_luns == 1 ? "" : "s");
	ctl_call_done(pending->call, json_pack("{s:s, s:s, s:I, s:i, s:s}",
		"target", pending->target, "state",
		rport_state_name(status.state), "duration_ns",
		(json_int_t)(now_ns - pending->begun_ns), "nr_luns",
		(int)status.nr_luns, "text", text));
}

static void
on_done(void *arg, int rc, const char *sentence)
{
	struct pending *pending = arg;

	if (rc)
		ctl_call_fail(pending->call, ctl_code_of_errno(rc), "%s %s: %s",
			ctl_call_cmd(pending->call), pending->target,
			sentence[0] ? sentence : strerror(-rc));
	else
		answer(pending);
	free(pending);
}

static uint64_t
lun_arg(const struct ctl_call *call)
{
	const json_t *lun = json_object_get(ctl_call_args(call), "lun");

	return lun ? (uint64_t)json_integer_value(lun) : RPORT_ALL_LUNS;
}

static void
run_action(struct ctl_cmds *cmds, struct ctl_call *call,
	enum rport_request request)
{
	struct rport *rport = find_target(cmds, call);
	char reason[REASON_BYTES] = "";
	struct pending *pending;
	int rc;

	if (!rport)
		return;
	pending = calloc(1, sizeof(*pending));
	if (!pending) {
		ctl_call_fail(call, CTL_LIMIT, "no memory for a command");
		return;
	}
	pending->cmds = cmds;
	pending->call = call;
	pending->begun_ns = clock_ns();
	snprintf(pending->target, sizeof(pending->target), "%s",
		rport_name(rport));
	log_info("control", "%s %s, asked for by uid %u, pid %d",
		ctl_call_cmd(call), pending->target, ctl_call_uid(call),
		ctl_call_pid(call));
	rc = rport_request(rport, request, lun_arg(call), on_done, pending,
		reason, sizeof(reason));
	if (rc)
		on_done(pending, rc, reason);
}

/* ---- all ------------------------------------------------------------- */

static const struct {
	const char *cmd;
	void (*run)(struct ctl_cmds *cmds, struct ctl_call *call);
} looks[] = {
	{ "status", run_status },
	{ "targets", run_status },
	{ "luns", run_luns },
	{ "stats", run_stats },
	{ "version", run_version },
	{ "set", run_set },
};

static void
dispatch(struct ctl_cmds *cmds, struct ctl_call *call)
{
	const char *cmd = ctl_call_cmd(call);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(looks); i++)
		if (!strcmp(cmd, looks[i].cmd)) {
			looks[i].run(cmds, call);
			return;
		}
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(cmd, actions[i].cmd)) {
			run_action(cmds, call, actions[i].request);
			return;
		}
	ctl_call_fail(call, CTL_USAGE, "%s is srpctl's own command", cmd);
}

void
ctl_cmds_run(void *arg, struct ctl_call *call)
{
	const struct ctl_command *command;
	char reason[REASON_BYTES];

	command = ctl_table_find(ctl_call_cmd(call), reason, sizeof(reason));
	if (!command)
		ctl_call_fail(call, CTL_USAGE, "%s", reason);
	else if (ctl_command_check(command, ctl_call_args(call), reason,
			 sizeof(reason)))
		ctl_call_fail(call, CTL_BAD_VALUE, "%s", reason);
	else
		dispatch(arg, call);
}
