/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What srpctl's tables are made of: numbers short enough for a column, and
 * texts of other people's made harmless for a terminal.
 */
#ifndef SRPCTL_TEXT_H
#define SRPCTL_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SRPCTL_CELL_BYTES 32

/* Each fills @out, of SRPCTL_CELL_BYTES at least, and returns it. */

/* "0s" "42s" "5m07s" "3h12m" "12d04h" */
const char *srpctl_text_age(uint64_t ns, char *out);
/* "512 B" "1.0 KiB" "16.0 GiB" */
const char *srpctl_text_bytes(uint64_t bytes, char *out);
/* In powers of 1000, four digits at most: "0" "0.3" "87" "9.4k" "120M" */
const char *srpctl_text_rate(double rate, char *out);
/* "870ns" "12us" "3.4ms" "1.2s" */
const char *srpctl_text_latency(double ns, char *out);

/* Columns that UTF-8 takes, each character one. */
size_t srpctl_text_columns(const char *text);
/*
 * @text with everything that could move a cursor as '?', cut to @columns (a
 * '~' for the last one then) and padded to them on the right, or left when
 * @columns is negative. 0: whole, as it is.
 */
void srpctl_text_print(FILE *out, const char *text, int columns);
/* Word by word in lines of up to @width, each after @indent spaces. */
void srpctl_text_wrap(FILE *out, const char *text, int indent, int width);

#endif /* SRPCTL_TEXT_H */
