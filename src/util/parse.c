/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/compiler.h"

#define NEAREST_MAX 32

__printf(4, 5) static int
fail(int error, char *reason, size_t n, const char *format, ...)
{
	va_list ap;

	if (reason && n) {
		va_start(ap, format);
		vsnprintf(reason, n, format, ap);
		va_end(ap);
	}
	return error;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits at *@pos, at least one. -ERANGE when they do not fit. */
static int
take_digits(const char **pos, uint64_t *out)
{
	const char *p = *pos;
	uint64_t value = 0;

	if (!is_digit(*p))
		return -EINVAL;
	for (; is_digit(*p); p++)
		if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
			__builtin_add_overflow(
				value, (uint64_t)(*p - '0'), &value))
			return -ERANGE;
	*pos = p;
	*out = value;
	return 0;
}

static int
fail_range(const char *text, const struct parse_limits *limits, char *reason,
	size_t n)
{
	return fail(-ERANGE, reason, n,
		"%s=%s is out of range: allowed is %" PRIu64 " to %" PRIu64,
		limits->key, text, limits->min, limits->max);
}

static bool
is_within(uint64_t value, const struct parse_limits *limits)
{
	return value >= limits->min && value <= limits->max;
}

int
parse_u64(const char *text, const struct parse_limits *limits, uint64_t *out,
	char *reason, size_t n)
{
	const char *pos = text;
	uint64_t value;
	int rc = take_digits(&pos, &value);

	if (rc == -ERANGE)
		return fail_range(text, limits, reason, n);
	if (rc || *pos)
		return fail(-EINVAL, reason, n,
			"%s=%s is not a whole number: allowed is %" PRIu64
			" to %" PRIu64,
			limits->key, text, limits->min, limits->max);
	if (!is_within(value, limits))
		return fail_range(text, limits, reason, n);
	*out = value;
	return 0;
}

struct suffix {
	const char *name;
	uint64_t factor; /* 0: the caller's block */
};

/* Longer names first where one begins another. */
static const struct suffix suffixes[] = {
	{ "c", 1 },
	{ "w", 2 },
	{ "b", 0 },
	{ "kB", 1000 },
	{ "KB", 1000 },
	{ "KiB", UINT64_C(1) << 10 },
	{ "K", UINT64_C(1) << 10 },
	{ "k", UINT64_C(1) << 10 },
	{ "MB", 1000000 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "M", UINT64_C(1) << 20 },
	{ "GB", 1000000000 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "G", UINT64_C(1) << 30 },
	{ "TB", UINT64_C(1000000000000) },
	{ "TiB", UINT64_C(1) << 40 },
	{ "T", UINT64_C(1) << 40 },
	{ "PB", UINT64_C(1000000000000000) },
	{ "PiB", UINT64_C(1) << 50 },
	{ "P", UINT64_C(1) << 50 },
	{ "EB", UINT64_C(1000000000000000000) },
	{ "EiB", UINT64_C(1) << 60 },
	{ "E", UINT64_C(1) << 60 },
};

static uint64_t
take_suffix(const char **pos, uint64_t block_bytes)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		len = strlen(suffixes[i].name);
		if (strncmp(*pos, suffixes[i].name, len) != 0)
			continue;
		*pos += len;
		if (suffixes[i].factor)
			return suffixes[i].factor;
		return block_bytes ? block_bytes : 512;
	}
	return 1;
}

/* number[suffix][xnumber[suffix]]... */
static int
take_product(const char **pos, uint64_t block_bytes, uint64_t *out)
{
	uint64_t product = 1, value;
	bool is_too_big = false;
	int rc;

	for (;;) {
		rc = take_digits(pos, &value);
		if (rc)
			return rc;
		is_too_big |= __builtin_mul_overflow(
			value, take_suffix(pos, block_bytes), &value);
		is_too_big |= __builtin_mul_overflow(product, value, &product);
		if (**pos != 'x')
			break;
		(*pos)++;
	}
	if (**pos)
		return -EINVAL;
	*out = product;
	return is_too_big ? -ERANGE : 0;
}

int
parse_size(const char *text, const struct parse_limits *limits, uint64_t *out,
	char *reason, size_t n)
{
	const char *pos = text;
	uint64_t value;
	int rc = take_product(&pos, limits->block_bytes, &value);

	if (rc == -ERANGE)
		return fail_range(text, limits, reason, n);
	if (rc)
		return fail(-EINVAL, reason, n,
			"%s=%s is not a number: allowed is %" PRIu64
			" to %" PRIu64 " with a suffix c w b kB K MB M GB G "
			"TB T, or a product such as 2x4K",
			limits->key, text, limits->min, limits->max);
	if (!is_within(value, limits))
		return fail_range(text, limits, reason, n);
	*out = value;
	return 0;
}

static const struct suffix units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", UINT64_C(60) * 1000000000 },
	{ "h", UINT64_C(3600) * 1000000000 },
};

/* The unit that is the whole rest; 0 if there is no such unit. */
static uint64_t
unit_of(const char *rest, uint64_t bare_ns)
{
	size_t i;

	if (!*rest)
		return bare_ns;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(rest, units[i].name) == 0)
			return units[i].factor;
	return 0;
}

/* digits[.digits]unit; digits of a fraction beyond the ninth are dropped. */
static int
take_duration(const char *pos, uint64_t bare_ns, uint64_t *out)
{
	uint64_t whole, unit, part = 0, scale = 1;
	int rc = take_digits(&pos, &whole);

	if (rc)
		return rc;
	if (*pos == '.') {
		if (!is_digit(*++pos))
			return -EINVAL;
		for (; is_digit(*pos); pos++) {
			if (scale == 1000000000)
				continue;
			part = part * 10 + (uint64_t)(*pos - '0');
			scale *= 10;
		}
	}
	unit = unit_of(pos, whole || part ? bare_ns : 1);
	if (!unit)
		return -EINVAL;
	if (__builtin_mul_overflow(whole, unit, &whole))
		return -ERANGE;
	part = (uint64_t)((unsigned __int128)part * unit / scale);
	return __builtin_add_overflow(whole, part, out) ? -ERANGE : 0;
}

/* The greatest unit that divides @ns, so that limits read well. */
static void
format_duration(uint64_t ns, char *text, size_t n)
{
	size_t i = ARRAY_SIZE(units) - 1;

	while (i > 0 && (ns == 0 || ns % units[i].factor))
		i--;
	snprintf(text, n, "%" PRIu64 "%s", ns / units[i].factor,
		ns ? units[i].name : "");
}

int
parse_duration_ns(const char *text, const struct parse_limits *limits,
	uint64_t *out, char *reason, size_t n)
{
	char min[32], max[32];
	uint64_t value;
	int rc = take_duration(text, limits->unit_ns, &value);

	if (rc == 0 && !is_within(value, limits))
		rc = -ERANGE;
	if (rc == 0) {
		*out = value;
		return 0;
	}
	format_duration(limits->min, min, sizeof(min));
	format_duration(limits->max, max, sizeof(max));
	if (rc == -ERANGE)
		return fail(rc, reason, n,
			"%s=%s is out of range: allowed is %s to %s",
			limits->key, text, min, max);
	return fail(rc, reason, n,
		"%s=%s is not a duration: allowed is %s to %s, a number with "
		"a unit ns us ms s m h",
		limits->key, text, min, max);
}

static int
hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool
is_hex(const char *text, size_t nr_digits)
{
	size_t i;

	for (i = 0; i < nr_digits; i++)
		if (hex_digit(text[i]) < 0)
			return false;
	return text[nr_digits] == '\0';
}

int
parse_hex_bytes(const char *key, const char *text, uint8_t *out,
	size_t nr_bytes, char *reason, size_t n)
{
	size_t i;

	if (!is_hex(text, 2 * nr_bytes))
		return fail(-EINVAL, reason, n,
			"%s=%s is not an identifier: allowed are exactly %zu "
			"hexadecimal digits",
			key, text, 2 * nr_bytes);
	for (i = 0; i < nr_bytes; i++)
		out[i] = (uint8_t)(hex_digit(text[2 * i]) << 4 |
			hex_digit(text[2 * i + 1]));
	return 0;
}

int
parse_hex64(const char *key, const char *text, uint64_t *out, char *reason,
	size_t n)
{
	uint8_t bytes[8];
	uint64_t value = 0;
	size_t i;
	int rc = parse_hex_bytes(key, text, bytes, sizeof(bytes), reason, n);

	if (rc)
		return rc;
	for (i = 0; i < sizeof(bytes); i++)
		value = value << 8 | bytes[i];
	*out = value;
	return 0;
}

int
parse_bool(const char *key, const char *text, bool *out, char *reason, size_t n)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false",
		"true", "0", "1" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(text, words[i]) != 0)
			continue;
		*out = i % 2;
		return 0;
	}
	return fail(-EINVAL, reason, n,
		"%s=%s is neither yes nor no: allowed are yes and no", key,
		text);
}

static size_t
min3(size_t a, size_t b, size_t c)
{
	size_t min = a < b ? a : b;

	return min < c ? min : c;
}

/* Levenshtein's distance with neighbours swapped as one step. */
static size_t
distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j;
	size_t d[NEAREST_MAX + 1][NEAREST_MAX + 1];

	if (la > NEAREST_MAX || lb > NEAREST_MAX)
		return SIZE_MAX;
	for (i = 0; i <= la; i++)
		d[i][0] = i;
	for (j = 0; j <= lb; j++)
		d[0][j] = j;
	for (i = 1; i <= la; i++)
		for (j = 1; j <= lb; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				a[i - 2] == b[j - 1])
				d[i][j] = min3(d[i][j], d[i - 2][j - 2] + 1,
					SIZE_MAX);
		}
	return d[la][lb];
}

const char *
parse_nearest(const char *text, const char *const *names)
{
	const char *best = NULL;
	size_t best_distance = SIZE_MAX, d;

	for (; *names; names++) {
		d = distance(text, *names);
		/* More than a third wrong is another word. */
		if (d >= best_distance || d > (strlen(*names) + 2) / 3)
			continue;
		best_distance = d;
		best = *names;
	}
	return best;
}

int
parse_enum(const char *key, const char *text, const char *const *names,
	int *out, char *reason, size_t n)
{
	const char *nearest;
	char list[256] = "";
	size_t len = 0;
	int i;

	for (i = 0; names[i]; i++) {
		if (strcmp(text, names[i]) == 0) {
			*out = i;
			return 0;
		}
		if (len < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len,
				"%s%s", i ? ", " : "", names[i]);
	}
	nearest = parse_nearest(text, names);
	return fail(-EINVAL, reason, n,
		"%s=%s is not known: allowed are %s%s%s%s", key, text, list,
		nearest ? "; did you mean " : "", nearest ? nearest : "",
		nearest ? "?" : "");
}

int
parse_key_value(const char *text, size_t *key_len, const char **value)
{
	const char *equal = strchr(text, '=');

	if (!equal || equal == text)
		return -EINVAL;
	*key_len = (size_t)(equal - text);
	*value = equal + 1;
	return 0;
}

long
parse_percent(const char *text, size_t len, char *out, size_t size)
{
	size_t i, o = 0;
	int high, low;
	char c;

	for (i = 0; i < len; i++) {
		c = text[i];
		if (c == '%') {
			if (len - i < 3)
				return -EINVAL;
			high = hex_digit(text[i + 1]);
			low = hex_digit(text[i + 2]);
			if (high < 0 || low < 0 || (high | low) == 0)
				return -EINVAL;
			c = (char)(high << 4 | low);
			i += 2;
		}
		if (o + 1 >= size)
			return -ENOSPC;
		out[o++] = c;
	}
	if (o >= size)
		return -ENOSPC;
	out[o] = '\0';
	return (long)o;
}
