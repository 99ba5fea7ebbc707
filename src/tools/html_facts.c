/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The machine and the settings: whatever members there are, read as people. */
#include <stdint.h>
#include <string.h>

#include "tools/html_data.h"
#include "tools/html_num.h"
#include "tools/html_part.h"
#include "tools/html_text.h"
#include "util/compiler.h"

#define MAX_MEMBERS 100
#define MAX_ELEMENTS 200

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

/* A unit at the end of a name becomes the number's. */
static void
write_number(FILE *f, const char *name, const json_t *json)
{
	double value = json_number_value(json);
	char text[HTML_NUM_BYTES];

	if (ends_with(name, "_ns"))
		html_num_short(text, HTML_NS, value);
	else if (ends_with(name, "_bytes") || strcmp(name, "bs") == 0)
		html_num_bytes(text, value);
	else if (ends_with(name, "_s"))
		snprintf(text, sizeof(text), "%g s", value);
	else if (json_is_integer(json))
		snprintf(text, sizeof(text), "%lld",
			(long long)json_integer_value(json));
	else
		snprintf(text, sizeof(text), "%g", value);
	html_text(f, text);
}

static void
write_scalar(FILE *f, const char *name, const json_t *json)
{
	if (json_is_string(json))
		html_text(f, json_string_value(json));
	else if (json_is_number(json))
		write_number(f, name, json);
	else if (json_is_boolean(json))
		html_text(f, json_is_true(json) ? "yes" : "no");
	else
		html_text(f, "–");
}

/* Of scalars, or of pairs such as [block size, jobs]. */
static void
write_array(FILE *f, const char *name, const json_t *array, int depth)
{
	const char *between = depth ? " × " : ", ";
	size_t i, n = html_count(array, MAX_ELEMENTS);
	const json_t *one;

	if (strcmp(name, "command") == 0)
		between = " ";
	for (i = 0; i < n; i++) {
		one = json_array_get(array, i);
		html_text(f, i ? between : "");
		if (json_is_array(one) && !depth)
			write_array(f, name, one, depth + 1);
		else
			write_scalar(f, name, one);
	}
	if (n < json_array_size(array))
		html_text(f, " …");
}

/* "resolution_ns" as "resolution". */
static void
write_name(FILE *f, const char *group, const char *name)
{
	static const char *const units[] = { "_ns", "_bytes", "_s" };
	size_t len = strlen(name), part, i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (ends_with(name, units[i]) && !ends_with(name, "_per_s"))
			len -= strlen(units[i]);
	fputs("<dt>", f);
	if (group[0])
		html_textf(f, "%s ", group);
	for (i = 0; i < len; i += part + 1) {
		part = strcspn(name + i, "_");
		part = min(part, len - i);
		html_textf(f, "%s%.*s", i ? " " : "",
			(int)min(part, (size_t)80), name + i);
	}
	fputs("</dt><dd>", f);
}

static void
write_members(FILE *f, const char *group, const json_t *object)
{
	/* Iterating takes the object as not const, and leaves it as it is. */
	json_t *members = (json_t *)(uintptr_t)object;
	unsigned int nr = 0;
	const char *name;
	json_t *value;

	json_object_foreach(members, name, value)
	{
		if (nr++ == MAX_MEMBERS)
			break;
		if (json_is_object(value) && !group[0]) {
			write_members(f, name, value);
			continue;
		}
		write_name(f, group, name);
		if (json_is_array(value))
			write_array(f, name, value, 0);
		else
			write_scalar(f, name, value);
		fputs("</dd>\n", f);
	}
}

void
html_facts_write(FILE *f, const char *title, const json_t *object)
{
	if (!json_object_size(object))
		return;
	fputs("<div><h3>", f);
	html_text(f, title);
	fputs("</h3><dl>\n", f);
	write_members(f, "", object);
	fputs("</dl></div>\n", f);
}
