/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a whole is made of: parts one behind the other. */
#include <math.h>

#include "tools/html_chart.h"
#include "tools/html_text.h"
#include "util/compiler.h"

#define ROW_PX 30
#define BAR_PX 20

static double
total_of(const struct html_stack *stack, unsigned int nr_parts)
{
	double total = 0;
	unsigned int i;

	for (i = 0; i < nr_parts; i++)
		if (isfinite(stack->parts[i]))
			total += stack->parts[i];
	return total;
}

static void
write_part(FILE *f, const struct html_stacks *chart, unsigned int part,
	const double x[2], double y)
{
	fprintf(f,
		"<rect class=\"part t%u\" x=\"%.3f%%\" width=\"%.3f%%\" "
		"y=\"%.1f\" height=\"%d\"><title>",
		part, x[0], fmax(x[1] - x[0], 0), y - BAR_PX / 2.0, BAR_PX);
	html_text(f, chart->names[part]);
}

static void
write_stack(FILE *f, const struct html_stacks *chart,
	const struct html_axis *axis, unsigned int row)
{
	const struct html_stack *stack = &chart->stacks[row];
	double sum = 0, x[2] = { 0, 0 }, y = row * ROW_PX + ROW_PX / 2.0;
	char number[HTML_NUM_BYTES];
	unsigned int i;

	fprintf(f, "<text class=\"name\" x=\"0\" dx=\"-8\" y=\"%.1f\">", y + 4);
	html_text_most(f, stack->label, HTML_LABEL_CHARS);
	fputs("</text>", f);
	for (i = 0; i < chart->nr_parts; i++) {
		if (!isfinite(stack->parts[i]))
			continue;
		sum += stack->parts[i];
		x[1] = 100 * html_axis_at(axis, sum);
		write_part(f, chart, i, x, y);
		html_num_short(number, chart->unit, stack->parts[i]);
		fprintf(f, ": %s</title></rect>", number);
		x[0] = x[1];
	}
	html_num_short(number, chart->unit, sum);
	fprintf(f,
		"<text class=\"value\" x=\"100%%\" dx=\"60\" y=\"%.1f\">%s"
		"</text>\n",
		y + 4, number);
}

static bool
has_part(const struct html_stacks *chart, unsigned int part)
{
	unsigned int i;

	for (i = 0; i < chart->nr; i++)
		if (isfinite(chart->stacks[i].parts[part]))
			return true;
	return false;
}

static void
write_legend(FILE *f, const struct html_stacks *chart)
{
	unsigned int i;

	html_legend_begin(f);
	for (i = 0; i < chart->nr_parts; i++) {
		if (!has_part(chart, i))
			continue;
		fprintf(f, "<li><span class=\"swatch t%u\"></span>", i);
		html_text(f, chart->names[i]);
		fputs("</li>\n", f);
	}
	html_legend_end(f);
}

void
html_stacks_write(FILE *f, const struct html_stacks *chart)
{
	struct html_axis axis = { .unit = chart->unit };
	int height = (int)(chart->nr * ROW_PX);
	double most = 0;
	size_t chars = 0;
	unsigned int i;

	for (i = 0; i < chart->nr; i++) {
		most = fmax(most, total_of(&chart->stacks[i], chart->nr_parts));
		chars = max(chars, html_chart_chars(chart->stacks[i].label));
	}
	html_axis_init_linear(&axis, 0, most, 4);
	html_chart_begin(f, &chart->caption, "bars stacks", chars);
	write_legend(f, chart);
	html_chart_svg(f, &chart->caption, height);
	html_chart_x_axis(f, &axis, height);
	for (i = 0; i < chart->nr; i++)
		write_stack(f, chart, &axis, i);
	html_chart_end(f, &chart->caption);
}
