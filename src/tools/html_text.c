/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/html_text.h"

#include "util/compiler.h"

#include <stdarg.h>
#include <string.h>

/* What stands for a byte that may not be written as it is; NULL: it may. */
static const char *
escape(unsigned char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
	case '\n':
		return NULL;
	default:
		/* Controls are no characters of HTML. */
		return byte < 0x20 || byte == 0x7f ? "&#xfffd;" : NULL;
	}
}

void
html_text(FILE *f, const char *text)
{
	const char *instead;

	for (; text && *text; text++) {
		instead = escape((unsigned char)*text);
		if (instead)
			fputs(instead, f);
		else
			fputc(*text, f);
	}
}

void
html_text_mend(char *text)
{
	size_t n = strlen(text), back = 0, wanted = 1;
	unsigned char lead;

	while (back < 3 && back < n &&
		((unsigned char)text[n - 1 - back] & 0xc0) == 0x80)
		back++;
	if (back == n)
		return;
	lead = (unsigned char)text[n - 1 - back];
	if (lead >= 0xc0)
		wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	if (back + 1 < wanted)
		text[n - 1 - back] = '\0';
}

void
html_text_most(FILE *f, const char *text, size_t most)
{
	char cut[128];

	if (!text)
		return;
	most = min(most, sizeof(cut) - 1);
	if (strlen(text) <= most) {
		html_text(f, text);
		return;
	}
	memcpy(cut, text, most);
	cut[most] = '\0';
	html_text_mend(cut);
	html_text(f, cut);
	html_text(f, "…");
}

void
html_textf(FILE *f, const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	html_text_mend(text);
	html_text(f, text);
}

/*
 * '<' and '>' stand in strings only, where the escape means the same: what is
 * left can neither end the script element nor begin a comment in it.
 */
static int
dump(const char *text, size_t n, void *arg)
{
	FILE *f = arg;
	size_t i;

	for (i = 0; i < n; i++) {
		if (text[i] == '<' || text[i] == '>')
			fprintf(f, "\\u%04x", (unsigned int)text[i]);
		else
			fputc(text[i], f);
	}
	return ferror(f) ? -1 : 0;
}

void
html_json(FILE *f, const json_t *doc)
{
	json_dump_callback(doc, dump, f,
		JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
}
