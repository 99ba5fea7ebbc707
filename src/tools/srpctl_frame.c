/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_frame.h"

#include <inttypes.h>
#include <string.h>

#include "tools/srpctl_show.h"
#include "tools/srpctl_table.h"
#include "tools/srpctl_text.h"
#include "util/compiler.h"

#define LINES_AROUND 3 /* srpd's own, an empty one, the title */

enum kind {
	KIND_TEXT,    /* a member of the target */
	KIND_NUMBER,  /* likewise */
	KIND_RATE,    /* a counter's growth a second */
	KIND_LATENCY, /* mean of what was measured in between */
};

/* Most important first: those at the end go where the screen is narrow. */
static const struct figure {
	struct srpctl_column column;
	enum kind kind;
	const char *member;
	const char *json;
} figures[] = {
	{ { "TARGET", false, 16 }, KIND_TEXT, "name", "name" },
	{ { "STATE", false, 0 }, KIND_TEXT, "state", "state" },
	{ { "READ/s", true, 0 }, KIND_RATE, "reads", "reads_per_s" },
	{ { "WRITE/s", true, 0 }, KIND_RATE, "writes", "writes_per_s" },
	{ { "RBYTE/s", true, 0 }, KIND_RATE, "read_bytes",
		"read_bytes_per_s" },
	{ { "WBYTE/s", true, 0 }, KIND_RATE, "write_bytes",
		"write_bytes_per_s" },
	{ { "ERR/s", true, 0 }, KIND_RATE, "errors", "errors_per_s" },
	{ { "RESCAN", true, 0 }, KIND_LATENCY, "rescan", "rescan_ns" },
	{ { "RETRY/s", true, 0 }, KIND_RATE, "retries", "retries_per_s" },
	{ { "CMD/s", true, 0 }, KIND_RATE, "commands", "commands_per_s" },
	{ { "DBELL/s", true, 0 }, KIND_RATE, "doorbells",
		"doorbells_per_s" },
	{ { "CREDW/s", true, 0 }, KIND_RATE, "credit_waits",
		"credit_waits_per_s" },
	{ { "EVENT/s", true, 0 }, KIND_RATE, "events", "events_per_s" },
	{ { "WAKE/s", true, 0 }, KIND_RATE, "wakeups", "wakeups_per_s" },
	{ { "RECON", true, 0 }, KIND_NUMBER, "reconnects", "reconnects" },
	{ { "CHAN", true, 0 }, KIND_NUMBER, "nr_channels", "nr_channels" },
	{ { "LUNS", true, 0 }, KIND_NUMBER, "nr_luns", "nr_luns" },
	{ { "UA/s", true, 0 }, KIND_RATE, "unit_attentions",
		"unit_attentions_per_s" },
	{ { "LATE/s", true, 0 }, KIND_RATE, "late_responses",
		"late_responses_per_s" },
};

/* A target now and then; then is NULL where there is nothing to compare. */
struct pair {
	const json_t *then, *now;
	double seconds;
};

static const json_t *
find_target(const json_t *result, const char *name)
{
	const json_t *targets = json_object_get(result, "targets"), *target;
	size_t i;

	for (i = 0; i < json_array_size(targets); i++) {
		target = json_array_get(targets, i);
		if (!strcmp(srpctl_show_text(target, "name"), name))
			return target;
	}
	return NULL;
}

static uint64_t
srpd_number(const json_t *result, const char *name)
{
	return srpctl_show_number(json_object_get(result, "srpd"), name);
}

/* Another srpd counts from zero again. */
static struct pair
make_pair(const json_t *then, const json_t *now, const json_t *target)
{
	struct pair pair = { .now = target };

	if (!then || srpd_number(then, "pid") != srpd_number(now, "pid") ||
		srpd_number(now, "time_ns") <= srpd_number(then, "time_ns"))
		return pair;
	pair.then = find_target(then, srpctl_show_text(target, "name"));
	pair.seconds = (double)(srpd_number(now, "time_ns") -
			       srpd_number(then, "time_ns")) /
		1e9;
	return pair;
}

/* Growth of one member of one part; 0 for one that shrank. */
static double
growth(const struct pair *pair, const char *part, const char *sub,
	const char *member)
{
	const json_t *now = json_object_get(pair->now, part);
	const json_t *then = json_object_get(pair->then, part);
	uint64_t a, b;

	if (sub) {
		now = json_object_get(now, sub);
		then = json_object_get(then, sub);
	}
	a = srpctl_show_number(then, member);
	b = srpctl_show_number(now, member);
	return b > a ? (double)(b - a) : 0;
}

/* The figure as a number; negative: there is none. */
static double
measure(const struct figure *figure, const struct pair *pair)
{
	double nr;

	if (figure->kind == KIND_NUMBER)
		return (double)srpctl_show_number(pair->now, figure->member);
	if (!pair->then)
		return -1;
	if (figure->kind == KIND_LATENCY) {
		nr = growth(pair, "latency", figure->member, "count");
		return nr > 0 ? growth(pair, "latency", figure->member,
					"sum_ns") / nr :
				-1;
	}
	return growth(pair, "stats", NULL, figure->member) / pair->seconds;
}

static const char *
format(const struct figure *figure, const struct pair *pair, char *cell)
{
	double value;

	if (figure->kind == KIND_TEXT)
		return srpctl_show_text(pair->now, figure->member);
	value = measure(figure, pair);
	if (value < 0)
		return "-";
	if (figure->kind == KIND_LATENCY)
		return srpctl_text_latency(value, cell);
	if (figure->kind == KIND_NUMBER) {
		snprintf(cell, SRPCTL_CELL_BYTES, "%.0f", value);
		return cell;
	}
	return srpctl_text_rate(value, cell);
}

/* Of one CPU, in percent; negative: not known. */
static double
cpu_percent(const json_t *then, const json_t *now)
{
	double ns = (double)srpd_number(now, "time_ns") -
		(double)srpd_number(then, "time_ns");
	double cpu_ns = (double)srpd_number(now, "cpu_ns") -
		(double)srpd_number(then, "cpu_ns");

	if (!then || ns <= 0 || cpu_ns < 0)
		return -1;
	return 100 * cpu_ns / ns;
}

static void
print_head(const json_t *then, const json_t *now, FILE *out)
{
	const json_t *srpd = json_object_get(now, "srpd");
	const json_t *targets = json_object_get(now, "targets");
	size_t nr = json_array_size(targets), nr_ready = 0, i;
	double cpu = cpu_percent(then, now);
	char age[SRPCTL_CELL_BYTES];

	for (i = 0; i < nr; i++)
		nr_ready += !strcmp("ready",
			srpctl_show_text(json_array_get(targets, i), "state"));
	fprintf(out,
		"srpd %s, pid %" PRIu64 ", up %s: %zu of %zu targets ready",
		srpctl_show_text(srpd, "version"),
		srpctl_show_number(srpd, "pid"),
		srpctl_text_age(srpctl_show_number(srpd, "uptime_ns"), age),
		nr_ready, nr);
	if (cpu >= 0)
		fprintf(out, ", CPU %.1f%%", cpu);
	fputs("\n\n", out);
}

void
srpctl_frame_print(const json_t *then, const json_t *now, int width, int height,
	FILE *out)
{
	const json_t *targets = json_object_get(now, "targets"), *target;
	struct srpctl_column columns[ARRAY_SIZE(figures)];
	size_t nr = json_array_size(targets), shown = nr, i, j;
	struct srpctl_layout layout;
	struct srpctl_table table;
	char cell[SRPCTL_CELL_BYTES];
	struct pair pair;

	for (j = 0; j < ARRAY_SIZE(figures); j++)
		columns[j] = figures[j].column;
	srpctl_table_init(&table, columns, ARRAY_SIZE(figures));
	for (i = 0; i < nr; i++) {
		target = json_array_get(targets, i);
		pair = make_pair(then, now, target);
		for (j = 0; j < ARRAY_SIZE(figures); j++)
			srpctl_table_add(&table,
				format(&figures[j], &pair, cell));
	}
	print_head(then, now, out);
	srpctl_table_lay_out(&table, width, &layout);
	srpctl_table_print_title(&table, &layout, out);
	nr = srpctl_table_rows(&table);
	if (height && nr + LINES_AROUND > (size_t)height)
		shown = height > LINES_AROUND + 1 ?
			(size_t)height - LINES_AROUND - 1 :
			0;
	for (i = 0; i < min(shown, nr); i++) {
		fputc('\n', out);
		srpctl_table_print_row(&table, &layout, i, out);
	}
	if (shown < nr)
		fprintf(out, "\nand %zu more", nr - shown);
	fputc('\n', out);
	srpctl_table_fini(&table);
}

static json_t *
json_of(const struct figure *figure, const struct pair *pair)
{
	double value;

	if (figure->kind == KIND_TEXT)
		return json_string(srpctl_show_text(pair->now, figure->member));
	value = measure(figure, pair);
	if (figure->kind == KIND_NUMBER)
		return json_integer((json_int_t)value);
	return value < 0 ? json_null() : json_real(value);
}

json_t *
srpctl_frame_json(const json_t *then, const json_t *now)
{
	const json_t *targets = json_object_get(now, "targets");
	json_t *frame = json_pack("{s:O, s:[]}", "srpd",
		json_object_get(now, "srpd"), "targets");
	json_t *list = json_object_get(frame, "targets"), *object;
	struct pair pair;
	size_t i, j;

	for (i = 0; frame && i < json_array_size(targets); i++) {
		pair = make_pair(then, now, json_array_get(targets, i));
		object = json_object();
		for (j = 0; j < ARRAY_SIZE(figures); j++)
			json_object_set_new(object, figures[j].json,
				json_of(&figures[j], &pair));
		json_array_append_new(list, object);
	}
	return frame;
}
