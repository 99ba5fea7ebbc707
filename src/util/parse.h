/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Text from users to values: command lines, URLs, ini files. Strict: the whole
 * text must be used, nothing wraps, nothing is guessed.
 *
 * Each parser returns 0 or -errno (-EINVAL: malformed, -ERANGE: outside the
 * limits) and then one sentence in @reason, which names the key, quotes the
 * text and says what is allowed. @reason may be NULL. On error @out is
 * untouched.
 */
#ifndef UTIL_PARSE_H
#define UTIL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parse_limits {
	const char *key; /* as the user writes it, for the sentence */
	uint64_t min;
	uint64_t max;
	union {
		uint64_t block_bytes;	/* of parse_size(): what 'b' means, 0 = 512 */
		uint64_t unit_ns;	/* of parse_duration_ns(): a bare number's
					   unit, 0 = a unit is required */
	};
};

/* Decimal digits only. */
int parse_u64(const char *text, const struct parse_limits *limits,
	uint64_t *out, char *reason, size_t n);

/*
 * As dd reads numbers: decimal with c=1 w=2 b=block, kB=1000 K=KiB=1024 and
 * so on for M G T, and products such as 2x4K.
 */
int parse_size(const char *text, const struct parse_limits *limits,
	uint64_t *out, char *reason, size_t n);

/* Decimal, a fraction allowed, with ns us ms s m h; to nanoseconds. */
int parse_duration_ns(const char *text, const struct parse_limits *limits,
	uint64_t *out, char *reason, size_t n);

/* Exactly 2 * @nr_bytes hexadecimal digits, most significant first. */
int parse_hex_bytes(const char *key, const char *text, uint8_t *out,
	size_t nr_bytes, char *reason, size_t n);
/* Exactly 16 hexadecimal digits. */
int parse_hex64(const char *key, const char *text, uint64_t *out, char *reason,
	size_t n);

/* yes/no, on/off, true/false, 1/0 */
int parse_bool(const char *key, const char *text, bool *out, char *reason,
	size_t n);

/* Index in @names, which ends with NULL. */
int parse_enum(const char *key, const char *text, const char *const *names,
	int *out, char *reason, size_t n);

/* The name that @text was probably meant to be, or NULL. */
const char *parse_nearest(const char *text, const char *const *names);

/* "key=value": the key's length, and the value behind the first '='. */
int parse_key_value(const char *text, size_t *key_len, const char **value);

/*
 * Undo percent encoding into @out, which gets a NUL too. The length, or
 * -EINVAL (a bad escape or an encoded NUL) or -ENOSPC.
 */
long parse_percent(const char *text, size_t len, char *out, size_t size);

#endif /* UTIL_PARSE_H */
