/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Charts of runs side by side. */
#include <math.h>
#include <stdlib.h>

#include "tools/html_srplat.h"
#include "tools/html_table.h"
#include "util/compiler.h"

/* The curves of one page, too many for the stack. */
struct curves {
	struct html_series series[HTML_MAX_SERIES];
	struct html_run runs[HTML_MAX_SERIES];
	struct html_point points[HTML_MAX_SERIES][HTML_MAX_POINTS];
	char labels[HTML_MAX_SERIES][80];
	unsigned int nr;
};

static void
add_curve(struct curves *curves, const struct html_dist *dist,
	const struct html_run *run, const char *what)
{
	struct html_series *series = &curves->series[curves->nr];
	struct html_point *points = curves->points[curves->nr];
	char *label = curves->labels[curves->nr];

	series->nr = html_dist_curve(dist, points);
	if (!series->nr)
		return;
	snprintf(label, sizeof(curves->labels[0]), "%s%s", run->label, what);
	series->label = label;
	series->style = run->style;
	series->points = points;
	series->ring = -1;
	series->is_dashed = what[0];
	curves->nr++;
}

/* With a rate the time from the real beginning too, dashed. */
static void
add_curves(struct curves *curves, const json_t *doc)
{
	unsigned int i, nr = html_srplat_count(doc);
	struct html_run *run;

	for (i = 0; i < nr && curves->nr + 1 < HTML_MAX_SERIES; i++) {
		run = &curves->runs[i];
		html_srplat_run(doc, i, run);
		add_curve(curves, &run->latency, run, "");
		if (json_object_get(run->json, "response_ns"))
			add_curve(curves,
				&(struct html_dist){
					json_object_get(run->json, "histogram"),
					json_object_get(
						run->json, "latency_ns") },
				run, " service");
	}
}

static void
find_axes(struct html_lines *chart)
{
	double low = INFINITY, high = 0, nines = 0;
	const struct html_point *point;
	unsigned int i, j;

	for (i = 0; i < chart->nr; i++)
		for (j = 0; j < chart->series[i].nr; j++) {
			point = &chart->series[i].points[j];
			low = fmin(low, point->y);
			high = fmax(high, point->y);
			nines = fmax(nines, point->x);
		}
	chart->y.unit = HTML_NS;
	html_axis_init_log(&chart->y, low, high, 11);
	chart->x = (struct html_axis){ .low = 0, .high = fmax(nines, 1) };
}

static void
write_curves(FILE *f, const json_t *doc)
{
	struct curves *curves = calloc(1, sizeof(*curves));
	struct html_lines chart = {
		.caption = { "Latency by percentile",
			"One curve a completion mode: the latency that a given "
			"share of the I/Os does not exceed. Both axes are "
			"logarithmic; the table has the figures.",
			NULL },
		.x_title = "share of the I/Os",
		.y_title = "latency",
		.is_percentile = true,
	};

	if (!curves)
		return;
	add_curves(curves, doc);
	chart.series = curves->series;
	chart.nr = curves->nr;
	if (chart.nr) {
		find_axes(&chart);
		html_lines_write(f, &chart);
	}
	free(curves);
}

static void
write_strips(FILE *f, const json_t *doc)
{
	const struct html_caption caption = { "Where the latencies lie",
		"One strip a completion mode: how many I/Os took how long, on "
		"a logarithmic axis; the table has the figures.",
		"Each strip has a height of its own. Solid line and number: "
		"median; dotted line: 99 % are under it." };
	struct html_strip strips[HTML_MAX_SERIES];
	struct html_run runs[HTML_MAX_SERIES];
	unsigned int i, nr = html_srplat_count(doc);

	for (i = 0; i < nr; i++) {
		html_srplat_run(doc, i, &runs[i]);
		strips[i] = (struct html_strip){
			.label = runs[i].label,
			.style = runs[i].style,
			.histogram = runs[i].latency.histogram,
			.p50 = html_number(runs[i].latency.stats, "p50"),
			.p99 = html_number(runs[i].latency.stats, "p99"),
		};
	}
	html_strips_write(f, &caption, strips, nr);
}

void
html_srplat_latency(struct html_page *page)
{
	unsigned int nr = html_srplat_count(page->doc);

	if (!nr || json_object_get(page->doc, "sweep"))
		return;
	html_section_begin(page, "latency", "Latency",
		json_object_get(
			json_array_get(json_object_get(page->doc, "runs"), 0),
			"response_ns")
			? "Response: from when a record was due to its end. "
			  "Service, dashed: from when it was begun."
			: "From before a command is prepared until the "
			  "program has it back.");
	fputs("<div class=\"panels wide\">\n", page->f);
	write_curves(page->f, page->doc);
	write_strips(page->f, page->doc);
	fputs("</div>\n", page->f);
	html_section_end(page);
}

/* One member of every run as bars. */
static void
write_bars(FILE *f, const json_t *doc, const char *key, enum html_unit unit,
	struct html_caption caption)
{
	struct html_bar bars[HTML_MAX_SERIES];
	struct html_run runs[HTML_MAX_SERIES];
	struct html_bars chart = { caption, unit, 0, 0, bars,
		html_srplat_count(doc) };
	unsigned int i;

	for (i = 0; i < chart.nr; i++) {
		html_srplat_run(doc, i, &runs[i]);
		bars[i] = (struct html_bar){
			.label = runs[i].label,
			.style = runs[i].style,
			.value = html_estimate_of(
				json_object_get(runs[i].json, "rounds"), key),
			.other = NAN,
		};
		bars[i].value.at = html_number(runs[i].json, key);
	}
	html_bars_write(f, &chart);
}

void
html_srplat_rates(struct html_page *page)
{
	const json_t *doc = page->doc;
	bool has_rounds = json_object_get(doc, "method");

	if (html_srplat_count(doc) < 2 || json_object_get(doc, "sweep"))
		return;
	html_section_begin(page, "rates", "Rate and cost",
		"CPU time is the initiator's, without the target's where that "
		"has threads of its own.");
	fputs("<div class=\"panels\">\n", page->f);
	write_bars(page->f, doc, "iops", HTML_IOPS,
		(struct html_caption){ "IOPS",
			"I/Os a second of each completion mode.",
			has_rounds ? "Whiskers: 95 % interval of what a round "
				     "gives."
				   : NULL });
	write_bars(page->f, doc, "cpu_ns_per_io", HTML_NS,
		(struct html_caption){ "CPU time an I/O",
			"CPU time that one I/O costs in each completion mode.",
			NULL });
	write_bars(page->f, doc, "context_switches_per_io", HTML_COUNT,
		(struct html_caption){ "Context switches an I/O",
			"Context switches of the measuring thread an I/O, by "
			"completion mode.",
			NULL });
	fputs("</div>\n", page->f);
	html_section_end(page);
}

/* A ratio of every run but the first, and what is alike, as dots. */
static void
write_dots(FILE *f, const json_t *doc, const char *key,
	struct html_caption caption)
{
	struct html_bar bars[HTML_MAX_SERIES + 1];
	struct html_run runs[HTML_MAX_SERIES];
	struct html_bars chart = { caption, HTML_RATIO, 1, 1, bars, 0 };
	unsigned int i, nr = html_srplat_count(doc);

	for (i = 1; i < nr; i++) {
		html_srplat_run(doc, i, &runs[i]);
		bars[chart.nr++] = (struct html_bar){
			.label = runs[i].label,
			.style = runs[i].style,
			.value = html_estimate(json_object_get(
				json_object_get(runs[i].json, "ratio"), key)),
			.other = NAN,
		};
	}
	bars[chart.nr++] = (struct html_bar){
		.label = "A/A",
		.style = HTML_NR_STYLES - 1,
		.value = html_estimate(
			json_object_get(json_object_get(doc, "noise"), key)),
		.other = NAN,
		.is_noise = true,
	};
	html_dots_write(f, &chart);
}

void
html_srplat_ratios(struct html_page *page)
{
	struct html_run first;

	if (!json_is_object(json_object_get(page->doc, "noise")))
		return;
	html_srplat_run(page->doc, 0, &first);
	html_section_begin(page, "ratios", "Against the first mode",
		"Latency as a ratio to the first mode's, paired by round: "
		"under 1 is faster. A/A is that mode against itself, a round "
		"and the next; what lies in its band the machine alone makes.");
	fputs("<div class=\"panels wide\">\n", page->f);
	write_dots(page->f, page->doc, "p50",
		(struct html_caption){ "Median latency, ratio",
			"The median latency of each mode, divided by the first "
			"mode's, with its interval.",
			NULL });
	write_dots(page->f, page->doc, "mean",
		(struct html_caption){ "Mean latency, ratio",
			"The mean latency of each mode, divided by the first "
			"mode's, with its interval.",
			NULL });
	fputs("</div>\n", page->f);
	html_section_end(page);
}

/* In the order in which they follow each other, and as they are shown. */
static const char *const stages[] = { "submit->posted", "posted->seen",
	"posted->woken", "woken->seen", "seen->woken", "last->delivered",
	"delivered->probe" };
static const char *const stage_names[] = { "submit → posted", "posted → seen",
	"posted → woken", "woken → seen", "seen → woken", "last → delivered",
	"delivered → probe" };

static double
stage_share(const json_t *run, const char *name)
{
	const json_t *stage =
		json_object_get(json_object_get(run, "stages_ns"), name);

	/* A stage that not every I/O has counts by how many had it. */
	return html_number(stage, "mean") * html_number(stage, "count") /
	       fmax(html_number(run, "count"), 1);
}

void
html_srplat_stages(struct html_page *page)
{
	struct html_stack stacks[HTML_MAX_SERIES];
	struct html_run runs[HTML_MAX_SERIES];
	struct html_stacks chart = {
		.caption = { "Mean time in each stage",
			"For each completion mode, the parts of the mean "
			"latency one behind the other.",
			NULL },
		.unit = HTML_NS,
		.names = stage_names,
		.nr_parts = ARRAY_SIZE(stages),
		.stacks = stacks,
		.nr = html_srplat_count(page->doc),
	};
	bool has_any = false;
	unsigned int i, j;

	for (i = 0; i < chart.nr; i++) {
		html_srplat_run(page->doc, i, &runs[i]);
		stacks[i].label = runs[i].label;
		has_any |= json_object_get(runs[i].json, "stages_ns") != NULL;
		for (j = 0; j < ARRAY_SIZE(stages); j++)
			stacks[i].parts[j] =
				stage_share(runs[i].json, stages[j]);
	}
	if (!has_any)
		return;
	html_section_begin(page, "stages", "Where the time goes",
		"Between submission and delivery, as the mean over all I/Os.");
	html_stacks_write(page->f, &chart);
	html_section_end(page);
}
