/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
text_fail(char *reason, size_t n, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, n, format, ap);
	va_end(ap);
	return -EINVAL;
}

const char *
text_quote(const char *text, size_t len, char out[TEXT_QUOTE_BYTES])
{
	size_t shown = min(len, (size_t)TEXT_QUOTE_BYTES - 1);

	for (size_t i = 0; i < shown; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	out[shown] = '\0';
	if (shown < len)
		memcpy(out + shown - 3, "...", 3);
	return out;
}
