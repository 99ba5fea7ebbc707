/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_srplat.h"

#include <math.h>
#include <string.h>

#include "tools/html_text.h"
#include "util/compiler.h"

static const json_t *
get_run(const json_t *doc, size_t i)
{
	return json_array_get(json_object_get(doc, "runs"), i);
}

unsigned int
html_srplat_count(const json_t *doc)
{
	return (unsigned int)html_count(
		json_object_get(doc, "runs"), HTML_MAX_SERIES);
}

/* Does a member differ between runs, so that a label must have it? */
static bool
differs(const json_t *doc, const char *key)
{
	const json_t *first = json_object_get(get_run(doc, 0), key), *other;
	unsigned int i, nr = html_srplat_count(doc);

	for (i = 1; i < nr; i++) {
		other = json_object_get(get_run(doc, i), key);
		if (other != first && !json_equal(other, first))
			return true;
	}
	return false;
}

void
html_srplat_run(const json_t *doc, unsigned int index, struct html_run *run)
{
	const json_t *json = get_run(doc, index);
	const char *name = html_string(json, "completion");
	char load[HTML_NUM_BYTES] = "";
	bool has_rate = json_object_get(json, "response_ns");

	run->json = json;
	run->style = html_style_of(name, index);
	run->latency.histogram = json_object_get(
		json, has_rate ? "response_histogram" : "histogram");
	run->latency.stats =
		json_object_get(json, has_rate ? "response_ns" : "latency_ns");
	if (differs(doc, "rate"))
		html_num_short(load, HTML_COUNT, html_number(json, "rate"));
	else if (differs(doc, "depth"))
		html_num_short(load, HTML_COUNT, html_number(json, "depth"));
	snprintf(run->label, sizeof(run->label), "%s%s%s%s%s",
		name ? name : "run", differs(doc, "operation") ? " " : "",
		differs(doc, "operation")
			? html_string_or_empty(json, "operation")
			: "",
		load[0] ? " @ " : "", load);
	html_text_mend(run->label);
}

/* A copy from or to where nothing is, is a read or a write. */
static const char *
operation(const json_t *run)
{
	const char *in = html_string_or_empty(run, "input");
	const char *op = html_string_or_empty(run, "operation");

	if (strcmp(op, "copy") != 0)
		return op;
	if (strcmp(html_string_or_empty(run, "output"), "/dev/null") == 0)
		return "read";
	if (strcmp(in, "/dev/zero") == 0 || strcmp(in, "/dev/urandom") == 0)
		return "write";
	return "copy";
}

void
html_srplat_io(const json_t *run, char *text, size_t n)
{
	char bytes[HTML_NUM_BYTES];

	html_num_bytes(bytes, html_number(run, "block_bytes"));
	snprintf(text, n, "%s %s", bytes, operation(run));
}

static double
stat_of(const struct html_run *run, const char *key)
{
	return html_number(run->latency.stats, key);
}

/* The run whose median is lowest. */
static void
find_fastest(const json_t *doc, struct html_run *fastest)
{
	unsigned int i, nr = html_srplat_count(doc);
	struct html_run run;
	double p50, least = INFINITY;

	html_srplat_run(doc, 0, fastest);
	for (i = 0; i < nr; i++) {
		html_srplat_run(doc, i, &run);
		p50 = stat_of(&run, "p50");
		if (p50 > 0 && p50 < least) {
			least = p50;
			*fastest = run;
		}
	}
}

static void
format_knee(const json_t *knee, const json_t *sweep, char *text)
{
	const json_t *points = json_object_get(sweep, "points");
	const char *by = html_string_or_empty(sweep, "by");
	bool is_last =
		knee == json_array_get(points, json_array_size(points) - 1);
	char iops[HTML_NUM_BYTES], p99[HTML_NUM_BYTES], load[HTML_NUM_BYTES];

	html_num_short(iops, HTML_IOPS, html_number(knee, "iops"));
	html_num_short(p99, HTML_NS, html_number(knee, "p99_ns"));
	html_num_short(load, HTML_COUNT, html_number(knee, by));
	snprintf(text, HTML_HEADLINE_BYTES,
		"%s %s %s %s: %s IOPS, with 99 %% of the latencies under %s",
		html_string_or_empty(sweep, "completion"),
		is_last ? "does not bend up to" : "bends behind",
		strcmp(by, "rate") == 0 ? "a rate of" : "depth", load, iops,
		p99);
}

static void
format_verify(const json_t *verify, char *text)
{
	char good[HTML_NUM_BYTES];

	html_num_exact(good, HTML_COUNT, html_number(verify, "good_blocks"));
	snprintf(text, HTML_HEADLINE_BYTES,
		json_is_true(json_object_get(verify, "mismatch"))
			? "%s blocks are as written, the next one is not"
			: "All %s blocks are as written",
		good);
}

/* How much more or less of one figure the fastest mode needs. */
static void
format_fastest(const json_t *doc, const struct html_run *fastest, char *text)
{
	char p50[HTML_NUM_BYTES], p99[HTML_NUM_BYTES];
	struct html_run first;
	double ratio;
	char io[96];

	html_srplat_io(fastest->json, io, sizeof(io));
	html_num_short(p50, HTML_NS, stat_of(fastest, "p50"));
	html_num_short(p99, HTML_NS, stat_of(fastest, "p99"));
	html_srplat_run(doc, 0, &first);
	ratio = stat_of(fastest, "p50") / stat_of(&first, "p50");
	if (isfinite(ratio) && first.json != fastest->json)
		snprintf(text, HTML_HEADLINE_BYTES,
			"%s is fastest: a %s takes %s at the median, %.2f "
			"times what %s takes",
			fastest->label, io, p50, ratio, first.label);
	else
		snprintf(text, HTML_HEADLINE_BYTES,
			"%s%sa %s takes %s at the median, and 99 %% of them "
			"take less than %s",
			fastest->label,
			html_srplat_count(doc) > 1 ? " is fastest: " : ": ", io,
			p50, p99);
}

static void
format_headline(const json_t *doc, char *text)
{
	const json_t *verify = json_object_get(doc, "verify"), *sweep, *knee;
	struct html_run fastest;

	knee = html_srplat_knee(doc, &sweep);
	if (verify) {
		format_verify(verify, text);
	} else if (knee) {
		format_knee(knee, sweep, text);
	} else if (html_srplat_count(doc)) {
		find_fastest(doc, &fastest);
		format_fastest(doc, &fastest, text);
	} else {
		snprintf(text, HTML_HEADLINE_BYTES, "Nothing was measured");
	}
}

static void
format_subtitle(const json_t *doc, char *text)
{
	const json_t *run = get_run(doc, 0);
	char depth[HTML_NUM_BYTES], io[96];
	bool is_rand =
		strcmp(html_string_or_empty(run, "pattern"), "rand") == 0;

	if (!run)
		return;
	html_num_short(depth, HTML_COUNT, html_number(run, "depth"));
	html_srplat_io(run, io, sizeof(io));
	snprintf(text, HTML_HEADLINE_BYTES, "%s, %s%s%s, %s to %s.", io,
		is_rand ? "random" : "sequential",
		differs(doc, "depth") ? "" : ", at depth ",
		differs(doc, "depth") ? "" : depth,
		html_string_or_empty(run, "input"),
		html_string_or_empty(run, "output"));
}

static void
write_run_figures(FILE *f, const json_t *doc)
{
	char value[HTML_NUM_BYTES], more[HTML_NUM_BYTES + 32];
	struct html_run run;

	find_fastest(doc, &run);
	fputs("<dl class=\"key\">\n", f);
	html_num_short(value, HTML_NS, stat_of(&run, "p50"));
	html_figure(f, "Lowest median latency", value, run.label);
	html_num_short(value, HTML_NS, stat_of(&run, "p99"));
	html_figure(f, "99 % of its latencies under", value, run.label);
	html_num_short(value, HTML_IOPS, html_number(run.json, "iops"));
	html_figure(f, "IOPS", value, run.label);
	html_num_short(value, HTML_NS, html_number(run.json, "cpu_ns_per_io"));
	snprintf(more, sizeof(more), "%.24s, the initiator's", run.label);
	html_figure(f, "CPU time an I/O", value, more);
	fputs("</dl>\n", f);
}

static void
write_figures(FILE *f, const json_t *doc)
{
	if (html_srplat_count(doc) && !json_object_get(doc, "sweep"))
		write_run_figures(f, doc);
}

/* What all runs have in common, of what the first one says of itself. */
static void
write_common(FILE *f, const json_t *doc)
{
	static const char *const keys[] = { "input", "output", "block_bytes",
		"depth", "pattern", "rate", "operation" };
	json_t *common = json_object();
	json_t *value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		value = json_object_get(get_run(doc, 0), keys[i]);
		if (value && !differs(doc, keys[i]))
			json_object_set(common, keys[i], value);
	}
	html_facts_write(f, "Run", common);
	json_decref(common);
}

static void
write_facts(struct html_page *page)
{
	const json_t *doc = page->doc;

	html_section_begin(page, "settings", "Machine and settings", NULL);
	fputs("<div class=\"facts\">\n", page->f);
	html_facts_write(page->f, "Machine", json_object_get(doc, "machine"));
	write_common(page->f, doc);
	html_facts_write(page->f, "Settings", json_object_get(doc, "settings"));
	html_facts_write(page->f, "Clock", json_object_get(doc, "clock"));
	html_facts_write(page->f, "Method", json_object_get(doc, "method"));
	html_facts_write(page->f, "Counters", json_object_get(doc, "counters"));
	html_facts_write(
		page->f, "Verification", json_object_get(doc, "verify"));
	fputs("</div>\n", page->f);
	html_section_end(page);
}

static void
write_body(struct html_page *page)
{
	html_srplat_sweep(page);
	html_srplat_latency(page);
	html_srplat_rates(page);
	html_srplat_ratios(page);
	html_srplat_stages(page);
	html_srplat_slow(page);
	html_srplat_all(page);
	write_facts(page);
}

static bool
is_srplat(const json_t *doc)
{
	return json_is_array(json_object_get(doc, "runs"));
}

const struct html_kind html_srplat_kind = {
	.program = "srplat",
	.is_kind = is_srplat,
	.format_headline = format_headline,
	.format_subtitle = format_subtitle,
	.write_figures = write_figures,
	.write_body = write_body,
};
