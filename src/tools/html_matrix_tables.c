/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <math.h>

#include "tools/html_matrix.h"
#include "tools/html_table.h"
#include "util/compiler.h"

static bool
has_published(const json_t *doc)
{
	unsigned int i, nr = html_matrix_count(doc);

	for (i = 0; i < nr; i++)
		if (json_is_object(json_object_get(
			    html_matrix_row(doc, i), "published")))
			return true;
	return false;
}

static double
best_of(const json_t *row)
{
	unsigned int i, nr = html_matrix_modes(row);
	double best = 0;

	for (i = 0; i < nr; i++)
		best = fmax(best,
			html_matrix_median(html_matrix_mode(row, i), "iops"));
	return best;
}

static void
write_iops_row(FILE *f, const json_t *row, unsigned int nr, bool published)
{
	const json_t *figures = json_object_get(row, "published");
	double best = best_of(row), iops;
	char label[HTML_ROW_BYTES];
	unsigned int i;

	html_matrix_label(row, label);
	html_table_row(f, label);
	for (i = 0; i < nr; i++) {
		iops = html_matrix_median(html_matrix_mode(row, i), "iops");
		if (iops >= best)
			html_table_best(f, HTML_IOPS, iops);
		else
			html_table_number(f, HTML_IOPS, iops);
	}
	if (published) {
		html_table_number(f, HTML_IOPS, html_number(figures, "before"));
		html_table_number(
			f, HTML_IOPS, html_number(figures, "thread=n"));
		html_table_number(
			f, HTML_IOPS, html_number(figures, "thread=y"));
	}
	html_table_text(f, html_string_or_empty(row, "steady"));
	html_table_row_end(f);
}

void
html_matrix_table(struct html_page *page)
{
	struct html_column columns[HTML_MAX_MODES + 5] = { { "Size × jobs",
		NULL, true } };
	const json_t *first = html_matrix_row(page->doc, 0);
	unsigned int i, n = 1, nr = html_matrix_modes(first);
	bool published = has_published(page->doc);

	for (i = 0; i < nr; i++)
		columns[n++].name =
			html_string(html_matrix_mode(first, i), "name");
	if (published) {
		columns[n++] =
			(struct html_column){ "before", "published", false };
		columns[n++] =
			(struct html_column){ "thread=n", "published", false };
		columns[n++] =
			(struct html_column){ "thread=y", "published", false };
	}
	columns[n++] = (struct html_column){ "Rounds", NULL, true };
	html_section_begin(page, "table", "The table",
		published ? "The published figures are of 2010, of another "
			    "machine and a kernel's initiator: hold the "
			    "ratios beside each other, not the numbers. "
			    "thread=n is inline, thread=y is thread."
			  : NULL);
	html_table_begin(page->f,
		"IOPS, median over the rounds; the most of each row is marked",
		columns, n);
	for (i = 0; i < html_matrix_count(page->doc); i++)
		write_iops_row(
			page->f, html_matrix_row(page->doc, i), nr, published);
	html_table_end(page->f);
	html_section_end(page);
}

static void
write_mode(FILE *f, const json_t *row, const json_t *mode)
{
	static const char *const latencies[] = { "mean", "p50", "p90", "p99",
		"p99.9", "max" };
	static const char *const ratios[] = { "iops", "p99", "cpu" };
	static const char *const counts[] = { "context_switches_per_io",
		"doorbells_per_io", "events_per_io" };
	char label[HTML_ROW_BYTES], name[HTML_ROW_BYTES * 2];
	size_t i;

	html_matrix_label(row, label);
	snprintf(name, sizeof(name), "%s, %.40s", label,
		html_string_or_empty(mode, "name"));
	html_table_row(f, name);
	html_table_number(f, HTML_IOPS, html_matrix_median(mode, "iops"));
	for (i = 0; i < ARRAY_SIZE(latencies); i++)
		html_table_number(
			f, HTML_NS, html_matrix_latency(mode, latencies[i]));
	html_table_number(
		f, HTML_NS, html_matrix_median(mode, "cpu_ns_per_io"));
	html_table_number(
		f, HTML_NS, html_matrix_median(mode, "machine_cpu_ns_per_io"));
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		html_table_number(
			f, HTML_RATIO, html_matrix_median(mode, counts[i]));
	for (i = 0; i < ARRAY_SIZE(ratios); i++)
		html_table_number(f, HTML_RATIO,
			html_number(
				json_object_get(json_object_get(mode, "ratio"),
					ratios[i]),
				"estimate"));
	html_table_text(f, html_string_or_empty(
				   json_object_get(mode, "steady"), "verdict"));
	html_table_text(f, html_string_or_empty(mode, "error"));
	html_table_row_end(f);
}

void
html_matrix_all(struct html_page *page)
{
	static const struct html_column columns[] = { { "Row, mode", NULL,
							      false },
		{ "IOPS", NULL, false }, { "Mean", "µs", false },
		{ "p50", "µs", false }, { "p90", "µs", false },
		{ "p99", "µs", false }, { "p99.9", "µs", false },
		{ "Max", "µs", false }, { "CPU", "µs an I/O", false },
		{ "Machine", "CPU µs an I/O", false },
		{ "Switches", "an I/O", false },
		{ "Doorbells", "an I/O", false }, { "Events", "an I/O", false },
		{ "IOPS", "ratio", false }, { "p99", "ratio", false },
		{ "CPU", "ratio", false }, { "Rounds", NULL, true },
		{ "Error", NULL, true } };
	const json_t *row;
	unsigned int i, j;

	html_section_begin(page, "all", "All figures",
		"Medians over the rounds; the rounds themselves are in the "
		"page's data.");
	html_table_begin(
		page->f, "Every row and mode", columns, ARRAY_SIZE(columns));
	for (i = 0; i < html_matrix_count(page->doc); i++) {
		row = html_matrix_row(page->doc, i);
		for (j = 0; j < html_matrix_modes(row); j++)
			write_mode(page->f, row, html_matrix_mode(row, j));
	}
	html_table_end(page->f);
	html_section_end(page);
}
