/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/ctl_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "config.h"
#include "srpd/latency.h"
#include "srpd/stats_table.h"
#include "util/log.h"

static void
set_number(json_t *object, const char *name, uint64_t number)
{
	json_object_set_new(object, name, json_integer((json_int_t)number));
}

/* A target's words need not be UTF-8. */
static void
set_text(json_t *object, const char *name, const char *text)
{
	json_object_set_new(object, name, ctl_msg_text(text));
}

static void
set_bool(json_t *object, const char *name, bool value)
{
	json_object_set_new(object, name, json_boolean(value));
}

/* How long ago; null for never. */
static void
set_age(json_t *object, const char *name, uint64_t then_ns, uint64_t now_ns)
{
	if (!then_ns)
		json_object_set_new(object, name, json_null());
	else
		set_number(object, name, now_ns > then_ns ? now_ns - then_ns : 0);
}

static void
set_port_id(json_t *object, const char *name, const uint8_t id[16])
{
	char text[33] = "";
	size_t i;

	for (i = 0; i < 16; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	set_text(object, name, text);
}

json_t *
ctl_json_srpd(const struct ctl_cmds *cmds, uint64_t now_ns)
{
	json_t *object = json_object();

	set_text(object, "version", PACKAGE_VERSION);
	set_number(object, "pid", (uint64_t)getpid());
	set_text(object, "config", cmds->config ? cmds->config : "");
	set_text(object, "log_level", log_level_name(log_get_level()));
	set_age(object, "uptime_ns", cmds->started_ns, now_ns);
	set_number(object, "time_ns", now_ns);
	set_number(object, "cpu_ns", clock_read(CLOCK_PROCESS_CPUTIME_ID));
	return object;
}

static json_t *
begin_target(const struct rport_status *status, uint64_t now_ns)
{
	json_t *object = json_object();

	set_text(object, "name", status->name);
	set_text(object, "state", rport_state_name(status->state));
	set_age(object, "state_ns", status->since_ns, now_ns);
	return object;
}

static json_t *
paths_array(struct rport *rport, uint64_t now_ns)
{
	struct rport_path paths[RPORT_MAX_URLS];
	json_t *array = json_array(), *one;
	unsigned int nr = rport_paths(rport, paths), i;

	for (i = 0; i < nr; i++) {
		one = json_object();
		set_text(one, "url", paths[i].url);
		set_bool(one, "used", paths[i].is_used);
		set_text(one, "last_error", paths[i].error);
		set_age(one, "last_error_age_ns", paths[i].error_ns, now_ns);
		json_array_append_new(array, one);
	}
	return array;
}

json_t *
ctl_json_status(struct rport *rport, uint64_t now_ns)
{
	struct rport_status s;
	json_t *object;

	rport_status(rport, &s);
	object = begin_target(&s, now_ns);
	set_text(object, "url", s.url);
	json_object_set_new(object, "paths", paths_array(rport, now_ns));
	set_bool(object, "required", s.required);
	set_bool(object, "autologin", s.autologin);
	set_number(object, "attempts", s.attempts);
	set_number(object, "reconnects", s.reconnects);
	set_number(object, "rescans", s.rescans);
	set_text(object, "last_error", s.last_error);
	set_age(object, "last_error_age_ns", s.last_error_ns, now_ns);
	if (s.next_try_ns)
		set_number(object, "next_try_in_ns",
			s.next_try_ns > now_ns ? s.next_try_ns - now_ns : 0);
	else
		json_object_set_new(object, "next_try_in_ns", json_null());
	set_age(object, "session_ns", s.ready_ns, now_ns);
	set_text(object, "portal", s.portal);
	set_text(object, "device", s.device);
	set_number(object, "nr_channels", s.nr_channels);
	set_number(object, "nr_luns", s.nr_luns);
	set_port_id(object, "initiator_port_id", s.initiator_port_id);
	set_port_id(object, "target_port_id", s.target_port_id);
	return object;
}

static json_t *
lun_object(const struct srpi_lun_info *lun)
{
	json_t *object = json_object();

	set_number(object, "lun", lun->number);
	set_number(object, "blocks", lun->blocks);
	set_number(object, "block_bytes", lun->block_bytes);
	set_number(object, "physical_block_bytes", lun->physical_block_bytes);
	/* may be beyond 64 bits in theory, and beyond JSON's integers */
	set_number(object, "size_bytes", lun->blocks * lun->block_bytes);
	set_bool(object, "read_only", lun->flags & SRPI_LUN_READ_ONLY);
	set_bool(object, "write_cache", lun->flags & SRPI_LUN_WRITE_CACHE);
	set_bool(object, "fua", lun->flags & SRPI_LUN_FUA);
	set_bool(object, "unmap", lun->flags & SRPI_LUN_UNMAP);
	set_bool(object, "write_same", lun->flags & SRPI_LUN_WRITE_SAME);
	set_bool(object, "rotational", lun->flags & SRPI_LUN_ROTATIONAL);
	set_number(object, "max_transfer_blocks", lun->max_transfer_blocks);
	set_text(object, "vendor", lun->vendor);
	set_text(object, "product", lun->product);
	set_text(object, "revision", lun->revision);
	set_text(object, "serial", lun->serial);
	set_text(object, "id", lun->id);
	return object;
}

/* A copy of all its LUNs, of which there may be more at the second look. */
static struct srpi_lun_info *
copy_luns(struct rport *rport, unsigned int *nr)
{
	unsigned int room = rport_luns(rport, NULL, 0);
	struct srpi_lun_info *luns = calloc(room + 1, sizeof(*luns));

	if (!luns)
		return NULL;
	*nr = rport_luns(rport, luns, room);
	if (*nr > room)
		*nr = room;
	return luns;
}

json_t *
ctl_json_luns(struct rport *rport, uint64_t now_ns)
{
	struct srpi_lun_info *luns;
	struct rport_status status;
	json_t *object, *array;
	unsigned int nr, i;

	luns = copy_luns(rport, &nr);
	if (!luns)
		return NULL;
	rport_status(rport, &status);
	object = begin_target(&status, now_ns);
	array = json_array();
	for (i = 0; i < nr; i++)
		json_array_append_new(array, lun_object(&luns[i]));
	json_object_set_new(object, "luns", array);
	free(luns);
	return object;
}

static json_t *
counters_object(struct rport *rport)
{
	const struct stats_row *rows;
	json_t *object = json_object();
	struct srpi_stats stats;
	size_t nr, i;

	rport_stats(rport, &stats);
	rows = stats_table(&nr);
	for (i = 0; i < nr; i++)
		set_number(object, rows[i].name, stats_value(&stats, &rows[i]));
	return object;
}

static json_t *
latencies_object(struct rport *rport)
{
	json_t *object = json_object(), *one;
	struct latency latency;
	unsigned int op;

	for (op = 0; op < LATENCY_NR_OPS; op++) {
		rport_latency(rport, (enum latency_op)op, &latency);
		one = json_object();
		set_number(one, "count", latency_count(&latency));
		set_number(one, "sum_ns", latency.sum_ns);
		json_object_set_new(object,
			latency_op_name((enum latency_op)op), one);
	}
	return object;
}

/* What the session has now; all 0 without one. */
static void
visit(struct srpi_session *session, void *arg)
{
	srpi_session_info(session, arg);
}

static json_t *
session_object(struct rport *rport)
{
	struct srpi_session_info info = { .credits = 0 };
	json_t *object = json_object();

	rport_visit(rport, visit, &info);
	set_number(object, "nr_channels", info.nr_channels);
	set_number(object, "granted_credits", info.req_lim);
	set_number(object, "credits", (uint64_t)max(info.credits, 0));
	set_number(object, "tags", info.tags);
	set_number(object, "used_tags", info.tags_used);
	return object;
}

static json_t *
lun_latency_object(const struct lun_latency *lun)
{
	json_t *object = json_object(), *one;
	unsigned int op;

	set_number(object, "lun", lun->number);
	for (op = 0; op < LUN_NR_OPS; op++) {
		one = json_object();
		set_number(one, "count", latency_count(&lun->latency[op]));
		set_number(one, "sum_ns", lun->latency[op].sum_ns);
		set_number(one, "failures", lun->failures[op]);
		json_object_set_new(object, lun_op_name((enum lun_op)op), one);
	}
	return object;
}

static json_t *
lun_latencies_array(struct rport *rport)
{
	unsigned int room = rport_lun_latencies(rport, NULL, 0), nr, i;
	struct lun_latency *luns = calloc(room + 1, sizeof(*luns));
	json_t *array = json_array();

	nr = luns ? rport_lun_latencies(rport, luns, room) : 0;
	for (i = 0; i < min(nr, room); i++)
		json_array_append_new(array, lun_latency_object(&luns[i]));
	free(luns);
	return array;
}

json_t *
ctl_json_stats(struct rport *rport, uint64_t now_ns)
{
	struct rport_status status;
	json_t *object;

	rport_status(rport, &status);
	object = begin_target(&status, now_ns);
	set_number(object, "reconnects", status.reconnects);
	set_number(object, "nr_channels", status.nr_channels);
	set_number(object, "nr_luns", status.nr_luns);
	json_object_set_new(object, "session", session_object(rport));
	json_object_set_new(object, "stats", counters_object(rport));
	json_object_set_new(object, "latency", latencies_object(rport));
	json_object_set_new(object, "luns", lun_latencies_array(rport));
	return object;
}
