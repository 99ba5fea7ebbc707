/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Text into an HTML page. Whatever comes from outside (URLs, device names,
 * sentences) goes through here: nothing in it can end an attribute, begin a
 * tag or leave the script element.
 */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "util/compiler.h"

/* As text or as the value of a quoted attribute; NULL writes nothing. */
void html_text(FILE *f, const char *text);
/* At most @most bytes of it, and an ellipsis for the rest. */
void html_text_most(FILE *f, const char *text, size_t most);
/* The formatted text, up to 1023 bytes of it. */
__printf(2, 3) void html_textf(FILE *f, const char *format, ...);

/* Takes away a character at the end that snprintf() has cut in two. */
void html_text_mend(char *text);

/* The document on one line, for a <script type="application/json">. */
void html_json(FILE *f, const json_t *doc);

#endif /* HTML_TEXT_H */
