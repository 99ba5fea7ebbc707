/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_matrix.h"

#include <math.h>
#include <string.h>

#include "util/compiler.h"

unsigned int
html_matrix_count(const json_t *doc)
{
	return (unsigned int)html_count(
		json_object_get(doc, "rows"), HTML_MAX_ROWS);
}

const json_t *
html_matrix_row(const json_t *doc, unsigned int index)
{
	return json_array_get(json_object_get(doc, "rows"), index);
}

void
html_matrix_label(const json_t *row, char *text)
{
	double jobs = html_number(row, "jobs");
	double depth = html_number(row, "depth");
	char bytes[HTML_NUM_BYTES], deep[32] = "";

	html_num_bytes(bytes, html_number(row, "bs"));
	if (depth > 1)
		snprintf(deep, sizeof(deep), ", depth %.0f", depth);
	snprintf(text, HTML_ROW_BYTES, "%s × %.0f %s%s", bytes,
		isfinite(jobs) ? jobs : 0.0, jobs == 1 ? "job" : "jobs", deep);
}

unsigned int
html_matrix_modes(const json_t *row)
{
	return (unsigned int)html_count(
		json_object_get(row, "modes"), HTML_MAX_MODES);
}

const json_t *
html_matrix_mode(const json_t *row, unsigned int index)
{
	return json_array_get(json_object_get(row, "modes"), index);
}

unsigned int
html_matrix_style(const json_t *row, unsigned int index)
{
	return html_style_of(
		html_string(html_matrix_mode(row, index), "name"), index);
}

double
html_matrix_median(const json_t *mode, const char *key)
{
	return html_number(json_object_get(mode, "median"), key);
}

double
html_matrix_latency(const json_t *mode, const char *key)
{
	return html_number(
		json_object_get(json_object_get(mode, "median"), "latency_ns"),
		key);
}

/* How many rows the summary is of. */
static unsigned int
count_judged(const json_t *doc, const json_t *adaptive)
{
	double rows = html_number(adaptive, "rows");

	return rows <= HTML_MAX_ROWS ? (unsigned int)rows
				     : html_matrix_count(doc);
}

/*
 * Adaptive against the better of inline and poll, over all rows: behind, not
 * behind, or the machine was too noisy to say.
 */
static void
format_adaptive(const json_t *doc, const json_t *adaptive, char *text)
{
	struct html_estimate iops =
		html_estimate(json_object_get(adaptive, "iops"));
	double below = html_number(adaptive, "rows_below");
	double least = html_number(adaptive, "floor");
	unsigned int nr = count_judged(doc, adaptive);

	if (below > 0)
		snprintf(text, HTML_HEADLINE_BYTES,
			"Adaptive falls behind the better of inline and poll "
			"in %.0f of %u rows; over all of them it reaches %.2f "
			"times its IOPS",
			below, nr, iops.at);
	else if (iops.low >= (isfinite(least) ? least : 1))
		snprintf(text, HTML_HEADLINE_BYTES,
			"Adaptive keeps up with the better of inline and poll "
			"in %s: over all of them it reaches %.2f times its "
			"IOPS",
			nr == 1 ? "the one row" : "every row", iops.at);
	else
		snprintf(text, HTML_HEADLINE_BYTES,
			"Too noisy to tell whether adaptive keeps up with the "
			"better of inline and poll: over %u rows it reaches "
			"%.2f times its IOPS, 95 %%: %.2f to %.2f",
			nr, iops.at, fmax(iops.low, 0), fmax(iops.high, 0));
}

/* The most IOPS of any row and mode. */
static void
format_most(const json_t *doc, char *text)
{
	char iops[HTML_NUM_BYTES], label[HTML_ROW_BYTES] = "";
	const char *name = "";
	double value, most = 0;
	unsigned int i, j;

	for (i = 0; i < html_matrix_count(doc); i++) {
		const json_t *row = html_matrix_row(doc, i);

		for (j = 0; j < html_matrix_modes(row); j++) {
			value = html_matrix_median(
				html_matrix_mode(row, j), "iops");
			if (!(value > most))
				continue;
			most = value;
			name = html_string_or_empty(
				html_matrix_mode(row, j), "name");
			html_matrix_label(row, label);
		}
	}
	html_num_short(iops, HTML_IOPS, most);
	snprintf(text, HTML_HEADLINE_BYTES,
		most > 0 ? "At most %s IOPS: %.40s, %s"
			 : "Nothing was measured",
		iops, name, label);
}

static void
format_headline(const json_t *doc, char *text)
{
	const json_t *adaptive =
		json_object_get(json_object_get(doc, "summary"), "adaptive");

	if (isfinite(
		    html_number(json_object_get(adaptive, "iops"), "estimate")))
		format_adaptive(doc, adaptive, text);
	else
		format_most(doc, text);
}

static void
format_subtitle(const json_t *doc, char *text)
{
	const json_t *settings = json_object_get(doc, "settings");
	const json_t *machine = json_object_get(doc, "machine");
	double rounds = html_number(doc, "rounds_done");

	snprintf(text, HTML_HEADLINE_BYTES,
		"%.16s of %.200s by fio, %u rows, %.0f "
		"interleaved rounds, on %.80s with %.0f CPUs.",
		html_string_or_empty(settings, "rw"),
		html_string_or_empty(settings, "target"),
		html_matrix_count(doc), isfinite(rounds) ? rounds : 0.0,
		html_string_or_empty(machine, "cpu"),
		fmax(html_number(machine, "nr_cpus"), 0));
}

static void
format_interval(const struct html_estimate *value, char *text, size_t n)
{
	if (isfinite(value->low) && isfinite(value->high))
		snprintf(text, n, "95 %%: %.2f to %.2f", value->low,
			value->high);
	else
		snprintf(text, n, "no interval: too few rounds");
}

/*
 * The widest A/A interval of all rows, as a factor: what this machine can tell
 * apart. NAN where there is none.
 */
static double
find_noise(const json_t *doc)
{
	struct html_estimate value;
	double widest = NAN;
	unsigned int i;

	for (i = 0; i < html_matrix_count(doc); i++) {
		value = html_estimate(json_object_get(
			json_object_get(html_matrix_row(doc, i), "noise"),
			"iops"));
		if (value.low > 0)
			widest = fmax(widest, fmax(value.high, 1 / value.low));
	}
	return widest;
}

static void
write_noise_figure(FILE *f, double noise)
{
	char value[HTML_NUM_BYTES];

	if (!isfinite(noise))
		return;
	if (noise < 1.5)
		snprintf(value, sizeof(value), "±%.1f %%", 100 * (noise - 1));
	else
		snprintf(value, sizeof(value), "×%.3g", noise);
	html_figure(f, "Noise of this machine", value,
		"widest interval of A/A, IOPS");
}

/* The row in which adaptive does worst. */
static void
write_lowest_figure(FILE *f, const json_t *doc, const json_t *adaptive)
{
	double index = html_number(adaptive, "lowest_row");
	char value[HTML_NUM_BYTES], label[HTML_ROW_BYTES];
	const json_t *row;

	if (!(index < html_matrix_count(doc)))
		return;
	row = html_matrix_row(doc, (unsigned int)index);
	html_num_exact(value, HTML_RATIO,
		html_number(json_object_get(
				    json_object_get(row, "adaptive"), "iops"),
			"estimate"));
	html_matrix_label(row, label);
	html_figure(f, "The same in its lowest row", value, label);
}

static void
write_adaptive_figures(FILE *f, const json_t *doc, const json_t *adaptive)
{
	struct html_estimate iops =
		html_estimate(json_object_get(adaptive, "iops"));
	char value[64], more[64];

	html_num_exact(value, HTML_RATIO, iops.at);
	format_interval(&iops, more, sizeof(more));
	html_figure(
		f, "Adaptive ÷ better of inline and poll, IOPS", value, more);
	write_lowest_figure(f, doc, adaptive);
	snprintf(value, sizeof(value), "%.0f of %u",
		fmax(html_number(adaptive, "rows_cpu_above_poll"), 0),
		count_judged(doc, adaptive));
	html_figure(f, "Rows with more CPU an I/O than poll", value,
		"adaptive, by its interval");
}

static void
write_figures(FILE *f, const json_t *doc)
{
	const json_t *adaptive =
		json_object_get(json_object_get(doc, "summary"), "adaptive");

	if (!html_matrix_count(doc))
		return;
	fputs("<dl class=\"key\">\n", f);
	if (json_is_object(adaptive))
		write_adaptive_figures(f, doc, adaptive);
	write_noise_figure(f, find_noise(doc));
	fputs("</dl>\n", f);
}

static void
write_facts(struct html_page *page)
{
	static const struct {
		const char *key;
		const char *title;
	} groups[] = {
		{ "machine", "Machine" },
		{ "settings", "Settings" },
		{ "method", "Method" },
		{ "fio", "fio" },
	};
	size_t i;

	html_section_begin(page, "settings", "Machine and settings", NULL);
	fputs("<div class=\"facts\">\n", page->f);
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		html_facts_write(page->f, groups[i].title,
			json_object_get(page->doc, groups[i].key));
	fputs("</div>\n", page->f);
	html_section_end(page);
}

static void
write_body(struct html_page *page)
{
	if (html_matrix_count(page->doc)) {
		html_matrix_table(page);
		html_matrix_iops(page);
		html_matrix_ratios(page);
		html_matrix_cost(page);
		html_matrix_load(page);
		html_matrix_latencies(page);
		html_matrix_all(page);
	}
	write_facts(page);
}

static bool
is_matrix(const json_t *doc)
{
	return json_is_array(json_object_get(doc, "rows"));
}

const struct html_kind html_matrix_kind = {
	.program = "srpmatrix",
	.is_kind = is_matrix,
	.format_headline = format_headline,
	.format_subtitle = format_subtitle,
	.write_figures = write_figures,
	.write_body = write_body,
};
