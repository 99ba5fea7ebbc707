/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Sentences about text from outside. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stddef.h>

#include "util/compiler.h"

/* Writes the sentence and returns -EINVAL. */
int text_fail(char *reason, size_t n, const char *format, ...) __printf(3, 4);

/*
 * Text as it may be shown on a terminal: cut to fit, anything but printable
 * ASCII as '?'. Returns @out.
 */
#define TEXT_QUOTE_BYTES 64
const char *text_quote(const char *text, size_t len,
	char out[TEXT_QUOTE_BYTES]);

#endif /* LIB_TEXT_H */
