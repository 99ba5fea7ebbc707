/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_part.h"

#include "tools/html_text.h"

void
html_section_begin(struct html_page *page, const char *id, const char *title,
	const char *lead)
{
	FILE *f = page->f;

	if (page->nr_sections < HTML_MAX_SECTIONS) {
		page->sections[page->nr_sections].id = id;
		page->sections[page->nr_sections++].title = title;
	}
	fprintf(f, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id,
		id);
	fprintf(f, "<h2 id=\"%s-title\">", id);
	html_text(f, title);
	fputs("</h2>\n", f);
	if (lead) {
		fputs("<p>", f);
		html_text(f, lead);
		fputs("</p>\n", f);
	}
}

void
html_section_end(struct html_page *page)
{
	fputs("</section>\n", page->f);
}

void
html_figure(FILE *f, const char *name, const char *value, const char *more)
{
	fputs("<div><dt>", f);
	html_text(f, name);
	fputs("</dt><dd><span class=\"big\">", f);
	html_text(f, value);
	fputs("</span><span class=\"more\">", f);
	html_text(f, more);
	fputs("</span></dd></div>\n", f);
}
