/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "util/clock.h"
#include "util/compiler.h"

const char *
srpctl_text_age(uint64_t ns, char *out)
{
	uint64_t s = ns / CLOCK_NS_PER_SEC;

	if (s < 60)
		snprintf(out, SRPCTL_CELL_BYTES, "%" PRIu64 "s", s);
	else if (s < 3600)
		snprintf(out, SRPCTL_CELL_BYTES, "%" PRIu64 "m%02" PRIu64 "s",
			s / 60, s % 60);
	else if (s < 86400)
		snprintf(out, SRPCTL_CELL_BYTES, "%" PRIu64 "h%02" PRIu64 "m",
			s / 3600, s / 60 % 60);
	else
		snprintf(out, SRPCTL_CELL_BYTES, "%" PRIu64 "d%02" PRIu64 "h",
			s / 86400, s / 3600 % 24);
	return out;
}

const char *
srpctl_text_bytes(uint64_t bytes, char *out)
{
	static const char units[] = "KMGTPE";
	double value = (double)bytes;
	int unit = -1;

	/* 1023.95 would be printed as 1024.0 */
	while (value >= 1023.95 && units[unit + 1]) {
		value /= 1024;
		unit++;
	}
	if (unit < 0)
		snprintf(out, SRPCTL_CELL_BYTES, "%" PRIu64 " B", bytes);
	else
		snprintf(out, SRPCTL_CELL_BYTES, "%.1f %ciB", value,
			units[unit]);
	return out;
}

const char *
srpctl_text_rate(double rate, char *out)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P" };
	size_t unit = 0;

	while (rate >= 999.5 && unit + 1 < ARRAY_SIZE(units)) {
		rate /= 1000;
		unit++;
	}
	if (rate < 0.05)
		snprintf(out, SRPCTL_CELL_BYTES, "0");
	else if (rate < 9.95)
		snprintf(out, SRPCTL_CELL_BYTES, "%.1f%s", rate, units[unit]);
	else
		snprintf(out, SRPCTL_CELL_BYTES, "%.0f%s", rate, units[unit]);
	return out;
}

const char *
srpctl_text_latency(double ns, char *out)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;

	while (ns >= 999.5 && unit + 1 < ARRAY_SIZE(units)) {
		ns /= 1000;
		unit++;
	}
	snprintf(out, SRPCTL_CELL_BYTES, ns < 9.95 && unit ? "%.1f%s" : "%.0f%s",
		ns, units[unit]);
	return out;
}

static bool
is_continued(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t
srpctl_text_columns(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += !is_continued(*text);
	return nr;
}

/*
 * One character; its length. Controls are those of ASCII and, in UTF-8 as
 * C2 80 to C2 9F, those of ISO 6429 that terminals take too.
 */
static size_t
print_char(FILE *out, const char *text)
{
	unsigned char c = (unsigned char)text[0];
	size_t len = 1;

	while (is_continued(text[len]))
		len++;
	if (c < 0x20 || c == 0x7f || is_continued(text[0]) ||
		(c == 0xc2 && (unsigned char)text[1] < 0xa0))
		fputc('?', out);
	else
		fwrite(text, 1, len, out);
	return len;
}

void
srpctl_text_print(FILE *out, const char *text, int columns)
{
	size_t width = (size_t)(columns < 0 ? -columns : columns);
	size_t nr = srpctl_text_columns(text), i, keep = nr;

	if (width && nr > width)
		keep = width - 1;
	for (i = nr; columns < 0 && i < width; i++)
		fputc(' ', out);
	for (i = 0; i < keep; i++)
		text += print_char(out, text);
	if (keep < nr)
		fputc('~', out);
	for (i = nr; columns > 0 && i < width; i++)
		fputc(' ', out);
}

void
srpctl_text_wrap(FILE *out, const char *text, int indent, int width)
{
	size_t room = (size_t)(width > indent + 20 ? width - indent : 20);
	size_t at = 0, len, columns;
	char word[256];

	while (*(text += strspn(text, " "))) {
		len = strcspn(text, " ");
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		columns = srpctl_text_columns(word);
		if (at && at + 1 + columns > room) {
			fputc('\n', out);
			at = 0;
		}
		fprintf(out, "%*s", at ? 1 : indent, "");
		srpctl_text_print(out, word, 0);
		at += columns + (at != 0);
		text += len;
	}
	if (at)
		fputc('\n', out);
}
