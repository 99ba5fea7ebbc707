/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_srplat.h"

#include <math.h>

#include "tools/html_table.h"
#include "util/compiler.h"

#define MAX_SLOW 100

static void
write_slow(FILE *f, const json_t *io)
{
	char after[HTML_NUM_BYTES];

	snprintf(after, sizeof(after), "%.6f", html_number(io, "at_ns") / 1e9);
	html_table_row(f, after);
	html_table_number(f, HTML_NS, html_number(io, "latency_ns"));
	html_table_number(f, HTML_COUNT, html_number(io, "offset"));
	html_table_number(f, HTML_COUNT, html_number(io, "bytes"));
	html_table_text(f,
		json_is_true(json_object_get(io, "write")) ? "write" : "read");
	html_table_row_end(f);
}

void
html_srplat_slow(struct html_page *page)
{
	static const struct html_column columns[] = { { "After", "s", false },
		{ "Latency", "µs", false }, { "At byte", NULL, false },
		{ "Bytes", NULL, false }, { "What", NULL, true } };
	const json_t *ios =
		json_object_get(json_object_get(page->doc, "slow"), "ios");
	size_t i, n = html_count(ios, MAX_SLOW);

	if (!n)
		return;
	html_section_begin(page, "slow", "Slow records", NULL);
	html_table_begin(page->f, "Records over the limit of slow=", columns,
		ARRAY_SIZE(columns));
	for (i = 0; i < n; i++)
		write_slow(page->f, json_array_get(ios, i));
	html_table_end(page->f);
	html_section_end(page);
}

/* What a column of the last table shows of a run, or of its latencies. */
struct figure {
	struct html_column column;
	const char *key;
	enum html_unit unit;
	bool is_latency;
};

static const struct figure figures[] = {
	{ { "IOPS", NULL, false }, "iops", HTML_IOPS, false },
	{ { "Min", "µs", false }, "min", HTML_NS, true },
	{ { "p50", "µs", false }, "p50", HTML_NS, true },
	{ { "p90", "µs", false }, "p90", HTML_NS, true },
	{ { "p99", "µs", false }, "p99", HTML_NS, true },
	{ { "p99.9", "µs", false }, "p99.9", HTML_NS, true },
	{ { "p99.99", "µs", false }, "p99.99", HTML_NS, true },
	{ { "Max", "µs", false }, "max", HTML_NS, true },
	{ { "Mean", "µs", false }, "mean", HTML_NS, true },
	{ { "CPU", "µs an I/O", false }, "cpu_ns_per_io", HTML_NS, false },
	{ { "Switches", "an I/O", false }, "context_switches_per_io",
		HTML_RATIO, false },
	{ { "Cycles", "an I/O", false }, "cycles_per_io", HTML_COUNT, false },
	{ { "Instructions", "an I/O", false }, "instructions_per_io",
		HTML_COUNT, false },
	{ { "Records", NULL, false }, "count", HTML_COUNT, false },
	{ { "Errors", NULL, false }, "errors", HTML_COUNT, false },
	{ { "Missed", NULL, false }, "missed_sends", HTML_COUNT, false },
	{ { "Not begun", NULL, false }, "unsent", HTML_COUNT, false },
	{ { "Waited", "most", false }, "max_waiting", HTML_COUNT, false },
};

static double
value_of(const struct figure *figure, const json_t *run, const char *stats)
{
	return html_number(
		figure->is_latency ? json_object_get(run, stats) : run,
		figure->key);
}

static bool
is_used(const struct figure *figure, const json_t *doc)
{
	unsigned int i, nr = html_srplat_count(doc);
	struct html_run run;

	for (i = 0; i < nr; i++) {
		html_srplat_run(doc, i, &run);
		if (isfinite(value_of(figure, run.json, "latency_ns")))
			return true;
	}
	return false;
}

/* The figures that any run has, and how many they are. */
static unsigned int
find_used(const json_t *doc, const struct figure **used)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(figures); i++)
		if (is_used(&figures[i], doc))
			used[nr++] = &figures[i];
	return nr;
}

struct table {
	const struct figure *used[ARRAY_SIZE(figures)];
	unsigned int nr;
};

static void
write_row(FILE *f, const struct table *table, const struct html_run *run,
	const char *stats)
{
	bool has_rate = json_object_get(run->json, "response_ns");
	char label[96];
	unsigned int i;

	snprintf(label, sizeof(label), "%s%s", run->label,
		!has_rate	  ? ""
		: stats[0] == 'l' ? " service"
				  : " response");
	html_table_row(f, label);
	for (i = 0; i < table->nr; i++)
		html_table_number(f, table->used[i]->unit,
			value_of(table->used[i], run->json, stats));
	html_table_row_end(f);
}

static void
begin_table(FILE *f, const struct table *table)
{
	struct html_column columns[ARRAY_SIZE(figures) + 1] = { { "Completion",
		NULL, true } };
	unsigned int i;

	for (i = 0; i < table->nr; i++)
		columns[i + 1] = table->used[i]->column;
	html_table_begin(f, "Every run", columns, table->nr + 1);
}

void
html_srplat_all(struct html_page *page)
{
	unsigned int i, nr = html_srplat_count(page->doc);
	struct table table;
	struct html_run run;

	if (!nr)
		return;
	table.nr = find_used(page->doc, table.used);
	html_section_begin(page, "all", "All figures", NULL);
	begin_table(page->f, &table);
	for (i = 0; i < nr; i++) {
		html_srplat_run(page->doc, i, &run);
		write_row(page->f, &table, &run, "latency_ns");
		if (json_object_get(run.json, "response_ns"))
			write_row(page->f, &table, &run, "response_ns");
	}
	html_table_end(page->f);
	html_section_end(page);
}
