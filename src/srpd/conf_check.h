/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The look at an ini file before iniparser has it, which is silent about much:
 * it cuts values at '#' and ';', joins lines that end in '\', lower-cases
 * names, lets a later key take the place of an earlier one, hides a section
 * with ':' in its name, and knows no line numbers.
 *
 *	bytes ──> lines ──> problems, where any of this would happen
 *	              └───> entries (section, key, line), and the text without
 *	                    comments and with each value quoted: what
 *	                    iniparser gets to read
 *
 * Pure but for memory. Values are nothing to it: conf.c judges them.
 */
#ifndef SRPD_CONF_CHECK_H
#define SRPD_CONF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "srpd/conf_problems.h"

/* iniparser's buffer holds 1024 bytes, key and quotes included. */
#define CONF_LINE_MAX 1000
#define CONF_NAME_MAX 63

struct conf_entry {
	char section[CONF_NAME_MAX + 8]; /* "srpd", "target NAME" */
	char key[CONF_NAME_MAX + 1];	   /* "": the section's header */
	unsigned int line;
};

struct conf_check {
	struct conf_entry *entries;
	unsigned int nr_entries;
	char *text; /* for iniparser; a string */
	size_t text_bytes;
	bool has_crlf; /* told */
};

/* 0 or -ENOMEM; problems are no error here. @check is zeroed at first. */
int conf_check(struct conf_check *check, const char *data, size_t bytes,
	struct conf_problems *problems);
/* The line of that key, or of the section where @key is ""; 0: not there. */
unsigned int conf_check_line(const struct conf_check *check,
	const char *section, const char *key);
void conf_check_fini(struct conf_check *check);

#endif /* SRPD_CONF_CHECK_H */
