/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The text fields of SCSI data: fixed length, padded with blanks, ASCII
 * (SPC-4 4.3.1). Shared by scsi_data.c and scsi_data_vpd.c.
 */
#ifndef WIRE_SCSI_DATA_TEXT_H
#define WIRE_SCSI_DATA_TEXT_H

#include <string.h>

#include "util/compiler.h"

static inline char
scsi_data_text_printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

/* text has n + 1 bytes. Targets pad with NUL too, against the standard. */
static inline void
scsi_data_text_decode(const char *field, size_t n, char *text)
{
	while (n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\0'))
		n--;
	for (size_t i = 0; i < n; i++)
		text[i] = scsi_data_text_printable(field[i]);
	text[n] = '\0';
}

/* text is cut to the field. */
static inline void
scsi_data_text_encode(const char *text, char *field, size_t n)
{
	size_t len = strnlen(text, n);

	memset(field, ' ', n);
	for (size_t i = 0; i < len; i++)
		field[i] = scsi_data_text_printable(text[i]);
}

#endif
