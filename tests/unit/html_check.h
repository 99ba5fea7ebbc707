/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Whether a page is whole: every element closed in its order, no number that
 * is none in an attribute, and one script element, which holds the document.
 * Strict, for the renderer writes its tags in one form only.
 */
#ifndef HTML_CHECK_H
#define HTML_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HTML_CHECK_DEPTH 64

struct html_check {
	char open[HTML_CHECK_DEPTH][24];
	unsigned int depth;
	unsigned int nr_scripts;
	unsigned int nr_svgs;
};

static inline bool
html_check_is_void(const char *name)
{
	return !strcmp(name, "meta") || !strcmp(name, "link") ||
		!strcmp(name, "!DOCTYPE");
}

/* One tag, @text behind its '<', @n up to its '>'. NULL, or what is wrong. */
static inline const char *
html_check_tag(struct html_check *check, const char *text, size_t n)
{
	char name[24] = "";
	size_t len = strcspn(text + (*text == '/'), " />\n");
	bool is_closed = n && text[n - 1] == '/';

	if (!len || len >= sizeof(name))
		return "a tag without a name";
	memcpy(name, text + (*text == '/'), len);
	name[len] = '\0';
	if (memmem(text, n, "nan", 3) || memmem(text, n, "inf", 3))
		return "an attribute that is no number";
	if (*text == '/') {
		if (!check->depth || strcmp(check->open[check->depth - 1], name))
			return "an element closed that is not open";
		check->depth--;
		return NULL;
	}
	check->nr_scripts += !strcmp(name, "script");
	check->nr_svgs += !strcmp(name, "svg");
	if (is_closed || html_check_is_void(name))
		return NULL;
	if (check->depth == HTML_CHECK_DEPTH)
		return "elements too deep";
	memcpy(check->open[check->depth++], name, sizeof(name));
	return NULL;
}

/* Where the tag ends: the first '>' outside of quotes. */
static inline const char *
html_check_tag_end(const char *text)
{
	bool is_quoted = false;

	for (; *text && (is_quoted || *text != '>'); text++)
		if (*text == '"')
			is_quoted = !is_quoted;
		else if (*text == '<')
			return NULL;
	return *text ? text : NULL;
}

static inline const char *
html_check_data(const char *text, const json_t *doc)
{
	const char *begin = strstr(text, "id=\"data\">");
	const char *end = begin ? strstr(begin, "</script>") : NULL;
	const char *problem = NULL;
	json_t *back;

	if (!end)
		return "no document inside";
	begin += strlen("id=\"data\">");
	back = json_loadb(begin, (size_t)(end - begin),
		JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (!back || !json_equal(back, doc))
		problem = "not the document inside";
	json_decref(back);
	return problem;
}

/* NULL, or what is wrong. */
static inline const char *
html_check(const char *text, const json_t *doc, unsigned int *nr_svgs)
{
	struct html_check check = { .depth = 0 };
	const char *at = strchr(text, '<'), *end, *problem = NULL;

	for (; at && !problem; at = strchr(end, '<')) {
		end = html_check_tag_end(at + 1);
		if (!end)
			return "a tag that does not end";
		problem = html_check_tag(
			&check, at + 1, (size_t)(end - at - 1));
	}
	if (problem)
		return problem;
	if (nr_svgs)
		*nr_svgs = check.nr_svgs;
	if (check.depth)
		return "an element that is not closed";
	if (check.nr_scripts != 1)
		return "not one script element";
	return html_check_data(text, doc);
}

#endif /* HTML_CHECK_H */
