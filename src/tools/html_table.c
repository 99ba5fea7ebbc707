/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_table.h"

#include "tools/html_text.h"

/* A box that scrolls can be reached and scrolled by keyboard. */
void
html_table_begin(FILE *f, const char *caption,
	const struct html_column *columns, unsigned int nr)
{
	unsigned int i;

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	      "aria-label=\"",
		f);
	html_text(f, caption);
	fputs("\"><table>\n<caption>", f);
	html_text(f, caption);
	fputs("</caption>\n<thead><tr>", f);
	for (i = 0; i < nr; i++) {
		fprintf(f, "<th scope=\"col\"%s>",
			columns[i].is_text ? " class=\"text\"" : "");
		html_text(f, columns[i].name);
		if (columns[i].unit) {
			fputs(" <small>", f);
			html_text(f, columns[i].unit);
			fputs("</small>", f);
		}
		fputs("</th>", f);
	}
	fputs("</tr></thead>\n<tbody>", f);
}

void
html_table_row(FILE *f, const char *head)
{
	fputs("\n<tr><th scope=\"row\">", f);
	html_text(f, head);
	fputs("</th>", f);
}

void
html_table_row_end(FILE *f)
{
	fputs("</tr>", f);
}

void
html_table_text(FILE *f, const char *text)
{
	fputs("<td class=\"text\">", f);
	html_text(f, text);
	fputs("</td>", f);
}

void
html_table_number(FILE *f, enum html_unit unit, double value)
{
	char text[HTML_NUM_BYTES];

	html_num_exact(text, unit, value);
	fprintf(f, "<td>%s</td>", text);
}

void
html_table_best(FILE *f, enum html_unit unit, double value)
{
	char text[HTML_NUM_BYTES];

	html_num_exact(text, unit, value);
	fprintf(f, "<td class=\"best\"><strong>%s</strong></td>", text);
}

void
html_table_end(FILE *f)
{
	fputs("\n</tbody></table></div>\n", f);
}
