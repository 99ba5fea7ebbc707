/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/html_chart.h"
#include "tools/html_data.h"
#include "tools/html_part.h"
#include "tools/html_style.h"
#include "tools/html_text.h"

#define MAX_NOTES 50

static bool
is_any(const json_t *doc)
{
	(void)doc;
	return true;
}

static void
format_any_headline(const json_t *doc, char *text)
{
	(void)doc;
	snprintf(text, HTML_HEADLINE_BYTES, "A document without figures");
}

static void
format_any_subtitle(const json_t *doc, char *text)
{
	snprintf(text, HTML_HEADLINE_BYTES,
		"Neither srplat's nor srpmatrix's: %s with %zu members.",
		json_is_object(doc) ? "an object" : "no object",
		json_object_size(doc));
}

static void
write_any_figures(FILE *f, const json_t *doc)
{
	(void)f;
	(void)doc;
}

static void
write_any_body(struct html_page *page)
{
	html_section_begin(page, "members", "Members", NULL);
	fputs("<div class=\"facts\">\n", page->f);
	html_facts_write(page->f, "Document", page->doc);
	fputs("</div>\n", page->f);
	html_section_end(page);
}

static const struct html_kind any_kind = {
	.program = "srpd",
	.is_kind = is_any,
	.format_headline = format_any_headline,
	.format_subtitle = format_any_subtitle,
	.write_figures = write_any_figures,
	.write_body = write_any_body,
};

static const struct html_kind *const kinds[] = {
	&html_matrix_kind,
	&html_srplat_kind,
	&any_kind,
};

static const struct html_kind *
find_kind(const json_t *doc)
{
	size_t i = 0;

	while (!kinds[i]->is_kind(doc))
		i++;
	return kinds[i];
}

/* The sentence of an error is the headline; nothing else matters as much. */
static void
format_headline(const struct html_kind *kind, const json_t *doc, char *text)
{
	const char *error = html_string(doc, "error");

	if (error)
		snprintf(text, HTML_HEADLINE_BYTES, "%s", error);
	else
		kind->format_headline(doc, text);
	html_text_mend(text);
}

static void
write_kicker(FILE *f, const struct html_kind *kind, const json_t *doc)
{
	const char *version = html_string(doc, "version");
	const char *date = html_string(doc, "date");

	fputs("<p class=\"kicker\">", f);
	html_text(f, kind->program);
	html_text(f, version ? " " : "");
	html_text(f, version);
	html_text(f, date ? " · " : "");
	html_text(f, date);
	fputs("</p>\n", f);
}

static void
write_note(FILE *f, const char *text, bool is_bad)
{
	fputs(is_bad ? "<li class=\"bad\">" : "<li>", f);
	html_text(f, text);
	fputs("</li>\n", f);
}

/* What a reader must know before he believes the rest. */
static void
write_notes(FILE *f, const json_t *doc)
{
	const json_t *notes = json_object_get(doc, "notes");
	bool was_stopped = json_is_true(json_object_get(doc, "interrupted"));
	bool has_error = html_string(doc, "error");
	size_t i, n = html_count(notes, MAX_NOTES);

	if (!n && !was_stopped && !has_error)
		return;
	fputs("<ul class=\"notes\">\n", f);
	if (has_error)
		write_note(f,
			"The run did not end well: what was measured until "
			"then is below.",
			true);
	if (was_stopped)
		write_note(f,
			"The run was interrupted: the figures are of what was "
			"done by then.",
			true);
	for (i = 0; i < n; i++)
		write_note(
			f, json_string_value(json_array_get(notes, i)), false);
	fputs("</ul>\n", f);
}

static void
write_links(FILE *f, const struct html_page *page)
{
	unsigned int i;

	if (page->nr_sections < 3)
		return;
	fputs("<nav aria-label=\"Sections\">\n", f);
	for (i = 0; i < page->nr_sections; i++) {
		fprintf(f, "<a href=\"#%s\">", page->sections[i].id);
		html_text(f, page->sections[i].title);
		fputs("</a>\n", f);
	}
	fputs("</nav>\n", f);
}

static void
write_head(FILE *f, const char *headline)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
		f);
	html_text(f, headline);
	fputs("</title>\n<style>\n", f);
	fputs(html_style(), f);
	fputs("</style>\n</head>\n<body>\n", f);
	html_markers_write(f);
}

static void
write_header(FILE *f, const struct html_kind *kind,
	const struct html_page *page, const char *headline)
{
	char text[HTML_HEADLINE_BYTES] = "";

	fputs("<header>\n", f);
	write_kicker(f, kind, page->doc);
	fputs("<h1>", f);
	html_text(f, headline);
	fputs("</h1>\n<p class=\"sub\">", f);
	kind->format_subtitle(page->doc, text);
	html_text_mend(text);
	html_text(f, text);
	fputs("</p>\n", f);
	kind->write_figures(f, page->doc);
	write_notes(f, page->doc);
	write_links(f, page);
	fputs("</header>\n<main>\n", f);
}

static void
write_foot(FILE *f, const json_t *doc)
{
	fputs("</main>\n<footer><p>Whiskers are intervals as under Method. The "
	      "page needs nothing else, and holds the whole result as JSON in "
	      "its element <code>script#data</code>.</p></footer>\n"
	      "<script type=\"application/json\" id=\"data\">",
		f);
	html_json(f, doc);
	fputs("</script>\n</body>\n</html>\n", f);
}

int
html_page_write(FILE *f, const json_t *doc)
{
	const struct html_kind *kind = find_kind(doc);
	struct html_page page = { .doc = doc };
	char headline[HTML_HEADLINE_BYTES];
	char *body = NULL;
	size_t n = 0;

	page.f = open_memstream(&body, &n);
	if (!page.f)
		return -errno;
	kind->write_body(&page);
	if (fclose(page.f)) {
		free(body);
		return -ENOMEM;
	}
	format_headline(kind, doc, headline);
	write_head(f, headline);
	write_header(f, kind, &page, headline);
	fwrite(body, 1, n, f);
	write_foot(f, doc);
	free(body);
	return fflush(f) || ferror(f) ? -EIO : 0;
}

static int
refuse(const char *path, int error, char *reason, size_t n)
{
	snprintf(reason, n,
		"%s: cannot write the page there: %s; name a file in a folder "
		"that may be written",
		path, strerror(error));
	return -error;
}

int
html_page_check(const char *path, char *reason, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return refuse(path, errno, reason, n);
	close(fd);
	return 0;
}

/* Whole into memory first: a page that is half there helps nobody. */
int
html_page_save(const char *path, const json_t *doc, char *reason, size_t n)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int rc = f ? html_page_write(f, doc) : -errno;

	if (f && fclose(f) && !rc)
		rc = -ENOMEM;
	f = rc ? NULL : fopen(path, "we");
	if (!rc && !f)
		rc = -errno;
	if (f) {
		if (fwrite(text, 1, size, f) != size)
			rc = -errno;
		if (fclose(f) && !rc)
			rc = -errno;
	}
	free(text);
	return rc ? refuse(path, -rc, reason, n) : 0;
}
