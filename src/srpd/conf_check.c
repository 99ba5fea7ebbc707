/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/conf_check.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define QUOTE_BYTES 48 /* of a file's text in a sentence */

/* One pass over the file. */
struct pass {
	struct conf_check *check;
	struct conf_problems *problems;
	unsigned int line;
	/* "": none yet; the name of the section that is open */
	char section[sizeof(((struct conf_entry *)0)->section)];
	bool is_skipping; /* its header was wrong: what follows is not judged */
	size_t text_size;
	bool has_no_memory;
};

struct span {
	const char *at;
	size_t len;
};

/* Text of the file as it may be shown: printable, and cut. */
static const char *
quote(struct span span, char out[QUOTE_BYTES])
{
	size_t len = span.len < QUOTE_BYTES ? span.len : QUOTE_BYTES - 1;

	for (size_t i = 0; i < len; i++)
		out[i] = span.at[i] >= ' ' && span.at[i] <= '~' ? span.at[i] :
								  '?';
	out[len] = '\0';
	return out;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span
trim(struct span span)
{
	while (span.len && is_blank(*span.at)) {
		span.at++;
		span.len--;
	}
	while (span.len && is_blank(span.at[span.len - 1]))
		span.len--;
	return span;
}

static struct span
behind(struct span span, size_t skip)
{
	return (struct span){span.at + skip, span.len - skip};
}

static size_t
find(struct span span, char c)
{
	const char *at = span.len ? memchr(span.at, c, span.len) : NULL;

	return at ? (size_t)(at - span.at) : span.len;
}

/* ---- what comes out -------------------------------------------------- */

static void
add_entry(struct pass *pass, struct span key)
{
	struct conf_check *check = pass->check;
	struct conf_entry *entries = realloc(check->entries,
		(check->nr_entries + 1) * sizeof(*entries));
	struct conf_entry *entry;

	if (!entries) {
		pass->has_no_memory = true;
		return;
	}
	check->entries = entries;
	entry = &entries[check->nr_entries++];
	memset(entry, 0, sizeof(*entry));
	memcpy(entry->section, pass->section, sizeof(entry->section));
	memcpy(entry->key, key.at, key.len);
	entry->line = pass->line;
}

static void
append(struct pass *pass, const char *text, size_t len)
{
	struct conf_check *check = pass->check;
	size_t size = pass->text_size;
	char *grown;

	while (check->text_bytes + len + 1 > size)
		size = size ? size * 2 : 4096;
	if (size != pass->text_size) {
		grown = realloc(check->text, size);
		if (!grown) {
			pass->has_no_memory = true;
			return;
		}
		check->text = grown;
		pass->text_size = size;
	}
	memcpy(check->text + check->text_bytes, text, len);
	check->text_bytes += len;
	check->text[check->text_bytes] = '\0';
}

static void
append_section(struct pass *pass)
{
	append(pass, "[", 1);
	append(pass, pass->section, strlen(pass->section));
	append(pass, "]\n", 2);
}

static void
append_value(struct pass *pass, struct span key, struct span value)
{
	append(pass, key.at, key.len);
	append(pass, " = \"", 4);
	append(pass, value.at, value.len);
	append(pass, "\"\n", 2);
}

unsigned int
conf_check_line(const struct conf_check *check, const char *section,
	const char *key)
{
	for (unsigned int i = 0; i < check->nr_entries; i++)
		if (strcmp(check->entries[i].section, section) == 0 &&
			strcmp(check->entries[i].key, key) == 0)
			return check->entries[i].line;
	return 0;
}

/* ---- bytes ----------------------------------------------------------- */

/* The length of the UTF-8 sequence @span begins with; 0: it is none. */
static size_t
utf8_len(struct span span)
{
	const unsigned char *at = (const unsigned char *)span.at;
	size_t len = at[0] < 0x80 ? 1 :
		at[0] >= 0xc2 && at[0] < 0xe0 ? 2 :
		at[0] >= 0xe0 && at[0] < 0xf0 ? 3 :
		at[0] >= 0xf0 && at[0] < 0xf5 ? 4 :
						0;

	if (len == 0 || len > span.len)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* What no line may hold, comments included. One problem a line will do. */
static bool
check_bytes(struct pass *pass, struct span span)
{
	size_t len;

	if (span.len > CONF_LINE_MAX) {
		conf_problems_add(pass->problems, pass->line,
			"the line is %zu characters long: %d are allowed",
			span.len, CONF_LINE_MAX);
		return false;
	}
	for (; span.len; span = behind(span, len)) {
		len = utf8_len(span);
		if (len == 0) {
			conf_problems_add(pass->problems, pass->line,
				"the line holds the byte 0x%02x, which is not "
				"UTF-8 text",
				(unsigned char)*span.at);
			return false;
		}
		if ((*span.at >= ' ' || *span.at == '\t' || len > 1) &&
			*span.at != 0x7f)
			continue;
		conf_problems_add(pass->problems, pass->line,
			"the line holds the control character 0x%02x%s",
			(unsigned char)*span.at,
			*span.at ? "" : " (NUL): the file is no text");
		return false;
	}
	return true;
}

/* ---- sections -------------------------------------------------------- */

static bool
is_name(struct span name, bool may_be_upper)
{
	if (name.len == 0 || name.len > CONF_NAME_MAX)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!islower((unsigned char)name.at[i]) &&
			!isdigit((unsigned char)name.at[i]) &&
			name.at[i] != '_' && name.at[i] != '-' &&
			!(may_be_upper && isupper((unsigned char)name.at[i])))
			return false;
	return true;
}

/* "srpd" or "target NAME" into pass->section; false after the sentence. */
static bool
take_section(struct pass *pass, struct span name)
{
	static const char word[] = "target";
	char text[QUOTE_BYTES];
	struct span rest;

	if (name.len == 4 && memcmp(name.at, "srpd", 4) == 0) {
		memcpy(pass->section, "srpd", 5);
		return true;
	}
	if (name.len <= sizeof(word) || !is_blank(name.at[sizeof(word) - 1]) ||
		memcmp(name.at, word, sizeof(word) - 1) != 0) {
		conf_problems_add(pass->problems, pass->line,
			"section [%s] is not known: allowed are [srpd] and "
			"[target NAME]",
			quote(name, text));
		return false;
	}
	rest = trim(behind(name, sizeof(word) - 1));
	if (!is_name(rest, false)) {
		conf_problems_add(pass->problems, pass->line,
			"section [target %s]: allowed in a target's name are "
			"up to %d of a-z, 0-9, _ and -",
			quote(rest, text), CONF_NAME_MAX);
		return false;
	}
	memset(pass->section, 0, sizeof(pass->section));
	memcpy(pass->section, "target ", 7);
	memcpy(pass->section + 7, rest.at, rest.len);
	return true;
}

static bool
is_comment(struct span span)
{
	return span.len == 0 || *span.at == '#' || *span.at == ';';
}

static bool
check_section(struct pass *pass, struct span span)
{
	size_t end = find(span, ']');
	char text[QUOTE_BYTES];
	unsigned int other;
	struct span rest;

	if (end == span.len) {
		conf_problems_add(pass->problems, pass->line,
			"section \"%s\" has no closing ]", quote(span, text));
		return false;
	}
	rest = trim(behind(span, end + 1));
	if (!is_comment(rest)) {
		conf_problems_add(pass->problems, pass->line,
			"behind the ] of a section stands \"%s\": only a "
			"comment may",
			quote(rest, text));
		return false;
	}
	if (!take_section(
		    pass, trim((struct span){span.at + 1, end - 1})))
		return false;
	other = conf_check_line(pass->check, pass->section, "");
	if (other) {
		conf_problems_add(pass->problems, pass->line,
			"section [%s] is there twice: see line %u",
			pass->section, other);
		return false;
	}
	add_entry(pass, (struct span){"", 0});
	append_section(pass);
	return true;
}

/* ---- values ---------------------------------------------------------- */

/* "text" or 'text', nothing but a comment behind it. */
static bool
check_quoted(struct pass *pass, const char *key, struct span *value)
{
	struct span rest = behind(*value, 1);
	size_t end = find(rest, *value->at);
	char text[QUOTE_BYTES];
	struct span tail;

	if (end == rest.len) {
		conf_problems_add(pass->problems, pass->line,
			"%s: the value begins with a %c that is not closed",
			key, *value->at);
		return false;
	}
	tail = trim(behind(rest, end + 1));
	if (!is_comment(tail)) {
		conf_problems_add(pass->problems, pass->line,
			"%s: behind the closing %c stands \"%s\"", key,
			*value->at, quote(tail, text));
		return false;
	}
	*value = (struct span){rest.at, end};
	return true;
}

/* A comment begins behind a blank; a # or ; inside a word was meant. */
static bool
check_plain(struct pass *pass, const char *key, struct span *value)
{
	for (size_t i = 0; i < value->len; i++) {
		if (value->at[i] != '#' && value->at[i] != ';')
			continue;
		if (i > 0 && !is_blank(value->at[i - 1])) {
			conf_problems_add(pass->problems, pass->line,
				"%s: the value would be cut at the %c: put "
				"it in double quotes, or a blank in front of "
				"a comment",
				key, value->at[i]);
			return false;
		}
		value->len = i;
		*value = trim(*value);
	}
	return true;
}

static bool
check_value(struct pass *pass, const char *key, struct span *value)
{
	bool is_good = true;

	if (value->len && (*value->at == '"' || *value->at == '\''))
		is_good = check_quoted(pass, key, value);
	else
		is_good = check_plain(pass, key, value);
	if (!is_good)
		return false;
	if (value->len == 0) {
		conf_problems_add(pass->problems, pass->line,
			"%s has no value", key);
		return false;
	}
	if (find(*value, '"') < value->len) {
		conf_problems_add(pass->problems, pass->line,
			"%s: the value holds a \"", key);
		return false;
	}
	if (value->at[value->len - 1] == '\\') {
		conf_problems_add(pass->problems, pass->line,
			"%s: the value ends in a \\: lines are not joined",
			key);
		return false;
	}
	return true;
}

static bool
check_key(struct pass *pass, struct span key, char name[CONF_NAME_MAX + 1])
{
	char text[QUOTE_BYTES];
	size_t i;

	if (!is_name(key, true)) {
		conf_problems_add(pass->problems, pass->line,
			"\"%s\" is no key: KEY = VALUE is expected",
			quote(key, text));
		return false;
	}
	for (i = 0; i < key.len; i++)
		name[i] = (char)tolower((unsigned char)key.at[i]);
	name[i] = '\0';
	if (memcmp(name, key.at, key.len) != 0) {
		conf_problems_add(pass->problems, pass->line,
			"key \"%s\" is not known: did you mean \"%s\"?",
			quote(key, text), name);
		return false;
	}
	return true;
}

static bool
is_in_place(struct pass *pass, const char *key)
{
	unsigned int other;

	if (!*pass->section) {
		conf_problems_add(pass->problems, pass->line,
			"%s stands in front of any section: [srpd] or "
			"[target NAME] is missing above it",
			key);
		return false;
	}
	other = conf_check_line(pass->check, pass->section, key);
	if (other)
		conf_problems_add(pass->problems, pass->line,
			"%s is there twice in [%s]: see line %u", key,
			pass->section, other);
	return !other;
}

static void
check_pair(struct pass *pass, struct span span)
{
	size_t equal = find(span, '=');
	char name[CONF_NAME_MAX + 1], text[QUOTE_BYTES];
	struct span key = trim((struct span){span.at, equal});
	struct span value;

	if (equal == span.len) {
		conf_problems_add(pass->problems, pass->line,
			"\"%s\" has no \"=\": KEY = VALUE is expected",
			quote(span, text));
		return;
	}
	value = trim(behind(span, equal + 1));
	if (!check_key(pass, key, name) || pass->is_skipping)
		return;
	if (!is_in_place(pass, name))
		return;
	/* Before its value is judged, so that a second one is seen. */
	add_entry(pass, key);
	if (check_value(pass, name, &value))
		append_value(pass, key, value);
}

/* ---- lines ----------------------------------------------------------- */

static void
check_line(struct pass *pass, struct span span)
{
	char text[QUOTE_BYTES];

	if (span.len && span.at[span.len - 1] == '\r') {
		/* Told once: the whole file has them, then. */
		span.len--;
		if (!pass->check->has_crlf)
			conf_problems_add(pass->problems, pass->line,
				"the line ends in CR LF (%s): save the file "
				"with Unix line ends",
				quote(trim(span), text));
		pass->check->has_crlf = true;
	}
	if (!check_bytes(pass, span))
		return;
	span = trim(span);
	if (is_comment(span))
		return;
	if (*span.at != '[') {
		check_pair(pass, span);
		return;
	}
	pass->is_skipping = !check_section(pass, span);
}

static struct span
skip_bom(struct pass *pass, struct span file)
{
	if (file.len < 3 || memcmp(file.at, "\xef\xbb\xbf", 3) != 0)
		return file;
	conf_problems_add(pass->problems, 1,
		"the file begins with a byte order mark: save it as UTF-8 "
		"without one");
	return behind(file, 3);
}

int
conf_check(struct conf_check *check, const char *data, size_t bytes,
	struct conf_problems *problems)
{
	struct pass pass = {.check = check, .problems = problems};
	struct span rest = {data, bytes};
	size_t end;

	append(&pass, "", 0);
	for (rest = skip_bom(&pass, rest); rest.len;
		rest = behind(rest, end < rest.len ? end + 1 : end)) {
		end = find(rest, '\n');
		pass.line++;
		check_line(&pass, (struct span){rest.at, end});
	}
	return pass.has_no_memory ? -ENOMEM : 0;
}

void
conf_check_fini(struct conf_check *check)
{
	/* It may hold passwords. */
	if (check->text)
		explicit_bzero(check->text, check->text_bytes);
	free(check->text);
	free(check->entries);
	memset(check, 0, sizeof(*check));
}
