/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a page is made of. The body is written before the head, for only then
 * is it known which sections there are.
 *
 *	head	kicker, headline, sentence, key figures, notes, links
 *	body	sections: charts and tables, then machine and settings
 *	foot	the document itself
 *
 * struct html_kind is what one program's document has of its own; the last
 * member of the table in html_page.c takes any document at all.
 */
#ifndef HTML_PART_H
#define HTML_PART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define HTML_MAX_SECTIONS 20
#define HTML_HEADLINE_BYTES 512

struct html_page {
	const json_t *doc;
	FILE *f; /* the body */
	struct {
		const char *id;
		const char *title;
	} sections[HTML_MAX_SECTIONS];
	unsigned int nr_sections;
};

struct html_kind {
	const char *program;
	bool (*is_kind)(const json_t *doc);
	/* One sentence each, HTML_HEADLINE_BYTES, not yet escaped. */
	void (*format_headline)(const json_t *doc, char *text);
	void (*format_subtitle)(const json_t *doc, char *text);
	void (*write_figures)(FILE *f, const json_t *doc);
	void (*write_body)(struct html_page *page);
};

extern const struct html_kind html_srplat_kind;
extern const struct html_kind html_matrix_kind;

/* Begins a section; @lead is a sentence below its title, or NULL. */
void html_section_begin(struct html_page *page, const char *id,
	const char *title, const char *lead);
void html_section_end(struct html_page *page);

/* A key figure: what, how much, and what to hold against it. */
void
html_figure(FILE *f, const char *name, const char *value, const char *more);

/* One group of settings: the members of an object, one a line. */
void html_facts_write(FILE *f, const char *title, const json_t *object);

#endif /* HTML_PART_H */
