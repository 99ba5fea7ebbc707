/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Each command over a control socket, against targets in this process. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "ctl/ctl_table.h"
#include "ctl_rig.h"
#include "srpd/ctl_cmds.h"
#include "util/log.h"

#define TEXT_BYTES 32768

static struct ctl_rig rig;
static struct ctl_cmds cmds;
static int fd;
static json_t *reply; /* the last */

static void
on_change(void *arg)
{
	(void)arg;
}

static void
start(const char *name, const char *url, bool autologin)
{
	struct rport_attr *attr = rport_attr_create(name);

	ck_assert_ptr_nonnull(attr);
	ck_assert_int_eq(rport_attr_add_url(attr, url), 0);
	attr->autologin = autologin;
	attr->reconnect_delay_ns = 10 * CLOCK_NS_PER_SEC;
	attr->fast_io_fail_ns = RPORT_OFF_NS;
	attr->dev_loss_ns = RPORT_OFF_NS;
	ck_assert_int_eq(rports_start(cmds.rports, attr), 0);
	rport_attr_put(attr);
}

static void
await_state(const char *name, enum rport_state state)
{
	struct rport *rport = rports_find(cmds.rports, name);
	struct rport_status status;

	ck_assert_ptr_nonnull(rport);
	for (;;) {
		rport_status(rport, &status);
		if (status.state == state)
			return;
		loop_run_once(&rig.loop, LOOP_FOREVER);
	}
}

static void
setup(void)
{
	struct ctl_server_attr attr = { .on_request = ctl_cmds_run,
		.arg = &cmds };

	ctl_rig_init(&rig);
	cmds = (struct ctl_cmds){ .config = "/etc/x.ini",
		.started_ns = clock_ns() };
	ck_assert_int_eq(
		rports_create(&rig.loop, on_change, NULL, &cmds.rports), 0);
	ctl_rig_serve(&rig, &attr);
	start("disk", "demo://ram?size=1M&block=4096&luns=2", true);
	start("idle", "demo://null", false);
	await_state("disk", RPORT_READY);
	fd = ctl_rig_join(&rig);
	reply = NULL;
}

static void
teardown(void)
{
	json_decref(reply);
	close(fd);
	rports_stop_all(cmds.rports);
	while (rports_nr_stopping(cmds.rports))
		loop_run_once(&rig.loop, LOOP_FOREVER);
	rports_destroy(cmds.rports);
	ctl_rig_fini(&rig);
}

static void
ask(const char *cmd, const char *args)
{
	static char text[TEXT_BYTES];

	snprintf(text, sizeof(text), "{\"v\":1,\"cmd\":\"%s\",\"args\":%s}\n",
		cmd, args);
	ctl_rig_say(fd, text);
	ck_assert(ctl_rig_hear_line(&rig, fd, text, sizeof(text)));
	json_decref(reply);
	reply = json_loads(text, 0, NULL);
	ck_assert_ptr_nonnull(reply);
}

/* "result/targets/0/name" of the reply. */
static const json_t *
at(const char *path)
{
	const json_t *value = reply;
	char name[64];
	size_t len;

	while (value && *path) {
		len = strcspn(path, "/");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		value = json_is_array(value) ?
			json_array_get(value, strtoul(name, NULL, 10)) :
			json_object_get(value, name);
		path += len + (path[len] == '/');
	}
	ck_assert_msg(value != NULL, "the reply lacks %s", name);
	return value;
}

static void
expect_text(const char *path, const char *text)
{
	ck_assert_str_eq(json_string_value(at(path)), text);
}

static void
expect_number(const char *path, json_int_t number)
{
	ck_assert_int_eq(json_integer_value(at(path)), number);
}

static void
expect_error(enum ctl_code code, const char *words)
{
	ck_assert(json_is_false(at("ok")));
	expect_number("error/code", (json_int_t)code);
	ck_assert_msg(
		strstr(json_string_value(at("error/text")), words) != NULL,
		"%s lacks %s", json_string_value(at("error/text")), words);
}

START_TEST(status_shows_all_targets_and_srpd)
{
	ask("status", "{}");
	expect_text("result/srpd/config", "/etc/x.ini");
	expect_number("result/srpd/pid", getpid());
	expect_text("result/targets/0/name", "disk");
	expect_text("result/targets/0/state", "ready");
	expect_number("result/targets/0/nr_luns", 2);
	expect_number("result/targets/0/attempts", 1);
	ck_assert(json_is_null(at("result/targets/0/next_try_in_ns")));
	expect_text("result/targets/1/name", "idle");
	expect_text("result/targets/1/state", "logged-out");
	ck_assert_uint_eq(json_array_size(at("result/targets")), 2);
}
END_TEST

START_TEST(targets_shows_one_by_name)
{
	ask("targets", "{\"target\":\"idle\"}");
	ck_assert_uint_eq(json_array_size(at("result/targets")), 1);
	expect_text("result/targets/0/name", "idle");
}
END_TEST

START_TEST(luns_have_their_sizes)
{
	ask("luns", "{\"target\":\"disk\"}");
	ck_assert_uint_eq(json_array_size(at("result/targets/0/luns")), 2);
	expect_number("result/targets/0/luns/1/lun", 1);
	expect_number("result/targets/0/luns/1/block_bytes", 4096);
	expect_number("result/targets/0/luns/1/size_bytes", 1 << 20);
	ck_assert(json_is_false(at("result/targets/0/luns/1/read_only")));
}
END_TEST

START_TEST(stats_have_every_counter_and_latency)
{
	ask("rescan", "{\"target\":\"disk\"}");
	ck_assert(json_is_true(at("ok")));
	ask("stats", "{\"target\":\"disk\"}");
	ck_assert_int_gt(
		json_integer_value(at("result/targets/0/stats/doorbells")), 0);
	expect_number("result/targets/0/stats/late_responses", 0);
	expect_number("result/targets/0/latency/login/count", 1);
	ck_assert_int_ge(json_integer_value(
				 at("result/targets/0/latency/rescan/count")),
		1);
	ck_assert_int_gt(json_integer_value(
				 at("result/targets/0/latency/rescan/sum_ns")),
		0);
}
END_TEST

START_TEST(logout_and_login_change_the_state)
{
	ask("logout", "{\"target\":\"disk\"}");
	expect_text("result/state", "logged-out");
	ask("reconnect", "{\"target\":\"disk\"}");
	ck_assert(json_is_false(at("ok")));
	ask("login", "{\"target\":\"disk\"}");
	expect_text("result/state", "ready");
	expect_number("result/nr_luns", 2);
	ck_assert_ptr_nonnull(strstr(
		json_string_value(at("result/text")), "login disk: done"));
}
END_TEST

START_TEST(counters_survive_a_reconnect)
{
	json_int_t doorbells;

	ask("stats", "{\"target\":\"disk\"}");
	doorbells = json_integer_value(at("result/targets/0/stats/doorbells"));
	ask("reconnect", "{\"target\":\"disk\"}");
	expect_text("result/state", "ready");
	ask("stats", "{\"target\":\"disk\"}");
	ck_assert_int_gt(
		json_integer_value(at("result/targets/0/stats/doorbells")),
		doorbells);
	expect_number("result/targets/0/reconnects", 1);
	expect_number("result/targets/0/latency/login/count", 2);
}
END_TEST

START_TEST(reset_takes_one_lun_or_all)
{
	ask("reset", "{\"target\":\"disk\",\"lun\":1}");
	ck_assert(json_is_true(at("ok")));
	ask("reset", "{\"target\":\"disk\"}");
	ck_assert(json_is_true(at("ok")));
	ask("stats", "{\"target\":\"disk\"}");
	expect_number("result/targets/0/latency/reset/count", 3);
	expect_number("result/targets/0/luns/1/reset/count", 2);
	expect_number("result/targets/0/luns/0/reset/count", 1);
	expect_number("result/targets/0/luns/0/open/count", 1);
	expect_number("result/targets/0/session/used_tags", 0);
	ck_assert_int_gt(
		json_integer_value(at("result/targets/0/session/tags")), 0);
	ask("reset", "{\"target\":\"disk\",\"lun\":9}");
	expect_error(CTL_BAD_VALUE, "no LUN 9");
}
END_TEST

START_TEST(an_unknown_target_is_answered_with_the_nearest)
{
	static const char *const commands[] = { "targets", "luns", "stats",
		"login", "logout", "reconnect", "rescan", "reset" };

	ask(commands[_i], "{\"target\":\"dsik\"}");
	expect_error(CTL_BAD_VALUE, "did you mean disk?");
	ask(commands[_i], "{\"target\":\"xyzzy\"}");
	expect_error(CTL_BAD_VALUE, "srpctl status shows all");
}
END_TEST

START_TEST(only_known_keys_and_levels_are_set)
{
	ask("set", "{\"key\":\"log_level\",\"value\":\"error\"}");
	expect_text("result/value", "error");
	ck_assert_int_eq(log_get_level(), LOG_LEVEL_ERROR);
	ask("set", "{\"key\":\"log_level\",\"value\":\"loud\"}");
	expect_error(CTL_BAD_VALUE, "error, warning, info, debug");
	ask("set", "{\"key\":\"socket\",\"value\":\"/x\"}");
	expect_error(CTL_BAD_VALUE, "not a key that can be set");
}
END_TEST

START_TEST(what_is_no_command_is_said)
{
	ask("statsu", "{}");
	expect_error(CTL_USAGE, "not a command");
	ask("top", "{}");
	expect_error(CTL_USAGE, "srpctl's own");
	ask("login", "{}");
	expect_error(CTL_BAD_VALUE, "target is missing");
	ask("status", "{\"x\":1}");
	expect_error(CTL_BAD_VALUE, "no argument x");
	ask("version", "{}");
	expect_number("result/protocol", CTL_VERSION);
}
END_TEST

/* The table and what is carried out: no command is in one of them alone. */
START_TEST(every_command_of_the_table_is_carried_out)
{
	const struct ctl_command *commands;
	size_t nr, i;

	commands = ctl_table(&nr);
	for (i = 0; i < nr; i++) {
		if (commands[i].flags & CTL_LOCAL)
			continue;
		/* it would wait for one */
		if (commands[i].flags & CTL_READY)
			ask("login", "{\"target\":\"disk\"}");
		if (!strcmp(commands[i].name, "set"))
			ask("set", "{\"key\":\"log_level\",\"value\":\"error\"}");
		else if (commands[i].args[0].type == CTL_ARG_TARGET)
			ask(commands[i].name, "{\"target\":\"disk\"}");
		else
			ask(commands[i].name, "{}");
		/* after logout, reconnect is refused: but by the target */
		if (!json_is_true(at("ok")))
			ck_assert_ptr_null(strstr(
				json_string_value(at("error/text")),
				"command"));
	}
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("ctl_cmds");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, status_shows_all_targets_and_srpd);
	tcase_add_test(tcase, targets_shows_one_by_name);
	tcase_add_test(tcase, luns_have_their_sizes);
	tcase_add_test(tcase, stats_have_every_counter_and_latency);
	tcase_add_test(tcase, logout_and_login_change_the_state);
	tcase_add_test(tcase, counters_survive_a_reconnect);
	tcase_add_test(tcase, reset_takes_one_lun_or_all);
	tcase_add_loop_test(
		tcase, an_unknown_target_is_answered_with_the_nearest, 0, 8);
	tcase_add_test(tcase, only_known_keys_and_levels_are_set);
	tcase_add_test(tcase, what_is_no_command_is_said);
	tcase_add_test(tcase, every_command_of_the_table_is_carried_out);
	return unit_run(tcase, "ctl_cmds");
}
