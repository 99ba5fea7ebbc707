/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/srpctl_table.h"
#include "tools/srpctl_text.h"
#include "util/clock.h"
#include "util/compiler.h"

#define LABEL 12 /* columns of "last error", and two spaces */
#define COUNTER 19 /* columns of a counter's name */

const char *
srpctl_show_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text && *text ? text : "-";
}

uint64_t
srpctl_show_number(const json_t *object, const char *name)
{
	json_int_t number = json_integer_value(json_object_get(object, name));

	return number > 0 ? (uint64_t)number : 0;
}

static bool
has(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_string(value) ? json_string_length(value) > 0 :
				       value && !json_is_null(value);
}

static const char *
age(const json_t *object, const char *name, char *out)
{
	return srpctl_text_age(srpctl_show_number(object, name), out);
}

/* "in 5s", or "now" when it is less than one. */
static const char *
next_try(const json_t *target, char *out)
{
	uint64_t ns = srpctl_show_number(target, "next_try_in_ns");
	char cell[SRPCTL_CELL_BYTES];

	if (ns < CLOCK_NS_PER_SEC)
		snprintf(out, SRPCTL_CELL_BYTES, "now");
	else
		snprintf(out, SRPCTL_CELL_BYTES, "in %s",
			srpctl_text_age(ns, cell));
	return out;
}

static void
add_number(struct srpctl_table *table, uint64_t number)
{
	char text[SRPCTL_CELL_BYTES];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	srpctl_table_add(table, text);
}

/* A sentence of pieces, wrapped; memory that runs out loses it. */
struct sentence {
	char *text;
	size_t bytes;
	FILE *out;
};

static FILE *
sentence_begin(struct sentence *sentence)
{
	memset(sentence, 0, sizeof(*sentence));
	sentence->out = open_memstream(&sentence->text, &sentence->bytes);
	if (!sentence->out)
		abort();
	return sentence->out;
}

static void
sentence_end(struct sentence *sentence, int indent, int width, FILE *out)
{
	fclose(sentence->out);
	srpctl_text_wrap(out, sentence->text, indent, width);
	free(sentence->text);
}

/* ---- status ---------------------------------------------------------- */

/* Why one is not ready, and what happens next. */
static void
explain_target(const json_t *target, int width, FILE *out)
{
	const char *name = srpctl_show_text(target, "name");
	const char *state = srpctl_show_text(target, "state");
	char cell[SRPCTL_CELL_BYTES];
	struct sentence sentence;
	FILE *s;

	s = sentence_begin(&sentence);
	fprintf(s, "%s%s:", name,
		json_is_true(json_object_get(target, "required")) ?
			" (required)" :
			"");
	if (has(target, "last_error"))
		fprintf(s, " %s (%s ago).",
			srpctl_show_text(target, "last_error"),
			age(target, "last_error_age_ns", cell));
	if (!strcmp(state, "lost"))
		fprintf(s, " Given up: srpctl reconnect %s tries again.", name);
	else if (!strcmp(state, "logged-out"))
		fprintf(s, " Logged out: srpctl login %s logs in.", name);
	else if (has(target, "next_try_in_ns"))
		fprintf(s, " Tried %" PRIu64 " time%s, again %s.",
			srpctl_show_number(target, "attempts"),
			srpctl_show_number(target, "attempts") == 1 ? "" : "s",
			next_try(target, cell));
	else
		fprintf(s, " Login %" PRIu64 " is under way.",
			srpctl_show_number(target, "attempts"));
	sentence_end(&sentence, 0, width, out);
}

/* One that is ready, though not by every way: which failed, and why. */
static void
explain_paths(const json_t *target, int width, FILE *out)
{
	const json_t *paths = json_object_get(target, "paths"), *path;
	char cell[SRPCTL_CELL_BYTES];
	struct sentence sentence;
	size_t i;

	for (i = 0; i < json_array_size(paths); i++) {
		path = json_array_get(paths, i);
		if (!has(path, "last_error"))
			continue;
		fputc('\n', out);
		fprintf(sentence_begin(&sentence),
			"%s: in use is %s; %s failed: %s (%s ago).",
			srpctl_show_text(target, "name"),
			srpctl_show_text(target, "url"),
			srpctl_show_text(path, "url"),
			srpctl_show_text(path, "last_error"),
			age(path, "last_error_age_ns", cell));
		sentence_end(&sentence, 0, width, out);
	}
}

static void
show_status(const json_t *result, int width, FILE *out)
{
	static const struct srpctl_column columns[] = {
		{ "TARGET", false, 12 },
		{ "STATE", false, 0 },
		{ "FOR", true, 0 },
		{ "CHANNELS", true, 0 },
		{ "LUNS", true, 0 },
		{ "RECONNECTS", true, 0 },
		{ "PORTAL", false, 12 },
	};
	const json_t *srpd = json_object_get(result, "srpd");
	const json_t *targets = json_object_get(result, "targets"), *target;
	char cell[SRPCTL_CELL_BYTES];
	struct srpctl_table table;
	size_t i;

	fprintf(out, "srpd %s, pid %" PRIu64 ", up %s, log level %s\n\n",
		srpctl_show_text(srpd, "version"),
		srpctl_show_number(srpd, "pid"), age(srpd, "uptime_ns", cell),
		srpctl_show_text(srpd, "log_level"));
	srpctl_table_init(&table, columns, ARRAY_SIZE(columns));
	for (i = 0; i < json_array_size(targets); i++) {
		target = json_array_get(targets, i);
		srpctl_table_add(&table, srpctl_show_text(target, "name"));
		srpctl_table_add(&table, srpctl_show_text(target, "state"));
		srpctl_table_add(&table, age(target, "state_ns", cell));
		add_number(&table, srpctl_show_number(target, "nr_channels"));
		add_number(&table, srpctl_show_number(target, "nr_luns"));
		add_number(&table, srpctl_show_number(target, "reconnects"));
		srpctl_table_add(&table, srpctl_show_text(target, "portal"));
	}
	if (i)
		srpctl_table_print(&table, width, out);
	else
		fprintf(out, "no targets: the ini file has no section "
			     "[target NAME]\n");
	srpctl_table_fini(&table);
	for (i = 0; i < json_array_size(targets); i++) {
		target = json_array_get(targets, i);
		if (!strcmp(srpctl_show_text(target, "state"), "ready")) {
			explain_paths(target, width, out);
			continue;
		}
		fputc('\n', out);
		explain_target(target, width, out);
	}
}

/* ---- targets --------------------------------------------------------- */

static void
label(const char *text, FILE *out)
{
	fprintf(out, "  %-*s", LABEL, text);
}

static void
line_of(const char *name, const json_t *object, const char *member, FILE *out)
{
	label(name, out);
	srpctl_text_print(out, srpctl_show_text(object, member), 0);
	fputc('\n', out);
}

static void
show_session(const json_t *target, FILE *out)
{
	char cell[SRPCTL_CELL_BYTES];

	if (!has(target, "session_ns"))
		return;
	label("session", out);
	fprintf(out, "for %s, device ", age(target, "session_ns", cell));
	srpctl_text_print(out, srpctl_show_text(target, "device"), 0);
	fprintf(out, ", portal ");
	srpctl_text_print(out, srpctl_show_text(target, "portal"), 0);
	fputc('\n', out);
	label("", out);
	fprintf(out, "channels %" PRIu64 ", LUNs %" PRIu64 "\n",
		srpctl_show_number(target, "nr_channels"),
		srpctl_show_number(target, "nr_luns"));
	line_of("initiator", target, "initiator_port_id", out);
	line_of("target", target, "target_port_id", out);
}

/* Of several: which one the session uses, and why another did not work. */
static void
show_paths(const json_t *target, int width, FILE *out)
{
	const json_t *paths = json_object_get(target, "paths"), *path;
	char cell[SRPCTL_CELL_BYTES];
	struct sentence sentence;
	size_t i;

	for (i = 0; json_array_size(paths) > 1 && i < json_array_size(paths);
		i++) {
		path = json_array_get(paths, i);
		label(i ? "" : "paths", out);
		fputs(json_is_true(json_object_get(path, "used")) ? "in use  " :
			has(path, "last_error") ? "failed  " : "-       ", out);
		srpctl_text_print(out, srpctl_show_text(path, "url"), 0);
		fputc('\n', out);
		if (!has(path, "last_error"))
			continue;
		fprintf(sentence_begin(&sentence), "%s (%s ago)",
			srpctl_show_text(path, "last_error"),
			age(path, "last_error_age_ns", cell));
		sentence_end(&sentence, 2 + LABEL + 8, width, out);
	}
}

static void
show_target(const json_t *target, int width, FILE *out)
{
	char cell[SRPCTL_CELL_BYTES];
	struct sentence sentence;

	srpctl_text_print(out, srpctl_show_text(target, "name"), 0);
	fputc('\n', out);
	line_of("url", target, "url", out);
	label("state", out);
	fprintf(out, "%s for %s%s%s\n", srpctl_show_text(target, "state"),
		age(target, "state_ns", cell),
		json_is_true(json_object_get(target, "required")) ?
			", required" :
			"",
		json_is_false(json_object_get(target, "autologin")) ?
			", autologin=no" :
			"");
	show_session(target, out);
	show_paths(target, width, out);
	label("logins", out);
	fprintf(out,
		"%" PRIu64 " tried, %" PRIu64 " reconnects, %" PRIu64
		" rescans\n",
		srpctl_show_number(target, "attempts"),
		srpctl_show_number(target, "reconnects"),
		srpctl_show_number(target, "rescans"));
	if (has(target, "next_try_in_ns")) {
		label("next try", out);
		fprintf(out, "%s\n", next_try(target, cell));
	}
	if (has(target, "last_error")) {
		label("last error", out);
		fprintf(out, "%s ago:\n", age(target, "last_error_age_ns", cell));
		fputs(srpctl_show_text(target, "last_error"),
			sentence_begin(&sentence));
		sentence_end(&sentence, 2 + LABEL, width, out);
	}
}

static void
show_targets(const json_t *result, int width, FILE *out)
{
	const json_t *targets = json_object_get(result, "targets");
	size_t i;

	for (i = 0; i < json_array_size(targets); i++) {
		if (i)
			fputc('\n', out);
		show_target(json_array_get(targets, i), width, out);
	}
	if (!i)
		fprintf(out, "no targets\n");
}

/* ---- luns ------------------------------------------------------------ */

static void
add_lun(struct srpctl_table *table, const json_t *target, const json_t *lun)
{
	char cell[SRPCTL_CELL_BYTES];

	srpctl_table_add(table, srpctl_show_text(target, "name"));
	add_number(table, srpctl_show_number(lun, "lun"));
	if (!srpctl_show_number(lun, "block_bytes")) {
		/* not a disk, or not ready */
		srpctl_table_add(table, NULL);
		srpctl_table_add(table, NULL);
		srpctl_table_add(table, NULL);
	} else {
		srpctl_table_add(table,
			srpctl_text_bytes(srpctl_show_number(lun, "size_bytes"),
				cell));
		add_number(table, srpctl_show_number(lun, "block_bytes"));
		snprintf(cell, sizeof(cell), "%s%s%s",
			json_is_true(json_object_get(lun, "read_only")) ?
				"ro" :
				"rw",
			json_is_true(json_object_get(lun, "write_cache")) ?
				",cache" :
				"",
			json_is_true(json_object_get(lun, "unmap")) ? ",unmap" :
								      "");
		srpctl_table_add(table, cell);
	}
	srpctl_table_add(table, srpctl_show_text(lun, "product"));
	srpctl_table_add(table, srpctl_show_text(lun, "id"));
}

static void
show_luns(const json_t *result, int width, FILE *out)
{
	static const struct srpctl_column columns[] = {
		{ "TARGET", false, 10 },
		{ "LUN", true, 0 },
		{ "SIZE", true, 0 },
		{ "BLOCK", true, 0 },
		{ "MODE", false, 0 },
		{ "PRODUCT", false, 8 },
		{ "ID", false, 12 },
	};
	const json_t *targets = json_object_get(result, "targets"), *luns;
	struct srpctl_table table;
	size_t i, j;

	srpctl_table_init(&table, columns, ARRAY_SIZE(columns));
	for (i = 0; i < json_array_size(targets); i++) {
		luns = json_object_get(json_array_get(targets, i), "luns");
		for (j = 0; j < json_array_size(luns); j++)
			add_lun(&table, json_array_get(targets, i),
				json_array_get(luns, j));
	}
	if (srpctl_table_rows(&table))
		srpctl_table_print(&table, width, out);
	else
		fprintf(out, "no LUNs: no target that is asked about is "
			     "logged in, or has any\n");
	srpctl_table_fini(&table);
}

/* ---- stats ----------------------------------------------------------- */

static void
show_counters(const json_t *stats, int width, FILE *out)
{
	int per_line = max(width / 40, 1), at = 0;
	const char *name;
	json_t *value;

	json_object_foreach ((json_t *)stats, name, value) {
		fprintf(out, "%s  %-*s%17" JSON_INTEGER_FORMAT,
			at % per_line ? "  " : "", COUNTER, name,
			json_integer_value(value));
		if (++at % per_line == 0)
			fputc('\n', out);
	}
	if (at % per_line)
		fputc('\n', out);
}

static void
show_latencies(const json_t *latencies, FILE *out)
{
	char mean[SRPCTL_CELL_BYTES];
	const char *name;
	uint64_t count;
	json_t *value;

	json_object_foreach ((json_t *)latencies, name, value) {
		count = srpctl_show_number(value, "count");
		if (!count)
			continue;
		fprintf(out, "  %-*s%17" PRIu64 "  of %s on average\n", COUNTER,
			name, count,
			srpctl_text_latency(
				(double)srpctl_show_number(value, "sum_ns") /
					(double)count,
				mean));
	}
}

/* One line a unit: how often, how long on average, how often in vain. */
static void
show_lun_latency(const json_t *lun, FILE *out)
{
	char mean[SRPCTL_CELL_BYTES];
	uint64_t count, failures;
	const char *op;
	json_t *value;

	json_object_foreach ((json_t *)lun, op, value) {
		count = srpctl_show_number(value, "count");
		failures = srpctl_show_number(value, "failures");
		if (!count && !failures)
			continue;
		fprintf(out, "  LUN %" PRIu64 " %s: %" PRIu64,
			srpctl_show_number(lun, "lun"), op, count);
		if (count)
			fprintf(out, " of %s on average",
				srpctl_text_latency((double)srpctl_show_number(
							    value, "sum_ns") /
						(double)count,
					mean));
		fprintf(out, ", %" PRIu64 " failed\n", failures);
	}
}

static void
show_stats(const json_t *result, int width, FILE *out)
{
	const json_t *targets = json_object_get(result, "targets"), *target;
	const json_t *luns;
	char cell[SRPCTL_CELL_BYTES];
	size_t i, j;

	for (i = 0; i < json_array_size(targets); i++) {
		target = json_array_get(targets, i);
		if (i)
			fputc('\n', out);
		srpctl_text_print(out, srpctl_show_text(target, "name"), 0);
		fprintf(out, ", %s for %s\n", srpctl_show_text(target, "state"),
			age(target, "state_ns", cell));
		show_counters(json_object_get(target, "session"), width, out);
		show_counters(json_object_get(target, "stats"), width, out);
		show_latencies(json_object_get(target, "latency"), out);
		luns = json_object_get(target, "luns");
		for (j = 0; j < json_array_size(luns); j++)
			show_lun_latency(json_array_get(luns, j), out);
	}
	if (!i)
		fprintf(out, "no targets\n");
}

/* ---- the rest -------------------------------------------------------- */

/* What an action came to. */
static void
show_done(const json_t *result, int width, FILE *out)
{
	struct sentence sentence;

	fputs(srpctl_show_text(result, "text"), sentence_begin(&sentence));
	sentence_end(&sentence, 0, width, out);
}

static void
show_version(const json_t *result, int width, FILE *out)
{
	(void)width;
	fprintf(out, "srpd %s, control protocol %" PRIu64 "\n",
		srpctl_show_text(result, "version"),
		srpctl_show_number(result, "protocol"));
}

void
srpctl_show(const char *cmd, const json_t *result, int width, FILE *out)
{
	static const struct {
		const char *cmd;
		void (*show)(const json_t *result, int width, FILE *out);
	} shows[] = {
		{ "status", show_status },
		{ "targets", show_targets },
		{ "luns", show_luns },
		{ "stats", show_stats },
		{ "version", show_version },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shows); i++)
		if (!strcmp(cmd, shows[i].cmd)) {
			shows[i].show(result, width, out);
			return;
		}
	show_done(result, width, out);
}
